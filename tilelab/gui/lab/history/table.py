"""The list of runs as a table: its keys, its columns, and what it is sorted by."""

from collections.abc import Collection

from PySide6.QtCore import QByteArray, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from tilelab.core.text.language import tr
from tilelab.gui.lab.history.model import COLUMNS, NAMES, HistoryModel
from tilelab.gui.lab.history.thumbnails import SIDE
from tilelab.gui.widgets.parts import keep_rows_scaled, make_rows
from tilelab.gui.widgets.theme import scaled
from tilelab.runs.figures import TITLES as FIGURES
from tilelab.runs.history.store import ORDERS, Query

_ROW_HEIGHT = 38


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
