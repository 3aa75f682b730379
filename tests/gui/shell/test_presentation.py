"""Presentation mode: board and chart alone, in large type, and everything back afterwards."""

import dataclasses
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtWidgets import QApplication, QPushButton, QScrollBar

from tilelab import catalog
from tilelab.core.views import ViewKind
from tilelab.gui.charts.curves import ChartLegend, legend_lines, with_fitting_titles
from tilelab.gui.learn.lessons.panel import QuestionCard
from tilelab.gui.run.large_type import Counters, counter_values
from tilelab.gui.run.page_layout import ChartChoice
from tilelab.gui.shell import presentation
from tilelab.gui.shell.main_window import MainWindow
from tilelab.gui.widgets.theme import apply_theme, text_font, text_pixels, text_scale

pytestmark = pytest.mark.usefixtures("without_style_sheet")

LETTERS_A_WINDOW = 46
"""The smallest capital letters are at least as high as this part of the window."""
CAPITAL = 0.727
"""Height of Inter's capital letters, of its size."""


@pytest.fixture(autouse=True)
def usual_size():
    yield
    apply_theme(QApplication.instance(), "light", 1.0)


def present(driver):
    """Begin a presentation, and wait until it is on."""
    driver.window.presentation.turn(driver.page)
    driver.until(lambda: driver.window.presentation.is_on)


def _looks(driver):
    page, window = driver.page, driver.window
    parts = (window.bar, page.panel, page.face.best_panel, page.status, page.chart, page.middle)
    return (
        [part.isVisible() for part in parts],
        page.columns.sizes(),
        page.middle.sizes(),
        page.middle.orientation(),
        text_scale(),
        window.windowState(),
        page.findChild(ChartLegend).sizeHint(),
        window.geometry(),
        window.menuBar().maximumHeight(),
        page.view_stack.parentWidget().layout().indexOf(page.view_stack),
    )


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet")
def test_it_shows_board_and_chart_alone_and_gives_all_back(driver, qtbot):
    driver.run(units=30)
    before = _looks(driver)
    qtbot.keyClick(driver.window, Qt.Key.Key_F11)
    page = driver.page
    driver.until(lambda: driver.window.presentation.is_on)
    hidden = (driver.window.bar, page.panel, page.face.best_panel, page.status)
    assert not any(part.isVisible() for part in hidden)
    assert page.chart.isVisible()
    assert driver.window.isFullScreen()
    assert CAPITAL * text_pixels("small") >= driver.window.height() / LETTERS_A_WINDOW
    assert page.chart.font().pixelSize() == text_pixels()
    # The buttons say only that there is nothing more to do.
    stage = driver.window.presentation.stage
    stage._hint_time.setInterval(0)
    whole = "Stopped: 30 generations reached · best "
    driver.until(lambda: stage._hint.accessibleName().startswith(whole))
    # Noticed: a class that has seen the end, and a teacher who does not know how to leave.
    assert stage._hint.accessibleName().endswith(" · Ctrl+Shift+F5: start again · Esc: leave")
    legend = next(part for part in before if isinstance(part, QSize))
    assert page.findChild(ChartLegend).sizeHint().height() > legend.height()
    qtbot.keyClick(driver.window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: _looks(driver) == before)
    assert text_font().pixelSize() == 13


@pytest.mark.usefixtures("with_style_sheet")
def test_a_narrow_chart_has_its_names_whole(driver, monkeypatch):
    """Noticed: '…' for the list of curves and 'gener…' in the legend on a screen of 1024×700."""
    monkeypatch.setattr(driver.window, "showFullScreen", lambda: driver.window.resize(1024, 700))
    driver.run(units=30)
    present(driver)
    choice, legend = driver.page.findChild(ChartChoice), driver.page.findChild(ChartLegend)
    driver.until(lambda: legend.width() > 0.8 * driver.page.chart.width())
    assert choice.fontMetrics().horizontalAdvance(choice.currentText()) < choice.width()
    assert legend_lines(legend._entries, legend.width()) == [
        with_fitting_titles(legend._entries, legend.width())
    ]


def test_a_bound_is_called_lowest_f_for_searches_only(driver):
    """Noticed: the bound of letter boards under the name of a search's smallest f."""
    solvers = catalog.solvers("boggle")["exact"], catalog.solvers("sliding")["a-star"]
    driver.settled()
    driver.page.control.step()
    driver.until(lambda: driver.page.run.started is not None)
    puzzle, row = driver.page.run.started.puzzle, {"bound": 172.0, "open": 3.0}
    texts = [counter_values(solver.spec, 7, None, puzzle, row) for solver in solvers]
    assert texts == [
        {"Classes": 7, "Bound": 172, "Open": 3},
        {"Lowest f": 172, "Open": 3},
    ]
    # Noticed: a limit of depth under the name f, and a metric that a solver has not.
    solver = catalog.solvers("sliding")["depth-first"].spec
    assert counter_values(solver, 7, None, puzzle, row) == {"Limit": 172, "Open": 3}
    solver = dataclasses.replace(solver, metric_titles={"bound": ""})
    assert counter_values(solver, 7, None, puzzle, row) == {"Open": 3}


def test_a_counter_without_room_is_shortened_and_never_cut(qtbot):
    """Noticed: "23,508,1" of 23,508,173, which reads as another number."""
    counters = Counters(None, 4)
    qtbot.addWidget(counters)
    counters.show_values({"Expanded": 23_508_173, "Generated": 405_000, "Depth": 32, "Best": 0.25})
    counters.resize(900, 60)
    counters.show()
    assert list(counters.texts.values()) == ["23,508,173", "405,000", "32", "0.25"]
    counters.resize(320, 60)
    counters.grab()
    assert list(counters.texts.values()) == ["23.5M", "405,000", "32", "0.25"]
    counters.resize(190, 60)  # too narrow for the names of all
    counters.grab()
    assert list(counters.texts.values()) == ["23.5M", "405k"]


def test_counters_and_transport_are_shown_and_the_hint_goes(driver, qtbot):
    driver.choose("sliding", "a-star")
    present(driver)
    stage = driver.window.presentation.stage
    assert stage._hint_time.isActive()
    stage._hint_time.start(600_000)
    assert "Esc" in stage._hint.text()
    driver.window.resize(1280, 800)
    driver.until(lambda: stage._hint.text() == "Press Esc to leave")
    driver.page.view_stack.choose(ViewKind.TREE)
    assert stage.counters.texts == {}
    for _ in range(3):
        driver.settled()
        stage.findChild(QPushButton, "show_step").click()
    names = ["Expanded", "Generated", "Queue entries", "Depth", "Lowest f"]
    driver.until(lambda: list(stage.counters.texts) == names)
    driver.until(lambda: stage.counters.texts["Expanded"] == "3")
    assert not driver.page.chart.isVisible()
    driver.settled()
    qtbot.keyClick(driver.window, Qt.Key.Key_PageUp)
    driver.until(lambda: stage.counters.texts.get("Expanded") == "2")
    assert stage.counters.texts["Depth"] == "1"
    driver.settled()
    qtbot.keyClick(driver.window, Qt.Key.Key_PageDown)
    driver.until(lambda: stage.counters.texts.get("Expanded") == "3")
    driver.window.resize(1024, 700)
    driver.until(lambda: stage.counters.geometry().right() < stage._board.geometry().left())
    driver.window.resize(700, 1024)
    driver.until(lambda: stage.counters.geometry().bottom() < stage._board.geometry().top())
    stage.refresh()
    assert stage.counters.minimumWidth() == 0  # a narrow screen cuts their names
    stage._speed.set_speed(10)
    assert driver.window.bar.speed.speed == 10
    driver.window.presentation.stage._hint_time.setInterval(0)
    driver.until(lambda: not stage._hint.text())
    driver.window.resize(1280, 800)
    driver.until(lambda: stage._hint.text() == "A*")
    driver.window.resize(480, 360)
    driver.until(lambda: not any(bar.isVisible() for bar in driver.window.findChildren(QScrollBar)))
    driver.window.presentation.end()
    assert driver.page.view_stack.isVisible()
    # The speed that was chosen meanwhile is that of the next presentation.
    driver.window.bar.speed.set_speed(25)
    present(driver)
    assert stage._speed.speed == 25


@pytest.mark.usefixtures("with_style_sheet")
def test_a_lesson_is_shown_in_it(driver, qtbot):
    """Noticed: F2 that ended it, so that no lesson was ever in large type, and a wrong speed."""
    driver.show("sliding")
    window, presented = driver.window, driver.window.presentation
    window.show_first_steps()
    qtbot.keyClick(window, Qt.Key.Key_F11)
    driver.until(lambda: presented.is_on)
    assert not window.first_steps.card.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_F2)
    driver.until(lambda: presented.is_on and window.lessons.is_open)
    panel = window.lessons.panel
    assert presented.stage.isAncestorOf(panel)
    assert panel.isVisible()
    assert text_scale() > 1
    panel.findChild(QPushButton, "lesson_run_3").click()
    driver.settled()
    assert presented.is_on
    assert presented.stage._speed.speed == window.bar.speed.speed == 2
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    driver.until(lambda: not presented.is_on)
    assert text_scale() == 1
    assert driver.page.side.currentWidget() is panel
    before = _looks(driver)
    presented.turn(driver.page)
    driver.until(lambda: presented.is_on and panel.isVisible())
    presented.end()
    assert _looks(driver) == before
    assert panel.isVisible()
    present(driver)
    panel._close.click()
    driver.until(lambda: presented.is_on)
    assert driver.page.side.currentWidget() is driver.page.face.best_panel
    assert not panel.isVisible()


def test_what_a_lesson_compares_fills_the_screen_and_one_escape_leads_back(driver, qtbot):
    """Noticed: an ordinary window in large type, and a second Escape to the class."""
    window = driver.window
    window.show_puzzle("sliding")
    driver.settled()
    qtbot.keyClick(window, Qt.Key.Key_F2)
    driver.until(lambda: window.lessons.is_open)
    window.lessons.panel.show_lesson("10-two-searches-one-board")
    window.presentation.turn(driver.page)
    driver.until(lambda: window.presentation.is_on)
    buttons = window.lessons.panel.findChildren(QPushButton)
    next(one for one in buttons if one.text() == "A* next to breadth first").click()
    driver.until(window.race.isVisible)
    assert window.race.isFullScreen()
    qtbot.keyClick(window.race, Qt.Key.Key_Escape)
    driver.until(lambda: not window.race.isVisible())
    assert window.presentation.is_on


@pytest.mark.usefixtures("with_style_sheet")
def test_a_lesson_keeps_its_place_when_it_ends_and_begins_again(driver, qtbot, monkeypatch):
    """Noticed: the text jumps back by a page, because its bar is short in the usual size."""
    window, presented = driver.window, driver.window.presentation
    monkeypatch.setattr(window, "showFullScreen", lambda: window.resize(1280, 800))
    window.show_puzzle("sliding")
    driver.settled()
    qtbot.keyClick(window, Qt.Key.Key_F2)
    driver.until(lambda: window.lessons.is_open)
    panel = window.lessons.panel
    panel.show_lesson("02-breadth-first-and-memory")
    bar = panel._ground.verticalScrollBar()
    question = panel.page.findChild(QuestionCard)

    def is_seen():
        return question.visibleRegion().boundingRect().height() > panel._ground.height() / 4

    window.resize(1100, 720)
    driver.until(lambda: bar.maximum() > 0)
    usual = bar.maximum()
    presented.turn(driver.page)
    driver.until(lambda: presented.is_on and bar.maximum() > 1.5 * usual)
    driver.until(lambda: not panel._ground._settling.isActive())
    bar.setValue(bar.maximum())
    presented.end()
    driver.until(lambda: bar.maximum() < 1.5 * usual and is_seen())
    presented.turn(driver.page)
    driver.until(lambda: presented.is_on and bar.maximum() > 1.5 * usual and is_seen())


@pytest.mark.exhaustive
def test_the_keys_of_the_run_work_in_it(driver, qtbot):
    qtbot.keyClick(driver.window, Qt.Key.Key_F11)
    driver.until(lambda: driver.window.presentation.is_on)
    qtbot.keyClick(driver.window, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: driver.page.run.trace.n_units > 0)
    qtbot.keyClick(driver.window, Qt.Key.Key_F5, Qt.KeyboardModifier.ShiftModifier)
    driver.settled()
    qtbot.keyClick(driver.window, Qt.Key.Key_F11)
    driver.until(lambda: not driver.window.presentation.is_on)


def test_keys_that_wait_for_each_other_make_one_change(driver, qtbot, monkeypatch):
    scaled = []
    driver.window.showMaximized()
    monkeypatch.setattr(presentation, "scale_texts", scaled.append)
    for _ in range(3):
        qtbot.keyClick(driver.window, Qt.Key.Key_F11)
        qtbot.keyClick(driver.window, Qt.Key.Key_Escape)
    qtbot.keyClick(driver.window, Qt.Key.Key_F11)
    driver.until(lambda: driver.window.presentation.is_on)
    assert len(scaled) == 1
    qtbot.keyClick(driver.window, Qt.Key.Key_Escape)
    driver.until(lambda: not driver.window.presentation.is_on)
    assert len(scaled) == 2
    assert driver.window.windowState() == Qt.WindowState.WindowMaximized


@pytest.mark.exhaustive
def test_another_puzzle_ends_it(driver):
    present(driver)
    driver.window.show_puzzle("sliding")
    assert not driver.window.presentation.is_on
    assert text_scale() == 1
    assert driver.window.bar.isVisible()


@pytest.mark.exhaustive
def test_a_window_closed_in_it_opens_as_it_was_before(driver, qtbot):
    present(driver)
    driver.window.close()
    other = MainWindow()
    qtbot.addWidget(other)
    other.show()
    assert not other.isFullScreen()
    assert other.page.panel.isVisible()
    other.close()


@pytest.mark.parametrize("asks", [False, True])
@pytest.mark.usefixtures("with_style_sheet")
def test_view_pseudocode_and_list_share_a_screen_without_overlap(driver, qtbot, asks):
    """Noticed: a tree whose legend is written over the pseudocode, and a page kept that way.

    Also a notice that was written over the counters.
    """
    driver.window.show_puzzle("sliding")
    stack = driver.page.view_stack
    stack.choose(ViewKind.TREE)
    stack.pseudocode.click()
    driver.window.commands["ask_first" if asks else "show_frontier"].perform()
    driver.settled()
    driver.page.control.step()
    driver.settled()
    usual = stack._stack.minimumHeight()
    qtbot.keyClick(driver.window, Qt.Key.Key_F11)
    driver.until(lambda: driver.window.presentation.is_on)

    def fits():
        rows = [part.geometry() for part in (stack.tabs, stack._stack, stack.code, stack.frontier)]
        is_apart = all(upper.bottom() < lower.top() for upper, lower in pairwise(rows))
        return text_scale() > 1.5 and is_apart and rows[-1].bottom() < stack.height()

    driver.until(fits)
    # Noticed: a card as narrow as in the usual type, and a thumbnail of a board above its buttons.
    card = stack.widgets[ViewKind.TREE].card
    assert card.width() >= 0.35 * stack.width()
    stack.choose(None)
    desk = driver.page.face.desk
    driver.until(lambda: desk.board.height() == desk.height())
    stack.choose(ViewKind.TREE)
    driver.until(fits)
    notice, counters = driver.page.notice, driver.window.presentation.stage.counters
    notice.show_error("The board cannot reach its goal. " * 3)

    def is_clear():
        rows = [part.rect().translated(part.mapToGlobal(QPoint())) for part in (notice, counters)]
        tabs = stack.tabs.rect().translated(stack.tabs.mapToGlobal(QPoint()))
        return notice.isVisible() and not any(rows[0].intersects(one) for one in (rows[1], tabs))

    driver.until(is_clear)
    notice.clear()
    qtbot.keyClick(driver.window, Qt.Key.Key_Escape)
    driver.until(lambda: not driver.window.presentation.is_on)
    assert stack._stack.minimumHeight() == usual


@pytest.mark.usefixtures("with_style_sheet")
def test_it_gives_the_arrangement_back_at_once(driver, qtbot):
    """Noticed: for a moment, the chart below the view in place of the result next to it."""
    driver.window.resize(1012, 656)
    driver.window.show_puzzle("sliding")
    page = driver.page
    page.view_stack.choose(ViewKind.TREE)
    page.view_stack.pseudocode.click()
    for _ in range(3):
        page.control.step()
        driver.settled()

    def shown():
        return [part.isVisible() for part in (page.side, page.chart, page.strip)]

    before = shown()
    assert before == [True, False, True]
    qtbot.keyClick(driver.window, Qt.Key.Key_F11)
    driver.until(lambda: driver.window.presentation.is_on)
    driver.window.presentation.end()
    assert shown() == before
