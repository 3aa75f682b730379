"""Base class of all solvers: the units of a run, the best, the random state, snapshots.

A subclass defines what a unit is, and which other parts of its state a snapshot has.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Generic, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError, RunError, SnapshotError
from tilelab.core.parameters import Params, live_value, validate
from tilelab.core.puzzle import Cells, Puzzle
from tilelab.core.randomness import generator, generator_from_state, generator_state
from tilelab.core.solver import Arrays, Best, NewBest, Progress, Scalars, Snapshot, Solver, Status
from tilelab.solvers.slices import Slice, UnitEnd, do_slice, slice_by_units

P = TypeVar("P", bound=Puzzle)
Q = TypeVar("Q", bound=Params)
D = TypeVar("D", np.uint32, np.uint64)
# Names that this module writes into a snapshot, in addition to the unit.
FRAME = frozenset(
    {
        "status",
        "limit",
        "best_value",
        "best_unit",
        "best_moves",
        "best_optimal",
        "best_cells",
        "random_state",
    }
)


class SolverBase(Solver, Generic[P, Q]):
    """A solver of a puzzle P with parameters Q; a subclass does a unit in :meth:`do_unit`.

    A subclass makes the other parts of its state in :meth:`prepare` and :meth:`begin`, copies them
    in :meth:`scalars` and :meth:`arrays`, and restores them in :meth:`set_state`.
    """

    frame: ClassVar[frozenset[str]] = FRAME  # of snapshots; some solvers are older than this module
    ends_each_unit: ClassVar[bool] = False  # whether do_units does: islands do many
    unit_name: ClassVar[str] = "unit"  # name of the current unit's number in snapshots

    def __init__(self, puzzle: P, params: Q, rng: np.random.Generator) -> None:
        self._puzzle, self._params, self._rng = puzzle, params, rng
        self._unit = 0  # number of the current unit, from 0
        self._status, self._limit = Status.RUNNING, ""
        self._best: Best | None = None
        self._n_before: int | None = None  # evaluations before this call of advance
        self._new_bests: list[NewBest] = []  # bests that the current call of advance has found
        self._ends: list[UnitEnd] | None = None  # of the current stretch; None outside one
        self._steps_done = 0  # steps done of the current unit
        self.prepare()

    @property
    def params(self) -> Q:
        return self._params

    @property
    def best(self) -> Best | None:
        """Best so far, perhaps taken over from another island."""
        return self._best

    @property
    def unit(self) -> int:
        return self._unit

    @classmethod
    def create(cls, puzzle: P, params: Q, seed: int) -> Self:
        """Begin a run; raises NotMadeError and ParameterError."""
        solver = cls(puzzle, cls.resolved(puzzle, params), generator(seed))
        solver.begin()
        return solver

    @classmethod
    def resolved(cls, puzzle: P, params: Q) -> Q:
        """Return parameters with all open values set, perhaps by the machine; ParameterError."""
        return params

    @classmethod
    def upgraded(cls, puzzle: P, snapshot: Snapshot) -> Snapshot:
        """Return a snapshot of an older program with the parameters that came later, too."""
        params = cls._params_of(puzzle, snapshot)
        return replace(snapshot, params=params.model_dump(mode="json"))

    @classmethod
    def _params_of(cls, puzzle: P, snapshot: Snapshot) -> Q:
        params = cast(Q, validate(cls.spec.params, snapshot.params))
        return cls.resolved(puzzle, params)

    @property
    def steps_done(self) -> int:
        return self._steps_done

    def advance(self, units: int) -> Progress:
        before = self._begin_progress()
        return self._progress(before, self.do_units(units))

    def run_slice(self, units: int) -> Slice:
        """Do some units, fewer if the run ends, and return the result of each; for islands."""
        if not self.ends_each_unit:
            return slice_by_units(self, units)
        self._ends = []
        try:
            progress = self.advance(units)
            return Slice(progress.status, progress.limit, progress.trace, self._ends)
        finally:
            self._ends = None

    def step(self, most: int = 1) -> Progress:
        if not self.spec.step:
            return self.advance(1)
        before, n_before = self._begin_progress(), self._steps_done
        rows = np.empty((0, len(self.spec.metrics)))
        n_steps = 0
        if self._status is Status.RUNNING:
            row = self.do_steps(most)
            n_steps = self._steps_done - n_before
            if row is not None:
                rows = np.array([row], np.float64)
                self._end_unit(before)
        return replace(self._progress(before, rows), steps=n_steps)

    @classmethod
    def do_part(cls, puzzle: P, part: Snapshot) -> Snapshot:
        """Do some units of an island for another machine."""
        return do_slice(cls, puzzle, part)

    def immigrate(self, boards: NDArray[np.uint8], values: NDArray[np.float64]) -> None:
        """Take over boards of other islands of the same run, between two units.

        boards: uint8 (n, cells), the best first; values: float64 (n,), their values. Called only
        if the solver's parameters are :class:`tilelab.solvers.islands.IslandParams`.
        """
        raise RunError.tr("{key} does not take in boards", key=self.spec.key)

    @property
    def has_short_units(self) -> bool:
        """Whether units are so short that threads would wait for the interpreter; for speed."""
        return False

    def _begin_progress(self) -> Best | None:
        """Record the state before some work; returns the best so far."""
        self._n_before, self._new_bests = self.n_evaluated, []
        return self._best

    def _progress(self, before: Best | None, rows: NDArray[np.float64]) -> Progress:
        """Return the result of some work; before: the best when it began."""
        best = None if self._best is before else self._best
        if best is not None and not self._new_bests:
            self._note(best)
        return Progress(
            self._status,
            len(rows),
            rows,
            best,
            self._limit,
            self._n_evaluated_now,
            tuple(self._new_bests),
        )

    def _note(self, best: Best) -> None:
        self._new_bests.append(NewBest(best, self._n_evaluated_now))

    @property
    def _n_evaluated_now(self) -> int | None:
        """Boards scored or generated in the current call of ``advance``."""
        before, now = self._n_before, self.n_evaluated
        return None if before is None or now is None else now - before

    @property
    def n_evaluated(self) -> int | None:
        """Boards scored or generated so far, counted from any moment; only differences matter.

        It allows a comparison of solvers with different units. None: they are not counted.
        """
        return None

    def do_units(self, units: int) -> NDArray[np.float64]:
        """Do at most ``units`` units; returns their rows of metrics.

        A solver that does many units in one call of a kernel overrides this and counts the units.
        """
        rows = np.empty((units, len(self.spec.metrics)))
        done = 0
        while done < units and self._status is Status.RUNNING:
            before = self._best
            rows[done] = self.do_unit()
            done += 1
            self._end_unit(before)
        return rows[:done]

    def _end_unit(self, before: Best | None) -> None:
        """Count a complete unit; before: the best when the unit began."""
        self._unit += 1
        self._steps_done = 0
        best = None if self._best is before else self._best
        if best is not None:
            self._note(best)
        if self._ends is not None:
            self._ends.append(UnitEnd(self._n_evaluated_now, best))

    def _end_units(self, units: int) -> None:
        """Count complete units that have found no new best."""
        if self._ends is None:
            self._unit += units
            return
        for _ in range(units):
            self._end_unit(self._best)

    def set_live(self, name: str, value: object) -> None:
        self._params = live_value(self._params, name, value)

    def snapshot(self) -> Snapshot:
        best = self._best
        scalars: Scalars = {
            "status": self._status.value,
            "limit": self._limit,
            "best_value": None if best is None else best.value,
            "best_unit": None if best is None else best.unit,
            "best_moves": None if best is None else best.moves,
            "best_optimal": None if best is None else best.optimal,
        }
        arrays: Arrays = {
            "best_cells": np.empty(0, np.uint8) if best is None else best.cells.copy(),
            "random_state": generator_state(self._rng),
        }
        return Snapshot(
            solver=self.spec.key,
            version=self.spec.version,
            params=self._params.model_dump(mode="json"),
            scalars={
                self.unit_name: self._unit,
                **({"steps_done": self._steps_done} if self._steps_done else {}),
                **{name: value for name, value in scalars.items() if name in self.frame},
                **self.scalars(),
            },
            arrays={
                **{name: array for name, array in arrays.items() if name in self.frame},
                **self.arrays(),
            },
        )

    @classmethod
    def restore(cls, puzzle: P, snapshot: Snapshot) -> Self:
        """Continue from a snapshot; raises SnapshotError if it does not fit."""
        snapshot.require(cls.spec)
        rng = generator(0)
        if "random_state" in cls.frame:
            rng = generator_from_state(snapshot.array("random_state", np.uint64, 6))
        solver = cls(puzzle, cls._params_of(puzzle, snapshot), rng)
        solver._unit = snapshot.count(cls.unit_name)
        solver._steps_done = snapshot.steps_done
        if "status" in cls.frame:
            solver._status = _status_of(snapshot.text("status"))
        if "limit" in cls.frame:
            solver._limit = snapshot.text("limit")
        if "best_unit" in cls.frame and snapshot.scalars.get("best_unit") is not None:
            solver._set_best(snapshot)
        solver.set_state(snapshot)
        return solver

    def _set_best(self, snapshot: Snapshot) -> None:
        cells = snapshot.array("best_cells", np.uint8, None)
        self._require_board(cells)
        moves, optimal = (snapshot.scalars.get(name) for name in ("best_moves", "best_optimal"))
        if moves is not None:
            self._require_path(str(moves), cells)
        self._offer(
            cells,
            snapshot.number("best_value"),
            None if moves is None else str(moves),
            None if optimal is None else bool(optimal),
            unit=snapshot.count("best_unit"),
            always=True,
        )

    def _require_path(self, moves: str, cells: Cells) -> None:
        try:
            leads = np.array_equal(self._puzzle.replay(moves), cells)
        except RunError as error:
            raise SnapshotError(f"the snapshot's moves cannot be made: {error}") from error
        if not leads:
            raise SnapshotError("the snapshot's moves do not lead to its best board")

    def _require_board(self, cells: Cells) -> None:
        rows, cols = self._puzzle.shape
        if cells.size != rows * cols:
            raise SnapshotError(
                f"the snapshot's board has {cells.size} cells; this puzzle has {rows * cols}"
            )
        try:
            self._puzzle.require(cells)
        except GridError as error:
            raise SnapshotError(f"the snapshot is of another board: {error}") from error

    def _offer(
        self,
        cells: Cells,
        value: float,
        moves: str | None = None,
        optimal: bool | None = None,
        *,
        unit: int | None = None,
        always: bool = False,
    ) -> Best | None:
        """Keep a copy of a board as the best if it is better, or ``always``; return it, or None.

        unit: unit in which the board was found; None for the current one.
        """
        if not always and self._best is not None and not value > self._best.value:
            return None
        kept = cells.copy()
        kept.flags.writeable = False
        found_in = self._unit if unit is None else unit
        self._best = Best(kept, float(value), found_in, moves, optimal)
        return self._best

    @property
    def _best_value(self) -> float:
        assert self._best is not None
        return self._best.value

    def _random_bits(self, dtype: type[D], *shape: int) -> NDArray[D]:
        return self._rng.integers(0, np.iinfo(dtype).max, shape, dtype, endpoint=True)

    def _end(self, status: Status, limit: str = "") -> None:
        self._status, self._limit = status, limit

    def prepare(self) -> None:
        """Create the state that both a new run and a restored one need."""

    def begin(self) -> None:
        """Initialise the state of a new run, its random parts included."""

    def do_unit(self) -> Sequence[float]:
        """Do one unit, or the rest of the current one; returns its row of metrics.

        The run continues until :meth:`_end` is called.
        """
        row = self.do_steps(None)
        assert row is not None
        return row

    def do_steps(self, most: int | None) -> Sequence[float] | None:
        """Do at most ``most`` steps of the current unit; None: all that are left.

        A solver with a ``spec.step`` defines this instead of ``do_unit``. It adds the steps to
        ``_steps_done``, and returns the row of metrics if the unit is complete, else None. It
        offers a best only when the unit is complete, as if the unit were done at once.
        """
        raise RunError.tr("{key} defines neither do_unit nor do_steps", key=self.spec.key)

    def scalars(self) -> Scalars:
        """Return the other numbers and texts of a snapshot."""
        return {}

    def arrays(self) -> Arrays:
        """Return copies of the other arrays of a snapshot."""
        return {}

    def set_state(self, snapshot: Snapshot) -> None:
        """Inverse of ``scalars`` and ``arrays``; raises SnapshotError.

        This checks everything that a kernel trusts. The frame is already restored.
        """


def _status_of(word: str) -> Status:
    if word not in set(Status):
        raise SnapshotError(f"the snapshot's status is {word[:60]!r}")
    return Status(word)
