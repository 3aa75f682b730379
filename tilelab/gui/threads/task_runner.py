"""A second thread for work beside the run: hints, tables, comparisons, films.

A job is an iterator made in the window and advanced in the thread; each of its steps is short, so
that calling it off is answered soon. What it yields is handed on, one message each.
"""

from collections.abc import Iterator

from PySide6.QtCore import QObject, Qt, Signal, Slot

from tilelab.core.errors import TileLabError, errors_as
from tilelab.gui.threads.garbage_collection import quiet_collector
from tilelab.gui.threads.worker_thread import OwnThread


class _Runner(QObject):
    """Lives in the thread; every slot is called through a queued signal."""

    reported = Signal(int, object)
    ended = Signal(int)
    failed = Signal(int, str)
    _next = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._job: Iterator[object] = iter(())
        self._number = 0
        self._next.connect(self._step, Qt.ConnectionType.QueuedConnection)

    @Slot(int, object)
    def start(self, number: int, job: Iterator[object]) -> None:
        """Give up the job before, and begin this one."""
        self.give_up()
        self._number, self._job = number, job
        self._next.emit(number)

    @Slot()
    def cancel(self) -> None:
        """Give up the job."""
        self.give_up()
        self._number = 0

    @Slot(int)
    def _step(self, number: int) -> None:
        if number != self._number:
            return
        try:
            with errors_as(_as_sentence), quiet_collector():
                item = next(self._job)
        except StopIteration:
            self._number = 0
            self.ended.emit(number)
        except TileLabError as error:
            self._number = 0
            self.failed.emit(number, str(error))
        else:
            self.reported.emit(number, item)
            self._next.emit(number)

    def give_up(self) -> None:
        """Close the job."""
        # A generator cleans up in the thread that it ran in.
        close = getattr(self._job, "close", None)
        if close is not None:
            close()
        self._job = iter(())


def _as_sentence(error: Exception) -> Exception:
    if isinstance(error, StopIteration | TileLabError):
        return error
    return TileLabError(f"{type(error).__name__}: {error}")


class Background(QObject):
    """Does one job at a time; a new one takes the place of the one before."""

    reported = Signal(object)
    """What the job has yielded."""
    ended = Signal()
    """The job is done."""
    failed = Signal(str)
    """The job cannot be done; the sentence says why."""
    _start = Signal(int, object)
    _cancel = Signal()

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._number = 0
        self._is_busy = False
        self._runner = _Runner()
        self._thread = OwnThread(name, self._runner, self.cancel)
        self._start.connect(self._runner.start)
        self._cancel.connect(self._runner.cancel)
        self._runner.reported.connect(self._reported)
        self._runner.ended.connect(self._ended)
        self._runner.failed.connect(self._failed)

    @property
    def is_busy(self) -> bool:
        """Whether a job is going."""
        return self._is_busy

    def start(self, job: Iterator[object]) -> None:
        """Begin a job."""
        self._thread.start()
        self._number += 1
        self._is_busy = True
        self._start.emit(self._number, job)

    @Slot()
    def cancel(self) -> None:
        """Give up the job; nothing more is reported of it."""
        self._number += 1
        if self._is_busy:
            self._is_busy = False
            self._cancel.emit()

    def close(self) -> bool:
        """End the thread after the present step; returns False when it did not end in time."""
        has_ended = self._thread.end()
        if has_ended:
            # Its last message may not have been read any more; nothing else runs the job now.
            self._runner.give_up()
        return has_ended

    @Slot(int, object)
    def _reported(self, number: int, item: object) -> None:
        if number == self._number:
            self.reported.emit(item)

    @Slot(int)
    def _ended(self, number: int) -> None:
        if number == self._number:
            self._is_busy = False
            self.ended.emit()

    @Slot(int, str)
    def _failed(self, number: int, text: str) -> None:
        if number == self._number:
            self._is_busy = False
            self.failed.emit(text)
