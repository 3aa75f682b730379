"""Ctrl-C and its like: a run ends between two slices, and its best is still written."""

import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Self, TypeAlias

from tilelab.core.errors import Stopped
from tilelab.core.text.language import tr

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
Handler: TypeAlias = Callable[[int, FrameType | None], object] | int | None
"""What Python does at a signal; None where it was not Python that has said so."""


class Interruption:
    """While it lasts, a signal is noted; before a run has begun it breaks off with Stopped.

    ``number`` is the first signal that has come, or 0; later ones are only counted.
    """

    def __init__(self) -> None:
        self.number = 0
        self.n_signals = 0
        """How many have come."""
        self.can_wait = False
        """Whether somebody looks at ``number`` soon, so that nothing need be broken off."""
        self._before: dict[int, Handler] = {}

    @property
    def exit_status(self) -> int:
        """What shells report of a program that a signal has ended: 128 and its number."""
        return 128 + self.number

    def begin(self) -> None:
        """Note signals from now on."""
        for name in _SIGNALS:
            number = getattr(signal, name, None)
            # Under nohup a closed terminal is to be ignored, and stays so.
            if number is None or (name == "SIGHUP" and signal.getsignal(number) is signal.SIG_IGN):
                continue
            self._before[number] = signal.signal(number, self._note)

    def say_stopped(self) -> int:
        """Say that nothing was written; returns the exit status."""
        sys.stderr.write(tr("Stopped before there was anything to write.\n"))
        return self.exit_status

    def __enter__(self) -> Self:
        self.begin()
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self.n_signals += 1
        if self.number:
            return
        self.number = number
        if not self.can_wait:
            raise Stopped
