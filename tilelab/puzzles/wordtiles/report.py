"""What stands on a word-tile board, for people: words with their places, and what is missing."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilelab.core.plain import JsonObject
from tilelab.puzzles.lexicon_puzzle import LetterReport


@dataclass(frozen=True, order=True)
class PlacedWord:
    """A word in a line of a board."""

    word: str
    is_column: bool
    line: int
    """The row, or the column, from 0."""
    offset: int
    """Cells of the line before its first letter; of several places in a line the first."""

    def cells(self, cols: int) -> tuple[int, ...]:
        """Return the cells that it stands in, row-major, on a board of so many columns."""
        first, stride = (self.line, cols) if self.is_column else (self.line * cols, 1)
        return tuple(first + stride * (self.offset + place) for place in range(len(self.word)))

    def plain(self) -> JsonObject:
        """Describe it in plain values: the word, its row or column, its offset."""
        return {
            "word": self.word,
            "column" if self.is_column else "row": self.line,
            "offset": self.offset,
        }


@dataclass(frozen=True, eq=False, kw_only=True)
class WordTilesReport(LetterReport):
    """A board read against its lexicon."""

    places: tuple[PlacedWord, ...]
    """Longest first; one entry for each line that a word is in."""

    def segments(self, word: str) -> tuple[tuple[int, ...], ...]:
        """Return the cells of every place of a word, row-major."""
        cols = len(self.rows[0])
        return tuple(place.cells(cols) for place in self.places if place.word == word)

    def indices_through(self, row: int, col: int) -> NDArray[np.intp]:
        """Return the indices of the found strings that go through a cell, longest first."""
        cols = len(self.rows[0])
        cell = row * cols + col
        through = {place.word for place in self.places if cell in place.cells(cols)}
        kept = [index for index in self.found_indices.tolist() if self.strings[index] in through]
        return np.array(kept, np.intp)
