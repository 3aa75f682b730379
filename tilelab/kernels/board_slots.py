"""A hash table of fixed size, with places in an array of boards."""

import numpy as np

from tilelab.kernels.decorators import kernel


@kernel
def find_slot(code, cells, boards, codes, slots):
    """Return the slot of a board in a hash table, or the empty slot where it belongs.

    code: uint64, the board's code. cells: uint8 (cells,), the board. boards: uint8 (room, cells).
    codes: uint64 (room,), codes of ``boards``. slots: int32 (2 ** k,), places in ``boards``; -1 for
    an empty slot.
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
