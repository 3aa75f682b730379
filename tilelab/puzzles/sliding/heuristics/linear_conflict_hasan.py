"""The Manhattan distance, plus two moves for each tile followed by a smaller one in its line."""

from collections.abc import Sequence

from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.core.text.language import marked
from tilelab.puzzles.sliding.heuristics import linear_conflict, manhattan
from tilelab.puzzles.sliding.kernels import estimates


def oracle(board: Sequence[int], goal: Sequence[int], cols: int) -> int:
    lines = linear_conflict.homes_by_line(board, goal, cols)
    passed = sum(any(b < a for b in homes[i + 1 :]) for homes in lines for i, a in enumerate(homes))
    return manhattan.oracle(board, goal, cols) + 2 * passed


SPEC = register_heuristic(
    HeuristicSpec(
        key="linear-conflict-hasan",
        title=marked("Manhattan + linear conflict (Hasan)"),
        source="Hasan et al. 2023",
        kernel=estimates.linear_conflict_hasan,
        oracle=oracle,
        admissible=False,
        consistent=False,
    )
)
