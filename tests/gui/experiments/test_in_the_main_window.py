"""Experiments beside the main window: their runs are done again there, and end with it."""

import pytest
from PySide6.QtGui import QShortcut

from tests.gui.experiments.conftest import PLAN
from tests.gui.experiments.threads import in_threads
from tilelab.experiments.cells import puzzle_of
from tilelab.gui.experiments.bar import Command
from tilelab.runs.actions import State


@pytest.fixture
def window(driver):
    """The window of experiments, opened by its key."""
    keys = {key.key().toString(): key for key in driver.window.findChildren(QShortcut)}
    keys["Ctrl+L"].activated.emit()
    window = driver.window.experiments
    assert window.isVisible()
    window.control._make_hands = in_threads
    return window


@pytest.mark.parametrize(
    "limits", ["units = 6", "units = 6\ntarget = 1", "evaluations = 500", "seconds = 0.05"]
)
def test_a_run_is_the_same_in_the_main_window(driver, window, limits):
    window.show_plan(PLAN.replace("units = 6", limits))
    driver.until(lambda: window.plan.found is not None)
    window.act(Command.RUN)
    driver.until(lambda: not window.control.is_busy)
    outcomes = window.control.outcomes
    row = outcomes.rows[3]
    window.run_chosen.emit(outcomes.runs.job(3), row)
    driver.state(State.FINISHED)
    run = driver.page.run
    assert (run.status.units, run.status.seed) == (row["units"], row["seed"])
    assert run.bests.newest.best.value == row["value"]
    assert driver.page.panel.values("solver")["mutation"] == 60
    assert driver.page.panel.values("puzzle")["rows"] == 4


def test_the_end_of_the_program_ends_a_sweep(driver, window):
    window.show_plan(
        PLAN.replace("repeats = 2", "repeats = 1000").replace("units = 6", "units = 99")
    )
    window.asks = False
    driver.until(lambda: window.plan.found is not None)
    window.act(Command.RUN)
    driver.until(lambda: len(window.control.outcomes.rows) > 0)
    driver.window.close()
    assert not window.isVisible()
    assert 0 < len(window.control.outcomes.rows) < 2000


@pytest.mark.parametrize(
    ("puzzle", "solver", "params"),
    [
        ("boggle", "annealing", {}),
        ("sliding", "weighted-a-star", {"weight": 3.0}),
        ("wordtiles", "bees", {"agents": 7}),
    ],
)
def test_what_a_page_shows_becomes_a_plan(driver, window, puzzle, solver, params):
    driver.window.show_puzzle(puzzle)
    driver.settled()
    page = driver.page
    page.choose_solver(solver)
    driver.set(**params, limit=9)
    driver.window.compare()
    driver.until(lambda: window.plan.found is not None)
    found = window.plan.found
    assert found.fault is None
    plan = found.runs.plan
    assert [(table.solver, table.params) for table in plan.solvers] == [(solver, params)]
    assert plan.limits.units == 9
    ours = puzzle_of(found.runs.job(0))
    theirs = page.puzzle_request().build()
    assert ours.params == theirs.params
    assert (ours.title, ours.shape) == (theirs.title, theirs.shape)
    if puzzle != "boggle":
        assert ours.start.tolist() == theirs.start.tolist()
