"""What a solver promises: the same run from the same seed, however it is sliced.

``advance(a); advance(b)`` equals ``advance(a + b)`` bit for bit, and a run restored from a snapshot
goes on exactly as the unbroken run would have.
"""

import enum
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.parameters import Params
from tilelab.core.puzzle import Cells


class Status(enum.StrEnum):
    """How a run stands after some units."""

    RUNNING = "running"
    SOLVED = "solved"
    EXHAUSTED = "exhausted"
    LIMIT = "limit"


@dataclass(frozen=True)
class SolverSpec:
    """An algorithm, as the selectors, the command line and the documentation see it."""

    key: str
    """Its word on the command line, such as 'genetic'."""
    title: str
    source: str
    puzzles: tuple[str, ...]
    """Keys of the puzzles that it solves."""
    params: type[Params]
    unit: str
    """The solver's own step in the singular, such as 'generation'."""
    metrics: tuple[str, ...]
    """Names of the columns of the trace."""
    version: int
    """Raised when the same seed would no longer give the same run."""
    uses_seed: bool = True
    """Whether another seed gives another run."""
    proves_bound: bool = False
    """Whether the metric 'bound' counts moves that are proven to be needed, of any heuristic."""


@dataclass(frozen=True, eq=False)
class Best:
    """The best cells that a run has met."""

    cells: Cells
    value: float
    unit: int
    """The unit (counted from 0) in which they were first met."""
    moves: str | None = None
    """Letters U D L R, the way the *blank* travels, for sliding puzzles."""
    optimal: bool | None = None
    """Whether the moves are proven to be a shortest way; None where there are none."""


@dataclass(frozen=True, eq=False)
class Progress:
    """What some units of work have brought."""

    status: Status
    units: int
    """How many units were done; fewer than asked only when the run has ended."""
    trace: NDArray[np.float64]
    """(units, len(metrics)), one row a unit."""
    best: Best | None = None
    """Only when it is new."""
    limit: str = ""
    """With Status.LIMIT: 'memory', 'depth', 'units' or 'seconds'."""


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A solver's whole state in numbers, text and arrays; no objects."""

    solver: str
    version: int
    params: dict[str, Any] = field(default_factory=dict)
    """Parameters as plain values, live changes included."""
    scalars: dict[str, int | float | str | bool | None] = field(default_factory=dict)
    arrays: dict[str, NDArray[Any]] = field(default_factory=dict)

    def demand(self, spec: SolverSpec) -> None:
        """Raise SnapshotError unless this was taken of that solver in that version."""
        if (self.solver, self.version) != (spec.key, spec.version):
            raise SnapshotError(
                f"the snapshot is of {self.solver} version {self.version}, "
                f"not of {spec.key} version {spec.version}"
            )


class Solver(Protocol):
    """One algorithm at work on one puzzle with one seed.

    One whose snapshots may grow large has besides a property ``state_bytes``: how many bytes the
    next one takes, about, so that none is made for which there is no memory. One that comes to a
    kernel only later in its run has a method ``rehearse()``, which uses that kernel at once; it is
    asked of a solver whose run nobody sees. One that older programs have written differently has a
    class method ``upgraded``, which takes a puzzle and such a snapshot and returns it as it would
    be now.
    """

    spec: ClassVar[SolverSpec]

    @property
    def params(self) -> Any:
        """The parameters in force, live changes included.

        Nothing in them depends on the machine: what was left open in ``create`` or ``restore``,
        such as half of the free memory, stands here as what it came to.
        """
        ...

    @classmethod
    def create(cls, puzzle: Any, params: Any, seed: int) -> Self:
        """Begin a run; ``seed`` is a whole number from 0 up.

        Raises NotMadeError when it needs something large that is to be made first.
        """
        ...

    @classmethod
    def restore(cls, puzzle: Any, snapshot: Snapshot) -> Self:
        """Go on from a snapshot of the same solver and version; raises as ``create``, and
        SnapshotError."""
        ...

    def advance(self, units: int) -> Progress:
        """Do at most ``units`` units; fewer only when the run has ended."""
        ...

    def set_live(self, name: str, value: object) -> None:
        """Change a live parameter from the next unit on; raises ParameterError."""
        ...

    def snapshot(self) -> Snapshot:
        """Copy out the whole state."""
        ...
