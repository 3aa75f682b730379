"""The number of tiles that are not in their goal cells."""

from collections.abc import Sequence

from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.core.text.language import marked
from tilelab.puzzles.sliding.kernels import estimates


def oracle(board: Sequence[int], goal: Sequence[int], cols: int) -> int:
    return sum(tile != home for tile, home in zip(board, goal, strict=True) if tile)


SPEC = register_heuristic(
    HeuristicSpec(
        key="misplaced",
        title=marked("Misplaced tiles"),
        source="Henriques 2019; Damodaran",
        kernel=estimates.misplaced,
        oracle=oracle,
        admissible=True,
        consistent=True,
        by_tile=True,
    )
)
