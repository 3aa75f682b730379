"""Links from parts of the window to pages of the manual."""

from typing import Protocol, runtime_checkable

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from tilelab.core.text.language import tr
from tilelab.gui.widgets.parts import IconButton
from tilelab.gui.widgets.theme import icon

MANUAL_KEY = "F1"
_PLACE = "manual_place"


@runtime_checkable
class ShowsManual(Protocol):
    """A window that can open the manual."""

    def show_manual(self, place: str) -> None:
        """Open the manual at a page, or at ``page#anchor`` (:mod:`tilelab.manual.places`)."""


def set_manual_place(widget: QWidget, place: str) -> None:
    """Set the page about a widget and its children without their own page."""
    widget.setProperty(_PLACE, place)


def manual_place(widget: QWidget | None) -> str:
    """Return the page about a widget or its nearest parent; '' for none."""
    while widget is not None:
        place = widget.property(_PLACE)
        if place:
            return str(place)
        widget = widget.parentWidget()
    return ""


def open_manual(widget: QWidget) -> None:
    """Open the page about a widget in its window's manual."""
    around: QWidget | None = widget
    while around is not None:
        if isinstance(around, ShowsManual):
            around.show_manual(manual_place(widget))
            return
        around = around.parentWidget()


def bind_manual_key(window: QWidget, place: str = "") -> None:
    """Let F1 open the manual from a separate window; place: page about the whole window.

    Without one, it is the page of the window's parent.
    """
    set_manual_place(window, place)
    key = QShortcut(QKeySequence(MANUAL_KEY), window, autoRepeat=False)
    key.activated.connect(lambda: open_manual(window.focusWidget() or window))


class ManualButton(IconButton):
    """The question mark next to a heading, which does the same as F1."""

    def __init__(self, subject: str, parent: QWidget, place: str = "") -> None:
        """subject: text of the heading. place: its own page; '' for that of its parent."""
        tip = tr("Open the manual: {subject} ({shortcut})", subject=subject, shortcut=MANUAL_KEY)
        super().__init__(
            "help",
            "manual_button",
            tr("Manual: {subject}", subject=subject),
            tip,
            parent,
            "question",
        )
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        if place:
            set_manual_place(self, place)
        self.clicked.connect(self._open)

    @Slot()
    def _open(self) -> None:
        open_manual(self)

    def _draw(self) -> None:
        self.setIcon(icon("help", token="muted"))
