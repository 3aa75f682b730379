"""Moves of the blank, for all puzzles with sliding tiles.

A move slides a neighbouring tile into the blank. Moves are written as the direction in which the
*blank* travels: U, D, L, R. A board is uint8 (rows * cols,), row-major, 0 for the blank.
"""

import functools
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tilelab.core.errors import RunError
from tilelab.core.puzzle import Cells
from tilelab.core.randomness import generator
from tilelab.core.text.language import marked

MOVES = "UDLR"  # letters of the moves; the number of a move is its index here
STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))  # rows and columns that the blank travels, by move
OPPOSITE = (1, 0, 3, 2)
SEARCH_ORDER = (0, 2, 3, 1)  # up, left, right, down, as for the counts of Hasan, Table 6
TILE_DIRECTIONS = {
    "U": marked("down"),
    "D": marked("up"),
    "L": marked("right"),
    "R": marked("left"),
}
"""Direction of the tile for each direction of the blank, which is the opposite."""
NO_MOVE = 4  # number for the last move at the start, where there is none
_SEED = 15


def cells_apart(ours: ArrayLike, theirs: ArrayLike, cols: int) -> NDArray[np.int64]:
    """Return the distance of cells in rows plus columns, int64 of the broadcast shape."""
    our_rows, our_cols = np.divmod(ours, cols)
    their_rows, their_cols = np.divmod(theirs, cols)
    apart: NDArray[np.int64] = np.abs(our_rows - their_rows) + np.abs(our_cols - their_cols)
    return apart


def is_solvable(start: Cells, goal: Cells, cols: int) -> bool:
    """Return whether slides lead from start to goal, of any shape: two parities must agree."""
    places = np.argsort(goal)
    permutation = places[start].tolist()
    is_odd = False
    seen = [False] * len(permutation)
    for first in range(len(permutation)):
        cell, length = first, 0
        while not seen[cell]:
            seen[cell] = True
            cell = permutation[cell]
            length += 1
        is_odd ^= length > 0 and length % 2 == 0
    return is_odd == bool(cells_apart(np.argmin(start), np.argmin(goal), cols) % 2)


def slid_at_random(cells: Cells, cols: int, n_slides: int, rng: np.random.Generator) -> Cells:
    """Return a board after random slides of one tile, never straight back."""
    slid, last = cells.copy(), -1
    for _ in range(n_slides):
        blank = int(np.argmin(slid))
        options = [
            move
            for move in range(4)
            if (last < 0 or move != OPPOSITE[last]) and neighbour(blank, move, len(slid), cols) >= 0
        ]
        last = options[int(rng.integers(len(options)))]
        target = neighbour(blank, last, len(slid), cols)
        slid[blank], slid[target] = slid[target], 0
    return slid


def letters_of(moves: Iterable[int]) -> str:
    return "".join(MOVES[move] for move in moves)


def neighbour(cell: int, move: int, n_cells: int, cols: int) -> int:
    """Return the blank's cell after a move, or -1 off the board."""
    down, right = STEPS[move]
    row, col = cell // cols + down, cell % cols + right
    return row * cols + col if 0 <= row < n_cells // cols and 0 <= col < cols else -1


@functools.cache
def blank_targets(rows: int, cols: int) -> NDArray[np.int64]:
    """Return the blank's cell after each move, or -1; int64 (cells, 4)."""
    n_cells = rows * cols
    return np.array(
        [[neighbour(cell, move, n_cells, cols) for move in range(4)] for cell in range(n_cells)]
    )


def replay(cells: Cells, cols: int, moves: str) -> Cells:
    """Return the board after some moves; raises RunError for an impossible move."""
    after = cells.copy()
    blank = int(np.argmin(after))
    for place, letter in enumerate(moves, 1):
        move = MOVES.find(letter)
        target = neighbour(blank, move, len(after), cols) if move >= 0 else -1
        if target < 0:
            raise RunError.tr(
                "move {place}, {letter!r}, is not possible here", place=place, letter=letter
            )
        after[blank], after[target] = after[target], 0
        blank = target
    return after


def boards_along(cells: Cells, cols: int, moves: str) -> NDArray[np.uint8]:
    """Return all boards of a path, uint8 (moves + 1, rows * cols); RunError as :func:`replay`."""
    boards = np.empty((len(moves) + 1, len(cells)), np.uint8)
    boards[0] = cells
    for place, move in enumerate(moves):
        boards[place + 1] = replay(boards[place], cols, move)
    return boards


class MoveTables(NamedTuple):
    target: NDArray[np.int64]  # (cells, 4), the blank's next cell for each move, or -1
    # (cells, 5, 4), moves in the order of trying, by the blank's cell and last move; -1 pads.
    moves: NDArray[np.int64]
    n_moves: NDArray[np.int64]  # (cells, 5), number of these moves


@functools.cache
def move_tables(rows: int, cols: int) -> MoveTables:
    n_cells = rows * cols
    target = blank_targets(rows, cols)
    moves = np.full((n_cells, 5, 4), -1, np.int64)
    n_moves = np.zeros((n_cells, 5), np.int64)
    for cell in range(n_cells):
        for last in range(5):
            back = OPPOSITE[last] if last != NO_MOVE else -1
            allowed = [move for move in SEARCH_ORDER if target[cell, move] >= 0 and move != back]
            moves[cell, last, : len(allowed)] = allowed
            n_moves[cell, last] = len(allowed)
    return MoveTables(target, moves, n_moves)


def board_codes(n_kinds: int, n_cells: int) -> NDArray[np.uint64]:
    """Return fixed random bits of kinds in cells, uint64 (kinds, cells) (Zobrist 1970)."""
    return generator(_SEED).integers(0, 2**64, size=(n_kinds, n_cells), dtype=np.uint64)


def nodes_back(parents: NDArray[np.int32], node: int) -> list[int]:
    """Return a node, its parent, and so on to the start; none for -1. parents: (nodes,)."""
    nodes = []
    while node >= 0:
        nodes.append(node)
        node = int(parents[node])
    return nodes


def moves_back(parents: NDArray[np.int32], moves: NDArray[np.int32], node: int) -> list[int]:
    """Return the moves from the start to a node, the last first; both int32 (nodes,)."""
    return [int(moves[one]) for one in nodes_back(parents, node)[:-1]]
