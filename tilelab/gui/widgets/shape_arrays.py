"""Thousands of lines and points out of arrays: one object of Qt each, and not one for each shape.

To make a QLineF takes Python longer than to draw it, so Qt reads all of them out of bytes, in the
format of its data streams.
"""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QByteArray, QDataStream
from PySide6.QtGui import QPainterPath, QPolygonF

_ELEMENT = np.dtype([("kind", ">i4"), ("left", ">f8"), ("top", ">f8")])
_MOVE_TO, _LINE_TO = 0, 1


def points_of(lefts: NDArray[np.float64], tops: NDArray[np.float64]) -> QPolygonF:
    """Return points, each array (n,), as what drawPoints takes."""
    values = np.stack([lefts, tops], axis=1).astype(">f8")
    points = QPolygonF()
    _stream(_count(len(lefts)) + values.tobytes()) >> points
    return points


def lines_of(ends: NDArray[np.float64]) -> QPainterPath:
    """Return lines, float64 (n, 4), from left and top to left and top, as what drawPath takes.

    To be drawn without a brush.
    """
    elements = np.empty(2 * len(ends), _ELEMENT)
    elements["kind"] = np.tile([_MOVE_TO, _LINE_TO], len(ends))
    elements["left"], elements["top"] = ends[:, ::2].ravel(), ends[:, 1::2].ravel()
    lines = QPainterPath()
    if len(ends):
        # Behind them: where the last figure begins, and how it would be filled.
        last = _count(2 * len(ends) - 2) + _count(0)
        _stream(_count(len(elements)) + elements.tobytes() + last) >> lines
    return lines


def _count(number: int) -> bytes:
    return number.to_bytes(4, "big")


def _stream(data: bytes) -> QDataStream:
    return QDataStream(QByteArray(data))
