"""Many boards, small, side by side, as a widget for mouse and keyboard."""

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from tilelab.gui.boards.cell_view import CHOOSE, STEPS, PointedView
from tilelab.gui.boards.tile_pictures import TilePictures
from tilelab.gui.views.boards_picture import BoardPlaces, BoardsPicture
from tilelab.gui.widgets.announce import announce
from tilelab.gui.widgets.text_painter import scaled_room
from tilelab.gui.widgets.theme import Theme, current_theme


class SmallBoards(PointedView):
    """Shows boards and what is said of each.

    The arrows move the keyboard's place, Enter or Space chooses it.
    """

    board_chosen = Signal(int)
    """A board was clicked, or chosen with the keyboard; counted from 0."""
    count_changed = Signal()
    """More or fewer boards find room."""

    def __init__(self, noun: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._noun = noun
        self._picture: BoardsPicture | None = None
        self._pictures = TilePictures()
        self._n_shown = 0
        self._hovered_board: int | None = None
        self._focused: int | None = None

    @property
    def n_boards(self) -> int:
        """How many boards there are."""
        return 0 if self._picture is None else len(self._picture.feet)

    @property
    def n_shown(self) -> int:
        """How many of them find room."""
        return self._n_shown

    def show_boards(self, picture: BoardsPicture) -> None:
        """Show boards with what stands below each."""
        self._picture = picture
        for name in ("_hovered_board", "_focused"):
            place = getattr(self, name)
            if place is not None and place >= self.n_boards:
                setattr(self, name, None)
        self._describe()
        self._count()
        self.update()

    def board_words(self, board: int) -> str:
        """Say what is shown of a board."""
        assert self._picture is not None
        foot = self._picture.feet[board]
        more = f", {foot.more_words}" if foot.more_words else ""
        cells = self._picture.texts.words(board)
        return f"{self._noun} {foot.number}: {foot.value}{more}; {cells}"

    def place(self, board: int) -> QRectF:
        """Return where a board that is shown stands, with its text."""
        place, scale = self._places().place(board), scaled_room(self.size())[0]
        return QRectF(place.topLeft() * scale, place.size() * scale)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        scale, rect = scaled_room(self.size())
        painter.scale(scale, scale)
        theme = current_theme()
        self.paint(painter, rect, theme)
        if self._picture is not None and (self._hovered_board, self._focused) != (None, None):
            self._paint_marks(painter, self._picture.places(rect), theme)
        painter.end()

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme, outlines: bool = False) -> None:
        """Draw the boards into a rectangle, without the marks of mouse and keyboard."""
        if self._picture is not None:
            self._picture.paint(painter, rect, theme, outlines, self._pictures)

    def _paint_marks(self, painter: QPainter, places: BoardPlaces, theme: Theme) -> None:
        """Draw around the boards that mouse and keyboard point at; their lines are strong."""
        assert self._picture is not None
        pointed = self._focused if self._hovered_board is None else self._hovered_board
        if pointed is not None:
            self._picture.paint_links(painter, places, theme.selection, 2.5, pointed)
        for board, colour in ((self._hovered_board, theme.outline), (self._focused, theme.text)):
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
        """Put the keyboard at a board; None: at none."""
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

    @property
    def _hovered(self) -> int | None:
        return self._hovered_board

    def _mark_hovered(self, place: int | None) -> None:
        self._hovered_board = place
        self.update()

    def _count(self) -> None:
        before, self._n_shown = self._n_shown, 0
        if self._picture is not None:
            self._n_shown = self._places().n_shown
        if self._n_shown != before:
            self.count_changed.emit()
