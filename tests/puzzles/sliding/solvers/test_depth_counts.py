"""Boards by depth and f of the searches with a queue, against plain searches."""

from collections import Counter

import numpy as np
import pytest

from tests.puzzles.sliding.solvers.test_counts import Side, board, children, manhattan
from tilelab import catalog
from tilelab.core.parameters import validate
from tilelab.core.solver import Status
from tilelab.core.text.wording import number
from tilelab.core.views import ViewKind
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.kernels import best_first as kernel
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.solvers import queue_tree

QUEUES = ("a-star", "breadth-first", "greedy", "uniform-cost", "weighted-a-star",
          "unidirectional-a-star", "bidirectional-a-star", "bae-star")  # fmt: skip
BOTH_ENDS = ("bidirectional-a-star",)
FIFTEEN = SlidingPuzzle.create(
    SlidingParams(rows=4, cols=4), [0, 12, 9, 13, 15, 11, 10, 14, 3, 7, 2, 5, 4, 8, 6, 1]
)


def begun(puzzle, key, **params):
    cls = catalog.solver("sliding", key)
    return cls.create(puzzle, validate(cls.spec.params, {"memory": 256, **params}), 0)


def view_of(solver):
    return solver.view(ViewKind.DEPTHS)


def cells_of(view, counts):
    """Boards by (depth, f), none of them 0."""
    rows, columns = np.nonzero(counts)
    return {(row * view.depth_step, view.f[column]): counts[row, column]
            for row, column in zip(rows.tolist(), columns.tolist(), strict=True)}  # fmt: skip


def metric(solver, name):
    return solver._row()[solver.spec.metrics.index(name)]


@pytest.mark.every(3)
@pytest.mark.parametrize(("rows", "cols", "n_boards"), [(2, 2, 12), (2, 3, 360), (3, 3, 181_440)])
def test_every_board_is_in_the_depth_that_a_plain_search_finds_it_in(rows, cols, n_boards):
    puzzle = board(rows, cols, 1)
    layer, depths = [tuple(puzzle.start.tolist())], {tuple(puzzle.start.tolist()): 0}
    while layer:
        found = {child for cells in layer for _, child in children(cells, cols)} - depths.keys()
        depths |= dict.fromkeys(found, 1 + depths[layer[0]])
        layer = list(found)
    solver = begun(puzzle, "breadth-first", everything=True)
    while solver.advance(50).status is Status.RUNNING:
        pass
    view = view_of(solver)
    (side,) = view.sides
    expected = {(depth, depth): n for depth, n in Counter(depths.values()).items()}
    assert cells_of(view, side.expanded) == expected
    assert not side.open.any()
    assert side.expanded.sum() == metric(solver, "expanded") == n_boards
    assert view.caption.endswith(f"{n_boards:,} boards expanded; the open list is empty.")


@pytest.mark.parametrize(("key", "g_weight", "h_weight"),
                         [("a-star", 1, 1), ("greedy", 0, 1), ("uniform-cost", 1, 0)])  # fmt: skip
@pytest.mark.parametrize(("rows", "cols"), [(2, 3), (3, 3)])
def test_boards_that_wait_and_boards_expanded_are_those_of_a_plain_search(
    key, g_weight, h_weight, rows, cols
):
    puzzle = board(rows, cols, 6)
    solver, goal = begun(puzzle, key), tuple(puzzle.goal.tolist())
    plain = Side(tuple(puzzle.start.tolist()), goal, cols, g_weight, h_weight)
    for n_expanded in (0, 1, 2, 17, 30):
        while plain.expanded < n_expanded:
            assert not plain.expand()
        while solver.steps_done < n_expanded:
            solver.step(n_expanded - solver.steps_done)
        counts = Counter(), Counter()
        for cells, path in plain.paths.items():
            f = g_weight * path + h_weight * manhattan(cells, goal, cols)
            counts[(cells, path) in plain.closed][path, f] += 1
        view = view_of(solver)
        (side,) = view.sides
        assert (cells_of(view, side.open), cells_of(view, side.expanded)) == counts
        least = min(f for _, f in counts[0])
        assert view.caption == (
            f"{n_expanded} board{'s' * (n_expanded != 1)} expanded; "
            f"the open list has {counts[0].total()}, the smallest f is {least}."
        )


@pytest.mark.parametrize("key", QUEUES)
def test_the_counts_are_those_of_the_metrics(key):
    solver = begun(board(3, 3, 2), key, expansions_per_update=40)
    assert ViewKind.DEPTHS in solver.spec.views
    for _ in range(8):
        view, stores = view_of(solver), solver._stores
        for side, store in zip(view.sides, stores, strict=True):
            assert side.open.shape[1] == side.expanded.shape[1] == len(view.f)
            # Noticed: a goal that has ended the search, and still counts as open.
            n_taken = len(stores) == 1 and solver._status is Status.SOLVED
            assert (side.open + side.expanded).sum() == store.scalars[kernel.N_NODES] - n_taken
            if len(stores) > 1 and view.meeting is None and (n_open := side.open.sum()):
                least = view.f[side.open.any(axis=0).argmax()]
                counted = f"{side.expanded.sum():,} expanded, {n_open:,} open"
                assert f"{counted}, smallest f {number(least)}." in view.caption
        assert sum(side.expanded.sum() for side in view.sides) == metric(solver, "expanded")
        assert (np.diff(view.f) > 0).all()
        solver.advance(1)


@pytest.mark.parametrize(
    ("key", "params"),
    [("bidirectional-a-star", {"first_burst": 30, "burst": 20}), ("bae-star", {})],
)
def test_both_sides_meet_where_their_depths_make_up_the_path(key, params):
    for seed in range(8):
        solver = begun(board(3, 3, seed), key, **params)
        assert view_of(solver).meeting is None
        while solver.advance(1).status is Status.RUNNING:
            assert view_of(solver).meeting is None
        view = view_of(solver)
        there, back = view.meeting
        assert there + back == len(solver._best.moves)
        assert view.sides[0].open[there].any() or view.sides[0].expanded[there].any()
        assert view.sides[1].open[back].any() or view.sides[1].expanded[back].any()
        board_there = solver._puzzle.replay(solver._best.moves[:there])
        near, far = (store.boards[: store.scalars[kernel.N_NODES]] for store in solver._stores)
        assert (near == board_there).all(axis=1).any()
        assert (far == board_there).all(axis=1).any()
        assert f"{there} moves from the start and {back} from the goal" in view.caption


@pytest.mark.parametrize("key", ["greedy", "bidirectional-a-star", "weighted-a-star"])
@pytest.mark.parametrize("values", [40, 9])
def test_many_depths_share_rows_and_many_f_share_columns(key, values, monkeypatch):
    solver = begun(FIFTEEN, key, **({"first_burst": 700} if key in BOTH_ENDS else {}))
    monkeypatch.setattr(queue_tree, "MAX_COLUMNS", 1000)
    solver.advance(1)
    whole = view_of(solver)
    monkeypatch.setattr(queue_tree, "MAX_ROWS", 7)
    monkeypatch.setattr(queue_tree, "MAX_COLUMNS", 4)
    monkeypatch.setattr(queue_tree, "_MAX_VALUES", values)
    view = view_of(solver)
    assert whole.depth_step == 1
    assert view.depth_step > 1
    assert len(view.f) <= 4
    for side, other in zip(view.sides, whole.sides, strict=True):
        assert len(side.open) <= 8
        for counts, exact in ((side.open, other.open), (side.expanded, other.expanded)):
            places = np.searchsorted(view.f, whole.f, side="right") - 1
            expected = np.zeros_like(counts)
            for (depth, column), count in np.ndenumerate(exact):
                if count:
                    expected[depth // view.depth_step, places[column]] += count
            assert np.array_equal(counts, expected)


def test_f_is_counted_in_moves_whatever_the_estimate_counts_in():
    whole, real = (
        begun(FIFTEEN, "unidirectional-a-star", heuristic=key)
        for key in ("manhattan", "hybrid-unrounded")
    )
    for solver in (whole, real):
        solver.advance(1)
        (side,), store = view_of(solver).sides, solver._stores[0]
        n_nodes = store.scalars[kernel.N_NODES]
        ways, estimates, closed = store.links[:n_nodes, [1, 2, 5]].T
        f = ways + estimates / solver._heuristic.scale
        lowest = Counter(np.floor(f + 1e-9)[closed == 0].tolist())
        counts = dict(zip(view_of(solver).f.tolist(), side.open.sum(axis=0).tolist(), strict=True))
        assert {value: n_open for value, n_open in counts.items() if n_open} == lowest


def test_the_goal_is_said_to_be_found():
    """Noticed: a goal that has ended the search and still counts as open, with the smallest f."""
    solver = begun(board(3, 3, 2), "a-star")
    while solver.advance(1).status is Status.RUNNING:
        pass
    scalars = solver._stores[0].scalars
    links = solver._stores[0].links[: scalars[kernel.N_NODES]]
    is_open = links[:, kernel.CLOSED] == 0
    n_expanded, n_moves = np.count_nonzero(~is_open), len(solver._best.moves)
    is_open[scalars[kernel.GOAL_NODE]] = False
    least = links[is_open][:, [kernel.LENGTH, kernel.ESTIMATE]].sum(axis=1).min()
    assert least > n_moves
    assert view_of(solver).caption == (
        f"The goal is {n_moves} moves away. {n_expanded:,} boards expanded; "
        f"the open list has {is_open.sum():,}, the smallest f is {least}."
    )
