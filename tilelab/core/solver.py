"""The interface of solvers: the same seed gives the same run, however it is sliced.

``advance(a); advance(b)`` equals ``advance(a + b)`` bit for bit, and a run restored from a snapshot
continues exactly as the uninterrupted run would.
"""

import enum
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import RunError, SnapshotError
from tilelab.core.parameters import Params
from tilelab.core.plain import Arrays as Arrays
from tilelab.core.plain import Value, Values
from tilelab.core.pseudocode import Pseudocode
from tilelab.core.puzzle import Best as Best
from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import boards_expanded, counted
from tilelab.core.views import View, ViewKind

Scalars = dict[str, Value]  # numbers and texts of a snapshot, by name
D = TypeVar("D", bound=np.generic)
T = TypeVar("T")


class Status(enum.StrEnum):
    RUNNING = "running"
    SOLVED = "solved"
    EXHAUSTED = "exhausted"
    LIMIT = "limit"


@dataclass(frozen=True)
class Advice:
    """Advice for a run that no longer improves: a sentence, and what it suggests."""

    text: str
    solver: str = ""  # solver to restart with, or ''; the run's own: with another seed
    parameter: str = ""  # live parameter to change, or ''; its values are whole numbers
    factor: float = 1.0  # factor to multiply the value of parameter by


def counts_expanded(metrics: Sequence[str]) -> bool:
    """Return whether these metrics are those of a search."""
    return "expanded" in metrics


_STEP_METRICS = {"expansion": "expanded", "generated board": "generated"}
"""Metrics that count smaller steps, by their name."""


@dataclass(frozen=True)
class SolverSpec:
    """Declaration of an algorithm, for the window, the command line and the documentation."""

    key: str  # name of the solver on the command line, such as 'genetic'
    title: str
    source: str
    puzzles: tuple[str, ...]  # keys of the puzzles that the solver solves
    params: type[Params]
    unit: str  # name of the solver's unit in the singular, such as 'generation'
    metrics: tuple[str, ...]  # names of the columns of the trace
    version: int  # rises when the same seed would no longer give the same run
    uses_seed: bool = True  # whether another seed gives another run
    proves_bound: bool = False  # whether the metric 'bound' counts moves proven to be needed
    bounds_value: bool = False  # whether no board is worth more than the metric 'bound'
    # Smaller step inside a unit, in the singular, such as 'expansion', or ''.
    step: str = ""
    views: tuple[ViewKind, ...] = ()
    # Names of metrics that are something else in this solver; '' for one that it has not.
    metric_titles: Mapping[str, str] = field(default_factory=dict)
    # Pseudocode of the algorithm; views of the first kind name the lines that ran, or None.
    pseudocode: Pseudocode | None = None
    purpose: str = ""  # purpose of the solver, in one short sentence, or ''
    peer: str = ""  # solver that a race compares it with by default, where there is one, or ''
    advice: Advice | None = None  # advice for a run that has not improved for long

    @property
    def is_search(self) -> bool:
        """Whether its progress is counted in boards expanded; a unit of a search says nothing."""
        return counts_expanded(self.metrics)

    @property
    def smallest_step(self) -> str:
        """Name of the smallest step that can be made by itself: ``step``, or else the unit."""
        return self.step or self.unit

    @property
    def step_words(self) -> str:
        """What a step is, which solvers differ in: ``1 step = 1 expansion``."""
        return tr("1 step = {what}", what=counted(1, self.smallest_step))

    def moment(
        self,
        units: int,
        steps: int = 0,
        metrics: Mapping[str, float] = MappingProxyType({}),
        unit_steps: int = 0,
    ) -> str:
        """Name a moment in what users count: ``generation 8,868``, ``1,614 boards expanded``.

        units, steps: those done, of the run and of its current unit; the last of 100 units has the
        number 99. metrics: those of the moment, as far as known. unit_steps: steps of all these
        units together; 0 if not known.
        """
        if self.is_search and units and (unit_steps or self._expanded(metrics)):
            if not unit_steps:
                return self._expanded(metrics)
            units, steps = 0, unit_steps + steps
        step = f"{tr(self.smallest_step)} {figures(steps, ',')}"
        if not units:
            return step if steps else tr("the start")
        unit = f"{tr(self.unit)} {figures(units if steps else units - 1, ',')}"
        return f"{unit}, {step}" if steps else unit

    def done(
        self,
        units: int,
        steps: int = 0,
        metrics: Mapping[str, float] = MappingProxyType({}),
        unit_steps: int = 0,
    ) -> str:
        """Count what is done at a moment: ``100 generations``, ``2 boards expanded (3 steps)``.

        The arguments are those of :meth:`moment`.
        """
        expanded = self._expanded(metrics) if self.is_search and units else ""
        if self.is_search and not units and not steps:
            return boards_expanded(0)
        if steps and not expanded:
            inside = counted(steps, self.smallest_step)
            return f"{counted(units, self.unit)}, {inside}" if units else inside
        total = counted(unit_steps, "step") if unit_steps and not steps else ""
        if total and self.is_search and not expanded:
            return total
        whole = expanded or counted(units, self.unit)
        return f"{whole} ({total})" if total else whole

    def steps_in(self, metrics: Mapping[str, float]) -> int:
        """Return how many of its smaller steps the metrics count; 0 if they do not."""
        n_steps = metrics.get(_STEP_METRICS.get(self.step, ""), math.nan)
        return round(n_steps) if math.isfinite(n_steps) else 0

    @staticmethod
    def _expanded(metrics: Mapping[str, float]) -> str:
        expanded = metrics.get("expanded", math.nan)
        return boards_expanded(round(expanded)) if math.isfinite(expanded) else ""

    @property
    def has_questions(self) -> bool:
        """Whether users can be asked what comes next; a generation is too much to guess."""
        return ViewKind.FRONTIER in self.views and ViewKind.POPULATION not in self.views


class NewBest(NamedTuple):
    best: Best
    # Boards scored from the call of ``advance`` to the end of the best's unit, or None.
    evaluations: int | None


@dataclass(frozen=True, eq=False)
class Progress:
    """Result of some units of work."""

    status: Status
    units: int  # number of units done; fewer than requested only if the run has ended
    trace: NDArray[np.float64]  # (units, len(metrics)), one row of metrics for each unit
    best: Best | None = None  # best of the run, only if it is new
    limit: str = ""  # 'memory', 'depth', 'units' or 'seconds'; only with Status.LIMIT
    evaluations: int | None = None  # boards scored or generated; None if they are not counted
    new_bests: tuple[NewBest, ...] = ()  # all bests found, at most one per unit; the last is best
    steps: int = 0  # number of steps that Solver.step made

    @property
    def found(self) -> tuple[NewBest, ...]:
        """``new_bests``, or ``best`` alone if the solver reports only the newest."""
        if self.best is None or self.new_bests:
            return self.new_bests
        return (NewBest(self.best, self.evaluations),)


def joined(parts: Sequence[Progress]) -> Progress:
    """Combine the results of one or more consecutive pieces of work."""
    if len(parts) == 1:
        return parts[0]
    found: list[NewBest] = []
    n_before: int | None = 0

    def total(since: int | None) -> int | None:
        return None if n_before is None or since is None else n_before + since

    for part in parts:
        found += [NewBest(best, total(since)) for best, since in part.found]
        n_before = total(part.evaluations)
    last = parts[-1]
    return Progress(
        status=last.status,
        units=sum(part.units for part in parts),
        trace=np.concatenate([part.trace for part in parts]),
        best=found[-1].best if found else None,
        limit=last.limit,
        evaluations=n_before,
        new_bests=tuple(found),
    )


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A solver's whole state in numbers, texts and arrays, without other objects.

    A solver that is restored reads each part by name and type. A missing part, or one of another
    type, raises a SnapshotError.
    """

    solver: str
    version: int
    params: Values = field(default_factory=dict)  # plain values, live changes included
    scalars: Scalars = field(default_factory=dict)
    arrays: Arrays = field(default_factory=dict)

    def require(self, spec: SolverSpec) -> None:
        """Raise SnapshotError unless this is a snapshot of that solver in that version."""
        if (self.solver, self.version) != (spec.key, spec.version):
            raise SnapshotError(
                f"the snapshot is of {self.solver} version {self.version}, "
                f"not of {spec.key} version {spec.version}"
            )

    @property
    def steps_done(self) -> int:
        """Number of steps done of the current unit; 0 between two units."""
        return self.count("steps_done") if "steps_done" in self.scalars else 0

    def number(self, name: str) -> float:
        value = self.scalars.get(name)
        return float(value) if type(value) is int else self._scalar(name, float)

    def count(self, name: str) -> int:
        return self._scalar(name, int)

    def text(self, name: str) -> str:
        return self._scalar(name, str)

    def array(self, name: str, dtype: type[D], *shape: int | None) -> NDArray[D]:
        return array_of(self.arrays, name, dtype, *shape)

    def scalars_of(self, prefix: str) -> Scalars:
        """Return the scalars whose names begin with a prefix, by the rest of their names."""
        names = [name for name in self.scalars if name.startswith(prefix)]
        return {name.removeprefix(prefix): self.scalars[name] for name in names}

    def part(self, prefix: str) -> Arrays:
        """Return the arrays whose names begin with a prefix, by the rest of their names."""
        names = [name for name in self.arrays if name.startswith(prefix)]
        return {name.removeprefix(prefix): self.arrays[name] for name in names}

    def _scalar(self, name: str, kind: type[T]) -> T:
        value = self.scalars.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise SnapshotError(f"the snapshot's {name} is {str(value)[:60]!r}")
        return value


def array_of(arrays: Arrays, name: str, dtype: type[D], *shape: int | None) -> NDArray[D]:
    """Return an array of a snapshot, not a copy; None in ``shape`` allows any length.

    Raises SnapshotError if the array is missing or has another type or shape.
    """
    found = arrays.get(name)
    if found is None:
        raise SnapshotError(f"the snapshot has no {name}")
    lengths = zip(found.shape, shape, strict=False)
    fits = found.ndim == len(shape) and all(length in (n, None) for n, length in lengths)
    if found.dtype != dtype or not fits:
        wanted = ", ".join("any" if length is None else str(length) for length in shape)
        raise SnapshotError(
            f"the snapshot's {name} are {found.shape} of {found.dtype}; "
            f"({wanted}) of {np.dtype(dtype)} are needed"
        )
    return found


class RemoteWorkers(Protocol):
    """Workers that do parts of one run, perhaps on other machines; the run stays the same."""

    @property
    def n_workers(self) -> int:
        """Number of parts that are done at a time, at least 1."""

    def begin(self, puzzle: Any, parts: Sequence[Snapshot]) -> None:
        """Begin to do parts of a run as :meth:`Solver.do_part`; those before are dropped."""

    def results(self, seconds: float | None) -> list[Snapshot] | None:
        """Wait for the results of the parts, in their order.

        seconds: returns None while some are missing after that time; None waits for all. Raises
        TileLabError, only then, when they cannot be done.
        """

    def drop(self) -> None:
        """Drop the parts, whose results are no longer needed."""


class Solver(Protocol):
    """One run of an algorithm on one puzzle with one seed.

    :class:`tilelab.solvers.base.SolverBase` implements all of this except the algorithm. A class
    may also implement it directly. A method with a body here has a default for most solvers.
    """

    spec: ClassVar[SolverSpec]

    @property
    def params(self) -> Params:
        """The parameters in force, live changes included.

        They do not depend on the machine: an open value, such as half of the free memory, is
        replaced by its result in ``create`` or ``restore``.
        """

    @property
    def state_bytes(self) -> int:
        """Approximate size of the next snapshot in bytes; 0 if it is small.

        The caller takes no snapshot for which there is too little memory.
        """
        return 0

    @property
    def most_units(self) -> int | None:
        """Maximum number of units of the run by its own parameters; None if it is unknown."""
        return None

    @classmethod
    def create(cls, puzzle: Any, params: Any, seed: int) -> Self:
        """Begin a run.

        puzzle, params: a puzzle and parameters of the types that ``spec`` names. seed: a whole
        number from 0 up. Raises NotMadeError if something large has to be made first.
        """

    @classmethod
    def restore(cls, puzzle: Any, snapshot: Snapshot) -> Self:
        """Continue from a snapshot of the same solver and version.

        Raises SnapshotError, and the errors of ``create``.
        """

    @classmethod
    def upgraded(cls, puzzle: Any, snapshot: Snapshot) -> Snapshot:
        """Return a snapshot of an older program in the current form."""

    def advance(self, units: int) -> Progress:
        """Do at most ``units`` units; fewer only if the run ends.

        The rest of a unit that is partly done counts as one.
        """

    def work(self, units: int) -> Progress:
        """Do at most ``units`` units like :meth:`advance`, for a caller that must not wait long.

        It may return before the first unit is complete, with no unit done; the next call then
        continues this unit. A snapshot taken in between is of the unit's beginning or of a moment
        inside it: a run restored from it is the same.
        """
        return self.advance(units)

    def step(self, most: int = 1) -> Progress:
        """Do 1 to ``most`` steps of the current unit, and stop at its end.

        The run stays bit for bit the same. The call that completes the unit returns its row, its
        best and ``units`` = 1. A snapshot inside a unit has the scalar ``steps_done``.
        """
        return self.advance(1)

    @property
    def steps_done(self) -> int:
        """Number of steps done of the current unit; 0 between units."""
        return 0

    def current_cells(self) -> NDArray[np.uint8] | None:
        """Return a copy of the board to show until the first unit ends and there is a best.

        That is the best board so far, or one that the run works on; None if there is no such board.
        """
        return None

    def metrics_inside(self) -> Sequence[float] | None:
        """Return the metrics inside the current unit, in the order of ``spec.metrics``.

        Called only between two steps of a unit. Returns None if they are known only at its end.
        """
        return None

    def watch(self, kinds: frozenset[ViewKind]) -> None:
        """Collect the data of these views from now on; the run stays bit for bit the same.

        A solver that is not watched collects nothing and loses no time.
        """

    def view(self, kind: ViewKind) -> View | None:
        """Return a view of ``spec.views``, bounded in size; None if there is nothing to show."""
        return None

    def work_elsewhere(self, workers: RemoteWorkers) -> bool:
        """Let workers do parts of the run from now on; returns False if the run has no parts.

        :meth:`work` then hands out the parts, waits for a moment, and returns with no unit done
        while they are under way. The run stays bit for bit the same.
        """
        return False

    @classmethod
    def do_part(cls, puzzle: Any, part: Snapshot) -> Snapshot:
        """Do a part of a run for another machine, and return its result.

        part: a snapshot of this solver, with the request among its scalars. Raises as ``restore``.
        """
        raise RunError.tr("{key} has no parts that other machines can do", key=cls.spec.key)

    def rehearse(self) -> None:
        """Call the kernels that a run needs only later, so that they are compiled."""

    def set_live(self, name: str, value: object) -> None:
        """Change a live parameter from the next unit on; raises ParameterError."""

    def snapshot(self) -> Snapshot:
        """Return a copy of the whole state."""

    def extras(self) -> Arrays:
        """Return copies of other arrays that can be watched, by name."""
        return {}

    def archived(self) -> NDArray[np.uint8] | None:
        """Return the different boards of the best value, uint8 (n, cells), or None."""
        return None
