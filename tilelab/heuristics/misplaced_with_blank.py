"""The number of cells that do not hold what they hold in the goal: the blank counts, too."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.kernels.decorators import kernel


@kernel
def misplaced_with_blank(
    cells: NDArray[np.uint8],
    places: NDArray[np.int64],
    cols: int,
    row_table: object,
    col_table: object,
) -> int:
    """Count the cells that differ; see :mod:`tilelab.kernels.slides.estimates`."""
    count = 0
    for cell in range(cells.shape[0]):
        if places[cells[cell]] != cell:
            count += 1
    return count


def oracle(board: Sequence[int], goal: Sequence[int], cols: int) -> int:
    """Count the cells that differ."""
    return sum(tile != home for tile, home in zip(board, goal, strict=True))


SPEC = register_heuristic(
    HeuristicSpec(
        key="misplaced-with-blank",
        title="Misplaced tiles and blank",
        source="Henriques 2019",
        kernel=misplaced_with_blank,
        oracle=oracle,
        admissible=False,
        consistent=False,
    )
)
