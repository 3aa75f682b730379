"""The transport buttons and the speed: shared by main window, race and presentation."""

import time
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import ClassVar

from PySide6.QtCore import QEvent, QPointF, QRectF, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from tilelab.core.text.language import marked, tr
from tilelab.gui.run.messages import Pending, RunStatus
from tilelab.gui.run.run_actions import KEYS, TITLES
from tilelab.gui.widgets.commands import CommandTable
from tilelab.gui.widgets.elided import ElidedComboBox
from tilelab.gui.widgets.parts import calling, named, row_layout, shown_key
from tilelab.gui.widgets.theme import icon, keep_scaled, keep_themed, set_role, set_style_property
from tilelab.runs.actions import Action, State

STEP_BACK = "step_back"  # name of the command that goes one step back
SPEEDS: dict[str, float | None] = {
    marked("1 step a second"): 1,
    marked("2 steps a second"): 2,
    marked("5 steps a second"): 5,
    marked("10 steps a second"): 10,
    marked("25 steps a second"): 25,
    marked("50 steps a second"): 50,
    marked("100 steps a second"): 100,
    marked("1,000 steps a second"): 1_000,
    marked("full speed"): None,
}
"""Steps per second by their titles; None for full speed."""

_WIDTH = 158  # minimum width with room for the words of all languages

_SAME_PLACE = (Action.STOP, Action.RESUME, Action.GO)
"""Actions that share a place, most important first."""
_COLOURED = (*_SAME_PLACE, Action.START_AGAIN, Action.LOAD)
"""Actions whose button may be coloured, most important first."""
NO_TIPS: Mapping[Action, str] = MappingProxyType({})
_GAP = 4
_REPEAT_MILLISECONDS = 50
_PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
_PRESSING_KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Select)


def colour(buttons: Mapping[Action, QWidget], allowed: Collection[Action]) -> Action | None:
    """Colour the button of the most important possible action; returns that action, or None."""
    matters = next((action for action in _COLOURED if action in allowed), None)
    for action, button in buttons.items():
        role = "stop" if action is Action.STOP else "primary"
        set_role(button, role if action is matters else "")
    return matters


class ActionButton(QPushButton):
    """The button of an action.

    It ignores the second press of a double click if it has just appeared, been enabled or got the
    focus. That press was meant for the previous button.
    """

    _pressed_at: ClassVar[QPointF] = QPointF(-1e6, -1e6)
    """Point on the screen where one of these buttons was last pressed."""

    def __init__(self, action: Action, name: str, parent: QWidget, tip: str = "") -> None:
        super().__init__(tr(TITLES[action]), parent)
        self._since = 0.0  # time of its last change, by the monotonic clock
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
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
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


class Transport(QWidget):
    """The buttons of a step back, of GO, STOP or RESUME in one place, and of a step forward."""

    asked = Signal(object)  # emitted with the Action that was clicked
    back_requested = Signal()

    def __init__(self, prefix: str, parent: QWidget, tips: Mapping[Action, str] = NO_TIPS) -> None:
        """prefix: beginning of the object names. tips: tool tips of the actions."""
        super().__init__(parent)
        self.back = named(QToolButton(self), f"{prefix}{STEP_BACK}_button", tr("Go one step back"))
        self.back.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.back.clicked.connect(self.back_requested)
        keep_themed(self, lambda: self.back.setIcon(icon("step-back")))
        self.buttons = {
            action: ActionButton(action, f"{prefix}{action.value}", self, tips.get(action, ""))
            for action in (*_SAME_PLACE, Action.STEP)
        }
        for action, button in self.buttons.items():
            button.clicked.connect(calling(self.asked.emit, action))
        self._start_stop = QStackedWidget(self)
        for action in _SAME_PLACE:
            self._start_stop.addWidget(self.buttons[action])
        self._start_stop.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        step = self.buttons[Action.STEP]
        step.put_icon_behind("chevron-right")
        row_layout(self, 0, _GAP, self.back, self._start_stop, step)
        repeating: tuple[QAbstractButton, ...] = (self.back, step)
        for one in repeating:
            one.setAutoRepeat(True)
            one.setAutoRepeatInterval(_REPEAT_MILLISECONDS)

    def follow(self, commands: CommandTable) -> None:
        """Enable the buttons like the commands of the same names, and explain in tool tips."""
        for action, button in self.buttons.items():
            commands[action.value].lead(button)
        commands[STEP_BACK].lead(self.back)
        self.back_requested.connect(commands[STEP_BACK].trigger)

    def step_by_page_keys(self, shown: QWidget) -> None:
        """Let the keys of a presenter's remote control step while a widget is visible."""
        QShortcut(QKeySequence("PgDown"), shown, self.buttons[Action.STEP].click)
        QShortcut(QKeySequence("PgUp"), shown, self.back.click)

    def show_status(self, status: RunStatus) -> None:
        """Show the button of GO, STOP or RESUME that a run's status calls for."""
        has_run = status.has_run or status.pending is Pending.RUN
        paused = status.state is State.PAUSED
        self.show_allowed(
            status.allowed, Action.RESUME if paused else Action.STOP if has_run else Action.GO
        )

    def show_allowed(self, allowed: Collection[Action], otherwise: Action) -> None:
        """Show the possible one of GO, STOP and RESUME; otherwise: the one to show disabled."""
        shown = next((action for action in _SAME_PLACE if action in allowed), otherwise)
        self._start_stop.setCurrentWidget(self.buttons[shown])


class SpeedControl(ElidedComboBox):
    """A list of speeds, at first at full speed."""

    speed_chosen = Signal(object)  # emitted with the steps per second, or None for full speed

    def __init__(self, name: str, parent: QWidget) -> None:
        """name: object name."""
        super().__init__(parent)
        named(self, name, tr("Speed"))
        set_style_property(self, "bar", True)
        set_style_property(self, "tight", True)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        keep_scaled(self, least_width=_WIDTH)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        for title, speed in SPEEDS.items():
            self.addItem(tr(title), speed)
        self.setCurrentIndex(self.count() - 1)
        self.set_step("step")
        self.currentIndexChanged.connect(self._changed)

    @property
    def speed(self) -> float | None:
        """Steps per second; None for full speed."""
        speed: float | None = self.currentData()
        return speed

    def set_speed(self, steps_a_second: float | None) -> None:
        """Choose the nearest speed."""
        speeds = list(SPEEDS.values())
        if steps_a_second is not None:
            slow = [speed for speed in speeds if speed is not None]
            gaps = [abs(speed - steps_a_second) for speed in slow]
            steps_a_second = slow[gaps.index(min(gaps))]
        self.setCurrentIndex(speeds.index(steps_a_second))

    def show_speed(self, steps_a_second: float | None) -> None:
        """Show the speed of another puzzle, without a signal."""
        with QSignalBlocker(self):
            self.set_speed(steps_a_second)

    def set_step(self, step: str) -> None:
        """Set the name of the solver's step, in the singular."""
        self.setToolTip(
            tr("How many steps the run makes a second; a step is one {step}", step=tr(step))
        )

    @Slot()
    def _changed(self) -> None:
        self.speed_chosen.emit(self.speed)


class LabelledSpeed(QWidget):
    """The list of speeds with its label."""

    def __init__(self, name: str, parent: QWidget) -> None:
        """name: object name of the list."""
        super().__init__(parent)
        self.control = SpeedControl(name, self)
        self.label = QLabel(tr("Speed"), self)
        self.label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.label.setBuddy(self.control)
        row_layout(self, 0, _GAP, self.label, self.control)
