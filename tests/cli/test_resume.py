"""``tilelab resume`` and ``--save-run``: broken runs end as unbroken ones do."""

import json
import os
import signal
import subprocess
import sys

import pytest

from tests import programs
from tilelab.cli import run
from tilelab.runs.actions import State
from tilelab.runs.checkpoints.interrupted import list_interrupted
from tilelab.runs.checkpoints.run_folder import runs_folder
from tilelab.runs.files.store import read_run
from tilelab.runs.history.store import History
from tilelab.runs.session import Session

RUNS = {
    "boggle": ("boggle", "--lexicon", "planets", "--rows", 4, "--cols", 4, "--seed", 3),
    "islands": (
        *("boggle", "--lexicon", "planets", "--rows", 3, "--cols", 3, "--seed", 3),
        *("--islands", 3, "--migrate-every", 6, "--migration", "all"),
    ),
    "sliding": (
        *("sliding", "--scramble-seed", 5, "--seed", 1),
        *("--solver", "a-star", "--expansions-per-update", 3, "--memory", 256),
    ),
    "wordtiles": ("wordtiles", "--lexicon", "elements", "--letters-seed", 4, "--seed", 9),
}


@pytest.fixture(autouse=True)
def data_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("TILELAB_DATA_DIR", str(tmp_path / "data"))


def result_of(command, *arguments):
    status, out, err = command(*arguments, "--json")
    assert status == 0, err
    result = json.loads(out)
    del result["seconds"]
    result.pop("run_file", None)
    return result


def stopped_at(monkeypatch, n_units, number=signal.SIGINT):
    """Let a signal come after some units."""
    run_slice = run.Session.run_slice

    def signalled(session):
        progress = run_slice(session)
        if session.units >= n_units:
            signal.raise_signal(number)
        return progress

    monkeypatch.setattr(run.Session, "run_slice", signalled)


def left():
    """What is in the folder of the interrupted runs."""
    return list(runs_folder().iterdir()) if runs_folder().exists() else []


@pytest.mark.every(4)
@pytest.mark.parametrize("puzzle", RUNS)
def test_resumed_twice_equals_unbroken(command, tmp_path, puzzle):
    file = tmp_path / "run.tilelab"
    unbroken = result_of(command, "run", *RUNS[puzzle], "--limit", 40)
    result_of(command, "run", *RUNS[puzzle], "--limit", 7, "--save-run", file)
    result_of(command, "resume", file, "--limit", 20, "--save-run", file)
    before = file.read_bytes()
    for _ in range(2):
        assert result_of(command, "resume", file, "--limit", 40) == unbroken
    assert file.read_bytes() == before


def test_another_process_goes_on_as_this_one_would(command, tmp_path):
    file, out = tmp_path / "run.tilelab", tmp_path / "best.txt"
    unbroken = result_of(command, "run", *RUNS["boggle"], "--limit", 40)
    result_of(command, "run", *RUNS["boggle"], "--limit", 7, "--save-run", file)
    done = programs.run("resume", file, "--limit", 40, "--json", "--out", out, check=True)
    result = json.loads(done.stdout)
    del result["seconds"]
    assert result == unbroken
    assert out.read_text("utf-8").splitlines()[0].lower() == unbroken["best"]["rows"][0]


@pytest.mark.every(3)
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("is_named", [True, False])
@pytest.mark.usefixtures("usual_signals")
def test_a_signal_leaves_a_resumable_run(command, monkeypatch, tmp_path, number, is_named):
    file = tmp_path / "run.tilelab"
    named = ("--save-run", file) if is_named else ()
    unbroken = result_of(command, "run", *RUNS["boggle"], "--limit", 400)
    with monkeypatch.context() as patch:
        stopped_at(patch, 5, number)
        status, out, _ = command("run", *RUNS["boggle"], "--limit", 400, *named, "--json")
    assert status == 128 + number
    result = json.loads(out)
    assert result["status"] == "interrupted"
    assert len(list_interrupted()) == (0 if is_named else 1)
    kept_file = file if is_named else list_interrupted()[0].path / "run.tilelab"
    assert result["run_file"] == str(kept_file)
    resumed = (file,) if is_named else ()
    assert result_of(command, "resume", *resumed) == unbroken
    assert left() == []


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_a_resumed_run_that_is_broken_off_is_brought_up_to_date(command, monkeypatch, tmp_path):
    file = tmp_path / "run.tilelab"
    result_of(command, "run", *RUNS["boggle"], "--limit", 7, "--save-run", file)
    with monkeypatch.context() as patch:
        stopped_at(patch, 12)
        status, out, _ = command("resume", file, "--limit", 4000)
    assert status == 130
    assert f"Wrote {file}" in out
    assert f"To continue: tilelab resume {file}" in out
    session = Session()
    session.restore(read_run(file))
    assert session.state is State.PAUSED
    assert 12 <= session.units < 4000
    assert session.limits.units == 4000


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_a_place_that_cannot_be_written_is_told_only_where_it_was_named(
    command, monkeypatch, tmp_path
):
    (tmp_path / "data").write_text("a file where the folder should be", "utf-8")
    stopped_at(monkeypatch, 5)
    status, out, err = command("run", *RUNS["boggle"], "--json", "--no-history")
    assert (status, err.count("\n")) == (130, 2)  # the lexicon's line, and the fault once
    assert "kept" in err
    assert "cannot be made: Not a directory" in err
    assert "run_file" not in json.loads(out)
    status, _, err = command("run", *RUNS["boggle"], "--autosave", 0, "--no-history")
    assert (status, err.count("\n")) == (130, 1)
    status, out, err = command("run", *RUNS["boggle"], "--save-run", tmp_path / "no" / "a.tilelab")
    assert (status, out) == (1, "")
    assert "--save-run: there is no folder" in err


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ((), "no interrupted run is kept"),
        (("missing.tilelab",), "cannot be read: No such file"),
        (("{folder}",), "not an ordinary file"),
        (("{file}", "--limit", "3"), "--units: 3 is less than the 7 done"),
        (("{file}",), "has reached its limit: 7 generations; --units sets a higher one"),
        (("{file}", "--limit", "x"), "--units: 'x' is not a whole number"),
        (("{foreign}", "--limit", "9"), "it is not a run file"),
    ],
)
def test_faults_are_one_sentence(command, tmp_path, line, words):
    file, foreign = tmp_path / "run.tilelab", tmp_path / "notes.txt"
    foreign.write_text("a note\n", "utf-8")
    result_of(command, "run", *RUNS["boggle"], "--limit", 7, "--save-run", file)
    places = {"file": file, "foreign": foreign, "folder": tmp_path}
    status, out, err = command("resume", *(word.format(**places) for word in line))
    assert (status, out) == (2 if words.startswith("--units") else 1, "")
    assert err.count("\n") == 1
    assert words in err


def test_a_solved_run_is_told_again(command, tmp_path):
    file = tmp_path / "run.tilelab"
    line = ("run", "sliding", "--board", "1 2 3 4 5 6 7 0 8", "--save-run", file)
    solved = result_of(command, *line)
    assert solved["best"]["moves"] == "R"
    assert result_of(command, "resume", file) == solved


@pytest.mark.exhaustive
def test_help_tells_of_resume_without_kernels():
    script = (
        "import sys\n"
        "from tilelab.cli.command import main\n"
        "assert main(['--help']) == 0\n"
        "assert not {'numba', 'PySide6'} & set(sys.modules)\n"
        "assert main(['resume', '--help']) == 0\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        check=True,
        capture_output=True,
        text=True,
        timeout=600,
        env=dict(os.environ),
    )
    assert "Continue a run" in done.stdout
    assert "--save-run" in done.stdout


def records():
    with History() as history:
        return history.records(sorted(history.ids()))


def test_a_resumed_run_brings_its_record_up_to_date(command, tmp_path):
    file, other = tmp_path / "run.tilelab", tmp_path / "other.tilelab"
    result_of(command, "run", *RUNS["boggle"], "--limit", 7, "--save-run", file)
    (before,) = records()
    assert before.run_file == str(file)
    with History() as history:
        history.set_tags(before.id, "night")
    result_of(command, "resume", file, "--limit", 40, "--save-run", other)
    (after,) = records()
    assert (after.id, after.units, after.tags, after.begun) == (1, 40, "night", before.begun)
    assert after.run_file == str(other)
    units, values = after.curves["best_ever"]
    assert (units[0], values[-1]) == (0, after.value)
    result_of(command, "resume", file, "--limit", 20)
    assert [record.units for record in records()] == [40]
    result_of(command, "run", *RUNS["boggle"], "--limit", 40, "--no-history")
    assert len(records()) == 1
    result_of(command, "resume", file, "--limit", 60, "--no-history")
    assert [record.units for record in records()] == [40]
