"""The first steps: shown once, in nobody's way, and each task begins where the manual says so."""

from functools import partialmethod

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from tests.gui.conftest import Driver
from tests.gui.tiles_by_hand import cells
from tilelab.core.text import language
from tilelab.gui.boards.text_dialog import TextDialog
from tilelab.gui.learn.manual.first_steps import TASKS, StepsCard
from tilelab.gui.widgets.settings import Settings
from tilelab.manual.book import page
from tilelab.puzzles.sliding.text import parse_board
from tilelab.runs.actions import Action, State

pytestmark = pytest.mark.usefixtures("without_style_sheet")


@pytest.fixture
def steps(driver):
    driver.window.show_first_steps()
    return driver.window.first_steps


def test_they_are_offered_once(qtbot, own_ini):
    first = Driver(qtbot, own_ini)
    first.window.offer_first_steps()
    assert first.window.first_steps.card is not None
    first.end()
    second = Driver(qtbot, Settings(own_ini._file))
    second.window.offer_first_steps()
    assert second.window.made("first_steps") is None
    second.end()


def test_who_knows_the_program_already_is_not_offered_them(driver, own_ini):
    own_ini.set_bytes("geometry", driver.window.saveGeometry())
    driver.window.offer_first_steps()
    assert driver.window.made("first_steps") is None


@pytest.mark.exhaustive
def test_a_run_that_was_begun_first_is_not_covered(driver):
    driver.click(Action.GO)
    driver.state(State.RUNNING)
    driver.window.offer_first_steps()
    assert driver.window.first_steps.card is None
    driver.click(Action.STOP)
    driver.state(State.PAUSED)


def test_go_stays_the_only_coloured_button(steps):
    """Noticed: next to GO, a second coloured button, so that a visitor had to choose."""
    buttons = steps.card.findChildren(QPushButton)
    assert [one.objectName() for one in buttons if one.property("role") == "primary"] == []


@pytest.mark.parametrize("code", ["en", "de", "fr", "es"])
def test_their_keys_are_not_translated(qtbot, code):
    """Noticed: in German, the button of the first task did nothing."""
    language.use(code)
    try:
        card = StepsCard()
        qtbot.addWidget(card)
        with qtbot.waitSignal(card.asked) as asked:
            card.findChild(QPushButton, "try_words").click()
        assert asked.args == ["words"]
    finally:
        language.use("en")


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "act",
    [
        lambda driver: driver.page.face.load.lexicon_requested.emit("planets"),
        lambda driver: driver.page.panel.controls["mutation"].set_value(9),
    ],
    ids=["another board", "a parameter"],
)
def test_they_go_when_the_user_does_something_else(driver, steps, act):
    act(driver)
    assert steps.card is None
    driver.settled()


@pytest.mark.exhaustive
def test_a_run_takes_their_place(driver, steps):
    assert driver.page.side.currentWidget() is steps.card
    driver.click(Action.GO)
    driver.state(State.RUNNING)
    assert steps.card is None
    assert driver.page.side.currentWidget() is driver.page.face.best_panel
    driver.click(Action.STOP)
    driver.state(State.PAUSED)


def test_escape_closes_them_and_lessons_take_their_place(driver, steps):
    driver.window.activateWindow()
    close = steps.card.findChild(QWidget, "close_first_steps")
    close.setFocus()
    QTest.keyClick(close, Qt.Key.Key_Escape)
    assert driver.page.side.currentWidget() is driver.page.face.best_panel
    driver.window.show_first_steps()
    driver.window.show_lessons()
    assert steps.card is None
    assert driver.page.side.currentWidget() is driver.window.lessons.panel
    driver.window.show_first_steps()
    assert driver.page.side.currentWidget() is steps.card
    assert not driver.window.lessons.is_open


@pytest.mark.exhaustive
def test_they_go_with_the_page(driver, steps):
    """Another puzzle is shown without them; the first has its result again."""
    before = driver.page
    driver.window.show_puzzle("sliding")
    assert steps.card is None
    assert before.side.currentWidget() is before.face.best_panel


def test_words_open_the_new_puzzle_and_a_cancelled_one_leaves_them(driver, steps):
    """Noticed: after Cancel, neither a puzzle nor the first steps."""
    driver.window.show_puzzle("sliding")
    driver.window.show_first_steps()
    press(steps, "try_words")
    driver.until(lambda: driver.page.puzzle_key == "boggle")
    dialog = driver.page.face.making.dialog
    driver.until(dialog.isVisible)
    dialog.reject()
    assert driver.page.side.currentWidget() is steps.card
    driver.page.face.load.lexicon_requested.emit("planets")
    assert steps.card is None
    driver.settled()


@pytest.mark.exhaustive
def test_fifteen_asks_for_a_board(driver, steps, monkeypatch):
    """Noticed: an empty field, and nothing to try for a visitor who has no puzzle."""
    asked = []
    monkeypatch.setattr(TextDialog, "ask", partialmethod(asked.append))
    press(steps, "try_fifteen")
    driver.until(lambda: len(asked) == 1)
    assert driver.page.puzzle_key == "sliding"
    assert list(asked[0].board.tiles) == cells(driver)
    assert asked[0]._text.textCursor().selectedText().split()[0] == str(cells(driver)[0])
    assert driver.page.side.currentWidget() is steps.card  # the dialog was cancelled


@pytest.mark.exhaustive
def test_fifteen_solves_the_board_and_plays_the_solution(driver, steps, monkeypatch):
    typed = parse_board("1 2 3 4 5 6 7 8 9 10 11 12 0 13 14 15")
    monkeypatch.setattr(TextDialog, "ask", lambda _dialog: typed)
    press(steps, "try_fifteen")
    driver.until(lambda: driver.page.puzzle_key == "sliding")
    driver.state(State.FINISHED)
    bar = driver.page.face.desk.solution_bar
    driver.until(lambda: bar.place == bar.length == 3)
    # Noticed: a second board is solved, and its solution is not played.
    typed = parse_board("1 2 3 4 5 6 7 8 9 10 11 12 13 0 14 15")
    driver.page.face.ask_for_own()
    driver.until(lambda: bar.place == bar.length == 2)
    # The same board from the menu waits for GO.
    driver.page.face.load.ask_for_board()
    driver.settled()
    assert driver.page.run.status.state is State.READY


@pytest.mark.exhaustive
def test_race_opens_the_race(driver, steps):
    press(steps, "try_race")
    driver.until(driver.window.race.isVisible)
    driver.window.race.close()


@pytest.mark.exhaustive
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task[0])
def test_each_is_told_in_the_manual(driver, steps, task):
    key, title, _, place = task
    name, _, anchor = place.partition("#")
    assert title in {part.title for part in page(name).sections if part.anchor == anchor}
    press(steps, f"how_{key}")
    assert driver.window.manual.place == place
    driver.window.manual.close()
    assert QApplication.activeModalWidget() is None


def press(steps, name):
    steps.card.findChild(QPushButton, name).click()
