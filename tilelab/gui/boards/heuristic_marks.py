"""Draw what heuristics see on a board: conflicts, lines and patterns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from tilelab.core.text.language import tr
from tilelab.core.text.wording import counted
from tilelab.gui.boards.scene import BoardLayout
from tilelab.gui.widgets.text_painter import TextPainter
from tilelab.gui.widgets.theme import Theme, curve_colours, tinted

NO_TILES = "·"
_FONT, _ROW_DIGIT, _COL_DIGIT = 0.22, 0.24, 0.19
"""Height of the counts next to the board, and the room of each, as parts of the pitch."""
_MAX_PIXELS = 14
_FAR, _NEAR = 0.17, -0.06
"""Lengths of a bow inside its tiles and outside of them, as parts of a tile."""
_HEAD, _ASIDE = 0.11, 0.15
"""Side of an arrow's head, and its distance from the middle, as parts of a tile."""
_GROUP_COLOURS = (4, 1, 2, 3)
"""Places of the patterns' colours among the curve colours: light blue, orange, green, purple."""
_GROUP_TINT = 0.45


@dataclass(frozen=True, eq=False)
class HeuristicMarks:
    """Marks of the heuristics on a board."""

    conflicts: Sequence[tuple[int, int]]
    """Cells of tiles that must pass each other; the upper or left one first."""
    row_counts: NDArray[np.int64] | None
    """int64 (rows, rows): number of tiles of each goal row in each row; None draws none."""
    col_counts: NDArray[np.int64] | None  # int64 (cols, cols), the same of the columns
    groups: Mapping[int, int] = field(default_factory=dict)
    """The pattern that each tile belongs to, from 0; {}: none are shown."""

    @property
    def margins(self) -> tuple[float, float]:
        """Room for the counts, to the right of the board and below it, as parts of the pitch."""
        if self.row_counts is None:
            return 0.0, 0.0
        return 0.2 + _ROW_DIGIT * len(self.row_counts), 0.32

    def passing(self, cell: int, cells: NDArray[np.uint8]) -> str:
        """Return which tiles the tile in a cell must pass, in words, or ''."""
        others = [cells[sum(pair) - cell] for pair in self.conflicts if cell in pair]
        return tr("; must pass {tiles}", tiles=tr(" and ").join(map(str, others))) if others else ""

    def words(self, cells: NDArray[np.uint8], cols: int) -> str:
        pairs = [
            tr("{first_tile} and {second_tile} in ", first_tile=cells[one], second_tile=cells[two])
            + (
                tr("row {row}", row=one // cols + 1)
                if one // cols == two // cols
                else tr("column {col}", col=one % cols + 1)
            )
            for one, two in self.conflicts
        ]
        said = counted(len(pairs), "conflicting pair") + (": " if pairs else "")
        lines = [
            tr(
                "{line} {number} holds {counts}",
                line=name,
                number=place,
                counts=", ".join(_held(counts)),
            )
            for name, table in (
                (tr("row"), self.row_counts),
                (tr("column"), self.col_counts),
            )
            if table is not None
            for place, counts in enumerate(table.tolist(), 1)
        ]
        return ". ".join([said + "; ".join(pairs), *lines])


def _held(counts: Sequence[int]) -> list[str]:
    return [
        tr("{count} of {line}", count=count, line=home)
        for home, count in enumerate(counts, 1)
        if count
    ]


def group_letter(group: int) -> str:
    """Return the letter that marks the tiles of a pattern."""
    return chr(ord("a") + group)


def group_colour(group: int, theme: Theme) -> QColor:
    """Return the colour of the tiles of a pattern."""
    colours = curve_colours(theme)
    strong = colours[_GROUP_COLOURS[group % len(_GROUP_COLOURS)]]
    return tinted(theme, strong, _GROUP_TINT)


def paint_counts(
    painter: QPainter, layout: BoardLayout, marks: HeuristicMarks, theme: Theme
) -> None:
    """Write next to each row, and below each column, how many of its tiles belong to which line."""
    if marks.row_counts is None or marks.col_counts is None:
        return
    pixels = min(max(round(layout.pitch * _FONT), 6), _MAX_PIXELS)
    plain = TextPainter(painter, pixels, theme.muted)
    strong = TextPainter(painter, pixels, theme.text, strong=True)
    last = layout.cell_rect(layout.n_rows * layout.n_cols - 1)
    for table, step, is_row in (
        (marks.row_counts, _ROW_DIGIT, True),
        (marks.col_counts, min(_COL_DIGIT, 0.9 / layout.n_cols), False),
    ):
        for line, counts in enumerate(table.tolist()):
            first = layout.cell_rect(line * layout.n_cols if is_row else line)
            for home, count in enumerate(counts):
                along = home * step * layout.pitch
                if is_row:
                    x = last.right() + layout.pitch * 0.34 + along
                    point = QPointF(x, first.center().y())
                else:
                    x = first.center().x() + along - (len(counts) - 1) * step * layout.pitch / 2
                    point = QPointF(x, last.bottom() + layout.pitch * 0.32)
                lettering = strong if home == line else plain
                lettering.draw(point, str(count) if count else NO_TILES)


def paint_conflicts(
    painter: QPainter, layout: BoardLayout, conflicts: Sequence[tuple[int, int]], theme: Theme
) -> None:
    """Draw a bow with two heads between the tiles of each pair, next to their numbers."""
    width = max(layout.tile * 0.045, 1.5)
    for colour, pen_width in (
        (theme.card, width + max(layout.tile * 0.035, 1.5)),
        (theme.stop, width),
    ):
        pen = QPen(colour, pen_width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
        for one, two in conflicts:
            _paint_bow(painter, layout, one, two, pen, colour)


def _paint_bow(
    painter: QPainter, layout: BoardLayout, one: int, two: int, pen: QPen, colour: QColor
) -> None:
    is_row = one // layout.n_cols == two // layout.n_cols
    begin, end = layout.face(one), layout.face(two)
    depth, top, aside = (layout.tile * part for part in (_FAR, _NEAR, _ASIDE))
    if is_row:
        ends = QPointF(begin.center().x(), begin.top()), QPointF(end.center().x(), end.top())
        inward, onward = QPointF(0, 1), QPointF(1, 0)
    else:
        ends = QPointF(begin.left(), begin.center().y()), QPointF(end.left(), end.center().y())
        inward, onward = QPointF(1, 0), QPointF(0, 1)
    start = ends[0] + inward * depth + onward * aside
    stop = ends[1] + inward * depth - onward * aside
    # A quadratic bow reaches half as far as its control point.
    control = (start + stop) / 2 + inward * 2 * (top - depth)
    path = QPainterPath(start)
    path.quadTo(control, stop)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path)
    painter.setBrush(colour)
    for tip, back in ((start, control), (stop, control)):
        along = tip - back
        along /= (along.x() ** 2 + along.y() ** 2) ** 0.5
        across = QPointF(-along.y(), along.x())
        base = tip - along * layout.tile * _HEAD
        wing = across * layout.tile * _HEAD * 0.6
        painter.drawPolygon([tip, base + wing, base - wing])
