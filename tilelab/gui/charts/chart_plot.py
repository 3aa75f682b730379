"""Draw the charts of an experiment in a plot that mouse and arrow keys can explore."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pyqtgraph as pg
from pyqtgraph.GraphicsScene.mouseEvents import MouseClickEvent
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QLinearGradient,
    QResizeEvent,
)
from PySide6.QtWidgets import QGraphicsItem, QGraphicsRectItem, QToolTip, QWidget

from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import tool_tip
from tilelab.experiments.chart_values import (
    Axis,
    Chart,
    ChartSelection,
    Point,
    Series,
    colour_range,
    places_of,
    short,
    short_names,
    words_of,
)
from tilelab.gui.charts.curves import readable
from tilelab.gui.charts.export import plot_file
from tilelab.gui.charts.plot import LARGE_PIXELS_A_TICK, Plot, PlotCurve, log_places
from tilelab.gui.charts.ticks import whole_range
from tilelab.gui.widgets.access import CHOOSE, STEPS, announce
from tilelab.gui.widgets.theme import Theme, curve_colours, keep_themed, mix, scaled, text_font
from tilelab.runs.trace import Floats

_BAND, _MAX_MARKS, _FEW, _LINE_CONTRAST = 0.16, 24, 8, 2.0
"""Opacity of a band; largest number of marks on a line; largest number of exact numbers on an axis;
contrast of a line.
"""
_RIM, _MAX_NAME = 0.03, 0.28
"""Parts of the width left free at both ends of curves, and allowed for a name at the side."""
_LINE, _NEAR, _CORNER = 18, 8, QSize(72, 10)
_BOX, _CELL, _GOLDEN, _MAX_BOX = 0.56, 0.97, 0.618, 64.0
"""Parts of a row for boxes and cells; the golden section spreads any number of points evenly;
largest height of a box in pixels.
"""
_REACH = {"boxes": 9.0}
_USUAL_REACH = 16.0  # largest distance in pixels from the mouse to a run, and to a curve
_SYMBOLS = ("o", "s", "d", "t1")


class ChartPlot(Plot):
    """A plot of a chart; a double click or Home shows all of it again.

    Boxes are horizontal, as in reports, so that their names can be read. Arrows go from point to
    point, Enter chooses.
    """

    chosen = Signal(object, QPoint)
    """Emitted with the places of the chosen runs in the plan, and a point on the screen."""

    chart: Chart | None = None  # chart that is drawn

    def __init__(self, parent: QWidget | None = None, theme: Theme | None = None) -> None:
        super().__init__(parent, 0.0, theme=theme)
        self.setObjectName("experiment_chart")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.bottom.lowest = -np.inf
        self.left.pixels_a_tick = LARGE_PIXELS_A_TICK
        self._pointed: ChartSelection | None = None
        self._items: list[QGraphicsItem] = []
        self._texts: list[tuple[QGraphicsItem, float]] = []
        self._heads: list[QGraphicsItem] = []
        self._spots: list[Floats] = []
        self._box = _BOX  # part of a row that a box takes
        self._ring = pg.ScatterPlotItem(size=12, brush=None, antialias=True)
        self._frame = QGraphicsRectItem()
        for item in (self._ring, self._frame):
            item.setZValue(20)
            self.box.addItem(item)
        self.view.changed.connect(self._draw)
        self.view.scale_turned.connect(self._rebuild)
        self.scene().sigMouseMoved.connect(self._hovered)
        self.scene().sigMouseClicked.connect(self._clicked)
        keep_themed(self, self._rebuild)

    def show_chart(self, chart: Chart | None) -> None:
        """Draw another chart; the view stays when the chart only has more data."""
        before, self.chart, self._pointed = self.chart, chart, None
        is_same = (
            before is not None
            and chart is not None
            and (before.kind, before.x, before.y) == (chart.kind, chart.x, chart.y)
        )
        self.setAccessibleName(
            tr("Chart") if chart is None else tr("Chart: {title}", title=chart.title)
        )
        if chart is not None and not is_same:
            lower = self._lower(chart)
            numbers = [] if lower.labels else _numbers(chart)
            is_positive = bool(numbers) and min(numbers) >= 0 and max(numbers) > 0
            self.view.is_whole = True
            self.view.is_offered = is_positive
            self.view.set_knee(min((each for each in numbers if each > 0), default=1.0))
            self.view.set_logarithmic(lower.is_log and is_positive)
            self.box.setMouseEnabled(x=not lower.labels, y=False)
        self._describe()
        self._rebuild()

    def file(self, kind: str, theme: Theme) -> bytes:
        """Return the contents of a file of the whole chart, 'png' or 'svg'."""
        chart = self.chart
        assert chart is not None
        plot = ChartPlot(theme=theme)
        plot.lay_out_for_file()
        plot.show_chart(chart)
        plot.view.set_logarithmic(self.view.is_logarithmic)
        return plot_file(plot, kind, chart.title, caption=chart.caption)

    def sizeHint(self) -> QSize:
        return QSize(560, 360)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 180)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.chart is not None and not self.closed:
            self._rebuild()

    # Drawing

    @Slot()
    def _rebuild(self) -> None:
        """Rebuild everything for another chart, scale or theme."""
        for item in self._items:
            self.box.removeItem(item)
        self._items, self._texts = [], []
        self.show_empty(self.chart is None)
        if self.chart is None:
            return
        self._set_up_axes(self.chart)
        self._spots = [self._places(each, index) for index, each in enumerate(self.chart.series)]
        made = {"boxes": self._boxes, "heat-map": self._cells}.get(self.chart.kind, self._marks)
        for item in made(self.chart):
            self._items.append(item)
            self.box.addItem(item)
        self._ring.setPen(pg.mkPen(self.theme.text, width=1.6))
        self._frame.setPen(pg.mkPen(self.theme.text, width=1.6))
        self._draw()

    @Slot()
    def _draw(self) -> None:
        """Draw what is in view."""
        chart = self.chart
        if chart is None:
            return
        if chart.kind == "boxes":
            low, high = whole_range(*_ends(_numbers(chart)))
            self.view.show_to(high, first=low)
        elif chart.kind == "heat-map":
            self.view.show_to(len(chart.x.labels) - 0.5, first=-0.5)
        else:
            first, last = _ends(_numbers(chart))
            if first == last:
                first = min(first, 0.0)  # the numbers around a single one would look the same
            self.view.show_to(last, _RIM, first, _RIM)
        if self.left.named:
            self.draw([])
            self.view.button.setVisible(self.view.is_offered)
            self.box.setRange(yRange=(-0.5, len(self.left.named) - 0.5), padding=0)
        else:
            whole = self._up(np.array([0.0, 100.0])) if chart.kind == "run-length" else None
            bands = self._up(np.array([*_bounds(chart)])) if whole is None else whole
            self.draw(self._curves(chart), (float(bands.min()), float(bands.max())))
        width = self.box.width() / max(len(chart.x.labels), 1)
        for item, needed in self._texts:
            item.setVisible(needed < width - 4)
        self._place_heads(chart)
        self._mark()

    def _lower(self, chart: Chart) -> Axis:
        return chart.y if chart.kind == "boxes" else chart.x

    def _set_up_axes(self, chart: Chart) -> None:
        """Set the names or scales of both axes, and leave room for them."""
        most = _MAX_NAME * self.width()
        titles = [each.title for each in chart.series]
        names, self._key = titles, ""
        if _widest(titles) > most:
            names, self._key = short_names([each.name for each in chart.series])
        self._named = [_elided(name, most) for name in names]
        left: Sequence[str] = ()
        if chart.kind == "boxes":
            left = self._named[::-1]
        elif chart.kind == "heat-map":
            left = [_elided(label, most) for label in chart.y.labels]
        room = self.width() / max(len(chart.x.labels), 1) * 0.8
        self.left.named = list(enumerate(left))
        self.bottom.named = [
            (place, _elided(label, room)) for place, label in enumerate(self._lower(chart).labels)
        ]
        numbers = sorted(set(_numbers(chart)))
        is_over_few = len(numbers) <= _FEW and not any(each.is_steps for each in chart.series)
        self.bottom.numbers = numbers if is_over_few and not left else ()
        self.left.knee = min(_bounds(chart)) if chart.y.is_log and not left else 0.0
        right = 0.0
        if not left:
            right = 1.08 * _widest(self._named) + 2 * _NEAR
        width = _widest(left) + 2 * _NEAR
        self.set_room(width if left else 0.0, scaled(_LINE) + _NEAR, right)
        self.apply_theme(self._lower(chart).title)
        self.frame.layout().activate()
        rows = max(len(left), 1)
        self._box = min(_BOX, _MAX_BOX * rows / max(self.box.height(), 1.0))

    def _up(self, values: Floats) -> Floats:
        return log_places(values, self.left.knee) if self.left.knee else values

    def _places(self, series: Series, index: int) -> Floats:
        """Return where the points of a series are, float64 (n, 2); runs of a box are spread."""
        assert self.chart is not None
        xs = np.array([point.x for point in series.points], np.float64)
        ys = np.array([point.y for point in series.points], np.float64)
        if self.chart.kind == "heat-map":
            return np.column_stack((xs, ys))
        if self.chart.kind != "boxes":
            return np.column_stack((self.view.places(xs), self._up(ys)))
        spread = 0.8 * self._box * ((np.arange(len(ys)) * _GOLDEN) % 1 - 0.5) * (len(ys) > 1)
        return np.column_stack((self.view.places(ys), self._row(index) + spread))

    def _row(self, index: int) -> float:
        """Return the vertical place of a box, from the top down."""
        assert self.chart is not None
        return len(self.chart.series) - 1.0 - index

    def _curves(self, chart: Chart) -> list[PlotCurve]:
        """Return the lines, each with its name at its end; dashed where it may be too low."""
        curves = []
        colours = series_colours(chart, self.theme)
        for series, colour, name in zip(chart.series, colours, self._named, strict=True):
            xs, ys = _line(series, [point.y for point in series.points])
            ys = self._up(ys)
            if series.sure_until is not None:
                turn = int(np.searchsorted(xs, series.sure_until, "right"))
                height = ys[turn - 1]
                dashed = np.append(series.sure_until, xs[turn:]), np.append(height, ys[turn:])
                curves.append(PlotCurve(*dashed, colour, style=Qt.PenStyle.DashLine, name=name))
                xs, ys = np.append(xs[:turn], series.sure_until), np.append(ys[:turn], height)
                name = ""
            curves.append(PlotCurve(xs, ys, colour, name=name))
        return curves

    def _marks(self, chart: Chart) -> Iterator[QGraphicsItem]:
        """Make the bands and a mark at each point, or at the line's end if there are many."""
        marks = []
        for index, colour in enumerate(series_colours(chart, self.theme)):
            series = chart.series[index]
            banded = [point for point in series.points if point.low is not None]
            if banded:
                xs, lows = _line(series, [point.low for point in banded], banded)
                _, highs = _line(series, [point.high for point in banded], banded)
                haze = QColor(colour)
                haze.setAlphaF(_BAND)
                places = self.view.places(np.append(xs, xs[::-1]))
                rim = self._up(np.append(highs, lows[::-1]))
                yield pg.PlotCurveItem(
                    places, rim, pen=None, brush=haze, fillLevel="enclosed", antialias=True
                )
            is_marked = not series.is_steps and len(series.points) <= _MAX_MARKS
            for spot in self._spots[index] if is_marked else self._spots[index][-1:]:
                symbol = _SYMBOLS[series.colour % len(_SYMBOLS)]
                marks.append({"pos": spot, "symbol": symbol, "brush": colour})
        yield pg.ScatterPlotItem(marks, size=8, pen=None, antialias=True)

    def _boxes(self, chart: Chart) -> Iterator[QGraphicsItem]:
        """Make boxes, whiskers and medians, and a point for each run."""
        for index, colour in enumerate(series_colours(chart, self.theme)):
            box, row = chart.series[index].box, self._row(index)
            if box is not None:
                facts = [box.low, box.first_quartile, box.median, box.third_quartile, box.high]
                low, first, median, third, high = self.view.places(np.array(facts)).tolist()
                whiskers = np.array([low, first, third, high]), np.full(4, row)
                pen = pg.mkPen(colour, width=1.5)
                yield pg.PlotCurveItem(*whiskers, pen=pen, connect="pairs", antialias=True)
                face = mix(self.theme.card, colour, 0.08)
                yield pg.BarGraphItem(
                    x0=[first], x1=[third], y=[row], height=self._box, pen=pen, brush=face
                )
                yield pg.PlotCurveItem(
                    [median, median],
                    [row - self._box / 2, row + self._box / 2],
                    pen=pg.mkPen(colour, width=3),
                )
            pen = pg.mkPen(self.theme.card, width=0.8)
            yield pg.ScatterPlotItem(
                pos=self._spots[index], size=7, pen=pen, brush=colour, antialias=True
            )

    def _cells(self, chart: Chart) -> Iterator[QGraphicsItem]:
        """Make the cells of a heat map, with their numbers."""
        theme, (low, high) = self.theme, colour_range(chart)
        for series, spots in zip(chart.series, self._spots, strict=True):
            values = [low if point.value is None else point.value for point in series.points]
            parts = [(value - low) / (high - low) if high > low else 0.5 for value in values]
            brushes = [mix(theme.tile_face, theme.tile_heat, part) for part in parts]
            yield pg.BarGraphItem(
                x=spots[:, 0],
                y0=spots[:, 1] - _CELL / 2,
                y1=spots[:, 1] + _CELL / 2,
                width=_CELL,
                pen=None,
                brushes=brushes,
            )
            for spot, value in zip(spots, values, strict=True):
                text = pg.TextItem(short(value), theme.tile_ink, anchor=(0.5, 0.5))
                text.setFont(self.bottom.style["tickFont"])
                text.setPos(*spot)
                self._texts.append((text, text.boundingRect().width()))
                yield text

    def _place_heads(self, chart: Chart) -> None:
        """Write the left axis' title above it, and the legend at the right."""
        for item in self._heads:
            self.scene().removeItem(item)
        muted, right = self.theme.muted, self.width() - _NEAR
        title = chart.x.title if chart.kind == "boxes" else chart.y.title
        self._heads = [self.put_text(title, muted)]
        self._heads[0].setPos(2, 0)
        if chart.kind == "heat-map":
            low, high = map(short, colour_range(chart))
            end, begin = (
                self.put_text(high, muted),
                self.put_text(f"{chart.value_title} {low}", muted),
            )
            end.setPos(right - end.boundingRect().width(), 0)
            size = QRectF(0, 0, scaled(_CORNER.width()), scaled(_CORNER.height()))
            size.moveTo(end.x() - _NEAR - size.width(), scaled(4))
            bar = QGraphicsRectItem(size, self.frame)
            tint = QLinearGradient(size.topLeft(), size.topRight())
            tint.setColorAt(0, self.theme.tile_face)
            tint.setColorAt(1, self.theme.tile_heat)
            bar.setBrush(tint)
            bar.setPen(pg.mkPen(self.theme.tile_edge))
            begin.setPos(size.left() - _NEAR - begin.boundingRect().width(), 0)
            self._heads += [end, begin, bar]
        elif self._key:
            room = right - 2 * _NEAR - self._heads[0].boundingRect().width()
            key = self.put_text(_elided(self._key, room), muted)
            key.setPos(right - key.boundingRect().width(), 0)
            self._heads.append(key)

    # Pointing

    def pointed_at(self, at: QPointF) -> ChartSelection | None:
        """Return the item under the mouse, or near it; at: the position in pixels of the plot."""
        chart = self.chart
        if chart is None or not self.box.sceneBoundingRect().contains(at):
            return None
        where = self.box.mapSceneToView(at)
        x, y = where.x(), where.y()
        if chart.kind == "heat-map":
            cell = (round(x), round(y))
            found = [i for i, p in enumerate(chart.series[0].points) if (p.x, p.y) == cell]
            return ChartSelection(0, found[0]) if found else None
        pixel = np.array(self.box.viewPixelSize())
        nearest, least = None, _REACH.get(chart.kind, _USUAL_REACH)
        for index, (series, spots) in enumerate(zip(chart.series, self._spots, strict=True)):
            away = np.abs(spots - (x, y)) / pixel
            distances = np.hypot(*away.T)
            if series.is_steps:
                ends = np.append(spots[1:, 0], spots[-1:, 0])
                is_on = (spots[:, 0] <= x) & (x < ends)
                distances = np.where(is_on, np.minimum(distances, away[:, 1]), distances)
            if len(distances) and distances.min() <= least:
                nearest, least = ChartSelection(index, int(distances.argmin())), distances.min()
        boxes = (ChartSelection(i, None) for i, s in enumerate(chart.series) if s.box is not None)
        return nearest or next((b for b in boxes if self._box_rect(b.series).contains(where)), None)

    def spot(self, pointed: ChartSelection) -> QPointF:
        """Return the middle of the current item in pixels of the plot."""
        if pointed.point is None:
            place = self._box_rect(pointed.series).center()
        else:
            place = QPointF(*self._spots[pointed.series][pointed.point])
        found: QPointF = self.box.mapViewToScene(place)
        return found

    def _box_rect(self, index: int) -> QRectF:
        assert self.chart is not None
        box = self.chart.series[index].box
        assert box is not None
        first, third = self.view.place(box.first_quartile), self.view.place(box.third_quartile)
        return QRectF(first, self._row(index) - self._box / 2, third - first, self._box)

    def _mark(self) -> None:
        """Draw a ring or a frame around the current item."""
        chart, pointed = self.chart, self._pointed
        frame, ring = QRectF(), None
        if chart is not None and pointed is not None:
            if pointed.point is None:
                frame = self._box_rect(pointed.series)
            elif chart.kind == "heat-map":
                frame = QRectF(0, 0, _CELL, _CELL)
                frame.moveCenter(QPointF(*self._spots[pointed.series][pointed.point]))
            else:
                ring = self._spots[pointed.series][pointed.point]
        self._frame.setRect(frame)
        self._frame.setVisible(not frame.isNull())
        self._ring.setData(pos=[] if ring is None else [ring])

    @Slot(object)
    def _hovered(self, at: QPointF) -> None:
        self._point(self.pointed_at(at))

    def _clicked(self, event: MouseClickEvent) -> None:
        pointed = self.pointed_at(event.scenePos())
        if event.button() == Qt.MouseButton.LeftButton and not event.double() and pointed:
            self._point(pointed)
            self._choose()

    def leaveEvent(self, event: QEvent) -> None:
        self._point(None)
        super().leaveEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._point(None)
        super().focusOutEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if self.chart is not None and key in STEPS:
            self._point(_next(self.chart, self._pointed, *STEPS[key]))
            announce(self, self.accessibleDescription())
        elif self._pointed is not None and key in CHOOSE:
            self._choose()
        elif key == Qt.Key.Key_Home:
            self.view.fit()
        elif (self.left.named and self.bottom.named) or not self.view.press(key):
            super().keyPressEvent(event)

    def _choose(self) -> None:
        if self.chart is not None and self._pointed is not None:
            places = places_of(self.chart, self._pointed)
            if places:
                QToolTip.hideText()
                self.chosen.emit(places, self.mapToGlobal(self.spot(self._pointed).toPoint()))

    def _point(self, pointed: ChartSelection | None) -> None:
        if pointed == self._pointed or self.chart is None:
            return
        self._pointed = pointed
        self.setCursor(
            Qt.CursorShape.ArrowCursor if pointed is None else Qt.CursorShape.PointingHandCursor
        )
        self._describe()
        self._mark()
        if pointed is None:
            QToolTip.hideText()
        else:
            place = self.mapToGlobal(self.spot(pointed).toPoint() + QPoint(8, -4))
            QToolTip.showText(place, tool_tip(words_of(self.chart, pointed)), self)

    def _describe(self) -> None:
        """Describe the chart, or the current item, for screen readers."""
        chart = self.chart
        if chart is None:
            self.setAccessibleDescription("")
        elif self._pointed is not None:
            self.setAccessibleDescription(words_of(chart, self._pointed))
        else:
            names = "; ".join(each.title for each in chart.series)
            self.setAccessibleDescription(
                tr(
                    "{caption} {y_title} over {x_title}: {names}",
                    caption=chart.caption,
                    y_title=chart.y.title,
                    x_title=chart.x.title,
                    names=names,
                )
            )


def _next(
    chart: Chart, pointed: ChartSelection | None, n_series: int, n_points: int
) -> ChartSelection | None:
    """Return the item that an arrow key leads to."""
    if not chart.series:
        return None
    if pointed is None:
        return ChartSelection(0, 0)
    series = min(max(pointed.series + n_series, 0), len(chart.series) - 1)
    point = (pointed.point or 0) + n_points
    return ChartSelection(series, min(max(point, 0), len(chart.series[series].points) - 1))


def _line(
    series: Series, values: Sequence[float | None], points: Sequence[Point] | None = None
) -> tuple[Floats, Floats]:
    """Return the corners of a line through values; a stepped line keeps each height."""
    xs = np.array([point.x for point in points or series.points], np.float64)
    ys = np.array(values, np.float64)
    return (np.repeat(xs, 2)[1:], np.repeat(ys, 2)[:-1]) if series.is_steps else (xs, ys)


def _widest(texts: Iterable[str]) -> float:
    metrics = QFontMetricsF(text_font("small"))
    return max(map(metrics.horizontalAdvance, texts), default=0.0)


def _elided(text: str, width: float) -> str:
    metrics = QFontMetricsF(text_font("small"))
    return metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, width)


def _numbers(chart: Chart) -> list[float]:
    """Return all numbers along the lower axis."""
    if chart.kind != "boxes":
        return [point.x for each in chart.series for point in each.points]
    return [point.y for each in chart.series for point in each.points] + [
        end
        for each in chart.series
        if each.box is not None
        for end in (each.box.low, each.box.high)
    ]


def _bounds(chart: Chart) -> Iterator[float]:
    """Return all numbers along the left axis, including those of the bands."""
    for each in chart.series:
        for point in each.points:
            yield from (n for n in (point.y, point.low, point.high) if n is not None)


def _ends(values: Sequence[float]) -> tuple[float, float]:
    return min(values, default=0.0), max(values, default=1.0)


def series_colours(chart: Chart, theme: Theme) -> list[QColor]:
    """Return the colour of each series, which is that of its setting in all charts."""
    colours = [readable(colour, theme, _LINE_CONTRAST) for colour in curve_colours(theme)]
    return [colours[series.colour % len(colours)] for series in chart.series]
