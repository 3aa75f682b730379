"""A puzzle's tab in the run bar, with a mark for its run while another page is shown."""

import enum

from PySide6.QtCore import QPointF, QRectF, Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import labelled
from tilelab.gui.run.messages import Pending, RunStatus
from tilelab.gui.widgets.parts import SegmentButton
from tilelab.gui.widgets.theme import current_theme
from tilelab.runs.actions import State

_REACH = 3.0  # half the width of a mark, in pixels
_FROM_TEXT = 5.0  # pixels between the title and a mark
_FROM_EDGE = 6.0  # pixels from the edges to the middle of a mark above the end of a long title


class TabMark(enum.StrEnum):
    """State of a puzzle's run that its tab marks."""

    NONE = ""
    GOING = "going"
    STOPPED = "stopped"
    ENDED = "ended"  # the run has ended since the puzzle was last shown
    FAILED = "failed"


_WORDS = {
    TabMark.GOING: marked("running"),
    TabMark.STOPPED: marked("paused"),
    TabMark.ENDED: marked("finished"),
    TabMark.FAILED: marked("failed"),
}


class PuzzleTab(SegmentButton):
    """A tab that always marks a running run, and its other states only while out of sight."""

    def __init__(
        self, title: str, source: str, purpose: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(title, parent)
        self._tip, self._purpose = f"{title} ({source})", purpose
        self._status = RunStatus()
        self._is_new = False
        self._mark = TabMark.NONE
        self.toggled.connect(self._looked_at)
        self._say()

    def show_status(self, status: RunStatus) -> None:
        """Update the mark from the status of the puzzle's run."""
        was_going = _is_going(self._status)
        self._status = status
        if _is_going(status):
            self._is_new = False
        elif was_going and not self.isChecked():
            self._is_new = True
        self._say()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._mark:
            return
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = self._middle_of_mark()
        painter.setPen(Qt.PenStyle.NoPen)
        if self._mark is TabMark.GOING:
            painter.setBrush(theme.accent)
            painter.drawEllipse(middle, _REACH, _REACH)
        elif self._mark is TabMark.STOPPED:
            painter.setPen(QPen(theme.muted, 1.5))
            painter.drawEllipse(middle, _REACH - 0.5, _REACH - 0.5)
        else:
            square = QRectF(middle - QPointF(_REACH, _REACH), middle + QPointF(_REACH, _REACH))
            # A tick and a cross, because in a small spot form is clearer than colour.
            if self._mark is TabMark.ENDED:
                painter.setPen(QPen(theme.selection, 2.0))
                foot = QPointF(middle.x() - _REACH / 3, square.bottom())
                painter.drawPolyline([QPointF(square.left(), middle.y()), foot, square.topRight()])
            else:
                painter.setPen(QPen(theme.stop, 2.0))
                painter.drawLine(square.topLeft(), square.bottomRight())
                painter.drawLine(square.bottomLeft(), square.topRight())
        painter.end()

    def _middle_of_mark(self) -> QPointF:
        """Return the place after the title, or above its end if the title fills the tab."""
        middle = QRectF(self.rect()).center()
        half = self.fontMetrics().horizontalAdvance(self.text()) / 2
        half += self._growth() / 2 if self.isChecked() else 0
        place = QPointF(middle.x() + half + _FROM_TEXT + _REACH, middle.y())
        if place.x() + _REACH < self.width() - 1:
            return place
        return QPointF(self.width() - _FROM_EDGE, _FROM_EDGE)

    @Slot(bool)
    def _looked_at(self, is_shown: bool) -> None:
        if is_shown:
            self._is_new = False
        self._say()

    def _say(self) -> None:
        self._mark = self._marked()
        words = tr(_WORDS.get(self._mark, ""))
        tip = labelled(self._tip, words) if words else self._tip
        self.setToolTip("\n".join(filter(None, (tip, self._purpose))))
        self.setAccessibleName(f"{self.text()}, {words}" if words else self.text())
        self.update()

    def _marked(self) -> TabMark:
        state = self._status.state
        if _is_going(self._status):
            return TabMark.GOING
        if self.isChecked():
            return TabMark.NONE
        if state is State.PAUSED:
            return TabMark.STOPPED
        if not self._is_new:
            return TabMark.NONE
        return TabMark.FAILED if state is State.FAILED else TabMark.ENDED


def _is_going(status: RunStatus) -> bool:
    return status.state is State.RUNNING or status.pending is Pending.RUN
