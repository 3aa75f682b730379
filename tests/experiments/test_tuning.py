"""Tuning the genetic algorithm on small boards: what is tried, kept, compared and refused."""

import importlib.util
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.experiments.plans import STATES
from tests.workers_here import Here, follow
from tilelab.core.errors import RunError, TileLabError, UsageError
from tilelab.experiments.job_run import failed_row, run_job
from tilelab.experiments.plan import plan_of, read_plan
from tilelab.experiments.results import read_results
from tilelab.experiments.tuning import trials as trials_module
from tilelab.experiments.tuning.trials import (
    DONE,
    FAILED,
    PRUNED,
    held_out_runs,
    mean_figure,
    rung_limits,
    task_of,
    verdict,
)
from tilelab.experiments.tuning.tune import SolverTuning, summary, toml, trial_lines
from tilelab.experiments.workers import StopRequest

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("optuna") is None, reason="Optuna is an extra"
)
PROJECT = Path(__file__).parents[2]
AXES = {"mutation": {"from": 0, "to": 40, "step": 5}, "parents": [3, 6, 9, 15]}


def raw(n_trials=5, **more):
    tune = {"trials": n_trials, "held_out": 3}
    return {
        "seed": 12,
        "repeats": 2,
        "puzzle": STATES,
        "solvers": [{"solver": "genetic", "axes": AXES}],
        "limits": {"units": 9},
        "tune": tune,
        **more,
    }


def task(**more):
    return task_of(plan_of(raw(**more)))


class StopsAfter(StopRequest):
    """Asks for an end after so many reports."""

    def __init__(self, n_reports=None):
        super().__init__()
        self.n_left = n_reports

    def is_stopped(self):
        return self.n_left is not None and self.n_left <= 0

    def report(self, progress):
        if self.n_left is not None:
            self.n_left -= 1


def tuned(folder, plan, n_reports=None, *, resume=False):
    """Tune here; returns whether it is done, and its outcome."""
    request = StopsAfter(n_reports)
    with SolverTuning(folder, plan_of(plan), resume=resume) as tuning:
        follow(tuning.steps(Here(1), request), request.report)
        return tuning.outcome().is_done, tuning.outcome()


@pytest.fixture
def n_run(monkeypatch):
    """The places of all runs that trials have had done, in order."""
    places = []
    dispatcher = trials_module.Dispatcher

    def counting(results, workers, request, left):
        places.extend(left)
        return dispatcher(results, workers, request, left)

    monkeypatch.setattr(trials_module, "Dispatcher", counting)
    return places


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder and the outcome of the plan."""
    folder = tmp_path_factory.mktemp("tuning")
    is_done, outcome = tuned(folder, raw())
    assert is_done
    return folder, outcome


@pytest.mark.exhaustive
def test_the_default_is_tried_and_compared_on_seeds_that_were_not_tuned_on(whole):
    folder, outcome = whole
    assert outcome.trials[0].setting == {"mutation": 20, "parents": 15} == outcome.task.default
    assert [outcome.n(state) for state in (DONE, PRUNED, FAILED)][2] == 0
    assert len(outcome.trials) == 5
    best = outcome.best
    assert best.value == max(trial.value for trial in outcome.trials if trial.state == DONE)
    (compared,) = (folder / "held-out").iterdir()
    assert compared.name == f"trial-{best.number + 1}"
    kept = read_results(compared)
    assert [row["params"] for row in kept.rows] == [{}] * 3 + [best.setting] * 3
    assert [row["repeat"] for row in kept.rows] == [3, 4, 5] * 2
    runs = outcome.task.runs
    seeds = {runs.job(place).seed for place in range(len(runs))}
    assert len(seeds) == 2
    assert not seeds & {row["seed"] for row in kept.rows}
    default, found = ([row["value"] for row in part] for part in (kept.rows[:3], kept.rows[3:]))
    verdict = outcome.verdict
    assert (verdict.n, verdict.default.mean) == (3, pytest.approx(sum(default) / 3))
    assert verdict.difference == pytest.approx((sum(found) - sum(default)) / 3)
    assert verdict.low <= verdict.difference <= verdict.high
    # Nothing of the runs that went on is left.
    assert sorted(file.name for file in folder.iterdir()) == ["held-out", "runs", "tune.sqlite"]


def test_a_trial_is_the_mean_of_its_runs_made_alone(whole):
    outcome = whole[1]
    runs, best = outcome.task.runs, outcome.best
    for rung, mean in enumerate(best.rungs):
        rows = [
            run_job(
                replace(
                    runs.job(place),
                    params=dict(best.setting),
                    limits=rung_limits(outcome.task, rung),
                )
            ).row
            for place in range(len(runs))
        ]
        assert [row["units"] for row in rows] == [(1, 3, 9)[rung]] * 2
        assert mean == sum(row["value"] for row in rows) / 2


@pytest.mark.parametrize(
    "n_reports",
    [4, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in (1, 9))],
)
def test_stopped_and_resumed_it_comes_to_the_same_and_repeats_nothing(
    n_reports, whole, n_run, tmp_path
):
    assert tuned(tmp_path, raw(), n_reports)[0] is False
    with pytest.raises(TileLabError, match=r"of this plan's 5 trials already; --resume continues"):
        tuned(tmp_path, raw())
    is_done, outcome = tuned(tmp_path, raw(), resume=True)
    assert (is_done, outcome.trials) == (True, whole[1].trials)
    assert summary(outcome) == summary(whole[1])
    done = read_results(tmp_path / "runs").places
    assert set(done) == set(n_run)
    before = len(n_run)
    assert summary(tuned(tmp_path, raw(), resume=True)[1]) == summary(outcome)
    assert len(n_run) == before


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "n_steps",
    [3, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in (1, 6, 9))],
)
def test_it_goes_on_after_any_step(n_steps, whole, tmp_path):
    with SolverTuning(tmp_path, plan_of(raw())) as tuning:
        steps = tuning.steps(Here(1), StopsAfter())
        for _ in range(n_steps):
            next(steps)
        steps.close()
        follow(tuning.steps(Here(1), StopsAfter()))
        assert summary(tuning.outcome()) == summary(whole[1])


@pytest.mark.exhaustive
def test_more_trials_go_on_from_those_that_there_are(whole, tmp_path):
    tuned(tmp_path, raw(2))
    assert tuned(tmp_path, raw(5), resume=True)[1].trials == whole[1].trials


def test_a_setting_that_comes_again_is_not_run_again(n_run, tmp_path):
    axes = {"letters": ["uniform", "frequency"]}
    plan = raw(8, solvers=[{"solver": "genetic", "axes": axes}], limits={"units": 3})
    _, outcome = tuned(tmp_path, plan)
    by_setting = {trial.setting["letters"]: set() for trial in outcome.trials}
    for trial in outcome.trials:
        by_setting[trial.setting["letters"]].add(trial.rungs[0])
    assert [len(values) for values in by_setting.values()] == [1, 1]
    assert len(n_run) == len(set(n_run)) <= 2 * 2 * 3


def test_rungs_end_with_the_whole_limits():
    limits = {"evaluations": 1000, "seconds": 9.0, "target": 5.0}
    parts = [rung_limits(task(limits=limits), rung) for rung in range(3)]
    assert [part["evaluations"] for part in parts] == [112, 334, 1000]
    assert [part["seconds"] for part in parts] == [1.0, 3.0, 9.0]
    assert {part["target"] for part in parts} == {5.0}
    # Nothing of it can be had in parts.
    assert task(limits={"units_without_improvement": 5}).n_rungs == 1


def test_of_many_instances_the_last_are_held_out():
    many = task(
        puzzle={"kind": "sliding", "rows": 3, "cols": 3},
        instances={"random": 7},
        solvers=[{"solver": "a-star", "axes": {"heuristic": ["manhattan", "misplaced"]}}],
    )
    tuned_on = {many.runs.job(place).instance for place in range(len(many.runs))}
    compared = held_out_runs(many, {"heuristic": "misplaced"}, None)
    held_out = [compared.job(place) for place in range(len(compared))]
    assert tuned_on == {1, 2, 3, 4}
    assert [job.instance for job in held_out] == [5, 5, 6, 6, 7, 7] * 2
    assert [job.params for job in held_out] == [{}] * 6 + [{"heuristic": "misplaced"}] * 6
    assert [job.seed for job in held_out[:6]] == [job.seed for job in held_out[6:]]
    assert {job.seed for job in held_out}.isdisjoint(
        many.runs.job(place).seed for place in range(len(many.runs))
    )


def test_of_one_instance_the_repeats_after_those_that_are_tuned_on_are_held_out():
    one = task(first_repeat=3)
    compared = held_out_runs(one, one.default, None)
    tuned_on, held_out = (
        [runs.job(at) for at in range(len(runs))] for runs in (one.runs, compared)
    )
    assert [job.repeat for job in tuned_on] == [3, 4]
    assert [job.repeat for job in held_out] == [5, 6, 7]
    assert {job.seed for job in tuned_on}.isdisjoint(job.seed for job in held_out)


@pytest.mark.parametrize(
    ("is_maximized", "said"),
    [(True, "it is worse than the default."), (False, "it beats the default.")],
)
def test_what_is_less_beats_the_default_where_it_is_minimized(is_maximized, said):
    runs = held_out_runs(task(), {"mutation": 5, "parents": 3}, None)
    rows = [
        {**failed_row(runs.job(place), ""), "status": "limit", "value": value}
        for place, value in enumerate((10, 11, 13, 5, 6, 9))
    ]
    found = verdict(runs, rows, "value", is_maximized=is_maximized)
    assert (found.difference, found.words[0].rpartition(": ")[2]) == (-14 / 3, said)
    # A mean is of all runs or of none.
    assert mean_figure(rows[:3], "value") == 34 / 3
    assert mean_figure([*rows[:3], {**rows[3], "value": None}], "value") is None


def test_the_default_may_be_the_best(tmp_path):
    axes = {"mutation": [20], "parents": [15]}
    _, outcome = tuned(tmp_path, raw(2, solvers=[{"solver": "genetic", "axes": axes}]))
    verdict = outcome.verdict
    assert verdict.words == ("No setting was found that is better than the default.",)
    assert (verdict.n, verdict.difference, verdict.low, verdict.high) == (3, 0, 0, 0)


def test_a_default_that_the_axes_leave_out_is_only_compared(tmp_path):
    axes = {"mutation": [3, 1]}
    _, outcome = tuned(tmp_path, raw(1, solvers=[{"solver": "genetic", "axes": axes}]))
    assert outcome.trials[0].setting["mutation"] in (1, 3)
    assert outcome.task.default == {"mutation": 20}
    assert outcome.verdict.n == 3


def test_runs_without_the_figure_count_as_worse_than_all_others(tmp_path):
    plan = raw(2, tune={"trials": 2, "of": "moves", "held_out": 2})
    with pytest.raises(RunError, match=r"^No trial has finished; .*: 2 of 2 runs without moves$"):
        tuned(tmp_path, plan)


@pytest.mark.exhaustive
def test_trials_whose_runs_fail_have_failed(tmp_path, monkeypatch):
    monkeypatch.setattr("tilelab.puzzles.boggle.solvers.genetic.Genetic.n_evaluated", None)
    with pytest.raises(RunError, match=r"genetic does not count them; use another limit$"):
        tuned(tmp_path, raw(2, limits={"evaluations": 500}))
    with SolverTuning(
        tmp_path, plan_of(raw(2, limits={"evaluations": 500})), resume=True
    ) as tuning:
        assert [trial.state for trial in tuning.outcome().trials] == [FAILED, FAILED]


def test_what_can_be_copied_makes_the_tuned_run(whole):
    outcome = whole[1]
    setting = outcome.best.setting
    text = toml(outcome.task, setting)
    assert text == (
        '[[solvers]]\nsolver = "genetic"\n[solvers.params]\n'
        f"mutation = {setting['mutation']}\nparents = {setting['parents']}"
    )
    words = outcome.command
    assert f"--solver genetic --mutation {setting['mutation']} --parents" in words
    assert words.endswith(f"--seed {outcome.task.runs.job(0).seed} --limit 9")
    titles, *lines = trial_lines(outcome)
    rungs = [f"value on rung {rung}" for rung in (1, 2, 3)]
    assert titles == ["trial", "state", "mutation", "parents", *rungs, "note"]
    assert lines[0][:4] == ["1", "done", "20", "15"]
    assert json.loads(json.dumps(summary(outcome)))["best"]["params"] == setting


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            {"solvers": [{"solver": "genetic", "axes": AXES}] * 2},
            "solvers: tuning takes one solver; the plan has 2",
        ),
        ({"solvers": [{"solver": "genetic"}]}, "solvers[1].axes: there is nothing to tune"),
        (
            {"solvers": [{"solver": "genetic", "axes": {"mutation": [5, 600]}}]},
            "solvers[1].axes.mutation: 600 is outside 0..100",
        ),
        ({"tune": {"of": "valeu"}}, "'valeu' is not a figure of a run (did you mean value?)"),
        ({"tune": {"trial": 5}}, "tune.trial is not a key of [tune] (did you mean trials?)"),
        ({"tune": {"trials": 0}}, "tune.trials: 0 is not a whole number in 1..100000"),
        (
            {"tune": {"direction": "up"}},
            "tune.direction: 'up' is not maximize or minimize",
        ),
        (
            {
                "puzzle": {"kind": "sliding", "rows": 3, "cols": 3},
                "instances": {"random": 7},
                "solvers": [{"solver": "a-star", "axes": {"heuristic": ["manhattan"]}}],
                "tune": {"held_out": 7},
            },
            "tune.held_out: 7 of 7 instances cannot be held out",
        ),
    ],
)
def test_wrong_plans(more, said):
    with pytest.raises(UsageError) as raised:
        task(**more)
    assert str(raised.value).startswith(said)


def test_a_folder_belongs_to_one_plan(whole):
    with pytest.raises(TileLabError, match=r"another plan: limits\.units was 9 and is 8"):
        SolverTuning(whole[0], plan_of(raw(limits={"units": 8})), resume=True)


def test_costs_become_smaller_unless_somebody_says_so():
    assert task().is_maximized
    assert not task(tune={"of": "evaluations"}).is_maximized
    assert task(tune={"of": "evaluations", "direction": "maximize"}).is_maximized
    assert task(tune={"of": "mean"}).is_maximized


def test_without_optuna_it_is_said_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    monkeypatch.delitem(sys.modules, "tilelab.experiments.tuning.study", raising=False)
    with pytest.raises(TileLabError, match=r"not installed: pip install 'tilelab\[tune\]'$"):
        SolverTuning(tmp_path / "new", plan_of(raw()))
    assert not (tmp_path / "new").exists()


def test_the_plan_of_the_documentation_is_that_of_the_resources():
    file = PROJECT / "resources" / "plans" / "tuning" / "game-titles.toml"
    plan = file.read_text("utf-8").partition("\n")[2]
    assert f"```toml\n{plan}```" in (PROJECT / "docs" / "experiments.md").read_text("utf-8")
    found = task_of(read_plan(file))
    assert [(axis.name, len(axis.values)) for axis in found.axes] == [
        ("mutation", 101),
        ("parents", 58),
        ("letters", 2),
    ]
    assert found.first_trial == {"mutation": 20, "parents": 15, "letters": "uniform"}
