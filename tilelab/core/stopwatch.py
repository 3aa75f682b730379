"""Time that is measured in parts: it runs, stands still, and runs on."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True)
class Stopwatch:
    """A watch as it stands or runs; never changed, only replaced."""

    clock: Callable[[], float]
    """Returns seconds; only differences count."""
    before: float = 0.0
    """Seconds that were measured before it was started last."""
    since: float | None = None
    """When it was started last, by the clock; None while it stands still."""

    @property
    def seconds(self) -> float:
        """All the time that it has run."""
        return self.before + (0.0 if self.since is None else self.clock() - self.since)

    @property
    def is_running(self) -> bool:
        """Whether its time goes on."""
        return self.since is not None

    def started(self) -> Self:
        """Return it running."""
        return self if self.is_running else dataclasses.replace(self, since=self.clock())

    def stopped(self) -> Self:
        """Return it standing still."""
        return dataclasses.replace(self, before=self.seconds, since=None)

    def reset(self) -> Self:
        """Return it standing still, at nothing."""
        return dataclasses.replace(self, before=0.0, since=None)
