"""Runs seen from inside: they step together, forth and back, and what differs is named."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollBar, QWidget

from tests.gui.tables_by_hand import cell
from tests.instance_sets import instance_set
from tilelab.core.text.language import tr
from tilelab.core.views import ViewKind
from tilelab.gui.lab.race.form import EntryDraft
from tilelab.gui.lab.race.inside import differences_of
from tilelab.gui.run.page_layout import SPACE
from tilelab.gui.widgets.theme import apply_theme, text_scale
from tilelab.puzzles.sliding.play import Position
from tilelab.runs.actions import Action, State
from tilelab.runs.presets import papers
from tilelab.runs.races import RaceGoal

pytestmark = pytest.mark.usefixtures("without_style_sheet")


def show_board(driver, number):
    """Show a board of 3×3 tiles."""
    board = instance_set("damodaran").puzzle(number)
    driver.page.face.take_board(Position.of(board.params, board.start, None, str(number)))
    driver.settled()
    return board


@pytest.fixture
def race(driver):
    """The comparison of A*, with another heuristic than usual, and its peer."""
    driver.window.show_puzzle("sliding")
    driver.settled()
    show_board(driver, 3)
    driver.page.choose_solver("a-star")
    driver.page.panel.set_values({"heuristic": "misplaced"})
    driver.window.commands["step_by_step"].trigger()
    return driver.window.race


def do(driver, race, act, *values):
    act(*values)
    driver.until(lambda: not race.is_running and not race._background.is_busy)


def moments(race):
    """What the cards show of both runs."""
    return [
        (card.place, card.counters.texts, card.stack.code.lit, card.stack.has_picture)
        for card in race.frame.inside.cards
    ]


def test_the_first_run_is_that_of_the_window_and_the_second_its_peer(driver, race):
    assert race.isVisible()
    assert race.windowTitle() == "Compare – Sliding tiles"
    assert [draft.solver for draft in race.entries.drafts] == ["a-star", "ida-star"]
    assert {draft.values["heuristic"] for draft in race.entries.drafts} == {"misplaced"}
    inside = race.frame.inside
    assert inside.differences.text() == "Same board and heuristic · differs: solver"
    assert [card.stack.shown for card in inside.cards] == [ViewKind.TREE] * 2
    race.close()
    driver.page.choose_solver("greedy")
    race.bring(is_inside=True)
    assert [draft.solver for draft in race.entries.drafts] == ["greedy", "ida-star"]
    race.close()
    driver.page.choose_solver("ida-star")
    race.bring(is_inside=True)
    assert [draft.solver for draft in race.entries.drafts] == ["ida-star", "a-star"]


def test_the_depth_of_a_board_is_not_named_like_the_length_of_a_path(driver, race):
    """Noticed: Depth 11 next to Depth 12 for two paths of 12 moves."""
    race.frame.bar.speed.set_speed(None)
    do(driver, race, race.act, Action.GO)
    (length,) = {len(status.best.moves) for status in race.statuses}
    queue, path = (card.counters.texts for card in race.frame.inside.cards)
    assert queue["Depth"] == str(length - 1)
    assert "Depth" not in path
    assert path["Path length"] == str(length)


def test_curves_are_in_view_when_they_are_turned_on_and_when_the_window_opens(driver, race):
    """Noticed: a chart below the lower edge of a small window, which its switch says is shown."""
    race.resize(1024, 700)
    do(driver, race, race.act, Action.STEP)
    rows, bar = race.frame.rows, race.frame._area.verticalScrollBar()
    race.frame.inside.captions.click()
    race.frame.inside.curves.click()
    driver.until(lambda: bar.maximum() > 0)
    assert rows.visibleRegion().boundingRect() == rows.rect()
    race.close()
    bar.setValue(0)
    driver.window.commands["step_by_step"].trigger()
    driver.until(lambda: rows.visibleRegion().boundingRect() == rows.rect())


def test_curves_that_had_room_do_not_scroll_a_window_that_becomes_small(driver, race):
    """Noticed: a jump to the curves long after they were turned on."""
    race.resize(1280, 1000)
    do(driver, race, race.act, Action.STEP)
    bar, curves = race.frame._area.verticalScrollBar(), race.frame.inside.curves
    curves.click()
    driver.settled()
    assert bar.maximum() == 0
    race.resize(1024, 500)
    driver.until(lambda: bar.maximum() > 0)
    assert bar.value() == 0


def test_a_card_without_a_run_says_how_its_board_is_shown(driver, race):
    """Noticed: two bare cards."""
    card = race.frame.inside.cards[0]
    card.stack.choose(None)
    empty = card.stack._empty
    assert (empty.isVisible(), empty.text()) == (True, "Press GO or STEP to see it.")
    do(driver, race, race.act, Action.STEP)
    driver.until(card.board.isVisible)
    assert empty.isHidden()


@pytest.mark.exhaustive
def test_a_solver_to_compare_with_has_another_colour(driver, race):
    """Noticed: two curves in one colour after the first entry was removed."""
    race.add()
    race.frame.table.selectRow(0)
    race.remove()
    race.compare_with("greedy")
    assert [draft.solver for draft in race.entries.drafts] == ["a-star", "greedy"]
    assert race.entries.drafts[1].values["heuristic"] == "misplaced"
    assert len({draft.slot for draft in race.entries.drafts}) == 2


def test_both_step_together_forth_and_back(driver, race):
    seen = []
    for _ in range(5):
        do(driver, race, race.act, Action.STEP)
        seen.append(moments(race))
    assert [card.place for card in race.frame.inside.cards] == [
        "5 expansions",
        "5 generated boards",
    ]
    steps = [card._step.text() for card in race.frame.inside.cards]
    assert steps == ["1 step = 1 expansion", "1 step = 1 generated board"]
    assert all(lit and is_drawn for _, _, lit, is_drawn in seen[-1])
    for number in (-2, -3):
        do(driver, race, race.step_back)
        assert moments(race) == seen[number]
    do(driver, race, race.act, Action.STEP)
    assert moments(race) == seen[-2]


@pytest.fixture
def large_type(race):
    """A function that turns large type on or off; after the test, all is as usual."""
    yield race._presentation.turn
    race._presentation.end()
    apply_theme(QApplication.instance(), "light", 1.0)


@pytest.fixture
def any_lead(monkeypatch):
    """A race in which the shortest lead decides, however small the board."""
    monkeypatch.setattr("tilelab.runs.races.LEAD_SECONDS", 1e-12)


@pytest.mark.usefixtures("any_lead")
def test_the_leader_of_stepped_runs_is_named_without_machine_time(driver, race):
    said = race.frame.said
    race.frame.bar.speed.set_speed(1_000.0)
    do(driver, race, race.act, Action.GO)
    words = "Finished. 12 moves each: A* (Misplaced tiles) expanded "
    assert said.text().startswith(words)
    assert ", IDA* (Misplaced tiles) expanded " in said.text()
    race.frame.bar.speed.set_speed(None)
    do(driver, race, race.act, Action.START_AGAIN)
    assert said.text().startswith(words)  # the speed says nothing of runs that are seen inside
    ranks = lambda: {cell(race.frame.table, row, "Rank") for row in range(2)}  # noqa: E731
    assert ranks() == {"1"}
    race.set_look(is_inside=False)
    assert said.text().startswith(words)
    assert ranks() == {"1", "2"}
    race.set_look(is_inside=True)
    assert said.text().startswith(words)
    do(driver, race, race.step_back)
    do(driver, race, race.act, Action.STEP)
    race.set_look(is_inside=False)
    assert ranks() == {"1"}


def test_a_slowed_race_says_that_steps_differ_and_that_its_seconds_compare_nothing(driver, race):
    """Noticed: 48 boards expanded against 81 at 25 steps a second, as if one were twice as fast.

    Also a curve that ends first, of the solver that needs twice the time at full speed.
    """
    slow = "Seconds of slow steps cannot be compared"
    steps = "A* (Misplaced tiles): 1 step = 1 expansion · "
    steps += "IDA* (Misplaced tiles): 1 step = 1 generated board."
    said, speed = race.frame.said, race.frame.bar.speed
    race.set_look(is_inside=False)
    speed.set_speed(1_000.0)
    do(driver, race, race.act, Action.GO)
    assert slow in said.text()
    assert said.text().endswith(steps)
    race.set_look(is_inside=True)  # each card says it
    assert "1 step" not in said.text()
    race.set_look(is_inside=False)
    speed.set_speed(None)
    do(driver, race, race.act, Action.START_AGAIN)
    assert slow not in said.text()
    assert "1 step" not in said.text()
    do(driver, race, race.step_back)
    do(driver, race, race.act, Action.STEP)
    assert said.text().endswith(steps)
    race.choose_solver("ida-star")
    do(driver, race, race.act, Action.STEP)
    assert "1 step" not in said.text()  # the steps of both are the same


@pytest.mark.usefixtures("any_language", "any_lead")
def test_each_look_has_its_own_speed_until_a_race_begins(driver, race):
    """Noticed: a race of 60 seconds at the two steps a second of a comparison."""
    speed = race.frame.bar.speed
    speed.set_speed(5.0)
    race._set_speed(5.0)
    for is_inside, wanted in ((False, None), (True, 5.0)):
        race.bring(is_inside=is_inside)
        assert speed.speed == wanted


def test_how_a_race_ran_is_said_whatever_the_speed_is_now_and_in_any_language(driver, race):
    """Noticed: a race at full speed is taken for a slow one once a speed is chosen, or reversed."""
    race.set_look(is_inside=False)
    race.frame.bar.speed.set_speed(None)
    goal = RaceGoal("expanded", 100_000)
    do(driver, race, race.run_until, goal)
    race.frame.bar.speed.set_speed(1_000.0)
    race._report_leader()
    assert "1 step" not in race.frame.said.text()
    do(driver, race, race.act, Action.START_AGAIN)
    race.frame.bar.speed.set_speed(None)
    race._report_leader()
    assert "1 step" in race.frame.said.text()
    do(driver, race, race.act, Action.START_AGAIN)
    assert "1 step" not in race.frame.said.text()
    race._forget()
    race.frame.bar.speed.set_speed(1_000.0)
    do(driver, race, race.run_until, goal)
    race.frame.bar.speed.set_speed(None)
    race._report_leader()
    said = race.frame.said.text()
    assert said.count(", before it reached 100,000.") == 2
    assert "1 step" in said
    driver.make_again()
    driver.until(driver.window.race.isVisible)
    assert driver.window.race is not race
    assert driver.window.race.frame.said.text() == said


def test_what_a_lesson_asks_goes_with_its_solvers(driver, race):
    """Noticed: the words of a lesson above the runs of a paper, or of other solvers."""
    task = race.frame._task
    changes = (
        lambda: race.race_with(papers("sliding")[0]),
        lambda: race.choose_solver("greedy"),
        race.add,
        race.remove,
    )
    for change in changes:
        race.compare_with("ida-star", "Which one expands *more*?")
        assert task.text() == "Which one expands more?"
        change()
        assert not task.text()


def test_a_solver_changed_after_a_race_is_stepped_from_the_start(driver, race):
    """Noticed: "Press STEP" while STEP is grey, and a sentence about the race before.

    Also the differences of an entry that is not there any more.
    """
    race.add()
    race.choose_solver("weighted-a-star")
    race.entries.drafts[-1].values["heuristic"] = "manhattan"
    do(driver, race, race.act, Action.STEP)
    driver.until(lambda: "Manhattan distance" in race.frame.inside.differences.text())
    race.set_look(is_inside=False)
    race.remove()
    race.choose_solver("greedy")
    figures = race.statuses
    race.set_look(is_inside=True)
    assert race.statuses == figures
    assert race.frame.said.text().startswith("The solvers have changed: START AGAIN or STEP")
    assert race.frame.inside.differences.text() == "Same board and heuristic · differs: solver"
    do(driver, race, race.act, Action.STEP)
    assert [row.steps for row in race.statuses] == [1, 1]
    assert "The solvers have changed" not in race.frame.said.text()


@pytest.mark.exhaustive
def test_another_board_in_the_window_leaves_the_comparison_alone(driver, race):
    do(driver, race, race.act, Action.STEP)
    start = race._race.puzzle.start.tolist()
    other = show_board(driver, 2)
    assert other.start.tolist() != start
    do(driver, race, race.act, Action.STEP)
    assert race._race.puzzle.start.tolist() == start
    assert [row.steps for row in race.statuses] == [2, 2]
    race.close()
    race.bring(is_inside=True)
    assert not race.statuses
    do(driver, race, race.act, Action.STEP)
    assert race._race.puzzle.start.tolist() == other.start.tolist()


@pytest.mark.exhaustive
def test_each_runs_until_it_has_expanded_as_many_boards(driver, race):
    race.frame.bar.speed.set_speed(1.0)  # Noticed: a minute until each has expanded 100 boards.
    bar = race.frame.bar
    bar._fill_goals()
    titles = [entry.text() for entry in bar._goals.menu().actions()]
    assert titles[:2] == ["Finish the update\tCtrl+F6", "Each has expanded 10 boards"]
    bar._goals.menu().actions()[1].trigger()
    driver.until(lambda: not race.is_running and len(race.statuses) == 2)
    expanded = [int(card.counters.texts["Expanded"]) for card in race.frame.inside.cards]
    assert expanded == [10, 10]
    do(driver, race, race.run_until, RaceGoal("units", 1))
    assert [(row.units, row.steps) for row in race.statuses] == [(1, 0)] * 2
    race._forget()
    do(driver, race, race.run_until, RaceGoal("expanded", 1_000))
    assert race.frame.said.text().count(", before it reached 1,000.") == 2


@pytest.mark.exhaustive
def test_a_race_notes_nothing_for_views_until_it_is_seen_from_inside(driver, race):
    race.set_look(is_inside=False)
    do(driver, race, race.act, Action.STEP)
    assert [row.inside for row in race.statuses] == [None, None]
    assert race.frame.table.isVisible()
    race.set_look(is_inside=True)
    driver.until(lambda: all(row.inside is not None for row in race.statuses))
    do(driver, race, race.act, Action.STEP)
    assert all(lit for _, _, lit, _ in moments(race))
    race.frame.inside.cards[0].stack.choose(ViewKind.DEPTHS)
    driver.until(lambda: ViewKind.DEPTHS in race.statuses[0].inside.views)
    race.set_look(is_inside=False)
    do(driver, race, race.act, Action.STEP)
    assert [row.inside for row in race.statuses] == [None, None]


@pytest.mark.exhaustive
def test_a_changed_setting_begins_again(driver, race):
    do(driver, race, race.act, Action.STEP)
    inside = race.frame.inside
    inside.cards[1].solvers.choose("a-star")
    assert not race.statuses
    assert Action.STEP in race.allowed
    inside.cards[1].parameters.click()
    assert race.frame.form.isVisible()
    race.frame.form.parameters.controls["heuristic"].set_value("manhattan")
    driver.until(lambda: inside.differences.text().endswith(")"))
    assert inside.differences.text() == (
        "Same board · differs: heuristic (Misplaced tiles / Manhattan distance)"
    )
    inside.add.click()
    driver.until(lambda: len(inside.cards) == 3)
    do(driver, race, race.act, Action.STEP)
    assert [row.steps for row in race.statuses] == [1, 1, 1]
    inside.cards[0].remove.click()
    driver.until(inside.cards[2].isHidden)
    assert len(race.entries.drafts) == 2


def test_a_run_is_added_while_there_are_fewer_than_three(driver, race):
    """Noticed: a fourth run without a card, and two runs to which none could be added."""
    inside = race.frame.inside
    for _ in range(2):
        assert inside.add.isEnabled()
        inside.add.click()
        assert not inside.add.isEnabled()
        assert len(race.entries.drafts) == 3
        driver.until(lambda: len(inside.cards) == 3 and not inside.cards[2].isHidden())
        inside.cards[2].remove.click()


@pytest.mark.usefixtures("any_language")
def test_parameters_next_to_the_runs_come_back_in_another_language(driver, race):
    race.frame.inside.cards[1].parameters.click()
    assert race.frame.form.isVisible()
    driver.make_again()
    driver.until(driver.window.race.isVisible)
    assert driver.window.race is not race
    assert driver.window.race.frame.form.isVisible()
    assert driver.window.race.frame.table.currentIndex().row() == 1


@pytest.mark.exhaustive
def test_the_window_closes_while_the_runs_go(driver, race):
    """The fixtures find threads and timers that are left."""
    race.act(Action.GO)
    driver.until(lambda: bool(race.statuses) and race.statuses[0].state is State.RUNNING)
    driver.window.close()
    assert not race.is_running
    assert not race._background.is_busy


def test_three_runs_have_room_in_a_small_window(driver, race):
    """Noticed: a comparison that scrolls sideways in a window 1024 pixels wide."""
    race.add()
    cards = race.frame.inside.cards
    driver.until(lambda: [card.isVisible() for card in cards] == [True] * 3)
    do(driver, race, race.act, Action.STEP)
    assert max(card.minimumSizeHint().width() for card in cards) <= (1024 - 4 * SPACE) // 3


@pytest.mark.usefixtures("with_style_sheet")
def test_nothing_of_three_runs_is_below_the_pseudocode_or_at_the_right(driver, race):
    """Noticed: half a legend, and a page that also scrolls sideways as soon as it scrolls."""
    race.resize(1024, 700)
    race.frame.bar.speed.set_speed(None)
    race.add()
    cards, area = race.frame.inside.cards, race.frame._area
    for place, heuristic in enumerate(("manhattan", "misplaced", "linear-conflict")):
        race.frame.inside.solver_chosen.emit(place, "a-star")
        race.entries.drafts[place].values["heuristic"] = heuristic
    race.frame.inside.captions.click()
    do(driver, race, race.act, Action.GO)
    driver.until(lambda: all(card.stack.has_picture for card in cards))
    driver.until(lambda: area.verticalScrollBar().maximum() > 0)
    driver.settled()
    for card in cards:
        assert card.stack._stack.geometry().bottom() < card.stack.code.geometry().top()
        assert card.stack.height() >= card.stack.minimumSizeHint().height()
    assert area.horizontalScrollBar().maximum() == 0


@pytest.mark.usefixtures("with_style_sheet")
def test_counters_of_narrow_cards_are_whole(driver, race):
    """Noticed: "Queue e..." and a number without its last digit in each of three cards."""
    race.resize(1024, 676)
    race.frame.bar.speed.set_speed(None)
    race.add()
    do(driver, race, race.act, Action.GO)

    def are_whole(card):
        cells = [parts for parts in card.counters._cells if parts[0].isVisible()]
        labels = [label for _, *labels in cells for label in labels]
        return len(cells) >= 3 and all(
            label.fontMetrics().horizontalAdvance(label.text()) <= label.width() for label in labels
        )

    driver.until(lambda: all(map(are_whole, race.frame.inside.cards)))


@pytest.mark.usefixtures("with_style_sheet")
def test_the_hint_on_changed_values_does_not_make_the_page_scroll(driver, race):
    """Noticed: half a row of the table and the hint itself below the lower edge."""
    race.resize(1024, 676)
    race.frame.bar.speed.set_speed(None)
    race.add()
    race.frame.set_look(False)
    driver.settled()
    for place in range(3):
        race.frame.table.selectRow(place)
        race.choose_solver("a-star")
    do(driver, race, race.act, Action.GO)
    race.frame.table.selectRow(0)
    form, area = race.frame.form, race.frame._area
    form.parameters.controls["heuristic"].set_value("manhattan")
    driver.until(form.hint.isVisible)
    driver.settled()
    QApplication.processEvents()
    assert area.verticalScrollBar().maximum() == 0
    assert form.hint.height() >= form.hint.heightForWidth(form.hint.width())
    for part in (form.hint, race.frame.table):
        assert part.visibleRegion().boundingRect() == part.rect()


@pytest.mark.usefixtures("with_style_sheet")
def test_large_type_in_a_small_window_needs_no_scrolling(driver, race, monkeypatch, large_type):
    """Noticed: numbers whose names are below the lower edge, and a third run to the right of it."""
    monkeypatch.setattr(race, "showFullScreen", lambda: race.resize(1024, 700))
    race.add()
    do(driver, race, race.act, Action.STEP)
    cards, area = race.frame.inside.cards, race.frame._area
    large_type()
    do(driver, race, race.act, Action.STEP)
    driver.settled()
    assert area.horizontalScrollBar().maximum() == area.verticalScrollBar().maximum() == 0
    for card in cards:
        assert card.counters.visibleRegion().boundingRect() == card.counters.rect()


@pytest.mark.usefixtures("with_style_sheet")
@pytest.mark.parametrize("n_added", [2, 4])
def test_large_type_shows_the_race_that_is_on_the_screen(
    driver, race, monkeypatch, n_added, large_type
):
    """Noticed: the runs from inside in place of chart and ranks, and rows below the lower edge."""
    race.resize(1024, 700)
    monkeypatch.setattr(race, "showFullScreen", lambda: race.resize(1024, 700))
    for _ in range(n_added):
        race.add()
    race.set_look(is_inside=False)
    do(driver, race, race.act, Action.STEP)
    frame, table = race.frame, race.frame.table
    driver.settled()
    sizes = frame.rows.sizes()
    bars = [bar for area in (frame._area, table) for bar in area.findChildren(QScrollBar)]

    def is_whole():
        parts = [one for one in (frame.bar, frame.chart, table, frame.said) if one.isVisible()]
        places = [QRect(part.mapTo(race, QPoint()), part.size()) for part in parts]
        are_apart = all(above.bottom() < below.top() for above, below in pairwise(places))
        is_still = not any(bar.isVisible() and bar.maximum() for bar in bars)
        return is_still and are_apart and all(race.rect().contains(place) for place in places)

    large_type()
    assert (frame.inside.isVisible(), frame.form.isVisible()) == (False, False)
    driver.until(is_whole)
    assert frame.said.isVisible() == (n_added == 2)
    shown = [tr(one.heading) for n, one in enumerate(table.items.columns) if table.columnWidth(n)]
    assert shown[:4] == ["Solver", "Rank", "Best", "Found after"]
    race._presentation.end()
    driver.until(lambda: frame.rows.sizes() == sizes)


@pytest.mark.exhaustive
def test_large_type_and_back(driver, race, large_type):
    race.add()
    driver.until(race.findChild(QWidget, "inside_remove_1").isVisible)
    (key,) = [key for key in race.findChildren(QShortcut) if key.key().toString() == "F11"]
    before, place = text_scale(), driver.window.geometry()
    key.activated.emit()
    assert race.isFullScreen()
    assert text_scale() > before
    hidden = (
        "race_start_again",
        "inside_solver_1",
        "inside_code",
        "race_said",
        "inside_remove_1",
    )
    assert not any(race.findChild(QWidget, name).isVisible() for name in hidden)
    assert race.findChild(QWidget, "race_step").isVisible()
    QTest.keyClick(race, Qt.Key.Key_Escape)
    assert (text_scale(), race.isVisible(), race.isFullScreen()) == (before, True, False)
    assert driver.window.geometry() == place
    assert all(race.findChild(QWidget, name).isVisible() for name in hidden)
    for is_inside in (False, True):
        race.set_look(is_inside=is_inside)
        key.activated.emit()
        assert race.frame.is_inside == is_inside
        assert race.findChild(QWidget, "race_said").isVisible() != is_inside
        QTest.keyClick(race, Qt.Key.Key_Escape)
        assert race.frame.is_inside == is_inside
    race.hide()
    driver.window.presentation.turn(driver.page)
    driver.until(lambda: driver.window.presentation.is_on)
    driver.window.show_step_by_step()
    driver.until(race.isFullScreen)
    race._presentation.end()  # as Escape does
    driver.until(race.isHidden)
    assert driver.window.presentation.is_on
    driver.window.show_step_by_step()
    driver.until(race.isFullScreen)
    driver.window.presentation.end()  # as another language does, before it ends the race
    race._presentation.end()
    assert text_scale() == before


@pytest.mark.parametrize(
    ("solvers", "values", "words"),
    [
        (
            ("a-star", "ida-star"),
            ({}, {"heuristic": "manhattan"}),
            "Same board and heuristic · differs: solver",
        ),
        (
            ("a-star", "a-star"),
            ({}, {}),
            "Nothing differs: the runs have the same board, solver and parameters.",
        ),
        (
            ("a-star", "breadth-first"),
            ({"heuristic": "misplaced"}, {}),
            "Same board · differs: solver",
        ),
        (
            ("a-star", "ida-star"),
            ({"heuristic": "misplaced"}, {}),
            "Same board · differs: solver, heuristic (Misplaced tiles / best for the shape)",
        ),
        (
            ("a-star", "a-star", "breadth-first"),
            ({"heuristic": "manhattan"}, {"heuristic": "misplaced"}, {}),
            "Same board · differs: solver, heuristic (Manhattan distance / Misplaced tiles)",
        ),
        (
            ("weighted-a-star", "weighted-a-star"),
            ({"weight": 2.0}, {"weight": 3.0, "memory": None}),
            "Same board and heuristic · differs: weight (2 / 3)",
        ),
    ],
)
def test_the_line_names_only_what_differs(solvers, values, words):
    drafts = [EntryDraft(key, 0, dict(own)) for key, own in zip(solvers, values, strict=True)]
    assert differences_of("sliding", drafts).line == words


@pytest.mark.usefixtures("with_style_sheet")
def test_runs_of_one_solver_are_distinguished_at_their_heads(driver, race, monkeypatch, large_type):
    """Noticed: three columns "A*", and "3,338 boards expande…" in large type."""
    monkeypatch.setattr(race, "showFullScreen", lambda: race.resize(1280, 800))
    race.frame.bar.speed.set_speed(None)
    race.add()
    inside = race.frame.inside
    for place, heuristic in enumerate(("manhattan", "misplaced", "linear-conflict")):
        inside.solver_chosen.emit(place, "a-star")
        race.entries.drafts[place].values["heuristic"] = heuristic
    race._show_inside()
    heads = [race.findChild(QWidget, f"inside_different_{number}") for number in (1, 2, 3)]
    assert all(head.isVisible() for head in heads)
    names = ["Manhattan distance", "Misplaced tiles", "Manhattan + linear conflict"]
    assert [head.shown_text for head in heads] == names
    do(driver, race, race.act, Action.GO)
    large_type()
    driver.settled()
    assert not any(head.isVisible() for head in heads)
    titles = [f"A* · {name}" for name in names]
    assert [card._title.text() for card in inside.cards] == titles
    assert [card.accessibleName()[7:] for card in inside.cards] == titles
    assert all(card._place.shown_text == card.place for card in inside.cards)
