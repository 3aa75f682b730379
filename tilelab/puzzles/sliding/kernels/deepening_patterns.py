"""Depth-first search below a threshold with pattern databases too large to be opened."""

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
"""How the cells of a board are halved, to look the number of a set up."""


@inlined
def _count(cells):
    """Return how many cells are in a set of up to 32."""
    cells -= (cells >> 1) & 0x55555555
    cells = (cells & 0x33333333) + ((cells >> 2) & 0x33333333)
    cells = (cells + (cells >> 4)) & 0x0F0F0F0F
    return ((cells * 0x01010101) >> 24) & 0xFF


@inlined
def _look_up(pattern, cells, order, members, tables):
    """Return what a pattern says of its tiles in some cells, in some order."""
    base, n_sets, low, high = members[2], members[4], members[7], members[8]
    below = cells & ((1 << LOW_CELLS) - 1)
    number = np.int64(low[below]) + np.int64(high[_count(below), cells >> LOW_CELLS])
    return np.int64(tables[base[pattern] + order * n_sets[pattern] + number])


@inlined
def _moved(pattern, cells, order, here, there, n_turns, members):
    """Return (cells, order) after the tile in one cell went to a free one."""
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
    """Fill in the VALUE of each pattern and the totals, see below; returns the larger one."""
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
    """As ``deepen``, on one board that is changed and changed back, with the larger of two sums.

    order: int64 (4,), the moves in the order of trying. n_turns: 2 * columns - 1. machine: (cell,
    following), see detours. members: see heuristics.pattern_slots.
    tables: uint8.
    cells: uint8 (n,), the board at the present depth. path: int64 (depths, N_COLUMNS), the
    machine's state and the move to be tried next. now: int64 (2, patterns, 3), the cells of each
    pattern's tiles, their order and what it says, for the board and its reflection; totals: int64
    (2,). undone: int64 (depths, 2, 3), what ``now`` was of the pattern that a move changed.
    best: uint8 (n,). Returns DEEPER when the path is too short.
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
