"""``tilelab resume`` without a file: interrupted runs are listed, called by name and discarded."""

import errno
import json
import os
import signal
import sys
import tempfile

import pytest

from tests.asking import go
from tilelab.cli import run
from tilelab.runs.checkpoints.autosave import Autosave
from tilelab.runs.checkpoints.interrupted import list_interrupted
from tilelab.runs.checkpoints.run_folder import RunFolder, runs_folder
from tilelab.runs.history.store import History
from tilelab.runs.session import Session

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
LINE = ("run", "boggle", "--lexicon", "planets", "--rows", 4, "--cols", 4)


@pytest.fixture
def broken_off(command, monkeypatch):
    """A function that runs something with a seed until a signal comes; returns what it says."""

    def begin(seed, *arguments, n_units=5):
        run_slice = Session.run_slice

        def signalled(session):
            progress = run_slice(session)
            if session.units >= n_units:
                signal.raise_signal(signal.SIGTERM)
            return progress

        with monkeypatch.context() as patch:
            patch.setattr(run.Session, "run_slice", signalled)
            status, out, err = command(*LINE, "--seed", seed, *arguments)
        assert status == 143
        return out, err

    return begin


def test_the_name_that_is_printed_goes_on(command, broken_off):
    out, _ = broken_off(3)
    (name,) = [text.split()[-1] for text in out.splitlines() if text.startswith("To continue: ")]
    assert name == list_interrupted()[0].name
    status, out, err = command("resume", name, "--limit", 3000, "--json")
    assert (status, err) == (0, "")
    unbroken = json.loads(command(*LINE, "--seed", 3, "--limit", 3000, "--json")[1])
    result = json.loads(out)
    assert result.pop("seconds") != unbroken.pop("seconds")
    assert result == unbroken
    assert list(runs_folder().iterdir()) == []


@pytest.mark.parametrize("arguments", [(), ("--list",), ("--list", "--json"), ("--discard", "all")])
def test_a_folder_that_cannot_be_read_is_not_taken_for_empty(
    command, broken_off, monkeypatch, arguments
):
    broken_off(3)
    list_folder = os.listdir

    def refuse(path="."):
        if str(path) == str(runs_folder()):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return list_folder(path)

    monkeypatch.setattr(os, "listdir", refuse)
    said = f"{runs_folder()} cannot be read: Permission denied\n"
    assert command("resume", *arguments) == (1, "", said)


def test_a_run_s_folder_that_cannot_be_read_is_listed_and_said(command, broken_off, monkeypatch):
    broken_off(3)
    folder = list_interrupted()[0].path
    stat = os.stat

    def refuse(path, **settings):
        if str(path).startswith(f"{folder}{os.sep}"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return stat(path, **settings)

    monkeypatch.setattr(os, "stat", refuse)
    status, out, _ = command("resume", "--list", "--json")
    (one,) = json.loads(out)
    assert (status, one["name"]) == (0, folder.name)
    assert "Permission denied" in one["fault"]
    status, out, err = command("resume", folder.name)
    assert (status, out) == (1, "")
    assert "Permission denied" in err


def test_its_file_goes_on_too_and_is_no_file_of_the_users(command, broken_off):
    result = json.loads(broken_off(3, "--json")[0])
    status, out, _ = command("resume", result["run_file"], "--limit", 300, "--json")
    assert (status, json.loads(out)["units"]) == (0, 300)
    assert list_interrupted() == []


def test_of_several_the_newest_goes_on_and_says_so(command, broken_off):
    for seed in (1, 2):
        broken_off(seed)
    older, newer = sorted(list_interrupted(), key=lambda one: one.seed)
    os.utime(older.path / "run.tilelab", (1000, 1000))
    os.utime(older.path / "best.json", (1000, 1000))
    status, out, err = command("resume", "--limit", 300, "--json")
    assert (status, json.loads(out)["seed"]) == (0, 2)
    assert err.startswith(f"Continuing {newer.name} (1 more: tilelab resume --list)\n")
    status, out, err = command("resume", "--limit", 300, "--json")
    assert (status, json.loads(out)["seed"], err) == (0, 1, "")
    assert command("resume")[2].startswith("no interrupted run is kept in ")


def test_they_are_listed_for_people_and_programs(command, broken_off):
    assert command("resume", "--list", "--json")[:2] == (0, "[]\n")
    out, _ = broken_off(4, "--json")
    result = json.loads(out)
    (listed,) = json.loads(command("resume", "--list", "--json")[1])
    assert listed["run_file"] == result["run_file"]
    assert (listed["solver"], listed["seed"], listed["fault"]) == ("genetic", 4, "")
    assert (listed["units"], listed["value"]) == (result["units"], result["best"]["value"])
    assert listed["best"] == {name: result["best"][name] for name in ("rows", "unit")}
    status, out, _ = command("resume", "--list")
    assert status == 0
    cells = out.rstrip("\n").split("\t")
    assert cells[0] == listed["name"]
    assert cells[2:6] == ["boggle", "Planets", "genetic", str(result["best"]["value"])]


def test_a_damaged_one_is_listed_with_its_error_and_not_taken(command, broken_off):
    broken_off(5)
    (one,) = list_interrupted()
    (one.path / "run.tilelab").write_bytes(b"PK\x03\x04")
    for file in one.path.glob("earlier-*"):
        file.unlink()
    assert "its end is missing" in command("resume", "--list")[1]
    assert command("resume")[2].startswith("no interrupted run is kept")
    status, _, err = command("resume", one.name)
    assert status == 1
    assert "its end is missing" in err
    assert [again.name for again in list_interrupted()] == [one.name]  # an error leaves it


def test_they_are_discarded_one_by_one_or_all(command, broken_off):
    for seed in (1, 2, 3):
        broken_off(seed)
    name = list_interrupted()[0].name
    assert command("resume", "--discard", name) == (0, "", "Discarded 1 run\n")
    assert command("resume", "--discard", name)[2].startswith(f"{name} is no interrupted run")
    assert command("resume", "--discard", "all") == (0, "", "Discarded 2 runs\n")
    assert list_interrupted() == []


def test_one_that_a_living_program_has_is_refused(command, broken_off):
    broken_off(6)
    (one,) = list_interrupted()
    claim = one.take()
    for line in (("resume", one.name), ("resume", "--discard", one.name)):
        status, _, err = command(*line)
        assert (status, err) == (1, f"{one.name} belongs to a program that is still running\n")
    claim.release()
    assert list_interrupted()


def test_errors_in_what_is_asked_leave_it(command, broken_off):
    broken_off(7)
    (one,) = list_interrupted()
    assert command("resume", "--limit", 1)[2].startswith("--units: 1 is less than the ")
    assert command("resume", "--autosave", -1)[0] == 2
    assert [again.name for again in list_interrupted()] == [one.name]


def test_a_run_that_was_killed_leaves_its_record_when_it_has_gone_on(command):
    session = Session()
    from tilelab.letters.builtin import open_lexicon
    from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle

    session.load(BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=4, cols=4)))
    go(session, "genetic", {}, 3)
    session.run_slice()
    saving = Autosave(session)
    assert saving.checkpoint(session)
    assert saving.end(keep=True)
    assert command("resume", "--limit", 200)[0] == 0
    with History() as history:
        (record,) = history.records(history.ids())
    assert (record.key, record.units, record.status) == (session.key, 200, "limit")
    assert len(record.curves["best_ever"][0]) > 2


def test_saving_that_fails_is_said_once_and_stops_nothing(command, monkeypatch):
    def refuse(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    line = (*LINE, "--seed", 3, "--seconds", 0.6, "--autosave", 0.1, "--no-history", "--json")
    status, out, err = command(*line)
    assert (status, json.loads(out)["status"]) == (0, "limit")
    (said,) = err.splitlines()[1:]
    assert said.startswith("The run is not saved automatically: ")
    assert said.endswith("cannot be written: No space left on device")
    assert not list(runs_folder().iterdir())


def test_without_autosave_nothing_is_written_before_the_end(command, monkeypatch):
    def refuse(_):
        raise AssertionError("a folder was made")

    monkeypatch.setattr(RunFolder, "hold", refuse)
    line = (*LINE, "--seed", 3, "--seconds", 0.3, "--autosave", 0, "--no-history")
    assert command(*line)[0] == 0
    assert not runs_folder().exists()
