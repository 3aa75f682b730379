"""What a tuning searches: the axes of its plan's only solver."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab import catalog
from tilelab.core.errors import UsageError
from tilelab.core.parameters import NONE, current_name, describe
from tilelab.core.text.language import tr
from tilelab.core.text.wording import unknown_name
from tilelab.experiments.cells import Runs, runs_of
from tilelab.experiments.plan import Plan, Scalar, TuneTable
from tilelab.experiments.tables import FIGURES

COSTS = frozenset({"moves", "units", "evaluations", "seconds", "best_unit"})
"""Figures of which less is better."""
BUDGETS = ("units", "evaluations", "seconds")
"""Limits of which a rung has a part."""
REDUCTION = 3
"""How many times more a run gets on the next rung, and of how many trials one gets there."""

Setting = Mapping[str, Scalar]
"""A value of each axis."""


@dataclass(frozen=True)
class ParameterRange:
    """A parameter and the values that it may have."""

    name: str
    values: tuple[Scalar, ...]
    """Numbers in ascending order."""

    @property
    def is_ordered(self) -> bool:
        """Whether a value lies between its neighbours: that of numbers does, that of words not."""
        return not any(isinstance(value, bool | str) for value in self.values)


@dataclass(frozen=True)
class Task:
    """What is to be tuned, on what, and what it is compared on at last."""

    plan: Plan
    """The whole; always paired, so that every trial has the same seeds."""
    tune: TuneTable
    axes: tuple[ParameterRange, ...]
    default: Setting
    """The values that the axes have unless somebody says so."""
    runs: Runs
    """Of the default setting, on what is tuned on, with the whole limits."""
    held_out: Plan
    """The default setting on what is not tuned on: further seeds, or other instances."""
    kinds: tuple[Runs, ...]
    """Runs of all the kernels and tables that trials may need."""

    @property
    def is_maximized(self) -> bool:
        """Whether more is better."""
        if self.tune.direction is None:
            return self.tune.of not in COSTS
        return self.tune.direction == "maximize"

    @property
    def n_rungs(self) -> int:
        """How many steps there are to the whole limits; one where nothing can be a part of them."""
        limits = self.plan.limits
        has_budget = any(getattr(limits, name) is not None for name in BUDGETS)
        return self.tune.rungs if has_budget else 1

    @property
    def first_trial(self) -> Setting | None:
        """The default, where the axes hold it: it is the first trial, so none is worse."""
        is_there = all(self.default[axis.name] in axis.values for axis in self.axes)
        return self.default if is_there else None


def task_of(plan: Plan, folder: Path | None = None) -> Task:
    """Return the task of a plan; raises TileLabError with the key of the first error.

    folder: of the plan's file, from where the files that it names are looked for.
    """
    if len(plan.solvers) != 1:
        raise UsageError(
            tr(
                "solvers: a tuning is of one solver, and here are {n_solvers}",
                n_solvers=len(plan.solvers),
            )
        )
    (solver,) = plan.solvers
    if not solver.axes:
        raise UsageError(
            tr("solvers[1].axes: there is nothing to tune; name what may vary, and how")
        )
    tune = plan.tune or TuneTable()
    plan = plan.model_copy(update={"paired": True, "tune": tune})
    # Each axis by itself: its values are looked at, and not all combinations.
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
    tuned_on, held_out = _parted(plain, runs_of(plain, folder))
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
    """Return a plan of the same solver once with each of some settings, and with other axes."""
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


def _parted(plan: Plan, runs: Runs) -> tuple[Plan, Plan]:
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
        raise UsageError(
            tr(
                "tune.held_out: {n_held_out} of {n_instances} instances cannot be held out: one at "
                "least has to be tuned on",
                n_held_out=n_held_out,
                n_instances=len(instances),
            )
        )
    of_plan, held_out = (
        plan.model_copy(
            update={"instances": plan.instances.model_copy(update={"numbers": tuple(numbers)})}
        )
        for numbers in (instances[:-n_held_out], instances[-n_held_out:])
    )
    return of_plan, held_out
