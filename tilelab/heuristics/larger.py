"""The maximum of all admissible heuristics that need no pattern database.

Misplaced tiles and Euclidean distance never exceed Manhattan distance, and conflicts are added to
that, so it is the larger of walking distance and Manhattan distance with linear conflict.
"""

from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.kernels.slides.estimates import LARGER

SPEC = register_heuristic(
    HeuristicSpec(
        key="larger",
        title="Maximum (walking, Manhattan + conflict)",
        source="Takahashi 2002; Hansson, Mayer & Yung 1992",
        kind=LARGER,
        admissible=True,
        consistent=True,
        needs_walking_table=True,
    )
)
