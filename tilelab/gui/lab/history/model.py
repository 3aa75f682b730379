"""The table of runs: the order of all is known, and what is looked at is read."""

import base64
import functools
from collections.abc import Callable, Collection, Mapping
from datetime import datetime

from PySide6.QtCore import (
    QAbstractTableModel,
    QByteArray,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QIcon, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from tilelab import catalog
from tilelab.core.errors import TileLabError
from tilelab.core.text.language import marked, moment_text, tr
from tilelab.core.text.shown_text import one_line, tool_tip
from tilelab.core.text.wording import counted, duration
from tilelab.gui.lab.history.thumbnails import SIDE, HistoryPictures
from tilelab.gui.widgets.parts import keep_rows_scaled, make_rows, spot_icon, untinted_icon
from tilelab.gui.widgets.row_table import side
from tilelab.gui.widgets.theme import scaled, text_font
from tilelab.letters.builtin import shown_title
from tilelab.runs.figures import TITLES as FIGURES
from tilelab.runs.figures import figure_texts
from tilelab.runs.history.record import RunLine
from tilelab.runs.history.store import ORDERS, History, Query

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_ROWS_A_READ = 100
_MOST_KEPT = 40
"""Portions that are kept in memory."""
COLUMNS: tuple[tuple[str, str, int], ...] = (
    ("begun", marked("Begun"), 166),
    ("puzzle", marked("Puzzle"), 94),
    ("title", marked("Instance"), 104),
    ("solver", marked("Solver"), 152),
    ("board", marked("Board"), 52),
    ("best", marked("Best"), 108),
    ("units", marked("Done"), 168),
    ("status", marked("Status"), 96),
    ("seconds", marked("Time"), 92),
    ("size", marked("Size"), 66),
    ("seed", marked("Seed"), 100),
    ("tags", marked("Tags"), 110),
    ("note", marked("Note"), 180),
    *((name, title, 104) for name, title in FIGURES.items()),
)
"""What to sort by, heading, and width in pixels; by their boards runs are not sorted.

All up to the status are seen whole in a window of 1024 pixels. What comes later is added at the
end, so that what was kept of the columns before still fits them.
"""
_NUMBERS = frozenset({"size", "best", "units", "seconds", "seed", *FIGURES})
NAMES = [name for name, _, _ in COLUMNS]
_BEST, _BOARD = NAMES.index("best"), NAMES.index("board")
_AROUND = 12
"""Pictures that are read along with one that is looked at."""
_ROW_HEIGHT = 38


def local_time(moment: str) -> str:
    """Write a moment of the history in this place's time: ``2026-03-01 10:30``."""
    try:
        return moment_text(datetime.fromisoformat(moment).astimezone())
    except (ValueError, OverflowError, OSError):
        return moment


class HistoryModel(QAbstractTableModel):
    """Runs of the history in the order that is asked for."""

    def __init__(self, pictures: HistoryPictures, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pictures = pictures
        pictures.came.connect(self._show_picture)
        self._history: History | None = None
        self.ids: list[int] = []
        """The numbers of all runs that are shown, in order."""
        self._rows: dict[int, int] = {}
        self._portion = functools.lru_cache(maxsize=_MOST_KEPT)(self._read)
        self._colours: Mapping[int, QColor] = {}
        self._titles = {key: tr(cls.spec.title) for key, cls in catalog.puzzles().items()}
        self.query = Query()
        """What is shown."""
        self.ratio = 1.0
        """Pixels a point of the screen that pictures are shown on."""

    def show(self, history: History, query: Query) -> None:
        """Show the runs that are wanted; raises TileLabError and then shows what it did."""
        ids = history.ids(query)
        self.beginResetModel()
        self._history, self.query, self.ids = history, query, ids
        self._rows = {number: row for row, number in enumerate(ids)}
        self._portion.cache_clear()
        self._pictures.forget()
        self.endResetModel()

    def set_colours(self, colours: Mapping[int, QColor]) -> None:
        """Mark runs with the colours of their curves."""
        changed = {*self._colours, *colours}
        self._colours = dict(colours)
        for number in changed & self._rows.keys():
            index = self.index(self._rows[number], 0)
            self.dataChanged.emit(index, index)

    def refresh(self, number: int) -> None:
        """Read a run's line again."""
        row = self.row_of(number)
        if row is not None:
            self._portion.cache_clear()
            self.dataChanged.emit(self.index(row, 0), self.index(row, len(COLUMNS) - 1))

    def row_of(self, number: int) -> int | None:
        """Return the row of a run, or None."""
        return self._rows.get(number)

    def line(self, row: int) -> RunLine | None:
        """Return what is known of the run in a row; None when it cannot be read."""
        try:
            return self._portion(row // _ROWS_A_READ).get(self.ids[row])
        except TileLabError:
            return None  # whoever asks for more than the list is informed why

    def _read(self, portion: int) -> dict[int, RunLine]:
        assert self._history is not None
        begin = portion * _ROWS_A_READ
        lines = self._history.lines(self.ids[begin : begin + _ROWS_A_READ])
        return {line.id: line for line in lines}

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.ids)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        name = COLUMNS[index.column()][0]
        if role == Qt.ItemDataRole.DecorationRole:
            if index.column() == _BOARD:
                return self._picture(index.row())
            colour = self._colours.get(self.ids[index.row()]) if index.column() == 0 else None
            return None if colour is None else spot_icon(colour.name(), 16, 3)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return side(name in _NUMBERS)
        if role == Qt.ItemDataRole.FontRole:
            return text_font(strong=True) if index.column() == _BEST else None
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        if index.column() == _BOARD:
            is_tip = role == Qt.ItemDataRole.ToolTipRole
            return _large(self._pictures.data(self.ids[index.row()])) if is_tip else None
        line = self.line(index.row())
        if line is None:
            return None
        text = text_in(name, line, self._titles)
        return tool_tip(text) if role == Qt.ItemDataRole.ToolTipRole else one_line(text)

    def _picture(self, row: int) -> QIcon | None:
        assert self._history is not None
        around = self.ids[max(row - _AROUND, 0) : row + _AROUND]
        picture = self._pictures.pixmap(self.ids[row], around, self._history, self.ratio)
        return None if picture is None else untinted_icon(picture)

    @Slot(int)
    def _show_picture(self, number: int) -> None:
        row = self.row_of(number)
        if row is not None:
            index = self.index(row, _BOARD)
            self.dataChanged.emit(index, index)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        name, heading, _ = COLUMNS[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return tr(heading)
        return side(name in _NUMBERS) if role == Qt.ItemDataRole.TextAlignmentRole else None


_TEXTS: dict[str, Callable[[RunLine, Mapping[str, str]], str]] = {
    "begun": lambda line, _: local_time(line.begun),
    "puzzle": lambda line, titles: titles.get(line.puzzle, line.puzzle),
    "title": lambda line, _: shown_title(line.title),
    "size": lambda line, _: f"{line.rows}×{line.cols}",
    "solver": lambda line, _: tr(line.solver_title),
    "best": lambda line, _: line.value_text or "–",
    "units": lambda line, _: counted(line.units, line.unit),
    "seconds": lambda line, _: duration(line.seconds),
    "seed": lambda line, _: str(line.seed),
    "status": lambda line, _: tr(line.status),
    "tags": lambda line, _: line.tags,
    "note": lambda line, _: " ".join(line.note.split()),
}


def text_in(name: str, line: RunLine, titles: Mapping[str, str]) -> str:
    """Return what a column says of a run; titles: of the puzzles."""
    if name in FIGURES:
        return figure_texts(line, line.n_moves)[name]
    return _TEXTS[name](line, titles)


def _large(picture: bytes) -> str | None:
    """The picture in its own size, for a tool tip."""
    if not picture:
        return None
    return f'<img src="data:image/png;base64,{base64.b64encode(picture).decode()}">'


class RunTable(QTableView):
    """The list; Del and Enter mean its runs in it, and nowhere else."""

    delete_asked = Signal()
    open_asked = Signal()

    def __init__(self, model: HistoryModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("history_table")
        self.setAccessibleName(tr("Runs"))
        self.setModel(model)
        make_rows(self)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setIconSize(QSize(SIDE, SIDE))
        # Fixed heights: the table never asks fifty thousand rows how high they are.
        rows = self.verticalHeader()
        rows.setSectionResizeMode(rows.ResizeMode.Fixed)
        heads = self.horizontalHeader()
        heads.setStretchLastSection(True)
        heads.setSortIndicatorShown(True)
        heads.setSectionsClickable(True)
        for column, (_, _, width) in enumerate(COLUMNS):
            self.setColumnWidth(column, width)
        keep_rows_scaled(self, _ROW_HEIGHT)
        self._place_figures()
        self.show_order(Query())

    def show_order(self, query: Query) -> None:
        """Mark the column that the list is sorted by."""
        orders, heads = Qt.SortOrder, self.horizontalHeader()
        order = orders.DescendingOrder if query.descending else orders.AscendingOrder
        with QSignalBlocker(heads):
            heads.setSortIndicator(NAMES.index(query.sort), order)

    def show_figures(self, known: Collection[str]) -> None:
        """Show the columns of these figures, and hide those that would be empty."""
        for name in FIGURES:
            self.setColumnHidden(NAMES.index(name), name not in known)

    def restore(self, state: QByteArray, *, with_figures: bool = True) -> Query:
        """Make the columns as they were kept; returns what the list shall be sorted by.

        with_figures: whether the columns of the figures were there then.
        """
        heads = self.horizontalHeader()
        with QSignalBlocker(heads):
            heads.restoreState(state)
        if not with_figures:
            self._place_figures()
        column, order = heads.sortIndicatorSection(), heads.sortIndicatorOrder()
        query = Query()
        if 0 <= column < len(COLUMNS) and NAMES[column] in ORDERS:
            query = Query(sort=NAMES[column], descending=order is Qt.SortOrder.DescendingOrder)
        self.show_order(query)
        return query

    def _place_figures(self) -> None:
        """Put the columns of the figures behind the time."""
        heads, before = self.horizontalHeader(), NAMES.index("seconds")
        for column in map(NAMES.index, FIGURES):
            heads.moveSection(heads.visualIndex(column), heads.visualIndex(before) + 1)
            self.setColumnWidth(column, scaled(COLUMNS[column][2]))
            before = column

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.delete_asked.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_asked.emit()
        else:
            super().keyPressEvent(event)
