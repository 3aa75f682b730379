"""The neighbourhood of a letter grid: change a letter, swap two cells, write a missing string."""

import numpy as np
from numpy.typing import NDArray

from tilelab.core.parameters import Params, parameter
from tilelab.core.puzzle import Cells
from tilelab.kernels.grids.board_sets import SMALL_GEOMETRY, lane_geometry, small_geometry
from tilelab.kernels.grids.energy import place
from tilelab.kernels.grids.lane_walk import lane_room
from tilelab.kernels.grids.moves import (
    ACCEPTED,
    BEST_ENERGY,
    BEST_VALUE,
    BLOCK_BEST,
    ENERGY,
    FORBIDDEN,
    MOST_CHANGES,
    VALUE,
    Grid,
    Scratch,
    Strings,
    Trie,
)
from tilelab.kernels.grids.searches import tabu_steps, walk
from tilelab.kernels.grids.set_walk import small_room
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.puzzles.boggle.scorer import NOWHERE, SMALL_BOARD_CELLS
from tilelab.solvers.local_search import Neighbourhood, Numbers, typical_worth
from tilelab.solvers.proposed_moves import Words

MOST_LETTERS = 6_000
"""Of all strings together; a larger lexicon is scored as a whole, without near misses."""
_MOVES = "Moves and near misses"
_BLOCK_MOVES = 2_000
_BLOCK_NODES = 4_000_000
"""Nodes of the trie that a block may visit, so that it ends within some milliseconds."""
_BLOCKS_PER_CELL = 20
"""Length of annealing's first cycle."""
_LARGE_CELLS = 32
"""For every so many cells the first cycle is longer again: a large board freezes too early."""
_LANE_COST = 8
"""How much longer a node takes with sets of several words."""


class GridMoveParams(Params):
    """What the moves on a grid are, and what a nearly encoded string is worth."""

    swaps: int = parameter(
        10,
        "Swaps",
        low=0,
        high=50,
        unit="% of the moves",
        help="How many moves swap two cells; the others put a letter into a cell.",
        group=_MOVES,
        forkable=True,
    )
    writing: int = parameter(
        20,
        "Writing",
        low=0,
        high=50,
        unit="% of the moves",
        help="How many moves write a missing string where its fewest letters are wrong.",
        group=_MOVES,
        forkable=True,
    )
    near: int = parameter(
        1,
        "Near misses",
        low=0,
        high=2,
        unit="wrong letters",
        help="Up to how many wrong letters a string still adds a part of its value to what the "
        "search climbs; large lexicons and cells that may be used once go without.",
        group=_MOVES,
    )
    near_share: int = parameter(
        25,
        "Worth of a near miss",
        low=0,
        high=90,
        unit="%",
        help="What is left of a string's value for each wrong letter.",
        group=_MOVES,
    )


class GridNeighbourhood(Neighbourhood):
    """A grid, the moves from it, and the best grid found; all state follows from the cells."""

    indices = Numbers(VALUE, BEST_VALUE, ENERGY, BEST_ENERGY, BLOCK_BEST, ACCEPTED, FORBIDDEN)

    def __init__(self, puzzle: BogglePuzzle, params: GridMoveParams) -> None:
        puzzle.refuse_constraints()
        self._puzzle = puzzle
        rows, cols = puzzle.shape
        self._n_cells = rows * cols
        is_whole = puzzle.rules.once or len(puzzle.lexicon.codes) > MOST_LETTERS
        self._shares = (params.swaps / 100, 0.0 if is_whole else params.writing / 100)
        self._strings = _strings(puzzle, params, is_whole=is_whole)
        self._trie = _trie(puzzle) if is_whole else None
        self.words = Words("value" if is_whole else "energy", "")
        self._grid = _empty_grid(self._strings, self._n_cells, len(puzzle.lexicon.alphabet))
        super().__init__(self._grid.cells, self._grid.best_cells, self._grid.numbers)
        self._n_scored = 0
        self._scratch = _scratch(puzzle, self._strings, self._trie)
        is_small = self._n_cells <= SMALL_BOARD_CELLS
        self.block = _BLOCK_MOVES if is_small else _BLOCK_MOVES // _LANE_COST
        """Moves in a unit: a matter of milliseconds."""
        if self._trie is not None:
            cost = _LANE_COST if self._trie.node_value is None else 1
            self.block = int(np.clip(_BLOCK_NODES // (puzzle.trie.n_nodes * cost), 1, self.block))

    @property
    def shape_of_memory(self) -> tuple[int, int]:
        return self._n_cells, len(self._puzzle.lexicon.alphabet)

    @property
    def n_scored(self) -> int:
        """How many grids the last block has scored: one a move."""
        return self._n_scored

    @property
    def estimated_gain(self) -> float | None:
        if self._trie is not None:
            return None
        # The kernel has left there which strings it has looked at, and adds them up so.
        scratch, energies = self._scratch, self._strings.energies
        looked_at = scratch.looked_at[: scratch.stamp[2]]
        after = energies[looked_at, scratch.new_misses[looked_at]]
        gains = after - energies[looked_at, self._grid.misses[looked_at]]
        return float(sum(gains.tolist(), 0.0))

    @property
    def temperatures(self) -> tuple[float, float]:
        typical = typical_worth(self._strings.values)
        # In a large lexicon a letter has a part in many strings.
        is_large = len(self._strings.codes) > MOST_LETTERS
        initial, final = (8.0, 1.0) if is_large else (0.33, 0.1)
        return initial * typical, final * typical

    @property
    def first_cycle(self) -> int:
        return _BLOCKS_PER_CELL * self._n_cells * max(1, self._n_cells // _LARGE_CELLS)

    def is_complete(self, cells: Cells, value: float) -> bool:
        return self._puzzle.is_complete(cells, value)

    def random_cells(self, rng: np.random.Generator) -> Cells:
        """Draw a grid with letters as frequent as in the lexicon."""
        codes = self._strings.codes
        return codes[rng.integers(0, len(codes), self._n_cells)]

    def place(self, cells: Cells) -> None:
        place(cells, self._strings, self._trie, self._grid, self._scratch)

    def walk(self, bits: NDArray[np.uint64], temperatures: NDArray[np.float64]) -> None:
        self._n_scored = len(bits)
        walk(
            bits,
            temperatures,
            *self._shares,
            self._strings,
            self._trie,
            self._grid,
            self._scratch,
        )

    def climb(self, bits: NDArray[np.uint64], patience: int, n_idle: int) -> tuple[int, int]:
        """Do some moves, one for each of the bits; it never restarts."""
        before = self.numbers.energy
        self.walk(bits, np.zeros(len(bits)))
        return (0 if self.numbers.energy > before else n_idle + len(bits)), 0

    def tabu(
        self, bits: NDArray[np.uint64], first_step: int, tenure: int, until: NDArray[np.int64]
    ) -> int:
        self._n_scored = bits.size
        tabu_steps(
            bits,
            first_step,
            tenure,
            *self._shares,
            self._strings,
            self._trie,
            self._grid,
            self._scratch,
            until,
        )
        return bits.size


def _strings(puzzle: BogglePuzzle, params: GridMoveParams, *, is_whole: bool) -> Strings:
    lexicon, rules = puzzle.lexicon, puzzle.rules
    n_cells, n_symbols = rules.rows * rules.cols, len(lexicon.alphabet)
    is_small = n_cells <= SMALL_BOARD_CELLS and not (is_whole and (rules.once or rules.slips))
    shape = {"king": rules.king, "torus": rules.torus, "stay": rules.stay}
    cells = np.arange(n_cells)
    if is_small:
        geometry = small_geometry(rules.rows, rules.cols, **shape)
        bits, n_words = cells, 1
    else:
        geometry = lane_geometry(rules.rows, rules.cols, **shape)
        bits = 16 * (cells // rules.cols) + cells % rules.cols
        n_words = int(geometry[0])
    cell_of = np.full(64 * n_words, -1)
    cell_of[bits] = cells
    owner = np.repeat(np.arange(len(lexicon.strings)), lexicon.lengths)
    entries, entry_of, n_times = np.unique(
        lexicon.codes.astype(np.int64) * len(lexicon.strings) + owner,
        return_inverse=True,
        return_counts=True,
    )
    if is_whole:
        entries, entry_of = entries[:0], entry_of[:0]
    return Strings(
        codes=lexicon.codes,
        offsets=lexicon.offsets.astype(np.int64),
        entry_of=entry_of.astype(np.int32),
        entry_begin=np.searchsorted(entries // len(lexicon.strings), np.arange(n_symbols + 1)),
        entry_string=(entries % len(lexicon.strings)).astype(np.int32),
        entry_repeats=n_times > 1,
        values=puzzle.values,
        energies=_energies(puzzle.values, rules.slips, params),
        geometry=geometry,
        cell_word=bits // 64,
        cell_bit=np.uint64(1) << (bits % 64).astype(np.uint64),
        cell_of=cell_of,
        n_slips=rules.slips,
    )


def _energies(
    values: NDArray[np.float64], n_slips: int, params: GridMoveParams
) -> NDArray[np.float64]:
    """Return what each string adds with so many wrong letters; see ``Strings.energies``."""
    shares = np.zeros(n_slips + params.near + 3)
    shares[: n_slips + 1] = 1.0
    near = np.arange(1, params.near + 1)
    shares[n_slips + near] = (params.near_share / 100) ** near
    # A string that is worth nothing is still wanted, for a grid that encodes every string.
    positive = values[values > 0]
    least = 1e-3 * float(positive.min()) if len(positive) else 1.0
    return np.maximum(values, least)[:, np.newaxis] * shares


def _trie(puzzle: BogglePuzzle) -> Trie:
    trie, rules = puzzle.trie, puzzle.rules
    is_small = rules.rows * rules.cols <= SMALL_BOARD_CELLS and not rules.once and rules.slips == 0
    return Trie(
        symbol=trie.symbol,
        depth=trie.depth,
        skip=trie.skip,
        string=trie.string,
        node_value=trie.node_values(puzzle.values) if is_small else None,
        slips=rules.slips > 0,
    )


def _empty_grid(strings: Strings, n_cells: int, n_symbols: int) -> Grid:
    n_words, n_entries = len(strings.cell_of) // 64, len(strings.entry_string)
    numbers = np.zeros(7)
    numbers[BEST_VALUE], numbers[BEST_ENERGY] = -1.0, -np.inf
    return Grid(
        cells=np.zeros(n_cells, np.uint8),
        letter_cells=np.zeros((n_symbols, n_words), np.uint64),
        # In whole scoring no string is known to be near, so none is written.
        misses=np.full(len(strings.values), strings.energies.shape[1], np.int64),
        play=np.zeros((n_entries, n_words), np.uint64),
        want=np.zeros((n_entries, n_words), np.uint64),
        stale=np.zeros(len(strings.values), np.int64),
        best_cells=np.zeros(n_cells, np.uint8),
        numbers=numbers,
    )


def _scratch(puzzle: BogglePuzzle, strings: Strings, trie: Trie | None) -> Scratch:
    n_words = len(strings.cell_of) // 64
    n_levels, longest = strings.energies.shape[1], int(np.diff(strings.offsets).max())
    room: tuple[NDArray[np.generic], ...] = ()
    paths = None
    if trie is not None:
        size = len(puzzle.lexicon.alphabet), puzzle.trie.max_level
        if trie.node_value is not None:
            room = small_room(*size)
        else:
            room, paths = lane_room(*size, strings.geometry, once=puzzle.rules.once)
    usage, covers = NOWHERE
    is_small = len(strings.geometry) == SMALL_GEOMETRY
    return Scratch(
        sets=np.zeros((n_levels, longest, n_words), np.uint64),
        near=np.zeros(n_words, np.uint64),
        lanes=None if is_small else np.zeros((4, n_words), np.uint64),
        change_cell=np.zeros(MOST_CHANGES, np.int64),
        change_old=np.zeros(MOST_CHANGES, np.uint8),
        change_new=np.zeros(MOST_CHANGES, np.uint8),
        seen=np.zeros(len(strings.values), np.int64),
        new_misses=np.zeros(len(strings.values), np.int64),
        looked_at=np.zeros(len(strings.values), np.int64),
        stamp=np.zeros(3, np.int64),
        found=np.zeros(len(strings.values), np.bool_),
        score=np.empty(1),
        room=room,
        paths=paths,
        usage=usage,
        covers=covers,
    )
