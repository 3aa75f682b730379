"""Run files: what was written is read again, and goes on as if nothing had happened."""

import itertools
import os
import stat

import numpy as np
import pytest

from tests.asking import go
from tests.solvers.test_contract import ONE_OF_EACH
from tilelab.core.errors import RunError, TileLabError
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.runs.actions import State
from tilelab.runs.files.atomic import write_with
from tilelab.runs.files.store import read_run, save_run, write_run
from tilelab.runs.session import Limits, Session
from tilelab.testing.solvers import same_snapshot


def begun(puzzle, solver, params, seed, limit):
    """A session that has done ``limit`` units."""
    session = Session(itertools.count(0.0, 0.001).__next__)
    session.load(puzzle)
    go(session, solver, params, seed, Limits(units=limit))
    return finished(session, limit)


def finished(session, limit):
    session.set_limits(Limits(units=limit))
    if session.state is not State.RUNNING and session.limit_reached == "units":
        session.resume()
    while session.state is State.RUNNING:
        session.run_slice()
    return session


def opened(path):
    session = Session(itertools.count(0.0, 0.001).__next__)
    session.restore(read_run(path))
    return session


def assert_same_session(one, other):
    assert (one.units, one.status, one.seed) == (other.units, other.status, other.seed)
    assert one.journal == other.journal
    assert np.array_equal(one.last_row, other.last_row, equal_nan=True)
    assert same_snapshot(one.solver.snapshot(), other.solver.snapshot())
    assert (one.best is None) == (other.best is None)
    if one.best is not None:
        assert np.array_equal(one.best.cells, other.best.cells)
        for name in ("value", "unit", "moves", "optimal"):
            assert getattr(one.best, name) == getattr(other.best, name)
    mine, others = one.trace.to_plain(), other.trace.to_plain()
    assert mine.keys() == others.keys()
    assert all(np.array_equal(mine[name], others[name], equal_nan=name == "last") for name in mine)


@pytest.mark.every(4)
@pytest.mark.parametrize("case", ONE_OF_EACH, ids=lambda case: case.name)
def test_resumed_twice_equals_unbroken(case, tmp_path):
    key, file = case.solver.spec.key, tmp_path / "run.tilelab"
    unbroken = begun(case.puzzle, key, case.params, case.seed, case.units)
    session = begun(case.puzzle, key, case.params, case.seed, 1)
    for limit in (9, case.units):
        save_run(session, file)
        again = opened(file)
        assert_same_session(again, session)
        before = file.read_bytes()
        assert save_run(again, file).read_bytes() == before
        session = finished(again, limit)
    assert_same_session(session, unbroken)


@pytest.fixture
def puzzle():
    return BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=4, cols=4))


def test_a_run_that_has_done_nothing_yet_is_kept(puzzle, tmp_path):
    session = Session()
    session.load(puzzle)
    with pytest.raises(RunError, match="no run to save"):
        session.snapshot()
    go(session, "genetic", {}, 3, Limits(units=30))
    file = save_run(session, tmp_path / "run.tilelab")
    again = opened(file)
    assert (again.state, again.units, again.best) == (State.PAUSED, 0, None)
    assert again.limits == Limits(units=30)
    again.resume()
    assert_same_session(finished(again, 30), begun(puzzle, "genetic", {}, 3, 30))


def test_the_key_and_every_best_are_kept(puzzle, tmp_path):
    session = begun(puzzle, "genetic", {}, 3, 1)
    for limit in range(2, 40):
        finished(session, limit)
    again = opened(save_run(session, tmp_path / "run.tilelab"))
    assert again.key == session.key != begun(puzzle, "genetic", {}, 3, 1).key
    assert len(again.bests) > 3
    found = [(each.best.unit, each.best.value, each.seconds) for each in session.bests]
    assert [(each.best.unit, each.best.value, each.seconds) for each in again.bests] == found
    assert again.best_seconds == session.best_seconds


def test_live_changes_and_seconds_are_kept(puzzle, tmp_path):
    session = begun(puzzle, "genetic", {}, 3, 20)
    session.set_live("mutation", 33)
    again = opened(save_run(session, tmp_path / "run.tilelab"))
    assert again.journal == session.journal
    assert again.solver.params.mutation == 33
    assert again.seconds == session.seconds > 0
    assert (again.state, again.limit_reached) == (State.FINISHED, "units")
    assert_same_session(finished(again, 50), finished(session, 50))


def test_a_lexicon_of_weights_and_a_start_are_kept(tmp_path):
    lexicon = open_lexicon("us-states")
    rows = ["texa", "ohio", "utah", "iowa"]
    puzzle = BogglePuzzle.create(lexicon, BoggleParams(rows=4, cols=4, fitness="weight"), rows)
    again = opened(save_run(begun(puzzle, "genetic", {}, 3, 5), tmp_path / "run.tilelab")).puzzle
    assert again.lexicon.strings == lexicon.strings
    assert np.array_equal(again.lexicon.weights, lexicon.weights)
    assert (again.lexicon.name, again.lexicon.title) == (lexicon.name, lexicon.title)
    assert np.array_equal(again.start, puzzle.start)
    assert again.params == puzzle.params


def test_a_checkpoint_does_not_change_with_the_run(puzzle, tmp_path):
    session = begun(puzzle, "genetic", {}, 3, 20)
    checkpoint = session.snapshot()
    before = write_run(tmp_path / "one.tilelab", checkpoint).read_bytes()
    session.set_live("mutation", 33)
    finished(session, 60)
    assert write_run(tmp_path / "two.tilelab", checkpoint).read_bytes() == before


def test_a_failed_run_is_not_saved(puzzle, tmp_path):
    session = begun(puzzle, "genetic", {}, 3, 20)
    session.set_limits(Limits(units=30))
    session.resume()
    session.solver.advance = lambda units: 1 // 0
    session.run_slice()
    with pytest.raises(RunError, match="failed"):
        save_run(session, tmp_path / "run.tilelab")
    assert not list(tmp_path.iterdir())


def test_a_running_session_takes_no_other_run(puzzle):
    session = begun(puzzle, "genetic", {}, 3, 20)
    checkpoint = session.snapshot()
    session.set_limits(Limits(units=30))
    session.resume()
    with pytest.raises(RunError, match="load"):
        session.restore(checkpoint)
    assert session.state is State.RUNNING


def test_what_cannot_be_written_leaves_the_old_file(tmp_path):
    file = tmp_path / "run.tilelab"
    file.write_bytes(b"old")

    def fill(stream):
        stream.write(b"half of the new")
        raise OSError(28, "No space left on device")

    with pytest.raises(TileLabError, match="No space left"):
        write_with(file, fill)
    assert file.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["run.tilelab"]


def test_everything_is_on_disk_before_the_old_file_goes(monkeypatch, puzzle, tmp_path):
    file = tmp_path / "run.tilelab"
    file.write_bytes(b"old")
    flushed = []

    def flush(handle):
        is_folder = stat.S_ISDIR(os.fstat(handle).st_mode)
        flushed.append("folder" if is_folder else file.read_bytes())

    monkeypatch.setattr(os, "fsync", flush)
    save_run(begun(puzzle, "genetic", {}, 3, 2), file)
    assert flushed == [b"old", "folder"]


@pytest.mark.parametrize("solver", ["tabu", "hill-climbing"])
def test_a_run_with_a_live_change_inside_a_unit_is_kept_and_goes_on(solver, tmp_path):
    puzzle = BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=4, cols=4))
    name = {"tabu": "tenure", "hill-climbing": "patience"}[solver]
    session = begun(puzzle, solver, {}, 3, 2)
    session.set_limits(Limits())
    session.resume()
    session.run_steps(5)
    session.set_live(name, 60)
    again = opened(write_run(tmp_path / "inside.tilelab", session.snapshot()))
    assert (again.units, again.steps_done) == (2, 5)
    again.resume()
    assert_same_session(finished(again, 6), finished(session, 6))
    assert [(change.unit, change.name) for change in again.journal] == [(3, name)]
