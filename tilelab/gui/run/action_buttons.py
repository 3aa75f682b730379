"""The buttons of runs and races: each has one place, and no press reaches another one."""

import time
from collections.abc import Collection, Mapping
from typing import ClassVar

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QPushButton, QSizePolicy, QStackedWidget, QWidget

from tilelab.core.text.language import tr
from tilelab.gui.run.run_actions import KEYS, TITLES
from tilelab.gui.widgets.theme import icon, keep_themed, set_style_property
from tilelab.runs.actions import Action

_PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
_PRESSING_KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Select)


class ActionButton(QPushButton):
    """The button of an action.

    A second press in the same place that follows at once when the button has appeared, has been
    enabled or was given the keyboard is not taken: it was meant for the button that was there
    before.
    """

    _pressed_at: ClassVar[QPointF] = QPointF(-1e6, -1e6)
    """Where on the screen one of these buttons was pressed last."""

    def __init__(self, action: Action, tip: str, name: str, parent: QWidget) -> None:
        super().__init__(tr(TITLES[action]), parent)
        self._since = 0.0
        """When it last changed, by the monotonic clock."""
        self.setObjectName(name)
        self.setToolTip(f"{tip} ({KEYS[action]})")
        self.setAccessibleName(tr(TITLES[action]).capitalize())
        self.setAccessibleDescription(tip)
        # A click with the mouse leaves the focus, and its ring, where they are.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAutoDefault(False)
        set_style_property(self, "run", True)

    def put_icon_behind(self, icon_name: str) -> None:
        """Show an icon behind the word, such as the arrow of a menu."""
        left_to_right = self.layoutDirection() == Qt.LayoutDirection.LeftToRight
        directions = Qt.LayoutDirection
        self.setLayoutDirection(directions.RightToLeft if left_to_right else directions.LeftToRight)
        keep_themed(self, lambda: self.setIcon(icon(icon_name)))

    def event(self, event: QEvent) -> bool:
        seconds = QApplication.doubleClickInterval() / 1000
        if self._is_second_press(event) and time.monotonic() - self._since < seconds:
            event.accept()
            return True
        return super().event(event)

    def _is_second_press(self, event: QEvent) -> bool:
        """Return whether an event presses where the previous press was, or by the keyboard."""
        if isinstance(event, QMouseEvent) and event.type() in _PRESSES:
            before, ActionButton._pressed_at = ActionButton._pressed_at, event.globalPosition()
            return QRectF(self.rect()).contains(self.mapFromGlobal(before))
        return (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in _PRESSING_KEYS
        )

    def showEvent(self, event: QShowEvent) -> None:
        self._note_change()
        super().showEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.EnabledChange:
            self._note_change()
        super().changeEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        if event.reason() == Qt.FocusReason.OtherFocusReason:
            self._note_change()
        super().focusInEvent(event)

    def _note_change(self) -> None:
        self._since = time.monotonic()


class StartStop(QStackedWidget):
    """GO, STOP and RESUME in one place, of which one can be seen."""

    def __init__(self, buttons: Mapping[Action, QPushButton], parent: QWidget) -> None:
        super().__init__(parent)
        self._buttons = {
            action: buttons[action] for action in (Action.GO, Action.STOP, Action.RESUME)
        }
        for button in self._buttons.values():
            self.addWidget(button)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_allowed(self, allowed: Collection[Action], otherwise: Action) -> None:
        """Show the one that can be pressed; otherwise: the one that is shown grey."""
        order = (Action.STOP, Action.RESUME, Action.GO)
        shown = next((action for action in order if action in allowed), otherwise)
        self.setCurrentWidget(self._buttons[shown])
