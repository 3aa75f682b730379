"""What a solver promises: the same run from the same seed, however it is sliced.

``advance(a); advance(b)`` equals ``advance(a + b)`` bit for bit, and a run restored from a snapshot
goes on exactly as the unbroken run would have.
"""

import enum
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.parameters import Params
from tilelab.core.plain import Arrays as Arrays
from tilelab.core.plain import Value, Values
from tilelab.core.puzzle import Best as Best

Scalars = dict[str, Value]
"""What a snapshot holds besides arrays, by name."""
D = TypeVar("D", bound=np.generic)
T = TypeVar("T")


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
class Progress:
    """What some units of work have found."""

    status: Status
    units: int
    """How many units were done; fewer than asked only when the run has ended."""
    trace: NDArray[np.float64]
    """(units, len(metrics)), one row a unit."""
    best: Best | None = None
    """Only when it is new."""
    limit: str = ""
    """With Status.LIMIT: 'memory', 'depth', 'units' or 'seconds'."""
    evaluations: int | None = None
    """How many boards these units have scored or generated; None where nobody counts them."""


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A solver's whole state in numbers, text and arrays; no objects.

    Whoever restores a solver asks for each part by name and kind; what is missing or of another
    kind is a SnapshotError.
    """

    solver: str
    version: int
    params: Values = field(default_factory=dict)
    """Parameters as plain values, live changes included."""
    scalars: Scalars = field(default_factory=dict)
    arrays: Arrays = field(default_factory=dict)

    def require(self, spec: SolverSpec) -> None:
        """Raise SnapshotError unless this was taken of that solver in that version."""
        if (self.solver, self.version) != (spec.key, spec.version):
            raise SnapshotError(
                f"the snapshot is of {self.solver} version {self.version}, "
                f"not of {spec.key} version {spec.version}"
            )

    def number(self, name: str) -> float:
        """Return a number as a float."""
        value = self.scalars.get(name)
        return float(value) if type(value) is int else self._scalar(name, float)

    def count(self, name: str) -> int:
        """Return a whole number."""
        return self._scalar(name, int)

    def text(self, name: str) -> str:
        """Return a text."""
        return self._scalar(name, str)

    def array(self, name: str, dtype: type[D], *shape: int | None) -> NDArray[D]:
        """Return an array as :func:`array_of`."""
        return array_of(self.arrays, name, dtype, *shape)

    def part(self, prefix: str) -> Arrays:
        """Return the arrays whose names begin so, by what remains of their names."""
        names = [name for name in self.arrays if name.startswith(prefix)]
        return {name.removeprefix(prefix): self.arrays[name] for name in names}

    def _scalar(self, name: str, kind: type[T]) -> T:
        value = self.scalars.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise SnapshotError(f"the snapshot's {name} is {str(value)[:60]!r}")
        return value


def array_of(arrays: Arrays, name: str, dtype: type[D], *shape: int | None) -> NDArray[D]:
    """Return an array of a snapshot, itself, not a copy; None in a shape: any length.

    Raises SnapshotError unless it is there, of that type and shape.
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


class Solver(Protocol):
    """One algorithm at work on one puzzle with one seed.

    :class:`tilelab.solvers.base.SolverBase` has all of this but the algorithm; a class that has it
    all by itself is as good. What has a body here is what most solvers do.
    """

    spec: ClassVar[SolverSpec]

    @property
    def params(self) -> Params:
        """The parameters in force, live changes included.

        Nothing in them depends on the machine: what was left open in ``create`` or ``restore``,
        such as half of the free memory, stands here as what it came to.
        """

    @property
    def state_bytes(self) -> int:
        """How many bytes the next snapshot takes, about, so that none is made for which there is
        no memory; 0: it is small."""
        return 0

    @classmethod
    def create(cls, puzzle: Any, params: Any, seed: int) -> Self:
        """Begin a run; ``seed`` is a whole number from 0 up.

        puzzle, params: of the kinds that ``spec`` names. Raises NotMadeError when it needs
        something large that is to be made first.
        """

    @classmethod
    def restore(cls, puzzle: Any, snapshot: Snapshot) -> Self:
        """Go on from a snapshot of the same solver and version; raises as ``create``, and
        SnapshotError."""

    @classmethod
    def upgraded(cls, puzzle: Any, snapshot: Snapshot) -> Snapshot:
        """Return a snapshot that an older program has written as it would be now."""

    def advance(self, units: int) -> Progress:
        """Do at most ``units`` units; fewer only when the run has ended."""

    def rehearse(self) -> None:
        """Use kernels at once that a run comes to only later; of a run that nobody sees."""

    def set_live(self, name: str, value: object) -> None:
        """Change a live parameter from the next unit on; raises ParameterError."""

    def snapshot(self) -> Snapshot:
        """Copy out the whole state."""

    def extras(self) -> Arrays:
        """Return copies of what can be watched besides the best, by name."""
        return {}

    def archived(self) -> NDArray[np.uint8] | None:
        """Return the different boards of the best value, uint8 (n, cells), if they are kept."""
        return None
