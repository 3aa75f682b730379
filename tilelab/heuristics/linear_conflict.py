"""The Manhattan distance, and two moves for each tile that must leave its goal line."""

from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.kernels.slides.estimates import LINEAR_CONFLICT

SPEC = register_heuristic(
    HeuristicSpec(
        key="linear-conflict",
        title="Manhattan + linear conflict",
        source="Hansson, Mayer & Yung 1992",
        kind=LINEAR_CONFLICT,
        admissible=True,
        consistent=True,
    )
)
