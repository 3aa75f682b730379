"""The sum of the tiles' ways along rows and columns."""

from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.kernels.slides.estimates import MANHATTAN

SPEC = register_heuristic(
    HeuristicSpec(
        key="manhattan",
        title="Manhattan distance",
        source="Henriques 2019; Hasan et al. 2023",
        kind=MANHATTAN,
        admissible=True,
        consistent=True,
    )
)
