"""``tilelab sweep``: what it prints, writes, asks and refuses."""

import csv
import json
import re
import signal
import sys

import pytest

from tests.workers_here import Here
from tilelab.cli import sweep as sweep_module
from tilelab.core.errors import TileLabError
from tilelab.experiments import sweep
from tilelab.experiments.job_run import Outcome, failed_row, run_job
from tilelab.experiments.jobs import runs_of
from tilelab.experiments.plan import read_plan
from tilelab.experiments.results import Results

PLAN = """
title = "Mutation rate"
seed = 1
repeats = 2
[puzzle]
kind = "boggle"
lexicon = "us-states"
rows = 4
cols = 4
[[solvers]]
solver = "genetic"
[solvers.axes]
mutation = [5, 60]
[limits]
units = 5
"""
KEYS = {"solver", "params", "instance", "repeat", "seed", "status", "units", "evaluations"}


@pytest.fixture
def here(monkeypatch):
    """No processes of their own."""
    monkeypatch.setattr("tilelab.experiments.sweep.Processes", Here)


@pytest.fixture
def plan(tmp_path):
    """The plan's file."""
    file = tmp_path / "plan.toml"
    file.write_text(PLAN, "utf-8")
    return file


@pytest.mark.parametrize("detour", ["../" * 40, "missing/../" * 600 + "../" * 40])
def test_folders_may_be_named_with_many_detours(command, plan, tmp_path, monkeypatch, here, detour):
    """SQLite opens nothing above the root; making folders calls itself for each part."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TILELAB_DATA_DIR", f"{detour}{tmp_path}/data")
    status, _, err = command("sweep", plan, "--out", f"{detour}{tmp_path}/results")
    assert (status, (tmp_path / "results" / "rows.csv").is_file()) == (0, True), err
    assert command("history", "list")[0] == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["data", "plan.toml", "results"]


@pytest.mark.usefixtures("here")
def test_one_object_is_printed_and_the_table_holds_the_same(command, plan, tmp_path):
    out = tmp_path / "results"
    status, printed, err = command("sweep", plan, "--out", out, "--workers", 2, "--json")
    assert (status, printed.count("\n")) == (0, 1), err
    result = json.loads(printed)
    assert list(result) == ["n_runs", "n_done", "n_failed", "rows"]
    assert [result[name] for name in ("n_runs", "n_done", "n_failed")] == [4, 4, 0]
    assert all({*KEYS, "seconds", "value"} <= row.keys() for row in result["rows"])
    assert [row["params"] for row in result["rows"]] == [{"mutation": 5}] * 2 + [
        {"mutation": 60}
    ] * 2
    with (out / "rows.csv").open(newline="", encoding="utf-8") as stream:
        table = list(csv.DictReader(stream))
    for row, written in zip(result["rows"], table, strict=True):
        assert list(written)[: len(row)] == list(row)
        assert json.loads(written["params"]) == row["params"]
        assert written["value"] == str(row["value"])
        assert written["seconds"] == str(row["seconds"])
    row = result["rows"][3]
    words = ("--rows", 4, "--cols", 4, "--mutation", 60, "--limit", 5, "--seed", row["seed"])
    alone = command("run", "boggle", "--lexicon", "us-states", *words, "--json")
    assert json.loads(alone[1])["best"]["value"] == row["value"]


@pytest.mark.usefixtures("here")
def test_a_sweep_for_people_ends_with_a_sentence(command, plan, tmp_path):
    out = tmp_path / "results"
    status, printed, err = command("sweep", plan, "--out", out)
    assert (status, printed) == (0, f"4 of 4 runs done: {out}/rows.csv\n")
    assert re.fullmatch(r"4 runs, (less than a second|about \d+ s) with 1 worker\n", err)


@pytest.mark.usefixtures("here")
def test_what_is_done_is_not_done_again(command, plan, tmp_path):
    words = ("sweep", plan, "--out", tmp_path / "results", "--json")
    first = command(*words)[:2]
    status, out, err = command(*words)
    assert (status, out) == (1, "")
    assert "has 4 of this plan's 4 runs already; --resume continues with them" in err
    assert command(*words, "--resume") == (*first, "")
    plan.write_text(PLAN.replace("units = 5", "units = 6"), "utf-8")
    status, _, err = command(*words, "--resume")
    assert status == 1
    assert "holds the results of another plan: limits.units was 5 and is 6" in err


@pytest.mark.usefixtures("here")
def test_runs_that_fail_are_named_and_the_others_are_done(command, plan, tmp_path):
    plan.write_text(
        PLAN.replace("units = 5", "evaluations = 500").replace(
            "mutation = [5, 60]", "mutation = [5]"
        ),
        "utf-8",
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tilelab.puzzles.boggle.solvers.genetic.Genetic.n_evaluated", None)
        status, out, err = command("sweep", plan, "--out", tmp_path / "results", "--json")
    result = json.loads(out)
    assert (status, result["n_done"], result["n_failed"]) == (1, 0, 2)
    assert {row["status"] for row in result["rows"]} == {"failed"}
    error = "evaluations: genetic does not count them; use another limit"
    assert err.splitlines()[1:] == [f"2 runs failed; the first with: {error}"]
    # They are tried again, twice more at most.
    status, out, _ = command("sweep", plan, "--out", tmp_path / "results", "--json", "--resume")
    assert (status, json.loads(out)["n_done"]) == (0, 2)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("n_before", "status", "said"),
    [
        (1, 130, r"Stopped; 3 runs left\. To continue: tilelab sweep .* --resume"),
        (4, 1, r"1 run failed; the first with: no current"),
    ],
)
def test_a_run_that_has_failed_is_not_left(
    n_before, status, said, command, plan, tmp_path, monkeypatch
):
    done = []

    def run(job):
        done.append(job.place)
        if len(done) == n_before:
            signal.raise_signal(signal.SIGINT)
        is_first = job.place == 0
        return Outcome(failed_row(job, "no current")) if is_first else run_job(job)

    monkeypatch.setattr(sweep, "BUNDLE_SECONDS", 0.0)
    monkeypatch.setattr(sweep, "run_job", run)
    ended, out, err = command("sweep", plan, "--out", tmp_path / "results", "--json")
    result = json.loads(out)
    assert (result["n_done"], result["n_failed"]) == (n_before - 1, 1)
    assert ended == status
    assert re.fullmatch(said, err.splitlines()[-1])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--workers", "0"), "--workers: '0' is not a whole number in 1..1024"),
        (("--workers", "two"), "--workers: 'two' is not a whole number in 1..1024"),
    ],
)
def test_wrong_words(words, said, command, plan, tmp_path):
    assert command("sweep", plan, "--out", tmp_path / "results", *words) == (2, "", f"{said}\n")
    assert not (tmp_path / "results").exists()


TUNE = "[tune]\ntrials = 3\nheld_out = 5\n"
RECORDS = ("boggle", "--lexicon", "us-states", "--rows", 3, "--cols", 3, "--limit", 2, "--seeds", 7)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("words", "n_runs"),
    [
        (("sweep", "plan.toml", "--out", "new"), 4),
        (("sweep", "plan.toml", "--out", "begun", "--resume"), 1),
        (("tune", "tune.toml", "--out", "new"), 10),
        (("paper", "naz-table-5", "--small"), 12),
        (("records", "run", *RECORDS), 7),
    ],
)
def test_no_command_starts_more_workers_than_there_are_runs(
    command, plan, tmp_path, monkeypatch, words, n_runs
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tune.toml").write_text(PLAN + TUNE, "utf-8")
    runs = runs_of(read_plan(plan), tmp_path)
    with Results(tmp_path / "begun", runs, resume=False) as results:
        results.keep([(place, run_job(runs.job(place))) for place in range(3)])

    def refuse(requested, *, n_runs, **_):
        raise TileLabError(f"{requested} for {n_runs} runs")

    for module in ("tilelab.experiments.sweep", "tilelab.cli.record_search"):
        monkeypatch.setattr(f"{module}.Processes", refuse)
    status, _, err = command(*words, "--workers", 30)
    assert (status, err.splitlines()[-1]) == (1, f"30 for {n_runs} runs")


def test_it_is_said_when_fewer_workers_are_started(command, plan, tmp_path, here, monkeypatch):
    monkeypatch.setattr(Here, "remark", "Starting fewer.")
    status, _, err = command("sweep", plan, "--out", tmp_path / "results", "--workers", 30)
    assert (status, err.splitlines()[0]) == (0, "Starting fewer.")


def test_a_plan_with_an_error_begins_nothing(command, plan, tmp_path):
    plan.write_text(PLAN.replace("[5, 60]", "[5, 600]"), "utf-8")
    status, out, err = command("sweep", plan, "--out", tmp_path / "results")
    assert (status, out) == (2, "")
    assert err == "solvers[1].axes.mutation: 600 is outside 0..100\n"
    assert not (tmp_path / "results").exists()


def test_a_cluster_needs_dask(command, plan, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "tilelab.experiments.cluster", raising=False)
    words = ("--scheduler", "tcp://127.0.0.1:8786")
    status, _, err = command("sweep", plan, "--out", tmp_path / "results", *words)
    assert status == 1
    assert "Dask, which is not installed: pip install 'tilelab[cluster]'" in err


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("answer", "n_done"), [(False, 0), (True, 4)])
def test_many_runs_are_asked_for_where_somebody_can_answer(
    answer, n_done, command, plan, tmp_path, monkeypatch
):
    asked = []

    def confirm(text, *, err):
        asked.append(text)
        return answer

    monkeypatch.setattr(sweep_module, "MAX_UNASKED", 3)
    monkeypatch.setattr(sweep_module.click, "confirm", confirm)
    monkeypatch.setattr(sweep_module, "_can_answer", lambda: True)
    status, out, _ = command("sweep", plan, "--out", tmp_path / "results")
    (question,) = asked
    how_long = r"(less than a second|about \d+ s) with 1 worker"
    assert re.fullmatch(rf"This plan makes 4 runs, {how_long}\. Continue\?", question)
    assert (status, "4 of 4 runs done" in out) == (0, bool(n_done))
    words = ("--out", tmp_path / ("others" if answer else "results"))
    status, out, _ = command("sweep", plan, *words, "--yes")
    assert (len(asked), "4 of 4 runs done" in out) == (1, True)
    monkeypatch.setattr(sweep_module, "_can_answer", lambda: False)
    _, out, _ = command("sweep", plan, "--out", tmp_path / "third")
    assert (len(asked), "4 of 4 runs done" in out) == (1, True)


def test_a_folder_without_a_name_is_refused(command, plan, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert command("sweep", plan, "--out", "") == (
        *(2, ""),
        "--out: '' is not the name of a file or folder\n",
    )
    assert list(tmp_path.iterdir()) == [plan]
