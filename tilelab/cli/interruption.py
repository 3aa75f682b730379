"""Ctrl-C and its like: a run ends between two slices, and its best is still written."""

import signal
from types import FrameType
from typing import Any, Self

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


class Interruption:
    """While it is in force, a signal is noted; before the run has begun it ends the program.

    ``number`` is the signal that has come, or 0.
    """

    def __init__(self) -> None:
        self.number = 0
        self.can_wait = False
        """Whether somebody looks at ``number`` soon, so that nothing need be broken off."""
        self._before: dict[int, Any] = {}

    @property
    def exit_status(self) -> int:
        """What shells report of a program that a signal has ended: 128 and its number."""
        return 128 + self.number

    def __enter__(self) -> Self:
        for name in _SIGNALS:
            number = getattr(signal, name, None)
            if number is not None:
                self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self.number = number
        if not self.can_wait:
            raise KeyboardInterrupt
