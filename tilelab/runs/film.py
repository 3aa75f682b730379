"""The moments of a run one after another, computed again from its first unit: for a film."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tilelab import catalog
from tilelab.core.errors import RunError
from tilelab.core.puzzle import Best
from tilelab.core.views import View, ViewKind
from tilelab.core.wording import counted
from tilelab.runs.actions import State
from tilelab.runs.replay import Past
from tilelab.runs.session import Limits, Session

MOST_PICTURES = 500
"""All of them are in memory until the file is written, up to 2 MB each."""


@dataclass(frozen=True)
class Pace:
    """Which moments are shown."""

    every: int
    """So many steps or units lie between two of them, 1 at least."""
    by_steps: bool
    """Whether the solver's smallest steps are counted, or its units."""


@dataclass(frozen=True, eq=False)
class Moment:
    """How a run stood."""

    units: int
    """Units done by then."""
    steps: int
    """Steps done of the unit at hand."""
    best: Best | None
    metrics: Mapping[str, float]
    """Of the last unit that was complete; {} before the first."""
    part: float
    """Of the whole film, 0 to 1."""
    views: Mapping[ViewKind, View] = field(default_factory=dict)


def moments(past: Past, pace: Pace, kinds: frozenset[ViewKind]) -> Iterator[Moment]:
    """Return the moments of a run up to the end of a unit, first and last included.

    kinds: the views that are shown. Raises RunError when the run ends before, as a solver that has
    changed since may do, or when there are more than ``MOST_PICTURES``.
    """
    session = Session()
    session.load(past.puzzle)
    params = catalog.solver_params(past.puzzle.spec.key, past.solver_key, past.first_params)
    session.go(past.solver_key, params, past.seed, Limits(limit=past.units), past.journal)
    assert session.solver is not None
    session.solver.watch(kinds)
    n_shown = 0
    while True:
        yield _moment(session, past.units, kinds)
        n_shown += 1
        if session.units >= past.units:
            return
        if session.state is not State.RUNNING:
            why = session.message or f"it ended after {counted(session.units, session.spec.unit)}"
            raise RunError(f"the run cannot be computed again: {why}")
        if n_shown == MOST_PICTURES:
            raise RunError(
                f"a film shows at most {MOST_PICTURES:,} pictures, and this one has come to "
                f"{session.spec.unit} {session.units:,} with them; show fewer moments"
            )
        _go_on(session, pace)


def _go_on(session: Session, pace: Pace) -> None:
    """Go to the next moment, or to the end."""
    left = pace.every
    while left and session.state is State.RUNNING:
        if pace.by_steps:
            progress = session.slow_tick(left)
            left -= 0 if progress is None else progress.steps or progress.units
        else:
            progress = session.tick(left)
            left -= 0 if progress is None else progress.units


def _moment(session: Session, units: int, kinds: frozenset[ViewKind]) -> Moment:
    assert session.solver is not None
    made = {kind: session.solver.view(kind) for kind in sorted(kinds)}
    return Moment(
        session.units,
        session.steps_done,
        session.best,
        dict(zip(session.spec.metrics, session.last_row, strict=False)),
        session.units / units,
        {kind: view for kind, view in made.items() if view is not None},
    )
