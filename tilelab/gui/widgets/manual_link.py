"""Which page of the manual speaks of a part of the window, and how that page is asked for."""

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
    """Say which page speaks of a widget, and of all in it that has none of its own."""
    widget.setProperty(_PLACE, place)


def manual_place(widget: QWidget | None) -> str:
    """Return the page that speaks of a widget, or of the nearest one around it; '' for none."""
    while widget is not None:
        place = widget.property(_PLACE)
        if place:
            return str(place)
        widget = widget.parentWidget()
    return ""


def open_manual(widget: QWidget) -> None:
    """Open the page that speaks of a widget, in the manual of the window that it belongs to."""
    around: QWidget | None = widget
    while around is not None:
        if isinstance(around, ShowsManual):
            around.show_manual(manual_place(widget))
            return
        around = around.parentWidget()


def bind_manual_key(window: QWidget, place: str = "") -> None:
    """Let F1 open the manual from a window of its own; place: what speaks of all of it.

    Without one it is that of the widget which the window belongs to.
    """
    set_manual_place(window, place)
    key = QShortcut(QKeySequence(MANUAL_KEY), window)
    key.setAutoRepeat(False)
    key.activated.connect(lambda: open_manual(window.focusWidget() or window))


class ManualButton(IconButton):
    """The question mark beside a heading; the keyboard has F1 for the same."""

    def __init__(self, subject: str, parent: QWidget, place: str = "") -> None:
        """subject: what the heading says. place: a page of its own; '' for that around it."""
        tip = tr(
            "The manual on {first_letter}{rest} ({shortcut})",
            first_letter=subject[:1].lower(),
            rest=subject[1:],
            shortcut=MANUAL_KEY,
        )
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
