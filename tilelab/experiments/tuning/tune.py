"""A tuning from its plan to its outcome.

Its folder contains Optuna's file of the trials that are over, the runs behind them, and the sweep
that compares the best setting with the default.
"""

import contextlib
import json
import shutil
import time
from collections.abc import Generator, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

from tilelab.core.errors import RunError, TileLabError, missing_package
from tilelab.core.files.paths import expanded
from tilelab.core.plain import JsonObject
from tilelab.core.text.language import figures, tr
from tilelab.core.text.shown_text import csv_lines, shown_path
from tilelab.core.text.wording import counted
from tilelab.experiments.job_run import Row
from tilelab.experiments.plan import Plan
from tilelab.experiments.results import Results
from tilelab.experiments.sweep import SweepProgress, sweep
from tilelab.experiments.tables import Lines
from tilelab.experiments.tuning.trials import (
    DONE,
    FAILED,
    HELD_OUT,
    PRUNED,
    STATES,
    HeldOutResult,
    Setting,
    Task,
    Trial,
    TrialRuns,
    held_out_runs,
    mean_figure,
    run_rung,
    task_of,
    verdict,
)
from tilelab.experiments.workers import StopRequest, Workers
from tilelab.runs.files.atomic import write_atomically

T = TypeVar("T")
FILE, TABLE, RUNS = "tune.sqlite", "trials.csv", "runs"


class TuneProgress(NamedTuple):
    n_done: int  # trials that are over
    n_trials: int
    best: float | None  # best mean of a trial that was done to its end
    runs: SweepProgress | None  # of the current rung of a trial, or of the comparison
    is_compared: bool  # whether the trials are over, and the comparison runs
    seconds_left: float | None  # of the trials, estimated; None before there is a basis


@dataclass(frozen=True)
class TuneOutcome:
    task: Task
    trials: tuple[Trial, ...]
    best: Trial | None
    command: str  # the command that makes the first run of the best trial again, or ''
    importance: Mapping[str, float]  # of parameters, descending, sum 1; {} with too few trials
    verdict: HeldOutResult | None  # the best setting compared with the default; None before

    @property
    def is_done(self) -> bool:
        return self.verdict is not None

    def n(self, state: str) -> int:
        return sum(trial.state == state for trial in self.trials)


def trial_lines(outcome: TuneOutcome) -> Lines:
    """Return the trials as a table: rungs reached, setting, mean on each rung."""
    task = outcome.task
    names = [axis.name for axis in task.axes]
    rungs = [
        tr("{figure} on rung {rung}", figure=task.tune.of, rung=rung)
        for rung in range(1, task.n_rungs + 1)
    ]
    lines = [["trial", "state", *names, *rungs, "note"]]
    for trial in outcome.trials:
        figures = [f"{value:.12g}" for value in trial.rungs]
        figures += [""] * (len(rungs) - len(figures))
        setting = [str(trial.setting[name]) for name in names]
        lines.append([str(trial.number + 1), trial.state, *setting, *figures, trial.note])
    return lines


def toml(task: Task, setting: Setting) -> str:
    (solver,) = task.plan.solvers
    params = {**solver.params, **setting}
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in params.items()]
    return "\n".join(
        ["[[solvers]]", f"solver = {json.dumps(solver.solver)}", "[solvers.params]", *lines]
    )


def summary(outcome: TuneOutcome) -> JsonObject:
    task, best = outcome.task, outcome.best
    (solver,) = task.plan.solvers
    found: JsonObject | None = None
    if best is not None:
        found = {
            "trial": best.number + 1,
            "params": dict(best.setting),
            "mean": best.value,
            "toml": toml(task, best.setting),
            "command": outcome.command,
        }
    return {
        "solver": solver.solver,
        "of": task.tune.of,
        "direction": "maximize" if task.is_maximized else "minimize",
        "n_trials": task.tune.trials,
        **{f"n_{state}": outcome.n(state) for state in (DONE, PRUNED, FAILED)},
        "best": found,
        "default": dict(task.default),
        "importance": dict(outcome.importance),
        "held_out": None if outcome.verdict is None else asdict(outcome.verdict),
        "trials": [
            {
                "trial": trial.number + 1,
                "state": trial.state,
                "params": dict(trial.setting),
                "rungs": list(trial.rungs),
                "note": trial.note,
            }
            for trial in outcome.trials
        ],
    }


class SolverTuning(contextlib.AbstractContextManager["SolverTuning"]):
    """A tuning in its folder; belongs to the thread that opens it."""

    def __init__(
        self,
        folder: str | Path,
        plan: Plan,
        plan_folder: Path | None = None,
        *,
        resume: bool = False,
    ) -> None:
        """Open the folder; raises TileLabError. plan_folder: the folder of the plan's file."""
        try:
            from tilelab.experiments.tuning.study import Study
        except ModuleNotFoundError:
            raise missing_package(tr("Tuning needs Optuna"), "tune") from None
        self.task, self.folder, self._plan_folder = (
            task_of(plan, plan_folder),
            expanded(folder),
            plan_folder,
        )
        task, self._runs = self.task, TrialRuns(self.task)
        with contextlib.ExitStack() as undo:
            # First: it identifies the owner of the folder, and keeps other programs out.
            self._results = undo.enter_context(Results(self.folder / RUNS, self._runs, resume=True))
            self._study = undo.enter_context(
                Study(
                    self.folder / FILE,
                    task.axes,
                    task.plan.seed,
                    maximize=task.is_maximized,
                    first=task.first_trial,
                )
            )
            trials = self._study.trials()
            counts = self._results.counts
            if not resume and (trials or counts.n_done + counts.n_failed):
                raise TileLabError.tr(
                    "{folder} has {n_trials} of this plan's "
                    "{trials} trials already; --resume continues with them",
                    folder=shown_path(self.folder),
                    n_trials=figures(len(trials), ","),
                    trials=figures(task.tune.trials, ","),
                )
            for trial in trials:
                self._runs.begin(trial.number, trial.setting)
            self._verdict: HeldOutResult | None = None
            # Number of trials that were over when the steps began, and the time of that.
            self._n_before, self._began = len(trials), time.monotonic()
            self._closing = undo.pop_all()

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    @property
    def n_at_a_time(self) -> int:
        """Number of runs that can be done at a time: those of a trial, or of the comparison."""
        n_default = len(held_out_runs(self.task, self.task.default, self._plan_folder))
        return max(len(self.task.runs), 2 * n_default)

    def steps(self, workers: Workers, request: StopRequest) -> Iterator[TuneProgress | None]:
        """Do what is left, the comparison last, as :meth:`Dispatcher.steps`; TileLabError."""
        states, going = self.folder / STATES, self._results.checkpoints
        self._n_before, self._began = len(self._study.trials()), time.monotonic()
        while len(self._study.trials()) < self.task.tune.trials:
            for folder in (states, going):
                folder.mkdir(exist_ok=True)
            self._runs.folder = str(states.absolute()) if self.task.n_rungs > 1 else ""
            if not (yield from self._try(workers, request)):
                return
            shutil.rmtree(states, ignore_errors=True)
            yield self._progress()
        shutil.rmtree(going, ignore_errors=True)
        yield from self._compare(workers, request)

    def outcome(self) -> TuneOutcome:
        study, best = self._study, self._study.best()
        command = "" if best is None else self._command(best)
        return TuneOutcome(
            self.task, study.trials(), best, command, study.importance(), self._verdict
        )

    def write_table(self) -> Path:
        return write_atomically(self.folder / TABLE, csv_lines(trial_lines(self.outcome())))

    def _command(self, trial: Trial) -> str:
        rungs = range(self.task.n_rungs)
        rows = [self._results.row(self._runs.places(rung, trial.number)[0]) for rung in rungs]
        # On the last rung, unless it was over before.
        return next(row["command"] for row in reversed(rows) if row is not None)

    def _try(
        self, workers: Workers, request: StopRequest
    ) -> Generator[TuneProgress | None, None, bool]:
        """Do the next trial; return whether it is over."""
        study, of, n_rungs = self._study, self.task.tune.of, self.task.n_rungs
        self._runs.begin(len(study.trials()), study.ask())
        rows: list[Row] = []
        for rung in range(n_rungs):
            found = yield from self._follow(
                run_rung(self._runs, rung, rows, self._results, workers, request)
            )
            if found is None:
                return False
            rows, is_last = found, rung == n_rungs - 1
            error = next((row["error"] for row in rows if row["error"]), "")
            value = mean_figure(rows, of)
            if error:
                study.finish(FAILED, error)
                return True
            if value is not None:
                study.report(rung, value)
                if not is_last and not study.is_promoted():
                    study.finish(PRUNED)
                    return True
            if is_last and value is None:
                n_without = sum(mean_figure([row], of) is None for row in rows)
                study.finish(
                    PRUNED,
                    tr(
                        "{n_without} of {n_runs} without {figure}",
                        n_without=figures(n_without, ","),
                        n_runs=counted(len(rows), "run"),
                        figure=of,
                    ),
                )
        if value is not None:
            study.finish(DONE)
        return True

    def _compare(self, workers: Workers, request: StopRequest) -> Iterator[TuneProgress | None]:
        best = self._study.best()
        if best is None:
            notes = [trial.note for trial in self._study.trials() if trial.note]
            raise RunError.tr("No trial has finished; the first one says: {note}", note=notes[0])
        runs = held_out_runs(self.task, best.setting, self._plan_folder)
        # By the trial: a later one may be better.
        folder = self.folder / HELD_OUT / f"trial-{best.number + 1}"
        with Results(folder, runs, resume=True) as results:
            yield from self._follow(sweep(results, workers, request))
            if results.counts.n_done + results.counts.n_failed == len(runs):
                rows, of = list(results.rows()), self.task.tune.of
                self._verdict = verdict(runs, rows, of, is_maximized=self.task.is_maximized)

    def _follow(
        self, steps: Generator[SweepProgress | None, None, T]
    ) -> Generator[TuneProgress | None, None, T]:
        """Take the steps of some runs, and yield the progress of the whole after each."""
        with contextlib.closing(steps):
            while True:
                try:
                    runs = next(steps)
                except StopIteration as end:
                    value: T = end.value
                    return value
                yield None if runs is None else self._progress(runs)

    def _progress(self, runs: SweepProgress | None = None) -> TuneProgress:
        n_done, n_trials = len(self._study.trials()), self.task.tune.trials
        best = self._study.best()
        seconds_left, n_since = None, n_done - self._n_before
        if n_since:
            spent = time.monotonic() - self._began
            seconds_left = spent / n_since * (n_trials - n_done)
        value = None if best is None else best.value
        return TuneProgress(n_done, n_trials, value, runs, n_done >= n_trials, seconds_left)
