"""The parts of the heuristics' estimates for a board."""

from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.core.puzzle import Cells
from tilelab.core.registry import HEURISTICS
from tilelab.puzzles.sliding.heuristics import hybrid, oracles, walking_distance
from tilelab.puzzles.sliding.heuristics.evaluation import Evaluation


class Walk(NamedTuple):
    """The two parts of a walking distance, and Hasan's hybrid heuristic."""

    rows: int  # number of slides up and down
    cols: int  # number of slides to the left and right
    hybrid: int  # value of the hybrid heuristic (HH)


class Breakdown(NamedTuple):
    """Estimates of the heuristics for a board, in moves."""

    manhattan: int
    linear_conflict: int  # linear conflict, Manhattan distance included
    linear_conflict_hasan: int
    walk: Walk | None  # walking distance; None for a board that is too large for its tables


def conflicting_pairs(cells: Cells, goal: Cells, cols: int) -> list[tuple[int, int]]:
    """Return pairs of cells whose tiles are in their goal line in the wrong order.

    cells, goal: uint8 (n,). Rows come before columns; the upper or left cell of a pair is first.
    """
    homes, n_cells = np.argsort(goal)[cells].tolist(), len(cells)
    rows = [range(start, start + cols) for start in range(0, n_cells, cols)]
    pairs = []
    for line in (*rows, *(range(col, n_cells, cols) for col in range(cols))):
        at_home = [cell for cell in line if cells[cell] and homes[cell] in line]
        pairs += [(one, two) for one, two in combinations(at_home, 2) if homes[one] > homes[two]]
    return pairs


def line_counts(cells: Cells, goal: Cells, cols: int, axis: int) -> NDArray[np.int64]:
    """Return the number of tiles of each goal line in each line, int64 (lines, goal lines).

    The walking distance depends on these numbers only. axis: 0 rows, 1 columns.
    """
    homes, is_tile = np.argsort(goal)[cells], cells > 0
    here, there = (np.divmod(at[is_tile], cols)[axis] for at in (np.arange(len(cells)), homes))
    counts = np.zeros(((len(cells) // cols, cols)[axis],) * 2, np.int64)
    np.add.at(counts, (here, there), 1)
    return counts


def breakdown(cells: Cells, goal: Cells, cols: int) -> Breakdown:
    """Return the estimates of the heuristics for a board.

    The first call compiles the kernels and makes the table of the walking distance.
    """
    distance = oracles.manhattan(cells.tolist(), goal.tolist(), cols)
    conflict, of_hasan = (
        Evaluation.towards(HEURISTICS[key], goal, cols).of(cells)
        for key in ("linear-conflict", "linear-conflict-hasan")
    )
    if not walking_distance.has_table(len(goal) // cols, cols):
        return Breakdown(distance, conflict, of_hasan, None)
    whole = Evaluation.towards(hybrid.SPEC, goal, cols)
    rows, columns = (
        walking_distance.walking_start(table, cells, whole.places, cols, axis)[1]
        for axis, table in enumerate((whole.row_table, whole.col_table))
    )
    walk = Walk(rows, columns, whole.of(cells))
    return Breakdown(distance, conflict, of_hasan, walk)
