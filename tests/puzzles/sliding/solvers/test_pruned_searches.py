"""BAE* and rectangle search beside plain Python: shortest paths, and the same boards expanded."""

import functools

import numpy as np
import pytest

from tests import naive_searches
from tests.instance_sets import instance_set
from tests.puzzles.sliding.solvers.test_sliding_searches import solved
from tests.solver_views import made_puzzle, made_solver, plain
from tilelab.core.errors import ParameterError, SnapshotError
from tilelab.core.registry import HEURISTICS
from tilelab.core.solver import Status
from tilelab.core.views import MAX_NEXT, Fate, ViewKind
from tilelab.puzzles.sliding.board import Goal, SlidingParams, goal_board
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.solvers import rectangle
from tilelab.puzzles.sliding.solvers.search import METRICS

BOTH = ("bae-star", "rectangle")
BOARDS = [(3, 3, 5, 22), (3, 3, 6, 60), (2, 4, 8, 50), (3, 2, 4, 30)]
ASPECTS = (1, 3, 20)


def _oracle(key):
    """The heuristic in moves, for a board and an end."""
    spec = HEURISTICS[key]
    return functools.cache(
        lambda board, end, cols: spec.oracle(board, end, cols) / spec.scale,
    )


def _depths(goal, cols):
    """The distance of every board from the goal, by breadth-first search."""
    depths, layer = {goal: 0}, [goal]
    while layer:
        following = []
        for board in layer:
            for letter in naive_searches.ORDER:
                child = naive_searches.slid(board, cols, letter)
                if child is not None and child not in depths:
                    depths[child] = depths[board] + 1
                    following.append(child)
        layer = following
    return depths


@pytest.mark.every(2)
@pytest.mark.parametrize("key", BOTH)
@pytest.mark.parametrize("heuristic", ["manhattan", "zero"])
def test_each_board_of_two_rows_gets_its_shortest_path(key, heuristic):
    goal = goal_board(2, 3, Goal.BLANK_LAST)
    depths = _depths(plain(goal), 3)
    assert len(depths) == 360
    params = SlidingParams(rows=2, cols=3)
    for board, depth in depths.items():
        puzzle = SlidingPuzzle.create(params, list(board))
        _, best, metrics = solved(puzzle, key, heuristic=heuristic, memory=16)
        assert (len(best.moves), best.optimal, metrics["bound"]) == (depth, True, depth)


@pytest.mark.every(5)
@pytest.mark.parametrize("heuristic", ["manhattan", "linear-conflict", "misplaced", "zero"])
@pytest.mark.parametrize("shape", BOARDS, ids=str)
def test_bae_star_expands_the_boards_of_the_oracle(shape, heuristic):
    puzzle, cols, oracle = made_puzzle(*shape), shape[1], _oracle(heuristic)
    ends = plain(puzzle.start), plain(puzzle.goal)
    expected = naive_searches.bae_star(*ends, cols, lambda board, end: oracle(board, end, cols))
    _, best, metrics = solved(puzzle, "bae-star", heuristic=heuristic, expansions_per_update=7)
    assert (metrics["expanded"], metrics["generated"], len(best.moves)) == expected


def test_bae_star_proves_the_bound_that_it_shows():
    """The shortest path has an odd length, and so has each bound."""
    puzzle = instance_set("hardest-eight").puzzle(1)
    solver = made_solver(puzzle, "bae-star", expansions_per_update=5)
    bounds = solver.advance(5000).trace[:, METRICS.index("bound")]
    assert bounds[0] >= puzzle.distance(puzzle.start)
    assert set(np.diff(bounds)) == {0, 2}
    assert set(bounds % 2) == {1}
    assert bounds[-1] == 31


@pytest.mark.every(5)
@pytest.mark.parametrize("aspect", ASPECTS)
@pytest.mark.parametrize("heuristic", ["manhattan", "linear-conflict"])
@pytest.mark.parametrize("shape", BOARDS, ids=str)
def test_rectangle_search_finds_the_paths_of_the_oracle(shape, heuristic, aspect):
    puzzle, cols, oracle = made_puzzle(*shape), shape[1], _oracle(heuristic)
    start, goal = plain(puzzle.start), plain(puzzle.goal)
    expected = naive_searches.rectangle(
        start, goal, cols, lambda board: oracle(board, goal, cols), aspect
    )
    solver = made_solver(
        puzzle, "rectangle", heuristic=heuristic, aspect=aspect, expansions_per_update=1
    )
    lengths = []
    while solver.advance(1).status is Status.RUNNING:
        if solver.best.moves and [solver._length] != lengths[-1:]:
            lengths.append(solver._length)
            # A way to a board on the path may have become shorter since.
            assert len(solver.best.moves) <= solver._length
    row = dict(zip(METRICS, solver._row(), strict=True))
    assert (row["expanded"], row["generated"], lengths) == expected
    assert solver.best.optimal


def test_boards_whose_estimate_is_large_share_a_place_in_their_list(monkeypatch):
    monkeypatch.setattr(rectangle, "_SPARE", 1)
    puzzle, oracle = made_puzzle(*BOARDS[1]), _oracle("manhattan")
    start, goal = plain(puzzle.start), plain(puzzle.goal)
    highest = oracle(start, goal, 3) + 1
    expected, other = (
        naive_searches.rectangle(start, goal, 3, lambda board: oracle(board, goal, 3), 1, most)
        for most in (highest, 10**9)
    )
    assert expected != other
    _, _, metrics = solved(puzzle, "rectangle", heuristic="manhattan")
    assert (metrics["expanded"], metrics["generated"]) == expected[:2]


def test_the_front_of_rectangle_search_has_as_many_boards_of_a_depth_as_it_will_expand():
    solver = made_solver(made_puzzle(*BOARDS[1]), "rectangle")
    n_compared = 0
    while solver.step(1).status is Status.RUNNING:
        view, (iteration, level, _, _) = solver.view(ViewKind.TREE), solver._marks.tolist()
        if level < iteration - 1 and len(view.front) < MAX_NEXT:
            is_open = (view.fates == Fate.OPEN) & (view.f < solver._length)
            n_open = (is_open & (view.g == iteration - 1)).sum()
            assert (view.g[view.front] == iteration - 1).sum() >= min(iteration, n_open)
            n_compared += n_open > 0
    assert n_compared > 20


@pytest.mark.parametrize("key", BOTH)
def test_a_heuristic_that_proves_nothing_is_refused(key):
    with pytest.raises(ParameterError, match="hybrid"):
        made_solver(made_puzzle(*BOARDS[0]), key, heuristic="hybrid")


@pytest.mark.parametrize("key", BOTH)
def test_the_front_of_the_tree_is_what_is_expanded_next(key):
    solver = made_solver(made_puzzle(3, 3, 9, 40), key, heuristic="manhattan")
    pruned = 0
    while True:
        before = solver.view(ViewKind.TREE)
        if solver.step(1).status is not Status.RUNNING:
            break
        view = solver.view(ViewKind.TREE)
        first = before.front[0]
        assert plain(view.boards[view.current]) == plain(before.boards[first])
        assert view.sides[view.current] == before.sides[first]
        children = view.fates[view.children]
        length = len(solver._path_so_far() or "") or 10**9
        for child, fate in zip(view.children, children, strict=True):
            if fate == Fate.PRUNED:
                pruned += 1
                assert view.f[child] >= length
        words = f"{(children == Fate.PRUNED).sum()} pruned"
        assert (words in view.caption) == bool((children == Fate.PRUNED).any())
    view = solver.view(ViewKind.TREE)
    assert len(view.path) - 1 == len(solver.best.moves)
    assert plain(view.boards[view.path[-1]]) == plain(solver._puzzle.goal)
    assert pruned or key == "bae-star"


@pytest.mark.parametrize("key", BOTH)
def test_a_best_path_that_leads_elsewhere_is_refused(key):
    puzzle = made_puzzle(3, 3, 6, 60)
    solver = made_solver(puzzle, key, expansions_per_update=10)
    while solver._path_so_far() is None:
        solver.advance(1)
    snapshot = solver.snapshot()
    type(solver).restore(puzzle, snapshot)
    for place, value in ((0, snapshot.arrays["found"][0] - 2), (1, 0), (2, -1)):
        snapshot = solver.snapshot()
        snapshot.arrays["found"][place] = value
        with pytest.raises(SnapshotError):
            type(solver).restore(puzzle, snapshot)
