"""The picture of many small boards: where they stand, what is said of each, who follows whom."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from tilelab.core.text.language import figures, tr
from tilelab.gui.boards.scene import GAP, MARGIN, MAX_SCREEN_PITCH, BoardLayout
from tilelab.gui.boards.tile_pictures import BoardTexts, TilePictures
from tilelab.gui.widgets.text_painter import Lettering
from tilelab.gui.widgets.theme import Theme

LEAST_PITCH = 10
"""Pixels from one tile to the next, so that their letters can still be read."""
_LINE, _PIXELS = 17.0, 12
_GAP, _RIM = 8.0, 4.0
_HEAD = 8.0
"""Length of the head of a line between boards, in pixels."""


@dataclass(frozen=True)
class Foot:
    """What stands below a board."""

    number: str
    """Which board it is."""
    value: str
    is_best: bool = False
    more: str = ""
    """A line of its own."""
    more_words: str = ""
    """The same in words."""
    is_marked: bool = False
    """Whether that line is set off."""


@dataclass(frozen=True)
class BoardPlaces:
    """Where so many boards stand in a room."""

    rect: QRectF
    shape: tuple[int, int]
    n_shown: int
    n_columns: int
    n_lines: int
    """Of text below each board."""

    @classmethod
    def found(
        cls, rect: QRectF, shape: tuple[int, int], n_boards: int, n_lines: int, least_width: float
    ) -> "BoardPlaces":
        """Find room for as many boards as can be read, each as large as can be.

        least_width: what the text below a board needs, in pixels.
        """
        n_columns = n_rows = 1
        for pitch in range(int(MAX_SCREEN_PITCH), LEAST_PITCH - 1, -1):
            height, width = ((n - GAP + 2 * MARGIN) * pitch for n in shape)
            width, height = max(width, least_width), height + n_lines * _LINE
            n_columns = max(int((rect.width() + _GAP) // (width + 2 * _RIM + _GAP)), 1)
            n_rows = max(int((rect.height() + _GAP) // (height + 2 * _RIM + _GAP)), 1)
            if n_columns * n_rows >= n_boards:
                break
        n_shown = min(n_columns * n_rows, n_boards)
        # As many columns as the rows need.
        n_columns = math.ceil(n_shown / math.ceil(n_shown / n_columns)) if n_shown else 1
        return cls(rect, shape, n_shown, n_columns, n_lines)

    def place(self, board: int) -> QRectF:
        """Return the room of a board and its text."""
        n_rows = math.ceil(self.n_shown / self.n_columns)
        width = (self.rect.width() - _GAP * (self.n_columns - 1)) / self.n_columns
        height = (self.rect.height() - _GAP * (n_rows - 1)) / n_rows
        row, column = divmod(board, self.n_columns)
        left = self.rect.left() + column * (width + _GAP)
        return QRectF(left, self.rect.top() + row * (height + _GAP), width, height)

    def layout(self, board: int) -> BoardLayout:
        """Return where the tiles of a board stand."""
        place = self.place(board).adjusted(_RIM, _RIM, -_RIM, -_RIM - self.n_lines * _LINE)
        return BoardLayout.fitted(self.shape, place)


@dataclass(frozen=True, eq=False)
class BoardsPicture:
    """Boards and what is said of each; it needs no window, and draws itself in any thread."""

    texts: BoardTexts
    feet: Sequence[Foot]
    words: str
    """The same in a sentence, for those who do not see it."""
    least_width: float = 0.0
    """What a text below a board needs, in pixels."""
    note: str = ""
    """What stands below all."""
    links: Sequence[tuple[int, int]] = ()
    """From which board a line goes to which."""

    def places(self, rect: QRectF) -> BoardPlaces:
        """Return where the boards stand in a rectangle."""
        n_lines = 2 if any(foot.more for foot in self.feet) else 1
        room = rect.adjusted(0, 0, 0, -_LINE if self.note else 0)
        return BoardPlaces.found(room, self.texts.shape, len(self.feet), n_lines, self.least_width)

    def paint(
        self,
        painter: QPainter,
        rect: QRectF,
        theme: Theme,
        outlines: bool = False,
        pictures: TilePictures | None = None,
    ) -> None:
        """Draw the boards into a rectangle; pictures: kept from the last time."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        places = self.places(rect)
        layouts = [places.layout(board) for board in range(places.n_shown)]
        self.paint_links(painter, places, theme.path, 1.3)
        (pictures or TilePictures()).paint(painter, layouts, self.texts, theme, outlines)
        letterings = [
            Lettering(painter, _PIXELS, colour, strong=is_strong, outlines=outlines)
            for colour, is_strong in (
                (theme.muted, False),
                (theme.text, True),
                (theme.accent, True),
            )
        ]
        width = places.place(0).width() - 2 * _RIM
        for layout, foot in zip(layouts, self.feet, strict=False):
            _paint_foot(layout, foot, width, *letterings)
        if self.note:
            point = QPointF(rect.center().x(), rect.bottom() - _LINE / 2 + 2)
            few = tr("{n_shown} of {n_feet}; ").format(
                n_shown=figures(places.n_shown, ","), n_feet=figures(len(self.feet), ",")
            )
            note = self.note if places.n_shown == len(self.feet) else few + self.note
            letterings[0].draw(point, note)

    def paint_links(
        self,
        painter: QPainter,
        places: BoardPlaces,
        colour: QColor,
        width: float,
        of: int | None = None,
    ) -> None:
        """Draw the lines between boards that are shown; of: only those of one board."""
        for begin, end in self.links:
            if max(begin, end) < places.n_shown and of in (None, begin, end):
                line = places.layout(begin), places.layout(end)
                _paint_line(painter, *line, QPen(colour, width))


def _paint_foot(
    layout: BoardLayout,
    foot: Foot,
    width: float,
    plain: Lettering,
    strong: Lettering,
    set_off: Lettering,
) -> None:
    """Write below a board; width: the most that is free, in pixels."""
    value = set_off if foot.is_best else strong
    last = layout.cell_rect(layout.n_rows * layout.n_cols - 1)
    middle, line = (layout.left + last.right()) / 2, last.bottom() + _RIM + _LINE / 2
    needed = plain.width(foot.number) + value.width(foot.value) + 8
    room = max(last.right() - layout.left, min(needed, width))
    if needed > room:
        value.draw(QPointF(middle, line), foot.value)
    else:
        plain.draw(QPointF(middle - room / 2, line), foot.number, align=0.0)
        value.draw(QPointF(middle + room / 2, line), foot.value, align=1.0)
    if foot.more:
        (set_off if foot.is_marked else plain).draw(QPointF(middle, line + _LINE), foot.more)


def _paint_line(painter: QPainter, begin: BoardLayout, end: BoardLayout, pen: QPen) -> None:
    """A line between two boards, with its head at the rim of the second."""
    start, stop = _tray(begin).center(), _tray(end).center()
    start, stop = _at_rim(_tray(begin), stop), _at_rim(_tray(end), start)
    along = stop - start
    along /= max(math.hypot(along.x(), along.y()), 1.0)
    across, back = QPointF(-along.y(), along.x()) * (_HEAD / 2), stop - along * _HEAD
    painter.setPen(pen)
    painter.drawLine(start, back)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(pen.color())
    painter.drawEllipse(start, 2.5, 2.5)
    painter.drawPolygon([stop, back + across, back - across])


def _tray(layout: BoardLayout) -> QRectF:
    rim = layout.pitch * 0.12 + 1
    width, height = layout.n_cols * layout.pitch, layout.n_rows * layout.pitch
    return QRectF(layout.left, layout.top, width, height).adjusted(-rim, -rim, 0, 0)


def _at_rim(tray: QRectF, other: QPointF) -> QPointF:
    """Return where the line from the middle of a board to a point leaves the board."""
    way = other - tray.center()
    parts = [
        half / abs(step)
        for half, step in ((tray.width() / 2, way.x()), (tray.height() / 2, way.y()))
        if step
    ]
    return tray.center() + way * min([*parts, 1.0])
