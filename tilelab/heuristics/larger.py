"""The larger of walking distance and Manhattan distance with linear conflict."""

from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.kernels.slide_distance import LARGER

SPEC = register_heuristic(
    HeuristicSpec(
        key="larger",
        title="max(walking, Manhattan + conflict)",
        source="Takahashi 2002; Hansson, Mayer & Yung 1992",
        kind=LARGER,
        admissible=True,
        consistent=True,
        needs_walking_table=True,
    )
)
