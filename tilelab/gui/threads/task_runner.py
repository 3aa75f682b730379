"""One pool of threads for all work beside the run, and the thread of its own that a run has.

A job is an iterator made in the window and advanced in a thread of the pool; each of its steps is
short, so that calling it off is answered soon. What it yields is handed on, one message each.
"""

import atexit
import functools
import threading
import weakref
from collections.abc import Callable, Generator, Iterator

from PySide6.QtCore import QObject, QThread, QThreadPool, Signal, Slot
from shiboken6 import isValid

from tilelab.core.errors import TileLabError, error_text, errors_as
from tilelab.gui.threads.garbage_collection import quiet_collector

CLOSING_SECONDS = 1.5
_MAX_THREADS = 64
"""More than there are jobs in the window: a race, which goes on for long, delays nothing else."""
CLOSING_MILLISECONDS = 1_500
_UNFINISHED: list[QThread] = []
"""Threads that were still compiling when their window closed: deleting one would abort, so that a
process that is not ended under them waits for them."""


class _Jobs(QObject):
    """The jobs of one :class:`TaskRunner`, one after the other; of those that wait only the newest.

    The pool holds it while it is at work, whatever becomes of the window.
    """

    reported = Signal(int, object)
    ended = Signal(int, object)
    """Its number, and the sentence why it cannot be done, or None."""

    def __init__(self) -> None:
        super().__init__()
        self.number = 0
        """Of the newest job; all others are given up."""
        self.is_idle = threading.Event()
        self.is_idle.set()
        self._waiting: Iterator[object] | None = None
        self._mutex = threading.Lock()
        _all_jobs.add(self)

    def start(self, job: Iterator[object] | None) -> None:
        """Give up the job before, and begin this one when it has ended; None: begin none."""
        with self._mutex:
            self.number += 1
            self._waiting = job
            if job is not None and self.is_idle.is_set():
                self.is_idle.clear()
                _pool().start(self._work)

    def _work(self) -> None:
        while True:
            with self._mutex:
                number, job, self._waiting = self.number, self._waiting, None
                if job is None:
                    self.is_idle.set()
                    return
            self._do(number, job)

    def _do(self, number: int, job: Iterator[object]) -> None:
        try:
            with errors_as(_as_sentence):
                try:
                    while number == self.number:
                        with quiet_collector():
                            item = next(job)
                        self.reported.emit(number, item)
                finally:
                    if isinstance(job, Generator):
                        job.close()  # it cleans up in the thread that it ran in
        except StopIteration:
            self.ended.emit(number, None)
        except TileLabError as error:
            self.ended.emit(number, str(error))


_all_jobs: "weakref.WeakSet[_Jobs]" = weakref.WeakSet()
_backgrounds: "weakref.WeakSet[TaskRunner]" = weakref.WeakSet()


@functools.cache
def _pool() -> QThreadPool:
    pool = QThreadPool()
    pool.setMaxThreadCount(_MAX_THREADS)
    # A window that is never closed must not leave a job to a Python that has ended.
    atexit.register(_end_all, pool)
    return pool


def _end_all(pool: QThreadPool) -> None:
    for jobs in _all_jobs:
        jobs.start(None)
    pool.waitForDone()


def close_all(owner: QObject) -> None:
    """Give up the jobs of an object and of all that belongs to it, and wait for their last steps.

    A step that takes longer than :data:`CLOSING_SECONDS` is left to itself.
    """
    closing = [one for one in _backgrounds if isValid(one) and _belongs(one, owner)]
    for background in closing:
        background.cancel()
    for background in closing:
        background.close()


def is_busy(owner: QObject) -> bool:
    """Return whether an object, or anything that belongs to it, has a job that is going."""
    return any(isValid(one) and one.is_busy and _belongs(one, owner) for one in _backgrounds)


def _belongs(part: QObject, owner: QObject) -> bool:
    parent: QObject | None = part
    while parent is not None and parent is not owner:
        parent = parent.parent()
    return parent is owner


def is_at_work() -> bool:
    """Return whether a job is going, or has not come to its end yet after it was given up."""
    return any(not jobs.is_idle.is_set() for jobs in _all_jobs)


def _as_sentence(error: Exception) -> Exception:
    if isinstance(error, StopIteration | TileLabError):
        return error
    return TileLabError(error_text(error))


class TaskRunner(QObject):
    """Does one job at a time in the pool; a new one takes the place of the one before.

    Its page or window ends it with :func:`close_all`.
    """

    reported = Signal(object)
    """What the job has yielded."""
    ended = Signal()
    """The job is done."""
    failed = Signal(str)
    """The job cannot be done; the sentence says why."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.is_busy = False
        """Whether a job is going."""
        self._waited = 0.0
        """Seconds that this job was waited for in vain."""
        self._jobs = _Jobs()
        _backgrounds.add(self)
        self._jobs.reported.connect(self._reported)
        self._jobs.ended.connect(self._ended)

    def start(self, job: Iterator[object]) -> None:
        """Begin a job."""
        self.is_busy, self._waited = True, 0.0
        self._jobs.start(job)

    @Slot()
    def cancel(self) -> None:
        """Give up the job; nothing more is reported of it."""
        self.is_busy = False
        self._jobs.start(None)

    def close(self, seconds: float = CLOSING_SECONDS) -> bool:
        """Give up the job, and wait for its present step; returns False when that takes longer.

        A page and its window both close it: what was waited for already counts.
        """
        self.cancel()
        has_ended = self._jobs.is_idle.wait(max(0.0, seconds - self._waited))
        self._waited = 0.0 if has_ended else max(seconds, self._waited)
        return has_ended

    @Slot(int, object)
    def _reported(self, number: int, item: object) -> None:
        if number == self._jobs.number:
            self.reported.emit(item)

    @Slot(int, object)
    def _ended(self, number: int, error: str | None) -> None:
        if number == self._jobs.number:
            self.is_busy = False
            if error is None:
                self.ended.emit()
            else:
                self.failed.emit(error)


class OwnThread:
    """Runs the slots of a worker; ``ask_to_stop`` shortens what the worker is at.

    It is none of the pool's: it lives as long as its page, and answers between two slices of a run.
    """

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
