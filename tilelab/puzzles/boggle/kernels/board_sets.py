"""Sets of cells as bits, and the step from a set to its neighbours.

On up to 64 cells, a set is one ``uint64``; a cell's bit is ``row * cols + col``. Larger boards and
the slower rules use lanes: 16 bits for each row and four rows in each word. A shift by 16 bits is
then a step up or down.

If strings must be on straight lines, a set has one layer of lanes for each direction. It is a set
of pairs of a cell and a direction, and each pair continues only in its own direction.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tilelab.kernels.decorators import inlined, part

LANE_BITS = 16
"""Bits of a row in a set of several words; no board has more columns."""
ROWS_PER_WORD = 4
SMALL_GEOMETRY = 8
"""Length of the geometry of a board whose sets have one word."""
STRAIGHT = 16
"""Rule bit for strings on straight lines."""

Bits = NDArray[np.uint64]
_ONWARD, _BACK = np.int64(0), np.int64(1)  # numba compiles a kernel for each literal, True or 1


def small_geometry(rows: int, cols: int, *, king: bool, torus: bool, stay: bool) -> Bits:
    """Describe a board of at most 64 cells for :func:`spread`.

    Returns uint64 (8,): all cells, cells outside the first column, cells outside the last column,
    columns, shift that wraps a row, shift that wraps a column, rule bits, number of cells. Rule
    bits: 1 for king's moves, 2 if rows wrap, 4 if columns wrap, 8 if a cell neighbours itself.
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
    """Return the neighbours of the cells of a set.

    They include the set's own cells only if these neighbour each other or themselves. cells:
    uint64, a bit for each cell. geometry: see :func:`small_geometry`.
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
    """Return the same as :func:`spread`; plain: True if :func:`is_plain`, for speed, or None."""
    if plain is None:
        return spread(cells, geometry)
    one, cols = np.uint64(1), geometry[3]
    side = ((cells & geometry[1]) >> one) | ((cells & geometry[2]) << one)
    column = cells | side
    return (side | (column >> cols) | (column << cols)) & geometry[0]


def is_plain(geometry: Bits) -> bool:
    """Return whether the only rule of a small board is that cells also touch at corners."""
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

    directions: (down, right) of straight lines, each -1, 0 or 1. Without directions, strings need
    not be straight. With them, the other rules have no effect.
    Returns uint64 (8 + words,): words, rows, cols, and rule bits as in :func:`small_geometry`. Then
    three lane patterns, repeated over a word: first column, last column, whole row. Then the number
    of layers, and the set of all cells, layer by layer. At the end, each direction has a number:
    3 * (down + 1) + right + 1.
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
    """Move each layer of a set by a step in its direction, or back, and write it into ``near``."""
    one, lane, rest = np.uint64(1), np.uint64(16), np.uint64(48)
    n_words, n_layers = np.int64(geometry[0]), np.int64(geometry[7])
    first, last, every = geometry[4], geometry[5], geometry[6]
    n_lanes = n_words // n_layers
    for layer in range(n_layers):
        code = np.int64(geometry[8 + n_words + layer])
        if is_back:
            code = 8 - code
        down, right, begin = code // 3 - 1, code % 3 - 1, layer * n_lanes
        # Bits that leave a word are carried to the next word in the direction of the step.
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
def spread_lanes(cells, geometry, straight, near):
    """Write the cells that may follow a set into ``near``.

    cells, near: uint64 (words,), two arrays, 16 bits for each row. geometry: see
    :func:`lane_geometry`. straight: see :func:`straight_lines`.
    """
    if straight is not None:
        _shift_layers(cells, geometry, near, _ONWARD)
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
    # A word's column has the cells whose upper and lower neighbours are reached.
    diagonal = near[0] if rules & one else np.uint64(0)
    top = column = cells[0] | diagonal
    above = np.uint64(0)
    for word in range(n_words):
        below = np.uint64(0)
        if word + 1 < n_words:
            below = cells[word + 1]
            if rules & one:
                below |= near[word + 1]
        near[word] |= (column >> lane) | (column << lane) | (below << rest) | (above >> rest)
        if rules & np.uint64(8):
            near[word] |= cells[word]
        above, column = column, below
    if rules & np.uint64(4):
        last_shift = np.uint64(16) * ((rows - one) % np.uint64(4))
        near[n_words - 1] |= (top & np.uint64(0xFFFF)) << last_shift
        near[0] |= (above >> last_shift) & np.uint64(0xFFFF)
    for word in range(n_words):
        near[word] &= geometry[8 + word]


@inlined
def spread_lanes_back(cells, geometry, straight, near):
    """Write the cells that a set may follow into ``near``, as :func:`spread_lanes` in reverse."""
    if straight is None:
        spread_lanes(cells, geometry, straight, near)
    else:
        _shift_layers(cells, geometry, near, _BACK)


@part
def fold_layers(cells, geometry, straight):
    """Add the cells of all layers of a set, uint64 (words,), to its first layer.

    straight: see :func:`straight_lines`; only then a set has several layers.
    """
    if straight is not None:
        n_layers = np.int64(geometry[7])
        n_lanes = np.int64(geometry[0]) // n_layers
        for word in range(n_lanes, n_lanes * n_layers):
            cells[word % n_lanes] |= cells[word]


def straight_lines(geometry: Bits) -> bool | None:
    """Return True if strings must be on straight lines, otherwise None.

    numba leaves out branches for what an argument of None is not. Other rules, which are the usual
    ones, therefore do not wait until the step on straight lines is compiled.
    """
    return True if int(geometry[3]) & STRAIGHT else None
