"""Boards of up to 4×4 cells in one 64-bit number, with four bits for the tile in each cell.

Every board is part of a 4×4 board, where cell (row, col) has the number 4 * row + col. A tile's
label is its goal cell. Cells outside of the board hold the blank's label.

A slide is one possible move, packed into bits. Bits 0..5 are four times the cell that the blank
enters, 6..11 four times the cell that it leaves. Bit 12 is set if it moves up or down. Bits 13..18
are the index of the step: 4 * cell that the blank leaves + move. Bits from 20 up are the place of
the first slide that may follow.
"""

import numpy as np

from tilelab.kernels.decorators import inlined, kernel

VERTICAL = 1 << 12
_COLUMN = 0x000F000F000F000F
_GATHER = (1 << 48) | (1 << 36) | (1 << 24) | (1 << 12)


@inlined
def packed_move(board, slide, blank):
    """Return (board after a slide, label of the tile that moves), both uint64."""
    to = slide & np.uint64(63)
    tile = (board >> to) & np.uint64(15)
    swap = tile ^ blank
    return board ^ ((swap << to) | (swap << ((slide >> np.uint64(6)) & np.uint64(63)))), tile


@inlined
def conflict_change(board, after, tile, slide, lines):
    """Return the change in moves for linear conflicts by a slide.

    A slide keeps the order of the tiles along its own line. The change therefore is in a crossing
    line, if the tile leaves or enters its goal line.
    lines: uint8 (8 * 65536,), moves for each content of each row, then of each column.
    """
    to = (slide >> np.uint64(2)) & np.uint64(15)
    left = (slide >> np.uint64(8)) & np.uint64(15)
    if slide & np.uint64(VERTICAL):
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
    """Return a cell, uint64, mirrored at the main diagonal."""
    return ((cell & np.uint64(3)) << np.uint64(2)) | (cell >> np.uint64(2))


@kernel
def fill_conflict_lines(blank, lines):
    """Compute the table ``lines`` of :func:`conflict_change`; blank: label of the blank."""
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
                # In their goal line, labels ascend along the line, in rows and in columns.
                run = 0
                while run < longest and found[run] < label:
                    run += 1
                found[run] = label
                if run == longest:
                    longest += 1
                n_found += 1
            lines[line * 65536 + content] = 2 * (n_found - longest)
