"""The sum of the tiles' straight ways, in hundredths of a move, rounded down."""

from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.kernels.slides.estimates import EUCLIDEAN, EUCLIDEAN_SCALE

SPEC = register_heuristic(
    HeuristicSpec(
        key="euclidean",
        title="Euclidean distance",
        source="Henriques 2019",
        kind=EUCLIDEAN,
        admissible=True,
        consistent=True,
        scale=EUCLIDEAN_SCALE,
    )
)
