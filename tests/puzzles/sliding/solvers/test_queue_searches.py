"""The searches with a queue beside plain Python: the same boards in the same order."""

import numpy as np
import pytest

from tests import naive_searches
from tests.puzzles.sliding.solvers.test_sliding_searches import solved
from tests.solver_views import made_solver
from tilelab.core.registry import HEURISTICS
from tilelab.core.views import ViewKind
from tilelab.puzzles.sliding.board import Goal, SlidingParams, goal_board, scrambled
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.solvers.search import METRICS

SHAPES = [(3, 3, Goal.BLANK_FIRST, 5), (3, 3, Goal.BLANK_LAST, 6), (2, 4, Goal.BLANK_LAST, 8)]
RULES = {
    "uniform-cost": ({}, {"g_weight": 1, "h_weight": 0, "replaces": True}),
    "greedy": (
        {"heuristic": "manhattan"},
        {"g_weight": 0, "h_weight": 1, "replaces": False},
    ),
    "a-star": ({"heuristic": "damodaran"}, {"g_weight": 1, "h_weight": 1, "replaces": True}),
    "weighted-a-star": (
        {"heuristic": "manhattan", "weight": 3},
        {"g_weight": 10, "h_weight": 30, "replaces": True},
    ),
    "unidirectional-a-star": (
        {"heuristic": "hybrid"},
        {"g_weight": 1, "h_weight": 1, "replaces": False},
    ),
}


def _puzzle(rows, cols, goal, seed):
    target = goal_board(rows, cols, goal)
    params = SlidingParams(rows=rows, cols=cols, goal=goal)
    return SlidingPuzzle.create(params, scrambled(target, cols, seed, n_slides=24))


def _plain(cells):
    return tuple(np.asarray(cells).tolist())


def _estimate(heuristic, goal, cols):
    return lambda board: HEURISTICS[heuristic].oracle(board, goal, cols)


@pytest.mark.parametrize(
    ("key", "shape"),
    [
        # Without an estimate the oracle expands half of all boards of three rows.
        pytest.param(key, shape, marks=pytest.mark.exhaustive if is_slow else ())
        for key in RULES
        for shape in SHAPES
        for is_slow in (key == "uniform-cost" and shape[0] == 3,)
    ],
    ids=str,
)
@pytest.mark.parametrize("ties", ["fifo", "lifo", "heap"])
def test_a_search_is_the_oracles(key, ties, shape):
    params, rule = RULES[key]
    puzzle = _puzzle(*shape)
    start, goal = _plain(puzzle.start), _plain(puzzle.goal)
    estimate = _estimate(params.get("heuristic", "zero"), goal, shape[1])
    expected = naive_searches.best_first(start, goal, shape[1], estimate, ties=ties, **rule)
    _, best, metrics = solved(puzzle, key, ties=ties, **params)
    assert (metrics["expanded"], metrics["generated"], best.moves) == expected


@pytest.mark.parametrize("key", ["greedy", "a-star", "weighted-a-star"])
def test_the_lowest_f_is_in_moves_whatever_the_estimate_counts(key):
    """The Euclidean distance counts hundredths of a move."""
    solver = made_solver(_puzzle(*SHAPES[0]), key, heuristic="euclidean", expansions_per_update=1)
    for _ in range(5):
        (row,) = solver.advance(1).trace
        lowest, view = row[METRICS.index("bound")], solver.view(ViewKind.TREE)
        assert np.isclose(view.f, lowest).any()
        assert lowest <= view.f[view.front].min()


@pytest.mark.parametrize("reopen", [True, False])
@pytest.mark.parametrize(("unit", "ties"), [("generated", "fifo"), ("expanded", "heap")])
@pytest.mark.parametrize("bursts", [(1, 1), (20, 7), (10, 30), (10_000, 10)])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_search_from_both_ends_is_the_oracles(shape, bursts, unit, ties, reopen):
    puzzle = _puzzle(*shape)
    start, goal = _plain(puzzle.start), _plain(puzzle.goal)
    estimates = [_estimate("hybrid", end, shape[1]) for end in (goal, start)]
    *expected, n_turns = naive_searches.from_both_ends(
        start,
        goal,
        shape[1],
        estimates,
        bursts,
        unit,
        g_weight=1,
        h_weight=1,
        replaces=reopen,
        ties=ties,
    )
    assert (n_turns > 2) == (bursts[0] < 10_000)
    _, best, metrics = solved(
        puzzle,
        "bidirectional-a-star",
        heuristic="hybrid",
        first_burst=bursts[0],
        burst=bursts[1],
        burst_counts=unit,
        ties=ties,
        reopen=reopen,
        expansions_per_update=11,
    )
    assert [metrics["expanded"], metrics["generated"], best.moves] == expected
