"""The trees and thresholds of the searches that keep only their path beside plain Python."""

from itertools import islice

import numpy as np
import pytest

from tests.instance_sets import instance_set
from tests.naive_trees import Deepening
from tests.small_tables import make
from tests.solver_views import made_puzzle, made_solver, plain, rows_of
from tilelab.core.errors import SnapshotError
from tilelab.core.registry import HEURISTICS
from tilelab.core.solver import Status
from tilelab.core.views import MAX_NODES, Fate, ViewKind
from tilelab.puzzles.sliding.detours import machine
from tilelab.puzzles.sliding.kernels.deepening import GENERATED
from tilelab.puzzles.sliding.solvers.packed_descent import PatternDescent

SEARCHES = {
    "depth first": ("depth-first", {"depth_limit": 7}, "zero"),
    "iterative deepening": ("iterative-deepening", {}, "zero"),
    "packed": ("ida-star", {"heuristic": "manhattan", "tables": "none"}, "manhattan"),
    "packed, detours": (
        "ida-star",
        {"heuristic": "linear-conflict", "tables": "none", "detour": 8},
        "linear-conflict",
    ),
    "any": ("ida-star", {"heuristic": "misplaced", "tables": "none"}, "misplaced"),
}
SHAPES = [(2, 2, 3, 8), (2, 3, 5, 40), (3, 3, 6, 18)]


def allows_of(puzzle, detour):
    """Whether the moves of a path are tried where detours of some length are left out."""
    following, begin = machine(*puzzle.shape, detour).following, int(np.argmin(puzzle.start))

    def allows(letters):
        state = begin
        for letter in letters:
            state = following[state, "UDLR".index(letter)]
        return state >= 0

    return allows


def made_pair(name, puzzle, **changed):
    """A solver and its oracle."""
    key, params, heuristic = SEARCHES[name]
    params = {**params, **changed}
    solver = made_solver(puzzle, key, **params)
    solver.watch(frozenset(solver.spec.views))
    goal, cols, oracle = plain(puzzle.goal), puzzle.shape[1], HEURISTICS[heuristic].oracle
    naive = Deepening(
        plain(puzzle.start),
        goal,
        cols,
        lambda board: oracle(board, goal, cols),
        params.get("depth_limit"),
        allows_of(puzzle, params["detour"]) if "detour" in params else None,
    )
    return solver, naive


def known(rows, view):
    """The oracle's rows as those of a search that may have no estimate."""
    has_none = np.isnan(view.h).all()
    return [(*row[:4], None if has_none else row[4], *row[5:]) for row in map(tuple, rows)]


def assert_is(view, naive):
    rows, path = (naive.rows, naive.path) if view.is_whole else naive.excerpt()
    assert rows_of(view) == known(rows, view)
    assert view.path.tolist() == path
    assert view.threshold == naive.iterations[-1][0]
    assert view.n_expanded == sum(expanded for _, expanded, _ in naive.iterations)
    assert view.n_generated == sum(generated for _, _, generated in naive.iterations)
    if view.is_whole:
        current, children = naive.newest
        assert (view.current, view.children.tolist()) == (current, children)
    assert view.is_whole == (naive.iterations[-1][2] < MAX_NODES)
    assert not len(view.front)


def iterations_of(solver):
    view = solver.view(ViewKind.THRESHOLDS)
    return [list(row) for row in zip(view.thresholds, view.expanded, view.generated, strict=True)]


@pytest.mark.every(4)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", SEARCHES)
def test_a_tree_is_the_oracles_at_every_step(name, shape):
    solver, naive = made_pair(name, made_puzzle(*shape))
    assert solver.view(ViewKind.TREE).current == -1
    status = Status.RUNNING
    for step, _ in enumerate(islice(naive.run(), 600)):
        status = solver.step(1).status
        assert (status is Status.SOLVED) == naive.is_solved
        if step < 60 or step % 7 == 0 or naive.is_solved:
            assert_is(solver.view(ViewKind.TREE), naive)
            if ViewKind.THRESHOLDS in solver.spec.views:
                assert iterations_of(solver) == naive.iterations
            if solver.steps_done:
                # Noticed: a path straight down has more boards expanded than generated.
                n_expanded, n_generated = solver.metrics_inside()[:2]
                view = solver.view(ViewKind.TREE)
                assert (view.n_expanded, view.n_generated) == (n_expanded, n_generated)
                assert n_expanded == sum(row[1] for row in naive.iterations) <= n_generated


def test_at_the_end_of_a_search_without_success_all_is_left():
    solver, naive = made_pair("depth first", made_puzzle(3, 3, 6, 18))
    for _ in naive.run():
        pass
    assert solver.advance(1).status is Status.EXHAUSTED
    view = solver.view(ViewKind.TREE)
    assert rows_of(view) == known(naive.rows, view)
    assert view.path.tolist() == [0]
    assert view.caption.endswith("No board is left.")


@pytest.mark.every(2)
@pytest.mark.parametrize("name", ["packed", "any"])
def test_of_a_large_iteration_the_path_and_what_was_tried_beside_it_are_shown(name):
    puzzle = instance_set("hardest-eight").puzzle(1)
    solver, naive = made_pair(name, puzzle, expansions_per_update=997)
    steps, n_excerpts = naive.run(), 0
    while solver.advance(1).status is Status.RUNNING and n_excerpts < 12:
        for _ in islice(steps, 997):
            pass
        view = solver.view(ViewKind.TREE)
        assert_is(view, naive)
        assert iterations_of(solver) == naive.iterations
        thresholds = solver.view(ViewKind.THRESHOLDS)
        assert np.array_equal(thresholds.path, view.boards[view.path])
        assert np.array_equal(thresholds.h, view.h[view.path])
        n_excerpts += not view.is_whole
    assert n_excerpts


@pytest.mark.every(3)
@pytest.mark.parametrize("name", ["iterative deepening", "packed", "any"])
def test_iterations_are_the_same_at_any_speed_and_after_restoring(name):
    puzzle = made_puzzle(3, 3, 6, 11)
    solver, naive = made_pair(name, puzzle)
    for _ in naive.run():
        pass
    while solver.advance(100).status is Status.RUNNING:
        pass
    assert iterations_of(solver) == naive.iterations
    slow, _ = made_pair(name, puzzle, expansions_per_update=13)
    while slow.advance(1).status is Status.RUNNING:
        slow = type(slow).restore(puzzle, slow.snapshot())
    assert iterations_of(slow) == naive.iterations


def test_a_snapshot_without_its_iterations_is_refused():
    puzzle = made_puzzle(3, 3, 6, 14)
    solver, _ = made_pair("any", puzzle, expansions_per_update=5)
    solver.advance(20)
    snapshot = solver.snapshot()
    snapshot.arrays.pop("iterations")
    with pytest.raises(SnapshotError, match="lacks the iterations before"):
        type(solver).restore(puzzle, snapshot)


@pytest.mark.parametrize(
    ("place", "value"), [((0, 1), -1), ((-1, 0), 1), ((-1, 2), 10**9), ((0, 2), 10**9)]
)
def test_iterations_that_cannot_be_are_refused(place, value):
    puzzle = made_puzzle(3, 3, 6, 14)
    solver, _ = made_pair("any", puzzle, expansions_per_update=50)
    solver.advance(2)
    snapshot = solver.snapshot()
    snapshot.arrays["iterations"][place] = value
    with pytest.raises(SnapshotError, match="iterations"):
        type(solver).restore(puzzle, snapshot)


@pytest.mark.parametrize(("name", "shape"), [("5-5-5", (4, 4, 2, 30)), ("6-6-6-6", (5, 5, 2, 30))])
def test_with_pattern_databases_iterations_and_trees_do_not_depend_on_the_speed(
    tables, name, shape
):
    make(name)
    puzzle = made_puzzle(*shape)
    fast, slow = (
        made_solver(puzzle, "ida-star", heuristic="pattern-database", tables=name) for _ in range(2)
    )
    n_steps = 0
    is_closed = name == "6-6-6-6"
    assert isinstance(fast._descent, PatternDescent) == is_closed
    while slow.step(1).status is Status.RUNNING:
        n_steps += 1
        if n_steps < 200:
            view = slow.view(ViewKind.TREE)
            assert (view.f == view.g + view.h).all()
            assert (view.f[view.fates != Fate.PRUNED] <= view.threshold).all()
            assert (view.f[view.fates == Fate.PRUNED] > view.threshold).all()
    while fast.advance(1).status is Status.RUNNING:
        pass
    assert np.array_equal(puzzle.replay(fast._solution()), puzzle.goal)
    assert iterations_of(fast) == iterations_of(slow)
    assert len(iterations_of(fast)) > 1
    assert rows_of(fast.view(ViewKind.TREE)) == rows_of(slow.view(ViewKind.TREE))
    assert sum(row[1] for row in iterations_of(fast)) == fast.view(ViewKind.TREE).n_expanded


def test_with_closed_pattern_databases_no_board_is_generated_twice(tables, monkeypatch):
    make("6-6-6-6")
    params = {"heuristic": "pattern-database", "tables": "6-6-6-6"}
    solver = made_solver(made_puzzle(5, 5, 1, 40), "ida-star", **params)
    kernel, n_generated = PatternDescent.search, []

    def counted(budget, *arguments):
        before = int(arguments[-1][GENERATED])
        code = kernel(budget, *arguments)
        n_generated.append(int(arguments[-1][GENERATED]) - before)
        return code

    monkeypatch.setattr(PatternDescent, "search", staticmethod(counted))
    while solver.advance(1).status is Status.RUNNING:
        pass
    total = sum(n_generated)  # A view generates the path once more.
    assert len(iterations_of(solver)) > 1
    assert total == solver.view(ViewKind.THRESHOLDS).generated.sum()


def test_with_closed_pattern_databases_a_large_iteration_is_shown_by_its_path(tables):
    make("6-6-6-6")
    params = {"heuristic": "pattern-database", "tables": "6-6-6-6", "expansions_per_update": 4999}
    solver, n_excerpts = made_solver(made_puzzle(5, 5, 1, 40), "ida-star", **params), 0
    while solver.advance(1).status is Status.RUNNING:
        view, thresholds = solver.view(ViewKind.TREE), solver.view(ViewKind.THRESHOLDS)
        n_excerpts += not view.is_whole
        assert np.array_equal(view.boards[view.path[-1]], solver._descent.arrays["cells"])
        assert np.array_equal(view.boards[view.path], thresholds.path)
        assert np.array_equal(view.h[view.path], thresholds.h)
        assert view.is_whole or np.isin(view.parents[1:], view.path).all()
        assert ((view.f > view.threshold) == (view.fates == Fate.PRUNED)).all()
    assert n_excerpts


def test_a_step_is_told_in_a_sentence():
    solver, _ = made_pair("packed", made_puzzle(3, 3, 6, 16))
    assert solver.view(ViewKind.TREE).caption == solver.view(ViewKind.THRESHOLDS).caption == ""
    solver.step(1)
    expected = "with g 1, h 15, f 16: it is within the threshold 16, and its expansion begins."
    assert solver.view(ViewKind.TREE).caption == f"Generated a board {expected}"
    expected = "Iteration 1 with the threshold 16: 1 board expanded, 1 generated."
    assert solver.view(ViewKind.THRESHOLDS).caption == expected
