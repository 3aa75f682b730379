"""Texts from 100 to 200 %: by keys, remembered, and none of them is cut."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QRect
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QMessageBox,
    QPushButton,
    QScrollArea,
    QToolButton,
)

from tests.gui.all_windows import PUZZLES, fresh_windows, pages
from tests.gui.clipped import clipped_texts, fit_contents
from tilelab.core.text import language
from tilelab.gui.run.page_layout import PANEL_WIDTHS
from tilelab.gui.widgets import window_place
from tilelab.gui.widgets.settings import PERCENTS, Settings
from tilelab.gui.widgets.theme import apply_theme, text_pixels, text_scale

_SIZE = (1280, 800)
_SMALL_SCREEN = QRect(0, 0, 1024, 700)
_NEIGHBOURS = ("show_result", "show_chart")
"""Buttons of what may be next to the board in place of the parameters."""


@pytest.fixture(autouse=True)
def _usual_size_again(qapp):
    # A window that was closed is deleted by the next event loop, and would be styled until then.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    apply_theme(QApplication.instance(), "light", 1.0)


def press(window, key):
    (found,) = (one for one in window.findChildren(QShortcut) if one.key().toString() == key)
    found.activated.emit()


# Styles all widgets of the process again and again, so it runs while there are few.
@pytest.mark.exhaustive
@pytest.mark.long
def test_keys_turn_the_size_and_it_is_remembered(driver, another_driver):
    for key, scale in (
        *(("Ctrl++", 1.25), ("Ctrl+=", 1.5), ("Ctrl+-", 1.25), ("Ctrl+0", 1.0), ("Ctrl+-", 1.0)),
        *(("Ctrl++", scale) for scale in (2.0, 2.0)),
    ):
        if scale == 2.0 > text_scale():
            driver.window.set_text_size(175)
        press(driver.window, key)
        assert text_scale() == scale
    settings = driver.window.settings
    settings.write()
    apply_theme(QApplication.instance(), "light", 1.0)
    again = another_driver(Settings(settings._file))
    assert text_scale() == 2.0
    # Noticed: widgets made before the size was applied kept the usual one.
    assert again.window.menuBar().font().pixelSize() == text_pixels()


@pytest.mark.parametrize("text", ["", "70", "1000", "²", "110", "-1"])
def test_a_size_that_is_none_is_the_usual_one(own_ini, text):
    own_ini.set_text("text_size", text)
    assert own_ini.preferences.text_size == 100


# At 100 % pages are walked with longer texts, too; of the others, the ends.
@pytest.mark.exhaustive
@pytest.mark.long
@pytest.mark.parametrize("percent", PERCENTS)
def test_no_page_cuts_a_text_before_or_after_a_run(driver, percent):
    driver.window.set_text_size(percent)
    faults = []
    for name, window in pages(driver):
        window.resize(*_SIZE)
        faults += [f"{name}: {fault}" for fault in clipped_texts(window)]
        driver.run(units=2)
        faults += [f"{name}, with a result: {fault}" for fault in clipped_texts(window)]
    assert not faults, "\n".join(faults)
    assert (window.width(), window.height()) == _SIZE


# The language whose words are longest; longer sentences are tried at 100 %.
@pytest.fixture(
    params=[
        "de",
        *(pytest.param(code, marks=pytest.mark.exhaustive) for code in ("en", "es", "fr")),
    ]
)
def in_language(request, monkeypatch):
    monkeypatch.setenv(language.VARIABLE, request.param)
    language.use(request.param)
    yield request.param
    language.use("en")


@pytest.mark.long
@pytest.mark.parametrize(
    "percent",
    [*(pytest.param(size, marks=pytest.mark.exhaustive) for size in (150, 175)), 200],
)
def test_every_window_fits_a_small_screen_and_cuts_no_text(
    in_language, percent, driver, tmp_path, monkeypatch
):
    """Noticed: a dialog of up to 1576 pixels, whose lists and buttons were beyond the edge."""
    monkeypatch.setattr(window_place, "free_for", lambda window: _SMALL_SCREEN)
    frame = window_place._USUAL_FRAME
    monkeypatch.setattr(window_place, "_frame_of", lambda window: frame)
    room = _SMALL_SCREEN.marginsRemoved(frame).size()
    driver.window.set_text_size(percent)
    faults = []
    for name, window in fresh_windows(driver, tmp_path):
        window.resize(window.size().boundedTo(room))
        fit_contents(window)
        found = []
        # A message box has as much of its real screen as it needs, and no size but that.
        if not isinstance(window, QMessageBox) and window.size() != window.size().boundedTo(room):
            found.append(f"{window.width()} × {window.height()} pixels")
        if not isinstance(window, QDialog):
            window.resize(*_SIZE)
        found += clipped_texts(window)
        found += [f"{button.text()} is scrolled" for button in _scrolled_answers(window)]
        faults += [f"{name}: {fault}" for fault in found]
    assert not faults, "\n".join(faults)


def _scrolled_answers(window):
    """Return the buttons that answer or close a dialog, but can be scrolled out of view."""
    boxes = window.findChildren(QDialogButtonBox)
    answers = [button for box in boxes for button in box.buttons()]
    answers += [button for button in window.findChildren(QPushButton) if button.isDefault()]
    areas = window.findChildren(QScrollArea)
    return [one for one in answers if any(area.isAncestorOf(one) for area in areas)]


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet")
def test_no_page_scrolls_at_one_and_a_half(in_language, driver):
    """Noticed: pages wanted up to 1480 of 1262 pixels, so that they scrolled both ways."""
    window = driver.window
    window.set_text_size(150)
    window.resize(*_SIZE)
    faults = []
    for puzzle in PUZZLES:
        window.show_puzzle(puzzle)
        driver.settled()
        driver.set(units=2)
        driver.page.view_stack.pseudocode.setChecked(True)
        driver.run()
        for neighbour in (*_NEIGHBOURS, "unfold_parameters"):
            driver.page.findChild(QToolButton, neighbour).click()
            QApplication.processEvents()
            area = driver.page.scroll_area
            bars = area.horizontalScrollBar(), area.verticalScrollBar()
            faults += [f"{puzzle}: {fault}" for fault in clipped_texts(window)]
            faults += [f"{puzzle}, {neighbour}: scrolls" for bar in bars if bar.maximum()]
    assert not faults, "\n".join(faults)


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet")
def test_in_large_type_the_board_has_one_neighbour_at_a_time(driver):
    page, window = driver.page, driver.window
    window.resize(*_SIZE)
    page.columns.setSizes([330, 600, 318])
    page.middle.setSizes([450, 180])
    driver.settled()
    usual = page.columns.sizes(), page.middle.sizes()[-1]
    window.set_text_size(150)
    parts = page.panel._form, page.face.best_panel, page.chart

    def shows(*wanted):
        driver.until(lambda: [part for part in parts if part.isVisible()] == list(wanted))

    shows(page.panel._form)
    page.findChild(QToolButton, "show_chart").click()
    shows(page.chart)
    window.show_lessons()
    shows()  # they are in place of the result
    assert window.lessons.panel.isVisible()
    # Noticed: the lesson took the chart's room back at once.
    page.findChild(QToolButton, "show_chart").click()
    QApplication.processEvents()  # the parts ask for a layout
    driver.until(lambda: not page._arranging.isActive())
    shows(page.chart)
    bring_back = page.findChild(QToolButton, "show_result")
    assert bring_back.text() == "Lesson"
    bring_back.click()
    shows()
    assert window.lessons.panel.isVisible()
    window.lessons.close()
    shows(page.face.best_panel)
    assert bring_back.text() == "Result"
    window.commands["show_parameters"].trigger()
    shows(page.panel._form)
    driver.run(seed=3, units=2)
    page.face.best_panel.focus_filter()
    shows(page.face.best_panel)
    window.commands["show_parameters"].trigger()
    window.set_text_size(100)
    shows(*parts)
    driver.until(lambda: (page.columns.sizes(), page.middle.sizes()[-1]) == usual)
    # Noticed: the parameters stayed a strip, in a column as wide as before.
    window.set_text_size(150)
    shows(page.panel._form)
    page.findChild(QToolButton, "show_result").click()
    shows(page.face.best_panel)
    window.show_lessons()
    window.set_text_size(100)
    shows(page.chart)
    window.lessons.close()
    shows(*parts)
    driver.until(lambda: (page.columns.sizes(), page.middle.sizes()[-1]) == usual)


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet")
def test_a_page_made_in_large_type_has_the_usual_columns_later(driver):
    """Its parameters stayed half again as wide, at the expense of the board."""
    window = driver.window
    window.resize(*_SIZE)
    window.set_text_size(150)
    window.show_puzzle("wordtiles")
    driver.settled()
    window.set_text_size(100)
    driver.until(lambda: tuple(driver.page.columns.sizes()) == PANEL_WIDTHS)
