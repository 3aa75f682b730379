"""How far a grid is from encoding a string: the least number of wrong letters along any path.

The set of cells in which a prefix can end with at most k wrong letters follows from the sets of
the prefix before it: ``(spread(set_k) & cells_with(letter)) | spread(set_{k-1})``, the bit-parallel
matching with mismatches of Wu and Manber 1992, on a board instead of a line.
"""

import numpy as np

from tilelab.kernels.decorators import part
from tilelab.puzzles.boggle.kernels.board_sets import (
    fold_layers,
    spread_by,
    spread_lanes,
    spread_lanes_back,
)


@part
def _is_empty(cells):
    """Tell whether a set, uint64 (words,), has no cell."""
    every = np.uint64(0)
    for word in range(cells.shape[0]):
        every |= cells[word]
    return every == np.uint64(0)


@part
def _count_small(begin, end, most, codes, letter_cells, free, geometry, plain):
    """Count misses with sets of one word, which stay in the processor's registers.

    ``zero`` to ``four``: the cells in which the present prefix can end with at most so many wrong.
    """
    every, none = geometry[0], np.uint64(0)
    zero = letter_cells[codes[begin], 0]
    if free is not None:
        every = (every & free[0]) | zero
    one = every if most >= 1 else none
    two = every if most >= 2 else none
    three = every if most >= 3 else none
    four = every if most >= 4 else none
    for position in range(begin + 1, end):
        here = letter_cells[codes[position], 0]
        near = spread_by(zero, geometry, plain)
        zero = near & here
        if most >= 1:
            before, near = near, spread_by(one, geometry, plain)
            if free is not None:
                before &= free[0]
            one = (near & here) | before
        if most >= 2:
            before, near = near, spread_by(two, geometry, plain)
            if free is not None:
                before &= free[0]
            two = (near & here) | before
        if most >= 3:
            before, near = near, spread_by(three, geometry, plain)
            if free is not None:
                before &= free[0]
            three = (near & here) | before
        if most >= 4:
            before, near = near, spread_by(four, geometry, plain)
            if free is not None:
                before &= free[0]
            four = (near & here) | before
        if (zero | one | two | three | four) == none:
            return most + 1
    if zero != none:
        return 0
    if one != none:
        return 1
    if two != none:
        return 2
    if three != none:
        return 3
    return 4 if four != none else most + 1


@part
def count_misses(begin, end, most, codes, letter_cells, free, geometry, plain, sets, lanes):
    """Return the least number of wrong letters of a string along any path, or most + 1.

    begin, end: the string's place in ``codes``, uint8, symbol indices.
    letter_cells: uint64 (symbols, words), the cells that hold each symbol.
    free: uint64 (words,), the cells in which a letter may be wrong, or None for all.
    geometry: see :mod:`tilelab.puzzles.boggle.kernels.board_sets`.
    plain: None, or for faster kernels True where
    :func:`tilelab.puzzles.boggle.kernels.board_sets.is_plain` is.
    sets: uint64 (more than most, positions, words), to work in.
    lanes: uint64 (3, words) and a column (:func:`kernels.board_sets.lane_column`), to
    work in; or None for sets of one word, whose kernels are others.
    """
    if lanes is None:
        return _count_small(begin, end, most, codes, letter_cells, free, geometry, plain)
    return fill_sets(begin, end, most, codes, letter_cells, free, geometry, plain, sets, lanes)


@part
def fill_sets(begin, end, most, codes, letter_cells, free, geometry, plain, sets, lanes):
    """Count like :func:`count_misses`, and keep the sets of every prefix.

    sets: overwritten with the cells in which each prefix can end with at most so many wrong.
    """
    if lanes is None:
        return _fill_small(begin, end, most, codes, letter_cells, free, geometry, plain, sets)
    return _fill_lanes(begin, end, most, codes, letter_cells, free, geometry, sets, lanes)


@part
def _fill_small(begin, end, most, codes, letter_cells, free, geometry, plain, sets):
    sets[0, 0, 0] = letter_cells[codes[begin], 0]
    for wrong in range(1, most + 1):
        sets[wrong, 0, 0] = geometry[0]
        if free is not None:
            sets[wrong, 0, 0] = (geometry[0] & free[0]) | sets[0, 0, 0]
    for position in range(1, end - begin):
        here, before = letter_cells[codes[begin + position], 0], np.uint64(0)
        for wrong in range(most + 1):
            near = spread_by(sets[wrong, position - 1, 0], geometry, plain)
            sets[wrong, position, 0] = (near & here) | before
            before = near
            if free is not None:
                before &= free[0]
    for wrong in range(most + 1):
        if sets[wrong, end - begin - 1, 0] != np.uint64(0):
            return wrong
    return most + 1


@part
def _fill_lanes(begin, end, most, codes, letter_cells, free, geometry, sets, lanes):
    n_words, (room, column) = letter_cells.shape[1], lanes
    for word in range(n_words):
        sets[0, 0, word] = letter_cells[codes[begin], word]
        for wrong in range(1, most + 1):
            sets[wrong, 0, word] = geometry[8 + word]
            if free is not None:
                sets[wrong, 0, word] = (geometry[8 + word] & free[word]) | sets[0, 0, word]
    least = 0
    for position in range(1, end - begin):
        letter = codes[begin + position]
        # A set that is empty, like all below it, stays empty.
        while least <= most and _is_empty(sets[least, position - 1]):
            least += 1
        room[1, :] = np.uint64(0)
        for wrong in range(min(least, most + 1)):
            sets[wrong, position, :] = np.uint64(0)
        for wrong in range(least, most + 1):
            spread_lanes(sets[wrong, position - 1], geometry, column, room[0])
            for word in range(n_words):
                here = room[0, word] & letter_cells[letter, word]
                sets[wrong, position, word] = here | room[1, word]
                room[1, word] = room[0, word]
                if free is not None:
                    room[1, word] &= free[word]
    for wrong in range(most + 1):
        if not _is_empty(sets[wrong, end - begin - 1]):
            return wrong
    return most + 1


@part
def trace_misses(
    begin, end, most, known, codes, entry_of, letter_cells, free, geometry, plain, sets, lanes,
    play, want,
):  # fmt: skip
    """Count the misses of a string, and note the cells that its best paths go through.

    known: how many misses it probably has; then the sets of more need not be filled.
    entry_of: int32, like ``codes``: for every letter of a string the row of ``play`` and ``want``
    that belongs to this letter in this string. Both are uint64 (entries, words); of the string's
    rows they are overwritten: the cells in which a best path has the letter, and those in which it
    has another one in its place; in straight lines, the first layer has those of all directions.
    Both are empty where there are more than ``most`` misses.
    Returns as :func:`count_misses`, whose arguments the others are.
    """
    n_words = letter_cells.shape[1]
    for position in range(begin, end):
        for word in range(n_words):
            play[entry_of[position], word] = np.uint64(0)
            want[entry_of[position], word] = np.uint64(0)
    if known > most:
        known = count_misses(
            begin, end, most, codes, letter_cells, free, geometry, plain, sets, lanes
        )
        if known > most:
            return known
    while True:
        misses = fill_sets(
            begin, end, known, codes, letter_cells, free, geometry, plain, sets, lanes
        )
        if misses <= known or known == most:
            break
        known = most
    if misses > most:
        return misses
    if lanes is None:
        _trace_small(
            begin, end, misses, codes, entry_of, letter_cells, geometry, plain, sets, play, want
        )
    else:
        _trace_lanes(
            begin, end, misses, codes, entry_of, letter_cells, geometry, sets, lanes, play, want
        )
    return misses


@part
def _trace_small(
    begin, end, misses, codes, entry_of, letter_cells, geometry, plain, sets, play, want
):
    """Note the cells of the best paths from the sets of every prefix, with sets of one word.

    From the last letter back, each set is cut down to the cells that a best path uses.
    """
    for wrong in range(misses):
        sets[wrong, end - begin - 1, 0] = np.uint64(0)
    for position in range(end - begin - 1, -1, -1):
        here, entry = letter_cells[codes[begin + position], 0], entry_of[begin + position]
        played, wanted = np.uint64(0), np.uint64(0)
        # Those that go on with this letter wrong, of one more wrong letter in all.
        lacking = np.uint64(0)
        for wrong in range(misses, -1, -1):
            useful = sets[wrong, position, 0]
            played |= useful & here
            wanted |= useful & ~here
            if position > 0:
                before = spread_by((useful & here) | lacking, geometry, plain)
                sets[wrong, position - 1, 0] &= before
            lacking = useful & ~here
        play[entry, 0] |= played
        want[entry, 0] |= wanted


@part
def _trace_lanes(
    begin, end, misses, codes, entry_of, letter_cells, geometry, sets, lanes, play, want
):
    """Do what :func:`_trace_small` does with sets of several words."""
    n_words = letter_cells.shape[1]
    for wrong in range(misses):
        for word in range(n_words):
            sets[wrong, end - begin - 1, word] = np.uint64(0)
    for position in range(end - begin - 1, -1, -1):
        letter, entry = codes[begin + position], entry_of[begin + position]
        for wrong in range(misses + 1):
            for word in range(n_words):
                useful, here = sets[wrong, position, word], letter_cells[letter, word]
                play[entry, word] |= useful & here
                want[entry, word] |= useful & ~here
            if position > 0:
                _cut_down(wrong, misses, position, letter, letter_cells, geometry, sets, lanes)
    _fold_rows(begin, end, entry_of, geometry, lanes[1], play, want)


@part
def _fold_rows(begin, end, entry_of, geometry, column, play, want):
    """Fold the layers of a string's rows, where there are several."""
    if column is None:
        for position in range(begin, end):
            fold_layers(play[entry_of[position]], geometry, column)
            fold_layers(want[entry_of[position]], geometry, column)


@part
def _cut_down(wrong, misses, position, letter, letter_cells, geometry, sets, lanes):
    """Keep of the set before a position the cells from which a best path goes on."""
    n_words, (room, column) = letter_cells.shape[1], lanes
    for word in range(n_words):
        room[1, word] = sets[wrong, position, word] & letter_cells[letter, word]
    spread_lanes_back(room[1], geometry, column, room[0])
    for word in range(n_words):
        room[2, word] = room[0, word]
        if wrong < misses:
            room[1, word] = sets[wrong + 1, position, word] & ~letter_cells[letter, word]
    if wrong < misses:
        spread_lanes_back(room[1], geometry, column, room[0])
        for word in range(n_words):
            room[2, word] |= room[0, word]
    for word in range(n_words):
        sets[wrong, position - 1, word] &= room[2, word]
