"""What the kernels take to compute a heuristic towards a goal."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.core.heuristic import HeuristicSpec
from tilelab.heuristics.walking_distance import EMPTY, WalkingTable, walking_table
from tilelab.kernels.slide_distance import estimate, estimate_many


class Evaluation(NamedTuple):
    """A heuristic, made ready for one goal and shape."""

    spec: HeuristicSpec
    places: NDArray[np.int64]
    """(cells,), the goal cell of each tile."""
    cols: int
    row_table: WalkingTable
    col_table: WalkingTable

    @classmethod
    def towards(cls, spec: HeuristicSpec, goal: NDArray[np.uint8], cols: int) -> "Evaluation":
        """Make a heuristic ready; raises TileLabError when its table does not fit the shape."""
        row_table = col_table = EMPTY
        if spec.needs_walking_table:
            rows, blank = len(goal) // cols, int(np.argmin(goal))
            row_table = walking_table(rows, cols, blank // cols)
            col_table = walking_table(cols, rows, blank % cols)
        return cls(spec, np.argsort(goal), cols, row_table, col_table)

    @property
    def arguments(self) -> tuple[Any, ...]:
        """The kernels' ``heuristic``."""
        return (
            self.spec.kind,
            self.places,
            self.cols,
            self.row_table.look_up,
            self.col_table.look_up,
        )

    def of(self, cells: NDArray[np.uint8]) -> int:
        """Return the estimate of a board, in units of the heuristic's scale."""
        return int(estimate(self.spec.kind, cells, *self.arguments[1:]))

    def of_all(self, boards: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return the estimates of boards, uint8 (n, cells)."""
        estimates = np.empty(len(boards), np.int64)
        estimate_many(self.spec.kind, boards, *self.arguments[1:], estimates)
        return estimates
