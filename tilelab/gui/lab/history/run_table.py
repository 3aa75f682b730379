"""The table of runs, which knows the order of all and reads only the visible ones."""

import base64
import dataclasses
import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime

from PySide6.QtCore import QByteArray, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QIcon, QKeyEvent
from PySide6.QtWidgets import QWidget

from tilelab import catalog
from tilelab.core.text.language import marked, moment_text, tr
from tilelab.core.text.wording import duration
from tilelab.gui.lab.history.thumbnails import SIDE, HistoryPictures
from tilelab.gui.widgets.item_model import Column, LazyItems
from tilelab.gui.widgets.item_table import ItemTable
from tilelab.gui.widgets.parts import label_over, spot_icon, untinted_icon
from tilelab.gui.widgets.theme import scaled, text_font
from tilelab.letters.builtin import shown_title
from tilelab.runs.history.record import RunLine
from tilelab.runs.history.store import ORDERS, History, Query
from tilelab.runs.result import TITLES as FIGURES
from tilelab.runs.result import figure_texts

_AROUND = 12  # number of neighbouring pictures that are read with a visible one
_ROW_HEIGHT = 38


def local_time(moment: str) -> str:
    """Write a time of the history in local time: ``2026-03-01 10:30``."""
    try:
        return moment_text(datetime.fromisoformat(moment).astimezone())
    except (ValueError, OverflowError, OSError):
        return moment


@functools.cache
def _puzzle_titles() -> Mapping[str, str]:
    """Read the titles once: painting must not wait while a worker imports solvers."""
    return {key: puzzle.spec.title for key, puzzle in catalog.puzzles().items()}


def _puzzle_title(line: RunLine) -> str:
    return tr(_puzzle_titles().get(line.puzzle, line.puzzle))


def _text(
    heading: str, width: int, text: Callable[[RunLine], str], most: int = 0
) -> Column[RunLine]:
    return Column(heading, width, text, is_number=False, most=most)


def _figure(name: str, heading: str) -> Column[RunLine]:
    return Column(heading, 104, lambda line: figure_texts(line, line.n_moves)[name])


COLUMNS: Mapping[str, Column[RunLine]] = {
    "begun": _text(marked("Begun"), 166, lambda line: local_time(line.begun), 200),
    "puzzle": _text(marked("Puzzle"), 94, _puzzle_title, 180),
    "title": _text(marked("Instance"), 104, lambda line: shown_title(line.title), 220),
    "solver": _text(marked("Solver"), 152, lambda line: line.solver_words, 260),
    "board": _text(marked("Board"), 52, lambda _: ""),
    "best": Column(
        marked("Best"),
        108,
        lambda line: line.shown_value or "–",
        font=lambda _: text_font(strong=True),
        most=180,
    ),
    "units": Column(marked("Done"), 168, lambda line: line.done, most=220),
    "status": _text(marked("Status"), 108, lambda line: tr(line.status), 160),
    "seconds": Column(marked("Time"), 84, lambda line: duration(line.seconds)),
    "size": Column(marked("Size"), 66, lambda line: f"{line.rows}×{line.cols}"),
    "seed": Column(marked("Seed"), 84, lambda line: line.shown_seed),
    "tags": _text(marked("Tags"), 110, lambda line: line.tags),
    "note": _text(marked("Note"), 180, lambda line: " ".join(line.note.split())),
    **{name: _figure(name, title) for name, title in FIGURES.items()},
}
"""Columns by their sort keys; runs cannot be sorted by their boards.

All columns up to the status fit into a window of 1024 pixels; in a wider one, they grow with their
texts. New columns are added at the end, so that stored column states still fit.
"""
NAMES = list(COLUMNS)
_BEGUN, _BOARD = NAMES.index("begun"), NAMES.index("board")


class RunTable(ItemTable[RunLine]):
    """A table of runs; Del and Enter act on its runs only while it has the focus."""

    delete_requested = Signal()

    def __init__(self, pictures: HistoryPictures, parent: QWidget | None = None) -> None:
        columns = {
            **COLUMNS,
            "begun": dataclasses.replace(COLUMNS["begun"], icon=self._spot),
            "board": dataclasses.replace(
                COLUMNS["board"], icon=self._picture, tip=self._large_picture
            ),
        }
        super().__init__(
            "history_table",
            tr("Runs"),
            list(columns.values()),
            parent=parent,
            selects_many=True,
            n_in_view=NAMES.index("status") + 1,
            row_height=_ROW_HEIGHT,
        )
        self._pictures = pictures
        pictures.came.connect(self._show_picture)
        self._history: History | None = None
        self._colours: Mapping[int, QColor] = {}
        self.runs: LazyItems[RunLine] = LazyItems((), self._read)
        self.empty = label_over(self, "history_empty")
        self.query = Query()  # query whose runs are shown
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setIconSize(QSize(SIDE, SIDE))
        heads = self.horizontalHeader()
        heads.setStretchLastSection(True)
        # The history sorts runs, not the table.
        heads.setSortIndicatorShown(True)
        self._place_figures()
        self.show_order(Query())

    @property
    def ids(self) -> Sequence[int]:
        """Numbers of all shown runs, in order."""
        return self.runs.keys

    def show_runs(self, history: History, query: Query) -> None:
        """Show the runs of a query; raises TileLabError and then keeps the previous ones."""
        ids = history.ids(query)
        self._history, self.query = history, query
        self._pictures.forget()
        self.runs = LazyItems(ids, self._read)
        self.items.show_items(self.runs)
        self.measure_texts()
        self.empty.setVisible(not ids)
        if not ids:
            has_runs = history.count() > 0
            none, fits = tr("No run has been recorded yet."), tr("No run fits the search.")
            self.empty.setText(fits if has_runs else none)

    def set_colours(self, colours: Mapping[int, QColor]) -> None:
        """Mark runs with the colours of their curves."""
        changed, had_none = {*self._colours, *colours}, not self._colours
        self._colours = dict(colours)
        for number in changed:
            self.items.refresh(number, _BEGUN)
        if had_none and colours:  # the first marks need room
            self.measure_texts()

    def read_again(self, number: int) -> None:
        """Read a run's line again."""
        self.runs.forget()
        self.items.refresh(number)

    def _read(self, ids: Sequence[int]) -> dict[int, RunLine]:
        assert self._history is not None
        return {line.id: line for line in self._history.lines(ids)}

    def _spot(self, line: RunLine) -> QIcon | None:
        colour = self._colours.get(line.id)
        return None if colour is None else spot_icon(colour.name(), 16, 3)

    def _picture(self, line: RunLine) -> QIcon | None:
        row = self.items.row_of(line.id)
        assert self._history is not None
        assert row is not None
        around = self.ids[max(row - _AROUND, 0) : row + _AROUND]
        ratio = self.devicePixelRatioF()
        picture = self._pictures.pixmap(line.id, around, self._history, ratio)
        return None if picture is None else untinted_icon(picture)

    def _large_picture(self, line: RunLine) -> str:
        """Return the picture in its own size, for a tool tip."""
        picture = self._pictures.data(line.id)
        if not picture:
            return ""
        return f'<img src="data:image/png;base64,{base64.b64encode(picture).decode()}">'

    @Slot(int)
    def _show_picture(self, number: int) -> None:
        self.items.refresh(number, _BOARD)

    def show_order(self, query: Query) -> None:
        """Mark the column that the list is sorted by."""
        orders, heads = Qt.SortOrder, self.horizontalHeader()
        order = orders.DescendingOrder if query.descending else orders.AscendingOrder
        with QSignalBlocker(heads):
            heads.setSortIndicator(NAMES.index(query.sort), order)

    def show_filled(self, filled: Collection[str]) -> None:
        """Show the columns of these figures and texts, and hide empty ones."""
        for name in (*FIGURES, "tags", "note"):
            self.setColumnHidden(NAMES.index(name), name not in filled)
        self.share_room()

    def restore(self, state: QByteArray, own_widths: Collection[str]) -> None:
        """Restore the stored column states and the sort column.

        own_widths: names of the columns whose width is the user's.
        """
        heads = self.horizontalHeader()
        with QSignalBlocker(heads):
            own = [NAMES.index(name) for name in own_widths if name in COLUMNS]
            self.restore_columns(state, own)
        column, order = heads.sortIndicatorSection(), heads.sortIndicatorOrder()
        self.query = Query()
        if 0 <= column < len(NAMES) and NAMES[column] in ORDERS:
            is_down = order is Qt.SortOrder.DescendingOrder
            self.query = Query(sort=NAMES[column], descending=is_down)
        self.show_order(self.query)

    def _place_figures(self) -> None:
        """Put the columns of the figures behind the time."""
        heads, before = self.horizontalHeader(), NAMES.index("seconds")
        for name in FIGURES:
            column = NAMES.index(name)
            heads.moveSection(heads.visualIndex(column), heads.visualIndex(before) + 1)
            self.setColumnWidth(column, scaled(COLUMNS[name].width))
            before = column

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.delete_requested.emit()
        else:
            super().keyPressEvent(event)
