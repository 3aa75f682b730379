"""Moves on a letter grid: the neighbourhood of the local searches.

A move puts a letter into a cell, swaps two cells, or writes a string that is missing along one of
the paths where the fewest letters are wrong. Each is drawn from one random 64-bit word, so that a
caller who draws a fixed number of words a unit has the same run however it is sliced.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.kernels.decorators import inlined, part
from tilelab.kernels.random_words import below, fraction, next_word
from tilelab.puzzles.boggle.kernels.board_sets import spread_by, spread_lanes_back
from tilelab.puzzles.boggle.kernels.classic_walk import ClassicTrie
from tilelab.puzzles.boggle.kernels.near_misses import fill_sets

MAX_CHANGES = 16
"""Cells that one move may change; a string with more wrong letters is not written."""
ENERGY, VALUE, BEST_VALUE, BLOCK_BEST, ACCEPTED, BEST_ENERGY, FORBIDDEN, BANNED = range(8)
"""Places in the array ``numbers``."""
_TRIES = 8


class Strings(NamedTuple):
    """The lexicon and the board, string by string; nothing in it changes during a run."""

    codes: NDArray[np.uint8]
    """Symbol indices of all strings, one after the other."""
    offsets: NDArray[np.int64]
    """(strings + 1,), where each string begins in ``codes``."""
    entry_of: NDArray[np.int32]
    """Like ``codes``: the entry of this letter in this string."""
    entry_begin: NDArray[np.int64]
    """(symbols + 1,), where the entries of each letter begin."""
    entry_string: NDArray[np.int32]
    """(entries,), sorted by letter: the string of each entry."""
    entry_repeats: NDArray[np.bool_]
    """(entries,), whether the string has the letter more than once."""
    values: NDArray[np.float64]
    """(strings,), what each adds to the score."""
    energies: NDArray[np.float64]
    """(strings, bound + 3), what each adds to the energy with so many wrong letters.

    Nothing beyond the bound. Best paths are known up to one wrong letter more, which is as near as
    one move can help; two more stands for all beyond.
    """
    geometry: NDArray[np.uint64]
    """See :mod:`tilelab.puzzles.boggle.kernels.board_sets`."""
    plain: bool | None
    """True for a small board of which :func:`kernels.board_sets.is_plain` says so."""
    cell_word: NDArray[np.int64]
    """(cells,), the word of a set that a cell is in, in its first layer."""
    cell_bit: NDArray[np.uint64]
    """(cells,), its bit there."""
    cell_of: NDArray[np.int64]
    """(64 * words,), the cell of each bit, or -1."""
    layer_words: int
    """Words of a layer of a set; where there is one layer: of a set."""
    n_slips: int
    """Wrong letters that still count as encoded."""
    free: NDArray[np.int64]
    """The cells whose letters may change."""
    free_set: NDArray[np.uint64] | None
    """(words,), the same as a set; None where no cell of the board is locked."""
    per_constraint: float
    """How much of its value a required string has besides its own; 0 where none is required."""
    constraint_energy: float
    """How much of its energy that is."""


class Trie(NamedTuple):
    """The lexicon as the whole scorers walk it; nothing in it changes during a run.

    Searches that count near misses have None in its place, and so are compiled without the scorers.
    """

    symbol: NDArray[np.uint8]
    depth: NDArray[np.uint8]
    skip: NDArray[np.int32]
    string: NDArray[np.int32]
    node_value: NDArray[np.float64] | None
    """(nodes,), or None where the slower rules or a larger board need the sets of lanes."""
    classic: ClassicTrie | None
    """For cells that may be used once; None under other rules."""
    slips: bool


class Bans(NamedTuple):
    """The strings that must not be in, and the room that counting them takes.

    Where there are none, None stands in its place, and nothing of it is compiled.
    """

    symbol: NDArray[np.uint8]
    """(nodes,), and the rest of their trie."""
    depth: NDArray[np.uint8]
    skip: NDArray[np.int32]
    string: NDArray[np.int32]
    node_value: NDArray[np.float64] | None
    """(nodes,), 1 where one ends; None where a larger board or cells that may be used once need
    something else."""
    classic: ClassicTrie | None
    """See :class:`Trie`."""
    values: NDArray[np.float64]
    """(strings,), 1 for each."""
    value: float
    """What each takes off the value."""
    energy: float
    """What each takes off the energy."""
    n_found: NDArray[np.float64]
    """(1,), how many are in the grid with the move that was judged last."""
    found: NDArray[np.bool_]
    """(strings,)"""
    room: tuple[NDArray[Any], ...]
    paths: tuple[NDArray[Any], ...] | None


class Grid(NamedTuple):
    """A grid and what follows from it; changed by every accepted move."""

    cells: NDArray[np.uint8]
    letter_cells: NDArray[np.uint64]
    """(symbols, words), the cells that hold each symbol."""
    misses: NDArray[np.int64]
    """(strings,), the least number of wrong letters, bounded."""
    play: NDArray[np.uint64]
    """(entries, words), the cells in which a best path has the letter."""
    want: NDArray[np.uint64]
    """(entries, words), the cells in which a best path lacks the letter."""
    stale: NDArray[np.int64]
    """(strings,), 0 where ``play`` and ``want`` hold, else 1 and how often that was felt since."""
    best_cells: NDArray[np.uint8]
    numbers: NDArray[np.float64]
    """Energy, value, best value; best value and accepted moves of the block; best energy; moves
    that the tabu list has forbidden in the block; banned strings that are in."""


class Scratch(NamedTuple):
    """Room to work in; holds nothing from one move to the next."""

    sets: NDArray[np.uint64]
    """(wrong letters, positions, words), see :mod:`tilelab.puzzles.boggle.kernels.near_misses`."""
    near: NDArray[np.uint64]
    """(words,), one set."""
    lanes: tuple[NDArray[np.uint64], NDArray[np.uint64] | None] | None
    """(3, words) and a column, see :mod:`kernels.near_misses`; None for sets of one
    word."""
    change_cell: NDArray[np.int64]
    change_old: NDArray[np.uint8]
    change_new: NDArray[np.uint8]
    seen: NDArray[np.int64]
    """(strings,), the stamp of the last move that looked at each."""
    new_misses: NDArray[np.int64]
    looked_at: NDArray[np.int64]
    """(strings,), the strings that the move looked at, in order."""
    stamp: NDArray[np.int64]
    """(3,), the present stamp; the string that the move writes, or -1; strings looked at."""
    found: NDArray[np.bool_]
    """(strings,), and the rest of what the whole scorers work in; see those."""
    score: NDArray[np.float64]
    """(3,), room for one score; energy and value of the grid that was scored last as a whole."""
    room: tuple[NDArray[Any], ...]
    paths: tuple[NDArray[Any], ...] | None
    usage: NDArray[np.int32]
    """(0,)"""
    covers: NDArray[np.uint64]
    """(0, 0)"""


@part
def _nth_bit(cells, n):
    """Return the n-th bit of a set, uint64 (words,), or -1 when it has no more than n."""
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
    """Tell whether a cell of a set may get another letter; free_set: None where all may."""
    if free_set is None:
        return True
    return free_set[word] & bit != np.uint64(0)


@inlined
def _draw_writing(word, strings, grid, scratch, lanes):
    """Choose a missing string and one of the paths with the fewest wrong letters for it.

    On straight lines few strings are ever nearly there: one that is not goes along any line that
    has room. Writes the cells to change and their letters; returns how many, 0 for no move.
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
        # A letter that may stay wrong need not be written; which one, chance decides.
        word, drawn = next_word(word)
        spared = below(drawn, n_changes)
        n_changes -= 1
        scratch.change_cell[spared] = scratch.change_cell[n_changes]
        scratch.change_new[spared] = scratch.change_new[n_changes]
    return n_changes


@inlined
def draw_move(word, swap_share, write_share, strings, trie, grid, scratch):
    """Write a move's cells and letters into the scratch; returns how many, 0 for no move."""
    free = strings.free
    scratch.stamp[1] = -1
    word, drawn = next_word(word)
    kind = fraction(drawn)
    # In whole scoring no string is known to be near, so none is written.
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
    """Make the move in the scratch, and note what was there before."""
    for index in range(n_changes):
        cell = scratch.change_cell[index]
        scratch.change_old[index] = grid.cells[cell]
        put(cell, scratch.change_new[index], strings, grid)


@inlined
def take_back(n_changes, strings, grid, scratch):
    """Undo the move in the scratch."""
    for index in range(n_changes - 1, -1, -1):
        put(scratch.change_cell[index], scratch.change_old[index], strings, grid)
