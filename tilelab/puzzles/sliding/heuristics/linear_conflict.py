"""The Manhattan distance, and two moves for each tile that must leave its goal line."""

from collections.abc import Sequence
from itertools import combinations

from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.core.text.language import marked
from tilelab.puzzles.sliding.heuristics import manhattan
from tilelab.puzzles.sliding.kernels import estimates


def oracle(board: Sequence[int], goal: Sequence[int], cols: int) -> int:
    """Find, for each line, the maximum number of tiles that may stay in it."""
    lines = homes_by_line(board, goal, cols)
    leave = sum(len(homes) - _most_in_order(homes) for homes in lines)
    return manhattan.oracle(board, goal, cols) + 2 * leave


def homes_by_line(board: Sequence[int], goal: Sequence[int], cols: int) -> list[list[int]]:
    """Return, for each row and column, the goal cells of tiles in their goal line, in order."""
    lines: dict[tuple[str, int], list[int]] = {}
    for cell, tile in enumerate(board):
        home = goal.index(tile)
        if tile and cell // cols == home // cols:
            lines.setdefault(("row", cell // cols), []).append(home)
        if tile and cell % cols == home % cols:
            lines.setdefault(("col", cell % cols), []).append(home)
    return list(lines.values())


def _most_in_order(homes: list[int]) -> int:
    sizes = range(len(homes), 0, -1)
    return next(n for n in sizes if any([*c] == sorted(c) for c in combinations(homes, n)))


SPEC = register_heuristic(
    HeuristicSpec(
        key="linear-conflict",
        title=marked("Manhattan + linear conflict"),
        source="Hansson, Mayer & Yung 1992",
        kernel=estimates.linear_conflict,
        oracle=oracle,
        admissible=True,
        consistent=True,
    )
)
