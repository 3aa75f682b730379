"""The frontier of every solver: entries, order and ties, next to plain Python."""

import itertools
import random

import numpy as np
import pytest

from tests import naive_searches
from tests.naive_trees import Deepening, WatchedSide
from tests.solver_lines import RUNS
from tests.solver_views import made_puzzle, plain
from tilelab import catalog
from tilelab.core.parameters import validate
from tilelab.core.registry import HEURISTICS
from tilelab.core.solver import Status
from tilelab.core.views import MAX_CLOSED, MAX_ENTRIES, EntryState, ViewKind
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle

FRONTIER = frozenset({ViewKind.FRONTIER})
MANHATTAN = {"heuristic": "manhattan"}
RULES = {
    "breadth-first": ((1, 0), False, ("g",)),
    "uniform-cost": ((1, 0), True, ("g",)),
    "greedy": ((0, 1), False, ("g", "h")),
    "a-star": ((1, 1), True, ("g", "h", "f")),
    "weighted-a-star": ((10, 25), True, ("g", "h", "f")),
    "unidirectional-a-star": ((1, 1), False, ("g", "h", "f")),
}
QUEUES = [
    case
    for case in itertools.product(RULES, ["fifo", "lifo", "heap"])
    if case != ("weighted-a-star", "fifo")  # its test opens boards again
]
SOLVERS = [
    (puzzle, key)
    for puzzle, key in RUNS
    if ViewKind.FRONTIER in catalog.solver(puzzle, key).spec.views
]


def made(puzzle, key, **params):
    kind = catalog.solver(puzzle.spec.key, key)
    solver = kind.create(puzzle, validate(kind.spec.params, params), 7)
    solver.watch(FRONTIER)
    return solver


def oracle_of(puzzle, heuristic="manhattan"):
    catalog.solver("sliding", "a-star")  # registers the heuristics, too
    goal, cols, estimate = plain(puzzle.goal), puzzle.shape[1], HEURISTICS[heuristic].oracle
    return lambda board: estimate(board, goal, cols)


def boards_of(boards):
    return [plain(board) for board in boards]


def test_only_solvers_without_a_list_of_boards_have_no_frontier():
    assert set(RUNS) - set(SOLVERS) == {("boggle", "exact"), ("wordtiles", "bees")}


def test_what_was_left_open_proves_the_path_of_a_star():
    """Noticed: an empty list at the end, when a lesson reads the proof off it."""
    params = SlidingParams(rows=3, cols=3)
    puzzle = SlidingPuzzle.create(params, [1, 5, 2, 8, 0, 3, 4, 7, 6])
    solver = made(puzzle, "a-star", **MANHATTAN)
    while solver.step().status is Status.RUNNING:
        pass
    left = solver.view(ViewKind.FRONTIER)
    assert len(solver.best.moves) == 8
    assert [row[-1] for row in left.values] == [10] * left.n_entries == [10] * 11
    assert left.next_place is None


@pytest.mark.every(5)
@pytest.mark.parametrize(("key", "ties"), [("weighted-a-star", "fifo"), *QUEUES])
def test_an_open_list_is_the_oracles_queue(key, ties):
    """Noticed: a wrong order, a wrong tie, a dead entry, or boards expanded last that are not."""
    puzzle, ((g_weight, h_weight), replaces, columns) = made_puzzle(3, 3, 17, 40), RULES[key]
    params = {"ties": ties} | (MANHATTAN if h_weight else {})
    params |= {"weight": 2.5} if h_weight == 25 else {}
    solver, estimate = made(puzzle, key, **params), oracle_of(puzzle)
    side = WatchedSide(
        plain(puzzle.start),
        3,
        estimate if h_weight else lambda board: 0,
        g_weight,
        h_weight,
        replaces=replaces,
        ties=ties,
    )
    last = []
    for step in range(90):
        view = solver.view(ViewKind.FRONTIER)
        boards = side.front(MAX_ENTRIES)
        assert boards_of(view.boards) == boards
        rows = []
        for board in boards:
            g, h = len(side.paths[board]), estimate(board)
            f = (g_weight * g + h_weight * h) / (g_weight or 1)
            rows.append((g, h, f)[: len(columns)])
        assert view.columns == columns
        assert [tuple(row) for row in view.values] == rows
        priorities = [row[-1] for row in rows]
        are_tied = [one == other for one, other in itertools.pairwise(priorities)]
        assert (np.diff(view.ties) == 0).tolist() == are_tied
        assert view.n_entries == len(side.paths) - len(side.is_expanded)
        assert view.n_closed == len(side.is_expanded)
        still_closed = [board for board in last if board in side.is_expanded]
        assert boards_of(view.closed) == still_closed
        assert view.next_place == (0 if boards else None)
        # Many expansions in one call are noted one by one.
        n_steps = 25 if step == 60 else 1
        if solver.step(n_steps).status is not Status.RUNNING:
            break
        for _ in range(n_steps):
            side.expand(plain(puzzle.goal))
            last = [side.last, *last][:MAX_CLOSED]
    else:
        return
    assert not len(solver.view(ViewKind.FRONTIER).boards)


@pytest.mark.every(4)
@pytest.mark.parametrize(
    ("puzzle_key", "key"),
    [
        (puzzle, key)
        for puzzle, key in SOLVERS
        if catalog.solver(puzzle, key).spec.views[0] in (ViewKind.TREE, ViewKind.BEAM)
        and key not in ("ida-star", "iterative-deepening", "depth-first")
    ],
)
def test_what_is_expanded_next_is_what_the_list_has_first(puzzle_key, key):
    """Noticed: an order that is not the search's, at any of 60 random moments of a run."""
    rng = random.Random(key)
    n_compared = 0
    for puzzle, params in RUNS[puzzle_key, key]:
        solver = made(puzzle, key, **params)
        for _ in range(60):
            before = solver.view(ViewKind.FRONTIER)
            expected = boards_of(before.boards)
            for place in range(10):
                known = solver.view(ViewKind.FRONTIER)
                is_over = solver.step(1).status is not Status.RUNNING
                now = solver.view(ViewKind.FRONTIER)
                if is_over or now.n_closed <= known.n_closed or now.side != before.side:
                    break  # a goal, a level or the turn of a side has ended
                expanded = plain(now.closed[0])
                assert expanded == plain(known.boards[0])
                if expanded not in expected:
                    break  # a child came before
                values = before.values[expected.index(expanded)]
                if known.values[0].tolist() != values.tolist():
                    break  # a shorter path to it has been found
                if getattr(solver.params, "ties", "") != "heap":
                    assert expanded == expected[place]
                # In a heap, a new child can change the order of equal boards.
                assert before.ties[expected.index(expanded)] == before.ties[place]
                n_compared += 1
            if is_over:
                break
            solver.step(rng.randrange(1, 30))
    assert n_compared >= 3


@pytest.mark.parametrize("key", ["bae-star", "rectangle"])
def test_the_expansions_of_a_proof_are_the_oracles(key):
    puzzle = made_puzzle(3, 3, 5, 22)
    start, goal, expanded = plain(puzzle.start), plain(puzzle.goal), []

    def note(name, *values):
        if name == "expand":
            board, g, _ = values[2]
            expanded.append((values[0] if key == "bae-star" else 0, board, g))

    if key == "bae-star":
        estimate = HEURISTICS["manhattan"].oracle
        naive_searches.bae_star(start, goal, 3, lambda board, end: estimate(board, end, 3), note)
    else:
        naive_searches.rectangle(start, goal, 3, oracle_of(puzzle), 1, note=note)
    solver = made(puzzle, key, **MANHATTAN)
    for n_done, (side, board, g) in enumerate(expanded):
        view = solver.view(ViewKind.FRONTIER)
        assert view.side == side
        assert (plain(view.boards[0]), view.values[0, 0]) == (board, g)
        if key == "bae-star":
            ends = (start, goal)
            h, behind = (estimate(board, ends[end], 3) for end in (1 - view.side, view.side))
            assert view.values[0].tolist() == [g, h, 2 * g + h - behind]
        else:
            assert view.values[0].tolist() == [g, oracle_of(puzzle)(board)]
        last = expanded[max(n_done - MAX_CLOSED, 0) : n_done][::-1]
        recent = [one for at, one, _ in last if at == side]
        shown = boards_of(view.closed)
        assert shown == [one for one in recent if one in shown]
        assert len(shown) >= len(recent) - 2  # without those that are open again
        solver.step(1)


@pytest.mark.parametrize(
    ("key", "params", "limit"),
    [
        ("ida-star", {**MANHATTAN, "tables": "none"}, None),
        ("ida-star", {"heuristic": "misplaced", "tables": "none"}, None),
        ("iterative-deepening", {}, None),
        ("depth-first", {"depth_limit": 7}, 7),
    ],
)
def test_a_stack_is_the_oracles_path_and_says_which_board_comes_next(key, params, limit):
    puzzle = made_puzzle(3, 3, 6, 24)
    heuristic = params.get("heuristic", "zero")
    estimate = oracle_of(puzzle, heuristic)
    naive = Deepening(plain(puzzle.start), plain(puzzle.goal), 3, estimate, limit)
    solver = made(puzzle, key, **params)
    view = solver.view(ViewKind.FRONTIER)
    for _ in itertools.islice(naive.run(), 400):
        _, parent, _, g, _, _, _ = naive.rows[-1]
        if view.next_place is not None:
            assert plain(view.boards[view.next_place]) == naive.rows[parent][0]
            assert view.values[view.next_place, 0] == g - 1
        else:
            assert g == 1  # another threshold
        solver.step(1)
        view = solver.view(ViewKind.FRONTIER)
        path = [naive.rows[place] for place in naive.path[::-1]]
        assert boards_of(view.boards) == [row[0] for row in path]
        assert [row[0] for row in view.values] == [row[3] for row in path]
        if heuristic != "zero":
            assert [tuple(row) for row in view.values] == [tuple(row[3:6]) for row in path]
    assert view.n_closed == -1


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("puzzle_key", "key"),
    [
        (puzzle, key)
        for puzzle, key in SOLVERS
        if catalog.solver(puzzle, key).spec.views[0] is ViewKind.MOVE
    ],
)
def test_the_last_moves_are_those_that_were_shown(puzzle_key, key):
    """Noticed: a wrong fate, order or value, also across the end of a unit."""
    ((puzzle, params),) = RUNS[puzzle_key, key]
    solver = made(puzzle, key, **params)
    assert solver.view(ViewKind.FRONTIER) is None
    shown = []
    for step in range(45):
        n_steps = 1_000_000 if step in (12, 20) else 1  # the rest of a unit
        solver.step(n_steps)
        move = solver.view(ViewKind.MOVE)
        shown = [move] if n_steps > 1 else [move, *shown]
        view = solver.view(ViewKind.FRONTIER)
        assert len(view.boards) == min(10, view.n_entries)
        assert len(view.boards) >= min(len(shown), 10)
        for place, one in enumerate(shown[:10]):
            assert np.array_equal(view.boards[place], one.after)
            fate = EntryState.ACCEPTED if one.accepted else EntryState.REJECTED
            assert view.states[place] == fate
            gain = one.energy_after - one.energy_before
            expected = [one.energy_after, gain, one.odds][: len(view.columns)]
            assert view.values[place] == pytest.approx(expected)
    assert view.next_place is None


def test_a_move_of_an_earlier_unit_is_not_the_last_one():
    """Noticed: moves that were shown before a unit that no view has watched."""
    ((puzzle, params),) = RUNS["wordtiles", "annealing"]
    solver = made(puzzle, "annealing", **params)
    solver.advance(1)
    assert solver.view(ViewKind.MOVE) is not None
    solver.watch(frozenset())
    solver.advance(1)
    solver.watch(FRONTIER)
    assert solver.view(ViewKind.MOVE) is None
    assert solver.view(ViewKind.FRONTIER) is None


def test_the_next_parents_are_those_that_breed():
    puzzle, params = RUNS["boggle", "genetic"][0]
    solver = made(puzzle, "genetic", **{**params, "parents": 5})
    before = None
    for _ in range(6):
        solver.watch(frozenset(solver.spec.views))
        status = solver.step(1).status
        population, view = (solver.view(kind) for kind in (ViewKind.POPULATION, ViewKind.FRONTIER))
        if before is not None:
            assert np.array_equal(population.parent_grids, before.boards)
            assert population.parent_fitness.tolist() == before.values[:, -1].tolist()
        if status is not Status.RUNNING:
            break
        assert np.array_equal(view.boards, population.grids[:5])
        ranks = np.nan_to_num(view.values[:, :2]).tolist()
        assert ranks == (population.parents[:5] + 1).tolist()
        before = view
    assert before is not None


def test_a_level_is_what_a_beam_has_not_expanded_yet():
    puzzle, params = RUNS["wordtiles", "beam"][1]
    solver, expanded = made(puzzle, "beam", **params), []
    for _ in range(30):
        view = solver.view(ViewKind.FRONTIER)
        assert [row[0] for row in view.values] == [puzzle.score(board) for board in view.boards]
        assert len(view.boards) == view.n_entries
        assert boards_of(view.closed) == boards_of(expanded)
        expanded = [view.boards[0], *expanded] if view.n_entries > 1 else []
        solver.step(1)


def test_a_frontier_that_is_not_watched_notes_nothing():
    puzzle = made_puzzle(3, 3, 6, 40)
    solver = made(puzzle, "a-star", **MANHATTAN)
    solver.step(5)
    solver.watch(frozenset())
    solver.step(40)
    solver.watch(FRONTIER)
    view = solver.view(ViewKind.FRONTIER)
    assert not len(view.closed)
    solver.step(3)
    assert len(solver.view(ViewKind.FRONTIER).closed) == 3
