"""Steps inside a unit that is one call of a kernel, a matter of milliseconds.

Such a kernel knows no place to go on at but a unit's begin: there it counts anew what a unit's row
needs, and traces what it had put off. So the first steps of a unit are a shorter call, and more of
them a longer one from the same begin. The call that completes the unit is the one that it always
was, so that a run made step by step is the same bit for bit; a snapshot inside a unit is the one of
its begin and the number of its steps.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Generic, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.parameters import Params
from tilelab.core.puzzle import Puzzle
from tilelab.core.randomness import generator_from_state
from tilelab.core.solver import Snapshot, Status
from tilelab.core.views import ViewKind
from tilelab.solvers.base import SolverBase

P = TypeVar("P", bound=Puzzle)
Q = TypeVar("Q", bound=Params)


class UnitBegin(NamedTuple):
    """A run at the begin of a unit."""

    snapshot: Snapshot
    n_scored: int
    """Boards scored before it."""


class BlockSolver(SolverBase[P, Q], Generic[P, Q]):
    """One unit is a block of steps; a sub-class does them in :meth:`do_block`.

    While its steps are watched, the begin of the last unit is kept: whatever is to be seen of the
    last step, a twin that begins there does once more.
    """

    ends_each_unit = True
    _n_scored = 0
    """Boards scored by now."""
    _unit_begin: UnitBegin | None = None
    """Of the unit at hand, some of whose steps are done."""
    _last_steps: tuple[UnitBegin, int] | None = None
    """The unit that was worked on last and how many of its steps are done, if its begin is kept."""
    _row_inside: Sequence[float] | None = None
    """The metrics of the steps that are done of the current unit."""
    _is_watched = False
    _twin: Self | None = None

    @property
    @abstractmethod
    def block_steps(self) -> int:
        """How many steps the unit has that begins now."""

    @abstractmethod
    def do_block(self, n_steps: int) -> Sequence[float]:
        """Do so many steps of the unit that begins now; returns its row of metrics.

        All random numbers of the unit are drawn here, however many steps are done.
        """

    @abstractmethod
    def offer_found(self) -> None:
        """Offer the best of the unit, which is complete."""

    def do_steps(self, most: int | None) -> Sequence[float] | None:
        begin = self._unit_begin
        if begin is not None:
            self._return_to(begin)
        n_steps = self.block_steps
        end = n_steps if most is None else min(self._steps_done + most, n_steps)
        if begin is None and (end < n_steps or self._is_watched):
            begin = UnitBegin(super().snapshot(), self._n_scored)
        row = self.do_block(end)
        self._steps_done = end
        self._last_steps = None if begin is None else (begin, end)
        self._unit_begin = begin if end < n_steps else None
        self._row_inside = row
        if end < n_steps:
            return None
        self.offer_found()
        return row

    def metrics_inside(self) -> Sequence[float] | None:
        return self._row_inside

    def do_units(self, units: int) -> NDArray[np.float64]:
        if not self._is_watched or units < 2:
            return super().do_units(units)
        # To keep the begin of every unit would cost some per cent of the speed.
        begin = self.snapshot()
        self._is_watched = False
        try:
            rows = super().do_units(units - 1)
        finally:
            self._is_watched = True
        if self._status is Status.RUNNING:
            return np.concatenate([rows, super().do_units(1)])
        if len(rows):
            again = type(self).restore(self._puzzle, begin)
            again.advance(len(rows) - 1)
            again._is_watched = True
            again.advance(1)
            self._last_steps = again._last_steps
        return rows

    def _return_to(self, begin: UnitBegin) -> None:
        """Set what a unit changes as it was at its begin; the best is not changed within one."""
        self._rng = generator_from_state(begin.snapshot.array("random_state", np.uint64, 6))
        self.set_state(begin.snapshot)
        self._n_scored = begin.n_scored

    def watch(self, kinds: frozenset[ViewKind]) -> None:
        self._is_watched = bool(kinds)
        if not kinds:
            self._twin = None

    def _twin_at(self, begin: UnitBegin) -> Self:
        """Return another solver of the same run at the begin of a unit; there is only one."""
        twin = self._twin
        if twin is None:
            twin = self._twin = type(self).restore(self._puzzle, begin.snapshot)
        twin._params = self._params_of(self._puzzle, begin.snapshot)
        twin._unit, twin._best = begin.snapshot.count(self.unit_name), None
        if begin.snapshot.scalars["best_unit"] is not None:
            twin._set_best(begin.snapshot)
        twin._return_to(begin)
        return twin

    @property
    def n_evaluated(self) -> int:
        return self._n_scored

    def snapshot(self) -> Snapshot:
        if self._unit_begin is None:
            return super().snapshot()
        begun = self._unit_begin.snapshot
        steps = {"steps_done": self._steps_done, "block_steps": self.block_steps}
        return replace(begun, scalars={**begun.scalars, **steps})

    def set_live(self, name: str, value: object) -> None:
        """Change a live parameter; the unit at hand is done anew with it, as from its begin."""
        super().set_live(name, value)
        if self._unit_begin is not None:
            params = self._params.model_dump(mode="json")
            begun = replace(self._unit_begin.snapshot, params=params)
            self._unit_begin = self._unit_begin._replace(snapshot=begun)

    @classmethod
    def restore(cls, puzzle: P, snapshot: Snapshot) -> Self:
        solver = super().restore(puzzle, snapshot)
        n_steps = solver._steps_done
        if n_steps:
            of_steps = snapshot.count("block_steps")
            if solver._status is not Status.RUNNING or not 0 < n_steps < of_steps:
                raise SnapshotError(f"the snapshot has done {n_steps} steps of {of_steps}")
            solver._steps_done = 0
            # In a fork a unit may have fewer steps.
            n_steps = min(n_steps, solver.block_steps - 1)
        if n_steps:
            solver.do_steps(n_steps)
        return solver
