"""The form and the text are two views of one plan."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPushButton, QToolButton

from tests.gui.lab.experiments.conftest import PLAN
from tilelab.gui.lab.experiments.plan_form import FieldLine

pytestmark = pytest.mark.usefixtures("without_style_sheet")


@pytest.fixture
def form(experiment):
    experiment.plan(PLAN)
    return experiment.window.plan.form


def known(experiment):
    experiment.until(lambda: experiment.window.plan.found is not None)
    return experiment.window.plan.found


def write(form, name, text):
    line = form.findChild(QLineEdit, name)
    line.selectAll()
    QTest.keyClick(line, Qt.Key.Key_Delete)
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)


def choose(form, name, key):
    box = form.findChild(QComboBox, name)
    box.setCurrentIndex(box.findData(key))


def test_it_shows_what_the_text_says(form):
    for name, text in (
        ("experiment_title", "Small"),
        ("experiment_repeats", "2"),
        ("experiment_puzzle_rows", "4"),
        ("experiment_puzzle_fitness", ""),
        ("experiment_solvers_0_params_mutation", "5, 60"),
        ("experiment_limits_units", "6"),
    ):
        assert form.findChild(QLineEdit, name).text() == text, name
    assert form.findChild(QCheckBox, "experiment_paired").isChecked()


def test_a_line_changes_one_value_of_the_text(experiment, form):
    write(form, "experiment_repeats", "3")
    assert experiment.window.plan.text.text == PLAN.replace("repeats = 2", "repeats = 3")
    write(form, "experiment_solvers_0_params_mutation", "0 to 100 step 50")
    assert len(known(experiment).runs) == 9
    experiment.window.plan.text.undo()
    experiment.window.plan.text.undo()
    assert experiment.window.plan.text.text == PLAN


def test_two_changes_in_a_row_are_both_made(experiment, form):
    write(form, "experiment_limits_target", "3")
    write(form, "experiment_limits_units", "")
    form.findChild(QCheckBox, "experiment_paired").click()
    plan = known(experiment).runs.plan
    assert (plan.limits.target, plan.limits.units, plan.paired) == (3, None, False)


def test_what_is_wrong_stands_beside_its_line(experiment, form):
    write(form, "experiment_limits_units", "many")
    known(experiment)
    wrong = [line for line in form.findChildren(FieldLine) if line.line.property("invalid")]
    assert [line.field.key for line in wrong] == [("limits", "units")]
    assert "'many' is not a whole number" in wrong[0]._error.text()


def test_solvers_are_added_chosen_and_removed(experiment, form):
    form.findChild(QPushButton, "experiment_add").click()
    known(experiment)
    choose(form, "experiment_solver_1", "tabu")
    assert [table.solver for table in known(experiment).runs.plan.solvers] == ["genetic", "tabu"]
    form.findChild(QToolButton, "experiment_remove_0").click()
    assert [table.solver for table in known(experiment).runs.plan.solvers] == ["tabu"]
    assert not form.findChild(QToolButton, "experiment_remove_0").isEnabled()


@pytest.mark.parametrize("kind", ["sliding", "wordtiles"])
def test_another_puzzle_begins_with_nothing_of_the_one_before(experiment, form, kind):
    choose(form, "experiment_puzzle", kind)
    found = known(experiment)
    assert found.fault is None
    assert found.values["puzzle"] == {"kind": kind}
    assert len(found.runs) == (20 if kind == "sliding" else 2)


def test_a_text_that_is_not_toml_is_mended_as_text(experiment, form):
    plan = experiment.window.plan
    plan.text.set_text(PLAN + "[[[")
    assert known(experiment).values is None
    assert plan.text.isVisible()
    assert not plan.findChild(QPushButton, "experiment_as_form").isEnabled()
    plan.text.set_text(PLAN)
    known(experiment)
    assert plan.text.isVisible()
    plan.findChild(QPushButton, "experiment_as_form").click()
    assert form.isVisible()
