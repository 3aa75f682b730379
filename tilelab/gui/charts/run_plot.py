"""The curves of a run in a plot, with a bounded number of points however long the run."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pyqtgraph as pg
from pyqtgraph.GraphicsScene.mouseEvents import MouseClickEvent
from PySide6.QtCore import QObject, QPointF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWidgets import QGraphicsSimpleTextItem, QLabel, QWidget

from tilelab.core.solver import counts_expanded
from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import labelled, metric_title
from tilelab.gui.charts.curves import (
    ChartCurve,
    OwnValue,
    legend_of,
    place_words,
    read_values,
    words_at,
)
from tilelab.gui.charts.export import plot_file
from tilelab.gui.charts.plot import Drawn, Plot, PlotCurve
from tilelab.gui.charts.ticks import Range
from tilelab.gui.widgets.theme import mix, scaled, set_role
from tilelab.runs.trace import Floats, Trace

_MIN_UNITS = 10.0
_FAINTEST = 0.4
_MIN_PIXELS = 50  # smallest number of pixels of a curve, however many there are of its kind
MAX_DOTS = 64  # largest number of bests marked with dots; more would hide the curve
_HANDLE_PIXELS, _DOT_PIXELS = 9, 5
_HOVER_MARGIN = 6
_CHANGE_PIXELS, _NAME_GAP = 18, 12  # room for the words of changes, and between two of them
_NEAR_PIXELS = 4  # largest distance of the mouse from the line of a change that it names


class ChartScrub(QObject):
    """The marker of a chart: a vertical line with a handle, dots at the bests, and a hover text.

    It only knows units. Until the user chooses a moment, the line is at the newest unit.
    """

    moved = Signal(float)  # emitted with the unit that the user dragged the line to, or clicked
    stepped = Signal(int)  # emitted with -1 or 1 when the user requests the previous or next best
    left = Signal()  # emitted when the user returns to the present

    def __init__(self, plot: "RunPlot") -> None:
        super().__init__(plot)
        self._plot, self._box, self._view = plot, plot.box, plot.view
        self._newest = 0.0
        self._unit: float | None = None
        self._is_offered = False
        self._dotted: tuple[Sequence[int], Sequence[float]] = ((), ())
        self._line = pg.InfiniteLine(0.0, angle=90, movable=True)
        self._line.addMarker("v", 1.0, _HANDLE_PIXELS)
        self._line.addMarker("^", 0.0, _HANDLE_PIXELS)
        self._line.setZValue(20)
        self._line.setCursor(Qt.CursorShape.SplitHCursor)
        self._line.sigDragged.connect(self._dragged)
        self._line.setToolTip(
            tr("Drag to an earlier moment (Shift+Left, Shift+Right; Escape ends it)")
        )
        self._line.hide()
        self._dots = pg.ScatterPlotItem(size=_DOT_PIXELS, antialias=True)
        self._dots.setZValue(9)
        for item in (self._line, self._dots):
            self._box.addItem(item, ignoreBounds=True)
        self._hover = QLabel(plot)
        self._hover.setObjectName("chart_hover")
        set_role(self._hover, "hover")
        self._hover.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._hover.hide()
        plot.scene().sigMouseMoved.connect(self._hovered)

    def offer(self, is_offered: bool) -> None:
        """Show or hide the line."""
        self._is_offered = is_offered
        self._place()

    def put(self, unit: float | None) -> None:
        """Put the line at a unit; None: at the present."""
        self._unit = unit
        self._place()

    def set_newest(self, n_units: int) -> None:
        """Set the number of units."""
        if n_units - 1.0 != self._newest:
            self._newest = n_units - 1.0
            self._place()

    def show_dots(self, units: Sequence[int], values: Sequence[float]) -> None:
        """Mark the bests with dots if they are few enough."""
        self._dotted = (units, values) if len(units) <= MAX_DOTS else ((), ())
        self.scale_changed()

    def scale_changed(self) -> None:
        """Place everything on the current scale."""
        units, values = self._dotted
        self._dots.setData([self._view.place(unit) for unit in units], list(values))
        self._place()

    def click(self, event: MouseClickEvent) -> bool:
        """Put the line where the plot was clicked; returns whether the click was on the plot."""
        if not self._is_offered or event.button() != Qt.MouseButton.LeftButton:
            return False
        if not self._box.sceneBoundingRect().contains(event.scenePos()):
            return False
        self._ask(self._view.value(float(self._box.mapSceneToView(event.scenePos()).x())))
        return True

    def press(self, event: QKeyEvent) -> bool:
        """Handle a key; returns whether it belongs to the marker."""
        key, shift = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if not self._is_offered:
            return False
        if key == Qt.Key.Key_Escape and self._unit is not None:
            self.left.emit()
        elif shift and key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.stepped.emit(-1 if key == Qt.Key.Key_Left else 1)
        else:
            return False
        return True

    def apply_theme(self) -> None:
        theme = self._plot.theme
        self._dots.setPen(pg.mkPen(theme.card, width=1))
        self._dots.setBrush(pg.mkBrush(theme.accent))
        self._place()

    def leave(self) -> None:
        """Hide the hover text."""
        self._hover.hide()

    def _place(self) -> None:
        # Stepping back works inside the first unit, although the line cannot be dragged there.
        shown = self._unit is not None or (self._is_offered and self._newest > 0)
        self._line.setVisible(shown)
        if not shown:
            return
        is_back, theme = self._unit is not None, self._plot.theme
        # At the present the line is only a handle to drag.
        colour = theme.selection if is_back else mix(theme.card, theme.muted, 0.45)
        self._line.setPen(pg.mkPen(colour, width=1))
        self._line.setHoverPen(pg.mkPen(theme.selection, width=2))
        self._line.setMovable(self._is_offered)
        ends = (0.0, self._newest) if self._unit is None else (-1.0, max(self._newest, self._unit))
        self._line.setBounds([self._view.place(end) for end in ends])
        self._line.setValue(self._view.place(self._newest if self._unit is None else self._unit))

    def _ask(self, unit: float) -> None:
        self.moved.emit(min(max(unit, 0.0), self._newest))

    @Slot(object)
    def _dragged(self, line: pg.InfiniteLine) -> None:
        self._ask(self._view.value(float(line.value())))

    @Slot(object)
    def _hovered(self, place: QPointF) -> None:
        inside = self._box.sceneBoundingRect().contains(place)
        unit = round(self._view.value(float(self._box.mapSceneToView(place).x()))) if inside else -1
        if not 0 <= unit <= self._newest or self._newest <= 0:
            self._hover.hide()
            return
        self._hover.setText(self._plot.words_at(unit))
        self._hover.adjustSize()
        area = self._box.sceneBoundingRect()
        # Next to the mouse, and always inside the plot.
        left = place.x() + 2 * _HOVER_MARGIN
        if left + self._hover.width() > area.right():
            left = place.x() - 2 * _HOVER_MARGIN - self._hover.width()
        self._hover.move(int(max(left, area.left())), int(area.top()) + _HOVER_MARGIN)
        self._hover.show()


class RunPlot(Plot):
    """A plot of a trace with a marker and a view."""

    low_pixels = 110

    def __init__(self, parent: QWidget | None, empty: str = "") -> None:
        super().__init__(parent, empty=empty)
        self.curves: Sequence[ChartCurve] = ()  # curves that are drawn; the last is on top
        self._trace, self._unit = Trace(()), ""
        self.step = ""  # name of the solver's smaller step inside a unit, or ''
        self.own_value: OwnValue = lambda values: values
        """Function that converts values to the puzzle's own unit."""
        self._steps: tuple[Floats, Floats, int] = np.empty(0), np.empty((0, 0)), 0
        self._now = pg.ScatterPlotItem(size=7, antialias=True)
        self._now.setZValue(10)
        self.box.addItem(self._now)
        self.changes: Mapping[int, str] = {}
        """Changes of parameters in words, by the first unit that they hold for, ascending."""
        self._change_lines = pg.PlotCurveItem(antialias=False)
        self._change_lines.setZValue(-5)
        self.box.addItem(self._change_lines)
        self._change_names: list[QGraphicsSimpleTextItem] = []
        self.scrub = ChartScrub(self)  # marker of the moment that is shown
        # The keyboard reaches it through the chart's menu; Tab goes to the marker.
        self.view.button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.scale_turned.connect(self.scrub.scale_changed)
        self.scene().sigMouseClicked.connect(self._clicked)

    def apply_theme(self, unit: str) -> None:
        """Apply the current theme; unit: name of the solver's unit in the singular."""
        theme, self._unit = self.theme, unit
        super().apply_theme(self._axis_words)
        self._now.setPen(pg.mkPen(theme.card, width=1))
        self.scrub.apply_theme()
        self.mark_changes(self.changes)  # their words have another height in large type

    @property
    def _axis_words(self) -> str:
        """Label of the lower axis."""
        if self._counts_steps:
            return tr(self.step)
        return metric_title("expanded") if self._counts_boards else tr(self._unit)

    def draw_run(self, trace: Trace, places: Floats, rows: Floats, n_steps: int) -> None:
        """Draw a run in its present state, with the rows of steps inside units at their places.

        The last three are as in :meth:`RunChart.set_steps`.
        """
        self._trace, self._steps = trace, (places, rows, n_steps)
        self._count()
        if self.bottom.labelText != self._axis_words:
            self.apply_theme(self._unit)
        first, last = 0.0, max(trace.n_units - 1.0, _MIN_UNITS)
        if len(places):
            first, last = min(float(places[0]), 0.0), max(trace.n_units - 1.0, float(places[-1]))
        elif self.view.has_counts:
            last = trace.n_units - 1.0
        self.view.show_to(last, first=-1.0 if self.view.has_counts else first)
        unit_range, drawn = self.view.in_view(), []
        n_pixels = max(int(self.box.width()), 3)
        for curve in self.curves:
            units, values = self._points(curve, unit_range, n_pixels)
            colour = self._colour(curve, unit_range, len(units))
            if curve.is_stepped:
                units, values = units.repeat(2)[1:], values.repeat(2)[:-1]
            drawn.append(PlotCurve(units, values, colour, curve.width))
        self.draw(drawn, self._extremes())
        self._mark_changes()
        self._mark_now()
        self.scrub.set_newest(trace.n_units)
        if self.view.has_counts:
            self.scrub.scale_changed()  # the boards of the current unit become known later
        self.show_empty(trace.n_units == 0 and not len(places))

    @property
    def _counts_steps(self) -> bool:
        """Whether the lower axis counts steps: while all of them are inside the first unit."""
        return bool(self.step and self._steps[2]) and self._trace.n_units <= 1

    @property
    def _counts_boards(self) -> bool:
        """Whether the lower axis counts the boards that a search has expanded."""
        return self.view.has_counts and not self._counts_steps

    def _count(self) -> None:
        """Let the lower axis count steps, or the boards that a search has expanded, if known."""
        (places, _, n_steps), trace = self._steps, self._trace
        units, counts = np.empty(0), np.empty(0)
        if self._counts_steps:
            first = max((places[0] + 1.0) * n_steps if len(places) else 1.0, 1.0)
            counts = np.array([min(first, n_steps), n_steps])
            units = counts / n_steps - 1.0
        elif counts_expanded(trace.names):
            found = trace.points("expanded", 0.0, float(trace.n_units), trace.n_buckets)
            units, counts = self._with_steps("expanded", *found)
        self.view.set_counts(units[np.isfinite(counts)], counts[np.isfinite(counts)])

    def mark_changes(self, changes: Mapping[int, str]) -> None:
        """Mark changes of parameters with lines, and leave room for their words above."""
        self.changes = changes
        self.set_room(top=float(scaled(_CHANGE_PIXELS)) if changes else 0.0)
        self.frame.layout().activate()

    def words_at(self, unit: int) -> str:
        """Return the value of the topmost curve and the nearby changes at a unit in words."""
        words = words_at(self._trace, self.curves[-1], unit, self._unit, self.own_value)
        first, last = self.box.viewRange()[0]
        reach = _NEAR_PIXELS * (last - first) / max(self.box.width(), 1.0)
        place = self.view.place(unit)
        near = (
            self._change_words(at, change)
            for at, change in self.changes.items()
            if at == unit or abs(self._place_of_change(at) - place) <= reach
        )
        return "\n".join((words, *near))

    def _place_of_change(self, at: int) -> float:
        """Return where a change is drawn: at its first unit, or at the boards expanded before."""
        return self.view.place(at - 1 if self._counts_boards else at)

    def _change_words(self, at: int, change: str) -> str:
        if self._counts_boards and at:
            return labelled(place_words(self._trace, at - 1, self._unit), change)
        number = figures(at, ",")
        return tr(
            "{change} from {unit} {number}", change=change, unit=tr(self._unit), number=number
        )

    def file(self, kind: str, title: str) -> bytes:
        """Return the contents of a file of the visible part, 'png' or 'svg'."""
        plot = RunPlot(None)
        plot.curves, plot.own_value, plot.step = self.curves, self.own_value, self.step
        plot.apply_theme(self._unit)
        plot.mark_changes(self.changes)
        plot.lay_out_for_file()
        plot.view.take_over(self.view)
        plot.draw_run(self._trace, *self._steps)
        return plot_file(plot, kind, title, [curve.entry for curve in legend_of(self.curves)])

    def _extremes(self) -> Range | None:
        """Return the lowest and highest of all drawn values; None when they are not known."""
        lows, highs = [], []
        for curve in self.curves:
            inside = self._steps_of(curve.metric)
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
            max(n_pixels // curve.n_alike, _MIN_PIXELS),
        )
        units, values = self._trace.points(
            curve.metric, *unit_range, n_pixels, logarithmic=logarithmic
        )
        units, values = self._with_steps(curve.metric, units, values)
        return units, read_values(curve.metric, values, self.own_value)

    def _with_steps(self, metric: str, units: Floats, values: Floats) -> Drawn:
        """Add the values of a metric at the steps inside units."""
        places = self._steps[0]
        if not len(places):
            return units, values
        units, values = np.append(units, places), np.append(values, self._steps_of(metric))
        order = units.argsort(kind="stable")
        return units[order], values[order]

    def _steps_of(self, metric: str) -> Floats:
        """Return the values of a metric at the steps inside units."""
        places, rows, _ = self._steps
        return rows[:, self._trace.names.index(metric)] if len(places) else places

    def _colour(self, curve: ChartCurve, unit_range: Range, n_points: int) -> QColor:
        """Return a curve's colour; it fades where many units share a pixel."""
        theme = self.theme
        colour: QColor = getattr(theme, curve.token)
        n_pixels = self.box.width()
        if curve is self.curves[-1] or n_points < n_pixels / 2:
            return colour
        n_units = min(unit_range[1], self._trace.n_units) - max(unit_range[0], 0.0)
        return mix(theme.card, colour, min(max(n_pixels / max(n_units, 1.0), _FAINTEST), 1.0))

    def _mark_changes(self) -> None:
        """Draw a line at each change that is in view, and write its words above if they fit."""
        while self._change_names:
            self.scene().removeItem(self._change_names.pop())
        (first, last), (low, high) = self.box.viewRange()
        places = {self._place_of_change(at): words for at, words in self.changes.items()}
        seen = {place: words for place, words in places.items() if first <= place <= last}
        pen = pg.mkPen(self.theme.muted, style=Qt.PenStyle.DashLine)
        lines = np.repeat(np.array([*seen], dtype=np.float64), 2), np.tile([low, high], len(seen))
        self._change_lines.setData(*lines, pen=pen, connect="pairs", skipFiniteCheck=True)
        rect, end = self.box.geometry(), 0.0
        for place, words in seen.items():
            along = rect.left() + (place - first) / (last - first) * rect.width()
            if along < end:
                continue
            name = self.put_text(words, self.theme.muted)
            self._change_names.append(name)
            size = name.boundingRect()
            left = min(along, rect.right() - size.width())
            name.setVisible(left >= end)
            if name.isVisible():
                name.setPos(left, rect.top() - size.height())
                end = left + size.width() + _NAME_GAP

    def _mark_now(self) -> None:
        """Put a dot at the newest value of the topmost curve, and of those with upright ends."""
        (places, rows, _), last, at = self._steps, self._trace.last, self._trace.n_units - 1.0
        if len(places) and places[-1] > at:
            last, at = rows[-1], float(places[-1])
        if last is None or not self.curves:
            self._now.setData([], [])
            return
        spots, place = [], self.view.place(at)
        for curve in self.curves:
            value = np.asarray(last)[[self._trace.names.index(curve.metric)]]
            shown = float(read_values(curve.metric, value, self.own_value)[0])
            if math.isfinite(shown) and (curve.is_stepped or curve is self.curves[-1]):
                brush = pg.mkBrush(getattr(self.theme, curve.token))
                spots.append({"pos": (place, shown), "brush": brush})
        self._now.setData(spots)

    def _clicked(self, event: MouseClickEvent) -> None:
        if event.double():
            self.scrub.left.emit()
        else:
            self.scrub.click(event)
