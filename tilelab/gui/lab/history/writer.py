"""Writes records into the history in a thread of its own, one after the other."""

import dataclasses
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal, Slot

from tilelab.gui.lab.history.thumbnails import picture_of
from tilelab.gui.threads.task_runner import Background
from tilelab.runs.history.record import RunRecord
from tilelab.runs.records import keep_record


class Written(NamedTuple):
    """A record that is in the history, unless the notice says why not."""

    record: RunRecord
    notice: str
    verdict: str
    """How its best stands beside what was known before, or ''."""


class HistoryWriter(QObject):
    """Takes records from all pages; none is lost when they come faster than the disk is."""

    written = Signal()
    """A record is in the history."""
    failed = Signal(str)
    """What the user should know; the same sentence is reported once."""
    compared = Signal(str, str)
    """The key of a run, and how its best stands beside what was known; once for each value."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: deque[RunRecord] = deque()
        self._said = ""
        self._compared: dict[str, float] = {}
        """The best value by the key of each run of which something was said."""
        self._background = Background(self)
        self._background.reported.connect(self._reported)
        self._background.ended.connect(self._go_on)
        self._background.failed.connect(self._report_error)

    @property
    def is_busy(self) -> bool:
        """Whether something is still to be written."""
        return bool(self._waiting) or self._background.is_busy

    @Slot(object)
    def write(self, record: RunRecord) -> None:
        """Keep a record; returns at once."""
        self._waiting.append(record)
        self._go_on()

    def close(self) -> None:
        """Write what is left, and end the thread."""
        if self._background.close():
            # The thread has ended, so nobody else takes from the queue.
            for _ in _written(self._waiting):
                pass

    @Slot()
    def _go_on(self) -> None:
        if self._waiting and not self._background.is_busy:
            self._background.start(_written(self._waiting))

    @Slot(object)
    def _reported(self, written: Written) -> None:
        self.written.emit()
        record, known = written.record, self._compared.get(written.record.key)
        if written.verdict and record.value is not None and record.value != known:
            self._compared[record.key] = record.value
            self.compared.emit(record.key, written.verdict)
        self._report_error(written.notice)

    @Slot(str)
    def _report_error(self, said: str) -> None:
        if said and said != self._said:
            self._said = said
            self.failed.emit(said)
        self._go_on()


def _written(waiting: deque[RunRecord]) -> Iterator[object]:
    """Write all that waits; yields a Written for each."""
    while waiting:
        record = waiting.popleft()
        if record.thumbnail is None:
            record = dataclasses.replace(record, thumbnail=picture_of(record))
        yield Written(record, *keep_record(record))
