"""What a search needs of a board's shape and goal, as arrays: which move leads where, and what it
changes of distances and conflicts.
"""

import functools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.puzzles.sliding import OPPOSITE, STEPS, SlidingPuzzle, neighbour

NO_MOVE = 4
"""In place of the last move at the start."""
SEARCH_ORDER = (0, 2, 3, 1)
"""Moves are tried up, left, right, down: the order behind the printed counts (Hasan, Table 6)."""
LINE_BITS = 12
"""The code of a line: for each of up to four cells 3 bits, the home of the tile there, from 1."""


class MoveTables(NamedTuple):
    """Where the blank can go."""

    target: NDArray[np.int64]
    """(cells, 4), the blank's next cell by move, or -1."""
    moves: NDArray[np.int64]
    """(cells, 5, 4), the moves in the order of trying, by the blank's cell and last move; -1 pads.
    The move straight back is left out."""
    n_moves: NDArray[np.int64]
    """(cells, 5), how many of them there are."""


class ChangeTables(NamedTuple):
    """What a move changes on boards of up to 16 cells; indices: tile, the blank's cell, move."""

    distance: NDArray[np.int8]
    """(16, 16, 4), change of the Manhattan distance."""
    row_code: NDArray[np.uint64]
    """(16, 16, 4), change of the codes of all rows, by exclusive or."""
    col_code: NDArray[np.uint64]
    """The same for columns."""


@functools.cache
def move_tables(rows: int, cols: int) -> MoveTables:
    """Make the table of moves of a shape."""
    n_cells = rows * cols
    target = np.array(
        [[neighbour(cell, move, n_cells, cols) for move in range(4)] for cell in range(n_cells)]
    )
    moves = np.full((n_cells, 5, 4), -1, np.int64)
    n_moves = np.zeros((n_cells, 5), np.int64)
    for cell in range(n_cells):
        for last in range(5):
            back = OPPOSITE[last] if last != NO_MOVE else -1
            allowed = [move for move in SEARCH_ORDER if target[cell, move] >= 0 and move != back]
            moves[cell, last, : len(allowed)] = allowed
            n_moves[cell, last] = len(allowed)
    return MoveTables(target, moves, n_moves)


def change_tables(puzzle: SlidingPuzzle) -> ChangeTables:
    """Make the table of changes of a puzzle of up to 4×4."""
    rows, cols = puzzle.shape
    target = move_tables(rows, cols).target
    distance = np.zeros((16, 16, 4), np.int8)
    codes = np.zeros((2, 16, 16, 4), np.uint64)
    for tile in range(1, rows * cols):
        home = divmod(int(puzzle.places[tile]), cols)
        for cell in range(rows * cols):
            for move, (down, right) in enumerate(STEPS):
                if target[cell, move] < 0:
                    continue
                after = divmod(cell, cols)
                before = (after[0] + down, after[1] + right)
                distance[tile, cell, move] = _way(after, home) - _way(before, home)
                for axis in range(2):
                    code = _field(before, home, axis) ^ _field(after, home, axis)
                    codes[axis, tile, cell, move] = code
    return ChangeTables(distance, codes[0], codes[1])


def line_codes(puzzle: SlidingPuzzle, cells: NDArray[np.uint8]) -> tuple[int, int]:
    """Return the codes of all rows and of all columns of a board of up to 4×4."""
    cols = puzzle.params.cols
    codes = [0, 0]
    for cell, tile in enumerate(cells.tolist()):
        if tile:
            here, home = divmod(cell, cols), divmod(int(puzzle.places[tile]), cols)
            for axis in range(2):
                codes[axis] |= _field(here, home, axis)
    return codes[0], codes[1]


@functools.cache
def line_conflicts() -> NDArray[np.uint8]:
    """Return uint8 (4096,): two moves for each tile of a line's code that must leave the line."""
    conflicts = np.zeros(1 << LINE_BITS, np.uint8)
    for code in range(1 << LINE_BITS):
        homes = [home for place in range(4) if (home := code >> (3 * place) & 7)]
        longest: list[int] = []
        for index, home in enumerate(homes):
            before = [longest[at] for at in range(index) if homes[at] < home]
            longest.append(1 + max(before, default=0))
        conflicts[code] = 2 * (len(homes) - max(longest, default=0))
    return conflicts


def packed(cells: NDArray[np.uint8]) -> int:
    """Return a board of up to 16 cells as one number, four bits a cell."""
    return sum(tile << (4 * cell) for cell, tile in enumerate(cells.tolist()))


def unpacked(board: int, n_cells: int) -> NDArray[np.uint8]:
    """Inverse of :func:`packed`."""
    return np.array([board >> (4 * cell) & 15 for cell in range(n_cells)], np.uint8)


def _way(one: tuple[int, int], other: tuple[int, int]) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _field(place: tuple[int, int], home: tuple[int, int], axis: int) -> int:
    """What a tile adds to the codes of the lines of an axis: its home, if the line is its own."""
    if place[axis] != home[axis]:
        return 0
    return (home[1 - axis] + 1) << (LINE_BITS * place[axis] + 3 * place[1 - axis])
