"""The buttons of a race, in the words and colours of the run bar."""

from collections.abc import Collection
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QWidget

from tilelab.core.text.language import marked, tr
from tilelab.gui.run.action_buttons import ActionButton, StartStop
from tilelab.gui.run.action_titles import KEYS
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.parts import row_layout
from tilelab.gui.widgets.theme import set_role
from tilelab.runs.actions import Action

_TIPS = {
    Action.GO: marked("Run all solvers side by side on the board that the window shows"),
    Action.START_AGAIN: marked("Restart on the board that the window shows, with the next seed"),
    Action.STOP: marked("Pause all solvers; RESUME goes on from where they are"),
    Action.RESUME: marked("Go on with every solver that is paused, or whose limit has been raised"),
    Action.SAVE: marked("Save the best board of the selected solver"),
}


class RaceBar(QFrame):
    """GO or START AGAIN, STOP, RESUME, SAVE; one of them is in colour at a time."""

    asked = Signal(object)
    """An Action was clicked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "bar")
        self._in_colour: Action | None = None
        self._buttons = {action: self._button(action) for action in _TIPS}
        self.subject = ElidedLabel(self, Qt.TextElideMode.ElideMiddle)
        """What is raced on."""
        self.subject.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        set_role(self.subject, "muted")
        row = row_layout(self, (16, 10, 16, 10), 8)
        self._start_stop = StartStop(self._buttons, self)
        row.addWidget(self._start_stop)
        row.addWidget(self._buttons[Action.START_AGAIN])
        row.addWidget(self._buttons[Action.SAVE])
        row.addWidget(self.subject, 1)
        for action in (Action.GO, Action.START_AGAIN, Action.STOP, Action.SAVE):
            # F5 is GO's and RESUME's; it presses the button in colour.
            shortcut = QShortcut(QKeySequence(KEYS[action]), self)
            shortcut.setAutoRepeat(False)
            shortcut.activated.connect(partial(self._pressed, action))

    def show_allowed(self, allowed: Collection[Action], has_race: bool) -> None:
        """Enable what is possible now, and colour the button that matters."""
        self._start_stop.show_allowed(allowed, Action.STOP if has_race else Action.GO)
        order = (Action.STOP, Action.RESUME, Action.GO, Action.START_AGAIN)
        self._in_colour = matters = next((action for action in order if action in allowed), None)
        for action, button in self._buttons.items():
            button.setEnabled(action in allowed)
            role = "stop" if action is Action.STOP else "primary"
            set_role(button, role if action is matters else "")

    def _pressed(self, action: Action) -> None:
        self.asked.emit((self._in_colour or action) if action is Action.GO else action)

    def _button(self, action: Action) -> ActionButton:
        button = ActionButton(action, tr(_TIPS[action]), f"race_{action.value}", self)
        button.clicked.connect(lambda: self.asked.emit(action))
        return button
