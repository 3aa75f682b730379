"""A run computed again up to one of its units: bit for bit what it was there."""

import dataclasses
import itertools

import numpy as np
import pytest

from tests.checkpoints_in_memory import CheckpointsInMemory
from tests.runs.test_fork import other_value, same_path
from tests.runs.test_store import begun, finished
from tests.solvers.test_contract import CASES, EVERY_CASE
from tilelab.core.errors import RunError, RunFileError
from tilelab.core.parameters import describe
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.runs import replay
from tilelab.runs.bests import Bests
from tilelab.runs.fork import fork_run
from tilelab.runs.replay import past_of, replay_run
from tilelab.runs.session import Checkpoint, Limits, Session
from tilelab.runs.trace import Trace
from tilelab.testing.solvers import same_snapshot

EARLY, TURNED, HERE, END = 4, 6, 9, 14
"""Units done: at a checkpoint, when a live parameter is changed, at the moment, at the end."""


@pytest.fixture(params=EVERY_CASE, ids=lambda case: case.name)
def case(request):
    return request.param


@pytest.fixture
def puzzle():
    return BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=4, cols=4))


def run_to_the_end(puzzle, solver, params, seed, turns=()):
    """A run with live parameters changed, and its checkpoints after EARLY, HERE and END units; or
    None."""
    session = begun(puzzle, solver, params, seed, EARLY)
    kept = []
    for units in (EARLY, TURNED, HERE, HERE + 1, END):
        if session.limit_reached != "units":
            return session, None
        if session.units < units:
            finished(session, units)
        if units in (EARLY, HERE, END):
            kept.append(session.snapshot())
        for at, name, value in turns:
            if at == session.units:
                session.set_live(name, value)
    return session, kept


def past(session, unit, checkpoints=(), **changes):
    given = {
        "key": session.key,
        "recipe": session.recipe,
        "trace": session.trace,
        "bests": session.bests,
        "seconds": session.seconds,
        "kept": CheckpointsInMemory(checkpoints),
    }
    return past_of(unit, **{**given, **changes})


def state_of(wanted):
    *steps, checkpoint = replay_run(wanted)
    assert isinstance(checkpoint, Checkpoint)
    assert steps == sorted(steps)
    assert [*steps, wanted.units][-1] == wanted.units == checkpoint.units
    return checkpoint


def assert_is(checkpoint, reference):
    assert checkpoint.key == reference.key
    assert checkpoint.units == reference.units
    assert checkpoint.last_row == reference.last_row
    assert checkpoint.recipe.changes == reference.recipe.changes
    assert checkpoint.recipe.params == reference.recipe.params
    assert same_snapshot(checkpoint.snapshot, reference.snapshot)
    mine, others = checkpoint.best, reference.best
    assert (mine.unit, mine.value, mine.moves) == (others.unit, others.value, others.moves)
    assert np.array_equal(mine.cells, others.cells)
    assert checkpoint.trace.n_units == reference.trace.n_units
    curves = checkpoint.trace.to_plain()
    for name, value in reference.trace.to_plain().items():
        assert np.array_equal(curves[name], value)


def test_an_earlier_moment_of_a_past_is_the_past_of_that_moment(puzzle):
    turns = ((TURNED, "mutation", 50), (HERE, "mutation", 25))
    session, kept = run_to_the_end(puzzle, "genetic", {}, 1, turns)
    whole = past(session, END - 1, kept)
    for units in (TURNED, TURNED + 1, HERE, END):
        mine, expected = whole.up_to(units), past(session, units - 1, kept)
        assert mine.recipe.changes == expected.recipe.changes
        assert mine.starts == expected.starts
        assert (mine.units, mine.params) == (units, expected.params)
        assert_is(state_of(mine), state_of(expected))


@pytest.mark.every(4)
def test_every_solver_is_had_again_at_any_unit(case):
    """From the first unit, from a checkpoint and from the one that is wanted, live parameters
    changed."""
    live = [spec for spec in describe(case.solver.spec.params) if spec.live]
    params = case.params.model_dump()
    turns = []
    for spec in live:
        turns += [(TURNED, spec.name, other_value(spec, params[spec.name]))]
        # These come after the moment.
        turns += [(HERE, spec.name, params[spec.name]), (HERE + 1, spec.name, params[spec.name])]
    session, kept = run_to_the_end(case.puzzle, case.solver.spec.key, case.params, case.seed, turns)
    if kept is None:
        return
    early, here, end = kept
    wanted = past(session, HERE - 1)
    assert (wanted.start, wanted.units) == (0, HERE)
    assert_is(state_of(wanted), here)
    wanted = past(session, HERE - 1, [early, end])
    assert wanted.start == EARLY
    assert_is(state_of(wanted), here)
    at_hand = past(session, HERE - 1, [early, here])
    assert at_hand.starts == (HERE, EARLY)
    assert_is(state_of(at_hand), here)
    assert past(session, HERE - 1).params == here.snapshot.params
    if not live:
        # With nothing changed a fork from there is the run to its end.
        fork = Session(itertools.count(0.0, 0.001).__next__)
        fork.restore(fork_run(state_of(wanted), {}, Limits(units=END)))
        fork.resume()
        same_path(finished(fork, END), session)


def test_a_fork_at_a_unit_has_what_was_turned_before_and_nothing_after(puzzle):
    turns = [(TURNED, "mutation", 70), (HERE, "mutation", 5), (HERE + 1, "mutation", 6)]
    session, kept = run_to_the_end(puzzle, "genetic", {}, 3, turns)
    for starts in ([], kept[:1], kept):
        state = state_of(past(session, HERE - 1, starts))
        assert [(change.unit, change.value) for change in state.recipe.changes] == [(TURNED, 70)]
        fork = Session(itertools.count(0.0, 0.001).__next__)
        fork.restore(fork_run(state, {"mutation": 5}, Limits(units=HERE + 1)))
        fork.resume()
        finished(fork, HERE + 1).set_live("mutation", 6)
        same_path(finished(fork, END), session)


def test_a_checkpoint_from_after_a_later_turn_is_not_the_moment(puzzle):
    session = begun(puzzle, "genetic", {}, 3, HERE)
    before = session.snapshot()
    session.set_live("mutation", 70)
    after = session.snapshot()
    finished(session, END)
    assert state_of(past(session, HERE - 1, [after])).snapshot.params == before.snapshot.params


@pytest.mark.parametrize("solver", ["annealing", "tabu"])
def test_a_checkpoint_inside_the_next_unit_is_not_the_moment(puzzle, solver):
    session = begun(puzzle, solver, {}, 3, HERE)
    here = session.snapshot()
    session.set_limits(Limits())
    session.resume()
    session.run_steps(7)
    inside = session.snapshot()
    assert (inside.units, inside.snapshot.steps_done) == (HERE, 7)
    assert_is(state_of(past(session, HERE - 1, [inside])), here)
    finished(session, END)
    assert_is(state_of(past(session, END - 1, [inside])), session.snapshot())


def test_checkpoints_that_cannot_be_used_are_passed_over(puzzle):
    session, (early, here, _) = run_to_the_end(puzzle, "genetic", {}, 3)
    other, (stranger, *_) = run_to_the_end(puzzle, "genetic", {}, 4)
    assert other.key != session.key

    class Broken(CheckpointsInMemory):
        def read(self, units):
            if units == TURNED:
                raise RunFileError("the file is damaged")
            if units == TURNED + 1:
                raise OSError(5, "Input/output error")
            return super().read(units)

    kept = Broken([early])
    kept.units = lambda: [EARLY, TURNED, TURNED + 1]
    wanted = past(session, HERE - 1, kept=kept)
    assert wanted.starts == (TURNED + 1, TURNED, EARLY)
    assert next(replay_run(wanted)) in range(EARLY + 1, HERE + 1)
    assert_is(state_of(wanted), here)
    wanted = past(session, HERE - 1, [stranger])
    assert_is(state_of(wanted), here)


def test_how_long_it_takes_is_told_by_the_pace_of_the_run(puzzle):
    session, kept = run_to_the_end(puzzle, "genetic", {}, 3)
    assert past(session, HERE - 1, kept).seconds == 0.0
    session.bests = type(session.bests)()
    slow = past(session, HERE - 1, kept[:1], seconds=28.0)
    assert slow.seconds == pytest.approx(28.0 * (HERE - EARLY) / END)


def test_a_best_that_no_slice_has_told_is_missed(puzzle):
    session = begun(puzzle, "genetic", {}, 3, 400)
    bests = Bests()
    first, *between, newest = begun_in_single_units(puzzle, 400)
    assert between
    for found in (first, newest):
        bests.append(found.best, found.seconds)
    here = newest.best.unit - 1
    assert not past(session, here, bests=bests).is_known
    assert past(session, newest.best.unit, bests=bests).is_known
    assert past(session, between[0].best.unit - 1, bests=bests).is_known
    state = state_of(past(session, here, bests=bests))
    assert state.best.unit == between[-1].best.unit


def begun_in_single_units(puzzle, limit):
    """Each best of a run, which is reported when no slice has more than one unit."""
    session = begun(puzzle, "genetic", {}, 3, 1)
    for units in range(2, limit + 1):
        finished(session, units)
    return list(session.bests)


def test_a_run_that_goes_another_way_now_is_no_state_of_the_moment(puzzle):
    session, _ = run_to_the_end(puzzle, "genetic", {}, 3)
    other = dataclasses.replace(session.recipe, seed=4)
    with pytest.raises(RunError, match=r"at generation 8 its .* the solver or its tables"):
        state_of(past(session, HERE - 1, recipe=other))
    short = dataclasses.replace(past(session, HERE - 1), units=END)
    state_of(dataclasses.replace(short, low={}, high={}))


@pytest.mark.parametrize("name", ["a-star-easy", "beam-easy", "bidirectional-a-star-narrow"])
def test_a_run_that_ends_before_says_so(name):
    (case,) = (case for case in CASES if case.name == f"sliding-{name}")
    session, kept = run_to_the_end(case.puzzle, case.solver.spec.key, case.params, case.seed)
    assert kept is None
    wanted = past(session, session.units - 1)
    assert_is(state_of(wanted), session.snapshot())
    with pytest.raises(RunError, match=f"it ended after {session.units} {session.spec.unit}"):
        state_of(dataclasses.replace(wanted, units=session.units + 1))


def test_without_memory_for_it_nothing_is_computed(puzzle, monkeypatch):
    session, _ = run_to_the_end(puzzle, "genetic", {}, 3)
    wanted = dataclasses.replace(past(session, HERE - 1), high={"megabytes": 2_000.0})
    monkeypatch.setattr(replay, "free_megabytes", lambda: 1_999)
    with pytest.raises(RunError, match="2,000 MB of memory; 1,999 MB are free"):
        next(replay_run(wanted))


def test_what_the_trace_knows_of_a_unit_is_what_it_was():
    rows = np.random.Generator(np.random.PCG64(1)).integers(0, 4, (1_000, 3)).astype(float)
    rows[:, 2] = 7.0
    for n_buckets, n_rows in ((2048, 1000), (64, 1000), (64, 777), (2, 1000)):
        trace = Trace(["a", "b", "c"], n_buckets)
        trace.append(rows[:n_rows])
        for unit in range(n_rows):
            low, high = trace.bounds_at(unit)
            assert (low <= rows[unit]).all()
            assert (rows[unit] <= high).all()
            assert low[2] == high[2] == 7.0
            assert trace.width > 1 or (low == high).all()
        assert np.array_equal(trace.bounds_at(n_rows - 1)[0], rows[n_rows - 1])
    for unit in (-1, 1_000):
        with pytest.raises(IndexError, match="is not one of the 1000 rows"):
            trace.bounds_at(unit)


def test_of_values_that_are_not_finite_the_trace_knows_nothing():
    trace = Trace(["a"], 4)
    trace.append(np.array([[np.nan], [1.0], [2.0]]))
    assert np.isnan(trace.bounds_at(0)).all()
