"""A run that is taken over brings its solver, parameters and limits; they go with it."""

import pytest
from PySide6.QtWidgets import QWidget

from tests.gui.runs_by_hand import saved
from tests.gui.scrub_by_hand import click, look_at
from tilelab.gui.run.choices import last_solver
from tilelab.runs.actions import State
from tilelab.runs.limits import Limits

pytestmark = pytest.mark.usefixtures("without_style_sheet")

TAKEN = {"rows": 4, "cols": 4, "mutation": 7, "units": 30, "target": 99.0, "evaluations": 10**6}


def from_history(driver, _tmp_path):
    driver.until(lambda: not driver.window.history_writer.is_busy)
    driver.window.show_history()
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
    driver.page.face.load_lexicon("elements")
    driver.settled()
    assert driver.page.choices.solver_key == driver.page.panel.solvers.key == "annealing"
    assert "The solver is Simulated annealing again, as before." in driver.page.notice.text
    assert driver.page.panel.limits() == Limits()


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
    driver.page.face.load_lexicon("elements")
    driver.settled()
    assert driver.page.panel.values("solver")["mutation"] == 20
    assert driver.page.panel.limits() == Limits(units=120, seconds=9.0)


@pytest.mark.exhaustive
def test_the_next_start_has_the_solver_from_before(driver, tmp_path):
    driver.run(**TAKEN)
    from_file(driver, tmp_path)
    driver.until(lambda: driver.page.choices.solver_key == "genetic")
    driver.state(State.FINISHED)
    driver.window.close()
    assert last_solver(driver.window.settings, "boggle") == "annealing"
