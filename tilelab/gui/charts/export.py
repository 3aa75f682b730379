"""A chart as a picture of its own, drawn without the widget, and its rows as a table."""

import csv
import io
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from tilelab.core.text.language import tr
from tilelab.gui.charts.curves import legend_of
from tilelab.gui.charts.ticks import axis_ticks, tick_step, tick_text, ticks
from tilelab.gui.widgets.text_painter import Lettering, png_bytes, svg_bytes
from tilelab.gui.widgets.theme import Theme, tokens
from tilelab.runs.trace import Trace

PICTURE_SIZE = QSize(960, 480)
_LEFT, _TOP, _RIGHT, _BOTTOM = 72.0, 64.0, 32.0, 64.0
_STROKE, _NEAR, _APART = 18, 8, 24
_HEADING_WIDTH = 180.0
"""The legend goes on in another line before it runs into the heading."""


@dataclass(frozen=True, eq=False)
class PictureCurve:
    """One curve of a picture."""

    title: str
    colour: QColor
    width: float
    units: NDArray[np.float64]
    values: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ChartPicture:
    """Everything that a picture of a chart shows."""

    title: str
    unit: str
    """Label of the axis below."""
    unit_range: tuple[float, float]
    value_range: tuple[float, float]
    curves: tuple[PictureCurve, ...]
    """Drawn in this order, the last one on top; the legend has them the other way round."""
    smallest_step: float = 1.0
    """Between two ticks of the axis below."""
    knee: float = 0.0
    """Of a logarithmic axis below, along which units and their range are given; 0: it is linear."""


def chart_file(picture: ChartPicture, kind: str, theme: Theme) -> bytes:
    """Return what a file of a chart holds.

    kind: 'png' of 1920 × 960 pixels, or 'svg' whose letters are shapes, so that it looks alike
    everywhere.
    """

    def paint(painter: QPainter) -> None:
        paint_chart(painter, PICTURE_SIZE, picture, theme, outlines=kind == "svg")

    if kind == "png":
        return png_bytes(PICTURE_SIZE, theme.card, paint, scale=2.0)
    titles = ", ".join(curve.title for curve in reversed(legend_of(picture.curves)))
    return svg_bytes(PICTURE_SIZE, theme.card, picture.title or tr("Chart"), titles, paint)


def chart_csv(trace: Trace, unit: str) -> str:
    """Write a trace as CSV with a heading.

    While every unit has its own bucket: the unit and its metrics. In a longer run: the first and
    last unit of each bucket, and of every metric the smallest and the largest value in it.
    """
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    kept, width = trace.buckets(), trace.width
    if width == 1:
        table.writerow([unit, *trace.names])
        for index in range(trace.n_used):
            table.writerow([index, *(_number(value) for value in kept.low[:, index].tolist())])
        return written.getvalue()
    extremes = [f"{name}_{side}" for name in trace.names for side in ("min", "max")]
    table.writerow([f"first_{unit}", f"last_{unit}", *extremes])
    for index in range(trace.n_used):
        pairs = np.column_stack((kept.low[:, index], kept.high[:, index])).ravel()
        last = min((index + 1) * width, trace.n_units) - 1
        table.writerow([index * width, last, *(_number(value) for value in pairs.tolist())])
    return written.getvalue()


def paint_chart(
    painter: QPainter, size: QSize, picture: ChartPicture, theme: Theme, outlines: bool = False
) -> None:
    """Draw a chart with its heading, legend, grid and axes."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    area = QRectF(0, 0, size.width(), size.height()).adjusted(_LEFT, _TOP, -_RIGHT, -_BOTTOM)
    heading = Lettering(
        painter, tokens()["sizes"]["title"], theme.text, strong=True, outlines=outlines
    )
    heading.draw(QPointF(24, 30), picture.title, align=0.0)
    small = Lettering(painter, tokens()["sizes"]["small"], theme.muted, outlines=outlines)
    _paint_axes(painter, area, picture, theme, small)
    _paint_legend(painter, area, picture, small)
    painter.save()
    # Half a pen's width beyond the area, so that a curve on its rim is not cut in two.
    painter.setClipRect(area.adjusted(-2, -2, 2, 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for curve in picture.curves:
        pen = QPen(curve.colour, curve.width)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        lefts = _placed(curve.units, picture.unit_range, area.left(), area.right())
        tops = _placed(curve.values, picture.value_range, area.bottom(), area.top())
        points = [
            QPointF(left, top) for left, top in zip(lefts.tolist(), tops.tolist(), strict=True)
        ]
        painter.drawPolyline(QPolygonF(points))
    painter.restore()


def _paint_axes(
    painter: QPainter, area: QRectF, picture: ChartPicture, theme: Theme, small: Lettering
) -> None:
    low, high = picture.value_range
    step = tick_step(low, high, area.height() / 56)
    for value in ticks(low, high, step):
        top = float(_placed(np.array([value]), (low, high), area.bottom(), area.top())[0])
        painter.setPen(QPen(theme.grid, 1))
        painter.drawLine(QLineF(area.left(), top, area.right(), top))
        small.draw(QPointF(area.left() - 10, top), tick_text(value, step), align=1.0)
    low, high = picture.unit_range
    for value, text in axis_ticks(
        low, high, area.width() / 96, picture.smallest_step, picture.knee
    ):
        left = float(_placed(np.array([value]), (low, high), area.left(), area.right())[0])
        small.draw(QPointF(left, area.bottom() + 16), text)
    small.draw(QPointF(area.center().x(), area.bottom() + 42), picture.unit)


def _paint_legend(painter: QPainter, area: QRectF, picture: ChartPicture, small: Lettering) -> None:
    lines: list[list[PictureCurve]] = [[]]
    room = area.width() - _HEADING_WIDTH
    left_over = room
    for curve in legend_of(picture.curves):
        width = small.width(curve.title) + _STROKE + _NEAR + _APART
        if lines[-1] and width > left_over:
            lines.append([])
            left_over = room
        lines[-1].append(curve)
        left_over -= width
    for index, line in enumerate(lines):
        right, middle = area.right(), 30 + 18 * index
        for curve in reversed(line):
            small.draw(QPointF(right, middle), curve.title, align=1.0)
            right -= small.width(curve.title) + _NEAR
            painter.setPen(QPen(curve.colour, curve.width + 0.5))
            painter.drawLine(QLineF(right - _STROKE, middle, right, middle))
            right -= _STROKE + _APART


def _placed(
    values: NDArray[np.float64], bounds: tuple[float, float], start: float, end: float
) -> NDArray[np.float64]:
    """Map values between two bounds onto a length of the picture."""
    low, high = bounds
    return start + (values - low) / (high - low) * (end - start)


def _number(value: float) -> str:
    """Write a number so that it reads back the same; nothing for one that is not finite."""
    if not np.isfinite(value):
        return ""
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(value)
