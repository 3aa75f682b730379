"""The curves of the chosen runs over each other."""

from collections.abc import Sequence
from functools import partial

import pyqtgraph as pg
from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QComboBox, QFrame, QLabel, QWidget

from tilelab import catalog
from tilelab.core.text.language import tr
from tilelab.core.text.wording import metric_title
from tilelab.gui.charts.curves import read_values
from tilelab.gui.charts.plot import Plot
from tilelab.gui.widgets.manual_link import ManualButton
from tilelab.gui.widgets.parts import column_layout, row_layout, spotted, text_label
from tilelab.gui.widgets.theme import keep_themed, set_role, set_style_property
from tilelab.runs.history.record import Points, RunRecord

_FIRST = ("best_ever", "best", "best_of_generation", "nearest")
"""Which metric is shown when the user has not said another."""
_KNEE_SECONDS = 0.01
Chosen = Sequence[tuple[RunRecord, QColor]]


class HistoryChart(QFrame):
    """One metric of several runs, each in its colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("history_chart")
        set_style_property(self, "card", True)
        self.setMinimumSize(260, 180)
        self._chosen: Chosen = ()
        self.choice = QComboBox(self)
        self.choice.setObjectName("history_metric")
        self.choice.setAccessibleName(tr("Metric of the curves"))
        self.choice.currentIndexChanged.connect(self._draw)
        self._legend = QLabel(self)
        self._legend.setProperty("rich", True)
        self._legend.setWordWrap(True)
        set_role(self._legend, "small")
        title = text_label("title", self, tr("Curves"))
        self._plot = Plot(self)
        self.view = self._plot.view
        """Which part of the runs is in view, and on which scale."""
        self.view.changed.connect(self._show_view)
        self._points: list[Points] = []
        self._curves: list[pg.PlotDataItem] = []
        row = row_layout()
        row.addWidget(title)
        row.addWidget(ManualButton(tr("The history"), self))
        row.addStretch(1)
        row.addWidget(self.choice)
        whole = column_layout(self, (16, 12, 16, 8), 6)
        whole.addLayout(row)
        whole.addWidget(self._legend)
        whole.addWidget(self._plot, 1)
        keep_themed(self, self._draw)

    def show_runs(self, chosen: Chosen) -> None:
        """Draw the curves of these runs; the metric stays where they have it."""
        self._chosen = chosen
        self.view.is_whole = True
        before = self.choice.currentData()
        names = list(dict.fromkeys(name for record, _ in chosen for name in record.curves))
        usual = next((name for name in _FIRST if name in names), None)
        with QSignalBlocker(self.choice):
            self.choice.clear()
            for name in names:
                title = metric_title(name)
                self.choice.addItem(title[:1].upper() + title[1:], name)
            wanted = before if before in names else usual
            self.choice.setCurrentIndex(max(self.choice.findData(wanted), 0))
        self.choice.setVisible(bool(names))
        self._draw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._plot.draw_grid()

    @Slot()
    def _draw(self) -> None:
        for curve in self._curves:
            self._plot.box.removeItem(curve)
        name = self.choice.currentData()
        drawn = [(run, colour) for run, colour in self._chosen if name in run.curves]
        # A generation and a move are not alike: then time is what the curves have in common.
        units = list(dict.fromkeys(run.unit for run, _ in drawn))
        by_time = len(units) > 1
        points = self._points = [_points(run, name, by_time=by_time) for run, _ in drawn]
        self.view.knee = _KNEE_SECONDS if by_time else 1.0
        self._curves = [
            self._curve(both, colour) for both, (_, colour) in zip(points, drawn, strict=True)
        ]
        label = tr("seconds, at each run's mean speed") if by_time else "".join(map(tr, units))
        self._plot.apply_theme(label)
        # The axis puts its label in the middle only when it is resized.
        self._plot.getAxis("bottom").resizeEvent()
        self._show_view()
        texts = [
            spotted(f"#{run.id} {tr(run.solver_title)}", colour) for run, colour in self._chosen
        ]
        self._legend.setText(
            "&nbsp;&nbsp; ".join(texts)
            or tr("Choose runs in the list; with Ctrl or Shift several at once.")
        )

    def _curve(self, points: Points, colour: QColor) -> pg.PlotDataItem:
        dot = {"symbol": "o", "symbolBrush": colour, "symbolPen": None, "symbolSize": 8}
        pen = pg.mkPen(colour, width=2)
        curve = pg.PlotDataItem(
            *points, pen=pen, antialias=True, **(dot if _is_dot(points) else {})
        )
        self._plot.box.addItem(curve)
        return curve

    @Slot()
    def _show_view(self) -> None:
        """Draw what is in view, on the scale of now."""
        last = max((float(units.max()) for units, _ in self._points if len(units)), default=10.0)
        self.view.show_to(last or 1.0)
        for curve, (units, values) in zip(self._curves, self._points, strict=True):
            curve.setData(self.view.places(units), values)
        self.view.show_values(self._points)
        self._plot.draw_grid()


def _points(run: RunRecord, name: str, *, by_time: bool) -> Points:
    units, values = run.curves[name]
    puzzle = catalog.puzzles().get(run.puzzle)
    if puzzle is not None:
        values = read_values(name, values, partial(puzzle.recorded_values, run))
    return (units * (run.seconds / max(run.units, 1)) if by_time else units), values


def _is_dot(points: Points) -> bool:
    """Whether there is no line to be seen, because all points are one."""
    return len(set(points[0].tolist())) == 1
