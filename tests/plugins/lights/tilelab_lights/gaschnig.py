"""Moves to the goal when any tile may jump to the blank (Gaschnig 1979)."""

from collections.abc import Sequence

import numpy as np

from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.kernels.decorators import kernel


@kernel
def gaschnig(cells, places, cols, row_table, col_table):
    """If the blank is in the goal cell of a tile, let that tile jump; else any misplaced one."""
    n_cells = cells.shape[0]
    at, home_of = np.empty(n_cells, np.int64), np.empty(n_cells, np.int64)
    for cell in range(n_cells):
        at[cells[cell]] = cell
        home_of[places[cell]] = cell
    jumps, wrong = 0, 1
    while True:
        blank = at[0]
        tile = home_of[blank]
        if tile == 0:
            while wrong < n_cells and at[wrong] == places[wrong]:
                wrong += 1
            if wrong == n_cells:
                return jumps
            tile = wrong
        at[0], at[tile] = at[tile], blank
        jumps += 1


def oracle(board: Sequence[int], goal: Sequence[int], cols: int) -> int:
    """Add the jumps of each cycle: its length + 1, or its length - 1 if the blank is in it."""
    jumps, seen = 0, set()
    for first in range(len(board)):
        cycle, cell = [], first
        while cell not in seen:
            seen.add(cell)
            cycle.append(board[cell])
            cell = goal.index(board[cell])
        if len(cycle) > 1:
            jumps += len(cycle) - 1 if 0 in cycle else len(cycle) + 1
    return jumps


SPEC = register_heuristic(
    HeuristicSpec(
        key="gaschnig",
        title="Gaschnig's jumps",
        source="Gaschnig 1979",
        kernel=gaschnig,
        oracle=oracle,
        admissible=True,
        consistent=True,
    )
)
