"""The interface of puzzles: shape, score and text of a board, and how an instance is made."""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError, RunError
from tilelab.core.files.grid_file import PUZZLE, format_grid
from tilelab.core.flags import Flag
from tilelab.core.parameters import Params
from tilelab.core.plain import Description, JsonObject, Values
from tilelab.core.text.language import tr
from tilelab.core.text.wording import number, plain_number

# A filled board: uint8 (rows * cols,), row-major; the puzzle defines the meaning of a number.
Cells = NDArray[np.uint8]
T = TypeVar("T")
V = TypeVar("V", float, NDArray[np.float64])


@dataclass(frozen=True, eq=False)
class Best:
    cells: Cells
    value: float
    unit: int  # unit, counted from 0, in which the board was first found
    moves: str | None = None  # moves of the *blank* in a sliding puzzle, as letters U D L R
    # Whether it is proven that no path is shorter or, without moves, no board better; or None.
    optimal: bool | None = None

    @property
    def n_moves(self) -> int | None:
        return None if self.moves is None else len(self.moves)


@dataclass(frozen=True)
class PuzzleSpec:
    """Declaration of a kind of puzzle, for the window and the command line."""

    key: str  # name of the puzzle on the command line, such as 'boggle'
    title: str  # label in the window
    source: str
    params: type[Params]  # type of an instance's parameters, such as rows and columns
    value_title: str  # noun for what the value counts, such as 'words'
    # Whether it is the negative of the least distance to the goal; 0 is solved.
    value_is_distance: bool = False
    uses_lexicon: bool = False  # whether instances have a lexicon; commands have flags for it
    blank: str = ""  # text of the cell without a tile in a written board; '' if there is none
    default_solver: str = ""  # key of the default solver; '' for the first in the list
    scores_boards: bool = False  # whether the puzzle can score a user's boards; see Puzzle.scored
    has_records: bool = False  # whether the best of each category is kept; see Puzzle.category
    purpose: str = ""  # sentence on what the user or a solver tries to reach, or ''


@dataclass(frozen=True)
class BestText:
    """Description of a best board, as the command line prints it."""

    rows: tuple[str, ...]
    value: str  # value of the board, in one line
    words: tuple[str, ...] = ()
    path: str = ""  # description of the moves that lead to the board in one line, or ''
    moves: str = ""


@dataclass(frozen=True)
class Scored:
    params: JsonObject  # parameters and other plain values that identify the instance
    best: JsonObject
    text: BestText
    reported: tuple[str, ...] = ()  # lines about the instance, as of Puzzle.reported
    further: JsonObject = field(default_factory=dict)  # other facts about the board, by key
    remarks: tuple[str, ...] = ()  # the other facts in sentences


@dataclass(frozen=True, eq=False)
class TilePicture:
    cells: Cells  # tiles of the board; 0 is the blank
    places: NDArray[np.int64] | None  # (rows * cols,), goal cell of each tile, or None
    cols: int
    letters: str = ""  # letters on the tiles, tile 1 first; '' for numbers


class Report:
    """Facts about a board, in addition to its value; each puzzle has its own subclass."""


@dataclass(frozen=True)
class BoardSet:
    title: str
    description: str  # one sentence


class InstanceRecord(Protocol):
    """Record of an instance, and of the best of its run, in the history."""

    @property
    def id(self) -> int: ...  # number of the run
    @property
    def puzzle_params(self) -> JsonObject: ...  # parameters of the instance
    @property
    def instance(self) -> JsonObject: ...  # result of Puzzle.instance
    @property
    def origin(self) -> JsonObject: ...  # result of Puzzle.origin
    @property
    def board(self) -> tuple[str, ...]: ...  # best board as written by Puzzle.rows_of; () for none
    @property
    def moves(self) -> str | None: ...  # moves of the best, or None


@dataclass(frozen=True)
class Category:
    """A kind of board with its rules and its value; runs of one category share a record."""

    puzzle: str  # key of the puzzle
    facts: JsonObject = field(hash=False)  # plain values that define the category
    turns: bool = True  # whether a rotated or mirrored board has the same value

    @property
    def key(self) -> str:
        """Text that identifies the category; equal categories have equal keys."""
        return json.dumps([self.puzzle, dict(self.facts)], sort_keys=True, ensure_ascii=False)


def canonical(rows: Sequence[str]) -> tuple[str, ...]:
    """Return the first, in text order, of a board's eight rotations and reflections.

    rows: rows of one symbol per cell. Only rotations and reflections have the same result.
    """
    turned = tuple(rows)
    boards = []
    for _ in range(4):
        turned = tuple("".join(column) for column in zip(*reversed(turned), strict=True))
        boards += [turned, tuple(row[::-1] for row in turned)]
    return min(boards)


class Puzzle(ABC):
    """One problem instance. Immutable; shared by solvers in several threads.

    Methods with a body are defaults for most puzzles; a puzzle can override them.
    """

    spec: ClassVar[PuzzleSpec]
    params: Params
    """Parameters of the instance, of type ``spec.params``."""
    start: Cells | None
    """Board that runs begin with; None if each solver makes its own."""

    def __repr__(self) -> str:
        rows, cols = self.shape
        return f"{type(self).__name__}({self.title!r}, {rows} × {cols})"

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the board."""

    @property
    def title(self) -> str:
        """Short description of the instance: its lexicon or its board."""
        return " ".join(str(part) for part in self.instance().values())

    @property
    def value_title(self) -> str:
        """Noun for what the value counts, for a label after the number."""
        return self.spec.value_title

    def own_value(self, value: V) -> V:
        """Convert a value, or each of several, to the value that users see.

        A puzzle's internal value may include terms that guide its solvers, such as penalties.
        """
        return value

    @classmethod
    def recorded_values(
        cls, record: InstanceRecord, values: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the :meth:`own_value` of a run's values in the history."""
        return values

    # Boards

    @abstractmethod
    def score(self, cells: Cells) -> float:
        """Return the value of a board; larger is better."""

    @abstractmethod
    def rows_of(self, cells: Cells) -> tuple[str, ...]:
        """Write a board as text, one string per row."""

    @abstractmethod
    def parse(self, rows: Sequence[str]) -> Cells:
        """Read a board from the rows of :meth:`rows_of`; raises GridError with the first error."""

    @abstractmethod
    def require(self, cells: Cells) -> None:
        """Raise GridError unless these cells, uint8, are a board that a run can reach."""

    def texts(self, rows: Sequence[str]) -> tuple[Sequence[str], ...]:
        """Return the text of each cell in written rows, which may be separated by blanks."""
        n_cols = self.shape[1]
        return tuple(row if len(row) == n_cols else row.split() for row in rows)

    def report(self, cells: Cells) -> Report:
        """Return a report about a board for the user."""
        return Report()

    def replay(self, moves: str) -> Cells:
        """Return the board after some moves from the start; raises RunError."""
        raise RunError.tr("{title} has no moves", title=self.spec.title)

    # The best of a run

    def with_path(self, best: Best) -> Best:
        """Add the slides that lead from ``start`` to a best, if there are any.

        A path of the solver is kept unless a shorter one is found. This may take some seconds on
        large boards; results are cached.
        """
        return best

    def rehearse(self) -> None:  # noqa: B027
        """Call every kernel of :meth:`with_path`, so that they are compiled."""

    def outcome(self, best: Best) -> JsonObject:
        """Describe the best of a run in plain values."""
        return {"value": plain_number(best.value), "rows": list(self.rows_of(best.cells))}

    def best_text(self, best: Best) -> BestText:
        """Describe the best of a run in words."""
        value = number(self.own_value(best.value))
        return BestText(self.rows_of(best.cells), f"{value} {self.value_title}")

    @classmethod
    def value_text(cls, value: float, n_moves: int | None = None) -> str:
        """Format the value of a best for the user.

        Such as ``33``, ``46 moves`` or, without a path to a goal, ``nearest: 12+ to goal``.
        n_moves: number of moves; None if there are none, or the number is unknown.
        """
        return number(value)

    def worth(self, best: Best) -> str:
        """Return the :meth:`value_text` of a best."""
        return self.value_text(self.own_value(best.value), best.n_moves)

    def best_words(self, best: Best) -> str:
        """Return a best in a line about its run: ``best 33``, or only its distance to a goal."""
        is_on_the_way = self.spec.value_is_distance and best.moves is None
        worth = self.worth(best)
        return worth if is_on_the_way else tr("best {value}", value=worth)

    def saved_cells(self, best: Best) -> Cells:
        """Return the board to save for a best: its own board, or the start of its path."""
        return best.cells

    def notes(self, best: Best) -> Mapping[str, object]:
        """Return the notes of a saved board, by name."""
        value = plain_number(self.own_value(best.value))
        return {"score": f"{value} {self.value_title}", **self.instance()}

    def saved_text(self, best: Best, notes: Mapping[str, object]) -> str:
        """Write the board to save for a best as text that names the puzzle, with notes."""
        rows = self.rows_of(self.saved_cells(best))
        return format_grid(rows, {PUZZLE: self.spec.key, **notes})

    @classmethod
    def recognises(cls, text: str) -> bool:
        """Return whether a text that names no puzzle is a board of this kind, by its form alone.

        Any TileLabError means that it is not.
        """
        return False

    # How an instance is made, reported, kept and made again

    @classmethod
    def flags(cls) -> tuple[Flag, ...]:
        """Return the flags, in addition to the parameters, that commands need for instances."""
        return ()

    @classmethod
    @abstractmethod
    def from_flags(cls, values: Values) -> Iterator[Self]:
        """Make the instances of a command; raises TileLabError.

        values: values of the parameters, of :meth:`flags`, and of the lexicon's flags if
        ``spec.uses_lexicon``. Each is a text, or None for a flag that was not given.
        """

    @classmethod
    def drawn(cls, values: Values, seed: int) -> Values:
        """Return the values to add, such as a seed, if the given values name no board.

        Empty if they name a board, or if instances need no board.
        """
        return {}

    @classmethod
    def seeded(cls, values: Values, seed: int) -> Values:
        """Return the values to add so that the instance is a random one, drawn from a seed.

        Empty if the given values name a board, or if no instance is random.
        """
        return cls.drawn(values, seed)

    @classmethod
    def score_flags(cls) -> tuple[Flag, ...]:
        """Return the flags, in addition to the parameters, that commands need to score boards."""
        return ()

    @classmethod
    def scored(cls, rows: Sequence[str], values: Values) -> Scored:
        """Score a user's board; raises TileLabError.

        Called only if ``spec.scores_boards``. values: as in :meth:`from_flags`, with
        :meth:`score_flags` in place of :meth:`flags`.
        """
        raise GridError.tr("{title} does not score boards", title=cls.spec.title)

    @classmethod
    def board_sets(cls) -> Mapping[str, BoardSet]:
        """Return the sets of boards that ship with the puzzle, by key."""
        return {}

    def reported(self) -> tuple[str, ...]:
        """Return lines for the user about the source of the instance."""
        return ()

    @abstractmethod
    def instance(self) -> JsonObject:
        """Return the plain values that identify this instance, in addition to its parameters."""

    @abstractmethod
    def describe(self) -> Description:
        """Return the complete instance, its lexicon included, as plain values and arrays."""

    @classmethod
    @abstractmethod
    def from_description(cls, description: Description) -> Self:
        """Inverse of :meth:`describe` for any input; raises TileLabError."""

    @classmethod
    def described_title(cls, description: Description) -> str:
        """Return the ``title`` of a described instance without reading its arrays."""
        return ""

    def origin(self) -> JsonObject:
        """Return what is needed, with ``params`` and ``instance()``, to make the instance again."""
        return {}

    @classmethod
    @abstractmethod
    def from_record(cls, record: InstanceRecord) -> Self:
        """Make the instance of a run in the history; raises TileLabError."""

    @classmethod
    def category(cls, record: InstanceRecord) -> Category | None:
        """Return the category of a run; bests of the same category are compared.

        Called only if ``spec.has_records``. Returns None for a run without a category. Raises
        TileLabError for a record that no run can have written.
        """
        return None

    @abstractmethod
    def starting_with(self, cells: Cells) -> Self:
        """Return the same instance with another start; raises GridError."""

    @classmethod
    def picture(cls, record: InstanceRecord) -> tuple[Sequence[str], ...] | TilePicture | None:
        """Return the board of a record to be drawn: rows of letters, or tiles.

        A row may be a list of its cells' texts. None: nothing to draw. No lexicon is loaded.
        """
        return record.board or None


def part_of(description: Description, name: str, kind: type[T]) -> T:
    """Return a part of a puzzle's description; raises GridError if it has another type."""
    part = description.get(name)
    if not isinstance(part, kind):
        raise GridError.tr("the puzzle's {name} is missing or has the wrong type", name=name)
    return part


def cells_of(description: Description, name: str) -> Cells:
    """Return a described board; raises GridError unless it is a list of numbers in 0..255."""
    numbers: list[object] = part_of(description, name, list)
    if any(type(number) is not int or not 0 <= number <= 255 for number in numbers):
        raise GridError.tr(
            "the puzzle's {name} has values that are not numbers in 0..255", name=name
        )
    return np.array(numbers, np.uint8)
