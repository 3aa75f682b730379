"""Depth-first search below a threshold with pattern databases that are too large to be opened."""

import numpy as np

from tilelab.kernels.arrays import copy_into
from tilelab.kernels.decorators import inlined, kernel
from tilelab.puzzles.sliding.kernels.deepening import (
    BEST,
    DEPTH,
    EXHAUSTED,
    EXPANDED,
    GENERATED,
    NEXT_THRESHOLD,
    RUNNING,
    SOLVED,
    THRESHOLD,
)

DEEPER = 3
STATE, TURN = 0, 1
N_COLUMNS = 2
CELLS, ORDER, VALUE = 0, 1, 2
LOW_CELLS, HIGH_CELLS = 13, 12
"""Numbers of cells in the two halves of a board, for looking up the number of a set."""


@inlined
def _count(cells):
    """Return the number of cells in a set of up to 32."""
    cells -= (cells >> 1) & 0x55555555
    cells = (cells & 0x33333333) + ((cells >> 2) & 0x33333333)
    cells = (cells + (cells >> 4)) & 0x0F0F0F0F
    return ((cells * 0x01010101) >> 24) & 0xFF


@inlined
def _look_up(pattern, cells, order, members, tables):
    """Return the estimate of a pattern whose tiles are in these cells in this order."""
    base, n_sets, low, high = members[2], members[4], members[7], members[8]
    below = cells & ((1 << LOW_CELLS) - 1)
    number = np.int64(low[below]) + np.int64(high[_count(below), cells >> LOW_CELLS])
    return np.int64(tables[base[pattern] + order * n_sets[pattern] + number])


@inlined
def _moved(pattern, cells, order, here, there, n_turns, members):
    """Return (cells, order) after a tile has moved from ``here`` to ``there``."""
    after = cells ^ (np.int64(1) << here) ^ (np.int64(1) << there)
    if abs(here - there) > 1:
        slot = _count(cells & ((np.int64(1) << here) - 1))
        slot_after = _count(after & ((np.int64(1) << there) - 1))
        if slot != slot_after:
            turn = slot * n_turns + slot_after - slot + n_turns // 2
            order = np.int64(members[5][members[6][pattern] + turn * members[3][pattern] + order])
    return after, order


@kernel
def look_up_all(members, tables, now, totals):
    """Look up the VALUE of each pattern and the totals; returns the larger total.

    The arguments are those of :func:`deepen_patterns`.
    """
    for side in range(now.shape[0]):
        totals[side] = 0
        for pattern in range(now.shape[1]):
            here = now[side, pattern]
            here[VALUE] = _look_up(pattern, here[CELLS], here[ORDER], members, tables)
            totals[side] += here[VALUE]
    return max(totals[0], totals[1])


@kernel
def deepen_patterns(
    budget,
    order,
    n_turns,
    machine,
    members,
    tables,
    cells,
    path,
    now,
    totals,
    undone,
    best,
    scalars,
):
    """Search like ``deepen`` on one board, whose moves are made and undone, with the larger sum.

    order: int64 (4,), order of the moves. n_turns: 2 * columns - 1. machine: (cell, following), see
    tilelab.puzzles.sliding.detours. members: see tilelab.puzzles.sliding.heuristics.pattern_slots.
    tables: uint8.
    cells: uint8 (n,), the board at the current depth. path: int64 (depths, N_COLUMNS), state of the
    machine and next move.
    now: int64 (2, patterns, 3), for the board and its reflection: cells of each pattern's tiles,
    their order, and the pattern's estimate. totals: int64 (2,), sums of the estimates.
    undone: int64 (depths, 2, 3), previous entry in ``now`` of the pattern that a move changed.
    best: uint8 (n,). Returns DEEPER if the path is too short.
    """
    cell_of, following = machine
    pattern_of, number = members[0], members[1]
    depth, threshold, next_threshold = scalars[DEPTH], scalars[THRESHOLD], scalars[NEXT_THRESHOLD]
    expanded = scalars[EXPANDED]
    left = budget
    status = RUNNING
    while left > 0:
        if depth + 1 >= path.shape[0]:
            status = DEEPER
            break
        state, turn = path[depth, STATE], path[depth, TURN]
        blank = cell_of[state]
        while turn < 4 and following[state, order[turn]] < 0:
            turn += 1
        if turn == 4:
            if depth == 0:
                status = EXHAUSTED
                break
            before = cell_of[path[depth - 1, STATE]]
            tile = cells[before]
            cells[blank], cells[before] = tile, np.uint8(0)
            for side in range(2):
                here = now[side, pattern_of[side, tile]]
                totals[side] += undone[depth, side, VALUE] - here[VALUE]
                copy_into(here, undone[depth, side])
            depth -= 1
            continue
        path[depth, TURN] = turn + 1
        after_state = following[state, order[turn]]
        after = cell_of[after_state]
        tile = cells[after]
        left -= 1
        room = threshold - depth - 1
        estimate = np.int64(0)
        for side in range(2):
            pattern = pattern_of[side, tile]
            here, numbers = now[side, pattern], number[side, pattern]
            then = undone[depth + 1, side]
            then[CELLS], then[ORDER] = _moved(
                pattern,
                here[CELLS],
                here[ORDER],
                numbers[after],
                numbers[blank],
                n_turns,
                members,
            )
            then[VALUE] = _look_up(pattern, then[CELLS], then[ORDER], members, tables)
            estimate = max(estimate, totals[side] - here[VALUE] + then[VALUE])
            if estimate > room:
                break
        if estimate > room:
            next_threshold = min(next_threshold, depth + 1 + estimate)
            continue
        cells[blank], cells[after] = tile, np.uint8(0)
        depth += 1
        for side in range(2):
            here, then = now[side, pattern_of[side, tile]], undone[depth, side]
            totals[side] += then[VALUE] - here[VALUE]
            for column in range(3):
                here[column], then[column] = then[column], here[column]
        path[depth, STATE], path[depth, TURN] = after_state, 0
        if estimate < scalars[BEST]:
            scalars[BEST] = estimate
            copy_into(best, cells)
            if estimate == 0:
                status = SOLVED
                break
        expanded += 1
    scalars[DEPTH], scalars[NEXT_THRESHOLD] = depth, next_threshold
    scalars[GENERATED] += budget - left
    scalars[EXPANDED] = expanded
    return status
