"""Hill climbing by first improvement, sideways steps allowed, with random restarts.

A move is kept when it is not worse. After some moves without a better energy the climb begins
anew on a random board (Russell & Norvig, "Artificial Intelligence", section 4.1).
"""

from typing import Any, ClassVar

import numpy as np

from tilelab.core.parameters import parameter
from tilelab.core.registry import register_solver
from tilelab.core.solver import SolverSpec
from tilelab.solvers.boggle.neighbourhood import GridMoveParams, GridNeighbourhood
from tilelab.solvers.local_search import LocalSearch, Scalars


class HillClimbingParams(GridMoveParams):
    """The knob of hill climbing."""

    patience: int = parameter(
        2_000,
        "Patience",
        low=1,
        high=1_000_000,
        unit="moves a cell",
        help="After so many moves for each cell without a gain the climb begins anew.",
        live=True,
    )


@register_solver
class HillClimbing(LocalSearch):
    """One unit is a block of moves that may not lose."""

    spec: ClassVar[SolverSpec] = SolverSpec(
        key="hill-climbing",
        title="Hill climbing with restarts",
        source="",
        puzzles=("boggle",),
        params=HillClimbingParams,
        unit="block",
        metrics=("best_of_block", "best_ever", "current", "accepted", "restarts"),
        version=1,
    )
    neighbourhood: ClassVar[Any] = GridNeighbourhood

    def _begin(self) -> None:
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
        return {"n_restarts": self._n_restarts, "n_idle": self._n_idle}

    def _recall(self, scalars: dict[str, Any], arrays: dict[str, Any]) -> None:
        self._n_restarts, self._n_idle = int(scalars["n_restarts"]), int(scalars["n_idle"])
        self._top = self._place.energy
