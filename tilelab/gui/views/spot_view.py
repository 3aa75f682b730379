"""Small plots, and drawings with places that show details when the user points at them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, Protocol

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import tr
from tilelab.core.views import View
from tilelab.gui.boards.cell_view import HoverView
from tilelab.gui.charts.ticks import Range, axis_ticks, log_place
from tilelab.gui.views.kinds import picture_of
from tilelab.gui.widgets.access import STEPS, announce
from tilelab.gui.widgets.parts import named
from tilelab.gui.widgets.text_painter import TextPainter, scaled_room, wrapped
from tilelab.gui.widgets.theme import Theme, current_theme, pixel_font

HEAD = 24.0
_LINE_OF_HEAD = 15.0  # height of its second line


class Spot(NamedTuple):
    """A place of a drawing and its description."""

    rect: QRectF
    words: str


class Drawing(Protocol):
    """The drawing of a view, made once for each moment."""

    @property
    def words(self) -> str:
        """Description of the drawing in a sentence."""

    def spots(self, rect: QRectF) -> list[Spot]:
        """Return the places with details, in reading order."""

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw into a rectangle."""


@dataclass(frozen=True, eq=False)
class SpotPicture:
    """A picture of a drawing below its line of text, without a window."""

    drawing: Drawing

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        n_lines = _head_lines(self.drawing, rect.width())
        _paint(self.drawing, painter, rect, theme, self.drawing.words, n_lines)


_LEFT, _TOP, _BELOW, _RIGHT = 44.0, 22.0, 34.0, 8.0
_MIN_DRAWING = 70.0
"""Minimum height of a drawing; where there is less, its line of text has to do."""
_PIXELS = 12
_GAP = 14  # pixels between two entries of a legend
_AROUND = _GAP + 18  # pixels of an entry in addition to its words
_TIGHT = 8, 3, 6  # swatch, its distance from the words, and gap where there is little room
_LINE_OF_LEGEND = 15.0  # height of a line of a legend
_ROOM_OF_TICK = (56.0, 26.0)  # pixels of a tick along the lower and the left axis
_TICK_GAP = 6  # pixels between the text of a tick and the left axis


_TWO_ROWS = 150.0  # minimum height for two plots one above the other


def part_of(column: QRectF, share: float, part: int, least: float = _TWO_ROWS) -> QRectF:
    """Return the area of the upper (0) or the lower (1) of two plots in a column.

    share: of the upper one, which has all of the height if there is room for one only. least:
    smallest height for two.
    """
    height = column.height()
    upper = height * (share if height >= least else 1.0)
    return column.adjusted(0, upper, 0, 0) if part else column.adjusted(0, 0, 0, upper - height)


@dataclass(frozen=True)
class SmallPlot:
    """Area of a plot and the ranges of its axes."""

    rect: QRectF  # area including titles and ticks
    x: Range
    y: Range  # range of places along the left axis: logarithms if there is a knee
    knee: float = 0.0  # knee of a logarithmic left axis; 0 for a linear axis
    smallest: float = 1.0  # smallest step of the ticks of the left axis
    left: float = _LEFT  # pixels that these ticks have

    @property
    def inside(self) -> QRectF:
        """Area of the curves."""
        return self.rect.adjusted(self.left, _TOP, -_RIGHT, -_BELOW)

    @property
    def left_ticks(self) -> list[tuple[float, str]]:
        """Places along the left axis and their texts."""
        n_steps = self.inside.height() / _ROOM_OF_TICK[1]
        return axis_ticks(*self.y, n_steps, self.smallest, self.knee)

    def point(self, x: float, y: float) -> QPointF:
        inside = self.inside
        place = log_place(y, self.knee) if self.knee else y
        across = (x - self.x[0]) / (self.x[1] - self.x[0])
        up = (place - self.y[0]) / (self.y[1] - self.y[0])
        x, y = inside.left() + across * inside.width(), inside.bottom() - up * inside.height()
        return QPointF(x, y)

    def bar(self, x: float, low: float, high: float, share: float = 0.76) -> QRectF:
        """Return a bar one unit wide at ``x``, minus a gap."""
        begin, end = self.point(x - share / 2, high), self.point(x + share / 2, low)
        return QRectF(begin, end)

    def paint_axes(self, painter: QPainter, titles: tuple[str, str], theme: Theme) -> None:
        """Draw the title of the left axis above it, that of the lower one below, and ticks."""
        inside = self.inside
        strong = TextPainter(painter, _PIXELS, theme.text, strong=True)
        plain = TextPainter(painter, _PIXELS, theme.muted)
        strong.draw(QPointF(self.rect.left() + 2, self.rect.top() + 8), titles[0], align=0.0)
        middle = min(inside.center().x(), self.rect.right() - plain.width(titles[1]) / 2)
        plain.draw(QPointF(middle, self.rect.bottom() - 7), titles[1])
        for place, text in self.left_ticks:
            up = (place - self.y[0]) / (self.y[1] - self.y[0])
            y = inside.bottom() - up * inside.height()
            painter.setPen(QPen(theme.grid, 1.0))
            painter.drawLine(QLineF(inside.left(), y, inside.right(), y))
            plain.draw(QPointF(inside.left() - _TICK_GAP, y), text, align=1.0)
        for value, text in axis_ticks(*self.x, inside.width() / _ROOM_OF_TICK[0], 1.0):
            x = self.point(value, 0).x()
            plain.draw(QPointF(x, inside.bottom() + 10), text)
        painter.setPen(QPen(theme.line, 1.0))
        painter.drawLine(inside.bottomLeft(), inside.bottomRight())


def in_line(*plots: SmallPlot) -> tuple[SmallPlot, ...]:
    """Put plots of a column in line, with room at the left for the longest text of their ticks."""
    advance = QFontMetricsF(pixel_font(_PIXELS)).horizontalAdvance
    texts = [text for plot in plots if not plot.rect.isEmpty() for _, text in plot.left_ticks]
    left = max([_LEFT, *(advance(text) + _TICK_GAP + 1 for text in texts)])
    return tuple(replace(plot, left=left) for plot in plots)


def paint_legend(
    painter: QPainter,
    right: QPointF,
    entries: Sequence[tuple[str, QPen, bool]],
    theme: Theme,
    room: float = math.inf,
) -> None:
    """Explain colours in lines, of which the first ends at a point.

    entries: words, a pen and a fill flag. room: width of a line, see :func:`legend_growth`.
    """
    text = TextPainter(painter, _PIXELS, theme.muted)
    lines = _legend_lines([word for word, _, _ in entries], room)
    is_tight = sum(text.width(word) + _AROUND for word, _, _ in entries) - _GAP > room
    swatch, near, gap = _TIGHT if is_tight else (12, 6, _GAP)
    for line, places in enumerate(lines):
        x, y = right.x(), right.y() + line * _LINE_OF_LEGEND
        for word, pen, is_filled in (entries[place] for place in reversed(places)):
            text.draw(QPointF(x, y), word, align=1.0)
            x -= text.width(word) + swatch + near
            painter.setPen(pen)
            if is_filled:
                painter.fillRect(QRectF(x, y - 5, swatch, 10), pen.color())
            elif pen.widthF() < 1.5:
                painter.drawRect(QRectF(x + 0.5, y - 4.5, swatch - 1, 9))
            else:
                painter.drawLine(QLineF(x, y, x + swatch, y))
            x -= gap


def legend_growth(words: Sequence[str], room: float) -> float:
    """Return the height in pixels that a legend needs in addition to its first line."""
    return (len(_legend_lines(words, room)) - 1) * _LINE_OF_LEGEND


def _legend_lines(words: Sequence[str], room: float) -> list[range]:
    """Return the places of the entries of each line of a legend, one line if they have room.

    In a small room, the swatches are closer to their words.
    """
    advance, (swatch, near, gap) = QFontMetricsF(pixel_font(_PIXELS)).horizontalAdvance, _TIGHT
    return wrapped([advance(word) + swatch + near for word in words], room, gap)


def _paint(
    drawing: Drawing, painter: QPainter, rect: QRectF, theme: Theme, words: str, n_lines: int
) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    head = TextPainter(painter, _PIXELS, theme.muted)
    for line in range(n_lines):
        text = words
        while line < n_lines - 1 and head.width(text) > rect.width() and " " in text:
            text = text.rpartition(" ")[0]
        y = rect.top() + HEAD / 2 - 3 + line * _LINE_OF_HEAD
        head.draw(QPointF(rect.left(), y), head.elided(text, rect.width()), align=0.0)
        words = words[len(text) :].lstrip()
    below = _below_head(rect, n_lines)
    if below.height() >= _MIN_DRAWING:
        drawing.paint(painter, below, theme)


class SpotView(HoverView):
    """A view of a drawing below a line that describes the current place, or else the whole.

    The arrow keys go from place to place, Escape leaves them.
    """

    name: ClassVar[str]  # object name
    title: ClassVar[str]  # accessible name in English

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, self.name, tr(self.title))
        self._drawing: Drawing | None = None
        self._focused: int | None = None
        self._n_head_lines = 1
        """Lines for the words; a second one stays, because jumps are hard to watch."""

    @property
    def said(self) -> str:
        """Text of the line at the top."""
        if self._drawing is None:
            return ""
        spots = self._spots()
        for place in (self._hovered, self._focused):
            if place is not None and place < len(spots):
                return spots[place].words
        return self._drawing.words

    def show_view(self, view: View, puzzle: Puzzle) -> None:
        """Draw another moment; the current place stays."""
        picture = picture_of(view, puzzle)
        assert isinstance(picture, SpotPicture)
        self._drawing = picture.drawing
        needed = _head_lines(self._drawing, scaled_room(self.size())[1].width())
        self._n_head_lines = max(self._n_head_lines, needed)
        n_spots = len(self._spots())
        for name in ("_hovered", "_focused"):
            place = getattr(self, name)
            if place is not None and place >= n_spots:
                setattr(self, name, None)
        self._changed()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._drawing is not None:
            width = scaled_room(self.size())[1].width()
            self._n_head_lines = _head_lines(self._drawing, width)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            scale, room = scaled_room(self.size())
            painter.scale(scale, scale)
            theme = current_theme()
            if self._drawing is not None:
                _paint(self._drawing, painter, room, theme, self.said, self._n_head_lines)
            spots = self._spots()
            for place, colour in ((self._hovered, theme.outline), (self._focused, theme.text)):
                if place is not None and place < len(spots):
                    painter.setPen(QPen(colour, 1.5, Qt.PenStyle.DashLine))
                    painter.setBrush(Qt.BrushStyle.NoBrush)
                    painter.drawRoundedRect(spots[place].rect.adjusted(-1, -1, 1, 1), 3, 3)

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw into a rectangle, without the current place."""
        if self._drawing is not None:
            SpotPicture(self._drawing).paint(painter, rect, theme)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in STEPS and self._spots():
            self._focused = self._next(*STEPS[key])
        elif key == Qt.Key.Key_Escape and self._focused is not None:
            self._focused = None
        else:
            super().keyPressEvent(event)
            return
        self._changed()
        announce(self, self.said)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._focused = None
        self._changed()
        super().focusOutEvent(event)

    def _spots(self) -> list[Spot]:
        if self._drawing is None:
            return []
        below = _below_head(scaled_room(self.size())[1], self._n_head_lines)
        return self._drawing.spots(below) if below.height() >= _MIN_DRAWING else []

    def _next(self, row: int, column: int) -> int:
        """Return the nearest place in a direction from the focused place."""
        spots = self._spots()
        if self._focused is None:
            return 0
        points = np.array([spot.rect.center().toTuple() for spot in spots])
        away = points - points[self._focused]
        along = away @ [column, row]
        across = np.abs(away @ [row, column])
        far = np.where(along > 0.5, along + 3 * across, np.inf)
        nearest = int(far.argmin())
        return nearest if np.isfinite(far[nearest]) else self._focused

    def _changed(self) -> None:
        self.setAccessibleDescription(self.said)
        self.update()

    def _place_at(self, point: QPointF) -> int | None:
        there = point / scaled_room(self.size())[0]
        found = (place for place, spot in enumerate(self._spots()) if spot.rect.contains(there))
        return next(found, None)


def _head_lines(drawing: Drawing, width: float) -> int:
    """Return the number of lines above a drawing: two where one has no room for its words."""
    return 1 + (QFontMetricsF(pixel_font(_PIXELS)).horizontalAdvance(drawing.words) > width)


def _below_head(rect: QRectF, n_lines: int) -> QRectF:
    """Return the area of a drawing below the lines of its words."""
    return rect.adjusted(0, HEAD + _LINE_OF_HEAD * (n_lines - 1), 0, 0)
