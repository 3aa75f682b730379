"""The tabs over the board: what a solver feeds, watched only while it is shown, and captions."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from tests.gui.tiles_by_hand import press, solve
from tilelab.core.views import ViewKind
from tilelab.runs.actions import Action, State

pytestmark = pytest.mark.usefixtures("without_style_sheet")


@pytest.fixture
def watched(driver, monkeypatch):
    """What the worker was asked to watch, the newest last."""
    asked = []
    worker, watch = driver.page.client.worker, driver.page.client.worker.watch

    def noted(kinds):
        asked.append(kinds)
        watch(kinds)

    monkeypatch.setattr(worker, "watch", noted)
    return asked


def tab(driver, kind):
    return driver.page.findChild(QPushButton, f"view_tab_{kind}")


def test_a_view_is_watched_only_while_it_is_shown(driver, qtbot, watched):
    driver.click(Action.STEP)
    driver.state(State.PAUSED)
    assert not driver.page.run.views
    tab(driver, "population").click()
    qtbot.waitUntil(lambda: ViewKind.POPULATION in driver.page.run.views)
    assert driver.page.view_stack.shown is ViewKind.POPULATION
    driver.window.hide()
    qtbot.waitUntil(lambda: watched[-1] == frozenset())
    driver.window.show()
    qtbot.waitUntil(lambda: watched[-1] == {ViewKind.POPULATION})
    tab(driver, "board").click()
    qtbot.waitUntil(lambda: watched[-1] == frozenset())


def test_the_heading_is_of_what_is_shown_and_says_when_the_best_was_found(driver):
    """Noticed: the heading of the board over a view, or a count that is the run's."""

    def heading():
        return driver.page.board_title.text(), driver.page.board_detail.text()

    assert heading() == ("Board", "")
    driver.run(units=30, seed=1)
    of_best = "Best board", f"found in generation {driver.page.run.best.unit}"
    assert driver.page.run.best.unit < driver.page.run.status.units
    assert heading() == of_best
    tab(driver, "population").click()
    assert heading() == ("Population", "")
    driver.page.timeline.look_at(next(iter(driver.page.run.bests)).best.unit)
    assert heading() == ("Population", "")
    driver.page.timeline.end()
    tab(driver, "board").click()
    assert heading() == of_best


@pytest.mark.exhaustive
@pytest.mark.parametrize("by", ["the window", "the window manager"])
def test_a_minimised_window_watches_nothing_and_a_restored_one_the_newest(
    driver, qtbot, watched, by
):
    window, page = driver.window, driver.page

    def turn(state):
        # A window manager turns the window itself; its widgets learn of it afterwards.
        turned = window if by == "the window" else window.windowHandle()
        turned.setWindowState(state)

    tab(driver, "population").click()
    driver.click(Action.STEP)
    driver.state(State.PAUSED)
    qtbot.waitUntil(lambda: ViewKind.POPULATION in page.run.views)
    turn(Qt.WindowState.WindowMinimized)
    qtbot.waitUntil(lambda: watched[-1] == frozenset())
    caption = page.run.views[ViewKind.POPULATION].caption
    driver.click(Action.STEP)
    qtbot.waitUntil(lambda: page.run.status.units == 2)
    driver.settled()
    assert page.run.views[ViewKind.POPULATION].caption == caption
    turn(Qt.WindowState.WindowNoState)
    qtbot.waitUntil(lambda: watched[-1] == {ViewKind.POPULATION})
    qtbot.waitUntil(lambda: page.run.views[ViewKind.POPULATION].caption != caption)


@pytest.mark.exhaustive
def test_captions_say_the_step_beside_the_board(driver, qtbot):
    driver.page.view_stack.captions.click()
    for _ in range(3):
        driver.settled()
        driver.click(Action.STEP)
    driver.settled()
    assert driver.page.view_stack.shown is None
    qtbot.waitUntil(lambda: "the child has" in driver.page.view_stack.caption)
    assert driver.page.settings.flag("run/captions")
    driver.page.view_stack.captions.click()
    assert driver.page.view_stack.caption == ""


@pytest.mark.exhaustive
def test_the_views_are_those_of_the_solver(driver):
    def titles():
        tabs = driver.page.view_stack.tabs.findChildren(QPushButton)
        return [one.text() for one in tabs if not one.isHidden()]

    assert titles() == ["Board", "Population"]
    selector = driver.page.panel.solvers.box
    selector.setCurrentIndex(selector.findData("annealing"))
    assert titles() == ["Board", "Move"]
    # Those of the run that is there stay until it is given up.
    driver.click(Action.STEP)
    driver.state(State.PAUSED)
    selector.setCurrentIndex(selector.findData("genetic"))
    assert titles() == ["Board", "Move"]
    assert driver.page.leave_run("It", None)
    assert titles() == ["Board", "Population"]


def test_the_view_that_was_chosen_comes_back_with_its_solver(driver):
    tab(driver, "population").click()
    selector = driver.page.panel.solvers.box
    selector.setCurrentIndex(selector.findData("annealing"))
    assert driver.page.view_stack.shown is None
    selector.setCurrentIndex(selector.findData("genetic"))
    assert driver.page.view_stack.shown is ViewKind.POPULATION
    # Who has gone back to the board finds the board.
    tab(driver, "board").click()
    for solver in ("annealing", "genetic"):
        selector.setCurrentIndex(selector.findData(solver))
        assert driver.page.view_stack.shown is None


def choose_command(driver, name):
    driver.window.commands.refresh()
    driver.window.commands[name].trigger()


@pytest.mark.parametrize("puzzle", ["sliding", "wordtiles"])
def test_editing_a_board_behind_a_view_shows_it(driver, puzzle):
    """Noticed: Ctrl+E does nothing that is seen, but later a click exchanges two tiles."""
    driver.window.show_puzzle(puzzle)
    driver.settled()
    if puzzle == "wordtiles":
        driver.page.choose_solver("beam")
    stack = driver.page.view_stack
    kind = next(kind for kind in stack._kinds if kind.is_drawn)
    stack.choose(kind)
    choose_command(driver, "edit")
    assert stack.shown is None
    driver.window.commands.refresh()
    assert driver.window.commands["edit"].isChecked()
    choose_command(driver, "edit")
    assert not driver.page.face.desk.is_editing
    driver.click(Action.STEP)
    driver.state(State.PAUSED)
    assert stack.shown is kind, "the chosen view is forgotten"


def test_the_board_stays_while_it_is_edited(sliding):
    """Noticed: a view hid the board that was being edited.

    The first change of a board that a run has searched brought it, and so did another solver.
    """
    page, stack = sliding.page, sliding.page.view_stack
    solve(sliding)
    stack.choose(ViewKind.TREE)
    choose_command(sliding, "edit")
    for cell in (0, 1):
        page.face.board.cell_clicked.emit(cell)
    assert page.run.started is None
    assert stack.shown is None
    page.choose_solver("breadth-first")
    assert stack.shown is None
    for cell in (0, 1):
        page.face.board.cell_clicked.emit(cell)  # back, because half of all boards have no solution
    choose_command(sliding, "edit")
    sliding.click(Action.STEP)
    sliding.state(State.PAUSED)
    assert stack.shown is ViewKind.TREE


def test_undo_and_another_board_show_it(sliding):
    """Noticed: a board that is typed, or a slide that is undone, behind a view."""
    stack = sliding.page.view_stack
    press(sliding, "play_edit")
    for cell in (0, 1):
        sliding.page.face.board.cell_clicked.emit(cell)
    stack.choose(ViewKind.TREE)
    choose_command(sliding, "undo")
    assert stack.shown is None
    stack.choose(ViewKind.TREE)
    choose_command(sliding, "scramble")
    sliding.settled()
    assert stack.shown is None
    solve(sliding)
    assert stack.shown is ViewKind.TREE
    sliding.page.face.best_panel.place_requested.emit(1)
    assert stack.shown is None


def test_a_pasted_letter_board_and_its_undone_change_are_shown(driver):
    stack, hand = driver.page.view_stack, driver.page.face.hand
    stack.choose(ViewKind.POPULATION)
    driver.page.face.load.lexicon_requested.emit("planets")
    driver.settled()
    assert stack.shown is ViewKind.POPULATION, "words are no board"
    QGuiApplication.clipboard().setText("m a r s\ne e e e\nu u u u")
    driver.page.face.making.paste()
    driver.settled()
    assert stack.shown is None
    hand.board.typed.emit(0, "e")
    stack.choose(ViewKind.POPULATION)
    choose_command(driver, "undo")
    assert stack.shown is None


@pytest.mark.every(2)
@pytest.mark.parametrize(("ending", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_the_view_that_is_shown_is_saved(driver, qtbot, tmp_path, monkeypatch, ending, begins):
    def save():
        driver.window.commands.refresh()
        return driver.window.commands["save_view"]

    path = tmp_path / f"population.{ending}"
    monkeypatch.setattr("tilelab.gui.run.run_pictures.ask_to_save", lambda *_: path)
    driver.click(Action.STEP)
    driver.state(State.PAUSED)
    assert not save().isEnabled()
    tab(driver, "population").click()
    qtbot.waitUntil(lambda: driver.page.view_stack.has_picture)
    save().trigger()
    assert path.read_bytes().startswith(begins)
    assert driver.page.notice.text == f"Saved {path}"
    path = tmp_path / "nowhere" / path.name
    save().trigger()
    assert "cannot be written" in driver.page.notice.text


@pytest.mark.usefixtures("with_style_sheet")
def test_no_column_jumps_with_the_view(sliding):
    """Noticed: columns that move by 25 pixels from the board to the tree and back."""
    sliding.page.choose_solver("a-star")
    sliding.window.resize(1024, 700)
    page = sliding.page
    sliding.until(lambda: page.middle.width() == page.middle.minimumSizeHint().width())
    board = page.columns.sizes()
    for kind in (ViewKind.TREE, None):
        page.view_stack.choose(kind)
        sliding.until(
            lambda kind=kind: all(one.isVisible() is (kind is None) for one in page._board_switches)
        )
        page.columns.parentWidget().layout().activate()
        assert page.columns.sizes() == board


@pytest.mark.usefixtures("with_style_sheet")
def test_a_view_that_was_left_needs_no_room(driver):
    """Noticed: result and chart stayed folded after the view that had folded them."""
    driver.click(Action.STEP)
    driver.state(State.PAUSED)
    stack = driver.page.view_stack
    before = stack._stack.minimumSizeHint()
    tab(driver, "population").click()
    driver.until(lambda: stack.has_picture)
    assert stack._stack.minimumSizeHint() != before
    tab(driver, "board").click()
    assert stack._stack.minimumSizeHint() == before
