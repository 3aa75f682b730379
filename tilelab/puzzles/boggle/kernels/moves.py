"""Moves on a letter grid: the neighbourhood of the local searches.

A move puts a letter into a cell, swaps two cells, or writes a missing string along one of the paths
with the fewest wrong letters. Each move is drawn from one random 64-bit word. If a caller draws a
fixed number of words for each unit, a run is the same for any length of its slices.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tilelab.kernels.decorators import inlined, part
from tilelab.kernels.random_words import below, fraction, next_word
from tilelab.puzzles.boggle.kernels.board_sets import spread_by, spread_lanes_back
from tilelab.puzzles.boggle.kernels.classic_walk import ClassicTrie
from tilelab.puzzles.boggle.kernels.near_misses import fill_sets

MAX_CHANGES = 16
"""Maximum number of cells that a move changes; strings with more wrong letters are not written."""
ENERGY, VALUE, BEST_VALUE, BLOCK_BEST, ACCEPTED, BEST_ENERGY, FORBIDDEN, BANNED = range(8)
"""Places in the array ``numbers``."""
_TRIES = 8

Room: TypeAlias = tuple[NDArray[np.generic] | bool | None, ...]
"""Working arrays of the scorer of a whole grid; each scorer has its own."""


class Strings(NamedTuple):
    """The lexicon and the board, string by string; nothing in it changes during a run."""

    codes: NDArray[np.uint8]
    """Symbol indices of all strings, one string after another."""
    offsets: NDArray[np.int64]
    """(strings + 1,), place in ``codes`` where each string begins."""
    entry_of: NDArray[np.int32]
    """(codes,), the entry of the letter and its string."""
    entry_begin: NDArray[np.int64]
    """(symbols + 1,), first entry of each letter."""
    entry_string: NDArray[np.int32]
    """(entries,), string of each entry; entries are sorted by letter."""
    entry_repeats: NDArray[np.bool_]
    """(entries,), whether the string has the letter more than once."""
    values: NDArray[np.float64]
    """(strings,), value that each string adds to the score."""
    energies: NDArray[np.float64]
    """(strings, bound + 3), energy that each string adds, by its number of wrong letters.

    Beyond the bound it is 0. Best paths are known for up to bound + 1 wrong letters, because one
    move can improve only those; bound + 2 means any larger number.
    """
    geometry: NDArray[np.uint64]
    """See :mod:`tilelab.puzzles.boggle.kernels.board_sets`."""
    plain: bool | None
    """True if :func:`tilelab.puzzles.boggle.kernels.board_sets.is_plain` is, otherwise None."""
    cell_word: NDArray[np.int64]
    """(cells,), word of a set that contains a cell, in the first layer."""
    cell_bit: NDArray[np.uint64]
    """(cells,), bit of a cell in that word."""
    cell_of: NDArray[np.int64]
    """(64 * words,), cell of each bit, or -1."""
    layer_words: int
    """Number of words in a layer of a set."""
    n_slips: int
    """Number of wrong letters with which a string still counts as encoded."""
    free: NDArray[np.int64]
    """Cells whose letters may change."""
    free_set: NDArray[np.uint64] | None
    """(words,), these cells as a set; None if no cell of the board is locked."""
    per_constraint: float
    """Additional value of a required string; 0 if no string is required."""
    constraint_energy: float
    """Additional energy of a required string."""


class Trie(NamedTuple):
    """The lexicon for the scorers of whole grids; nothing in it changes during a run.

    Searches that count near misses have None instead, and are compiled without these scorers.
    """

    symbol: NDArray[np.uint8]
    depth: NDArray[np.uint8]
    skip: NDArray[np.int32]
    string: NDArray[np.int32]
    node_value: NDArray[np.float64] | None
    """(nodes,), or None if the slower rules or a larger board need sets of lanes."""
    classic: ClassicTrie | None
    """Trie for rules with which a string uses each cell once; None for other rules."""
    slips: bool
    """Whether a string may have a wrong letter."""


class Bans(NamedTuple):
    """The banned strings, and working arrays for counting them.

    Without banned strings, searches have None instead, and are compiled without counting them.
    """

    symbol: NDArray[np.uint8]
    """(nodes,), as depth, skip and string: the trie of the banned strings."""
    depth: NDArray[np.uint8]
    skip: NDArray[np.int32]
    string: NDArray[np.int32]
    node_value: NDArray[np.float64] | None
    """(nodes,), 1 if a banned string ends at a node. None if a larger board, or cells that are used
    once, need other scorers."""
    classic: ClassicTrie | None
    """See :class:`Trie`."""
    values: NDArray[np.float64]
    """(strings,), 1 for each."""
    value: float
    """Amount by which each banned string reduces the value."""
    energy: float
    """Amount by which each banned string reduces the energy."""
    n_found: NDArray[np.float64]
    """(1,), number of banned strings in the grid after the move that was judged last."""
    found: NDArray[np.bool_]
    """(strings,)"""
    room: Room
    paths: Room | None


class Grid(NamedTuple):
    """A grid and all data that depends on it; every accepted move changes it."""

    cells: NDArray[np.uint8]
    letter_cells: NDArray[np.uint64]
    """(symbols, words), cells that hold each symbol."""
    misses: NDArray[np.int64]
    """(strings,), minimum number of wrong letters, up to bound + 2 (see ``Strings.energies``)."""
    hit_cells: NDArray[np.uint64]
    """(entries, words), cells where a best path has the letter."""
    missing_cells: NDArray[np.uint64]
    """(entries, words), cells where a best path does not have the letter."""
    staleness: NDArray[np.int64]
    """(strings,), 0 if ``hit_cells`` and ``missing_cells`` are valid; otherwise 1 plus the number
    of counts without effect since then."""
    best_cells: NDArray[np.uint8]
    numbers: NDArray[np.float64]
    """Energy, value, best value; best value and accepted moves of the call; best energy; moves that
    the tabu list has forbidden in the call; banned strings in the grid."""


class Scratch(NamedTuple):
    """Working arrays of one grid; nothing in them is needed after a move, but scores are reused."""

    sets: NDArray[np.uint64]
    """(wrong letters, positions, words), see :mod:`tilelab.puzzles.boggle.kernels.near_misses`."""
    near: NDArray[np.uint64]
    """(words,), a set."""
    lanes: tuple[NDArray[np.uint64], bool | None] | None
    """(3, words) and True or None for straight lines, see
    :func:`tilelab.puzzles.boggle.kernels.near_misses.count_misses`; None for sets of one word."""
    change_cell: NDArray[np.int64]
    change_old: NDArray[np.uint8]
    change_new: NDArray[np.uint8]
    last_stamp: NDArray[np.int64]
    """(strings,), stamp of the last move that counted each string."""
    new_misses: NDArray[np.int64]
    looked_at: NDArray[np.int64]
    """(strings,), strings that the current move has counted, in order."""
    stamp: NDArray[np.int64]
    """(3,), stamp of the current move; string that it writes, or -1; number of strings counted."""
    found: NDArray[np.bool_]
    """(strings,), as room, paths, usage and covers: an argument of the scorers of whole grids."""
    score: NDArray[np.float64]
    """(4,), a score; energy and value of the grid that was last scored as a whole; how often the
    current grid has changed."""
    known: NDArray[np.float64]
    """(cells, symbols, 3), for a letter in a cell: after how many changes of the grid it was last
    scored with that letter there; its energy and value then. (0, 0, 3) if ``trie`` is None."""
    room: Room
    paths: Room | None
    usage: NDArray[np.int32]
    """(0,)"""
    covers: NDArray[np.uint64]
    """(0, 0)"""


@part
def _nth_bit(cells, n):
    """Return the n-th bit, from 0, of a set, uint64 (words,), or -1 if it has n bits or fewer."""
    for word in range(cells.shape[0]):
        left = cells[word]
        while left != np.uint64(0):
            if n == 0:
                bit = np.int64(0)
                low = left & (~left + np.uint64(1))
                while low > np.uint64(0xFF):
                    low >>= np.uint64(8)
                    bit += 8
                while low > np.uint64(1):
                    low >>= np.uint64(1)
                    bit += 1
                return 64 * word + bit
            left &= left - np.uint64(1)
            n -= 1
    return -1


@part
def _n_cells(cells):
    """Count the cells of a set, uint64 (words,)."""
    count = 0
    for word in range(cells.shape[0]):
        left = cells[word]
        while left != np.uint64(0):
            left &= left - np.uint64(1)
            count += 1
    return count


@part
def _is_free(word, bit, free_set):
    """Return whether the letter of a cell may change; free_set: None if all letters may."""
    if free_set is None:
        return True
    return free_set[word] & bit != np.uint64(0)


@inlined
def _draw_writing(word, strings, grid, scratch, lanes):
    """Choose a missing string and one of its paths with the fewest wrong letters.

    On straight lines, few strings are nearly encoded. All others are written along any line with
    enough cells. The function writes the cells to be changed and their letters; it returns their
    number, 0 for no move.
    """
    n_strings = strings.values.shape[0]
    is_straight = strings.layer_words < grid.letter_cells.shape[1]
    chosen, is_far = -1, False
    for _ in range(_TRIES):
        word, drawn = next_word(word)
        string = below(drawn, n_strings)
        is_far = grid.misses[string] >= strings.energies.shape[1] - 1
        if grid.misses[string] > strings.n_slips and (is_straight or not is_far):
            chosen = string
            break
    if chosen < 0:
        return 0
    scratch.stamp[1] = chosen
    begin, end = strings.offsets[chosen], strings.offsets[chosen + 1]
    sets, wrong = scratch.sets, grid.misses[chosen]
    if not is_far:
        fill_sets(
            begin, end, wrong, strings.codes, grid.letter_cells, strings.free_set,
            strings.geometry, strings.plain, sets, lanes,
        )  # fmt: skip
    near = scratch.near
    near[:] = ~np.uint64(0)
    n_changes = 0
    for position in range(end - begin - 1, -1, -1):
        letter = strings.codes[begin + position]
        for lane in range(near.shape[0]):
            near[lane] &= strings.geometry[8 + lane] if is_far else sets[wrong, position, lane]
        word, drawn = next_word(word)
        n_near = _n_cells(near)
        if is_far and n_near == 0:
            return 0
        place = _nth_bit(near, below(drawn, n_near))
        cell = strings.cell_of[place]
        if grid.cells[cell] != letter:
            may = _is_free(place // 64, strings.cell_bit[cell], strings.free_set)
            if is_far and (n_changes == MAX_CHANGES or not may):
                return 0
            scratch.change_cell[n_changes], scratch.change_new[n_changes] = cell, letter
            n_changes += 1
            wrong -= 1
        near[:] = np.uint64(0)
        near[place // 64] = strings.cell_bit[cell]
        if lanes is None:
            near[0] = spread_by(near[0], strings.geometry, strings.plain)
        else:
            spread_lanes_back(near, strings.geometry, lanes[1], lanes[0][0])
            for lane in range(near.shape[0]):
                near[lane] = lanes[0][0, lane]
    for _ in range(strings.n_slips):
        # A letter that may be wrong need not be written; it is chosen at random.
        word, drawn = next_word(word)
        spared = below(drawn, n_changes)
        n_changes -= 1
        scratch.change_cell[spared] = scratch.change_cell[n_changes]
        scratch.change_new[spared] = scratch.change_new[n_changes]
    return n_changes


@inlined
def draw_move(word, swap_share, write_share, strings, trie, grid, scratch):
    """Write a move's cells and letters into the scratch; returns their number, 0 for no move."""
    free = strings.free
    scratch.stamp[1] = -1
    word, drawn = next_word(word)
    kind = fraction(drawn)
    # Scorers of whole grids do not find nearly encoded strings, so none is written.
    if trie is None and kind < write_share:
        return _draw_writing(word, strings, grid, scratch, scratch.lanes)
    word, first = next_word(word)
    cell = free[below(first, free.shape[0])]
    word, second = next_word(word)
    if kind < write_share + swap_share:
        other = free[below(second, free.shape[0])]
        scratch.change_cell[0], scratch.change_new[0] = cell, grid.cells[other]
        scratch.change_cell[1], scratch.change_new[1] = other, grid.cells[cell]
        return 2 if grid.cells[cell] != grid.cells[other] else 0
    letter = strings.codes[below(second, strings.codes.shape[0])]
    scratch.change_cell[0], scratch.change_new[0] = cell, letter
    return 1 if letter != grid.cells[cell] else 0


@inlined
def put(cell, letter, strings, grid):
    """Put a letter into a cell of the grid."""
    word, bit = strings.cell_word[cell], strings.cell_bit[cell]
    old = grid.cells[cell]
    while word < grid.letter_cells.shape[1]:
        if old < grid.letter_cells.shape[0]:
            grid.letter_cells[old, word] &= ~bit
        if letter < grid.letter_cells.shape[0]:
            grid.letter_cells[letter, word] |= bit
        word += strings.layer_words
    grid.cells[cell] = letter


@inlined
def make_move(n_changes, strings, grid, scratch):
    """Make the move in the scratch, and store the previous letters."""
    for index in range(n_changes):
        cell = scratch.change_cell[index]
        scratch.change_old[index] = grid.cells[cell]
        put(cell, scratch.change_new[index], strings, grid)


@inlined
def take_back(n_changes, strings, grid, scratch):
    """Undo the move in the scratch."""
    for index in range(n_changes - 1, -1, -1):
        put(scratch.change_cell[index], scratch.change_old[index], strings, grid)
