"""Depth-first search below a threshold on boards of any shape, with any estimate."""

import numpy as np

from tilelab.kernels.arrays import copy_into
from tilelab.kernels.decorators import kernel
from tilelab.puzzles.sliding.kernels.deepening import (
    BEST,
    DEPTH,
    EXHAUSTED,
    EXPANDED,
    GENERATED,
    NEXT_THRESHOLD,
    RUNNING,
    SOLVED,
    THRESHOLD,
)
from tilelab.puzzles.sliding.kernels.estimates import estimate_at

DEEPER = 3
BLANK, LAST, TURN, SUM = 0, 1, 2, 3
N_COLUMNS = 4


@kernel
def deepen_any(budget, scale, moves, goal, heuristic, path, scalars, cells, best):
    """Search like ``deepen`` on one board, whose moves are made and undone.

    scale: number of units of the estimate in one move. moves: see tilelab.slides.moves.MoveTables.
    goal: uint8 (n,). heuristic: as in ``search``.
    cells: uint8 (n,), the board at the current depth. best: uint8 (n,).
    path: int64 (depths, N_COLUMNS). Returns DEEPER if it is too short.
    """
    target, order, n_moves = moves
    estimate, by_tile, places, cols, row_table, col_table = heuristic
    arguments = cells, places, cols, row_table, col_table
    depth, threshold, next_threshold = scalars[DEPTH], scalars[THRESHOLD], scalars[NEXT_THRESHOLD]
    generated, expanded = scalars[GENERATED], scalars[EXPANDED]
    end = generated + budget
    n_cells = cells.shape[0]
    status = RUNNING
    while generated < end:
        if depth + 1 >= path.shape[0]:
            status = DEEPER
            break
        blank, turn, last = path[depth, BLANK], path[depth, TURN], path[depth, LAST]
        if turn >= n_moves[blank, last]:
            if depth == 0:
                status = EXHAUSTED
                break
            before = path[depth - 1, BLANK]
            cells[blank], cells[before] = cells[before], np.uint8(0)
            depth -= 1
            continue
        path[depth, TURN] = turn + 1
        move = order[blank, last, turn]
        after = target[blank, move]
        tile = np.int64(cells[after])
        generated += 1
        cells[blank], cells[after] = cells[after], np.uint8(0)
        if by_tile.shape[0]:
            value = path[depth, SUM] + by_tile[tile, blank] - by_tile[tile, after]
        else:
            value = estimate_at(estimate, arguments)
        if scale * (depth + 1) + value > threshold:
            next_threshold = min(next_threshold, scale * (depth + 1) + value)
            cells[after], cells[blank] = cells[blank], np.uint8(0)
            continue
        depth += 1
        path[depth, BLANK] = after
        path[depth, LAST] = move
        path[depth, TURN] = 0
        path[depth, SUM] = value
        if value < scalars[BEST]:
            scalars[BEST] = value
            copy_into(best, cells)
        solved = True
        for cell in range(n_cells):
            if cells[cell] != goal[cell]:
                solved = False
                break
        if solved:
            status = SOLVED
            break
        expanded += 1
    scalars[DEPTH], scalars[NEXT_THRESHOLD] = depth, next_threshold
    scalars[GENERATED], scalars[EXPANDED] = generated, expanded
    return status
