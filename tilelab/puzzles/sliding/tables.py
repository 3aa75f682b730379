"""Boards of up to 4×4 packed into one number, and the tables that searches of such boards read."""

import functools

import numpy as np
from numpy.typing import NDArray

from tilelab.puzzles.sliding.detours import machine
from tilelab.puzzles.sliding.kernels.packed_boards import VERTICAL, fill_conflict_lines
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.slides.moves import SEARCH_ORDER, STEPS, blank_targets, cells_apart

PACKED_SIDE = 4
"""Boards with longer sides do not fit into 64 bits."""


def spread_cells(rows: int, cols: int) -> NDArray[np.int64]:
    """Return the number that each cell of a board of up to 4×4 has in the 4×4 one, (cells,)."""
    row, col = np.divmod(np.arange(rows * cols), cols)
    return row * PACKED_SIDE + col


def packed(puzzle: SlidingPuzzle, cells: NDArray[np.uint8]) -> int:
    """Return a board of up to 4×4 as one number, see kernels.packed_boards."""
    spread = spread_cells(*puzzle.shape)
    labels = [blank_label(puzzle)] * PACKED_SIDE**2
    for cell, tile in enumerate(cells.tolist()):
        labels[spread[cell]] = int(spread[puzzle.places[tile]])
    return sum(label << (4 * cell) for cell, label in enumerate(labels))


def unpacked(puzzle: SlidingPuzzle, board: int) -> NDArray[np.uint8]:
    """Inverse of :func:`packed`."""
    spread = spread_cells(*puzzle.shape).tolist()
    home = {label: cell for cell, label in enumerate(spread)}
    return np.array([puzzle.goal[home[board >> (4 * cell) & 15]] for cell in spread], np.uint8)


def blank_label(puzzle: SlidingPuzzle) -> int:
    """Return the blank's goal cell, in the 4×4 board."""
    return int(spread_cells(*puzzle.shape)[puzzle.places[0]])


@functools.cache
def packed_paths(rows: int, cols: int, detour: int) -> NDArray[np.uint64]:
    """Return the paths of a shape without detours of up to so many moves, uint64.

    See kernels.deepening.deepen. The paths from a start have eight places, those
    that follow a move have four: one of them never is the move straight back.
    """
    states = machine(rows, cols, detour)
    spread = spread_cells(rows, cols)[states.cell].tolist()
    n_starts = rows * cols
    place = [8 * state for state in range(n_starts)]
    place += [4 * (n_starts + state) for state in range(n_starts, len(spread))]
    paths = np.zeros(4 * (n_starts + len(spread)), np.uint64)
    for state, number in enumerate(spread):
        moves = [move for move in SEARCH_ORDER if states.following[state, move] >= 0]
        for index, move in enumerate(moves):
            after = int(states.following[state, move])
            path = 4 * spread[after] | 4 * number << 6 | (4 * number + move) << 13
            path |= VERTICAL if STEPS[move][0] else 0
            paths[place[state] + index] = path | place[after] << 20
    return paths


@functools.cache
def distance_steps(rows: int, cols: int) -> NDArray[np.int8]:
    """Return the change of the Manhattan distance, int8 (1024,), by label, blank's cell, move."""
    target, spread = blank_targets(rows, cols), spread_cells(rows, cols)
    cells = np.arange(rows * cols)
    apart = cells_apart(cells[:, None], cells, cols)
    steps = np.zeros((16, 16, 4), np.int8)
    for cell, move in np.argwhere(target >= 0):
        steps[spread, spread[cell], move] = apart[:, cell] - apart[:, target[cell, move]]
    return steps.ravel()


@functools.cache
def conflict_lines(blank: int) -> NDArray[np.uint8]:
    """Return the table of line conflicts, see tilelab.puzzles.sliding.kernels.packed_boards."""
    lines = np.empty(8 * 65536, np.uint8)
    fill_conflict_lines(blank, lines)
    return lines
