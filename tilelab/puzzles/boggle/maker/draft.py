"""A letter grid that is edited by hand: letters, locked cells and holes, all as text."""

import dataclasses
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Self

from tilelab.core.text.shown_text import HOLE, cut_rows, folded


@dataclass(frozen=True)
class Draft:
    """An edited board; each change returns a new one. Cells are numbered row by row."""

    letters: tuple[str, ...]
    """One symbol per cell; for a hole, the letter that returns when the hole is filled."""
    n_cols: int
    locked: frozenset[int] = frozenset()
    holes: frozenset[int] = frozenset()

    @classmethod
    def of(cls, rows: Sequence[str], locked: Sequence[int], filling: str) -> Self:
        """Make a draft from rows of letters; ``#`` is a hole. filling: letter for holes."""
        symbols = "".join(rows)
        holes = frozenset(cell for cell, symbol in enumerate(symbols) if symbol == HOLE)
        letters = tuple(filling if symbol == HOLE else symbol for symbol in symbols)
        return cls(letters, len(rows[0]), frozenset(locked), holes)

    @property
    def rows(self) -> tuple[str, ...]:
        """Rows as text; ``#`` is a hole."""
        shown = (HOLE if cell in self.holes else one for cell, one in enumerate(self.letters))
        return cut_rows("".join(shown), self.n_cols)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.letters) // self.n_cols, self.n_cols

    def typed(self, cell: int, symbol: str) -> Self:
        """Put a letter into a cell; this fills a hole, and does not change a locked cell."""
        if cell in self.locked:
            return self
        letters = list(self.letters)
        letters[cell] = folded(symbol)
        return dataclasses.replace(self, letters=tuple(letters), holes=self.holes - {cell})

    def swapped(self, one: int, other: int) -> Self:
        """Exchange the letters of two cells, unless one of them is locked or a hole."""
        if {one, other} & (self.locked | self.holes):
            return self
        letters = list(self.letters)
        letters[one], letters[other] = letters[other], letters[one]
        return dataclasses.replace(self, letters=tuple(letters))

    def lock_turned(self, cell: int) -> Self:
        """Lock or unlock a cell; a hole cannot be locked."""
        if cell in self.holes:
            return self
        return dataclasses.replace(self, locked=self.locked ^ {cell})

    def hole_turned(self, cell: int) -> Self:
        """Turn a cell into a hole or back; a locked cell and the last cell of a board stay."""
        return self.with_holes(self.holes ^ {cell})

    def with_holes(self, holes: Collection[int]) -> Self:
        """Set the holes; nothing changes if no cell is left, or a locked cell would be a hole."""
        if len(set(holes)) >= len(self.letters) or self.locked.intersection(holes):
            return self
        return dataclasses.replace(self, holes=frozenset(holes))

    def resized(self, shape: tuple[int, int], filling: str) -> Self:
        """Give the board another size: cells keep row and column, and new ones get a letter.

        Letters, locks and holes outside the new size are lost.
        """
        if shape == self.shape:
            return self
        n_rows, n_cols = shape
        kept = {
            row * n_cols + col: row * self.n_cols + col
            for row in range(min(n_rows, self.shape[0]))
            for col in range(min(n_cols, self.n_cols))
        }
        letters = tuple(
            self.letters[kept[cell]] if cell in kept else filling for cell in range(n_rows * n_cols)
        )
        locked = frozenset(cell for cell, before in kept.items() if before in self.locked)
        holes = frozenset(cell for cell, before in kept.items() if before in self.holes)
        return type(self)(letters, n_cols, locked, holes)

    def after(self, cell: int) -> int:
        """Return the next cell that is not a hole; the first cell follows the last one."""
        return self._next(cell, 1)

    def before(self, cell: int) -> int:
        """Return the previous cell that is not a hole; the last cell precedes the first one."""
        return self._next(cell, -1)

    def _next(self, cell: int, step: int) -> int:
        n_cells = len(self.letters)
        places = ((cell + step * away) % n_cells for away in range(1, n_cells + 1))
        return next(place for place in places if place not in self.holes)
