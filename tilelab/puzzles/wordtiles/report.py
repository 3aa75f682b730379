"""What stands on a word-tile board, for people: words with their places, and what is missing."""

from collections.abc import Container, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilelab.core.plain import JsonObject
from tilelab.letters.lexicon_puzzle import LetterReport
from tilelab.puzzles.wordtiles.lexicon import SHORTEST


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
    return tuple(sorted(found, key=lambda word: (-len(word.word), word)))


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
        cols = len(self.rows[0])
        cell = row * cols + col
        through = {place.word for place in self.places if cell in place.cells(cols)}
        kept = [index for index in self.found_indices.tolist() if self.strings[index] in through]
        return np.array(kept, np.intp)
