"""A run of a plan is the run that `tilelab run` does with its seed."""

import shlex

import pytest

from tests.experiments.plans import alone, jobs, small
from tests.fourth_puzzle import Zapping
from tilelab import catalog
from tilelab.experiments.cell_run import run_job
from tilelab.runs.checkpoints.saving_plan import SavingPlan
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


@pytest.mark.parametrize("name", PLANS)
def test_a_run_is_what_its_command_does_alone(name, capsys):
    for job in jobs(PLANS[name]):
        row = run_job(job)
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
    (row, _) = map(run_job, jobs(PLANS["evaluations"]))
    # A generation is 105 grids.
    assert (row["units"], row["evaluations"]) == (5, 525)
    assert (row["status"], row["limit_reached"]) == ("limit", "evaluations")
    for row in map(run_job, jobs(PLANS["target"])):
        assert (row["status"], row["limit_reached"]) == ("limit", "target")
        assert row["value"] >= 4
        assert row["best_unit"] == row["units"] - 1
    for row in map(run_job, jobs(PLANS["idle"])):
        assert row["limit_reached"] == "units_without_improvement"
        assert row["units"] == row["best_unit"] + 1 + 3
    for row in map(run_job, jobs(PLANS["seconds"])):
        assert row["limit_reached"] == "seconds"
        assert row["seconds"] >= 0.05


def test_a_run_that_ends_by_itself_says_so():
    plan = small(puzzle={**EIGHT, "board": "1 2 3 4 5 6 0 7 8"}, solvers=[{"solver": "a-star"}])
    row = run_job(jobs(plan)[0])
    assert (row["status"], row["limit_reached"], row["value"]) == ("solved", "", 0)
    assert (row["moves"], row["optimal"]) == (2, True)
    assert row["params"] == {}


def test_a_run_that_cannot_be_begun_has_failed():
    job = jobs(small())[0]
    row = run_job({**job, "params": {"mutation": 500}})
    assert (row["status"], row["value"], row["units"]) == ("failed", None, None)
    assert row["error"] == "mutation: 500 is outside 0..100"


class Failing(Zapping):
    def _do_unit(self):
        raise ValueError("no current")


def test_a_solver_from_outside_runs_and_may_fail(lamps, monkeypatch):
    plan = {
        "puzzle": {"kind": "lamps", "lamps": "0000"},
        "solvers": [{"solver": "zapping", "params": {"zaps": 2}}],
    }
    (job,) = jobs(plan)
    row = run_job(job)
    assert (row["status"], row["value"], row["evaluations"]) == ("solved", 4, None)
    (counted,) = jobs({**plan, "limits": {"evaluations": 5}})
    assert run_job(counted)["error"] == (
        "limits.evaluations: zapping does not count them; another limit is needed"
    )
    monkeypatch.setattr(catalog, "solver", lambda *_: Failing)
    assert run_job(job)["error"] == "ValueError: no current"


class DiedError(BaseException):
    """What no run catches."""


@pytest.mark.parametrize("name", ["idle", "evaluations", "bees", "korf"])
def test_a_run_that_was_broken_off_goes_on_from_its_checkpoint(name, tmp_path, monkeypatch):
    job = {**jobs(PLANS[name])[0], "checkpoints": str(tmp_path)}
    whole = run_job({**job, "checkpoints": ""})
    n_units = []

    def tick(session, most_units=None):
        progress = original(session, 1)
        n_units.append(progress.units)
        if len(n_units) == 2:
            raise DiedError
        return progress

    original = Session.tick
    monkeypatch.setattr(Session, "tick", tick)
    monkeypatch.setattr(SavingPlan, "wants", lambda *_: True)
    with pytest.raises(DiedError):
        run_job(job)
    assert [file.name for file in tmp_path.iterdir()] == [f"{job['place']}.tilelab"]
    row = run_job(job)
    # The second unit was lost, the first one was not done again.
    assert sum(n_units) == whole["units"] + 1
    assert {**row, "seconds": None} == {**whole, "seconds": None}


@pytest.mark.parametrize("content", [b"nothing", None])
def test_a_checkpoint_that_cannot_be_used_is_left_aside(content, tmp_path, monkeypatch):
    first, second = jobs(small(repeats=2))[:2]
    if content is None:  # of another seed
        monkeypatch.setattr(SavingPlan, "wants", lambda *_: True)
        run_job({**second, "place": 0, "checkpoints": str(tmp_path)})
    else:
        (tmp_path / "0.tilelab").write_bytes(content)
    whole = run_job(first)
    row = run_job({**first, "checkpoints": str(tmp_path)})
    assert {**row, "seconds": None} == {**whole, "seconds": None}


def test_a_run_that_is_over_soon_is_not_kept(tmp_path):
    run_job({**jobs(small())[0], "checkpoints": str(tmp_path)})
    assert list(tmp_path.iterdir()) == []
