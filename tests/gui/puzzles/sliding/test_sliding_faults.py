"""Sliding tiles in the window: what must not go wrong, whatever is pressed, and when."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.gui.tiles_by_hand import cells, desk, press, shown_hint, solve, take
from tests.instance_sets import instance_set
from tilelab.gui.widgets.play_bar import PlayAction
from tilelab.puzzles.sliding.board import Goal
from tilelab.runs.actions import Action, State

pytestmark = pytest.mark.usefixtures("without_style_sheet")


def hint(driver):
    before = desk(driver).position
    shown_hint(driver)
    assert desk(driver).position is before
    press(driver, "play_hint")
    assert desk(driver).position is not before


def test_a_hint_belongs_to_the_board_that_it_was_given_for(sliding):
    take(sliding, [8, 6, 7, 2, 5, 4, 3, 0, 1])
    start = cells(sliding)
    hint(sliding)
    after = cells(sliding)
    for _ in range(3):
        press(sliding, "play_undo")
        assert cells(sliding) == start
        hint(sliding)
        assert cells(sliding) == after
    sliding.set(goal="blank-first")
    hint(sliding)
    solve(sliding)
    assert len(sliding.page.run.best.moves) <= 31


@pytest.mark.exhaustive
def test_a_change_of_the_board_calls_a_hint_off(sliding):
    take(sliding, instance_set("korf100").puzzle(88).start.tolist(), 4, 4, Goal.BLANK_FIRST)
    sliding.set(rows=5)
    sliding.settled()
    press(sliding, "play_hint")
    assert not desk(sliding).play_bar._buttons[PlayAction.HINT].isEnabled()
    sliding.paste("2 1\n3 0")
    assert not desk(sliding)._hints.is_busy
    assert cells(sliding) == [2, 1, 3, 0]


@pytest.mark.exhaustive
def test_defaults_are_one_change_of_the_whole_board(sliding):
    sliding.set(rows=5)
    sliding.settled()
    sliding.set(cols=6)
    sliding.settled()
    sliding.set(goal="blank-first", expansions_per_update=7)
    sliding.window.findChild(QWidget, "defaults").click()
    sliding.settled()
    params = desk(sliding).position.params
    assert (params.rows, params.cols, params.goal) == (4, 4, Goal.BLANK_LAST)
    assert sliding.page.panel.values("solver")["expansions_per_update"] == 100_000
    assert sliding.page.notice.text == ""


@pytest.mark.exhaustive
def test_the_keyboard_stays_where_it_is_while_a_board_is_loaded(sliding):
    box = sliding.page.panel.controls["rows"].field
    box.setFocus()
    for rows in (5, 6):
        QTest.keyClick(box, Qt.Key.Key_Up)
        sliding.settled()
        assert desk(sliding).position.params.rows == rows
        assert box.isEnabled()
    sliding.page.run.set_making("what a run needs that is being opened")
    assert box.isEnabled()
    sliding.page.run.set_making("")


def test_nothing_takes_the_place_of_the_board_of_a_run(sliding):
    take(sliding, instance_set("korf100").puzzle(88).start.tolist(), 4, 4, Goal.BLANK_FIRST)
    before = cells(sliding)
    sliding.set(heuristic="manhattan")
    sliding.click(Action.GO)
    sliding.state(State.RUNNING)
    for text in ("2 1 3\n4 5 6\n7 8 0", "1 2 3\n4 5 6\n7 0 8"):
        sliding.paste(text)
        assert "STOP the run" in sliding.page.notice.text
        assert cells(sliding) == before
    sliding.stop()


@pytest.mark.every(4)
@pytest.mark.parametrize("text", ["--5 1 2 3", "-" * 16_000 + "x", "x " * 60_000, "١ ٢ ٣ 0"])
def test_nonsense_is_refused_in_a_sentence(sliding, text):
    before = cells(sliding)
    sliding.paste(text)
    assert "is not a board" in sliding.page.notice.text
    assert cells(sliding) == before


def test_a_given_goal_stays_for_boards_of_its_shape(sliding):
    take(sliding, [1, 2, 3, 4, 5, 6, 7, 0, 8])
    desk(sliding).set_goal(Goal.BOARD, np.array([8, 7, 6, 5, 4, 3, 2, 1, 0]))
    press(sliding, "play_scramble")
    sliding.settled()
    assert desk(sliding).position.goal[0] == 8
    sliding.page.face.load.load_goal()
    sliding.settled()
    assert cells(sliding) == [8, 7, 6, 5, 4, 3, 2, 1, 0]
    sliding.paste("8 7 6 5 4 3 2 0 1")
    assert desk(sliding).position.goal[0] == 8
    sliding.set(cols=4)
    sliding.settled()
    assert desk(sliding).position.params.goal is Goal.BLANK_LAST


@pytest.mark.exhaustive
def test_tiles_in_one_line_have_the_shape_that_is_shown(sliding):
    sliding.set(rows=3)
    sliding.settled()
    sliding.paste("1 2 3 4 5 6 7 8 9 10 0 11")
    assert desk(sliding).position.params.cols == 4
    assert cells(sliding)[-2:] == [0, 11]


@pytest.mark.exhaustive
def test_a_better_way_is_shown_from_its_start(sliding):
    take(sliding, [1, 2, 3, 4, 5, 6, 7, 0, 8])
    puzzle = desk(sliding).position.build()
    desk(sliding).show_solution(puzzle, "UDR")
    desk(sliding).solution_bar.go_to(2)
    desk(sliding).show_solution(puzzle, "R")
    assert sliding.page.board_title.text() == "Move 0 of 1"
    assert sliding.page.face.board._scene.cells.tolist() == [1, 2, 3, 4, 5, 6, 7, 0, 8]


def test_a_film_that_would_be_too_long_says_so(sliding, tmp_path):
    page = sliding.page
    page.face.film.make(desk(sliding).board._scene, "UD" * 2_000, 50, tmp_path / "way.gif")
    sliding.until(lambda: "at most 2,000" in page.notice.text)
    assert not (tmp_path / "way.gif").exists()


@pytest.mark.exhaustive
def test_keys_of_the_board_do_not_reach_into_other_parts(sliding):
    for key, shown in ((Qt.Key.Key_D, True), (Qt.Key.Key_D, False)):
        QTest.keyClick(sliding.page.face.board, key)
        assert sliding.page.face.distances.isChecked() == shown
    selector = sliding.page.panel.solvers.box
    selector.setFocus()
    QTest.keyClick(selector, Qt.Key.Key_D)
    assert not sliding.page.face.distances.isChecked()
