"""The limits of a run."""

from typing import Protocol

from tilelab.core.errors import ParameterError
from tilelab.core.parameters import Params, parameter
from tilelab.core.puzzle import Best
from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import counted, number, plural

_GROUP = marked("Limits")
# Limits that show before a unit whether it is the last one.
_FORESEEN = ("units", "seconds", "units_without_improvement")
_NAMES = {"units_without_improvement": marked("units without improvement")}


class MeasuredRun(Protocol):
    """The figures of a run that its limits measure; evaluations: None where not counted."""

    @property
    def units(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def evaluations(self) -> int | None: ...
    @property
    def best(self) -> Best | None: ...


class Limits(Params):
    units: int | None = parameter(
        None,
        marked("Units"),
        low=1,
        help=marked(
            "End the run after this many generations, iterations or updates of its solver. "
            "See Expansions per update for the length of an update of a search."
        ),
        group=_GROUP,
        former="limit",
    )
    evaluations: int | None = parameter(
        None,
        marked("Evaluations"),
        low=1,
        help=marked(
            "End the run after this many scored or generated boards; comparable between solvers."
        ),
        group=_GROUP,
    )
    seconds: float | None = parameter(
        None,
        marked("Seconds"),
        above=0.0,
        unit="s",
        help=marked("End the run after this many seconds of running time."),
        group=_GROUP,
    )
    target: float | None = parameter(
        None,
        marked("Target"),
        help=marked("End the run when its best board reaches this value."),
        group=_GROUP,
    )
    units_without_improvement: int | None = parameter(
        None,
        marked("Without improvement"),
        low=1,
        help=marked("End the run after this many units without improvement."),
        group=_GROUP,
    )

    @property
    def can_end_any_unit(self) -> bool:
        """Whether only doing a unit shows that it is the last one."""
        return any(
            getattr(self, name) is not None for name in Limits.model_fields if name not in _FORESEEN
        )

    def last_unit(self, best: Best | None) -> int | None:
        """Return after how many units a run ends unless it improves on its current best."""
        ends = [] if self.units is None else [self.units]
        if self.units_without_improvement is not None:
            ends.append((0 if best is None else best.unit + 1) + self.units_without_improvement)
        return min(ends, default=None)

    def reached(self, run: MeasuredRun) -> tuple[str, ...]:
        """Return the names of the limits that a run has reached; the first of them ends it."""
        best, evaluations = run.best, run.evaluations
        idle = run.units if best is None else run.units - best.unit - 1
        measured: dict[str, float | None] = {
            "units": run.units,
            "seconds": run.seconds,
            "target": None if best is None else best.value,
            "evaluations": evaluations,
            "units_without_improvement": idle,
        }
        return tuple(
            name
            for name, value in measured.items()
            if (limit := getattr(self, name)) is not None and value is not None and value >= limit
        )

    def ending(self, run: MeasuredRun, *, is_inside_unit: bool) -> str:
        """Return the limit that ends a run now, or ''; inside a unit only the clock does."""
        reached = self.reached(run)
        return next((name for name in reached if name == "seconds" or not is_inside_unit), "")

    def can_continue(self, ended_by: str, run: MeasuredRun) -> bool:
        """Return whether a run that was ended by a limit no longer reaches it."""
        return ended_by in Limits.model_fields and ended_by not in self.reached(run)

    def require_counted(self, evaluations: int | None, solver_key: str) -> None:
        """Raise ParameterError for a limit of evaluations where a solver does not count them."""
        if self.evaluations is not None and evaluations is None:
            raise ParameterError.tr(
                "evaluations: {key} does not count them; use another limit",
                name="evaluations",
                key=solver_key,
            )

    def nearest(
        self, units: int, seconds: float, evaluations: int | None, units_a_second: float
    ) -> tuple[float, float | None] | None:
        """Return which part of the nearest limit is done, 0..1, and how many seconds are left.

        None: it approaches no limit. The seconds are None where its speed is not known.
        """
        options: list[tuple[float, float | None]] = []
        if self.seconds is not None:
            options.append((seconds / self.seconds, self.seconds - seconds))
        for limit, done in ((self.units, units), (self.evaluations, evaluations)):
            if limit is not None and done is not None:
                speed = units_a_second * done / units if units else 0.0
                options.append((done / limit, (limit - done) / speed if speed else None))
        if not options:
            return None
        share, left = max(options, key=lambda option: option[0])
        return min(share, 1.0), None if left is None else max(left, 0.0)

    def end_text(self, ended_by: str, unit: str, expanded: str = "") -> str:
        """Return a sentence on the limit that has ended a run: ``Stopped: target 60 reached``.

        expanded: what a search has done, which says more than its units; '' for other solvers.
        """
        value = getattr(self, ended_by) if ended_by in Limits.model_fields else None
        if value is None:
            reason = limit_name(ended_by, unit)
            if ended_by == f"{unit}s":  # a number that its own parameter asks for is no failure
                return tr("Finished: number of {units} reached", units=reason)
            return tr("Limit reached ({limit})", limit=reason)
        if ended_by == "units_without_improvement":
            return tr("Stopped: {units} without improvement", units=counted(value, unit))
        if ended_by == "units" and expanded:
            return tr("Stopped: {done}", done=expanded)
        return tr("Stopped: {limit} reached", limit=self.text(ended_by, unit))

    def text(self, name: str, unit: str) -> str:
        """Return the text of a limit that is set: ``500 generations``, ``target 60``."""
        value = getattr(self, name)
        if name == "units":
            return counted(value, unit)
        if name == "evaluations":
            return counted(value, "evaluation")
        if name == "seconds":
            return f"{number(value)} s"
        if name == "target":
            return tr("target {value}", value=number(value))
        return tr("{units} without improvement", units=counted(value, unit))


def limit_name(ended_by: str, unit: str) -> str:
    """Return the name of the limit that has ended a run; for 'units', the unit in the plural."""
    return plural(unit) if ended_by == "units" else tr(_NAMES.get(ended_by, ended_by))
