"""Windows open within what the screen has free, and what does not fit is scrolled to."""

import pytest
from PySide6.QtCore import QRect, QSize, Qt, QTimer
from PySide6.QtGui import QWindowStateChangeEvent
from PySide6.QtWidgets import QApplication, QDialog

from tilelab.core.views import ViewKind
from tilelab.gui.puzzles.sliding.pattern_tables_dialog import TablesDialog
from tilelab.gui.shell.shutdown import ShutdownDialog
from tilelab.gui.widgets import window_place
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.window_place import fitted
from tilelab.runs.actions import Action, State

FRAME = window_place._USUAL_FRAME
SCREENS = {
    "wide": QRect(0, 0, 1280, 800),
    "old": QRect(0, 0, 1024, 700),
    "half": QRect(0, 0, 853, 533),
    "double": QRect(0, 0, 640, 400),
    "second, under a bar": QRect(1280, 40, 1024, 728),
}


@pytest.mark.parametrize(
    ("wanted", "made"),
    [
        (QRect(100, 100, 300, 200), QRect(100, 100, 300, 200)),
        (QRect(-20, -30, 300, 200), QRect(0, 0, 300, 200)),
        (QRect(700, 500, 300, 200), QRect(500, 400, 300, 200)),
        (QRect(5_000, 5_000, 2_000, 100), QRect(0, 500, 800, 100)),
        (QRect(0, 0, 800, 600), QRect(0, 0, 800, 600)),
    ],
)
def test_a_rectangle_is_moved_and_shrunk_by_as_little_as_possible(wanted, made):
    assert fitted(wanted, QRect(0, 0, 800, 600)) == made


# One that does not begin in the corner notices what the others do.
@pytest.fixture(
    params=[
        pytest.param(
            free,
            id=name,
            marks=() if name == "second, under a bar" else pytest.mark.exhaustive,
        )
        for name, free in SCREENS.items()
    ]
)
def screen(request, monkeypatch):
    monkeypatch.setattr(window_place, "free_for", lambda window: request.param)
    return request.param


def is_within(window, free):
    frame = window.windowHandle().frameMargins()
    with_frame = window.geometry().marginsAdded(frame)
    return (
        free.contains(with_frame)
        if window.pos()
        else with_frame.size().boundedTo(free.size()) == with_frame.size()
    )


@pytest.mark.exhaustive
def test_all_windows_open_within_the_screen(screen, driver):
    window = driver.window
    assert is_within(window, screen), window.geometry()
    for puzzle in ("boggle", "sliding", "wordtiles"):
        window.show_puzzle(puzzle)
        driver.settled()
        # A page that needs more room than another one must not push the window's edges out.
        window.grab()
        assert is_within(window, screen), (puzzle, window.geometry())
        window.race.bring()
        assert is_within(window.race, screen), (puzzle, window.race.geometry())
        window.race.hide()
    window.history.bring()
    dialogs = [window.history, window.recovery]
    runs = ["Genetic, 5 generations, best 7"]
    dialogs += [TablesDialog(window), ShutdownDialog(window, lambda: runs)]
    for dialog in dialogs:
        dialog.show()
        driver.qtbot.waitUntil(dialog.isVisible)
        assert is_within(dialog, screen), (dialog, dialog.geometry())
        dialog.hide()


@pytest.mark.exhaustive
def test_a_place_off_the_screen_is_not_gone_back_to(screen, driver, another_driver, tmp_path):
    settings = Settings(tmp_path / "remembered.ini")
    driver.window.setGeometry(QRect(4_000, -900, 1_500, 1_100))
    settings.set_bytes("geometry", driver.window.saveGeometry())
    again = another_driver(settings).window
    assert is_within(again, screen), again.geometry()


@pytest.mark.exhaustive
def test_a_dialog_that_was_moved_stays_where_it_was_put(driver, monkeypatch):
    monkeypatch.setattr(window_place, "free_for", lambda window: QRect(0, 0, 3_000, 2_000))
    dialog = QDialog(driver.window)
    window_place.keep_on_screen(dialog)
    dialog.setGeometry(QRect(700, 300, 400, 200))
    dialog.show()
    assert dialog.geometry() == QRect(700, 300, 400, 200)


def test_a_window_keeps_the_height_that_its_texts_need(driver, monkeypatch):
    """Noticed: a window that was made lower is high again whenever it is opened."""
    monkeypatch.setattr(window_place, "free_for", lambda window: QRect(0, 0, 3_000, 2_000))
    race = driver.window.race
    race.bring()
    low = race.minimumSizeHint().height() + 20
    race.resize(race.width(), low)
    race.hide()
    race.bring()
    assert race.height() == low


@pytest.mark.exhaustive
@pytest.mark.parametrize("restored", [QRect(40, 60, 700, 500), QRect(900, -80, 1_400, 900)])
def test_a_window_that_filled_the_screen_goes_back_to_its_own_place(driver, monkeypatch, restored):
    """Where that is, the window manager says later; it is changed only when it is off the screen.

    A window that was moved at once ended with its title above the screen.
    """
    screen, window = QRect(0, 0, 1280, 800), driver.window
    monkeypatch.setattr(window_place, "free_for", lambda window: screen)
    window.setGeometry(screen)
    filled = Qt.WindowState.WindowFullScreen
    QApplication.sendEvent(window, QWindowStateChangeEvent(filled))
    assert window.geometry() == screen
    window.setGeometry(restored)
    waits = window.findChild(QTimer, window_place.ANSWER)
    assert waits.isActive()
    driver.until(lambda: not waits.isActive())
    if screen.contains(restored):
        assert window.geometry() == restored
    else:
        assert is_within(window, screen), window.geometry()


@pytest.mark.exhaustive
def test_a_page_in_too_little_room_is_scrolled_and_keeps_its_status_in_view(driver):
    for puzzle in ("boggle", "sliding", "wordtiles"):
        driver.window.show_puzzle(puzzle)
        driver.settled()
        require_scrolled(driver.window)


@pytest.mark.usefixtures("with_style_sheet")
def test_no_page_is_scrolled_in_a_small_window(driver):
    """Noticed: the page of sliding tiles was 7 pixels too wide for a projector's 1024.

    With the pseudocode, pages were up to 80 pixels too high, and 67 with the open list, too.
    """
    driver.window.resize(1024, 700)
    for puzzle in ("boggle", "wordtiles", "sliding"):
        driver.window.show_puzzle(puzzle)
        driver.settled()
        area, stack = driver.page.scroll_area, driver.page.view_stack
        bars = area.horizontalScrollBar(), area.verticalScrollBar()
        for is_open in (False, True):
            stack.captions.setChecked(is_open)
            stack.pseudocode.setChecked(is_open)
            stack.set_frontier(is_open)
            driver.until(lambda bars=bars: [bar.maximum() for bar in bars] == [0, 0])
            assert stack.code.isVisible() == is_open
            driver.until(lambda is_open=is_open: driver.page._has_chart_below or is_open)


@pytest.mark.usefixtures("with_style_sheet")
def test_a_step_is_seen_whole_in_a_small_window(sliding):
    """Noticed: the pseudocode covered the legend of the tree, and the page was scrolled."""
    page = sliding.page
    stack, area = page.view_stack, page.scroll_area
    page.choose_solver("a-star")
    stack.choose(ViewKind.TREE)
    stack.pseudocode.setChecked(True)
    stack.captions.setChecked(True)
    sliding.click(Action.STEP)
    sliding.until(lambda: bool(stack.caption))
    bars = area.horizontalScrollBar(), area.verticalScrollBar()
    for size in (1024, 700), (1280, 640):
        sliding.window.resize(*size)
        for _ in range(50):  # parts are moved by timers of 0 ms, one after the other
            QApplication.processEvents()
        assert [bar.maximum() for bar in bars] == [0, 0]
        assert stack._stack.geometry().bottom() < stack.code.geometry().top()


# The language with the widest check boxes over a board of sliding tiles.
@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet", "any_language")
@pytest.mark.parametrize(
    "language",
    ["fr", *(pytest.param(key, marks=pytest.mark.exhaustive) for key in ("en", "de", "es"))],
)
def test_the_result_has_room_next_to_the_board_in_a_small_window(sliding, language):
    sliding.make_again(language)
    sliding.window.resize(1024, 700)
    QApplication.processEvents()
    assert sliding.page.side.isVisible()
    assert not sliding.page.scroll_area.horizontalScrollBar().maximum()


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet")
def test_a_solution_is_next_to_the_board_on_a_projector(sliding):
    """Noticed: moves that hide behind a tab when they are found, because their bar needs room."""
    sliding.window.resize(1014, 657)  # 1024×700 without the frame of a window
    sliding.click(Action.GO)
    sliding.state(State.FINISHED)
    sliding.settled()
    QApplication.processEvents()
    assert sliding.page.side.isVisible()
    assert sliding.page.chart.isVisible()


def require_scrolled(window):
    window.resize(640, 400)
    QApplication.processEvents()  # the bar takes more lines
    window.grab()
    assert window.size() == QSize(640, 400)
    page = window.page
    assert page.scroll_area.verticalScrollBar().maximum() > 0
    assert page.scroll_area.horizontalScrollBar().maximum() > 0
    assert page.columns.width() >= page.columns.minimumSizeHint().width()
    corner = page.status.mapTo(window, page.status.rect().topLeft())
    assert window.rect().contains(QRect(corner, page.status.size()))
    for button in window.bar._buttons.values():
        if button.isVisible():
            corner = button.mapTo(window, button.rect().bottomRight())
            assert window.rect().contains(corner), button.text()


@pytest.mark.exhaustive
def test_a_window_remembered_from_a_larger_screen_fits_with_its_frame(
    screen, driver, another_driver, tmp_path
):
    """Also when the screen that it was on is there no more."""
    settings = Settings(tmp_path / "remembered.ini")
    driver.window.setGeometry(QRect(2_600, 60, 2_400, 1_500))
    settings.set_bytes("geometry", driver.window.saveGeometry())
    again = another_driver(settings).window
    frame = again.windowHandle().frameMargins()
    assert not frame.isNull()
    assert screen.contains(again.geometry().marginsAdded(frame)), again.geometry()


@pytest.mark.exhaustive
def test_no_size_of_texts_makes_the_window_larger_than_the_screen(screen, driver):
    for percent in (200, 100):
        driver.window.set_text_size(percent)
        driver.window.grab()
        assert is_within(driver.window, screen), (percent, driver.window.geometry())
