"""Boards of up to 4×4 cells in one 64-bit number: a cell is four bits, and holds a goal cell.

Every board is laid into a 4×4 one: cell and goal cell (row, col) have the number 4 * row + col, and
cells outside hold the blank's goal cell. A tile's label is its goal cell.

A way is one possible move, packed in bits: 0..5 four times the cell that the blank enters, 6..11
four times the cell that it leaves, 12 whether it goes up or down, 13..18 index of the step (cell
left * 4 + move), 20 and up the place of the first way that follows.
"""

import numpy as np

from tilelab.kernels.decorators import inlined, kernel

VERTICAL = 1 << 12
_COLUMN = 0x000F000F000F000F
_GATHER = (1 << 48) | (1 << 36) | (1 << 24) | (1 << 12)


@inlined
def packed_move(board, way, blank):
    """Return (board after, label of the tile that moved), both uint64."""
    to = way & np.uint64(63)
    tile = (board >> to) & np.uint64(15)
    swap = tile ^ blank
    return board ^ ((swap << to) | (swap << ((way >> np.uint64(6)) & np.uint64(63)))), tile


@inlined
def conflict_change(board, after, tile, way, lines):
    """Return by how much a move changes the linear conflicts.

    A slide keeps the order of the tiles along its own line, so only the crossing line that is the
    tile's goal line counts, where the tile leaves or enters it.
    lines: uint8 (8 * 65536,), moves for each content of each row, then of each column.
    """
    to = (way >> np.uint64(2)) & np.uint64(15)
    left = (way >> np.uint64(8)) & np.uint64(15)
    if way & np.uint64(VERTICAL):
        line = tile >> np.uint64(2)
        if line != to >> np.uint64(2) and line != left >> np.uint64(2):
            return 0
        base = line << np.uint64(16)
        shift = line << np.uint64(4)
        new = (after >> shift) & np.uint64(0xFFFF)
        old = (board >> shift) & np.uint64(0xFFFF)
        return np.int64(lines[base | new]) - np.int64(lines[base | old])
    line = tile & np.uint64(3)
    if line != to & np.uint64(3) and line != left & np.uint64(3):
        return 0
    base = (line + np.uint64(4)) << np.uint64(16)
    shift = line << np.uint64(2)
    new = (((after >> shift) & np.uint64(_COLUMN)) * np.uint64(_GATHER)) >> np.uint64(48)
    old = (((board >> shift) & np.uint64(_COLUMN)) * np.uint64(_GATHER)) >> np.uint64(48)
    return np.int64(lines[base | new]) - np.int64(lines[base | old])


@inlined
def transposed(cell):
    """Return the cell mirrored at the main diagonal, uint64."""
    return ((cell & np.uint64(3)) << np.uint64(2)) | (cell >> np.uint64(2))


@kernel
def fill_conflict_lines(blank, lines):
    """Fill the moves by which each content of a line exceeds its distances; see above."""
    found = np.empty(4, np.int64)
    for line in range(8):
        for content in range(65536):
            n_found = 0
            longest = 0
            for position in range(4):
                label = (content >> (4 * position)) & 15
                home = label // 4 if line < 4 else label % 4
                if label == blank or home != line % 4:
                    continue
                # The labels at home in a line rise along it, in rows and columns alike.
                run = 0
                while run < longest and found[run] < label:
                    run += 1
                found[run] = label
                if run == longest:
                    longest += 1
                n_found += 1
            lines[line * 65536 + content] = 2 * (n_found - longest)
