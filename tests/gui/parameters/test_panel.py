"""The panel of parameters: what is kept, what is said of a run, and what goes with it."""

import pytest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from tilelab import catalog
from tilelab.gui.parameters.panel import ControlPanel
from tilelab.gui.shell.qt_application import make_application
from tilelab.puzzles.boggle.parameters import BoggleParams
from tilelab.puzzles.boggle.solvers.genetic import Genetic
from tilelab.puzzles.sliding.board import SlidingParams


@pytest.fixture
def make_panel(qtbot):
    """A function that makes a panel of the genetic algorithm."""

    def make():
        make_application([], "light")
        panel = ControlPanel(QWidget())
        qtbot.addWidget(panel)
        panel.declare(BoggleParams, Genetic.spec.params, Genetic.spec.unit)
        panel.show()
        return panel

    return make


def errors(panel):
    """The sentences about wrong values that are seen."""
    return [
        label.text()
        for label in panel.findChildren(QLabel)
        if label.property("role") == "error" and not label.isHidden()
    ]


def test_what_a_run_has_made_of_an_open_value_goes_with_the_run(make_panel):
    """Noticed: the tip of a field still says what it was in a run that is gone."""
    panel = make_panel()
    field = panel.controls["mutation"].field
    before = field.toolTip()
    panel.set_in_force({"mutation": 7}, {"mutation": None})
    assert "In this run: 7" in field.toolTip()
    panel.set_in_force(None)
    assert field.toolTip() == before


def test_defaults_put_away_what_was_wrong(make_panel):
    panel = make_panel()
    for name in ("mutation", "seed"):
        assert panel.show_error(name, f"{name} is wrong.")
    assert errors(panel) == ["seed is wrong.", "mutation is wrong."]
    panel.findChild(QPushButton, "defaults").click()
    assert errors(panel) == []


def test_another_panel_takes_values_and_open_sections_over(make_panel):
    """Noticed: after another language was chosen, the sections are closed."""
    before, after = make_panel(), make_panel()
    before.controls["mutation"].set_value(7)
    sections = before.open_sections()
    before.set_open_sections(["Limits"])
    assert before.open_sections() != sections
    after.take_over(before)
    assert after.controls["mutation"].value() == 7
    assert after.open_sections() == ["Limits"]


def test_a_value_is_kept_for_the_next_solver_where_it_means_the_same(make_panel):
    """Noticed: the deepening search takes over how many steps another search was asked for."""
    panel, kept = make_panel(), []
    for key in ("uniform-cost", "breadth-first", "ida-star"):
        solver = catalog.solver("sliding", key).spec
        panel.declare(SlidingParams, solver.params, solver.unit)
        control = panel.controls["expansions_per_update"]
        kept.append(control.value() != control.spec.default)
        control.set_value(50)
    assert kept == [False, True, False]
