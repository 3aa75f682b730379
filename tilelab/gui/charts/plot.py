"""The plot of all charts in the window: pyqtgraph's box and axes without its menus.

pyqtgraph's own plot creates menus, buttons and ranges only to hide them; they are slow, and outlive
the plot.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from pyqtgraph.GraphicsScene.mouseEvents import MouseClickEvent
from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import (
    QGraphicsGridLayout,
    QGraphicsItem,
    QGraphicsSceneResizeEvent,
    QGraphicsSimpleTextItem,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from tilelab.core.text.language import tr
from tilelab.gui.charts.curves import LABEL_PIXELS, readable, spread
from tilelab.gui.charts.ticks import Range, axis_ticks, log_place, log_value, tick_text, whole_range
from tilelab.gui.widgets.parts import text_label
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import (
    Theme,
    current_theme,
    scaled,
    set_style_property,
    text_font,
    text_pixels,
)
from tilelab.runs.trace import Floats

_LEFT_PIXELS, _BOTTOM_PIXELS = 52, 43
_LOW_BOTTOM_PIXELS = 23  # height of a lower axis in a single line
_ABOVE_BUTTON = 3  # pixels by which its label is raised to the line of the numbers
_HALF_NUMBER = 28  # half the width of a number along the lower axis, and the gap after it
_NUMBERS = 90  # least room for two numbers next to the label in an axis of a single line
_NUMBER_GAP = 4
_PIXELS_A_TICK = {"left": 19, "bottom": 88}
LARGE_PIXELS_A_TICK = 42  # pixels for each tick on the left axis of a large chart
_TOP, _RIGHT = 9, 19  # pixels for the half of a tick's text that reaches beyond the last tick
Drawn = tuple[Floats, Floats]
"""Places of a curve along the lower axis in its own unit, ascending, and its values."""
LOGARITHMIC = "chart/logarithmic"
_RIM, _VISIBLE_RIM = 0.03, 0.05
_CORNER = 1
_MIN_DECADES = 0.02
_LEAST_REACH = 1e-6  # width of the lower axis without a smallest step
_DOT_PIXELS = 8
_FILE_SIZE = (912, 392)
_KEYS = {
    Qt.Key.Key_Left: (-0.1, 1.0),
    Qt.Key.Key_Right: (0.1, 1.0),
    Qt.Key.Key_Plus: (0.0, 0.8),
    Qt.Key.Key_Equal: (0.0, 0.8),
    Qt.Key.Key_Minus: (0.0, 1.25),
}
"""Effects of keys on the view: the part to move by and the scale."""


class PlotCurve(NamedTuple):
    """Data and style of a curve in a plot."""

    places: Floats  # places along the lower axis in its own unit, ascending
    values: Floats
    colour: QColor
    width: float = 2.0
    name: str = ""  # name that is written at the end of the curve
    style: Qt.PenStyle = Qt.PenStyle.SolidLine


class RoundAxis(pg.AxisItem):
    """An axis with round numbers or names, logarithmic when it has a knee."""

    is_low = False  # whether the label is at the end of the line of numbers
    covered = 0.0  # pixels at the end that a button covers

    def __init__(self, side: str, parent: QGraphicsItem, box: pg.ViewBox, smallest: float) -> None:
        super().__init__(side, parent=parent, linkView=box)
        self.pixels_a_tick = _PIXELS_A_TICK[side]
        self.smallest = smallest  # smallest step between two ticks
        self.lowest = 0.0 if side == "bottom" else -np.inf  # lowest number that is written
        self.knee = 0.0  # value up to which a logarithmic axis is nearly even; 0 for a linear axis
        self.named: Sequence[tuple[float, str]] = ()
        """Places and their texts, instead of round numbers."""
        self.numbers: Sequence[float] = ()
        """All numbers of the data when there are few; they are marked where they have room."""
        self._texts: dict[float, str] = {}
        self.setZValue(0.5)
        self.enableAutoSIPrefix(False)
        offset = 8 if side == "left" else 6
        self.setStyle(tickLength=0, tickAlpha=0, hideOverlappingLabels=False, tickTextOffset=offset)

    def resizeEvent(self, event: QGraphicsSceneResizeEvent | None = None) -> None:
        super().resizeEvent(event)
        if self.orientation == "bottom" and self.label is not None:
            left = self.size().width() - self.covered - self.label.boundingRect().width()
            # Where both have no room in the line, it has the numbers: a 0 alone says nothing.
            self.label.setVisible(not self.is_low or left >= scaled(_NUMBERS))
            if self.is_low:
                self.label.setPos(left, self.label.y() - _ABOVE_BUTTON)
            else:
                self.label.setX(min(self.label.x(), left))

    def marks(self, low: float, high: float, n_pixels: float) -> list[tuple[float, str]]:
        """Return the marked places in view and their texts."""
        if self.named:
            return list(self.named)
        apart = scaled(self.pixels_a_tick) * (high - low) / max(n_pixels, 1.0)
        placed = [(log_place(n, self.knee) if self.knee else n, n) for n in self.numbers]
        inside = [(place, tick_text(n, n)) for place, n in placed if low <= place <= high]
        gaps = np.diff([place for place, _ in inside])
        if len(gaps) and gaps.min() > apart / 2:
            return inside
        return axis_ticks(low, high, (high - low) / apart, self.smallest, self.knee)

    def tickValues(
        self, low: float, high: float, _n_pixels: float
    ) -> list[tuple[float, list[float]]]:
        # The axis itself is a little longer than the box, whose grid lines have the same places.
        box = self.linkedView()
        n_pixels = box.height() if self.orientation == "left" else box.width()
        if self.is_low:
            end = self.label.x() if self.label.isVisible() else self.size().width() - self.covered
            part = max((end - scaled(_HALF_NUMBER)) / max(n_pixels, 1.0), 0.01)
            high, n_pixels = low + part * (high - low), part * n_pixels
        found = self.marks(low, high, n_pixels)
        if self.is_low:
            found = [(place, text) for place, text in found if place <= high]
        found = [(place, text if place >= self.lowest else "") for place, text in found]
        if self.orientation == "bottom":
            found = _apart(found, n_pixels / (high - low))
        self._texts = dict(found)
        return [(1.0, [*self._texts])]

    def tickStrings(self, places: Sequence[float], _scale: float, _step: float) -> list[str]:
        return [self._texts.get(place, "") for place in places]


def _apart(marks: Sequence[tuple[float, str]], scale: float) -> list[tuple[float, str]]:
    """Leave out each mark whose text would touch the one before; scale: pixels of one unit."""
    advance, kept, end = QFontMetricsF(text_font("small")).horizontalAdvance, [], -np.inf
    for place, text in marks:
        half = advance(text) / 2
        if place * scale - half >= end:
            kept.append((place, text))
            end = place * scale + half + scaled(_NUMBER_GAP)
    return kept


class ChartView(QObject):
    """The view of a plot: the ranges of both axes, and the button of the logarithmic axis."""

    changed = Signal()
    """Emitted when the range or the scale has changed and the curves must be redrawn."""
    scale_turned = Signal(bool)  # emitted when the user turns the logarithmic axis on or off

    def __init__(self, plot: "Plot", knee: float) -> None:
        super().__init__(plot)
        self._plot, self._box = plot, plot.box
        self.knee = knee
        """Value up to which the logarithmic axis is nearly even; the axis begins at 0."""
        self._counts: Drawn | None = None  # what the axis counts, by the units of the curves
        self.is_whole = True  # whether all data stay in view, including data to come
        self.is_offered = True
        """Whether the button of the logarithmic axis is shown when there are curves."""
        self._box.setMouseEnabled(x=True, y=False)
        self._box.sigRangeChangedManually.connect(self.leave)
        self._box.sigResized.connect(lambda *_: self.changed.emit())
        plot.scene().sigMouseClicked.connect(self._clicked)
        self.button = QToolButton(plot)  # button that turns the logarithmic axis on and off
        self.button.setObjectName("log_axis")
        self.button.setText(tr("log"))
        self.button.setCheckable(True)
        self.button.setAccessibleName(tr("Logarithmic lower axis"))
        self.button.setToolTip(tr("Use a logarithmic scale for the lower axis"))
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_style_property(self.button, "small", True)
        self.button.toggled.connect(self._turned)
        plot.installEventFilter(self)

    @property
    def is_logarithmic(self) -> bool:
        """Whether the lower axis is logarithmic."""
        return self.button.isChecked()

    def set_logarithmic(self, is_logarithmic: bool) -> None:
        """Set the scale of the lower axis and bring everything into view."""
        self.button.setChecked(is_logarithmic)

    def set_knee(self, knee: float) -> None:
        """Set the value up to which the logarithmic axis is nearly even."""
        self.knee = knee
        self._plot.bottom.knee = knee if self.is_logarithmic else 0.0

    @property
    def has_counts(self) -> bool:
        """Whether the lower axis shows a count in place of the curves' own unit."""
        return self._counts is not None

    def set_counts(self, units: Floats, counts: Floats) -> None:
        """Let the lower axis show a count that is known at some units, both ascending.

        It is 0 before the first unit, whose number is 0. Without counts, the axis shows units.
        """
        had_counts, self._counts, knee = self.has_counts, None, 1.0
        if len(counts) and counts.max() > 0:
            rising = np.maximum.accumulate(counts)
            self._counts = np.append(-1.0, units), np.append(0.0, rising)
            knee = float(rising[rising > 0][0])
        if self.has_counts is not had_counts:
            self.is_whole = True
        self.set_knee(knee)

    def _axis_numbers(self, unit: Floats | float) -> Floats:
        """Return numbers of the axis; beyond the known counts, they rise evenly."""
        at = np.asarray(unit, np.float64)
        if self._counts is None:
            return at
        units, counts = self._counts
        rate = float(counts[-1] / (units[-1] + 1))
        beyond = np.maximum(at - units[-1], 0.0) * rate
        known: Floats = np.interp(at, units, counts) + beyond
        return known

    def remember_in(self, settings: Settings) -> None:
        """Restore the scale from the settings, and store later choices there."""
        with QSignalBlocker(self):
            self.set_logarithmic(settings.flag(LOGARITHMIC))
        self.scale_turned.connect(partial(settings.set_flag, LOGARITHMIC))

    def place(self, value: float) -> float:
        """Return where a unit lies in the plot."""
        number = float(self._axis_numbers(value))
        return log_place(number, self.knee) if self.is_logarithmic else number

    def places(self, values: Floats) -> Floats:
        """Return where units lie in the plot."""
        numbers = self._axis_numbers(values)
        return log_places(numbers, self.knee) if self.is_logarithmic else numbers

    def value(self, place: float) -> float:
        """Return the unit at a place of the plot."""
        number = log_value(place, self.knee) if self.is_logarithmic else place
        if self._counts is None:
            return number
        units, counts = self._counts
        beyond = max(number - counts[-1], 0.0) * (units[-1] + 1) / counts[-1]
        return float(np.interp(number, counts, units) + beyond)

    def in_view(self) -> Range:
        """Return the units at both ends of the lower axis."""
        (low, high), _ = self._box.viewRange()
        return self.value(low), self.value(high)

    @Slot()
    def fit(self) -> None:
        """Show everything, including data to come."""
        self.is_whole = True
        self.changed.emit()

    @Slot()
    def leave(self, *_changed: object) -> None:
        """Keep the current view."""
        self.is_whole = False
        self.changed.emit()

    def take_over(self, before: "ChartView") -> None:
        """Show what another view shows, on its scale."""
        self._counts = before._counts
        self.set_knee(before.knee)
        self.set_logarithmic(before.is_logarithmic)
        if not before.is_whole:
            self._box.setRange(xRange=before._box.viewRange()[0], padding=0)
            self.leave()

    def press(self, key: Qt.Key) -> bool:
        """Move or zoom as a key says; returns whether the key belongs to the view."""
        if key not in _KEYS:
            return False
        ((low, high), _), (shift, scale) = self._box.viewRange(), _KEYS[key]
        middle = (low + high) / 2 + shift * (high - low)
        least = _MIN_DECADES if self.is_logarithmic else self._plot.bottom.smallest or _LEAST_REACH
        half = max((high - low) * scale, least) / 2
        self._box.setRange(xRange=(middle - half, middle + half), padding=0)
        self.leave()
        return True

    def show_to(
        self, last: float, beyond: float = 0.02, first: float = 0.0, before: float = 0.02
    ) -> None:
        """Set the range of the lower axis while everything is in view.

        first, last: ends of the curves. before, beyond: room before and after them, as parts of the
        width.
        """
        if self.is_whole:
            begin, end = self.place(first), self.place(last)
            reach = max(end - begin, _LEAST_REACH)
            self._box.setRange(xRange=(begin - before * reach, end + beyond * reach), padding=0)

    def show_values(self, curves: Sequence[Drawn], whole: Range | None = None) -> None:
        """Fit the range of values to the visible part of the curves.

        whole: lowest and highest of all values, when the curves are only a part of the data.
        """
        if not self.is_whole:
            found = _seen(curves, *self.in_view())
            if found is None:
                return  # there is no data beyond the curves
            low, high = found if found[0] < found[1] else whole_range(*found)
            rim = _VISIBLE_RIM * (high - low)
        else:
            self.button.setVisible(self.is_offered and any(len(values) for _, values in curves))
            ends = [(float(v.min()), float(v.max())) for _, v in curves if len(v)]
            ends = [whole] if whole is not None else ends
            bounds = (min(low for low, _ in ends), max(high for _, high in ends)) if ends else None
            low, high = bounds or (0.0, 1.0)
            if low == high or not self._plot.left.knee:
                low, high = whole_range(low, high)
            rim = _RIM * (high - low)
        self._box.setRange(yRange=(low - rim, high + rim), padding=0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self.button.adjustSize()
            right, bottom = self._plot.width() - _CORNER, self._plot.height() - _CORNER
            self.button.move(right - self.button.width(), bottom - self.button.height())
            self._plot.bottom.covered = max(self.button.width() + _CORNER - scaled(_RIGHT), 0)
            self._plot.bottom.resizeEvent()
        return False

    def _clicked(self, event: MouseClickEvent) -> None:
        if event.double():
            self.fit()

    @Slot(bool)
    def _turned(self, is_logarithmic: bool) -> None:
        # The curves follow later; until then the axis would read places of one scale on the other.
        moved = log_place if is_logarithmic else log_value
        ends = [moved(end, self.knee) for end in self._box.viewRange()[0]]
        self.set_knee(self.knee)
        self._box.setRange(xRange=ends, padding=0)
        self._plot.bottom.picture = None
        self.scale_turned.emit(is_logarithmic)
        self.fit()


def log_places(values: Floats, knee: float) -> Floats:
    """Return where numbers lie on a logarithmic axis; knee: value up to which it is nearly even."""
    laid: Floats = np.log10(1 + np.maximum(values / knee, -0.9))
    return laid


def _seen(curves: Sequence[Drawn], low: float, high: float) -> Range | None:
    """Return the lowest and highest value between two places, including lines that cross them."""
    lows, highs = [], []
    for places, values in curves:
        if not len(places) or places[0] > high or places[-1] < low:
            continue
        ends = np.clip((low, high), places[0], places[-1])
        inside = values[(places >= low) & (places <= high)]
        seen = np.append(inside, np.interp(ends, places, values))
        lows.append(float(seen.min()))
        highs.append(float(seen.max()))
    return (min(lows), max(highs)) if lows else None


class Plot(pg.GraphicsView):
    """A plot: a box with curves, and a left and a lower axis with round ticks.

    smallest_step: smallest distance between two ticks of the lower axis. knee: value up to which
    that axis is nearly even when it is logarithmic. empty: text that is shown without curves.
    theme: None for the current theme.
    """

    low_pixels = 0  # height below which the lower axis is a single line

    def __init__(
        self,
        parent: QWidget | None,
        smallest_step: float = 1.0,
        knee: float = 1.0,
        empty: str = "",
        theme: Theme | None = None,
    ) -> None:
        super().__init__(parent)
        self._own_theme = theme
        self.enableMouse(False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(0, 0)
        for part in (self, self.viewport()):
            part.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            part.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.frame = pg.GraphicsWidget()  # layout of the box and the axes
        self.box = pg.ViewBox(self.frame, enableMenu=False)
        """View box with the curves and the visible ranges."""
        self.box.disableAutoRange()
        self.left = RoundAxis("left", self.frame, self.box, 0.0)
        self.bottom = RoundAxis("bottom", self.frame, self.box, smallest_step)
        layout = QGraphicsGridLayout()
        layout.setSpacing(0)
        layout.addItem(self.left, 0, 0)
        layout.addItem(self.box, 0, 1)
        layout.addItem(self.bottom, 1, 1)
        layout.setRowStretchFactor(0, 1)
        layout.setColumnStretchFactor(1, 1)
        self.frame.setLayout(layout)
        self.setCentralItem(self.frame)
        self.set_room()
        self._grid = pg.PlotCurveItem(antialias=False)
        self._grid.setZValue(-10)
        self._dots = pg.ScatterPlotItem(size=_DOT_PIXELS, pen=None, antialias=True)
        self._dots.setZValue(9)
        for item in (self._grid, self._dots):
            self.box.addItem(item)
        self.lines: list[pg.PlotCurveItem] = []
        """Items of the curves in pyqtgraph, in the same order."""
        self._names: list[QGraphicsSimpleTextItem] = []
        self.view = ChartView(self, knee)  # visible range and scale
        self._empty = text_label("muted", self, empty)
        self._empty.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        over = QVBoxLayout(self)
        over.addWidget(self._empty, 0, Qt.AlignmentFlag.AlignCenter)

    @property
    def theme(self) -> Theme:
        return self._own_theme or current_theme()

    def set_room(self, left: float = 0.0, top: float = 0.0, right: float = 0.0) -> None:
        """Leave at least this many pixels around the box for names and titles."""
        self._left = left
        self.left.setWidth(max(scaled(_LEFT_PIXELS), left))
        self._names_are_outside = right > _RIGHT
        self.frame.layout().setContentsMargins(1, max(_TOP, top), max(scaled(_RIGHT), right), 1)

    def show_empty(self, is_empty: bool, text: str = "") -> None:
        """Show the text for an empty plot, or box and axes. text: '' for the same one as before."""
        self._empty.setText(text or self._empty.text())
        self._empty.setVisible(is_empty)
        self.frame.setVisible(not is_empty)

    def draw(self, curves: Sequence[PlotCurve], whole: Range | None = None) -> None:
        """Draw curves, the last on top, with grid lines and names.

        whole: lowest and highest of all values, when the curves are only a part of the data.
        """
        while len(self.lines) > len(curves):
            self.box.removeItem(self.lines.pop())
        while len(self.lines) < len(curves):
            self.lines.append(pg.PlotCurveItem(antialias=True))
            self.box.addItem(self.lines[-1])
        # Far from 0 the differences of places would be lost in a file, which has six digits.
        origin = 0.0 if self.view.is_whole else self.box.viewRange()[0][0]
        dots = []
        for line, curve in zip(self.lines, curves, strict=True):
            places = self.view.places(curve.places)
            if origin or line.x():
                line.setPos(origin, 0)
                places = places - origin
            pen = pg.mkPen(curve.colour, width=curve.width, style=curve.style)
            line.setData(places, curve.values, pen=pen, connect="all", skipFiniteCheck=True)
            if len(places) and places[0] == places[-1]:
                dots.append({"pos": (origin + places[-1], curve.values[-1]), "brush": curve.colour})
        self._dots.setVisible(bool(dots))
        if dots:
            self._dots.setData(dots)
        # Counts have no ticks between two whole numbers.
        is_whole = all((curve.values == np.rint(curve.values)).all() for curve in curves)
        self.left.smallest = 1.0 if curves and is_whole else 0.0
        self.view.show_values([curve[:2] for curve in curves], whole)
        self.draw_grid()
        named = [curve for curve in curves if curve.name and len(curve.places)]
        if named or self._names:
            self._place_names(named)

    def draw_grid(self) -> None:
        """Draw grid lines at the ticks of the left axis, or of the lower one if the left has names.

        The axis itself would draw them over the curves and omit its outermost texts.
        """
        across, up = self.box.viewRange()
        if self.left.named:
            axis, (low, high), along, room = self.bottom, across, up, self.box.width()
        else:
            axis, (low, high), along, room = self.left, up, across, self.box.height()
        values = [] if axis.named else [place for place, _ in axis.marks(low, high, room)]
        reach = along[1] - along[0]
        lines = (
            np.tile([along[0] - reach, along[1] + reach], len(values)),
            np.repeat(np.array(values, dtype=np.float64), 2),
        )
        self._grid.setData(
            *(lines[::-1] if self.left.named else lines),
            pen=pg.mkPen(self.theme.grid),
            connect="pairs",
            skipFiniteCheck=True,
        )

    def apply_theme(self, unit: str) -> None:
        """Apply the current theme; unit: label of the lower axis."""
        theme = self.theme
        self.setBackground(theme.card)
        while self._names:
            self.scene().removeItem(self._names.pop())
        for axis in (self.left, self.bottom):
            axis.setStyle(tickFont=text_font("small"), hideOverlappingLabels=scaled(_RIGHT))
            axis.setTextPen(theme.muted)
            axis.setPen(pg.mkPen(None))
        self.left.setWidth(max(scaled(_LEFT_PIXELS), self._left))
        self._fit_bottom()
        size = f"{text_pixels('small')}px"
        self.bottom.setLabel(unit, **{"color": theme.muted.name(), "font-size": size})
        # The axis puts its label in the middle only when it is resized.
        self.bottom.resizeEvent()

    def _fit_bottom(self) -> None:
        """Give the lower axis a single line where the plot is low."""
        self.bottom.is_low = self.height() < scaled(self.low_pixels)
        self.bottom.setHeight(scaled(_LOW_BOTTOM_PIXELS if self.bottom.is_low else _BOTTOM_PIXELS))
        self.bottom.resizeEvent()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "view"):  # pyqtgraph calls it before there are axes
            self._fit_bottom()

    def lay_out_for_file(self) -> None:
        """Give the plot its size in files, without a window."""
        self.left.pixels_a_tick = LARGE_PIXELS_A_TICK
        self.resize(*map(scaled, _FILE_SIZE))
        self.grab()

    def prepare_for_file(self, scale: float) -> None:
        """Scale lines and dots for a picture with this many pixels for each pixel of the plot."""
        for item in self.scene().items():
            if isinstance(item, pg.PlotCurveItem):
                pen = pg.mkPen(item.opts["pen"])
                pen.setWidthF(pen.widthF() * scale)
                item.setPen(pen)
            if isinstance(item, pg.GraphicsObject):
                item.setExportMode(True, {"antialias": True, "resolutionScale": scale})

    def put_text(
        self, words: str, colour: QColor, *, strong: bool = False
    ) -> QGraphicsSimpleTextItem:
        """Add a small text to the frame, outside its layout."""
        item = QGraphicsSimpleTextItem(words, self.frame)
        item.setFont(text_font("small", strong=strong))
        item.setBrush(colour)
        return item

    def _place_names(self, curves: Sequence[PlotCurve]) -> None:
        """Write each name at the end of its curve, or where the curve leaves the view."""
        (first, last), (low, high) = self.box.viewRange()
        rect, names, ends = self.box.geometry(), [], []
        for curve in curves:
            places = self.view.places(curve.places)
            end = min(float(places[-1]), last)
            value = float(np.interp(end, places, curve.values))
            if places[0] > last or end < first or not low <= value <= high:
                continue
            along = 1.0 if self._names_are_outside else (end - first) / (last - first)
            names.append(curve)
            ends.append((along * rect.width(), (value - low) / (high - low) * rect.height()))
        apart = scaled(LABEL_PIXELS)
        heights = spread(ends, rect.height() - apart / 2, apart)
        while len(self._names) < len(names):
            self._names.append(self.put_text("", self.theme.text, strong=True))
        for item in self._names[len(names) :]:
            item.hide()
        for item, curve, (left, _), height in zip(self._names, names, ends, heights, strict=False):
            item.setText(curve.name)
            item.setBrush(readable(curve.colour, self.theme))
            item.setPos(
                rect.left() + left + (8 if self._names_are_outside else 4),
                rect.bottom() - height - item.boundingRect().height() / 2,
            )
            item.show()
