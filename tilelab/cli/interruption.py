"""Ctrl-C and similar signals: a run ends between two slices, and its best is still written."""

import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Self, TypeAlias

from tilelab.core.errors import Stopped
from tilelab.core.registry import Lazy
from tilelab.core.text.language import tr

if TYPE_CHECKING:
    from click import get_current_context
else:  # The window handles signals too, and opens sooner without click.
    get_current_context = Lazy("click:get_current_context")

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
Handler: TypeAlias = Callable[[int, FrameType | None], object] | int | None
"""Python's handler of a signal; None where it was not set from Python."""


class Interruption:
    """While it is in force, notes signals; before a run has begun, a signal raises Stopped.

    ``number`` is the first signal that has arrived, or 0; later ones are only counted.
    """

    def __init__(self) -> None:
        self.number = 0
        self.n_signals = 0  # number of signals so far
        self.can_wait = False
        """Whether the caller checks ``number`` soon, so that a signal need not interrupt it."""
        self._before: dict[int, Handler] = {}

    @property
    def exit_status(self) -> int:
        """Exit status of a program that a signal has ended, as shells report it: 128 + number."""
        return 128 + self.number

    def begin(self) -> None:
        for name in _SIGNALS:
            number = getattr(signal, name, None)
            # Under nohup a closed terminal is ignored, and remains so.
            if number is None or (name == "SIGHUP" and signal.getsignal(number) is signal.SIG_IGN):
                continue
            self._before[number] = signal.signal(number, self._note)

    def say_stopped(self) -> int:
        """Report that nothing was written; return the exit status."""
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


def present_interruption() -> Interruption:
    """Return the object that notes the signals while a command runs."""
    interruption = get_current_context().find_object(Interruption)
    assert interruption is not None
    return interruption
