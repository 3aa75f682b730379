"""What a puzzle promises: a board's shape, its score, its text, and how an instance is made."""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError, RunError
from tilelab.core.flags import Flag
from tilelab.core.parameters import Params
from tilelab.core.plain import Description, JsonObject, Values
from tilelab.core.text.language import tr
from tilelab.core.text.wording import number, plain_number

Cells = NDArray[np.uint8]
"""A filled board: uint8 (rows * cols,), row-major; what a number stands for is the puzzle's."""
T = TypeVar("T")
V = TypeVar("V", float, NDArray[np.float64])


@dataclass(frozen=True, eq=False)
class Best:
    """The best cells that a run has found."""

    cells: Cells
    value: float
    unit: int
    """The unit (counted from 0) in which they were first found."""
    moves: str | None = None
    """Letters U D L R, the direction in which the *blank* travels, for sliding puzzles."""
    optimal: bool | None = None
    """Whether it is proven that no path is shorter or, without moves, that no board is worth more.

    None where nothing is known of a proof."""

    @property
    def n_moves(self) -> int | None:
        """How many moves there are; None where there are none."""
        return None if self.moves is None else len(self.moves)


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
    value_is_distance: bool = False
    """Whether the value is a distance to the goal, below zero; 0 is solved."""
    uses_lexicon: bool = False
    """Whether an instance is made from a lexicon; a command then has the flags that choose one."""
    blank: str = ""
    """What a written board has in the cell without a tile; '' where each cell has one."""
    default_solver: str = ""
    """The solver when none is named; '' for the first in the list."""
    scores_boards: bool = False
    """Whether boards that somebody else has made can be scored; see :meth:`Puzzle.scored`."""
    has_records: bool = False
    """Whether the best known value of a kind of board is kept; see :meth:`Puzzle.category`."""


@dataclass(frozen=True)
class BestText:
    """A best board in words, as the command line prints it."""

    rows: tuple[str, ...]
    value: str
    """One line that says what it is worth."""
    words: tuple[str, ...] = ()
    """What stands on the board."""
    path: str = ""
    """One line about the moves that lead to it, or ''."""
    moves: str = ""


@dataclass(frozen=True)
class Scored:
    """A board that somebody else has made, and what it is worth."""

    params: JsonObject
    """What says the instance, its parameters included."""
    best: JsonObject
    text: BestText
    reported: tuple[str, ...] = ()
    """As :meth:`Puzzle.reported`."""
    further: JsonObject = field(default_factory=dict)
    """What else is known of it, by its key."""
    remarks: tuple[str, ...] = ()
    """The same in sentences."""


@dataclass(frozen=True, eq=False)
class TilePicture:
    """A board of tiles that slide, for whoever draws it."""

    cells: Cells
    """0 is the blank."""
    places: NDArray[np.int64] | None
    """int64 (rows * cols,), the goal cell of each tile; None where tiles have none."""
    cols: int
    letters: str = ""
    """What the tiles show, tile 1 first; '' for their numbers."""


class Report:
    """What there is to say of a board besides its value; each puzzle has its own kind."""


@dataclass(frozen=True)
class BoardSet:
    """A set of boards that ships with a puzzle."""

    title: str
    """Its label."""
    description: str
    """What it is, in a sentence."""


class InstanceRecord(Protocol):
    """What the history keeps of an instance, and of the best of its run."""

    @property
    def id(self) -> int:
        """The number of the run."""

    @property
    def puzzle_params(self) -> JsonObject:
        """The instance's parameters."""

    @property
    def instance(self) -> JsonObject:
        """What :meth:`Puzzle.instance` said."""

    @property
    def origin(self) -> JsonObject:
        """What :meth:`Puzzle.origin` said; {} of runs of older programs."""

    @property
    def board(self) -> tuple[str, ...]:
        """The best board as :meth:`Puzzle.rows_of` wrote it; () for none."""

    @property
    def moves(self) -> str | None:
        """Of the best."""


@dataclass(frozen=True)
class Category:
    """A kind of board, its rules and what counts; whichever board a run began with."""

    puzzle: str
    """The puzzle's key."""
    facts: JsonObject = field(hash=False)
    """All that makes the category, in plain values."""
    turns: bool = True
    """Whether a board that is turned or mirrored is worth the same."""

    @property
    def key(self) -> str:
        """The same text for the same category, whichever run it was made of."""
        return json.dumps([self.puzzle, dict(self.facts)], sort_keys=True, ensure_ascii=False)


def canonical(rows: Sequence[str]) -> tuple[str, ...]:
    """Return the first, by the order of texts, of a board's eight rotations and reflections.

    rows: one symbol a cell. Two boards have the same exactly when one is the other, turned or
    mirrored.
    """
    turned = tuple(rows)
    boards = []
    for _ in range(4):
        turned = tuple("".join(column) for column in zip(*reversed(turned), strict=True))
        boards += [turned, tuple(row[::-1] for row in turned)]
    return min(boards)


class Puzzle(ABC):
    """One problem instance. Immutable; shared by solvers in several threads.

    What most puzzles do alike is here; a puzzle of its own kind overrides it.
    """

    spec: ClassVar[PuzzleSpec]
    params: Params
    """The instance's parameters, an instance of ``spec.params``."""
    start: Cells | None
    """The board that runs begin with; None where each solver makes its own."""

    def __repr__(self) -> str:
        rows, cols = self.shape
        return f"{type(self).__name__}({self.title!r}, {rows} × {cols})"

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the board."""

    @property
    def title(self) -> str:
        """The instance in a few words: its lexicon or its board."""
        return " ".join(str(part) for part in self.instance().values())

    @property
    def value_title(self) -> str:
        """What the value counts, for a label behind the number."""
        return self.spec.value_title

    def own_value(self, value: V) -> V:
        """Return what a value, or each of several, is worth in what it counts.

        The value of a puzzle may have more in it that leads its solvers, such as penalties.
        """
        return value

    @classmethod
    def recorded_values(
        cls, record: InstanceRecord, values: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the :meth:`own_value` of values that the history keeps of a run."""
        return values

    # Boards

    @abstractmethod
    def score(self, cells: Cells) -> float:
        """Return the value of a board; larger is better."""

    @abstractmethod
    def rows_of(self, cells: Cells) -> tuple[str, ...]:
        """Write a board as text, one string a row."""

    @abstractmethod
    def parse(self, rows: Sequence[str]) -> Cells:
        """Read what :meth:`rows_of` wrote; raises GridError with the first error."""

    @abstractmethod
    def require(self, cells: Cells) -> None:
        """Raise GridError unless these cells, uint8, are a board that a run here can meet."""

    def texts(self, rows: Sequence[str]) -> tuple[Sequence[str], ...]:
        """Return what the tiles of written rows show: symbols, or words with blanks between."""
        n_cols = self.shape[1]
        return tuple(row if len(row) == n_cols else row.split() for row in rows)

    def report(self, cells: Cells) -> Report:
        """Read a board for people."""
        return Report()

    def replay(self, moves: str) -> Cells:
        """Return the board after some moves from the start; raises RunError."""
        raise RunError(tr("{title} has no moves", title=self.spec.title))

    # The best of a run

    def with_path(self, best: Best) -> Best:
        """Return a best with the slides that lead to its board from ``start``, if there are any.

        A path that the solver knows stays, unless a shorter one is found. Takes up to some seconds
        on large boards; the same board is not searched for twice.
        """
        return best

    def rehearse(self) -> None:  # noqa: B027
        """Use every kernel that :meth:`with_path` uses, so that it need not wait for a compiler."""

    def outcome(self, best: Best) -> JsonObject:
        """Describe the best of a run in plain values."""
        return {"value": plain_number(best.value), "rows": list(self.rows_of(best.cells))}

    def best_text(self, best: Best) -> BestText:
        """Describe the best of a run in words."""
        value = number(self.own_value(best.value))
        return BestText(self.rows_of(best.cells), f"{value} {self.value_title}")

    @classmethod
    def value_text(cls, value: float, n_moves: int | None = None) -> str:
        """Write what a best is worth as people read it: ``33``, ``46 moves``, ``12 away``.

        n_moves: None where there are none, or nobody knows them.
        """
        return number(value)

    def worth(self, best: Best) -> str:
        """Return the :meth:`value_text` of a best."""
        return self.value_text(self.own_value(best.value), best.n_moves)

    def saved_cells(self, best: Best) -> Cells:
        """Return the board that a saved best shows: its own, or the start of its path."""
        return best.cells

    def notes(self, best: Best) -> Mapping[str, object]:
        """Return what a saved board says besides its cells, by name."""
        value = plain_number(self.own_value(best.value))
        return {"score": f"{value} {self.value_title}", **self.instance()}

    # How an instance is made, reported, kept and made again

    @classmethod
    def flags(cls) -> tuple[Flag, ...]:
        """Return what a command needs besides the parameters to make instances."""
        return ()

    @classmethod
    @abstractmethod
    def from_flags(cls, values: Values) -> Iterator[Self]:
        """Make the instances that a command is about; raises TileLabError.

        values: of the parameters, the lexicon where ``spec.uses_lexicon``, and :meth:`flags`; text,
        or None for a flag that was not given.
        """

    @classmethod
    def drawn(cls, values: Values, seed: int) -> Values:
        """Return what a command adds to values that name no board: from which seed it is drawn.

        Empty where they do name one, and where there are instances without a board.
        """
        return {}

    @classmethod
    def seeded(cls, values: Values, seed: int) -> Values:
        """Return what makes the instance that values name a random one, drawn from a seed.

        Empty where they name their board, and where no instance is random.
        """
        return cls.drawn(values, seed)

    @classmethod
    def score_flags(cls) -> tuple[Flag, ...]:
        """Return what a command needs besides the parameters to score boards."""
        return ()

    @classmethod
    def scored(cls, rows: Sequence[str], values: Values) -> Scored:
        """Score a board that somebody else has made; raises TileLabError.

        Asked only where ``spec.scores_boards``. values: as :meth:`from_flags`, with
        :meth:`score_flags` for :meth:`flags`.
        """
        raise GridError(tr("{title} does not score boards", title=cls.spec.title))

    @classmethod
    def board_sets(cls) -> Mapping[str, BoardSet]:
        """Return the sets of boards that ship with the puzzle, by key."""
        return {}

    def reported(self) -> tuple[str, ...]:
        """Return the lines that a user should read about what the instance was made from."""
        return ()

    @abstractmethod
    def instance(self) -> JsonObject:
        """Say in plain values which instance this is, besides its parameters."""

    @abstractmethod
    def describe(self) -> Description:
        """Return all that makes this instance, the lexicon too: plain values and arrays."""

    @classmethod
    @abstractmethod
    def from_description(cls, description: Description) -> Self:
        """Inverse of :meth:`describe`, whoever wrote it; raises TileLabError."""

    @classmethod
    def described_title(cls, description: Description) -> str:
        """Return the ``title`` of a described instance, whoever wrote it, without its arrays."""
        return ""

    def origin(self) -> JsonObject:
        """Say what it takes to make the instance again, besides ``params`` and ``instance()``."""
        return {}

    @classmethod
    @abstractmethod
    def from_record(cls, record: InstanceRecord) -> Self:
        """Make the instance of a run in the history again; raises TileLabError."""

    @classmethod
    def category(cls, record: InstanceRecord) -> Category | None:
        """Return what other runs must have in common with one for their bests to be compared.

        Asked only where ``spec.has_records``. None for a run that is compared with no other. Raises
        TileLabError for a record that no run has left.
        """
        return None

    @abstractmethod
    def starting_with(self, cells: Cells) -> Self:
        """Return the same instance with another start; raises GridError."""

    @classmethod
    def picture(cls, record: InstanceRecord) -> tuple[Sequence[str], ...] | TilePicture | None:
        """Return the board of a record to be drawn, without its lexicon: rows of letters, or tiles.

        A row may be the texts of its cells. None where there is nothing to draw.
        """
        return record.board or None


def part_of(description: Description, name: str, kind: type[T]) -> T:
    """Return a part of a puzzle's description; raises GridError when it is not of its kind."""
    part = description.get(name)
    if not isinstance(part, kind):
        raise GridError(tr("the puzzle's {name} is missing or has the wrong type", name=name))
    return part


def cells_of(description: Description, name: str) -> Cells:
    """Return a described board; raises GridError unless it is a list of numbers in 0..255."""
    numbers: list[object] = part_of(description, name, list)
    if any(type(number) is not int or not 0 <= number <= 255 for number in numbers):
        raise GridError(
            tr("the puzzle's {name} has values that are not numbers in 0..255", name=name)
        )
    return np.array(numbers, np.uint8)
