"""A table of items: what is copied, what stays selected, what is read, what Enter does."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from tests.gui.tables_by_hand import cell
from tilelab.core.errors import RunError
from tilelab.gui.widgets import item_table
from tilelab.gui.widgets.item_model import Column, LazyItems
from tilelab.gui.widgets.item_table import ItemTable
from tilelab.gui.widgets.parts import column_layout, ok_cancel

pytestmark = pytest.mark.usefixtures("without_style_sheet")
COLUMNS = (
    Column("Name", 80, lambda pair: pair[0], lambda pair: pair[0], is_number=False),
    Column("Note", 80, lambda pair: "a\tb", is_number=False),
    Column("Size", 80, lambda pair: str(pair[1] or ""), lambda pair: pair[1]),
)
PAIRS = [("b", 10), ("a", 9), ("c", None)]


@pytest.fixture
def table(qtbot):
    made = ItemTable("things", "Things", COLUMNS, lambda pair: pair[0], selects_many=True)
    qtbot.addWidget(made)
    made.show_items(PAIRS)
    return made


def names(table):
    return [cell(table, row, "Name") for row in range(table.items.rowCount())]


def test_a_column_is_as_wide_as_its_heading_at_first(qtbot):
    title = "A heading that is wider than its column"
    table = ItemTable("things", "Things", (Column(title, 80, str), Column(title, 80, str)))
    qtbot.addWidget(table)
    wanted = table.horizontalHeader().fontMetrics().horizontalAdvance(title)
    assert all(table.columnWidth(place) > wanted for place in range(2))


def test_a_first_column_that_stays_has_room_for_its_texts(qtbot):
    """Noticed: settings of an experiment that cannot be read, or that fill the whole table."""
    table = ItemTable("things", "Things", COLUMNS, lambda pair: pair[0], first_share=60)
    qtbot.addWidget(table)
    table.resize(500, 200)
    table.show_items([("a name of a setting " * 2, 1)])
    assert table.sizeHintForColumn(0) <= table.columnWidth(0) < 300
    table.show_items([("a name of a setting " * 9, 1)])
    assert table.columnWidth(0) == table.viewport().width() * 60 // 100


def test_a_first_column_with_long_texts_takes_room_from_columns_that_are_wider_than_theirs(qtbot):
    """Noticed: settings with long names pushed the last figure out of the table."""
    columns = (replace(COLUMNS[0], stretches=True), replace(COLUMNS[1], width=200, most=200))
    table = ItemTable("things", "Things", columns, lambda pair: pair[0], first_share=60)
    qtbot.addWidget(table)
    table.resize(380, 200)
    table.show_items([("a name of a setting with values", 1)])
    table.grab()
    assert table.columnWidth(0) >= table.sizeHintForColumn(0)
    assert table.horizontalHeader().length() <= table.viewport().width()


def test_new_values_do_not_take_back_the_width_that_a_user_gave_the_first_column(qtbot):
    """Noticed: while runs came back, the names of settings could not be made narrower."""
    columns = (replace(COLUMNS[0], stretches=True), *COLUMNS[1:])
    table = ItemTable("things", "Things", columns, lambda pair: pair[0], first_share=60)
    qtbot.addWidget(table)
    table.resize(500, 200)
    table.show_items([("a name of a setting", 1)])
    table.setColumnWidth(0, 90)
    table.show_items([("a name of a setting", 2)])
    assert table.columnWidth(0) == 90


def test_columns_share_the_width_and_keep_the_one_of_the_user(qtbot):
    """Noticed: names that are cut next to a column that is half empty, in one language."""
    columns = (replace(COLUMNS[0], most=300), replace(COLUMNS[1], most=300), COLUMNS[2])
    table = ItemTable("things", "Things", columns, lambda pair: pair[0], n_in_view=2)
    qtbot.addWidget(table)

    def widths(width):
        table.resize(width, 200)
        table.grab()
        return [table.columnWidth(place) for place in range(3)]

    table.show_items([("a name that is rather long", 1)])
    long, _, _ = widths(600)
    assert widths(600) == [table.sizeHintForColumn(0), 80, 80]
    cut, short, _ = widths(160)
    assert 80 < cut == table.viewport().width() - short < long
    table.show_items([("a name", 1)])
    assert widths(600) == [long, 80, 80]
    table.setColumnWidth(0, 90)
    assert widths(610) == [90, 80, 80]


def test_unknown_values_are_last_whichever_way_a_column_is_sorted(table):
    table.sortByColumn(2, Qt.SortOrder.AscendingOrder)
    assert names(table) == ["a", "b", "c"]
    table.sortByColumn(2, Qt.SortOrder.DescendingOrder)
    assert names(table) == ["b", "a", "c"]


def test_selected_rows_are_copied_as_they_are_shown(table):
    table.horizontalHeader().moveSection(2, 0)
    table.selectAll()
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines[:2] == ["Size\tName\tNote", "10\tb\ta\\tb"]
    table.show_column(1, is_shown=False)
    table.clearSelection()
    table.selectRow(1)
    table.copy()
    assert QGuiApplication.clipboard().text() == "Size\tName\n9\ta"


def test_a_hidden_column_has_its_width_when_it_is_shown_after_texts_have_grown(table, monkeypatch):
    table.show_column(1, is_shown=False)
    monkeypatch.setattr(item_table, "text_scale", lambda: 1.5)
    table._scale_sizes()
    assert table.isColumnHidden(1)
    table.show_column(1, is_shown=True)
    assert table.columnWidth(1) == table.columnWidth(2) == 120


def test_what_is_selected_stays_so_while_its_figures_change_and_rows_move(table):
    table.selectRow(0)
    table.show_items([("b", 8), ("a", 9), ("c", 7)])
    assert (table.selected, cell(table, 0, "Size")) == ([("b", 8)], "8")
    table.sortByColumn(2, Qt.SortOrder.DescendingOrder)
    assert (table.selected, table.selected_rows()) == ([("b", 8)], [1])
    table.show_items([("c", 1), ("b", 0)])
    assert (table.current, table.selected) == (("b", 0), [("b", 0)])


def test_rows_are_read_in_portions_and_what_cannot_be_read_is_empty(table):
    read = []

    def read_some(keys):
        read.append((keys[0], keys[-1]))
        if 450 in keys:
            raise RunError("The file is damaged.")
        return {key: (f"n{key}", key) for key in keys if key != 7}

    table.show_items(LazyItems(range(1_000), read_some))
    assert [cell(table, row, "Name") for row in (5, 7, 120, 130, 450)] == [
        "n5",
        "",
        "n120",
        "n130",
        "",
    ]
    assert read == [(0, 99), (100, 199), (400, 499)]
    assert table.items.row_of(999) == 999


def test_enter_opens_a_row_and_presses_the_button_of_a_dialog(qtbot):
    dialog, opened = QDialog(), []
    qtbot.addWidget(dialog)
    table = ItemTable("things", "Things", COLUMNS, lambda pair: pair[0], dialog)
    table.show_items(PAIRS)
    layout = column_layout(dialog)
    layout.addWidget(table)
    layout.addWidget(ok_cancel(dialog))
    table.open_requested.connect(lambda: opened.append(table.current))
    dialog.show()
    table.selectRow(1)
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert opened == [("a", 9)]
    assert dialog.result() == QDialog.DialogCode.Accepted
