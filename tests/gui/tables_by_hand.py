"""Tables as the user reads them."""

from PySide6.QtCore import Qt


def headings(table):
    """What stands above the columns, from left to right."""
    model = table.model()
    return [model.headerData(col, Qt.Orientation.Horizontal) for col in range(model.columnCount())]


def cell(table, row, heading, role=Qt.ItemDataRole.DisplayRole):
    """What a cell says, or another thing that is shown of it."""
    return table.model().index(row, headings(table).index(heading)).data(role) or ""
