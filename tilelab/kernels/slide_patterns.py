"""Pattern databases: exact distances when only some tiles count.

Additive: a move counts only when it moves a tile of the pattern, so patterns without a common tile
may be summed (Korf & Felner 2002). The blank is not part of a pattern; the least over its places is
kept. Boards have up to 16 cells.
"""

import numpy as np

from tilelab.kernels.compiler import kernel

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
