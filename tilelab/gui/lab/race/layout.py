"""The parts of the race's window and their layout."""

import dataclasses
import math
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QKeySequence, QShortcut, QTextDocumentFragment
from PySide6.QtWidgets import QDialog, QFrame, QLabel, QMenu, QSizePolicy, QWidget

from tilelab.core.errors import TileLabError
from tilelab.core.puzzle import Puzzle
from tilelab.core.solver import Best
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import tool_tip
from tilelab.core.text.wording import capital, counted, duration, number, of_unit, rate
from tilelab.gui.lab.race.chart import RaceChart, RaceCurve, steps_words, units_words
from tilelab.gui.lab.race.form import RaceForm, status_words, table_of
from tilelab.gui.lab.race.inside import InsideView
from tilelab.gui.run.page_layout import SPACE
from tilelab.gui.run.run_actions import KEYS
from tilelab.gui.run.transport import ActionButton, LabelledSpeed, Transport, colour
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.file_dialog import ask_to_save
from tilelab.gui.widgets.item_model import Column
from tilelab.gui.widgets.item_table import ROW_HEIGHT, ItemTable
from tilelab.gui.widgets.manual_link import ManualButton, bind_manual_key, set_manual_place
from tilelab.gui.widgets.parts import (
    STRETCH,
    ButtonRow,
    Card,
    Segments,
    after_first_paint,
    calling,
    column_layout,
    named,
    parted,
    row_layout,
    shown_key,
    small_button,
    spot_icon,
    text_label,
)
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import keep_scaled, set_role, text_font
from tilelab.gui.widgets.window_place import scrolled
from tilelab.runs.actions import Action, State
from tilelab.runs.files.atomic import write_atomically
from tilelab.runs.races import MAX_ENTRIES, MIN_ENTRIES, EntryStatus, RaceGoal
from tilelab.runs.result import TITLES as FIGURES
from tilelab.runs.result import figure_texts

KINDS = {"csv": marked("Table"), "png": marked("Chart"), "svg": marked("Chart")}
"""Titles of exports by kinds of files."""
PANEL_WIDTH = 304
_TIPS = {
    Action.GO: marked("Run all solvers side by side on the board that the window shows"),
    Action.STEP: marked("Let every solver make its smallest step, and pause"),
    Action.START_AGAIN: marked("Restart on the board that the window shows, with the next seed"),
    Action.STOP: marked("Pause all solvers; RESUME continues them"),
    Action.RESUME: marked("Continue every solver that is paused or whose limit was raised"),
    Action.SAVE: marked("Save the best board of the selected solver"),
}
_STATES = {
    State.RUNNING: marked("Running"),
    State.PAUSED: marked("Paused"),
    State.FINISHED: marked("Finished"),
}
_SLOW = marked("Seconds of slow steps cannot be compared; those of a race at full speed can.")
_BACK_TIP = marked("Take the last step of every solver back, and pause")
_BACK_KEY, _UNIT_KEY = "Shift+F6", "Ctrl+F6"
_GOALS = (10, 100, 1_000, 10_000)  # numbers of boards after which all pause
_MIN_SOLVER = 172
_MAX_WIDTH = 400
_FIGURES = {
    "expanded": (76, 0),
    "memory": (72, 6),
    "generated": (76, 2),
    "proven": (72, 4),
    "evaluations": (76, 5),
}
"""Usual widths of the figures' columns and the order in which they hide."""
_DISC = 12
_PRESENTED_ROW = 24  # height of a row; six of them leave room for the chart
_MAX_SAID = 4  # number of entries up to which a presentation has the sentence about them
_PARTS = (3, 1)  # shares of the height of the runs and of their curves
_N_FIRST = 4  # number of columns before the figures: solver, rank, best and time found


class RaceBar(QFrame):
    """The buttons in the order of the run bar; one of them is coloured."""

    asked = Signal(object)  # emitted with the Action that was clicked
    back_requested = Signal()
    goal_chosen = Signal(object)  # emitted with the RaceGoal that each solver runs to

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "bar")
        self.figure = "expanded"
        """Figure that the goals are about: 'expanded' or 'evaluations'."""
        self.units: tuple[str, ...] = ()  # different units of the solvers
        self._in_colour: Action | None = None
        tips = {action: tr(tip) for action, tip in _TIPS.items()}
        self._transport = Transport("race_", self, tips)
        self._transport.asked.connect(self.asked)
        self._transport.back_requested.connect(self.back_requested)
        self._transport.back.setToolTip(f"{tr(_BACK_TIP)} ({shown_key(_BACK_KEY)})")
        speed = LabelledSpeed("race_speed", self)
        self.speed = speed.control
        self.speed.setToolTip(tr("How many steps each solver makes a second"))
        set_manual_place(speed, "watching#pace")
        self._buttons = dict(self._transport.buttons)
        for action in (Action.START_AGAIN, Action.SAVE):
            button = ActionButton(action, f"race_{action.value}", self, tips[action])
            button.clicked.connect(calling(self.asked.emit, action))
            self._buttons[action] = button
        self._goals = small_button(
            tr("Run until"), "race_goals", tr("Let every solver run to the same place"), self
        )
        menu = QMenu(self._goals)
        menu.aboutToShow.connect(self._fill_goals)
        self._goals.setMenu(menu)
        self.looks = Segments(tr("What is shown"), self)
        self.looks.add(tr("Step by step"), "race_look_inside", tr("Show the runs from inside"))
        self.looks.add(tr("Race"), "race_look_race", tr("Show the curves and figures of the race"))
        # Names the puzzle of the race; its number and size come last.
        self.subject = ElidedLabel(self, Qt.TextElideMode.ElideMiddle, "muted")
        self.subject.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._hint = text_label("muted", self, tr("Press Esc to leave"))
        self._hint.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._hint.hide()
        self._transport.step_by_page_keys(self._hint)
        self.subject.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        again, save = (self._buttons[action] for action in (Action.START_AGAIN, Action.SAVE))
        parts = ((self._transport, self._goals), (speed, again, save))
        groups = [QWidget(self) for _ in range(3)]
        for group, widgets in zip(groups, parts, strict=False):
            row_layout(group, 0, 6, *widgets, STRETCH)
        row_layout(groups[2], 0, 6, (self.subject, 1), self.looks, (self._hint, 1))
        whole = ButtonRow(*groups, spacing=6)
        whole.setStretchFactor(groups[2], 1)
        column_layout(self, (16, 10, 16, 10), 0, whole)
        rare = (self._buttons[action] for action in (Action.START_AGAIN, Action.SAVE))
        self._not_presented = (*rare, self.subject, self.looks)
        for action in (Action.GO, Action.STEP, Action.START_AGAIN, Action.STOP, Action.SAVE):
            # F5 belongs to GO and RESUME; it presses the coloured button.
            shortcut = QShortcut(QKeySequence(KEYS[action]), self)
            shortcut.setAutoRepeat(False)
            shortcut.activated.connect(partial(self._pressed, action))
        QShortcut(QKeySequence(_BACK_KEY), self, self.back_requested.emit)
        QShortcut(QKeySequence(_UNIT_KEY), self, self._finish_unit)

    def set_presenting(self, is_on: bool) -> None:
        """Hide what a presentation does not need, or show it again."""
        for part in self._not_presented:
            part.setVisible(not is_on)
        self._hint.setVisible(is_on)

    def show_subject(self, title: str, size: str) -> None:
        """Name the puzzle of the race, with as much of it as there is room for."""
        self.subject.setText(f"{title}, {size}" if size else title)

    def show_allowed(self, allowed: Collection[Action], has_race: bool, can_go_back: bool) -> None:
        """Enable the possible actions, and colour the main button."""
        self._transport.show_allowed(allowed, Action.STOP if has_race else Action.GO)
        self._transport.back.setEnabled(can_go_back)
        self._in_colour = colour(self._buttons, allowed)
        for action, button in self._buttons.items():
            button.setEnabled(action in allowed)
        self._goals.setEnabled(Action.STEP in allowed)

    def _pressed(self, action: Action) -> None:
        self.asked.emit((self._in_colour or action) if action is Action.GO else action)

    @Slot()
    def _finish_unit(self) -> None:
        self.goal_chosen.emit(RaceGoal("units", 1))

    @Slot()
    def _fill_goals(self) -> None:
        menu = self._goals.menu()
        menu.clear()
        units = ", ".join(of_unit("Finish the {unit}", unit) for unit in self.units)
        # The key itself belongs to the bar; here it is only shown.
        menu.addAction(f"{units}\t{shown_key(_UNIT_KEY)}", self._finish_unit)
        text = marked("Each has expanded {boards}")
        if self.figure != "expanded":
            text = marked("Each has scored {boards}")
        for count in _GOALS:
            title = tr(text, boards=counted(count, "board"))
            menu.addAction(title, partial(self.goal_chosen.emit, RaceGoal(self.figure, count)))


class RaceValues(NamedTuple):
    """What the values of a race's boards mean."""

    title: str = ""  # title of a value below zero, such as 'away'
    own: Callable[[float], float] = float
    """Function that converts a value to the puzzle's own unit; see :meth:`Puzzle.own_value`."""
    has_goal: bool = False
    """Whether a value is the distance to a goal. A search may have generated the goal whose path it
    does not know yet.
    """
    start: float = -math.inf
    """Value of the start board, if there is a goal; a search without an estimate has no nearer
    board, and is not called the nearest.
    """

    @classmethod
    def of(cls, puzzle: Puzzle) -> "RaceValues":
        """Return what the values of a puzzle's boards mean."""
        has_goal, start = puzzle.spec.value_is_distance, puzzle.start
        least = -math.inf if not has_goal or start is None else puzzle.score(start)
        return cls(puzzle.value_title, puzzle.own_value, has_goal, least)

    def words(self, best: Best, *, is_short: bool = False) -> str:
        """Return the value of a best board in words: moves of a path, or the least distance.

        is_short: with a sign for 'at least', for a table.
        """
        value = self.own(best.value)
        if self.has_goal and best.moves is None and value == 0:
            return f"0 {tr(self.title)}"
        if value < 0:
            distance = f"{number(-value)} {tr(self.title)}"
            return f"≥ {distance}" if is_short else tr("at least {distance}", distance=distance)
        if best.moves is not None and value == 0:
            return counted(len(best.moves), "move")
        return number(value)


class RaceTable(ItemTable[RaceCurve]):
    """The table of entries; the selected row is edited and saved."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._entries: list[tuple[int, str]] = []  # numbers and titles of those that are shown
        self.values = RaceValues()
        self._is_presenting = False
        self._figures = tuple(_figure(name, *room) for name, room in _FIGURES.items())
        columns = self._columns()
        super().__init__(
            "race_table",
            tr("Solvers of the race"),
            (*columns[:_N_FIRST], *self._figures, *columns[_N_FIRST:]),
            lambda racer: racer.number,
            parent,
            # Columns must not change their widths whenever figures change.
            is_fixed=True,
            first_share=80,
        )
        self.setIconSize(QSize(_DISC, _DISC))

    def show_racers(self, racers: Sequence[RaceCurve]) -> None:
        """Show these entries in their current state."""
        entries = [(racer.number, racer.title) for racer in racers]
        if entries != self._entries or all(racer.status is None for racer in racers):
            self.forget_texts()  # another race begins
        self._entries = entries
        for place, column in enumerate(self._figures, _N_FIRST):
            self.show_column(place, is_shown=any(map(column.text, racers)))
        self._show_columns(racers)
        self.show_items(racers)

    def set_presenting(self, is_on: bool) -> None:
        """Give the room of usual states to the main columns, with all rows in view, or take it."""
        self._is_presenting = is_on
        self._show_columns(self.items.given)
        self.measure_texts()
        self.set_row_height(_PRESENTED_ROW if is_on else ROW_HEIGHT)

    def _show_columns(self, racers: Sequence[RaceCurve]) -> None:
        """Show times unless none counts; in a presentation, states only if one is not proven."""
        known = [racer.status for racer in racers if racer.status is not None]
        is_timed = any(one.best_seconds is not None for one in known)
        self.show_column(_N_FIRST - 1, is_shown=is_timed or all(one.best is None for one in known))
        is_shown = not self._is_presenting or any(one.is_unproven for one in known)
        self.show_column(len(self.items.columns) - 1, is_shown=is_shown)

    def minimumSizeHint(self) -> QSize:
        """Return the height of all rows; the chart gets the rest."""
        rows = max(self.items.rowCount(), MIN_ENTRIES) * self.verticalHeader().defaultSectionSize()
        edges = self.contentsMargins().top() + self.contentsMargins().bottom()
        if not self._is_presenting:
            edges += self.horizontalScrollBar().sizeHint().height()
        return QSize(
            super().minimumSizeHint().width(), self.horizontalHeader().height() + rows + edges
        )

    def _columns(self) -> tuple[Column[RaceCurve], ...]:
        return (
            Column(
                marked("Solver"),
                _MIN_SOLVER,
                lambda racer: f"{racer.number}  {racer.title}",
                is_number=False,
                stretches=True,
                most=_MAX_WIDTH,
                icon=lambda racer: spot_icon(racer.colour.name(), 2 * _DISC, 2),
                font=_font,
            ),
            dataclasses.replace(
                _column(marked("Rank"), 44, lambda status: str(status.rank or "")),
                header_tip=marked(
                    "By the best board, then by fewer moves, and last by the earlier time, unless "
                    "the runs were stepped or the times are too close to tell"
                ),
            ),
            _column(marked("Best"), 60, self._best),
            dataclasses.replace(
                _column(marked("Found after"), 68, _time_to_best),
                header_tip=marked("Running time until the best board was found"),
            ),
            _column(
                marked("Done"),
                112,
                lambda status: counted(status.units, status.unit) if status.units else "",
                yields=3,
            ),
            _column(
                marked("Per second"),
                76,
                lambda status: "" if status.per_second is None else rate(status.per_second),
                yields=1,
            ),
            dataclasses.replace(
                _column(marked("Status"), 100, status_words),
                is_number=False,
                tip=_status_tip,
            ),
        )

    def _best(self, status: EntryStatus) -> str:
        return "" if status.best is None else self.values.words(status.best, is_short=True)


def _column(
    heading: str, width: int, text: Callable[[EntryStatus], str], *, yields: int = 0
) -> Column[RaceCurve]:
    """Return a column that is empty while an entry has no status."""
    return Column(
        heading,
        width,
        lambda racer: "" if racer.status is None else text(racer.status),
        font=_font,
        most=_MAX_WIDTH,
        yields=yields,
    )


def _figure(name: str, width: int, yields: int) -> Column[RaceCurve]:
    def text(status: EntryStatus) -> str:
        n_moves = None if status.best is None else status.best.n_moves
        return figure_texts(status.figures, n_moves)[name]

    return _column(FIGURES[name], width, text, yields=yields)


def _font(racer: RaceCurve) -> QFont:
    return text_font(strong=racer.status is not None and racer.status.rank == 1)


def _time_to_best(status: EntryStatus) -> str:
    return "" if status.best_seconds is None else duration(status.best_seconds)


def _status_tip(racer: RaceCurve) -> str:
    """Return the error of an entry, or else its status."""
    status = racer.status
    return "" if status is None else tool_tip(status.message or status_words(status))


def leader_words(
    racers: Sequence[RaceCurve], values: RaceValues, is_over: bool, *, is_timed: bool = True
) -> str:
    """Return a sentence about the leading entry; '' while no entry has a board.

    is_timed: whether time decides between equal boards; of runs that are stepped it says nothing.
    Searches with equally long paths are compared by the boards that they have expanded, whatever
    their times: then the same race ends with the same sentence.
    """
    for racer in racers:
        status = racer.status
        if status is not None and status.best is not None and status.rank == 1:
            words, value = values.words(status.best), values.own(status.best.value)
            if value > 0:
                words = f"{words} {tr(values.title)}"
            is_near = value < 0 or (values.has_goal and status.best.moves is None)
            if is_near and status.best.value <= values.start:
                return ""
            texts = {"title": racer.title, "best": words}
            level = _level(racers, status)
            if len(level) > 1:
                return _level_words(level, words)
            if not is_timed:
                if is_near:
                    return tr("{title} is nearest: {best}.", **texts)
                if is_over:
                    return tr("{title} is first: {best}.", **texts)
                return tr("{title} leads: {best}.", **texts)
            texts["time"] = duration(status.best_seconds or 0.0)
            if is_near:
                return tr("{title} is nearest: {best} after {time}.", **texts)
            if is_over:
                return tr("{title} is first: {best} after {time}.", **texts)
            return tr("{title} leads: {best} after {time}.", **texts)
    return ""


def unproven_words(racers: Sequence[RaceCurve]) -> str:
    """Return which of the shortest paths their searches have not proven to be shortest, if any."""
    known = [(racer.title, racer.status) for racer in racers if racer.status is not None]
    best = next((status.outcome for _, status in known if status.rank == 1), None)
    titles = [title for title, one in known if one.is_unproven and one.outcome == best]
    if not titles:
        return ""
    return tr("No proof by {titles} that the path is shortest.", titles=", ".join(titles))


def early_words(racers: Sequence[RaceCurve], goal: RaceGoal | None) -> str:
    """Return which entries have ended before the goal that all ran to, if any."""
    if goal is None or goal.figure == "units":
        return ""
    words = []
    for racer in racers:
        status = racer.status
        if status is not None and status.state is State.FINISHED:
            count: int | None = getattr(status.figures, goal.figure)
            if count is not None and count < goal.least:
                text = tr(
                    "{title} ended after {boards}, before it reached {least}.",
                    title=racer.title,
                    boards=counted(count, "board"),
                    least=figures(goal.least, ","),
                )
                words.append(text)
    return " ".join(words)


def _level(racers: Sequence[RaceCurve], first: EntryStatus) -> list[RaceCurve]:
    """Return the entries with paths as long as the first, or else those of its rank.

    Paths are compared only if all their searches count the boards that they expand.
    """
    known = [(racer, racer.status) for racer in racers if racer.status is not None]
    equal = [(racer, status) for racer, status in known if status.outcome == first.outcome]
    has_paths = first.best is not None and first.best.moves is not None
    if not has_paths or any(status.figures.expanded is None for _, status in equal):
        equal = [(racer, status) for racer, status in equal if status.rank == first.rank]
    return [racer for racer, _ in equal]


def _level_words(racers: Sequence[RaceCurve], best: str) -> str:
    """Return a sentence about entries with equal bests, by boards expanded if all count them."""
    counts = [
        (racer.title, racer.status.figures.expanded) for racer in racers if racer.status is not None
    ]
    known = sorted((n, title) for title, n in counts if n is not None)
    if len(known) < len(racers):
        titles = ", ".join(title for title, _ in counts)
        return tr("{titles} are level: {best}.", titles=titles, best=best)
    parts = [
        tr("{title} expanded {boards}", title=title, boards=counted(n, "board"))
        for n, title in known
    ]
    return tr("{best} each: {parts}.", best=capital(best), parts=", ".join(parts))


class RaceFrame:
    """The frame of the dialog: makes all parts and lays them out."""

    def __init__(self, puzzle_key: str, settings: Settings, dialog: QDialog) -> None:
        self._settings = settings
        self.bar = RaceBar(dialog)
        self.inside = InsideView(puzzle_key, settings, dialog)
        self.inside.curves_turned.connect(self._turn_curves)
        self.inside.parameters_requested.connect(self._show_parameters)
        self.is_inside = False  # whether the runs are shown from inside
        self._has_form = False  # whether parameters are shown next to the runs
        self._is_presenting = False
        self._sizes: list[int] = []  # heights of chart and table before a presentation
        self._size_for_curves: QSize | None = None  # of the area when curves were turned on
        self.form = RaceForm(puzzle_key, dialog)
        self.chart = RaceChart(dialog)
        self.table = RaceTable(dialog)
        self.table.current_changed.connect(self._arrange)
        self.add, self.remove, self.export = (
            small_button(text, name, tip, dialog)
            for text, name, tip in (
                (tr("Add solver"), "race_add", tr("Add a solver, up to six")),
                (tr("Remove"), "race_remove", tr("Remove the selected solver from the race")),
                (
                    tr("Export"),
                    "race_export",
                    tr("Export the table as CSV, or the chart as PNG or SVG"),
                ),
            )
        )
        menu = QMenu(self.export)
        self.export.setMenu(menu)
        self.exports = {
            kind: menu.addAction(
                tr("{title} as {format}…", title=tr(title), format=kind.upper()),
                partial(self._ask_and_export, kind),
            )
            for kind, title in KINDS.items()
        }
        """Entries of the export menu by kinds of files."""
        self._task = text_label("", dialog, "", "race_task", wraps=True)  # words of a lesson
        self.said = named(QLabel(dialog, wordWrap=True), "race_said")
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self._lay_out(dialog)

    def say(self, text: str, role: str = "muted") -> None:
        """Show a message below the table; role: 'muted' or 'error'."""
        set_role(self.said, role)
        self.said.setText(text)

    def say_how_to_begin(self, n_entries: int, *, is_again: bool) -> None:
        """Say what begins a race, or what it lacks; is_again: of solvers changed after another."""
        if n_entries < MIN_ENTRIES:
            self.say(tr("A race needs two to six solvers. Add another one."))
        elif is_again:
            self.say(tr("The solvers have changed: START AGAIN or STEP begins another race."))
        elif self.is_inside:
            self.say(tr("GO runs all solvers together, and STEP makes one step of each."))
        else:
            self.say(tr("GO runs these solvers side by side, each with the same running time."))

    def say_leader(self, state: State, goal: RaceGoal | None, *, is_timed: bool) -> None:
        """Say the state of a race, the leading entry, and which have ended before a goal.

        state: running, paused or finished. is_timed: see :func:`leader_words`.
        """
        racers = self.table.items.given
        known = [racer.status for racer in racers if racer.status is not None]
        if state is State.RUNNING and all(one.state is State.READY for one in known):
            self.say(tr("Getting ready. The first time, compiling takes a few seconds."))
            return
        leader = leader_words(racers, self.table.values, state is State.FINISHED, is_timed=is_timed)
        # Each card says what its step is; of runs at full speed it does not matter.
        is_slow = not (is_timed or self.is_inside)
        slow = tr(_SLOW) if is_slow and state is not State.RUNNING else ""
        steps = steps_words(racers) if is_slow else ""
        words = (
            f"{tr(_STATES[state])}.",
            leader,
            unproven_words(racers),
            early_words(racers, goal),
            slow,
            steps,
        )
        self.say(" ".join(filter(None, words)))

    def content(self, kind: str) -> bytes | str:
        """Return the contents of a file of the table ('csv') or the chart ('png', 'svg')."""
        return table_of(self.table.items.given) if kind == "csv" else self.chart.file(kind)

    def _ask_and_export(self, kind: str) -> None:
        name, suggested = kind.upper(), self._settings.folder / f"race.{kind}"
        title = tr("{title} as {format}", title=tr(KINDS[kind]), format=name)
        path = ask_to_save(self.said.window(), title, suggested, f"{name} (*.{kind})")
        if path is not None:
            self.write(path, self.content(kind))

    def write(self, path: Path, content: bytes | str) -> None:
        """Write a file, and report success or the error."""
        try:
            target = write_atomically(path, content)
        except TileLabError as error:
            self.say(str(error), "error")
        else:
            self.say(tr("Saved {target}", target=target))
            self._settings.folder = path.resolve().parent

    def set_task(self, task: str) -> None:
        """Show what a lesson asks about the runs above them, in Markdown; '' for nothing."""
        self._task.setText(QTextDocumentFragment.fromMarkdown(task).toPlainText())
        self._arrange()

    def show_racers(self, racers: Sequence[RaceCurve]) -> None:
        """Show the state of all entries."""
        is_other = self.table.items.rowCount() != len(racers)
        self.table.show_racers(racers)
        self.bar.units = tuple(dict.fromkeys(racer.unit for racer in racers))
        if is_other:
            self.table.updateGeometry()
            self.rows.setSizes([self.rows.height(), 0])  # its smallest height
        self.chart.show_racers(racers)
        self.export.setEnabled(any(racer.status for racer in racers))
        self.form.limit_controls["units"].set_title(capital(units_words(racers)))

    def set_running(self, is_running: bool) -> None:
        """Lock the entries while the race is running."""
        self.form.set_running(is_running)
        n_entries = self.table.items.rowCount()
        self.inside.show_allowed(n_entries, is_running=is_running)
        self.add.setEnabled(not is_running and n_entries < MAX_ENTRIES)
        self.remove.setEnabled(not is_running and n_entries > 1)

    def set_look(self, is_inside: bool) -> None:
        """Show the runs from inside, or the curves and figures of the race."""
        self.is_inside = is_inside
        self.bar.looks.buttons[not is_inside].setChecked(True)
        self._arrange()
        if is_inside and self.inside.curves.isChecked():
            # The window may not be laid out before it is shown.
            after_first_paint(self._area, partial(self._area.ensureWidgetVisible, self.rows))

    def set_presenting(self, is_on: bool) -> None:
        """Show only what a class watches, or everything again."""
        self._is_presenting = is_on
        self.bar.set_presenting(is_on)
        self.inside.set_presenting(is_on)
        # Then the views yield, and nothing needs scrolling; 0 is the size that all parts need.
        least = int(is_on)
        self._ground.setMinimumSize(least, least)
        self._heading.setVisible(not is_on)
        if is_on:
            self._sizes = self.rows.sizes()
        self.table.set_presenting(is_on)
        self.chart.set_presenting(is_on)
        # The table has its smallest height, which grows with the texts.
        self.rows.setSizes([self.rows.height(), 0] if is_on else self._sizes)
        self._arrange()

    def _show_parameters(self, place: int) -> None:
        """Show the parameters of a run next to the runs; -1 to hide them."""
        self._has_form = place >= 0
        if self._has_form:
            self.table.selectRow(place)
        self._arrange()

    def _turn_curves(self) -> None:
        self._arrange()
        # In a small window, they can be scrolled to only after they have their room.
        self._size_for_curves = self._area.size() if self.inside.curves.isChecked() else None

    def _show_new_curves(self) -> None:
        """Scroll to curves that were just turned on, but not when the window is resized later."""
        if self._size_for_curves == self._area.size():
            self._area.ensureWidgetVisible(self.rows)
        self._size_for_curves = None

    def _arrange(self) -> None:
        inside = self.is_inside
        self.inside.mark_parameters(self.table.currentIndex().row() if self._has_form else -1)
        self.form.setVisible((self._has_form or not inside) and not self._is_presenting)
        self._table_card.setVisible(not inside)
        self.rows.setVisible(not inside or self.inside.curves.isChecked())
        self.inside.setVisible(inside)
        self._task.setVisible(inside and not self._is_presenting and bool(self._task.text()))
        # Each card says what its run does, and many rows need the room of a sentence about all.
        is_plain = inside or self.table.items.rowCount() > _MAX_SAID
        self.said.setVisible(not (is_plain and self._is_presenting))

    def take_over(self, before: "RaceFrame") -> None:
        """Show the form, the chart and the sizes of another frame."""
        self.form.take_over(before.form)
        self.rows.restoreState(before.rows.saveState())
        self.chart.take_over(before.chart)
        self.parts.restoreState(before.parts.saveState())
        self.inside.take_over(before.inside)
        self._task.setText(before._task.text())
        self._has_form = before._has_form
        self.table.take_over(before.table)

    def _lay_out(self, dialog: QDialog) -> None:
        keep_scaled(self.form, width=PANEL_WIDTH)
        title = text_label("title", dialog, tr("Solvers"))
        titles, tools = (title, ManualButton(tr("Races"), dialog)), (self.add, self.remove)
        self._heading = QWidget(dialog)
        row_layout(self._heading, 0, 8, *titles, 8, *tools, STRETCH, self.export)
        self._table_card, chart_card = Card(dialog), Card(dialog)
        column_layout(self._table_card, (SPACE, 12, SPACE, 12), 6, self._heading, (self.table, 1))
        column_layout(chart_card, SPACE, None, self.chart)
        self.rows = parted(Qt.Orientation.Vertical, dialog, (chart_card, 1), (self._table_card, 0))
        self.parts = parted(Qt.Orientation.Vertical, dialog, (self.inside, 1), (self.rows, 0))
        """The runs above the rows; each look shows what it needs."""
        self.parts.setSizes([*_PARTS])
        self._ground = QWidget(dialog)
        set_role(self._ground, "page")
        row_layout(self._ground, SPACE, SPACE, self.form, (self.parts, 1))
        bind_manual_key(dialog, "races")
        self.said.setContentsMargins(SPACE, 0, SPACE, 12)
        self._task.setContentsMargins(SPACE, 12, SPACE, 0)
        self._area = scrolled(self._ground, dialog)
        self._area.verticalScrollBar().rangeChanged.connect(self._show_new_curves)
        column_layout(dialog, 0, 0, self.bar, self._task, (self._area, 1), self.said)
        self._arrange()
