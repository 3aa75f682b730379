"""The picture of a letter board: tiles tinted by usage, and a word's path over them."""

import itertools
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from tilelab.core.text.language import marked
from tilelab.core.text.shown_text import HOLE, shown
from tilelab.gui.boards.scene import (
    BoardLayout,
    CellScene,
    heat_of,
    letter_pixels,
    paint_letter_tile,
    paint_marks,
    paint_ring,
    ring_width,
)
from tilelab.gui.widgets.text_painter import TextPainter
from tilelab.gui.widgets.theme import Theme

_STROKE_ALPHA = 0.28
_MIN_NUMBERED = 18.0  # smallest side of a tile with a number, in pixels
_CAP_HEIGHT = 0.73  # height of a capital as a part of the size of letters


@dataclass(frozen=True, eq=False)
class BoardScene(CellScene):
    """Contents of a picture of a letter board; cells are numbered row by row from 0."""

    rows: tuple[Sequence[str], ...] = ()
    """Rows of the board: a string with one symbol per cell, or the texts of the cells.

    A space is an empty cell, and ``#`` a hole: a cell that does not belong to the board.
    """
    usage: NDArray[np.int32] | None = None
    """int32 (rows * cols,): number of uses of each cell; None leaves the tiles untinted."""
    path: tuple[int, ...] = ()  # the cells of a word, in the order of its letters
    lines: tuple[tuple[int, ...], ...] = ()
    """The cells of words that stay drawn, each as a broad stroke below the letters."""

    locked: frozenset[int] = frozenset()  # cells with a padlock
    outlines_holes: bool = False  # whether holes are outlined; otherwise nothing is drawn there

    kind = marked("Letter board")

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0]) if self.rows else 0

    def text(self) -> str:
        return " / ".join(map("".join, self.rows))

    def symbol(self, cell: int) -> str:
        """Return a cell's symbol as it is shown, in upper case where that is one letter."""
        return shown(self.rows[cell // self.shape[1]][cell % self.shape[1]])

    def paint(self, painter: QPainter, layout: BoardLayout, theme: Theme) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _paint_tiles(painter, layout, self, theme)
        # As with a marker, the colour is deeper where several words cross.
        marker = QColor(theme.accent)
        marker.setAlphaF(_STROKE_ALPHA)
        for word in self.lines:
            _paint_stroke(painter, layout, word, marker, layout.tile * 0.28)
        for cell in set(self.path):
            width = max(ring_width(layout) * 0.6, 1.0)
            paint_ring(painter, layout, cell, QPen(theme.selection, width))
        paint_marks(painter, layout, self, theme)
        if self.path:
            width = max(layout.tile * 0.11, 3.0)
            _paint_stroke(painter, layout, self.path, theme.path, width)
        pixels = letter_pixels(layout)
        letters = TextPainter(painter, pixels, theme.tile_ink, strong=True)
        for cell in range(self.n_cells):
            if self.symbol(cell) != HOLE:
                letters.draw(layout.face(cell).center(), self.symbol(cell))
        for cell in self.locked:
            _paint_padlock(painter, layout.face(cell), theme)
        if self.path:
            _paint_path_numbers(painter, layout, self.path, theme)


def _paint_tiles(painter: QPainter, layout: BoardLayout, scene: BoardScene, theme: Theme) -> None:
    for cell, heat in enumerate(heat_of(scene.usage, scene.n_cells).tolist()):
        square = layout.cell_rect(cell)
        if scene.symbol(cell) == HOLE:
            if scene.outlines_holes:
                painter.setPen(QPen(theme.outline, 1, Qt.PenStyle.DashLine))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(square.adjusted(1, 1, -1, -1), layout.radius, layout.radius)
        elif scene.symbol(cell) == " ":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.grid)
            painter.drawRoundedRect(square, layout.radius, layout.radius)
        else:
            paint_letter_tile(painter, layout, square, heat, theme)


def _paint_padlock(painter: QPainter, face: QRectF, theme: Theme) -> None:
    """Draw a padlock into the lower left corner of a tile's face."""
    width = max(face.width() * 0.2, 5.0)
    body = QRectF(0, 0, width, width * 0.72)
    body.moveBottomLeft(face.bottomLeft() + QPointF(width * 0.38, -width * 0.38))
    shackle = QRectF(0, 0, width * 0.6, width * 0.8)
    shackle.moveCenter(QPointF(body.center().x(), body.top()))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.tile_ink, max(width * 0.16, 1.0)))
    painter.drawArc(shackle, 0, 180 * 16)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.tile_ink)
    painter.drawRoundedRect(body, width * 0.12, width * 0.12)


def _paint_stroke(
    painter: QPainter, layout: BoardLayout, path: Sequence[int], colour: QColor, width: float
) -> None:
    """Draw the line of a word."""
    pen = QPen(colour, width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.strokePath(_line_along(layout, path), pen)


def _line_along(layout: BoardLayout, path: Sequence[int]) -> QPainterPath:
    """Return the line from cell to cell; a single cell is a dot."""
    line = QPainterPath(layout.face(path[0]).center())
    for before, after in itertools.pairwise(path):
        start, end = layout.face(before).center(), layout.face(after).center()
        row_step = after // layout.n_cols - before // layout.n_cols
        col_step = after % layout.n_cols - before % layout.n_cols
        if max(abs(row_step), abs(col_step)) > 1:
            # On a torus, leave the board at one side and come back at the other.
            step = QPointF(_wrapped(col_step), _wrapped(row_step)) * (layout.pitch * 0.62)
            line.lineTo(start + step)
            line.moveTo(end - step)
        line.lineTo(end)
    if len(path) == 1:
        line.lineTo(layout.face(path[0]).center() + QPointF(0.01, 0.0))
    return line


def _wrapped(step: int) -> float:
    """Return the direction of a step over the edge: one column forward for each step back."""
    return float(step) if abs(step) <= 1 else (-1.0 if step > 0 else 1.0)


def _paint_path_numbers(
    painter: QPainter, layout: BoardLayout, path: Sequence[int], theme: Theme
) -> None:
    """Number the letters at the corners of their tiles; a cell used again has all its numbers.

    No number covers a letter. Where tiles are too small for numbers, a dot marks the first cell.
    """
    if layout.tile < _MIN_NUMBERED:
        painter.setPen(QPen(theme.card, 1))
        painter.setBrush(theme.selection)
        radius = layout.tile * 0.2
        painter.drawEllipse(layout.cell_rect(path[0]).topRight(), radius, radius)
        return
    pixels = min(max(round(layout.tile * 0.24), 7), 21)
    numbers = TextPainter(painter, pixels, theme.on_selection, strong=True)
    height = min(pixels * 1.45, layout.tile * 0.35)
    letter_top = layout.face(0).height() / 2 - letter_pixels(layout) * _CAP_HEIGHT / 2
    above = max(height * 0.22, height + 1 - letter_top)
    places: defaultdict[int, list[str]] = defaultdict(list)
    for place, cell in enumerate(path, start=1):
        places[cell].append(str(place))
    for cell, numbers_here in places.items():
        text = "·".join(numbers_here)
        square = layout.cell_rect(cell)
        width = max(numbers.width(text) + height * 0.55, height)
        right = square.right() + height * 0.22
        badge = QRectF(right - width, square.top() - above, width, height)
        if width > layout.pitch:
            badge.moveCenter(QPointF(square.center().x(), badge.center().y()))
        painter.setPen(QPen(theme.card, max(layout.tile * 0.03, 1.0)))
        painter.setBrush(theme.selection)
        painter.drawRoundedRect(badge, height / 2, height / 2)
        numbers.draw(badge.center(), text)
