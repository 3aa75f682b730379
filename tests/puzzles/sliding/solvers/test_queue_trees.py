"""The trees of the searches with a queue beside plain Python, step by step."""

import itertools

import numpy as np
import pytest

from tests.instance_sets import instance_set
from tests.naive_trees import WatchedSide, tree_of
from tests.solver_views import TREE, made_puzzle, made_solver, plain, rows_of
from tilelab.core.registry import HEURISTICS
from tilelab.core.solver import Status
from tilelab.core.views import MAX_NEXT, MAX_NODES, Fate, ViewKind
from tilelab.puzzles.sliding.board import Goal

RULES = {
    "breadth-first": ({}, {"g_weight": 1, "h_weight": 0, "replaces": False}),
    "uniform-cost": ({}, {"g_weight": 1, "h_weight": 0, "replaces": True}),
    "greedy": ({"heuristic": "manhattan"}, {"g_weight": 0, "h_weight": 1, "replaces": False}),
    "a-star": ({"heuristic": "damodaran"}, {"g_weight": 1, "h_weight": 1, "replaces": True}),
    "weighted-a-star": (
        {"heuristic": "damodaran", "weight": 3},
        {"g_weight": 10, "h_weight": 30, "replaces": True},
    ),
    "unidirectional-a-star": (
        {"heuristic": "hybrid"},
        {"g_weight": 1, "h_weight": 1, "replaces": False},
    ),
}
MAX_CHILDREN = 4
EIGHT_BY_DEPTH = [1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748]
"""Boards of the 3×3 board whose blank is in a corner at so many moves from the goal."""


def assert_is(view, expected):
    rows, path, current, children, front = expected
    assert view.is_whole
    assert rows_of(view) == rows
    assert view.path.tolist() == path
    assert view.current == current
    assert view.children.tolist() == children
    assert view.front.tolist() == front


@pytest.mark.every(4)
@pytest.mark.parametrize("shape", [(2, 2, 3, 8), (2, 3, 5, 40), (3, 3, 6, 16)], ids=str)
@pytest.mark.parametrize(("key", "ties"), list(itertools.product(RULES, ["fifo", "lifo", "heap"])))
def test_a_tree_is_the_oracles_at_every_step(key, ties, shape):
    params, rule = RULES[key]
    puzzle = made_puzzle(*shape)
    solver = made_solver(puzzle, key, ties=ties, **params)
    goal, cols = plain(puzzle.goal), shape[1]
    oracle = HEURISTICS[params.get("heuristic", "zero")].oracle
    side = WatchedSide(
        plain(puzzle.start), cols, lambda b: oracle(b, goal, cols), ties=ties, **rule
    )
    assert_is(solver.view(ViewKind.TREE), tree_of([side], 0, 0, None))
    for step in range(1, 200):
        status, met = solver.step(1).status, side.expand(goal)
        view = solver.view(ViewKind.TREE)
        assert (view.n_expanded, view.n_generated) == (side.n_expanded, side.n_generated)
        assert (status is Status.SOLVED) == (met is not None)
        if step < 40 or step % 20 == 0 or met:
            assert_is(view, tree_of([side], 0, 0, met))
        if met:
            # Noticed: a goal that was taken from the list, and is open in one of the views.
            n_open = np.count_nonzero(view.fates == Fate.OPEN)
            assert solver.view(ViewKind.FRONTIER).n_entries == n_open
            (counts,) = solver.view(ViewKind.DEPTHS).sides
            assert counts.open.sum() == n_open
            break


@pytest.mark.every(3)
@pytest.mark.parametrize("reopen", [True, False])
@pytest.mark.parametrize(("unit", "ties"), [("generated", "fifo"), ("expanded", "heap")])
@pytest.mark.parametrize(
    "bursts",
    [
        (20, 7),
        pytest.param((1, 1), marks=pytest.mark.exhaustive),
        pytest.param((10_000, 10), marks=pytest.mark.exhaustive),
    ],
)
def test_a_tree_from_both_ends_is_the_oracles(bursts, unit, ties, reopen):
    puzzle = made_puzzle(3, 3, 5, 22, Goal.BLANK_FIRST)
    solver = made_solver(
        puzzle,
        "bidirectional-a-star",
        ties=ties,
        burst_counts=unit,
        first_burst=bursts[0],
        burst=bursts[1],
        reopen=reopen,
        heuristic="hybrid",
    )
    ends = [plain(puzzle.start), plain(puzzle.goal)]
    oracle, rule = HEURISTICS["hybrid"].oracle, {"g_weight": 1, "h_weight": 1, "ties": ties}
    sides = [
        WatchedSide(here, 3, lambda b, there=there: oracle(b, there, 3), replaces=reopen, **rule)
        for here, there in (ends, ends[::-1])
    ]
    until, turn, met = [bursts[0]] * 2, 0, None
    while met is None:
        met = sides[turn].expand(ends[1 - turn], sides[1 - turn].paths)
        solver.step(1)
        expanded_by = turn
        while met is None and getattr(sides[turn], f"n_{unit}") >= until[turn]:
            until[turn] += bursts[1]
            turn = 1 - turn
        view = solver.view(ViewKind.TREE)
        if met or view.n_expanded < 30 or view.n_expanded % 20 == 0:
            assert_is(view, tree_of(sides, turn, expanded_by, met))
        assert view.sides.tolist()[: len(sides[0].order)] == [0] * len(sides[0].order)
        assert view.n_expanded == sum(side.n_expanded for side in sides)
        assert view.n_generated == sum(side.n_generated for side in sides)
    expected = f"A board has been visited from both sides: a path of {len(view.path) - 1} moves."
    assert view.caption.endswith(expected)


@pytest.mark.parametrize(("shape", "n_boards", "deepest"), [((2, 2), 12, 6), ((2, 3), 360, 21)])
def test_breadth_first_shows_the_whole_of_a_small_board(shape, n_boards, deepest):
    solver = made_solver(made_puzzle(*shape, 1, 0), "breadth-first", everything=True)
    while solver.advance(1).status is Status.RUNNING:
        pass
    view = solver.view(ViewKind.TREE)
    assert len({plain(board) for board in view.boards}) == n_boards
    assert (view.fates == Fate.EXPANDED).sum() == view.n_expanded == n_boards
    assert view.g.max() == deepest
    assert len(view.boards) == n_boards + (view.fates == Fate.VISITED).sum()


def test_the_eight_puzzle_has_as_many_boards_in_each_depth_as_was_published():
    solver = made_solver(
        made_puzzle(3, 3, 1, 0), "breadth-first", everything=True, expansions_per_update=1
    )
    n_expanded = sum(EIGHT_BY_DEPTH[:-1])
    solver.advance(n_expanded)
    view = solver.view(ViewKind.TREE)
    assert view.is_whole
    kept = view.fates != Fate.VISITED
    assert np.bincount(view.g[kept]).tolist() == EIGHT_BY_DEPTH


def test_of_a_large_search_as_much_is_shown_as_of_a_small_one():
    """Noticed: a straight line for 3,350 boards next to a bush for 668, the better search."""
    solver = made_solver(made_puzzle(3, 3, 1, 0), "breadth-first", everything=True)
    while solver.advance(1).status is Status.RUNNING:
        view = solver.view(ViewKind.TREE)
        if not view.is_whole:
            assert_is_excerpt(view)
    assert view.n_expanded > 181_440 - 2000
    last = solver.view(ViewKind.TREE)
    assert last.n_expanded == 181_440
    assert last.caption.endswith("No board is left.")


def test_a_part_of_a_tree_has_no_board_without_its_parent():
    """Noticed: boards that were reached again by a shorter path, whose parents are later ones."""
    puzzle = instance_set("hardest-eight").puzzle(1)
    params = {"heuristic": "damodaran", "expansions_per_update": 499}
    solver, n_parts = made_solver(puzzle, "a-star", **params), 0
    while solver.advance(1).status is Status.RUNNING:
        view = solver.view(ViewKind.TREE)
        if not view.is_whole:
            assert_is_excerpt(view)
            n_parts += 1
    assert n_parts


def assert_is_excerpt(view):
    assert 0.9 * MAX_NODES < len(view.boards) <= MAX_NODES + MAX_CHILDREN
    roots = np.flatnonzero(view.parents < 0)
    assert np.isin(roots[1:], view.front).all()
    assert len(view.front) == MAX_NEXT
    assert view.path[-1] == view.current
    assert view.fates[view.current] == Fate.EXPANDED
    assert (view.fates[view.front] == Fate.OPEN).all()
    assert view.parents[view.path].tolist() == [-1, *view.path[:-1]]
    assert (view.parents[view.children] == view.current).all()
    assert (view.g[view.path] == np.arange(len(view.path))).all()


def test_a_step_is_told_in_a_sentence():
    solver = made_solver(made_puzzle(3, 3, 6, 16), "a-star")
    assert solver.view(ViewKind.TREE).caption == ""
    solver.step(1)
    assert solver.view(ViewKind.TREE).caption.startswith("Expanded a board with g 0, h ")
    while (status := solver.step(1).status) is Status.RUNNING:
        pass
    assert status is Status.SOLVED
    view = solver.view(ViewKind.TREE)
    assert view.caption.endswith(
        f"The next board is the goal: a path of {len(view.path) - 1} moves."
    )


def test_what_nobody_has_watched_is_not_guessed():
    solver = made_solver(made_puzzle(3, 3, 6, 30), "a-star")
    solver.step(7)
    restored = type(solver).restore(solver._puzzle, solver.snapshot())
    restored.watch(TREE)
    view, expected = restored.view(ViewKind.TREE), solver.view(ViewKind.TREE)
    assert (view.current, len(view.path), len(view.children)) == (-1, 0, 0)
    assert view.caption == "7 boards expanded."
    assert view.front.tolist() == expected.front.tolist()
    for one in (solver, restored):
        one.step(1)
    assert rows_of(restored.view(ViewKind.TREE)) == rows_of(solver.view(ViewKind.TREE))
