"""The parts of a lesson; each field's description says what is allowed in it."""

from dataclasses import dataclass
from importlib.resources.abc import Traversable
from itertools import pairwise
from pathlib import Path
from typing import Annotated, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from tilelab import catalog
from tilelab.core.errors import TileLabError
from tilelab.core.parameters import Params
from tilelab.core.puzzle import Puzzle
from tilelab.core.randomness import MAX_SEED
from tilelab.core.text.language import marked, tr
from tilelab.core.views import ViewKind
from tilelab.experiments.plan import PlainScalar
from tilelab.library.loading import load
from tilelab.runs.recipe import Recipe
from tilelab.runs.session import Limits

BOARD = "board"  # the view of a run that shows its board
SLOWEST, FASTEST = 1.0, 1000.0  # bounds of the speed, in steps a second
MAX_CHOICES, MAX_EXERCISE = 9, 12


Line = Annotated[str, Field(min_length=1, max_length=80)]
Prose = Annotated[str, Field(min_length=1, max_length=2000)]
_LINE = marked("a text of 1 to 80 letters")
_PROSE = marked("a text of 1 to 2000 letters")


class Table(BaseModel):
    """A part of a lesson's file that is written in TOML."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
    name: ClassVar[str]  # name of the table in a sentence


class Header(Table):
    """The part between the two lines of +++ at the top of the file."""

    name = marked("the header")
    title: Line = Field(description=_LINE)
    summary: Prose = Field(description=_PROSE)
    order: int = Field(100, ge=0, le=9999, description=marked("a whole number in 0..9999"))


class RunBlock(Table):
    """A button that sets a run up."""

    name = marked("a run")
    title: Line = Field(description=_LINE)
    puzzle: Line = Field(description=marked("the word of a puzzle, such as sliding"))
    board: dict[str, PlainScalar] = Field(
        default_factory=dict,
        description=marked("a table of names and values, as the flags of tilelab run"),
    )
    solver: Line | None = Field(None, description=marked("the word of a solver, such as a-star"))
    params: dict[str, PlainScalar] = Field(
        default_factory=dict, description=marked("a table of the solver's parameters")
    )
    seed: int = Field(
        1, ge=0, le=MAX_SEED, description=marked("a whole number in 0..9223372036854775807")
    )
    units: int | None = Field(
        None, ge=1, description=marked("a whole number from 1: the run ends after this many units")
    )
    seconds: float | None = Field(
        None, gt=0, description=marked("a number above 0: the run ends after this many seconds")
    )
    speed: float | None = Field(
        None,
        ge=SLOWEST,
        le=FASTEST,
        description=marked(
            "a number of steps a second in 1..1000; without it the run goes as fast as it can"
        ),
    )
    view: Line = Field(BOARD, description=marked("the word of a view, such as tree"))
    begins: bool = Field(
        False, description=marked("true or false: whether the button starts the run")
    )
    compare: Line | None = Field(
        None,
        description=marked("the word of a second solver, which is shown next to it step by step"),
    )
    pseudocode: bool = Field(
        False, description=marked("true or false: whether the pseudocode is shown, too")
    )
    exercise: int | None = Field(
        None,
        ge=2,
        le=MAX_EXERCISE,
        description=marked("a whole number in 2..12: the boards of an exercise on paper"),
    )
    asks: bool = Field(
        False, description=marked("true or false: whether the reader guesses each step first")
    )
    figures: dict[str, float] = Field(
        default_factory=dict, description=marked("a table of names and numbers")
    )

    @property
    def solver_key(self) -> str:
        return self.solver or catalog.default_solver(self.puzzle)

    @property
    def view_kind(self) -> ViewKind | None:
        """The view in place of the board; None for the board."""
        return None if self.view == BOARD else ViewKind(self.view)

    def solver_params(self) -> Params:
        """Return the solver's parameters; raises TileLabError."""
        return catalog.solver_params(self.puzzle, self.solver_key, dict(self.params))

    def limits(self) -> Limits:
        return Limits.model_validate({"units": self.units, "seconds": self.seconds})

    def recipe(self, puzzle: Puzzle) -> Recipe:
        """Return what determines the run of its puzzle; raises TileLabError."""
        return Recipe(puzzle, self.solver_key, self.solver_params(), self.seed, self.limits())


class Question(Table):
    name = marked("a question")
    text: Prose = Field(description=_PROSE)
    choices: tuple[Prose, ...] = Field(
        (),
        min_length=2,
        max_length=MAX_CHOICES,
        strict=False,  # TOML has lists
        description=marked("a list of 2 to 9 texts"),
    )
    right: int | None = Field(
        None,
        ge=1,
        description=marked("the number of the right choice, from 1 to how many there are"),
    )
    answer: Prose = Field(description=_PROSE)

    @model_validator(mode="after")
    def _one_is_right(self) -> Self:
        if not self.choices and self.right is not None:
            raise ValueError(tr("right: there are no choices, so none of them can be right"))
        if self.choices and (self.right is None or self.right > len(self.choices)):
            raise ValueError(
                tr(
                    "right: {number} is not the number of one of the {n_choices} choices",
                    number=self.right or tr("nothing"),
                    n_choices=len(self.choices),
                )
            )
        return self


@dataclass(frozen=True)
class Paragraphs:
    markdown: str


@dataclass(frozen=True)
class Illustration:
    """A picture on a line of its own."""

    file: str  # file name in the folder of the lesson
    words: str  # description of the picture for users of a screen reader

    def file_for(self, theme: str) -> str:
        """Return the name of its version for a theme; ``tree-dark.svg`` for ``tree.svg``."""
        stem, _, ending = self.file.rpartition(".")
        return f"{stem}-{theme}.{ending}"


@dataclass(frozen=True)
class LessonRun:
    """A run that a button sets up, and its place."""

    block: RunBlock
    place: str  # file and line, for errors

    def build(self) -> Puzzle:
        """Read what is needed and make the puzzle; raises TileLabError."""
        try:
            return load(self.block.puzzle, **self.block.board)
        except TileLabError as error:
            raise TileLabError(f"{self.place}: {error}") from None


Block = Paragraphs | Illustration | LessonRun | Question


@dataclass(frozen=True)
class Lesson:
    key: str  # file name without suffix
    header: Header
    blocks: tuple[Block, ...]
    folder: Traversable  # folder of its pictures, on the disk or in a packed lesson
    source: Path  # file that it was read from
    is_own: bool = False  # whether the lesson is one of the user's own

    @property
    def runs(self) -> tuple[LessonRun, ...]:
        return tuple(block for block in self.blocks if isinstance(block, LessonRun))

    def words_after(self, run: LessonRun) -> str:
        """Return the first paragraph after a run of the lesson, in Markdown; '' for none."""
        for block, after in pairwise(self.blocks):
            if block is run and isinstance(after, Paragraphs):
                first = after.markdown.strip().partition("\n\n")[0]
                return "" if first.startswith("#") else first
        return ""

    @property
    def text(self) -> str:
        """All of its text, without pictures and buttons."""
        parts = []
        for block in self.blocks:
            if isinstance(block, Paragraphs):
                parts.append(block.markdown)
            elif isinstance(block, Question):
                parts += [block.text, *block.choices, block.answer]
        return "\n".join(parts)

    @property
    def picture_files(self) -> set[str]:
        pictures = [block for block in self.blocks if isinstance(block, Illustration)]
        themes = ("light", "dark")
        return {
            name
            for block in pictures
            for name in (block.file, *map(block.file_for, themes))
            if self.folder.joinpath(name).is_file()
        }

    def picture(self, block: Illustration, theme: str) -> bytes:
        """Return the bytes of a picture, in the version for a theme if there is one.

        theme: 'light' or 'dark'.
        """
        own = self.folder.joinpath(block.file_for(theme))
        return (own if own.is_file() else self.folder.joinpath(block.file)).read_bytes()
