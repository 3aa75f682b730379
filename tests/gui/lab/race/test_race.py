"""Races in the window: entries are edited, run side by side, stopped, resumed and saved."""

import csv
import itertools
import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from tests.asking import go
from tests.gui.tables_by_hand import cell
from tests.instance_sets import instance_set
from tilelab import catalog
from tilelab.core.files.grid_file import read_grid
from tilelab.gui.charts.curves import spread
from tilelab.gui.lab.race.dialog import RaceDialog
from tilelab.gui.puzzles.wordtiles.play import SavedWordTiles
from tilelab.gui.shell import shutdown
from tilelab.gui.shell.commands import change_language
from tilelab.gui.widgets.theme import apply_theme
from tilelab.puzzles.sliding.play import Position
from tilelab.runs.actions import Action, State
from tilelab.runs.races import MAX_ENTRIES, MIN_ENTRIES
from tilelab.runs.session import Limits, Session

pytestmark = pytest.mark.usefixtures("without_style_sheet")

NAMES = (
    *("race_form", "race_solver", "race_as_window", "race_defaults", "race_chart", "race_table"),
    *("race_add", "race_remove", "race_export", "race_said", "race_seed", "race_new_seed"),
    *("race_limit_units", "race_limit_seconds", "race_mutation", "race_axis_seconds"),
    *("race_axis_units", "race_go", "race_stop", "race_resume", "race_start_again", "race_save"),
    *("race_step_back_button", "race_step", "race_speed"),
)


@pytest.fixture
def race(driver):
    driver.window.race.bring()
    return driver.window.race


@pytest.fixture
def tiles(sliding):
    """A race of sliding tiles, while their page is shown."""
    sliding.window.race.bring()
    return sliding.window.race


def show(driver, board, name, cells=None):
    """Show a board of tiles, perhaps with other cells."""
    cells = board.start if cells is None else cells
    driver.page.face.take_board(Position.of(board.params, cells, None, name))
    driver.settled()


def set_up(race, *solvers, **limits):
    """Make the entries these solvers, by their keys."""
    while len(race.entries.drafts) < len(solvers):
        race.add()
    for place, key in enumerate(solvers):
        race.frame.table.selectRow(place)
        box = race.findChild(QComboBox, "race_solver")
        box.setCurrentIndex(box.findData(key))
    race.frame.form.set_limits(Limits(**limits))


def click(race, action):
    button = race.findChild(QWidget, f"race_{action.value}")
    assert button.isVisible(), action
    assert button.isEnabled(), action
    button.click()


def finish(driver, race, action=Action.GO):
    click(race, action)
    driver.until(lambda: not race.is_running)


def test_the_table_of_the_next_window_is_as_high_as_before(driver, race):
    """Noticed: a table that has its usual height again."""
    race.resize(790, 740)
    QApplication.processEvents()
    first, second = race.frame.rows.sizes()
    heights = [first - 40, second + 40]
    race.frame.rows.setSizes(heights)
    race.close()
    again = RaceDialog(driver.page)
    driver.qtbot.addWidget(again)
    again.show()
    QApplication.processEvents()
    assert again.frame.rows.sizes() == heights
    again.end()


def test_the_entries_are_there_again_in_the_next_session(driver, race):
    """Noticed: the default line-up after a restart, and one that a stored mistake has emptied."""
    set_up(race, "annealing", "annealing", "tabu")
    race.entries.drafts[1].values["swaps"] = 7
    wanted = [(each.solver, each.values) for each in race.entries.drafts]
    race.close()
    settings = driver.page.settings
    for kept, line_up in ((settings.text("boggle/race"), wanted), ('[["nobody", {}]]', None)):
        settings.set_text("boggle/race", kept)
        again = RaceDialog(driver.page)
        driver.qtbot.addWidget(again)
        shown = [(each.solver, each.values) for each in again.entries.drafts]
        assert (shown == wanted) is (line_up == wanted)
        assert len(shown) >= MIN_ENTRIES
        again.end()


@pytest.mark.exhaustive
def test_each_name_of_the_race_and_of_the_window_is_there_once(driver, race):
    others = ("go", "stop", "seed", "param_mutation", "param_seconds", "fitness_chart")
    found = {name: len(driver.window.findChildren(QWidget, name)) for name in (*NAMES, *others)}
    assert set(found.values()) == {1}, found


@pytest.mark.exhaustive
def test_each_entry_runs_as_it_would_alone(driver, race):
    set_up(race, "genetic", "annealing", "random-walk", units=12)
    race.frame.table.selectRow(0)
    race.frame.form.parameters.controls["mutation"].set_value(7)
    race.frame.form.seed_field.set_seed(11)
    finish(driver, race)
    puzzle = driver.page.face.puzzle_request().build()
    for place, (solver, params) in enumerate(
        (("genetic", {"mutation": 7}), ("annealing", {}), ("random-walk", {}))
    ):
        alone = Session()
        alone.load(puzzle)
        go(alone, solver, params, 11, Limits(units=12))
        while alone.state is State.RUNNING:
            alone.run_slice()
        raced = race.statuses[place]
        assert raced.best.cells.tolist() == alone.best.cells.tolist()
        assert raced.units == 12
        assert cell(race.frame.table, place, "Done").startswith("12 ")
        assert cell(race.frame.table, place, "Best") == f"{alone.best.value:.0f}"
        assert cell(race.frame.table, place, "Status").startswith("limit (")
    assert race.frame.said.text().startswith("Finished. ")
    assert "is first" in race.frame.said.text()


@pytest.mark.exhaustive
def test_the_chart_has_one_curve_for_each(driver, race):
    set_up(race, "genetic", "annealing", units=12)
    finish(driver, race)
    chart = race.frame.chart
    assert chart._legend.accessibleDescription().startswith("1 Genetic")
    assert "2 Simulated annealing" in chart._legend.accessibleDescription()
    for line, status in zip(chart._plot.lines, race.statuses, strict=True):
        places, values = line.getData()
        assert places[-1] == status.seconds
        assert values[-1] == status.best.value
        assert (values[1:] >= values[:-1]).all()
    axis = race.findChild(QWidget, "race_axis_units")
    assert axis.text() == "Generations, iterations"
    axis.click()
    assert chart._plot.bottom.labelText == "generations, iterations"
    assert [line.getData()[0][-1] for line in chart._plot.lines] == [11, 11]


@given(st.lists(st.tuples(st.floats(0, 600), st.floats(0, 300)), min_size=1, max_size=MAX_ENTRIES))
def test_labels_at_the_ends_of_curves_do_not_lie_on_each_other(ends):
    heights = spread(ends, 290.0)
    assert all(0 <= height <= 290 for height in heights)
    for (left, height), (other, taken) in itertools.combinations(
        [(left, height) for (left, _), height in zip(ends, heights, strict=True)], 2
    ):
        assert abs(left - other) >= 14 or abs(height - taken) >= 14


def test_a_label_with_room_stays_at_its_end():
    assert spread([(10, 100), (10, 100), (500, 100)], 290) == [100, 86, 100]
    assert spread([(10, 95), (12, 100)], 290) == [86, 100]
    assert spread([(10, 0), (10, 0), (10, 20)], 290) == [14, 0, 28]  # not below the axis


def test_a_finished_race_says_how_it_is_seen_step_by_step(driver, race):
    """Noticed: two empty views that waited for a step while STEP was locked."""
    set_up(race, "genetic", "annealing", units=3)
    finish(driver, race)
    race.set_look(is_inside=True)
    driver.until(lambda: not race._background.is_busy)
    stack = race.frame.inside.cards[0].stack
    words = stack._empty.text(), stack.code._hint.text()
    ended = "The run has finished."
    assert words == (f"{ended} START AGAIN shows it here.", ended)
    finish(driver, race, Action.START_AGAIN)
    driver.until(lambda: stack.has_picture)


@pytest.mark.exhaustive
def test_stopped_and_resumed_equals_never_stopped(driver, race):
    driver.set(rows=4, cols=4)
    set_up(race, "genetic", "annealing", units=40)
    race.frame.form.seed_field.set_seed(5)
    click(race, Action.GO)
    driver.until(lambda: any(row.units for row in race.statuses))
    for _ in range(4):
        if not race.is_running:
            break
        click(race, Action.STOP)
        assert not race.is_running
        driver.until(lambda: State.RUNNING not in {row.state for row in race.statuses})
        if Action.RESUME in race.allowed:
            click(race, Action.RESUME)
            assert race.findChild(QWidget, "race_stop").isEnabled()
    driver.until(lambda: not race.is_running)
    stopped = [(row.units, row.best.cells.tolist()) for row in race.statuses]
    race.frame.form.seed_field.set_seed(5)
    race.frame.form.seed_field.was_edited = True
    finish(driver, race, Action.START_AGAIN)
    assert [(row.units, row.best.cells.tolist()) for row in race.statuses] == stopped


def test_the_next_race_has_the_next_seed(driver, race):
    set_up(race, "genetic", "annealing", units=5)
    race.frame.form.seed_field.set_seed(8)
    finish(driver, race)
    # What is changed now is said to wait, until the next race has taken it.
    race.frame.table.selectRow(0)
    race.frame.form.parameters.controls["mutation"].set_value(7)
    assert not race.frame.form.hint.isHidden()
    finish(driver, race, Action.START_AGAIN)
    assert race.frame.form.hint.isHidden()
    assert [row.seed for row in race.statuses] == [9, 9]
    assert race.frame.form.seed_field.seed() == 9


@pytest.mark.exhaustive
def test_a_raised_limit_lets_the_race_go_on(driver, race):
    set_up(race, "genetic", "annealing", units=6)
    finish(driver, race)
    assert Action.RESUME not in race.allowed
    race.frame.form.limit_controls["units"].set_value(9)
    finish(driver, race, Action.RESUME)
    assert [row.units for row in race.statuses] == [9, 9]
    assert race._is_timed
    race.frame.form.limit_controls["units"].set_value(10)
    finish(driver, race, Action.STEP)
    assert not race._is_timed


def test_figures_keep_the_heuristic_that_they_are_of(driver, tiles):
    """Noticed: the figures of Manhattan beside "Euclidean distance", which had not run."""
    race = tiles
    set_up(race, "a-star", "breadth-first", units=3)
    race.frame.table.selectRow(0)
    heuristic = race.frame.form.parameters.controls["heuristic"]
    for begun, chosen in itertools.pairwise(("manhattan", "misplaced", "manhattan")):
        heuristic.set_value(begun)
        finish(driver, race, Action.START_AGAIN if race.statuses else Action.GO)
        heuristic.set_value(chosen)
        assert begun in race._racers()[0].title.lower()


def test_searches_race_on_the_board_that_is_shown(driver, tiles):
    race = tiles
    show(driver, instance_set("damodaran").puzzle(3), "Three")
    set_up(race, "a-star", "breadth-first", seconds=30)
    finish(driver, race)
    assert race.findChild(QWidget, "race_axis_units").text() == "Updates"
    assert race.frame.form.limit_controls["units"].field.accessibleName() == "Updates"
    table = race.frame.table
    assert "update" in cell(table, 0, "Done")
    assert [cell(table, row, "Best") for row in range(2)] == ["12 moves"] * 2
    words = "Finished. 12 moves each: A* (Manhattan distance) expanded "
    assert race.frame.said.text().startswith(words)
    saved = race.saved_best()
    assert saved.file_name() == "tiles-3x3-12-moves.txt"
    assert "12" in saved.text()


@pytest.mark.parametrize("is_paused", [True, False])
def test_a_race_on_the_board_before_is_not_taken_for_one_on_this_board(sliding, is_paused):
    """Noticed: *Finished. 8 moves each* about a board that the window no longer shows."""
    driver, race = sliding, sliding.window.race
    for number in (2, 3):
        show(driver, instance_set("damodaran").puzzle(number), str(number))
        race.bring()
        if number == 2:
            set_up(race, "a-star", "breadth-first", seconds=30)
            finish(driver, race, Action.STEP if is_paused else Action.GO)
            race.close()
    said = race.frame.said.text()
    assert said.startswith("This race is on another board." if is_paused else "GO runs these")
    assert (bool(race.statuses), Action.GO in race.allowed) == (is_paused, not is_paused)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("chosen", "peer"), [("a-star", "ida-star"), ("ida-star", "a-star")])
def test_both_searches_have_the_same_heuristic(driver, chosen, peer):
    driver.choose("sliding", chosen)
    race = driver.window.race
    assert [draft.solver for draft in race.entries.drafts] == [chosen, peer]
    titles = [cell(race.frame.table, row, "Solver") for row in (0, 1)]
    assert all(title.endswith("(Manhattan distance)") for title in titles), titles
    race.choose_solver("breadth-first")
    race.entries.drafts[1].values["heuristic"] = "linear-conflict"
    race.choose_solver("a-star")
    assert race.entries.drafts[0].values == {"heuristic": "linear-conflict"}
    # Noticed: a heuristic that was chosen here, replaced by that of another line.
    race.entries.drafts[1].values["heuristic"] = "misplaced"
    race.choose_solver("greedy")
    assert race.entries.drafts[0].values == {"heuristic": "linear-conflict"}


@pytest.mark.exhaustive
def test_a_step_is_one_of_each_solver(driver, race):
    set_up(race, "genetic", "annealing")
    for n_steps in (1, 2):
        finish(driver, race, Action.STEP)
        assert race.statuses[0].units == n_steps
        assert {row.state for row in race.statuses} == {State.PAUSED}
        assert race.frame.said.text().startswith("Paused.")


@pytest.mark.exhaustive
def test_a_step_is_taken_back(driver, race):
    back = race.findChild(QWidget, "race_step_back_button")
    assert not back.isEnabled()
    race.step_back()
    assert race.frame.said.text() == "There is no step of this race to take back."
    set_up(race, "genetic", "annealing")
    for _ in range(2):
        finish(driver, race, Action.STEP)
    for n_steps in (1, 0):
        assert back.isEnabled()
        back.click()
        driver.until(lambda: not race.is_running)
        assert race.statuses[0].units == n_steps
        assert {row.state for row in race.statuses} == {State.PAUSED}
    assert not back.isEnabled()
    finish(driver, race, Action.STEP)
    assert race.statuses[0].units == 1


@pytest.mark.exhaustive
def test_the_speed_may_change_during_a_race(driver, race):
    set_up(race, "genetic", "annealing", units=40)
    speed = race.frame.bar.speed
    speed.set_speed(1)
    click(race, Action.GO)
    driver.until(lambda: bool(race.statuses) and race.statuses[0].units >= 1)
    assert race.is_running
    assert race.statuses[0].units < 10
    speed.set_speed(None)
    driver.until(lambda: not race.is_running)
    assert [row.units for row in race.statuses] == [40, 40]


@pytest.mark.exhaustive
def test_word_tiles_race(words):
    race = words.window.race
    race.bring()
    set_up(race, "bees", "random-walk", units=5)
    finish(words, race)
    assert [row.units for row in race.statuses] == [5, 5]
    saved = race.saved_best()
    assert isinstance(saved, SavedWordTiles)
    assert "".join(saved.board.puzzle.rows_of(saved.best.cells)).lower() in "".join(
        saved.text().lower().split()
    )


@pytest.mark.exhaustive
def test_one_that_cannot_run_is_told_and_the_others_run(driver, tiles):
    race = tiles
    for name in ("rows", "cols"):
        driver.set(**{name: 6})
        driver.settled()
    set_up(race, "bidirectional-a-star", "greedy", units=2)
    race.frame.table.selectRow(0)
    race.findChild(QWidget, "race_defaults").click()
    finish(driver, race)
    assert cell(race.frame.table, 0, "Status") == "failed"
    assert "does not fit" in cell(race.frame.table, 0, "Status", Qt.ItemDataRole.ToolTipRole)
    assert race.statuses[1].units > 0


@pytest.mark.exhaustive
def test_a_board_that_cannot_be_solved_is_said(driver, tiles):
    race = tiles
    board = instance_set("damodaran").puzzle(3)
    swapped = board.start.copy()
    first, second = [cell for cell in range(9) if swapped[cell]][:2]
    swapped[[first, second]] = swapped[[second, first]]
    show(driver, board, "Odd", swapped)
    finish(driver, race)
    assert "cannot reach its goal" in race.frame.said.text()
    assert Action.GO in race.allowed


def test_entries_come_and_go(driver, race):
    assert race.entries.drafts[0].solver == driver.page.choices.solver_key
    assert len({draft.solver for draft in race.entries.drafts}) == 2
    add, remove = race.findChild(QWidget, "race_add"), race.findChild(QWidget, "race_remove")
    while add.isEnabled():
        add.click()
    assert len(race.entries.drafts) == MAX_ENTRIES
    assert len({draft.slot for draft in race.entries.drafts}) == MAX_ENTRIES
    slots = [draft.slot for draft in race.entries.drafts]
    race.frame.table.selectRow(1)
    remove.click()
    assert [draft.slot for draft in race.entries.drafts] == slots[:1] + slots[2:]
    add.click()
    assert race.entries.drafts[-1].slot == slots[1]
    while remove.isEnabled():
        remove.click()
    assert len(race.entries.drafts) == 1
    assert race.allowed == frozenset()
    assert "two to six" in race.frame.said.text()


@pytest.mark.exhaustive
def test_changes_after_a_race_wait_for_the_next(driver, race):
    set_up(race, "genetic", "annealing", "random-walk", units=6)
    finish(driver, race)
    race.frame.form.limit_controls["units"].set_value(9)
    assert Action.RESUME in race.allowed
    race.frame.table.selectRow(1)
    race.findChild(QWidget, "race_remove").click()
    # What is left keeps its figures, but is not the race that could go on.
    assert cell(race.frame.table, 1, "Done") == "6 iterations"
    assert Action.RESUME not in race.allowed
    assert Action.START_AGAIN in race.allowed
    race.add()
    assert cell(race.frame.table, 2, "Done") == ""


@pytest.mark.exhaustive
def test_the_same_solver_twice_is_told_apart(driver, race):
    set_up(race, "genetic", "genetic")
    race.frame.table.selectRow(1)
    race.frame.form.parameters.controls["mutation"].set_value(9)
    assert cell(race.frame.table, 1, "Solver").endswith("mutation rate 9")
    assert cell(race.frame.table, 0, "Solver").endswith(")")


@pytest.mark.exhaustive
def test_an_entry_takes_the_values_of_the_window(driver, race):
    set_up(race, "annealing", "random-walk")
    driver.set(mutation=33)
    race.frame.table.selectRow(1)
    walk = catalog.solver("boggle", "random-walk").spec.params
    assert set(race.frame.form.parameters.controls) == set(walk.model_fields)
    race.findChild(QWidget, "race_as_window").click()
    assert race.entries.drafts[1].solver == "genetic"
    assert race.frame.form.parameters.controls["mutation"].value() == 33
    assert race.entries.drafts[1].values["mutation"] == 33
    race.findChild(QWidget, "race_defaults").click()
    assert race.entries.drafts[1].values["mutation"] != 33


@pytest.mark.exhaustive
def test_a_wrong_seed_is_told_beside_its_field(driver, race):
    race.frame.form.seed_field._line.setText("many")
    click(race, Action.GO)
    assert not race.is_running
    assert "'many' is not" in race.frame.form.seed_field._error.text()


@pytest.mark.exhaustive
def test_the_best_board_the_table_and_the_chart_are_saved(driver, race, tmp_path):
    set_up(race, "genetic", "annealing", units=8)
    finish(driver, race)
    race.frame.table.selectRow(1)
    saved = race.saved_best()
    race.frame.write(tmp_path / "best.txt", saved.content(".txt"))
    assert race.frame.said.text() == f"Saved {tmp_path / 'best.txt'}"
    puzzle = driver.page.face.puzzle_request().build()
    cells = puzzle.parse(read_grid(tmp_path / "best.txt").rows)
    assert cells.tolist() == race.statuses[1].best.cells.tolist()
    rows = list(csv.DictReader(race.frame.content("csv").splitlines()))
    assert [row["units"] for row in rows] == ["8", "8"]
    assert race.frame.content("png").startswith(b"\x89PNG")
    assert ET.fromstring(race.frame.content("svg")).tag.endswith("svg")
    race.frame.write(tmp_path / "nowhere" / "best.txt", "text")
    assert "nowhere" in race.frame.said.text()


def test_nothing_of_a_race_is_changed_while_it_is_going(driver, race):
    set_up(race, "genetic", "genetic", units=10**8)
    form = race.frame.form
    parts = (
        *(form.seed_field, *form.limit_controls.values(), *form.parameters.controls.values()),
        *(race.findChild(QWidget, name) for name in (*NAMES[1:4], "race_add", "race_remove")),
    )
    for action, is_running in ((Action.GO, True), (Action.STOP, False)):
        click(race, action)
        driver.until(lambda is_running=is_running: race.is_running == is_running)
        assert {part.isEnabled() for part in parts} == {not is_running}


def test_what_is_wrong_with_one_entry_is_not_said_of_another(driver, race):
    set_up(race, "genetic", "genetic")
    form = race.frame.form
    error = form.parameters.controls["mutation"]._error
    assert form.show_error("mutation", "too much")
    assert not error.isHidden()
    race.frame.table.selectRow(0)
    assert error.isHidden()


def test_the_program_asks_before_it_ends_a_race(driver, race, monkeypatch):
    """Noticed: Ctrl+Q, or another language, ended a race of an hour without a word."""
    asked, exits = [], []
    monkeypatch.setattr(QApplication, "exit", exits.append)
    monkeypatch.setattr(shutdown, "is_confirmed", lambda _, text: asked.append(text))
    set_up(race, "genetic", "annealing")
    click(race, Action.GO)
    driver.until(lambda: bool(race.statuses) and all(row.units for row in race.statuses))
    driver.window.close()
    assert driver.window.isVisible()
    assert race.is_running
    assert asked == [f"Running: {race.windowTitle()}. Closing ends it. Close?"]
    change_language(driver.window, "de")
    assert (exits, driver.window.settings.preferences.language) == ([], "")
    assert "Stop the runs" in driver.page.notice.text
    race.close()
    driver.until(lambda: not driver.window.has_other_work)


@pytest.mark.exhaustive
def test_closing_pauses_and_the_page_keeps_its_own_run(driver, race):
    driver.set(seed=4)
    driver.click(Action.GO)
    driver.state(State.RUNNING)
    set_up(race, "genetic", "annealing")
    click(race, Action.GO)
    driver.until(lambda: bool(race.statuses) and all(row.units for row in race.statuses))
    race.close()
    assert not race.is_running
    driver.until(lambda: {row.state for row in race.statuses} == {State.PAUSED})
    units = driver.page.run.status.units
    driver.until(lambda: driver.page.run.status.units > units)
    driver.click(Action.STOP)
    driver.state(State.PAUSED)
    driver.window.race.bring()
    assert Action.RESUME in race.allowed


@pytest.mark.exhaustive
def test_the_keys_of_the_run_bar_work_here(driver, race):
    keys = {key.key().toString(): key.activated for key in race.findChildren(QShortcut)}
    bar = {"F5", "F6", "Shift+F5", "Shift+F6", "Ctrl+F6", "Ctrl+Shift+F5", "Ctrl+S"}
    assert set(keys) == bar | {"F1", "F8", "F11", "PgUp", "PgDown", "Ctrl+W"}
    set_up(race, "genetic", "annealing")
    keys["Shift+F5"].emit()
    assert race.frame.said.text() == "No race is in progress."
    keys["Ctrl+Shift+F5"].emit()
    assert race.frame.said.text() == "There is no race to start again. GO begins one."
    keys["Ctrl+S"].emit()
    assert race.frame.said.text() == "The selected solver has no best board to save yet."
    keys["F5"].emit()
    assert race.is_running
    driver.until(lambda: bool(race.statuses))
    keys["Ctrl+Shift+F5"].emit()
    assert race.frame.said.text() == "STOP the race before you start it again."
    keys["F5"].emit()
    assert not race.is_running
    keys["F5"].emit()
    assert race.is_running
    assert race.statuses
    keys["Shift+F5"].emit()
    keys["Ctrl+Shift+F5"].emit()
    assert race.is_running
    assert not race.statuses


@pytest.mark.exhaustive
def test_resume_is_offered_at_once_after_stop(driver, race):
    set_up(race, "genetic", "annealing")
    click(race, Action.GO)
    driver.until(lambda: {row.state for row in race.statuses} == {State.RUNNING})
    driver.until(lambda: " leads: " in race.frame.said.text())
    click(race, Action.STOP)
    assert " leads: " in race.frame.said.text(), "Paused, without the leader for a moment"
    # What is known of the entries was reported before they were stopped.
    assert {row.state for row in race.statuses} == {State.RUNNING}
    units = [row.units for row in race.statuses]
    click(race, Action.RESUME)
    driver.until(lambda: all(row.units > n for row, n in zip(race.statuses, units, strict=True)))


@pytest.mark.exhaustive
def test_f5_after_the_end_of_a_race_is_the_button_in_colour(driver, race):
    set_up(race, "genetic", "annealing", units=6)
    finish(driver, race)
    (key,) = [key for key in race.findChildren(QShortcut) if key.key().toString() == "F5"]
    assert Action.RESUME not in race.allowed
    key.activated.emit()
    assert race.is_running
    assert not race.statuses


@pytest.mark.exhaustive
@pytest.mark.parametrize("keys", ["Escape", "Ctrl+W"])
def test_a_key_closes_the_race_and_pauses_it(driver, race, keys):
    set_up(race, "genetic", "annealing")
    click(race, Action.GO)
    QTest.keySequence(race, QKeySequence(keys))
    assert not race.isVisible()
    assert not race.is_running


def test_the_window_ends_while_a_race_is_going(driver, race):
    set_up(race, "genetic", "annealing")
    click(race, Action.GO)
    driver.until(lambda: bool(race.statuses))
    driver.window.close()
    assert not race.is_running


@pytest.mark.exhaustive
def test_the_key_and_the_menu_open_it(driver):
    (key,) = [
        shortcut
        for shortcut in driver.window.findChildren(QShortcut)
        if shortcut.key().toString() == "Ctrl+Shift+R"
    ]
    assert not driver.window.findChildren(RaceDialog)
    key.activated.emit()
    assert driver.window.race.isVisible()
    driver.window.race.close()
    driver.window.commands["race"].trigger()
    assert driver.window.race.isVisible()


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet")
def test_the_theme_may_change_under_it(driver, race):
    set_up(race, "genetic", "annealing", units=6)
    finish(driver, race)
    light = race.frame.content("png")
    app = QApplication.instance()
    apply_theme(app, "dark")
    assert race.frame.content("png") != light
    apply_theme(app, "light")
    assert race.frame.content("png") == light


@pytest.mark.exhaustive
def test_the_board_that_is_raced_on_is_named_whatever_the_window_shows(driver, race):
    set_up(race, "genetic", "random-walk", seconds=None, units=None)
    click(race, Action.GO)
    driver.until(lambda: bool(race.statuses))
    assert race.frame.bar.subject.text() == "Game titles, 8×8"
    driver.page.face.load.lexicon_requested.emit("planets")
    driver.settled()
    race.bring()
    assert race.frame.bar.subject.text() == "Game titles, 8×8"
    click(race, Action.STOP)
    race.bring()
    subject = race.frame.bar.subject
    assert subject.text() == "Game titles, 8×8"
    subject.resize(subject.fontMetrics().horizontalAdvance("Game titles"), subject.height())
    # The name says more than the size, and the number of a board is at its end.
    assert re.fullmatch("Gam.*…8×8", subject.shown_text)
