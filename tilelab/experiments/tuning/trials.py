"""The runs of the trials of a tuning: each rung goes on where the one before has ended.

Partial runs, not fewer of them, are what a rung saves: every trial is judged by all instances and
seeds, and what a run has done for one rung is not done again for the next.
"""

import math
from collections.abc import Collection, Generator, Sequence
from typing import NamedTuple

from tilelab.experiments.cell_run import Row
from tilelab.experiments.cells import Job
from tilelab.experiments.executor import Dispatcher, Signals, SweepProgress, Workers
from tilelab.experiments.plan import Plan
from tilelab.experiments.results import Results
from tilelab.experiments.tables import figure
from tilelab.experiments.tuning.space import BUDGETS, Setting, Task, rung_limits

DONE, PRUNED, FAILED = "done", "pruned", "failed"
STATES = "states"
"""The folder of the runs of the trial that goes on."""


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
