"""A run that is taken over brings its solver, parameters and limits; they go with it."""

from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QWidget

from tests.gui.runs_by_hand import saved
from tests.gui.scrub_by_hand import click, look_at
from tilelab.gui.puzzles.sliding import load_menu
from tilelab.gui.run.choices import last_size, last_solver
from tilelab.puzzles.sliding.text import parse_board
from tilelab.runs.actions import State
from tilelab.runs.limits import Limits

pytestmark = pytest.mark.usefixtures("without_style_sheet")

TAKEN = {"rows": 4, "cols": 4, "mutation": 7, "units": 30, "target": 99.0, "evaluations": 10**6}


def from_history(driver, _tmp_path):
    driver.until(lambda: not driver.window.history_writer.is_busy)
    driver.window.history.bring()
    history = driver.window.findChild(QWidget, "history_window")
    driver.until(history.details.again.isEnabled)
    own_choices(driver)
    history.details.again.click()


def from_file(driver, tmp_path):
    path = saved(driver, tmp_path / "run.tilelab")
    own_choices(driver)
    driver.window.open_run_file(path)


def own_choices(driver):
    driver.page.choose_solver("annealing")
    driver.set(**dict.fromkeys(Limits.model_fields))


@pytest.mark.exhaustive
@pytest.mark.parametrize("take_over", [from_history, from_file])
def test_the_next_puzzle_has_the_choices_from_before(driver, tmp_path, take_over):
    driver.run(**TAKEN)
    take_over(driver, tmp_path)
    driver.until(lambda: driver.page.choices.solver_key == "genetic")
    driver.state(State.FINISHED)
    assert driver.page.panel.limits() == Limits(units=30, target=99.0, evaluations=10**6)
    driver.load("elements")
    assert driver.page.choices.solver_key == driver.page.panel.solvers.key == "annealing"
    assert "The solver is Simulated annealing again, as before." in driver.page.notice.text
    assert driver.page.panel.limits() == Limits()


def test_the_values_of_a_run_are_there_after_a_look_at_another_solver(driver):
    """Noticed: a live value of 20 in the panel of a run that had 80."""
    page, hint = driver.page, driver.page.panel._hint
    driver.set(units=None)
    driver.go()
    page.panel.controls["mutation"].set_value(80)
    driver.until(lambda: len(page.run.status.journal) == 1)
    driver.stop()
    assert hint.isHidden()
    page.choose_solver("hill-climbing")
    assert hint.text() == "The chosen solver takes effect with START AGAIN."
    page.choose_solver("genetic")
    assert page.panel.controls["mutation"].value() == page.run.status.journal[-1].value == 80
    assert hint.isHidden()


def test_undo_brings_a_run_back_with_its_solver_in_place_of_a_typed_board(sliding, monkeypatch):
    """Noticed: the board of the run came back, with the user's own solver under its name."""
    page, face = sliding.page, sliding.page.face
    page.choose_solver("a-star")
    sliding.set(rows=3, cols=3, heuristic="linear-conflict")
    sliding.settled()
    sliding.run()
    run, seen = page.client.snapshot(), page.panel.values("solver")["heuristic"]
    page.choose_solver("ida-star")
    assert page.open_run(run)
    sliding.state(State.FINISHED)
    tiles = parse_board("1 2 3\n4 5 6\n7 0 8")
    shown = SimpleNamespace(ask=lambda: tiles, text="")
    monkeypatch.setattr(load_menu, "board_dialog", lambda *_, **__: shown)
    face.load.ask_for_board()
    sliding.settled()
    assert page.choices.solver_key == "ida-star"
    assert page.notice.text.endswith(" The solver is IDA* again, as before.")
    assert page.run.started is None
    sliding.window.commands["undo"].perform()
    sliding.until(lambda: page.run.started is not None)
    sliding.settled()
    assert page.run.started.key == run.key
    assert page.choices.solver_key == "a-star"
    assert page.panel.values("solver")["heuristic"] == seen != "automatic"
    # Noticed: other values of the same solver without a word, and GO runs another search.
    returned = "Parameters and limits are again as before that run."
    face.load.ask_for_board()
    sliding.settled()
    assert returned not in page.notice.text
    page.choose_solver("a-star")
    sliding.set(heuristic="manhattan")
    assert page.open_run(run)
    sliding.state(State.FINISHED)
    face.load.ask_for_board()
    sliding.settled()
    assert page.panel.values("solver")["heuristic"] == "manhattan"
    assert page.notice.text.endswith(f" {returned}")


def test_the_rules_of_an_opened_run_are_not_for_other_words(driver):
    """Noticed: lists were straight after such a run, though all was said to be as before."""
    page = driver.page
    driver.run(**TAKEN, adjacency="straight", torus=True)
    run = page.client.snapshot()
    driver.set(adjacency="rook", torus=False, mutation=9)
    assert page.open_run(run)
    driver.state(State.FINISHED)
    driver.set(reuse="once")
    shown = page.panel.values("puzzle")
    assert (shown["adjacency"], shown["torus"]) == ("straight", True)
    page.face.load.lexicon_requested.emit("planets")
    driver.settled()
    for values in (page.panel.values("puzzle"), page.source.puzzle.params.model_dump()):
        assert [values[name] for name in ("adjacency", "torus", "reuse", "rows")] == [
            *("rook", False, "once", 4)
        ]
    returned = "Parameters and limits are again as before that run."
    assert page.notice.text.endswith(f" The rules are again as before. {returned}")


def test_what_undo_and_redo_bring_back_has_the_rules_of_its_time(driver):
    """Noticed: what was chosen on a run that Undo took away was for the lists after it."""
    page = driver.page

    def rule_after(name):
        page.face.load.choose(page.face.load.lexicon_requested.emit, name)
        driver.settled()
        return page.panel.values("puzzle")["adjacency"]

    def perform(command, *, has_run):
        driver.window.commands[command].perform()
        driver.until(lambda: (page.run.started is not None) == has_run)
        driver.settled()

    driver.run(**TAKEN, adjacency="straight")
    driver.set(adjacency="rook")
    assert rule_after("planets") == "rook"
    driver.set(adjacency="king")
    perform("undo", has_run=True)
    assert page.panel.values("puzzle")["adjacency"] == "straight"
    assert rule_after("game-titles") == "rook"
    assert rule_after("elements") == "rook"
    driver.set(adjacency="king")
    perform("undo", has_run=False)
    assert rule_after("planets") == "rook"
    perform("undo", has_run=False)
    driver.set(adjacency="straight")
    perform("redo", has_run=False)
    assert rule_after("elements") == "rook"
    assert "rules" not in page.notice.text


@pytest.mark.exhaustive
def test_a_fork_takes_its_values_along_but_not_what_the_user_has_set_since(driver):
    driver.run(seed=7, mutation=20, units=120)
    run = driver.page.run.started.key
    look_at(driver, 60)
    click(driver, "fork_here")
    dialog = driver.page.forking.dialog
    dialog.controls["mutation"].set_value(55)
    dialog.accept()
    driver.until(lambda: driver.page.run.started.key != run)
    driver.state(State.FINISHED)
    assert driver.page.panel.values("solver")["mutation"] == 55
    driver.set(seconds=9.0)
    driver.load("elements")
    assert driver.page.panel.values("solver")["mutation"] == 20
    assert driver.page.panel.limits() == Limits(units=120, seconds=9.0)


@pytest.mark.exhaustive
def test_the_next_start_has_the_solver_with_the_words_and_size_that_are_shown(driver, tmp_path):
    """Noticed: words and size of an opened run, and GO with another solver than its own."""
    driver.run(**TAKEN)
    from_file(driver, tmp_path)
    driver.until(lambda: driver.page.choices.solver_key == "genetic")
    driver.state(State.FINISHED)
    driver.window.close()
    settings = driver.window.settings
    assert last_size(settings, "boggle") == {"rows": 4, "cols": 4}
    assert last_solver(settings, "boggle") == "genetic"
