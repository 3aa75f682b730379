"""Tables of rows: texts stand at the left, numbers at the right."""

from collections.abc import Collection, Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import tool_tip
from tilelab.gui.widgets.parts import make_rows

_NO_TIPS: Mapping[int, str] = {}


def side(is_number: bool) -> Qt.AlignmentFlag:
    """Return where a cell's text stands, and the heading above it."""
    across = Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft
    return across | Qt.AlignmentFlag.AlignVCenter


class RowTable(QTableWidget):
    """Rows of texts, one of them chosen; numbers: the headings that numbers stand below."""

    def __init__(
        self,
        name: str,
        title: str,
        headings: Sequence[str],
        numbers: Collection[str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(0, len(headings), parent)
        self.setObjectName(name)
        self.setAccessibleName(title)
        self._sides = [side(heading in numbers) for heading in headings]
        for col, heading in enumerate(headings):
            self.setHorizontalHeaderItem(col, self._item(col, tr(heading)))
        make_rows(self)

    def stretch(self, col: int, others: QHeaderView.ResizeMode) -> None:
        """Give a column what the others leave; others: how these get their widths."""
        self.horizontalHeader().setSectionResizeMode(others)
        self.horizontalHeader().setSectionResizeMode(col, QHeaderView.ResizeMode.Stretch)

    def show_row(
        self, row: int, texts: Sequence[str], tips: Mapping[int, str] = _NO_TIPS
    ) -> list[QTableWidgetItem]:
        """Show what a row says, in the order of the headings; returns its cells.

        What is cut stands whole in the tool tip. tips: by column, what stands there instead.
        """
        cells = []
        for col, text in enumerate(texts):
            cell = self.item(row, col)
            if cell is None:
                cell = self._item(col, text)
                self.setItem(row, col, cell)
            cell.setText(text)
            cell.setToolTip(tool_tip(tips.get(col, text)))
            cells.append(cell)
        return cells

    def _item(self, col: int, text: str) -> QTableWidgetItem:
        made = QTableWidgetItem(text)
        made.setTextAlignment(self._sides[col])
        return made
