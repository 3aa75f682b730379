"""The keys of the dialog in which a board is typed."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tilelab.gui.puzzles.sliding.board_dialog import board_dialog
from tilelab.puzzles.sliding.board import Goal


def test_enter_accepts_the_selected_board_and_else_begins_a_line(qtbot):
    """Noticed: the offered board deleted by Enter, and a first row accepted as a small board."""
    dialog = board_dialog("Type", Goal.BLANK_LAST, text="1 2 3/4 5 6/7 0 8")
    qtbot.addWidget(dialog)
    text, results = dialog._text, []
    dialog.finished.connect(results.append)
    dialog.show()
    QTest.keyClick(text, Qt.Key.Key_Return)
    assert results == [1]
    dialog.show()
    QTest.keyClicks(text, "0 1 2 3")  # in place of the selected text
    assert dialog.board is not None
    QTest.keyClick(text, Qt.Key.Key_Enter)
    QTest.keyClicks(text, "4 4 5 6")
    text.selectAll()
    QTest.keyClick(text, Qt.Key.Key_Return)  # a board with an error stays to be corrected
    assert results == [1]
    assert dialog.text == "0 1 2 3\n4 4 5 6"
    text.setPlainText("0 1 2 3\n4 5 6 7")
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    QTest.keyClick(text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert results == [1, 1]
    assert dialog.board.rows == 2


def test_the_goal_is_said_next_to_the_picture(qtbot):
    """Noticed: a typed board with the goal of the board before, and another number of moves."""
    dialog = board_dialog("Type", Goal.BLANK_FIRST, text="8 1 3/4 0 2/7 6 5")
    qtbot.addWidget(dialog)
    assert dialog._said.text() == "3 rows, 3 columns; goal: blank first."
