"""The language of the window: chosen at once, and a run goes on in the next window."""

import ast
import re
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from shiboken6 import isValid

from tests.gui.all_windows import pages
from tests.gui.closing_by_hand import abandoned, answering, going, offered
from tests.gui.runs_by_hand import begun, opened, saved, shown
from tests.gui.tiles_by_hand import desk, solve, take
from tests.patience import MAX_SECONDS
from tilelab.core.files.grid_file import GridFile
from tilelab.core.text import language
from tilelab.gui.puzzles.boggle.puzzle_plan import PuzzlePlan
from tilelab.gui.run.messages import Pending
from tilelab.gui.shell.commands import change_language
from tilelab.gui.shell.shutdown import ClosingChoice
from tilelab.gui.threads.task_runner import is_busy
from tilelab.gui.widgets.play_bar import PlayAction
from tilelab.lessons.lesson_files import pack_lesson, read_lesson
from tilelab.letters.lexicon import Accents
from tilelab.letters.puzzle_list import Need, PuzzleList, listed, read_typed
from tilelab.puzzles.boggle.solvers.genetic import Genetic
from tilelab.runs.actions import Action, State
from tilelab.runs.files.store import read_run
from tilelab.runs.session import Limits

pytestmark = pytest.mark.usefixtures("without_style_sheet", "any_language")

GUI = Path(__file__).parents[3] / "tilelab" / "gui"


@pytest.fixture
def asked(monkeypatch):
    """Everything that the user is asked."""
    lost = []
    monkeypatch.setattr(
        "tilelab.gui.run.run_files.ask_before_losing", lambda *what: lost.append(what)
    )
    questions = answering(monkeypatch, ClosingChoice.DISCARD)
    yield questions
    assert [*questions, *lost] == []


def test_another_language_is_shown_at_once_and_the_run_goes_on(driver, asked):
    going(driver, seed=3)
    key, units = driver.page.run.started.key, driver.page.run.status.units
    before, records = driver.window, []
    driver.page.recorder._moment = "2001-02-03T04:05:06.000Z"
    driver.make_again("de")
    driver.page.recorder.recorded.connect(records.append)
    before.close()
    assert language.language() == driver.window.settings.preferences.language == "de"
    assert driver.page.status.text.startswith("Läuft")
    driver.until(lambda: driver.page.run.status.units > units + 20)
    assert driver.page.run.started.key == key
    driver.stop()
    # Nothing that was reported meanwhile is missing.
    session = driver.session
    assert driver.page.run.trace.n_units == session.units
    assert driver.page.run.present is session.best
    assert [record.begun for record in records] == ["2001-02-03T04:05:06.000Z"]


def test_runs_that_stand_still_come_back_on_all_pages(driver, asked):
    """Stopped, finished and failed by the limit; with each a value that is not in force."""
    going(driver, seed=3)
    driver.stop()
    driver.set(mutation=77, rows=7)
    before = {"boggle": shown(driver)}
    for key in ("sliding", "wordtiles"):
        begun(driver, key)
        driver.type_seed("4711")
        before[key] = shown(driver)
    n_archived = driver.page.face.desk.archive_bar.count
    driver.make_again()
    assert driver.page.puzzle_key == "wordtiles"
    assert driver.page.face.desk.archive_bar.count == n_archived > 0
    driver.settled()
    for key in reversed(before):
        driver.window.show_puzzle(key)
        driver.page.face.best_panel.refresh() if key == "boggle" else None
        assert shown(driver) == before[key]
        # START AGAIN takes a seed that was typed, not the next one.
        assert driver.page.panel.seed_field.was_edited == (key != "boggle")
    assert driver.offers(Action.RESUME)
    driver.window.recovery.offer()
    driver.settled()
    assert driver.window.recovery.runs == ()  # none of them is interrupted
    driver.click(Action.RESUME)
    driver.state(State.RUNNING)


def test_what_is_looked_at_comes_back(driver, asked):
    """An earlier moment, the solver of the next run, the view, the speed, what is saved."""
    driver.run(seed=3, units=300)
    page = driver.page
    page.timeline.look_at(20)
    driver.until(lambda: page.run.shown is not None and page.run.shown.best.unit <= 20)
    page.view_stack.choose(page.view_stack._kinds[0])
    driver.window.bar.speed.set_speed(5)
    page.choose_solver("tabu")
    page.unsaved.was_interrupted = True
    seen = page.run.shown.best
    page.face.board._choose(7)
    page.panel.set_folded(True)
    driver.make_again()
    assert driver.page.run.moment == 20
    assert driver.page.run.shown.best is seen
    assert driver.page.choices.solver_key == "tabu"
    assert driver.window.bar.speed.speed == 5
    assert driver.page.view_stack.shown is page.view_stack.shown is not None
    assert driver.page.unsaved.has_run
    assert driver.page.panel.is_folded
    # The list of words is still narrowed to the cell, which is marked.
    assert driver.page.face.best_panel._narrowed.isVisible()
    assert driver.page.face.board.scene.selected == 7
    # The view stays when the views are offered again.
    driver.page.choose_solver("annealing")
    assert driver.page.view_stack.shown is page.view_stack.shown


def test_how_a_run_is_looked_at_comes_back(driver, asked, tmp_path):
    """The words that are listed, the curves and their part, and what is in files."""
    driver.run(seed=3, units=60)
    page = driver.page
    page.best_files.save(tmp_path / "best.txt")
    saved(driver, tmp_path / "run.tilelab")
    page.face.best_panel._filter.setText("a")
    page.face.best_panel._missing.click()
    page.chart_choice.setCurrentIndex(page.chart_choice.findData("Different boards"))
    page.chart.refresh()
    page.chart.plot.view.press(Qt.Key.Key_Plus)

    def seen():
        page, panel, run = driver.page, driver.page.face.best_panel, driver.page.run
        return (
            *(panel._filter.text(), panel._missing.isChecked(), page.chart_choice.currentData()),
            *(page.chart.plot.view.is_whole, page.chart.plot.box.viewRange()[0]),
            *(page.best_files.saved is run.best, page.recorder._file),
            page.run_files.is_up_to_date(run.started.key, run.status.units, run.status.steps),
            page.run_files.path,
        )

    before = seen()
    driver.make_again("de")  # a set of curves has another name there
    assert seen() == before
    assert before[-3:] == (str(tmp_path / "run.tilelab"), True, tmp_path / "run.tilelab")


def test_a_place_of_the_solution_comes_back(driver, asked):
    driver.show("sliding")
    take(driver, [1, 2, 3, 4, 0, 6, 7, 5, 8])
    solve(driver)
    desk(driver).solution_bar.go_to(1)
    driver.make_again()
    assert driver.page.board_title.text() == "Move 1 of 2"
    assert desk(driver).shown_position.n_moves == 1


def test_the_users_own_values_come_back_after_the_run_that_was_opened(driver, asked, tmp_path):
    driver.run(seed=3, units=20, mutation=7)
    path = saved(driver, tmp_path / "run.tilelab")
    driver.set(mutation=77)
    opened(driver, path)
    assert driver.page.panel.values("solver")["mutation"] == 7
    driver.make_again()
    driver.load("planets")
    assert driver.page.panel.values("solver")["mutation"] == 77


def test_a_moment_inside_a_unit_comes_back(driver, asked):
    """Noticed: the numbers, or the place in the chart, of a whole unit."""
    driver.show("sliding")
    driver.page.choose_solver("a-star")
    driver.set(expansions_per_update=3)
    for _ in range(5):
        driver.click(Action.STEP)
        driver.settled()
    driver.page.watching.stepping_back.back()
    driver.until(lambda: driver.page.run.is_back and not driver.page.timeline._timer.isActive())

    def seen():
        panel, marker = driver.page.face.best_panel, driver.page.chart.plot.scrub._line
        expanded = panel._metrics._values["expanded"].text()
        return driver.page.status.text, expanded, marker.value(), driver.page.run.moment_steps

    before = seen()
    assert " · 4 boards expanded · " in before[0]
    assert before[1] == "4"
    driver.make_again()
    assert seen() == before


@pytest.mark.exhaustive
def test_a_board_changed_by_hand_comes_back(driver, asked):
    driver.run(seed=3, units=20)
    hand = driver.page.face.hand
    hand.bar.holes.setChecked(True)
    hand._turn_lock(2)
    hand._turn_hole(5)
    driver.until(lambda: not hand._reader.is_busy)
    draft, words = hand.draft, driver.page.face.shown.report.found
    driver.make_again()
    again = driver.page.face.hand
    assert again.draft == draft
    assert driver.page.board_title.text() == "By hand"
    assert driver.page.face.shown.report.found == words
    again.undo()
    assert again.draft.holes == frozenset()


def test_the_words_of_a_puzzle_that_is_not_started_come_back(driver, asked):
    """Noticed: the words that were typed in New puzzle are gone after Preferences."""
    making = driver.page.face.making
    making.ask()
    dialog = making.dialog
    dialog.text.setPlainText("cat\ndog\nlynx\n")
    dialog.title.setText("Pets")
    dialog.rule.setCurrentIndex(1)
    dialog.level.setCurrentIndex(2)
    dialog.shape.setCurrentIndex(2)
    dialog.nothing_else.setCurrentIndex(3)
    dialog._need(("dog",), Need.MUST_NOT, None)
    dialog.rows.setValue(7)
    before = dialog.plan
    dialog.reject()
    driver.make_again("de")
    driver.page.face.making.ask()
    again = driver.page.face.making.dialog
    assert again is not dialog
    assert again.windowTitle() == "Neues Rätsel"
    assert again.text.toPlainText() == dialog.text.toPlainText()
    assert again.plan.noted() == before.noted()
    assert again.plan.has_own_size
    again.reject()


@pytest.mark.parametrize(
    ("asked_for", "title", "about"),
    [
        ({"level": "easy"}, "Neues Rätsel", "Meine Wörter: 3 Wörter"),
        ({"is_smallest": True}, "Alle Wörter unterbringen", "My words: 3 Wörter"),
    ],
)
def test_a_found_board_that_is_not_taken_yet_comes_back(driver, asked, asked_for, title, about):
    """Noticed: the dialog of the search and its board are gone after Preferences.

    Noticed too: sentences in the language before, and the default in place of the chosen size.
    """
    words = PuzzleList("My words", listed(read_typed("cat, dog, lynx", Accents.KEEP), {}))
    making = driver.page.face.making
    making._make(PuzzlePlan(words, 5, 3, **asked_for))
    change_language(driver.window, "de")
    assert driver.window.settings.preferences.language == ""
    assert "Stop the runs" in driver.page.notice.text
    driver.until(lambda: not is_busy(making.fitting))
    before, shown_before = making.fitting, texts_of(making.fitting)
    driver.make_again("de")
    again = driver.page.face.making.fitting
    assert again._best is before._best is not None
    driver.until(again.isVisible)
    assert (again.windowTitle(), again._about.text()) == (title, about)
    assert again._asked == again._request  # Start keeps the board
    assert not set(texts_of(again)) & {text for text in shown_before if " " in text}
    driver.make_again("en")
    again = driver.page.face.making.fitting
    driver.until(again.isVisible)
    assert texts_of(again) == shown_before
    board, own = again._best, driver.page.face.making._plan_size
    again.findChild(QPushButton, "fit_use").click()
    driver.settled()
    assert not again.isVisible()
    assert driver.page.face.shown.report.rows == board.rows
    assert own == (None if "is_smallest" in asked_for else (5, 3))


def texts_of(window):
    """The texts that a window shows, and what its buttons offer."""
    labels = [one.text() for one in window.findChildren(QLabel) if one.isVisible()]
    buttons = [(one.text(), one.isEnabled()) for one in window.findChildren(QPushButton)]
    return [window.windowTitle(), *labels, *buttons]


def test_a_slid_board_and_its_moves_come_back(driver, asked):
    driver.show("sliding")
    desk = driver.page.face.desk
    desk._slide("U" if desk.history.can_move("U") else "D")
    cells = desk.position.cells.tolist()
    desk.act(PlayAction.EDIT)
    driver.page.face.distances.click()
    driver.make_again()
    desk = driver.page.face.desk
    assert driver.page.face.distances.isChecked()
    assert desk.board._scene.shows_distances
    assert (desk.position.cells.tolist(), desk.position.n_moves) == (cells, 1)
    assert driver.page.board_title.text() == "Exchange two cells"
    desk.history.undo()
    assert desk.position.n_moves == 0


def test_names_of_boards_are_in_the_next_language_too(driver, asked):
    driver.show("sliding")
    driver.page.face.load.scramble(driver.page.face.desk.position.params, 7)
    driver.settled()
    assert driver.page.face.title == "Scrambled, seed 7"
    for key, title in (("de", "Gemischt, Startwert 7"), ("en", "Scrambled, seed 7")):
        driver.make_again(key)
        assert driver.page.face.title == title
        assert driver.window.windowTitle().startswith(title)
    driver.page.face.draw_another()
    driver.settled()
    assert driver.page.face.title == "Scrambled, seed 8"


def test_a_place_of_the_solution_is_named_in_the_next_language_too(driver, asked):
    """Noticed: slides from there are on "Scrambled, seed 7", in English from then on."""
    driver.window.show_puzzle("sliding")
    driver.settled()
    driver.page.face.load.scramble(driver.page.face.desk.position.params, 7)
    driver.settled()
    solve(driver)
    driver.make_again("de")
    desk = driver.page.face.desk
    desk.solution_bar.act("forward")
    desk._arrow_pressed("U")
    desk._arrow_pressed("D")
    assert desk.position.n_moves
    assert driver.page.face.title == "Gemischt, Startwert 7"


@pytest.mark.parametrize("key", ["boggle", "sliding"])
def test_undo_and_redo_of_a_load_that_replaced_a_run_come_back(driver, asked, key):
    """Noticed: the run before can only be found in the history after Preferences."""
    begun(driver, key)
    run, title = driver.page.run.started.key, driver.page.face.title
    face = driver.page.face
    if key == "boggle":
        face.load.choose(face.load.lexicon_requested.emit, "planets")
    else:
        face.load.choose(face.draw_another)
    driver.settled()
    loaded = driver.page.face.title
    assert loaded != title
    driver.make_again("de")
    driver.settled()
    assert driver.window.commands["undo"].command.why_not() == ""
    driver.window.commands["undo"].perform()
    driver.until(lambda: driver.page.run.started is not None)
    driver.settled()
    assert driver.page.run.started.key == run
    driver.make_again("en")
    driver.settled()
    assert driver.page.face.title == title
    assert driver.window.commands["redo"].command.why_not() == ""
    driver.window.commands["redo"].perform()
    driver.until(lambda: driver.page.run.started is None)
    driver.settled()
    assert driver.page.face.title == loaded
    assert "The run before is in the history" in driver.page.notice.text


def test_undo_of_a_removed_start_board_comes_back(driver, asked):
    face = driver.page.face
    face.opener.take_grid(GridFile(("ab", "cd")), "")
    driver.settled()
    face.start.drop_board()
    assert driver.page.face.puzzle_request().start_rows is None
    driver.make_again("de")
    driver.settled()
    driver.window.commands["undo"].perform()
    assert driver.page.face.puzzle_request().start_rows == ("ab", "cd")


def test_a_lesson_from_a_file_comes_back(driver, asked, tmp_path):
    text, file = tmp_path / "any.md", tmp_path / "mine.tilelesson"
    text.write_text('+++\ntitle = "Mine"\nsummary = "Short"\n+++\nRead this.\n', "utf-8")
    file.write_bytes(pack_lesson(read_lesson(text)))
    driver.window.show_lessons(file)
    driver.make_again()
    assert driver.window.lessons.panel.lesson.key == "mine"


@pytest.mark.exhaustive
def test_a_run_that_is_being_made_ready_begins_in_the_next_window(driver, asked, monkeypatch):
    began, opens = threading.Event(), threading.Event()

    def warm_up(_recipe):
        began.set()
        assert opens.wait(MAX_SECONDS)

    monkeypatch.setattr("tilelab.runs.session.warm_up", warm_up)
    driver.set(seed=5)
    driver.click(Action.GO)
    driver.until(began.is_set)
    driver.make_again()
    assert driver.page.run.status.pending is Pending.RUN
    assert driver.button(Action.STOP).isEnabled()
    opens.set()
    driver.state(State.RUNNING)
    assert driver.page.run.started.recipe.seed == 5


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("takes", "is_read"),
    [
        ("a file", False),
        ("a file", True),
        ("an interrupted run", False),
        ("an interrupted run", True),
    ],
)
def test_a_run_that_is_being_opened_goes_on_in_the_next_window(
    driver, another_driver, asked, monkeypatch, tmp_path, takes, is_read
):
    """While it is read, or Getting ready after RESUME."""
    began, opens = threading.Event(), threading.Event()

    def warm_up(_recipe):
        began.set()
        assert opens.wait(MAX_SECONDS)

    if takes == "a file":
        driver.run(seed=6, units=20)
        path = saved(driver, tmp_path / "run.tilelab")
        key = driver.page.run.started.key
        driver = another_driver(driver.window.settings)
    else:
        abandoned(driver, monkeypatch)
        driver = another_driver(driver.window.settings)
        run = offered(driver).runs[0]
        path, key = run.path / "run.tilelab", run.key
    monkeypatch.setattr("tilelab.runs.session.warm_up", warm_up)
    driver.window.open_run_file(path, resumed_at=0)
    if is_read:
        driver.until(began.is_set)
        assert driver.page.run.status.pending is Pending.OPENING
    driver.make_again()
    opens.set()
    driver.until(lambda: driver.page.run.started is not None)
    driver.settled()
    assert driver.page.run.started.key == key
    if takes == "a file":
        assert driver.page.run_files.path == path
        assert "limit" in driver.page.notice.text  # where a run that goes on has to stop
    else:
        driver.state(State.RUNNING)
        assert driver.page.unsaved.was_interrupted


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet")
def test_the_next_window_is_whole_when_it_is_seen_and_the_old_one_goes_then(driver, asked):
    driver.run(seed=3, units=20)
    before, age = driver.window, driver.page.face.best_panel._age.text()
    driver.make_again()
    assert driver.page.face.best_panel._age.text() == age != ""
    assert before.isVisible()
    QCoreApplication.sendPostedEvents()
    parts = driver.page.panel, driver.page.face.board, driver.page.face.best_panel
    first, buttons = [part.grab().toImage() for part in parts], buttons_of(driver)
    assert driver.page.chart.plot.view.in_view()[1] > 19
    with driver.qtbot.waitSignal(driver.window.loaded):
        pass
    driver.until(lambda: not isValid(before))
    assert [part.grab().toImage() for part in parts] == first
    assert buttons_of(driver) == buttons


def buttons_of(driver):
    """What the bar offers; where the focus ring is drawn depends on which window is active."""
    buttons = driver.window.bar.findChildren(QPushButton)
    return [(one.text(), one.isVisible(), one.isEnabled()) for one in buttons]


@pytest.mark.exhaustive
def test_a_run_that_has_failed_says_so_again(driver, asked, monkeypatch):
    going(driver)

    def breaks(solver, units):
        raise ArithmeticError("the letters ran out")

    monkeypatch.setattr(Genetic, "work", breaks)
    driver.state(State.FAILED)
    value = driver.page.run.present.value
    driver.make_again()
    assert "the letters ran out" in driver.page.notice.text
    assert driver.page.run.present.value == value
    assert driver.offers(Action.SAVE)


@pytest.mark.exhaustive
def test_a_run_that_is_being_saved_is_waited_for(driver, asked, tmp_path):
    driver.run(seed=3, units=20)
    driver.page.run_files.save(tmp_path / "run.tilelab")
    driver.make_again()
    assert read_run(tmp_path / "run.tilelab").recipe.seed == 3
    assert driver.page.run_files.path == tmp_path / "run.tilelab"


def test_a_race_that_is_over_and_a_game_come_back(driver, asked):
    driver.run(seed=3, units=20)
    driver.page.face.play()
    game = driver.page.face.game.game
    race = driver.window.race
    race.frame.form.set_limits(Limits(units=5))
    race.frame.form.seed_field.set_seed(7)
    race.bring()
    race.act(Action.GO)
    driver.until(lambda: bool(race.statuses) and not race.is_running)
    race.frame.table.selectRow(1)
    figures, said = race.frame.content("csv"), race.frame.said.text()
    subject = race.frame.bar.subject.text()
    assert subject
    race.findChild(QPushButton, "race_axis_units").click()
    driver.make_again()
    driver.until(driver.window.race.isVisible)
    again = driver.window.race
    assert again is not race
    assert (again.frame.content("csv"), again.frame.said.text()) == (figures, said)
    assert again.frame.bar.subject.text() == subject
    assert again.findChild(QPushButton, "race_axis_units").isChecked()
    assert again.frame.chart.view.knee == 1.0
    assert again.frame.form.limits() == Limits(units=5)
    assert again.frame.form.seed_field.seed() == 7
    assert again.frame.table.currentIndex().row() == 1
    assert driver.page.face.game.game is game
    again.act(Action.START_AGAIN)
    assert again.frame.form.seed_field.seed() == 8
    driver.until(lambda: not again.is_running)


@pytest.mark.exhaustive
def test_number_fields_follow_the_language(driver, asked):
    driver.make_again("de")
    driver.set(seconds=2.5, units=12_000)
    controls = driver.page.panel.controls
    assert controls["seconds"].field.text() == "2,5"
    assert controls["units"].field.text() == "12.000"


_SHOWN = {
    *("setText", "setToolTip", "setWindowTitle", "setAccessibleName", "setAccessibleDescription"),
    *("setPlaceholderText", "addAction", "addMenu", "show_error", "show_note", "show_done"),
    *("setStatusTip", "setLabelText", "setInformativeText"),
}
"""Calls whose texts are shown."""
_NAMES = {"TileLab", "Game titles"}
"""Names of the program and of lexicons stay as they are."""


def test_tool_tips_write_keys_as_the_menus_do(driver, asked):
    """Noticed: Strg+G in a German menu, and Ctrl+G in the tool tip of its button."""
    driver.make_again("de")
    for _, window in pages(driver):
        parts = *window.findChildren(QWidget), *window.findChildren(QAction)
        parts += (*window.race.findChildren(QWidget),)
        tips = {part.toolTip() for part in parts}
        assert any("Strg+" in tip for tip in tips)
        assert not [tip for tip in tips if re.search("(Ctrl|Shift|Del|Left)\\b", tip)]


def test_texts_that_are_shown_go_through_the_catalogues():
    forgotten = []
    for file in sorted(GUI.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            text = node.args[0]
            if getattr(node.func, "attr", "") not in _SHOWN or not isinstance(text, ast.Constant):
                continue
            words = str(text.value)
            if sum(map(str.isalpha, words)) > 1 and words not in _NAMES:
                forgotten.append(f"{file.name}, line {node.lineno}: {words}")
    assert forgotten == []
