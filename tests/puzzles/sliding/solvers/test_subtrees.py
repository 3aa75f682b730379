"""IDA* on several threads: what one thread finds, however often it is stopped."""

import threading

import numpy as np
import pytest

from tests.instance_sets import instance_set
from tests.small_tables import make
from tilelab.core.errors import SnapshotError
from tilelab.core.solver import Status, joined
from tilelab.core.views import ViewKind
from tilelab.puzzles.sliding.board import Goal, SlidingParams, goal_board, scrambled
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.solvers import ida_star, subtrees
from tilelab.puzzles.sliding.solvers.ida_star import IdaStar
from tilelab.testing.solvers import (
    Case,
    SolverContract,
    assert_same_run,
    run_in_slices,
    same_snapshot,
)


@pytest.fixture(autouse=True)
def _soon_split(monkeypatch):
    """Have small searches split as large ones do, and units hold a few rounds, on all threads."""
    monkeypatch.setattr(subtrees, "MIN_HANDED_OVER", 1)
    monkeypatch.setattr(subtrees, "MIN_WORK", 300)
    monkeypatch.setattr(subtrees, "MIN_ROUND", 1000)
    monkeypatch.setattr(subtrees, "MIN_SHARE", 100)
    monkeypatch.setattr(ida_star, "UNIT_TIMES", 1)


def _puzzle(side, seed, n_slides):
    goal = goal_board(side, side, Goal.BLANK_LAST)
    return SlidingPuzzle.create(
        SlidingParams(rows=side, cols=side), scrambled(goal, side, seed, n_slides)
    )


KORF = instance_set("korf100")
KINDS = {
    "packed": (KORF.puzzle(12), {"heuristic": "linear-conflict"}),
    "detours": (KORF.puzzle(12), {"heuristic": "larger", "detour": 8}),
    "any": (_puzzle(3, 7, 200), {"heuristic": "euclidean"}),
    "wide": (_puzzle(5, 3, 50), {"heuristic": "linear-conflict"}),
}


def _begun(puzzle, **params):
    return IdaStar.create(puzzle, IdaStar.spec.params(**{"memory": 64, **params}), 0)


def _ended(solver):
    best, progress = None, solver.advance(3)
    while progress.status is Status.RUNNING:
        progress = solver.advance(3)
    best = progress.best
    return best, solver.view(ViewKind.THRESHOLDS)


@pytest.mark.every(2)
@pytest.mark.parametrize("kind", KINDS)
def test_several_threads_find_what_one_finds(kind):
    puzzle, params = KINDS[kind]
    best, alone = _ended(_begun(puzzle, **params))
    for n_threads in (2, 3, 4):
        solver = _begun(puzzle, threads=n_threads, expansions_per_update=9000, **params)
        found, together = _ended(solver)
        assert (found.moves, found.optimal) == (best.moves, best.optimal)
        assert together.thresholds.tolist() == alone.thresholds.tolist()
        assert together.generated[:-1].tolist() == alone.generated[:-1].tolist()
        assert together.expanded[:-1].tolist() == alone.expanded[:-1].tolist()
        assert solver._nearest().tolist() == puzzle.goal.tolist()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("subtrees")]


def test_with_closed_pattern_databases_too(tables):
    make("6-6-6-6")
    params = {"heuristic": "pattern-database", "tables": "6-6-6-6"}
    for detour in (2, 8):
        puzzle = _puzzle(5, 1, 40)
        best, alone = _ended(_begun(puzzle, detour=detour, **params))
        solver = _begun(puzzle, detour=detour, threads=2, expansions_per_update=5000, **params)
        found, together = _ended(solver)
        assert found.moves == best.moves
        assert together.generated[:-1].tolist() == alone.generated[:-1].tolist()


class TestOnThreeThreads(SolverContract):
    cases = tuple(
        pytest.param(
            Case(
                f"{kind}-{size}",
                puzzle,
                IdaStar,
                IdaStar.spec.params(threads=3, memory=64, expansions_per_update=size, **params),
            ),
            marks=() if (kind, size) in (("packed", 7), ("any", 6000)) else pytest.mark.exhaustive,
        )
        for kind, (puzzle, params) in KINDS.items()
        for size in (7, 6000)
    )


TWO_KINDS = [
    pytest.param(kind, marks=() if kind in ("packed", "any") else pytest.mark.exhaustive)
    for kind in KINDS
]
"""In the default run: boards packed into a number, and any boards."""


@pytest.mark.every(2)
@pytest.mark.parametrize("kind", TWO_KINDS)
def test_within_a_threshold_what_is_done_stays_done(kind, monkeypatch):
    monkeypatch.setattr(subtrees, "MIN_WORK", 30)
    monkeypatch.setattr(subtrees, "MIN_ROUND", 100)
    monkeypatch.setattr(subtrees, "MIN_SHARE", 20)
    puzzle, params = KINDS[kind]
    params = {"threads": 2, "expansions_per_update": 2000, **params}
    whole = run_in_slices(_begun(puzzle, **params), [100_000])
    solver, parts = _begun(puzzle, **params), []
    most = 0
    while len(parts) < 8 and (not parts or parts[-1].status is Status.RUNNING):
        parts.append(run_in_slices(solver, [1]))
        for n_done in range(97, 2000, 97) if parts[-1].status is Status.RUNNING else ():
            assert solver.step(97).units == 0
            most = max(most, len(solver._subtrees.parts))
            snapshot = solver.snapshot()
            solver = IdaStar.restore(puzzle, snapshot)
            assert same_snapshot(solver.snapshot(), snapshot)
            n_before = solver._row()[1]
            assert solver._n_left == 2000 - n_done
            assert n_before == sum(len(part.trace) for part in parts) * 2000 + n_done
    trace = np.concatenate([part.trace for part in parts])
    assert most > 1
    assert trace.tobytes() == whole.trace[: len(trace)].tobytes()
    if parts[-1].status is Status.RUNNING:
        parts.append(run_in_slices(solver, [100_000]))
    assert_same_run(whole, joined(parts))


@pytest.mark.every(2)
@pytest.mark.parametrize("kind", TWO_KINDS)
def test_work_comes_back_within_a_unit_and_changes_nothing(kind, monkeypatch):
    monkeypatch.setattr(ida_star, "SLICE_SECONDS", 0.0)
    monkeypatch.setattr(subtrees, "A_CALL", 700)
    puzzle, params = KINDS[kind]
    params = {"threads": 2, "expansions_per_update": 8000, **params}
    whole, solver = _begun(puzzle, **params), _begun(puzzle, **params)
    for _ in range(6):
        unit = whole.advance(1)
        n_calls, done = 1, solver.work(1)
        while done.units == 0:
            assert done.status is Status.RUNNING
            assert 0 < solver.steps_done < 8000
            if n_calls % 3 == 0:  # what stands inside a unit can be kept, too
                solver = IdaStar.restore(puzzle, solver.snapshot())
            n_calls, done = n_calls + 1, solver.work(1)
        assert done.trace.tobytes() == unit.trace.tobytes()
        assert same_snapshot(solver.snapshot(), whole.snapshot())
        assert n_calls > 2 or unit.status is not Status.RUNNING
        if unit.status is not Status.RUNNING:
            break


def test_a_unit_of_several_threads_is_longer(monkeypatch):
    monkeypatch.setattr(ida_star, "UNIT_TIMES", 20)
    puzzle, params = KINDS["packed"]
    for n_threads, n_boards in ((1, 3000), (2, 60_000), (3, 60_000)):
        solver = _begun(puzzle, threads=n_threads, expansions_per_update=3000, **params)
        assert solver.advance(2).trace[:, 1].tolist() == [n_boards, 2 * n_boards]


def test_views_show_the_path_of_the_first_subtree():
    puzzle, params = KINDS["packed"]
    solver = _begun(puzzle, threads=2, expansions_per_update=5000, **params)
    for _ in range(20):
        if solver.advance(1).status is not Status.RUNNING:
            break
        tree, thresholds = solver.view(ViewKind.TREE), solver.view(ViewKind.THRESHOLDS)
        assert not tree.is_whole
        assert tree.n_generated == thresholds.generated.sum() == solver._row()[1]
        assert np.array_equal(tree.boards[tree.path], thresholds.path)
        assert len(tree.path) - 1 == solver._row()[3]


@pytest.mark.parametrize(
    ("name", "place", "value", "words"),
    [
        ("subtrees", (0, 0), 2**40, "subtrees"),
        ("subtrees", (0, 1), 0, "fit"),
        ("subtrees", (0, 2), 10**6, "shares"),
        ("subtrees", (0, 3), 1, "as far"),
        ("subtrees", (0, 3), 2, "as far"),
        ("subtree_turns", 0, 2**40, "path"),
        ("subtree_turns", 0, -1, "path"),
        ("subtree_nearest", (0, 0), 0, "tile|board|blank"),
    ],
)
def test_subtrees_that_cannot_be_are_refused(name, place, value, words):
    puzzle, params = KINDS["packed"]
    solver = _begun(puzzle, threads=2, expansions_per_update=5000, **params)
    solver.advance(9)
    snapshot = solver.snapshot()
    snapshot.arrays[name][place] = value
    with pytest.raises(Exception, match=words) as caught:
        IdaStar.restore(puzzle, snapshot)
    assert caught.type is SnapshotError or name == "subtree_nearest"


class _Part:
    """As a subtree, on a clock of its own; it notes the size and the thread of each call."""

    def __init__(self, share, clock, boards_a_second):
        self.share, self.n_generated, self.calls = share, 0, []
        self._clock, self._boards_a_second = clock, boards_a_second

    def go(self, budget):
        self._clock[0] += budget / self._boards_a_second
        self.share -= budget
        self.n_generated += budget
        self.calls.append((budget, threading.current_thread()))


@pytest.mark.parametrize("boards_a_second", [5_500_000, 60_000_000])
def test_a_slice_ends_in_time_whatever_the_speed_and_with_few_calls(boards_a_second, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(subtrees.time, "perf_counter", lambda: clock[0])
    part = _Part(10**9, clock, boards_a_second)
    with subtrees.Team(2, 0.02) as team:
        team.work([part])
        assert team.is_late
    assert len(part.calls) <= 3
    assert clock[0] == pytest.approx(0.02, abs=subtrees.LATE_SECONDS)


def test_a_round_of_few_boards_wakes_no_thread(monkeypatch):
    monkeypatch.setattr(subtrees, "MIN_HANDED_OVER", 10_000)
    parts = [_Part(share, [0.0], 1.0) for share in (4000, 3000, 1000)]
    with subtrees.Team(3) as team:
        team.work(parts)
    assert [part.share for part in parts] == [0, 0, 0]
    assert {thread for part in parts for _, thread in part.calls} == {threading.current_thread()}
