"""The heuristics that have no table of their own: each in plain Python, and its spec."""

import itertools
import math
from collections.abc import Callable, Sequence

from tilelab.core.heuristic import HeuristicSpec, Oracle
from tilelab.core.registry import register_heuristic
from tilelab.core.text.language import marked
from tilelab.puzzles.sliding.heuristics import walking_distance
from tilelab.puzzles.sliding.kernels import estimates
from tilelab.puzzles.sliding.kernels.estimates import EUCLIDEAN_SCALE


def _heuristic(
    key: str,
    title: str,
    source: str,
    kernel: Callable[..., object],
    *,
    is_bound: bool = True,
    scale: int = 1,
    by_tile: bool = False,
    needs_walking_table: bool = False,
) -> Callable[[Oracle], Oracle]:
    """Register a function as the oracle of a heuristic; is_bound: admissible and consistent."""

    def register(oracle: Oracle) -> Oracle:
        register_heuristic(
            HeuristicSpec(
                *(key, title, source, kernel, oracle),
                admissible=is_bound,
                consistent=is_bound,
                scale=scale,
                by_tile=by_tile,
                needs_walking_table=needs_walking_table,
            )
        )
        return oracle

    return register


@_heuristic("zero", marked("Zero"), marked("every textbook"), estimates.zero, by_tile=True)
def zero(board: Sequence[int], goal: Sequence[int], cols: int) -> int:
    """Return 0, with which A* becomes uniform-cost search."""
    return 0


@_heuristic(
    "misplaced",
    marked("Misplaced tiles"),
    "Henriques 2019; Damodaran",
    estimates.misplaced,
    by_tile=True,
)
def misplaced(board: Sequence[int], goal: Sequence[int], cols: int) -> int:
    """Count the tiles that are not in their goal cells."""
    return sum(tile != home for tile, home in zip(board, goal, strict=True) if tile)


@_heuristic(
    "misplaced-with-blank",
    marked("Misplaced tiles and blank"),
    "Henriques 2019",
    estimates.misplaced_with_blank,
    is_bound=False,
)
def misplaced_with_blank(board: Sequence[int], goal: Sequence[int], cols: int) -> int:
    """Count the cells that differ from the goal, the blank's cell included."""
    return sum(tile != home for tile, home in zip(board, goal, strict=True))


def _offsets(board: Sequence[int], goal: Sequence[int], cols: int) -> list[tuple[int, int]]:
    """Return the distance of each tile from its goal in rows and columns."""
    pairs = [(cell, goal.index(tile)) for cell, tile in enumerate(board) if tile]
    return [(cell // cols - home // cols, cell % cols - home % cols) for cell, home in pairs]


@_heuristic(
    "manhattan",
    marked("Manhattan distance"),
    "Henriques 2019; Hasan et al. 2023",
    estimates.manhattan,
    by_tile=True,
)
def manhattan(board: Sequence[int], goal: Sequence[int], cols: int) -> int:
    """Add up the tiles' distances along rows and columns."""
    return sum(abs(down) + abs(right) for down, right in _offsets(board, goal, cols))


@_heuristic(
    "euclidean",
    marked("Euclidean distance"),
    "Henriques 2019",
    estimates.euclidean,
    scale=EUCLIDEAN_SCALE,
)
def euclidean(board: Sequence[int], goal: Sequence[int], cols: int) -> int:
    """Add up the tiles' straight distances, in hundredths of a move, rounded down."""
    total = sum(math.hypot(*offset) for offset in _offsets(board, goal, cols))
    return int(EUCLIDEAN_SCALE * total + 1e-6)


def _homes_by_line(board: Sequence[int], goal: Sequence[int], cols: int) -> list[list[int]]:
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
    return next(
        n for n in sizes if any([*c] == sorted(c) for c in itertools.combinations(homes, n))
    )


@_heuristic(
    "linear-conflict",
    marked("Manhattan + linear conflict"),
    "Hansson, Mayer & Yung 1992",
    estimates.linear_conflict,
)
def linear_conflict(board: Sequence[int], goal: Sequence[int], cols: int) -> int:
    """Find, for each line, the maximum number of tiles that may stay in it; others cost 2 moves."""
    lines = _homes_by_line(board, goal, cols)
    leave = sum(len(homes) - _most_in_order(homes) for homes in lines)
    return manhattan(board, goal, cols) + 2 * leave


@_heuristic(
    "linear-conflict-hasan",
    marked("Manhattan + linear conflict (Hasan)"),
    "Hasan et al. 2023",
    estimates.linear_conflict_hasan,
    is_bound=False,
)
def linear_conflict_hasan(board: Sequence[int], goal: Sequence[int], cols: int) -> int:
    """Add two moves for each tile that is followed by a smaller one in its line."""
    lines = _homes_by_line(board, goal, cols)
    passed = sum(any(b < a for b in homes[i + 1 :]) for homes in lines for i, a in enumerate(homes))
    return manhattan(board, goal, cols) + 2 * passed


@_heuristic(
    "damodaran",
    "Misplaced + distance + 2 × reversals",
    "Damodaran",
    estimates.damodaran,
    is_bound=False,
)
def damodaran(board: Sequence[int], goal: Sequence[int], cols: int) -> int:
    """Add up the three parts; neighbours in each other's goal cells count as reversed."""
    reversals = sum(
        board[one] == goal[two] and board[two] == goal[one] and board[one] * board[two] > 0
        for one, two in itertools.combinations(range(len(board)), 2)
        if two - one == cols or (two - one == 1 and two % cols)
    )
    return manhattan(board, goal, cols) + misplaced(board, goal, cols) + 2 * reversals


@_heuristic(
    "larger",
    marked("Maximum (walking, Manhattan + conflict)"),
    "Takahashi 2002; Hansson, Mayer & Yung 1992",
    estimates.larger,
    needs_walking_table=True,
)
def larger(board: Sequence[int], goal: Sequence[int], cols: int) -> int:
    """Return the maximum of all admissible heuristics that need no pattern database.

    Misplaced tiles and Euclidean distance never exceed Manhattan distance, and linear conflict adds
    to it. So it is the larger of walking distance and Manhattan distance with linear conflict.
    """
    walk = walking_distance.oracle(board, goal, cols)
    return max(walk, linear_conflict(board, goal, cols))
