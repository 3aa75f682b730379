"""Small plots with two axes, drawn into a rectangle."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from tilelab.gui.charts.ticks import Range, axis_ticks, log_place
from tilelab.gui.widgets.text_painter import Lettering
from tilelab.gui.widgets.theme import Theme

_LEFT, _TOP, _BELOW, _RIGHT = 44.0, 22.0, 34.0, 8.0
_PIXELS = 12
_ROOM_OF_TICK = (56.0, 26.0)
"""Pixels that a tick needs along the lower and the left axis."""


@dataclass(frozen=True)
class SmallPlot:
    """A plot's room and what its axes span."""

    rect: QRectF
    """Titles and ticks included."""
    x: Range
    y: Range
    """In places along the axis: logarithms where there is a knee."""
    knee: float = 0.0
    """Of a logarithmic axis at the left; 0: it is linear."""

    @property
    def inside(self) -> QRectF:
        """The room of the curves."""
        return self.rect.adjusted(_LEFT, _TOP, -_RIGHT, -_BELOW)

    def point(self, x: float, y: float) -> QPointF:
        """Return where a value stands."""
        inside = self.inside
        place = log_place(y, self.knee) if self.knee else y
        across = (x - self.x[0]) / (self.x[1] - self.x[0])
        up = (place - self.y[0]) / (self.y[1] - self.y[0])
        x, y = inside.left() + across * inside.width(), inside.bottom() - up * inside.height()
        return QPointF(x, y)

    def bar(self, x: float, low: float, high: float, share: float = 0.76) -> QRectF:
        """Return a bar one unit wide at ``x``, but for a gap."""
        begin, end = self.point(x - share / 2, high), self.point(x + share / 2, low)
        return QRectF(begin, end)

    def paint_axes(
        self,
        painter: QPainter,
        titles: tuple[str, str],
        theme: Theme,
        outlines: bool = False,
        whole_numbers: bool = True,
    ) -> None:
        """Draw the title of the left axis above it, that of the lower one below, and ticks."""
        inside = self.inside
        strong = Lettering(painter, _PIXELS, theme.text, strong=True, outlines=outlines)
        plain = Lettering(painter, _PIXELS, theme.muted, outlines=outlines)
        strong.draw(QPointF(self.rect.left() + 2, self.rect.top() + 8), titles[0], align=0.0)
        foot = QPointF(inside.center().x(), self.rect.bottom() - 7)
        plain.draw(foot, titles[1])
        smallest = 1.0 if whole_numbers else 0.0
        n_steps = inside.height() / _ROOM_OF_TICK[1]
        for place, text in axis_ticks(*self.y, n_steps, smallest, self.knee):
            up = (place - self.y[0]) / (self.y[1] - self.y[0])
            y = inside.bottom() - up * inside.height()
            painter.setPen(QPen(theme.grid, 1.0))
            painter.drawLine(QLineF(inside.left(), y, inside.right(), y))
            plain.draw(QPointF(inside.left() - 6, y), text, align=1.0)
        for value, text in axis_ticks(*self.x, inside.width() / _ROOM_OF_TICK[0], 1.0):
            x = self.point(value, 0).x()
            plain.draw(QPointF(x, inside.bottom() + 10), text)
        painter.setPen(QPen(theme.line, 1.0))
        painter.drawLine(inside.bottomLeft(), inside.bottomRight())


def paint_legend(
    painter: QPainter,
    right: QPointF,
    entries: Sequence[tuple[str, QPen, bool]],
    theme: Theme,
    outlines: bool = False,
    room: float = math.inf,
) -> None:
    """Explain colours in a line that ends at a point: words, pen, and whether it fills.

    Where the line is wider than its room, the swatches stand closer to their words.
    """
    text = Lettering(painter, _PIXELS, theme.muted, outlines=outlines)
    wide = sum(text.width(word) + 32 for word, _, _ in entries) - 14
    x, gap, swatch = (right.x(), 14, 12) if wide <= room else (right.x(), 6, 8)
    for word, pen, is_filled in reversed(entries):
        text.draw(QPointF(x, right.y()), word, align=1.0)
        x -= text.width(word) + swatch + (6 if gap > 6 else 3)
        painter.setPen(pen)
        if is_filled:
            painter.fillRect(QRectF(x, right.y() - 5, swatch, 10), pen.color())
        elif pen.widthF() < 1.5:
            painter.drawRect(QRectF(x + 0.5, right.y() - 4.5, swatch - 1, 9))
        else:
            painter.drawLine(QLineF(x, right.y(), x + swatch, right.y()))
        x -= gap
