"""What a puzzle promises: a board's shape, its score, and its text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError
from tilelab.core.parameters import Params

Cells = NDArray[np.uint8]
"""A filled board: uint8 (rows * cols,), row-major; what a number stands for is the puzzle's."""

T = TypeVar("T")


@dataclass(frozen=True)
class PuzzleSpec:
    """A kind of puzzle, as the selectors and the command line see it."""

    key: str
    """Its word on the command line, such as 'boggle'."""
    title: str
    """Its label in the window."""
    source: str
    params: type[Params]
    """The parameters of an instance, such as rows and columns."""
    value_title: str
    """What the value counts, such as 'strings'."""
    uses_lexicon: bool
    """Whether an instance is made from a lexicon."""
    has_way: bool = False
    """Whether a best board is told with the slides that lead to it from the puzzle's ``start``."""


class Puzzle(Protocol):
    """One problem instance. Immutable; shared by solvers in several threads."""

    spec: ClassVar[PuzzleSpec]

    @property
    def params(self) -> Any:
        """The instance's parameters, an instance of ``spec.params``."""
        ...

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the board."""
        ...

    def score(self, cells: Cells) -> float:
        """Return the value of a board; larger is better."""
        ...

    def rows_of(self, cells: Cells) -> tuple[str, ...]:
        """Write a board as text, one string a row."""
        ...

    def parse(self, rows: Sequence[str]) -> Cells:
        """Read what :meth:`rows_of` wrote; raises GridError with the first fault."""
        ...

    def instance(self) -> dict[str, Any]:
        """Say in plain values which instance this is, besides its parameters."""
        ...

    def describe(self) -> dict[str, Any]:
        """Return all that makes this instance, the lexicon too: plain values and arrays."""
        ...

    @classmethod
    def from_description(cls, description: Mapping[str, Any]) -> Self:
        """Inverse of :meth:`describe`, whoever wrote it; raises TileLabError."""
        ...

    def demand(self, cells: Cells) -> None:
        """Raise GridError unless these cells, uint8, are a board that a run here can meet."""
        ...

    def outcome(self, best: Any) -> dict[str, Any]:
        """Describe the best of a run in plain values, ready for JSON."""
        ...

    def saved_cells(self, best: Any) -> Cells:
        """Return the board that a saved best shows: its own, or the start of its way."""
        ...

    def notes(self, best: Any) -> dict[str, object]:
        """Return what a saved board tells besides its cells, by name."""
        ...


def part_of(description: Mapping[str, Any], name: str, kind: type[T]) -> T:
    """Return a part of a puzzle's description; raises GridError when it is not of its kind."""
    part = description.get(name)
    if not isinstance(part, kind):
        raise GridError(f"the puzzle's {name} is missing or not of its kind")
    return part


def cells_of(description: Mapping[str, Any], name: str) -> Cells:
    """Return a described board; raises GridError unless it is a list of numbers in 0..255."""
    numbers = part_of(description, name, list)
    if any(type(number) is not int or not 0 <= number <= 255 for number in numbers):
        raise GridError(f"the puzzle's {name} holds something else than numbers in 0..255")
    return np.array(numbers, np.uint8)
