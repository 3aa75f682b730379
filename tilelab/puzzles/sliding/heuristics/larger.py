"""The maximum of all admissible heuristics that need no pattern database.

Misplaced tiles and Euclidean distance never exceed Manhattan distance, and linear conflict adds to
it. So it is the larger of walking distance and Manhattan distance with linear conflict.
"""

from collections.abc import Sequence

from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.core.text.language import marked
from tilelab.puzzles.sliding.heuristics import linear_conflict, walking_distance
from tilelab.puzzles.sliding.kernels import estimates


def oracle(board: Sequence[int], goal: Sequence[int], cols: int) -> int:
    walk = walking_distance.oracle(board, goal, cols)
    return max(walk, linear_conflict.oracle(board, goal, cols))


SPEC = register_heuristic(
    HeuristicSpec(
        key="larger",
        title=marked("Maximum (walking, Manhattan + conflict)"),
        source="Takahashi 2002; Hansson, Mayer & Yung 1992",
        kernel=estimates.larger,
        oracle=oracle,
        admissible=True,
        consistent=True,
        needs_walking_table=True,
    )
)
