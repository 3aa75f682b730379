"""A table of things: read where it is looked at, sorted by any column, copied as text."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import one_line, tool_tip
from tilelab.gui.widgets.parts import keep_rows_scaled, make_rows
from tilelab.gui.widgets.row_table import side
from tilelab.gui.widgets.theme import scaled

T = TypeVar("T")
Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_ROW_HEIGHT = 30


@dataclass(frozen=True)
class Column(Generic[T]):
    """What stands in a column."""

    heading: str
    width: int
    """In pixels, at least."""
    text: Callable[[T], str]
    order: Callable[[T], float | str | None]
    """What it is sorted by; None comes last, whichever way."""
    is_number: bool = True
    tip: str = ""
    stretches: bool = False
    """Whether it takes what the others leave; one of them does."""


class ItemModel(QAbstractTableModel, Generic[T]):
    """Things in the order that was asked for; each is known by its key."""

    def __init__(
        self, columns: Sequence[Column[T]], key: Callable[[T], Hashable], parent: QObject
    ) -> None:
        super().__init__(parent)
        self.columns = columns
        self._key = key
        self.items: list[T] = []
        """As they are shown."""
        self._as_given: Sequence[T] = ()
        self._order: tuple[int, bool] | None = None

    def show_items(self, items: Sequence[T]) -> None:
        """Show these; those that were there before stay chosen."""
        self._as_given = items
        self._arrange()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1: as they were given."""
        self._order = None if column < 0 else (column, order is Qt.SortOrder.DescendingOrder)
        self._arrange()

    def _arrange(self) -> None:
        """Show what there is in its order, by moving what was there already."""
        items = self._sorted()
        before = [self._key(item) for item in self.items]
        rows = {self._key(item): row for row, item in enumerate(items)}
        if len(before) != len(items) or not all(key in rows for key in before):
            self.beginResetModel()
            self.items = items
            self.endResetModel()
            return
        self.layoutAboutToBeChanged.emit()
        indexes = self.persistentIndexList()
        self.items = items
        self.changePersistentIndexList(
            indexes, [self.index(rows[before[old.row()]], old.column()) for old in indexes]
        )
        self.layoutChanged.emit()

    def _sorted(self) -> list[T]:
        if self._order is None:
            return list(self._as_given)
        column, is_down = self._order
        order = self.columns[column].order
        known = [(value, item) for item in self._as_given if (value := order(item)) is not None]
        known.sort(key=lambda pair: pair[0], reverse=is_down)
        return [item for _, item in known] + [
            item for item in self._as_given if order(item) is None
        ]

    def row_of(self, key: Hashable) -> int | None:
        """Return where a thing stands, or None."""
        return next((row for row, item in enumerate(self.items) if self._key(item) == key), None)

    def key_at(self, row: int) -> Hashable | None:
        """Return the key of the thing in a row, or None."""
        return self._key(self.items[row]) if 0 <= row < len(self.items) else None

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.items)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        column = self.columns[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return side(column.is_number)
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        text = column.text(self.items[index.row()])
        return tool_tip(text) if role == Qt.ItemDataRole.ToolTipRole else one_line(text)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return side(column.is_number)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tool_tip(column.tip)
        return tr(column.heading) if role == Qt.ItemDataRole.DisplayRole else None


class ItemTable(QTableView, Generic[T]):
    """Rows, any number of them chosen; Enter opens the current one, Ctrl+C copies the chosen."""

    open_asked = Signal()
    current_changed = Signal()
    """Another thing is the current one."""

    def __init__(
        self,
        name: str,
        title: str,
        columns: Sequence[Column[T]],
        key: Callable[[T], Hashable],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.items = ItemModel(columns, key, self)
        self.setModel(self.items)
        make_rows(self)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        rows, heads = self.verticalHeader(), self.horizontalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        heads.setSectionsClickable(True)
        heads.setSortIndicatorShown(True)
        heads.setSortIndicatorClearable(True)
        heads.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        for number, column in enumerate(columns):
            self.setColumnWidth(number, column.width)
        keep_rows_scaled(self, _ROW_HEIGHT)
        self.selectionModel().currentRowChanged.connect(self._changed)
        self.doubleClicked.connect(self.open_asked)

    @property
    def current(self) -> T | None:
        """The thing in the current row, or None."""
        row = self.currentIndex().row()
        return self.items.items[row] if 0 <= row < len(self.items.items) else None

    def show_items(self, items: Sequence[T]) -> None:
        """Show these; the current one stays it, while it is there."""
        key = self.items.key_at(self.currentIndex().row())
        self.items.show_items(items)
        row = None if key is None else self.items.row_of(key)
        if row is not None and row != self.currentIndex().row():
            self.selectRow(row)

    def show_column(self, number: int, *, is_shown: bool) -> None:
        """Show a column, or hide it."""
        self.setColumnHidden(number, not is_shown)
        self._share_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def _share_room(self) -> None:
        heads = self.horizontalHeader()
        number, column = next(each for each in enumerate(self.items.columns) if each[1].stretches)
        others = heads.length() - heads.sectionSize(number)
        self.setColumnWidth(number, max(scaled(column.width), self.viewport().width() - others))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_asked.emit()
        else:
            super().keyPressEvent(event)

    def copy(self) -> None:
        """Copy the chosen rows below their headings, with tabs between."""
        shown = [
            (number, column)
            for number, column in enumerate(self.items.columns)
            if not self.isColumnHidden(number)
        ]
        rows = sorted({index.row() for index in self.selectionModel().selectedRows()})
        lines = [[tr(column.heading) for _, column in shown]]
        lines += [
            [one_line(column.text(self.items.items[row])) for _, column in shown] for row in rows
        ]
        if rows:
            QGuiApplication.clipboard().setText("\n".join("\t".join(line) for line in lines))

    @Slot()
    def _changed(self) -> None:
        self.current_changed.emit()
