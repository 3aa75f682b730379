"""The state of a run at any of its units: computed again, since a run is the same each time.

The computation continues from the last kept checkpoint before the unit, or else from the first
unit, and makes the same live changes at the same units.
"""

import dataclasses
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from tilelab.core.errors import SOLVER_ERRORS, RunError
from tilelab.core.memory import free_megabytes
from tilelab.core.plain import Value
from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import counted
from tilelab.runs.actions import State
from tilelab.runs.bests import Bests, Found
from tilelab.runs.recipe import Recipe
from tilelab.runs.session import Checkpoint, Limits, Session
from tilelab.runs.trace import Trace


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
