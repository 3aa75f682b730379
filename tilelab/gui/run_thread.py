"""The thread that the worker lives in, and the queued signals by which it is asked."""

import atexit

from PySide6.QtCore import QObject, QThread, Signal, Slot
from shiboken6 import isValid

from tilelab.gui.jobs import PuzzleRequest, RunRequest
from tilelab.gui.worker import Worker
from tilelab.runs.session import Limits, Session

CLOSING_MILLISECONDS = 1_500
_UNFINISHED: list[QThread] = []
"""Threads that were still compiling when their window closed: deleting one would abort."""


class RunThread(QObject):
    """Owns thread and worker, and counts what the worker has been asked.

    News that was told before the last question arrived says so by its ``n_answered``.
    """

    _load = Signal(object)
    _go = Signal(object)
    _warm_up = Signal(object)
    _stop = Signal()
    _resume = Signal()
    _live = Signal(str, object)
    _limits = Signal(object)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.n_asked = 0
        # Without a parent: a QObject that has one cannot be moved to another thread.
        self.worker = Worker(session)
        self._thread = QThread()
        self._thread.setObjectName("worker")
        self.worker.moveToThread(self._thread)
        self._load.connect(self.worker.load)
        self._go.connect(self.worker.go)
        self._warm_up.connect(self.worker.warm_up)
        self._stop.connect(self.worker.stop)
        self._resume.connect(self.worker.resume)
        self._live.connect(self.worker.set_live)
        self._limits.connect(self.worker.set_limits)
        self._thread.start()
        # A window that is never closed must not leave a running thread to be destroyed.
        atexit.register(self.close)

    def load(self, request: PuzzleRequest) -> None:
        """Ask for a puzzle."""
        self.n_asked += 1
        self._load.emit(request)

    def go(self, request: RunRequest) -> None:
        """Ask for a run."""
        self.n_asked += 1
        self._go.emit(request)

    def warm_up(self, request: RunRequest) -> None:
        """Ask for what a run will need to be compiled."""
        self.n_asked += 1
        self._warm_up.emit(request)

    def stop(self) -> None:
        """Ask for a pause."""
        self.n_asked += 1
        self._stop.emit()

    def resume(self) -> None:
        """Ask to go on."""
        self.n_asked += 1
        self._resume.emit()

    @Slot(str, object)
    def set_live(self, name: str, value: object) -> None:
        """Turn a live parameter."""
        self._live.emit(name, value)

    def set_limits(self, limits: Limits) -> None:
        """Change when the run ends by itself."""
        self._limits.emit(limits)

    def close(self) -> bool:
        """Stop the worker after its slice; returns False when it did not end in time."""
        atexit.unregister(self.close)
        if not isValid(self._thread) or self._thread.isFinished():
            return True
        self._stop.emit()
        self._thread.quit()
        if self._thread.wait(CLOSING_MILLISECONDS):
            return True
        _UNFINISHED.append(self._thread)
        return False


def any_unfinished() -> bool:
    """Tell whether a closed window has left a thread that is still at work."""
    return any(not thread.isFinished() for thread in _UNFINISHED)
