"""Actions of a run and of a race: names, keys, reasons of refusal, and buttons."""

import time
from collections.abc import Collection, Mapping
from typing import ClassVar

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QPushButton, QSizePolicy, QStackedWidget, QWidget

from tilelab.core.text.language import marked, tr
from tilelab.gui.run.messages import Pending, RunStatus
from tilelab.gui.widgets.parts import shown_key
from tilelab.gui.widgets.theme import icon, keep_themed, set_style_property
from tilelab.runs.actions import Action, State
from tilelab.runs.races import MAX_ENTRIES, MIN_ENTRIES

TITLES = {
    Action.LOAD: marked("LOAD"),
    Action.GO: marked("GO"),
    Action.START_AGAIN: marked("START AGAIN"),
    Action.STEP: marked("STEP"),
    Action.STOP: marked("STOP"),
    Action.RESUME: marked("RESUME"),
    Action.SAVE: marked("SAVE"),
}
KEYS = {
    Action.LOAD: "Ctrl+O",
    Action.GO: "F5",
    Action.START_AGAIN: "Ctrl+Shift+F5",
    Action.STEP: "F6",
    Action.STOP: "Shift+F5",
    Action.RESUME: "F5",
    Action.SAVE: "Ctrl+S",
    Action.SAVE_RUN: "Ctrl+Shift+S",
}
_PENDING = {
    Pending.PUZZLE: marked("Another board is being loaded."),
    Pending.OPENING: marked("Another run is being opened."),
    Pending.RUN: marked("The run is about to begin. STOP cancels it."),
    Pending.CALLED_OFF: marked("The cancelled run is still stopping."),
    Pending.STOPPING: marked("The run stops after its current iteration."),
}
_NO_RUN = {
    Action.STEP: marked("The run has finished. START AGAIN begins another one."),
    Action.STOP: marked("No run is in progress."),
    Action.GO: marked("There is already a run. START AGAIN begins another one."),
    Action.RESUME: marked("There is no paused run to resume."),
    Action.START_AGAIN: marked("There is no run to start again. GO begins one."),
    Action.SAVE: marked("There is no board to save yet."),
    Action.SAVE_RUN: marked("There is no run to save yet."),
}
_RUNNING = {
    Action.GO: marked("The run is already in progress."),
    Action.RESUME: marked("The run is already in progress."),
    Action.LOAD: marked("STOP the run before you load something else."),
    Action.START_AGAIN: marked("STOP the run before you start it again."),
}
_PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
_PRESSING_KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Select)


_NOT_NOW = marked("This is not possible now.")


def why_not(action: Action, status: RunStatus) -> str:
    """Return why the run's status does not allow an action."""
    if status.pending in _PENDING:
        return tr(_PENDING[status.pending])
    if status.state is State.RUNNING and action in _RUNNING:
        return tr(_RUNNING[action])
    if status.state is State.FAILED and action is Action.SAVE_RUN:
        return tr("A failed run cannot be saved, but its best board can.")
    return tr(_NO_RUN.get(action, _NOT_NOW))


def why_locked(status: RunStatus) -> str:
    """Return why board and solver cannot be changed now, or ''."""
    if status.pending in (Pending.PUZZLE, Pending.OPENING, Pending.RUN):
        return tr(_PENDING[status.pending])
    running = status.state is State.RUNNING
    return tr("STOP the run before you change the board.") if running else ""


def why_no_race(action: Action, is_running: bool, n_entries: int) -> str:
    """Return why a race does not allow an action."""
    if action is Action.STOP:
        return tr("No race is in progress.")
    if action is Action.SAVE:
        return tr("The selected solver has no best board to save yet.")
    if is_running:
        return tr("STOP the race before you start it again.")
    if not MIN_ENTRIES <= n_entries <= MAX_ENTRIES:
        return tr(
            "A race needs {fewest_entries} to {most_entries} solvers.",
            fewest_entries=MIN_ENTRIES,
            most_entries=MAX_ENTRIES,
        )
    return tr("There is no race to start again. GO begins one.")


class ActionButton(QPushButton):
    """The button of an action.

    It ignores the second press of a double click if it has just appeared, been enabled or got the
    focus. That press was meant for the previous button.
    """

    _pressed_at: ClassVar[QPointF] = QPointF(-1e6, -1e6)
    """Point on the screen where one of these buttons was last pressed."""

    def __init__(self, action: Action, tip: str, name: str, parent: QWidget) -> None:
        super().__init__(tr(TITLES[action]), parent)
        self._since = 0.0
        """Time of its last change, by the monotonic clock."""
        self.setObjectName(name)
        self.setToolTip(f"{tip} ({shown_key(KEYS[action])})")
        self.setAccessibleName(tr(TITLES[action]).capitalize())
        self.setAccessibleDescription(tip)
        # A mouse click does not move the focus and its ring.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAutoDefault(False)
        set_style_property(self, "run", True)

    def put_icon_behind(self, icon_name: str) -> None:
        """Show an icon after the word, such as the arrow of a menu."""
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
        """Return whether an event is a press at the previous place, or by the keyboard."""
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
    """A place for GO, STOP and RESUME that shows one of them."""

    def __init__(self, buttons: Mapping[Action, QPushButton], parent: QWidget) -> None:
        super().__init__(parent)
        self._buttons = {
            action: buttons[action] for action in (Action.GO, Action.STOP, Action.RESUME)
        }
        for button in self._buttons.values():
            self.addWidget(button)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_allowed(self, allowed: Collection[Action], otherwise: Action) -> None:
        """Show the enabled button; otherwise: the one to show disabled."""
        order = (Action.STOP, Action.RESUME, Action.GO)
        shown = next((action for action in order if action in allowed), otherwise)
        self.setCurrentWidget(self._buttons[shown])
