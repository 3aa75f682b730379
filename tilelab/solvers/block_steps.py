"""Steps inside a unit that is one call of a kernel of some milliseconds.

Such a kernel can only start at the beginning of a unit. So the first steps of a unit are a shorter
call, and more steps are a longer call from the same beginning; a run made step by step is the same
bit for bit. A snapshot inside a unit is that of its beginning and the number of steps.
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
    snapshot: Snapshot
    n_scored: int  # boards scored before the unit


class BlockSolver(SolverBase[P, Q], Generic[P, Q]):
    """A solver whose unit is a block of steps in :meth:`do_block`; a twin repeats it for views."""

    ends_each_unit = True
    _n_scored = 0  # boards scored so far
    _unit_begin: UnitBegin | None = None  # beginning of the current unit, if it is partly done
    _last_steps: tuple[UnitBegin, int] | None = None  # and steps done, while watched
    _unit_before: tuple[UnitBegin, int] | None = None  # the same of the unit before that
    _row_inside: Sequence[float] | None = None  # metrics after the steps done of the current unit
    _is_watched = False
    _twin: Self | None = None

    @property
    @abstractmethod
    def block_steps(self) -> int:
        """Number of steps in the unit that begins now."""

    @abstractmethod
    def do_block(self, n_steps: int) -> Sequence[float]:
        """Do the first ``n_steps`` of a unit, with all its random numbers; returns its metrics."""

    @abstractmethod
    def offer_found(self) -> None:
        """Offer the best of the complete unit."""

    def do_steps(self, most: int | None) -> Sequence[float] | None:
        begin = self._unit_begin
        if begin is not None:
            self._return_to(begin)
        else:
            self._unit_before = self._last_steps
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
        # Keeping the beginning of every unit would cost a few per cent of the speed.
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
        """Restore the state at the beginning of a unit; the best does not change within one."""
        self._rng = generator_from_state(begin.snapshot.array("random_state", np.uint64, 6))
        self.set_state(begin.snapshot)
        self._n_scored = begin.n_scored

    def watch(self, kinds: frozenset[ViewKind]) -> None:
        self._is_watched = bool(kinds)
        if not kinds:
            self._twin = None

    def _units_back(self) -> list[tuple[UnitBegin, int]]:
        """Return the beginnings and steps of the last units that are known, newest first."""
        if self._last_steps is None:
            return []  # without the newest unit, the one before is not the last
        return [unit for unit in (self._last_steps, self._unit_before) if unit is not None]

    def _twin_at(self, begin: UnitBegin) -> Self:
        """Return the solver's twin, set to the beginning of a unit."""
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
        """Change a live parameter; the current unit is repeated from its beginning with it."""
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
