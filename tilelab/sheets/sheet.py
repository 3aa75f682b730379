"""The contents of a puzzle's printed sheet, board, words and solution, and how it is drawn."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from tilelab.core.plain import Json
from tilelab.core.text.language import marked
from tilelab.letters.lexicon import alphabetical
from tilelab.runs.files.carried import CarriedRun


class WordOrder(StrEnum):
    ALPHABETICAL = "alphabetical"
    LENGTH = "length"
    HIDDEN = "hidden"  # words sorted by length, with blanks for their letters


class PaperSize(StrEnum):
    A4 = "A4"
    LETTER = marked("Letter")


@dataclass(frozen=True)
class SheetOptions:
    words: WordOrder = WordOrder.ALPHABETICAL
    paper: PaperSize = PaperSize.A4
    large: bool = False  # whether letters and words are larger
    name_line: bool = True  # whether there is a line for name and date above the title
    solution: bool = True  # whether the solution is added, on pages of its own
    two_on_page: bool = False  # whether each puzzle has half a page; solutions have whole ones


@dataclass(frozen=True)
class SheetWord:
    string: str  # the word in the spelling of the board
    spelling: str  # the word in its usual spelling
    cells: tuple[int, ...]  # the cells that spell it, row-major, in the order of its letters


@dataclass(frozen=True)
class Slide:
    """One step of a solution: a tile slides into the blank."""

    sign: str  # the text on the tile
    direction: str  # direction of the tile, in English: up, down, left or right


@dataclass(frozen=True)
class ExpandedBoard:
    signs: tuple[str, ...]  # the text of each cell; '' for the blank
    values: tuple[tuple[str, str], ...]  # names and texts of its values, such as ("f", "7")


@dataclass(frozen=True)
class Sheet:
    """A puzzle on paper; cells are numbered row by row from 0."""

    title: str
    puzzle: str  # the puzzle's key
    cols: int
    signs: tuple[str, ...]  # the text of each cell; '' in a hole, and for the blank
    instruction: str = ""  # the task, in a few sentences
    words: tuple[SheetWord, ...] = ()  # longest first, then by their letters
    holes: tuple[int, ...] = ()  # cells that do not belong to the board
    goal: tuple[str, ...] = ()  # the board that slides lead to; () where nothing slides
    goal_is_given: bool = False
    """Whether the puzzle shows the goal; else it belongs to the solution."""
    slides: tuple[Slide, ...] | None = None
    """The solution of tiles that slide; None where none is known."""
    proof: str = ""  # the quality of the solution, in a few words
    expansions: tuple[ExpandedBoard, ...] = ()
    """The boards of an exercise, in the order in which a search expands them."""
    can_fill: bool = False
    """Whether the puzzle is a letter grid with cells that no word uses; they can be filled."""
    message: str = ""  # message hidden in cells that no word uses; '' for none
    reported: tuple[str, ...] = ()
    """Sentences about filled cells for the maker of the sheet; all but the first are warnings."""
    remark: str = ""  # sentence for the maker of the sheet about its board; '' for none
    carried: CarriedRun | None = field(default=None, compare=False, repr=False)
    """The run or board that files of a sheet carry by themselves; None where it is not known."""

    @property
    def n_rows(self) -> int:
        return len(self.signs) // self.cols

    @property
    def has_solution(self) -> bool:
        """Whether there is anything for a page of its own."""
        return bool(self.words or self.slides or self.expansions)

    @property
    def puzzle_on_paper(self) -> tuple[object, ...]:
        """What two sheets of the same puzzle share, whatever their titles and messages."""
        strings = tuple(word.string for word in self.words)
        return self.puzzle, self.cols, self.signs, self.goal, strings, self.has_solution

    def has_words_of(self, other: "Sheet") -> bool:
        """Return whether two sheets are boards of the same words, under the same title."""
        mine, others = ({word.string for word in one.words} for one in (self, other))
        return bool(mine) and (self.puzzle, self.title, mine) == (other.puzzle, other.title, others)

    def sort_words(self, order: WordOrder) -> tuple[SheetWord, ...]:
        if order is WordOrder.ALPHABETICAL:
            return tuple(
                sorted(self.words, key=lambda word: (alphabetical(word.string), word.spelling))
            )
        return tuple(
            sorted(self.words, key=lambda word: (len(word.string), alphabetical(word.string)))
        )


def plain_sheet(sheet: Sheet) -> dict[str, Json]:
    """Return a sheet in plain values for other programs; rows and columns count from 0."""

    def place(cell: int) -> list[Json]:
        return list(divmod(cell, sheet.cols))

    def rows(signs: tuple[str, ...]) -> list[Json]:
        return [
            list(signs[begin : begin + sheet.cols]) for begin in range(0, len(signs), sheet.cols)
        ]

    plain: dict[str, Json] = {
        "title": sheet.title,
        "puzzle": sheet.puzzle,
        "instruction": sheet.instruction,
        "grid": rows(sheet.signs),
        "holes": [place(cell) for cell in sheet.holes],
        "words": [
            {
                "word": word.string,
                "spelling": word.spelling,
                "start": place(word.cells[0]) if word.cells else None,
                "path": [place(cell) for cell in word.cells],
            }
            for word in sheet.words
        ],
    }
    if sheet.goal:
        plain["goal"] = rows(sheet.goal)
        plain["slides"] = (
            None
            if sheet.slides is None
            else [{"tile": slide.sign, "direction": slide.direction} for slide in sheet.slides]
        )
    if sheet.expansions:
        plain["expansions"] = [
            {"grid": rows(each.signs), **dict(each.values)} for each in sheet.expansions
        ]
    return plain


@dataclass(frozen=True)
class SheetTargets:
    """The files that sheets are drawn into; None for those that are not requested."""

    title: str  # title of the PDF file
    pdf: Path | None = None
    png: Path | None = None
    svg: Path | None = None
    carried: tuple[str, ...] = ()
    """Text about the run that made each sheet, '' for nothing.

    A picture of a page carries that of its sheet, a PDF file that of its only one.
    """

    def __bool__(self) -> bool:
        """Return whether anything should be drawn."""
        return any((self.pdf, self.png, self.svg))


DrawSheets = Callable[[Sequence[Sheet], SheetOptions, SheetTargets], tuple[Path, ...]]
"""A function that draws sheets into files and returns those it has written; raises TileLabError.

Of several pages each is a picture of its own, whose name ends with its number.
"""
