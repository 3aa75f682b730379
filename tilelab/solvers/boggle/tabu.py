"""Tabu search (Glover 1989): the best of some moves each step, and no way back for a while."""

from typing import Any, ClassVar

import numpy as np

from tilelab.core.errors import SnapshotError
from tilelab.core.parameters import parameter
from tilelab.core.registry import register_solver
from tilelab.core.snapshot_ranges import demand_range
from tilelab.core.solver import SolverSpec
from tilelab.solvers.boggle.neighbourhood import GridMoveParams, GridNeighbourhood
from tilelab.solvers.local_search import LocalSearch, Scalars


class TabuParams(GridMoveParams):
    """The knobs of tabu search."""

    tenure: int = parameter(
        10,
        "Tenure",
        low=0,
        high=1_000,
        unit="steps",
        help="A letter may not come back to its cell for so many steps, or up to twice as many.",
        source="Glover 1989",
        live=True,
    )
    candidates: int = parameter(
        100,
        "Candidates",
        low=1,
        high=2_000,
        unit="moves a step",
        help="Of so many random moves the best one is made.",
        source="Glover 1989",
        forkable=True,
    )


@register_solver
class Tabu(LocalSearch):
    """One unit is a number of steps that try a block of moves together."""

    spec: ClassVar[SolverSpec] = SolverSpec(
        key="tabu",
        title="Tabu search",
        source="Glover 1989",
        puzzles=("boggle",),
        params=TabuParams,
        unit="block",
        metrics=("best_of_block", "best_ever", "current", "forbidden"),
        version=1,
    )
    neighbourhood: ClassVar[Any] = GridNeighbourhood

    def _begin(self) -> None:
        self._until = np.zeros(self._place.shape_of_memory, np.int64)
        self._n_steps = 0

    def _block(self) -> tuple[float, ...]:
        n_candidates = self._params.candidates
        n_steps = max(1, self._place.block // n_candidates)
        words = self._words(n_steps, n_candidates)
        self._place.tabu(words, self._n_steps, self._params.tenure, self._until)
        self._n_steps += n_steps
        return (100.0 * self._place.n_forbidden / words.size,)

    def _scalars(self) -> Scalars:
        return {"n_steps": self._n_steps}

    def _arrays(self) -> dict[str, Any]:
        return {"until": self._until.copy()}

    def _recall(self, scalars: dict[str, Any], arrays: dict[str, Any]) -> None:
        until = arrays["until"]
        if until.shape != self._place.shape_of_memory or until.dtype != np.int64:
            raise SnapshotError(
                f"the snapshot's tabu list is {until.shape}; this puzzle needs "
                f"{self._place.shape_of_memory}"
            )
        self._until, self._n_steps = until.copy(), int(scalars["n_steps"])
        demand_range("steps", np.array([self._n_steps]), 0, 2**62)
        demand_range("tabu list", until, 0, 2**62)
