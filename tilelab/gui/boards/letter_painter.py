"""Draws a letter board: on the screen, into a PNG and into an SVG with one function."""

import itertools
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from tilelab.core.symbols import shown
from tilelab.gui.widgets.text_painter import Lettering, png_bytes, svg_bytes
from tilelab.gui.widgets.theme import Theme, mix

GAP = 0.08
"""Space between two tiles, as a part of their pitch."""
MARGIN = 0.16
"""Space around the board for the dots and rings that stand out, as a part of the pitch."""
MAX_SCREEN_PITCH = 104.0


@dataclass(frozen=True, eq=False)
class BoardScene:
    """Everything that a picture of a board shows; cells are numbered row by row from 0."""

    rows: tuple[str, ...] = ()
    """One string a row, one symbol a cell; a space is a hole."""
    usage: NDArray[np.int32] | None = None
    """int32 (rows * cols,): how often each cell is used; None leaves the tiles untinted."""
    path: tuple[int, ...] = ()
    """The cells of a word, in the order of its letters."""
    selected: int | None = None
    hovered: int | None = None
    focused: int | None = None
    """Where the keyboard stands."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.rows), len(self.rows[0]) if self.rows else 0

    @property
    def n_cells(self) -> int:
        """How many cells there are."""
        return self.shape[0] * self.shape[1]

    def symbol(self, cell: int) -> str:
        """Return a cell's symbol as it is shown, in upper case where that is one letter."""
        return shown(self.rows[cell // self.shape[1]][cell % self.shape[1]])

    def heat(self) -> NDArray[np.float64]:
        """Return each cell's usage as a part of the largest, float64 (rows * cols,) in 0..1."""
        return heat_of(self.usage, self.n_cells)


@dataclass(frozen=True)
class BoardLayout:
    """Where the tiles of a board stand."""

    n_rows: int
    n_cols: int
    left: float
    top: float
    pitch: float
    """From one tile to the next."""
    tile: float
    """Side of a tile, its edge included."""

    @classmethod
    def fitted(
        cls, shape: tuple[int, int], rect: QRectF, max_pitch: float = MAX_SCREEN_PITCH
    ) -> "BoardLayout":
        """Centre square tiles, as large as fit, on whole pixels."""
        n_rows, n_cols = shape
        room = min(
            rect.width() / (n_cols - GAP + 2 * MARGIN), rect.height() / (n_rows - GAP + 2 * MARGIN)
        )
        pitch = max(float(int(min(room, max_pitch))), 1.0)
        gap = max(float(round(pitch * GAP)), 1.0) if pitch > 4 else 0.0
        width, height = n_cols * pitch - gap, n_rows * pitch - gap
        left = rect.left() + (rect.width() - width) // 2
        top = rect.top() + (rect.height() - height) // 2
        return cls(n_rows, n_cols, left, top, pitch, pitch - gap)

    @property
    def edge(self) -> float:
        """Height of a tile's edge, which shows below its face."""
        return max(float(round(self.tile * 0.065)), 1.0)

    @property
    def radius(self) -> float:
        """Radius of a tile's corners."""
        return self.tile * 0.19

    def face(self, cell: int) -> QRectF:
        """Return the face of a tile: its square without the edge below."""
        return self.cell_rect(cell).adjusted(0, 0, 0, -self.edge)

    def cell_rect(self, cell: int) -> QRectF:
        """Return the square of a tile."""
        row, col = divmod(cell, self.n_cols)
        return QRectF(
            self.left + col * self.pitch, self.top + row * self.pitch, self.tile, self.tile
        )

    def cell_at(self, point: QPointF) -> int | None:
        """Return the cell under a point; the gaps belong to no cell."""
        col = int((point.x() - self.left) // self.pitch)
        row = int((point.y() - self.top) // self.pitch)
        if not (0 <= row < self.n_rows and 0 <= col < self.n_cols):
            return None
        cell = row * self.n_cols + col
        return cell if self.cell_rect(cell).contains(point) else None


def paint_board(
    painter: QPainter, layout: BoardLayout, scene: BoardScene, theme: Theme, outlines: bool = False
) -> None:
    """Draw a board.

    outlines: draw letters as shapes, so that the picture needs no font where it is shown.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _paint_tiles(painter, layout, scene, theme)
    _paint_rings(painter, layout, scene, theme)
    if scene.path:
        _paint_path_line(painter, layout, scene.path, theme)
    letters = Lettering(
        painter, letter_pixels(layout), theme.tile_ink, strong=True, outlines=outlines
    )
    for cell in range(scene.n_cells):
        letters.draw(layout.face(cell).center(), scene.symbol(cell))
    if scene.path:
        _paint_path_numbers(painter, layout, scene.path, theme, outlines)


def letter_pixels(layout: BoardLayout) -> int:
    """Return the size of the letters: 21 pixels on a tile of 46."""
    return max(round(layout.tile * 0.46), 7)


def board_png(scene: BoardScene, theme: Theme, longest_side: int = 1024) -> bytes:
    """Return a PNG picture of a board; longest_side in pixels."""
    size = picture_size(scene.shape, longest_side)
    layout = picture_layout(scene.shape, size)
    return png_bytes(size, theme.card, lambda painter: paint_board(painter, layout, scene, theme))


def board_svg(scene: BoardScene, theme: Theme, longest_side: int = 1024) -> bytes:
    """Return an SVG picture of a board; its letters are shapes, so it looks alike everywhere."""
    size = picture_size(scene.shape, longest_side)
    layout = picture_layout(scene.shape, size)
    return svg_bytes(
        size,
        theme.card,
        "Letter board",
        " / ".join(scene.rows),
        lambda painter: paint_board(painter, layout, scene, theme, outlines=True),
    )


def picture_layout(shape: tuple[int, int], size: QSize) -> BoardLayout:
    """Return where the tiles stand in a picture."""
    rect = QRectF(0, 0, size.width(), size.height())
    return BoardLayout.fitted(shape, rect, max_pitch=float("inf"))


def picture_size(shape: tuple[int, int], longest_side: int) -> QSize:
    """Return the size of a picture of a board; longest_side in pixels."""
    n_rows, n_cols = shape
    if not n_rows or not n_cols:
        raise ValueError("a board without cells has no picture")
    pitch = longest_side / (max(n_rows, n_cols) - GAP + 2 * MARGIN)
    width, height = (
        min(round((count - GAP + 2 * MARGIN) * pitch), longest_side) for count in (n_cols, n_rows)
    )
    return QSize(width, height)


def _paint_tiles(painter: QPainter, layout: BoardLayout, scene: BoardScene, theme: Theme) -> None:
    for cell, heat in enumerate(scene.heat().tolist()):
        square = layout.cell_rect(cell)
        if scene.symbol(cell) == " ":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.grid)
            painter.drawRoundedRect(square, layout.radius, layout.radius)
        else:
            paint_letter_tile(painter, layout, square, heat, theme)


def heat_of(
    usage: NDArray[np.int32] | None, n_cells: int, least_most: int = 1
) -> NDArray[np.float64]:
    """Return each cell's usage as a part of the largest, float64 (cells,) in 0..1.

    least_most: the largest is taken to be at least that.
    """
    if usage is None or not usage.size:
        return np.zeros(n_cells)
    return np.asarray(usage / max(int(usage.max()), least_most), dtype=np.float64)


def paint_letter_tile(
    painter: QPainter, layout: BoardLayout, square: QRectF, heat: float, theme: Theme
) -> None:
    """Draw a tile for a letter, tinted by its heat, 0..1; the letter is drawn later."""
    edge = mix(theme.tile_edge, theme.tile_heat_edge, heat)
    paint_tile(painter, layout, square, mix(theme.tile_face, theme.tile_heat, heat), edge)


def paint_tile(
    painter: QPainter, layout: BoardLayout, square: QRectF, face: QColor, edge: QColor
) -> None:
    """Draw a tile in its square: a face, and below it an edge."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(edge)
    painter.drawRoundedRect(square.adjusted(0, layout.edge, 0, 0), layout.radius, layout.radius)
    painter.setBrush(face)
    painter.drawRoundedRect(square.adjusted(0, 0, 0, -layout.edge), layout.radius, layout.radius)


def _paint_rings(painter: QPainter, layout: BoardLayout, scene: BoardScene, theme: Theme) -> None:
    width = max(layout.tile * 0.05, 1.5)
    for cell in set(scene.path):
        paint_ring(painter, layout, cell, QPen(theme.selection, max(width * 0.6, 1.0)))
    if scene.hovered is not None:
        paint_ring(painter, layout, scene.hovered, QPen(theme.outline, max(width / 2, 1.0)))
    if scene.selected is not None:
        paint_ring(painter, layout, scene.selected, QPen(theme.selection, width))
    if scene.focused is not None:
        dashes = QPen(theme.text, max(width * 0.7, 1.5))
        dashes.setDashPattern([2.0, 2.0])
        dashes.setCapStyle(Qt.PenCapStyle.FlatCap)
        paint_ring(painter, layout, scene.focused, dashes)


def paint_ring(painter: QPainter, layout: BoardLayout, cell: int, pen: QPen) -> None:
    """Draw around a tile, in the gap, so that the letter keeps its room."""
    reach = pen.widthF() / 2
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    radius = layout.radius + reach
    square = layout.cell_rect(cell).adjusted(-reach, -reach, reach, reach)
    painter.drawRoundedRect(square, radius, radius)


def _paint_path_line(
    painter: QPainter, layout: BoardLayout, path: Sequence[int], theme: Theme
) -> None:
    line = QPainterPath(layout.face(path[0]).center())
    for before, after in itertools.pairwise(path):
        start, end = layout.face(before).center(), layout.face(after).center()
        row_step = after // layout.n_cols - before // layout.n_cols
        col_step = after % layout.n_cols - before % layout.n_cols
        if max(abs(row_step), abs(col_step)) > 1:
            # Round the torus: leave the board at one side, come back at the other.
            step = QPointF(_wrapped(col_step), _wrapped(row_step)) * (layout.pitch * 0.62)
            line.lineTo(start + step)
            line.moveTo(end - step)
        line.lineTo(end)
    pen = QPen(theme.path, max(layout.tile * 0.11, 3.0))
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.strokePath(line, pen)


def _wrapped(step: int) -> float:
    """The direction in which a step over the rim goes: one column on for every step back."""
    return float(step) if abs(step) <= 1 else (-1.0 if step > 0 else 1.0)


def _paint_path_numbers(
    painter: QPainter, layout: BoardLayout, path: Sequence[int], theme: Theme, outlines: bool
) -> None:
    """Number the letters at the corners of their tiles; a cell used again has all its numbers."""
    pixels = min(max(round(layout.tile * 0.24), 8), 21)
    numbers = Lettering(painter, pixels, theme.on_selection, strong=True, outlines=outlines)
    height = pixels * 1.45
    places: defaultdict[int, list[str]] = defaultdict(list)
    for place, cell in enumerate(path, start=1):
        places[cell].append(str(place))
    for cell, numbers_here in places.items():
        text = "·".join(numbers_here)
        square = layout.cell_rect(cell)
        width = max(numbers.width(text) + height * 0.55, height)
        right = square.right() + height * 0.22
        badge = QRectF(right - width, square.top() - height * 0.22, width, height)
        if width > layout.pitch:
            badge.moveCenter(QPointF(square.center().x(), badge.center().y()))
        painter.setPen(QPen(theme.card, max(layout.tile * 0.03, 1.0)))
        painter.setBrush(theme.selection)
        painter.drawRoundedRect(badge, height / 2, height / 2)
        numbers.draw(badge.center(), text)
