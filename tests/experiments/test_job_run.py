"""A run of a plan is the run that `tilelab run` does with its seed."""

import pickle
import shlex
import threading
from dataclasses import replace
from unittest import mock

import numpy as np
import pytest

from tests.experiments.plans import alone, jobs, small
from tests.fourth_puzzle import Zapping
from tilelab import catalog
from tilelab.core.errors import Stopped
from tilelab.core.solver import Best, NewBest, Progress, Status
from tilelab.experiments import job_run
from tilelab.experiments.job_run import run_job
from tilelab.experiments.sweep import run_bundle
from tilelab.runs.checkpoints.autosave import SavingPlan
from tilelab.runs.session import Session

KORF = {"kind": "sliding", "instances": "korf100"}
EIGHT = {"kind": "sliding", "rows": 3, "cols": 3}
LETTERS = {"kind": "wordtiles", "lexicon": "us-states"}
PLANS = {
    "boggle": small(
        solvers=[{"solver": key} for key in ("genetic", "annealing", "tabu")], repeats=1
    ),
    "bees": small(
        puzzle=LETTERS,
        instances={"random": 2},
        solvers=[{"solver": "bees", "params": {"agents": 4}}],
        repeats=1,
    ),
    "searches": small(
        puzzle=EIGHT,
        instances={"random": 2},
        solvers=[{"solver": key, "params": {"memory": 64}} for key in ("a-star", "greedy")],
        limits={},
        repeats=1,
    ),
    "korf": small(
        puzzle=KORF,
        instances={"numbers": [12]},
        solvers=[{"solver": "a-star", "params": {"expansions_per_update": 100}}],
        limits={"units": 3, "memory": 64},
        repeats=1,
    ),
    "evaluations": small(limits={"evaluations": 500}, repeats=1),
    "target": small(limits={"target": 4, "units": 50}, repeats=1),
    "idle": small(limits={"units_without_improvement": 3}, repeats=1),
    "seconds": small(limits={"seconds": 0.05}, repeats=1),
}

GOING_ON = {
    "units": small(limits={"units": 40}),
    "evaluations": small(limits={"evaluations": 5_000}),
    "solved": small(puzzle={**EIGHT, "board": "1 2 3 4 5 6 0 7 8"}, solvers=[{"solver": "a-star"}]),
    **{name: PLANS[name] for name in ("idle", "target", "bees")},
}


def row_of(job):
    return run_job(job).row


def without_seconds(improvements):
    return [improvement._replace(seconds=0.0) for improvement in improvements]


@pytest.mark.every(4)
@pytest.mark.parametrize("name", PLANS)
def test_a_run_is_what_its_command_does_alone(name, capsys):
    for job in jobs(PLANS[name]):
        row = row_of(job)
        assert row["error"] == ""
        result = alone(capsys, shlex.split(row["command"]))
        assert (row["solver"], row["seed"]) == (result["solver"], result["seed"])
        assert row["value"] == result["best"]["value"]
        assert (row["units"], row["best_unit"]) == (result["units"], result["best"]["unit"])
        assert row["evaluations"] == result["metrics"].pop("evaluations")
        assert row["metrics"] == result["metrics"]
        assert row["status"] == result["status"]
        assert row["params"].items() <= result["params"].items()
        if "limit_reached" in result and row["limit_reached"] in ("units", "iterations"):
            assert row["limit_reached"] == result["limit_reached"]


def test_the_limits_of_a_plan_end_a_run_with_the_unit_that_reaches_them():
    (row, _) = map(row_of, jobs(PLANS["evaluations"]))
    # A generation is 105 grids.
    assert (row["units"], row["evaluations"]) == (5, 525)
    assert (row["status"], row["limit_reached"]) == ("limit", "evaluations")
    for row in map(row_of, jobs(PLANS["target"])):
        assert (row["status"], row["limit_reached"]) == ("limit", "target")
        assert row["value"] >= 4
        assert row["best_unit"] == row["units"] - 1
    for row in map(row_of, jobs(PLANS["idle"])):
        assert row["limit_reached"] == "units_without_improvement"
        assert row["units"] == row["best_unit"] + 1 + 3
    for row in map(row_of, jobs(PLANS["seconds"])):
        assert row["limit_reached"] == "seconds"
        assert row["seconds"] >= 0.05


def test_a_run_that_ends_by_itself_says_so():
    plan = small(puzzle={**EIGHT, "board": "1 2 3 4 5 6 0 7 8"}, solvers=[{"solver": "a-star"}])
    row = row_of(jobs(plan)[0])
    assert (row["status"], row["limit_reached"], row["value"]) == ("solved", "", 0)
    assert (row["moves"], row["optimal"]) == (2, True)
    assert row["params"] == {}


def test_a_run_that_cannot_be_begun_has_failed():
    job = jobs(small())[0]
    row = row_of(replace(job, params={"mutation": 500}))
    assert (row["status"], row["value"], row["units"]) == ("failed", None, None)
    assert row["error"] == "mutation: 500 is outside 0..100"


class Failing(Zapping):
    def do_unit(self):
        raise ValueError("no current")


def test_a_solver_from_outside_runs_and_may_fail(lamps, monkeypatch):
    plan = {
        "puzzle": {"kind": "lamps", "lamps": "0000"},
        "solvers": [{"solver": "zapping", "params": {"zaps": 2}}],
    }
    (job,) = jobs(plan)
    row = row_of(job)
    assert (row["status"], row["value"], row["evaluations"]) == ("solved", 4, None)
    (counted,) = jobs({**plan, "limits": {"evaluations": 5}})
    assert row_of(counted)["error"] == (
        "evaluations: zapping does not count them; use another limit"
    )
    monkeypatch.setattr(catalog, "solver", lambda *_: Failing)
    assert row_of(job)["error"] == "ValueError: no current"


class OwnError(BaseException):
    """A class that only the plug-in knows, and that can neither be sent nor written out."""

    def __init__(self, one, two):
        super().__init__(one, two)
        self.lock = threading.Lock()

    def __str__(self):
        raise self


@pytest.mark.parametrize("method", ["create", "advance", "snapshot"])
@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OwnError(1, 2), "OwnError"),
        (type("MyError", (Exception,), {})("no\ncurrent"), "MyError: no current"),
        (SystemExit("enough"), "SystemExit: enough"),
        (GeneratorExit(), "GeneratorExit"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_whatever_a_solver_raises_is_its_row_and_the_others_go_on(
    method, error, said, lamps, tmp_path, monkeypatch
):
    """Noticed: an `except` with a list of classes, text or pickling of a foreign exception."""
    broken = jobs(
        {"puzzle": {"kind": "lamps", "lamps": "0000"}, "solvers": [{"solver": "zapping"}]}
    )[0]

    def fail(*_arguments):
        raise error

    monkeypatch.setattr(Zapping, method, fail)
    monkeypatch.setattr(SavingPlan, "wants", lambda *_: True)
    bundle = run_bundle([replace(broken, checkpoints=str(tmp_path)), jobs(small())[0]], 1e9)
    first, second = (outcome.row for _, outcome in bundle.outcomes)
    assert pickle.dumps(bundle)
    assert (first["status"], first["error"]) == ("failed", said)
    assert second["status"] == "limit"


def test_an_interruption_of_the_user_is_no_failed_run(lamps, monkeypatch, usual_signals):
    """Noticed: an interruption that is taken for an error of the solver."""
    broken = jobs(
        {"puzzle": {"kind": "lamps", "lamps": "0000"}, "solvers": [{"solver": "zapping"}]}
    )[0]
    monkeypatch.setattr(Zapping, "create", mock.Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        run_job(broken)


@pytest.mark.parametrize("name", ["idle", "evaluations", "bees", "korf"])
def test_a_run_that_was_broken_off_goes_on_from_its_checkpoint(name, tmp_path, monkeypatch):
    job = replace(jobs(PLANS[name])[0], checkpoints=str(tmp_path))
    whole = run_job(replace(job, checkpoints=""))
    n_units = []

    def run_slice(session, most_units=None):
        progress = original(session, 1)
        n_units.append(progress.units)
        if len(n_units) == 2:
            raise Stopped
        return progress

    original = Session.run_slice
    monkeypatch.setattr(Session, "run_slice", run_slice)
    monkeypatch.setattr(SavingPlan, "wants", lambda *_: True)
    with pytest.raises(Stopped):
        run_job(job)
    assert {file.name for file in tmp_path.iterdir()} == {"0.tilelab", "0.json"}
    again = run_job(job)
    # The second unit was lost, the first one was not done again.
    assert sum(n_units) == whole.row["units"] + 1
    assert {**again.row, "seconds": None} == {**whole.row, "seconds": None}
    assert without_seconds(again.improvements) == without_seconds(whole.improvements)


def test_a_run_that_was_killed_between_its_two_files_counts_no_improvement_twice(
    tmp_path, monkeypatch
):
    job = replace(jobs(PLANS["evaluations"])[0], checkpoints=str(tmp_path))
    whole = run_job(replace(job, checkpoints=""))
    written = []

    def save(session, file):
        if written and session.best.unit == session.units - 1:
            # What the file beside it has of this unit already, the run comes to once more.
            raise Stopped
        written.append(session.units)
        return original_save(session, file)

    original_save, original_tick = job_run.save_run, Session.run_slice
    monkeypatch.setattr(Session, "run_slice", lambda session, _most=None: original_tick(session, 1))
    monkeypatch.setattr(SavingPlan, "wants", lambda *_: True)
    with monkeypatch.context() as patch:
        patch.setattr(job_run, "save_run", save)
        with pytest.raises(Stopped):
            run_job(job)
    again = run_job(job)
    assert again.row["units"] == whole.row["units"] > written[-1]
    assert without_seconds(again.improvements) == without_seconds(whole.improvements)


@pytest.mark.every(3)
@pytest.mark.parametrize("name", GOING_ON)
def test_a_run_goes_on_with_further_limits_to_what_it_comes_to_at_once(name, tmp_path, monkeypatch):
    job = jobs(GOING_ON[name])[0]
    whole = run_job(job)
    n_units = []

    def run_slice(session, most_units=None):
        progress = original(session, most_units)
        n_units.append(progress.units)
        return progress

    original = Session.run_slice
    monkeypatch.setattr(Session, "run_slice", run_slice)
    kept = replace(job, state=str(tmp_path / "state.tilelab"))
    budgets = ("units", "evaluations")
    for part in (9, 3, 1):
        limits = {
            key: -(-limit // part) if key in budgets and limit else limit
            for key, limit in job.limits.items()
        }
        outcome = run_job(replace(kept, limits=limits))
        # Its row was lost, perhaps, when all else was kept.
        again = run_job(replace(kept, limits=limits))
        assert without_seconds(again.improvements) == without_seconds(outcome.improvements)
        assert {**again.row, "seconds": None} == {**outcome.row, "seconds": None}
    assert sum(n_units) == whole.row["units"]
    assert {**outcome.row, "seconds": None} == {**whole.row, "seconds": None}
    assert without_seconds(outcome.improvements) == without_seconds(whole.improvements)


@pytest.mark.parametrize("content", [b"nothing", None])
def test_a_checkpoint_that_cannot_be_used_is_left_aside(content, tmp_path, monkeypatch):
    first, second = jobs(small(repeats=2))[:2]
    if content is None:  # of another seed
        monkeypatch.setattr(SavingPlan, "wants", lambda *_: True)
        row_of(replace(second, place=0, checkpoints=str(tmp_path)))
    else:
        (tmp_path / "0.tilelab").write_bytes(content)
    whole = row_of(first)
    row = row_of(replace(first, checkpoints=str(tmp_path)))
    assert {**row, "seconds": None} == {**whole, "seconds": None}


def test_a_run_that_is_over_soon_is_not_kept(tmp_path):
    row_of(replace(jobs(small())[0], checkpoints=str(tmp_path)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.every(3)
@pytest.mark.parametrize(
    "plan",
    [
        small(limits={"units": 40}, repeats=1),
        small(solvers=[{"solver": "annealing"}], limits={"units": 40}),
        PLANS["bees"],
        PLANS["searches"],
    ],
)
def test_improvements_do_not_depend_on_the_slices(plan, monkeypatch):
    job = jobs(plan)[0]
    whole = run_job(job)
    found = whole.improvements
    assert [improvement.unit for improvement in found] == sorted({each.unit for each in found})
    assert found[-1].unit == whole.row["best_unit"]
    assert found[-1].value == whole.row["value"]
    assert found[-1].n_moves == whole.row["moves"]
    counts = [improvement.evaluations for improvement in found]
    assert counts == sorted(counts)
    assert 0 < counts[-1] <= whole.row["evaluations"]
    original = Session.run_slice
    monkeypatch.setattr(Session, "run_slice", lambda session, most_units=None: original(session, 1))
    assert without_seconds(run_job(job).improvements) == without_seconds(found)


def test_a_solver_that_says_only_its_newest_best_has_improvements(lamps, monkeypatch):
    plan = {"puzzle": {"kind": "lamps", "lamps": "0000"}, "solvers": [{"solver": "zapping"}]}
    (job,) = jobs(plan)
    original = Zapping.advance
    monkeypatch.setattr(
        Zapping, "advance", lambda zap, units: replace(original(zap, units), new_bests=())
    )
    outcome = run_job(job)
    assert outcome.improvements[-1].value == outcome.row["value"] == 4
    assert outcome.improvements[-1].evaluations is None


def test_improvements_keep_the_first_and_the_newest(monkeypatch):
    monkeypatch.setattr(job_run, "MAX_IMPROVEMENTS", 8)
    history = job_run.Checkpoints(Session(), None)
    for unit in range(100):
        new = NewBest(Best(np.zeros(1, np.uint8), float(unit), unit), unit)
        history.note(Progress(Status.RUNNING, 1, np.empty((1, 0)), None, "", 1, (new,)))
    kept = [improvement.unit for improvement in history.improvements]
    assert (kept[0], kept[-1]) == (0, 99)
    assert len(kept) <= 8
