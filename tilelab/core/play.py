"""What a board in play needs besides itself: steps that can be taken back, and a watch."""

import copy
import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Self, TypeVar

T = TypeVar("T")


class UndoHistory(Generic[T]):
    """Values that the user has had, one after the other, and which of them is in force.

    The values are never changed, only replaced.
    """

    def __init__(self, position: T) -> None:
        self._positions = [position]
        self._place = 0

    @property
    def position(self) -> T:
        """The value in force."""
        return self._positions[self._place]

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return self._place > 0

    @property
    def can_redo(self) -> bool:
        """Whether a step was taken back."""
        return self._place + 1 < len(self._positions)

    def push(self, position: T) -> None:
        """Make one more step; what was taken back before is forgotten."""
        self._place += 1
        self._positions[self._place :] = [position]

    def undo(self) -> None:
        """Take the last step back."""
        if self.can_undo:
            self._place -= 1

    def redo(self) -> None:
        """Take the step that was taken back again."""
        if self.can_redo:
            self._place += 1

    def each(self, change: Callable[[T], T]) -> Self:
        """Return one with other values, each made of one of these."""
        other = self.copy()
        other._positions = [change(position) for position in self._positions]
        return other

    def copy(self) -> Self:
        """Return one whose steps are its own; the values are the same."""
        other = copy.copy(self)
        other._positions = list(self._positions)
        return other


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
