"""Estimates of the distance from a board of sliding tiles to its goal, computed from scratch.

Searches that visit many boards compute them step by step; these are what they are checked against,
and what serves boards of any shape. Common arguments:

cells: uint8 (n,), the tile in each cell, 0 for the blank. cols: columns of the board.
places: int64 (n,), each tile's goal cell.
"""

import numpy as np

from tilelab.kernels.decorators import kernel
from tilelab.kernels.slides.walking_distance import FIELD_BITS, find_pattern

ZERO, MISPLACED, MANHATTAN, EUCLIDEAN, LINEAR_CONFLICT = 0, 1, 2, 3, 4
CONFLICT_HASAN, WALKING, HYBRID, DAMODARAN, LARGER = 5, 6, 7, 8, 9
EUCLIDEAN_SCALE = 100
"""Euclidean distances are counted in hundredths of a move, rounded down."""


@kernel
def manhattan(cells, places, cols):
    """Sum of the tiles' Manhattan distances."""
    total = 0
    for cell in range(cells.shape[0]):
        tile = cells[cell]
        if tile:
            place = places[tile]
            total += abs(cell // cols - place // cols) + abs(cell % cols - place % cols)
    return total


@kernel
def misplaced(cells, places):
    """Number of tiles that are not in their goal cells."""
    count = 0
    for cell in range(cells.shape[0]):
        tile = cells[cell]
        if tile and places[tile] != cell:
            count += 1
    return count


@kernel
def euclidean(cells, places, cols):
    """Sum of the tiles' straight-line distances, in hundredths, rounded down."""
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
def line_removals(cells, places, cols, axis, line, homes, longest):
    """Number of tiles that must leave a line so that the others at home in it can pass in order.

    They are the tiles at home in it, less the longest of their increasing subsequences. A tile
    whose place is -1 does not count. axis: 0 rows, 1 columns. homes, longest: int64, room for a
    line.
    """
    length = cols if axis == 0 else cells.shape[0] // cols
    n_home, best = 0, 0
    for index in range(length):
        cell = line * cols + index if axis == 0 else index * cols + line
        tile = cells[cell]
        if tile == 0 or places[tile] < 0:
            continue
        place = places[tile]
        if (place // cols if axis == 0 else place % cols) != line:
            continue
        home = place % cols if axis == 0 else place // cols
        run = 1
        for before in range(n_home):
            if homes[before] < home and longest[before] >= run:
                run = longest[before] + 1
        homes[n_home] = home
        longest[n_home] = run
        n_home += 1
        best = max(best, run)
    return n_home - best


@kernel
def removals(cells, places, cols):
    """The removals of all rows and columns (Hansson, Mayer & Yung 1992).

    Twice their number may be added to the Manhattan distance.
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
    """Number of tiles with a later, smaller tile in their common goal line (Hasan et al. 2023).

    "Smaller" is meant by goal place, which is the tile's number when the blank is first.
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
    """Number of pairs of neighbouring tiles that stand in each other's goal cells."""
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
    """The walking distance's pattern of a board along an axis: 0 rows, 1 columns."""
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


@kernel
def walking(cells, places, cols, row_table, col_table):
    """The walking distance: the sum of both axes' slides.

    row_table, col_table: (keys, indices, distance) as walk_patterns fills them.
    """
    row_keys, row_indices, row_distance = row_table
    col_keys, col_indices, col_distance = col_table
    row_slot = find_pattern(row_keys, pattern_key(cells, places, cols, 0))
    col_slot = find_pattern(col_keys, pattern_key(cells, places, cols, 1))
    return np.int64(row_distance[row_indices[row_slot]]) + np.int64(
        col_distance[col_indices[col_slot]]
    )


@kernel
def estimate(kind, cells, places, cols, row_table, col_table):
    """Return an estimate by its number; Euclidean ones in hundredths of a move."""
    if kind == ZERO:
        return 0
    if kind == MISPLACED:
        return misplaced(cells, places)
    if kind == EUCLIDEAN:
        return euclidean(cells, places, cols)
    if kind == WALKING:
        return walking(cells, places, cols, row_table, col_table)
    total = manhattan(cells, places, cols)
    if kind == LINEAR_CONFLICT:
        return total + 2 * removals(cells, places, cols)
    if kind == CONFLICT_HASAN:
        return total + 2 * conflicts_hasan(cells, places, cols)
    if kind == HYBRID:
        conflicts = 2 * conflicts_hasan(cells, places, cols)
        return walking(cells, places, cols, row_table, col_table) + conflicts + (total + 1) // 3
    if kind == DAMODARAN:
        return total + misplaced(cells, places) + 2 * reversals(cells, places, cols)
    if kind == LARGER:
        conflicts = 2 * removals(cells, places, cols)
        return max(walking(cells, places, cols, row_table, col_table), total + conflicts)
    return total


@kernel
def estimate_many(kind, boards, places, cols, row_table, col_table, estimates):
    """Fill int64 (k,) with the estimates of boards, uint8 (k, n)."""
    for index in range(boards.shape[0]):
        estimates[index] = estimate(kind, boards[index], places, cols, row_table, col_table)
