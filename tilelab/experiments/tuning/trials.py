"""The runs of the trials of a tuning, and the best setting compared on what was not tuned on.

Each rung of a trial goes on where the one before has ended.

Partial runs, not fewer of them, are what a rung saves: every trial is judged by all instances and
seeds, and what a run has done for one rung is not done again for the next.
"""

import math
from collections.abc import Collection, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tilelab.core.errors import TileLabError
from tilelab.core.text.language import marked, tr
from tilelab.experiments.cell_run import Row
from tilelab.experiments.executor import Dispatcher, Signals, SweepProgress, Workers
from tilelab.experiments.jobs import Job, Runs, runs_of
from tilelab.experiments.plan import Plan
from tilelab.experiments.results import Results
from tilelab.experiments.statistics import Summary, compared, in_words, mean_interval, summarized
from tilelab.experiments.sweep import swept
from tilelab.experiments.tables import figure
from tilelab.experiments.tuning.space import BUDGETS, Setting, Task, rung_limits, with_settings

DONE, PRUNED, FAILED = "done", "pruned", "failed"
STATES = "states"
"""The folder of the runs of the trial that goes on."""
HELD_OUT = "held-out"
DEFAULT, TUNED = marked("the default"), marked("the tuned setting")


class Trial(NamedTuple):
    """A setting that was tried."""

    number: int
    """From 0."""
    state: str
    """done, pruned (left early, or without the figure at its end) or failed."""
    setting: Setting
    rungs: tuple[float, ...]
    """The mean figure on each rung that it has come to."""
    note: str
    """Why it has failed or has no figure, or ''."""

    @property
    def value(self) -> float | None:
        """With the whole limits; None where it has not come so far."""
        return self.rungs[-1] if self.state == DONE else None


class TrialRuns:
    """All runs that a tuning may need, by places: trial by trial, rung by rung, then as the plan.

    A setting that comes again has the runs of the first trial that had it.
    """

    def __init__(self, task: Task) -> None:
        self._task, self.settings = task, list[Setting]()
        """Of the trials that have begun."""
        # Whoever wants more trials than at first goes on in the same folder.
        tune = task.tune.model_copy(update={"trials": 1})
        self.plan: Plan = task.plan.model_copy(update={"tune": tune})
        self.folder = ""
        """Where the states of runs are kept between two rungs."""

    def __len__(self) -> int:
        return self._task.tune.trials * self._task.n_rungs * len(self._task.runs)

    @property
    def files(self) -> Collection[str]:
        """The paths of the files that the plan names."""
        return self._task.runs.files

    def begin(self, number: int, setting: Setting) -> None:
        """Begin a trial, from 0: the next one, or the newest once more."""
        self.settings[number:] = [setting]

    def places(self, rung: int, number: int = -1) -> range:
        """Return the places of a trial's runs on a rung, from 0; number: of the newest trial."""
        trial, n_runs = self.settings.index(self.settings[number]), len(self._task.runs)
        first = (trial * self._task.n_rungs + rung) * n_runs
        return range(first, first + n_runs)

    def job(self, place: int) -> Job:
        """Return a run by its place."""
        step, index = divmod(place, len(self._task.runs))
        trial, rung = divmod(step, self._task.n_rungs)
        job, setting = self._task.runs.job(index), self.settings[trial]
        return Job(
            {
                **job,
                "place": place,
                "params": {**job["params"], **setting},
                "varied": {**job["varied"], **setting},
                "limits": rung_limits(self._task, rung),
                "state": f"{self.folder}/{trial}-{index}.tilelab" if self.folder else "",
            }
        )


def rung_rows(
    runs: TrialRuns,
    rung: int,
    before: Sequence[Row],
    results: Results,
    workers: Workers,
    signals: Signals,
) -> Generator[SweepProgress | None, None, list[Row] | None]:
    """Do what is left of the newest trial's runs on a rung; returns all of their rows, in order.

    before: the rows of the rung before; a run that no part of a budget has ended is over. None:
    it was stopped before all were done. Yields as :meth:`Dispatcher.steps` does.
    """
    places = runs.places(rung)
    over = {place: row for place, row in zip(places, before, strict=False) if _is_over(row)}
    while True:
        rows = [over.get(place) or results.row(place) for place in places]
        found = [row for row in rows if row is not None]
        if len(found) == len(rows):
            return found
        if signals.is_stopped() or signals.is_killed():
            return None
        left = [place for place, row in zip(places, rows, strict=True) if row is None]
        yield from Dispatcher(runs, results, workers, left).steps(signals)


def mean_figure(rows: Sequence[Row], name: str) -> float | None:
    """Return the mean of a figure over some runs; None unless all have it."""
    found = [figure(row, name) for row in rows]
    values = [value for value in found if value is not None and math.isfinite(value)]
    return math.fsum(values) / len(values) if len(values) == len(rows) else None


def first_error(rows: Sequence[Row]) -> str:
    """Return why the first run that has failed has; '' where none has."""
    return next((row["error"] for row in rows if row["error"]), "")


def _is_over(row: Row) -> bool:
    return row["limit_reached"] not in BUDGETS


@dataclass(frozen=True)
class HeldOutResult:
    """What the comparison has come to."""

    n: int
    """Pairs of runs: those on the same instance with the same seed."""
    default: Summary
    tuned: Summary
    difference: float
    """Tuned less default, on average."""
    low: float
    high: float
    """Bounds of its 95 % interval, from the differences of the pairs."""
    p: float | None
    """Of the Wilcoxon signed-rank test; None where it cannot be done."""
    words: tuple[str, ...]
    """What that says."""


def held_out_runs(task: Task, tuned: Setting, folder: Path | None) -> Runs:
    """Return the runs of the default, then those of the tuned setting; a sweep like any other."""
    settings = [{}] if tuned == task.default else [{}, tuned]
    plan = with_settings(task.held_out, settings)
    return runs_of(plan.model_copy(update={"tune": None}), folder)


def held_out_rows(
    runs: Runs, folder: Path, workers: Workers, signals: Signals
) -> Generator[SweepProgress | None, None, list[Row] | None]:
    """Do what is left of these runs; returns their rows, or None where it was stopped.

    Yields as :func:`tilelab.experiments.sweep.swept` does.
    """
    with Results(folder, runs, resume=True) as results:
        yield from swept(runs, results, workers, signals)
        n_over = results.counts.n_done + results.counts.n_failed
        return list(results.rows()) if n_over == len(runs) else None


def verdict(runs: Runs, rows: Sequence[Row], name: str, *, is_maximized: bool) -> HeldOutResult:
    """Compare a figure of all rows of these runs; raises TileLabError where no pair has it."""
    n_default = len(runs) // len(runs.plan.solvers)
    found = [figure(row, name) for row in rows]
    pairs = [
        (one, other)
        for one, other in zip(found[:n_default], found[-n_default:], strict=True)
        if one is not None and other is not None
    ]
    if not pairs:
        raise TileLabError(tr("{name}: no run that was not tuned on has this figure", name=name))
    default, tuned = np.array(pairs, np.float64).T
    differences = tuned - default
    low, high = mean_interval(differences)
    mean = float(differences.mean())
    said = [_sentence(name, mean, low, high, is_maximized=is_maximized)]
    if len(runs.plan.solvers) == 1:
        said = [tr("No setting was found that is better than the default.")]
    p, more = _tested(default.tolist(), tuned.tolist())
    facts = summarized(default.tolist()), summarized(tuned.tolist())
    return HeldOutResult(len(pairs), *facts, mean, low, high, p, (*said, *more))


def _sentence(name: str, mean: float, low: float, high: float, *, is_maximized: bool) -> str:
    more = "more" if mean >= 0 else "less"
    fact = tr(
        "The tuned setting has {difference} {more} on average ({figure}; 95 % interval of "
        "the difference {low} to {high})",
        difference=_short(abs(mean)),
        more=more,
        figure=name,
        low=_short(low),
        high=_short(high),
    )
    gain, loss = (low, high) if is_maximized else (-high, -low)
    if gain > 0:
        return tr("{fact}: it beats the default.", fact=fact)
    if loss < 0:
        return tr("{fact}: it is worse than the default.", fact=fact)
    return tr("{fact}: these runs do not show that it beats the default.", fact=fact)


def _tested(default: list[float], tuned: list[float]) -> tuple[float | None, list[str]]:
    if len(default) < 2 or default == tuned:
        return None, []
    try:
        comparison = compared({tr(DEFAULT): default, tr(TUNED): tuned}, paired=True)
    except TileLabError as missing:  # an extra
        return None, [f"{missing}."]
    sentences = in_words(comparison)
    return comparison.pairs[0].p, [sentence[0].upper() + sentence[1:] for sentence in sentences]


def _short(value: float) -> str:
    return f"{value:,.2f}"
