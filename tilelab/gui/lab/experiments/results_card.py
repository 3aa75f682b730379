"""The card of results: the figures of each setting, and its runs."""

import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QComboBox, QStackedWidget, QWidget

from tilelab import catalog
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import capital, duration, labelled, number
from tilelab.experiments.chart_values import figure_title
from tilelab.experiments.job_run import FAILED, Row
from tilelab.experiments.jobs import Runs
from tilelab.experiments.plan import Plan
from tilelab.experiments.tables import (
    FIGURES,
    N_COMPARED,
    RunsSummary,
    count_cut_off,
    distinctive_figure,
    figure,
    name_settings,
    offered_figures,
    summarize_runs,
)
from tilelab.gui.lab.experiments.chart_card import choose_figure
from tilelab.gui.lab.experiments.control import PlanResults
from tilelab.gui.lab.experiments.plan_card import HEADING_HEIGHT
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.gui.widgets.elided import ElidedComboBox, ElidedLabel
from tilelab.gui.widgets.item_model import Column
from tilelab.gui.widgets.item_table import ItemTable
from tilelab.gui.widgets.manual_link import ManualButton
from tilelab.gui.widgets.parts import (
    STRETCH,
    Card,
    column_layout,
    named,
    offer_items,
    parted,
    row_of,
    text_label,
)
from tilelab.runs.limits import limit_name

_LATER_MILLISECONDS = 250  # milliseconds between two updates of the figures while results arrive
_NOTHING = "–"
_A_MOMENT = 0.1


class PlacedRow(NamedTuple):
    """A finished run and its place in the plan."""

    place: int
    row: Row
    unit: str  # unit of its solver


def figure_text(value: float, largest: float = 0.0) -> str:
    """Write a mean with its significant digits; largest: a number next to it, with as many."""
    return figures(value, ",.2f" if max(abs(value), abs(largest)) < 1_000 else ",.0f")


@dataclass(frozen=True)
class SettingLine:
    """Figures of a setting."""

    setting: int  # place in the plan, from 0
    title: str
    n_runs: int  # number of the setting's runs in the plan
    n_failed: int
    n_done: int
    n_cut: int  # number of searches that a limit cut off
    figures: RunsSummary


def _setting_titles(runs: Runs) -> list[str]:
    settings = [(setting.solver, setting.varied) for setting in runs.settings]
    return [name.text for name in name_settings(runs.plan.puzzle.kind, settings)]


def summing_up(
    parts: Sequence[tuple[int, str, int, Sequence[Row]]], name: str, plan: Plan
) -> Iterator[object]:
    """Summarise a figure of a plan's settings; yields lists of lines.

    parts: place, title, number of runs and rows of each.
    """
    lines: list[SettingLine] = []
    said = time.monotonic()
    for setting, title, n_runs, rows in parts:
        done = [row for row in rows if row["status"] != FAILED]
        n_failed, n_cut = len(rows) - len(done), count_cut_off(plan.puzzle.kind, done)
        summary = summarize_runs(done, name, plan.limits.target)
        lines.append(SettingLine(setting, title, n_runs, n_failed, len(done), n_cut, summary))
        # Many settings with few runs are summarised together; a few with many runs, one by one.
        if time.monotonic() - said > _A_MOMENT:
            yield lines
            lines, said = [], time.monotonic()
    yield lines


def _runs_text(line: SettingLine) -> str:
    """Return how many runs the figures of a line are of, and why others do not count."""
    summary, n_runs = line.figures.summary, figures(line.n_runs, ",")
    n_with = 0 if summary is None else summary.n
    text = figures(n_with, ",")
    if n_with < line.n_runs:
        text = tr("{n_done} of {n_runs}", n_done=text, n_runs=n_runs)
    notes = []
    if line.n_failed:
        notes.append(tr("{n_failed} failed", n_failed=figures(line.n_failed, ",")))
    if line.n_cut:
        notes.append(tr("{n_cut} cut off", n_cut=figures(line.n_cut, ",")))
    return f"{text} ({', '.join(notes)})" if notes else text


def _interval_text(line: SettingLine) -> str:
    summary = line.figures.summary
    if summary is None or summary.n < 2:
        return _NOTHING  # one run does not show how uncertain it is
    low, high = summary.low, summary.high
    return tr("{low} to {high}", low=figure_text(low, high), high=figure_text(high, low))


def _cost_text(line: SettingLine) -> str:
    cost = line.figures.cost
    if cost is None:
        return _NOTHING
    return tr("never") if cost == float("inf") else figures(cost, ",.0f")


def _success_text(line: SettingLine) -> str:
    success = line.figures.success
    return _NOTHING if success is None else f"{figures(100 * success, '.0f')} %"


def _figure_column(heading: str, name: str, yields: int) -> Column[SettingLine]:
    def order(line: SettingLine) -> float | None:
        summary = line.figures.summary
        return None if summary is None else float(getattr(summary, name))

    def text(line: SettingLine) -> str:
        value = order(line)
        return _NOTHING if value is None else (figure_text if name == "mean" else number)(value)

    return Column(heading, 48, text, order, most=120, yields=yields)


_SETTINGS: tuple[Column[SettingLine], ...] = (
    Column(
        marked("Setting"),
        116,
        lambda line: line.title,
        lambda line: line.setting,
        is_number=False,
        stretches=True,
    ),
    Column(
        marked("Runs"),
        0,  # as wide as its texts
        _runs_text,
        lambda line: line.n_done,
        header_tip=marked(
            "Runs that the figures are of; cut off: ended by a limit before the search ended"
        ),
    ),
    _figure_column(marked("Mean"), "mean", 0),
    Column(
        marked("95 % interval"),
        96,
        _interval_text,
        lambda line: None if (found := line.figures.summary) is None else found.low,
        header_tip=marked("Of the mean: a bootstrap interval; with few runs it is too narrow"),
        most=220,
    ),
    _figure_column(marked("Median"), "median", 2),
    _figure_column(marked("Min"), "minimum", 1),
    _figure_column(marked("Max"), "maximum", 3),
    Column(
        marked("Success"),
        56,
        _success_text,
        lambda line: line.figures.success,
        header_tip=marked("Share of runs that reached the target"),
        most=68,
    ),
    Column(
        marked("Per success"),
        80,
        _cost_text,
        lambda line: line.figures.cost,
        header_tip=marked(
            "Evaluations until the target is reached, including those of runs without success"
        ),
        most=108,
    ),
)
_SUCCESS, _COST = len(_SETTINGS) - 2, len(_SETTINGS) - 1


def _run_column(
    heading: str, width: int, name: str, yields: int = 0, tip: str = ""
) -> Column[PlacedRow]:
    def order(run: PlacedRow) -> float | None:
        value = dict(run.row)[name]
        return float(value) if isinstance(value, int | float) else None

    def text(run: PlacedRow) -> str:
        value = dict(run.row)[name]
        return number(value) if isinstance(value, int | float) else _NOTHING

    return Column(heading, width, text, order, yields=yields, header_tip=tip)


def _status_text(run: PlacedRow) -> str:
    limit, status = run.row["limit_reached"], tr(run.row["status"])
    return labelled(status, limit_name(limit, run.unit)) if limit else status


_RUNS: tuple[Column[PlacedRow], ...] = (
    _run_column(marked("Instance"), 60, "instance"),
    _run_column(marked("Repeat"), 60, "repeat", yields=3),
    _run_column(
        marked("Value"),
        64,
        "value",
        tip=marked("Value of the best board; of sliding tiles 0 if it is solved, otherwise less"),
    ),
    _run_column(marked("Moves"), 56, "moves", tip=marked("Moves of the path to the best board")),
    _run_column(
        marked("Units"),
        64,
        "units",
        yields=2,
        tip=marked("Generations, iterations or updates, which mean something else for each solver"),
    ),
    _run_column(
        marked("Evaluations"),
        84,
        "evaluations",
        tip=marked("Boards scored or generated, which mean the same for every solver"),
    ),
    Column(
        marked("Time"),
        82,
        lambda run: _NOTHING if run.row["seconds"] is None else duration(run.row["seconds"]),
        lambda run: run.row["seconds"],
    ),
    Column(
        marked("Status"),
        120,
        _status_text,
        _status_text,
        is_number=False,
        stretches=True,
        most=260,
    ),
    Column(
        marked("Seed"),
        172,
        lambda run: str(run.row["seed"]),
        lambda run: run.row["seed"],
        yields=1,
    ),
    Column(marked("Error"), 200, lambda run: run.row["error"], lambda run: run.row["error"], False),
)
_N_FIRST = 4  # number of columns before the chosen figure
_MOVES = _N_FIRST - 1
_OWN_COLUMNS = ("value", "moves", "units", "evaluations", "seconds")  # figures with a column


def _run_columns(name: str) -> tuple[Column[PlacedRow], ...]:
    """Return the columns of the runs, with one more for a figure; '' for none."""
    if not name:
        return _RUNS

    def order(run: PlacedRow) -> float | None:
        return figure(run.row, name)

    def text(run: PlacedRow) -> str:
        value = order(run)
        return _NOTHING if value is None else number(value)

    chosen = Column(capital(figure_title(name)), 84, text, order, most=160)
    return (*_RUNS[:_N_FIRST], chosen, *_RUNS[_N_FIRST:])


class ResultsCard(Card):
    """Two tables: the settings, and the runs of the selected setting."""

    run_chosen = Signal(object, object)
    """Emitted with Job and Row of a run to open in the main window."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, title=tr("Results"))
        self.outcomes: PlanResults | None = None  # results that are shown
        self._titles: list[str] = []
        self._lines: dict[int, SettingLine] = {}
        self._own_figure = ""  # figure that the user has chosen, or ''
        self._run_figure = ""  # figure that the runs have a column more for, or ''
        self._stale: set[int] = set()  # settings whose figures are out of date
        self._background = TaskRunner(self, self._summed_up, ended=self._sum_up_later)
        self._timer = QTimer(self, singleShot=True, interval=_LATER_MILLISECONDS)
        self._timer.timeout.connect(self._sum_up)
        self.title = ElidedLabel(self, role="title")
        title = tr("What the table is of")
        self.figure = named(ElidedComboBox(self), "experiment_figure", title, title)
        self.figure.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.figure.activated.connect(self._figure_chosen)
        self.settings = ItemTable(
            "experiment_settings",
            tr("Settings"),
            _SETTINGS,
            lambda line: line.setting,
            self,
            selects_many=True,
            first_share=60,
            n_in_view=1,  # a number is whole or out of view
        )
        # Settings of one solver differ at the end of their names.
        self.settings.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.settings.current_changed.connect(self._show_runs)
        self.runs = ItemTable(
            "experiment_runs", tr("Runs"), _RUNS, lambda run: run.place, self, selects_many=True
        )
        self.runs.open_requested.connect(self._open_current)
        self.settings.open_requested.connect(self.runs.setFocus)
        self._runs_title = ElidedLabel(self, role="strong")
        self._empty = text_label("muted", self, tr("The results of the runs will be listed here."))
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._lay_out()
        self._show_all()

    def show_outcomes(self, outcomes: PlanResults | None) -> None:
        self._background.cancel()
        shown = self.outcomes
        if outcomes is None or shown is None or outcomes.runs.plan != shown.runs.plan:
            self._own_figure = ""
            self.settings.forget_texts()
            self.runs.forget_texts()
        self.outcomes, self._lines = outcomes, {}
        self._titles = [] if outcomes is None else _setting_titles(outcomes.runs)
        self._stale = set(range(len(self._titles)))
        self._show_all()
        self._sum_up()

    def take_over(self, before: "ResultsCard") -> None:
        """Show the figures of another card with the same results until they are computed."""
        self._lines, self._own_figure = dict(before._lines), before._own_figure
        if self.outcomes is not None:
            self._choose_figure(self.outcomes)
        self._sum_up()
        self._show_lines()
        # In this order, because the runs are those of the setting.
        self.settings.take_over(before.settings)
        self.runs.take_over(before.runs)

    @Slot(object)
    def note(self, settings: Iterable[int]) -> None:
        """Something has come back of these settings."""
        self._stale |= set(settings)
        self._sum_up_later()
        current = self.settings.current
        if current is not None and current.setting in self._stale:
            self._show_runs()

    def _lay_out(self) -> None:
        manual = ManualButton(tr("The results"), self, "experiments#tables-and-tests")
        heading = row_of(self.title, manual, STRETCH, self.figure)
        heading.addStrut(HEADING_HEIGHT)
        below = QWidget(self)
        text = tr("Enter or a double click opens a run in the main window.")
        hint = text_label("small", self, text)
        self._no_runs = text_label("muted", self, tr("No run has ended."))
        self._no_runs.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._runs_stack = QStackedWidget(self)
        self._runs_stack.addWidget(self._no_runs)
        self._runs_stack.addWidget(self.runs)
        column_layout(below, (0, 8, 0, 0), 4, self._runs_title, (self._runs_stack, 1), hint)
        self.tables = parted(Qt.Orientation.Vertical, self, (self.settings, 0), (below, 0), gap=0)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.tables)
        column_layout(self, (16, 12, 16, 12), 8, heading, (self._stack, 1))

    def _show_all(self) -> None:
        outcomes = self.outcomes
        self._stack.setCurrentWidget(self._empty if outcomes is None else self.tables)
        self.figure.setVisible(outcomes is not None)
        self.title.setText(
            tr("Results") if outcomes is None else outcomes.runs.plan.title or tr("Results")
        )
        target = None if outcomes is None else outcomes.runs.plan.limits.target
        for column in (_SUCCESS, _COST):
            self.settings.show_column(column, is_shown=target is not None)
        self._offer_figures(())
        self._show_lines()

    def _offer_figures(self, rows: Collection[Row]) -> None:
        """Offer the figures of the table, with those of some rows; the choice stays."""
        known = [self.figure.itemData(row) for row in range(self.figure.count())]
        plan = None if self.outcomes is None else self.outcomes.runs.plan
        names = FIGURES if plan is None else offered_figures(plan.puzzle.kind, rows)
        if not set(names) - set(known) and (rows or len(known) == len(names)):
            return
        offer_items(self.figure, {name: capital(figure_title(name)) for name in names})

    @Slot()
    def _figure_chosen(self) -> None:
        self._own_figure = self.figure.currentData()
        self._forget_figures()
        self._sum_up()

    @Slot()
    def _sum_up_later(self) -> None:
        if self._stale and not self._background.is_busy and not self._timer.isActive():
            self._timer.start()

    @Slot()
    def _sum_up(self) -> None:
        """Compute the figures of settings that have changed."""
        if self.outcomes is None or not self._stale:
            return
        outcomes = self.outcomes
        self._choose_figure(outcomes)
        stale, self._stale = sorted(self._stale), set()
        parts = []
        for setting in stale:
            rows = [row for _, row in outcomes.done(setting)]
            first, end = outcomes.runs.firsts[setting : setting + 2]
            parts.append((setting, self._titles[setting], end - first, rows))
        name = str(self.figure.currentData())
        self._background.start(summing_up(parts, name, outcomes.runs.plan))

    def _choose_figure(self, outcomes: PlanResults) -> None:
        """Offer the figures of some runs; until the user chooses, show the distinctive one."""
        # Many runs are compared only for a choice that is not made yet.
        first_rows = outcomes.first_rows(1 if self._own_figure else N_COMPARED)
        self._offer_figures([row for rows in first_rows for row in rows[:1]])
        distinctive = distinctive_figure(outcomes.runs.plan.puzzle.kind, first_rows)
        if choose_figure(self.figure, self._own_figure, distinctive):
            self._forget_figures()

    def _forget_figures(self) -> None:
        self._stale = set(range(len(self._titles)))
        self.settings.forget_texts()

    @Slot(object)
    def _summed_up(self, lines: list[SettingLine]) -> None:
        self._lines.update({line.setting: line for line in lines})
        self._show_lines()

    def _show_lines(self) -> None:
        self.settings.show_items([self._lines[setting] for setting in sorted(self._lines)])
        if self.settings.current is None and self._lines:
            self.settings.selectRow(0)
        self._show_runs()

    @Slot()
    def _show_runs(self) -> None:
        line, outcomes = self.settings.current, self.outcomes
        if line is None or outcomes is None:
            self._runs_title.setText("")
            self.runs.show_items([])
            self._runs_stack.setCurrentWidget(self._no_runs)
            return
        self._runs_title.setText(tr("Runs of {title}", title=line.title))
        runs, name, chosen = outcomes.runs, str(self.figure.currentData()), self.runs.current
        more = "" if name in _OWN_COLUMNS else name
        if more != self._run_figure:
            self._run_figure = more
            self.runs.set_columns(_run_columns(more))
        has_moves = any(row["moves"] is not None for _, row in outcomes.done(line.setting))
        self.runs.show_column(_MOVES, is_shown=has_moves)
        self.runs.show_column(self.runs.items.columnCount() - 1, is_shown=line.n_failed > 0)
        solver = runs.settings[line.setting].solver
        unit = catalog.solver(runs.plan.puzzle.kind, solver).spec.unit
        self.runs.show_items([PlacedRow(*each, unit) for each in outcomes.done(line.setting)])
        has_runs = bool(self.runs.items.items)
        self._runs_stack.setCurrentWidget(self.runs if has_runs else self._no_runs)
        if self.runs.current is None and has_runs:
            row = None if chosen is None else self.runs.items.row_of(chosen.place)
            self.runs.setCurrentIndex(self.runs.items.index(row or 0, 0))

    @Slot(int)
    def open_run(self, place: int) -> None:
        """Open a run in the main window, by its place in the plan."""
        outcomes = self.outcomes
        if outcomes is not None and place in outcomes.rows:
            self.run_chosen.emit(outcomes.runs.job(place), outcomes.rows[place])

    @Slot()
    def _open_current(self) -> None:
        if self.runs.current is not None:
            self.open_run(self.runs.current.place)
