"""A random walk: every move is kept. The yardstick of the other searches."""

import numpy as np

from tilelab.core.registry import register_solver
from tilelab.core.text.language import marked
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.puzzles.boggle.solvers.neighbourhood import GridMoveParams, GridNeighbourhood
from tilelab.solvers.local_search import local_search_spec
from tilelab.solvers.metropolis import MetropolisSearch


@register_solver
class RandomWalk(MetropolisSearch[BogglePuzzle, GridMoveParams]):
    """One unit is a block of moves, good or bad."""

    spec = local_search_spec(
        "random-walk",
        marked("Random walk"),
        "",
        "boggle",
        GridMoveParams,
        purpose=marked("A baseline: what chance alone finds."),
    )

    def _neighbourhood(self) -> GridNeighbourhood:
        return GridNeighbourhood(self._puzzle, self._params)

    def _do_moves(self, n_moves: int) -> tuple[float, ...]:
        self._draw(np.full(self._place.block, np.inf))
        self._place.walk(*self._drawn.part(0, n_moves))
        return ()
