"""The Manhattan distance, and two moves for each tile with a later, smaller one in its line."""

from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.kernels.slides.estimates import CONFLICT_HASAN

SPEC = register_heuristic(
    HeuristicSpec(
        key="linear-conflict-hasan",
        title="Manhattan + linear conflict (Hasan)",
        source="Hasan et al. 2023",
        kind=CONFLICT_HASAN,
        admissible=False,
        consistent=False,
    )
)
