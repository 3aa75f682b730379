"""Speaks of the run to those who do not see it: that it goes, what it has found, how it ended."""

from PySide6.QtCore import QObject, QTimer, Slot

from tilelab.core.text.language import figures, tr
from tilelab.gui.run.run_model import RunModel
from tilelab.gui.run.status_bar import StatusLine
from tilelab.gui.widgets.access import announce
from tilelab.runs.actions import State

BEST_MILLISECONDS = 5_000
"""New bests are spoken of no more often than this."""


class Announcer(QObject):
    """Observes a run; what it says is the text of the status line, which says it to the others."""

    def __init__(self, run: RunModel, status: StatusLine) -> None:
        super().__init__(status)
        self._run, self._status = run, status
        self._state = run.status.state
        self._is_best_new = False
        self._pause = QTimer(self, singleShot=True, interval=BEST_MILLISECONDS)
        self._pause.timeout.connect(self._say_best)
        run.status_changed.connect(self._follow)
        run.bests_changed.connect(self._best_found)

    @Slot()
    def _follow(self) -> None:
        before, self._state = self._state, self._run.status.state
        if before is self._state:
            return
        if self._state is State.RUNNING:
            announce(self._status, tr("The run is going"))
        elif before is State.RUNNING:
            self._is_best_new = False
            # The line is told after this.
            QTimer.singleShot(0, self, self._say_status)

    @Slot()
    def _say_status(self) -> None:
        announce(self._status, self._status.text, is_urgent=self._state is State.FAILED)

    @Slot()
    def _best_found(self) -> None:
        self._is_best_new = self._state is State.RUNNING
        if not self._pause.isActive():
            self._say_best()

    @Slot()
    def _say_best(self) -> None:
        best = self._run.present
        if self._is_best_new and best is not None:
            self._is_best_new = False
            words = tr(
                "New: {best_words} at {unit}",
                best_words=self._status.best_words(best),
                unit=figures(best.unit, ","),
            )
            announce(self._status, words)
            self._pause.start()
