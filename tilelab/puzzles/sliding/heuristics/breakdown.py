"""What the heuristics see on a board, and what each of them says of it."""

from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.core.puzzle import Cells
from tilelab.puzzles.sliding.heuristics import (
    hybrid,
    linear_conflict,
    linear_conflict_hasan,
    manhattan,
    walking_distance,
)
from tilelab.puzzles.sliding.heuristics.evaluation import Evaluation


class Walk(NamedTuple):
    """The two parts of a walking distance, and what it is with Hasan's other parts."""

    rows: int
    """Slides up and down."""
    cols: int
    """Slides to the left and right."""
    hybrid: int
    """HH."""


class Breakdown(NamedTuple):
    """What the heuristics say of a board, in moves."""

    manhattan: int
    linear_conflict: int
    """With the Manhattan distance, as the others."""
    linear_conflict_hasan: int
    walk: Walk | None
    """None for a board that is too large for the walking distance's tables."""


def conflicting_pairs(cells: Cells, goal: Cells, cols: int) -> list[tuple[int, int]]:
    """Return the cells of tiles that must pass each other: both in their goal line, turned round.

    cells, goal: uint8 (n,). Rows come first; in a pair the upper or left cell.
    """
    homes, n_cells = np.argsort(goal)[cells].tolist(), len(cells)
    rows = [range(start, start + cols) for start in range(0, n_cells, cols)]
    pairs = []
    for line in (*rows, *(range(col, n_cells, cols) for col in range(cols))):
        at_home = [cell for cell in line if cells[cell] and homes[cell] in line]
        pairs += [(one, two) for one, two in combinations(at_home, 2) if homes[one] > homes[two]]
    return pairs


def line_counts(cells: Cells, goal: Cells, cols: int, axis: int) -> NDArray[np.int64]:
    """Return how many tiles of each goal line stand in each line: all that a walk sees of them.

    axis: 0 rows, 1 columns. int64 (lines, goal lines).
    """
    homes, is_tile = np.argsort(goal)[cells], cells > 0
    here, there = (np.divmod(at[is_tile], cols)[axis] for at in (np.arange(len(cells)), homes))
    counts = np.zeros(((len(cells) // cols, cols)[axis],) * 2, np.int64)
    np.add.at(counts, (here, there), 1)
    return counts


def breakdown(cells: Cells, goal: Cells, cols: int) -> Breakdown:
    """Return what the heuristics say of a board.

    The first time its kernels are compiled, and the walking distance's table is made.
    """
    distance = manhattan.oracle(cells.tolist(), goal.tolist(), cols)
    conflict, of_hasan = (
        Evaluation.towards(spec, goal, cols).of(cells)
        for spec in (linear_conflict.SPEC, linear_conflict_hasan.SPEC)
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
