"""Whatever names, titles and notes hold, a terminal gets lines, a table cells, JSON all of it."""

import csv
import json
import sys

import pytest

from tests.history_records import made
from tests.kept_runs import killed, saved, session_of
from tests.nasty_texts import NASTY, steers
from tilelab.core.text.shown_text import csv_cell, one_line
from tilelab.letters.lexicon_puzzle import LexiconPuzzle
from tilelab.runs.history.store import History

FILES = [kind for kind, text in NASTY.items() if "/" not in text]
SMALL = ["--rows", 2, "--cols", 2, "--limit", 2, "--seed", 1]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="such names are not allowed there")


def without_bold(text):
    """Take out what the table itself puts in."""
    return text.replace("\x1b[1m", "").replace("\x1b[0m", "")


@pytest.fixture(params=NASTY)
def nasty(request):
    return NASTY[request.param]


@pytest.fixture
def record(nasty):
    """A run whose every text is nasty."""
    made_record = made(
        title=nasty, tags=nasty, note=nasty, instance={"lexicon": nasty}, run_file=nasty
    )
    with History() as history:
        number = history.put(made_record)
        # What a program changed, or a plug-in said.
        history._connection.execute("UPDATE runs SET solver_title = ?", (nasty,))
    return number


def test_a_list_has_a_line_a_run_and_a_cell_a_column(command, record, nasty):
    status, out, _ = command("history", "list")
    assert status == 0
    assert out.count("\n") == 1
    assert len(out.split("\t")) == 10
    assert out.split("\t")[3] == one_line(nasty)
    assert not steers(out.replace("\t", ""))


def test_the_list_of_a_terminal_says_the_same(command, record, nasty, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    _, out, _ = command("history", "list")
    assert one_line(nasty) in out
    assert not steers(without_bold(out))


def test_a_record_is_shown_line_by_line(command, record, nasty):
    _, out, _ = command("history", "show", record)
    assert not steers(out)
    for fact in ("run file", "tags", "note"):
        (line,) = [line for line in out.splitlines() if line.startswith(f"{fact}  ")]
        text = nasty.replace("\n", " ") if fact == "note" else nasty
        assert line.removeprefix(fact).strip() == one_line(text)


@pytest.mark.every(4)
def test_a_table_holds_no_formula_and_json_is_exact(command, record, nasty, tmp_path):
    for flags in ((), ("--out", tmp_path / "runs.csv")):
        _, out, _ = command("history", "export", "--csv", *flags)
        text = (tmp_path / "runs.csv").read_bytes().decode() if flags else out
        (row,) = csv.DictReader(text.splitlines(keepends=True))
        for column in ("title", "tags", "note", "solver_title", "run_file"):
            assert row[column] == csv_cell(nasty)
            assert row[column][:1] not in tuple("=+-@\t\r")
        assert row["seed"] == "7"
    _, out, _ = command("history", "export", "--json")
    assert json.loads(out)[0]["title"] == nasty
    _, out, _ = command("history", "list", "--json")
    assert json.loads(out)[0]["title"] == nasty


@pytest.mark.every(4)
@pytest.mark.parametrize("kind", FILES)
def test_a_run_tells_of_its_files_in_lines(command, tmp_path, kind):
    name = NASTY[kind]
    words, grid, run = (tmp_path / f"{name}{end}" for end in (".txt", ".grid", ".tilelab"))
    words.write_text(f"ab\nba\n{'x' * 300}{name}\n!!{name[:1]}\x1b[31m\n", "utf-8")
    status, out, err = command(
        "run", "boggle", *SMALL, "--lexicon", words, "--out", grid, "--save-run", run
    )
    assert status == 0, err
    assert f"Wrote {one_line(str(grid))}\n" in out
    assert one_line(words.name) in err
    assert not steers(out + err)
    for arguments in (
        ["score", "boggle", grid, "--lexicon", words],
        ["resume", run, "--limit", 3],
        ["resume", f"{run}?"],
        ["score", "boggle", words],
        ["run", "boggle", "--start", words],
        ["run", "boggle", "--lexicon", tmp_path / "none" / name],
        ["run", "boggle", "--out", tmp_path / "none" / name],
        ["run", "sliding", "--boards", words],
    ):
        _, out, err = command(*arguments)
        assert not steers(out + err), arguments


@pytest.mark.every(4)
def test_values_that_are_refused_are_quoted_as_text(command, nasty):
    for arguments in (
        ["run", "boggle", "--solver", nasty],
        ["run", "boggle", "--seed", nasty],
        ["run", "boggle", "--parents", nasty],
        ["run", "boggle", "--accents", nasty],
        ["run", "sliding", "--tiles", nasty],
        ["run", "sliding", "--number", nasty],
        ["run", "wordtiles", "--letters", nasty],
        ["run", nasty],
        ["list", nasty],
        ["history", "show", nasty],
        ["history", "list", "--sort", nasty],
        ["resume", nasty],
        ["resume", "--discard", nasty],
        ["tables", "build", nasty],
        [nasty],
        [f"--{nasty}"],
    ):
        status, out, err = command(*arguments)
        # A run that there is not, or that cannot be deleted, is no fault in the words.
        assert status == 2 or (status == 1 and arguments[0] == "resume"), arguments
        assert not steers(out + err), arguments
        assert err.count("\n") == 1, arguments


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "boggle", "--solver", "x" * 5000],
        ["run", "boggle", "--seed", "x" * 5000],
        ["run", "boggle", "--parents", "x" * 5000],
        ["run", "boggle", "--accents", "x" * 5000],
        ["run", "boggle", "--lexicon", "x" * 5000],
        ["run", "boggle", "--start", "x" * 5000],
        ["run", "boggle", "--out", "x" * 5000],
        ["run", "boggle", "--out", "x/" * 2000],
        ["run", "boggle", "--lexicon", "~" + "x" * 5000],
        ["run", "sliding", "--tiles", "x" * 5000],
        ["run", "sliding", "--number", "x" * 5000],
        ["run", "sliding", "--goal-board", "x" * 5000],
        ["run", "wordtiles", "--letters", "x" * 5000],
        ["run", "x" * 5000],
        ["score", "boggle", "x" * 5000],
        ["list", "x" * 5000],
        ["history", "show", "x" * 5000],
        ["history", "list", "--sort", "x" * 5000],
        ["resume", "x" * 5000],
        ["resume", "--discard", "x" * 5000],
        ["tables", "build", "x" * 5000],
        ["x" * 5000],
        ["--" + "x" * 5000],
        ["run", "boggle", "--accents=" + "x" * 5000],
    ],
)
def test_at_most_eighty_characters_of_a_bad_value_are_quoted(command, arguments):
    status, _, err = command(*arguments)
    assert status in (1, 2)
    assert err.count("x" * 10) <= 8
    assert err.count("x/") <= 40


@pytest.mark.every(4)
def test_kept_runs_are_listed_in_lines(command, nasty, monkeypatch):
    session = session_of()
    monkeypatch.setattr(LexiconPuzzle, "title", nasty)
    killed(saved(session))
    for is_terminal in (False, True):
        monkeypatch.setattr(sys.stdout, "isatty", lambda seen=is_terminal: seen, raising=False)
        monkeypatch.setenv("COLUMNS", "250")
        _, out, _ = command("resume", "--list")
        assert one_line(nasty) in out
        assert not steers(without_bold(out).replace("\t", ""))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False, raising=False)
    _, out, _ = command("resume", "--list")
    assert out.count("\n") == 1
    assert out.count("\t") == 8
