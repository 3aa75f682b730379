"""The state of a run at any of its moments: computed again, since a run is the same each time.

The computation continues from the last kept checkpoint before the unit, or else from the first
unit, and makes the same live changes at the same units. A moment may lie within a unit. The views
note what they need from some units before it on.
"""

import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from tilelab.core.errors import SOLVER_ERRORS, RunError
from tilelab.core.memory import free_megabytes
from tilelab.core.plain import Value
from tilelab.core.puzzle import Best, Cells
from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import counted
from tilelab.core.views import View, ViewKind
from tilelab.runs.actions import State
from tilelab.runs.bests import Bests, Found
from tilelab.runs.recipe import LiveChange, Recipe
from tilelab.runs.session import Checkpoint, Limits, Session
from tilelab.runs.trace import Trace

MAX_PICTURES = 500  # all are in memory until the file is written, up to 2 MB each
WATCHED_UNITS = 2  # units before a moment that are watched, for a population's parents
MAX_STEPS = 1_000_000_000  # a number of steps larger than any unit has
LAST = -1  # number of steps that means all of the unit except its last one


class KeptCheckpoints(Protocol):
    def units(self) -> list[int]: ...  # numbers of units after which there is one, ascending
    def read(self, units: int) -> Checkpoint: ...  # may take seconds; raises TileLabError


@dataclass(frozen=True, eq=False)
class Past:
    """A run up to the end of one of its units: all that is needed to compute its state again."""

    key: str  # key of the run
    recipe: Recipe  # the recipe with the changes that were made before that unit was done
    units: int  # number of units that are done; the last of them is unit units - 1
    low: Mapping[str, float] = field(default_factory=dict)
    # Bounds of each metric of that unit, low and high, as far as the trace knows.
    high: Mapping[str, float] = field(default_factory=dict)
    starts: tuple[int, ...] = ()  # numbers of units that may have a checkpoint, descending
    seconds: float = 0.0  # expected duration of the computation, at the run's own pace
    is_known: bool = True  # whether metrics and best of that unit are known without computation
    kept: KeptCheckpoints | None = None

    @property
    def start(self) -> int:
        return self.starts[0] if self.starts else 0

    @property
    def metrics(self) -> dict[str, float]:
        return {name: low for name, low in self.low.items() if low == self.high[name]}

    @property
    def params(self) -> dict[str, Value]:
        changed = {change.name: change.value for change in self.recipe.changes}
        return {**self.recipe.plain_params, **changed}

    def up_to(self, units: int) -> "Past":
        """Return the same run up to an earlier moment, without known metrics and duration."""
        return dataclasses.replace(
            self,
            recipe=_before(units, self.recipe),
            units=units,
            low={},
            high={},
            starts=tuple(at for at in self.starts if at <= units),
            is_known=False,
        )


def past_of(
    unit: int,
    *,
    key: str,
    recipe: Recipe,
    trace: Trace,
    bests: Bests,
    seconds: float,
    kept: KeptCheckpoints | None,
) -> Past:
    """Make a run up to the end of a unit, from 0; seconds: running time of the whole run."""
    units = unit + 1
    starts = () if kept is None else tuple(at for at in reversed(kept.units()) if at <= units)
    low, high = trace.bounds_at(unit)
    found = bests.at(unit)
    marks = [(0, 0.0), *((found.best.unit + 1, found.seconds) for found in bests)]
    at, then = zip(*marks, (trace.n_units, seconds), strict=True)
    began, ended = np.interp([starts[0] if starts else 0, units], at, then)
    return Past(
        key=key,
        recipe=_before(units, recipe),
        units=units,
        low=dict(zip(trace.names, low.tolist(), strict=True)),
        high=dict(zip(trace.names, high.tolist(), strict=True)),
        starts=starts,
        seconds=max(float(ended - began), 0.0),
        is_known=bool((low == high).all()) and found is not None and _is_best(found, unit, trace),
        kept=kept,
    )


def past_before(key: str, recipe: Recipe) -> Past:
    return Past(key, _before(1, recipe), 0)


def _before(units: int, recipe: Recipe) -> Recipe:
    """Return a recipe with the changes that hold for the last of that many units."""
    changes = itertools.takewhile(lambda change: change.unit < units, recipe.changes)
    return dataclasses.replace(recipe, changes=tuple(changes))


def _is_best(found: Found, unit: int, trace: Trace) -> bool:
    """Return whether no best between a known one and a unit is missing in the thinned list."""
    rows = [trace.names.index(name) for name in ("best_ever", "nearest") if name in trace.names]
    then, now = trace.bounds_at(found.best.unit), trace.bounds_at(unit)
    return bool(all((then[bound][rows] == now[bound][rows]).all() for bound in (0, 1)))


def replay_run(past: Past) -> Iterator[int | Checkpoint]:
    """Compute a run again; yield units done, at last its state. RunError, also if it differs."""
    _require_memory(past)
    session, checkpoint = _begin_at_checkpoint(past)
    while checkpoint is None:
        if session.state is not State.RUNNING and session.units < past.units:
            raise ended_early(session)
        if session.units == past.units:
            checkpoint = session.snapshot()
        else:
            session.run_slice()
        yield session.units
    _require_same(past, checkpoint)
    yield dataclasses.replace(checkpoint, key=past.key)


def ended_early(session: Session) -> RunError:
    """Return the error for a run that ends before the requested moment."""
    units = counted(session.units, session.spec.unit)
    why = session.message or tr("it ended after {units}", units=units)
    return RunError.tr("the run cannot be computed again: {why}", why=why)


def _begin_at_checkpoint(past: Past) -> tuple[Session, Checkpoint | None]:
    """Begin at the last readable checkpoint, which may be the requested one, or at unit 0."""
    session, limits, changes = Session(), Limits(units=past.units), past.recipe.changes
    for units in past.starts:
        assert past.kept is not None
        try:
            kept = past.kept.read(units)
            if not _is_of(past, kept):
                continue
            if kept.units == past.units:
                return session, kept
            session.restore(kept.with_limits(limits), changes[len(kept.recipe.changes) :])
        except (*SOLVER_ERRORS, OSError):
            # An earlier one is usable too.
            continue
        session.resume()
        return session, None
    session.begin(dataclasses.replace(past.recipe, limits=limits))
    return session, None


def _is_of(past: Past, kept: Checkpoint) -> bool:
    """Return whether the run passed a checkpoint before its moment, with the same live changes."""
    is_before = (kept.units, kept.snapshot.steps_done) <= (past.units, 0)
    made = kept.recipe.changes
    return kept.key == past.key and is_before and made == past.recipe.changes[: len(made)]


def _require_memory(past: Past) -> None:
    needed, free = past.high.get("megabytes", 0.0), free_megabytes()
    if needed > free:
        raise RunError.tr(
            "computing the run again needs {needed} MB of memory; {free} MB are free",
            needed=figures(needed, ",.0f"),
            free=figures(free, ","),
        )


def _require_same(past: Past, checkpoint: Checkpoint) -> None:
    """Compare the unit with what the trace of the run knows of it."""
    spec = past.recipe.solver_class.spec
    row = dict(zip(checkpoint.trace.names, checkpoint.last_row, strict=False))
    for name, value in row.items():
        # Traces have no values that are not finite.
        if value < past.low.get(name, value) or value > past.high.get(name, value):
            raise RunError.tr(
                "the run cannot be computed again: at {unit} {number} its {metric} is now "
                "{now} and was {before}; the solver or its tables have changed",
                unit=spec.unit,
                number=figures(past.units - 1, ","),
                metric=name.replace("_", " "),
                now=figures(value, ",g"),
                before=figures(past.low[name], ",g"),
            )


@dataclass(frozen=True)
class Pace:
    every: int  # number of steps or units between two of them, at least 1
    by_steps: bool  # whether the solver's smallest steps are counted, or its units


@dataclass(frozen=True, eq=False)
class RunMoment:
    units: int  # units done
    steps: int  # steps done of the current unit
    best: Best | None  # that of a search inside a unit is its nearest board at this step
    # Inside a unit its current ones, where known; else those of the last unit, {} before.
    metrics: Mapping[str, float]
    part: float  # part of the whole film, 0 to 1
    views: Mapping[ViewKind, View] = field(default_factory=dict)
    current: Cells | None = None  # board to show where there is no best, if known


def moments(past: Past, pace: Pace, kinds: frozenset[ViewKind]) -> Iterator[RunMoment]:
    """Return the moments of a run to the end of a unit; RunError if it ends before, or too many."""
    session = Session()
    session.begin(dataclasses.replace(past.recipe, limits=Limits(units=past.units)))
    session.watch(kinds)
    n_shown = 0
    while True:
        yield _moment(session, past.units, kinds)
        n_shown += 1
        if session.units >= past.units:
            return
        if session.state is not State.RUNNING:
            raise ended_early(session)
        if n_shown == MAX_PICTURES:
            raise RunError.tr(
                "a film has at most {most_pictures} pictures, and this one reached {done} with "
                "them; show fewer moments",
                most_pictures=figures(MAX_PICTURES, ","),
                done=session.spec.done(session.units, session.steps_done, session.metrics),
            )
        _continue(session, pace)


@dataclass(frozen=True, eq=False)
class MomentRequest:
    past: Past  # the run up to the last complete unit
    base: Past | None  # up to WATCHED_UNITS units earlier; None if that is before the first
    changes: Sequence[LiveChange]  # all changes of the run
    steps: int  # steps done of the next unit, or LAST
    kinds: frozenset[ViewKind]  # the views that are shown


def moment_at(wanted: MomentRequest) -> Iterator[int | RunMoment]:
    """Compute a moment; yields the units done, and at last the moment. Raises RunError."""
    for reported in session_at(wanted):
        if isinstance(reported, int):
            yield reported
        else:
            yield _moment(reported, wanted.past.units or 1, wanted.kinds)


def session_at(wanted: MomentRequest) -> Iterator[int | Session]:
    """Do the same; yields the run itself at last, in its state at the moment."""
    session, past = Session(), wanted.past
    is_inside = wanted.steps != 0
    changes = tuple(
        change for change in wanted.changes if change.unit < past.units + (1 if is_inside else 0)
    )
    kept: Checkpoint | None = None
    for reported in () if wanted.base is None else replay_run(wanted.base):
        if isinstance(reported, int):
            yield reported
        else:
            kept = reported
    if kept is None:
        session.begin(dataclasses.replace(past.recipe, limits=Limits(), changes=changes))
    else:
        session.restore(kept.with_limits(Limits()), changes[len(kept.recipe.changes) :])
        session.resume()
    session.watch(wanted.kinds)
    while session.units < past.units:
        if session.run_slice(past.units - session.units) is None:
            raise RunError.tr("the run cannot be computed again: {reason}", reason=session.message)
        yield session.units
    due = [change for change in changes if change.unit == past.units]
    steps = _n_steps(session, due) - 1 if wanted.steps == LAST else wanted.steps
    done = 0
    while done < steps and session.units == past.units and session.state is State.RUNNING:
        # The last step by itself: views note only the step that has just been done.
        progress = session.run_steps(max(steps - done - 1, 1))
        done += 0 if progress is None else progress.steps or progress.units
    yield session


def moments_inside(run: Session, most: int) -> tuple[int, Iterator[RunMoment]]:
    """Compute moments inside the first unit of a run, evenly among its steps.

    Returns the number of steps that the run has done of it, and about ``most`` moments; 0 and none
    if the run, made again as a whole, is not the same now. The moments' parts are about those of
    the running time.
    """
    begun = dataclasses.replace(run.recipe, limits=Limits(units=max(run.units, 1)))
    again = Session()
    again.begin(begun)
    progress = again.run_steps(MAX_STEPS if run.units else run.steps_done)
    seconds = again.seconds
    while again.units < run.units and again.state is State.RUNNING:
        again.run_slice(run.units - again.units)
    was, now = ([*session.metrics.values()] for session in (run, again))
    if progress is None or not np.array_equal(was, now, equal_nan=True):
        return 0, iter(())
    end, share = progress.steps, seconds / again.seconds if again.seconds else 1.0
    pace = Pace(-(-end // most) or 1, by_steps=True)
    inside = itertools.takewhile(
        lambda moment: not moment.units and moment.steps < end,
        moments(Past(run.key, begun, 1), pace, frozenset()),
    )
    return end, (
        dataclasses.replace(moment, part=share * moment.steps / end)
        for moment in inside
        if moment.steps
    )


def _n_steps(session: Session, due: Sequence[LiveChange]) -> int:
    """Return how many steps the next unit has; due: the changes before it."""
    other = Session()
    other.restore(session.snapshot(), due)
    progress = other.step(MAX_STEPS)
    return 1 if progress is None else max(progress.steps, 1)


def _continue(session: Session, pace: Pace) -> None:
    """Advance to the next moment, or to the end."""
    left = pace.every
    while left and session.state is State.RUNNING:
        progress = session.run_steps(left) if pace.by_steps else session.run_slice(left)
        left -= 0 if progress is None else progress.steps or progress.units


def _moment(session: Session, units: int, kinds: frozenset[ViewKind]) -> RunMoment:
    assert session.solver is not None
    best = session.best
    current = session.solver.current_cells() if best is None or session.spec.is_search else None
    if best is not None and current is not None and session.steps_done:
        value = session.puzzle.score(current)
        if value > best.value:  # the search offers it when the unit is complete
            best = Best(current, value, session.units)
    made = {kind: session.solver.view(kind) for kind in sorted(kinds)}
    return RunMoment(
        session.units,
        session.steps_done,
        best,
        session.metrics,
        session.units / units,
        {kind: view for kind, view in made.items() if view is not None},
        current if best is None else None,
    )
