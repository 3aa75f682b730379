"""When a run ends by itself."""

from tilelab.core.parameters import Params, parameter, validate
from tilelab.core.plain import JsonObject
from tilelab.core.text.language import marked


class Limits(Params):
    """When a run ends by itself."""

    limit: int | None = parameter(
        None,
        marked("Iterations"),
        low=1,
        help=marked(
            "End the run after this many generations, iterations or updates of its solver."
        ),
        group=marked("Limits"),
    )
    seconds: float | None = parameter(
        None,
        marked("Seconds"),
        above=0.0,
        unit="s",
        help=marked("End the run after this many seconds of running time."),
        group=marked("Limits"),
    )

    def reached(self, units: int, seconds: float) -> tuple[str, ...]:
        """Return which of them a run has come to: 'units', 'seconds', both or none."""
        is_reached = {
            "units": self.limit is not None and units >= self.limit,
            "seconds": self.seconds is not None and seconds >= self.seconds,
        }
        return tuple(name for name, is_so in is_reached.items() if is_so)

    def may_go_on(self, ended_by: str, units: int, seconds: float) -> bool:
        """Return whether a run that a limit has ended has it no longer before it."""
        return ended_by in ("units", "seconds") and ended_by not in self.reached(units, seconds)


def kept_limits(values: JsonObject) -> Limits:
    """Make limits of what was written down; 0 seconds, which older programs took, are no limit."""
    return validate(Limits, {**values, "seconds": values.get("seconds") or None})
