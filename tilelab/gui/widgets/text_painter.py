"""Tools for exported pictures: texts as shapes, and PNG and SVG as bytes."""

import re
from collections.abc import Callable, Sequence
from html import unescape

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QImage,
    QImageWriter,
    QPaintEngine,
    QPainter,
    QPainterPath,
)
from PySide6.QtSvg import QSvgGenerator

from tilelab.core.text.shown_text import one_line
from tilelab.gui.widgets.theme import pixel_font, text_scale

_PER_INCH = 96  # pixels of a picture per inch of paper, as browsers take them
_METRES_PER_INCH = 0.0254
_TEXT, _FACT = re.compile(r"<text([^>]*)>(.*?)</text>", re.DOTALL), re.compile(r'(\S+)="([^"]*)"')
_STEPS = {
    QPainterPath.ElementType.MoveToElement: "M",
    QPainterPath.ElementType.LineToElement: "L",
    QPainterPath.ElementType.CurveToElement: "C",
    QPainterPath.ElementType.CurveToDataElement: "",
}
_MIN_WIDTH = 330.0  # smallest width of a drawing in pixels at the usual size of texts


def scaled_room(size: QSize) -> tuple[float, QRectF]:
    """Return the scale of a drawing's texts, and its area in pixels of the usual size.

    The caller scales the painter, so that everything grows with the texts while a minimum width has
    room.
    """
    scale = max(min(text_scale(), size.width() / _MIN_WIDTH), 1.0)
    return scale, QRectF(0, 0, size.width() / scale, size.height() / scale)


class TextPainter:
    """Draws short texts whose capitals are vertically centred on a point."""

    def __init__(
        self, painter: QPainter, pixels: int, colour: QColor, *, strong: bool = False
    ) -> None:
        self._painter, self._colour = painter, colour
        self._font = pixel_font(pixels, strong=strong)
        self._metrics = QFontMetricsF(self._font)
        self._widths: dict[str, float] = {}

    def width(self, text: str) -> float:
        """Return the advance of a text in pixels."""
        if text not in self._widths:
            self._widths[text] = self._metrics.horizontalAdvance(text)
        return self._widths[text]

    def elided(self, text: str, width: float) -> str:
        """Return a text, cut with an ellipsis if it is wider than this many pixels."""
        return self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)

    def draw(self, point: QPointF, text: str, align: float = 0.5) -> None:
        """Draw a text; align: the part of it to the left of the point, 0, 0.5 or 1."""
        left = point.x() - (self.width(text) * align if align else 0.0)
        start = QPointF(left, point.y() + self._metrics.capHeight() / 2)
        self._painter.setFont(self._font)
        self._painter.setPen(self._colour)
        self._painter.drawText(start, text)


def wrapped(widths: Sequence[float], room: float, gap: float) -> list[range]:
    """Break a legend into lines; returns the places of the entries of each line.

    widths: those of the entries in pixels. room: width of a line; a wider entry is alone in one.
    """
    lines, left = [range(0)], 0.0
    for place, width in enumerate(widths):
        if lines[-1] and left + width > room:
            lines.append(range(place, place))
            left = 0.0
        lines[-1] = range(lines[-1].start, place + 1)
        left += width + gap
    return lines


def png_bytes(
    size: QSize,
    ground: QColor,
    paint: Callable[[QPainter], None],
    scale: float = 1.0,
    per_inch: int = _PER_INCH,
) -> bytes:
    """Paint a PNG picture; scale: pixels of the picture for each of ``size``.

    per_inch: units of ``size`` per inch of paper.
    """
    image = QImage(size * scale, QImage.Format.Format_RGB32)
    image.fill(ground)
    with QPainter(image) as painter:
        painter.scale(scale, scale)
        paint(painter)
    dots = round(scale * per_inch / _METRES_PER_INCH)
    image.setDotsPerMeterX(dots)
    image.setDotsPerMeterY(dots)
    return image_png(image)


def image_png(image: QImage, compression: int = -1) -> bytes:
    """Write an image as PNG; compression: 0..100, or -1 for Qt's own."""
    written = QByteArray()
    buffer = QBuffer(written)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QImageWriter(buffer, QByteArray(b"png"))
    writer.setCompression(compression)
    writer.write(image)
    buffer.close()
    return bytes(written.data())


def svg_bytes(
    size: QSize,
    ground: QColor,
    title: str,
    description: str,
    paint: Callable[[QPainter], None],
    per_inch: int = _PER_INCH,
) -> bytes:
    """Paint an SVG 1.1 picture, the first version for which Qt writes clips.

    Its letters are shapes, so it needs no font. per_inch: units of ``size`` per inch of paper.
    """
    written = QByteArray()
    buffer = QBuffer(written)
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    generator.setResolution(per_inch)
    generator.setSize(size)
    generator.setViewBox(QRect(0, 0, size.width(), size.height()))
    generator.setTitle(one_line(title))
    generator.setDescription(one_line(description))
    with QPainter(generator) as painter:
        painter.fillRect(QRect(0, 0, size.width(), size.height()), ground)
        paint(painter)
    return _TEXT.sub(_shape_of, bytes(written.data()).decode()).encode()


def is_svg(painter: QPainter) -> bool:
    """Return whether a painter creates shapes instead of pixels."""
    return painter.paintEngine().type() == QPaintEngine.Type.SVG


def _shape_of(text: re.Match[str]) -> str:
    """Return the letters of an SVG text as a path."""
    facts = dict(_FACT.findall(text[1]))
    font = pixel_font(round(float(facts["font-size"])), strong=int(facts["font-weight"]) > 500)
    shape = QPainterPath()
    shape.addText(float(facts["x"]), float(facts["y"]), font, unescape(text[2]))
    steps = (shape.elementAt(index) for index in range(shape.elementCount()))
    path = "".join(f"{_STEPS[step.type]}{step.x:.2f},{step.y:.2f} " for step in steps)
    fill, opacity = facts["fill"], facts["fill-opacity"]
    return f'<path fill="{fill}" fill-opacity="{opacity}" stroke="none" d="{path}"/>'
