"""The sum of three estimates."""

import itertools
from collections.abc import Sequence

from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.puzzles.sliding.heuristics import manhattan, misplaced
from tilelab.puzzles.sliding.kernels import estimates


def oracle(board: Sequence[int], goal: Sequence[int], cols: int) -> int:
    """Add up the three parts; neighbours in each other's goal cells count as reversed."""
    reversals = sum(
        board[one] == goal[two] and board[two] == goal[one] and board[one] * board[two] > 0
        for one, two in itertools.combinations(range(len(board)), 2)
        if two - one == cols or (two - one == 1 and two % cols)
    )
    total = manhattan.oracle(board, goal, cols) + misplaced.oracle(board, goal, cols)
    return total + 2 * reversals


SPEC = register_heuristic(
    HeuristicSpec(
        key="damodaran",
        title="Misplaced + distance + 2 × reversals",
        source="Damodaran",
        kernel=estimates.damodaran,
        oracle=oracle,
        admissible=False,
        consistent=False,
    )
)
