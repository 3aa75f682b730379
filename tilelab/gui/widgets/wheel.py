"""The wheel scrolls what is around a control, and changes no value on its way."""

import functools

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QAbstractSpinBox, QComboBox, QSlider, QWidget

_KINDS = QComboBox, QAbstractSpinBox, QSlider


class _Passing(QObject):
    """An event filter that leaves the wheel to what can be scrolled, even from a focused control.

    It changes only the value of a focused control that nothing around scrolls.
    """

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QWheelEvent) or not isinstance(watched, QWidget):
            return False
        if watched.hasFocus() and not _is_scrolled(watched):
            return False
        event.ignore()
        return True


_passing = functools.cache(_Passing)


def pass_wheel(whole: QWidget) -> None:
    """Let lists, number fields and sliders leave the wheel to the area that scrolls them.

    whole: such a control, or a widget with some.
    """
    for kind in _KINDS:
        for part in (whole,) if isinstance(whole, kind) else whole.findChildren(kind):
            part.installEventFilter(_passing())
            if part.focusPolicy() is Qt.FocusPolicy.WheelFocus:
                part.setFocusPolicy(Qt.FocusPolicy.StrongFocus)


def _is_scrolled(part: QWidget) -> bool:
    """Return whether an area around a widget can be scrolled."""
    around = part.parentWidget()
    while around is not None:
        if isinstance(around, QAbstractScrollArea):
            bars = around.verticalScrollBar(), around.horizontalScrollBar()
            if any(bar.minimum() < bar.maximum() for bar in bars):
                return True
        around = None if around.isWindow() else around.parentWidget()
    return False
