"""What is seen of beams: their depths and best boards, against a plain search."""

import numpy as np
import pytest

from tests.puzzles.sliding.solvers.test_counts import board, children, manhattan
from tilelab import catalog
from tilelab.core.errors import SnapshotError
from tilelab.core.parameters import validate
from tilelab.core.solver import Status
from tilelab.core.text.wording import counted
from tilelab.core.views import MAX_NEXT, ViewKind
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle

EIGHT = SlidingPuzzle.create(SlidingParams(rows=3, cols=3), [8, 6, 7, 2, 5, 4, 3, 0, 1])


def begun(puzzle, key="beam", **params):
    cls = catalog.solver("sliding", key)
    return cls.create(puzzle, validate(cls.spec.params, {"memory": 256, **params}), 0)


def view_of(solver):
    return solver.view(ViewKind.BEAM)


def depths_of(view):
    rows = zip(view.generated.tolist(), view.kept.tolist(), view.best.tolist(), strict=True)
    return dict(enumerate(rows, view.first))


def until_depth(solver, depth):
    """Step to the moment at which a depth is complete; False if the run ends before."""
    while solver._run.n_moves < depth or solver._run.making() is not None:
        if solver.step(1).status is not Status.RUNNING:
            return False
    return True


def test_a_beam_that_cuts_nothing_is_a_search_breadth_first():
    puzzle = board(3, 3, 4)
    goal, layer = tuple(puzzle.goal.tolist()), [tuple(puzzle.start.tolist())]
    visited, expected = set(layer), []
    while len(expected) < 14:
        assert goal not in layer
        expected.append((len(layer), len(layer), min(manhattan(cells, goal, 3) for cells in layer)))
        layer = list(dict.fromkeys(
            child for cells in layer for _, child in children(cells, 3) if child not in visited
        ))  # fmt: skip
        visited |= set(layer)
    solver = begun(puzzle, width=200_000)
    assert until_depth(solver, len(expected) - 1)
    assert depths_of(view_of(solver)) == dict(enumerate(expected))


@pytest.mark.parametrize("width", [2, 7, MAX_NEXT])
def test_what_a_narrow_beam_generates_keeps_and_cuts(width):
    goal = tuple(EIGHT.goal.tolist())
    solver, visited, expected = (
        begun(EIGHT, width=width),
        {tuple(EIGHT.start.tolist())},
        [(1, 1, 21)],
    )
    layer = list(visited)
    for depth in range(1, 15):
        found = {child for cells in layer for _, child in children(cells, 3)} - visited
        assert until_depth(solver, depth)
        view = view_of(solver)
        layer = [tuple(cells) for cells in view.boards.tolist()]
        assert set(layer) <= found
        visited |= found
        assert view.values.tolist() == sorted(manhattan(cells, goal, 3) for cells in layer)
        expected.append((len(found), min(len(found), width), view.values[0]))
        assert depths_of(view) == dict(enumerate(expected))
        assert view.width == width
        assert len(layer) == expected[-1][1]
        assert view.values[0] == solver._row()[solver.spec.metrics.index("nearest")]


def test_the_depth_in_the_making_is_shown_as_if_nothing_followed():
    solver = begun(EIGHT, width=5)
    assert until_depth(solver, 6)
    before, n_now = view_of(solver), solver._run.n_now
    assert before.caption.startswith("Depth 6: 10 new boards, ")
    counts = []
    for n_expanded in range(1, n_now + 1):
        solver.step(1)
        view = view_of(solver)
        counts.append(int(view.generated[-1]))
        assert len(view.kept) == 8
        assert view.kept[-1] == min(counts[-1], 5)
        assert np.array_equal(view.boards, before.boards)
        if n_expanded < n_now:
            assert view.caption == (
                f"Board {n_expanded} of {n_now} in depth 6 is expanded: "
                f"{counted(counts[-1], 'new board')} for depth 7 by now."
            )
    assert counts == sorted(counts)
    for n_kept in range(5):
        assert view_of(solver).caption == (
            f"Depth 7: {counts[-1]} new boards, {counts[-1] - 5} are cut; "
            f"{n_kept} of 5 that are kept have their place."
        )
        solver.step(1)
    assert depths_of(view_of(solver))[7] == (counts[-1], 5, view_of(solver).values[0])
    assert view_of(solver).best[-1] == view.best[-1]
    assert not np.array_equal(view_of(solver).boards, before.boards)


def test_on_large_boards_depths_go_on_from_stage_to_stage():
    puzzle = board(8, 7, 3)
    solver, stages = begun(puzzle, width=40, expansions_per_update=400), set()
    while solver.advance(1).status is Status.RUNNING and len(stages) < 3:
        view = view_of(solver)
        stages.add(solver._run._stage)
        n_ready = len(view.kept) - (solver._run.making() is not None)
        assert view.first + n_ready - 1 == solver._run.n_moves
        assert view.best[n_ready - 1] == solver._run.distance == view.values[0]
        for cells, distance in zip(view.boards, view.values, strict=True):
            puzzle.require(cells)
            assert puzzle.distance(cells) == distance
    assert len(stages) == 3


@pytest.mark.parametrize("depth", [0, 6])
def test_a_run_from_a_snapshot_shows_all_its_depths(depth):
    solver = begun(EIGHT, width=5)
    assert until_depth(solver, depth)
    restored = type(solver).restore(EIGHT, solver.snapshot())
    for _ in range(37):
        one, other = view_of(solver), view_of(restored)
        assert depths_of(one) == depths_of(other)
        assert np.array_equal(one.boards, other.boards)
        assert one.caption == other.caption
        solver.step(1)
        restored.step(1)


@pytest.mark.parametrize(
    "depths", [np.zeros((8, 3), np.int64), np.full((7, 3), -1), np.zeros((7, 2), np.int64)]
)
def test_depths_that_cannot_be_are_refused(depths):
    solver = begun(EIGHT, width=5)
    assert until_depth(solver, 6)
    snapshot = solver.snapshot()
    snapshot.arrays["depths"] = depths
    with pytest.raises(SnapshotError, match="depths"):
        type(solver).restore(EIGHT, snapshot)


def test_a_beam_that_has_died_out_is_followed_by_a_wider_one():
    solver = begun(board(2, 3, 8), width=1)
    while view_of(solver).width == 1:
        assert solver.step(1).status is Status.RUNNING
    view = view_of(solver)
    assert view.caption == "The previous beam has ended; one of 2 boards begins."
    assert depths_of(view) == {0: (1, 1, view.values[0])}
    while solver.step(1).status is Status.RUNNING:
        pass
    view = view_of(solver)
    assert view.caption == f"The goal is reached in {len(solver._best.moves)} moves."
    assert (view.boards.tolist(), view.values.tolist()) == ([solver._puzzle.goal.tolist()], [0])


def test_the_beams_of_an_anytime_search_say_which_they_are():
    solver = begun(EIGHT, "anytime", width=3, tables="none", expansions_per_update=20)
    captions = []
    while solver.step(1).status is Status.RUNNING:
        captions.append(view_of(solver).caption)
    captions.append(view_of(solver).caption)
    assert captions[0].endswith("At least 25 moves are needed.")
    assert any(caption.startswith("From the goal: Board ") for caption in captions)
    assert any("The best path has 49 moves. At least " in caption for caption in captions)
    assert captions[-1] == "The path of 31 moves is the shortest."


def test_a_proof_that_has_not_begun_has_expanded_nothing():
    """Noticed: step by step, an anytime search counts the start twice: for its proof, too."""
    counts = {}
    for key in ("anytime", "beam"):
        solver = begun(EIGHT, key, width=5)
        counts[key] = [solver.metrics_inside()[:2]]
        for _ in range(20):
            assert solver.do_steps(1) is None
            counts[key].append(solver.metrics_inside()[:2])
    assert counts["anytime"] == counts["beam"]
    assert counts["beam"][0] == (0, 0)
