"""Steps inside a unit of the searches on sliding tiles: how many there are, and where they stop."""

import numpy as np
import pytest

from tilelab import catalog
from tilelab.core.errors import SnapshotError
from tilelab.core.parameters import validate
from tilelab.core.solver import Status
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.testing.solvers import assert_same_run, run_in_slices, run_in_steps

EIGHT = SlidingPuzzle.create(SlidingParams(rows=3, cols=3), [8, 6, 7, 2, 5, 4, 3, 0, 1])
EASY = SlidingPuzzle.create(SlidingParams(rows=3, cols=3), [1, 2, 3, 0, 4, 6, 7, 5, 8])
SOLVED = SlidingPuzzle.create(SlidingParams(rows=3, cols=4), None)
SMALL = SlidingPuzzle.create(SlidingParams(rows=2, cols=3), [2, 1, 0, 5, 4, 3])
PUZZLES = {"eight": EIGHT, "easy": EASY, "solved": SOLVED, "small": SMALL}
MAX_UNITS = 60
BURSTS = {"first_burst": 9, "burst": 5, "reopen": True}
RUNS = {
    **{f"{key}, {name}": (key, puzzle, {})
       for key in catalog.solvers("sliding")
       for name, puzzle in PUZZLES.items()},
    "everything": ("breadth-first", SMALL, {"everything": True}),
    "exhausted": ("depth-first", EIGHT, {"depth_limit": 6}),
    "wider": ("beam", EIGHT, {"width": 2}),
    "expanded": ("bidirectional-a-star", EIGHT, {**BURSTS, "burst_counts": "expanded"}),
    "generated": ("bidirectional-a-star", EIGHT, {**BURSTS, "burst_counts": "generated"}),
}  # fmt: skip


def _begun(key, puzzle, **params):
    cls = catalog.solver("sliding", key)
    given = {"memory": 64, "expansions_per_update": 11, **params}
    return cls.create(puzzle, validate(cls.spec.params, given), 0)


@pytest.mark.every(5)
@pytest.mark.parametrize("run", RUNS)
def test_a_run_has_as_many_steps_however_many_are_made_at_once(run):
    key, puzzle, params = RUNS[run]
    whole = run_in_slices(_begun(key, puzzle, **params), [MAX_UNITS])
    counts = set()
    for most in (1, 2, 5, 10_000):
        found, n_steps = run_in_steps(_begun(key, puzzle, **params), most, MAX_UNITS)
        assert_same_run(whole, found)
        counts.add(n_steps)
    assert len(counts) == 1
    assert min(counts) >= whole.units


@pytest.mark.parametrize("key", catalog.solvers("sliding"))
def test_a_step_is_one_board(key):
    solver = _begun(key, EIGHT)
    by_name = {name: place for place, name in enumerate(solver.spec.metrics)}
    counted = {"expansion": "expanded", "generated board": "generated"}.get(solver.spec.step)
    for n_steps in range(1, 11):
        before = solver._row()
        progress = solver.step(1)
        assert (progress.steps, progress.units, solver.steps_done) == (1, 0, n_steps)
        if counted is not None:
            assert solver._row()[by_name[counted]] == before[by_name[counted]] + 1
    progress = solver.step(1)
    assert (progress.steps, progress.units, solver.steps_done) == (1, 1, 0)
    assert np.array_equal(progress.trace[0], solver._row())


@pytest.mark.parametrize("key", catalog.solvers("sliding"))
def test_the_boards_of_steps_are_those_of_the_unit(key):
    stepped, whole = _begun(key, EIGHT), _begun(key, EIGHT)
    n_stepped = sum(stepped.step(4).evaluations for _ in range(3))
    assert n_stepped == whole.advance(1).evaluations


FORGED = (("steps_done", 11), ("steps_done", -1), ("counted", 11), ("counted", 2), ("counted", 7.0))


@pytest.mark.parametrize(("name", "value"), FORGED)
def test_more_work_than_a_unit_has_is_refused(name, value):
    counts = "generated" if name == "counted" else "expanded"
    solver = _begun("bidirectional-a-star", EIGHT, burst_counts=counts)
    solver.step(3)
    snapshot = solver.snapshot()
    assert snapshot.scalars["steps_done"] == 3
    snapshot.scalars[name] = value
    with pytest.raises(SnapshotError):
        type(solver).restore(EIGHT, snapshot)


def test_snapshots_between_units_say_nothing_of_steps():
    for counts in ("expanded", "generated"):
        solver = _begun("bidirectional-a-star", EIGHT, burst_counts=counts)
        assert solver.step(3).status is Status.RUNNING
        solver.advance(1)
        assert not {"steps_done", "counted"} & solver.snapshot().scalars.keys()
