"""Near misses of a string: the minimum number of wrong letters along any path on a grid.

The set of cells where a prefix can end with at most k wrong letters follows from the sets of the
shorter prefix: ``(spread(set_k) & cells_with(letter)) | spread(set_{k-1})``. This is bit-parallel
matching with mismatches (Wu & Manber 1992) on a board instead of a line.
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
    """Return whether a set, uint64 (words,), has no cell."""
    every = np.uint64(0)
    for word in range(cells.shape[0]):
        every |= cells[word]
    return every == np.uint64(0)


@part
def _count_small(begin, end, max_wrong, codes, letter_cells, free, geometry, plain):
    """Count misses with sets of one word, which fit into the processor's registers.

    ``zero`` to ``four`` are the cells where the current prefix can end with at most this many wrong
    letters.
    """
    every, none = geometry[0], np.uint64(0)
    zero = letter_cells[codes[begin], 0]
    if free is not None:
        every = (every & free[0]) | zero
    one = every if max_wrong >= 1 else none
    two = every if max_wrong >= 2 else none
    three = every if max_wrong >= 3 else none
    four = every if max_wrong >= 4 else none
    for position in range(begin + 1, end):
        here = letter_cells[codes[position], 0]
        near = spread_by(zero, geometry, plain)
        zero = near & here
        if max_wrong >= 1:
            before, near = near, spread_by(one, geometry, plain)
            if free is not None:
                before &= free[0]
            one = (near & here) | before
        if max_wrong >= 2:
            before, near = near, spread_by(two, geometry, plain)
            if free is not None:
                before &= free[0]
            two = (near & here) | before
        if max_wrong >= 3:
            before, near = near, spread_by(three, geometry, plain)
            if free is not None:
                before &= free[0]
            three = (near & here) | before
        if max_wrong >= 4:
            before, near = near, spread_by(four, geometry, plain)
            if free is not None:
                before &= free[0]
            four = (near & here) | before
        if (zero | one | two | three | four) == none:
            return max_wrong + 1
    if zero != none:
        return 0
    if one != none:
        return 1
    if two != none:
        return 2
    if three != none:
        return 3
    return 4 if four != none else max_wrong + 1


@part
def count_misses(begin, end, max_wrong, codes, letter_cells, free, geometry, plain, sets, lanes):
    """Return the minimum number of wrong letters of a string along any path, or max_wrong + 1.

    begin, end: the string's range in ``codes``, uint8, symbol indices.
    letter_cells: uint64 (symbols, words), cells that hold each symbol.
    free: uint64 (words,), cells where a letter may be wrong, or None for all cells.
    geometry: see :mod:`tilelab.puzzles.boggle.kernels.board_sets`. plain: see
    :func:`tilelab.puzzles.boggle.kernels.board_sets.spread_by`.
    sets: uint64 (max_wrong + 1 or more, positions, words), a working array.
    lanes: a working array, uint64 (3, words), and
    :func:`tilelab.puzzles.boggle.kernels.board_sets.straight_lines`; None for sets of one word, for
    which numba compiles separate kernels.
    """
    if lanes is None:
        return _count_small(begin, end, max_wrong, codes, letter_cells, free, geometry, plain)
    return fill_sets(begin, end, max_wrong, codes, letter_cells, free, geometry, plain, sets, lanes)


@part
def fill_sets(begin, end, max_wrong, codes, letter_cells, free, geometry, plain, sets, lanes):
    """Count like :func:`count_misses`, and keep the sets of every prefix.

    sets: overwritten with the cells where each prefix can end with at most this many wrong letters.
    """
    if lanes is None:
        return _fill_small(begin, end, max_wrong, codes, letter_cells, free, geometry, plain, sets)
    return _fill_lanes(begin, end, max_wrong, codes, letter_cells, free, geometry, sets, lanes)


@part
def _fill_small(begin, end, max_wrong, codes, letter_cells, free, geometry, plain, sets):
    """Fill the sets of every prefix, with sets of one word; see :func:`fill_sets`."""
    sets[0, 0, 0] = letter_cells[codes[begin], 0]
    for wrong in range(1, max_wrong + 1):
        sets[wrong, 0, 0] = geometry[0]
        if free is not None:
            sets[wrong, 0, 0] = (geometry[0] & free[0]) | sets[0, 0, 0]
    for position in range(1, end - begin):
        here, before = letter_cells[codes[begin + position], 0], np.uint64(0)
        for wrong in range(max_wrong + 1):
            near = spread_by(sets[wrong, position - 1, 0], geometry, plain)
            sets[wrong, position, 0] = (near & here) | before
            before = near
            if free is not None:
                before &= free[0]
    for wrong in range(max_wrong + 1):
        if sets[wrong, end - begin - 1, 0] != np.uint64(0):
            return wrong
    return max_wrong + 1


@part
def _fill_lanes(begin, end, max_wrong, codes, letter_cells, free, geometry, sets, lanes):
    """Fill the sets of every prefix, with sets of several words; see :func:`fill_sets`."""
    n_words, (room, straight) = letter_cells.shape[1], lanes
    for word in range(n_words):
        sets[0, 0, word] = letter_cells[codes[begin], word]
        for wrong in range(1, max_wrong + 1):
            sets[wrong, 0, word] = geometry[8 + word]
            if free is not None:
                sets[wrong, 0, word] = (geometry[8 + word] & free[word]) | sets[0, 0, word]
    min_wrong = 0
    for position in range(1, end - begin):
        letter = codes[begin + position]
        # If a set and all below it are empty, they stay empty.
        while min_wrong <= max_wrong and _is_empty(sets[min_wrong, position - 1]):
            min_wrong += 1
        room[1, :] = np.uint64(0)
        for wrong in range(min(min_wrong, max_wrong + 1)):
            sets[wrong, position, :] = np.uint64(0)
        for wrong in range(min_wrong, max_wrong + 1):
            spread_lanes(sets[wrong, position - 1], geometry, straight, room[0])
            for word in range(n_words):
                here = room[0, word] & letter_cells[letter, word]
                sets[wrong, position, word] = here | room[1, word]
                room[1, word] = room[0, word]
                if free is not None:
                    room[1, word] &= free[word]
    for wrong in range(max_wrong + 1):
        if not _is_empty(sets[wrong, end - begin - 1]):
            return wrong
    return max_wrong + 1


@part
def trace_misses(
    begin, end, max_wrong, known, codes, entry_of, letter_cells, free, geometry, plain, sets, lanes,
    hit_cells, missing_cells,
):  # fmt: skip
    """Count the misses of a string, and find the cells of its best paths.

    known: the probable number of misses; sets for more misses are then not filled.
    entry_of: int32, as long as ``codes``: row in ``hit_cells`` and ``missing_cells`` of a letter
    in its string.
    hit_cells, missing_cells: uint64 (entries, words), overwritten in the rows of the string. They
    are the cells where a best path has the letter, and the cells where it has another letter. For
    straight lines, the first layer has the cells of all directions. With more than ``max_wrong``
    misses, both are empty.
    The other arguments and the result are those of :func:`count_misses`.
    """
    n_words = letter_cells.shape[1]
    for position in range(begin, end):
        for word in range(n_words):
            hit_cells[entry_of[position], word] = np.uint64(0)
            missing_cells[entry_of[position], word] = np.uint64(0)
    if known > max_wrong:
        known = count_misses(
            begin, end, max_wrong, codes, letter_cells, free, geometry, plain, sets, lanes
        )
        if known > max_wrong:
            return known
    while True:
        misses = fill_sets(
            begin, end, known, codes, letter_cells, free, geometry, plain, sets, lanes
        )
        if misses <= known or known == max_wrong:
            break
        known = max_wrong
    if misses > max_wrong:
        return misses
    if lanes is None:
        _trace_small(
            begin, end, misses, codes, entry_of, letter_cells, geometry, plain, sets, hit_cells,
            missing_cells,
        )  # fmt: skip
    else:
        _trace_lanes(
            begin, end, misses, codes, entry_of, letter_cells, geometry, sets, lanes, hit_cells,
            missing_cells,
        )  # fmt: skip
    return misses


@part
def _trace_small(
    begin, end, misses, codes, entry_of, letter_cells, geometry, plain, sets, hit_cells,
    missing_cells,
):  # fmt: skip
    """Find the cells of the best paths from the sets of every prefix, with sets of one word.

    From the last letter back, each set is reduced to the cells that a best path uses.
    """
    for wrong in range(misses):
        sets[wrong, end - begin - 1, 0] = np.uint64(0)
    for position in range(end - begin - 1, -1, -1):
        here, entry = letter_cells[codes[begin + position], 0], entry_of[begin + position]
        hits, missing = np.uint64(0), np.uint64(0)
        # Cells from which a best path continues with this letter wrong, from the set of one more.
        wrong_here = np.uint64(0)
        for wrong in range(misses, -1, -1):
            useful = sets[wrong, position, 0]
            hits |= useful & here
            missing |= useful & ~here
            if position > 0:
                before = spread_by((useful & here) | wrong_here, geometry, plain)
                sets[wrong, position - 1, 0] &= before
            wrong_here = useful & ~here
        hit_cells[entry, 0] |= hits
        missing_cells[entry, 0] |= missing


@part
def _trace_lanes(
    begin, end, misses, codes, entry_of, letter_cells, geometry, sets, lanes, hit_cells,
    missing_cells,
):  # fmt: skip
    """Find the cells like :func:`_trace_small`, with sets of several words."""
    n_words = letter_cells.shape[1]
    for wrong in range(misses):
        for word in range(n_words):
            sets[wrong, end - begin - 1, word] = np.uint64(0)
    for position in range(end - begin - 1, -1, -1):
        letter, entry = codes[begin + position], entry_of[begin + position]
        for wrong in range(misses + 1):
            for word in range(n_words):
                useful, here = sets[wrong, position, word], letter_cells[letter, word]
                hit_cells[entry, word] |= useful & here
                missing_cells[entry, word] |= useful & ~here
            if position > 0:
                _cut_down(wrong, misses, position, letter, letter_cells, geometry, sets, lanes)
    _fold_rows(begin, end, entry_of, geometry, lanes[1], hit_cells, missing_cells)


@part
def _fold_rows(begin, end, entry_of, geometry, straight, hit_cells, missing_cells):
    """Merge the layers of a string's rows if there are several."""
    if straight is not None:
        for position in range(begin, end):
            fold_layers(hit_cells[entry_of[position]], geometry, straight)
            fold_layers(missing_cells[entry_of[position]], geometry, straight)


@part
def _cut_down(wrong, misses, position, letter, letter_cells, geometry, sets, lanes):
    """Reduce the set before a position to the cells from which a best path continues."""
    n_words, (room, straight) = letter_cells.shape[1], lanes
    for word in range(n_words):
        room[1, word] = sets[wrong, position, word] & letter_cells[letter, word]
    spread_lanes_back(room[1], geometry, straight, room[0])
    for word in range(n_words):
        room[2, word] = room[0, word]
        if wrong < misses:
            room[1, word] = sets[wrong + 1, position, word] & ~letter_cells[letter, word]
    if wrong < misses:
        spread_lanes_back(room[1], geometry, straight, room[0])
        for word in range(n_words):
            room[2, word] |= room[0, word]
    for word in range(n_words):
        sets[wrong, position - 1, word] &= room[2, word]
