"""Records a page's run for the history."""

from collections.abc import Collection
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from tilelab.core.files.paths import path_text
from tilelab.gui.run.messages import RunStatus
from tilelab.gui.run.run_model import RunModel
from tilelab.runs.actions import State
from tilelab.runs.history.record import now, record_of, thin_trace
from tilelab.runs.result import figures_of

_ENDED = (State.PAUSED, State.FINISHED, State.FAILED)


class HistoryRecorder(QObject):
    """Makes a record of each run when it ends or pauses, and again after it has continued."""

    recorded = Signal(object)
    """Emitted with a RunRecord of the run, or of another one, such as one of a race."""

    def __init__(self, run: RunModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._run = run
        self._origins: dict[str, str] = {}
        self._recorded: set[str] = set()  # keys of the runs that have been recorded
        self._deleted: set[str] = set()  # those whose records were deleted since
        self._has_ended = False
        run.run_changed.connect(self._follow)
        self._follow()

    @Slot()
    def _follow(self) -> None:
        """Follow another run from its first unit."""
        self._moment = now()
        self._reported: tuple[State, int, int, str] | None = None
        self._file: str | None = None

    def take_over(self, before: "HistoryRecorder") -> None:
        """Take over the state of another page's recorder of the same run."""
        self._origins, self._moment = before._origins, before._moment
        self._recorded, self._deleted = before._recorded, before._deleted
        self._reported, self._file = before._reported, before._file

    @property
    def has_recorded(self) -> bool:
        """Whether the run has been recorded since the start of the program, and not deleted.

        A run that was only opened is not.
        """
        return self._run.started is not None and self._run.started.key in self._recorded

    def note_origin(self, key: str, origin: str) -> None:
        """Remember the origin of a run for its record; key: key of the run."""
        self._origins[key] = origin

    def note_deleted(self, keys: Collection[str], *, are_deleted: bool) -> None:
        """Remember that runs were deleted from the history, or are back in it, by their keys."""
        before, after = self._recorded, self._deleted
        if not are_deleted:
            before, after = after, before
        moved = before.intersection(keys)
        before -= moved
        after |= moved

    def resume(self, status: RunStatus) -> None:
        """Follow an opened run; it is recorded when it has continued.

        An existing record keeps the time of its first start.
        """
        self._reported = status.state, status.units, status.steps, _word(status)

    def note(self) -> None:
        """Record the run if it is no longer going."""
        if self._run.reported.state in _ENDED:
            self._report(_word(self._run.reported))

    @Slot(object, str)
    def note_file(self, file: Path, key: str) -> None:
        """Record the file of a saved run, even while it is going; key: key of that run."""
        if self._run.started is not None and self._run.started.key == key:
            self._file = path_text(file.absolute())
            self._record(_word(self._run.reported))

    def end(self) -> None:
        """End with the window; a run that is going is recorded as interrupted."""
        # Deliver queued records of other threads.
        QCoreApplication.sendPostedEvents(self)
        if self._run.reported.state is State.RUNNING:
            self._report("interrupted")
        # The worker's last report is still queued, and will not be recorded otherwise.
        self._has_ended = True

    def _report(self, word: str) -> None:
        status = self._run.reported
        reported = status.state, status.units, status.steps, word
        if reported != self._reported and not self._has_ended:
            self._reported = reported
            self._record(word)

    def _record(self, word: str) -> None:
        run, started = self._run, self._run.started
        if started is None:
            return
        status, newest = run.reported, run.bests.newest
        best = None if newest is None else newest.best
        record = record_of(
            run.recipe,
            started.solver,
            best=best,
            start=None if started.start is None else started.start.cells,
            status=word,
            units=status.units,
            seconds=status.seconds,
            figures=figures_of(
                started.solver, run.trace, run.newest_metrics, status.evaluations, best
            ),
            best_seconds=None if newest is None else newest.seconds,
            begun=self._moment,
            ended=now(),
            curves=thin_trace(run.trace),
            key=started.key,
            note=self._origins.get(started.key, ""),
            run_file=self._file,
        )
        self._recorded.add(started.key)
        self.recorded.emit(record)


def _word(status: RunStatus) -> str:
    return status.status if status.state is State.FINISHED else status.state.value
