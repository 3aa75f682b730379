"""Runs that programs were killed with: listed, looked at, taken, and nobody else's."""

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.asking import go
from tests.kept_runs import advance, saved, session_of
from tests.run_files import members_of, with_array_header, zipped
from tilelab.core.errors import RunError, RunFileError
from tilelab.core.text import language
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.runs.actions import State
from tilelab.runs.checkpoints.autosave import Autosave
from tilelab.runs.checkpoints.interrupted import find_by_name, list_interrupted
from tilelab.runs.checkpoints.run_folder import (
    RunFolder,
    earlier_checkpoints,
    read_best,
    runs_folder,
    write_best,
)
from tilelab.runs.files.store import read_run
from tilelab.runs.limits import Limits
from tilelab.runs.session import Session

pytestmark = pytest.mark.usefixtures("own_runs")


@pytest.fixture
def own_runs(tmp_path, monkeypatch):
    monkeypatch.setenv("TILELAB_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture
def session():
    return session_of()


def kept_file(session):
    """The newest checkpoint of a run that is kept, with an earlier one of unit 10 beside it."""
    saving = saved(session)
    advance(session, 5)
    saving.follow(session)
    saving.checkpoint(session)
    assert saving.end(keep=True)
    return saving.folder / "run.tilelab"


def test_a_damaged_checkpoint_is_listed_and_an_earlier_one_read(session):
    file = kept_file(session)
    file.unlink()  # not through the link of the earlier one
    file.write_bytes(b"PK\x03\x04 nothing of a run")
    (run,) = list_interrupted()
    assert (run.error, run.units) == ("", 10)
    assert run.value_text == f"{session.best.value:,.0f}"
    assert run.saved_best is not None
    claim = run.take()
    assert claim.read().units == 10
    assert "it continues after 10 generations" in claim.notice
    for _, earlier in earlier_checkpoints(claim.folder.path):
        earlier.unlink()
    assert "run.tilelab cannot be opened: its end is missing" in claim.notice
    with pytest.raises(RunFileError, match="cannot be opened"):
        claim.read()
    claim.discard()
    assert list_interrupted() == []


@pytest.mark.parametrize("header", [(b"{}\n", 1), (b"((\n", None)])
def test_a_crafted_checkpoint_gives_way_to_an_earlier_one(session, header):
    file = kept_file(session)
    members = members_of(file)
    members["bests.cells.npy"] = with_array_header(members["bests.cells.npy"], *header)
    file.unlink()  # not through the link of the earlier one
    file.write_bytes(zipped(members))
    (run,) = list_interrupted()
    claim = run.take()
    assert claim.read().units == 10
    assert "it continues after 10 generations" in claim.notice
    claim.discard()


def test_a_best_found_after_the_checkpoint_is_reported(session):
    saving = saved(session)
    assert saving.end(keep=True)
    (run,) = list_interrupted()
    claim = run.take()
    assert claim.read().units == 5
    assert claim.notice == ""
    file = claim.folder.best_file
    # The first generation after those of the checkpoint.
    found_at_5 = read_best(file).model_copy(update={"value_text": "6", "best_unit": 5})
    write_best(file, found_at_5)
    claim.read()
    assert "best, 6, was found after the last checkpoint" in claim.notice
    claim.discard()


def test_the_best_of_a_run_of_another_language_is_shown_in_that_of_now(session):
    """Noticed: 5,655 in a German window, which is five point six there."""
    saving = saved(session)
    assert saving.end(keep=True)
    file = saving.folder / "best.json"
    write_best(file, read_best(file).model_copy(update={"value_text": "5,655", "best_unit": 5}))
    language.use("de")
    (run,) = list_interrupted()
    claim = run.take()
    claim.read()
    language.use("en")
    assert "5.655" in claim.notice
    assert run.value_text == "5.655"
    claim.discard()


@pytest.mark.parametrize("damage", [b"", b"{", b"[1]", b'{"sha256": "", "best": {}}', b"\xff"])
def test_a_damaged_best_leaves_the_run(session, damage):
    saving = saved(session)
    assert saving.end(keep=True)
    saving.folder.joinpath("best.json").write_bytes(damage)
    (run,) = list_interrupted()
    assert (run.error, run.saved_best) == ("", None)
    assert run.value_text == f"{session.best.value:,.0f}"
    assert run.title == session.puzzle.lexicon.title
    assert read_run(run.path / "run.tilelab").units == session.units
    saving.folder.joinpath("run.tilelab").unlink()
    (run,) = list_interrupted()
    assert "best.json is damaged" in run.error
    assert run.discard()


def test_a_changed_best_is_noticed(session):
    saving = saved(session)
    assert saving.end(keep=True)
    file = saving.folder / "best.json"
    whole = json.loads(file.read_text("utf-8"))
    whole["best"]["value"] += 1
    file.write_text(json.dumps(whole), "utf-8")
    with pytest.raises(RunFileError, match="damaged"):
        read_best(file)


def test_a_best_without_a_checkpoint_can_be_looked_at(session):
    saving = saved(session)
    assert saving.end(keep=True)
    for file in saving.folder.glob("*.tilelab"):
        file.unlink()
    (run,) = list_interrupted()
    assert "only its best is kept" in run.error
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
    assert list_interrupted() == []
    assert not half.exists()
    assert (foreign / "mine.txt").read_text("utf-8") == "mine"


def test_the_newest_comes_first_and_all_have_their_names():
    for seed in (1, 2, 3):
        saving = saved(session_of(seed=seed))
        assert saving.end(keep=True)
        for name in ("run.tilelab", "best.json"):
            os.utime(saving.folder / name, (seed * 1000, seed * 1000))
    runs = list_interrupted()
    assert [run.seed for run in runs] == [3, 2, 1]
    assert [run.written for run in runs] == [3000.0, 2000.0, 1000.0]
    one = runs[1]
    for name in (one.name, str(one.path), str(one.path / "run.tilelab")):
        assert find_by_name(name).seed == 2
    assert find_by_name("no-such-run") is None
    assert find_by_name(str(Path.cwd() / one.name)) is None


def test_a_run_of_the_same_key_does_not_touch_an_older_one(session):
    first = saved(session)
    second = saved(session)
    assert second.folder.name == f"{first.folder.name}-2"
    assert first.end(keep=True)
    third = saved(session)
    assert third.folder.name == f"{first.folder.name}-3"
    assert second.end(keep=False)
    assert third.end(keep=False)
    (run,) = list_interrupted()
    assert run.name == first.folder.name


def test_moves_of_a_best_are_kept():
    session = Session()
    session.load(SlidingPuzzle.create(SlidingParams(rows=3, cols=3), [1, 2, 3, 4, 5, 6, 0, 7, 8]))
    go(session, "a-star", {"expansions_per_update": 7}, 3)
    while session.state is State.RUNNING:
        session.run_slice()
    saving = saved(session)
    assert saving.end(keep=True)
    (run,) = list_interrupted()
    assert (run.value_text, run.status, run.title) == ("2 moves", "solved", "1 2 3 4 5 6 0 7 8")
    assert (run.saved_best.best.moves, run.saved_best.best.optimal) == ("RR", True)
    # Without the file of the best only its value is known, which is 0.
    (runs_folder() / run.name / "best.json").unlink()
    (run,) = list_interrupted()
    assert run.value_text == "solved"


OWNER = """
import sys
from tests.runs.test_autosave import saved, session_of
saving = saved(session_of(seed=int(sys.argv[1])))
print(saving.folder.name, flush=True)
sys.stdin.read()
"""
TAKER = """
import sys
from tilelab.runs.checkpoints.autosave import Autosave
from tilelab.runs.checkpoints.interrupted import list_interrupted
print("ready", flush=True)
sys.stdin.readline()
claims = [claim for run in list_interrupted() if (claim := run.take()) is not None]
print(*sorted(claim.folder.path.name for claim in claims), flush=True)
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
    child.wait(timeout=600)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_a_living_program_keeps_its_run_and_a_killed_one_does_not():
    child = _program(OWNER, "7")
    name = child.stdout.readline().strip()
    folder = runs_folder() / name
    assert (folder / "run.tilelab").exists()
    assert list_interrupted() == []
    assert RunFolder.taken(folder) is None
    child.send_signal(signal.SIGKILL)
    child.wait(timeout=600)
    assert [run.name for run in list_interrupted()] == [name]
    _end(child)


@pytest.mark.exhaustive
def test_two_programs_never_take_the_same_run():
    names = set()
    for seed in range(6):
        saving = saved(session_of(seed=seed))
        names.add(saving.folder.name)
        assert saving.end(keep=True)
    children = [_program(TAKER), _program(TAKER)]
    for child in children:
        assert child.stdout.readline() == "ready\n"
    for child in children:
        child.stdin.write("go\n")
        child.stdin.flush()
    taken = [child.stdout.readline().split() for child in children]
    assert sorted(taken[0] + taken[1]) == sorted(names)
    assert list_interrupted() == []
    for child in children:
        _end(child)
    assert {run.name for run in list_interrupted()} == names


def test_what_cannot_be_deleted_is_one_sentence(session, monkeypatch):
    saving = saved(session)
    assert saving.end(keep=True)
    (run,) = list_interrupted()

    def refuse(*_, **__):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        with pytest.raises(RunError, match="cannot be deleted: Read-only"):
            run.discard()
    assert [again.name for again in list_interrupted()] == [run.name]
    assert run.discard()
    assert run.discard()  # gone is gone


@pytest.mark.parametrize(
    ("units", "steps", "done"), [(3, 0, "300 boards expanded"), (0, 7, "7 expansions")]
)
def test_an_interrupted_search_counts_boards_expanded(monkeypatch, units, steps, done):
    """Noticed: updates, which no other list counts; a run that is listed only if it has room."""
    session = Session()
    session.load(SlidingPuzzle.create(SlidingParams(rows=3, cols=3), [8, 6, 7, 2, 5, 4, 3, 0, 1]))
    go(session, "a-star", {"expansions_per_update": 100}, 1, Limits(units=10**9))
    if units:
        advance(session, units)
    else:
        session.run_steps(steps)
        session.stop()
    saving = Autosave(session)
    assert saving.checkpoint(session)
    assert saving.end(keep=True)
    monkeypatch.setattr("tilelab.runs.files.array_zip.free_bytes", lambda: 1000)
    (run,) = list_interrupted()
    assert (run.error, run.done) == ("", done)
