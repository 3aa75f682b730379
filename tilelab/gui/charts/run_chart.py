"""The live chart of a run: bounded in memory and in points, whatever the length of the run."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QContextMenuEvent, QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from tilelab.core.errors import TileLabError
from tilelab.gui.charts.curves import Curve, default_curves, newest_words, words_at
from tilelab.gui.charts.export import ChartPicture, PictureCurve, chart_csv, chart_png, chart_svg
from tilelab.gui.charts.legend import ChartLegend
from tilelab.gui.charts.plot import Plot, Range, draw_grid, dress_plot, moved_range
from tilelab.gui.charts.scrubber import ChartScrub
from tilelab.gui.charts.view import ChartView, Drawn
from tilelab.gui.widgets.file_dialog import ask_to_save
from tilelab.gui.widgets.theme import current_theme, mix, set_role, set_style_property
from tilelab.runs.files.atomic import write_atomically
from tilelab.runs.trace import Trace

REFRESH_MILLISECONDS = 33
_FEWEST_UNITS = 10.0
_LEAST_DECADES = 0.02
_FAINTEST = 0.4
_PICTURE_PIXELS = 800
__all__ = ["Curve", "FitnessChart", "default_curves"]


class FitnessChart(QWidget):
    """Follows a run until a person pans or zooms; "Follow" or a double click goes back to that.

    Keys: left and right pan, plus and minus zoom, Home follows; with Shift left and right step from
    best to best, Escape goes back to the present.
    """

    followed = Signal()
    """A person wants the whole run and its present again."""

    saved = Signal(str)
    """A picture or table was written; the text says where."""
    failed = Signal(str)
    """It could not be written; the text says why."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._unit = "generation"
        self.folder: Callable[[], Path] = Path.cwd
        """Where the dialogs for exporting begin."""
        self._trace = Trace(())
        self._items: list[tuple[Curve, Any]] = []
        self._timer = QTimer(self, singleShot=True, interval=REFRESH_MILLISECONDS)
        self._timer.timeout.connect(self.refresh)
        self._prefix = ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Fitness chart")
        self._make_plot()
        self._lay_out()
        self._dress()
        self.refresh()

    @property
    def trace(self) -> Trace:
        """The rows of the run that is shown."""
        return self._trace

    @property
    def following(self) -> bool:
        """Whether the picture keeps the whole run in view."""
        return self._view.is_whole

    @property
    def plot(self) -> Plot:
        """The plot, without heading and legend."""
        return self._plot

    def set_title(self, title: str) -> None:
        """Set the heading; '' for none."""
        self._title.setText(title)
        self._title.setVisible(bool(title))

    def put_beside_title(self, widget: QWidget) -> None:
        """Put a widget at the right of the heading."""
        self._heading.insertWidget(1, widget)

    def put_in_place_of_legend(self, widget: QWidget) -> None:
        """Put a widget where the legend is; while it is shown the legend is not."""
        self._heading.insertWidget(self._heading.indexOf(self._legend), widget, 10)
        widget.installEventFilter(self)

    @property
    def view(self) -> ChartView:
        """Which part of the run is in view, and on which scale."""
        return self._view

    @property
    def scrub(self) -> ChartScrub:
        """The marker of the moment that is looked at."""
        return self._scrub

    def dot_bests(self, units: Sequence[int], values: Sequence[float]) -> None:
        """Dot the bests of the run on the curve of the best ever, if that is drawn."""
        is_drawn = bool(self._items) and self._items[-1][0].metric == "best_ever"
        self.scrub.show_dots(units if is_drawn else (), values if is_drawn else ())

    def set_curves(self, curves: Sequence[Curve] | None) -> None:
        """Draw other metrics of the run that is shown; None draws the usual ones."""
        self.set_trace(self._trace, curves)

    def set_unit(self, unit: str) -> None:
        """Name the solver's step in the singular, such as 'generation'."""
        self._unit = unit
        self._dress()

    def begin(self, metrics: Sequence[str], curves: Sequence[Curve] | None = None) -> None:
        """Start a new run; metrics: the columns of its trace. None draws the usual curves."""
        self.set_trace(Trace(metrics), curves)

    def set_trace(self, trace: Trace, curves: Sequence[Curve] | None = None) -> None:
        """Show a run that is kept elsewhere; rows appended here go into the same trace."""
        self._trace = trace
        self._set_curves(default_curves(trace.names) if curves is None else tuple(curves))
        self.show_all()

    def append(self, block: NDArray[np.float64]) -> None:
        """Add rows, (k, metrics); they are drawn within 1/30 s, however often this is called."""
        self._trace.append(block)
        self.schedule()

    def clear(self) -> None:
        """Forget all rows; metrics and curves stay."""
        self._trace = Trace(self._trace.names)
        self.show_all()

    def schedule(self) -> None:
        """Ask for a redraw; at most 30 a second are done."""
        if not self._timer.isActive():
            self._timer.start()

    @Slot()
    def refresh(self) -> None:
        """Draw the curves as they stand now."""
        self._timer.stop()
        self._view.show_to(max(self._trace.n_units - 1.0, _FEWEST_UNITS))
        unit_range, drawn = self._view.in_view(), []
        n_pixels = max(int(self._box.width()), 3)
        for curve, item in self._items:
            units, values = self._points(curve, unit_range, n_pixels)
            drawn.append((units, values))
            item.setData(
                self._view.places(units),
                values,
                pen=pg.mkPen(self._colour(curve, unit_range, len(units)), width=curve.width),
                connect="all",
                skipFiniteCheck=True,
            )
        self._view.show_values(drawn, self._extremes())
        draw_grid(self._plot, self._grid, current_theme())
        self._mark_now()
        self._scrub.set_newest(self._trace.n_units)
        self._empty.setVisible(self._trace.n_units == 0)
        self._plot.frame.setVisible(self._trace.n_units > 0)
        self._follow.setVisible(not self._view.is_whole)
        self.describe(self._prefix)

    @Slot()
    def show_all(self) -> None:
        """Follow the run again, the whole of it in view."""
        self._view.fit()
        self.refresh()

    def png(self) -> bytes:
        """Return what is in view as a PNG picture."""
        return chart_png(self._picture(), current_theme())

    def svg(self) -> bytes:
        """Return what is in view as an SVG picture."""
        return chart_svg(self._picture(), current_theme())

    def csv(self) -> bytes:
        """Return all rows as CSV in UTF-8, or their minima and maxima when the run is long."""
        return chart_csv(self._trace, self._unit).encode("utf-8")

    def menu(self) -> QMenu:
        """Make the chart's menu."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Show all").triggered.connect(self.show_all)
        logarithmic = menu.addAction("Logarithmic axis")
        logarithmic.setCheckable(True)
        logarithmic.setChecked(self._view.is_logarithmic)
        logarithmic.triggered.connect(self._view.set_logarithmic)
        menu.addSeparator()
        for kind, made in (("png", self.png), ("svg", self.svg), ("csv", self.csv)):
            entry = menu.addAction(f"Export {kind.upper()}…")
            entry.setEnabled(self._trace.n_units > 0)
            entry.triggered.connect(partial(self._ask, kind, made))
        return menu

    def export(self, path: Path, made: bytes) -> None:
        """Write a file whole or not at all, and say so through ``saved`` or ``failed``."""
        try:
            target = write_atomically(path, made)
        except TileLabError as fault:
            self.failed.emit(str(fault))
        else:
            self.saved.emit(f"Saved {target}")

    def sizeHint(self) -> QSize:
        return QSize(480, 210)

    def minimumSizeHint(self) -> QSize:
        return QSize(280, 150)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self._dress()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._ring.setGeometry(self._plot.geometry())
        self.schedule()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu().popup(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, (shown, _) = Qt.Key(event.key()), self._box.viewRange()
        least = _LEAST_DECADES if self._view.is_logarithmic else 1.0
        if self._scrub.press(event):
            return
        if key == Qt.Key.Key_Home:
            self.show_all()
        elif (moved := moved_range(tuple(shown), key, least)) is not None:
            self._box.setRange(xRange=moved, padding=0)
            self._view.leave()
        else:
            super().keyPressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._scrub.leave()
        super().leaveEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._legend.setVisible(event.type() == QEvent.Type.HideToParent)
        return super().eventFilter(watched, event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring.setVisible(event.reason() != Qt.FocusReason.MouseFocusReason)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ring.hide()
        super().focusOutEvent(event)

    def _make_plot(self) -> None:
        self._plot = Plot(self)
        self._box = self._plot.box
        self._plot.scene().sigMouseClicked.connect(self._clicked)
        self._grid = pg.PlotCurveItem(antialias=False)
        self._grid.setZValue(-10)
        self._box.addItem(self._grid)
        self._now = pg.ScatterPlotItem(size=7, antialias=True)
        self._now.setZValue(10)
        self._box.addItem(self._now)
        self._scrub = ChartScrub(self._plot, self)
        self._scrub.words_at = self._words_at
        self._view = ChartView(self._plot, self)
        # For the keyboard it is in the menu: the Tab key goes on to the marker.
        self._view.button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scrub.place, self._scrub.unit_at = self._view.place, self._view.value
        self._view.changed.connect(self.schedule)
        self._view.scale_turned.connect(self._scrub.scale_changed)

    def _lay_out(self) -> None:
        self._title = QLabel("Fitness", self)
        set_role(self._title, "title")
        self._legend = ChartLegend(self)
        self._follow = QPushButton("Follow", self)
        set_style_property(self._follow, "small", True)
        self._follow.setToolTip("Show the whole run again and follow it (Home, or double click)")
        self._follow.clicked.connect(self.show_all)
        self._follow.hide()
        heading = QHBoxLayout()
        heading.setSpacing(12)
        heading.addWidget(self._title)
        self._heading = heading
        heading.addStretch(1)
        heading.addWidget(self._follow)
        heading.addWidget(self._legend)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(8)
        whole.addLayout(heading)
        whole.addWidget(self._plot, 1)
        self._empty = QLabel("The run will be drawn here.", self._plot)
        set_role(self._empty, "muted")
        self._empty.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._ring = QFrame(self)
        set_role(self._ring, "focus")
        self._ring.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._ring.hide()
        over = QVBoxLayout(self._plot)
        over.addWidget(self._empty, 0, Qt.AlignmentFlag.AlignCenter)

    def _set_curves(self, curves: Sequence[Curve]) -> None:
        for _, item in self._items:
            self._box.removeItem(item)
        self._items = [(curve, pg.PlotCurveItem(antialias=True)) for curve in curves]
        for _, item in self._items:
            self._box.addItem(item)
        self._legend.set_entries(
            [(curve.title, curve.token, curve.width) for curve in reversed(curves)]
        )
        self._dress()

    def _dress(self) -> None:
        """Take the colours of the theme in force."""
        theme = current_theme()
        dress_plot(self._plot, theme, self._unit)
        self._now.setPen(pg.mkPen(theme.card, width=1))
        self._now.setBrush(pg.mkBrush(theme.accent))
        self._scrub.dress(theme)
        self.schedule()

    def _extremes(self) -> Range | None:
        """The lowest and highest of all values that are drawn; None before the first."""
        found = [self._trace.extremes(curve.metric) for curve, _ in self._items]
        lows, highs = [pair[0] for pair in found if pair], [pair[1] for pair in found if pair]
        return (min(lows), max(highs)) if lows else None

    def _points(self, curve: Curve, unit_range: Range, n_pixels: int) -> Drawn:
        logarithmic = self._view.is_logarithmic
        return self._trace.points(curve.metric, *unit_range, n_pixels, logarithmic=logarithmic)

    def _colour(self, curve: Curve, unit_range: Range, n_points: int) -> QColor:
        """A curve under the others fades where many units share a pixel, or it would be a slab."""
        theme = current_theme()
        colour: QColor = getattr(theme, curve.token)
        n_pixels = self._box.width()
        if curve is self._items[-1][0] or n_points < n_pixels / 2:
            return colour
        n_units = min(unit_range[1], self._trace.n_units) - max(unit_range[0], 0.0)
        return mix(theme.card, colour, min(max(n_pixels / max(n_units, 1.0), _FAINTEST), 1.0))

    def _mark_now(self) -> None:
        """Put a dot where the run stands, on the curve that lies on top."""
        last = self._trace.last
        if last is None or not self._items:
            self._now.setData([], [])
            return
        value = last[self._trace.names.index(self._items[-1][0].metric)]
        self._now.setData([self._view.place(self._trace.n_units - 1.0)], [value])

    def describe(self, prefix: str = "") -> None:
        """Say in words what is drawn; prefix: which moment is looked at."""
        self._prefix = prefix
        words = newest_words(self._trace, [curve for curve, _ in self._items], self._unit)
        self.setAccessibleDescription(f"{prefix} {words}".strip())

    def _words_at(self, unit: int) -> str:
        return words_at(self._trace, self._items[-1][0], unit, self._unit)

    def _picture(self) -> ChartPicture:
        view, curves = self._view, []
        shown, value_range = map(tuple, self._box.viewRange())
        unit_range = view.in_view()
        for curve, _ in self._items:
            units, values = self._points(curve, unit_range, _PICTURE_PIXELS)
            colour = self._colour(curve, unit_range, len(units))
            places = view.places(units)
            curves.append(PictureCurve(curve.title, colour, curve.width, places, values))
        knee = view.knee if view.is_logarithmic else 0.0
        drawn = tuple(curves)
        return ChartPicture(self._title.text(), self._unit, shown, value_range, drawn, knee=knee)

    def _clicked(self, event: Any) -> None:
        if event.double():
            self.followed.emit()
        else:
            self._scrub.click(event)

    def _ask(self, kind: str, made: Callable[[], bytes], _checked: bool = False) -> None:
        title, suggested = kind.upper(), self.folder() / f"fitness.{kind}"
        path = ask_to_save(self, f"Export {title}", suggested, f"{title} (*.{kind})")
        if path is not None:
            self.export(path, made())
