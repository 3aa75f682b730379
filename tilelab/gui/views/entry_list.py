"""A list of small boards with their values, which the mouse and the keys point at."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetrics,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QListView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from tilelab.core.text.language import tr
from tilelab.core.views import BoardPlace, EntryState, Fate
from tilelab.gui.boards.scene import BoardLayout
from tilelab.gui.boards.tile_pictures import BoardTexts, TilePictures
from tilelab.gui.views.tree_painter import paint_mark
from tilelab.gui.widgets.parts import named
from tilelab.gui.widgets.theme import current_theme, legible, mix, scaled, text_font, text_pixels

_GAP, _RIM = 6, 5
_CELL, _MIN_BOARD, _MAX_BOARD = 13.0, 40.0, 76.0  # side of a tile, and of a board, in pixels
_MARKS = {
    EntryState.WAITING: Fate.OPEN,
    EntryState.LEFT: Fate.OPEN,
    EntryState.DONE: Fate.EXPANDED,
    EntryState.REJECTED: Fate.PRUNED,
}
"""Marks of a tree that have the same meaning as a state here."""


@dataclass(frozen=True)
class ListedBoard:
    """A board of the list with its texts."""

    board: BoardPlace
    head: str  # value that decides the order, or the fate of a move
    rest: str  # the other values
    words: str  # everything in words
    state: EntryState
    on_path: bool = False
    # Whether only a rule for ties puts it after the entry before, and before the next one.
    is_tied: tuple[bool, bool] = (False, False)
    is_next: bool = False
    is_wrong: bool = False  # whether it was a wrong answer
    is_last: bool = False  # whether it is the board expanded last


class _EntryModel(QAbstractListModel):
    """The entries of a list."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.entries: Sequence[ListedBoard] = ()
        self.texts: BoardTexts | None = None
        self.marked: int | None = None  # place that is pointed at in a view

    def show_entries(self, entries: Sequence[ListedBoard], texts: BoardTexts) -> None:
        self.beginResetModel()
        self.entries, self.texts, self.marked = entries, texts, None
        self.endResetModel()

    def place_of(self, board: BoardPlace | None) -> int | None:
        """Return the place of a board; None if it is not here."""
        found = (place for place, entry in enumerate(self.entries) if entry.board == board)
        return next(found, None)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return len(self.entries) if parent is None or not parent.isValid() else 0

    def data(
        self,
        index: QModelIndex | QPersistentModelIndex,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        roles = (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole)
        return self.entries[index.row()].words if role in roles else None


class EntryList(QListView):
    """A list of small boards; the mouse or the keys point at one, a click or Enter chooses it."""

    pointed = Signal(object)  # emitted with the place under the mouse or the keys, or None
    chosen = Signal(int)

    def __init__(self, name: str, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        named(self, name, title)
        self._hovered: int | None = None
        self._revealed: int | None = None  # place that a change of the size keeps in view
        self.rows = _EntryModel(self)
        self.setModel(self.rows)
        self._delegate = _EntryDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        # Between two entries, less than one would be whole in a narrow list.
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerItem)
        self.setHorizontalScrollMode(QListView.ScrollMode.ScrollPerItem)
        self.setMouseTracking(True)
        self.activated.connect(self._choose)
        self.clicked.connect(self._choose)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # A single row is a strip, to be scrolled from left to right.
        is_strip = self.height() < 2 * self.item_size.height()
        if self.isWrapping() is is_strip:
            on, off = Qt.ScrollBarPolicy.ScrollBarAsNeeded, Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            self.setHorizontalScrollBarPolicy(on if is_strip else off)
            self.setVerticalScrollBarPolicy(off if is_strip else on)
            self.setWrapping(not is_strip)
        self.reveal(self._revealed)

    def scrollTo(
        self,
        index: QModelIndex | QPersistentModelIndex,
        hint: QListView.ScrollHint = QListView.ScrollHint.EnsureVisible,
    ) -> None:
        super().scrollTo(index, hint)
        # Qt leaves the last pixel out of view, and only what is whole is painted.
        entry, seen = self.visualRect(index), self.viewport().rect()
        for bar, hidden in (
            (self.horizontalScrollBar(), entry.right() - seen.right()),
            (self.verticalScrollBar(), entry.bottom() - seen.bottom()),
        ):
            bar.setValue(bar.value() + (hidden == 1))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.rows.entries:
            painter, room = QPainter(self.viewport()), self.viewport().rect()
            painter.setPen(current_theme().muted)
            painter.setFont(text_font("small"))
            where = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(room, where, tr("none yet"))
            painter.end()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        self.viewport().update()  # entries that were cut are whole now, and others are cut

    @property
    def item_size(self) -> QSize:
        """Size of an entry in pixels."""
        return self._delegate.item_size

    @property
    def pointed_place(self) -> int | None:
        """Place that is pointed at, by the mouse before the keys."""
        if self._hovered is not None:
            return self._hovered
        current = self.currentIndex()
        return current.row() if self.hasFocus() and current.isValid() else None

    def show_entries(
        self, entries: Sequence[ListedBoard], texts: BoardTexts, *, is_compact: bool = False
    ) -> None:
        """Show other entries; the current board remains the current one."""
        current = self.currentIndex()
        kept = self.rows.entries[current.row()].board if current.isValid() else None
        if [entry.board for entry in entries] != [entry.board for entry in self.rows.entries]:
            self._revealed = None
        self._hovered = None
        self._delegate.measure(entries, texts, is_compact=is_compact)
        self.rows.show_entries(entries, texts)
        place = self.rows.place_of(kept)
        if place is not None:
            self.setCurrentIndex(self.rows.index(place))

    def clear_current(self) -> None:
        self.setCurrentIndex(QModelIndex())

    def reveal(self, place: int | None) -> None:
        """Scroll to a board until it is whole; None for no board."""
        self._revealed = place
        if place is not None:
            self.scrollTo(self.rows.index(place))

    def mark(self, board: BoardPlace | None) -> None:
        """Mark a board that is pointed at in a view."""
        self.rows.marked = None if board is None else self.rows.place_of(board)
        self.reveal(self.rows.marked)
        self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        self._hover(index.row() if index.isValid() else None)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(None)

    def currentChanged(
        self,
        current: QModelIndex | QPersistentModelIndex,
        previous: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().currentChanged(current, previous)
        self._report()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._report()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._report()

    def _hover(self, place: int | None) -> None:
        if place != self._hovered:
            self._hovered = place
            self._report()

    def _report(self) -> None:
        self.viewport().update()
        self.pointed.emit(self.pointed_place)

    @Slot(QModelIndex)
    def _choose(self, index: QModelIndex) -> None:
        self.chosen.emit(index.row())


class _EntryDelegate(QStyledItemDelegate):
    """Paints an entry: the board, its values, and a line below those that are tied."""

    def __init__(self, parent: EntryList) -> None:
        super().__init__(parent)
        self._list = parent
        self._board, self._text = _MIN_BOARD, 0
        self.item_size = QSize(0, 0)

    def measure(
        self, entries: Sequence[ListedBoard], texts: BoardTexts, *, is_compact: bool
    ) -> None:
        """Choose the size of all entries."""
        side = min(max(max(texts.shape) * scaled(_CELL), scaled(_MIN_BOARD)), scaled(_MAX_BOARD))
        if is_compact:
            side = scaled(_MIN_BOARD)
        strong, plain = (text_font("small", strong=is_strong) for is_strong in (True, False))
        lines = [(strong, entry.head) for entry in entries]
        lines += [(plain, entry.rest) for entry in entries]
        widths = [QFontMetrics(font).horizontalAdvance(text) for font, text in lines] or [0]
        self._board, self._text = side, max(widths) and max(widths) + scaled(_GAP)
        self.item_size = QSize(
            int(side) + self._text + 2 * scaled(_RIM) + scaled(4), int(side) + 3 * scaled(_RIM)
        )

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return self.item_size

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        rows, theme = self._list.rows, current_theme()
        entry, area = rows.entries[index.row()], QRectF(option.rect)
        area.setHeight(self.item_size.height())  # Qt gives an entry of a strip the list's height
        assert rows.texts is not None
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tint = theme.stop if entry.is_wrong else theme.accent
        is_tinted = entry.is_next or entry.is_wrong
        ground = mix(theme.field, tint, 0.14) if is_tinted else theme.field
        whole = area.adjusted(1, 1, -1, -1)
        if is_tinted:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground)
            painter.drawRoundedRect(whole, 5, 5)
        rim = float(scaled(_RIM))
        square = QRectF(area.left() + rim, area.top() + rim, self._board, self._board)
        if not self._is_whole(square):
            # A part of a number reads as another number.
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.grid)
            painter.drawRoundedRect(square, 5, 5)
            painter.restore()
            return
        layout = BoardLayout.fitted(rows.texts.shape, square)
        TilePictures().paint(painter, [layout], rows.texts.only(index.row()), theme)
        if entry.state in _MARKS:
            mark = QRectF(0, 0, 9, 9)
            mark.moveCenter(square.topRight() + QPointF(4, 0))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground)
            painter.drawEllipse(mark.adjusted(-2, -2, 2, 2))
            fate = Fate.PRUNED if entry.is_wrong else _MARKS[entry.state]
            paint_mark(painter, mark, fate, entry.on_path and not entry.is_wrong, theme)
        if self._is_whole(area):
            self._paint_texts(painter, entry, square, ground)
        self._paint_tie(painter, entry, area)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        is_pointed = index.row() in (rows.marked, self._list.pointed_place)
        if is_pointed or entry.is_last:
            painter.setPen(QPen(theme.selection if is_pointed else theme.accent, 2))
            painter.drawRoundedRect(whole, 5, 5)
        painter.restore()

    def _is_whole(self, area: QRectF) -> bool:
        """Return whether a part is in view as a whole, or else as far as there is room for it."""
        seen = QRectF(self._list.viewport().rect())
        return (
            area.width() > seen.width()
            or seen.left() <= area.left() <= area.right() <= seen.right()
        ) and (
            area.height() > seen.height()
            or seen.top() <= area.top() <= area.bottom() <= seen.bottom()
        )

    def _paint_texts(
        self, painter: QPainter, entry: ListedBoard, square: QRectF, ground: QColor
    ) -> None:
        theme = current_theme()
        ink = {
            EntryState.ACCEPTED: theme.accent_strong,
            EntryState.REJECTED: theme.stop_strong,
        }.get(entry.state, theme.text)
        lines = ((entry.head, ink, True), (entry.rest, theme.muted, False))
        line = text_pixels("small") * 1.35
        top = square.center().y() - line * (1 if entry.rest else 0.5)
        for text, colour, is_strong in lines:
            painter.setFont(text_font("small", strong=is_strong))
            painter.setPen(legible(colour, ground, theme.text))
            room = QRectF(square.right() + scaled(_GAP) + 4, top, self._text + 4, line)
            painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
            top += line

    def _paint_tie(self, painter: QPainter, entry: ListedBoard, area: QRectF) -> None:
        """Draw a part of the bracket below tied entries."""
        if not any(entry.is_tied):
            return
        painter.setPen(QPen(current_theme().outline, 1.2))
        height, inset = area.bottom() - scaled(3), scaled(_RIM)
        middle = QPointF(area.center().x(), height)
        sides = (area.left(), area.left() + inset), (area.right(), area.right() - inset)
        for is_tied, (edge, inner) in zip(entry.is_tied, sides, strict=True):
            end = QPointF(edge if is_tied else inner, height)
            painter.drawLine(middle, end)
            if not is_tied:
                painter.drawLine(end, end - QPointF(0, scaled(3)))
