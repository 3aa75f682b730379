"""A random walk: every move is kept. The yardstick of the other searches."""

import numpy as np

from tilelab.core.registry import register_solver
from tilelab.core.solver import SolverSpec
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.solvers.boggle.neighbourhood import GridMoveParams, GridNeighbourhood
from tilelab.solvers.local_search import LocalSearch


class RandomWalkParams(GridMoveParams):
    """A random walk has no parameters but its moves."""


@register_solver
class RandomWalk(LocalSearch[BogglePuzzle, RandomWalkParams, GridNeighbourhood]):
    """One unit is a block of moves, good or bad."""

    spec = SolverSpec(
        key="random-walk",
        title="Random walk",
        source="",
        puzzles=("boggle",),
        params=RandomWalkParams,
        unit="iteration",
        metrics=("best_of_block", "best_ever", "current"),
        version=1,
    )

    def _neighbourhood(self) -> GridNeighbourhood:
        return GridNeighbourhood(self._puzzle, self._params)

    def _block(self) -> tuple[float, ...]:
        n_moves = self._place.block
        self._place.walk(self._words(n_moves), np.full(n_moves, np.inf))
        return ()
