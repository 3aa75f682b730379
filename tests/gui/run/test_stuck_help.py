"""A run that finds nothing better for long: one line, once a run, with buttons that do it."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtWidgets import QPushButton

from tests.gui import runs_by_hand
from tilelab import catalog
from tilelab.core.parameters import describe
from tilelab.gui.run import stuck_help
from tilelab.gui.run.stuck_help import is_stuck
from tilelab.runs.actions import Action, State

pytestmark = pytest.mark.usefixtures("without_style_sheet")


@pytest.fixture
def stuck(driver, monkeypatch):
    """A run that counts as stuck from its first best on."""
    runs_by_hand.going(driver)
    driver.until(lambda: driver.page.run.shown is not None)
    monkeypatch.setattr(stuck_help, "is_stuck", lambda run: True)
    monkeypatch.setattr(driver.page.stuck_help, "_withdraw", lambda: None)
    driver.page.stuck_help.look()
    return driver


def deeds(driver):
    return {
        button.text(): button
        for button in driver.page.notice.findChildren(QPushButton)
        if button.objectName().startswith("notice_deed") and not button.isHidden()
    }


def test_the_advice_is_given_once_a_run_and_lowers_the_mutation_while_it_goes_on(stuck):
    notice = stuck.page.notice
    assert notice.text.startswith("No better board since generation ")
    assert notice.text.endswith("finds more, or lower the mutation rate.")
    assert set(deeds(stuck)) == {"Simulated annealing", "Mutation rate 18"}
    deeds(stuck)["Mutation rate 18"].click()
    stuck.until(lambda: [change.value for change in stuck.page.run.status.journal] == [18])
    assert stuck.page.run.status.state is State.RUNNING
    assert not notice.text
    stuck.page.stuck_help.look()
    assert not notice.text


def test_the_advice_stays_true_while_the_run_is_going(driver, monkeypatch):
    """Noticed: minutes later, it still counted the units that it had counted when it came."""
    driver.run(units=20, seed=1)
    monkeypatch.setattr(stuck_help, "is_stuck", lambda run: True)
    driver.page.stuck_help.look()
    unit = driver.page.run.bests.newest.best.unit
    assert driver.page.notice.text.startswith(f"No better board since generation {unit}. ")


def test_a_run_is_looked_at_while_it_reports(driver, monkeypatch):
    """Noticed: the time to the next look begins again with each report, so that none comes."""
    monkeypatch.setattr(stuck_help, "is_stuck", lambda run: True)
    monkeypatch.setattr(driver.page.stuck_help, "_withdraw", lambda: None)
    runs_by_hand.going(driver)
    driver.until(lambda: driver.page.notice.text.startswith("No better board since generation "))


@pytest.mark.exhaustive
def test_the_other_solver_begins_at_once(stuck):
    deeds(stuck)["Simulated annealing"].click()
    page = stuck.page
    stuck.until(lambda: page.run.started is not None and page.run.started.solver.key == "annealing")
    assert page.choices.solver_key == "annealing"


def test_an_advice_that_would_change_nothing_is_no_button(driver, monkeypatch):
    """Noticed: a button that doubles a value which is at its largest already."""
    driver.page.choose_solver("tabu")
    driver.set(tenure=1_000)
    driver.click(Action.GO)
    monkeypatch.setattr(stuck_help, "is_stuck", lambda run: True)
    monkeypatch.setattr(driver.page.stuck_help, "_withdraw", lambda: None)
    driver.until(lambda: driver.page.run.bests.newest is not None)
    driver.page.stuck_help.look()
    assert set(deeds(driver)) == {"Simulated annealing"}
    driver.page.stuck_help._helped = ""
    driver.set(tenure=600)
    driver.page.stuck_help.look()
    driver.until(lambda: "Tenure 1,000" in deeds(driver))


@pytest.mark.exhaustive
def test_long_is_a_minute_and_as_long_as_the_best_has_taken(driver):
    runs_by_hand.begun(driver)
    whole = driver.page.run.shown.board.report
    for seconds, found, n_found, expected in (
        *((200, 100, 3, True), (140, 100, 3, False), (61, 0, 3, True), (59, 0, 3, False)),
        (999, 0, 5, False),  # there is nothing more to find
    ):
        report = dataclasses.replace(
            whole, strings=whole.strings[:5], found_indices=np.arange(n_found)
        )
        run = SimpleNamespace(
            bests=SimpleNamespace(newest=SimpleNamespace(seconds=found, best=driver.page.run.best)),
            shown=SimpleNamespace(board=SimpleNamespace(report=report)),
            status=SimpleNamespace(seconds=seconds),
        )
        assert is_stuck(run) is expected, (seconds, found, n_found)


def test_what_an_advice_names_is_there():
    for puzzle in catalog.puzzles():
        for solver in catalog.solvers(puzzle).values():
            advice = solver.spec.advice
            if advice is None:
                continue
            assert not advice.solver or advice.solver in catalog.solvers(puzzle)
            specs = {spec.name: spec for spec in describe(solver.spec.params)}
            assert not advice.parameter or specs[advice.parameter].live
