"""The model of a table of items: its columns, and rows that are given or read when visible."""

import functools
from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont, QIcon

from tilelab.core.errors import TileLabError
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import one_line, tool_tip
from tilelab.core.text.wording import labelled

T = TypeVar("T")
Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
_ROOT = QModelIndex()
_ROWS_PER_READ = 100
_MAX_READS_KEPT = 40


@dataclass(frozen=True)
class Column(Generic[T]):
    """A column of a table."""

    heading: str
    width: int
    """Usual width in pixels; 0: as wide as its texts, or the remaining width if it stretches."""
    text: Callable[[T], str]
    order: Callable[[T], float | str | None] | None = None
    """Function that returns the sort key of an item, or None to sort it last in both directions.
    Without a function the column cannot be sorted.
    """
    is_number: bool = True  # whether its texts are numbers, aligned right
    header_tip: str = ""
    stretches: bool = False  # whether the column takes the remaining width; at most one column does
    most: int = 0
    """Width in pixels up to which the column grows with its texts where there is room; where there
    is too little, it is only as wide as they are. 0: it keeps its usual width.
    """
    yields: int = 0
    """Place in the order in which columns hide where there is too little room; 0: it never hides.
    The tool tip of the first column says what such columns say.
    """
    tip: Callable[[T], str] | None = None
    """Function that returns the tool tip as rich text; None for the whole text."""
    icon: Callable[[T], QIcon | None] | None = None
    font: Callable[[T], QFont | None] | None = None
    colour: Callable[[T], QColor | None] | None = None

    @property
    def side(self) -> Qt.AlignmentFlag:
        """Alignment of its texts and its heading."""
        across = Qt.AlignmentFlag.AlignRight if self.is_number else Qt.AlignmentFlag.AlignLeft
        return across | Qt.AlignmentFlag.AlignVCenter

    def data(self, item: T, role: int) -> object:
        if role == Role.DisplayRole:
            text = one_line(self.text(item))
            # A picture without a text is centred in its cell.
            return text if text or self.icon is None else None
        if role == Role.ToolTipRole:
            return tool_tip(self.text(item)) if self.tip is None else self.tip(item)
        looks: dict[int, Callable[[T], object] | None] = {
            Role.DecorationRole: self.icon,
            Role.FontRole: self.font,
            Role.ForegroundRole: self.colour,
        }
        look = looks.get(role)
        return None if look is None else look(item)


def text_columns(
    headings: Sequence[str], numbers: Container[int] = (), stretches: int | None = None
) -> tuple[Column[Sequence[str]], ...]:
    """Return columns of texts, each as wide as these; numbers: indices of number columns."""

    def column(place: int) -> Column[Sequence[str]]:
        return Column(
            headings[place],
            0,
            lambda line: line[place],
            is_number=place in numbers,
            header_tip=headings[place],
            stretches=place == stretches,
        )

    return tuple(map(column, range(len(headings))))


class LazyItems(Generic[T]):
    """A sequence of items with known keys that reads only visible items, many at a time."""

    def __init__(
        self, keys: Sequence[int], read: Callable[[Sequence[int]], Mapping[int, T]]
    ) -> None:
        """read: returns the items of some keys; omitted items are unreadable."""
        self.keys = keys
        self._read_keys = read
        self._portion = functools.lru_cache(maxsize=_MAX_READS_KEPT)(self._read)

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, row: int) -> T | None:
        """Return the item in a row; None if it is unreadable."""
        try:
            return self._portion(row // _ROWS_PER_READ).get(self.keys[row])
        except TileLabError:
            return None  # Opening the item shows why.

    def forget(self) -> None:
        """Forget all items; they are read again when visible."""
        self._portion.cache_clear()

    def _read(self, portion: int) -> Mapping[int, T]:
        begin = portion * _ROWS_PER_READ
        return self._read_keys(self.keys[begin : begin + _ROWS_PER_READ])


class ItemModel(QAbstractTableModel, Generic[T]):
    """A model of items with keys, sorted as the user has chosen."""

    def __init__(
        self, columns: Sequence[Column[T]], key: Callable[[T], Hashable] | None, parent: QObject
    ) -> None:
        """key: None uses the indices of items as keys."""
        super().__init__(parent)
        self.columns = columns
        self._key = key
        self.has_keys = key is not None
        self.items: Sequence[T] | LazyItems[T] = ()  # items in their shown order
        self.keys: Sequence[Hashable] = ()  # keys of the items in their shown order
        self._rows: dict[Hashable, int] = {}
        self._given: Sequence[tuple[Hashable, T]] = ()  # keys and items in their given order
        self._order: tuple[int, bool] | None = None

    @property
    def given(self) -> Sequence[T]:
        """Items in their given order; () for lazily read ones."""
        return [item for _, item in self._given]

    def set_columns(self, columns: Sequence[Column[T]]) -> None:
        """Set other columns, without items."""
        self.beginResetModel()
        self.columns, self._given, self._order = columns, (), None
        self._set_items((), ())
        self.endResetModel()

    def show_items(self, items: Sequence[T] | LazyItems[T]) -> None:
        """Show other items; items that are still there stay selected."""
        if isinstance(items, LazyItems):
            self.beginResetModel()
            self._set_items(items.keys, items)
            self.endResetModel()
        else:
            key = self._key
            keys = range(len(items)) if key is None else map(key, items)
            self._given = list(zip(keys, items, strict=True))
            self._arrange()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1 for the given order."""
        self._order = None if column < 0 else (column, order is Qt.SortOrder.DescendingOrder)
        if not isinstance(self.items, LazyItems):  # lazy items are read in their own order
            self._arrange()

    def _set_items(self, keys: Sequence[Hashable], items: Sequence[T] | LazyItems[T]) -> None:
        self.keys, self.items = keys, items
        self._rows = {key: row for row, key in enumerate(keys)}

    def _arrange(self) -> None:
        """Sort the given items by moving those that are already there."""
        pairs = self._sorted()
        keys, items = [key for key, _ in pairs], [item for _, item in pairs]
        before = self.keys
        if keys == before:
            self.items = items
            if items:
                last = self.index(len(items) - 1, len(self.columns) - 1)
                self.dataChanged.emit(self.index(0, 0), last)
        elif len(before) != len(keys) or set(before) != set(keys):
            self.beginResetModel()
            self._set_items(keys, items)
            self.endResetModel()
        else:
            self.layoutAboutToBeChanged.emit()
            indexes = self.persistentIndexList()
            self._set_items(keys, items)
            moved = [self.index(self._rows[before[old.row()]], old.column()) for old in indexes]
            self.changePersistentIndexList(indexes, moved)
            self.layoutChanged.emit()

    def _sorted(self) -> Sequence[tuple[Hashable, T]]:
        if self._order is None:
            return self._given
        column, is_down = self._order
        order = self.columns[column].order
        if order is None:
            return self._given
        values = [(order(item), (key, item)) for key, item in self._given]
        known = [(value, pair) for value, pair in values if value is not None]
        known.sort(key=lambda each: each[0], reverse=is_down)
        return [pair for _, pair in known] + [pair for value, pair in values if value is None]

    def row_of(self, key: Hashable) -> int | None:
        return self._rows.get(key)

    def refresh(self, key: Hashable, column: int | None = None) -> None:
        """Redraw the row of an item or one of its cells, if the item is there."""
        row = self.row_of(key)
        if row is not None:
            first, last = (0, len(self.columns) - 1) if column is None else (column, column)
            self.dataChanged.emit(self.index(row, first), self.index(row, last))

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.items)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Role.DisplayRole) -> object:
        if not index.isValid():
            return None
        column = self.columns[index.column()]
        if role == Role.TextAlignmentRole:
            return column.side
        item = self.items[index.row()]
        if item is None:
            return None
        if role == Role.ToolTipRole and index.column() == 0 and column.tip is None:
            rare = [(tr(each.heading), each.text(item)) for each in self.columns if each.yields]
            lines = [labelled(heading, text) for heading, text in rare if text]
            return tool_tip("\n".join([column.text(item), *lines]))
        return column.data(item, role)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        column = self.columns[section]
        if role == Role.TextAlignmentRole:
            return column.side
        if role == Role.ToolTipRole:
            return tool_tip(tr(column.header_tip))
        return tr(column.heading) if role == Role.DisplayRole else None
