"""Hill climbing by first improvement, sideways steps allowed, with random restarts.

A move is kept when it is not worse. After some moves without a better energy the climb begins
again on a random board (Russell & Norvig, "Artificial Intelligence", section 4.1).
"""

import numpy as np

from tilelab.core.parameters import parameter
from tilelab.core.registry import register_solver
from tilelab.core.solver import Scalars, Snapshot, SolverSpec
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.solvers.boggle.neighbourhood import GridMoveParams, GridNeighbourhood
from tilelab.solvers.local_search import LocalSearch


class HillClimbingParams(GridMoveParams):
    """The parameter of hill climbing."""

    patience: int = parameter(
        2_000,
        "Patience",
        low=1,
        high=1_000_000,
        unit="moves a cell",
        help="After so many moves for each cell without improvement the search restarts.",
        live=True,
    )


@register_solver
class HillClimbing(LocalSearch[BogglePuzzle, HillClimbingParams, GridNeighbourhood]):
    """One unit is a block of moves that may not lose."""

    spec = SolverSpec(
        key="hill-climbing",
        title="Hill climbing with restarts",
        source="",
        puzzles=("boggle",),
        params=HillClimbingParams,
        unit="iteration",
        metrics=("best_of_block", "best_ever", "current", "accepted", "restarts"),
        version=1,
    )

    def _neighbourhood(self) -> GridNeighbourhood:
        return GridNeighbourhood(self._puzzle, self._params)

    def _begin(self) -> None:
        super()._begin()
        self._n_restarts, self._n_idle, self._top = 0, 0, self._place.energy

    def _block(self) -> tuple[float, ...]:
        n_moves, n_cells = self._place.block, len(self._place.cells)
        if self._n_idle >= self._params.patience * n_cells:
            self._restart()
            self._n_restarts += 1
            self._n_idle, self._top = 0, self._place.energy
        self._place.walk(self._words(n_moves), np.zeros(n_moves))
        self._n_idle = 0 if self._place.energy > self._top else self._n_idle + n_moves
        self._top = self._place.energy
        return self._share_accepted(), float(self._n_restarts)

    def _scalars(self) -> Scalars:
        counts = {"n_restarts": self._n_restarts, "n_idle": self._n_idle}
        return {**super()._scalars(), **counts}

    def _set_state(self, snapshot: Snapshot) -> None:
        super()._set_state(snapshot)
        self._n_restarts, self._n_idle = snapshot.count("n_restarts"), snapshot.count("n_idle")
        self._top = self._place.energy
