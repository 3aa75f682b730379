"""What the kernels take to compute a heuristic towards a goal."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import TileLabError
from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.shown_text import quoted
from tilelab.heuristics.walking_distance import EMPTY, WalkingTable, walking_table
from tilelab.kernels.slides import estimates as kernel
from tilelab.kernels.slides.estimates import estimate, estimate_many

KINDS = range(kernel.ZERO, kernel.LARGER + 1)
"""The numbers that ``estimate`` knows; it takes every other one for the Manhattan distance."""


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
        """Make a heuristic ready.

        Raises TileLabError when the kernels do not know it, or its table does not fit the shape.
        """
        if spec.kind not in KINDS:
            raise TileLabError(
                f"{quoted(spec.key)} is a heuristic of kind {spec.kind}; there is an estimate for "
                f"the kinds {KINDS[0]} to {KINDS[-1]}"
            )
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
