"""The pseudocode next to the board: open or closed, lit at each step and at earlier moments."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from tilelab.core.pseudocode import Pseudocode
from tilelab.core.views import ViewKind
from tilelab.runs.actions import Action, State

pytestmark = pytest.mark.usefixtures("without_style_sheet")


@pytest.fixture
def code(driver):
    """The pane of the page, opened."""
    driver.page.view_stack.pseudocode.click()
    return driver.page.view_stack.code


def generation(driver):
    return driver.page.run.views[ViewKind.POPULATION].generation


def step(driver, qtbot):
    driver.settled()
    driver.click(Action.STEP)
    driver.state(State.PAUSED)
    driver.settled()


def test_a_closed_pane_costs_nothing(driver, qtbot, monkeypatch):
    """Noticed: a closed pane that reads its file, watches the run, or lights lines."""
    read = []
    monkeypatch.setattr(Pseudocode, "read", lambda code: read.append(code) or _fail())
    stack = driver.page.view_stack
    step(driver, qtbot)
    assert not driver.page.run.views
    assert stack.watched_kinds == frozenset()
    assert stack.code.lines.count() == 0
    assert not read


def _fail():
    raise AssertionError


def test_each_step_lights_its_lines_and_an_earlier_moment_lights_them_again(driver, qtbot, code):
    shown = []
    for _ in range(4):
        step(driver, qtbot)
        qtbot.waitUntil(lambda: "score" in code.lit)
        qtbot.waitUntil(
            lambda: driver.page.run.views[ViewKind.POPULATION].generation == len(shown) + 1
        )
        shown.append(code.lit)
    assert "start" in shown[0]
    assert "pair" not in shown[0]
    assert {"parents", "pair", "cross", "mutate"} <= set(shown[3])
    back = driver.page.watching.stepping_back
    back.back()
    qtbot.waitUntil(lambda: driver.page.run.is_back and code.lit == shown[2])
    driver.page.timeline.end()
    qtbot.waitUntil(lambda: code.lit == shown[3])


def test_a_line_is_read_out_with_its_value(driver, qtbot, code):
    step(driver, qtbot)
    qtbot.waitUntil(lambda: "start" in code.lit)
    role = Qt.ItemDataRole.AccessibleTextRole
    spoken = [code.lines.item(row).data(role) for row in range(code.lines.count())]
    assert spoken[0] == "1: population ← random boards; this line ran. 105 boards"
    assert spoken[1].startswith("2: parents ← ")
    assert "ran" not in spoken[1]
    assert "105 boards" in code.lines.item(0).toolTip()


def test_the_pane_is_remembered_and_needs_a_solver_with_pseudocode(driver, code):
    stack = driver.page.view_stack
    assert driver.page.settings.flag("run/pseudocode")
    assert not code.isHidden()
    assert not code.lit
    stack.offer(replace(driver.page.choices.solver, pseudocode=None))
    assert code.isHidden()
    assert not stack.has_pseudocode
    assert stack.watched_kinds == frozenset()


def test_the_first_kind_is_watched_whatever_is_shown(driver, code):
    """Noticed: lines that are not lit while another view than the first is shown."""
    stack = driver.page.view_stack
    views = ViewKind.TREE, ViewKind.DEPTHS
    stack.offer(replace(driver.page.choices.solver, views=views))
    stack.choose(ViewKind.DEPTHS)
    assert stack.watched_kinds == {ViewKind.TREE, ViewKind.DEPTHS}
    stack.pseudocode.click()
    assert stack.watched_kinds == {ViewKind.DEPTHS}
