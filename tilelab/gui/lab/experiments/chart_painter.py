"""Draws an experiment's chart: in files, and in the window, where the user points at it."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import one_line, tool_tip
from tilelab.experiments.chart_values import Chart, Series
from tilelab.gui.charts.curves import LABEL_PIXELS, readable, spread
from tilelab.gui.lab.experiments.chart_layout import (
    BAR_WIDTH,
    LINE,
    SLANT_DEGREES,
    ChartLayout,
    Pointed,
    colour_range,
    colour_texts,
    elided,
    family,
    laid_out,
    places_of,
    short,
    slanted_width,
    small_metrics,
    words_of,
)
from tilelab.gui.widgets.access import announce
from tilelab.gui.widgets.text_painter import Lettering, png_bytes, scaled_room, svg_bytes
from tilelab.gui.widgets.theme import Theme, current_theme, curve_colours, keep_themed, mix, tokens

FILE_SIZE = QSize(960, 600)
_BAND, _FEW = 0.16, 24
"""How much of a band's colour is seen; a line of so many points has a mark at each."""
_RING, _LINE_CONTRAST = 6.0, 2.0
_STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
"""Series and points that an arrow goes by."""
_CHOOSE = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class _Pen:
    """What every part draws with."""

    def __init__(
        self, painter: QPainter, layout: ChartLayout, theme: Theme, *, outlines: bool
    ) -> None:
        self.painter, self.layout, self.theme, self.outlines = painter, layout, theme, outlines
        self.muted = self.lettering(theme.muted)

    def lettering(self, colour: QColor, *, strong: bool = False) -> Lettering:
        """Return what writes small text."""
        pixels = tokens()["sizes"]["small"]
        return Lettering(self.painter, pixels, colour, strong=strong, outlines=self.outlines)


def paint_chart(
    painter: QPainter,
    layout: ChartLayout,
    theme: Theme,
    pointed: Pointed | None = None,
    *,
    outlines: bool = False,
) -> None:
    """Draw a chart; outlines: texts as shapes, which need no font where they are shown."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = _Pen(painter, layout, theme, outlines=outlines)
    _paint_axes(pen)
    if layout.chart.kind == "heat-map":
        _paint_cells(pen)
    elif layout.chart.kind == "boxes":
        _paint_boxes(pen)
    else:
        _paint_curves(pen)
    if pointed is not None:
        _paint_pointed(pen, pointed)


def chart_file(chart: Chart, kind: str, theme: Theme) -> bytes:
    """Return what a file of a chart holds, with its title and its caption.

    kind: 'png' of 1920 × 1200 pixels, or 'svg' whose letters are shapes.
    """

    def paint(painter: QPainter) -> None:
        rim = 32.0
        width = FILE_SIZE.width() - 2 * rim
        size = tokens()["sizes"]
        heading = Lettering(painter, size["title"], theme.text, strong=True, outlines=kind == "svg")
        caption = Lettering(painter, size["small"], theme.muted, outlines=kind == "svg")
        lines = _wrapped(chart.caption, width)
        bottom = FILE_SIZE.height() - rim - LINE * len(lines)
        heading.draw(QPointF(rim, rim), one_line(chart.title), align=0.0)
        for index, line in enumerate(lines):
            caption.draw(QPointF(rim, bottom + LINE * (index + 1)), line, align=0.0)
        rect = QRectF(rim, rim + 20, width, bottom - rim - 28)
        paint_chart(painter, laid_out(chart, rect), theme, outlines=kind == "svg")

    if kind == "png":
        return png_bytes(FILE_SIZE, theme.card, paint, scale=2.0)
    return svg_bytes(FILE_SIZE, theme.card, chart.title, chart.caption, paint)


def _wrapped(text: str, width: float) -> list[str]:
    metrics = small_metrics()
    lines = [""]
    for word in one_line(text).split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and metrics.horizontalAdvance(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def series_colours(chart: Chart, theme: Theme) -> list[QColor]:
    """Return a colour for each series; boxes of the same solver have the same."""
    colours = [readable(colour, theme, _LINE_CONTRAST) for colour in curve_colours(theme)]
    if chart.kind != "boxes":
        return [colours[index % len(colours)] for index in range(len(chart.series))]
    families = [family(each.title) for each in chart.series]
    order = list(dict.fromkeys(families))
    return [colours[order.index(family) % len(colours)] for family in families]


def _paint_axes(pen: _Pen) -> None:
    layout, painter, area = pen.layout, pen.painter, pen.layout.area
    painter.setPen(QPen(pen.theme.grid, 1.0))
    if not layout.chart.y.labels:
        for part, _ in layout.y_ticks:
            y = round(area.bottom() - part * area.height()) + 0.5
            painter.drawLine(QLineF(area.left(), y, area.right(), y))
    for part, text in layout.y_ticks:
        point = QPointF(area.left() - 8, area.bottom() - part * area.height())
        pen.muted.draw(point, elided(text, point.x() - layout.rect.left()), align=1.0)
    for part, text in layout.x_ticks:
        x = area.left() + part * area.width()
        if layout.is_slanted:
            painter.save()
            painter.translate(x + 4, area.bottom() + LINE * 0.7)
            painter.rotate(-SLANT_DEGREES)
            pen.muted.draw(QPointF(0, 0), elided(text, slanted_width(layout, x)), align=1.0)
            painter.restore()
        else:
            pen.muted.draw(QPointF(x, area.bottom() + LINE * 0.8), text)
    title = QPointF(area.center().x(), layout.rect.bottom() - LINE / 2)
    pen.muted.draw(title, elided(layout.chart.x.title, area.width()))
    over = QPointF(layout.rect.left(), layout.rect.top() + LINE / 2)
    half = layout.rect.width() / 2 - 8
    pen.muted.draw(over, elided(layout.chart.y.title, half), align=0.0)
    over.setX(layout.rect.right())
    pen.muted.draw(over, elided(layout.chart.value_title or layout.name_words, half), align=1.0)


def _paint_curves(pen: _Pen) -> None:
    layout, painter = pen.layout, pen.painter
    colours = series_colours(layout.chart, pen.theme)
    for series, colour in zip(layout.chart.series, colours, strict=True):
        _paint_band(pen, series, colour)
    for index, (series, colour) in enumerate(zip(layout.chart.series, colours, strict=True)):
        spots = layout.spots[index]
        line = QPen(colour, 2.0)
        line.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        whole = _steps(spots) if series.is_steps else spots
        painter.setPen(line)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if series.sure_until is None:
            painter.drawPolyline(QPolygonF(whole))
        else:
            turn = layout.spot(series.sure_until, 0).x()
            painter.drawPolyline(QPolygonF(_until(whole, turn)))
            line.setDashPattern([3.0, 2.0])
            painter.setPen(line)
            painter.drawPolyline(QPolygonF(_until(whole[::-1], turn)))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        # Where a line ends is seen in any case: it may be a point alone.
        has_marks = not series.is_steps and len(spots) <= _FEW
        for spot in spots if has_marks else spots[-1:]:
            _paint_mark(painter, spot, index)
    _paint_names(pen, colours)


def _paint_band(pen: _Pen, series: Series, colour: QColor) -> None:
    points = [p for p in series.points if p.low is not None and p.high is not None]
    lows = [pen.layout.spot(p.x, p.low) for p in points if p.low is not None]
    highs = [pen.layout.spot(p.x, p.high) for p in points if p.high is not None]
    if series.is_steps:
        lows, highs = _steps(lows), _steps(highs)
    band = QColor(colour)
    band.setAlphaF(_BAND)
    pen.painter.setPen(Qt.PenStyle.NoPen)
    pen.painter.setBrush(band)
    pen.painter.drawPolygon(QPolygonF([*highs, *reversed(lows)]))


def _paint_names(pen: _Pen, colours: Sequence[QColor]) -> None:
    """Write each curve's name at its end, in its colour."""
    layout, area = pen.layout, pen.layout.area
    ends = [(0.0, -spots[-1].y()) for spots in layout.spots]
    room = layout.rect.right() - area.right() - 8
    heights = spread(ends, -area.top())
    for series, colour, height in zip(layout.chart.series, colours, heights, strict=True):
        if -height <= area.bottom() + LABEL_PIXELS / 2:
            name = pen.lettering(readable(colour, pen.theme), strong=True)
            name.draw(
                QPointF(area.right() + 8, -height),
                elided(layout.names[series.title], room * 0.94),
                0.0,
            )


def _paint_mark(painter: QPainter, spot: QPointF, index: int) -> None:
    """Draw a circle, a square, a rhomb or a triangle."""
    reach = 3.6
    if index % 4 == 0:
        painter.drawEllipse(spot, reach, reach)
        return
    corners = {
        1: ((-1, -1), (1, -1), (1, 1), (-1, 1)),
        2: ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
        3: ((0, -1.3), (1.2, 1), (-1.2, 1)),
    }[index % 4]
    painter.drawPolygon([spot + QPointF(x * reach, y * reach) for x, y in corners])


def _paint_boxes(pen: _Pen) -> None:
    layout, painter, theme = pen.layout, pen.painter, pen.theme
    for index, colour in enumerate(series_colours(layout.chart, pen.theme)):
        box = layout.chart.series[index].box
        if box is not None:
            rect = layout.box_rect(index, box)
            painter.setPen(QPen(colour, 1.5))
            for low, high in ((box.low, box.first_quartile), (box.third_quartile, box.high)):
                painter.drawLine(layout.spot(index, low), layout.spot(index, high))
            painter.setBrush(mix(theme.card, colour, 0.08))
            painter.drawRoundedRect(rect, 4, 4)
            median = layout.spot(index, box.median).y()
            painter.setPen(QPen(colour, 3.0))
            painter.drawLine(QLineF(rect.left(), median, rect.right(), median))
        painter.setPen(QPen(theme.card, 0.8))
        painter.setBrush(colour)
        for spot in layout.spots[index]:
            painter.drawEllipse(spot, 3.2, 3.2)


def _paint_cells(pen: _Pen) -> None:
    layout, painter, theme = pen.layout, pen.painter, pen.theme
    low, high = colour_range(layout.chart)
    ink = pen.lettering(theme.tile_ink)
    for series in layout.chart.series:
        for point in series.points:
            rect = layout.cell(point)
            value = low if point.value is None else point.value
            part = (value - low) / (high - low) if high > low else 0.5
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(mix(theme.tile_face, theme.tile_heat, part))
            painter.drawRoundedRect(rect, 4, 4)
            text = short(value)
            if ink.width(text) < rect.width() - 4 and rect.height() > LINE:
                ink.draw(rect.center(), text)
    bar = QRectF(layout.area.right() + 8, layout.area.top(), BAR_WIDTH, layout.area.height())
    tint = QLinearGradient(bar.bottomLeft(), bar.topLeft())
    tint.setColorAt(0, theme.tile_face)
    tint.setColorAt(1, theme.tile_heat)
    painter.setPen(QPen(theme.tile_edge, 1.0))
    painter.setBrush(tint)
    painter.drawRoundedRect(bar, 4, 4)
    for text, y in zip(colour_texts(layout.chart), (bar.bottom() - 6, bar.top() + 6), strict=True):
        pen.muted.draw(QPointF(bar.right() + 8, y), text, align=0.0)


def _paint_pointed(pen: _Pen, pointed: Pointed) -> None:
    layout, painter = pen.layout, pen.painter
    series = layout.chart.series[pointed.series]
    painter.setPen(QPen(pen.theme.text, 1.6))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if layout.chart.kind == "heat-map" and pointed.point is not None:
        painter.drawRoundedRect(layout.cell(series.points[pointed.point]), 4, 4)
    elif pointed.point is not None:
        painter.drawEllipse(layout.spots[pointed.series][pointed.point], _RING, _RING)
    elif series.box is not None:
        rect = layout.box_rect(pointed.series, series.box)
        painter.drawRoundedRect(rect.adjusted(-3, -3, 3, 3), 6, 6)


def _steps(spots: Sequence[QPointF]) -> list[QPointF]:
    """Return a line that keeps the height of a spot until the next one."""
    line: list[QPointF] = []
    for spot in spots:
        if line:
            line.append(QPointF(spot.x(), line[-1].y()))
        line.append(spot)
    return line


def _until(line: Sequence[QPointF], x: float) -> list[QPointF]:
    """Return the part of a line of steps before a place, from whichever end the line begins."""
    is_upward = line[0].x() <= x
    part = [line[0]]
    for spot in line[1:]:
        if (spot.x() > x) if is_upward else (spot.x() < x):
            return [*part, QPointF(x, part[-1].y())]
        part.append(spot)
    return part


class ExperimentChart(QWidget):
    """Draws a chart; mouse and arrows point at what is in it."""

    chosen = Signal(object, QPoint)
    """The places in the plan of the runs behind what was chosen, and where that was on the screen.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("experiment_chart")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._chart: Chart | None = None
        self._layout: ChartLayout | None = None
        self._pointed: Pointed | None = None
        keep_themed(self, self._lay_out_again)

    @property
    def chart(self) -> Chart | None:
        """What is drawn."""
        return self._chart

    @property
    def chart_layout(self) -> ChartLayout | None:
        """Where everything of it lies, in pixels of the usual size of texts."""
        if self._layout is None and self._chart is not None:
            _, room = scaled_room(self.size())
            self._layout = laid_out(self._chart, room.adjusted(2, 2, -2, -2))
        return self._layout

    def show_chart(self, chart: Chart | None) -> None:
        """Draw another chart."""
        self._chart, self._layout, self._pointed = chart, None, None
        self.setAccessibleName(
            tr("Chart") if chart is None else tr("Chart: {title}", title=chart.title)
        )
        self._describe()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(560, 360)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 180)

    def _lay_out_again(self) -> None:
        self._layout = None
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._layout = None
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        layout = self.chart_layout
        if layout is not None:
            painter = QPainter(self)
            scale, _ = scaled_room(self.size())
            painter.scale(scale, scale)
            paint_chart(painter, layout, current_theme(), self._pointed)
            painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        layout = self.chart_layout
        self._point(
            None if layout is None else layout.pointed_at(self._in_layout(event.position()))
        )
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._point(None)
        super().leaveEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._point(None)
        super().focusOutEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        layout = self.chart_layout
        pointed = None if layout is None else layout.pointed_at(self._in_layout(event.position()))
        if event.button() == Qt.MouseButton.LeftButton and pointed is not None:
            self._point(pointed)
            self._choose()
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if self._chart is not None and key in _STEPS:
            self._point(_beside(self._chart, self._pointed, *_STEPS[key]))
            announce(self, self.accessibleDescription())
        elif self._pointed is not None and key in _CHOOSE:
            self._choose()
        else:
            super().keyPressEvent(event)

    def _in_layout(self, point: QPointF) -> QPointF:
        return point / scaled_room(self.size())[0]

    def _choose(self) -> None:
        if self._chart is not None and self._pointed is not None:
            places = places_of(self._chart, self._pointed)
            if places:
                QToolTip.hideText()
                self.chosen.emit(places, self.mapToGlobal(self._spot().toPoint()))

    def _point(self, pointed: Pointed | None) -> None:
        if pointed == self._pointed or self._chart is None:
            return
        self._pointed = pointed
        self.setCursor(
            Qt.CursorShape.ArrowCursor if pointed is None else Qt.CursorShape.PointingHandCursor
        )
        self._describe()
        if pointed is None:
            QToolTip.hideText()
        else:
            spot = self._spot().toPoint() + QPoint(8, -4)
            words = tool_tip(words_of(self._chart, pointed))
            QToolTip.showText(self.mapToGlobal(spot), words, self)
        self.update()

    def _spot(self) -> QPointF:
        """Return the middle of what is pointed at, in pixels of the widget."""
        return self._spot_in_layout() * scaled_room(self.size())[0]

    def _spot_in_layout(self) -> QPointF:
        layout, pointed = self.chart_layout, self._pointed
        if layout is None or pointed is None:
            return QPointF()
        series = layout.chart.series[pointed.series]
        if pointed.point is not None:
            return layout.spots[pointed.series][pointed.point]
        return QPointF() if series.box is None else layout.spot(pointed.series, series.box.median)

    def _describe(self) -> None:
        """Say to those who do not see it what is drawn, or what is pointed at."""
        if self._chart is None:
            self.setAccessibleDescription("")
        elif self._pointed is not None:
            self.setAccessibleDescription(words_of(self._chart, self._pointed))
        else:
            names = "; ".join(each.title for each in self._chart.series)
            self.setAccessibleDescription(
                tr(
                    "{caption} {y_title} over {x_title}: {names}",
                    caption=self._chart.caption,
                    y_title=self._chart.y.title,
                    x_title=self._chart.x.title,
                    names=names,
                )
            )


def _beside(chart: Chart, pointed: Pointed | None, n_series: int, n_points: int) -> Pointed | None:
    """Return what an arrow leads to."""
    if not chart.series:
        return None
    if pointed is None:
        return Pointed(0, 0)
    series = min(max(pointed.series + n_series, 0), len(chart.series) - 1)
    point = (pointed.point or 0) + n_points
    return Pointed(series, min(max(point, 0), len(chart.series[series].points) - 1))
