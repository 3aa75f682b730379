"""Small pictures of best boards, a few kilobytes each, made in whatever thread needs them."""

import numpy as np
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageWriter, QPainter, QPixmap

from tilelab.gui.boards.record_picture import scene_of
from tilelab.gui.boards.scene import CellScene, picture_layout, picture_size
from tilelab.gui.widgets.theme import load_theme
from tilelab.runs.history.record import RunRecord

SIDE = 96
"""Longest side in pixels."""
MOST_BYTES = 4096
_LEAST_SIDE, _STEP = 24, 12
_LEAST_PITCH = 12
"""From one tile to the next, in pixels; smaller letters cannot be drawn."""
_BEST_COMPRESSION = 100


def picture_of(record: RunRecord) -> bytes:
    """Return a PNG picture of a run's board with nothing behind it; b'' when it has none."""
    scene = scene_of(record)
    if scene is None or not all(scene.shape):
        return b""
    whole = _painted(scene)
    for side in range(SIDE, _LEAST_SIDE, -_STEP):
        data = _png(_few_colours(_fitted(whole, side)))
        if len(data) <= MOST_BYTES:
            return data
    return b""


def pixmap_of(data: bytes, side: int, ratio: float) -> QPixmap | None:
    """Read a picture; None when it is none. side: the longest, in points; ratio: pixels a point."""
    image = QImage.fromData(data) if 0 < len(data) <= MOST_BYTES else QImage()
    if image.isNull() or max(image.width(), image.height()) > SIDE:
        return None
    pixmap = QPixmap.fromImage(_fitted(image, round(side * ratio)))
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


def _painted(scene: CellScene) -> QImage:
    """Paint a board so large that its letters can be read, to be made smaller afterwards."""
    size = picture_size(scene.shape, max(SIDE, _LEAST_PITCH * max(scene.shape)))
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    # Tiles are the same wood on a light and on a dark ground; a picture is kept longer than either.
    scene.paint(painter, picture_layout(scene.shape, size), load_theme("light"))
    painter.end()
    return image


def _fitted(image: QImage, side: int) -> QImage:
    if max(image.width(), image.height()) == side:
        return image
    keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    return image.scaled(QSize(side, side), keep, smooth)


def _few_colours(image: QImage) -> QImage:
    """Round each part of a colour to one of 64 steps, so that the picture takes less room."""
    plain = image.convertToFormat(QImage.Format.Format_ARGB32)
    parts = np.frombuffer(plain.bits(), np.uint8)
    rounded = np.rint(np.rint(parts * (63 / 255)) * (255 / 63)).astype(np.uint8)
    coarse = QImage(
        rounded.tobytes(),
        plain.width(),
        plain.height(),
        plain.bytesPerLine(),
        QImage.Format.Format_ARGB32,
    )
    return coarse.copy()


def _png(image: QImage) -> bytes:
    written = QByteArray()
    buffer = QBuffer(written)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QImageWriter(buffer, QByteArray(b"png"))
    writer.setCompression(_BEST_COMPRESSION)
    writer.write(image)
    buffer.close()
    return bytes(written.data())
