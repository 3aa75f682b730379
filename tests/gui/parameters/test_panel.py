"""The panel of parameters: what is not default is said, marked and set back; it can be folded."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton, QWidget

from tilelab import catalog
from tilelab.core.parameters import MORE
from tilelab.gui.parameters.panel import ControlPanel
from tilelab.gui.shell.qt_application import make_application
from tilelab.puzzles.boggle.parameters import BoggleParams
from tilelab.puzzles.boggle.solvers.genetic import Genetic
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.runs.actions import Action
from tilelab.runs.limits import Limits

pytestmark = pytest.mark.usefixtures("without_style_sheet")


def heading(driver, title):
    return driver.page.panel._form.sections[title].findChild(QPushButton).accessibleName()


def reset_of(driver, name):
    return driver.page.panel.findChild(QToolButton, f"param_{name}_reset")


def test_a_closed_section_says_what_is_not_default(driver):
    """A limit in a closed section once ended runs without a word."""
    assert heading(driver, "Limits") == "Limits"
    driver.set(units=601, islands=3)
    assert heading(driver, "Limits") == "Limits · 601 generations"
    assert heading(driver, "Islands") == "Islands · 3"
    driver.set(seconds=2.5, torus=True)
    assert heading(driver, "Limits") == "Limits · 601 generations · Seconds 2.50 s"
    assert heading(driver, "Adjacency and reuse").endswith(" · Wrap around")
    driver.page.panel.set_open_sections(["Limits"])
    assert heading(driver, "Limits") == "Limits"
    driver.page.panel.set_open_sections([])
    driver.page.panel.set_values({"units": None, "seconds": None})  # as an opened run does
    assert heading(driver, "Limits") == "Limits"


def test_a_changed_value_is_marked_and_set_back_by_the_keyboard(driver):
    driver.window.activateWindow()
    control = driver.page.panel.controls["mutation"]
    mark = reset_of(driver, "mutation")
    assert mark.isHidden()
    driver.set(mutation=59)
    assert mark.isVisible()
    assert "20" in mark.toolTip()
    control.field.setFocus()
    QTest.keyClick(control.field, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is mark
    QTest.keyClick(mark, Qt.Key.Key_Space)
    assert control.value() == 20
    assert mark.isHidden()
    assert QApplication.focusWidget() is control.field


def test_a_mark_follows_a_run_that_is_opened(driver):
    driver.page.panel.set_values({"mutation": 33})
    assert not reset_of(driver, "mutation").isHidden()
    driver.page.panel._reset.click()
    assert reset_of(driver, "mutation").isHidden()


def test_what_is_rarely_needed_is_the_last_section(driver):
    driver.page.choose_solver("annealing")
    panel = driver.page.panel
    assert next(iter(panel._form.sections)) == "Limits"
    assert list(panel._form.sections)[-1] == MORE
    assert panel.controls["first_cycle"].spec.section == MORE
    driver.page.show_refusal("It is too long.", "first_cycle")
    assert panel.open_sections() == [MORE]


def test_the_parameters_are_folded_to_a_strip_and_stay_so(driver, another_driver):
    window, panel = driver.window, driver.page.panel
    window.resize(1024, 700)
    before = driver.page.middle.width()
    window.commands["show_parameters"].trigger()
    assert panel.is_folded
    driver.until(lambda: driver.page.middle.width() > before + 200)
    window.show_puzzle("sliding")
    assert not driver.page.panel.is_folded
    window.show_puzzle("boggle")
    window.close()
    again = another_driver(window.settings)
    assert again.page.panel.is_folded
    again.page.panel.findChild(QToolButton, "unfold_parameters").click()
    assert not again.page.panel.is_folded
    again.window.commands.refresh()
    assert again.window.commands["show_parameters"].isChecked()


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet")
def test_the_limits_are_in_view_in_a_small_window(driver):
    driver.window.resize(1024, 700)
    for puzzle in ("boggle", "wordtiles", "sliding"):
        driver.window.show_puzzle(puzzle)
        driver.settled()
        QApplication.processEvents()
        form = driver.page.panel._form
        section = form.sections["Limits"]
        bottom = section.mapTo(form, section.rect().bottomLeft()).y()
        assert bottom <= form.height(), puzzle
        driver.click(Action.GO)
        driver.until(lambda: driver.page.run.status.has_run)
        if driver.offers(Action.STOP):
            driver.click(Action.STOP)
        driver.settled()
    assert set(Limits.model_fields) <= driver.page.panel.controls.keys()


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
    panel.seed_field.set_seed(5)
    assert errors(panel) == ["mutation is wrong."]
    panel.show_error("seed", "seed is wrong.")
    panel.findChild(QPushButton, "defaults").click()
    assert errors(panel) == []
    assert panel.seed_field.seed() == 5


def test_a_wrong_seed_stays_marked_until_it_is_mended(make_panel):
    """Noticed: a wrong seed without its mark after another file, or another language."""
    panel, other = make_panel(), make_panel()
    panel.seed_field.stops[0].setText(30 * "1")
    wrong = f"Seed: '{30 * '1'}' is not a whole number from 0 to about 9 · 10¹⁸"
    panel.clear_errors()
    assert errors(panel) == [wrong]
    other.take_over(panel)
    assert errors(other) == [wrong]
    panel.findChild(QPushButton, "defaults").click()
    assert errors(panel) == []
    assert panel.seed_field.seed() < 1_000_000


def test_what_is_wrong_gets_the_focus_and_its_title(make_panel):
    """Noticed: GO does nothing, for the wrong value is in a folded panel or far below."""
    panel = make_panel()
    for name, field, words in (
        ("mutation", panel.controls["mutation"].field, "Mutation rate: 'x' is not a number"),
        ("seed", panel.seed_field.stops[0], "Seed: 'x' is not a number"),
    ):
        panel.set_folded(True)
        panel.show_error(name, f"{name}: 'x' is not a number")
        assert panel.focusWidget() is field
        assert not panel.is_folded
        assert words in errors(panel)


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
