"""A pool of threads for all background work, and the separate thread of a run.

A job is an iterator made in the window and advanced in a thread of the pool; each of its steps is
short, so that it can be cancelled quickly. Each value that it yields becomes a signal.
"""

import atexit
import functools
import threading
import weakref
from collections.abc import Callable, Generator, Iterator

from PySide6.QtCore import QObject, QThread, QThreadPool, Signal, SignalInstance, Slot
from shiboken6 import isValid

from tilelab.core.errors import TileLabError, error_text, errors_as
from tilelab.gui.threads.garbage_collection import quiet_collector

CLOSING_SECONDS = 1.5
Receiver = Callable[..., object] | SignalInstance  # what a signal is connected to
_MAX_THREADS = 64
"""Number of threads, more than the window has jobs, so that a long race delays nothing else."""
CLOSING_MILLISECONDS = 1_500
_WAITING_SECONDS = 0.05  # seconds after which a waiting job looks whether it is cancelled
_UNFINISHED: list[QThread] = []
"""Threads that were still compiling when their window closed. Deleting one would abort, so the
process waits for them.
"""


class _Jobs(QObject):
    """Runs the jobs of a :class:`TaskRunner` one by one, and drops all waiting ones but the newest.

    The pool keeps it alive while it works, even if the window is deleted.
    """

    reported = Signal(int, object)
    ended = Signal(int, object)  # emitted with a job's number, and its error or None

    def __init__(self) -> None:
        super().__init__()
        self.number = 0  # number of the newest job; all others are cancelled
        self.is_idle = threading.Event()
        self.is_idle.set()
        self.is_seen = threading.Event()  # whether the window has received all reports
        self.is_seen.set()
        self._waiting: Iterator[object] | None = None
        self._mutex = threading.Lock()
        _all_jobs.add(self)

    def start(self, job: Iterator[object] | None) -> None:
        """Cancel the current job, and start this one when it has ended; None for no other job."""
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
                        self._report(number, item)
                finally:
                    if isinstance(job, Generator):
                        job.close()  # the job cleans up in its own thread
        except StopIteration:
            self.ended.emit(number, None)
        except TileLabError as error:
            self.ended.emit(number, str(error))

    def _report(self, number: int, item: object) -> None:
        """Emit a report when the one before has been received, so that the queue stays short."""
        while number == self.number:
            if self.is_seen.wait(_WAITING_SECONDS):
                self.is_seen.clear()
                self.reported.emit(number, item)
                return


_all_jobs: "weakref.WeakSet[_Jobs]" = weakref.WeakSet()
_backgrounds: "weakref.WeakSet[TaskRunner]" = weakref.WeakSet()


@functools.cache
def _pool() -> QThreadPool:
    pool = QThreadPool()
    pool.setMaxThreadCount(_MAX_THREADS)
    # A job must not outlive Python if the window is never closed.
    atexit.register(_end_all, pool)
    return pool


def _end_all(pool: QThreadPool) -> None:
    for jobs in _all_jobs:
        jobs.start(None)
    pool.waitForDone()


def close_all(owner: QObject) -> None:
    """Cancel the jobs of an object and its children, and wait for their last steps.

    A step that takes longer than :data:`CLOSING_SECONDS` is not waited for.
    """
    closing = [one for one in _list_valid() if _belongs(one, owner)]
    for background in closing:
        background.cancel()
    for background in closing:
        background.close()


def is_busy(owner: QObject) -> bool:
    """Return whether an object or one of its children has a running job."""
    return any(one.is_busy and _belongs(one, owner) for one in _list_valid())


def _list_valid() -> "list[TaskRunner]":
    """List all but those that Qt has deleted, which are forgotten: Python may keep them."""
    _backgrounds.difference_update([one for one in _backgrounds if not isValid(one)])
    return list(_backgrounds)


def _belongs(part: QObject, owner: QObject) -> bool:
    parent: QObject | None = part
    while parent is not None and parent is not owner:
        parent = parent.parent()
    return parent is owner


def is_at_work() -> bool:
    """Return whether a job is running, or was cancelled but has not ended yet."""
    return any(not jobs.is_idle.is_set() for jobs in _all_jobs)


def _as_sentence(error: Exception) -> Exception:
    if isinstance(error, StopIteration | TileLabError):
        return error
    return TileLabError(error_text(error))


def one_step(work: Callable[..., object], *args: object) -> Iterator[object]:
    """Make a job of a single step, which calls a function and yields what it returns."""
    yield work(*args)


class TaskRunner(QObject):
    """Runs one job at a time in the pool; a new job replaces the current one.

    Its page or window ends it with :func:`close_all`.
    """

    reported = Signal(object)  # emitted with each value that the job yields
    ended = Signal()  # emitted when the job is done
    failed = Signal(str)  # emitted with the error of a failed job

    def __init__(
        self,
        parent: QObject | None = None,
        reported: Receiver | None = None,
        *,
        failed: Receiver | None = None,
        ended: Receiver | None = None,
    ) -> None:
        """reported, failed, ended: receivers of the signals of these names."""
        super().__init__(parent)
        self.is_busy = False  # whether a job is running
        self._waited = 0.0  # seconds spent waiting for this job without success
        self._next: Iterator[object] | None = None  # job that waits for the end of this one
        self._jobs = _Jobs()
        _backgrounds.add(self)
        jobs = self._jobs
        self.destroyed.connect(lambda: jobs.start(None))  # it would wait for its report
        self._jobs.reported.connect(self._reported)
        self._jobs.ended.connect(self._ended)
        wired = (self.reported, reported), (self.failed, failed), (self.ended, ended)
        for signal, receiver in wired:
            if receiver is not None:
                signal.connect(receiver)

    def start(self, job: Iterator[object]) -> None:
        self.is_busy, self._waited, self._next = True, 0.0, None
        self._jobs.start(job)

    def start_next(self, job: Iterator[object]) -> None:
        """Start a job after the current one, in place of another one that waits for that."""
        if self.is_busy:
            self._next = job
        else:
            self.start(job)

    @Slot()
    def cancel(self) -> None:
        """Cancel the job; it emits nothing more."""
        self.is_busy, self._next = False, None
        self._jobs.start(None)

    def close(self, seconds: float = CLOSING_SECONDS) -> bool:
        """Cancel the job, and wait for its current step; returns False if that takes too long.

        A page and its window both call this, so earlier waits count.
        """
        self.cancel()
        has_ended = self._jobs.is_idle.wait(max(0.0, seconds - self._waited))
        self._waited = 0.0 if has_ended else max(seconds, self._waited)
        return has_ended

    @Slot(int, object)
    def _reported(self, number: int, item: object) -> None:
        try:
            if number == self._jobs.number:
                self.reported.emit(item)
        finally:
            self._jobs.is_seen.set()

    @Slot(int, object)
    def _ended(self, number: int, error: str | None) -> None:
        if number == self._jobs.number:
            self.is_busy = False
            if error is None:
                self.ended.emit()
            else:
                self.failed.emit(error)
            if self._next is not None:
                self.start(self._next)


class OwnThread:
    """The thread of a worker.

    It is not in the pool: it lives as long as its page, and answers between two slices of a run.
    """

    def __init__(
        self,
        name: str,
        worker: QObject,
        ask: Callable[[Callable[[], None]], None],
        stop: Callable[[], None],
    ) -> None:
        """ask: has the worker call a function, after all that it was asked before.

        stop: the function that ends the worker's current work.
        """
        self._ask, self._stop = ask, stop
        self.thread = QThread()
        self.thread.setObjectName(name)
        # Without a parent, because a QObject with one cannot move to another thread.
        worker.moveToThread(self.thread)
        # A running thread must not be deleted if the window is never closed.
        atexit.register(self.end)
        self.thread.start()

    def end(self) -> bool:
        """End after the current slot; returns False if that takes too long."""
        atexit.unregister(self.end)
        if not isValid(self.thread) or not self.thread.isRunning():
            return True
        self._ask(self._stop)
        # An event loop that is ended from outside may leave the request before unanswered.
        self._ask(self.thread.quit)
        if self.thread.wait(CLOSING_MILLISECONDS):
            return True
        _UNFINISHED.append(self.thread)
        atexit.register(self.thread.wait)
        return False


def any_unfinished() -> bool:
    """Return whether a thread of a closed window is still working."""
    return is_at_work() or any(not thread.isFinished() for thread in _UNFINISHED)
