"""What the exact solver has proven, beside the best board."""

import pytest
from PySide6.QtWidgets import QLabel

from tilelab.runs.actions import Action, State

pytestmark = pytest.mark.usefixtures("without_style_sheet")


def said(driver):
    label = driver.page.face.best_panel.findChild(QLabel, "proof")
    return "" if label.isHidden() else label.text()


def begin(driver, n_rows, n_cols):
    driver.load("planets")
    driver.page.choose_solver("exact")
    driver.set(rows=n_rows, cols=n_cols, climbs=0)
    assert driver.page.panel.controls["units"].field.accessibleName() == "Classes"


def test_a_proof_is_told(driver):
    begin(driver, 2, 2)
    assert said(driver) == ""
    driver.run()
    assert said(driver) == "Proven: no board has a higher value."
    driver.page.choose_solver("annealing")
    driver.set(units=3)
    driver.click(Action.START_AGAIN)
    driver.state(State.FINISHED)
    assert said(driver) == ""


@pytest.mark.exhaustive
def test_a_bound_is_told_while_the_proof_goes_on(driver):
    begin(driver, 4, 4)
    driver.click(Action.GO)
    driver.until(lambda: said(driver).startswith("No board has a value above "))
    driver.stop()
    assert said(driver).endswith(" % of all boards are ruled out.")
