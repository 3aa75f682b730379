"""The sum of the tiles' distances along rows and columns."""

from collections.abc import Sequence

from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.core.text.language import marked
from tilelab.puzzles.sliding.kernels import estimates


def oracle(board: Sequence[int], goal: Sequence[int], cols: int) -> int:
    return sum(abs(down) + abs(right) for down, right in offsets(board, goal, cols))


def offsets(board: Sequence[int], goal: Sequence[int], cols: int) -> list[tuple[int, int]]:
    """Return the distance of each tile from its goal in rows and columns."""
    pairs = [(cell, goal.index(tile)) for cell, tile in enumerate(board) if tile]
    return [(cell // cols - home // cols, cell % cols - home % cols) for cell, home in pairs]


SPEC = register_heuristic(
    HeuristicSpec(
        key="manhattan",
        title=marked("Manhattan distance"),
        source="Henriques 2019; Hasan et al. 2023",
        kernel=estimates.manhattan,
        oracle=oracle,
        admissible=True,
        consistent=True,
        by_tile=True,
    )
)
