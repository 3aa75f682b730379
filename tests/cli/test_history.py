"""The history on the command line: what runs leave there, and how it is listed and written."""

import csv
import io
import json
import subprocess
import sys

import numpy as np
import pytest

from tests.history_records import made
from tilelab.runs.history.store import History
from tilelab.runs.session import Session

SMALL = ("run", "boggle", "--rows", 4, "--cols", 5, "--seed", 3, "--limit", 40)


@pytest.fixture
def three():
    """Three runs that never were, with the numbers 1, 2 and 3."""
    with History() as history:
        history.put(made(seed=1, begun="2026-03-01T10:00:00.000Z", value=20.0, value_text="20"))
        history.put(made(seed=2, begun="2026-03-02T10:00:00.000Z", puzzle="sliding", solver="a"))
        history.put(made(seed=3, begun="2026-03-03T10:00:00.000Z", note='=sum, "x"', value=9.0))


def listed(command, *arguments):
    status, out, err = command("history", "list", *arguments, "--json")
    assert (status, err) == (0, "")
    return json.loads(out)


def test_a_run_leaves_one_record_with_what_it_has_come_to(command):
    _, out, err = command(*SMALL, "--json")
    assert "history" not in err
    result = json.loads(out)
    (line,) = listed(command)
    assert line["id"] == 1
    for name in ("puzzle", "solver", "seed", "status", "units"):
        assert line[name] == result[name], name
    assert (line["rows"], line["cols"], line["title"]) == (4, 5, "Game titles")
    assert line["value"] == result["best"]["value"]
    assert 0 < line["best_seconds"] <= line["seconds"]
    _, out, _ = command("history", "show", 1, "--json")
    record = json.loads(out)
    assert record["board"] == result["best"]["rows"]
    instance = {**record["instance"], **record["puzzle_params"], **record["params"]}
    assert instance == result["params"]
    assert record["limits"] == {"units": 40}
    curve = record["curves"]["best_ever"]
    assert curve["units"][-1] == 39
    assert curve["values"][-1] == result["best"]["value"]
    assert list(np.diff(curve["values"]) >= 0) == [True] * (len(curve["values"]) - 1)


def test_a_search_leaves_its_way(command):
    command("run", "sliding", "--board", "1 2 3/4 5 6/7 0 8")
    (line,) = listed(command)
    assert (line["status"], line["value_text"], line["n_moves"]) == ("solved", "1 move", 1)
    counts = {"evaluations": 3, "expanded": 1, "generated": 3, "proven": 1}
    assert {name: line[name] for name in counts} == counts
    assert command("history", "list")[1].endswith("\tsolved\t3\n")
    (exported,) = csv.DictReader(io.StringIO(command("history", "export")[1]))
    assert (exported["expanded"], float(exported["memory"])) == ("1", line["memory"])
    _, out, _ = command("history", "show", 1)
    assert "moves        R\n" in out
    assert "evaluations  3\n" in out
    assert "proven       shortest\n" in out
    assert "board 1 2 3 4 5 6 7 0 8" in out


def test_a_run_is_shown_with_its_beginning_and_its_end(command):
    with History() as history:
        number = history.put(made(ended="2026-03-01T11:45:00.000Z"))
    _, out, _ = command("history", "show", number)
    assert "begun        2026-03-01 09:30 UTC\nended        2026-03-01 11:45 UTC\n" in out


def test_no_history_leaves_no_record(command, tmp_path):
    command(*SMALL, "--no-history")
    assert not (tmp_path / "data").exists()


def test_a_history_that_cannot_be_written_is_one_sentence_and_changes_nothing_else(
    command, tmp_path, monkeypatch
):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TILELAB_DATA_DIR", str(tmp_path / "file"))
    status, out, err = command(*SMALL, "--json")
    assert status == 0
    assert json.loads(out)["units"] == 40
    (sentence,) = [line for line in err.splitlines() if "history" in line]
    assert sentence.startswith("This run is not in the history: ")


def test_a_damaged_history_is_set_aside_and_said(command, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "history.sqlite").write_bytes(b"damaged" * 1000)
    _, out, err = command(*SMALL)
    assert "words" in out
    assert "The history was damaged. It is kept as" in err
    assert len(listed(command)) == 1


def test_a_run_that_failed_leaves_a_record_too(command, monkeypatch):
    run_slice = Session.run_slice

    def broken(self):
        if self.units:
            monkeypatch.setattr(type(self.solver), "advance", fail_advance)
        return run_slice(self)

    def fail_advance(self, units):
        raise ValueError("broken")

    monkeypatch.setattr(Session, "run_slice", broken)
    status, _, err = command("run", "boggle", "--limit", 10**9, "--seed", 1)
    assert status == 1
    assert "the solver failed: ValueError: broken" in err
    assert [line["status"] for line in listed(command)] == ["failed"]


def test_the_list_is_filtered_sorted_and_cut(command, three):
    def seeds(*arguments):
        return [line["seed"] for line in listed(command, *arguments)]

    assert seeds() == [3, 2, 1]
    assert seeds("--reverse") == [1, 2, 3]
    assert seeds("--limit", 2) == [3, 2]
    assert seeds("--puzzle", "sliding") == [2]
    assert seeds("--solver", "genetic") == [3, 1]
    assert seeds("--search", "=SUM game") == [3]
    assert seeds("--sort", "best") == [2, 1, 3]
    assert seeds("--sort", "best", "--reverse", "--limit", 1) == [3]


def test_people_are_told_how_many_runs_of_their_choice_there_are(command, three, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)

    def said(*arguments):
        return command("history", "list", *arguments)[1].splitlines()[-1]

    assert said("--puzzle", "boggle", "--limit", 1) == "1 of 2 runs; --limit shows more"
    assert said("--limit", 2) == "2 of 3 runs; --limit shows more"
    for arguments in (("--puzzle", "boggle", "--limit", 2), ("--limit", 3), ()):
        assert "--limit" not in said(*arguments)


def test_programs_read_the_list_as_columns(command, three):
    _, out, _ = command("history", "list", "--limit", 1)
    assert out == ("3\t2026-03-03 10:00\tboggle\tGame titles\t2×3\tgenetic\t33\t1.50 s\tlimit\t\n")


def test_an_empty_history_is_no_error(command):
    assert listed(command) == []
    assert command("history", "export", "--json")[1] == "[]\n"
    assert command("history", "export")[1].count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("list", "--sort", "luck"), "--sort: 'luck' is not one of begun, puzzle, title"),
        (("list", "--limit", "-1"), "--limit: '-1' is not a whole number in 0.."),
        (("show", "x"), "N: 'x' is not a whole number in 0.."),
        (("show", "9"), "there is no run 9 in the history"),
        (("show", "9" * 14), "there is no run 99999999999999 in the history"),
        (("show", "9" * 30), "is not a whole number"),
        (("export", "--csv", "--json"), "--csv and --json exclude each other"),
        (("export", "--out", "/nowhere/x.csv"), "cannot be written"),
        (("burn",), "'burn' is not a command of history; available: list, show, export"),
        ((), "Name a command of history: list, show, export"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(command, three, arguments, sentence):
    status, out, err = command("history", *arguments)
    is_in_order = sentence.startswith("there is no run") or sentence == "cannot be written"
    assert (status, out) == (1 if is_in_order else 2, "")
    assert sentence in err
    assert err.count("\n") == 1


def test_csv_has_a_heading_and_a_line_a_run(command, three):
    _, out, _ = command("history", "export")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["seed"] for row in rows] == ["3", "2", "1"]
    assert rows[0]["note"] == '\'=sum, "x"'
    assert rows[0]["board"] == "ABC/DEÉ"
    assert json.loads(rows[0]["params"]) == {"mutation": 0.01}


def test_json_has_everything_but_the_curves(command, three, tmp_path):
    file = tmp_path / "runs.json"
    status, out, err = command("history", "export", "--out", file, "--puzzle", "boggle")
    assert (status, out) == (0, "")
    assert f"Wrote 2 runs to {file}" in err
    runs = json.loads(file.read_text("utf-8"))
    assert [run["seed"] for run in runs] == [3, 1]
    assert runs[0]["board"] == ["ABC", "DEÉ"]
    assert runs[0]["instance"] == {"lexicon": "game-titles"}
    assert "curves" not in runs[0]
    # The ending of the file says it only where no flag does.
    assert command("history", "export", "--csv", "--out", file)[0] == 0
    assert file.read_text("utf-8") == command("history", "export")[1]


def test_listing_loads_neither_the_kernels_nor_the_window(three):
    script = (
        "import sys\n"
        "from tilelab.cli.command import main\n"
        "status = main(['history', 'list'])\n"
        "sys.exit(status or any(name in sys.modules for name in ('numba', 'PySide6')))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, timeout=600, check=False
    )
    assert done.returncode == 0
    assert done.stdout.count(b"\n") == 3
