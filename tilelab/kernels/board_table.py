"""A hash table of boards that doubles in place, a few slots at a time.

A slot is uint64: the upper half of the board's code, then its node plus 1; 0 is free. The upper
bits of the code are its home, and later boards stand in the next free slots (linear probing, never
round the end: behind the last home is room for an overflow).

Homes stay in the order of the codes when the table doubles, so it can be split from the top down
(Litwin 1980, "Linear hashing", the other way round): homes from SPLIT on have been doubled, those
below have not. The upper half is touched in order, and nothing else moves.
"""

import numpy as np

from tilelab.kernels.decorators import kernel

BITS, SPLIT = 0, 1
"""The table has 2 ** BITS homes, and those from SPLIT on stand for two each."""
N_TABLE = 2
OVERFLOW = 4096
"""Slots behind the last home; a run of so many is beyond all chance at the loads allowed."""


@kernel
def board_code(cells, zobrist):
    """Return the Zobrist code of a board. zobrist: uint64 (n, n), by tile and cell."""
    code = np.uint64(0)
    for cell in range(cells.shape[0]):
        code ^= zobrist[cells[cell], cell]
    return code


@kernel
def home(tag, table):
    """Return the first slot that a board may be in. tag: uint64, the upper 32 bits of its code."""
    bits = np.uint64(table[BITS])
    slot = np.int64(tag >> (np.uint64(32) - bits))
    if slot >= table[SPLIT]:
        slot = np.int64(tag >> (np.uint64(31) - bits))
    return slot


@kernel
def find_board(cells, code, boards, slots, table):
    """Return (the slot of a board, its node), or (the free slot where it belongs, -1).

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
    """Return what a slot holds for a node."""
    return (code & np.uint64(0xFFFFFFFF00000000)) | np.uint64(node + 1)


@kernel
def n_touched(table):
    """Return how many slots are in use, overflow left out."""
    homes = np.int64(1) << table[BITS]
    return homes + min(homes, 2 * (homes - table[SPLIT]))


@kernel
def split_more(n_slots, slots, table):
    """Double the next ``n_slots`` homes from the top down.

    slots must be longer than twice the homes and OVERFLOW.
    """
    split = table[SPLIT]
    end = split
    while slots[end] != np.uint64(0):
        end += 1
    low = max(split - n_slots, 0)
    # All that have their homes here stand before the next free slot; some may have theirs below.
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
    """Put all nodes into an empty table that is as large as ``table`` says."""
    for node in range(n_nodes):
        code = board_code(boards[node], zobrist)
        slot = home(code >> np.uint64(32), table)
        while slots[slot] != np.uint64(0):
            slot += 1
        slots[slot] = entry_of(code, node)
