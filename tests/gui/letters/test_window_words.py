"""Words, paths, cells, filters, the clipboard, the keyboard, and what assistive tools read."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QMessageBox,
    QPlainTextEdit,
    QScrollBar,
    QWidget,
)

from tests.gui.clipped import clipped_texts
from tilelab.gui.letters.word_list import WordList, WordListModel
from tilelab.gui.run.messages import Board
from tilelab.gui.run.run_actions import TITLES
from tilelab.gui.shell.about import shortcuts, show_about, show_shortcuts, versions
from tilelab.gui.shell.window_state import SMALLEST
from tilelab.runs.actions import State

pytestmark = pytest.mark.usefixtures("without_style_sheet")


@pytest.fixture
def done(driver):
    """A window with a short run behind it."""
    driver.run(rows=6, cols=6, seed=5, units=80)
    return driver


def listed(driver):
    model = driver.page.face.best_panel._list.words
    return [model.string(row) for row in range(model.rowCount())]


def test_found_strings_come_longest_first_with_counts(done):
    panel = done.page.face.best_panel
    report = done.session.puzzle.report(done.window.page.run.best.cells)
    assert listed(done) == list(report.found)
    assert [len(word) for word in listed(done)] == sorted(map(len, report.found), reverse=True)
    assert panel._found.text() == f"Found {len(report.found)}"
    panel._missing.click()
    assert listed(done) == [report.strings[index] for index in report.missing_indices]
    assert panel._missing.text() == f"Missing {len(report.missing_indices)}"


def test_the_list_of_a_run_that_has_ended_follows_its_value_at_once(done):
    """Noticed: the words of the board before next to the new value, for a moment."""
    panel, puzzle = done.page.face.best_panel, done.session.puzzle
    panel.show_board(Board.of(puzzle, done.page.run.started.start.cells), 0.1)
    panel.show_age(0.2)
    assert panel._timer.isActive()
    panel.show_age(None)
    assert listed(done) == list(panel._board.report.found)


def test_a_word_that_is_pointed_at_or_chosen_is_drawn_over_the_board(done):
    words, board = done.page.face.best_panel._list, done.page.face.board
    first, second = listed(done)[:2]
    words.setCurrentIndex(words.words.index(0))
    assert spelt(done, board._scene.path) == first
    place = words.visualRect(words.words.index(1)).center()
    QTest.mouseMove(words.viewport(), place)
    done.until(lambda: spelt(done, board._scene.path) == second)
    QApplication.sendEvent(words, QEvent(QEvent.Type.Leave))
    assert spelt(done, board._scene.path) == first
    words.clear_choice()
    assert board._scene.path == ()
    # A word that has left the list under the mouse is not drawn any more.
    words._hover(second)
    assert spelt(done, board._scene.path) == second
    done.page.face.best_panel._filter.setText("no word has this")
    assert board._scene.path == ()


def test_a_missing_word_is_drawn_as_far_as_the_board_has_it(done):
    """Noticed: a click on a missing word did nothing."""
    panel, board, puzzle = done.page.face.best_panel, done.page.face.board, done.session.puzzle
    panel._missing.click()
    for row, word in enumerate(listed(done)):
        panel._list.setCurrentIndex(panel._list.words.index(row))
        begin = spelt(done, board._scene.path)
        assert word.startswith(begin)
        assert begin != word
        assert puzzle.path(done.page.run.best.cells, word[: len(begin) + 1]) is None


def spelt(driver, path):
    letters = "".join(driver.page.face.board._scene.rows)
    return "".join(letters[cell] for cell in path)


def test_a_cell_narrows_the_list_to_the_words_through_it(done):
    panel, board = done.page.face.best_panel, done.page.face.board
    report = done.session.puzzle.report(done.window.page.run.best.cells)
    cell = int(np.argmax(report.usage))
    QTest.mouseClick(
        board,
        Qt.MouseButton.LeftButton,
        pos=board.board_layout().cell_rect(cell).center().toPoint(),
    )
    through = [report.strings[index] for index in report.indices_through(*divmod(cell, 6))]
    assert 0 < len(through) < len(report.found)
    assert listed(done) == through
    row, col = divmod(cell, 6)
    assert panel._through.text() == f"{len(through)} words · row {row + 1}, column {col + 1}"
    assert panel._narrowed.isVisible()
    # What is missing goes through no cell.
    panel._missing.click()
    assert not panel._narrowed.isVisible()
    panel._found.click()
    panel._drop_cell.click()
    assert board._scene.selected is None
    assert listed(done) == list(report.found)


def test_the_first_cell_narrows_the_found_words_as_any_other(done):
    """Noticed: a click on a cell to write a missing word's letter lists the found words instead."""
    panel = done.page.face.best_panel
    report = done.session.puzzle.report(done.window.page.run.best.cells)
    panel._missing.click()
    missing = listed(done)
    panel.set_cell(0)
    assert listed(done) == missing
    panel._found.click()
    assert listed(done) == [report.strings[index] for index in report.indices_through(0, 0)]
    assert panel._narrowed.isVisible()


def test_the_filter_narrows_both_lists_and_says_when_nothing_is_left(done):
    panel = done.page.face.best_panel
    for choice in (panel._missing, panel._found):
        choice.click()
        everything = listed(done)
        panel._filter.setText("In")
        assert listed(done) == [word for word in everything if "in" in word]
        assert 0 < len(listed(done)) < len(everything)
        panel._filter.setText("<b>q")
        assert listed(done) == []
        assert "<b>q" in panel._empty.text()
        panel._filter.clear()
        assert listed(done) == everything


def test_the_strip_of_heat_ends_at_the_most_used_cell(done):
    most = max(done.session.puzzle.report(done.page.run.best.cells).usage.tolist())
    assert done.page.face.heat_legend.accessibleName() == f"Usage of a cell, 0 to {most}"


def test_grid_and_words_are_copied(done):
    panel = done.page.face.best_panel
    panel._copy_grid.click()
    rows = QGuiApplication.clipboard().text().split()
    assert [row.lower() for row in rows] == list(done.page.face.board._scene.rows)
    assert "6 rows" in done.page.notice.text
    panel._filter.setText("o")
    panel._copy_words.click()
    assert QGuiApplication.clipboard().text().split() == listed(done)


@pytest.mark.exhaustive
def test_a_chosen_word_stays_chosen_while_the_run_goes_on(done):
    words = done.page.face.best_panel._list
    words.setCurrentIndex(words.words.index(0))
    chosen = words.chosen
    words.show_words(("aaa", chosen, "bbb"), np.array([0, 1]))
    assert words.chosen == chosen
    assert words.currentIndex().row() == 1
    words.show_words(("aaa", chosen, "bbb"), np.array([0, 2]))
    assert words.chosen == ""


def test_a_list_of_words_is_a_model_without_texts_of_its_own(qtmodeltester):
    model = WordListModel()
    model.show(("one", "two", "three"), np.array([2, 0]))
    qtmodeltester.check(model)
    assert [model.string(0), model.string(1)] == ["three", "one"]
    assert model.row_of("one") == 1
    assert model.row_of("two") is None


@pytest.mark.exhaustive
def test_other_fitness_than_counting_shows_value_and_count(driver):
    driver.run(rows=5, cols=5, fitness="length", seed=2, units=30)
    panel = driver.page.face.best_panel
    value = driver.page.run.best.value
    report = driver.session.puzzle.report(driver.page.run.best.cells)
    assert panel._value.text() == f"{value:.0f}"
    assert panel._of.text() == "letters"
    assert panel._encoded.text() == f"{len(report.found)} of 172 words"
    assert value == sum(map(len, report.found))


@pytest.mark.exhaustive
def test_the_keys_of_the_window(driver):
    window = driver.window
    window.activateWindow()
    driver.until(window.isActiveWindow)
    keys = Qt.Key
    QTest.keyClick(window, keys.Key_F5)
    driver.state(State.RUNNING)
    QTest.keyClick(window, keys.Key_F5, Qt.KeyboardModifier.ShiftModifier)
    driver.state(State.PAUSED)
    seed = window.page.run.status.seed
    QTest.keyClick(window, keys.Key_F5)
    driver.state(State.RUNNING)
    assert window.page.run.status.seed == seed
    QTest.keyClick(window, keys.Key_F5, Qt.KeyboardModifier.ShiftModifier)
    driver.state(State.PAUSED)
    both = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(window, keys.Key_F5, both)
    driver.until(lambda: window.page.run.status.seed == seed + 1)
    driver.until(driver.page.face.best_panel._filter.isEnabled)
    QTest.keyClick(window, keys.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert driver.page.face.best_panel._filter.hasFocus()


def test_whatever_takes_the_keyboard_has_a_name_and_a_tip(driver):
    nameless = []
    for widget in driver.window.findChildren(QWidget):
        if not widget.isVisible() or isinstance(widget, QScrollBar):
            continue
        if not widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            continue
        if isinstance(widget.parentWidget(), QLineEdit) or widget.objectName().startswith("qt_"):
            continue
        text = widget.text() if isinstance(widget, QAbstractButton | QLabel) else ""
        if not (widget.accessibleName() or text):
            nameless.append(
                (
                    type(widget).__name__,
                    widget.objectName(),
                    widget.toolTip(),
                    type(widget.parent()).__name__,
                )
            )
    assert nameless == []
    for action in TITLES:
        assert driver.button(action).toolTip()


def test_the_keyboard_walks_from_the_left_to_the_right(driver):
    window = driver.window
    places, widget = [], window.bar
    for _ in range(500):
        widget = widget.nextInFocusChain()
        on_the_way = widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if on_the_way and widget.objectName():
            places.append(widget.objectName())
    order = ["load", "go", "param_rows", "solver_selector", "param_mutation", "seed"]
    order += ["board_view", "fitness_chart", "filter", "word_list", "copy_words"]
    seen = [name for name in dict.fromkeys(places) if name in order]
    assert seen == [name for name in order if name in seen]
    assert {"load", "param_rows", "seed", "board_view", "filter"} <= set(seen)


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet")
def test_nothing_in_the_panels_is_clipped(driver):
    driver.page.panel.set_open_sections(["Limits", "Adjacency and reuse"])
    driver.run(rows=5, cols=5, seed=1, units=3)
    for size in ((1280, 800), (1024, 700), SMALLEST):
        driver.window.resize(*size)
        assert clipped_texts(driver.window) == [], size


@pytest.mark.exhaustive
def test_about_and_shortcuts_open_and_close(driver):
    show_about(driver.window)
    show_shortcuts(driver.window, driver.window.commands)
    dialogs = [child for child in driver.window.children() if isinstance(child, QWidget)]
    texts = " ".join(label.text() for dialog in dialogs for label in dialog.findChildren(QLabel))
    for name, number in versions():
        assert number, name
    assert dict(versions())["numba"] in texts
    for _, keys in shortcuts(driver.window.commands):
        for key, meaning in keys:
            assert key in texts
            assert meaning in texts
    for dialog in dialogs:
        if dialog.isWindow():
            dialog.close()


@pytest.mark.exhaustive
def test_about_leads_to_the_licences(driver):
    """Noticed too: Escape did not close it."""
    show_about(driver.window)
    box = driver.window.findChild(QMessageBox, "about")
    QTest.keyClick(box, Qt.Key.Key_Escape)
    assert not box.isVisible()
    driver.until(lambda: driver.window.findChild(QMessageBox, "about") is None)
    show_about(driver.window)
    box = driver.window.findChild(QMessageBox, "about")
    next(button for button in box.buttons() if button.text() == "Licences").click()
    dialog = driver.window.findChild(QDialog, "licences")
    names, text = dialog.findChild(QListWidget), dialog.findChild(QPlainTextEdit)
    assert text.toPlainText().startswith("tilelab ")
    assert "MIT License" in text.toPlainText()
    row = next(row for row in range(names.count()) if names.item(row).text().startswith("Inter"))
    names.setCurrentRow(row)
    assert "SIL OPEN FONT LICENSE" in text.toPlainText()
    dialog.close()


def test_redrawing_takes_no_references_from_none(driver):
    import sys

    before = sys.getrefcount(None)
    for _ in range(1000):
        driver.page.face.board.update()
        driver.page.chart.update()
    assert sys.getrefcount(None) > before - 500


@pytest.fixture
def view(qtbot):
    """A list of two words."""
    made = WordList()
    qtbot.addWidget(made)
    made.show_words(("mars", "venus"), np.arange(2))
    made.show()
    return made


def test_the_row_that_tab_comes_to_is_marked_when_its_path_is_shown(view, qtbot):
    view.activateWindow()
    view.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(view.hasFocus)
    assert view.chosen == "mars"
    assert [index.row() for index in view.selectedIndexes()] == [0]
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert (view.chosen, [index.row() for index in view.selectedIndexes()]) == ("venus", [1])


def test_a_second_click_takes_the_path_away_until_the_mouse_moves(view):
    shown = []
    view.word_shown.connect(shown.append)
    place = QPointF(view.visualRect(view.words.index(1)).center())
    kinds, left = QEvent.Type, Qt.MouseButton.LeftButton
    for chosen, word in (("venus", "venus"), ("", "")):
        for kind in (kinds.MouseMove, kinds.MouseButtonPress, kinds.MouseButtonRelease):
            held = left if kind == kinds.MouseButtonPress else Qt.MouseButton.NoButton
            there = QPointF(view.viewport().mapToGlobal(place))
            event = QMouseEvent(kind, place, there, left, held, Qt.KeyboardModifier.NoModifier)
            QApplication.sendEvent(view.viewport(), event)
        assert (view.chosen, shown[-1]) == (chosen, word)
