"""Nothing at all: A* becomes uniform-cost search."""

from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.kernels.slides.estimates import ZERO

SPEC = register_heuristic(
    HeuristicSpec(
        key="zero",
        title="Zero",
        source="every textbook",
        kind=ZERO,
        admissible=True,
        consistent=True,
    )
)
