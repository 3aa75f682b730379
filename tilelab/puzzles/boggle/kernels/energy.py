"""What a move on a letter grid changes: energy, value, and the best paths of the strings.

The energy is the score and, in a lexicon that is small enough, a part of a string's value for a
string that is nearly encoded; that a string is required or banned weighs less in it, so that the
others count beside it. There, only the strings are counted anew that a move can help or harm; a
larger lexicon is walked as a whole, and so are the banned strings, if any. ``trie`` is None where
near misses are counted, and ``bans`` where nothing is banned: numba drops a branch on an argument
that is None.
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
"""How often a string is counted in vain before its best paths are traced, which is dearer."""


@inlined
def _whole_score(classic, node_value, lanes, strings, trie, grid, scratch):
    """Score the grid by a walk of the whole trie; of classic, node_value, lanes one is not None."""
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
    """Count the banned strings of the grid; of classic, node_value, lanes one is not None."""
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
    """Note energy and value of the grid where they follow from a walk of the whole trie."""
    lanes = scratch.lanes
    value = _whole_score(trie.classic, trie.node_value, lanes, strings, trie, grid, scratch)
    energy = value
    if strings.per_constraint > 0.0:
        # All own values together are less than what one required string has besides.
        n_required = np.floor(value / strings.per_constraint)
        energy -= n_required * (strings.per_constraint - strings.constraint_energy)
    if bans is not None:
        _count_bans(bans.classic, bans.node_value, scratch.lanes, strings, bans, grid, scratch)
        energy -= bans.n_found[0] * bans.energy
        value -= bans.n_found[0] * bans.value
    scratch.score[1], scratch.score[2] = energy, value


@inlined
def _look_at(string, strings, grid, scratch):
    """Return what a string's misses change in the energy; 0 for one that was looked at before.

    Most moves are refused: how many misses there are beyond those that add something is counted
    only in :func:`_take_misses`.
    """
    if scratch.seen[string] == scratch.stamp[0]:
        return 0.0
    scratch.seen[string] = scratch.stamp[0]
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
    """Take over the misses of a string that was looked at, counted to the end."""
    misses, most = scratch.new_misses[string], strings.energies.shape[1] - 2
    if misses == most:
        misses = count_misses(
            strings.offsets[string], strings.offsets[string + 1], most,
            strings.codes, grid.letter_cells, strings.free_set, strings.geometry, strings.plain,
            scratch.sets, scratch.lanes,
        )  # fmt: skip
    grid.misses[string] = misses


@inlined
def energy_change(n_changes, strings, trie, bans, grid, scratch):
    """Return what the move in the scratch, already made, changes.

    Only strings that it can help or harm are counted, as far as their best paths are known. That
    is exact for a move of one cell, unless a string would use that cell twice on a path that was
    not one of its best; of a move of several cells, strings are left out that need more than one
    of them. An accepted move is counted exactly.
    """
    if trie is not None:
        _whole_energy(strings, trie, bans, grid, scratch)
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
                if grid.stale[string] > 0 or grid.play[entry, word] & bit != np.uint64(0):
                    change += _look_at(string, strings, grid, scratch)
        if new < grid.letter_cells.shape[0]:
            for entry in range(strings.entry_begin[new], strings.entry_begin[new + 1]):
                string = strings.entry_string[entry]
                if grid.stale[string] > 0 or grid.want[entry, word] & bit != np.uint64(0):
                    change += _look_at(string, strings, grid, scratch)
    if bans is not None:
        _count_bans(bans.classic, bans.node_value, scratch.lanes, strings, bans, grid, scratch)
        change -= bans.energy * (bans.n_found[0] - grid.numbers[BANNED])
    return change


@inlined
def _retrace(string, strings, grid, scratch):
    """Count a string's misses anew and note its best paths."""
    grid.stale[string] = 0
    grid.misses[string] = trace_misses(
        strings.offsets[string], strings.offsets[string + 1], strings.energies.shape[1] - 2,
        grid.misses[string], strings.codes, strings.entry_of, grid.letter_cells, strings.free_set,
        strings.geometry, strings.plain, scratch.sets, scratch.lanes, grid.play, grid.want,
    )  # fmt: skip


@inlined
def refuse(n_changes, strings, trie, grid, scratch):
    """Undo the move in the scratch; trace the strings that were counted in vain too often."""
    take_back(n_changes, strings, grid, scratch)
    if trie is not None:
        return
    for index in range(scratch.stamp[2]):
        string = scratch.looked_at[index]
        if grid.stale[string] > 0:
            grid.stale[string] += 1
            if grid.stale[string] > PATIENCE:
                _retrace(string, strings, grid, scratch)


@inlined
def refresh(strings, trie, grid, scratch):
    """Trace all strings whose best paths are not known, so that all follows from the cells."""
    if trie is None:
        for string in range(strings.values.shape[0]):
            if grid.stale[string] > 0:
                _retrace(string, strings, grid, scratch)


@inlined
def _settle(n_changes, strings, grid, scratch):
    """Bring the misses up to date after an accepted move, and note whose best paths may differ.

    Misses are known of the strings that were looked at. Those of another string stay as they are,
    unless it needs more than one of the changed cells, or one of them more than once. The best
    paths stay where the string has none of the new letters and no best path has lost a letter.
    """
    for index in range(scratch.stamp[2]):
        string = scratch.looked_at[index]
        _take_misses(string, strings, grid, scratch)
        grid.stale[string] = 1
    for index in range(n_changes):
        letter = scratch.change_new[index]
        if letter >= grid.letter_cells.shape[0]:
            continue
        for entry in range(strings.entry_begin[letter], strings.entry_begin[letter + 1]):
            string = strings.entry_string[entry]
            grid.stale[string] = 1
            twice = grid.misses[string] > 0 and strings.entry_repeats[entry]
            if (twice or n_changes > 1) and scratch.seen[string] != scratch.stamp[0]:
                _look_at(string, strings, grid, scratch)
                _take_misses(string, strings, grid, scratch)


@inlined
def _sum_up(strings, trie, bans, grid, scratch):
    """Add up energy and value of the grid, in the strings' order, and keep the best.

    Banned strings have been counted where there is no trie, and the whole grid where there is one.
    """
    numbers = grid.numbers
    if trie is not None:
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
    """Keep the move in the scratch, which has been made and judged."""
    grid.numbers[ACCEPTED] += 1.0
    if trie is None:
        _settle(n_changes, strings, grid, scratch)
    _sum_up(strings, trie, bans, grid, scratch)


@tuple_kernel
def place(cells, strings, trie, bans, grid, scratch):
    """Take a grid, uint8 (cells,), as the present one; best value and best energy go on."""
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
