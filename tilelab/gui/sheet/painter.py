"""Pages painted: onto paper, pictures and the screen."""

from collections.abc import Sequence
from functools import cache

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPagedPaintDevice,
    QPainter,
    QPainterPath,
    QPainterPathStroker,
    QPen,
)

from tilelab.gui.widgets.theme import pixel_font
from tilelab.sheets.page import Capsule, Line, Page, Text

UNITS = 20
"""Units of a painter to the point: fonts have whole sizes."""


def paint_page(painter: QPainter, page: Page, scale: float, *, outlines: bool = False) -> None:
    """Paint a page; scale: the painter's units for each point.

    outlines: paint texts as shapes, so that the picture needs no font where it is shown.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(scale / UNITS, scale / UNITS)
    for mark in page.marks:
        if isinstance(mark, Text):
            _paint_text(painter, mark, outlines)
        elif isinstance(mark, Line):
            _paint_line(painter, mark)
        else:
            _paint_capsule(painter, mark)
    painter.restore()


def paint_pages(device: QPagedPaintDevice, pages: Sequence[Page]) -> bool:
    """Paint pages onto paper, each on its own sheet; returns whether the device takes any."""
    painter = QPainter()
    if not painter.begin(device):
        return False
    for number, page in enumerate(pages):
        if number:
            device.newPage()
        paint_page(painter, page, device.logicalDpiX() / 72)
    painter.end()
    return True


def text_width(text: str, strong: bool) -> float:
    """Return the advance of a text of size 1."""
    size = 100 * UNITS
    return QFontMetricsF(_font(size, strong)).horizontalAdvance(text) / size


@cache
def _font(units: int, strong: bool) -> QFont:
    font = pixel_font(units, strong=strong)
    # Glyphs that a feature puts in the place of others cannot be read back from a PDF.
    font.clearFeatures()
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def _paint_text(painter: QPainter, mark: Text, outlines: bool) -> None:
    font = _font(max(round(mark.size * UNITS), 1), mark.strong)
    start = QPointF(mark.x, mark.y) * UNITS
    if outlines:
        shape = QPainterPath()
        shape.addText(start, font, mark.text)
        painter.fillPath(shape, QColor(mark.colour))
        return
    painter.setFont(font)
    painter.setPen(QColor(mark.colour))
    painter.drawText(start, mark.text)


def _pen(width: float, colour: str) -> QPen:
    return QPen(
        QColor(colour), width * UNITS, Qt.PenStyle.SolidLine,
        Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin,
    )  # fmt: skip


def _paint_line(painter: QPainter, mark: Line) -> None:
    points = [QPointF(*point) * UNITS for point in mark.points]
    path = QPainterPath(points[0])
    for point in points[1:] or (points[0] + QPointF(0.01, 0.0),):
        path.lineTo(point)
    painter.strokePath(path, _pen(mark.width, mark.colour))


def _paint_capsule(painter: QPainter, mark: Capsule) -> None:
    begin, end = QPointF(*mark.begin) * UNITS, QPointF(*mark.end) * UNITS
    path = QPainterPath(begin)
    path.lineTo(end if end != begin else begin + QPointF(0.01, 0.0))
    around = QPainterPathStroker()
    around.setWidth(2 * mark.reach * UNITS)
    around.setCapStyle(Qt.PenCapStyle.RoundCap)
    outline = around.createStroke(path).simplified()
    painter.strokePath(outline, _pen(mark.width, mark.colour))
