"""Word tiles played by hand: the board in play, its letters, and boards as text."""

import contextlib
import functools
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import numpy as np

from tilelab.core.errors import GridError
from tilelab.core.files.grid_file import board_shape, parse_notes
from tilelab.core.files.paths import read_text
from tilelab.core.parameters import replaced
from tilelab.core.puzzle import Cells
from tilelab.core.randomness import generator
from tilelab.core.text.shown_text import cut_rows, shown_row
from tilelab.letters.builtin import is_builtin
from tilelab.letters.lexicon import Lexicon
from tilelab.letters.puzzle_list import noted_list
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.puzzles.wordtiles.text import (
    BLANK,
    BLANKS,
    MAX_SIDE,
    MIN_SIDE,
    WordTilesReport,
    split_rows,
)
from tilelab.slides.history import edited
from tilelab.slides.moves import MOVES, replay, slid_at_random

MAX_BYTES = 100_000
_NOTE = "#"
_BACK = str.maketrans("UDLR", "DURL")  # moves that take others back
_SLIDES_A_CELL = 40  # of a board that is scrambled
_MAX_ROWS = 2 * MAX_SIDE
"""Maximum number of rows of a board file; a file with more rows is a lexicon."""


@dataclass(frozen=True, eq=False)
class WordPosition:
    """A board in play."""

    puzzle: WordTilesPuzzle  # puzzle that begins with the board's start
    cells: Cells
    n_moves: int = 0  # number of slides of one tile by hand, or along a path
    name: str = ""  # origin of the board, such as "Typed board"

    @classmethod
    def of(cls, puzzle: WordTilesPuzzle, name: str = "") -> Self:
        """Make a new board to be played."""
        return cls(puzzle, puzzle.start, 0, name)

    @property
    def start(self) -> Cells:
        return self.puzzle.start

    @property
    def cols(self) -> int:
        return self.puzzle.params.cols

    @property
    def is_solved(self) -> bool:
        """Always False, because there may be a better board."""
        return False

    @property
    def rows(self) -> tuple[str, ...]:
        """The board as text, one string per row, '.' for the blank."""
        return self.puzzle.rows_of(self.cells)

    @property
    def report(self) -> WordTilesReport:
        return _report_of(self)

    @property
    def board(self) -> Hashable:
        """Start, lexicon and rules of counting, which slides do not change."""
        return self.puzzle.lexicon, self.puzzle.params, self.start.tobytes()

    @property
    def start_puzzle(self) -> WordTilesPuzzle:
        return self.puzzle

    def at(self, cells: Cells, n_moves: int) -> Self:
        return replace(self, cells=cells, n_moves=n_moves)

    def with_letter(self, cell: int, symbol: str) -> Self:
        """Return the board with another letter in a cell, as a new start; raises GridError."""
        if not self.cells[cell]:
            raise GridError.tr("the blank has no letter; slide it, or select another cell")
        if symbol in BLANKS:
            raise GridError.tr("the board has its blank; type a letter")
        text = "".join(self.rows)
        text = text[:cell] + symbol + text[cell + 1 :]
        rows = cut_rows(text, self.cols)
        puzzle = WordTilesPuzzle.create(self.puzzle.lexicon, self.puzzle.params, rows)
        return self.__class__.of(puzzle, edited(self.name))

    def scrambled(self, seed: int, name: str) -> Self:
        """Return another start with the same letters, many random slides away."""
        n_slides = _SLIDES_A_CELL * len(self.cells)
        cells = slid_at_random(self.cells, self.cols, n_slides, generator(seed))
        rows = self.puzzle.rows_of(cells)
        puzzle = WordTilesPuzzle.create(self.puzzle.lexicon, self.puzzle.params, rows)
        return self.__class__.of(puzzle, name)

    def with_params(self, params: WordTilesParams) -> Self:
        """Return the same board with other rules of counting."""
        rows = self.puzzle.rows_of(self.start)
        return replace(self, puzzle=WordTilesPuzzle.create(self.puzzle.lexicon, params, rows))


@functools.lru_cache(maxsize=4)
def _report_of(position: WordPosition) -> WordTilesReport:
    # Only for the latest boards, because a report is large and a history may be long.
    return position.puzzle.report(position.cells)


def parse_word_board(text: str) -> tuple[str, ...]:
    """Read a typed or saved board; raises GridError with the first error.

    Lines that begin with # describe the board and are skipped.
    """
    lines = [line for line in text.splitlines() if not line.lstrip().startswith(_NOTE)]
    return split_rows("\n".join(lines))


def read_word_board(path: str | Path) -> tuple[str, ...]:
    """Read a board file, UTF-8; raises TileLabError."""
    return parse_word_board(read_text(path, MAX_BYTES))


def start_rows(rows: Sequence[str], moves: str) -> tuple[str, ...]:
    """Return the rows of a board before the moves that a saved board notes.

    Rows that are no board stay as they are. Raises TileLabError for moves that are not possible.
    """
    text, cols = "".join(rows), len(rows[0]) if rows else 0
    is_board = len(text) == cols * len(rows) and len(text) <= MAX_SIDE**2
    if not moves or not is_board or sum(map(text.count, BLANKS)) != 1:
        return tuple(rows)
    if not set(moves) <= set(MOVES):
        raise GridError.tr("its moves are not letters of U, D, L and R")
    tiles = [0 if symbol in BLANKS else place for place, symbol in enumerate(text, 1)]
    cells = replay(np.array(tiles, np.uint8), cols, moves[::-1].translate(_BACK))
    return cut_rows("".join((BLANK + text)[cell] for cell in cells.tolist()), cols)


def has_way(path: str | Path) -> bool:
    """Return whether a saved board notes the moves that led to it, and its words."""
    notes: Mapping[str, str] = {}
    with contextlib.suppress(GridError):
        notes = parse_notes(read_text(path, MAX_BYTES))
    has_words = is_builtin(notes.get("lexicon", "")) or noted_list(notes) is not None
    return has_words and bool(notes.get("moves"))


def is_word_board(path: str | Path) -> bool:
    """Return whether a file is a board rather than a lexicon: few equal rows, one with a blank."""
    try:
        rows = read_word_board(path)
    except GridError:
        return False
    has_blank = any(blank in row for row in rows for blank in BLANKS)
    return has_blank and len(rows) <= _MAX_ROWS and len({len(row) for row in rows}) == 1


def word_board(
    lexicon: Lexicon, params: WordTilesParams, rows: Sequence[str], name: str = ""
) -> WordPosition:
    """Make a board of the shape of its rows; raises GridError with the first error."""
    shaped = replaced(params, **board_shape(rows, MIN_SIDE, MAX_SIDE))
    return WordPosition.of(WordTilesPuzzle.create(lexicon, shaped, rows), name)


def word_board_text(rows: Sequence[str]) -> str:
    """Write a board in lines that :func:`parse_word_board` can read."""
    return "".join(f"{shown_row(row)}\n" for row in rows)
