"""Word-tile boards as text: rows, words with their places, random letters."""

import math
import re
from collections.abc import Container, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError, UsageError
from tilelab.core.files.grid_file import board_shape, read_grid
from tilelab.core.flags import path_of, text_of
from tilelab.core.parameters import Choice
from tilelab.core.plain import JsonObject, Values
from tilelab.core.randomness import generator
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import cut_rows, quoted, shortened
from tilelab.letters.lexicon import Lexicon, alphabetical
from tilelab.letters.lexicon_puzzle import LetterReport, read_rows
from tilelab.puzzles.wordtiles.lexicon import SHORTEST

MIN_SIDE, MAX_SIDE = 2, 10
BLANK = "."
BLANKS = "._"  # signs for the blank
_BETWEEN_ROWS = re.compile(r"[\n/]")
_BETWEEN_LETTERS = re.compile(r"[\s,;|]+")
ENGLISH = {
    "e": 12.702, "t": 9.056, "a": 8.167, "o": 7.507, "i": 6.966, "n": 6.749, "s": 6.327,
    "h": 6.094, "r": 5.987, "d": 4.253, "l": 4.025, "c": 2.782, "u": 2.758, "m": 2.406,
    "w": 2.360, "f": 2.228, "g": 2.015, "y": 1.974, "p": 1.929, "b": 1.492, "v": 0.978,
    "k": 0.772, "j": 0.153, "x": 0.150, "q": 0.095, "z": 0.074,
}  # fmt: skip
"""Percentage of each letter in English texts (Lewand 2000, "Cryptological Mathematics")."""


class RandomLetters(Choice):
    UNIFORM = "uniform"
    ENGLISH = "english"
    LEXICON = "lexicon"


def split_rows(text: str, rows: int | None = None, cols: int | None = None) -> tuple[str, ...]:
    """Split a typed board into its rows; raises GridError with the first error.

    Rows are separated by line ends or slashes, or by blanks if the pieces have equal lengths. A
    single piece is cut by the number of rows or columns, or is a square. Without rows and cols, the
    text defines the shape.
    """
    lines = [line for line in _BETWEEN_ROWS.split(text) if line.strip()]
    pieces = [[piece for piece in _BETWEEN_LETTERS.split(line) if piece] for line in lines]
    if len(lines) == 1 and len(pieces[0]) > 1 and max(map(len, pieces[0])) > 1:
        return tuple(pieces[0])
    joined = ["".join(line) for line in pieces]
    if not joined or not joined[0]:
        raise GridError.tr("the text is empty; it has no board")
    if len(joined) > 1:
        return tuple(joined)
    return _cut(joined[0], rows, cols)


def chosen_rows(values: Values, rows: int, cols: int) -> tuple[str, ...] | None:
    """Return the board that a command's values name, or None; raises TileLabError.

    rows, cols: size of the board, if given by flags.
    """
    letters, file = text_of(values, "letters"), text_of(values, "board")
    if letters is not None and file is not None:
        raise UsageError.tr("--letters and --board both name the board; give only one")
    if letters is not None:
        shape = (
            side if values.get(name) is not None else None
            for name, side in (("rows", rows), ("cols", cols))
        )
        given = split_rows(letters, *shape)
    elif file is not None:
        given = read_grid(path_of("--board", file)).rows
    else:
        return None
    board_shape(given, MIN_SIDE, MAX_SIDE)
    return given


def _cut(text: str, rows: int | None, cols: int | None) -> tuple[str, ...]:
    n_cells, has_blank = len(text), any(blank in text for blank in BLANKS)
    if rows is None and cols is None:
        side = math.isqrt(n_cells)
        if side * side != n_cells:
            if not has_blank:
                raise _without_blank()
            raise GridError.tr(
                "{n_cells} cells, with that of the blank, make no square; say how many columns the "
                "board has",
                n_cells=n_cells,
            )
        cols = side
    elif cols is None:
        assert rows is not None
        cols = max(n_cells // rows, 1)
    if n_cells % cols or (rows is not None and rows * cols != n_cells):
        if not has_blank:
            raise _without_blank()
        shape = f"{rows}×{cols}" if rows is not None else tr("{cols} columns", cols=cols)
        raise GridError.tr(
            "{text} has {n_tiles} tiles, which do not fill a board of {shape}",
            text=quoted(text),
            n_tiles=n_cells,
            shape=shape,
        )
    return cut_rows(text, cols)


def checked_rows(given: Sequence[str], shape: tuple[int, int], lexicon: Lexicon) -> tuple[str, ...]:
    """Return the rows of a board with '.' for the blank; raises GridError with the first error."""
    n_rows, n_cols = shape
    text = "".join(given)
    if not any(blank in text for blank in BLANKS) and len(text) == n_rows * n_cols - 1:
        raise _without_blank()  # not that a row is too short
    rows = read_rows(given, shape, lexicon, marked("tiles"), BLANKS)
    blanks = [
        tr("row {row}, column {col}", row=row, col=col)
        for row, text in enumerate(rows, 1)
        for col, symbol in enumerate(text, 1)
        if symbol in BLANKS
    ]
    if not blanks:
        raise _without_blank()
    if len(blanks) > 1:
        raise GridError.tr(
            "the board has {n_blanks} blanks, at {places}; there must be one",
            n_blanks=len(blanks),
            places=tr(" and at ").join(blanks[:2]),
        )
    return tuple(row.replace("_", BLANK) for row in rows)


def _without_blank() -> GridError:
    return GridError.tr("the board has no blank; one tile must be . or _")


def random_rows(
    shape: tuple[int, int], kind: RandomLetters, seed: int, lexicon: Lexicon
) -> tuple[str, ...]:
    """Draw the letters of a board from a seed; the blank is last."""
    alphabet = lexicon.alphabet
    if kind is RandomLetters.LEXICON:
        shares = lexicon.frequencies
    elif kind is RandomLetters.UNIFORM:
        shares = np.full(len(alphabet), 1 / len(alphabet))
    else:
        shares = np.array([ENGLISH.get(symbol, 0.0) for symbol in alphabet])
        if not shares.any():
            raise GridError.tr(
                "{lexicon} has no English letter; random letters can be drawn "
                "as uniform or lexicon",
                lexicon=shortened(lexicon.title),
            )
    n_rows, n_cols = shape
    ends = np.cumsum(shares)
    draws = generator(seed).random(n_rows * n_cols - 1) * ends[-1]
    places = np.searchsorted(ends, draws, side="right")
    text = "".join(alphabet[place] for place in places.tolist()) + BLANK
    return cut_rows(text, n_cols)


@dataclass(frozen=True, order=True)
class PlacedWord:
    """A word in a row or column of a board."""

    word: str
    is_column: bool
    line: int  # number of the row or column, from 0
    offset: int  # number of cells in the line before the word's first occurrence

    def cells(self, cols: int) -> tuple[int, ...]:
        """Return the cells of the word, row-major, on a board of ``cols`` columns."""
        first, stride = (self.line, cols) if self.is_column else (self.line * cols, 1)
        return tuple(first + stride * (self.offset + place) for place in range(len(self.word)))

    def plain(self) -> JsonObject:
        """Return plain values: the word, its row or column, and its offset."""
        return {
            "word": self.word,
            "column" if self.is_column else "row": self.line,
            "offset": self.offset,
        }


def placed_words(rows: Sequence[str], words: Container[str]) -> tuple[PlacedWord, ...]:
    """List the words of a board, longest first: one entry for each line that a word is in."""
    places: dict[tuple[str, bool, int], int] = {}
    for is_column, lines in ((False, rows), (True, map("".join, zip(*rows, strict=True)))):
        for line, text in enumerate(lines):
            for begin in range(len(text)):
                for end in range(begin + SHORTEST, len(text) + 1):
                    if text[begin:end] in words:
                        places.setdefault((text[begin:end], is_column, line), begin)
    found = (PlacedWord(*place, offset) for place, offset in places.items())
    return tuple(sorted(found, key=lambda word: (-len(word.word), alphabetical(word.word), word)))


@dataclass(frozen=True, eq=False, kw_only=True)
class WordTilesReport(LetterReport):
    places: tuple[PlacedWord, ...]
    """Words on the board, longest first; one entry for each line that a word is in."""

    def segments(self, word: str) -> tuple[tuple[int, ...], ...]:
        """Return the cells, row-major, of each occurrence of a word."""
        cols = len(self.rows[0])
        return tuple(place.cells(cols) for place in self.places if place.word == word)

    def indices_through(self, row: int, col: int) -> NDArray[np.intp]:
        cols = len(self.rows[0])
        cell = row * cols + col
        through = {place.word for place in self.places if cell in place.cells(cols)}
        kept = [index for index in self.found_indices.tolist() if self.strings[index] in through]
        return np.array(kept, np.intp)
