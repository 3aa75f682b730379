"""A hash table of boards that doubles in place, a few slots at a time.

A slot is a uint64: the upper half of the board's code, then its node plus 1. A free slot is 0. The
upper bits of the code determine the board's first slot, its home. If that is in use, the board is
in the next free slot (linear probing). The slots never continue at the beginning: after the last
home there are slots for an overflow.

Homes keep the order of the codes when the table doubles, so it can be split from the top down. This
is "Linear hashing" (Litwin 1980) in the opposite direction. Homes from SPLIT on are doubled, those
below are not. The upper half is used in order, and nothing else moves.
"""

import numpy as np

from tilelab.kernels.decorators import kernel

BITS, SPLIT = 0, 1
"""The table has 2 ** BITS homes; each home from SPLIT on has been doubled."""
N_TABLE = 2
OVERFLOW = 4096
"""Number of slots after the last home; at the allowed loads, a run of this length is practically
impossible."""


@kernel
def board_code(cells, zobrist):
    """Return the Zobrist code of a board; zobrist: uint64 (n, cells), by tile and cell."""
    code = np.uint64(0)
    for cell in range(cells.shape[0]):
        code ^= zobrist[cells[cell], cell]
    return code


@kernel
def home(tag, table):
    """Return the first slot that may hold a board; tag: uint64, the upper 32 bits of its code."""
    bits = np.uint64(table[BITS])
    slot = np.int64(tag >> (np.uint64(32) - bits))
    if slot >= table[SPLIT]:
        slot = np.int64(tag >> (np.uint64(31) - bits))
    return slot


@kernel
def find_board(cells, code, boards, slots, table):
    """Return (slot of a board, its node), or (free slot where it belongs, -1).

    boards: uint8 (nodes, cells). slots: uint64. table: int64 (N_TABLE,).
    """
    tag = code >> np.uint64(32)
    slot = home(tag, table)
    while slots[slot] != np.uint64(0):
        if slots[slot] >> np.uint64(32) == tag:
            node = np.int64(slots[slot] & np.uint64(0xFFFFFFFF)) - 1
            same = True
            for cell in range(cells.shape[0]):
                if boards[node, cell] != cells[cell]:
                    same = False
                    break
            if same:
                return slot, node
        slot += 1
    return slot, np.int64(-1)


@kernel
def entry_of(code, node):
    """Return the content of a slot for a node; code: uint64, the code of its board."""
    return (code & np.uint64(0xFFFFFFFF00000000)) | np.uint64(node + 1)


@kernel
def n_touched(table):
    """Return the number of slots in use, without the overflow."""
    homes = np.int64(1) << table[BITS]
    return homes + min(homes, 2 * (homes - table[SPLIT]))


@kernel
def split_more(n_slots, slots, table):
    """Double the next ``n_slots`` homes from the top down.

    slots: longer than twice the number of homes plus OVERFLOW.
    """
    split = table[SPLIT]
    end = split
    while slots[end] != np.uint64(0):
        end += 1
    low = max(split - n_slots, 0)
    # All boards with homes here are before the next free slot; some may have their homes below.
    taken = slots[low:end].copy()
    slots[low:end] = np.uint64(0)
    table[SPLIT] = low
    for index in range(taken.shape[0]):
        if taken[index] != np.uint64(0):
            slot = home(taken[index] >> np.uint64(32), table)
            while slots[slot] != np.uint64(0):
                slot += 1
            slots[slot] = taken[index]
    if low == 0:
        table[BITS] += 1
        table[SPLIT] = np.int64(1) << table[BITS]


@kernel
def fill_table(n_nodes, boards, zobrist, slots, table):
    """Put all nodes into an empty table of the size that ``table`` gives."""
    for node in range(n_nodes):
        code = board_code(boards[node], zobrist)
        slot = home(code >> np.uint64(32), table)
        while slots[slot] != np.uint64(0):
            slot += 1
        slots[slot] = entry_of(code, node)
