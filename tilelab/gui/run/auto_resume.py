"""Lets a run go on by itself as soon as it has been opened."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Slot

from tilelab.core.text.language import tr
from tilelab.gui.run.run_model import RunModel
from tilelab.gui.widgets.notice_bar import NoticeBar
from tilelab.runs.actions import State


class AutoResume(QObject):
    """Presses RESUME for a user who has asked for a run to go on, and not just to be shown."""

    def __init__(
        self, run: RunModel, notice: NoticeBar, resume: Callable[[], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._run, self._notice, self._resume = run, notice, resume
        self._awaited = ""
        run.status_changed.connect(self._follow)

    def take_over(self, before: "AutoResume") -> None:
        """Expect the run that another page expects."""
        self._awaited = before._awaited

    def expect(self, key: str) -> None:
        """Let the run of a key go on when it is there; '': let none go on."""
        self._awaited = key

    @Slot()
    def _follow(self) -> None:
        begun, status = self._run.begun, self._run.status
        if begun is None or begun.key != self._awaited or status.pending:
            return
        self._awaited = ""
        if status.state is State.PAUSED:
            said = self._notice.text
            self._resume()
            if said:  # what was said of the opening has still to be read
                self._notice.show_note(said)
        elif status.limit_reached:
            self._notice.show_note(tr("The run stands at its limit; raise it, and RESUME."))
