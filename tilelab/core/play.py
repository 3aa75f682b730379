"""Parts of a board in play: a history for undo and redo, and a stopwatch."""

import copy
import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Self, TypeVar

T = TypeVar("T")


class UndoHistory(Generic[T]):
    """The successive values of something that the user changes; the values never change."""

    def __init__(self, position: T) -> None:
        self._positions = [position]
        self._place = 0

    @property
    def position(self) -> T:
        return self._positions[self._place]

    @property
    def positions(self) -> tuple[T, ...]:
        """All values, also those that can be redone."""
        return tuple(self._positions)

    @property
    def can_undo(self) -> bool:
        return self._place > 0

    @property
    def can_redo(self) -> bool:
        return self._place + 1 < len(self._positions)

    def push(self, position: T) -> None:
        """Add a step; the steps that could be redone are dropped."""
        self._place += 1
        self._positions[self._place :] = [position]

    def undo(self) -> None:
        if self.can_undo:
            self._place -= 1

    def redo(self) -> None:
        if self.can_redo:
            self._place += 1

    def forget_redo(self) -> None:
        """Drop the steps that could be redone."""
        del self._positions[self._place + 1 :]

    def each(self, change: Callable[[T], T]) -> Self:
        """Return a history with the same steps and each value changed."""
        other = self.copy()
        other._positions = [change(position) for position in self._positions]
        return other

    def copy(self) -> Self:
        other = copy.copy(self)
        other._positions = list(self._positions)
        return other


@dataclass(frozen=True)
class Stopwatch:
    clock: Callable[[], float]  # function that returns seconds; only differences matter
    before: float = 0.0  # seconds measured before the last start
    since: float | None = None  # time of the last start, by the clock; None while it is stopped

    @property
    def seconds(self) -> float:
        return self.before + (0.0 if self.since is None else self.clock() - self.since)

    @property
    def is_running(self) -> bool:
        return self.since is not None

    def started(self) -> Self:
        return self if self.is_running else dataclasses.replace(self, since=self.clock())

    def stopped(self) -> Self:
        return dataclasses.replace(self, before=self.seconds, since=None)

    def reset(self) -> Self:
        return dataclasses.replace(self, before=0.0, since=None)
