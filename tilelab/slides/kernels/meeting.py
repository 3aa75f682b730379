"""Shortest paths between two boards on which tiles may be equal, breadth first from both ends.

Layers are completed one at a time, so the first meeting gives a shortest path. With a bound, boards
are left out if no path through them is shorter than the bound. This loses no such path.
"""

import numpy as np

from tilelab.kernels.arrays import copy_into
from tilelab.kernels.board_slots import find_slot
from tilelab.kernels.decorators import kernel

SEARCHING, MET, NO_SHORTER, FULL = 0, 1, 2, 3
PARENT, MOVE, BLANK, ESTIMATE = 0, 1, 2, 3
N_LINKS = 4
N_NODES, LAYER_BEGIN, LAYER_END, REACHED = 0, 1, 2, 3
N_SCALARS = 4


@kernel
def goal_places(board, cols, n_kinds, near, places, n_places):
    """Find the goal cells of the tiles of each kind.

    All arrays but ``board`` are overwritten. near: int64 (kinds, cells), distance from each cell to
    the nearest goal cell of a kind. places: int64 (kinds, cells), the goal cells of each kind.
    n_places: int64 (kinds,), their number.
    """
    n_cells = board.shape[0]
    near[:] = 0
    n_places[:] = 0
    for cell in range(n_cells):
        kind = board[cell]
        places[kind, n_places[kind]] = cell
        n_places[kind] += 1
    for kind in range(1, n_kinds):
        for cell in range(n_cells):
            nearest = np.int64(n_cells)
            for other in range(n_cells):
                if board[other] == kind:
                    distance = abs(cell // cols - other // cols) + abs(cell % cols - other % cols)
                    nearest = min(nearest, distance)
            near[kind, cell] = nearest


@kernel
def kind_estimate(board, kind, places, n_places, near, cols):
    """Return the smallest sum of distances from the tiles of a kind to their goal cells.

    It is exact for up to three tiles of the kind, and a lower bound for more. The sum of all kinds
    is a lower bound of the moves to the goal. near, places, n_places: see :func:`goal_places`.
    """
    n_tiles = n_places[kind]
    if n_tiles > 3:
        total = np.int64(0)
        for cell in range(board.shape[0]):
            if board[cell] == kind:
                total += near[kind, cell]
        return total
    distances = np.zeros((3, 3), np.int64)
    tile = 0
    for cell in range(board.shape[0]):
        if board[cell] == kind:
            for place in range(n_tiles):
                goal = places[kind, place]
                distances[tile, place] = abs(cell // cols - goal // cols)
                distances[tile, place] += abs(cell % cols - goal % cols)
            tile += 1
    if n_tiles == 1:
        return distances[0, 0]
    if n_tiles == 2:
        return min(distances[0, 0] + distances[1, 1], distances[0, 1] + distances[1, 0])
    return min(
        distances[0, 0] + min(distances[1, 1] + distances[2, 2], distances[1, 2] + distances[2, 1]),
        distances[0, 1] + min(distances[1, 0] + distances[2, 2], distances[1, 2] + distances[2, 0]),
        distances[0, 2] + min(distances[1, 0] + distances[2, 1], distances[1, 1] + distances[2, 0]),
    )


@kernel
def begin_side(
    side, board, cols, near, places, n_places, zobrist, boards, codes, links, slots, scalars
):
    """Begin the search from one end; side: 0 or 1. The arrays are described in :func:`meet`."""
    code, estimate, blank = np.uint64(0), np.int64(0), 0
    for cell in range(board.shape[0]):
        boards[side, 0, cell] = board[cell]
        code ^= zobrist[board[cell], cell]
        if board[cell] == 0:
            blank = cell
    for kind in range(1, n_places.shape[0]):
        estimate += kind_estimate(board, kind, places[side], n_places, near[side], cols)
    codes[side, 0] = code
    links[side, 0] = 0
    links[side, 0, PARENT], links[side, 0, MOVE] = -1, -1
    links[side, 0, BLANK], links[side, 0, ESTIMATE] = blank, estimate
    slots[side] = -1
    slots[side, find_slot(code, board, boards[side], codes[side], slots[side])] = 0
    scalars[side, N_NODES], scalars[side, LAYER_BEGIN] = 1, 0
    scalars[side, LAYER_END], scalars[side, REACHED] = 1, 0


@kernel
def meet(
    bound, target, cols, near, places, n_places, zobrist, boards, codes, links, slots, scalars,
    meeting,
):  # fmt: skip
    """Search from both ends for a path shorter than a bound, after :func:`begin_side` for each.

    target: int64 (cells, 4), next cell of the blank by move, or -1. near, places: int64 (2, kinds,
    cells), for the opposite end of each side. n_places: int64 (kinds,), see :func:`goal_places`.
    zobrist: uint64 (kinds, cells).
    boards: uint8 (2, room, cells). codes: uint64 (2, room). links: int32 (2, room, N_LINKS).
    slots: int32 (2, 2 ** k). scalars: int64 (2, N_SCALARS).
    meeting: int64 (2,), if the sides have met, the node of each side for the common board.
    Returns MET, NO_SHORTER if no path is shorter than the bound, or FULL if there is no room.
    """
    room, n_cells = boards.shape[1], boards.shape[2]
    child = np.empty(n_cells, np.uint8)
    while True:
        depth = scalars[0, REACHED] + scalars[1, REACHED]
        sizes = scalars[:, LAYER_END] - scalars[:, LAYER_BEGIN]
        if depth + 1 >= bound or sizes[0] == 0 or sizes[1] == 0:
            return NO_SHORTER
        side = 0 if sizes[0] <= sizes[1] else 1
        other, n_nodes = 1 - side, scalars[side, N_NODES]
        g = scalars[side, REACHED] + 1
        for node in range(scalars[side, LAYER_BEGIN], scalars[side, LAYER_END]):
            blank = np.int64(links[side, node, BLANK])
            for move in range(4):
                after = target[blank, move]
                if after < 0 or (node > 0 and (links[side, node, MOVE] ^ 1) == move):
                    continue
                tile = boards[side, node, after]
                estimate = np.int64(links[side, node, ESTIMATE])
                copy_into(child, boards[side, node])
                child[blank], child[after] = tile, 0
                if n_places[tile] == 2 or n_places[tile] == 3:
                    estimate -= kind_estimate(
                        boards[side, node], tile, places[side], n_places, near[side], cols
                    )
                    estimate += kind_estimate(child, tile, places[side], n_places, near[side], cols)
                else:
                    estimate += near[side, tile, blank] - near[side, tile, after]
                if g + estimate >= bound:
                    continue
                code = codes[side, node] ^ zobrist[tile, after] ^ zobrist[tile, blank]
                code ^= zobrist[0, blank] ^ zobrist[0, after]
                slot = find_slot(code, child, boards[side], codes[side], slots[side])
                if slots[side, slot] >= 0:
                    continue
                if n_nodes == room:
                    return FULL
                copy_into(boards[side, n_nodes], child)
                codes[side, n_nodes] = code
                links[side, n_nodes, PARENT], links[side, n_nodes, MOVE] = node, move
                links[side, n_nodes, BLANK], links[side, n_nodes, ESTIMATE] = after, estimate
                slots[side, slot] = n_nodes
                slot = find_slot(code, child, boards[other], codes[other], slots[other])
                if slots[other, slot] >= 0:
                    meeting[side], meeting[other] = n_nodes, slots[other, slot]
                    return MET
                n_nodes += 1
        scalars[side, LAYER_BEGIN] = scalars[side, N_NODES]
        scalars[side, LAYER_END] = scalars[side, N_NODES] = n_nodes
        scalars[side, REACHED] = g
