"""A run on disk while it goes: what is there, what becomes of faults, and whose it is."""

import dataclasses
import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from tests.conformance import same_snapshot
from tilelab.core.errors import RunError, RunFileError
from tilelab.puzzles.boggle import BoggleParams, BogglePuzzle
from tilelab.puzzles.sliding import SlidingParams, SlidingPuzzle
from tilelab.runs import autosave as autosaving
from tilelab.runs import run_folder
from tilelab.runs.autosave import Autosave
from tilelab.runs.interrupted import interrupted, named
from tilelab.runs.run_folder import RunFolder, earlier_checkpoints, runs_folder
from tilelab.runs.saved_best import read_best, write_best
from tilelab.runs.session import Limits, Session, State
from tilelab.runs.store import read_run
from tilelab.words.builtin import open_lexicon

pytestmark = pytest.mark.usefixtures("own_runs")


@pytest.fixture
def own_runs(tmp_path, monkeypatch):
    monkeypatch.setenv("TILELAB_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture
def session():
    return _session()


def _session(seed=3, n_units=5):
    session = Session()
    session.load(BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=4, cols=4)))
    session.go("genetic", {"parents": 5}, seed, Limits(limit=10**9))
    _advance(session, n_units)
    return session


def _advance(session, n_units):
    session.set_limits(Limits(limit=session.units + n_units))
    if session.state is State.FINISHED:
        session.resume()
    while session.state is State.RUNNING:
        session.tick()


def _saved(session, **settings):
    """An autosave that has written the run as it stands."""
    saving = Autosave(session, **settings)
    saving.note_best(session.bests.newest, session.units, session.seconds)
    assert saving.checkpoint(session)
    assert saving.wait(), saving.fault
    return saving


def _killed(saving):
    """Let the system let go of the lock, as it does when the program is killed."""
    saving._folder._let_go()


def test_what_is_on_disk_goes_on_as_the_run_would_have(session):
    saving = _saved(session)
    copy = session.snapshot()
    assert interrupted() == []  # it belongs to a living program: this one
    _killed(saving)
    (run,) = interrupted()
    assert (run.name, run.fault) == (saving.name, "")
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
    assert interrupted() == []
    checkpoint = claim.read()
    assert same_snapshot(checkpoint.snapshot, copy.snapshot)
    other = Session()
    other.restore(checkpoint)
    _advance(session, 20)
    _advance(other, 20)
    assert same_snapshot(other.solver.snapshot(), session.solver.snapshot())
    going_on = Autosave(other, claim.folder)
    assert going_on.name == saving.name
    assert going_on.end(keep=False)
    assert list(runs_folder().iterdir()) == []


def test_a_clean_end_leaves_nothing_and_a_kept_one_is_offered(session):
    saving = _saved(session)
    assert saving.end(keep=True)
    (run,) = interrupted()
    assert run.discard()
    assert interrupted() == []
    assert list(runs_folder().iterdir()) == []
    saving = _saved(session)
    assert saving.end(keep=False)
    assert interrupted() == []
    assert list(runs_folder().iterdir()) == []


def test_following_writes_bests_and_checkpoints_by_itself():
    session = _session(n_units=1)
    saving = Autosave(session, period_seconds=0.0)
    session.set_limits(Limits(limit=60))
    session.resume()
    while session.state is State.RUNNING:
        session.tick()
        saving.follow(session)
        assert saving.wait()
    folder = saving.folder
    assert read_best(folder / "best.json").best_unit == session.best.unit
    assert read_run(folder / "run.tilelab").checkpoint.units > 1
    assert saving.end(keep=False)


def test_following_asks_for_nothing_before_a_tenth_of_a_second(session):
    saving = Autosave(session)
    begun = session.seconds
    assert not saving.wants_checkpoint(begun + 0.05)
    assert saving.wants_checkpoint(begun + 0.11)
    assert saving.end(keep=False)
    assert not runs_folder().exists()


def test_a_worse_best_does_not_replace_a_better_one():
    session = _session(n_units=60)
    saving = _saved(session)
    _killed(saving)
    (run,) = interrupted()
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
    saving = _saved(session, retry_seconds=(0.0,))
    before = saving.folder.joinpath("run.tilelab").read_bytes()
    units = session.units
    with monkeypatch.context() as patch:
        _failing(patch, number)
        _advance(session, 5)
        assert saving.checkpoint(session)
        assert not saving.wait()
        assert os.strerror(number) in saving.fault
        assert saving.folder.joinpath("run.tilelab").read_bytes() == before
        _advance(session, 5)  # the run goes on
    while not saving.wait():
        pass
    assert saving.fault == ""
    assert read_run(saving.folder / "run.tilelab").checkpoint.units == units + 5
    assert saving.end(keep=False)
    assert list(runs_folder().iterdir()) == []


def test_a_disk_that_fills_while_writing_leaves_the_old_file(session, monkeypatch):
    saving = _saved(session, retry_seconds=(0.0,))
    before = saving.folder.joinpath("run.tilelab").read_bytes()

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        assert saving.checkpoint(session)
        assert not saving.wait()
        assert saving.folder.joinpath("run.tilelab").read_bytes() == before
        assert "No space left" in saving.fault
    while not saving.wait():
        pass
    assert saving.fault == ""
    assert not list(saving.folder.glob(".tilelab-*"))
    assert saving.end(keep=False)


def test_a_folder_that_was_removed_is_made_anew_with_all_that_was_in_it(session):
    saving = _saved(session)
    shutil.rmtree(runs_folder())
    assert saving.checkpoint(session)
    while not saving.wait():
        pass
    assert read_best(saving.folder / "best.json").value == session.best.value
    assert read_run(saving.folder / "run.tilelab").checkpoint.units == session.units
    assert interrupted() == []  # held again
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
    assert "cannot be made: " in saving.fault
    assert interrupted() == []
    assert not saving.end(keep=True)


def test_a_copy_that_does_not_fit_is_not_made(session, monkeypatch):
    saving = Autosave(session)
    monkeypatch.setattr(type(session.solver), "state_bytes", 3 << 30, raising=False)
    monkeypatch.setattr(autosaving, "free_bytes", lambda: 1 << 30)
    assert not saving.checkpoint(session)
    assert saving.fault == "a copy of the run takes 3,072 MB of memory; 1,024 MB are free"
    monkeypatch.setattr(autosaving, "free_bytes", lambda: 4 << 30)
    assert saving.checkpoint(session)
    assert saving.fault == ""
    assert saving.end(keep=False)


def test_a_solver_that_cannot_be_copied_stops_nothing(session, monkeypatch):
    saving = Autosave(session)

    def fail(_):
        raise ZeroDivisionError("of a plug-in")

    with monkeypatch.context() as patch:
        patch.setattr(type(session.solver), "snapshot", fail)
        saving.follow(session)
        assert not saving.checkpoint(session)
        assert saving.fault == "the run cannot be copied: of a plug-in"
        assert not saving.wants_checkpoint(session.seconds + 5.0)
    assert saving.end(keep=False)


def test_earlier_checkpoints_are_few_and_spread_over_the_run(session):
    saving = _saved(session)
    for _ in range(40):
        _advance(session, 5)
        saving.checkpoint(session)
        assert saving.wait()
    units = [number for number, _ in earlier_checkpoints(saving.folder)]
    assert len(units) == run_folder.MOST_EARLIER
    assert units[-1] == session.units == 205
    gaps = np.diff([0, *units])
    assert max(gaps) <= 4 * max(min(gaps), 5)
    for number, file in earlier_checkpoints(saving.folder):
        assert read_run(file).checkpoint.units == number
    assert saving.end(keep=False)


def test_large_earlier_checkpoints_go(session, monkeypatch):
    saving = _saved(session)
    size = saving.folder.joinpath("run.tilelab").stat().st_size
    monkeypatch.setattr(run_folder, "MOST_EARLIER_BYTES", 3 * size)
    for _ in range(5):
        _advance(session, 5)
        saving.checkpoint(session)
        assert saving.wait()
    assert 1 <= len(earlier_checkpoints(saving.folder)) <= 3
    assert saving.end(keep=False)


def test_a_damaged_checkpoint_is_listed_and_an_earlier_one_read(session):
    saving = _saved(session)
    _advance(session, 5)
    saving.follow(session)
    saving.checkpoint(session)
    assert saving.end(keep=True)
    file = saving.folder / "run.tilelab"
    file.unlink()  # not through the link of the earlier one
    file.write_bytes(b"PK\x03\x04 nothing of a run")
    (run,) = interrupted()
    assert (run.fault, run.units) == ("", 10)
    assert run.value_text == f"{session.best.value:,.0f}"
    assert run.saved_best is not None
    claim = run.take()
    assert claim.read().units == 10
    assert "it goes on from unit 10" in claim.notice
    for _, earlier in earlier_checkpoints(claim.folder.path):
        earlier.unlink()
    assert "run.tilelab cannot be opened: it is cut off" in claim.notice
    with pytest.raises(RunFileError, match="cannot be opened"):
        claim.read()
    claim.discard()
    assert interrupted() == []


def test_a_best_met_after_the_checkpoint_is_told(session):
    saving = _saved(session)
    assert saving.end(keep=True)
    (run,) = interrupted()
    claim = run.take()
    assert claim.read().units == 5
    assert claim.notice == ""
    file = claim.folder.best_file
    met_at_7 = read_best(file).model_copy(update={"value_text": "6", "best_unit": 7})
    write_best(file, met_at_7)
    claim.read()
    assert "best, 6, was met at generation 7, after the last checkpoint" in claim.notice
    claim.discard()


@pytest.mark.parametrize("damage", [b"", b"{", b"[1]", b'{"sha256": "", "best": {}}', b"\xff"])
def test_a_damaged_best_leaves_the_run(session, damage):
    saving = _saved(session)
    assert saving.end(keep=True)
    saving.folder.joinpath("best.json").write_bytes(damage)
    (run,) = interrupted()
    assert (run.fault, run.saved_best) == ("", None)
    assert run.value_text == f"{session.best.value:,.0f}"
    assert run.title == session.puzzle.lexicon.title
    assert run.read().units == session.units
    saving.folder.joinpath("run.tilelab").unlink()
    (run,) = interrupted()
    assert "best.json is damaged" in run.fault
    assert run.discard()


def test_a_changed_best_is_noticed(session):
    saving = _saved(session)
    assert saving.end(keep=True)
    file = saving.folder / "best.json"
    whole = json.loads(file.read_text("utf-8"))
    whole["best"]["value"] += 1
    file.write_text(json.dumps(whole), "utf-8")
    with pytest.raises(RunFileError, match="damaged"):
        read_best(file)


def test_a_best_without_a_checkpoint_can_be_looked_at(session):
    saving = _saved(session)
    assert saving.end(keep=True)
    for file in saving.folder.glob("*.tilelab"):
        file.unlink()
    (run,) = interrupted()
    assert "only its best is there" in run.fault
    assert run.saved_best.value == session.best.value
    assert run.solver_title == session.solver.spec.title


def test_what_was_only_begun_is_removed_and_foreign_folders_are_left():
    half = runs_folder() / "boggle-genetic-seed-1-00000000"
    half.mkdir(parents=True)
    (half / "lock").touch()
    (half / ".tilelab-abc").write_bytes(b"half a checkpoint")
    foreign = runs_folder() / "notes"
    foreign.mkdir()
    (foreign / "mine.txt").write_text("mine", "utf-8")
    (runs_folder() / "a-file").write_text("mine", "utf-8")
    assert interrupted() == []
    assert not half.exists()
    assert (foreign / "mine.txt").read_text("utf-8") == "mine"


def test_the_newest_comes_first_and_all_have_their_names():
    for seed in (1, 2, 3):
        saving = _saved(_session(seed=seed))
        assert saving.end(keep=True)
        for name in ("run.tilelab", "best.json"):
            os.utime(saving.folder / name, (seed * 1000, seed * 1000))
    runs = interrupted()
    assert [run.seed for run in runs] == [3, 2, 1]
    assert [run.written for run in runs] == [3000.0, 2000.0, 1000.0]
    one = runs[1]
    for name in (one.name, str(one.path), str(one.path / "run.tilelab")):
        assert named(name).seed == 2
    assert named("no-such-run") is None
    assert named(str(Path.cwd() / one.name)) is None


def test_a_run_of_the_same_key_does_not_touch_an_older_one(session):
    first = _saved(session)
    second = _saved(session)
    assert second.name == f"{first.name}-2"
    assert first.end(keep=True)
    third = _saved(session)
    assert third.name == f"{first.name}-3"
    assert second.end(keep=False)
    assert third.end(keep=False)
    (run,) = interrupted()
    assert run.name == first.name


def test_moves_of_a_best_are_kept():
    session = Session()
    session.load(SlidingPuzzle.create(SlidingParams(rows=3, cols=3), [1, 2, 3, 4, 5, 6, 0, 7, 8]))
    session.go("a-star", {"block": 7}, 3)
    while session.state is State.RUNNING:
        session.tick()
    saving = _saved(session)
    assert saving.end(keep=True)
    (run,) = interrupted()
    assert (run.value_text, run.status, run.title) == ("2 moves", "solved", "1 2 3 4 5 6 0 7 8")
    assert (run.saved_best.best.moves, run.saved_best.best.optimal) == ("RR", True)


OWNER = """
import sys
from tests.runs.test_autosave import _saved, _session
saving = _saved(_session(seed=int(sys.argv[1])))
print(saving.name, flush=True)
sys.stdin.read()
"""
TAKER = """
import sys
from tilelab.runs.interrupted import interrupted
print("ready", flush=True)
sys.stdin.readline()
claims = [claim for run in interrupted() if (claim := run.take()) is not None]
print(*sorted(claim.name for claim in claims), flush=True)
sys.stdin.read()
"""


def _program(script, *arguments):
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _end(child):
    child.stdin.close()
    child.stdout.close()
    child.wait(timeout=60)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_a_living_program_keeps_its_run_and_a_killed_one_does_not():
    child = _program(OWNER, "7")
    name = child.stdout.readline().strip()
    folder = runs_folder() / name
    assert (folder / "run.tilelab").exists()
    assert interrupted() == []
    assert RunFolder.taken(folder) is None
    child.send_signal(signal.SIGKILL)
    child.wait(timeout=60)
    assert [run.name for run in interrupted()] == [name]
    _end(child)


def test_two_programs_never_take_the_same_run():
    names = set()
    for seed in range(6):
        saving = _saved(_session(seed=seed))
        names.add(saving.name)
        assert saving.end(keep=True)
    children = [_program(TAKER), _program(TAKER)]
    for child in children:
        assert child.stdout.readline() == "ready\n"
    for child in children:
        child.stdin.write("go\n")
        child.stdin.flush()
    taken = [child.stdout.readline().split() for child in children]
    assert sorted(taken[0] + taken[1]) == sorted(names)
    assert interrupted() == []
    for child in children:
        _end(child)
    assert {run.name for run in interrupted()} == names


def test_what_cannot_be_deleted_is_one_sentence(session, monkeypatch):
    saving = _saved(session)
    assert saving.end(keep=True)
    (run,) = interrupted()

    def refuse(*_, **__):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        with pytest.raises(RunError, match="cannot be deleted: Read-only"):
            run.discard()
    assert [again.name for again in interrupted()] == [run.name]
    assert run.discard()
    assert run.discard()  # gone is gone


def test_a_best_that_cannot_be_written_is_a_fault_and_no_exception(session):
    saving = _saved(session, retry_seconds=(0.0,))
    newest = session.bests.newest
    worthless = dataclasses.replace(
        newest, best=dataclasses.replace(newest.best, value=float("nan"))
    )
    saving.note_best(worthless, session.units, session.seconds)  # such as a plug-in's
    assert not saving.wait()
    assert "it cannot be written: " in saving.fault
    assert read_best(saving.folder / "best.json").value == session.best.value
    saving.note_best(newest, session.units, session.seconds)
    while not saving.wait():
        pass
    assert saving.fault == ""
    assert saving.end(keep=False)
