"""The session: its states, its limits, and runs that stopping does not change."""

import itertools

import numpy as np
import pytest

from tests.asking import go, recipe
from tilelab.core.errors import RunError, TileLabError
from tilelab.core.solver import Status
from tilelab.letters.builtin import open_lexicon
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.boggle.solvers.genetic import GeneticParams
from tilelab.runs.actions import Action, State
from tilelab.runs.recipe import Recipe
from tilelab.runs.session import Limits, Pacer, Session

TABLE = {
    State.EMPTY: "load",
    State.READY: "load go step",
    State.RUNNING: "step stop save_run",
    State.PAUSED: "load step resume start_again save_run",
    State.FINISHED: "load start_again save_run",
    State.FAILED: "load start_again",
}
"""What a user may do, written out; besides, a best can be saved in every state that has one."""


@pytest.fixture
def puzzle():
    return BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=4, cols=4))


def _slow_clock(step=0.001):
    """A clock that goes on by the same step at each look."""
    ticks = itertools.count()
    return lambda: next(ticks) * step


def _run(session):
    blocks = []
    while session.state is State.RUNNING:
        blocks.append(session.run_slice().trace)
    return np.concatenate(blocks)


def _session_in(state, puzzle):
    session = Session(_slow_clock())
    if state is State.EMPTY:
        return session
    session.load(puzzle)
    if state is State.READY:
        return session
    go(session, "genetic", {}, 1, Limits(units=8))
    if state is State.RUNNING:
        return session
    if state is State.FAILED:
        session.solver.advance = lambda units: 1 // 0
        session.run_slice()
    elif state is State.PAUSED:
        session.run_slice()
        session.stop()
    else:
        _run(session)
    return session


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("action", Action)
def test_every_state_allows_what_the_table_says(state, action, puzzle):
    session = _session_in(state, puzzle)
    assert session.state is state
    if action is not Action.SAVE:
        assert session.allows(action) == (action.value in TABLE[state].split())
    calls = {
        Action.LOAD: lambda: session.load(puzzle),
        Action.STEP: session.step,
        Action.STOP: session.stop,
        Action.RESUME: session.resume,
        Action.SAVE_RUN: session.snapshot,
    }
    if action is Action.SAVE:
        assert session.allows(action) == (session.best is not None)
    elif action in (Action.GO, Action.START_AGAIN):
        if state is State.RUNNING:
            with pytest.raises(RunError, match="running"):
                session.begin(recipe(puzzle, "genetic", {}))
        else:
            session.begin(recipe(puzzle, "genetic", {}))
        assert (session.state, session.units) == (State.RUNNING, 0)
    elif action.value in TABLE[state].split():
        calls[action]()
    else:
        with pytest.raises(RunError, match=action.value.removesuffix("_run")):
            calls[action]()
        assert session.state is state


def test_stopped_and_resumed_ten_times_equals_unbroken():
    puzzle = BogglePuzzle.create(open_lexicon("us-states"), BoggleParams(rows=4, cols=4))
    unbroken = Session(_slow_clock())
    unbroken.load(puzzle)
    go(unbroken, "genetic", {"mutation": 9}, 5, Limits(units=5000))
    expected = _run(unbroken)

    broken = Session(_slow_clock(0.009))
    broken.load(puzzle)
    go(broken, "genetic", {"mutation": 9}, 5, Limits(units=5000))
    blocks = []
    for _ in range(10):
        blocks.append(broken.run_slice().trace)
        broken.stop()
        assert broken.run_slice() is None
        broken.resume()
    blocks.append(_run(broken))
    assert np.concatenate(blocks).tobytes() == expected.tobytes()
    assert np.array_equal(broken.best.cells, unbroken.best.cells)
    assert (broken.best.value, broken.best.unit) == (unbroken.best.value, unbroken.best.unit)


def test_a_limit_of_units_is_met_exactly_and_can_be_raised(puzzle):
    session = Session(_slow_clock())
    session.load(puzzle)
    go(session, "genetic", {}, 1, Limits(units=37))
    _run(session)
    assert (session.units, session.status, session.limit_reached) == (37, Status.LIMIT, "units")
    with pytest.raises(RunError):
        session.resume()
    session.set_limits(Limits(units=50))
    session.resume()
    _run(session)
    assert session.units == 50


def test_a_run_whose_limit_was_raised_is_stepped(puzzle):
    session = Session(_slow_clock())
    session.load(puzzle)
    go(session, "genetic", {}, 1, Limits(units=3))
    _run(session)
    assert not session.allows(Action.STEP)
    session.set_limits(Limits(units=5))
    for units in (4, 5):
        assert session.allows(Action.STEP)
        session.step()
        assert session.units == units
    assert (session.state, session.limit_reached) == (State.FINISHED, "units")
    assert not session.allows(Action.STEP)


def test_a_limit_of_seconds_counts_running_time_only(puzzle):
    session = Session(_slow_clock(0.01))
    session.load(puzzle)
    go(session, "genetic", {}, 1, Limits(seconds=0.05))
    _run(session)
    assert session.limit_reached == "seconds"
    assert session.seconds == pytest.approx(0.05)
    assert not session.allows(Action.RESUME)
    session.set_limits(Limits(seconds=0.075))
    session.resume()
    _run(session)
    assert session.seconds == pytest.approx(0.08)


def test_an_error_in_what_is_asked_changes_nothing(puzzle):
    session = _session_in(State.READY, puzzle)
    with pytest.raises(TileLabError, match="'no-such' is not a solver"):
        session.begin(Recipe(puzzle, "no-such", GeneticParams()))
    assert session.state is State.READY
    assert session.solver is None


def test_live_changes_are_journalled_and_replay(puzzle):
    session = Session(_slow_clock())
    session.load(puzzle)
    go(session, "genetic", {"mutation": 10}, 3, Limits(units=120))
    first = [session.run_slice().trace for _ in range(3)]
    session.set_live("mutation", 40)
    (change,) = session.journal
    assert (change.unit, change.name, change.value) == (session.units, "mutation", 40)
    expected = np.concatenate([*first, _run(session)])

    replay = Session(_slow_clock())
    replay.load(puzzle)
    go(replay, "genetic", {"mutation": 10}, 3, Limits(units=change.unit))
    first = _run(replay)
    replay.set_live(change.name, change.value)
    replay.set_limits(Limits(units=120))
    replay.resume()
    assert np.concatenate([first, _run(replay)]).tobytes() == expected.tobytes()


def _after_two_units(puzzle):
    session = Session(_slow_clock())
    session.load(puzzle)
    go(session, "tabu", {}, 3)
    session.run_slice(1)
    session.run_slice(1)
    session.stop()
    return session


def _whole(session):
    """All of a run up to six units."""
    session.set_limits(Limits(units=6))
    session.resume()
    _run(session)
    plain = session.trace.to_plain()
    return {name: plain[name].tolist() for name in plain}, session.journal


def test_a_live_change_inside_a_unit_holds_from_the_next_one_on(puzzle):
    inside, between = _after_two_units(puzzle), _after_two_units(puzzle)
    between.step(10**9)
    between.set_live("tenure", 60)
    assert inside.step(7).steps == 7
    inside.set_live("tenure", 5)
    with pytest.raises(TileLabError, match="tenure: 100000 is outside"):
        inside.set_live("tenure", 100_000)
    inside.set_live("tenure", 60)
    assert inside.journal == []
    assert inside.solver.params.tenure == 10
    restored = Session(_slow_clock())
    restored.restore(inside.snapshot())
    assert (restored.units, restored.steps_done, restored.journal) == (2, 7, [])
    (*expected,) = _whole(between)
    for session in (inside, restored):
        trace, journal = _whole(session)
        assert trace == expected[0]
        assert [(change.unit, change.value) for change in journal] == [(3, 5), (3, 60)]
        assert session.solver.params.tenure == 60


def test_seconds_that_are_over_inside_a_unit_end_the_run_there_and_it_goes_on(puzzle):
    session, unbroken = _after_two_units(puzzle), _after_two_units(puzzle)
    session.set_limits(Limits(seconds=session.seconds + 0.0025))
    session.resume()
    while session.state is State.RUNNING:
        session.run_steps(1)
    assert (session.units, session.steps_done) == (2, 3)
    assert (session.status, session.limit_reached) == (Status.LIMIT, "seconds")
    restored = Session(_slow_clock())
    restored.restore(session.snapshot())
    assert restored.state is State.FINISHED
    expected = _whole(unbroken)
    assert _whole(session) == expected
    assert _whole(restored) == expected


def test_a_solver_that_fails_keeps_the_best_so_far(puzzle):
    session = Session(_slow_clock())
    session.load(puzzle)
    go(session, "genetic", {}, 1)
    session.run_slice()
    best = session.best
    session.solver.advance = lambda units: [][units]
    assert session.run_slice() is None
    assert session.state is State.FAILED
    assert "IndexError" in session.message
    assert session.best is best


def test_a_solved_run_finishes():
    lexicon = parse_lexicon(b"ab\nba", "tiny")
    session = Session(_slow_clock())
    session.load(BogglePuzzle.create(lexicon, BoggleParams(rows=2, cols=2)))
    go(session, "genetic", {}, 1)
    _run(session)
    assert session.status is Status.SOLVED
    assert session.best.value == 2


def test_the_pacer_starts_with_one_unit_and_settles_on_the_slice():
    pacer = Pacer(slice_seconds=0.02)
    assert pacer.units == 1
    for _ in range(20):
        pacer.note(pacer.units, pacer.units * 0.0001)
    assert pacer.units == 200


def test_the_pacer_grows_at_most_fourfold_and_shrinks_at_once():
    pacer = Pacer(slice_seconds=0.02)
    pacer.note(1, 0.0)
    assert pacer.units == 4
    pacer.note(4, 4.0)
    assert pacer.units == 1


def test_an_empty_slice_teaches_nothing():
    pacer = Pacer()
    pacer.note(0, 0.0)
    assert pacer.units == 1
