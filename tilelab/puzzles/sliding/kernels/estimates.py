"""Estimates of the distance from a board of sliding tiles to its goal, computed from scratch.

Searches that visit many boards update their estimates step by step. Tests compare them with these,
and searches on boards of any shape use these. All kernels of heuristics have the same arguments:

cells: uint8 (n,), tile in each cell, 0 for the blank. cols: number of columns of the board.
places: int64 (n,), goal cell of each tile.
row_table, col_table: (keys, indices, distance) as walk_patterns fills them, for heuristics that use
them; arrays of one entry for the others.
"""

import functools

import numpy as np

from tilelab.kernels.arrays import copy_into
from tilelab.kernels.decorators import Caller, kernel, tuple_kernel
from tilelab.puzzles.sliding.kernels.walking_distance import FIELD_BITS, find_pattern
from tilelab.slides.kernels.line_conflicts import line_removals

SIGNATURE = (
    "int64(uint8[::1], int64[::1], int64, "
    "Tuple((uint64[::1], int32[::1], uint8[::1])), Tuple((uint64[::1], int32[::1], uint8[::1])))"
)
"""Types of the arguments and the result of every heuristic's kernel, in numba's notation."""
estimate_at = Caller(SIGNATURE)
"""Calls the kernel of a heuristic, which is an argument."""
EUCLIDEAN_SCALE = 100
"""Units of the Euclidean distance in one move; it is rounded down."""


@kernel
def zero(cells, places, cols, row_table, col_table):
    """Return 0."""
    return 0


@kernel
def manhattan(cells, places, cols, row_table, col_table):
    """Return the sum of the Manhattan distances of all tiles."""
    total = 0
    for cell in range(cells.shape[0]):
        tile = cells[cell]
        if tile:
            place = places[tile]
            total += abs(cell // cols - place // cols) + abs(cell % cols - place % cols)
    return total


@kernel
def misplaced(cells, places, cols, row_table, col_table):
    """Return the number of tiles that are not in their goal cells."""
    count = 0
    for cell in range(cells.shape[0]):
        tile = cells[cell]
        if tile and places[tile] != cell:
            count += 1
    return count


@kernel
def misplaced_with_blank(cells, places, cols, row_table, col_table):
    """Return the number of tiles, including the blank, that are not in their goal cells."""
    count = 0
    for cell in range(cells.shape[0]):
        if places[cells[cell]] != cell:
            count += 1
    return count


@kernel
def euclidean(cells, places, cols, row_table, col_table):
    """Return the sum of the straight-line distances of all tiles, in hundredths, rounded down."""
    total = 0.0
    for cell in range(cells.shape[0]):
        tile = cells[cell]
        if tile:
            place = places[tile]
            down = cell // cols - place // cols
            right = cell % cols - place % cols
            total += np.sqrt(float(down * down + right * right))
    return int(total * EUCLIDEAN_SCALE + 1e-6)


@kernel
def removals(cells, places, cols):
    """Return the number of tiles that must leave their goal lines, for all rows and columns.

    Twice this number may be added to the Manhattan distance (Hansson, Mayer & Yung 1992).
    """
    rows = cells.shape[0] // cols
    homes, longest = np.empty(max(rows, cols), np.int64), np.empty(max(rows, cols), np.int64)
    total = 0
    for axis in range(2):
        for line in range(rows if axis == 0 else cols):
            total += line_removals(cells, places, cols, axis, line, homes, longest)
    return total


@kernel
def conflicts_hasan(cells, places, cols):
    """Return the number of tiles with a smaller tile after them in their common goal line.

    See Hasan et al. 2023. A tile is smaller if its goal cell comes first; with the blank first,
    this is the order of the tiles' numbers.
    """
    n_cells = cells.shape[0]
    rows = n_cells // cols
    total = 0
    for axis in range(2):
        n_lines, length = (rows, cols) if axis == 0 else (cols, rows)
        for line in range(n_lines):
            for index in range(length):
                cell = line * cols + index if axis == 0 else index * cols + line
                tile = cells[cell]
                if tile == 0:
                    continue
                place = places[tile]
                if (place // cols if axis == 0 else place % cols) != line:
                    continue
                for later in range(index + 1, length):
                    other_cell = line * cols + later if axis == 0 else later * cols + line
                    other = cells[other_cell]
                    if other == 0:
                        continue
                    other_place = places[other]
                    at_home = (other_place // cols if axis == 0 else other_place % cols) == line
                    if at_home and other_place < place:
                        total += 1
                        break
    return total


@kernel
def reversals(cells, places, cols):
    """Return the number of pairs of neighbouring tiles that are in each other's goal cells."""
    count = 0
    n_cells = cells.shape[0]
    for cell in range(n_cells):
        tile = cells[cell]
        if tile == 0:
            continue
        if cell % cols + 1 < cols:
            other = cells[cell + 1]
            if other and places[tile] == cell + 1 and places[other] == cell:
                count += 1
        if cell + cols < n_cells:
            other = cells[cell + cols]
            if other and places[tile] == cell + cols and places[other] == cell:
                count += 1
    return count


@kernel
def pattern_key(cells, places, cols, axis):
    """Return the pattern of a board for the walking distance; axis: 0 rows, 1 columns."""
    n_cells = cells.shape[0]
    n_lines = n_cells // cols if axis == 0 else cols
    key = np.uint64(0)
    for cell in range(n_cells):
        line = cell // cols if axis == 0 else cell % cols
        tile = cells[cell]
        if tile == 0:
            key += np.uint64(line + 1) << np.uint64(FIELD_BITS * n_lines * n_lines)
        else:
            place = places[tile]
            group = place // cols if axis == 0 else place % cols
            key += np.uint64(1) << np.uint64(FIELD_BITS * (line * n_lines + group))
    return key


@tuple_kernel
def walking_distance(cells, places, cols, row_table, col_table):
    """Return the sum of the slides along both axes if tiles of the same goal line are equal."""
    row_keys, row_indices, row_distance = row_table
    col_keys, col_indices, col_distance = col_table
    row_slot = find_pattern(row_keys, pattern_key(cells, places, cols, 0))
    col_slot = find_pattern(col_keys, pattern_key(cells, places, cols, 1))
    return np.int64(row_distance[row_indices[row_slot]]) + np.int64(
        col_distance[col_indices[col_slot]]
    )


@kernel
def linear_conflict(cells, places, cols, row_table, col_table):
    """Return the Manhattan distance plus two moves for each tile that must leave its goal line."""
    total = manhattan(cells, places, cols, row_table, col_table)
    return total + 2 * removals(cells, places, cols)


@kernel
def linear_conflict_hasan(cells, places, cols, row_table, col_table):
    """Return the Manhattan distance plus two moves for each tile in :func:`conflicts_hasan`."""
    total = manhattan(cells, places, cols, row_table, col_table)
    return total + 2 * conflicts_hasan(cells, places, cols)


@functools.cache
def hybrid(divisor, rounds):
    """Make the kernel of HH from walking distance, Hasan's conflicts and Manhattan distance.

    divisor: divisor of the Manhattan distance. rounds: whether the estimate is rounded to whole
    moves, with halves rounded up; otherwise ``divisor`` units of the estimate are one move.
    """

    @tuple_kernel
    def rounded(cells, places, cols, row_table, col_table):
        total = manhattan(cells, places, cols, row_table, col_table)
        walk = walking_distance(cells, places, cols, row_table, col_table)
        whole = walk + 2 * conflicts_hasan(cells, places, cols)
        return whole + (2 * total + divisor) // (2 * divisor)

    @tuple_kernel
    def exact(cells, places, cols, row_table, col_table):
        total = manhattan(cells, places, cols, row_table, col_table)
        walk = walking_distance(cells, places, cols, row_table, col_table)
        return divisor * (walk + 2 * conflicts_hasan(cells, places, cols)) + total

    return rounded if rounds else exact


@kernel
def damodaran(cells, places, cols, row_table, col_table):
    """Return the Manhattan distance, plus the misplaced tiles, plus twice the reversed pairs."""
    total = manhattan(cells, places, cols, row_table, col_table)
    total += misplaced(cells, places, cols, row_table, col_table)
    return total + 2 * reversals(cells, places, cols)


@tuple_kernel
def larger(cells, places, cols, row_table, col_table):
    """Return the maximum of walking distance and Manhattan distance with linear conflicts."""
    walk = walking_distance(cells, places, cols, row_table, col_table)
    return max(walk, linear_conflict(cells, places, cols, row_table, col_table))


@kernel
def estimate_many(estimate, boards, places, cols, row_table, col_table, estimates):
    """Write the estimates of boards, uint8 (k, n), into ``estimates``, int64 (k,).

    estimate: the kernel of a heuristic, see ``estimate_at``.
    """
    cells = np.empty(places.shape[0], np.uint8)
    arguments = cells, places, cols, row_table, col_table
    for index in range(boards.shape[0]):
        copy_into(cells, boards[index])
        estimates[index] = estimate_at(estimate, arguments)
