"""Boards are lists of cells for a screen reader, and the keyboard's cell is reported to it."""

import gc
import sys

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from tilelab.gui.boards import cell_view
from tilelab.gui.boards.letter_view import BoardView
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.boards.tile_view import TileView
from tilelab.gui.shell.qt_application import make_application

NAME = QAccessible.Text.Name


@pytest.fixture
def reader(qapp):
    """Something listens as a screen reader does."""
    make_application([], "light")
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


@pytest.fixture
def window(reader, qtbot):
    made = QWidget()
    qtbot.addWidget(made)
    QVBoxLayout(made)
    made.resize(400, 400)
    made.show()
    return made


def added(window, widget):
    window.layout().addWidget(widget)
    widget.setAccessibleName("Board")
    window.show()
    return QAccessible.queryAccessibleInterface(widget)


def cells_of(interface):
    return [interface.child(place).text(NAME) for place in range(interface.childCount())]


def test_the_cells_of_letters_are_read_one_by_one(window):
    view = BoardView(window)
    board = added(window, view)
    assert board.role() == QAccessible.Role.List
    assert cells_of(board) == []
    view.set_board(["ab", "c#"], np.array([1, 0, 3, 0], np.int32))
    assert cells_of(board) == [
        "row 1, column 1: A, used once",
        "row 1, column 2: B, not used",
        "row 2, column 1: C, used 3 times",
        "row 2, column 2: hole",
    ]
    view.set_board(["a"])
    assert cells_of(board) == ["row 1, column 1: A"]


def test_the_cells_of_tiles_are_read_one_by_one_with_ctrl_and_an_arrow(window, qtbot, monkeypatch):
    reported = []
    monkeypatch.setattr(
        QAccessible, "updateAccessibility", lambda event: reported.append(event.child())
    )
    view = TileView(window)
    board = added(window, view)
    view.show_scene(TileScene(np.array([1, 2, 3, 0], np.uint8), np.arange(4), 2))
    assert cells_of(board) == [
        "row 1, column 1: 1",
        "row 1, column 2: 2",
        "row 2, column 1: 3",
        "row 2, column 2: blank",
    ]
    ctrl = Qt.KeyboardModifier.ControlModifier
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down):
        qtbot.keyClick(view, key, ctrl)
    assert reported == [0, 1, 3]
    assert view.accessibleDescription() == "row 2, column 2: blank"
    assert board.child(3).state().focusable


def test_a_cell_is_found_where_it_is_seen(window):
    view = BoardView(window)
    board = added(window, view)
    view.set_board(["ab", "cd"])
    middle = board.child(2).rect().center()
    assert board.childAt(middle.x(), middle.y()).text(NAME) == "row 2, column 1: C"
    corner = view.mapToGlobal(QPoint(0, 0))
    assert board.childAt(corner.x(), corner.y()) is None
    assert board.indexOfChild(board.child(3)) == 3


@pytest.mark.exhaustive
def test_boards_that_are_gone_leave_nothing_behind(window, qapp):
    for _ in range(20):
        view = BoardView(window)
        board = added(window, view)
        view.set_board(["abc"] * 3)
        cells = cells_of(board)
        assert len(cells) == 9
        for place in range(9):
            QAccessible.uniqueId(board.child(place))
        view.deleteLater()
        del view, board
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
    added(window, BoardView(window))
    assert len(cell_view._kept) < 5


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere Qt tells the name itself")
def test_a_combo_box_is_called_by_its_name_under_linux_too(window, qtbot):
    box = QComboBox(window)
    box.addItem("full speed")
    box.setAccessibleName("Speed")
    window.layout().addWidget(box)
    BoardView(window)
    interface = QAccessible.queryAccessibleInterface(box)
    qtbot.waitUntil(lambda: bool(interface.relations()))
    (label,) = (one for one, _ in interface.relations())
    assert label.text(NAME) == "Speed"
