"""Looking back along the chart, and forks from there: what the user sees and does."""

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton

from tests.gui.scrub_by_hand import click, found_at, look_at, press, resume, run_on, several_bests
from tests.gui.words_by_hand import paste
from tilelab.core.files.grid_file import read_grid
from tilelab.core.text.wording import duration
from tilelab.gui.run.timeline import TimelineBar
from tilelab.runs.actions import Action, State
from tilelab.runs.bests import Bests

pytestmark = pytest.mark.usefixtures("without_style_sheet")


@pytest.fixture
def letters(driver):
    """A finished run of letters with several bests."""
    return several_bests(driver)


@pytest.mark.exhaustive
def test_each_best_is_kept_is_a_dot_and_is_told(letters):
    page, chart = letters.page, letters.page.chart
    units = [found.best.unit for found in page.run.bests]
    assert units == sorted(set(units))
    assert page.run.bests.newest.best is page.run.best
    dots, values = chart.plot.scrub._dots.getData()
    assert dots.tolist() == units
    assert values.tolist() == [found.best.value for found in page.run.bests]
    box, label = chart.plot.box, chart.plot.scrub._hover
    letters.until(lambda: box.viewRange()[0][1] > 390)  # the chart follows a little later
    chart.plot.scrub._hovered(box.mapViewToScene(QPointF(120.0, 1.0)))
    value = found_at(letters, 120).value
    assert label.isVisible()
    assert label.text() == f"generation 120: best ever {value:g}"
    chart.plot.scrub._hovered(QPointF(0.0, 0.0))
    assert not label.isVisible()
    # Before the first best, the first is shown.
    look_at(letters, -50)
    assert page.run.moment == units[0]
    chart.dot_bests(range(100), range(100))
    assert len(chart.plot.scrub._dots.getData()[0]) == 0


def test_the_best_of_an_earlier_moment_is_shown(letters):
    page = letters.page
    present, (first, second) = page.run.best, list(page.run.bests)[:2]
    between = second.best.unit - 1
    look_at(letters, between)
    assert page.run.best is first.best
    assert page.face.shown.report.value == first.best.value
    assert page.board_detail.text() == f"found in generation {first.best.unit}"
    assert page.timeline.bar.isVisible()
    assert page.timeline.bar._text.text().endswith(str(between))
    assert page.face.best_panel._age.text().startswith("after ")
    assert page.chart.plot.scrub._line.value() == between
    assert f"Looking back at generation {between}" in page.chart.accessibleDescription()
    click(letters, "back_to_now")
    assert page.run.best is present
    assert page.face.shown.report.value == present.value
    assert not page.timeline.bar.isVisible()
    assert page.face.best_panel._age.text() == f"after {duration(page.run.shown.seconds)}"
    assert "Looking back" not in page.chart.accessibleDescription()


@pytest.mark.exhaustive
def test_the_best_by_now_is_as_old_after_looking_back_as_before(letters):
    page = letters.page
    known, by_hand = list(page.run.bests), Bests()
    for found in known[:-1]:
        by_hand.append(found.best, 60.0)
    by_hand.append(known[-1].best, 3_000.0)
    page.run.bests = by_hand
    page.run._present = dataclasses.replace(page.run._present, seconds=3_000.0)
    look_at(letters, known[1].best.unit)
    page.face.best_panel.show_age(3_600.0)
    assert page.face.best_panel._age.text() == "after 00:01:00"
    click(letters, "back_to_now")
    page.face.best_panel.show_age(3_600.0)
    assert page.face.best_panel._age.text().endswith("10 min ago")
    # A run that stands still, for a day or until the next start, has no "ago".
    page.face.best_panel.show_age(None)
    assert page.face.best_panel._age.text().endswith("after 00:50:00")


def test_keys_step_from_best_to_best(letters):
    page, chart = letters.page, letters.page.chart
    units = [found.best.unit for found in page.run.bests]
    shift = Qt.KeyboardModifier.ShiftModifier
    before = chart.plot.box.viewRange()
    press(chart, Qt.Key.Key_Left, shift)
    assert page.run.moment == units[-1]
    press(chart, Qt.Key.Key_Left, shift)
    assert page.run.moment == units[-2]
    press(chart, Qt.Key.Key_Right, shift)
    assert page.run.moment == units[-1]
    press(chart, Qt.Key.Key_Right, shift)
    assert not page.run.is_back
    for _ in units:
        press(chart, Qt.Key.Key_Left, shift)
    press(chart, Qt.Key.Key_Left, shift)
    assert page.run.moment == units[0]
    press(chart, Qt.Key.Key_Right, shift)
    assert page.run.moment == units[1] < units[-1]
    press(chart, Qt.Key.Key_Escape)
    assert not page.run.is_back
    assert chart.plot.box.viewRange() == before
    # At the present Escape is for the window.
    escape = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
    chart.keyPressEvent(escape)
    assert not escape.isAccepted()
    press(chart, Qt.Key.Key_Left)
    assert not page.run.is_back
    assert not chart.plot.view.is_whole


@pytest.mark.exhaustive
def test_the_keyboard_comes_to_the_bar_and_goes_back_to_the_chart(letters):
    chart = letters.page.chart
    chart.setFocus()
    look_at(letters, 5)
    now = letters.window.findChild(QPushButton, "back_to_now")
    letters.qtbot.keyClick(chart, Qt.Key.Key_Tab)
    assert now.hasFocus()
    letters.qtbot.keyClick(now, Qt.Key.Key_Escape)
    assert not letters.page.run.is_back
    assert chart.hasFocus()


@pytest.mark.exhaustive
def test_while_it_is_dragged_only_the_newest_place_is_read(letters, monkeypatch):
    page, shown = letters.page, []
    monkeypatch.setattr(type(page.face), "show_best", lambda self, it: shown.append(it.best.unit))
    units = [found.best.unit for found in page.run.bests]
    for unit in reversed(units[:-1]):
        page.chart.plot.scrub.moved.emit(float(unit))
    assert shown == []
    letters.until(lambda: not page.timeline._timer.isActive())
    assert shown == [units[0]]


@pytest.mark.exhaustive
def test_a_click_puts_the_marker_and_the_right_end_is_the_present(letters):
    page, box = letters.page, letters.page.chart.plot.box

    class Click:
        def __init__(self, unit, is_double=False):
            _, (low, high) = box.viewRange()
            self._place = box.mapViewToScene(QPointF(unit, (low + high) / 2))
            self._is_double = is_double

        def scenePos(self):
            return self._place

        def button(self):
            return Qt.MouseButton.LeftButton

        def double(self):
            return self._is_double

    page.chart.refresh()
    page.chart.plot._clicked(Click(200))
    assert page.run.moment == 200
    page.chart.plot._clicked(Click(page.chart.trace.n_units - 1))
    assert not page.run.is_back
    page.chart.plot._clicked(Click(100))
    page.chart.plot._clicked(Click(100, is_double=True))
    assert not page.run.is_back
    assert page.chart.plot.view.is_whole


@pytest.mark.exhaustive
def test_new_bests_do_not_take_the_view_away(letters):
    page = letters.page
    look_at(letters, 1)
    shown, rows = page.run.best, page.chart.trace.n_units
    n_bests = len(page.run.bests)
    letters.set(units=1_000)
    client = page.client
    client.ask(client.worker.resume)  # as if the run was going; the button returns to the present
    letters.settled()
    letters.state(State.FINISHED)
    assert page.run.best is shown
    assert page.face.shown.report.value == shown.value
    assert page.chart.trace.n_units > rows
    assert page.chart.plot.view.is_whole
    click(letters, "back_to_now")
    assert page.run.best is page.run.bests.newest.best
    assert page.run.best.value == letters.session.best.value
    assert len(page.run.bests) > n_bests
    assert page.run.best.unit >= rows


@pytest.mark.exhaustive
def test_resume_returns_to_the_present(letters):
    look_at(letters, 1)
    letters.set(units=1_000)
    resume(letters)
    letters.state(State.FINISHED)
    assert not letters.page.run.is_back
    assert letters.page.run.best is letters.page.run.bests.newest.best


def test_a_moment_of_a_search_has_its_number_where_nothing_else_has_room(qapp, qtbot):
    bar, shown = TimelineBar(), []
    qtbot.addWidget(bar)
    bar.show_moment("1,234 boards expanded", "")
    bar.show()
    for width in range(500, 100, -2):
        bar.resize(width, 40)
        shown.append(bar._text.text())
    assert "1,234" in shown


def test_a_step_keeps_its_unit_in_a_bar_with_little_room(monkeypatch):
    """Noticed: "ite. 249" for move 249 of iteration 638."""
    bar, shown = TimelineBar(), []
    monkeypatch.setattr(bar._text, "show_wordings", lambda *wordings, **_: shown.extend(wordings))
    bar.show_moment("iteration 638, move 249", "")
    assert shown[2:] == ["iteration 638, move 249", "ite. 638, mov. 249", "ite. 638", "638", ""]


def test_a_moment_has_one_form_whatever_its_number(qtbot):
    """Noticed: stepping back, "exp. 9" came after "10" and "11" without the unit."""
    bar, seen = TimelineBar(), []
    qtbot.addWidget(bar)
    bar.show()
    for width in range(500, 100, -2):
        bar.resize(width, 40)
        forms = set()
        for number in (11, 10, 9):
            bar.show_moment(f"expansion {number}", "", "expansion 12")
            forms.add(bar._text.text().replace(f"{number}", "#"))
        assert len(forms - {""}) <= 1, width
        seen += forms
    assert {"expansion #", "exp. #", "#"} <= set(seen)


def test_what_is_shown_is_saved_and_says_so(letters, tmp_path):
    page = letters.page
    present = page.run.best
    look_at(letters, 7)
    best = found_at(letters, 7)
    page.best_files.save(tmp_path / "back.txt")
    saved = read_grid(tmp_path / "back.txt")
    rows = page.run.started.puzzle.rows_of(best.cells)
    assert [row.casefold() for row in saved.rows] == list(rows)
    assert saved.notes["generation"] == str(best.unit)
    assert saved.notes["moment"] == "best by generation 7 of a run that went on to generation 399"
    # The best by now is still on no disk.
    page.run.status = dataclasses.replace(page.run.status, seconds=1000.0)
    assert page.unsaved.has_best
    click(letters, "back_to_now")
    assert page.unsaved.has_best
    page.best_files.save(tmp_path / "now.txt")
    assert "moment" not in read_grid(tmp_path / "now.txt").notes
    assert page.run.best is present
    look_at(letters, 7)
    assert not page.unsaved.has_best
    # One more board of an earlier moment does not take the best by now off the disk.
    page.best_files.save(tmp_path / "again.txt")
    assert not page.unsaved.has_best


@pytest.mark.exhaustive
@pytest.mark.parametrize("action", [Action.START_AGAIN, Action.LOAD])
def test_another_run_or_puzzle_ends_it(letters, action):
    page = letters.page
    look_at(letters, 3)
    if action is Action.LOAD:
        page.face.load.lexicon_requested.emit("planets")
        letters.settled()
        assert page.run.best is None
        assert len(page.run.bests) == 0
        assert not page.chart.plot.scrub._line.isVisible()
    else:
        letters.click(action)
        letters.state(State.FINISHED)
        assert page.run.best is page.run.bests.newest.best
    assert not page.run.is_back
    assert not page.timeline.bar.isVisible()


def test_sliding_tiles_go_back_from_the_solution_to_the_nearest_board(sliding):
    sliding.set(rows=3, cols=3)
    sliding.settled()
    sliding.page.panel.solvers.choose("a-star")
    sliding.set(expansions_per_update=20)
    run_on(sliding, 1, 2, None)
    page = sliding.page
    present = page.run.best
    assert present.moves
    first = next(iter(page.run.bests)).best
    look_at(sliding, first.unit)
    assert page.face.best_panel._title.text() == "Nearest board"
    assert page.face.best_panel.moves == ""
    assert page.face.best_panel._value.text() == str(round(-first.value))
    assert not page.face.desk.solution_bar.isVisible()
    click(sliding, "back_to_now")
    assert page.run.best is present
    assert page.face.best_panel.moves == present.moves
    assert page.face.desk.solution_bar.isVisible()


@pytest.mark.exhaustive
def test_word_tiles_show_board_words_and_way_of_the_moment(words):
    paste(words)
    words.set(seed=1, iterations=60)
    run_on(words, 1, 3, None)
    page = words.page
    words.until(lambda: page.run.best.moves is not None and not page.face.bests.is_busy)
    present, first = page.run.best, next(iter(page.run.bests)).best
    assert first.value < present.value
    look_at(words, first.unit)
    words.until(lambda: page.run.best.moves is not None and not page.face.bests.is_busy)
    assert np.array_equal(page.face.desk.shown_position.cells, first.cells)
    assert page.run.best.value == first.value
    replayed = page.run.started.puzzle.replay(page.run.best.moves)
    assert np.array_equal(replayed, first.cells)
    assert not page.face.desk.archive_bar.isVisible()
    click(words, "back_to_now")
    words.until(lambda: page.run.best.moves is not None and not page.face.bests.is_busy)
    assert np.array_equal(page.run.best.cells, present.cells)
    assert np.array_equal(page.face.desk.shown_position.cells, present.cells)
    assert page.face.desk.archive_bar.count == len(page.face.bests._archive)


@pytest.mark.exhaustive
def test_saved_word_tiles_say_which_moment(words, tmp_path):
    paste(words)
    words.set(seed=1, iterations=60)
    run_on(words, 1, 3, 9)
    first = next(iter(words.page.run.bests)).best
    look_at(words, first.unit)
    words.page.best_files.save(tmp_path / "words.txt")
    text = (tmp_path / "words.txt").read_text("utf-8")
    assert f"# moment: best by iteration {first.unit} of a run that went on to iteration 8" in text
