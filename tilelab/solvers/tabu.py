"""Tabu search (Glover 1989): the best of some moves each step, and no return for a while."""

from typing import Generic, TypeVar

import numpy as np

from tilelab.core.parameters import Params
from tilelab.core.puzzle import Puzzle
from tilelab.core.snapshot_ranges import require_range
from tilelab.core.solver import Arrays, Scalars, Snapshot
from tilelab.solvers.local_search import LocalSearch, Neighbourhood

METRICS = ("best_of_block", "best_ever", "current", "forbidden")
P = TypeVar("P", bound=Puzzle)
Q = TypeVar("Q", bound=Params)
N = TypeVar("N", bound=Neighbourhood)


class TabuSearch(LocalSearch[P, Q, N], Generic[P, Q, N]):
    """One unit is a number of steps; a sub-class says in ``_block`` how many, and of what."""

    def _prepare(self) -> None:
        super()._prepare()
        self._until = np.zeros(self._place.shape_of_memory, np.int64)
        self._n_steps = 0

    def _scalars(self) -> Scalars:
        return {**super()._scalars(), "n_steps": self._n_steps}

    def _arrays(self) -> Arrays:
        return {**super()._arrays(), "until": self._until.copy()}

    def _set_state(self, snapshot: Snapshot) -> None:
        super()._set_state(snapshot)
        self._until = snapshot.array("until", np.int64, *self._until.shape).copy()
        self._n_steps = snapshot.count("n_steps")
        require_range("steps", np.array([self._n_steps]), 0, 2**62)
        require_range("tabu list", self._until, 0, 2**62)
