"""A letter board changed by hand: typed, swapped, undone, locked, cut out, improved."""

import re
import struct
import zlib
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QHelpEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QToolTip

from tilelab.core.errors import TileLabError
from tilelab.core.files.grid_file import GridFile, parse_notes
from tilelab.core.text.wording import counted
from tilelab.gui.boards import text_dialog
from tilelab.gui.letters.load_menu import Origin
from tilelab.gui.puzzles.boggle import puzzle_maker
from tilelab.gui.puzzles.boggle.picture_shape import PictureShape
from tilelab.gui.run import run_files
from tilelab.gui.run.messages import LoadContext
from tilelab.gui.widgets.parts import Answer
from tilelab.puzzles.boggle.masks import fitted_holes, mask_rows, offered_shapes, shape_rows
from tilelab.puzzles.boggle.puzzle import Fitness, Reuse
from tilelab.runs.actions import Action, State
from tilelab.runs.files.carried import read_carried

pytestmark = pytest.mark.usefixtures("without_style_sheet")

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def driver(driver):
    """A window whose runs draw the same letters each time, unlike where a drag exchanges them."""
    driver.set(seed=1)
    return driver


@pytest.fixture
def by_hand(driver):
    """A window with a grid of planets that was pasted."""
    driver.load("planets")
    driver.paste("m a r s\ne e e e\nu u u u")
    driver.page.notice.clear()  # there is nothing to undo
    return driver


def rows(driver):
    return driver.page.face.hand.board._scene.rows


def scored(driver):
    hand = driver.page.face.hand
    driver.until(lambda: not hand._reader.is_busy)
    return driver.page.face.shown.report.value


def test_a_rule_that_is_changed_on_a_board_without_a_run_is_said_to_wait(by_hand):
    """Noticed: a result by the old rules next to new ones, with no word about it."""
    page = by_hand.page

    def waits():
        hint = page.panel._hint
        return hint.isVisible() and hint.text() == "Changed values take effect with GO."

    assert not waits()
    by_hand.set(reuse=Reuse.ONCE)
    assert waits()
    page.choose_solver("annealing")  # which says it, too
    page.face.hand._type(4, "a")
    scored(by_hand)
    assert waits()
    by_hand.set(reuse=Reuse.ANY)
    assert not waits()
    by_hand.set(reuse=Reuse.ONCE)
    by_hand.paste("m a r s\ne e e e")  # which is read by these rules
    assert not waits()
    by_hand.set(fitness=Fitness.LENGTH)
    assert waits()
    page.face.start.drop_board()
    assert not waits()


def point(board, cell) -> QPoint:
    return board.board_layout().cell_rect(cell).center().toPoint()


def click(board, cell):
    QTest.mouseClick(board, Qt.MouseButton.LeftButton, pos=point(board, cell))


def drag(board, one, other):
    QTest.mousePress(board, Qt.MouseButton.LeftButton, pos=point(board, one))
    QTest.mouseMove(board, point(board, other))
    QTest.mouseRelease(board, Qt.MouseButton.LeftButton, pos=point(board, other))


def choose_shape(hand, title):
    hand._fill_shapes()
    {entry.text(): entry for entry in hand.bar.menu.actions()}[title].trigger()


def test_letters_are_typed_and_score_and_words_follow(by_hand):
    page, board = by_hand.page, by_hand.page.face.board
    first, heading = page.face.shown, page.board_title.text()
    start = page.face.source_card._start.text()
    assert first.report.found == ("mars",)
    click(board, 1)
    QTest.keyClick(board, Qt.Key.Key_E)
    assert rows(by_hand) == ("mers", "eeee", "uuuu")
    assert board.current_cell == 2
    assert scored(by_hand) == 0
    assert page.face.hand.bar._said.text() == "−1"
    text = page.face.best_panel._changes.text()
    assert "mars" in text
    assert "line-through" in text
    assert page.board_title.text() == "By hand"
    QTest.keyClick(board, Qt.Key.Key_Backspace)
    assert board.current_cell == 1
    QTest.keyClick(board, Qt.Key.Key_B)
    assert "No word has the letter 'b'" in page.notice.text
    undo, redo = page.face.hand.bar.undo, page.face.hand.bar.redo
    assert (undo.isEnabled(), redo.isEnabled()) == (True, False)
    page.face.hand.undo()
    # It is the first board again, not one made by hand.
    assert (undo.isEnabled(), redo.isEnabled()) == (False, True)
    assert (page.face.hand.draft, page.face.shown) == (None, first)
    assert (page.board_title.text(), page.face.hand.bar._said.text()) == (heading, "")
    assert page.face.source_card._start.text() == start
    by_hand.until(lambda: not page.notice.text)  # the error was about the edited board
    page.face.hand.undo()
    assert page.notice.text == "There is nothing to undo."
    page.face.hand.redo()
    assert rows(by_hand)[0] == "mers"
    assert scored(by_hand) == 0
    assert page.face.hand.bar._said.text() == "−1"
    # A request for a run that does not start leaves nothing of the edited board behind.
    assert page.face.puzzle_request().start_rows[0] == "mers"
    page.face.hand.undo()
    assert page.face.puzzle_request().start_rows[0] == "mars"
    assert page.face.source_card._start.text() == start
    page.face.hand.redo()
    assert scored(by_hand) == 0
    # When another board is shown, Undo brings back the one before it.
    second = page.face.shown
    page.face.hand.undo()
    page.face.show_board(second)
    assert (page.face.hand.draft, undo.isEnabled()) == (None, True)
    page.face.hand.undo()
    assert rows(by_hand)[0] == "mars"
    assert scored(by_hand) == 1
    page.face.hand.redo()
    assert (page.face.hand.draft, page.face.shown) == (None, second)
    page.face.hand.show_board(page.face.shown)
    assert page.face.hand.bar._said.text() == ""


def test_an_error_stays_while_a_run_finds_better_boards(by_hand):
    """Noticed: the next best of a run took the error about a file away before it could be read."""
    face, notice = by_hand.page.face, by_hand.page.notice
    face.load.grid_requested.emit("missing.txt")
    error = notice.text
    assert "missing.txt" in error
    face.show_board(replace(face.shown))
    notice._drop_untrue()
    assert notice.text == error
    face.load.lexicon_requested.emit("planets")
    by_hand.until(lambda: not notice.text)
    by_hand.settled()


@pytest.mark.exhaustive
def test_letters_typed_without_a_cell_begin_at_the_first_one(by_hand):
    """Noticed: typing that does nothing and says nothing."""
    board = by_hand.page.face.board
    click(board, 1)
    QTest.keyClick(board, Qt.Key.Key_Escape)
    assert board.current_cell is None
    QTest.keyClick(board, Qt.Key.Key_Backspace)
    QTest.keyClicks(board, "us")
    assert rows(by_hand) == ("usrs", "eeee", "uuuu")


def double_click(board, cell):
    click(board, cell)
    QTest.mouseDClick(board, Qt.MouseButton.LeftButton, pos=point(board, cell))
    QTest.mouseRelease(board, Qt.MouseButton.LeftButton, pos=point(board, cell))


@pytest.mark.parametrize("clicks", [(click, click), (double_click,), (double_click, click)])
def test_a_letter_goes_into_the_cell_that_was_clicked_last(by_hand, clicks):
    """Noticed: after a second click, or a double click, it is put into the first cell."""
    board = by_hand.page.face.board
    for clicks_at in clicks:
        clicks_at(board, 5)
    QTest.keyClicks(board, "us")
    assert rows(by_hand) == ("mars", "euse", "uuuu")


def test_the_first_arrow_after_a_click_moves(by_hand):
    """Noticed: click, Space, →, Space unlocks the clicked cell in place of locking the next."""
    board = by_hand.page.face.board
    click(board, 0)
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Right, Qt.Key.Key_Space):
        QTest.keyClick(board, key)
    assert board._scene.locked == {0, 1}


def test_the_padlock_is_for_the_cell_that_is_marked(by_hand):
    """Noticed: after typing, frame and words stayed at the typed cell, and the next was locked."""
    face, board = by_hand.page.face, by_hand.page.face.board
    click(board, 5)
    for key, cell in ((Qt.Key.Key_U, 6), (Qt.Key.Key_Down, 10), (Qt.Key.Key_Backspace, 9)):
        QTest.keyClick(board, key)
        assert (board.scene.selected, board.scene.focused, face.best_panel._cell) == (cell,) * 3
    QTest.mouseClick(face.hand.bar.lock, Qt.MouseButton.LeftButton)
    assert (board.scene.locked, board.current_cell) == ({9}, 9)
    # Without a chosen cell, the words are those of the whole board, wherever the keyboard is.
    QTest.keyClick(board, Qt.Key.Key_Escape)
    QTest.keyClick(board, Qt.Key.Key_Right)
    assert (board.scene.selected, board.current_cell, face.best_panel._cell) == (None, 10, None)


def test_cells_are_swapped_by_a_drag_and_with_ctrl_and_an_arrow(by_hand):
    board = by_hand.page.face.board
    drag(board, 0, 3)
    assert rows(by_hand)[0] == "sarm"
    assert board._scene.selected is None
    click(board, 0)
    QTest.keyClick(board, Qt.Key.Key_Right, CTRL)
    assert rows(by_hand)[0] == "asrm"
    QTest.keyClick(board, Qt.Key.Key_Up, CTRL)
    QTest.keyClick(board, Qt.Key.Key_Down, CTRL)
    assert (rows(by_hand)[:2], board.current_cell) == (("aerm", "esee"), 5)
    scored(by_hand)


def test_a_board_that_becomes_low_has_no_buttons_until_it_has_room_again(by_hand):
    hand = by_hand.page.face.hand
    for height, has_room in ((100, False), (400, True)):
        hand.resize(400, height)
        assert hand.bar.isVisible() is has_room


def test_locked_cells_and_holes_go_into_the_next_run(by_hand):
    page, board = by_hand.page, by_hand.page.face.board
    click(board, 0)
    QTest.keyClick(board, Qt.Key.Key_Space)
    assert board._scene.locked == {0}
    QTest.keyClick(board, Qt.Key.Key_E)
    assert "locked" in page.notice.text
    page.face.hand.bar.holes.click()
    click(board, 11)
    page.face.hand.bar.holes.click()
    assert rows(by_hand) == ("mars", "eeee", "uuu#")
    scored(by_hand)
    request = page.face.puzzle_request()
    assert request.start_rows == ("mars", "eeee", "uuu#")
    assert (request.constraints.locked, request.constraints.holes) == ((0,), (11,))
    assert "1 locked cell · 1 hole" in page.face.source_card._asked.text()
    # They belong to that board.
    by_hand.paste("MARS\nEEEE\nUUUU\n")
    constraints = page.face.puzzle_request().constraints
    assert (constraints.locked, constraints.holes) == ((), ())


def test_undo_and_redo_go_over_a_load_without_losing_an_edit(by_hand):
    """Noticed: one Undo too many took the typed board away, and what could be redone."""
    face, commands = by_hand.page.face, by_hand.window.commands
    face.load.choose(face.opener.take_grid, GridFile(("mars", "venu", "eeee")), "")
    by_hand.settled()

    def press(name):
        commands[name].perform()
        by_hand.settled()
        return rows(by_hand)

    for cell, letter in ((3, "t"), (11, "h")):
        face.hand._type(cell, letter)
    edited = rows(by_hand)
    before = [press("undo") for _ in range(3)]
    assert before[1:] == [("mars", "venu", "eeee"), ("mars", "eeee", "uuuu")]
    assert [press("redo") for _ in range(3)] == [before[1], before[0], edited]
    face.load.choose(face.opener.take_grid, GridFile(("mars", "mars", "mars")), "")
    by_hand.settled()
    assert press("undo") == edited
    assert press("redo") == ("mars", "mars", "mars")


def test_improve_from_here_starts_a_run_from_the_board_and_undo_brings_it_back(by_hand):
    page, board = by_hand.page, by_hand.page.face.board
    drag(board, 0, 3)
    click(board, 0)
    QTest.keyClicks(board, "#")
    click(board, 5)
    QTest.keyClick(board, Qt.Key.Key_Space)
    scored(by_hand)
    page.choose_solver("annealing")
    by_hand.set(units=3)
    page.face.hand.bar.improve.click()
    by_hand.state(State.FINISHED)
    puzzle = page.run.started.puzzle
    assert puzzle.rows_of(puzzle.start) == ("#arm", "eeee", "uuuu")
    found = "".join(rows(by_hand))
    assert (found[0], found[5]) == ("#", "e")
    assert board._scene.locked == {5}
    assert page.face.hand.draft is None
    page.face.hand.undo()
    assert rows(by_hand) == ("#arm", "eeee", "uuuu")
    scored(by_hand)


def test_improve_that_is_cancelled_leaves_the_edited_board(by_hand, monkeypatch):
    """Noticed: the board and its lock set aside behind a question that names another button."""
    asked, hand = [], by_hand.page.face.hand
    monkeypatch.setattr(run_files, "WORTH_ASKING_SECONDS", 0.0)
    monkeypatch.setattr(
        run_files, "ask_before_losing", lambda *words: asked.append(words[1]) or Answer.Cancel
    )
    by_hand.run(units=3, seed=1)
    first = rows(by_hand)[0]
    assert first[0] != first[3]  # else a drag changes nothing
    drag(by_hand.page.face.board, 0, 3)
    scored(by_hand)
    draft = hand.draft
    hand.bar.improve.click()
    assert asked == ["A run from the board that is shown replaces the run"]
    assert (hand.draft, draft is None) == (draft, False)
    by_hand.page.run_files.begin("", None)  # so that the end needs no question


def test_undo_after_a_run_leads_to_the_typed_board_that_it_began_from(by_hand):
    """Noticed: a board that was edited before it was typed, of another size."""
    page = by_hand.page
    drag(page.face.board, 0, 3)
    page.face.opener.take_grid(GridFile(("ma", "rs")), "")
    by_hand.settled()
    page.choose_solver("annealing")
    by_hand.set(units=3)
    page.face.hand.bar.improve.click()
    by_hand.state(State.FINISHED)
    page.face.show_board(replace(page.face.shown, cells=page.face.shown.cells[::-1].copy()))
    page.face.hand.undo()
    assert rows(by_hand) == ("ma", "rs")
    page.face.hand.undo()
    assert rows(by_hand) == ("sarm", "eeee", "uuuu")
    scored(by_hand)


def test_undo_never_goes_back_over_the_start_of_a_run_from_random_boards(by_hand):
    """Noticed: a board from before the run was in place of its best, next to its chart."""
    face, records = by_hand.page.face, []
    by_hand.page.recorder.recorded.connect(lambda record: records.append(record.board))
    drag(face.board, 0, 3)
    edited = rows(by_hand)
    scored(by_hand)
    face.source_card.start_dropped.emit()
    by_hand.run(units=1)
    by_hand.set(rows=5)
    best, undo = rows(by_hand), face.hand.bar.undo
    face.hand.undo()
    assert (rows(by_hand), undo.isEnabled()) == (best, False)
    assert by_hand.page.notice.text == "There is nothing to undo."
    assert edited in records  # so it is not lost
    # Nor over a change of the last run's best that was undone.
    drag(face.board, 0, 1)
    face.hand.undo()
    by_hand.click(Action.START_AGAIN)
    by_hand.state(State.FINISHED)
    assert not undo.isEnabled()


def test_after_a_run_a_click_cuts_no_hole(by_hand):
    """Noticed: the button that cuts holes is still down, and the best grid loses a cell."""
    page = by_hand.page
    page.face.hand.bar.holes.click()
    by_hand.run(units=1)
    before = rows(by_hand)
    click(page.face.board, 5)
    assert rows(by_hand) == before


def test_a_board_by_hand_is_what_is_saved_and_is_dropped_with_its_card(by_hand, tmp_path):
    page, board = by_hand.page, by_hand.page.face.board
    by_hand.run(units=1)
    before = rows(by_hand)
    drag(board, 0, 1)
    click(board, 5)
    QTest.keyClick(board, Qt.Key.Key_Space)
    scored(by_hand)
    assert page.best_files.to_save().board.puzzle.rows_of(
        page.best_files.to_save().best.cells
    ) == rows(by_hand)
    path = tmp_path / "board.svg"
    page.best_files.save(path)
    carried = read_carried(path)
    assert carried.recipe.puzzle.rows_of(carried.best.cells) == rows(by_hand)
    assert carried.recipe.puzzle.rows_of(carried.recipe.puzzle.start) == rows(by_hand)
    assert carried.recipe.puzzle.constraints.locked == (5,)
    QTest.keyClick(board, Qt.Key.Key_Space)
    scored(by_hand)
    page.face.source_card._drop_start.click()
    assert (page.face.hand.draft, rows(by_hand)) == (None, before)
    assert page.face.puzzle_request().start_rows is None


def test_a_board_is_saved_and_improved_with_the_locks_that_are_shown(by_hand):
    """Noticed: those of the last run were in its file, and those on the screen were not."""
    face, board, files = by_hand.page.face, by_hand.page.face.board, by_hand.page.best_files
    by_hand.page.choose_solver("annealing")
    by_hand.set(units=3)
    drag(board, 0, 3)
    face.hand._turn_lock(3)
    face.hand.bar.improve.click()
    by_hand.state(State.FINISHED)
    assert "# locked: 0,3\n" in files.to_save().text()
    face.start._drop_board()
    first = by_hand.page.run.started
    face.hand.bar.improve.click()
    by_hand.until(lambda: by_hand.page.run.started is not first)
    by_hand.state(State.FINISHED)
    assert by_hand.page.run.started.puzzle.constraints.locked == (3,)
    while board.scene.locked:
        face.hand.undo()
    scored(by_hand)
    assert "# locked" not in files.to_save().text()
    face.hand._turn_lock(0)
    scored(by_hand)
    saved = files.to_save()
    assert "# locked: 0,0\n" in saved.text()
    assert saved.board.puzzle.constraints == saved.carried.recipe.puzzle.constraints


def test_an_edited_board_is_saved_without_the_notes_of_a_run_that_did_not_make_it(by_hand):
    """Noticed: iteration and seed of the run that the board was the start of."""
    page, before = by_hand.page, rows(by_hand)
    page.choose_solver("annealing")
    by_hand.set(units=3)
    drag(page.face.board, 0, 3)
    edited = rows(by_hand)
    page.face.hand.bar.improve.click()
    by_hand.state(State.FINISHED)
    names = {page.run.started.solver.unit, "seed", "moment"}
    assert names & set(parse_notes(page.best_files.to_save().text()))
    for shown in (edited, before):
        page.face.hand.undo()
        scored(by_hand)
        assert rows(by_hand) == shown
        saved = page.best_files.to_save()
        assert saved.board.puzzle.rows_of(saved.best.cells) == shown
        assert not names & set(parse_notes(saved.text()))


def test_a_saved_board_is_opened_with_its_locked_cells(by_hand, tmp_path):
    """Noticed: all its cells unlocked in silence, with its own words and with others."""
    page, path = by_hand.page, tmp_path / "board.txt"
    click(page.face.board, 0)
    QTest.keyClick(page.face.board, Qt.Key.Key_Space)
    scored(by_hand)
    page.best_files.save(path)
    QTest.keyClick(page.face.board, Qt.Key.Key_Space)
    text = path.read_text("utf-8")
    assert "# locked: 0,0\n" in text
    # What is no cell of the board is left out.
    path.write_text(text.replace("# locked: 0,0", "# locked: 0,0 3,0 0,4 x"), "utf-8")
    for lexicon in ("planets", "game-titles"):
        by_hand.load(lexicon)
        page.face.load.open(path)
        by_hand.settled()
        assert page.face.board._scene.locked == {0}
        assert page.face.puzzle_request().constraints.locked == (0,)


@pytest.mark.exhaustive
def test_no_locked_cell_goes_without_a_word(by_hand, tmp_path):
    """A hole, a shape, another start or another board that deletes a lock in silence."""
    page, board = by_hand.page, by_hand.page.face.board
    click(board, 0)
    QTest.keyClick(board, Qt.Key.Key_Space)
    QTest.keyClicks(board, "#")
    assert page.notice.text == "This cell is locked; Space unlocks it."
    choose_shape(page.face.hand, "Diamond")
    assert page.notice.text == "This shape removes 1 locked cell. Unlock first."
    page.face.source_card._drop_start.click()
    assert page.notice.text == "A random board does not keep 1 locked cell. Unlock first."
    assert (rows(by_hand), board._scene.locked) == (("mars", "eeee", "uuuu"), {0})
    choose_shape(page.face.hand, "Invert")
    scored(by_hand)
    for text in ("s r a m\ne e e e\nu u u u", "m a r s\ne e e e"):
        by_hand.paste(text)
        assert board._scene.locked == set()
        assert "had 1 locked cell" in page.notice.text
        assert "Undo brings it back" in page.notice.text
        page.face.hand.undo()
        by_hand.settled()
        assert (rows(by_hand)[0], board._scene.locked) == ("mars", {0})
        scored(by_hand)
    by_hand.load("us-states")
    assert "had 1 locked cell" in page.notice.text
    assert "Undo brings it back" not in page.notice.text
    page.face.hand.undo()
    assert board._scene.locked == set()


def test_a_start_board_of_another_size_is_named_with_its_remedy(by_hand):
    """Noticed: "the board has 3 rows; it must have 2", without a word about which board."""
    by_hand.set(rows=2)
    by_hand.click(Action.GO)
    by_hand.settled()
    assert "the start board has another size" in by_hand.page.notice.text


def test_another_size_than_the_start_is_said_at_once_with_ways_out(driver):
    """Noticed: GO refuses without end, and holes stay that no board is left to restore."""
    page = driver.page
    driver.paste("m a r s\ne e # e\nu # # u")
    driver.set(rows=2, cols=2)
    assert page.notice.text == "The start board has 3 × 4 cells."
    driver.set(rows=3)
    driver.set(cols=4)
    assert page.notice.text == ""
    driver.set(rows=2)
    driver.click(Action.GO)
    driver.settled()
    assert "another size" in page.notice.text
    driver.press_notice("Size 3 × 4")
    assert page.panel.values("puzzle")["rows"] == 3
    assert page.notice.text == ""
    driver.set(rows=2)
    driver.press_notice("Without the start board")
    # Rows and columns of holes that no shape has are scaled as those of a shape.
    assert (page.face.shown, page.face.puzzle_request().constraints.holes) == (None, (5, 6))
    assert page.notice.text == "The next run starts from a random board."
    page.notice.undo.click()
    assert rows(driver) == ("mars", "ee#e", "u##u")
    assert page.face.puzzle_request().start_rows == ("mars", "ee#e", "u##u")
    driver.set(rows=3)
    # Without the start alone, the holes stay.
    page.face.source_card._drop_start.click()
    driver.set(rows=2)
    driver.press_notice("Without the holes")
    driver.run(units=1)
    assert page.run.started.puzzle.shape == (2, 4)


@pytest.mark.parametrize("has_start", [True, False])
@pytest.mark.parametrize("shape", [offered_shapes()["heart"], "disc", "....#/...##/..###"])
def test_another_size_keeps_the_shape(driver, shape, has_start):
    """Noticed: a full rectangle in place of a heart whose start board was in the way."""
    page, dialog = driver.page, driver.page.face.making.dialog
    dialog.show_text("cat\ndog\n")
    dialog.shape.choose(shape)
    dialog.rows.setValue(8)
    dialog.cols.setValue(8)
    context = LoadContext(Origin(""), then=page.panel.show_puzzle)
    page.control.ask_puzzle(dialog.plan.kept(), context)
    driver.settled()
    if has_start:
        driver.run(units=1)
        page.face.start_from(page.run.best, "its best")
        driver.settled()
    driver.set(rows=9, cols=7)
    if has_start:
        driver.press_notice("Without the start board")
        page.notice.close_top()
    holes = fitted_holes(shape_rows(shape), (9, 7))
    assert page.notice.text == "The holes are fitted to 9 × 7 cells."
    assert page.face.source_card._asked.text() == counted(len(holes), "hole")
    driver.run(units=1)
    assert page.run.started.puzzle.constraints.holes == holes
    assert page.notice.text == ""
    driver.set(rows=8, cols=8)
    assert page.face.puzzle_request().constraints.holes == fitted_holes(shape_rows(shape), (8, 8))
    driver.set(rows=9, cols=7)
    page.face.improve()
    driver.until(lambda: page.run.started.puzzle.start is not None)
    assert page.run.started.puzzle.constraints.holes == holes


def test_a_shape_is_cut_from_the_typed_size(by_hand):
    """Noticed: the shape has the size of the previous board, so that GO refuses the typed one."""
    page, hand = by_hand.page, by_hand.page.face.hand
    by_hand.set(rows=4, cols=7)
    assert page.notice.text == "The start board has 3 × 4 cells."
    choose_shape(hand, "Ring")
    assert page.notice.text == ""
    assert hand.draft.holes == set(fitted_holes(mask_rows("ring"), (4, 7)))
    scored(by_hand)
    # Noticed: a letter typed without a cell, which fills the hole in the upper left corner.
    QTest.keyClick(hand.board, Qt.Key.Key_S)
    assert hand.draft.holes == set(fitted_holes(mask_rows("ring"), (4, 7)))
    hand.undo()
    scored(by_hand)
    hand.undo()
    assert (rows(by_hand), page.notice.text) == (
        ("mars", "eeee", "uuuu"),
        "The start board has 3 × 4 cells.",
    )
    hand.redo()
    scored(by_hand)
    assert page.notice.text == ""
    by_hand.run(units=1)
    assert page.run.started.puzzle.constraints.holes == tuple(sorted(hand._history.position.holes))
    hand.undo()
    assert rows(by_hand)[0].startswith("#")
    # A run that is resumed sets it aside, and its board has another size.
    by_hand.set(rows=5, cols=6, units=None)
    choose_shape(hand, "Ring")
    made = rows(by_hand)
    scored(by_hand)
    by_hand.click(Action.RESUME)
    by_hand.until(lambda: hand.draft is None)
    assert "Undo shows it" in page.notice.text
    by_hand.stop()
    assert hand.bar.undo.isEnabled()
    by_hand.window.commands["undo"].trigger()
    assert rows(by_hand) == made


def test_the_card_counts_the_holes_of_the_board_that_is_shown(by_hand):
    """Noticed: 26 holes of a heart, also after six of them had got a letter, until the next run."""
    face, asked = by_hand.page.face, by_hand.page.face.source_card._asked
    for cell in (7, 11):
        face.hand._turn_hole(cell)
    assert asked.text() == "2 holes"
    by_hand.run(units=1)
    face.hand._type(7, "s")
    assert asked.text() == "1 hole"
    face.hand.undo()
    assert (face.hand.draft, asked.text()) == (None, "2 holes")
    face.hand.redo()
    assert asked.text() == "1 hole"
    # A run that is resumed sets the edited board aside.
    by_hand.set(units=None)
    by_hand.until(lambda: by_hand.offers(Action.RESUME))
    by_hand.click(Action.RESUME)
    by_hand.until(lambda: face.hand.draft is None)
    assert asked.text() == "2 holes"
    by_hand.stop()


@pytest.mark.usefixtures("any_language")
def test_holes_of_an_edited_board_are_those_of_its_size(driver):
    driver.run(rows=3, cols=5, units=1)
    driver.page.face.board.hole_turned.emit(7)
    driver.page.face.puzzle_request()
    driver.page.face.source_card._drop_start.click()
    driver.set(rows=4)
    assert driver.page.notice.text == "The holes are fitted to 4 × 5 cells."
    driver.make_again()
    driver.set(rows=1)
    assert driver.page.notice.text == "No hole is left in 1 × 5 cells."
    driver.set(rows=3)
    assert driver.page.face.puzzle_request().constraints.holes == (7,)


def test_a_start_board_is_not_brought_back_into_another_puzzle(by_hand):
    face = by_hand.page.face
    face.source_card._drop_start.click()
    by_hand.load("us-states")
    by_hand.page.notice.undo.click()
    assert face.puzzle_request().start_rows is None


def test_a_step_that_finds_a_better_board_says_where_the_edited_one_is(driver):
    """Noticed: the edited board is gone without a word."""
    page, records = driver.page, []
    page.recorder.recorded.connect(records.append)
    driver.click(Action.STEP)
    driver.state(State.PAUSED)
    driver.until(lambda: page.run.shown is not None)
    letters = "".join(rows(driver))
    drag(page.face.board, 0, next(cell for cell, one in enumerate(letters) if one != letters[0]))
    made = rows(driver)
    scored(driver)
    for units in range(2, 200):
        if page.face.hand.draft is None:
            break
        driver.click(Action.STEP)
        driver.until(lambda units=units: page.run.status.units == units)
        driver.settled()
    assert "Undo shows it" in page.notice.text
    assert [record.board for record in records if record.is_edited_board] == [made]
    # The next run does not start from the edited board, but from random ones as before.
    assert page.face.source_card._start_line.isHidden()
    assert page.face.puzzle_request().start_rows is None
    page.face.hand.undo()
    assert rows(driver) == made


def test_the_shape_of_a_picture(tmp_path, qtbot):
    picture = QImage(40, 40, QImage.Format.Format_ARGB32)
    picture.fill(Qt.GlobalColor.transparent)
    for x in range(20):
        for y in range(40):
            picture.setPixelColor(x, y, Qt.GlobalColor.darkRed)
    picture.save(str(tmp_path / "half.png"))
    dialog = PictureShape(tmp_path / "half.png", (2, 4))
    qtbot.addWidget(dialog)
    ok = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    assert fitted_holes(dialog.mask_rows, (2, 4)) == (2, 3, 6, 7)
    assert dialog.said.text() == "4 of 8 cells belong to the board."
    assert dialog.preview._scene.rows == ("  ##", "  ##")
    dialog.inverted.setChecked(True)
    assert fitted_holes(dialog.mask_rows, (2, 4)) == (0, 1, 4, 5)
    dialog.limit.setValue(255)
    assert not ok.isEnabled()
    dialog.automatic.click()
    assert ok.isEnabled()
    picture.fill(Qt.GlobalColor.white)
    picture.save(str(tmp_path / "white.png"))
    (tmp_path / "words.png").write_text("no picture")
    (tmp_path / "cut.png").write_bytes((tmp_path / "half.png").read_bytes()[:60])
    # The picture has 60,000 × 60,000 pixels, as far as it says itself.
    size = b"IHDR" + struct.pack(">IIBBBBB", 60_000, 60_000, 8, 0, 0, 0, 0)
    data = (tmp_path / "half.png").read_bytes()
    huge = data[:12] + size + struct.pack(">I", zlib.crc32(size)) + data[33:]
    (tmp_path / "huge.png").write_bytes(huge)
    for name, said in (
        ("white.png", "only one shade"),
        ("words.png", "cannot be read"),
        ("cut.png", "cannot be read"),
        ("huge.png", "60,000 × 60,000 pixels"),
        ("gone.png", "gone.png"),
        (".", "is a folder"),
    ):
        with pytest.raises(TileLabError, match=re.escape(said)):
            PictureShape(tmp_path / name, (2, 4))


@pytest.mark.exhaustive
def test_the_value_says_how_hard_the_strings_are(by_hand):
    panel = by_hand.page.face.best_panel
    value = panel._value
    assert value.isVisible()
    place = value.geometry().center()
    QApplication.sendEvent(
        panel, QHelpEvent(QHelpEvent.Type.ToolTip, place, panel.mapToGlobal(place))
    )
    first, *others = QToolTip.text().splitlines()
    assert first.startswith("Difficulty: ")
    assert "Cells of the board: 12." in others
    QToolTip.hideText()
    by_hand.page.face.show_board(None)
    assert panel.value_tip() == ""


def test_redo_does_not_throw_a_loaded_board_away(by_hand):
    """Noticed: the edit of the board before, in place of the board that was loaded."""
    page, commands = by_hand.page, by_hand.window.commands
    click(page.face.board, 1)
    QTest.keyClick(page.face.board, Qt.Key.Key_E)
    commands["undo"].perform()
    assert not commands["redo"].command.why_not()
    page.face.load.choose(page.face.making.grid_pasted.emit, GridFile(("mar", "see")), "a board")
    by_hand.settled()
    assert commands["redo"].command.why_not()
    assert rows(by_hand) == ("mar", "see")


def test_a_board_is_typed(driver, monkeypatch):
    """Noticed: no way to type one before a run has made one."""
    said = []

    def type_board(dialog):
        for text, cols in (
            ("mar", 2),
            ("m?r", 3),
            ("mars sees", 0),
            ("mars/sees/team", 0),
            ("MARS eee#", 4),
        ):
            dialog._text.setPlainText(text)
            dialog._cols.setValue(cols)
            said.append(dialog._said.text())
        return True

    driver.page.face.making.grid_pasted.emit(GridFile(("mar", "see")), "a board")
    driver.settled()
    driver.set(rows=4)  # another size than that of the start board
    monkeypatch.setattr(text_dialog, "accepted", type_board)
    entry = next(one for one in driver.load_entries() if one.text() == "Type or paste a board…")
    entry.trigger()
    driver.settled()
    assert "row 2, 'r', has 1 letters" in said[0]
    assert "column 2: '?' is in no word" in said[1]
    assert said[2:] == ["2 × 4", "3 × 4", "2 × 4"]
    assert driver.page.best_files.to_save().text().startswith("MARS\nEEE#\n")
    said = "the typed board is loaded. It takes the place of a board."
    assert driver.page.notice.text == said


def test_edited_words_start_from_the_board_by_hand(by_hand):
    """Noticed: letters by hand and locked cells lost for a random board."""
    page, making = by_hand.page, by_hand.page.face.making

    def start_with(text):
        page.face._edit_words()
        making.dialog.text.insertPlainText(text)
        making.dialog._start()
        by_hand.state(State.FINISHED)
        return page.run.started.puzzle

    click(page.face.board, 1)
    QTest.keyClick(page.face.board, Qt.Key.Key_E)
    QTest.keyClick(page.face.board, Qt.Key.Key_Space)  # locks the next cell
    scored(by_hand)
    by_hand.set(units=1)
    puzzle = start_with("mers\nsram\n")
    assert puzzle.rows_of(puzzle.start) == ("mers", "eeee", "uuuu")
    assert puzzle.constraints.locked == (2,)
    assert "sram" in puzzle.lexicon.strings
    assert page.notice.text.endswith("The run starts from your board.")
    kept = page.face.board_to_keep()
    assert (kept.rows, kept.locked) == (("mers", "eeee", "uuuu"), (2,))
    page.face._edit_words()
    making.dialog.rows.setValue(4)
    making.dialog._start()
    by_hand.state(State.FINISHED)
    assert page.run.started.puzzle.start is None
    said = "The run starts from a random board. Your board has 3 × 4 cells."
    assert page.notice.text.endswith(said)


def test_edited_words_do_not_start_from_a_board_that_another_has_replaced(by_hand):
    """Noticed: the board by hand, of a search that was still open, took the place of the other."""
    making = by_hand.page.face.making
    making.edit(by_hand.page.face.lexicon, keeps_board=True)
    search(making)
    making.grid_pasted.emit(GridFile(("rams", "rams", "rams")), "other")
    by_hand.settled()
    assert start_after(by_hand) is None
    assert "Your board" not in by_hand.page.notice.text


def test_words_that_cannot_be_edited_keep_no_board(by_hand, monkeypatch):
    """Noticed: a run of other words started from the board, though no dialog had opened."""
    making = by_hand.page.face.making
    making.open_text("mars\nmers\nsuse\n")
    search(making)
    with monkeypatch.context() as patch:
        patch.setattr(puzzle_maker, "require_few", raising(TileLabError("too many words")))
        making.edit(by_hand.page.face.lexicon, keeps_board=True)
    assert start_after(by_hand) is None


def search(making):
    making.dialog.smallest.setChecked(True)
    making.dialog._start()


def start_after(by_hand):
    """Go back from the open search, and start a run of its words; returns its initial board."""
    making = by_hand.page.face.making
    by_hand.set(units=1)
    making.fitting._back.click()
    making.dialog.smallest.setChecked(False)
    making.dialog.rows.setValue(3)
    making.dialog.cols.setValue(4)
    making.dialog._start()
    by_hand.state(State.FINISHED)
    return by_hand.page.run.started.puzzle.start


def raising(error):
    def fail(*_arguments):
        raise error

    return fail
