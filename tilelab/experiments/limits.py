"""When a run ends by a plan's limits; a session by itself keeps only those of units and seconds."""

from collections.abc import Mapping

from tilelab.core.errors import RunError
from tilelab.core.text.language import tr
from tilelab.runs.session import Session

PlanLimits = Mapping[str, float | None]
"""As ``[limits]``, by their keys."""


def most_units(session: Session, limits: PlanLimits) -> int | None:
    """Return how many units a slice may have, so that no limit is passed by more than a unit.

    How long a slice is depends on the machine, and what a run comes to must not.
    """
    if limits["evaluations"] is not None or limits["target"] is not None:
        return 1
    idle = limits["units_without_improvement"]
    return None if idle is None else idle_end(session, int(idle)) - session.units


def idle_end(session: Session, most_idle: int) -> int:
    """Return after which unit a run ends unless it finds a better board until then."""
    return most_idle if session.best is None else session.best.unit + 1 + most_idle


def limit_reached(session: Session, limits: PlanLimits) -> str:
    """Return which of the plan's own limits a run has come to, or ''; raises RunError."""
    evaluations, target = limits["evaluations"], limits["target"]
    idle = limits["units_without_improvement"]
    if target is not None and session.best is not None and session.best.value >= target:
        return "target"
    if evaluations is not None:
        if session.evaluations is None:
            raise RunError(
                tr("limits.evaluations: {key} does not count them; another limit is needed").format(
                    key=session.spec.key
                )
            )
        if session.evaluations >= evaluations:
            return "evaluations"
    if idle is not None and session.units >= idle_end(session, int(idle)):
        return "units_without_improvement"
    return ""
