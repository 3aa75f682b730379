"""Three estimates added up."""

from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.kernels.slides.estimates import DAMODARAN

SPEC = register_heuristic(
    HeuristicSpec(
        key="damodaran",
        title="Misplaced + distance + 2 × reversals",
        source="Damodaran",
        kind=DAMODARAN,
        admissible=False,
        consistent=False,
    )
)
