"""The board of a letter grid: symbols, holes, locked cells and rules; and its report."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError
from tilelab.core.puzzle import Cells
from tilelab.core.text.shown_text import HOLE, cut_rows
from tilelab.letters.lexicon import Lexicon
from tilelab.letters.lexicon_puzzle import LetterReport, LexiconPuzzle, read_rows
from tilelab.puzzles.boggle.constraints import UNCONSTRAINED, Constraints, holes_in, place_text
from tilelab.puzzles.boggle.parameters import STEPS, Adjacency, BoggleParams, Reuse
from tilelab.puzzles.boggle.paths import find_path
from tilelab.puzzles.boggle.scorer import BoardRules

FOREIGN = 255  # cell value of a symbol that no word of the lexicon has
UNKNOWN = "?"  # sign of such a symbol, where it is not known


@dataclass(frozen=True, eq=False, kw_only=True)
class GridReport(LetterReport):
    """Report about the words on a board, their usage and places."""

    covers: NDArray[np.uint64]
    """(strings, words), cells that each found word can use, 16 bits per row."""
    required_missing: tuple[str, ...] = ()  # required words that are not on the board
    forbidden_found: tuple[str, ...] = ()  # forbidden words that are on the board
    qu_tile: bool = False  # whether q is a tile with Qu

    @property
    def texts(self) -> tuple[Sequence[str], ...]:
        return tile_texts(self.rows, qu_tile=self.qu_tile)

    @functools.cached_property
    def found(self) -> tuple[str, ...]:
        """Words on the board, longest first."""
        return tuple(self.strings[index] for index in self.found_indices)

    def indices_through(self, row: int, col: int) -> NDArray[np.intp]:
        """Return the indices of the found words that can use a cell, longest first."""
        bit = np.uint64(1 << (16 * (row % 4) + col))
        touching = self.covers[self.found_indices, row // 4] & bit
        through: NDArray[np.intp] = self.found_indices[touching != 0]
        return through


def tile_texts(rows: Sequence[str], *, qu_tile: bool) -> tuple[Sequence[str], ...]:
    """Return the texts of the tiles in written rows; qu_tile: whether q is a tile with Qu."""
    if not qu_tile:
        return tuple(rows)
    return tuple(["Qu" if symbol == "q" else symbol for symbol in row] for row in rows)


@dataclass(frozen=True, eq=False, repr=False)
class LetterBoard(LexiconPuzzle):
    """Board of a letter grid: its valid cells, its text, and the paths of words.

    The subclass defines the value of a board.
    """

    lexicon: Lexicon
    """Words that count: the given lexicon with the required and without the forbidden words."""
    params: BoggleParams
    start: Cells | None = None
    constraints: Constraints = UNCONSTRAINED
    given: Lexicon | None = None  # original lexicon, if constraints have changed it

    @property
    def shape(self) -> tuple[int, int]:
        return self.params.rows, self.params.cols

    @functools.cached_property
    def rules(self) -> BoardRules:
        """Rules of the board, for the callers of kernels."""
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
        """Locked cells and holes, int64 (fixed cells,)."""
        return np.array([*self.constraints.locked, *self.constraints.holes], np.int64)

    def free_cells(self) -> NDArray[np.int64]:
        """Return the cells whose letters a solver may change, int64 (free cells,).

        Raises GridError if there is none.
        """
        free = np.delete(np.arange(self.params.rows * self.params.cols), self.fixed)
        if not len(free):
            raise GridError.tr("every cell is locked, so that a solver cannot change any letter")
        return free

    def fix(self, grids: NDArray[np.uint8]) -> None:
        """Set the locked cells and the holes of boards, uint8 (…, cells), in place."""
        asked = self.constraints
        if asked.locked and self.start is not None:
            locked = list(asked.locked)
            grids[..., locked] = self.start[locked]
        if asked.holes:
            grids[..., list(asked.holes)] = FOREIGN

    def require(self, cells: Cells) -> None:
        """Raise GridError unless these cells are a board of this lexicon's symbols.

        Holes have the value FOREIGN, and locked cells their letters of the initial board.
        """
        n_cells, n_symbols = self.params.rows * self.params.cols, len(self.lexicon.alphabet)
        if cells.shape != (n_cells,):
            raise GridError.tr(
                "the given board has {size} cells; this puzzle has {n_cells}",
                size=cells.size,
                n_cells=n_cells,
            )
        holes, locked = list(self.constraints.holes), list(self.constraints.locked)
        if (cells[holes] != FOREIGN).any():
            raise GridError.tr("a hole of the board holds a letter")
        letters = np.delete(cells, holes)
        if letters.max() >= n_symbols:
            raise GridError.tr(
                "a cell holds symbol {max}; the lexicon has {n_symbols}",
                max=letters.max(),
                n_symbols=n_symbols,
            )
        if self.start is not None and (cells[locked] != self.start[locked]).any():
            raise GridError.tr("a locked cell has another letter than the start board")

    def path(self, cells: Cells, string: str) -> tuple[int, ...] | None:
        """Return cells, row-major, that spell a word under the rules, or None."""
        tiles = self.lexicon.tiles(string)
        return find_path(self.rows_of(cells), tiles, self.rules) if tiles else None

    def longest_start(self, cells: Cells, string: str) -> tuple[int, ...]:
        """Return cells, row-major, that spell the longest part of a word from its first tile."""
        rows, tiles = self.rows_of(cells), self.lexicon.tiles(string)
        starts = (tiles[:n_tiles] for n_tiles in range(len(tiles), 0, -1))
        paths = (find_path(rows, start, self.rules) for start in starts)
        return next(filter(None, paths), ())

    def texts(self, rows: Sequence[str]) -> tuple[Sequence[str], ...]:
        return tile_texts(rows, qu_tile=self.params.qu_tile)

    def rows_of(self, cells: Cells) -> tuple[str, ...]:
        """Write a board as text, one string per row: '#' for a hole, '?' for a foreign symbol."""
        signs = dict(enumerate(self.lexicon.alphabet))
        symbols = [signs.get(cell, UNKNOWN) for cell in cells.tolist()]
        for cell in self.constraints.holes:
            symbols[cell] = HOLE
        return cut_rows("".join(symbols), self.params.cols)

    def parse(self, rows: Sequence[str], *, foreign: bool = False) -> Cells:
        """Read rows of letters; the content of holes is ignored. Raises GridError.

        foreign: accept symbols that no word of the lexicon has.
        """
        holes = self.constraints.holes
        filled = read_rows(rows, self.shape, self.lexicon, "letters", HOLE, foreign=True)
        symbols = list("".join(filled))
        for cell in holes:
            symbols[cell] = self.lexicon.alphabet[0]
        for cell in holes_in(symbols):
            raise GridError.tr(
                "{place} is no hole of this board", place=place_text(cell, self.params.cols)
            )
        filled = cut_rows("".join(symbols), self.params.cols)
        symbols = list(
            "".join(read_rows(filled, self.shape, self.lexicon, "letters", foreign=foreign))
        )
        index = {symbol: place for place, symbol in enumerate(self.lexicon.alphabet)}
        cells = np.array([index.get(symbol, FOREIGN) for symbol in symbols], np.uint8)
        cells[list(holes)] = FOREIGN
        return cells
