"""What is shown belongs to one board: another one in play takes the run before it away."""

import dataclasses

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QWidget

from tests.gui.tiles_by_hand import cells, desk, press, solve, take
from tests.gui.words_by_hand import paste as paste_words
from tests.gui.words_by_hand import run as run_words
from tilelab.core.files.grid_file import GridFile
from tilelab.core.views import ViewKind
from tilelab.gui.run import run_files as unsaved
from tilelab.gui.run.messages import Pending, RunUpdate
from tilelab.gui.widgets.parts import NOTHING, Answer
from tilelab.gui.widgets.play_bar import PageView, PlayAction
from tilelab.puzzles.sliding.board import Goal
from tilelab.runs.actions import Action, State
from tilelab.runs.bests import Found

pytestmark = pytest.mark.usefixtures("without_style_sheet")

SOLVABLE = [1, 2, 3, 4, 5, 6, 0, 7, 8]
UNSOLVABLE = "1 2 3\n4 5 6\n8 7 0"


@pytest.fixture
def solved(sliding):
    """A board with its solution of two moves."""
    take(sliding, SOLVABLE)
    solve(sliding)
    assert sliding.page.face.best_panel.moves == "RR"
    return sliding


@pytest.fixture
def asked(monkeypatch):
    """The questions that were asked before something was lost; all are answered with discard."""
    questions = []

    def answer(window, what, lost):
        questions.append(f"{what}, and {lost}.")
        return Answer.Discard

    monkeypatch.setattr(unsaved, "ask_before_losing", answer)
    return questions


def paste(driver, text):
    QGuiApplication.clipboard().setText(text)
    driver.page.face.paste()
    driver.settled()


def assert_no_run(driver):
    """Nothing of a run is left, in the window or in the worker."""
    driver.settled()
    page = driver.page
    assert page.run.started is None
    assert page.run.best is None
    assert len(page.run.bests) == 0
    assert page.chart.trace.n_units == 0
    assert not page.run.status.has_run
    assert page.best_files.to_save().unit == ""
    assert page.words == page.face.title
    assert driver.session.solver is None
    assert driver.session.state is State.READY
    assert page.client.worker.keeping.autosave is None
    assert not driver.button(Action.RESUME).isEnabled()
    assert driver.button(Action.GO).isVisible()
    assert driver.button(Action.GO).isEnabled()
    assert not page.panel._in_force


def assert_no_solution(driver):
    assert_no_run(driver)
    page = driver.page
    assert page.face.best_panel.moves == ""
    assert page.face.best_panel._value.text() == ""
    assert page.face.best_panel._of.text() == ""
    assert page.face.best_panel._metrics._values["expanded"].text() == NOTHING
    assert page.face.best_panel._empty.isVisibleTo(page)
    assert not page.face.desk.solution_bar.isVisible()


def test_an_unsolvable_board_takes_the_solution_of_the_one_before_away(solved):
    paste(solved, UNSOLVABLE)
    assert cells(solved) == [1, 2, 3, 4, 5, 6, 8, 7, 0]
    assert_no_solution(solved)
    solved.click(Action.GO)
    solved.settled()
    assert "cannot reach its goal" in solved.page.notice.text
    assert_no_solution(solved)
    solved.window.findChild(QWidget, "make_solvable").click()
    solve(solved)
    assert solved.page.run.best.moves is not None


def test_a_folded_panel_does_not_hide_that_a_board_cannot_be_solved(solved):
    page = solved.page
    page.panel.set_folded(True)
    paste(solved, UNSOLVABLE)
    assert page.notice.text == "This board cannot be solved."
    (mend,) = (
        button
        for button in page.notice.findChildren(QAbstractButton)
        if button.text() == "Make it solvable"
    )
    mend.click()
    assert page.face.desk.position.is_solvable
    assert page.notice.text == ""


def test_the_notice_of_an_unsolvable_board_follows_board_panel_and_language(solved):
    """Noticed: only loading a board with a folded panel said so."""
    said = "This board cannot be solved."
    edit(solved, 0, 1)
    assert "The run before is in the history" in solved.page.notice.text
    solved.page.notice.clear()  # the run is not to come back
    assert solved.page.notice.text == ""  # the card says it
    solved.page.panel.set_folded(True)
    assert solved.page.notice.text == said
    solved.page.notice.close_top()
    solved.page.face._show_position()
    assert solved.page.notice.text == ""
    press(solved, "play_undo")
    press(solved, "play_redo")
    assert solved.page.notice.text == said
    solved.make_again()
    assert solved.page.notice.text == said
    solved.page.panel.set_folded(False)
    solved.until(lambda: solved.page.notice.text == "")
    # Noticed: without the panel of a presentation, neither card nor notice said so.
    press(solved, "play_undo")
    solved.window.presentation.turn(solved.page)
    solved.until(lambda: solved.window.presentation.is_on)
    press(solved, "play_redo")
    assert solved.page.notice.text == said
    solved.window.presentation.end()
    solved.until(lambda: solved.page.notice.text == "")


def edit(driver, one, other):
    """Exchange two cells of the board in play."""
    press(driver, "play_edit")
    for cell in (one, other):
        driver.page.face.board.cell_clicked.emit(cell)
    press(driver, "play_edit")


def test_a_stopped_run_is_not_resumed_under_another_board(sliding, asked):
    page = sliding.page
    sliding.set(rows=10, cols=10)
    sliding.settled()
    assert len(cells(sliding)) == 100
    sliding.page.panel.solvers.choose("anytime")
    sliding.click(Action.GO)
    sliding.until(lambda: page.run.best is not None)
    sliding.stop()
    page.run.status = dataclasses.replace(page.run.status, seconds=1000.0)
    paste(sliding, "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 15 14 0")
    assert len(asked) == 1
    assert len(cells(sliding)) == 16
    assert_no_solution(sliding)
    assert Action.RESUME not in page.run.status.allowed
    page.control.act(Action.RESUME)
    assert_no_solution(sliding)


def swap(driver):
    press(driver, "play_edit")
    driver.page.face.board.cell_clicked.emit(0)
    driver.page.face.board.cell_clicked.emit(1)


def another_goal(driver):
    driver.page.panel.controls["goal"].set_value("blank-first")


def typed_goal(driver):
    driver.page.face.load.goal_requested.emit(np.array([1, 2, 3, 4, 5, 6, 7, 0, 8]))


CHANGES = {"swap": swap, "goal": another_goal, "typed goal": typed_goal}


@pytest.mark.every(3)
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_board_that_is_changed_by_hand_is_another_board(solved, change):
    before = desk(solved).position
    change(solved)
    assert_no_solution(solved)
    press(solved, "play_undo")
    solved.until(lambda: solved.page.run.started is not None)
    solved.settled()
    assert (desk(solved).position, solved.page.face.best_panel.moves) == (before, "RR")


@pytest.mark.every(3)
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_who_keeps_the_run_keeps_its_board(solved, change, monkeypatch):
    page = solved.page
    page.run.status = dataclasses.replace(page.run.status, seconds=1000.0)
    monkeypatch.setattr(unsaved, "ask_before_losing", lambda *asked: Answer.Cancel)
    before, best = desk(solved).position, page.run.best
    change(solved)
    solved.settled()
    assert desk(solved).position is before
    assert page.run.best is best
    assert page.face.best_panel.moves == "RR"
    assert page.panel.values("puzzle")["goal"] == Goal.BLANK_LAST
    assert solved.session.solver is not None


@pytest.mark.exhaustive
def test_editing_goes_on_when_the_first_exchange_has_taken_the_run_away(solved):
    swap(solved)
    solved.settled()
    assert desk(solved).play_bar._buttons[PlayAction.EDIT].isChecked()
    solved.page.face.board.cell_clicked.emit(1)
    solved.page.face.board.cell_clicked.emit(2)
    assert cells(solved)[:3] == [2, 3, 1]


def test_slides_by_hand_stay_on_the_board_of_the_run(solved):
    page = solved.page
    desk(solved).solution_bar.go_to(1)
    page.face.board.arrow_pressed.emit("D")
    press(solved, "play_undo")
    press(solved, "play_redo")
    press(solved, "play_restart")
    assert cells(solved) == SOLVABLE
    assert page.face.best_panel.moves == "RR"
    assert page.run.status.has_run


@pytest.mark.exhaustive
def test_a_run_begun_from_a_board_that_was_slid_stays_with_it(sliding):
    take(sliding, [1, 2, 3, 4, 5, 6, 7, 8, 0])
    sliding.page.face.board.arrow_pressed.emit("R")
    solve(sliding)
    page = sliding.page
    assert len(page.run.best.moves) == 1
    page.face.desk.solution_bar.go_to(1)
    page.face.board.arrow_pressed.emit("D")
    press(sliding, "play_undo")
    press(sliding, "play_undo")
    assert page.run.status.has_run
    assert len(page.face.best_panel.moves) == 1


@pytest.mark.exhaustive
def test_a_step_back_to_the_board_before_the_last_one_brings_its_run_back(solved):
    take(solved, [1, 2, 3, 4, 5, 6, 7, 0, 8])
    solve(solved)
    assert solved.page.face.best_panel.moves == "R"
    press(solved, "play_undo")
    solved.until(lambda: cells(solved) == SOLVABLE and solved.page.face.best_panel.moves == "RR")


def test_a_goal_is_not_changed_under_a_run_that_is_going(sliding):
    page = sliding.page
    page.choose_solver("iterative-deepening")  # it does not end by itself
    sliding.go()
    before = desk(sliding).position
    page.face.load.goal_requested.emit(np.array([*range(1, 15), 0, 15]))
    assert desk(sliding).position is before
    assert "STOP the run" in page.notice.text
    sliding.stop()


def test_news_of_another_run_is_not_shown(solved):
    page = solved.page
    late = dataclasses.replace(
        RunUpdate.of(page.run.status),
        bests=(Found(page.run.best, 0.0),),
        rows=np.ones((1, len(page.chart.trace.names))),
    )
    paste(solved, UNSOLVABLE)
    page._take_update(late)
    assert_no_solution(solved)


def assert_no_words_of_a_run(driver):
    assert_no_run(driver)
    page = driver.page
    assert page.face.desk.views == {PageView.PLAY}
    assert not page.face.desk.solution_bar.isVisible()
    assert not page.face.desk.archive_bar.isVisible()
    assert page.face.best_panel.facts._values["boards_a_second"].text() == NOTHING


def type_letter(driver):
    driver.page.face.desk.look(PageView.PLAY)
    press(driver, "play_edit")
    driver.page.face.board.cell_clicked.emit(0)
    driver.page.face.board.typed.emit("z")


def count_differently(driver):
    driver.set(counting="board")


@pytest.mark.exhaustive
@pytest.mark.parametrize("change", [type_letter, count_differently])
def test_other_letters_or_another_count_are_another_board_of_words(words, change):
    paste_words(words)
    run_words(words, units=5)
    change(words)
    assert_no_words_of_a_run(words)
    editing = words.page.face.desk.play_bar._buttons[PlayAction.EDIT].isChecked()
    assert editing == (change is type_letter)


@pytest.mark.exhaustive
def test_a_step_back_to_letters_before_is_another_board_of_words(words):
    paste_words(words)
    paste_words(words, "abcd\nefgh\nijkl\nmno.")
    run_words(words, units=5)
    words.page.face.desk.look(PageView.PLAY)
    press(words, "play_undo")
    assert words.page.face.desk.position.rows[0] == "fpms"
    assert_no_words_of_a_run(words)


@pytest.mark.exhaustive
def test_a_solution_of_many_moves_is_named_by_its_moves(solved, asked):
    page = solved.page
    page.run.status = dataclasses.replace(page.run.status, seconds=1000.0)
    paste(solved, UNSOLVABLE)
    assert asked == [
        "Loading replaces the run, and only the history keeps it with its best (2 moves)."
    ]


@pytest.mark.exhaustive
def test_of_changes_in_quick_succession_the_last_one_counts(sliding):
    sliding.set(rows=5, cols=6)
    sliding.set(rows=3)
    sliding.settled()
    assert sliding.page.face.desk.position.cells.size == 3 * 6
    assert sliding.session.puzzle.params == sliding.page.face.desk.position.params
    sliding.set(rows=4, cols=5)
    sliding.set(rows=3, cols=6)  # as it was
    sliding.settled()
    assert sliding.page.face.desk.position.cells.size == 3 * 6
    assert sliding.session.puzzle.params == sliding.page.face.desk.position.params
    values = sliding.page.panel.values("puzzle")
    assert (values["rows"], values["cols"]) == (3, 6)


@pytest.mark.exhaustive
def test_of_changes_of_words_in_quick_succession_the_last_one_counts(words):
    words.set(rows=5, cols=6, letters_seed=7)
    words.settled()
    params = words.page.face.desk.position.puzzle.params
    assert (params.rows, params.cols, params.letters_seed) == (5, 6, 7)
    assert words.session.puzzle.params == params
    assert words.page.face.desk.position.name == "Letters drawn, seed 7"
    words.set(rows=4, cols=4)
    words.set(rows=5, cols=6)
    words.settled()
    params = words.page.face.desk.position.puzzle.params
    assert (params.rows, params.cols, params.letters_seed) == (5, 6, 7)


@pytest.mark.exhaustive
def test_each_board_that_is_loaded_has_its_own_name(words, tmp_path):
    for name in ("first", "second"):
        rows = "abcd\nefgh\nijkl\nmno." if name == "first" else "zbcd\nefgh\nijkl\nmno."
        (tmp_path / f"{name}.txt").write_text(rows)
        words.page.face.load_board(str(tmp_path / f"{name}.txt"))
    words.settled()
    assert words.page.face.desk.position.name == "second.txt"
    assert words.page.face.desk.position.rows[0] == "zbcd"


@pytest.mark.exhaustive
def test_a_question_is_asked_once_for_changes_in_quick_succession(sliding, asked):
    page = sliding.page
    take(sliding, SOLVABLE)
    solve(sliding)
    page.run.status = dataclasses.replace(page.run.status, seconds=1000.0)
    sliding.set(rows=4, cols=5)
    sliding.settled()
    assert len(asked) == 1
    assert len(cells(sliding)) == 20
    assert_no_solution(sliding)


@pytest.mark.exhaustive
@pytest.mark.parametrize("has_start", [True, False])
def test_the_first_board_of_a_run_is_shown_before_there_is_a_best(driver, has_start):
    """Annealing offers a best after a unit of moves: until then there was no board."""
    page = driver.page
    page.choose_solver("annealing")
    if has_start:
        page.face.opener.take_grid(GridFile(("ab", "cd")), "")
        driver.settled()
    assert bool(page.face.shown) is has_start
    driver.click(Action.STEP)
    driver.state(State.PAUSED)
    assert page.run.best is None
    assert page.face.shown.cells.size
    assert not has_start or np.array_equal(page.face.shown.cells, page.run.started.puzzle.start)
    assert page.board_title.text() == "Start board"
    driver.click(Action.START_AGAIN)
    driver.state(State.RUNNING)
    driver.stop()
    assert page.face.shown is not None


@pytest.mark.exhaustive
def test_an_empty_place_says_press_go_only_while_go_can_be_pressed(driver):
    page = driver.page
    page.view_stack.choose(ViewKind.POPULATION)

    def said():
        return page.face.board.accessibleDescription(), page.view_stack._empty.text()

    assert said() == ("No board yet. Press GO to begin.", "Press GO or STEP to see it.")
    page.settings.set_bytes("geometry", driver.window.saveGeometry())  # as after the first start
    page.run.status_changed.emit()
    assert said()[0].endswith("to begin.\nEarlier runs are in the history (Ctrl+H).")
    driver.click(Action.GO)
    assert page.run.status.pending is Pending.RUN
    assert said() == ("The first board will be shown here.", "It will be shown here.")
    driver.state(State.RUNNING)
    driver.stop()
