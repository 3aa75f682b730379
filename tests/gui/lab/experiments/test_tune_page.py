"""A solver tuned in the window: trials, the best, words; stopped, gone on, shown again; errors."""

import importlib.util
import sys
import tomllib
from threading import Event

import pytest

from tests.gui.lab.experiments.conftest import PLAN as SMALL
from tests.gui.lab.experiments.threads import Threads
from tilelab.experiments.plan import plan_of
from tilelab.experiments.tuning.trials import DONE, Trial, task_of
from tilelab.experiments.tuning.tune import TuneOutcome
from tilelab.gui.lab.experiments.tune_page import _parameter_lines

pytestmark = [
    pytest.mark.skipif(importlib.util.find_spec("optuna") is None, reason="Optuna is an extra"),
    pytest.mark.usefixtures("without_style_sheet"),
]
AXES = "mutation = {from = 0, to = 40, step = 10}\nparents = [3, 6, 15]"
PLAN = SMALL.replace("mutation = [5, 60]", AXES).replace("units = 6", "units = 9")
PLAN += "[tune]\ntrials = 11\nheld_out = 3\n"


def shown(experiment, text=PLAN):
    experiment.plan(text)
    experiment.window.pages.buttons["tune"].click()
    return experiment.window.pages.tune


def tuned(experiment, text=PLAN):
    page = shown(experiment, text)
    assert page.tune_button.isEnabled()
    page.tune_button.click()
    assert not page.tune_button.isEnabled()
    experiment.until(lambda: not page.is_busy)
    return page


@pytest.mark.exhaustive
def test_trials_the_best_and_how_it_does_beside_the_default(experiment):
    page = tuned(experiment)
    assert page.how_far.text() == "11 of 11 trials · finished"
    outcome, items = page.outcome, page.trials.items
    assert items.rowCount() == len(outcome.trials) == 11
    headings = [column.heading for column in items.columns]
    assert headings == ["Trial", "Mutation rate", "Parents", "Mean value", "Result"]
    assert [column.text(items.items[0]) for column in items.columns[:3]] == ["1", "20", "15"]
    n_left = sum(trial.state != DONE for trial in outcome.trials)
    words = [items.columns[4].text(trial) for trial in outcome.trials]
    assert sum(word.startswith("Rung ") for word in words) == n_left > 0
    result = page.result
    best = outcome.best.setting
    texts = [*result.parameters.items.items[0]]
    part = f"{100 * outcome.importance['mutation']:.0f} %"
    assert texts == ["Mutation rate", "20", str(best["mutation"]), part]
    assert [line[1] for line in result.compared.items.items] == ["3", "3"]
    assert result.words.text() == "\n\n".join(outcome.verdict.words)
    assert not page.resume_button.isEnabled()
    assert (page.plan.folder / "trials.csv").is_file()
    # What was found is a plan of its own; the next tuning has a folder of its own.
    result.take.click()
    text = experiment.window.plan.text.text
    assert tomllib.loads(text)["solvers"] == [{"solver": "genetic", "params": dict(best)}]
    assert "# of each" in text
    experiment.until(lambda: experiment.window.plan.found is not None)
    assert experiment.window.plan.found.problem is None
    before = page.plan.folder
    page.tune_button.click()
    experiment.until(lambda: not page.is_busy)
    assert page.said.text().startswith("solvers[1].axes: there is nothing to tune")
    assert page.plan.folder.parent == before.parent
    assert page.plan.folder != before


def test_the_best_as_a_plan_keeps_the_folder_of_its_files(experiment, tmp_path):
    """Noticed: a word list next to the plan that is no longer found."""
    page = experiment.window.pages.tune
    page.plan_requested.emit(PLAN, tmp_path)
    assert experiment.window.plan.folder == tmp_path
    page.plan_requested.emit(PLAN, None)
    assert experiment.window.plan.folder is None


def test_an_axis_with_a_former_name_has_its_title():
    raw = tomllib.loads(PLAN)
    raw["solvers"] = [{"solver": "annealing", "axes": {"hottest": [1.0, 2.0]}}]
    best = Trial(0, DONE, {"hottest": 2.0}, (1.0,), "")
    outcome = TuneOutcome(task_of(plan_of(raw)), (best,), best, "", {"hottest": 1.0}, None)
    assert _parameter_lines(outcome) == [["Initial temperature", "0", "2", "100 %"]]


class Held(Threads):
    """Holds the sixth piece of work until it is let go."""

    def __init__(self):
        super().__init__()
        self.n_left, self.is_held, self.let_go = 6, Event(), Event()

    def submit(self, function, *arguments):
        self.n_left -= 1
        if self.n_left == 0:
            return super().submit(self._do, function, *arguments)
        return super().submit(function, *arguments)

    def _do(self, function, *arguments):
        self.is_held.set()
        assert self.let_go.wait(60)
        return function(*arguments)


def test_it_is_stopped_and_goes_on_also_after_the_program_was_closed(make_experiment):
    workers, asked = Held(), []

    def choose(*words):
        asked.append(words)
        return lambda _n_runs: workers

    experiment = make_experiment(choose)
    page = shown(experiment)
    experiment.window.plan.workers.setValue(3)
    experiment.window.plan.scheduler.setText("tcp://10.0.0.1:8786")
    page.tune_button.click()
    experiment.until(workers.is_held.is_set)
    page.stop_button.click()
    assert not page.stop_button.isEnabled()
    workers.let_go.set()
    experiment.until(lambda: not page.is_busy)
    page.resume_button.click()
    page.stop_button.click()
    experiment.until(lambda: not page.is_busy)
    assert asked == [(3, "tcp://10.0.0.1:8786")] * 2
    n_before = len(page.outcome.trials)
    assert 0 < n_before < 11
    assert not page.outcome.is_done
    assert page.how_far.text() == f"{n_before} of 11 trials · stopped; RESUME continues"
    experiment.window.end()
    later = make_experiment()
    page = shown(later)
    later.until(lambda: page.outcome is not None and not page.is_busy)
    assert len(page.outcome.trials) == n_before
    page.resume_button.click()
    later.until(lambda: not page.is_busy)
    assert page.outcome.is_done
    assert len(page.outcome.trials) == 11


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (PLAN + '[[solvers]]\nsolver = "tabu"\n', "solvers: tuning takes one solver; the plan has"),
        (PLAN.replace("[tune]", "[tune"), "The plan is not TOML"),
        (PLAN.replace("trials =", "trial ="), "tune.trial is not a key"),
    ],
)
def test_what_cannot_be_tuned_is_said_in_one_sentence(text, said, experiment):
    page = tuned(experiment, text)
    assert page.said.text().startswith(said)
    assert page.how_far.text() == "failed"
    assert not page.resume_button.isEnabled()


@pytest.mark.exhaustive
def test_without_optuna_it_is_said_how_to_get_it(experiment, monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    monkeypatch.delitem(sys.modules, "tilelab.experiments.tuning.study", raising=False)
    page = tuned(experiment)
    assert page.said.text().endswith("not installed: pip install 'tilelab[tune]'")


@pytest.mark.exhaustive
def test_the_example_is_one_click_away(experiment):
    page = shown(experiment, "")
    assert not page.tune_button.isEnabled()
    page.example.click()
    experiment.until(lambda: experiment.window.plan.found is not None)
    assert experiment.window.plan.found.problem is None
    assert page.tune_button.isEnabled()


@pytest.mark.exhaustive
def test_with_the_program_ends_what_is_going(make_experiment):
    workers = Held()
    experiment = make_experiment(lambda *_: lambda _n_runs: workers)
    page = shown(experiment)
    page.tune_button.click()
    experiment.until(workers.is_held.is_set)
    experiment.window.end()
    workers.let_go.set()
    assert workers.was_killed
    assert not page.is_busy
