"""Many small boards as a picture and as a widget, with captions and links."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import labelled
from tilelab.gui.boards.cell_view import HoverView
from tilelab.gui.boards.scene import GAP, MARGIN, MAX_SCREEN_PITCH, MIN_PITCH, BoardLayout
from tilelab.gui.boards.tile_pictures import BoardTexts, TilePictures
from tilelab.gui.widgets.access import CHOOSE, STEPS, announce
from tilelab.gui.widgets.text_painter import TextPainter, scaled_room
from tilelab.gui.widgets.theme import Theme, current_theme

_LINE, _PIXELS = 17.0, 12
_GAP, _RIM = 8.0, 4.0
_HEAD = 8.0  # length of an arrow's head between boards, in pixels


@dataclass(frozen=True)
class Footer:
    """Text below a board."""

    number: str  # number of the board
    value: str
    is_best: bool = False
    more: str = ""  # second line
    more_words: str = ""  # second line in words
    is_marked: bool = False  # whether the second line is highlighted


@dataclass(frozen=True)
class BoardPlaces:
    """Places of several boards in an area."""

    rect: QRectF
    shape: tuple[int, int]
    n_shown: int
    n_columns: int
    n_lines: int  # number of text lines below each board

    @classmethod
    def found(
        cls, rect: QRectF, shape: tuple[int, int], n_boards: int, n_lines: int, least_width: float
    ) -> "BoardPlaces":
        """Place as many legible boards as possible, each as large as possible.

        least_width: width of the text below a board, in pixels.
        """
        n_columns = n_rows = 1
        for pitch in range(int(MAX_SCREEN_PITCH), MIN_PITCH - 1, -1):
            height, width = ((n - GAP + 2 * MARGIN) * pitch for n in shape)
            width, height = max(width, least_width), height + n_lines * _LINE
            n_columns = max(int((rect.width() + _GAP) // (width + 2 * _RIM + _GAP)), 1)
            n_rows = max(int((rect.height() + _GAP) // (height + 2 * _RIM + _GAP)), 1)
            if n_columns * n_rows >= n_boards:
                break
        n_shown = min(n_columns * n_rows, n_boards)
        # Only as many columns as the rows need.
        n_columns = math.ceil(n_shown / math.ceil(n_shown / n_columns)) if n_shown else 1
        return cls(rect, shape, n_shown, n_columns, n_lines)

    def place(self, board: int) -> QRectF:
        """Return the area of a board and its text."""
        n_rows = math.ceil(self.n_shown / self.n_columns)
        width = (self.rect.width() - _GAP * (self.n_columns - 1)) / self.n_columns
        height = (self.rect.height() - _GAP * (n_rows - 1)) / n_rows
        row, column = divmod(board, self.n_columns)
        left = self.rect.left() + column * (width + _GAP)
        return QRectF(left, self.rect.top() + row * (height + _GAP), width, height)

    def layout(self, board: int) -> BoardLayout:
        place = self.place(board).adjusted(_RIM, _RIM, -_RIM, -_RIM - self.n_lines * _LINE)
        return BoardLayout.fitted(self.shape, place)


@dataclass(frozen=True, eq=False)
class BoardsPicture:
    """A picture of boards with texts; it needs no window and can be drawn in any thread."""

    texts: BoardTexts
    feet: Sequence[Footer]
    words: str  # description in a sentence for screen readers
    least_width: float = 0.0  # width of the text below a board, in pixels
    note: str = ""  # note below all boards
    links: Sequence[tuple[int, int]] = ()  # pairs of boards joined by a line
    pictures: TilePictures = field(default_factory=TilePictures)

    def places(self, rect: QRectF) -> BoardPlaces:
        n_lines = 2 if any(foot.more for foot in self.feet) else 1
        room = rect.adjusted(0, 0, 0, -_LINE if self.note else 0)
        return BoardPlaces.found(room, self.texts.shape, len(self.feet), n_lines, self.least_width)

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw the boards into a rectangle."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        places = self.places(rect)
        layouts = [places.layout(board) for board in range(places.n_shown)]
        self.paint_links(painter, places, theme.path, 1.3)
        self.pictures.paint(painter, layouts, self.texts, theme)
        letterings = [
            TextPainter(painter, _PIXELS, colour, strong=is_strong)
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
            few = tr(
                "{n_shown} of {n_boards}; ",
                n_shown=figures(places.n_shown, ","),
                n_boards=figures(len(self.feet), ","),
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
        """Draw the lines between shown boards; of: only those of one board."""
        for begin, end in self.links:
            if max(begin, end) < places.n_shown and of in (None, begin, end):
                line = places.layout(begin), places.layout(end)
                _paint_line(painter, *line, QPen(colour, width))


def _paint_foot(
    layout: BoardLayout,
    foot: Footer,
    width: float,
    plain: TextPainter,
    strong: TextPainter,
    set_off: TextPainter,
) -> None:
    """Write below a board; width: available width in pixels."""
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
    """Draw a line between two boards, with its head at the edge of the second."""
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
    """Return where a line from the middle of a board to a point leaves the board."""
    way = other - tray.center()
    parts = [
        half / abs(step)
        for half, step in ((tray.width() / 2, way.x()), (tray.height() / 2, way.y()))
        if step
    ]
    return tray.center() + way * min([*parts, 1.0])


class SmallBoards(HoverView):
    """A widget of boards with a text below each.

    The arrow keys move the focus, Enter or Space chooses a board.
    """

    board_chosen = Signal(int)  # emitted with the index of the chosen board, from 0
    count_changed = Signal()  # emitted when the number of boards with room changes

    def __init__(self, noun: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._noun = noun
        self._picture: BoardsPicture | None = None
        self.n_shown = 0  # number of boards with room
        self._focused: int | None = None

    @property
    def n_boards(self) -> int:
        return 0 if self._picture is None else len(self._picture.feet)

    def show_boards(self, picture: BoardsPicture) -> None:
        """Show boards with a text below each."""
        self._picture = picture
        for name in ("_hovered", "_focused"):
            place = getattr(self, name)
            if place is not None and place >= self.n_boards:
                setattr(self, name, None)
        self._describe()
        self._count()
        self.update()

    def board_words(self, board: int) -> str:
        assert self._picture is not None
        foot = self._picture.feet[board]
        more = f", {foot.more_words}" if foot.more_words else ""
        cells = self._picture.texts.words(board)
        return labelled(f"{self._noun} {foot.number}", f"{foot.value}{more}; {cells}")

    def place(self, board: int) -> QRectF:
        """Return the area of a shown board and its text."""
        place, scale = self._places().place(board), scaled_room(self.size())[0]
        return QRectF(place.topLeft() * scale, place.size() * scale)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            scale, rect = scaled_room(self.size())
            painter.scale(scale, scale)
            theme = current_theme()
            self.paint(painter, rect, theme)
            if self._picture is not None and (self._hovered, self._focused) != (None, None):
                self._paint_marks(painter, self._picture.places(rect), theme)

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw the boards into a rectangle, without the marks of mouse and keyboard."""
        if self._picture is not None:
            self._picture.paint(painter, rect, theme)

    def _paint_marks(self, painter: QPainter, places: BoardPlaces, theme: Theme) -> None:
        """Draw rings around the hovered and the focused board, and their lines in bold."""
        assert self._picture is not None
        pointed = self._focused if self._hovered is None else self._hovered
        if pointed is not None:
            self._picture.paint_links(painter, places, theme.selection, 2.5, pointed)
        for board, colour in ((self._hovered, theme.outline), (self._focused, theme.text)):
            if board is not None and board < places.n_shown:
                pen = QPen(colour, 1.5)
                if board == self._focused:
                    pen.setDashPattern([2.0, 2.0])
                painter.setPen(pen)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(places.place(board).adjusted(1, 1, -1, -1), 6, 6)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._count()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        board = self._place_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and board is not None:
            self.board_chosen.emit(board)
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in STEPS and self.n_shown:
            row_step, col_step = STEPS[key]
            step = row_step * self._places().n_columns + col_step
            start = 0 if self._focused is None else self._focused + step
            self.focus_board(min(max(start, 0), self.n_shown - 1))
            announce(self, self.accessibleDescription())
        elif key in CHOOSE and self._focused is not None:
            self.board_chosen.emit(self._focused)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.focus_board(None)
        super().focusOutEvent(event)

    def focus_board(self, board: int | None) -> None:
        self._focused = board
        self._describe()
        self.update()

    def _describe(self) -> None:
        if self._picture is not None:
            board = self._focused
            said = self._picture.words if board is None else self.board_words(board)
            self.setAccessibleDescription(said)

    def _places(self) -> BoardPlaces:
        assert self._picture is not None
        return self._picture.places(scaled_room(self.size())[1])

    def _place_at(self, point: QPointF) -> int | None:
        if self._picture is None:
            return None
        places, there = self._places(), point / scaled_room(self.size())[0]
        found = (board for board in range(places.n_shown) if places.place(board).contains(there))
        return next(found, None)

    def _count(self) -> None:
        before, self.n_shown = self.n_shown, 0
        if self._picture is not None:
            self.n_shown = self._places().n_shown
        if self.n_shown != before:
            self.count_changed.emit()
