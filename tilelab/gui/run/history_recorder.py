"""Gathers what a page is given of its run into the record that the history keeps."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from tilelab.core.path_text import path_text
from tilelab.core.solver import Best
from tilelab.gui.run.messages import Begun, News, Opened, RunStatus
from tilelab.runs.history.curves import thinned
from tilelab.runs.history.record import RunRecord, now, record_of
from tilelab.runs.session import State
from tilelab.runs.trace import Trace

_ENDED = (State.PAUSED, State.FINISHED, State.FAILED)


class HistoryRecorder(QObject):
    """Makes one record a run: when it ends or is stopped, and again when it has gone on."""

    recorded = Signal(object)
    """RunRecord: how the run stands now."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._origins: dict[str, str] = {}
        self.forget()

    def note_origin(self, key: str, origin: str) -> None:
        """Remember what a run comes from, for its record; key: the run's."""
        self._origins[key] = origin

    def forget(self) -> None:
        """Take leave of the run; another puzzle is loaded."""
        self._begun: Begun | None = None
        self._status = RunStatus()
        self._best: Best | None = None
        self._best_seconds: float | None = None
        self._reported: tuple[State, int, str] | None = None
        self._file: str | None = None

    def begin(self, begun: Begun) -> None:
        """Follow a run from its first unit on."""
        self.forget()
        self._begun = begun
        self._moment = now()

    def go_on(self, opened: Opened) -> None:
        """Follow a run that was opened; it leaves a record when it has gone on.

        Its record keeps the moment that it first began, where there is one already.
        """
        self.begin(opened.begun)
        news = opened.news
        self._status = news.status
        if news.best is not None:
            self._best, self._best_seconds = news.best, news.best_seconds
        self._reported = news.status.state, news.status.units, self._word()

    def note(self, news: News, trace: Trace) -> None:
        """Take in what is reported of the run; trace: all its rows, these included."""
        if self._begun is None:
            return
        self._status = status = news.status
        if news.best is not None:
            self._best, self._best_seconds = news.best, news.best_seconds
        if status.state in _ENDED:
            self._report(self._word(), trace)

    def note_file(self, file: Path, trace: Trace) -> None:
        """The run was saved: its record says where, even while the run is going."""
        if self._begun is not None:
            self._file = path_text(file.absolute())
            self.recorded.emit(self._record(self._word(), trace))

    @Slot(object)
    def pass_on(self, record: RunRecord) -> None:
        """Hand on the record of a run beside the page's own, such as one of a race."""
        self.recorded.emit(record)

    def end(self, trace: Trace) -> None:
        """The window closes: a run that is going is recorded as interrupted."""
        # Records that other threads have handed on, and that nobody has taken yet.
        QCoreApplication.sendPostedEvents(self)
        if self._begun is not None and self._status.state is State.RUNNING:
            self._report("interrupted", trace)
        # What the worker has reported last is still on its way; nobody writes it down any more.
        self.forget()

    def _word(self) -> str:
        status = self._status
        return status.status if status.state is State.FINISHED else status.state.value

    def _report(self, word: str, trace: Trace) -> None:
        reported = self._status.state, self._status.units, word
        if reported == self._reported:
            return
        self._reported = reported
        self.recorded.emit(self._record(word, trace))

    def _record(self, word: str, trace: Trace) -> RunRecord:
        begun, status = self._begun, self._status
        assert begun is not None
        return record_of(
            begun.puzzle,
            begun.solver,
            begun.first_params,
            best=self._best,
            limits=status.limits,
            seed=begun.seed,
            status=word,
            units=status.units,
            seconds=status.seconds,
            best_seconds=self._best_seconds,
            begun=self._moment,
            ended=now(),
            curves=thinned(trace),
            key=begun.key,
            note=self._origins.get(begun.key, ""),
            journal=status.journal,
            run_file=self._file,
        )
