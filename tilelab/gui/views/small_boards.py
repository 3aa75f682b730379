"""Many boards, small, side by side: as many as can be read."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

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
from tilelab.gui.boards.scene import GAP, MARGIN, MAX_SCREEN_PITCH, BoardLayout
from tilelab.gui.boards.tile_pictures import TilePictures
from tilelab.gui.boards.tile_texts import BoardTexts
from tilelab.gui.widgets.text_painter import Lettering
from tilelab.gui.widgets.theme import Theme, current_theme

LEAST_PITCH = 10
"""Pixels from one tile to the next, so that their letters can still be read."""
_LINE, _PIXELS = 17.0, 12
_GAP, _RIM = 8.0, 4.0


@dataclass(frozen=True)
class Foot:
    """What stands below a board."""

    number: str
    """Which board it is."""
    value: str
    is_best: bool = False
    more: str = ""
    """A line of its own."""
    is_marked: bool = False
    """Whether that line is set off."""


@dataclass(frozen=True)
class Places:
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
    ) -> "Places":
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
        self._texts: BoardTexts | None = None
        self._feet: Sequence[Foot] = ()
        self._words = self._note = ""
        self._n_lines, self._least_width = 1, 0.0
        self._pictures = TilePictures()
        self._n_shown = 0
        self._hovered_board: int | None = None
        self._focused: int | None = None

    @property
    def n_boards(self) -> int:
        """How many boards there are."""
        return len(self._feet)

    @property
    def n_shown(self) -> int:
        """How many of them find room."""
        return self._n_shown

    @property
    def pointed(self) -> int | None:
        """The board that the mouse, or else the keyboard, points at."""
        return self._focused if self._hovered_board is None else self._hovered_board

    def show_boards(
        self,
        texts: BoardTexts,
        feet: Sequence[Foot],
        words: str,
        least_width: float = 0.0,
        note: str = "",
    ) -> None:
        """Show boards with what stands below each.

        words: say the same of all. least_width: what a text below needs, in pixels. note: what
        stands below all.
        """
        self._texts, self._feet, self._least_width = texts, feet, least_width
        self._n_lines = 2 if any(foot.more for foot in feet) else 1
        for name in ("_hovered_board", "_focused"):
            place = getattr(self, name)
            if place is not None and place >= len(feet):
                setattr(self, name, None)
        self._words, self._note = words, note
        self._describe()
        self._count()
        self.update()

    def board_words(self, board: int) -> str:
        """Say what is shown of a board."""
        assert self._texts is not None
        foot = self._feet[board]
        more = f", {foot.more}" if foot.more else ""
        return f"{self._noun} {foot.number}: {foot.value}{more}; {self._texts.words(board)}"

    def places(self, rect: QRectF | None = None) -> Places:
        """Return where the boards stand, on the screen or in a picture."""
        shape = (2, 2) if self._texts is None else self._texts.shape
        where = QRectF(self.rect()) if rect is None else rect
        where = where.adjusted(0, 0, 0, -_LINE if self._note else 0)
        return Places.found(where, shape, self.n_boards, self._n_lines, self._least_width)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = current_theme()
        self.paint(painter, QRectF(self.rect()), theme)
        places = self.places()
        for board, colour in ((self._hovered_board, theme.outline), (self._focused, theme.text)):
            if board is not None and board < places.n_shown:
                pen = QPen(colour, 1.5)
                if board == self._focused:
                    pen.setDashPattern([2.0, 2.0])
                painter.setPen(pen)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(places.place(board).adjusted(1, 1, -1, -1), 6, 6)
        painter.end()

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme, outlines: bool = False) -> None:
        """Draw the boards into a rectangle, without the marks of mouse and keyboard."""
        if self._texts is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        places = self.places(rect)
        layouts = [places.layout(board) for board in range(places.n_shown)]
        self._paint_ground(painter, layouts, theme)
        self._pictures.paint(painter, layouts, self._texts, theme, outlines)
        letterings = {
            (is_strong, is_set_off): Lettering(
                painter,
                _PIXELS,
                theme.accent if is_set_off else theme.text if is_strong else theme.muted,
                strong=is_strong,
                outlines=outlines,
            )
            for is_strong in (False, True)
            for is_set_off in (False, True)
        }
        for board, layout in enumerate(layouts):
            foot = self._feet[board]
            last = layout.cell_rect(layout.n_rows * layout.n_cols - 1)
            left, middle = layout.left, (layout.left + last.right()) / 2
            line = last.bottom() + _RIM + _LINE / 2
            number, value = letterings[False, False], letterings[True, foot.is_best]
            width = number.width(foot.number) + value.width(foot.value) + 8
            room = max(last.right() - left, min(width, places.place(board).width() - 2 * _RIM))
            if width > room:
                value.draw(QPointF(middle, line), foot.value)
            else:
                number.draw(QPointF(middle - room / 2, line), foot.number, align=0.0)
                value.draw(QPointF(middle + room / 2, line), foot.value, align=1.0)
            if foot.more:
                more = letterings[foot.is_marked, foot.is_marked]
                more.draw(QPointF(middle, line + _LINE), foot.more)

        if self._note:
            point = QPointF(rect.center().x(), rect.bottom() - _LINE / 2 + 2)
            letterings[False, False].draw(point, self._note)

    def _paint_ground(
        self, painter: QPainter, layouts: Sequence[BoardLayout], theme: Theme
    ) -> None:
        """Draw what lies below the boards."""

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
            step = row_step * self.places().n_columns + col_step
            start = 0 if self._focused is None else self._focused + step
            self.focus_board(min(max(start, 0), self.n_shown - 1))
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
        board = self._focused
        self.setAccessibleDescription(self._words if board is None else self.board_words(board))

    def _place_at(self, point: QPointF) -> int | None:
        places = self.places()
        found = (board for board in range(places.n_shown) if places.place(board).contains(point))
        return next(found, None)

    @property
    def _hovered(self) -> int | None:
        return self._hovered_board

    def _mark_hovered(self, place: int | None) -> None:
        self._hovered_board = place
        self.update()

    def _count(self) -> None:
        before, self._n_shown = self._n_shown, self.places().n_shown
        if self._n_shown != before:
            self.count_changed.emit()
