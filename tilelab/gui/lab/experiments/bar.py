"""The buttons of an experiment, and how far it is."""

import enum
from collections.abc import Collection
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QProgressBar, QPushButton, QWidget

from tilelab.core.text.language import marked, tr
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.parts import row_layout
from tilelab.gui.widgets.theme import set_role, set_style_property

_BAR_PIXELS, _LEAST_TEXT_PIXELS = 160, 72


class SweepCommand(enum.StrEnum):
    """What the user can ask for."""

    NEW = "new"
    OPEN = "open"
    SAVE = "save"
    RUN = "run"
    PAUSE = "pause"
    RESUME = "resume"
    CANCEL = "cancel"


_BUTTONS = {
    SweepCommand.NEW: (
        marked("NEW"),
        "Ctrl+N",
        marked("Begin another plan; Ctrl+Z brings this one back"),
    ),
    SweepCommand.OPEN: (marked("OPEN…"), "Ctrl+O", marked("Open a plan, or the results of one")),
    SweepCommand.SAVE: (
        marked("SAVE PLAN…"),
        "Ctrl+S",
        marked("Write the plan to a file, for tilelab sweep, too"),
    ),
    SweepCommand.RUN: (
        marked("RUN"),
        "F5",
        marked("Do all runs of the plan, and keep their results in a new folder"),
    ),
    SweepCommand.PAUSE: (
        marked("PAUSE"),
        "Shift+F5",
        marked("Let the runs that are going finish, and begin no other"),
    ),
    SweepCommand.RESUME: (
        marked("RESUME"),
        "F5",
        marked("Do the runs that are left of the results shown"),
    ),
    SweepCommand.CANCEL: (
        marked("CANCEL"),
        "Ctrl+.",
        marked("End the runs that are going; what is done is kept"),
    ),
}


class ExperimentBar(QFrame):
    """One button is in colour at a time; F5 presses it while it begins something."""

    asked = Signal(object)
    """A SweepCommand was clicked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "bar")
        self._in_colour = SweepCommand.RUN
        self._buttons = {command: self._button(command) for command in SweepCommand}
        self.progress = QProgressBar(self)
        self.progress.setObjectName("experiment_progress")
        self.progress.setAccessibleName(tr("Runs done"))
        self.progress.setFixedWidth(_BAR_PIXELS)
        self.progress.setTextVisible(False)
        self.how_far = ElidedLabel(self)
        self.how_far.setObjectName("experiment_how_far")
        self.how_far.setMinimumWidth(_LEAST_TEXT_PIXELS)
        set_role(self.how_far, "muted")
        row = row_layout(self, (16, 10, 16, 10), 8)
        for command, button in self._buttons.items():
            if command is SweepCommand.RUN:
                row.addSpacing(8)
            row.addWidget(button)
        row.addSpacing(8)
        row.addWidget(self.progress, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.how_far, 1)
        for command, (_, key, _) in _BUTTONS.items():
            if command is not SweepCommand.RESUME:
                shortcut = QShortcut(QKeySequence(key), self)
                shortcut.setAutoRepeat(False)
                shortcut.activated.connect(partial(self._pressed, command))

    def show_allowed(self, allowed: Collection[SweepCommand], in_colour: SweepCommand) -> None:
        """Enable what is possible now, and colour the button that matters."""
        self._in_colour = in_colour
        had_focus = self.focusWidget()
        for command, button in self._buttons.items():
            button.setEnabled(command in allowed)
            role = "stop" if command is SweepCommand.CANCEL else "primary"
            set_role(button, role if command is in_colour and command in allowed else "")
        if had_focus is not None and not had_focus.isEnabled():
            self._buttons[in_colour].setFocus()

    def show_progress(self, n_done: int, n_all: int, text: str) -> None:
        """Show how many runs are over; n_all: 0 while there is nothing to do."""
        self.progress.setVisible(n_all > 0)
        self.progress.setRange(0, max(n_all, 1))
        self.progress.setValue(n_done)
        self.how_far.setText(text)

    def button(self, command: SweepCommand) -> QPushButton:
        """Return the button of a command."""
        return self._buttons[command]

    def _pressed(self, command: SweepCommand) -> None:
        resumes = command is SweepCommand.RUN and self._in_colour is SweepCommand.RESUME
        self.asked.emit(SweepCommand.RESUME if resumes else command)

    def _button(self, command: SweepCommand) -> QPushButton:
        title, key, tip = (tr(text) for text in _BUTTONS[command])
        button = QPushButton(title, self)
        button.setObjectName(f"experiment_{command}")
        button.setToolTip(f"{tip} ({key})")
        button.setAccessibleName(title.capitalize())
        button.setAccessibleDescription(tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_style_property(button, "run", True)
        button.clicked.connect(lambda: self.asked.emit(command))
        return button
