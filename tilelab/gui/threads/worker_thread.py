"""The thread that a worker lives in, and its end.

It is none of the pool's (:mod:`tilelab.gui.threads.task_runner`): it lives as long as its page, and
answers between two slices of the run.
"""

import atexit
from collections.abc import Callable

from PySide6.QtCore import QObject, QThread
from shiboken6 import isValid

from tilelab.gui.threads.task_runner import is_at_work

CLOSING_MILLISECONDS = 1_500
_UNFINISHED: list[QThread] = []
"""Threads that were still compiling when their window closed: deleting one would abort, so that a
process that is not ended under them waits for them."""


class OwnThread:
    """Runs the slots of a worker; ``ask_to_stop`` shortens what the worker is at."""

    def __init__(self, name: str, worker: QObject, ask_to_stop: Callable[[], None]) -> None:
        self._ask_to_stop = ask_to_stop
        self.thread = QThread()
        self.thread.setObjectName(name)
        # Without a parent: a QObject that has one cannot be moved to another thread.
        worker.moveToThread(self.thread)
        # A window that is never closed must not leave a running thread to be destroyed.
        atexit.register(self.end)
        self.thread.start()

    def end(self) -> bool:
        """End after the present slot; returns False when that did not happen in time."""
        atexit.unregister(self.end)
        if not isValid(self.thread) or not self.thread.isRunning():
            return True
        self._ask_to_stop()
        self.thread.quit()
        if self.thread.wait(CLOSING_MILLISECONDS):
            return True
        _UNFINISHED.append(self.thread)
        atexit.register(self.thread.wait)
        return False


def any_unfinished() -> bool:
    """Return whether a closed window has left something that is still at work."""
    return is_at_work() or any(not thread.isFinished() for thread in _UNFINISHED)
