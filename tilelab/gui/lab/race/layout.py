"""The parts of the race's window, and where they stand."""

from collections.abc import Collection, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QFrame, QLabel, QMenu, QWidget

from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import capital
from tilelab.gui.lab.race.chart import RaceChart, Racer, units_words
from tilelab.gui.lab.race.form import RaceForm
from tilelab.gui.lab.race.table import RaceTable
from tilelab.gui.run.action_buttons import ActionButton, StartStop
from tilelab.gui.run.action_titles import KEYS
from tilelab.gui.run.page_layout import SPACE
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.manual_link import ManualButton, bind_manual_key
from tilelab.gui.widgets.parts import card, column_layout, row_layout, small_button, text_label
from tilelab.gui.widgets.theme import keep_scaled, set_role
from tilelab.gui.widgets.window_place import keep_on_screen, scrolled
from tilelab.runs.actions import Action

KINDS = {"csv": marked("Table"), "png": marked("Chart"), "svg": marked("Chart")}
"""What can be exported, by kinds of files."""
PANEL_WIDTH = 304
_TABLE_HEIGHT = 224
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


class RaceFrame:
    """Makes all parts and lays them out in a dialog."""

    def __init__(self, puzzle_key: str, dialog: QDialog) -> None:
        self.bar = RaceBar(dialog)
        self.form = RaceForm(puzzle_key, dialog)
        self.chart = RaceChart(dialog)
        self.table = RaceTable(dialog)
        self.add, self.remove, self.export = (
            small_button(text, name, tip, dialog)
            for text, name, tip in (
                (tr("Add solver"), "race_add", tr("Add a solver, up to six")),
                (tr("Remove"), "race_remove", tr("Take the selected solver out of the race")),
                (
                    tr("Export"),
                    "race_export",
                    tr("Write the table as CSV, or the chart as PNG or SVG"),
                ),
            )
        )
        menu = QMenu(self.export)
        self.export.setMenu(menu)
        self.exports = {
            kind: menu.addAction(
                tr("{title} as {upper}…").format(title=tr(title), upper=kind.upper())
            )
            for kind, title in KINDS.items()
        }
        """The menu's entries by kinds of files."""
        self.said = QLabel(dialog)
        self.said.setObjectName("race_said")
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.said.setWordWrap(True)
        self._lay_out(dialog)

    def say(self, text: str, role: str = "muted") -> None:
        """Say something below the table; role: 'muted' or 'error'."""
        set_role(self.said, role)
        self.said.setText(text)

    def show_racers(self, racers: Sequence[Racer]) -> None:
        """Show how all entries stand."""
        self.table.show_racers(racers)
        self.chart.show_racers(racers)
        self.form.limit_controls["limit"].set_title(capital(units_words(racers)))

    def _lay_out(self, dialog: QDialog) -> None:
        keep_scaled(self.form, width=PANEL_WIDTH)
        title = text_label("title", dialog, tr("Solvers"))
        heading = row_layout(spacing=8)
        heading.addWidget(title)
        heading.addWidget(ManualButton(tr("Races"), dialog))
        heading.addSpacing(8)
        heading.addWidget(self.add)
        heading.addWidget(self.remove)
        heading.addStretch(1)
        heading.addWidget(self.export)
        table_card = card(dialog)
        inner = column_layout(table_card, (SPACE, 12, SPACE, 12), 6)
        inner.addLayout(heading)
        inner.addWidget(self.table, 1)
        inner.addWidget(self.said)
        keep_scaled(self.table, height=_TABLE_HEIGHT)
        chart_card = card(dialog)
        around = column_layout(chart_card, SPACE)
        around.addWidget(self.chart)
        right = column_layout(spacing=SPACE)
        right.addWidget(chart_card, 1)
        right.addWidget(table_card)
        ground = QWidget(dialog)
        set_role(ground, "page")
        columns = row_layout(ground, SPACE, SPACE)
        columns.addWidget(self.form)
        columns.addLayout(right, 1)
        keep_on_screen(dialog)
        bind_manual_key(dialog, "races")
        whole = column_layout(dialog, 0, 0)
        whole.addWidget(self.bar)
        whole.addWidget(scrolled(ground, dialog), 1)
