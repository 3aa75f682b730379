"""The number of cells that differ from the goal, the blank's cell included."""

from collections.abc import Sequence

from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.core.text.language import marked
from tilelab.puzzles.sliding.kernels import estimates


def oracle(board: Sequence[int], goal: Sequence[int], cols: int) -> int:
    return sum(tile != home for tile, home in zip(board, goal, strict=True))


SPEC = register_heuristic(
    HeuristicSpec(
        key="misplaced-with-blank",
        title=marked("Misplaced tiles and blank"),
        source="Henriques 2019",
        kernel=estimates.misplaced_with_blank,
        oracle=oracle,
        admissible=False,
        consistent=False,
    )
)
