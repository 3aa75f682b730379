"""The board of a letter grid: symbols, holes, locked cells and rules; and its report as text."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError
from tilelab.core.plain import Json, JsonObject
from tilelab.core.puzzle import BestText, Cells
from tilelab.core.text.language import figures, tr
from tilelab.core.text.shown_text import HOLE, cut_rows, shown_row
from tilelab.core.text.wording import counted, plain_number
from tilelab.letters.lexicon import Lexicon
from tilelab.letters.lexicon_puzzle import LetterReport, LexiconPuzzle, read_rows
from tilelab.puzzles.boggle.constraints import (
    UNCONSTRAINED,
    Constraints,
    holes_in,
    place_text,
)
from tilelab.puzzles.boggle.parameters import STEPS, Adjacency, BoggleParams, Reuse
from tilelab.puzzles.boggle.paths import find_path
from tilelab.puzzles.boggle.scorer import BoardRules

FOREIGN = 255
"""Cell value of a symbol that no string of the lexicon has."""


@dataclass(frozen=True, eq=False, kw_only=True)
class GridReport(LetterReport):
    """A grid read against its lexicon, for people: words, usage, places."""

    covers: NDArray[np.uint64]
    """(strings, words), the cells that each found string can use, 16 bits a row."""
    required_missing: tuple[str, ...] = ()
    """Strings that must be in and are not."""
    forbidden_found: tuple[str, ...] = ()
    """Strings that must not be in and are."""
    qu_tile: bool = False
    """Whether q is a tile with Qu."""

    @property
    def texts(self) -> tuple[Sequence[str], ...]:
        return tile_texts(self.rows, qu_tile=self.qu_tile)

    @functools.cached_property
    def found(self) -> tuple[str, ...]:
        """The strings encoded, longest first."""
        return tuple(self.strings[index] for index in self.found_indices)

    def indices_through(self, row: int, col: int) -> NDArray[np.intp]:
        """Return the indices of the found strings that can use a cell, longest first."""
        bit = np.uint64(1 << (16 * (row % 4) + col))
        touching = self.covers[self.found_indices, row // 4] & bit
        through: NDArray[np.intp] = self.found_indices[touching != 0]
        return through


def tile_texts(rows: Sequence[str], *, qu_tile: bool) -> tuple[Sequence[str], ...]:
    """Return what the tiles of written rows show; qu_tile: whether q is a tile with Qu."""
    if not qu_tile:
        return tuple(rows)
    return tuple(["Qu" if symbol == "q" else symbol for symbol in row] for row in rows)


def plain_report(
    report: GridReport, rows: Sequence[str], value: float, constraints: Constraints
) -> JsonObject:
    """Describe a grid in plain values; rows: as they were given."""
    plain: dict[str, Json] = {
        "value": plain_number(value),
        "rows": list(rows),
        "words": list(report.found),
        "missing_count": len(report.missing_indices),
    }
    if constraints.required:
        plain["required_missing"] = list(report.required_missing)
    if constraints.forbids:
        plain["forbidden_found"] = list(report.forbidden_found)
    return plain


def report_text(
    report: GridReport, rows: Sequence[str], worth: str, constraints: Constraints
) -> BestText:
    """Describe a grid in words; worth: such as '12 letters', or '' where it is the strings."""
    of_all = tr(
        "{n_found} of {n_strings}",
        n_found=figures(len(report.found_indices), ","),
        n_strings=counted(len(report.strings), "word"),
    )
    parts = [worth, of_all] if worth else [of_all]
    if constraints.required:
        parts.append(_named("required", "missing", report.required_missing))
    if constraints.forbids:
        parts.append(_named("forbidden", "found", report.forbidden_found))
    return BestText(
        rows=tuple(" ".join(shown_row(row)) for row in rows),
        value=" · ".join(parts),
        words=report.found,
    )


def _named(kind: str, state: str, strings: Sequence[str]) -> str:
    """Say which strings keep a constraint unmet: ``no required string is missing``."""
    if not strings:
        return tr("no {kind} word {state}", kind=kind, state=state)
    return f"{counted(len(strings), f'{kind} word')} {state}: {', '.join(strings)}"


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
            raise GridError(tr("every cell is locked, so that a solver cannot change any letter"))
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
                tr(
                    "the given board has {size} cells; this puzzle has {n_cells}",
                    size=cells.size,
                    n_cells=n_cells,
                )
            )
        holes, locked = list(self.constraints.holes), list(self.constraints.locked)
        if (cells[holes] != FOREIGN).any():
            raise GridError(tr("a hole of the board holds a letter"))
        letters = np.delete(cells, holes)
        if letters.max() >= n_symbols:
            raise GridError(
                tr(
                    "a cell holds symbol {max}; the lexicon has {n_symbols}",
                    max=letters.max(),
                    n_symbols=n_symbols,
                )
            )
        if self.start is not None and (cells[locked] != self.start[locked]).any():
            raise GridError(tr("a locked cell has another letter than the start board"))

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
                tr("{place} is no hole of this board", place=place_text(cell, self.params.cols))
            )
        filled = cut_rows("".join(symbols), self.params.cols)
        symbols = list(
            "".join(read_rows(filled, self.shape, self.lexicon, "letters", foreign=foreign))
        )
        index = {symbol: place for place, symbol in enumerate(self.lexicon.alphabet)}
        cells = np.array([index.get(symbol, FOREIGN) for symbol in symbols], np.uint8)
        cells[list(holes)] = FOREIGN
        return cells
