"""Paint a board of sliding tiles with numbers or letters."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from tilelab.core.puzzle import Cells
from tilelab.core.text.language import marked
from tilelab.core.text.shown_text import shown
from tilelab.gui.boards.heuristic_marks import (
    HeuristicMarks,
    group_colour,
    group_letter,
    paint_conflicts,
    paint_counts,
)
from tilelab.gui.boards.scene import (
    BoardLayout,
    CellScene,
    heat_of,
    letter_pixels,
    paint_coloured_tile,
    paint_grounds,
    paint_letter_tile,
    paint_marks,
    paint_ring,
    ring_width,
    text_pixels_of,
)
from tilelab.gui.widgets.text_painter import TextPainter
from tilelab.gui.widgets.theme import Theme, mix

_WARM = 4  # number of words through a cell that make it warm; a single word does not


@dataclass(frozen=True, eq=False)
class TileScene(CellScene):
    """Contents of a picture of sliding tiles; cells are numbered row by row from 0."""

    cells: Cells  # tiles as uint8 (rows * cols,), 0 for the blank
    places: NDArray[np.int64] | None
    """Goal cell of each numbered tile, int64 (rows * cols,); None for letters."""
    cols: int
    distances: NDArray[np.int64] | None = None
    """Distance of each tile from its goal cell, int64 (rows * cols,)."""
    shows_distances: bool = False  # whether the distances are written on the tiles
    slides: tuple[tuple[int, int], ...] = ()
    """Tiles in motion, as pairs of a tile's cell and the cell that it comes from."""
    part: float = 1.0  # part of the motion that is done, 0..1
    letters: str = ""  # symbols of the tiles 1, 2, … on a board of letters
    usage: NDArray[np.int32] | None = None
    """Number of uses of each cell, int32 (rows * cols,); tints tiles of letters."""
    hint: tuple[int, int] | None = None
    """Move that is shown but not made: the tile's cell and the cell that it would slide into."""
    marks: HeuristicMarks | None = None
    """Marks of the heuristics; the distances are then also written on the tiles."""
    segments: tuple[tuple[int, ...], ...] = ()
    """Groups of cells in a line that are outlined together, such as the cells of a word."""

    kind = marked("Board of sliding tiles")

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.cells) // self.cols, self.cols

    def sign(self, tile: int) -> str:
        """Return the text of a tile; '.' for the blank of a board of letters."""
        if not self.letters:
            return str(tile)
        return shown(self.letters[tile - 1]) if tile else "."

    def text(self) -> str:
        signs = [self.sign(tile) for tile in self.cells.tolist()]
        if not self.letters:
            return " ".join(signs)
        return " / ".join(
            "".join(signs[begin : begin + self.cols]) for begin in range(0, len(signs), self.cols)
        )

    def paint(self, painter: QPainter, layout: BoardLayout, theme: Theme) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_grounds(painter, [layout], theme)
        on_the_way = dict(self.slides) if self.part < 1 else {}
        heat = heat_of(self.usage, len(self.cells), _WARM).tolist()
        n_digits = len(str(len(self.cells) - 1))
        is_letters = self.places is None
        pixels = letter_pixels(layout) if is_letters else text_pixels_of(layout, n_digits)
        signs = TextPainter(painter, pixels, theme.tile_ink, strong=True)
        for cell, tile in enumerate(self.cells.tolist()):
            if tile:
                square = layout.cell_rect(cell)
                group = None if self.marks is None else self.marks.groups.get(tile)
                if cell in on_the_way:
                    back = layout.cell_rect(on_the_way[cell]).topLeft() - square.topLeft()
                    square.translate(back * (1 - self.part))
                if self.places is None:
                    paint_letter_tile(painter, layout, square, heat[cell], theme)
                else:
                    is_lit = self.hint is not None and self.hint[0] == cell
                    face = tile_colour(int(self.places[tile]), self.shape, theme)
                    face = face if group is None else group_colour(group, theme)
                    face = theme.tile_heat if is_lit else face
                    paint_coloured_tile(painter, layout, square, face, theme)
                middle = square.center() - QPointF(0, layout.edge / 2)
                signs.draw(middle, self.sign(tile))
                if group is not None:
                    _paint_group(painter, layout, square, group, theme)
                if (self.shows_distances or self.marks) and self.distances is not None:
                    _paint_distance(painter, layout, square, int(self.distances[cell]), theme)
        if self.marks is not None:
            paint_counts(painter, layout, self.marks, theme)
            # A pair in motion is in neither place.
            resting = [pair for pair in self.marks.conflicts if not on_the_way.keys() & {*pair}]
            paint_conflicts(painter, layout, resting, theme)
        for segment in self.segments:
            pen = QPen(theme.selection, max(ring_width(layout) * 1.2, 2.0))
            paint_ring(painter, layout, segment[0], pen, segment[-1])
        if self.hint is not None:
            _paint_hint(painter, layout, *self.hint, theme)
        paint_marks(painter, layout, self, theme)


def tile_colour(place: int, shape: tuple[int, int], theme: Theme) -> QColor:
    """Return the colour of the tile whose goal cell is ``place``; it is similar for near cells."""
    row, col = divmod(place, shape[1])
    down, right = row / (shape[0] - 1), col / (shape[1] - 1)
    top = mix(theme.corner_top_left, theme.corner_top_right, right)
    bottom = mix(theme.corner_bottom_left, theme.corner_bottom_right, right)
    return mix(top, bottom, down)


def _paint_distance(
    painter: QPainter, layout: BoardLayout, square: QRectF, distance: int, theme: Theme
) -> None:
    """Paint a small number in the lower right corner, or a dot on a tile in its goal cell."""
    inset = layout.tile * 0.13
    corner = QPointF(square.right() - inset, square.bottom() - layout.edge - inset)
    if not distance:
        painter.setBrush(theme.tile_ink)
        reach = max(layout.tile * 0.035, 1.0)
        painter.drawEllipse(corner, reach, reach)
        return
    pixels = max(round(layout.tile * 0.2), 6)
    small = TextPainter(painter, pixels, theme.tile_ink)
    small.draw(corner - QPointF(0, pixels * 0.25), str(distance), align=1.0)


def _paint_group(
    painter: QPainter, layout: BoardLayout, square: QRectF, group: int, theme: Theme
) -> None:
    """Paint the letter of a tile's pattern, small, in the upper left corner."""
    pixels = max(round(layout.tile * 0.2), 8)
    inset = layout.tile * 0.12
    corner = QPointF(square.left() + inset, square.top() + inset + pixels * 0.35)
    small = TextPainter(painter, pixels, theme.tile_ink)
    small.draw(corner, group_letter(group), align=0.0)


def _paint_hint(
    painter: QPainter, layout: BoardLayout, tile: int, blank: int, theme: Theme
) -> None:
    """Paint an arrow from the edge of a tile, clear of its number, to the middle of the blank."""
    begin, end = layout.face(tile).center(), layout.face(blank).center()
    step = (end - begin) / layout.pitch
    across = QPointF(-step.y(), step.x())
    tail, tip = begin + step * layout.tile * 0.36, end + step * layout.tile * 0.14
    shoulder = tip - step * layout.tile * 0.26
    pen = QPen(theme.selection, max(layout.tile * 0.09, 2.0))
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    painter.drawLine(tail, shoulder)
    head = [tip, shoulder + across * layout.tile * 0.2, shoulder - across * layout.tile * 0.2]
    pen.setWidthF(max(layout.tile * 0.03, 1.0))
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(theme.selection)
    painter.drawPolygon(head)
