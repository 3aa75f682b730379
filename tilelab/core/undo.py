"""Steps that can be taken back and taken again, without limit."""

import copy
from collections.abc import Callable
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
