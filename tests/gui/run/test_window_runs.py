"""Runs in the window: the buttons, the same numbers as without a window, live parameters, seeds,
limits."""

import dataclasses
import random
import threading

import numpy as np
import pytest
from PySide6.QtWidgets import QPushButton, QWidget

import tilelab
from tests.asking import go
from tests.experiments.plans import jobs, small
from tests.gui.closing_by_hand import choosing
from tests.gui.runs_by_hand import going
from tests.gui.tiles_by_hand import solve, take
from tests.patience import MAX_SECONDS
from tilelab.cli.command import main
from tilelab.experiments.job_run import run_job
from tilelab.gui.puzzles.boggle.puzzle_plan import PuzzlePlan
from tilelab.gui.run import run_files as unsaved
from tilelab.gui.run import run_worker as worker
from tilelab.gui.run import save_best as save_flow
from tilelab.gui.run.messages import RunStatus, RunUpdate
from tilelab.gui.run.run_actions import TITLES
from tilelab.gui.shell.main_window import MainWindow
from tilelab.gui.widgets.parts import Answer
from tilelab.letters.lexicon import Accents
from tilelab.letters.puzzle_list import PuzzleList, listed, read_typed
from tilelab.puzzles.boggle.solvers.genetic import Genetic
from tilelab.puzzles.sliding.text import parse_board
from tilelab.runs import session as session_module
from tilelab.runs.actions import ALLOWED, Action, State
from tilelab.runs.files.store import read_run
from tilelab.runs.session import Limits, Session

pytestmark = pytest.mark.usefixtures("without_style_sheet")

NAMES = (
    *(action.value for action in TITLES),
    *("puzzle_selector", "solver_selector", "board_view", "control_panel"),
    *("fitness_chart", "best_panel", "seed"),
    *("param_rows", "param_cols", "param_mutation", "param_parents", "param_fitness"),
    *("param_letters", "param_reuse", "param_adjacency", "param_torus", "param_stay"),
    *("param_directions", "param_slips", "param_qu_tile"),
    *(f"param_{name}" for name in Limits.model_fields),
)


def session_run(puzzle, params, seed, limit):
    """The same run without a window: the session and all rows of its trace."""
    session = Session()
    session.load(puzzle)
    go(session, "genetic", params, seed, Limits(units=limit))
    rows = []
    while session.state is State.RUNNING:
        rows.append(session.run_slice().trace)
    return session, np.concatenate(rows)


def chart_rows(driver):
    """The best of every generation and the best ever, as the chart has them."""
    trace = driver.page.chart.trace
    assert trace.n_units <= trace.n_buckets
    return np.column_stack(
        [trace.points(name, 0, trace.n_units, 10 * trace.n_buckets)[1] for name in trace.names]
    )


def test_everything_can_be_found_by_its_name(driver):
    found = {name: len(driver.window.findChildren(QWidget, name)) for name in NAMES}
    assert found == dict.fromkeys(NAMES, 1)


def test_a_window_made_without_arguments_is_ready_to_go(qtbot):
    window = MainWindow()
    qtbot.addWidget(window)
    assert window.page.run.status.state is State.READY
    assert window.page.face.source_card._title.text() == "Game titles"
    assert window.page.panel.values("puzzle")["rows"] == 8
    assert window.bar.findChild(QPushButton, Action.GO.value).isEnabled()
    window.close()


class OwnError(BaseException):
    """An error as only a plug-in raises it."""


def enabled(driver):
    return {action for action in Action if driver.offers(action)}


def test_the_buttons_follow_the_table_of_states(driver, monkeypatch):
    ready = driver.page.run.status
    driver.page._show_status(RunStatus.of(Session()))
    assert enabled(driver) == ALLOWED[State.EMPTY]
    driver.page._show_status(ready)
    assert enabled(driver) == ALLOWED[State.READY]
    assert driver.button(Action.GO).isVisible()
    driver.go()
    driver.until(lambda: driver.page.run.best is not None)
    driver.until(lambda: enabled(driver) == ALLOWED[State.RUNNING] | {Action.SAVE})
    assert not driver.button(Action.GO).isVisible()
    assert driver.button(Action.STOP).property("role") == "stop"
    driver.stop()
    assert enabled(driver) == ALLOWED[State.PAUSED] | {Action.SAVE}
    assert driver.button(Action.RESUME).property("role") == "primary"
    driver.set(units=1)
    driver.click(Action.START_AGAIN)
    driver.state(State.FINISHED)
    assert enabled(driver) == ALLOWED[State.FINISHED] | {Action.SAVE}
    assert driver.button(Action.START_AGAIN).property("role") == "primary"
    best = driver.page.run.best
    driver.set(units=None)
    driver.until(lambda: driver.button(Action.RESUME).isEnabled())

    def breaks(self, units):
        raise OwnError("the grid has gone")

    monkeypatch.setattr(Genetic, "advance", breaks)
    driver.click(Action.RESUME)
    driver.state(State.FAILED)
    assert enabled(driver) == ALLOWED[State.FAILED] | {Action.SAVE}
    assert "the grid has gone" in driver.page.notice.text
    assert "the grid has gone" in driver.page.status.text
    assert driver.page.run.best is best


def test_the_window_gives_what_a_session_gives_for_the_same_seed(driver):
    driver.run(rows=6, cols=7, mutation=35, parents=9, seed=77, units=120)
    puzzle = driver.session.puzzle
    session, rows = session_run(puzzle, {"mutation": 35, "parents": 9}, 77, 120)
    assert np.array_equal(chart_rows(driver), rows)
    assert np.array_equal(driver.page.run.best.cells, session.best.cells)
    assert driver.page.run.best.value == session.best.value
    assert driver.page.run.best.unit == session.best.unit
    assert driver.page.face.best_panel._value.text() == f"{session.best.value:,.0f}"


def test_a_target_ends_the_same_run_in_window_command_line_library_and_plan(driver, capsys):
    (job,) = jobs(small(repeats=1, solvers=[{"solver": "genetic"}], limits={"target": 5}))
    row, flags = run_job(job).row, ["--lexicon", "us-states", "--rows", "4", "--cols", "4"]
    seed = job.seed
    assert main(["run", "boggle", *flags, "--seed", str(seed), "--target", "5"]) == 0
    assert "Stopped: target 5 reached · " in capsys.readouterr().out.replace("\xa0", " ")
    puzzle = tilelab.load("boggle", lexicon="us-states", rows=4, cols=4)
    result = tilelab.solve(puzzle, "genetic", seed=seed, target=5)
    assert (row["limit_reached"], row["units"]) == (result.limit_reached, result.units)
    assert (row["limit_reached"], row["units"]) == ("target", row["best_unit"] + 1)
    driver.load("us-states")
    driver.run(rows=4, cols=4, seed=seed, target=5.0)
    assert driver.page.status.text.startswith("Stopped: target 5 reached · ")
    assert driver.page.run.status.units == result.units
    assert np.array_equal(driver.page.run.best.cells, result.cells.ravel())
    assert not driver.button(Action.RESUME).isEnabled()
    driver.set(target=6.0)
    driver.until(driver.button(Action.RESUME).isEnabled)
    driver.click(Action.RESUME)
    driver.until(lambda: driver.page.status.text.startswith("Stopped: target 6 reached · "))
    whole = tilelab.solve(puzzle, "genetic", seed=seed, target=6)
    assert driver.page.run.status.units == whole.units > result.units


@pytest.mark.exhaustive
def test_a_run_that_has_reached_a_limit_meanwhile_is_kept_as_it_is(driver):
    driver.run(rows=4, cols=4, seed=1, units=9)
    driver.set(units=90, evaluations=1)
    driver.until(driver.button(Action.RESUME).isEnabled)
    driver.click(Action.RESUME)
    driver.until(lambda: driver.page.status.text.startswith("Stopped: 1 evaluation reached"))
    assert driver.page.run.status.units == 9


def test_stopped_and_resumed_four_times_equals_never_stopped(driver):
    driver.set(rows=5, cols=5, seed=4)
    driver.click(Action.GO)
    for n_stops in range(4):
        if n_stops:
            driver.click(Action.RESUME)
        driver.state(State.RUNNING)
        driver.stop()
    session, rows = session_run(driver.session.puzzle, {}, 4, driver.page.run.status.units)
    assert np.array_equal(chart_rows(driver), rows)
    assert np.array_equal(driver.page.run.best.cells, session.best.cells)


def test_the_mutation_rate_moves_during_a_run_and_is_noted(driver):
    driver.set(rows=5, cols=5, seed=3)
    driver.go()
    slider = driver.window.findChild(QWidget, "param_mutation")
    assert slider.isEnabled()
    assert not driver.window.findChild(QWidget, "param_rows").isEnabled()
    slider.setValue(63)
    driver.stop()
    assert driver.session.solver.params.mutation == 63
    assert [(change.name, change.value) for change in driver.session.journal] == [("mutation", 63)]
    slider.setValue(5)
    driver.click(Action.RESUME)
    driver.state(State.RUNNING)
    driver.stop()
    assert driver.session.solver.params.mutation == 5


def test_start_again_takes_the_next_seed_or_the_one_that_was_typed(driver):
    driver.run(rows=3, cols=3, seed=10, units=2)
    driver.run_again(11)
    assert driver.page.panel.seed_field.seed() == 11
    driver.type_seed("500")
    driver.run_again(500)
    assert driver.page.chart.trace.n_units == 2


@pytest.mark.exhaustive
def test_the_same_seed_is_taken_again_when_it_is_typed(driver):
    driver.run(rows=3, cols=3, seed=10, units=2)
    best = driver.page.run.best.cells
    driver.type_seed("10")
    driver.click(Action.START_AGAIN)
    driver.settled()
    driver.state(State.FINISHED)
    assert driver.page.run.status.seed == 10
    assert np.array_equal(driver.page.run.best.cells, best)


@pytest.mark.exhaustive
def test_a_number_that_is_typed_counts_without_enter(driver):
    box = driver.page.panel.controls["rows"].field
    box.lineEdit().setText("5")
    driver.page.panel.controls["units"].field.lineEdit().setText("3")
    driver.run()
    assert driver.session.puzzle.shape == (5, 8)
    assert driver.page.run.status.units == 3


@pytest.mark.exhaustive
def test_what_is_turned_while_a_run_is_prepared_holds_for_that_run(driver, monkeypatch):
    driver.run(rows=3, cols=3, seed=1, units=2)
    compiled = threading.Event()
    for module in (session_module, worker):
        monkeypatch.setattr(module, "warm_up", lambda *_: compiled.wait(MAX_SECONDS))
    driver.click(Action.START_AGAIN)
    driver.set(mutation=55, units=7)
    compiled.set()
    driver.settled()
    driver.state(State.FINISHED)
    assert driver.session.solver.params.mutation == 55
    assert driver.page.run.status.units == 7


def test_a_solver_that_cannot_begin_is_a_sentence_and_the_window_goes_on(driver, monkeypatch):
    def breaks(*_):
        raise OSError("no room")

    with monkeypatch.context() as broken:
        broken.setattr(Genetic, "create", breaks)
        driver.click(Action.GO)
        driver.settled()
    assert "no room" in driver.page.notice.text
    assert driver.page.run.status.state is State.READY
    driver.go()


def test_a_raised_limit_lets_a_finished_run_go_on(driver):
    driver.run(rows=4, cols=4, seed=1, units=5)
    assert not driver.button(Action.RESUME).isEnabled()
    driver.set(units=9)
    driver.until(lambda: driver.button(Action.RESUME).isEnabled())
    driver.click(Action.RESUME)
    driver.until(lambda: driver.page.run.status.units == 9)
    driver.state(State.FINISHED)
    _, rows = session_run(driver.session.puzzle, {}, 1, 9)
    assert np.array_equal(chart_rows(driver), rows)


@pytest.mark.exhaustive
def test_changed_values_are_said_to_wait_for_start_again(driver):
    hint = driver.page.panel._hint
    driver.run(rows=3, cols=3, seed=1, units=2)
    assert hint.isHidden()
    driver.set(rows=4)
    assert "START AGAIN" in hint.text()
    assert not hint.isHidden()
    driver.set(rows=3, mutation=50)
    assert hint.isHidden()


def test_stop_before_a_run_has_begun_calls_it_off(driver, monkeypatch):
    compiled = threading.Event()
    for module in (session_module, worker):
        monkeypatch.setattr(module, "warm_up", lambda *_: compiled.wait(MAX_SECONDS))
    driver.click(Action.GO)
    driver.click(Action.STOP)
    assert "cancelled" in driver.page.status.text
    compiled.set()
    driver.settled()
    assert driver.page.run.status.state is State.READY
    assert driver.page.run.best is None
    driver.go()


@pytest.mark.exhaustive
def test_a_fault_in_the_seed_is_shown_beside_it_and_nothing_starts(driver):
    line = driver.page.panel.seed_field._line
    for text in ("", "abc", "-1", "1.5", str(2**63), "٣"):
        line.setText(text)
        driver.click(Action.GO)
        assert f"{text!r} is not a whole number" in driver.page.panel.seed_field._error.text()
        assert driver.page.run.status.state is State.READY
    line.setText(str(2**63 - 1))
    driver.go()
    assert driver.page.run.status.seed == 2**63 - 1
    assert driver.page.panel.seed_field._error.text() == ""


def test_closing_in_the_middle_of_a_run_ends_the_worker(driver):
    driver.go()
    assert driver.window.close()
    assert driver.page.client._thread.thread.isFinished()


def test_a_long_run_is_not_given_up_without_asking(driver, monkeypatch):
    asked = []

    def answer(window, what, best):
        asked.append(what)
        return answers.pop()

    monkeypatch.setattr(unsaved, "WORTH_ASKING_SECONDS", 0.0)
    monkeypatch.setattr(unsaved, "ask_before_losing", answer)
    driver.run(rows=4, cols=4, seed=1, units=3)
    best = driver.page.run.best
    answers = [Answer.Cancel] * 2
    driver.click(Action.START_AGAIN)
    driver.page.face.load.lexicon_requested.emit("planets")
    assert len(asked) == 2
    assert driver.page.run.best is best
    assert driver.page.run.status.state is State.FINISHED
    answers = [Answer.Discard]
    driver.run_again(2)
    answers = [Answer.Discard]


def test_a_run_that_cannot_be_kept_is_not_given_up_without_asking(driver, monkeypatch):
    asked = []
    monkeypatch.setattr(
        unsaved,
        "ask_before_losing",
        lambda _page, *words: asked.append(words) or Answer.Cancel,
    )
    driver.run(rows=3, cols=3, seed=1, units=2)
    assert driver.page.run.status.seconds < unsaved.WORTH_ASKING_SECONDS
    assert not driver.page.unsaved.has_best
    driver.page.saving_notice.show_error("the folder is full")
    driver.click(Action.START_AGAIN)
    driver.settled()
    assert [lost for _, lost in asked] == [
        f"its best ({driver.page.run.best.value:.0f}) is not saved"
    ]
    assert driver.page.run.status.seed == 1
    # Saving works again: the history has the run, and nobody is asked.
    driver.page.saving_notice.show_error("")
    driver.run_again(2)
    assert len(asked) == 1


def test_of_a_paused_run_whose_board_is_saved_the_run_is_asked_about(driver, monkeypatch, tmp_path):
    lost = []
    monkeypatch.setattr(unsaved, "WORTH_ASKING_SECONDS", 0.0)
    monkeypatch.setattr(
        unsaved, "ask_before_losing", lambda *words: lost.append(words[-1]) or Answer.Cancel
    )
    going(driver)
    driver.stop()
    driver.page.best_files.save(tmp_path / "best.txt")
    driver.click(Action.START_AGAIN)
    assert lost == ["only its board is saved, so that it cannot be resumed"]


def test_a_saving_that_is_called_off_or_fails_gives_nothing_up(driver, monkeypatch, tmp_path):
    """Noticed: Save saves the board of a run alone, and whatever becomes of it, the run is lost."""
    monkeypatch.setattr(unsaved, "WORTH_ASKING_SECONDS", 0.0)
    monkeypatch.setattr(unsaved, "ask_before_losing", lambda *_: Answer.Save)
    file = tmp_path / "run.tilelab"
    choosing(monkeypatch, None, tmp_path / "gone" / file.name, file)
    driver.run(rows=3, cols=3, seed=1, units=2)
    for said in ("", "The run could not be saved"):
        driver.click(Action.START_AGAIN)
        driver.settled()
        assert driver.page.run.status.seed == 1
        assert driver.page.notice.text.startswith(said)
    key = driver.page.run.started.key
    driver.run_again(2)
    assert read_run(file).key == key
    # A saved board is that of one run; the best of the next one is in no file.
    driver.page.best_files.save(tmp_path / "best.txt")
    driver.run_again(3)
    assert driver.page.unsaved.has_best
    monkeypatch.setattr(unsaved, "ask_before_losing", lambda *_: Answer.Discard)


def load_board(driver, file):
    file.write_text("abc\ndef\nghi\n")
    driver.page.face.load.open(file)


def make_puzzle(driver, _file):
    words = PuzzleList("Life", listed(read_typed("cell, enzyme", Accents.KEEP), {}))
    driver.page.face.making._make(PuzzlePlan(words, 8, 8, has_own_size=False))


def open_board_of_history(driver, _file):
    driver.until(lambda: not driver.window.history_writer.is_busy)
    driver.window.history.bring()
    driver.window.findChild(QWidget, "history_window").details.board.click()


@pytest.mark.parametrize("ask", [load_board, make_puzzle, open_board_of_history])
def test_what_was_asked_for_follows_when_the_run_is_saved(driver, monkeypatch, tmp_path, ask):
    """Noticed: the run is saved, and nothing comes of the other board, without a word."""
    monkeypatch.setattr(unsaved, "WORTH_ASKING_SECONDS", 0.0)
    monkeypatch.setattr(unsaved, "ask_before_losing", lambda *_: Answer.Save)
    choosing(monkeypatch, tmp_path / "run.tilelab")
    going(driver)
    driver.stop()
    driver.page.best_files.save(tmp_path / "best.txt")
    key = driver.page.run.started.key
    ask(driver, tmp_path / "board.txt")
    driver.until(lambda: driver.page.run.started is None or driver.page.run.started.key != key)
    assert read_run(tmp_path / "run.tilelab").key == key
    monkeypatch.setattr(unsaved, "ask_before_losing", lambda *_: Answer.Discard)


def test_a_board_saved_beside_the_best_is_not_taken_for_it(sliding, monkeypatch, tmp_path):
    """Noticed: Save in the question saved another board, so that the question came for ever.

    The run has failed, so that its board is all that can be saved.
    """
    monkeypatch.setattr(unsaved, "WORTH_ASKING_SECONDS", 0.0)
    page, path = sliding.page, tmp_path / "asked.txt"
    take(sliding, [1, 2, 3, 4, 0, 6, 7, 5, 8])
    solve(sliding)
    page.face.desk._slide("U")
    page.best_files.save(tmp_path / "slid.txt")
    assert page.unsaved.has_best
    failed = {"state": State.FAILED, "allowed": ALLOWED[State.FAILED]}
    page.run.status = dataclasses.replace(page.run.status, **failed)
    monkeypatch.setattr(unsaved, "ask_before_losing", lambda *_: Answer.Save)
    monkeypatch.setattr(save_flow, "ask_to_save", lambda *_: path)
    assert page.unsaved.may_lose("Loading ends the run")
    assert "# moves: DR" in path.read_text("utf-8")
    page.best_files.save(tmp_path / "slid.txt")
    assert not page.unsaved.has_best


def test_a_seed_that_was_drawn_is_the_next_one(driver, monkeypatch):
    monkeypatch.setattr(random.SystemRandom, "randrange", lambda *_: 4321)
    driver.run(rows=3, cols=3, seed=10, units=2)
    driver.window.findChild(QWidget, "new_seed").click()
    driver.click(Action.START_AGAIN)
    driver.settled()
    driver.state(State.FINISHED)
    assert driver.page.run.status.seed == 4321


def test_a_fault_opens_the_section_of_its_value_and_goes_when_that_is_changed(driver):
    panel = driver.page.panel
    panel.set_open_sections([])
    control = panel.controls["units"]
    assert not control.isVisible()
    assert panel.show_error("units", "units: 0 is outside 1..")
    assert control.isVisible()
    assert control._error.isVisible()
    assert control._error.text() == "Generations: 0 is outside 1.."
    assert panel.controls["seconds"]._error.isHidden()
    driver.set(units=5)
    assert control._error.isHidden()
    assert panel.show_error("nothing", "nobody") is False


@pytest.mark.exhaustive
def test_news_on_its_way_does_not_take_back_what_was_asked_for(driver):
    going(driver)
    late = RunUpdate.of(driver.page.run.status)
    driver.click(Action.STOP)
    driver.page._take_update(late)
    assert driver.page.status.text.startswith("Stopping…")
    driver.state(State.PAUSED)
    assert driver.page.status.text.startswith("Paused")


@pytest.mark.exhaustive
def test_a_live_parameter_of_another_solver_is_not_turned_in_the_run(driver):
    driver.run(rows=3, cols=3, seed=1, units=2)
    driver.page.choose_solver("tabu")
    control = driver.page.panel.controls["tenure"]
    driver.set(tenure=control.value() + 1)
    driver.page.client.stop()  # what is asked after it is answered after it
    driver.settled()
    assert control._error.text() == ""
    assert driver.page.notice.text == ""
    assert driver.session.journal == []


def test_a_result_of_another_solver_than_the_chosen_one_says_so(driver):
    """Noticed: IDA* chosen next to the numbers of A*, as if they were its own.

    In the line at the bottom, too, because a narrow window has no room for the result.
    """
    driver.run(units=2)
    whose, status = driver.page.face.best_panel._whose, driver.page.status
    assert whose.isHidden()
    assert "Genetic" not in status.text
    driver.page.choose_solver("tabu")
    assert whose.text() == "Result of Genetic; START AGAIN runs Tabu search."
    assert " · Genetic · " in status.text
    driver.page.choose_solver("genetic")
    assert whose.isHidden()
    assert "Genetic" not in status.text
    driver.page.choose_solver("tabu")
    driver.click(Action.START_AGAIN)
    driver.until(whose.isHidden)


def test_values_of_another_solver_than_that_of_the_run_are_not_called_changed(sliding):
    """Noticed: START AGAIN named for a changed limit, or for a value of the solver before."""
    page, hint = sliding.page, sliding.page.panel._hint
    page.face.load.choose(page.face.load._take, parse_board("1 2 3/4 5 6/7 0 8"), "a board")
    sliding.settled()
    page.choose_solver("a-star")
    sliding.run(heuristic="misplaced")
    sliding.set(heuristic="manhattan")
    assert not hint.isHidden()
    page.choose_solver("ida-star")
    assert hint.isHidden()
    sliding.set(units=5)  # the heuristic of IDA* is automatic, not that of the run
    assert hint.isHidden()
    page.choose_solver("a-star")  # with the heuristic that it has by default
    assert not hint.isHidden()
