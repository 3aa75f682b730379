"""Hints are shown before they are made, and hand play leaves the list of the solution alone."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.gui.pixels import pixels
from tests.gui.tiles_by_hand import cells, desk, press, shown_hint, solve, take
from tests.instance_sets import instance_set
from tilelab.gui.boards.scene import scene_png
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.widgets.play_bar import PlayAction
from tilelab.gui.widgets.theme import load_theme
from tilelab.runs.actions import Action, State
from tilelab.slides.moves import replay

pytestmark = pytest.mark.usefixtures("without_style_sheet")

BOARD = instance_set("damodaran").instances()[2].tiles
"""Twelve moves from its goal."""


def test_a_hint_is_shown_first_and_made_when_it_is_asked_for_again(sliding):
    take(sliding, BOARD)
    board, before = sliding.page.face.board, cells(sliding)
    plain = board.grab().toImage()
    tile, blank = shown_hint(sliding)
    assert cells(sliding) == before
    assert desk(sliding).position.n_moves == 0
    assert before[blank] == 0
    assert abs(tile - blank) in (1, 3)
    assert board.grab().toImage() != plain
    path = {1: "right", -1: "left", 3: "down", -3: "up"}[blank - tile]
    assert sliding.window.focusWidget() is board  # so that H makes the move
    said = f"Hint: tile {before[tile]} {path}"
    title = sliding.page.board_title
    assert title.text() == f"{said}; H makes it"
    # Noticed: which key makes the move is not said where the whole heading has no room.
    title.resize(title.sizeHint().width() // 2, title.height())
    assert title.shown_text == "Press H"
    assert said in board.accessibleDescription()
    QTest.keyClick(board, Qt.Key.Key_H)
    assert cells(sliding)[blank] == before[tile]
    assert desk(sliding).position.n_moves == 1
    assert board.scene.hint is None
    assert "Hint" not in board.accessibleDescription()
    assert sliding.page.board_title.text() == "Board"


def test_hints_that_are_followed_lead_to_the_goal_by_a_shortest_way(sliding):
    take(sliding, BOARD)
    for n_made in range(12):
        shown_hint(sliding)
        assert desk(sliding).position.n_moves == n_made
        press(sliding, "play_hint")
        assert desk(sliding).position.n_moves == n_made + 1
    assert desk(sliding).position.is_solved
    assert not desk(sliding).play_bar._buttons[PlayAction.HINT].isEnabled()


def test_the_record_of_a_game_says_how_many_moves_hints_have_shown(sliding, another_driver):
    """Noticed: a board that was solved by hints alone was kept as one solved by hand."""
    records = []
    take(sliding, [1, 2, 3, 4, 0, 6, 7, 5, 8])
    shown_hint(sliding)
    press(sliding, "play_hint")  # makes the move
    sliding.window.close()
    again = another_driver(sliding.window.settings)
    again.page.face.games.recorded.connect(records.append)
    shown_hint(again)
    desk(again)._interrupt()
    shown_hint(again)  # the same one again
    press(again, "play_hint")
    assert [record.note for record in records] == ["2 moves shown by hints"]
    # Undo and Redo are no other game, Restart is one.
    for button in ("play_undo", "play_undo", "play_redo", "play_redo", "play_restart"):
        press(again, button)
    for moves in "DR":
        desk(again)._slide(moves)
    assert [record.note for record in records[1:]] == ["2 moves shown by hints", ""]


@pytest.mark.exhaustive
def test_any_other_action_clears_a_hint(sliding):
    take(sliding, BOARD)
    solve(sliding)
    take(sliding, BOARD)
    board, page = sliding.page.face.board, sliding.page
    QGuiApplication.clipboard().setText(" ".join(map(str, BOARD)))
    others = {
        "undo": lambda: press(sliding, "play_undo"),
        "redo": lambda: press(sliding, "play_redo"),
        "slide": lambda: board.cell_clicked.emit(board.scene.hint[0]),
        "restart": lambda: press(sliding, "play_restart"),
        "edit": lambda: press(sliding, "play_edit"),
        "goal": lambda: sliding.set(goal="blank-first"),
        "paste": page.face.paste,
        "go": lambda: page.control.act(Action.GO),
        "solution": lambda: press(sliding, "solution_forward"),
    }
    for name, do in others.items():
        if name != "redo":
            for key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
                QTest.keyClick(board, key)
        if board.scene.hint is None:
            shown_hint(sliding)
        do()
        assert board.scene.hint is None, name
        assert not page.board_title.text().startswith("Hint"), name
        sliding.settled()
        if name == "edit":
            press(sliding, "play_edit")
        if name == "goal":  # which cannot be reached from every board
            sliding.set(goal="blank-last")
        if name == "go":
            sliding.state(State.FINISHED)
        # The next press shows a hint again, and makes nothing.
        before = desk(sliding).shown_position.cells.tolist()
        shown_hint(sliding)
        assert desk(sliding).position.cells.tolist() == before, name


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_hint_lights_its_tile_and_leaves_the_others_as_they_were(theme):
    cells = np.array([1, 2, 3, 4, 5, 6, 7, 0, 8], np.uint8)
    places = np.array([8, 0, 1, 2, 3, 4, 5, 6, 7])
    plain = scene_png(TileScene(cells, places, 3), load_theme(theme), 300)
    lit = scene_png(TileScene(cells, places, 3, hint=(8, 7)), load_theme(theme), 300)
    one, other = (pixels(picture) for picture in (plain, lit))
    changed = (one != other).any(axis=2)
    assert changed[210:290, 110:290].any()
    assert changed[225:275, 225:275].any()
    assert changed[225:275, 125:175].any()
    assert not changed[:190].any()
    assert not changed[:, :90].any()


def marked(driver):
    chosen = driver.page.face.best_panel._list.selectedIndexes()
    return chosen[0].row() if chosen else None


@pytest.mark.exhaustive
def test_hand_play_does_not_move_the_marked_row_of_the_solution(sliding):
    take(sliding, BOARD)
    solve(sliding)
    start, moves = cells(sliding), sliding.page.run.best.moves
    sliding.window.activateWindow()
    sliding.until(sliding.window.isActiveWindow)
    board, moves_list = sliding.page.face.board, sliding.page.face.best_panel._list
    board.setFocus()
    row = moves_list.visualRect(moves_list.model().index(2)).center()
    QTest.mouseClick(moves_list.viewport(), Qt.MouseButton.LeftButton, pos=row)
    assert marked(sliding) == 2
    third = replay(np.array(start, np.uint8), 3, moves[:3])
    assert cells(sliding) == third.tolist()
    # The click has left the keyboard on the board: the arrows slide tiles, not the row.
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right):
        QTest.keyClick(sliding.window.focusWidget(), key)
        # The row is that of the board in play, if it is on a move of the solution.
        place = desk(sliding)._place_on_solution()
        assert marked(sliding) == (place - 1 if place else None)
        if place is not None:
            assert desk(sliding).solution_bar.place == place
    # The same row again brings its board back, though the place has not changed.
    QTest.mouseClick(moves_list.viewport(), Qt.MouseButton.LeftButton, pos=row)
    assert marked(sliding) == 2
    assert cells(sliding) == third.tolist()
    press(sliding, "play_undo")
    assert marked(sliding) is None
    for row in (2, 3):  # back where the board left the solution, then on
        QTest.keyClick(board, Qt.Key.Key_Period)
        assert marked(sliding) == row
