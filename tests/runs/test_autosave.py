"""A run on disk while it goes: what is there, what becomes of faults, and whose it is."""

import dataclasses
import errno
import os
import shutil
import tempfile
import threading

import numpy as np
import pytest

from tests.kept_runs import advance, killed, saved, session_of
from tests.patience import MAX_SECONDS, eventually
from tilelab.runs.actions import State
from tilelab.runs.checkpoints import autosave as autosaving
from tilelab.runs.checkpoints import run_folder
from tilelab.runs.checkpoints.autosave import Autosave
from tilelab.runs.checkpoints.interrupted import list_interrupted
from tilelab.runs.checkpoints.run_folder import (
    RunFolder,
    earlier_checkpoints,
    read_best,
    runs_folder,
)
from tilelab.runs.files.store import read_run
from tilelab.runs.session import Limits, Session
from tilelab.testing.solvers import same_snapshot

pytestmark = pytest.mark.usefixtures("own_runs")


@pytest.fixture
def own_runs(tmp_path, monkeypatch):
    monkeypatch.setenv("TILELAB_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture
def session():
    return session_of()


def test_what_is_on_disk_goes_on_as_the_run_would_have(session):
    saving = saved(session)
    copy = session.snapshot()
    assert list_interrupted() == []  # it belongs to a living program: this one
    killed(saving)
    (run,) = list_interrupted()
    assert (run.name, run.error) == (saving.folder.name, "")
    assert run.name == f"boggle-genetic-seed-3-{session.key[:8]}"
    assert (run.key, run.puzzle, run.solver) == (session.key, "boggle", "genetic")
    titles = (session.puzzle.spec.title, session.puzzle.lexicon.title, session.solver.spec.title)
    assert (run.puzzle_title, run.title, run.solver_title) == titles
    assert (run.unit, run.units, run.seed, run.status) == ("generation", 5, 3, "limit")
    assert run.value_text == f"{session.best.value:,.0f}"
    best = run.saved_best.best
    assert np.array_equal(best.cells, session.best.cells)
    assert (best.value, best.unit, best.moves) == (session.best.value, session.best.unit, None)
    assert run.saved_best.board == list(session.puzzle.rows_of(session.best.cells))
    claim = run.take()
    assert run.take() is None  # taken is taken
    assert list_interrupted() == []
    checkpoint = claim.read()
    assert same_snapshot(checkpoint.snapshot, copy.snapshot)
    other = Session()
    other.restore(checkpoint)
    advance(session, 20)
    advance(other, 20)
    assert same_snapshot(other.solver.snapshot(), session.solver.snapshot())
    going_on = Autosave(other, claim.folder)
    assert going_on.folder.name == saving.folder.name
    assert going_on.end(keep=False)
    assert list(runs_folder().iterdir()) == []


def test_a_clean_end_leaves_nothing_and_a_kept_one_is_offered(session):
    saving = saved(session)
    assert saving.end(keep=True)
    (run,) = list_interrupted()
    assert run.discard()
    assert list_interrupted() == []
    assert list(runs_folder().iterdir()) == []
    saving = saved(session)
    assert saving.end(keep=False)
    assert list_interrupted() == []
    assert list(runs_folder().iterdir()) == []


@pytest.mark.parametrize("keep", [True, False], ids=["kept", "deleted"])
def test_a_write_that_comes_late_does_not_take_the_folder_again(session, keep, monkeypatch):
    saving = saved(session)
    may_go, hold = threading.Event(), RunFolder.hold

    def hold_late(folder):
        assert may_go.wait(MAX_SECONDS)
        return hold(folder)

    monkeypatch.setattr(RunFolder, "hold", hold_late)
    advance(session, 5)
    assert saving.checkpoint(session)
    assert eventually(lambda: saving._checkpoints._is_writing)
    assert not saving.end(keep=keep, timeout_seconds=0.01)
    # From now on any program may take it.
    claims = [run.take() for run in list_interrupted()]
    may_go.set()
    saving._checkpoints._thread.join(MAX_SECONDS)
    assert len(list(runs_folder().iterdir())) == len(claims) == keep
    for claim in claims:
        assert claim.read().units == 5
        claim.discard()


def test_following_writes_bests_and_checkpoints_by_itself():
    session = session_of(n_units=1)
    saving = Autosave(session, period_seconds=0.0)
    session.set_limits(Limits(units=60))
    session.resume()
    while session.state is State.RUNNING:
        session.run_slice()
        saving.follow(session)
        assert saving.wait()
    folder = saving.folder
    assert read_best(folder / "best.json").best_unit == session.best.unit
    assert read_run(folder / "run.tilelab").units > 1
    assert saving.end(keep=False)


def test_following_asks_for_nothing_before_a_tenth_of_a_second(session):
    saving = Autosave(session)
    begun = session.seconds
    assert not saving.wants_checkpoint(begun + 0.05)
    assert saving.wants_checkpoint(begun + 0.11)
    assert saving.end(keep=False)
    assert not runs_folder().exists()


def test_a_worse_best_does_not_replace_a_better_one():
    session = session_of(n_units=60)
    saving = saved(session)
    killed(saving)
    (run,) = list_interrupted()
    claim = run.take()
    checkpoint = claim.read()
    first = next(iter(checkpoint.bests))
    assert first.best.value < session.best.value
    other = Session()
    other.restore(checkpoint)
    going_on = Autosave(other, claim.folder)
    going_on.note_best(first, 1, 0.1)
    assert going_on.wait()
    assert read_best(going_on.folder / "best.json").value == session.best.value
    assert going_on.end(keep=False)


def _failing(monkeypatch, number):
    """Let no temporary file be made, which is how every write begins."""

    def refuse(*_, **__):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(tempfile, "mkstemp", refuse)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_disk_that_takes_nothing_is_told_and_tried_again(session, monkeypatch, number):
    saving = saved(session, retry_seconds=(0.0,))
    before = saving.folder.joinpath("run.tilelab").read_bytes()
    units = session.units
    with monkeypatch.context() as patch:
        _failing(patch, number)
        advance(session, 5)
        assert saving.checkpoint(session)
        assert not saving.wait()
        assert os.strerror(number) in saving.error
        assert saving.folder.joinpath("run.tilelab").read_bytes() == before
        advance(session, 5)  # the run goes on
    assert eventually(saving.wait)
    assert saving.error == ""
    assert read_run(saving.folder / "run.tilelab").units == units + 5
    assert saving.end(keep=False)
    assert list(runs_folder().iterdir()) == []


def test_a_disk_that_fills_while_writing_leaves_the_old_file(session, monkeypatch):
    saving = saved(session, retry_seconds=(0.0,))
    before = saving.folder.joinpath("run.tilelab").read_bytes()

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        assert saving.checkpoint(session)
        assert not saving.wait()
        assert saving.folder.joinpath("run.tilelab").read_bytes() == before
        assert "No space left" in saving.error
    assert eventually(saving.wait)
    assert saving.error == ""
    assert not list(saving.folder.glob(".tilelab-*"))
    assert saving.end(keep=False)


def test_a_folder_that_was_removed_is_made_anew_with_all_that_was_in_it(session):
    saving = saved(session)
    shutil.rmtree(runs_folder())
    assert saving.checkpoint(session)
    assert eventually(saving.wait)
    assert read_best(saving.folder / "best.json").value == session.best.value
    assert read_run(saving.folder / "run.tilelab").units == session.units
    assert list_interrupted() == []  # held again
    shutil.rmtree(saving.folder)
    saving.note_best(session.bests.newest, session.units, session.seconds)
    assert saving.wait()
    assert saving.wants_checkpoint(session.seconds + 1.0)
    assert saving.end(keep=False)
    assert list(runs_folder().iterdir()) == []


def test_a_place_where_no_folder_can_be_is_told(session, tmp_path, monkeypatch):
    (tmp_path / "data").write_text("a file where the folder should be", "utf-8")
    saving = Autosave(session)
    assert saving.checkpoint(session)
    assert not saving.wait()
    assert "cannot be made: " in saving.error
    assert list_interrupted() == []
    assert not saving.end(keep=True)


def test_a_copy_that_does_not_fit_is_not_made(session, monkeypatch):
    saving = Autosave(session)
    monkeypatch.setattr(type(session.solver), "state_bytes", 3 << 30, raising=False)
    monkeypatch.setattr(autosaving, "free_bytes", lambda: 1 << 30)
    assert not saving.checkpoint(session)
    assert saving.error == "a copy of the run needs 3,072 MB of memory; 1,024 MB are free"
    monkeypatch.setattr(autosaving, "free_bytes", lambda: 4 << 30)
    assert saving.checkpoint(session)
    assert saving.error == ""
    assert saving.end(keep=False)


def test_a_solver_that_cannot_be_copied_stops_nothing(session, monkeypatch):
    saving = Autosave(session)

    def fail(_):
        raise ZeroDivisionError("of a plug-in")

    with monkeypatch.context() as patch:
        patch.setattr(type(session.solver), "snapshot", fail)
        saving.follow(session)
        assert not saving.checkpoint(session)
        assert saving.error == "the run cannot be copied: ZeroDivisionError: of a plug-in"
        assert not saving.wants_checkpoint(session.seconds + 5.0)
    assert saving.end(keep=False)


def test_earlier_checkpoints_are_few_and_spread_over_the_run(session):
    saving = saved(session)
    for _ in range(40):
        advance(session, 5)
        saving.checkpoint(session)
        assert saving.wait()
    units = [number for number, _ in earlier_checkpoints(saving.folder)]
    assert len(units) == run_folder.MAX_EARLIER
    assert units[-1] == session.units == 205
    gaps = np.diff([0, *units])
    assert max(gaps) <= 4 * max(min(gaps), 5)
    for number, file in earlier_checkpoints(saving.folder):
        assert read_run(file).units == number
    assert saving.end(keep=False)


def test_large_earlier_checkpoints_go(session, monkeypatch):
    saving = saved(session)
    size = saving.folder.joinpath("run.tilelab").stat().st_size
    monkeypatch.setattr(run_folder, "MAX_EARLIER_BYTES", 3 * size)
    for _ in range(5):
        advance(session, 5)
        saving.checkpoint(session)
        assert saving.wait()
    assert 1 <= len(earlier_checkpoints(saving.folder)) <= 3
    assert saving.end(keep=False)


def test_a_best_that_cannot_be_written_is_an_error_and_no_exception(session):
    saving = saved(session, retry_seconds=(0.0,))
    newest = session.bests.newest
    worthless = dataclasses.replace(
        newest, best=dataclasses.replace(newest.best, value=float("nan"))
    )
    saving.note_best(worthless, session.units, session.seconds)  # such as a plug-in's
    assert not saving.wait()
    assert "it cannot be written: " in saving.error
    assert read_best(saving.folder / "best.json").value == session.best.value
    saving.note_best(newest, session.units, session.seconds)
    assert eventually(saving.wait)
    assert saving.error == ""
    assert saving.end(keep=False)
