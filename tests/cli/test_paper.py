"""``tilelab paper``: what it lists, prints, writes and refuses."""

import json
import signal

import pytest

from tests.workers_here import Here
from tilelab.cli import paper as paper_module
from tilelab.experiments.papers import TABLES, Comparison, PaperTable, TableRun, exact, tables
from tilelab.experiments.pilot import TimeEstimate
from tilelab.experiments.workers import StopRequest


@pytest.fixture(autouse=True)
def here(monkeypatch):
    """No processes of their own."""
    monkeypatch.setattr("tilelab.experiments.sweep.Processes", Here)


def test_without_a_name_the_tables_are_listed(command):
    status, out, err = command("paper")
    assert (status, err) == (0, "")
    listed = [line.split("\t") for line in out.splitlines()]
    assert [name for name, *_ in listed] == [table.key for table in tables()]
    assert ["naz-table-1", "Naz et al. 2016, Table I"] in [cells[:2] for cells in listed]


def test_a_table_is_printed_for_users_and_for_programs(command, tmp_path):
    out = tmp_path / "made"
    words = ("paper", "naz-table-5", "--small", "--out", out)
    status, printed, err = command(*words)
    assert status == 0, err
    assert printed.startswith("# Naz et al. 2016, Table V: Running times of 16 agents\n\n| iter")
    assert (out / "comparison.md").read_text("utf-8") == printed
    assert (out / "one-board" / "rows.csv").exists()
    assert f"Wrote {out}/comparison.md" in err
    status, _, err = command(*words)
    assert (status, "--resume continues with them" in err) == (1, True)
    status, printed, _ = command(*words, "--resume", "--json")
    found = json.loads(printed)
    assert (status, found["table"], found["small"]) == (0, "naz-table-5", True)
    status, printed, _ = command(*words, "--resume", "--format", "csv")
    assert printed.splitlines()[0].startswith("iterations,steps,figure,printed,here,95 % interval,")
    status, printed, err = command(*words, "--resume", "--format", "latex")
    assert printed.startswith("\\begin{tabular}{llllllll}\n\\toprule\niterations & steps & figure")
    # How many rows agree is no part of the table.
    assert printed.endswith("\\end{tabular}\n")
    assert err.splitlines()[0].endswith(".")


class StoppedAtOnce(StopRequest):
    """The user has pressed Ctrl-C before anything was handed out."""

    def __init__(self, interruption):
        super().__init__()
        interruption.number = signal.SIGINT
        self.stop()


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("naz-table-5", ()),
        ("naz-table-5", ("--small",)),
        ("deepcubea", ("--small", "--seconds", "2.5")),
    ],
)
def test_a_table_that_is_stopped_says_how_it_goes_on(command, tmp_path, monkeypatch, name, more):
    monkeypatch.setattr(paper_module, "StopBySignal", StoppedAtOnce)
    monkeypatch.setattr(TableRun, "estimate", lambda _: TimeEstimate(180, 20.0, 20.0))
    out = tmp_path / "made"
    status, printed, err = command("paper", name, "--out", out, "--workers", 2, *more)
    assert (status, printed) == (130, "")
    again = f"tilelab paper {name} --out {out} {' '.join([*more, '--resume'])}\n"
    assert err.endswith(f"Stopped. To continue: {again}")
    assert ("180 runs, about 10 s with 2 workers" in err) == (not more)
    status, _, err = command("paper", name, *more)
    assert (status, err.splitlines()[-1]) == (130, "Stopped. Nothing is kept without --out.")


def test_a_table_without_runs_is_written_too(command, tmp_path, monkeypatch):
    table = PaperTable(
        key="test-measured",
        title="Counted",
        source="Nobody 1900",
        plans=lambda small: {},
        compare=lambda kept: Comparison(("of",), (exact(("all",), "3", 3),), ("A note.",)),
        seconds=0,
    )
    monkeypatch.setitem(TABLES, table.key, table)
    status, _, err = command("paper", table.key, "--out", tmp_path / "new" / "made")
    assert (status, err) == (0, f"Wrote {tmp_path}/new/made/comparison.md\n")
    written = (tmp_path / "new" / "made" / "comparison.md").read_text("utf-8")
    assert "| all | 3 | 3 |  | agrees |" in written


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("naz-table-9",), "'naz-table-9' is not a table of a paper"),
        (("naz-table-5", "--format", "odt"), "--format: 'odt' is not one of markdown, latex, csv"),
        (("naz-table-5", "--workers", "none"), "--workers"),
        (("naz-table-5", "--seconds", "3"), "the runs of naz-table-5 have no limit of seconds"),
        (("deepcubea", "--seconds", "0"), "--seconds"),
    ],
)
def test_what_cannot_be_is_refused(command, words, said):
    status, out, err = command("paper", *words)
    assert (status, out) == (2, "")
    assert said in err
