"""The rows of a race: one solver each, with its figures."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from tilelab.core.shown_text import tool_tip
from tilelab.core.solver import Best
from tilelab.core.wording import counted, duration, number, rate
from tilelab.gui.race.chart import Racer
from tilelab.gui.widgets.parts import spot_icon
from tilelab.gui.widgets.theme import text_font

HEADINGS = ("Solver", "Rank", "Best", "Time to best", "Done", "Per second", "Status")
_DISC = 12


class RaceTable(QTableWidget):
    """A row is selected at all times; it is the one that is edited, and the one that is saved."""

    row_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(0, len(HEADINGS), parent)
        self.setObjectName("race_table")
        self.setAccessibleName("Solvers of the race")
        self.value_title = ""
        """What a value below zero counts, such as 'away'."""
        self.setHorizontalHeaderLabels(HEADINGS)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(30)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setIconSize(QSize(_DISC, _DISC))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        # Figures that change all the time shall not make the columns dance.
        for col, pixels in enumerate((0, 52, 96, 104, 112, 92, 120)):
            header.setSectionResizeMode(col, QHeaderView.ResizeMode.Fixed)
            self.setColumnWidth(col, pixels)
            item = self.horizontalHeaderItem(col)
            if item is not None:
                item.setTextAlignment(_side(col))
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.currentCellChanged.connect(self._chosen)

    def text(self, row: int, heading: str) -> str:
        """Return what a cell says."""
        item = self.item(row, HEADINGS.index(heading))
        return "" if item is None else item.text()

    def show_racers(self, racers: Sequence[Racer]) -> None:
        """Show these rows as they stand."""
        if self.rowCount() != len(racers):
            self.setRowCount(len(racers))
        for row, racer in enumerate(racers):
            for col, text in enumerate(self._texts(racer)):
                self._put(row, col, text)
            self._style_row(row, racer)

    def choose(self, row: int) -> None:
        """Select a row."""
        self.setCurrentCell(row, 0)

    def _texts(self, racer: Racer) -> tuple[str, ...]:
        status = racer.status
        title = f"{racer.number}  {racer.title}"
        if status is None:
            return (title, *[""] * (len(HEADINGS) - 1))
        begun = status.units > 0
        per_second = status.per_second
        return (
            title,
            str(status.rank or ""),
            "" if status.best is None else best_words(status.best, self.value_title),
            "" if status.best_seconds is None else duration(status.best_seconds),
            counted(status.units, status.unit) if begun else "",
            "" if per_second is None else rate(per_second),
            status.status,
        )

    def _put(self, row: int, col: int, text: str) -> None:
        item = self.item(row, col)
        if item is None:
            item = QTableWidgetItem()
            item.setTextAlignment(_side(col))
            self.setItem(row, col, item)
        if item.text() != text:
            item.setText(text)

    def _style_row(self, row: int, racer: Racer) -> None:
        first, last = self.item(row, 0), self.item(row, len(HEADINGS) - 1)
        if first is None or last is None:
            return
        if first.data(Qt.ItemDataRole.UserRole) != racer.slot:
            first.setData(Qt.ItemDataRole.UserRole, racer.slot)
            first.setIcon(spot_icon(racer.colour.name(), 2 * _DISC, 2))
        first.setToolTip(tool_tip(racer.title))
        leads = racer.status is not None and racer.status.rank == 1
        font = text_font(strong=leads)
        if first.font() != font:
            for col in range(len(HEADINGS)):
                item = self.item(row, col)
                if item is not None:
                    item.setFont(font)
        last.setToolTip(tool_tip("" if racer.status is None else racer.status.message))

    @Slot(int, int, int, int)
    def _chosen(self, row: int, _col: int, row_before: int, _col_before: int) -> None:
        if row >= 0 and row != row_before:
            self.row_chosen.emit(row)


def best_words(best: Best, value_title: str) -> str:
    """Say what a best board is worth; a path by its moves, a distance without its sign."""
    if best.value < 0:
        return f"{number(-best.value)} {value_title}"
    if best.moves is not None and best.value == 0:
        return counted(len(best.moves), "move")
    return number(best.value)


def leader_words(racers: Sequence[Racer], value_title: str, is_over: bool) -> str:
    """Say in a sentence who leads; '' while nobody has a board."""
    for racer in racers:
        status = racer.status
        if status is not None and status.best is not None and status.rank == 1:
            words = best_words(status.best, value_title)
            if status.best.value > 0:
                words = f"{words} {value_title}"
            after = duration(status.best_seconds or 0.0)
            return f"{racer.title} {'is first' if is_over else 'leads'}: {words} after {after}."
    return ""


def _side(col: int) -> Qt.AlignmentFlag:
    """Texts stand at the left, numbers at the right."""
    is_text = col in (0, len(HEADINGS) - 1)
    side = Qt.AlignmentFlag.AlignLeft if is_text else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
