"""Sets of cells as bits, and the step from a set to its neighbours.

On up to 64 cells a set is one ``uint64``, bit ``row * cols + col``. Larger boards (and the slower
rules) use lanes: 16 bits a row, four rows a word, so that a shift by 16 is a step up or down.
"""

import numpy as np
from numpy.typing import NDArray

from tilelab.kernels.decorators import part

LANE_BITS = 16
"""Bits a row takes in a set of several words; no board has more columns."""
ROWS_PER_WORD = 4
SMALL_GEOMETRY = 8
"""Length of the geometry of a board whose sets are one word."""

Bits = NDArray[np.uint64]


def small_geometry(rows: int, cols: int, *, king: bool, torus: bool, stay: bool) -> Bits:
    """Describe a board of at most 64 cells for :func:`spread`.

    Returns uint64 (8,): all cells, cells not in the first column, cells not in the last column,
    cols, the shift that wraps a row, the shift that wraps a column, rule bits, cells. Rule bits:
    1 king's moves, 2 rows wrap, 4 columns wrap, 8 staying put.
    """
    n_cells = rows * cols
    every = (1 << n_cells) - 1
    first_col = sum(1 << (row * cols) for row in range(rows))
    last_col = first_col << (cols - 1)
    rules = king | (torus and cols > 1) << 1 | (torus and rows > 1) << 2 | stay << 3
    numbers = [
        every,
        every & ~first_col,
        every & ~last_col,
        cols,
        cols - 1,
        n_cells - cols,
        rules,
        n_cells,
    ]
    return np.array(numbers, dtype=np.uint64)


@part
def spread(cells, geometry):
    """Return the cells that neighbour a set (itself included only where it neighbours itself).

    cells: uint64, one bit a cell. geometry: see :func:`small_geometry`.
    """
    one = np.uint64(1)
    every, not_first, not_last = geometry[0], geometry[1], geometry[2]
    cols, wrap_row, wrap_col, rules = geometry[3], geometry[4], geometry[5], geometry[6]
    side = ((cells & not_first) >> one) | ((cells & not_last) << one)
    if rules & np.uint64(2):
        side |= ((cells & (every ^ not_first)) << wrap_row) | (
            (cells & (every ^ not_last)) >> wrap_row
        )
    column = cells
    if rules & one:
        column = cells | side
    near = side | (column >> cols) | (column << cols)
    if rules & np.uint64(4):
        near |= (column >> wrap_col) | (column << wrap_col)
    if rules & np.uint64(8):
        near |= cells
    return near & every


def lane_geometry(rows: int, cols: int, *, king: bool, torus: bool, stay: bool) -> Bits:
    """Describe a board of up to 16 × 16 cells for :func:`spread_lanes`.

    Returns uint64 (8 + words,): words, rows, cols, rule bits (as in :func:`small_geometry`), then
    one lane pattern each for the first column, the last column and a whole row, repeated over a
    word, a spare, and the set of all cells.
    """
    n_words = -(-rows // ROWS_PER_WORD)
    rules = king | (torus and cols > 1) << 1 | (torus and rows > 1) << 2 | stay << 3
    every_lane = sum(1 << (LANE_BITS * lane) for lane in range(ROWS_PER_WORD))
    whole_row = (1 << cols) - 1
    every = sum(whole_row << (LANE_BITS * row) for row in range(rows))
    words = [(every >> (64 * word)) & (2**64 - 1) for word in range(n_words)]
    lanes = [every_lane, every_lane << (cols - 1), every_lane * whole_row]
    return np.array([n_words, rows, cols, rules, *lanes, 0, *words], dtype=np.uint64)


@part
def spread_lanes(cells, geometry, column, near):
    """Write the neighbours of a set into ``near``; ``column`` is scratch, same shape.

    cells, near: uint64 (words,), 16 bits a row. geometry: see :func:`lane_geometry`.
    """
    one, lane, rest = np.uint64(1), np.uint64(16), np.uint64(48)
    n_words, rows = np.int64(geometry[0]), geometry[1]
    rules, first, last, every = geometry[3], geometry[4], geometry[5], geometry[6]
    wrap = geometry[2] - one
    for word in range(n_words):
        here = cells[word]
        side = ((here & ~first) >> one) | ((here & ~last) << one)
        side &= every
        if rules & np.uint64(2):
            side |= ((here & first) << wrap) | ((here & last) >> wrap)
        near[word] = side
        column[word] = here
        if rules & one:
            column[word] |= side
        if rules & np.uint64(8):
            near[word] |= here
    for word in range(n_words):
        near[word] |= (column[word] >> lane) | (column[word] << lane)
        if word + 1 < n_words:
            near[word] |= column[word + 1] << rest
        if word > 0:
            near[word] |= column[word - 1] >> rest
    if rules & np.uint64(4):
        last_word = n_words - 1
        last_shift = np.uint64(16) * ((rows - one) % np.uint64(4))
        top = column[0] & np.uint64(0xFFFF)
        bottom = (column[last_word] >> last_shift) & np.uint64(0xFFFF)
        near[last_word] |= top << last_shift
        near[0] |= bottom
    for word in range(n_words):
        near[word] &= geometry[8 + word]
