"""Walking distance + Hasan's linear conflict + a third of the Manhattan distance, rounded."""

from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.kernels.slides.estimates import HYBRID

SPEC = register_heuristic(
    HeuristicSpec(
        key="hybrid",
        title="Hybrid heuristic HH",
        source="Hasan et al. 2023",
        kind=HYBRID,
        admissible=False,
        consistent=False,
        needs_walking_table=True,
    )
)
