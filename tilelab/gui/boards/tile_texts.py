"""Boards of any puzzle as the texts of their tiles, many at once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilelab.core.puzzle import Cells, Puzzle
from tilelab.core.text.symbols import shown
from tilelab.puzzles.boggle.puzzle import BogglePuzzle

BLANK = "."
"""What puzzles with a blank write for it."""


def tile_texts(puzzle: Puzzle, cells: Cells) -> tuple[Sequence[str], ...]:
    """Return what the tiles of a board show, row by row.

    A row of a puzzle's text has one symbol a cell, or else words with blanks between them.
    """
    n_cols = puzzle.shape[1]
    rows = puzzle.rows_of(cells)
    if isinstance(puzzle, BogglePuzzle):
        return puzzle.texts(rows)
    return tuple(row if len(row) == n_cols else row.split() for row in rows)


@dataclass(frozen=True, eq=False)
class BoardTexts:
    """What stands on the tiles of some boards of one shape."""

    shape: tuple[int, int]
    """Rows and columns."""
    signs: tuple[str, ...]
    """The different texts as they are shown; '' for a blank, ``#`` for a hole."""
    codes: NDArray[np.intp]
    """(n, cells), places in ``signs``."""

    @classmethod
    def of(cls, puzzle: Puzzle, boards: NDArray[np.uint8]) -> "BoardTexts":
        """Read boards, uint8 (n, cells)."""
        places: dict[str, int] = {}
        codes = [
            places.setdefault(text, len(places))
            for cells in boards
            for row in tile_texts(puzzle, cells)
            for text in row
        ]
        signs = tuple("" if text == BLANK else shown(text) for text in places)
        return cls(puzzle.shape, signs, np.array(codes, np.intp).reshape(boards.shape))

    def __len__(self) -> int:
        return len(self.codes)

    def board(self, place: int) -> list[str]:
        """Return the texts of a board's tiles, row by row."""
        return [self.signs[code] for code in self.codes[place].tolist()]

    def words(self, place: int) -> str:
        """Write a board in one line, for those who do not see it."""
        signs = [sign or BLANK for sign in self.board(place)]
        n_cols = self.shape[1]
        joint = "" if max(map(len, signs), default=1) == 1 else " "
        rows = (signs[first : first + n_cols] for first in range(0, len(signs), n_cols))
        return ", ".join(joint.join(row) for row in rows)
