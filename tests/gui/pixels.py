"""Pictures as numbers, for tests that know by hand what has to be where."""

import io

import numpy as np
from PIL import Image
from PySide6.QtCore import QBuffer, QByteArray
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer


def pixels(png):
    """Red, green and blue of a PNG, int (height, width, 3)."""
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)


def svg_pixels(svg, width, height):
    """Red, green and blue of an SVG drawn in a size, over a colour that no picture has."""
    renderer = QSvgRenderer(QByteArray(svg))
    assert renderer.isValid()
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(0x00FF00FF)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return pixels(_png(image))


def grabbed(widget):
    """Red, green and blue of a widget as it is drawn now."""
    return pixels(_png(widget.grab().toImage()))


def is_colour(picture, code):
    """Where a picture has a colour, such as ``#F5EAD3``, but for rounding."""
    wanted = [int(code[at : at + 2], 16) for at in (1, 3, 5)]
    return (abs(picture - wanted) <= 2).all(axis=2)


def colour_at(picture, col, row):
    """The colour of one pixel, such as ``#F5EAD3``."""
    return "#" + "".join(f"{part:02X}" for part in picture[row, col])


def bounds(changed):
    """Left, top, right and bottom of where something is true, the last two included."""
    rows, cols = np.nonzero(changed)
    return cols.min(), rows.min(), cols.max(), rows.max()


def _png(image):
    buffer = QBuffer()
    image.save(buffer, "PNG")
    return bytes(buffer.data())
