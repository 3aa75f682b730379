"""The sum of the tiles' straight distances, in hundredths of a move, rounded down."""

import math
from collections.abc import Sequence

from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.core.text.language import marked
from tilelab.puzzles.sliding.heuristics.manhattan import offsets
from tilelab.puzzles.sliding.kernels import estimates
from tilelab.puzzles.sliding.kernels.estimates import EUCLIDEAN_SCALE


def oracle(board: Sequence[int], goal: Sequence[int], cols: int) -> int:
    total = sum(math.hypot(*offset) for offset in offsets(board, goal, cols))
    return int(EUCLIDEAN_SCALE * total + 1e-6)


SPEC = register_heuristic(
    HeuristicSpec(
        key="euclidean",
        title=marked("Euclidean distance"),
        source="Henriques 2019",
        kernel=estimates.euclidean,
        oracle=oracle,
        admissible=True,
        consistent=True,
        scale=EUCLIDEAN_SCALE,
    )
)
