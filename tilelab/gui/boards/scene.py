"""A board as a picture: its layout, its marks, and the files that it is drawn into."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from tilelab.gui.widgets.text_painter import png_bytes, svg_bytes
from tilelab.gui.widgets.theme import Theme, mix

GAP = 0.08  # space between two tiles as a part of their pitch
MARGIN = 0.16
"""Space around the board for dots and rings that reach beyond it, as a part of the pitch."""
MAX_SCREEN_PITCH = 104.0
MIN_PITCH = 10  # smallest distance between tiles in pixels, so that letters are legible
_SIGN_WIDTH = 0.66  # width of a bold symbol as a part of its size
_DARKER_EDGE = 0.24  # share of the ink that is mixed into a tile's edge


@dataclass(frozen=True)
class BoardLayout:
    """Positions of a board's tiles."""

    n_rows: int
    n_cols: int
    left: float
    top: float
    pitch: float  # distance from one tile to the next
    tile: float  # side of a tile including its edge

    @classmethod
    def fitted(
        cls,
        shape: tuple[int, int],
        rect: QRectF,
        max_pitch: float = MAX_SCREEN_PITCH,
        margins: tuple[float, float] = (0.0, 0.0),
    ) -> "BoardLayout":
        """Centre square tiles, as large as fit, on whole pixels.

        margins: room left free at the right and below, as parts of the pitch.
        """
        (n_rows, n_cols), (right, below) = shape, margins
        room = min(
            rect.width() / (n_cols - GAP + 2 * MARGIN + right),
            rect.height() / (n_rows - GAP + 2 * MARGIN + below),
        )
        pitch = max(float(int(min(room, max_pitch))), 1.0)
        gap = max(float(round(pitch * GAP)), 1.0) if pitch > 4 else 0.0
        width, height = n_cols * pitch - gap, n_rows * pitch - gap
        left = rect.left() + (rect.width() - width - right * pitch) // 2
        top = rect.top() + (rect.height() - height - below * pitch) // 2
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
        """Return the cell under a point; gaps belong to no cell."""
        col = int((point.x() - self.left) // self.pitch)
        row = int((point.y() - self.top) // self.pitch)
        if not (0 <= row < self.n_rows and 0 <= col < self.n_cols):
            return None
        cell = row * self.n_cols + col
        return cell if self.cell_rect(cell).contains(point) else None


@dataclass(frozen=True, eq=False, kw_only=True)
class CellScene:
    """A board with marks; cells are numbered row by row from 0."""

    selected: int | None = None
    hovered: int | None = None
    focused: int | None = None  # cell that has the keyboard

    @property
    @abstractmethod
    def kind(self) -> str:
        """Kind of the board, for screen readers."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns."""

    @property
    def n_cells(self) -> int:
        return self.shape[0] * self.shape[1]

    @abstractmethod
    def text(self) -> str:
        """Return the board in one line."""

    @abstractmethod
    def paint(self, painter: QPainter, layout: BoardLayout, theme: Theme) -> None:
        """Draw the board."""


def scene_png(scene: CellScene, theme: Theme, longest_side: int = 1024) -> bytes:
    """Return a PNG picture of a board; longest_side in pixels."""
    size = picture_size(scene.shape, longest_side)
    layout = picture_layout(scene.shape, size)
    return png_bytes(size, theme.card, lambda painter: scene.paint(painter, layout, theme))


def scene_svg(scene: CellScene, theme: Theme, longest_side: int = 1024) -> bytes:
    """Return an SVG picture of a board; its texts are shapes, so it looks the same everywhere."""
    size = picture_size(scene.shape, longest_side)
    layout = picture_layout(scene.shape, size)
    return svg_bytes(
        size,
        theme.card,
        scene.kind,
        scene.text(),
        lambda painter: scene.paint(painter, layout, theme),
    )


def picture_layout(shape: tuple[int, int], size: QSize) -> BoardLayout:
    """Return the layout of the tiles in a picture."""
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


def letter_pixels(layout: BoardLayout) -> int:
    """Return the size of the letters: 21 pixels on a tile of 46."""
    return max(round(layout.tile * 0.46), min(7, round(layout.tile)), 1)


def text_pixels_of(layout: BoardLayout, n_signs: int) -> int:
    """Return the size of the texts of a board's tiles, the longest of which must fit its tile."""
    widest = layout.tile * 0.86 / (n_signs * _SIGN_WIDTH)
    return max(round(min(layout.tile * 0.42, widest)), 6)


def heat_of(
    usage: NDArray[np.int32] | None, n_cells: int, least_most: int = 1
) -> NDArray[np.float64]:
    """Return each cell's usage as a part of the largest, float64 (cells,) in 0..1.

    least_most: lower bound of the largest usage.
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


def paint_coloured_tile(
    painter: QPainter, layout: BoardLayout, square: QRectF, face: QColor, theme: Theme
) -> None:
    """Draw a tile of any colour in its square."""
    # On the dark theme the ink is light, and so is the edge.
    paint_tile(painter, layout, square, face, mix(face, theme.tile_ink, _DARKER_EDGE))


def paint_ring(
    painter: QPainter, layout: BoardLayout, cell: int, pen: QPen, last: int | None = None
) -> None:
    """Draw a ring around a tile, in the gap, so that it does not touch the letter.

    last: cell at the other end of a line of tiles that the ring is around.
    """
    reach = pen.widthF() / 2
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    radius = layout.radius + reach
    whole = layout.cell_rect(cell).united(layout.cell_rect(cell if last is None else last))
    painter.drawRoundedRect(whole.adjusted(-reach, -reach, reach, reach), radius, radius)


def paint_marks(painter: QPainter, layout: BoardLayout, scene: CellScene, theme: Theme) -> None:
    """Draw rings around the hovered, focused and selected cells."""
    width = ring_width(layout)
    if scene.hovered is not None:
        paint_ring(painter, layout, scene.hovered, QPen(theme.outline, max(width / 2, 1.0)))
    if scene.selected is not None:
        paint_ring(painter, layout, scene.selected, QPen(theme.selection, width))
    if scene.focused is not None:
        dashes = QPen(theme.text, max(width * 0.7, 1.5))
        dashes.setDashPattern([2.0, 2.0])
        dashes.setCapStyle(Qt.PenCapStyle.FlatCap)
        paint_ring(painter, layout, scene.focused, dashes)


def ring_width(layout: BoardLayout) -> float:
    """Return the width of the ring around a selected cell."""
    return max(layout.tile * 0.05, 1.5)


def paint_grounds(painter: QPainter, layouts: Sequence[BoardLayout], theme: Theme) -> None:
    """Paint the trays that the tiles of boards lie in; they are visible at the blanks."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.grid)
    for layout in layouts:
        rim = (layout.pitch - layout.tile) + layout.tile * 0.04
        width = (layout.n_cols - 1) * layout.pitch + layout.tile + 2 * rim
        height = (layout.n_rows - 1) * layout.pitch + layout.tile + 2 * rim
        tray = QRectF(layout.left - rim, layout.top - rim, width, height)
        painter.drawRoundedRect(tray, layout.radius + rim, layout.radius + rim)
