"""The line below a board that is played by hand: undo, scramble, hint, edit, and the counters."""

import enum
from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QWidget

from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import clock, counted
from tilelab.gui.widgets.parts import IconButton, calling, row_layout
from tilelab.gui.widgets.theme import set_role


class PlayAction(enum.StrEnum):
    """What the user can ask for while playing."""

    UNDO = "undo"
    REDO = "redo"
    RESTART = "restart"
    SCRAMBLE = "scramble"
    HINT = "hint"
    EDIT = "edit"


class PlayLook(NamedTuple):
    """How an action is shown and asked for."""

    icon: str
    title: str
    key: str
    """Several are separated by a comma and a space."""
    tip: str


Looks = Mapping[PlayAction, PlayLook]
LOOKS: Looks = {
    PlayAction.UNDO: PlayLook("undo", marked("Undo"), "Ctrl+Z", marked("Take the last step back")),
    PlayAction.REDO: PlayLook(
        "redo", marked("Redo"), "Ctrl+Shift+Z, Ctrl+Y", marked("Take the step again")
    ),
    PlayAction.RESTART: PlayLook(
        "restart", marked("Restart"), "Ctrl+R", marked("Go back to the start of this board")
    ),
    PlayAction.SCRAMBLE: PlayLook(
        "shuffle", marked("Scramble"), "Ctrl+G", marked("Scramble: another board of this size")
    ),
    PlayAction.HINT: PlayLook(
        "hint",
        marked("Hint"),
        "H",
        marked("Hint: show the next move of a good solution; again makes it"),
    ),
    PlayAction.EDIT: PlayLook(
        "edit",
        marked("Edit the board"),
        "Ctrl+E",
        marked("Edit: click two cells to exchange them"),
    ),
}
_PARTED_AFTER = (PlayAction.REDO, PlayAction.SCRAMBLE)


class PlayBar(QWidget):
    """Buttons and counters; knows nothing of boards."""

    asked = Signal(object)
    """A PlayAction was clicked."""

    def __init__(self, parent: QWidget | None = None, looks: Looks = LOOKS) -> None:
        super().__init__(parent)
        self.looks = looks
        self._buttons: dict[PlayAction, IconButton] = {}
        for action, look in looks.items():
            tip = f"{tr(look.tip)} ({look.key.partition(', ')[0]})"
            button = IconButton(look.icon, f"play_{action}", tr(look.title), tip, self)
            button.clicked.connect(calling(self.asked.emit, action))
            self._buttons[action] = button
        self._buttons[PlayAction.EDIT].setCheckable(True)
        self._counters = QLabel(self)
        self._counters.setObjectName("play_counters")
        set_role(self._counters, "muted")
        row = row_layout(self, 0, 4)
        for action, button in self._buttons.items():
            row.addWidget(button)
            if action in _PARTED_AFTER:
                row.addSpacing(12)
        row.addStretch(1)
        row.addWidget(self._counters)

    def is_possible(self, action: PlayAction) -> bool:
        """Return whether an action can be asked for now."""
        return action in self._buttons and self._buttons[action].isEnabled()

    def set_enabled(self, allowed: frozenset[PlayAction]) -> None:
        """Enable what is possible now."""
        for action, button in self._buttons.items():
            button.setEnabled(action in allowed)

    def set_editing(self, editing: bool) -> None:
        """Show whether cells are being exchanged."""
        self._buttons[PlayAction.EDIT].setChecked(editing)

    def set_counting(self, shown: bool) -> None:
        """Show the counters, or leave their place free."""
        self._counters.setVisible(shown)

    def show_counters(self, n_moves: int, seconds: float) -> None:
        """Show the moves since the start, and the time since the first of them."""
        text = f"{counted(n_moves, 'move')} · {clock(seconds)}"
        if text != self._counters.text():
            self._counters.setText(text)
