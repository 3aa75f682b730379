"""Notices at the top of a window: errors, and what was done, in a sentence."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QLabel, QStackedWidget, QWidget

from tilelab.core.text.language import figures, tr
from tilelab.core.text.shown_text import one_line
from tilelab.core.text.wording import capital, labelled, sentence
from tilelab.gui.widgets.access import announce
from tilelab.gui.widgets.parts import (
    IconButton,
    calling,
    column_layout,
    row_layout,
    row_of,
    small_button,
    text_label,
)
from tilelab.gui.widgets.theme import scaled, set_role, set_style_property

_MIN_MILLISECONDS, _MILLISECONDS_A_LETTER = 4_000, 60
_SIDE, _USUAL_WIDTH, _WIDER = 16, 600, 40
_NOTICED_SECONDS = 1.0
"""Seconds for which an error must have been shown for a success to remove it."""
_CHECK_MILLISECONDS = 200
"""Milliseconds between checks of notices that are shown only while they are true."""


def reading_milliseconds(text: str) -> int:
    """Return how many milliseconds a temporary sentence is shown."""
    return _MIN_MILLISECONDS + _MILLISECONDS_A_LETTER * len(text)


NoticeButton = tuple[str, Callable[[], object]]  # title and action of a button next to a notice


@dataclass
class _Notice:
    kind: str
    role: str
    text: str
    stays: bool
    undo: Callable[[], object] | None = None
    buttons: Sequence[NoticeButton] = ()
    why: Callable[[], str] | None = None
    """Function that returns the text while it is true; None if it is not checked again."""
    subject: object = field(default=None, compare=False)  # object that undo is about
    seconds: float = field(default=0.0, compare=False)  # longest time that it was shown
    is_read: bool = field(default=False, compare=False)  # whether it was shown long enough
    is_success: bool = False  # whether an action of the user succeeded

    @property
    def is_true(self) -> bool:
        return self.why is None or self.why() == self.text


class NoticeBar(QFrame):
    """A bar that shows the newest notice; an error stays until it is closed.

    An error under a newer notice comes back when that has gone; one that could be read before the
    next error came does not, nor one that was noticed before an action succeeded. Other messages
    disappear by themselves.
    """

    noticed = Signal()  # emitted when a notice has come
    turned = Signal()  # emitted when the bar has other notices

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice_bar")
        set_role(self, "notice")
        self.lasting: Callable[[str], int] = reading_milliseconds
        """Function that returns how many milliseconds a text is shown."""
        self.timer = QTimer(self, singleShot=True)
        """Timer that runs while a temporary notice is shown."""
        self.timer.timeout.connect(self._expire)
        self._check = QTimer(self, interval=_CHECK_MILLISECONDS)
        self._check.timeout.connect(self._drop_untrue)
        self._notices: list[_Notice] = []
        self._undone: _Notice | None = None
        """The last notice about a subject that a key may still undo when the notice has gone."""
        self._since = time.monotonic()  # when the current notice was shown
        self._n_covered = 0  # number of other bars' notices that this bar covers
        self._kind = QLabel(self)
        self._text = QLabel(self, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._more = text_label("small", self)
        self.undo = small_button(tr("Undo"), "undo_noticed", tr("Undo this"), self, self._undo)
        tip = tr("Close this notice")
        self._close = IconButton("close", "close_notice", tip, tip, self, "small")
        self._close.clicked.connect(self.close_top)
        self._buttons = row_of(spacing=6)
        parts = (self._kind, (self._text, 1), self._buttons, self.undo, self._more, self._close)
        row_layout(self, (14, 2, 6, 3), 12, *parts)
        self.hide()

    @property
    def text(self) -> str:
        """Text of the bar; '' while it is hidden."""
        return self._notices[-1].text if self._notices else ""

    @property
    def buttons(self) -> Sequence[NoticeButton]:
        """Buttons of the notice that is shown, without Undo."""
        return self._notices[-1].buttons if self._notices else ()

    @property
    def n_waiting(self) -> int:
        """Number of notices under the one that is shown."""
        return max(len(self._notices) - 1, 0)

    def show_error(self, text: str) -> None:
        self._put(_Notice(tr("Not done"), "warning", text, stays=True))

    @Slot(object)
    def show_refusal(self, why: Callable[[], str], buttons: Sequence[NoticeButton] = ()) -> None:
        """Show why something is refused, as long as the reason holds.

        why: returns the current reason, or '' when there is none. buttons: what mends it.
        """
        self._put(_Notice(tr("Not done"), "warning", why(), stays=True, buttons=buttons, why=why))

    def show_error_about(
        self, text: str, subject: Callable[[], object], buttons: Sequence[NoticeButton] = ()
    ) -> None:
        """Show an error until its subject is replaced.

        subject: returns the object that the text is about, such as the board in play. buttons: what
        mends it.
        """
        here = subject()
        self.show_refusal(lambda: text if subject() is here else "", buttons)

    @Slot(str)
    def show_done(self, text: str) -> None:
        self._put(_Notice(tr("Done"), "accent", text, stays=False, is_success=True))

    def show_note(
        self,
        text: str,
        *,
        stays: bool = False,
        undo: Callable[[], object] | None = None,
        buttons: Sequence[NoticeButton] = (),
        why: Callable[[], str] | None = None,
        subject: object = None,
    ) -> None:
        """Show a note; stays: whether it stays until withdrawn or closed.

        undo: function of an Undo button. buttons: further buttons. why: returns the text as long
        as it is true, for a note that stays until then. subject: object that undo is about.
        """
        stays = stays or why is not None
        self._put(_Notice(tr("Notice"), "accent", text, stays, undo, buttons, why, subject))

    def offers_undo(self, subject: object) -> bool:
        """Return whether ``take_undo`` undoes what a notice has said of this subject."""
        return self._undone is not None and self._undone.subject is subject

    def undo_about(self, subjects: Sequence[object]) -> Callable[[], object] | None:
        """Return the function that undoes what a notice has said of one of these; or None."""
        return self._undone.undo if self._undone and any(map(self.offers_undo, subjects)) else None

    def offer_undo(self, undo: Callable[[], object], subject: object) -> None:
        """Let the key undo something of this subject that no notice has said."""
        self._undone = _Notice("", "", "", False, undo, subject=subject)
        self.turned.emit()

    def close_offer(self, subject: object) -> None:
        """Close the notice that undoes another subject, as its button would undo this one, too."""
        notice = self._undone
        if notice is not None and notice.subject is not None and notice.subject is not subject:
            self.withdraw(notice.text)

    def keep_offer(
        self, subjects: Sequence[object]
    ) -> Callable[["NoticeBar", Sequence[object]], None]:
        """Return a function that offers again, in any bar, what is offered of one of these.

        It takes that bar, and the same subjects there.
        """
        kept, places = self._undone, list(map(self.offers_undo, subjects))

        def restore(bar: NoticeBar, subjects: Sequence[object]) -> None:
            bar._undone = None
            if kept is not None and any(places):
                bar._undone = replace(kept, subject=subjects[places.index(True)])

        return restore

    @Slot()
    def forget_undo(self) -> None:
        """Offer nothing any more, because later work would be undone with it."""
        self._undone = None
        self.turned.emit()

    @Slot()
    def take_undo(self) -> None:
        """Undo what the last notice with an Undo button has said, shown or gone."""
        if (notice := self._undone) is not None:
            self._undone = None
            self.withdraw(notice.text)
            assert notice.undo is not None
            notice.undo()

    @property
    def buttons_width(self) -> int:
        """Width of the buttons that do something about the notice."""
        return self._buttons.sizeHint().width()

    def cover(self, n_covered: int) -> None:
        """Count notices of other bars that are not shown because this bar is in their place."""
        if n_covered != self._n_covered:
            self._n_covered = n_covered
            self._count()

    def take_over(self, before: "NoticeBar") -> None:
        """Take over the notices of another bar, except those that a function keeps true.

        Their functions belong to the page of the other bar.
        """
        self._notices = [notice for notice in before._notices if notice.why is None]
        self._show()

    def withdraw(self, text: str) -> None:
        """Remove a notice, if it is still there."""
        self._notices = [notice for notice in self._notices if notice.text != text]
        self._show()

    @Slot()
    def close_top(self) -> None:
        """Close the current notice; the one under it comes back."""
        del self._notices[-1:]
        self._show()

    @Slot()
    def close_all(self) -> None:
        """Close all notices; what the last one offered to undo can still be undone by a key."""
        self._notices = []
        self._show()

    @Slot()
    def clear(self) -> None:
        """Close all notices, and offer nothing any more."""
        self._undone = None
        self.close_all()

    def showEvent(self, event: QShowEvent) -> None:
        self._since = time.monotonic()  # a notice on a hidden page is not read
        super().showEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        # Restart the time when the window becomes active again.
        if self.timer.isActive():
            self.timer.start()
        super().leaveEvent(event)

    def _put(self, notice: _Notice) -> None:
        """Put a notice above existing errors; it replaces temporary notices."""
        if self._notices and self.isVisible():
            top = self._notices[-1]
            top.seconds = max(top.seconds, time.monotonic() - self._since)
            top.is_read = top.is_read or top.seconds >= self.lasting(top.text) / 1000
        self._notices = [old for old in self._notices if _outlasts(old, notice)]
        self._notices.append(notice)
        if notice.undo is not None and notice.subject is not None:
            self._undone = notice
        self._show()
        self.noticed.emit()
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
            self.turned.emit()
            return
        notice, self._since = self._notices[-1], time.monotonic()
        self._kind.setText(notice.kind)
        set_role(self._kind, notice.role)
        set_style_property(self, "error", notice.role == "warning")
        self._text.setText(one_line(sentence(notice.text)))  # an error is a clause
        self.undo.setVisible(notice.undo is not None)
        self._offer(notice.buttons)
        self._count()
        self.setAccessibleName(labelled(notice.kind, notice.text))
        if not notice.stays:
            self.timer.start(self.lasting(notice.text))
        self.updateGeometry()
        self.show()
        self.turned.emit()

    def _count(self) -> None:
        n_more = self.n_waiting + self._n_covered
        self._more.setText(tr("{n_waiting} more", n_waiting=figures(n_more, ",")))
        self._more.setVisible(n_more > 0)

    def _offer(self, buttons: Sequence[NoticeButton]) -> None:
        """Make a button for each action; a click also closes the notice."""
        while (item := self._buttons.takeAt(0)) is not None:
            button = item.widget()
            assert button is not None
            button.hide()
            button.deleteLater()
        for number, (title, action) in enumerate(buttons):
            button = small_button(title, f"notice_deed_{number}", "", self)
            button.clicked.connect(calling(self._do, action))
            self._buttons.addWidget(button)

    def _do(self, action: Callable[[], object]) -> None:
        self.close_top()
        action()

    @Slot()
    def _undo(self) -> None:
        notice = self._notices[-1] if self._notices else None
        if notice == self._undone:
            self._undone = None
        self.close_top()
        if notice is not None and notice.undo is not None:
            notice.undo()

    @Slot()
    def _expire(self) -> None:
        """Remove the notice, unless the mouse or the keyboard is on it."""
        if self.underMouse() or self._close.hasFocus():
            self.timer.start()
        else:
            self.close_top()


def _outlasts(old: _Notice, new: _Notice) -> bool:
    """Return whether a notice still holds when another one comes: an offer outlasts a refusal."""
    if old.text == new.text or (not old.stays and not (old.undo and new.role == "warning")):
        return False
    if old.role != "warning" or old.why is not None:
        return True
    if new.is_success:
        return old.seconds < _NOTICED_SECONDS
    return not (new.role == "warning" and old.is_read)


class SavingNotice(NoticeBar):
    """The notice that saving the run fails, as long as it does."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("saving_notice")

    @Slot(str)
    def show_error(self, error: str) -> None:
        """Show why saving fails; '' when it works again."""
        self.clear()
        if error:
            text = tr(
                "{error}. The run continues, and saving is tried again.", error=capital(error)
            )
            self._put(_Notice(tr("Not kept"), "warning", text, stays=True))


class NoticeShelf(QWidget):
    """Holds notices at the upper edge of a widget, outside its layout.

    Only the bar with the newest notice is shown: a second one would cover headings.
    What begins at the edge makes room for the notices: the pages of a stack, and the contents
    given to ``move_contents``. Other contents move only as far as a notice would cover them.
    """

    def __init__(self, ground: QWidget, *notices: NoticeBar, free: int | None = None) -> None:
        """free: height without text at the upper edge; a higher notice moves what is below it.

        None: notices move nothing, unless the ground is a stack.
        """
        super().__init__(ground)
        self._ground, self._free = ground, free
        self._full: QWidget | None = None  # contents of the ground that begin at its edge
        self._notices = list(notices)  # the one with the newest notice is the last
        column = column_layout(self, 0, 0)
        for notice in notices:
            column.addWidget(notice)
            notice.installEventFilter(self)
            notice.turned.connect(self._place)
            notice.noticed.connect(partial(self._put_last, notice))
        ground.installEventFilter(self)
        if isinstance(ground, QStackedWidget):  # which raises each page that it shows
            ground.currentChanged.connect(self._place)
        self._place()

    def move_contents(self, contents: QWidget | None) -> None:
        """Let some contents of the ground make room for all of a notice; None for the usual way."""
        self._make_room(0)
        self._full = contents
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        moved = event.type() == QEvent.Type.Resize and watched is self._ground
        turned = watched in self._notices and event.type() in (
            QEvent.Type.ShowToParent,
            QEvent.Type.HideToParent,
            QEvent.Type.LayoutRequest,
        )
        if moved or turned:
            self._place()
        return False

    @Slot()
    def _place(self) -> None:
        """Place the notices at the middle of the upper edge, as high as their texts need."""
        said = [notice for notice in self._notices if notice.text]
        self.setVisible(bool(said))
        if not said:
            self._make_room(0)
            return
        *covered, shown = said
        shown.cover(sum(1 + one.n_waiting for one in covered))
        for one in said:
            one.setVisible(one is shown)
        # The room of a text is the same next to buttons.
        wide = scaled(_USUAL_WIDTH) + shown.buttons_width
        most = self._ground.width() - 2 * _SIDE
        width = min(most, wide)
        layout = self.layout()
        assert layout is not None
        layout.activate()
        height = layout.totalHeightForWidth(width)
        # A second line would cover headings.
        while width < most and height > layout.totalHeightForWidth(most):
            width = min(width + scaled(_WIDER), most)
            height = layout.totalHeightForWidth(width)
        self._make_room(height)
        self.setGeometry((self._ground.width() - width) // 2, 0, width, height)
        self.raise_()

    def _put_last(self, notice: NoticeBar) -> None:
        self._notices.remove(notice)
        self._notices.append(notice)
        self._place()

    def _make_room(self, height: int) -> None:
        if self._full is not None:
            self._full.setContentsMargins(0, height, 0, 0)
        elif isinstance(self._ground, QStackedWidget):
            self._ground.setContentsMargins(0, height, 0, 0)
        elif self._free is not None:
            self._ground.setContentsMargins(0, max(height - self._free, 0), 0, 0)
