"""Sets of cells as bits, and the step from a set to its neighbours.

On up to 64 cells a set is one ``uint64``, bit ``row * cols + col``. Larger boards (and the slower
rules) use lanes: 16 bits a row, four rows a word, so that a shift by 16 is a step up or down.

Where strings lie on straight lines, a set has one layer of lanes for each direction: a set of pairs
of a cell and a direction, each of which goes on in its own direction alone.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tilelab.kernels.decorators import inlined, part

LANE_BITS = 16
"""Bits a row takes in a set of several words; no board has more columns."""
ROWS_PER_WORD = 4
SMALL_GEOMETRY = 8
"""Length of the geometry of a board whose sets are one word."""
STRAIGHT = 16
"""Rule bit: strings lie on straight lines."""

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


@part
def spread_by(cells, geometry, plain):
    """Return what :func:`spread` does; faster where ``plain`` is not None, as :func:`is_plain`."""
    if plain is None:
        return spread(cells, geometry)
    one, cols = np.uint64(1), geometry[3]
    side = ((cells & geometry[1]) >> one) | ((cells & geometry[2]) << one)
    column = cells | side
    return (side | (column >> cols) | (column << cols)) & geometry[0]


def is_plain(geometry: Bits) -> bool:
    """Tell whether the only rule of a small board is that cells touch at corners, too."""
    return int(geometry[6]) == 1


def lane_geometry(
    rows: int,
    cols: int,
    *,
    king: bool = False,
    torus: bool = False,
    stay: bool = False,
    directions: Sequence[tuple[int, int]] = (),
) -> Bits:
    """Describe a board of up to 16 × 16 cells for :func:`spread_lanes`.

    directions: (down, right), each -1, 0 or 1, in which straight lines go; without any, strings
    need not be straight. With them, the other rules say nothing.
    Returns uint64 (8 + words,): words, rows, cols, rule bits (as in :func:`small_geometry`), then
    one lane pattern each for the first column, the last column and a whole row, repeated over a
    word, the number of layers, and the set of all cells, layer by layer. With directions, one
    number follows for each: 3 * (down + 1) + right + 1.
    """
    n_words = -(-rows // ROWS_PER_WORD)
    rules = king | (torus and cols > 1) << 1 | (torus and rows > 1) << 2 | stay << 3
    every_lane = sum(1 << (LANE_BITS * lane) for lane in range(ROWS_PER_WORD))
    whole_row = (1 << cols) - 1
    every = sum(whole_row << (LANE_BITS * row) for row in range(rows))
    words = [(every >> (64 * word)) & (2**64 - 1) for word in range(n_words)]
    lanes = [every_lane, every_lane << (cols - 1), every_lane * whole_row]
    if not directions:
        return np.array([n_words, rows, cols, rules, *lanes, 1, *words], dtype=np.uint64)
    n_layers = len(directions)
    header = [n_layers * n_words, rows, cols, STRAIGHT, *lanes, n_layers]
    codes = [3 * (down + 1) + right + 1 for down, right in directions]
    return np.array([*header, *words * n_layers, *codes], dtype=np.uint64)


@part
def _shift_layers(cells, geometry, near, is_back):
    """Write each layer of a set, one step on in its direction (or back), into ``near``."""
    one, lane, rest = np.uint64(1), np.uint64(16), np.uint64(48)
    n_words, n_layers = np.int64(geometry[0]), np.int64(geometry[7])
    first, last, every = geometry[4], geometry[5], geometry[6]
    n_lanes = n_words // n_layers
    for layer in range(n_layers):
        code = np.int64(geometry[8 + n_words + layer])
        if is_back:
            code = 8 - code
        down, right, begin = code // 3 - 1, code % 3 - 1, layer * n_lanes
        # What leaves a word is kept for the next one that the step leads to.
        carried = np.uint64(0)
        for index in range(n_lanes):
            word = begin + (n_lanes - 1 - index if down < 0 else index)
            moved = cells[word]
            if right > 0:
                moved = (moved & ~last) << one
            elif right < 0:
                moved = (moved & ~first) >> one
            moved &= every
            if down > 0:
                near[word] = (moved << lane) | carried
                carried = moved >> rest
            elif down < 0:
                near[word] = (moved >> lane) | carried
                carried = moved << rest
            else:
                near[word] = moved
            near[word] &= geometry[8 + word]


@inlined
def spread_lanes(cells, geometry, column, near):
    """Write the cells that may follow a set into ``near``.

    cells, near: uint64 (words,), 16 bits a row. geometry: see :func:`lane_geometry`.
    column: scratch of the same shape; None where strings lie on straight lines, whose kernels are
    others: so nothing of these costs the rest any time.
    """
    if column is None:
        _shift_layers(cells, geometry, near, False)
        return
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


@inlined
def spread_lanes_back(cells, geometry, column, near):
    """Write the cells that a set may follow into ``near``; see :func:`spread_lanes`."""
    if column is None:
        _shift_layers(cells, geometry, near, True)
    else:
        spread_lanes(cells, geometry, column, near)


@part
def fold_layers(cells, geometry, column):
    """Add to the first layer of a set, uint64 (words,), the cells of all its layers.

    column: as in :func:`spread_lanes`; elsewhere there is one layer.
    """
    if column is None:
        n_layers = np.int64(geometry[7])
        n_lanes = np.int64(geometry[0]) // n_layers
        for word in range(n_lanes, n_lanes * n_layers):
            cells[word % n_lanes] |= cells[word]


def lane_column(geometry: Bits) -> Bits | None:
    """Make the scratch that :func:`spread_lanes` takes for a board."""
    is_straight = int(geometry[3]) & STRAIGHT
    return None if is_straight else np.zeros(int(geometry[0]), np.uint64)
