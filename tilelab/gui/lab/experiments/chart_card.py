"""The card of a chart, with choices of its kind, its figure and its axis."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from PySide6.QtCore import QPoint, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QLineEdit, QMenu, QStackedWidget, QWidget

from tilelab.core.plain import number_from, typed_text
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import counted, number
from tilelab.experiments.chart_values import Chart, Options, axis_title, figure_title, find_axes
from tilelab.experiments.charts import OVER, TITLES, chart_of, find_number_axes
from tilelab.experiments.job_run import Row
from tilelab.experiments.results import Kept
from tilelab.experiments.tables import FIGURES, distinctive_figure, offered_figures, settings_of
from tilelab.gui.charts.chart_plot import ChartPlot
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.gui.widgets.elided import ElidedLabel, TitleComboBox
from tilelab.gui.widgets.manual_link import ManualButton, set_manual_place
from tilelab.gui.widgets.parts import (
    STRETCH,
    Card,
    calling,
    column_layout,
    named,
    offer_items,
    row_of,
    text_label,
)
from tilelab.gui.widgets.theme import keep_scaled, set_style_property

_AUTOMATIC = marked("over: auto"), marked("and: auto")
_CHOSEN = marked("over: {axis}"), marked("and: {axis}")
_NOTHING = marked("Charts will be shown here when runs have finished.")
_OF_FIGURES = ("boxes", "lines", "heat-map")
_CURVES = ("best-so-far", "run-length")


class _Axes(NamedTuple):
    """Choices for a chart of the results."""

    figures: tuple[str, ...]
    distinctive: str  # first figure in which the settings differ
    titles: Mapping[str, str]  # titles of the axes that vary, by their names
    numbers: Mapping[str, str]  # those of axes of numbers


def run_words(row: Row) -> str:
    """Describe a run in one line."""
    value = tr("no value") if row["value"] is None else number(row["value"])
    return tr(
        "instance {instance}, repeat {repeat}: {value}",
        instance=figures(row["instance"], ","),
        repeat=figures(row["repeat"], ","),
        value=value,
    )


class ChartCard(Card):
    """Draws the chosen chart of the newest results."""

    run_chosen = Signal(int)  # emitted with the place in the plan of a run to open
    figure_changed = Signal(str)  # emitted when another figure is chosen

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, title=tr("Chart"))
        self._kept: Kept | None = None
        self._rows: dict[int, Row] = {}
        self._title = ElidedLabel(self, role="title")
        kinds = {kind: tr(title) for kind, title in TITLES.items()}
        self.kind = self._choice("experiment_chart_kind", tr("Kind of chart"), kinds)
        figures = {name: figure_title(name) for name in FIGURES}
        self.figure = self._choice("experiment_chart_figure", tr("Figure"), figures)
        self.over = self._choice("experiment_chart_x", tr("Over"), {}, 112)
        self.other = self._choice("experiment_chart_y", tr("And over"), {}, 112)
        self.target = QLineEdit(self, placeholderText=tr("target"))
        tip = tr("The value to reach; if empty, the plan's target")
        named(self.target, "experiment_chart_target", tr("Target"), tip)
        self.figure.currentIndexChanged.connect(self._say_figure)
        self.figure.activated.connect(self._keep_figure)
        keep_scaled(self.target, most_width=112)
        self.target.editingFinished.connect(self.refresh)
        self.view = ChartPlot(self)
        self._menu = QMenu(self)
        self.view.chosen.connect(self._chosen)
        self._caption = text_label("small", self, wraps=True)
        self._empty = text_label("muted", self, tr(_NOTHING), wraps=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._drawing = TaskRunner(self, self._show, failed=self._show_why_not)
        self._axes = _Axes(FIGURES, FIGURES[0], {}, {})
        self._own_figure = ""  # figure that the user has chosen, or ''
        self._lay_out()
        self._offer()

    def show_kept(self, kept: Kept | None) -> None:
        """Draw other results, or more of the same."""
        if kept is None or self._kept is None or kept.plan != self._kept.plan:
            self._own_figure = ""
        self._kept = kept
        self._rows = {} if kept is None else dict(zip(kept.places, kept.rows, strict=True))
        if kept is None:
            self._drawing.cancel()
            self._show_why_not(tr(_NOTHING))
        else:
            self._drawing.start_next(self._charting(kept))

    def take_over(self, before: "ChartCard") -> None:
        """Offer the figures and axes that another card offers for the same results."""
        self._axes, self._own_figure, self._kept = before._axes, before._own_figure, before._kept
        self._offer()

    @Slot()
    def refresh(self) -> None:
        """Redraw the chosen chart."""
        self._offer()
        if self._kept is not None:
            self._drawing.start(self._charting(self._kept))

    @Slot()
    def _keep_figure(self) -> None:
        self._own_figure = self.figure.currentData()

    @Slot()
    def _say_figure(self) -> None:
        self.figure_changed.emit(self.figure.currentData())

    def _options(self) -> Options:
        names = (
            box.currentData() if box.isVisibleTo(self) else "" for box in (self.over, self.other)
        )
        text = self.target.text().strip()
        target = _number(text)
        set_style_property(self.target, "invalid", bool(text) and target is None)
        x, y = names
        return Options(self.figure.currentData(), x, y, target)

    def _charting(self, kept: Kept) -> Iterator[_Axes | Chart]:
        return _charting(kept, self.kind.currentData(), self._options())

    @Slot(object)
    def _show(self, found: _Axes | Chart) -> None:
        if isinstance(found, _Axes):
            self._axes, before = found, self._options()
            self._offer()
            choose_figure(self.figure, self._own_figure, found.distinctive)
            # These results lack what was chosen for others, or differ in another figure.
            if self._options() != before:
                self._say_figure()
                self.refresh()
            return
        self.view.show_chart(found)
        self._title.setText(found.title)
        self._caption.setText(found.caption)
        self._pages.setCurrentIndex(1)

    @Slot(str)
    def _show_why_not(self, why: str) -> None:
        self.view.show_chart(None)
        self._title.setText(tr("Chart"))
        self._caption.setText("")
        self._empty.setText(why)
        self._pages.setCurrentIndex(0)

    @Slot(object, QPoint)
    def _chosen(self, places: tuple[int, ...], at: QPoint) -> None:
        if len(places) == 1:
            self.run_chosen.emit(places[0])
        else:
            self._menu.clear()
            title = tr("{n_runs}; click one to open it", n_runs=counted(len(places), "run"))
            self._menu.addAction(title).setEnabled(False)
            for place in places:
                run = self._menu.addAction(run_words(self._rows[place]))
                run.triggered.connect(calling(self.run_chosen.emit, place))
            self._menu.popup(at)

    def _offer(self) -> None:
        """Offer the figures and axes of the chosen kind of chart."""
        kind = self.kind.currentData()
        offer_items(self.figure, {name: figure_title(name) for name in self._axes.figures})
        course = {each: tr(each) for each in OVER}
        allowed = self._axes.titles if kind == "heat-map" else self._axes.numbers
        if kind not in _OF_FIGURES:
            allowed = course if kind in _CURVES else {**course, **allowed}
        for box, none, one in zip((self.over, self.other), _AUTOMATIC, _CHOSEN, strict=True):
            titles = {name: tr(one, axis=axis) for name, axis in allowed.items()}
            offer_items(box, {"": tr(none), **titles})
        self.figure.setVisible(kind in _OF_FIGURES)
        self.over.setVisible(kind != "boxes")
        self.other.setVisible(kind == "heat-map")
        self.target.setVisible(kind == "run-length")

    def _choice(
        self, name: str, title: str, titles: Mapping[str, str], least_width: int = 72
    ) -> TitleComboBox:
        box = named(TitleComboBox(self), name, title, title)
        keep_scaled(box, least_width=least_width)
        offer_items(box, titles)
        box.currentIndexChanged.connect(self.refresh)
        return box

    def _lay_out(self) -> None:
        choices = row_of(self.kind, self.figure, self.over, self.other, self.target, STRETCH)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.view)
        heading = row_of(self._title, ManualButton(tr("The chart"), self), STRETCH)
        set_manual_place(self, "experiments#charts-in-the-window")
        column_layout(self, (16, 12, 16, 12), 8, heading, choices, (self._pages, 1), self._caption)


def choose_figure(box: QComboBox, chosen: str, distinctive: str) -> bool:
    """Show the figure that the user has chosen, or else the distinctive one, without a signal.

    Returns whether another one was shown before.
    """
    before = box.currentIndex()
    place = box.findData(chosen)
    with QSignalBlocker(box):
        box.setCurrentIndex(place if place >= 0 else max(box.findData(distinctive), 0))
    return box.currentIndex() != before


def _number(text: str) -> float | None:
    try:
        return number_from(typed_text(text))
    except ValueError:
        return None


def _charting(kept: Kept, kind: str, options: Options) -> Iterator[_Axes | Chart]:
    """Find the available choices, and make the chart."""
    figures = offered_figures(kept.plan.puzzle.kind, kept.rows)
    groups = settings_of(kept)
    titles = {name: axis_title(groups, name) for name in find_axes(groups)}
    numbers = {name: titles[name] for name in find_number_axes(groups)}
    distinctive = distinctive_figure(kept.plan.puzzle.kind, [group.rows for group in groups])
    yield _Axes(tuple(figures), distinctive, titles, numbers)
    yield chart_of(kept, kind, options)
