"""A letter grid that is changed by hand: letters, locked cells and holes, never more than text."""

import dataclasses
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Self

from tilelab.core.text.shown_text import HOLE, cut_rows, folded


@dataclass(frozen=True)
class Draft:
    """A grid as it stands; each change returns another one. Cells are numbered row by row."""

    letters: tuple[str, ...]
    """One symbol a cell; below a hole the letter that comes back when it is filled."""
    n_cols: int
    locked: frozenset[int] = frozenset()
    holes: frozenset[int] = frozenset()

    @classmethod
    def of(cls, rows: Sequence[str], locked: Sequence[int], filling: str) -> Self:
        """Take over rows of letters; ``#`` is a hole. filling: stands below holes."""
        symbols = "".join(rows)
        holes = frozenset(cell for cell, symbol in enumerate(symbols) if symbol == HOLE)
        letters = tuple(filling if symbol == HOLE else symbol for symbol in symbols)
        return cls(letters, len(rows[0]), frozenset(locked), holes)

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows as text; ``#`` is a hole."""
        shown = (HOLE if cell in self.holes else one for cell, one in enumerate(self.letters))
        return cut_rows("".join(shown), self.n_cols)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.letters) // self.n_cols, self.n_cols

    def typed(self, cell: int, symbol: str) -> Self:
        """Put a letter into a cell; a hole is filled, and a locked cell stays as it is."""
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
        """Lock a cell, or unlock it; a hole has nothing to lock."""
        if cell in self.holes:
            return self
        return dataclasses.replace(self, locked=self.locked ^ {cell})

    def hole_turned(self, cell: int) -> Self:
        """Make a hole of a cell, or fill it; the last cell of a board stays, and a locked one."""
        return self.with_holes(self.holes ^ {cell})

    def with_holes(self, holes: Collection[int]) -> Self:
        """Give the board another shape; one without a cell, or a locked one, changes nothing."""
        if len(set(holes)) >= len(self.letters) or self.locked.intersection(holes):
            return self
        return dataclasses.replace(self, holes=frozenset(holes))

    def after(self, cell: int) -> int:
        """Return the cell that follows one, round to the first; holes are left out."""
        return self._next(cell, 1)

    def before(self, cell: int) -> int:
        """Return the cell before one, round to the last; holes are left out."""
        return self._next(cell, -1)

    def _next(self, cell: int, step: int) -> int:
        n_cells = len(self.letters)
        places = ((cell + step * away) % n_cells for away in range(1, n_cells + 1))
        return next(place for place in places if place not in self.holes)
