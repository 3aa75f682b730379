"""Scores letter grids against a trie with the kernel that fits the board and its rules."""

import functools
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.puzzle import Cells
from tilelab.letters.trie import LexiconTrie
from tilelab.puzzles.boggle.kernels.board_sets import (
    LANE_BITS,
    ROWS_PER_WORD,
    lane_geometry,
    small_geometry,
)
from tilelab.puzzles.boggle.kernels.classic_walk import (
    ClassicTrie,
    classic_room,
    classic_trie,
    score_grids_classic,
)
from tilelab.puzzles.boggle.kernels.lane_walk import inspect_grid, lane_room, score_grids_lanes
from tilelab.puzzles.boggle.kernels.set_walk import cell_usages, score_grids, small_room

SMALL_BOARD_CELLS = 64
SmallWalk = tuple[object, ...]
"""Arrays of a small board, as of kernels.set_walk: symbol, depth, skip, value, max_level,
geometry, room."""
NOWHERE = (np.empty(0, np.int32), np.empty((0, 0), np.uint64))
"""Arguments for usage and covers if neither is needed."""


@dataclass(frozen=True)
class BoardRules:
    """Rules for the successive cells of a word."""

    rows: int
    cols: int
    king: bool = True  # whether a cell has eight neighbours, otherwise four
    torus: bool = False  # whether rows and columns wrap around
    stay: bool = False  # whether the same cell may be used twice in a row
    once: bool = False  # whether each cell may be used only once per word
    slips: int = 0  # maximum number of wrong letters in a word: 0 or 1
    holes: tuple[int, ...] = ()  # cells, row-major, that do not belong to the board
    directions: tuple[tuple[int, int], ...] = ()
    """(down, right) of each step that a straight line may take; if empty, words may bend."""

    @property
    def uses_once(self) -> bool:
        """Whether no word uses a cell twice; a straight line never does."""
        return self.once or bool(self.directions)

    @property
    def runs_back(self) -> bool:
        """Whether the reverse of every path is a path, too."""
        return all((-down, -right) in self.directions for down, right in self.directions)


def small_board(rules: BoardRules) -> NDArray[np.uint64]:
    """Return the :func:`small_geometry` of a board without its holes."""
    geometry = small_geometry(
        rules.rows, rules.cols, king=rules.king, torus=rules.torus, stay=rules.stay
    )
    for cell in rules.holes:
        geometry[0] &= ~np.uint64(1 << cell)
    return geometry


def lane_board(rules: BoardRules) -> NDArray[np.uint64]:
    """Return the :func:`lane_geometry` of a board without its holes."""
    geometry = lane_geometry(
        rules.rows,
        rules.cols,
        king=rules.king,
        torus=rules.torus,
        stay=rules.stay,
        directions=rules.directions,
    )
    every = layers_of(geometry)
    for cell in rules.holes:
        row, col = divmod(cell, rules.cols)
        word, lane = divmod(row, ROWS_PER_WORD)
        every[:, word] &= ~np.uint64(1 << (LANE_BITS * lane + col))
    return geometry


def layers_of(geometry: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the set of all cells in a :func:`lane_geometry`, (layers, words of a layer)."""
    n_words, n_layers = int(geometry[0]), int(geometry[7])
    return geometry[8 : 8 + n_words].reshape(n_layers, -1)


def fits_a_word(rules: BoardRules) -> bool:
    """Return whether a set of the board's cells fits into one machine word."""
    return rules.rows * rules.cols <= SMALL_BOARD_CELLS and not rules.directions


def is_scored_small(rules: BoardRules) -> bool:
    """Return whether complete boards are scored with sets of one machine word."""
    return fits_a_word(rules) and not rules.once and rules.slips == 0


def is_scored_classic(rules: BoardRules) -> bool:
    """Return whether complete boards are scored path by path, with each cell once per word."""
    return rules.once and not rules.directions and rules.slips == 0


@functools.lru_cache(maxsize=8)
def neighbours(rules: BoardRules) -> tuple[tuple[int, ...], ...]:
    """Return, for each cell in row-major order, the cells that may follow it, in order."""
    steps = rules.directions or [
        (down, right)
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
        if (rules.king or down == 0 or right == 0) and (down, right) != (0, 0)
    ]
    near = []
    for row in range(rules.rows):
        for col in range(rules.cols):
            cells = {row * rules.cols + col} if rules.stay and not rules.once else set()
            for down, right in steps:
                other_row, other_col = row + down, col + right
                if rules.torus:
                    other_row, other_col = other_row % rules.rows, other_col % rules.cols
                inside = 0 <= other_row < rules.rows and 0 <= other_col < rules.cols
                if inside and (other_row, other_col) != (row, col):
                    cells.add(other_row * rules.cols + other_col)
            near.append(tuple(sorted(cells.difference(rules.holes))))
    return tuple(near)


def walked_classic(
    trie: LexiconTrie, values: NDArray[np.float64], rules: BoardRules
) -> ClassicTrie:
    """Make the arrays of a trie and a board for scoring path by path."""
    return classic_trie(trie.symbol, trie.depth, trie.string, values, neighbours(rules))


@dataclass(frozen=True, eq=False)
class Inspection:
    """Words of a board, and their cells."""

    value: float
    found: NDArray[np.bool_]  # (strings,), whether each word is on the board
    usage: NDArray[np.int32]
    """(cells,), number of times that each cell helps to spell a word (Schafer 1999, step 5)."""
    covers: NDArray[np.uint64]
    """(strings, words), cells that each found word can use, 16 bits per row."""


class GridScorer:
    """The kernels' arrays of one lexicon on one board.

    values: float64 (strings,), from 0 up, value of each word.
    bans: banned words and their penalty, or None.
    """

    def __init__(
        self,
        trie: LexiconTrie,
        n_symbols: int,
        values: NDArray[np.float64],
        rules: BoardRules,
        bans: Self | None = None,
    ) -> None:
        self._rules = rules
        self._values = values
        self._bans = bans
        self._lanes = lane_board(rules)
        self._trie = (trie.symbol, trie.depth, trie.skip)
        self._string = trie.string
        self._n_symbols = n_symbols
        self._max_level = trie.max_level
        self._classic = walked_classic(trie, values, rules) if is_scored_classic(rules) else None
        self._small = is_scored_small(rules)
        if self._small:
            self._geometry = small_board(rules)
            self._node_value = trie.node_values(values)

    def score(self, grids: NDArray[np.uint8], scores: NDArray[np.float64]) -> None:
        """Score boards, uint8 (n, cells), into ``scores``, float64 (n,)."""
        self._add_up(grids, scores)
        if self._bans is not None:
            against = np.empty(len(grids))
            self._bans.score(grids, against)
            scores -= against

    def _add_up(self, grids: NDArray[np.uint8], scores: NDArray[np.float64]) -> None:
        if self._small:
            score_grids(
                grids,
                *self._trie,
                self._node_value,
                self._geometry,
                small_room(self._n_symbols, self._max_level),
                scores,
            )
            return
        if (walked := self._classic) is not None:
            room = classic_room(walked, self._max_level)
            score_grids_classic(grids, walked, walked.wide, walked.ends, room, scores)
            return
        found = np.empty(len(self._values), np.bool_)
        score_grids_lanes(grids, *self._lane_arguments(), found, *NOWHERE, scores)

    def small_walk(self) -> SmallWalk | None:
        """Return the arrays for :func:`tilelab.puzzles.boggle.kernels.generations.evolve`.

        The working array at the end is for one thread. None: boards are scored in another way.
        """
        if not self._small or self._bans is not None:
            return None
        room = small_room(self._n_symbols, self._max_level)
        return (*self._trie, self._node_value, self._max_level, self._geometry, room)

    def usage(self, grid: Cells, usage: NDArray[np.int32]) -> None:
        """Count the usage of a board's cells into ``usage``, int32 (cells,)."""
        self.usages(grid[None], usage[None])

    def usages(self, grids: NDArray[np.uint8], usages: NDArray[np.int32]) -> None:
        """Count the usage of the cells of boards, uint8 (n, cells), into ``usages``, int32."""
        if self._small:
            cell_usages(
                grids,
                self._n_symbols,
                *self._trie,
                self._node_value,
                self._max_level,
                self._geometry,
                usages,
            )
            return
        found = np.empty(len(self._values), np.bool_)
        for grid, usage in zip(grids, usages, strict=True):
            inspect_grid(grid, *self._lane_arguments(), found, usage, NOWHERE[1])

    def inspect(self, grid: Cells) -> Inspection:
        """Find every word of a board and the cells that it can use."""
        found = np.empty(len(self._values), np.bool_)
        usage = np.empty(len(grid), np.int32)
        covers = np.empty((len(self._values), layers_of(self._lanes).shape[1]), np.uint64)
        value = inspect_grid(grid, *self._lane_arguments(), found, usage, covers)
        if self._bans is not None:
            value -= self._bans.inspect(grid).value
        return Inspection(float(value), found, usage, covers)

    def _lane_arguments(self) -> tuple[object, ...]:
        # Several threads may score at the same time, so each call has its own working array.
        room = lane_room(self._n_symbols, self._max_level, self._lanes, once=self._rules.once)
        return (*self._trie, self._string, self._values, self._lanes, self._rules.slips > 0, *room)
