"""Work that waits until a widget has been painted for the first time."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget


class _FirstPaint(QObject):
    def __init__(self, widget: QWidget, then: Callable[[], object]) -> None:
        super().__init__(widget)
        self._widget, self._then = widget, then
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self._widget.removeEventFilter(self)
            QTimer.singleShot(0, self._widget, self._then)
            self.deleteLater()
        return False


def after_first_paint(widget: QWidget, then: Callable[[], object]) -> None:
    """Call ``then`` from the event loop as soon as the widget has been on the screen."""
    _FirstPaint(widget, then)
