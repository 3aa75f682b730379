"""Pattern databases: exact distances when only some tiles count, and search with sums of them.

Additive: a move counts only when it moves a tile of the pattern, so patterns without a common tile
may be summed (Korf & Felner 2002). The blank is not part of a pattern; the least over its places is
kept. Boards have up to 16 cells.
"""

import numpy as np

from tilelab.kernels.compiler import kernel
from tilelab.kernels.slide_deepening import (
    BEST,
    BLANK,
    DEPTH,
    EXPANDED,
    FAR,
    GENERATED,
    ITERATION,
    LAST,
    NEXT_THRESHOLD,
    RUNNING,
    SOLVED,
    SUM,
    THRESHOLD,
    TURN,
)

UNKNOWN = 255


@kernel
def _flooded(seed, free, left, right, cols):
    """Return the cells of ``free`` that can be reached from those of ``seed``; 16-bit sets."""
    reached = seed & free
    while True:
        grown = reached | (reached << cols) | (reached >> cols)
        grown |= ((reached & left) >> 1) | ((reached & right) << 1)
        grown &= free
        if grown == reached:
            return reached
        reached = grown


@kernel
def fill_pattern(goal_places, goal_blank, rows, cols, distance, seen, queue, scalars):
    """Go on with the breadth-first search for one pattern; returns the states in hand, 0 when done.

    goal_places: int64 (tiles,), the goal cells of the pattern's tiles. goal_blank: the blank's.
    distance: uint8 (16 ** tiles,), index: four bits a tile, the first one lowest; UNKNOWN at first.
    seen: uint16 (16 ** tiles,), cells at which the blank has been met; zeros at first.
    queue: int64 (2, capacity), states of this depth and the next: index * 16 + a cell of the blank.
    scalars: int64 (2,): depth, states in hand; zeros at first. One call does one depth; -1 when
    the queue was too short.
    """
    n_tiles = goal_places.shape[0]
    n_cells = rows * cols
    board = np.int64((1 << n_cells) - 1)
    left, right = np.int64(0), np.int64(0)
    for cell in range(n_cells):
        if cell % cols > 0:
            left |= np.int64(1) << cell
        if cell % cols < cols - 1:
            right |= np.int64(1) << cell
    depth, n_now = scalars[0], scalars[1]
    if depth == 0 and n_now == 0:
        index, taken = np.int64(0), np.int64(0)
        for tile in range(n_tiles):
            index |= goal_places[tile] << (4 * tile)
            taken |= np.int64(1) << goal_places[tile]
        seen[index] = _flooded(np.int64(1) << goal_blank, board & ~taken, left, right, cols)
        distance[index] = 0
        queue[0, 0] = index * 16 + goal_blank
        scalars[1] = 1
        return 1
    now = depth % 2
    n_next = 0
    for turn in range(n_now):
        state = queue[now, turn]
        index, blank = state >> 4, state & 15
        taken = np.int64(0)
        for tile in range(n_tiles):
            taken |= np.int64(1) << ((index >> (4 * tile)) & 15)
        room = _flooded(np.int64(1) << blank, board & ~taken, left, right, cols)
        for tile in range(n_tiles):
            place = (index >> (4 * tile)) & 15
            bit = np.int64(1) << place
            around = (bit << cols) | (bit >> cols) | ((bit & left) >> 1) | ((bit & right) << 1)
            around &= room
            while around:
                goes = around & -around
                around ^= goes
                cell = np.int64(0)
                while goes >> cell != 1:
                    cell += 1
                after = index ^ ((place ^ cell) << (4 * tile))
                if np.int64(seen[after]) & bit:
                    continue
                free = board & ~((taken ^ bit) | goes)
                seen[after] |= _flooded(bit, free, left, right, cols)
                if distance[after] == UNKNOWN:
                    distance[after] = depth + 1
                if n_next == queue.shape[1]:
                    return -1
                queue[1 - now, n_next] = after * 16 + place
                n_next += 1
    scalars[0], scalars[1] = depth + 1, n_next
    return n_next


@kernel
def pattern_sum(indices, tables):
    """Return the sum of a board's patterns. indices: int64 (patterns,); tables: uint8 arrays."""
    one, two, three = tables
    return np.int64(one[indices[0]]) + np.int64(two[indices[1]]) + np.int64(three[indices[2]])


@kernel
def deepen_patterns(budget, moves, tables, slots, boards, indices, path, best, scalars):
    """As ``deepen``, with the larger of two sums of three patterns: the board and its reflection.

    tables: three uint8 arrays, see fill_pattern; a pattern that is not needed has one entry, 0.
    slots: (pattern, shift, place) for board and reflection: int64 (2, 16), the pattern of a tile
    and the shift of its four bits; int64 (2, 16), the cell's number in the tables.
    indices: int64 (depths, 2, 3), the place in each table; path[depth, SUM] is the estimate.
    """
    target, order, n_moves = moves
    slot_pattern, slot_shift, cell_number = slots
    one, two, three = tables
    depth, threshold, next_threshold = scalars[DEPTH], scalars[THRESHOLD], scalars[NEXT_THRESHOLD]
    generated, expanded = scalars[GENERATED], scalars[EXPANDED]
    end = generated + budget
    status = RUNNING
    after_index = np.empty(2, np.int64)
    while generated < end:
        blank, turn, last = path[depth, BLANK], path[depth, TURN], path[depth, LAST]
        if turn >= n_moves[blank, last]:
            if depth == 0:
                threshold, next_threshold = next_threshold, FAR
                path[0, TURN] = 0
                scalars[ITERATION] += 1
                expanded += 1
            else:
                depth -= 1
            continue
        path[depth, TURN] = turn + 1
        move = order[blank, last, turn]
        after = target[blank, move]
        shift = np.uint64(4 * after)
        tile_bits = (boards[depth, 0] >> shift) & np.uint64(15)
        tile = np.int64(tile_bits)
        generated += 1
        estimate = np.int64(0)
        for side in range(2):
            pattern = slot_pattern[side, tile]
            change = cell_number[side, after] ^ cell_number[side, blank]
            index = indices[depth, side, pattern] ^ (change << slot_shift[side, tile])
            after_index[side] = index
            total = np.int64(one[index if pattern == 0 else indices[depth, side, 0]])
            total += np.int64(two[index if pattern == 1 else indices[depth, side, 1]])
            total += np.int64(three[index if pattern == 2 else indices[depth, side, 2]])
            estimate = max(estimate, total)
            if depth + 1 + estimate > threshold:
                break
        if depth + 1 + estimate > threshold:
            next_threshold = min(next_threshold, depth + 1 + estimate)
            continue
        board = boards[depth, 0] ^ (tile_bits << shift) ^ (tile_bits << np.uint64(4 * blank))
        for side in range(2):
            for pattern in range(3):
                indices[depth + 1, side, pattern] = indices[depth, side, pattern]
            indices[depth + 1, side, slot_pattern[side, tile]] = after_index[side]
        depth += 1
        boards[depth, 0] = board
        path[depth, BLANK] = after
        path[depth, LAST] = move
        path[depth, TURN] = 0
        path[depth, SUM] = estimate
        if estimate < scalars[BEST]:
            scalars[BEST] = estimate
            best[0] = board
        if estimate == 0:
            status = SOLVED
            break
        expanded += 1
    scalars[DEPTH], scalars[THRESHOLD], scalars[NEXT_THRESHOLD] = depth, threshold, next_threshold
    scalars[GENERATED], scalars[EXPANDED] = generated, expanded
    return status
