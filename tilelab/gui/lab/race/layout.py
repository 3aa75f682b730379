"""The parts of the race's window, and where they stand."""

from collections.abc import Callable, Collection, Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QDialog, QFrame, QHeaderView, QLabel, QMenu, QWidget

from tilelab.core.solver import Best
from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import capital, counted, duration, number, rate
from tilelab.gui.lab.race.chart import RaceChart, Racer, units_words
from tilelab.gui.lab.race.form import RaceForm
from tilelab.gui.run.action_buttons import ActionButton, StartStop
from tilelab.gui.run.page_layout import SPACE
from tilelab.gui.run.run_actions import KEYS
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.manual_link import ManualButton, bind_manual_key
from tilelab.gui.widgets.parts import (
    card,
    column_layout,
    fit_columns,
    keep_rows_scaled,
    row_layout,
    small_button,
    spot_icon,
    text_label,
)
from tilelab.gui.widgets.row_table import RowTable
from tilelab.gui.widgets.theme import keep_scaled, scaled, set_role, text_font
from tilelab.gui.widgets.window_place import keep_on_screen, scrolled
from tilelab.runs.actions import Action
from tilelab.runs.figures import TITLES as FIGURES
from tilelab.runs.figures import figure_texts

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
_STATUS = 6
HEADINGS = (
    *(
        marked("Solver"),
        marked("Rank"),
        marked("Best"),
        marked("Time to best"),
        marked("Done"),
        marked("Per second"),
        marked("Status"),
    ),
    *FIGURES.values(),
)
_WIDTHS = (48, 92, 90, 128, 84, 120, 96, 88, 88, 80, 88)
"""Of all columns but the first, in pixels."""
_NUMBERS = frozenset(HEADINGS) - {"Solver", "Status"}
OwnValue = Callable[[float], float]
"""Returns what a value is worth in what it counts; see :meth:`Puzzle.own_value`."""
_ALL = range(len(HEADINGS))
_LEAST_SOLVER, _USUAL_SOLVER = 160, 240
_DISC = 12
_COLOUR = Qt.ItemDataRole.UserRole
"""Of the icon that is drawn in a cell."""


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


class RaceTable(RowTable):
    """A row is selected at all times; it is the one that is edited, and the one that is saved."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("race_table", tr("Solvers of the race"), HEADINGS, _NUMBERS, parent)
        self.value_title = ""
        """What a value below zero counts, such as 'away'."""
        self.own_value: OwnValue = float
        """Of the race's puzzle."""
        self.setIconSize(QSize(_DISC, _DISC))
        # Figures that change all the time shall not make the columns dance.
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setHorizontalScrollMode(self.ScrollMode.ScrollPerPixel)
        fit_columns(self, dict(enumerate(_WIDTHS, 1)))
        keep_rows_scaled(self, 30)

    def show_racers(self, racers: Sequence[Racer]) -> None:
        """Show these rows as they stand."""
        self.setRowCount(len(racers))
        rows = [self._texts(racer) for racer in racers]
        for col in range(_STATUS + 1, len(HEADINGS)):
            self.setColumnHidden(col, not any(texts[col] for texts in rows))
        self._fit_solver()
        for row, racer in enumerate(racers):
            status = racer.status
            message = "" if status is None else status.message
            tips = {_STATUS: message} if message else {}
            cells = self.show_row(row, rows[row], tips)
            for cell in cells:
                cell.setFont(text_font(strong=status is not None and status.rank == 1))
            if cells[0].data(_COLOUR) != racer.colour.name():
                cells[0].setData(_COLOUR, racer.colour.name())
                cells[0].setIcon(spot_icon(racer.colour.name(), 2 * _DISC, 2))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_solver()

    def _fit_solver(self) -> None:
        """Give the solver what the others leave; rather than its name, figures are scrolled."""
        room, widths = self.viewport().width(), [self.columnWidth(col) for col in _ALL]
        least = max(room - sum(widths[1 : _STATUS + 1]), scaled(_LEAST_SOLVER))
        least = min(least, scaled(_USUAL_SOLVER))
        self.setColumnWidth(0, max(room - sum(widths[1:]), least))

    def _texts(self, racer: Racer) -> tuple[str, ...]:
        status = racer.status
        title = f"{racer.number}  {racer.title}"
        if status is None:
            return (title, *[""] * (len(HEADINGS) - 1))
        begun = status.units > 0
        per_second = status.per_second
        n_moves = None if status.best is None else status.best.n_moves
        return (
            title,
            str(status.rank or ""),
            ""
            if status.best is None
            else best_words(status.best, self.value_title, self.own_value),
            "" if status.best_seconds is None else duration(status.best_seconds),
            counted(status.units, status.unit) if begun else "",
            "" if per_second is None else rate(per_second),
            tr(status.status),
            *figure_texts(status.figures, n_moves).values(),
        )


def best_words(best: Best, value_title: str, own_value: OwnValue) -> str:
    """Say what a best board is worth; a path by its moves, a distance without its sign."""
    value = own_value(best.value)
    if value < 0:
        return f"{number(-value)} {tr(value_title)}"
    if best.moves is not None and value == 0:
        return counted(len(best.moves), "move")
    return number(value)


def leader_words(
    racers: Sequence[Racer], value_title: str, is_over: bool, own_value: OwnValue = float
) -> str:
    """Say in a sentence who leads; '' while nobody has a board."""
    for racer in racers:
        status = racer.status
        if status is not None and status.best is not None and status.rank == 1:
            words = best_words(status.best, value_title, own_value)
            if own_value(status.best.value) > 0:
                words = f"{words} {tr(value_title)}"
            after = duration(status.best_seconds or 0.0)
            return tr("{title} {value}: {words} after {after}.").format(
                title=racer.title,
                value=tr("is first") if is_over else tr("leads"),
                words=words,
                after=after,
            )
    return ""


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
