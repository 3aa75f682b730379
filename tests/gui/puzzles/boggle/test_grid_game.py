"""The window in which a letter grid is played: by dragging, by walking, by typing."""

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QPushButton

from tests.gui.clipped import fit_contents
from tests.gui.tiles_by_hand import take
from tests.gui.words_by_hand import paste
from tilelab.core.play import Stopwatch
from tilelab.core.text import language
from tilelab.gui.lab.history.rerun import Rerun
from tilelab.gui.puzzles.boggle import game_window
from tilelab.gui.puzzles.boggle.game_window import GameWindow
from tilelab.gui.widgets.notice_bar import NoticeBar
from tilelab.gui.widgets.play_bar import PlayAction
from tilelab.gui.widgets.settings import Settings
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.runs.actions import Action
from tilelab.runs.history.record import BY_HAND, NO_RERUN
from tilelab.runs.history.store import History

pytestmark = pytest.mark.usefixtures("without_style_sheet")

ROWS = ("cat", "ors", "tep")


def puzzle_of(words=b"cat\ncart\ntoe\nrat\nzips\n", **params):
    return BogglePuzzle.create(
        parse_lexicon(words, "words"), BoggleParams(rows=3, cols=3, **params)
    )


@pytest.fixture
def puzzle():
    return puzzle_of()


@pytest.fixture
def session(qapp, qtbot, tmp_path):
    """A function that plays a board in the window of another session."""

    def play(puzzle, rows=ROWS):
        made = GameWindow(Settings(tmp_path / "settings.ini"))
        qtbot.addWidget(made)
        made.records = []
        made.recorded.connect(made.records.append)
        made.play(puzzle, puzzle.parse(rows, foreign=True))
        return made

    return play


@pytest.fixture
def window(session, puzzle):
    return session(puzzle)


@pytest.mark.usefixtures("any_language")
def test_the_title_names_a_built_in_list_in_the_language_of_the_window(session):
    """Noticed: "Spielen – Game titles" next to "Spieltitel" in the main window."""
    language.use("de")
    words = parse_lexicon(b"cat\ncart\ntoe\n", "words", title="Game titles")
    played = session(BogglePuzzle.create(words, BoggleParams(rows=3, cols=3)))
    assert played.windowTitle() == "Spielen – Spieltitel"


def mouse(board, kind, cell, button=Qt.MouseButton.LeftButton):
    point = board.board_layout().cell_rect(cell).center()
    buttons = button if kind != QEvent.Type.MouseButtonRelease else Qt.MouseButton.NoButton
    there = QPointF(board.mapToGlobal(point))
    event = QMouseEvent(kind, point, there, button, buttons, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(board, event)


def drag(board, cells):
    mouse(board, QEvent.Type.MouseButtonPress, cells[0])
    for cell in cells[1:]:
        mouse(board, QEvent.Type.MouseMove, cell)
    mouse(board, QEvent.Type.MouseButtonRelease, cells[-1])


def spell(window, word):
    QTest.keyClicks(window.board, word)
    QTest.keyClick(window.board, Qt.Key.Key_Return)


def press(window, name):
    window.findChild(QPushButton, name).click()


def said(window):
    return window.findChild(type(window._said), "game_said").text()


def test_words_are_dragged_and_stay_drawn(window):
    drag(window.board, (0, 1, 2))
    assert tuple(window.game.found) == ("cat",)
    assert window.board._scene.lines == ((0, 1, 2),)
    assert window.board._scene.path == ()
    assert "CAT" in said(window)
    drag(window.board, (2, 1, 0))
    assert said(window) == "TAC is not in the list."


def test_words_are_typed(window):
    QTest.keyClicks(window.board, "cax")
    QTest.keyClick(window.board, Qt.Key.Key_Backspace)
    QTest.keyClicks(window.board, "t")
    assert window.board._scene.path == (0, 1, 2)
    QTest.keyClick(window.board, Qt.Key.Key_Return)
    assert tuple(window.game.found) == ("cat",)
    shows_words = window.findChild(QCheckBox)  # where letters were lost after a click
    shows_words.setFocus()
    QTest.keyClicks(shows_words, "toe")
    QTest.keyClick(window.board, Qt.Key.Key_Return)
    assert tuple(window.game.found) == ("cat", "toe")
    # Enter belongs to the board; no button of the window may be pressed by it.
    assert all(not one.autoDefault() for one in window.findChildren(QPushButton))


@pytest.mark.parametrize("button", ["game_again", "game_give_up"])
def test_undo_brings_back_the_game_that_a_button_has_ended(window, session, puzzle, button):
    """Noticed: one click that loses the words found, or a history that says "given up" after it."""
    spell(window, "cat")
    key = window._key
    press(window, button)
    if button == "game_give_up":
        press(window, "game_again")
    spell(window, "tac")  # no word is lost by Undo
    undo = window.findChild(QPushButton, "game_undo")
    assert undo.isEnabled()
    undo.click()
    assert (window._key, tuple(window.game.found), window.game.is_over) == (key, ("cat",), False)
    assert not undo.isEnabled()
    assert tuple(session(puzzle).game.found) == ("cat",)
    spell(window, "toe")
    window.close()
    records = [record for record in window.records if record.key == key]
    assert records[-1].status == "paused"
    # The history replaces only the note that it has.
    notes = [record.note for record in records]
    assert [record.note_before for record in records] == ["", *notes[:-1]]


def test_a_new_game_with_a_word_is_not_replaced_by_undo(window):
    spell(window, "cat")
    press(window, "game_again")
    spell(window, "toe")
    assert not window.findChild(QPushButton, "game_undo").isEnabled()


def begun(window, words, rows, **params):
    lexicon = parse_lexicon(words, "words")
    shape = {"rows": len(rows), "cols": len(rows[0])}
    puzzle = BogglePuzzle.create(lexicon, BoggleParams(**shape, **params))
    window.play(puzzle, puzzle.parse(rows, foreign=True))
    return window.board


def test_the_tile_qu_is_dragged_and_typed_as_two_letters(window):
    board = begun(window, b"quit\nqua\n", ("qit", "aua"), qu_tile=True)
    drag(board, (0, 3))
    assert window.game.found == {"qua": (0, 3)}
    assert said(window) == "QUA: found."
    QTest.keyClicks(board, "Quit")
    assert board._scene.path == (0, 1, 2)
    QTest.keyClick(board, Qt.Key.Key_Return)
    assert tuple(window.game.found) == ("qua", "quit")


def test_a_click_is_an_answer_where_strings_have_one_letter(window):
    before = said(window)
    drag(window.board, (1,))
    assert said(window) == before
    board = begun(window, b"a\ncat\n", ROWS)
    drag(board, (1,))
    assert window.game.found == {"a": (1,)}
    drag(board, (0,))
    assert said(window) == "C is not in the list."


def test_words_are_walked_with_the_arrows(window):
    board = window.board
    board.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Space, Qt.Key.Key_Left, Qt.Key.Key_Escape):
        QTest.keyClick(board, key)
    assert board._scene.path == ()
    keys = (Qt.Key.Key_Space, Qt.Key.Key_Right, Qt.Key.Key_Space, Qt.Key.Key_Right)
    board._mark(focused=0)
    for key in (*keys, Qt.Key.Key_Space, Qt.Key.Key_Return):
        QTest.keyClick(board, key)
    assert tuple(window.game.found) == ("cat",)


def test_a_game_leaves_one_record_by_hand(window, puzzle, tmp_path):
    """Noticed: a note that still has the first number of words, or has replaced the user's."""
    drag(window.board, (0, 1, 2))
    window.hint()
    window.close()
    record = window.records[-1]
    assert (record.solver, record.puzzle, record.value) == (BY_HAND, "boggle", 1.0)
    assert record.board == ROWS
    assert record.status == "paused"
    assert record.note == "1 of 4 words found, 1 letter shown by hints"
    n_records = len(window.records)
    window.play(puzzle, window.game.cells)
    assert tuple(window.game.found) == ("cat",)  # the same game goes on
    window.close()
    assert len(window.records) == n_records
    window.play(puzzle, window.game.cells)
    solve(window)
    last = window.records[-1]
    assert (last.status, last.value, last.key) == ("solved", 4.0, record.key)
    with History(tmp_path / "history.sqlite") as history:
        for one in window.records:
            number = history.put(one)
        assert history.record(number).note == "4 of 4 words found, 1 letter shown by hints"
        history.set_note(number, "with Ann")
        history.put(last)
        assert history.record(number).note == "with Ann"


def test_the_note_says_that_the_words_to_find_were_shown(session, puzzle):
    """Noticed: all words read from the list, in this session or before, and no word of it."""
    window = session(puzzle)
    spell(window, "cat")
    for _ in range(2):
        window._shows_words.click()
    window.close()
    assert window.records[-1].note == "1 of 4 words found, the words to find were shown"
    again = session(puzzle)
    solve(again)
    assert again.records[-1].note == "4 of 4 words found, the words to find were shown"
    press(again, "game_again")
    solve(again)
    again._shows_words.click()  # nothing is left to find
    again.close()
    assert again.records[-1].note == "4 of 4 words found"


def test_a_game_that_is_started_again_leaves_a_record_of_its_own(window):
    """Noticed: what was found before is in no record, or the second game takes its place."""
    drag(window.board, (0, 1, 2))
    press(window, "game_again")
    assert not window.game.found
    drag(window.board, (0, 1, 2))
    window.close()
    assert [one.note for one in window.records] == 2 * ["1 of 4 words found"]
    assert len({one.key for one in window.records}) == 2


def test_a_game_is_continued_in_the_next_session(window, session):
    """Noticed: nothing found and no time, a second row in the history, or the hints for nothing."""
    spell(window, "cat")
    drag(window.board, (4, 1, 2))
    window.hint()
    window.game._watch = Stopwatch(window.game._watch.clock, 27.0)
    window.close()
    (before,) = window.records
    again = session(puzzle_of())
    assert again.game.found == window.game.found
    assert list(again.game.found) == ["cat", "rat"]
    assert again.game.n_hints == 1
    assert again._time.text() == "00:00:27"
    again.close()
    assert not again.records
    for word in again.game.missing:
        spell(again, word)
    (after,) = again.records
    assert (after.key, after.begun, after.status) == (before.key, before.begun, "solved")
    assert after.note_before == before.note
    assert after.seconds >= 27


@pytest.mark.parametrize("answer", [lambda window: spell(window, "cat"), GameWindow.hint])
def test_a_game_is_dated_by_its_first_answer(window, monkeypatch, answer):
    """Noticed: one that waited before it was played is far down in the history."""
    moment = "opened"
    monkeypatch.setattr(game_window, "now", lambda: moment)
    window.start_again()
    moment = "played"
    answer(window)
    moment = "hinted"
    window.hint()
    window.close()
    assert window.records[-1].begun == "played"


@pytest.mark.parametrize("others", [{"words": b"cat\ntoe\n"}, {"reuse": "once"}, {}])
def test_a_game_is_continued_only_on_its_board_with_its_rules_and_words(window, session, others):
    """Noticed: words that were found on another board, or the game of a board that was left."""
    spell(window, "cat")
    window.close()
    rows = ROWS if others else ("cat", "toe", "tep")
    other = session(puzzle_of(**others), rows)
    assert not other.game.found
    spell(other, "toe")
    other.close()
    assert list(session(puzzle_of()).game.found) == ["cat"]
    assert list(session(puzzle_of(**others), rows).game.found) == ["toe"]


def solve(window):
    for word in window.game.missing:
        spell(window, word)


def choose_defaults(window):
    window._settings.set_preference("remember_choices", False)


@pytest.mark.parametrize(
    "end", [GameWindow.give_up, solve, GameWindow.start_again, choose_defaults]
)
def test_a_game_that_has_ended_is_not_continued(window, session, end):
    spell(window, "cat")
    window.close()
    window.play(window.game.puzzle, window.game.cells)
    end(window)
    window.close()
    assert not session(puzzle_of()).game.found


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('"found":{"cat":[0,1,2]}', '"found":{"cat":[0,1,99]}'),
        ('"found":{"cat":[0,1,2]}', '"found":{"zips":[0,1,2]}'),
        ('"n_shown":{"cart":1}', '"n_shown":{"cart":9}'),
        ('"n_shown":{"cart":1}', '"n_shown":{"carts":1}'),
        ('"seconds":27.0', '"seconds":NaN'),
        ("[{", "[["),
    ],
)
def test_a_game_that_cannot_be_read_is_left_out(window, session, right, wrong):
    spell(window, "cat")
    window.hint()
    window.game._watch = Stopwatch(window.game._watch.clock, 27.0)
    window.close()
    kept = window._settings.text("boggle/games")
    assert kept.count(right) == 1
    window._settings.set_text("boggle/games", kept.replace(right, wrong))
    again = session(puzzle_of())
    assert not again.game.has_begun
    assert again.game.seconds == 0


def test_the_time_of_a_game_begins_with_its_first_word_and_stops_in_the_background(window, qtbot):
    other = QPushButton()
    qtbot.addWidget(other)
    other.show()

    def activate(one):
        one.activateWindow()
        qtbot.waitUntil(one.isActiveWindow)

    for has_begun in (False, True):
        for one, is_timing in ((other, False), (window, has_begun)):
            activate(one)
            assert window.game.is_timing == is_timing
        drag(window.board, (0, 1, 2))
        qtbot.waitUntil(lambda: window.game.seconds > 0)


def test_giving_up_shows_every_string_and_its_path(window):
    assert window._hint.isEnabled()
    assert window._give_up.isEnabled()
    window.give_up()
    assert not window._hint.isEnabled()
    assert not window._give_up.isEnabled()
    words = window._list.words
    texts = [str(words.index(row).data()).strip() for row in range(words.rowCount())]
    assert texts == ["CART", "CAT", "RAT", "TOE"]
    window._list.setCurrentIndex(words.index(1))
    assert window.board._scene.path == (0, 1, 2)


def test_a_game_that_is_given_up_is_not_recorded_as_paused(window, puzzle):
    """Noticed: "paused" in the history, or no second record because nothing else was found.

    Noticed too: the time of giving up as the time of the last word.
    """
    window.give_up()
    assert not window.records
    window.start_again()
    drag(window.board, (0, 1, 2))
    window.close()
    window.play(puzzle, window.game.cells)
    window.give_up()
    paused, given_up = window.records
    assert (paused.status, given_up.status) == ("paused", "given up")
    assert given_up.best_seconds is None
    assert paused.key == given_up.key


def test_what_is_not_found_is_shown_as_blanks_unless_the_user_wants_the_strings(window):
    words = window._list.words
    assert all("•" in str(words.index(row).data()) for row in range(words.rowCount()))
    window._list.setCurrentIndex(words.index(0))
    assert window.board._scene.path == ()
    window._shows_words.setChecked(True)
    assert "CART" in str(words.index(0).data())
    assert window.board._scene.path == ()


def test_a_long_word_does_not_make_the_window_wider(window):
    wide = window.width()
    QTest.keyClicks(window.board, 9 * "counterrevolutionaries")
    fit_contents(window)
    assert window.width() == wide
    QTest.keyClick(window.board, Qt.Key.Key_Return)
    fit_contents(window)
    assert window.width() == wide
    assert "is not on this board" in said(window)


def test_a_sliding_board_that_is_solved_by_hand_leaves_a_record(sliding):
    records = []
    sliding.page.recorder.recorded.connect(records.append)
    take(sliding, [1, 2, 3, 4, 0, 5, 7, 8, 6])
    board = sliding.page.face.board
    QTest.keyClick(board, Qt.Key.Key_Left)
    assert not records
    QTest.keyClick(board, Qt.Key.Key_Up)
    (record,) = records
    assert (record.solver, record.moves, record.status) == (BY_HAND, "RD", "solved")
    assert record.value_text == "2 moves"
    # The same board once more is another game.
    sliding.page.face.desk.act(PlayAction.RESTART)
    QTest.keyClick(board, Qt.Key.Key_Left)
    QTest.keyClick(board, Qt.Key.Key_Up)
    assert len({one.key for one in records}) == 2


@pytest.mark.exhaustive
def test_word_tiles_leave_one_record_a_game_of_the_best_board(words):
    records = []
    words.page.recorder.recorded.connect(records.append)
    paste(words)
    position = words.page.face.desk.position
    score = position.puzzle.score
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Down, Qt.Key.Key_Up):
        QTest.keyClick(words.page.face.board, key)
    best = score(position.start)
    after = [score(words.page.face.desk.history._positions[place].cells) for place in range(1, 6)]
    better = [value for place, value in enumerate(after) if value > max([best, *after[:place]])]
    assert [one.value for one in records] == better
    assert better
    assert len({one.key for one in records}) == 1


def test_a_game_by_hand_cannot_be_run_again(window, qtbot):
    drag(window.board, (0, 1, 2))
    window.close()
    notice = NoticeBar(window)
    rerun = Rerun(lambda _key: None, window, notice)
    rerun.run_again(window.records[-1])
    assert notice.text == NO_RERUN


def test_the_page_plays_the_grid_that_it_shows(driver):
    assert not driver.page.face.play_button.isEnabled()
    driver.window.commands["play_grid"].perform()
    assert driver.page.notice.isVisible()
    driver.click(Action.GO)
    driver.until(lambda: driver.page.face.shown is not None)
    driver.stop()
    driver.page.face.play_button.click()
    game = driver.page.face.game.game
    assert game.puzzle is driver.page.face.shown.puzzle
    assert driver.page.face.game.isVisible()
