"""Files and folders whose names are no UTF-8: nothing is lost over them."""

import json
import os
import sys
from pathlib import Path

import pytest

from tests.kept_runs import killed, saved
from tests.run_files import advanced
from tilelab.cli import play
from tilelab.core.files.grid_file import read_grid
from tilelab.core.files.paths import path_from, path_text
from tilelab.core.text.shown_text import shown_path
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.runs.files.store import read_run
from tilelab.runs.history.store import History, puzzle_of, run_file_of

pytestmark = pytest.mark.skipif(
    sys.platform in ("win32", "darwin"), reason="there every name is text"
)
NAME = os.fsdecode(b"nonutf\xff\xfe.txt")
SHOWN = r"nonutf\xff\xfe.txt"
STRINGS = ("abc", "cab", "def", "ghi", "jkl", "mno", "pqr", "stu", "vwx")
"""More letters than a small grid has, so that no run is solved."""
SMALL = ("--rows", 3, "--cols", 3, "--seed", 1, "--limit", 20)


@pytest.fixture(params=["a file", "a folder", "the data folder"])
def lexicon(request, tmp_path, monkeypatch):
    """A lexicon with such a name, in a folder with such a name, or all the user's data in one."""
    odd = tmp_path / os.fsdecode(b"dir\xff")
    odd.mkdir()
    if request.param == "the data folder":
        monkeypatch.setenv("TILELAB_DATA_DIR", str(odd / "data"))
    file = odd / "words.txt" if request.param == "a folder" else tmp_path / NAME
    file.write_text("\n".join(STRINGS))
    return file


def _is_text(text):
    text.encode("utf-8")
    return True


def test_all_that_was_asked_for_is_written(lexicon, tmp_path, command):
    out, run = lexicon.parent / os.fsdecode(b"o\xff.txt"), lexicon.parent / NAME[:-4]
    arguments = ("--lexicon", lexicon, *SMALL, "--out", out, "--save-run", run, "--json")
    status, said, error = command("run", "boggle", *arguments)
    assert (status, "Traceback" in error, _is_text(said + error)) == (0, False, True)
    assert "history" not in error
    result = json.loads(said)
    assert path_from(result["run_file"]) == run
    assert result["params"]["lexicon"] in (SHOWN, "words.txt")
    assert read_grid(out).notes["lexicon"] == result["params"]["lexicon"]
    assert read_run(run).units == 20
    for given in (run, result["run_file"]):
        status, said, _ = command("resume", given, "--limit", 30, "--json")
        assert (status, json.loads(said)["units"]) == (0, 30)
    with History() as history:
        record = history.record(1)
        assert run_file_of(record) == run
        assert puzzle_of(record).lexicon.strings == STRINGS


def test_people_are_told_in_text(lexicon, tmp_path, command):
    run = lexicon.parent / NAME
    run = run.with_suffix(".tilelab")
    status, said, error = command("run", "boggle", "--lexicon", lexicon, *SMALL, "--save-run", run)
    assert (status, _is_text(said + error)) == (0, True)
    assert r"nonutf\xff\xfe.tilelab" in said
    board = tmp_path / NAME.replace("t", "g")
    board.write_text("a b\nc d\n")
    status, said, error = command("score", "boggle", board, "--lexicon", lexicon, "--json")
    assert (status, json.loads(said)["best"]["value"], _is_text(said + error)) == (0, 2, True)
    for arguments in (("list",), ("show", 1), ("show", 1, "--json"), ("export",)):
        status, said, error = command("history", *arguments)
        assert (status, error, _is_text(said)) == (0, "", True)
    target = lexicon.parent / os.fsdecode(b"all\xff.json")
    status, said, error = command("history", "export", "--out", target)
    assert (status, _is_text(said + error)) == (0, True)
    (exported,) = json.loads(target.read_text())
    assert path_from(exported["run_file"]) == run


def test_a_run_is_found_by_the_bytes_of_its_name(tmp_path, command):
    (tmp_path / NAME).write_text("\n".join(STRINGS))
    assert command("run", "boggle", "--lexicon", tmp_path / NAME, *SMALL)[0] == 0
    for words in (NAME, os.fsdecode(b"\xff"), SHOWN):
        status, said, error = command("history", "list", "--search", words, "--json")
        assert (status, error) == (0, "")
        assert [run["title"] for run in json.loads(said)] == [SHOWN]
    for flag in ("--puzzle", "--solver"):
        assert "codec" not in command("history", "list", flag, NAME)[2]


def test_a_kept_run_goes_on(lexicon, command):
    puzzle = BogglePuzzle.create(open_lexicon(lexicon), BoggleParams(rows=3, cols=3))
    saving = saved(advanced(puzzle, "genetic", {"parents": 4}, 5))
    name = saving.folder.name
    killed(saving)
    status, said, _ = command("resume", "--list", "--json")
    (listed,) = json.loads(said)
    assert (status, listed["name"], listed["fault"], _is_text(said)) == (0, name, "", True)
    assert path_from(listed["run_file"]).is_file()
    status, said, error = command("resume", listed["run_file"], "--limit", 9, "--json")
    assert (status, json.loads(said)["units"], _is_text(error)) == (0, 9, True)


def test_what_is_not_there_is_named(tmp_path, command):
    status, _, error = command("run", "boggle", "--lexicon", tmp_path / NAME, *SMALL)
    assert status == 2
    assert SHOWN in error
    assert error.count("\n") == 1
    status, _, error = command("resume", path_text(tmp_path / NAME))
    assert (status, SHOWN in error) == (1, True)


@pytest.mark.parametrize("fault", [UnicodeEncodeError("utf-8", "\udcff", 0, 1, "no"), LookupError])
def test_a_record_that_fails_costs_a_sentence(fault, tmp_path, command, monkeypatch):
    def fail(*_, **__):
        raise fault

    monkeypatch.setattr(play, "record_of_session", fail)
    out, run = tmp_path / "best.txt", tmp_path / "run.tilelab"
    status, said, error = command(
        "run", "boggle", *SMALL, "--out", out, "--save-run", run, "--json"
    )
    assert (status, json.loads(said)["status"]) == (0, "limit")
    assert read_grid(out).rows
    assert read_run(run).units == 20
    assert error.count("This run cannot be described") == 1


def test_what_was_asked_for_is_written_before_the_record(tmp_path, command, monkeypatch):
    there = []
    out, run = tmp_path / "best.txt", tmp_path / "run.tilelab"

    def look(*_):
        there.append((out.is_file(), run.is_file()))
        return ()

    monkeypatch.setattr(play, "keep_record", look)
    assert command("run", "boggle", *SMALL, "--out", out, "--save-run", run)[0] == 0
    assert there == [(True, True)]


@pytest.mark.parametrize("flag", ["--out", "--save-run"])
def test_a_link_that_leads_in_a_circle_is_refused(flag, tmp_path, command):
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    status, said, error = command("run", "boggle", *SMALL, flag, loop)
    assert (status, said) == (1, "")
    assert (
        error
        == f"{flag}: {shown_path(loop)} cannot be written: Too many levels of symbolic links\n"
    )
    for arguments in (("resume", loop), ("history", "export", "--out", loop)):
        status, said, error = command(*arguments)
        assert (status, said, error.count("\n")) == (1, "", 1)
        assert "Too many levels of symbolic links" in error
    assert Path(loop).is_symlink()
