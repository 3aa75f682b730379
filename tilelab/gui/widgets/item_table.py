"""A table of items with declared columns, which shares its room between them."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Generic, Self, TypeVar

from PySide6.QtCore import (
    QByteArray,
    QItemSelectionModel,
    QModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import one_line
from tilelab.gui.widgets.item_model import Column, Index, ItemModel
from tilelab.gui.widgets.parts import named
from tilelab.gui.widgets.theme import (
    current_theme,
    keep_themed,
    scaled,
    set_style_property,
    text_font,
    text_scale,
)

T = TypeVar("T")
ROW_HEIGHT = 30
_MAX_MEASURED = 100  # number of rows, in addition to visible ones, that a column is measured by
_MIN_WIDTH = 24  # pixels of the narrowest column
_HEADING_PADDING = 8  # pixels at either side of a heading at the usual size, as in the style sheet


def _grow(widths: dict[int, int], wanted: Mapping[int, int], room: int) -> None:
    """Let columns grow to wanted widths as far as there is room; small growths come first."""
    missing = {number: width - widths[number] for number, width in wanted.items()}
    order = sorted(missing, key=missing.__getitem__)
    for n_done, number in enumerate(order):
        growth = max(min(missing[number], room // (len(order) - n_done)), 0)
        widths[number] += growth
        room -= growth


class _FirstColumn(QTableView):
    """An overlay that keeps the first column visible while the others scroll sideways."""

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self._table = table
        self.setModel(table.model())
        self.setSelectionModel(table.selectionModel())
        self.setSelectionBehavior(table.selectionBehavior())
        self.setEditTriggers(table.editTriggers())
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(table.accessibleName())
        set_style_property(self, "first", True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        for policy in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        heads = self.horizontalHeader()
        heads.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        heads.setHighlightSections(False)
        self.doubleClicked.connect(table.doubleClicked)
        table.horizontalHeader().sectionResized.connect(self.arrange)
        table.horizontalScrollBar().valueChanged.connect(self.arrange)
        for here, there in ((self, table), (table, self)):
            here.verticalScrollBar().valueChanged.connect(there.verticalScrollBar().setValue)

    @Slot()
    def arrange(self) -> None:
        """Show the overlay while the first column is scrolled away."""
        table, heads = self._table, self._table.horizontalHeader()
        self.setVisible(table.horizontalScrollBar().value() > 0)
        for column in range(1, heads.count()):
            self.setColumnHidden(column, True)
        self.setIconSize(table.iconSize())
        self.setTextElideMode(table.textElideMode())
        self.verticalHeader().setDefaultSectionSize(table.verticalHeader().defaultSectionSize())
        self.horizontalHeader().setFixedHeight(heads.height())
        self.setColumnWidth(0, heads.sectionSize(0))
        at, rows = heads.geometry().topLeft(), table.viewport().height()
        self.setGeometry(at.x(), at.y(), heads.sectionSize(0), heads.height() + rows)


class ItemTable(QTableView, Generic[T]):
    """A table that selects whole rows; Enter opens the current one, Ctrl+C copies the selection."""

    open_requested = Signal()
    current_changed = Signal()  # emitted when another item becomes current

    def __init__(
        self,
        name: str,
        title: str,
        columns: Sequence[Column[T]],
        key: Callable[[T], Hashable] | None = None,
        parent: QWidget | None = None,
        *,
        selects_many: bool = False,
        is_fixed: bool = False,
        first_share: int = 0,
        n_in_view: int = 0,
        row_height: int = ROW_HEIGHT,
    ) -> None:
        """key: identifies an item; None for its index, while their number does not change.

        is_fixed: whether the user cannot change the widths of columns.
        first_share: part of the width, in per cent, up to which the first column has room for its
        texts; then it stays visible when the others scroll sideways. 0: it is like the others.
        n_in_view: number of columns that share the width where it is too small for all; 0: all.
        """
        super().__init__(parent)
        named(self, name, title)
        self._first: _FirstColumn | None = None
        self._n_in_view = n_in_view
        self._needed: dict[int, int] = {}
        """Widths that the texts of growing columns have needed; they never shrink, so that columns
        do not jump while the user searches.
        """
        self._without_room: set[int] = set()  # columns that are hidden for want of room
        self._gives_width = False  # whether the table itself is changing a width
        self.own_widths: set[int] = set()  # columns whose width the user has changed
        self.items = ItemModel(columns, key, self)
        self._is_fixed, self._row_height, self._text_scale = is_fixed, row_height, text_scale()
        self.setModel(self.items)
        modes = QAbstractItemView.SelectionMode
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(modes.ExtendedSelection if selects_many else modes.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        rows, heads = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        # With fixed heights, a table does not measure fifty thousand rows.
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        heads.setHighlightSections(False)
        # That of a style grows with the texts, and its resizing would be taken for the user's.
        heads.setMinimumSectionSize(_MIN_WIDTH)
        self._lay_out_columns()
        keep_themed(self, self._scale_sizes)
        self.selectionModel().currentRowChanged.connect(self.current_changed)
        self.doubleClicked.connect(self.open_requested)
        self._first_share, self._first_needed = first_share, 0
        heads.sectionResized.connect(self._note_width)
        heads.setResizeContentsPrecision(_MAX_MEASURED)
        if first_share:
            self._first = _FirstColumn(self)

    @property
    def current(self) -> T | None:
        """Item in the current row, or None."""
        row = self.currentIndex().row()
        return self.items.items[row] if 0 <= row < len(self.items.items) else None

    @property
    def selected(self) -> list[T]:
        """Items in the selected rows, from top to bottom."""
        items = (self.items.items[row] for row in self.selected_rows())
        return [item for item in items if item is not None]

    def selected_rows(self) -> list[int]:
        """Return the selected rows, from top to bottom."""
        # By ranges, because asking for many rows one by one takes a minute.
        ranges = self.selectionModel().selection()
        parts = [ranges.at(place) for place in range(ranges.count())]
        return sorted({row for part in parts for row in range(part.top(), part.bottom() + 1)})

    def show_items(self, items: Sequence[T]) -> None:
        """Show these items; the current one stays current if it is still there."""
        row, keys = self.currentIndex().row(), self.items.keys
        key = keys[row] if self.items.has_keys and 0 <= row < len(keys) else None
        self.items.show_items(items)
        now = None if key is None else self.items.row_of(key)
        if now is not None and now != self.currentIndex().row():
            self.selectRow(now)
        # While the texts need the same width, that which the user has chosen remains.
        if self._first is not None and self.sizeHintForColumn(0) != self._first_needed:
            self.share_room()
        self.measure_texts()

    def take_over(self, before: Self) -> None:
        """Show the order and the widths of another table, and select the same items.

        Until this table has items of its own, it shows those of the other one.
        """
        if self.items.columnCount() != before.items.columnCount():
            return  # other columns will come with its items
        self.restore_columns(before.horizontalHeader().saveState(), before.own_widths)
        self._without_room = set(before._without_room)  # the state has them as hidden
        if self._is_fixed:
            self._needed = dict(before._needed)
        if self.items.has_keys and not self.items.keys:
            self.items.show_items(before.items.given)
        chosen = [*before.selected_rows(), before.currentIndex().row()]
        rows = [self.items.row_of(before.items.keys[row]) for row in chosen if row >= 0]
        places = [self.items.index(row, 0) for row in rows if row is not None]
        flag = QItemSelectionModel.SelectionFlag
        for number, place in enumerate(places):
            how = flag.Select if number else flag.ClearAndSelect
            self.selectionModel().setCurrentIndex(place, how | flag.Rows)
        self.measure_texts()

    def restore_columns(self, state: QByteArray, own_widths: Collection[int]) -> None:
        """Restore the order and the widths of columns, which may be those of another language.

        own_widths: columns whose width is the user's; the others have room for their headings.
        """
        self._gives_width = True
        self.horizontalHeader().restoreState(state)
        self._gives_width = False
        self.own_widths = set(own_widths)
        for number, column in enumerate(self.items.columns):
            width, is_own = self._heading_width(number), number in self.own_widths
            if column.width and not is_own and 0 < self.columnWidth(number) < width:
                self._set_width(number, width)

    def set_columns(self, columns: Sequence[Column[T]]) -> None:
        """Set other columns, without items, and show all of them."""
        self.items.set_columns(columns)
        for number in range(len(columns)):  # Qt hides by place
            self.setColumnHidden(number, False)
        self._needed, self.own_widths, self._without_room = {}, set(), set()
        self._lay_out_columns()

    def measure_texts(self) -> None:
        """Let columns grow with the texts that are shown now."""
        needed = dict(self._needed)
        waiting = {number for number in self._without_room if self.items.columns[number].most}
        for number in waiting.union(self._growing()):
            needed[number] = max(self.sizeHintForColumn(number), needed.get(number, 0))
        if needed != self._needed:
            self._needed = needed
            self.share_room()

    def forget_texts(self) -> None:
        """Let columns become narrower again with the next items, because these say other things."""
        self._needed = {}

    def show_column(self, number: int, *, is_shown: bool) -> None:
        """Show a column if there is room for it, or hide it."""
        if self._has_column(number) != is_shown:
            self._without_room.discard(number)
            self.setColumnHidden(number, not is_shown)
            self.share_room()

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Let Home and End go to the first and the last row, because whole rows are selected."""
        actions = QAbstractItemView.CursorAction
        if action not in (actions.MoveHome, actions.MoveEnd) or not self.items.rowCount():
            return super().moveCursor(action, modifiers)
        row = 0 if action is actions.MoveHome else self.items.rowCount() - 1
        return self.items.index(row, max(self.currentIndex().column(), 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.share_room()
        if self._first is not None:
            self._first.arrange()

    def share_room(self) -> None:
        """Give growing columns and the first one room for their texts, as far as there is room.

        The stretching column gets the remaining width.
        """
        self._hide_without_room()
        shared = self._shared_widths()
        for number, width in shared.items():
            self._set_width(number, width)
        for number, column in enumerate(self.items.columns):
            if column.stretches and column.width:
                heads = self.horizontalHeader()
                room = self.viewport().width() - heads.length() + heads.sectionSize(number)
                least = shared.get(number) or self._least_width(number)
                self._set_width(number, max(least, room))
        if self._first is not None:
            self._first_needed = self.sizeHintForColumn(0)
            self._set_width(0, max(self.columnWidth(0), self._first_width()))

    def _first_width(self) -> int:
        """Return the width that the first column has for its texts, up to its share.

        It is cut before those that share the width with it, unless they yield.
        """
        columns, room = self.items.columns, self.viewport().width()
        sharing = range(1, self._n_in_view or len(columns))
        staying = [n for n in sharing if self._has_column(n) and not columns[n].yields]
        left = max(room - sum(map(self._needed_width, staying)), self._least_width(0))
        return min(self.sizeHintForColumn(0), room * self._first_share // 100, left)

    def _has_column(self, number: int) -> bool:
        """Return whether a column is shown or only waits for room."""
        return not self.isColumnHidden(number) or number in self._without_room

    def _hide_without_room(self) -> None:
        """Hide yielding columns while the others need their room, and show them again."""
        columns = self.items.columns
        usual = {n: self._usual_width(n) for n in range(len(columns)) if self._has_column(n)}
        missing = sum(usual.values()) - self.viewport().width()
        hidden = set()
        for number in sorted(usual, key=lambda each: columns[each].yields):
            if columns[number].yields and missing > 0:
                hidden.add(number)
                missing -= usual[number]
        for number in hidden ^ self._without_room:
            self.setColumnHidden(number, number in hidden)
        self._without_room = hidden

    def _usual_width(self, number: int) -> int:
        """Return the width that a column should have: the usual one, or more for its texts."""
        column = self.items.columns[number]
        if not column.width:
            return self.columnWidth(number)
        texts = min(self._needed.get(number, 0), scaled(column.most))
        if number == 0 and self._first_share:
            texts = max(texts, self._first_width())
        return max(self._least_width(number), texts)

    def _needed_width(self, number: int) -> int:
        """Return the width that a growing column needs for its texts; of others, their own."""
        most = scaled(self.items.columns[number].most)
        if not most or number in self.own_widths:
            return self.columnWidth(number)
        return max(min(self._needed.get(number, 0), most), self._heading_width(number))

    def _growing(self) -> list[int]:
        """Return the shown columns that grow with their texts."""
        return [
            number
            for number, column in enumerate(self.items.columns)
            if column.most and number not in self.own_widths and not self.isColumnHidden(number)
        ]

    def _shared_widths(self) -> dict[int, int]:
        """Return the widths of growing columns: first what texts need, then what is usual."""
        usual, needed, heads = {}, {}, self.horizontalHeader()
        for number in self._growing():
            usual[number] = self._least_width(number)
            needed[number] = self._needed_width(number)
        shown = [heads.logicalIndex(place) for place in range(heads.count())]
        shown = [number for number in shown if not self.isColumnHidden(number)]
        widths = {number: self.columnWidth(number) for number in shown}
        # A column that takes the remaining width leaves room to those that grow.
        taking = [
            n for n in shown if self.items.columns[n].stretches and self.items.columns[n].width
        ]
        for number in [*taking, *(shown[-1:] if heads.stretchLastSection() else [])]:
            widths[number] = self._least_width(number)
        if self._first_share:
            widths[0] = max(widths[0], self._first_width())
            if 0 in needed:
                needed[0] = widths[0]
        in_view = range(self._n_in_view or heads.count())
        for number, width in needed.items():
            widths[number] = min(width, usual[number]) if number in in_view else width
        room = self.viewport().width()
        seen = sum(width for number, width in widths.items() if number in in_view)
        _grow(widths, {n: width for n, width in needed.items() if n in in_view}, room - seen)
        _grow(widths, usual, room - sum(widths.values()))
        return {number: widths[number] for number in needed}

    def _set_width(self, number: int, width: int) -> None:
        """Set a width that is not the user's."""
        self._gives_width = True
        self.setColumnWidth(number, width)
        self._gives_width = False

    @Slot(int, int, int)
    def _note_width(self, number: int, before: int, now: int) -> None:
        """Keep the width that the user gives a column; a hidden one has none."""
        is_by_hand = self.items.columns[number].width and not self._gives_width
        if before and now and is_by_hand:
            self.own_widths.add(number)
            self._needed.pop(number, None)

    def _least_width(self, number: int) -> int:
        """Return the width that a column has at first, with room for its heading."""
        return max(scaled(self.items.columns[number].width), self._heading_width(number))

    def _heading_width(self, number: int) -> int:
        # The header's own hint has room for the sort arrow, which the theme puts above the text.
        heading = tr(self.items.columns[number].heading)
        width = self.horizontalHeader().fontMetrics().horizontalAdvance(heading)
        return width + 2 * scaled(_HEADING_PADDING)

    def _lay_out_columns(self) -> None:
        heads, modes = self.horizontalHeader(), QHeaderView.ResizeMode
        if any(column.order for column in self.items.columns):
            heads.setSortIndicatorClearable(True)
            heads.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
            self.setSortingEnabled(True)
        for number, column in enumerate(self.items.columns):
            if not column.width:
                mode = modes.Stretch if column.stretches else modes.ResizeToContents
            else:
                mode = modes.Fixed if self._is_fixed else modes.Interactive
                self._set_width(number, self._least_width(number))
            heads.setSectionResizeMode(number, mode)

    def _scale_sizes(self) -> None:
        """Scale rows and columns with the size of texts."""
        growth, self._text_scale = text_scale() / self._text_scale, text_scale()
        self.verticalHeader().setDefaultSectionSize(scaled(self._row_height))
        for number, column in enumerate(self.items.columns):
            if column.width and growth != 1:
                is_hidden = self.isColumnHidden(number)
                self.setColumnHidden(number, False)  # a hidden one says that its width is 0
                self._set_width(number, round(self.columnWidth(number) * growth))
                self.setColumnHidden(number, is_hidden)
        if growth != 1:
            self._needed = {}
            self.measure_texts()
        self.updateGeometry()

    def set_row_height(self, pixels: int) -> None:
        """Set the height of a row at the usual size of texts."""
        self._row_height = pixels
        self._scale_sizes()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_requested.emit()
        super().keyPressEvent(event)

    def copy(self) -> None:
        """Copy the selected rows below their headings."""
        if rows := self.selected_rows():
            QGuiApplication.clipboard().setText(self.text_of(rows))

    def text_of(self, rows: Iterable[int]) -> str:
        """Return rows below their headings as text, with tabs between columns."""
        heads = self.horizontalHeader()
        places = [heads.logicalIndex(place) for place in range(heads.count())]
        shown = [self.items.columns[each] for each in places if self._has_column(each)]
        lines = [[tr(column.heading) for column in shown]]
        for row in rows:
            item = self.items.items[row]
            if item is not None:
                lines.append([one_line(column.text(item)) for column in shown])
        return "\n".join("\t".join(line) for line in lines)


PURPOSE = int(Qt.ItemDataRole.UserRole) + 1  # role of a solver's purpose, a sentence or ''
_SIDE, _HEIGHT = 10, 46


class PurposeDelegate(QStyledItemDelegate):
    """A delegate that draws title and purpose; an item without a purpose looks normal."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, purpose = current_theme(), str(index.data(PURPOSE) or "")
        area, state = QRect(option.rect), option.state
        painter.save()
        marked = QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver
        if state & marked:
            painter.fillRect(area, theme.wash)
        area.adjust(_SIDE, 0, -_SIDE, 0)
        middle = area.center().y() if purpose else area.bottom()
        is_enabled = bool(state & QStyle.StateFlag.State_Enabled)
        painter.setPen(theme.text if is_enabled else theme.faint)
        painter.setFont(text_font())
        upper = Qt.AlignmentFlag.AlignBottom if purpose else Qt.AlignmentFlag.AlignVCenter
        painter.drawText(
            QRect(area.topLeft(), QSize(area.width(), middle - area.top() + 1)),
            Qt.AlignmentFlag.AlignLeft | upper,
            _cut(painter, str(index.data()), area.width()),
        )
        painter.setPen(theme.muted)
        painter.setFont(text_font("small"))
        below = QRect(area.left(), middle + 2, area.width(), area.bottom() - middle - 1)
        purpose = _cut(painter, purpose, area.width())
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, purpose)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        purpose = str(index.data(PURPOSE) or "")
        title = QFontMetrics(text_font()).horizontalAdvance(str(index.data()))
        said = QFontMetrics(text_font("small")).horizontalAdvance(purpose)
        height = scaled(_HEIGHT) if purpose else super().sizeHint(option, index).height()
        return QSize(max(title, said) + 2 * _SIDE, height)


def _cut(painter: QPainter, text: str, width: int) -> str:
    return painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width)
