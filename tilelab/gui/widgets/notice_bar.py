"""Notices over the edge of a window's ground: what went wrong or was done, in a sentence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from tilelab.core.text.language import figures, tr
from tilelab.core.text.shown_text import one_line
from tilelab.gui.widgets.access import announce
from tilelab.gui.widgets.parts import (
    IconButton,
    calling,
    column_layout,
    row_layout,
    small_button,
    text_label,
)
from tilelab.gui.widgets.theme import set_role, set_style_property

_MIN_MILLISECONDS, _MILLISECONDS_A_LETTER = 4_000, 60
_SIDE, _WIDEST = 16, 600
_CHECK_MILLISECONDS = 200
"""How often the notices are checked that are shown only while they are true."""


def reading_milliseconds(text: str) -> int:
    """Return how long a sentence is shown that goes by itself."""
    return _MIN_MILLISECONDS + _MILLISECONDS_A_LETTER * len(text)


Deed = tuple[str, Callable[[], object]]
"""What a button beside a notice is called, and does."""


@dataclass(frozen=True)
class _Notice:
    kind: str
    role: str
    text: str
    stays: bool
    undo: Callable[[], object] | None = None
    deeds: Sequence[Deed] = ()
    why: Callable[[], str] | None = None
    """Returns the text for as long as it is true; None for what is not checked again."""

    @property
    def is_true(self) -> bool:
        """Whether it may still be shown."""
        return self.why is None or self.why() == self.text


class NoticeBar(QFrame):
    """Shows the newest notice. What was done goes by itself; an error stays until it is closed.

    An error that something newer lies over comes back when that has gone.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice_bar")
        set_role(self, "notice")
        self.lasting: Callable[[str], int] = reading_milliseconds
        """How many milliseconds a text is shown."""
        self.timer = QTimer(self, singleShot=True)
        """Runs while what is shown will go by itself."""
        self.timer.timeout.connect(self._expire)
        self._check = QTimer(self, interval=_CHECK_MILLISECONDS)
        self._check.timeout.connect(self._drop_untrue)
        self._notices: list[_Notice] = []
        self._kind = QLabel(self)
        self._text = QLabel(self)
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._more = text_label("small", self)
        self.undo = small_button(tr("Undo"), "undo_noticed", tr("Undo this"), self)
        self.undo.clicked.connect(self._undo)
        tip = tr("Close this notice")
        self._close = IconButton("close", "close_notice", tip, tip, self, "small")
        self._close.clicked.connect(self.close_top)
        row = row_layout(self, (14, 2, 6, 3), 12)
        row.addWidget(self._kind)
        row.addWidget(self._text, 1)
        self._deeds = row_layout(spacing=6)
        row.addLayout(self._deeds)
        row.addWidget(self.undo)
        row.addWidget(self._more)
        row.addWidget(self._close)
        self.hide()

    @property
    def text(self) -> str:
        """What the bar says; '' while it is hidden."""
        return self._notices[-1].text if self._notices else ""

    @property
    def n_waiting(self) -> int:
        """How many notices lie under the one that is shown."""
        return max(len(self._notices) - 1, 0)

    def show_error(self, text: str) -> None:
        """Say what went wrong."""
        self._put(_Notice(tr("Not done"), "warning", text, stays=True))

    @Slot(object)
    def show_refusal(self, why: Callable[[], str]) -> None:
        """Say why something is refused, for as long as that is so.

        why: returns the reason as it is now, or '' when there is none any more.
        """
        self._put(_Notice(tr("Not done"), "warning", why(), stays=True, why=why))

    @Slot(str)
    def show_done(self, text: str) -> None:
        """Say what was done."""
        self._put(_Notice(tr("Done"), "accent", text, stays=False))

    def show_note(
        self,
        text: str,
        *,
        stays: bool = False,
        undo: Callable[[], object] | None = None,
        deeds: Sequence[Deed] = (),
    ) -> None:
        """Say something worth knowing; stays: until it is withdrawn or closed.

        undo: takes back what was done; a button offers it. deeds: further buttons.
        """
        self._put(_Notice(tr("Note"), "accent", text, stays, undo, deeds))

    def take_over(self, before: "NoticeBar") -> None:
        """Show what another bar shows; a refusal asks what will be no more."""
        self._notices = [notice for notice in before._notices if notice.why is None]
        self._show()

    def withdraw(self, text: str) -> None:
        """Take a notice away, wherever it lies; nothing happens when it has gone."""
        self._notices = [notice for notice in self._notices if notice.text != text]
        self._show()

    @Slot()
    def close_top(self) -> None:
        """Take away what is shown; what lies under it comes back."""
        del self._notices[-1:]
        self._show()

    @Slot()
    def clear(self) -> None:
        """Take everything away."""
        self._notices = []
        self._show()

    def leaveEvent(self, event: QEvent) -> None:
        # Who has looked away is given the whole time once more.
        if self.timer.isActive():
            self.timer.start()
        super().leaveEvent(event)

    def _put(self, notice: _Notice) -> None:
        """Lay a notice over the errors that are there; what was only done makes room for it."""
        self._notices = [old for old in self._notices if old.stays and old.text != notice.text]
        self._notices.append(notice)
        self._show()
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))
        announce(self, self.accessibleName(), is_urgent=notice.role == "warning")

    @Slot()
    def _drop_untrue(self) -> None:
        true = [notice for notice in self._notices if notice.is_true]
        if true != self._notices:
            self._notices = true
            self._show()

    def _show(self) -> None:
        self.timer.stop()
        if any(notice.why for notice in self._notices):
            self._check.start()
        else:
            self._check.stop()
        if not self._notices:
            self.hide()
            return
        notice = self._notices[-1]
        self._kind.setText(notice.kind)
        set_role(self._kind, notice.role)
        set_style_property(self, "error", notice.role == "warning")
        self._text.setText(one_line(notice.text))
        self.undo.setVisible(notice.undo is not None)
        self._offer(notice.deeds)
        self._more.setText(tr("{n_waiting} more", n_waiting=figures(self.n_waiting, ",")))
        self._more.setVisible(self.n_waiting > 0)
        self.setAccessibleName(f"{notice.kind}: {notice.text}")
        if not notice.stays:
            self.timer.start(self.lasting(notice.text))
        self.updateGeometry()
        self.show()

    def _offer(self, deeds: Sequence[Deed]) -> None:
        """Make a button for each deed, in place of those before; it closes the notice, too."""
        while (item := self._deeds.takeAt(0)) is not None:
            button = item.widget()
            assert button is not None
            button.hide()
            button.deleteLater()
        for number, (title, deed) in enumerate(deeds):
            button = small_button(title, f"notice_deed_{number}", "", self)
            button.clicked.connect(calling(self._do, deed))
            self._deeds.addWidget(button)

    def _do(self, deed: Callable[[], object]) -> None:
        self.close_top()
        deed()

    @Slot()
    def _undo(self) -> None:
        undo = self._notices[-1].undo if self._notices else None
        self.close_top()
        if undo is not None:
            undo()

    @Slot()
    def _expire(self) -> None:
        """What is being looked at, or has the keyboard, is not taken away."""
        if self.underMouse() or self._close.hasFocus():
            self.timer.start()
        else:
            self.close_top()


class SavingNotice(NoticeBar):
    """Says that the run is not kept while it goes, for as long as that is so."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("saving_notice")

    @Slot(str)
    def show_error(self, error: str) -> None:
        """Say why saving fails, or with '' that it works again."""
        self.clear()
        if error:
            text = tr(
                "{first_letter}{rest}. The run continues, and saving is tried again.",
                first_letter=error[:1].upper(),
                rest=error[1:],
            )
            self._put(_Notice(tr("Not kept"), "warning", text, stays=True))


class NoticeShelf(QWidget):
    """Holds notices over the upper edge of a widget, in no layout of it, so that nothing moves."""

    def __init__(self, ground: QWidget, *notices: NoticeBar) -> None:
        super().__init__(ground)
        self._ground, self._notices = ground, notices
        column = column_layout(self, 0, 0)
        for notice in notices:
            column.addWidget(notice)
            notice.installEventFilter(self)
        ground.installEventFilter(self)
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        moved = event.type() == QEvent.Type.Resize and watched is self._ground
        turned = event.type() in (
            QEvent.Type.ShowToParent,
            QEvent.Type.HideToParent,
            QEvent.Type.LayoutRequest,
        )
        if moved or (turned and watched is not self._ground):
            self._place()
        return False

    def _place(self) -> None:
        """Hang from the middle of the upper edge, as high as the texts need."""
        said = [notice for notice in self._notices if not notice.isHidden()]
        self.setVisible(bool(said))
        if not said:
            return
        width = min(self._ground.width() - 2 * _SIDE, _WIDEST)
        layout = self.layout()
        assert layout is not None
        layout.activate()
        height = layout.totalHeightForWidth(width)
        self.setGeometry((self._ground.width() - width) // 2, 0, width, height)
        self.raise_()
