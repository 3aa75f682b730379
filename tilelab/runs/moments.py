"""Moments of a run computed again: a single one, or one after another for a film.

A moment may lie within a unit. The views note what they need from some units before it on.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tilelab.core.errors import RunError
from tilelab.core.puzzle import Best, Cells
from tilelab.core.text.language import figures
from tilelab.core.views import View, ViewKind
from tilelab.runs.actions import State
from tilelab.runs.recipe import LiveChange
from tilelab.runs.replay import Past, ended_early, replay_run
from tilelab.runs.session import Checkpoint, Limits, Session

MAX_PICTURES = 500  # all are in memory until the file is written, up to 2 MB each


@dataclass(frozen=True)
class Pace:
    every: int  # number of steps or units between two of them, at least 1
    by_steps: bool  # whether the solver's smallest steps are counted, or its units


@dataclass(frozen=True, eq=False)
class RunMoment:
    units: int  # units done
    steps: int  # steps done of the current unit
    best: Best | None
    # Inside a unit its current ones, where known; else those of the last unit, {} before.
    metrics: Mapping[str, float]
    part: float  # part of the whole film, 0 to 1
    views: Mapping[ViewKind, View] = field(default_factory=dict)
    current: Cells | None = None  # board to show where there is no best, if known


def moments(past: Past, pace: Pace, kinds: frozenset[ViewKind]) -> Iterator[RunMoment]:
    """Return the moments of a run to the end of a unit; RunError if it ends before, or too many."""
    session = Session()
    session.begin(replace(past.recipe, limits=Limits(units=past.units)))
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


WATCHED_UNITS = 2  # units before a moment that are watched, for a population's parents
MAX_STEPS = 1_000_000_000  # a number of steps larger than any unit has
LAST = -1  # number of steps that means all of the unit except its last one


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
        session.begin(replace(past.recipe, limits=Limits(), changes=changes))
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
    made = {kind: session.solver.view(kind) for kind in sorted(kinds)}
    return RunMoment(
        session.units,
        session.steps_done,
        session.best,
        session.metrics,
        session.units / units,
        {kind: view for kind, view in made.items() if view is not None},
        session.solver.current_cells() if session.best is None else None,
    )
