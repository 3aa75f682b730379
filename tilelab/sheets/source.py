"""Puzzles that are printed; their sheets can be made again with other letters in unused cells."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tilelab.core.plain import Value
from tilelab.core.puzzle import Best, Puzzle
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import shown_path
from tilelab.letters.lexicon_origin import LEXICON_FLAGS
from tilelab.puzzles.boggle.filling import Fill
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.runs.history.record import RunRecord
from tilelab.runs.history.rerun import puzzle_of
from tilelab.sheets.making import filled_sheet, sheet_of
from tilelab.sheets.reading import read_sheet
from tilelab.sheets.sheet import Sheet


@dataclass(frozen=True, eq=False)
class SheetSource:
    """Makes the sheet of one puzzle, as often as it is asked."""

    name: str
    """In a list of puzzles."""
    make: Callable[[Fill | None, str], Sheet]
    """Given how unused cells are filled, and the message; raises TileLabError."""


def source_of(puzzle: Puzzle, best: Best) -> SheetSource:
    """Return the source of a puzzle and its best board."""

    def make(fill: Fill | None, message: str) -> Sheet:
        if fill is None or not isinstance(puzzle, BogglePuzzle):
            return sheet_of(puzzle, best)
        return filled_sheet(puzzle, best.cells, fill, message)

    return SheetSource(puzzle.title, make)


def source_of_record(record: RunRecord) -> SheetSource:
    """Return the source of a run's best board; its lexicon is read when the sheet is made."""

    def make(fill: Fill | None, message: str) -> Sheet:
        puzzle = puzzle_of(record)
        best = Best(
            puzzle.parse(record.board), record.value or 0.0, 0, record.moves, record.optimal
        )
        return source_of(puzzle, best).make(fill, message)

    return SheetSource(tr("{title}, run {id}").format(title=record.title, id=record.id), make)


def source_of_file(path: Path) -> SheetSource:
    """Return the source of a saved grid or board, or of another program's word search."""
    return SheetSource(shown_path(path.name), partial(_of_file, path))


def _of_file(path: Path, fill: Fill | None, message: str) -> Sheet:
    usual: dict[str, Value] = {flag.name: flag.default for flag in LEXICON_FLAGS}
    values: dict[str, Value] = {**usual, "lexicon": None}
    made = read_sheet(path, values)
    if fill is None or not made.can_fill:
        return made
    return read_sheet(
        path, {**values, "fill": fill.value, "message": message or None, "fill_seed": "0"}
    )


def sheets_of(
    sources: Sequence[SheetSource], fill: Fill | None = None, message: str = ""
) -> Iterator[tuple[Sheet, ...]]:
    """Yield the sheets of some puzzles, all at once; raises TileLabError."""
    yield tuple(source.make(fill, message) for source in sources)
