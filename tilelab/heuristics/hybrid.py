"""Walking distance + Hasan's linear conflict + a third of the Manhattan distance, rounded."""

from collections.abc import Sequence

from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.heuristics import linear_conflict_hasan, manhattan, walking_distance
from tilelab.kernels.slides import estimates


def oracle(board: Sequence[int], goal: Sequence[int], cols: int) -> int:
    """Add up the three parts."""
    distance = manhattan.oracle(board, goal, cols)
    conflicts = linear_conflict_hasan.oracle(board, goal, cols) - distance
    return walking_distance.oracle(board, goal, cols) + conflicts + round(distance / 3)


SPEC = register_heuristic(
    HeuristicSpec(
        key="hybrid",
        title="Hybrid heuristic HH",
        source="Hasan et al. 2023",
        kernel=estimates.hybrid,
        oracle=oracle,
        admissible=False,
        consistent=False,
        needs_walking_table=True,
    )
)
