"""Fewest slides between two boards on which tiles may be alike, breadth first from both ends.

Layers are finished one at a time, so the first meeting is a shortest way. With a bound, boards
through which no way shorter than the bound can lead are left out; that loses no such way.
"""

import numpy as np

from tilelab.kernels.compiler import kernel

SEARCHING, MET, NO_SHORTER, FULL = 0, 1, 2, 3
PARENT, MOVE, BLANK, ESTIMATE = 0, 1, 2, 3
N_LINKS = 4
N_NODES, LAYER_BEGIN, LAYER_END, REACHED = 0, 1, 2, 3
N_SCALARS = 4


@kernel
def nearest_ways(board, cols, n_kinds, near):
    """Fill int64 (kinds, cells): how far a tile of a kind in a cell is from the nearest such one.

    A board's distance to ``board`` is at least the sum of this over its tiles.
    """
    n_cells = board.shape[0]
    near[:] = 0
    for kind in range(1, n_kinds):
        for cell in range(n_cells):
            least = np.int64(n_cells)
            for other in range(n_cells):
                if board[other] == kind:
                    way = abs(cell // cols - other // cols) + abs(cell % cols - other % cols)
                    least = min(least, way)
            near[kind, cell] = least


@kernel
def find_slot(code, cells, boards, codes, slots):
    """Return the slot of a board in a hash table, or of the gap where it belongs.

    code: uint64, of the board, uint8 (cells,). boards: uint8 (room, cells), codes: uint64 (room,).
    slots: int32 (2 ** k,), places in ``boards``, -1 for a gap.
    """
    mask = np.uint64(slots.shape[0] - 1)
    slot = (code >> np.uint64(11)) & mask
    while slots[slot] >= 0:
        node = slots[slot]
        if codes[node] == code:
            cell = 0
            while cell < cells.shape[0] and boards[node, cell] == cells[cell]:
                cell += 1
            if cell == cells.shape[0]:
                break
        slot = (slot + np.uint64(1)) & mask
    return np.int64(slot)


@kernel
def begin_side(side, board, near, zobrist, boards, codes, links, slots, scalars):
    """Put a side's own end in; see :func:`meet` for the arrays."""
    code, estimate, blank = np.uint64(0), np.int64(0), 0
    for cell in range(board.shape[0]):
        boards[side, 0, cell] = board[cell]
        code ^= zobrist[board[cell], cell]
        estimate += near[side, board[cell], cell]
        if board[cell] == 0:
            blank = cell
    codes[side, 0] = code
    links[side, 0] = 0
    links[side, 0, PARENT], links[side, 0, MOVE] = -1, -1
    links[side, 0, BLANK], links[side, 0, ESTIMATE] = blank, estimate
    slots[side] = -1
    slots[side, find_slot(code, board, boards[side], codes[side], slots[side])] = 0
    scalars[side, N_NODES], scalars[side, LAYER_BEGIN] = 1, 0
    scalars[side, LAYER_END], scalars[side, REACHED] = 1, 0


@kernel
def meet(bound, target, near, zobrist, boards, codes, links, slots, scalars, meeting):
    """Search from both ends, each begun with :func:`begin_side`, for a way shorter than a bound.

    target: int64 (cells, 4), the blank's next cell by move, or -1. near: int64 (2, kinds, cells),
    of the end that each side goes to. zobrist: uint64 (kinds, cells).
    boards: uint8 (2, room, cells), codes: uint64 (2, room), links: int32 (2, room, N_LINKS),
    slots: int32 (2, 2 ** k), scalars: int64 (2, N_SCALARS).
    meeting: int64 (2,), the nodes of either side that are the same board, when they have met.
    Returns MET, NO_SHORTER when there is no way shorter than the bound, or FULL.
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
                estimate += near[side, tile, blank] - near[side, tile, after]
                if g + estimate >= bound:
                    continue
                code = codes[side, node] ^ zobrist[tile, after] ^ zobrist[tile, blank]
                code ^= zobrist[0, blank] ^ zobrist[0, after]
                child[:] = boards[side, node]
                child[blank], child[after] = tile, 0
                slot = find_slot(code, child, boards[side], codes[side], slots[side])
                if slots[side, slot] >= 0:
                    continue
                if n_nodes == room:
                    return FULL
                boards[side, n_nodes] = child
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
