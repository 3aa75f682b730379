"""Changes by a move on a letter grid: energy, value, and the best paths of the strings.

The energy is the score. If the lexicon is small enough, a string that is nearly encoded adds a part
of its value. Required and banned strings have a smaller weight in the energy than in the value, so
that the other strings matter, too.

With near misses, only the strings that a move can improve or damage are counted again, and ``trie``
is None. A larger lexicon is walked completely, and so are the banned strings. ``bans`` is None if
nothing is banned. numba does not compile a branch for an argument that is None.
"""

import numpy as np

from tilelab.kernels.decorators import inlined, tuple_kernel
from tilelab.puzzles.boggle.kernels.classic_walk import score_classic
from tilelab.puzzles.boggle.kernels.lane_walk import inspect_grid
from tilelab.puzzles.boggle.kernels.moves import (
    ACCEPTED,
    BANNED,
    BEST_ENERGY,
    BEST_VALUE,
    BLOCK_BEST,
    ENERGY,
    VALUE,
    put,
    take_back,
)
from tilelab.puzzles.boggle.kernels.near_misses import count_misses, trace_misses
from tilelab.puzzles.boggle.kernels.set_walk import score_grids

PATIENCE = 6
"""Number of counts of a string without effect before its best paths are traced, which takes longer.
"""


@inlined
def _whole_score(classic, node_value, lanes, strings, trie, grid, scratch):
    """Score the grid by a walk through the whole trie.

    Exactly one of classic, node_value and lanes is not None.
    """
    score = 0.0
    if classic is not None:
        score = score_classic(grid.cells, classic, classic.wide, classic.ends, scratch.room)
    if node_value is not None:
        score_grids(
            grid.cells.reshape((1, -1)), trie.symbol, trie.depth, trie.skip, node_value,
            strings.geometry, scratch.room, scratch.score,
        )  # fmt: skip
        score = scratch.score[0]
    if lanes is not None:
        score = inspect_grid(
            grid.cells, trie.symbol, trie.depth, trie.skip, trie.string, strings.values,
            strings.geometry, trie.slips, scratch.room, scratch.paths, scratch.found,
            scratch.usage, scratch.covers,
        )  # fmt: skip
    return score


@inlined
def _count_bans(classic, node_value, lanes, strings, bans, grid, scratch):
    """Count the banned strings of the grid; the arguments are as in :func:`_whole_score`."""
    if classic is not None:
        bans.n_found[0] = score_classic(grid.cells, classic, classic.wide, classic.ends, bans.room)
    if node_value is not None:
        score_grids(
            grid.cells.reshape((1, -1)), bans.symbol, bans.depth, bans.skip, node_value,
            strings.geometry, bans.room, bans.n_found,
        )  # fmt: skip
    if lanes is not None:
        bans.n_found[0] = inspect_grid(
            grid.cells, bans.symbol, bans.depth, bans.skip, bans.string, bans.values,
            strings.geometry, False, bans.room, bans.paths, bans.found,
            scratch.usage, scratch.covers,
        )  # fmt: skip


@inlined
def _whole_energy(strings, trie, bans, grid, scratch):
    """Compute energy and value of the grid by a walk through the whole trie."""
    lanes = scratch.lanes
    value = _whole_score(trie.classic, trie.node_value, lanes, strings, trie, grid, scratch)
    energy = value
    if strings.per_constraint > 0.0:
        # The sum of all strings' own values is less than the additional value of a required string.
        n_required = np.floor(value / strings.per_constraint)
        energy -= n_required * (strings.per_constraint - strings.constraint_energy)
    if bans is not None:
        _count_bans(bans.classic, bans.node_value, scratch.lanes, strings, bans, grid, scratch)
        energy -= bans.n_found[0] * bans.energy
        value -= bans.n_found[0] * bans.value
    scratch.score[1], scratch.score[2] = energy, value


@inlined
def _recall_energy(n_changes, strings, trie, bans, grid, scratch):
    """Compute energy and value of the grid after the move in the scratch, or recall them.

    Between two accepted moves, the same letter is often tried in the same cell again.
    """
    known, score = scratch.known, scratch.score
    cell, letter = scratch.change_cell[0], scratch.change_new[0]
    if n_changes == 1 and known[cell, letter, 0] == score[3]:
        score[1], score[2] = known[cell, letter, 1], known[cell, letter, 2]
        return
    # Called in one place only: it is inlined, with the walk through the trie.
    _whole_energy(strings, trie, bans, grid, scratch)
    if n_changes == 1:
        known[cell, letter, 0] = score[3]
        known[cell, letter, 1], known[cell, letter, 2] = score[1], score[2]


@inlined
def _look_at(string, strings, grid, scratch):
    """Return the change in energy by a string's misses; 0 if the move has already counted it.

    Most moves are refused. Misses beyond the bound, which have no effect on the energy, are
    therefore counted only in :func:`_take_misses`.
    """
    if scratch.last_stamp[string] == scratch.stamp[0]:
        return 0.0
    scratch.last_stamp[string] = scratch.stamp[0]
    scratch.looked_at[scratch.stamp[2]] = string
    scratch.stamp[2] += 1
    energies = strings.energies
    misses = count_misses(
        strings.offsets[string], strings.offsets[string + 1], energies.shape[1] - 3,
        strings.codes, grid.letter_cells, strings.free_set, strings.geometry, strings.plain,
        scratch.sets, scratch.lanes,
    )  # fmt: skip
    scratch.new_misses[string] = misses
    return energies[string, misses] - energies[string, grid.misses[string]]


@inlined
def _take_misses(string, strings, grid, scratch):
    """Store the misses of a string that the move has counted, complete up to the maximum."""
    misses, max_misses = scratch.new_misses[string], strings.energies.shape[1] - 2
    if misses == max_misses:
        misses = count_misses(
            strings.offsets[string], strings.offsets[string + 1], max_misses,
            strings.codes, grid.letter_cells, strings.free_set, strings.geometry, strings.plain,
            scratch.sets, scratch.lanes,
        )  # fmt: skip
    grid.misses[string] = misses


@inlined
def energy_change(n_changes, strings, trie, bans, grid, scratch):
    """Return the change in energy by the move in the scratch, which has been made.

    If the best paths of a string are known, it is counted only if the move can improve or damage
    it. For a move of one cell this is exact, unless a string uses this cell twice on a path that
    was not one of its best. For a move of several cells, strings that need more than one of them
    are left out. An accepted move is counted exactly.
    """
    if trie is not None:
        _recall_energy(n_changes, strings, trie, bans, grid, scratch)
        return scratch.score[1] - grid.numbers[ENERGY]
    scratch.stamp[0] += 1
    scratch.stamp[2] = 0
    change = 0.0
    if scratch.stamp[1] >= 0:
        change += _look_at(scratch.stamp[1], strings, grid, scratch)
    for index in range(n_changes):
        cell = scratch.change_cell[index]
        word, bit = strings.cell_word[cell], strings.cell_bit[cell]
        old, new = scratch.change_old[index], scratch.change_new[index]
        if old < grid.letter_cells.shape[0]:
            for entry in range(strings.entry_begin[old], strings.entry_begin[old + 1]):
                string = strings.entry_string[entry]
                if grid.staleness[string] > 0 or grid.hit_cells[entry, word] & bit != np.uint64(0):
                    change += _look_at(string, strings, grid, scratch)
        if new < grid.letter_cells.shape[0]:
            for entry in range(strings.entry_begin[new], strings.entry_begin[new + 1]):
                string = strings.entry_string[entry]
                if grid.staleness[string] > 0 or grid.missing_cells[entry, word] & bit != np.uint64(
                    0
                ):
                    change += _look_at(string, strings, grid, scratch)
    if bans is not None:
        _count_bans(bans.classic, bans.node_value, scratch.lanes, strings, bans, grid, scratch)
        change -= bans.energy * (bans.n_found[0] - grid.numbers[BANNED])
    return change


@inlined
def _retrace(string, strings, grid, scratch):
    """Count a string's misses again and store its best paths."""
    grid.staleness[string] = 0
    grid.misses[string] = trace_misses(
        strings.offsets[string], strings.offsets[string + 1], strings.energies.shape[1] - 2,
        grid.misses[string], strings.codes, strings.entry_of, grid.letter_cells, strings.free_set,
        strings.geometry, strings.plain, scratch.sets, scratch.lanes, grid.hit_cells,
        grid.missing_cells,
    )  # fmt: skip


@inlined
def refuse(n_changes, strings, trie, grid, scratch):
    """Undo the move in the scratch; trace strings that were counted too often without effect."""
    take_back(n_changes, strings, grid, scratch)
    if trie is not None:
        return
    for index in range(scratch.stamp[2]):
        string = scratch.looked_at[index]
        if grid.staleness[string] > 0:
            grid.staleness[string] += 1
            if grid.staleness[string] > PATIENCE:
                _retrace(string, strings, grid, scratch)


@inlined
def refresh(strings, trie, grid, scratch):
    """Trace all strings with unknown best paths, so that the state depends only on the cells."""
    if trie is None:
        for string in range(strings.values.shape[0]):
            if grid.staleness[string] > 0:
                _retrace(string, strings, grid, scratch)


@inlined
def _settle(n_changes, strings, grid, scratch):
    """Update the misses after an accepted move, and mark strings whose best paths may have changed.

    The misses of the strings that the move has counted are known. Those of other strings are the
    same, unless a string needs several changed cells, or one of them several times. The best paths
    are the same if the string has no new letter and no best path has lost a letter.
    """
    for index in range(scratch.stamp[2]):
        string = scratch.looked_at[index]
        _take_misses(string, strings, grid, scratch)
        grid.staleness[string] = 1
    for index in range(n_changes):
        letter = scratch.change_new[index]
        if letter >= grid.letter_cells.shape[0]:
            continue
        for entry in range(strings.entry_begin[letter], strings.entry_begin[letter + 1]):
            string = strings.entry_string[entry]
            grid.staleness[string] = 1
            twice = grid.misses[string] > 0 and strings.entry_repeats[entry]
            if (twice or n_changes > 1) and scratch.last_stamp[string] != scratch.stamp[0]:
                _look_at(string, strings, grid, scratch)
                _take_misses(string, strings, grid, scratch)


@inlined
def _sum_up(strings, trie, bans, grid, scratch):
    """Add up energy and value of the grid in the order of the strings, and keep the best board.

    Before, the banned strings are counted if ``trie`` is None, and the whole grid otherwise.
    """
    numbers = grid.numbers
    if trie is not None:
        scratch.score[3] += 1.0
        numbers[ENERGY], numbers[VALUE] = scratch.score[1], scratch.score[2]
    else:
        energy, value = 0.0, 0.0
        for string in range(strings.values.shape[0]):
            energy += strings.energies[string, grid.misses[string]]
            if grid.misses[string] <= strings.n_slips:
                value += strings.values[string]
        if bans is not None:
            numbers[BANNED] = bans.n_found[0]
            energy -= bans.n_found[0] * bans.energy
            value -= bans.n_found[0] * bans.value
        numbers[ENERGY], numbers[VALUE] = energy, value
    numbers[BEST_ENERGY] = max(numbers[BEST_ENERGY], numbers[ENERGY])
    numbers[BLOCK_BEST] = max(numbers[BLOCK_BEST], numbers[VALUE])
    if numbers[VALUE] > numbers[BEST_VALUE]:
        numbers[BEST_VALUE] = numbers[VALUE]
        for cell in range(grid.cells.shape[0]):
            grid.best_cells[cell] = grid.cells[cell]


@inlined
def accept(n_changes, strings, trie, bans, grid, scratch):
    """Accept the move in the scratch, which has been made and judged."""
    grid.numbers[ACCEPTED] += 1.0
    if trie is None:
        _settle(n_changes, strings, grid, scratch)
    _sum_up(strings, trie, bans, grid, scratch)


@tuple_kernel
def place(cells, strings, trie, bans, grid, scratch):
    """Make ``cells``, uint8 (cells,), the current grid; the best value and energy are kept."""
    grid.letter_cells[:] = np.uint64(0)
    grid.numbers[BLOCK_BEST] = -np.inf
    for cell in range(cells.shape[0]):
        grid.cells[cell] = cells[cell]
        put(cell, cells[cell], strings, grid)
    if trie is None:
        for string in range(strings.values.shape[0]):
            _retrace(string, strings, grid, scratch)
        if bans is not None:
            _count_bans(bans.classic, bans.node_value, scratch.lanes, strings, bans, grid, scratch)
    else:
        _whole_energy(strings, trie, bans, grid, scratch)
    _sum_up(strings, trie, bans, grid, scratch)
