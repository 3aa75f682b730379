"""Writes records into the history in a thread of its own, one after the other."""

import dataclasses
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal, Slot

from tilelab.core.text.language import tr
from tilelab.gui.lab.history.thumbnails import picture_of
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.runs.history.record import RunRecord
from tilelab.runs.races import TAG
from tilelab.runs.records import keep_record


class RecordWritten(NamedTuple):
    """Result of writing a record; the notice says if it failed."""

    record: RunRecord
    notice: str
    verdict: str  # comparison of its best with the best known value, or ''


class HistoryWriter(QObject):
    """Writes records of all pages; none is lost when they arrive faster than they are written."""

    written = Signal()  # emitted with a record that is in the history
    failed = Signal(str)
    """Emitted with an error for the user; the same sentence is emitted only once."""
    compared = Signal(str, str, str)
    """Emitted with a run's key, the comparison of its best with the best known value, and a
    sentence about which run it is, once per value.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: deque[RunRecord] = deque()
        self._said = ""
        self._compared: dict[str, float] = {}  # best value reported so far, by the run's key
        self._background = TaskRunner(
            self, self._reported, failed=self._report_error, ended=self._continue
        )

    @property
    def is_busy(self) -> bool:
        """Whether records are still to be written."""
        return bool(self._waiting) or self._background.is_busy

    @Slot(object)
    def write(self, record: RunRecord) -> None:
        """Queue a record; returns at once."""
        self._waiting.append(record)
        self._continue()

    def close(self) -> None:
        """Write the remaining records, and end the thread."""
        if self._background.close():
            # The thread has ended, so nothing else reads the queue.
            for _ in _written(self._waiting):
                pass

    @Slot()
    def _continue(self) -> None:
        if self._waiting and not self._background.is_busy:
            self._background.start(_written(self._waiting))

    @Slot(object)
    def _reported(self, written: RecordWritten) -> None:
        self.written.emit()
        record, known = written.record, self._compared.get(written.record.key)
        if written.verdict and record.value is not None and record.value != known:
            self._compared[record.key] = record.value
            self.compared.emit(record.key, written.verdict, _found_by(record))
        self._report_error(written.notice)

    @Slot(str)
    def _report_error(self, said: str) -> None:
        if said and said != self._said:
            self._said = said
            self.failed.emit(said)
        self._continue()


def _found_by(record: RunRecord) -> str:
    if TAG in record.tags.split(", "):
        return tr("Found in a race by {solver}.", solver=record.solver_words)
    return tr("Found in another run by {solver}.", solver=record.solver_words)


def _written(waiting: deque[RunRecord]) -> Iterator[object]:
    """Write all queued records; yields a RecordWritten for each."""
    while waiting:
        record = waiting.popleft()
        if record.thumbnail is None:
            record = dataclasses.replace(record, thumbnail=picture_of(record))
        yield RecordWritten(record, *keep_record(record))
