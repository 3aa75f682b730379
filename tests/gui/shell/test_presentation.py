"""Presentation mode: board and chart alone, in large type, and everything back afterwards."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tilelab.gui.charts.curves import ChartLegend
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
    )


@pytest.mark.usefixtures("with_style_sheet")
def test_it_shows_board_and_chart_alone_and_gives_all_back(driver, qtbot):
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
    assert page.findChild(ChartLegend).sizeHint().height() > before[-1].height()
    qtbot.keyClick(driver.window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: _looks(driver) == before)
    assert text_font().pixelSize() == 13


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
    monkeypatch.setattr(presentation, "_scale_texts", scaled.append)
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


def test_another_puzzle_ends_it(driver):
    driver.window.presentation.turn(driver.page)
    driver.until(lambda: driver.window.presentation.is_on)
    driver.window.show_puzzle("sliding")
    assert not driver.window.presentation.is_on
    assert text_scale() == 1
    assert driver.window.bar.isVisible()


def test_a_window_closed_in_it_opens_as_it_was_before(driver, qtbot):
    driver.window.presentation.turn(driver.page)
    driver.until(lambda: driver.window.presentation.is_on)
    driver.window.close()
    other = MainWindow()
    qtbot.addWidget(other)
    other.show()
    assert not other.isFullScreen()
    assert other.page.panel.isVisible()
    other.close()
