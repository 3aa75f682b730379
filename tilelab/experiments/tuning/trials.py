"""What a tuning searches, the runs of its trials, and the best setting compared with the default.

Each rung of a trial continues where the previous one has ended, on all instances and seeds.
"""

import math
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tilelab import catalog
from tilelab.core.errors import TileLabError, UsageError
from tilelab.core.parameters import NONE, current_name, describe
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import unknown_name
from tilelab.experiments.job_run import Row
from tilelab.experiments.jobs import Job, Runs, runs_of
from tilelab.experiments.plan import Plan, Scalar, TuneTable
from tilelab.experiments.results import Results
from tilelab.experiments.statistics import (
    Summary,
    compare_groups,
    describe_comparison,
    describe_disagreement,
    mean_interval,
    summarize,
)
from tilelab.experiments.sweep import Dispatcher, SweepProgress
from tilelab.experiments.tables import FIGURES, figure
from tilelab.experiments.workers import StopRequest, Workers

COSTS = frozenset({"moves", "units", "evaluations", "seconds", "best_unit"})  # better if less
BUDGETS = ("units", "evaluations", "seconds")  # limits that are divided among rungs
REDUCTION = 3  # factor of a run's budget on the next rung; one of this many trials is promoted

DONE, PRUNED, FAILED = "done", "pruned", "failed"
STATES = "states"  # folder of the runs of the current trial
HELD_OUT = "held-out"
DEFAULT, TUNED = marked("the default"), marked("the tuned setting")

Setting = Mapping[str, Scalar]  # a value of each axis


@dataclass(frozen=True)
class ParameterRange:
    name: str
    values: tuple[Scalar, ...]  # the values; numbers in ascending order

    @property
    def is_ordered(self) -> bool:
        return not any(isinstance(value, bool | str) for value in self.values)


@dataclass(frozen=True)
class Task:
    """A tuning: what is tuned, on what, and on what it is compared in the end."""

    plan: Plan  # the whole plan; always paired, so that every trial has the same seeds
    tune: TuneTable
    axes: tuple[ParameterRange, ...]
    default: Setting  # the default values of the axes
    runs: Runs  # runs of the default setting on what is tuned on, with the whole limits
    held_out: Plan  # the default setting on further seeds, or other instances
    kinds: tuple[Runs, ...]  # runs that need all the kernels and tables that trials may need

    @property
    def is_maximized(self) -> bool:
        if self.tune.direction is None:
            return self.tune.of not in COSTS
        return self.tune.direction == "maximize"

    @property
    def n_rungs(self) -> int:
        """Number of steps to the whole limits; one where no limit can be divided."""
        limits = self.plan.limits
        has_budget = any(getattr(limits, name) is not None for name in BUDGETS)
        return self.tune.rungs if has_budget else 1

    @property
    def first_trial(self) -> Setting | None:
        """The default as the first trial, if the axes contain it, so that the best is no worse."""
        is_there = all(self.default[axis.name] in axis.values for axis in self.axes)
        return self.default if is_there else None


def task_of(plan: Plan, folder: Path | None = None) -> Task:
    """Return the task of a plan; raises TileLabError with the key of the first error."""
    if len(plan.solvers) != 1:
        raise UsageError.tr(
            "solvers: tuning takes one solver; the plan has {n_solvers}",
            n_solvers=len(plan.solvers),
        )
    (solver,) = plan.solvers
    if not solver.axes:
        raise UsageError.tr("solvers[1].axes: there is nothing to tune; give at least one axis")
    tune = plan.tune or TuneTable()
    plan = plan.model_copy(update={"paired": True, "tune": tune})
    # Each axis by itself: its values are checked, and not all combinations.
    alone = {
        name: runs_of(with_settings(plan, [{}], {name: values}), folder)
        for name, values in solver.axes.items()
    }
    spec = catalog.solver(plan.puzzle.kind, solver.solver).spec
    if tune.of not in (*FIGURES, *spec.metrics):
        raise unknown_name(tune.of, tr("figure of a run"), (*FIGURES, *spec.metrics))
    own = {
        each.name: NONE if each.default is None else each.default for each in describe(spec.params)
    }
    axes = tuple(_axis(name, values) for name, values in solver.axes.items())
    plain = with_settings(plan, [{}])
    tuned_on, held_out = _split_plan(plain, runs_of(plain, folder))
    runs = runs_of(tuned_on, folder)
    return Task(
        plan=plan,
        tune=tune,
        axes=axes,
        default={axis.name: own[current_name(spec.params, axis.name)] for axis in axes},
        runs=runs,
        held_out=held_out,
        kinds=(runs, *(alone[axis.name] for axis in axes if not axis.is_ordered)),
    )


def with_settings(
    plan: Plan, settings: Sequence[Setting], axes: Mapping[str, tuple[Scalar, ...]] | None = None
) -> Plan:
    """Return a plan with the same solver once for each setting, and with other axes."""
    (solver,) = plan.solvers
    tables = [
        solver.model_copy(update={"params": {**solver.params, **setting}, "axes": dict(axes or {})})
        for setting in settings
    ]
    return plan.model_copy(update={"solvers": tuple(tables)})


def rung_limits(task: Task, rung: int) -> dict[str, int | float | None]:
    """Return the limits on a rung, from 0: a part of those that are a budget, all of the others."""
    part = float(REDUCTION) ** (rung + 1 - task.n_rungs)
    limits: dict[str, int | float | None] = task.plan.limits.model_dump()
    for name in BUDGETS:
        whole = limits[name]
        if whole is not None:
            limits[name] = whole * part if name == "seconds" else math.ceil(whole * part)
    return limits


def _axis(name: str, values: Sequence[Scalar]) -> ParameterRange:
    numbers = [value for value in values if isinstance(value, int | float)]
    if any(isinstance(value, bool | str) for value in values):
        return ParameterRange(name, tuple(values))
    return ParameterRange(name, tuple(sorted(numbers)))


def _split_plan(plan: Plan, runs: Runs) -> tuple[Plan, Plan]:
    """Return the plan on what is tuned on, and on what is not."""
    assert plan.tune is not None
    n_held_out, tables = plan.tune.held_out, [setting.boards for setting in runs.settings]
    instances = [
        board.instance
        for board in tables[0]
        if all(board.instance in {other.instance for other in table} for table in tables)
    ]
    if len(instances) == 1:
        next_repeat = (plan.first_repeat or 1) + plan.repeats
        return plan, plan.model_copy(update={"first_repeat": next_repeat, "repeats": n_held_out})
    if n_held_out >= len(instances):
        raise UsageError.tr(
            "tune.held_out: {n_held_out} of {n_instances} instances cannot be held out; at "
            "least one is needed for tuning",
            n_held_out=n_held_out,
            n_instances=len(instances),
        )
    of_plan, held_out = (
        plan.model_copy(
            update={"instances": plan.instances.model_copy(update={"numbers": tuple(numbers)})}
        )
        for numbers in (instances[:-n_held_out], instances[-n_held_out:])
    )
    return of_plan, held_out


class Trial(NamedTuple):
    number: int  # number of the trial, from 0
    state: str  # state: done, pruned (ended early, or without the figure at its end) or failed
    setting: Setting
    rungs: tuple[float, ...]  # mean figure on each rung that it has reached
    note: str  # reason why it has failed or has no figure, or ''

    @property
    def value(self) -> float | None:
        """Mean figure with the whole limits; None if it has not reached them."""
        return self.rungs[-1] if self.state == DONE else None


class TrialRuns(Runs):
    """All runs of a tuning by places; a repeated setting has those of the first such trial."""

    def __init__(self, task: Task) -> None:
        # A tuning that gets more trials later continues in the same folder.
        tune = task.tune.model_copy(update={"trials": 1})
        plan = task.plan.model_copy(update={"tune": tune})
        super().__init__(plan, task.runs.settings, task.runs.firsts)
        self._task = task
        self.tried: list[Setting] = []  # settings of the trials that have begun
        self.folder = ""  # folder in which the states of runs are kept between two rungs

    def __len__(self) -> int:
        return self._task.tune.trials * self._task.n_rungs * len(self._task.runs)

    def begin(self, number: int, setting: Setting) -> None:
        """Begin a trial, from 0: the next one, or the newest once more."""
        self.tried[number:] = [setting]

    def places(self, rung: int, number: int = -1) -> range:
        """Return the places of a trial's runs on a rung, from 0; number: of the newest trial."""
        trial, n_runs = self.tried.index(self.tried[number]), len(self._task.runs)
        first = (trial * self._task.n_rungs + rung) * n_runs
        return range(first, first + n_runs)

    def setting_at(self, place: int) -> int:
        return self._task.runs.setting_at(place % len(self._task.runs))

    def job(self, place: int) -> Job:
        step, index = divmod(place, len(self._task.runs))
        trial, rung = divmod(step, self._task.n_rungs)
        job, setting = self._task.runs.job(index), self.tried[trial]
        return replace(
            job,
            place=place,
            params={**job.params, **setting},
            varied={**job.varied, **setting},
            limits=rung_limits(self._task, rung),
            state=f"{self.folder}/{trial}-{index}.tilelab" if self.folder else "",
        )


def run_rung(
    runs: TrialRuns,
    rung: int,
    before: Sequence[Row],
    results: Results,
    workers: Workers,
    request: StopRequest,
) -> Generator[SweepProgress | None, None, list[Row] | None]:
    """Do the rest of the newest trial's runs on a rung; return all rows, None if stopped.

    before: rows of the previous rung; a run that no part of a budget has ended is over.
    """
    places = runs.places(rung)
    over = {
        place: row
        for place, row in zip(places, before, strict=False)
        if row["limit_reached"] not in BUDGETS
    }
    while True:
        rows = [over.get(place) or results.row(place) for place in places]
        found = [row for row in rows if row is not None]
        if len(found) == len(rows):
            return found
        if request.is_stopped():
            return None
        left = [place for place, row in zip(places, rows, strict=True) if row is None]
        yield from Dispatcher(results, workers, request, left).steps()


def mean_figure(rows: Sequence[Row], name: str) -> float | None:
    """Return the mean of a figure over some runs; None unless all have it."""
    found = [figure(row, name) for row in rows]
    values = [value for value in found if value is not None and math.isfinite(value)]
    return math.fsum(values) / len(values) if len(values) == len(rows) else None


@dataclass(frozen=True)
class HeldOutResult:
    n: int  # number of pairs of runs: those on the same instance with the same seed
    default: Summary
    tuned: Summary
    difference: float  # mean of tuned less default
    low: float
    high: float  # bounds of the 95 % interval, low and high, from the differences of the pairs
    p: float | None  # p of the Wilcoxon signed-rank test; None where it cannot be done
    words: tuple[str, ...]  # the result in sentences


def held_out_runs(task: Task, tuned: Setting, folder: Path | None) -> Runs:
    """Return the runs of the default, then those of the tuned setting, as an ordinary sweep."""
    settings = [{}] if tuned == task.default else [{}, tuned]
    plan = with_settings(task.held_out, settings)
    return runs_of(plan.model_copy(update={"tune": None}), folder)


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
        raise TileLabError.tr("{name}: no run on held-out instances has this figure", name=name)
    default, tuned = np.array(pairs, np.float64).T
    differences = tuned - default
    low, high = mean_interval(differences)
    mean = float(differences.mean())
    words = [_sentence(name, mean, low, high, is_maximized=is_maximized)]
    if len(runs.plan.solvers) == 1:
        words = [tr("No setting was found that is better than the default.")]
    p, more = _test_difference(default.tolist(), tuned.tolist())
    facts = summarize(default.tolist()), summarize(tuned.tolist())
    return HeldOutResult(len(pairs), *facts, mean, low, high, p, (*words, *more))


def _sentence(name: str, mean: float, low: float, high: float, *, is_maximized: bool) -> str:
    texts = {
        "difference": figures(abs(mean), ",.2f"),
        "figure": name,
        "low": figures(low, ",.2f"),
        "high": figures(high, ",.2f"),
    }
    if mean >= 0:
        fact = tr(
            "The tuned setting has {difference} more on average ({figure}; 95 % interval of "
            "the difference {low} to {high})",
            **texts,
        )
    else:
        fact = tr(
            "The tuned setting has {difference} less on average ({figure}; 95 % interval of "
            "the difference {low} to {high})",
            **texts,
        )
    gain, loss = (low, high) if is_maximized else (-high, -low)
    if gain > 0:
        return tr("{result}: it beats the default.", result=fact)
    if loss < 0:
        return tr("{result}: it is worse than the default.", result=fact)
    return tr("{result}: these runs do not show that it beats the default.", result=fact)


def _test_difference(default: list[float], tuned: list[float]) -> tuple[float | None, list[str]]:
    if len(default) < 2 or default == tuned:
        return None, []
    try:
        comparison = compare_groups({tr(DEFAULT): default, tr(TUNED): tuned}, paired=True)
    except TileLabError as missing:  # an extra
        return None, [f"{missing}."]
    (pair,) = comparison.pairs
    # The mean difference has a sentence of its own.
    sentences = describe_comparison(replace(comparison, pairs=(replace(pair, differences=()),)))
    sentences = [sentence[0].upper() + sentence[1:] for sentence in sentences]
    return pair.p, [*sentences, *filter(None, [describe_disagreement(pair).lstrip()])]
