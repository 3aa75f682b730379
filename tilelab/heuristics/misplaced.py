"""The number of tiles that are not in their goal cells."""

from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.kernels.slides.estimates import MISPLACED

SPEC = register_heuristic(
    HeuristicSpec(
        key="misplaced",
        title="Misplaced tiles",
        source="Henriques 2019; Damodaran",
        kind=MISPLACED,
        admissible=True,
        consistent=True,
    )
)
