"""A random walk: every move is kept. The yardstick of the other searches."""

import numpy as np

from tilelab.core.registry import register_solver
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.solvers.boggle.neighbourhood import GridMoveParams, GridNeighbourhood
from tilelab.solvers.local_search import LocalSearch, local_search_spec


@register_solver
class RandomWalk(LocalSearch[BogglePuzzle, GridMoveParams]):
    """One unit is a block of moves, good or bad."""

    spec = local_search_spec("random-walk", "Random walk", "", "boggle", GridMoveParams)

    def _neighbourhood(self) -> GridNeighbourhood:
        return GridNeighbourhood(self._puzzle, self._params)

    def _do_moves(self, n_moves: int) -> tuple[float, ...]:
        bits = self._random_bits(np.uint64, self._place.block)[:n_moves]
        self._place.walk(bits, np.full(n_moves, np.inf))
        return ()
