"""One line above the chart: which earlier moment is looked at, and what can be done there."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from tilelab.core.text.language import marked, tr
from tilelab.gui.widgets.parts import row_layout, small_button
from tilelab.gui.widgets.theme import set_role

STOP_FIRST = marked("STOP the run before it is forked")


class TimelineBar(QFrame):
    """Hidden at the present."""

    now_asked = Signal()
    """The present shall be shown again."""
    fork_asked = Signal()
    """A new run shall be begun from here."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("look_back_bar")
        self._wordings: tuple[str, ...] = ("",)
        self._text = QLabel(self)
        self._text.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._text.setObjectName("look_back_text")
        set_role(self._text, "selected")
        # The buttons stay whole where there is little room.
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._now = small_button(
            tr("Now"), "back_to_now", tr("Show the present best again (Escape)"), self
        )
        self._fork = small_button(tr("Fork here…"), "fork_here", "", self)
        self._now.clicked.connect(self.now_asked)
        self._fork.clicked.connect(self.fork_asked)
        row = self._row = row_layout(self, 0, 8)
        row.addWidget(self._text, 1)
        row.addWidget(self._now)
        row.addWidget(self._fork)
        self.set_can_fork(True)
        self.hide()

    @property
    def has_focus(self) -> bool:
        """Whether the keyboard is here."""
        return self._now.hasFocus() or self._fork.hasFocus()

    def show_moment(self, moment: str, more: str) -> None:
        """Say which moment is looked at, such as 'generation 1,234'; more: for the tool tip."""
        number = moment.rpartition(" ")[2]
        self._wordings = (
            tr("Looking back at {moment}", moment=moment),
            tr("At {moment}", moment=moment),
            moment,
            number,
        )
        self._fit()
        self._text.setToolTip(tr("Looking back at {moment}. {more}", moment=moment, more=more))
        self._text.setAccessibleName(tr("Looking back at {moment}", moment=moment))
        self._text.setAccessibleDescription(more)
        self.setAccessibleName(tr("Looking back at {moment}", moment=moment))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Say it in as many words as there is room for."""
        self._row.activate()
        metrics, room = QFontMetrics(self._text.font()), self._text.width()
        fitting = (words for words in self._wordings if metrics.horizontalAdvance(words) <= room)
        self._text.setText(next(fitting, self._wordings[-1]))

    def follow_in_tab_order(self, before: QWidget) -> None:
        """Let the Tab key come here from a widget."""
        for here, there in ((before, self._now), (self._now, self._fork)):
            QWidget.setTabOrder(here, there)

    def set_can_fork(self, can: bool) -> None:
        """Say whether a fork may take the place of the run."""
        self._fork.setEnabled(can)
        tip = (
            tr("Begin a new run from this moment, with other parameters") if can else tr(STOP_FIRST)
        )
        self._fork.setToolTip(tip)
        self._fork.setAccessibleDescription(tip)
