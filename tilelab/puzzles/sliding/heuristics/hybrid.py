"""Walking distance + Hasan's linear conflict + a third of the Manhattan distance, rounded."""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.core.text.language import marked
from tilelab.puzzles.sliding.heuristics import oracles, walking_distance
from tilelab.puzzles.sliding.kernels import estimates

DIVISOR = 3  # divisor of the Manhattan distance in the paper
_ROUNDED, _UNROUNDED = "hybrid", "hybrid-unrounded"


def hybrid_spec(*, rounds: bool, divisor: int = DIVISOR) -> HeuristicSpec:
    """Return HH as printed, in whole moves, or as in the paper's search, unrounded."""
    return HeuristicSpec(
        key=_ROUNDED if rounds else _UNROUNDED,
        title=marked("Hybrid heuristic HH")
        if rounds
        else marked("Hybrid heuristic HH, not rounded"),
        source="Hasan et al. 2023",
        kernel=estimates.hybrid(divisor, rounds),
        oracle=partial(oracle, divisor=divisor, rounds=rounds),
        admissible=False,
        consistent=False,
        scale=1 if rounds else divisor,
        divisor=divisor,
        needs_walking_table=True,
    )


def oracle(board: Sequence[int], goal: Sequence[int], cols: int, divisor: int, rounds: bool) -> int:
    """Add up the three parts; halves of a move are rounded up."""
    distance = oracles.manhattan(board, goal, cols)
    conflicts = oracles.linear_conflict_hasan(board, goal, cols) - distance
    whole = walking_distance.oracle(board, goal, cols) + conflicts
    estimate = whole + Fraction(distance, divisor)
    return math.floor(estimate + Fraction(1, 2)) if rounds else int(estimate * divisor)


def with_divisor(spec: HeuristicSpec, divisor: int) -> HeuristicSpec:
    """Return HH with another divisor; other heuristics stay unchanged."""
    if spec.divisor in (None, divisor):
        return spec
    return hybrid_spec(rounds=spec.key == _ROUNDED, divisor=divisor)


SPEC = register_heuristic(hybrid_spec(rounds=True))
UNROUNDED = register_heuristic(hybrid_spec(rounds=False))
"""HH with an unrounded third of the Manhattan distance, as in the paper's own search."""
