"""``tilelab tune``: what it prints, writes and refuses; killed, it loses and repeats nothing."""

import csv
import importlib.util
import json

import pytest

from tests.experiments.test_sweep import NEEDS_KILLING, start, wait_beside
from tests.patience import MAX_SECONDS
from tests.workers_here import Here
from tilelab.cli import tune as tune_module
from tilelab.cli.sweep import StopBySignal
from tilelab.experiments.results import read_results

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("optuna") is None, reason="Optuna is an extra"
)
PLAN = """
seed = 3
repeats = 2
[puzzle]
kind = "boggle"
lexicon = "us-states"
rows = 4
cols = 4
[[solvers]]
solver = "genetic"
[solvers.axes]
mutation = {from = 0, to = 60, step = 5}
letters = ["uniform", "frequency"]
[limits]
units = 9
[tune]
trials = 4
held_out = 6
"""
LONGER = (
    PLAN.replace("units = 9", "evaluations = 20_000")
    .replace("trials = 4", "trials = 12")
    .replace("repeats = 2", "repeats = 4")
)


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


@pytest.mark.exhaustive
@pytest.mark.usefixtures("here")
def test_people_read_what_was_found_beside_the_default(command, plan, tmp_path):
    out = tmp_path / "tuned"
    status, printed, err = command("tune", plan, "--out", out)
    assert (status, err) == (0, "")
    assert printed.startswith("4 trials: ")
    assert "| parameter | default | tuned | importance |" in printed
    assert "\n| mutation | 20 | " in printed
    assert "\n| the default | 6 | " in printed
    assert "95 % interval of the difference" in printed
    assert '[[solvers]]\nsolver = "genetic"\n[solvers.params]\nmutation = ' in printed
    assert "\ntilelab run boggle --lexicon us-states --rows 4 --cols 4 --solver gen" in printed
    assert printed.endswith(f"All trials: {out}/trials.csv\n")
    with (out / "trials.csv").open(newline="", encoding="utf-8") as stream:
        table = list(csv.DictReader(stream))
    assert [row["trial"] for row in table] == ["1", "2", "3", "4"]
    assert (table[0]["state"], table[0]["mutation"], table[0]["letters"]) == (
        "done",
        "20",
        "uniform",
    )
    status, _, err = command("tune", plan, "--out", out)
    assert status == 1
    assert err.endswith("has 4 of this plan's 4 trials already; --resume continues with them\n")
    assert command("tune", plan, "--out", out, "--resume") == (0, printed, "")


class Stopped(StopBySignal):
    """The user has pressed Ctrl-C."""

    def is_stopped(self):
        self._interruption.number = 2
        return True


@pytest.mark.usefixtures("here")
def test_stopped_it_says_how_to_go_on(command, plan, tmp_path, monkeypatch):
    monkeypatch.setattr(tune_module, "StopBySignal", Stopped)
    status, printed, err = command("tune", plan, "--out", tmp_path / "tuned", "--json")
    assert status == 130
    assert err == f"Stopped. To continue: tilelab tune {plan} --out {tmp_path}/tuned --resume\n"
    result = json.loads(printed)
    assert (result["n_done"], result["best"], result["held_out"]) == (0, None, None)


def test_errors_are_a_sentence(command, plan, tmp_path):
    plan.write_text(PLAN.replace("[solvers.axes]", "[solvers.params]").split("mutation")[0])
    status, out, err = command("tune", plan, "--out", tmp_path / "tuned")
    assert (status, out) == (2, "")
    assert err.startswith("solvers[1].axes: there is nothing to tune; ")
    assert err.count("\n") == 1
    assert not (tmp_path / "tuned").exists()


def wait_for_runs(process, folder):
    """Wait until some runs are on disk: the log of the database has grown by more than a few."""
    log = folder / "runs" / "sweep.sqlite-wal"
    wait_beside(process, lambda: log.exists() and log.stat().st_size > 120_000)


@pytest.mark.exhaustive
@pytest.mark.long
@NEEDS_KILLING
def test_killed_it_goes_on_to_what_it_would_have_come_to(command, plan, tmp_path):
    plan.write_text(LONGER, "utf-8")
    folder, words = tmp_path / "killed", ("--workers", 2, "--json")
    with start(plan, "--out", folder, *words, command="tune") as killed:
        wait_for_runs(killed, folder)
        killed.kill()
        killed.communicate(timeout=MAX_SECONDS)
    kept = read_results(folder / "runs")
    assert kept.rows
    with start(plan, "--out", folder, *words, "--resume", command="tune") as resumed:
        out, err = resumed.communicate(timeout=MAX_SECONDS)
    assert resumed.returncode == 0, err
    later = read_results(folder / "runs")
    by_place = dict(zip(later.places, later.rows, strict=True))
    # The very same rows, their times too: none was done again.
    assert [by_place[place] for place in kept.places] == list(kept.rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tilelab.experiments.sweep.Processes", Here)
        status, whole, _ = command("tune", plan, "--out", tmp_path / "whole", "--json")
    assert status == 0
    assert json.loads(out) == json.loads(whole)
