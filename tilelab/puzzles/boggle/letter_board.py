"""The board of a letter grid: its lexicon's symbols, its holes, locked cells and rules."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError
from tilelab.core.puzzle import Cells
from tilelab.core.text.language import tr
from tilelab.core.text.symbols import HOLE, cut_rows
from tilelab.letters.lexicon import Lexicon
from tilelab.letters.lexicon_puzzle import LexiconPuzzle, read_rows
from tilelab.puzzles.boggle.constraints import (
    UNCONSTRAINED,
    Constraints,
    holes_in,
    place_text,
)
from tilelab.puzzles.boggle.parameters import STEPS, Adjacency, BoggleParams, Reuse
from tilelab.puzzles.boggle.paths import find_path
from tilelab.puzzles.boggle.report import tile_texts
from tilelab.puzzles.boggle.scorer import BoardRules

FOREIGN = 255
"""Cell value of a symbol that no string of the lexicon has."""


@dataclass(frozen=True, eq=False, repr=False)
class LetterBoard(LexiconPuzzle):
    """What a grid must be to belong to a puzzle, how it is written, and how strings run over it.

    What it is worth is said by the puzzle that builds on it.
    """

    lexicon: Lexicon
    """What counts: the strings that were given, with the required and without the forbidden."""
    params: BoggleParams
    start: Cells | None = None
    constraints: Constraints = UNCONSTRAINED
    given: Lexicon | None = None
    """The lexicon as it was given, where constraints have changed it."""

    @property
    def shape(self) -> tuple[int, int]:
        return self.params.rows, self.params.cols

    @functools.cached_property
    def rules(self) -> BoardRules:
        """The board's rules as the kernels' callers know them."""
        params = self.params
        board = BoardRules(
            rows=params.rows, cols=params.cols, slips=params.slips, holes=self.constraints.holes
        )
        if params.adjacency is Adjacency.STRAIGHT:
            return replace(board, directions=STEPS[params.directions])
        return replace(
            board,
            king=params.adjacency is Adjacency.KING,
            torus=params.torus,
            stay=params.stay,
            once=params.reuse is Reuse.ONCE,
        )

    @functools.cached_property
    def fixed(self) -> NDArray[np.int64]:
        """int64 (fixed cells,), the locked cells and the holes."""
        return np.array([*self.constraints.locked, *self.constraints.holes], np.int64)

    def free_cells(self) -> NDArray[np.int64]:
        """Return int64 (free cells,), those whose letters a solver may change.

        Raises GridError where there is none.
        """
        free = np.delete(np.arange(self.params.rows * self.params.cols), self.fixed)
        if not len(free):
            raise GridError(
                tr("every cell is locked; there is none whose letter a solver may change")
            )
        return free

    def fix(self, grids: NDArray[np.uint8]) -> None:
        """Give grids, uint8 (…, cells), the letters of locked cells and what holes hold."""
        asked = self.constraints
        if asked.locked and self.start is not None:
            locked = list(asked.locked)
            grids[..., locked] = self.start[locked]
        if asked.holes:
            grids[..., list(asked.holes)] = FOREIGN

    def require(self, cells: Cells) -> None:
        """Raise GridError unless these cells are a grid of this lexicon's symbols.

        Holes hold FOREIGN, and locked cells their letters of the start.
        """
        n_cells, n_symbols = self.params.rows * self.params.cols, len(self.lexicon.alphabet)
        if cells.shape != (n_cells,):
            raise GridError(
                tr("the grid has {size} cells; this board has {n_cells}").format(
                    size=cells.size, n_cells=n_cells
                )
            )
        holes, locked = list(self.constraints.holes), list(self.constraints.locked)
        if (cells[holes] != FOREIGN).any():
            raise GridError(tr("a hole of the board holds a letter"))
        letters = np.delete(cells, holes)
        if letters.max() >= n_symbols:
            raise GridError(
                tr("a cell holds symbol {max}; the lexicon has {n_symbols}").format(
                    max=letters.max(), n_symbols=n_symbols
                )
            )
        if self.start is not None and (cells[locked] != self.start[locked]).any():
            raise GridError(tr("a locked cell holds another letter than the start"))

    def path(self, cells: Cells, string: str) -> tuple[int, ...] | None:
        """Return cells, row-major, that spell a string under the rules, or None."""
        tiles = self.lexicon.tiles(string)
        return find_path(self.rows_of(cells), tiles, self.rules) if tiles else None

    def texts(self, rows: Sequence[str]) -> tuple[Sequence[str], ...]:
        """Return what the tiles of written rows show."""
        return tile_texts(rows, qu_tile=self.params.qu_tile)

    def rows_of(self, cells: Cells) -> tuple[str, ...]:
        """Write a grid as text, one string a row: '#' for a hole, '?' for a symbol of no string."""
        signs = dict(enumerate(self.lexicon.alphabet))
        symbols = [signs.get(cell, "?") for cell in cells.tolist()]
        for cell in self.constraints.holes:
            symbols[cell] = HOLE
        return cut_rows("".join(symbols), self.params.cols)

    def parse(self, rows: Sequence[str], *, foreign: bool = False) -> Cells:
        """Read rows of letters; what stands in a hole is left out. Raises GridError.

        foreign: accept symbols that no string of the lexicon has (they encode nothing).
        """
        holes = self.constraints.holes
        filled = read_rows(rows, self.shape, self.lexicon, "letters", HOLE, foreign=True)
        symbols = list("".join(filled))
        for cell in holes:
            symbols[cell] = self.lexicon.alphabet[0]
        for cell in holes_in(symbols):
            raise GridError(
                tr("{place_text} is no hole of this board").format(
                    place_text=place_text(cell, self.params.cols)
                )
            )
        filled = cut_rows("".join(symbols), self.params.cols)
        symbols = list(
            "".join(read_rows(filled, self.shape, self.lexicon, "letters", foreign=foreign))
        )
        index = {symbol: place for place, symbol in enumerate(self.lexicon.alphabet)}
        cells = np.array([index.get(symbol, FOREIGN) for symbol in symbols], np.uint8)
        cells[list(holes)] = FOREIGN
        return cells
