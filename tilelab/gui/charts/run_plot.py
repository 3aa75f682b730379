"""The curves of a run in a plot, bounded in points whatever the length of the run."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from tilelab.core.text.language import tr
from tilelab.gui.charts.curves import ChartCurve, OwnValue, read_values, words_at
from tilelab.gui.charts.export import ChartPicture, PictureCurve
from tilelab.gui.charts.plot import Plot
from tilelab.gui.charts.scrubber import ChartScrub
from tilelab.gui.charts.ticks import Range
from tilelab.gui.charts.view import Drawn
from tilelab.gui.widgets.theme import current_theme, mix
from tilelab.runs.trace import Trace

Floats = NDArray[np.float64]
_FEWEST_UNITS = 10.0
_FAINTEST = 0.4
_PICTURE_PIXELS = 800
_LEAST_PIXELS = 50
"""What a curve may use at least, however many there are of its kind."""


class RunPlot(Plot):
    """Draws a trace as it stands; its marker and its view say what is asked of them."""

    def __init__(self, parent: QWidget, empty: str) -> None:
        super().__init__(parent, empty=empty)
        self.curves: list[tuple[ChartCurve, Any]] = []
        """What is drawn, each with its pyqtgraph item; the last lies on top."""
        self._trace, self._unit = Trace(()), ""
        self.own_value: OwnValue = lambda values: values
        """What the values of boards are worth in what they count."""
        self._steps: tuple[Floats, Floats] = np.empty(0), np.empty((0, 0))
        self._now = pg.ScatterPlotItem(size=7, antialias=True)
        self._now.setZValue(10)
        self.box.addItem(self._now)
        self.scrub = ChartScrub(self, self)
        """The marker of the moment that is looked at."""
        # For the keyboard it is in the chart's menu: the Tab key goes on to the marker.
        self.view.button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.scale_turned.connect(self.scrub.scale_changed)
        self.scene().sigMouseClicked.connect(self._clicked)

    def set_curves(self, curves: Sequence[ChartCurve]) -> None:
        """Draw these metrics from now on."""
        for _, item in self.curves:
            self.box.removeItem(item)
        self.curves = [(curve, pg.PlotCurveItem(antialias=True)) for curve in curves]
        for _, item in self.curves:
            self.box.addItem(item)

    def apply_theme(self, unit: str) -> None:
        """Take the colours of the theme in force; unit: the solver's step in the singular."""
        super().apply_theme(tr(unit))
        theme, self._unit = current_theme(), unit
        self._now.setPen(pg.mkPen(theme.card, width=1))
        self._now.setBrush(pg.mkBrush(theme.accent))
        self.scrub.apply_theme(theme)

    def draw(self, trace: Trace, places: Floats, rows: Floats) -> None:
        """Draw a run as it stands now, with the rows of steps inside units at their places."""
        self._trace, self._steps = trace, (places, rows)
        first, last = 0.0, max(trace.n_units - 1.0, _FEWEST_UNITS)
        if len(places):
            first, last = min(float(places[0]), 0.0), max(trace.n_units - 1.0, float(places[-1]))
        self.view.show_to(last, first=first)
        unit_range, drawn = self.view.in_view(), []
        n_pixels = max(int(self.box.width()), 3)
        for curve, item in self.curves:
            units, values = self._points(curve, unit_range, n_pixels)
            drawn.append((units, values))
            item.setData(
                self.view.places(units),
                values,
                pen=pg.mkPen(self._colour(curve, unit_range, len(units)), width=curve.width),
                connect="all",
                skipFiniteCheck=True,
            )
        self.view.show_values(drawn, self._extremes())
        self.draw_grid()
        self._mark_now()
        self.scrub.set_newest(trace.n_units)
        self.show_empty(trace.n_units == 0 and not len(places))

    def words_at(self, unit: int) -> str:
        """Say what the curve on top is worth at a unit."""
        return words_at(self._trace, self.curves[-1][0], unit, self._unit, self.own_value)

    def picture(self, title: str) -> ChartPicture:
        """Return what a file of the chart shows."""
        view, curves = self.view, []
        shown, value_range = map(tuple, self.box.viewRange())
        unit_range = view.in_view()
        for curve, _ in self.curves:
            units, values = self._points(curve, unit_range, _PICTURE_PIXELS)
            colour = self._colour(curve, unit_range, len(units))
            places = view.places(units)
            curves.append(PictureCurve(tr(curve.title), colour, curve.width, places, values))
        drawn = tuple(curves)
        return ChartPicture(title, tr(self._unit), shown, value_range, drawn, knee=view.shown_knee)

    def _extremes(self) -> Range | None:
        """The lowest and highest of all values that are drawn; None where they are not known."""
        lows, highs = [], []
        for curve, _ in self.curves:
            inside = self._steps_of(curve)
            ends = [*(self._trace.extremes(curve.metric) or ())]
            ends += [float(inside.min()), float(inside.max())] if len(inside) else []
            if ends:
                if (read_values(curve.metric, np.array(ends), self.own_value) != ends).any():
                    return None
                lows.append(min(ends))
                highs.append(max(ends))
        return (min(lows), max(highs)) if lows else None

    def _points(self, curve: ChartCurve, unit_range: Range, n_pixels: int) -> Drawn:
        logarithmic, n_pixels = (
            self.view.is_logarithmic,
            max(n_pixels // curve.n_alike, _LEAST_PIXELS),
        )
        units, values = self._trace.points(
            curve.metric, *unit_range, n_pixels, logarithmic=logarithmic
        )
        places = self._steps[0]
        if len(places):
            units, values = np.append(units, places), np.append(values, self._steps_of(curve))
            order = units.argsort(kind="stable")
            units, values = units[order], values[order]
        return units, read_values(curve.metric, values, self.own_value)

    def _steps_of(self, curve: ChartCurve) -> Floats:
        """Return the values of a curve at the steps inside units."""
        places, rows = self._steps
        return rows[:, self._trace.names.index(curve.metric)] if len(places) else places

    def _colour(self, curve: ChartCurve, unit_range: Range, n_points: int) -> QColor:
        """A curve under the others fades where many units share a pixel, or it would be a slab."""
        theme = current_theme()
        colour: QColor = getattr(theme, curve.token)
        n_pixels = self.box.width()
        if curve is self.curves[-1][0] or n_points < n_pixels / 2:
            return colour
        n_units = min(unit_range[1], self._trace.n_units) - max(unit_range[0], 0.0)
        return mix(theme.card, colour, min(max(n_pixels / max(n_units, 1.0), _FAINTEST), 1.0))

    def _mark_now(self) -> None:
        """Put a dot where the run stands, on the curve that lies on top."""
        (places, rows), last, at = self._steps, self._trace.last, self._trace.n_units - 1.0
        if len(places) and places[-1] > at:
            last, at = rows[-1], float(places[-1])
        if last is None or not self.curves:
            self._now.setData([], [])
            return
        metric = self.curves[-1][0].metric
        value = np.asarray(last)[[self._trace.names.index(metric)]]
        value = read_values(metric, value, self.own_value)
        self._now.setData([self.view.place(at)], value)

    def _clicked(self, event: Any) -> None:
        if event.double():
            self.scrub.left.emit()
        else:
            self.scrub.click(event)
