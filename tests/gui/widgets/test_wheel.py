"""The wheel scrolls a form and changes no value in it."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QScrollArea, QSlider, QSpinBox

from tilelab import catalog
from tilelab.gui.parameters.form import ParameterForm
from tilelab.gui.parameters.solver_choice import SolverChoice
from tilelab.gui.widgets.parts import column_layout
from tilelab.gui.widgets.window_place import Dialog

pytestmark = pytest.mark.usefixtures("without_style_sheet")
KINDS = QComboBox, QSpinBox, QSlider


def turn_down(part):
    """Turn the wheel by one notch over the middle of a widget, as the window system does."""
    window = part.window()
    place = part.mapTo(window, part.rect().center())
    QTest.wheelEvent(window.windowHandle(), place.toPointF(), QPoint(0, -120))


def value_of(part):
    return part.currentIndex() if isinstance(part, QComboBox) else part.value()


def made_dialog():
    dialog = Dialog(None, "Values")
    column = column_layout(spacing=150)
    for kind in KINDS:
        part = kind(dialog)
        if kind is QComboBox:
            part.addItems(["a", "b", "c"])
        else:
            part.setValue(50)
        column.addWidget(part)
    dialog.lay_out(8, 8, column)
    return dialog, dialog.findChild(QScrollArea)


def made_form():
    choice = SolverChoice(None)
    choice.offer("boggle", "genetic")
    form = ParameterForm(None, above=((choice,), ()))
    form.declare(catalog.parameters("boggle", "genetic").values())
    return form, form


@pytest.mark.parametrize("made", [made_dialog, made_form])
def test_the_wheel_scrolls_and_changes_no_value_that_has_the_keyboard(qtbot, made):
    """Noticed: another solver, because its list came under the pointer while the form scrolled."""
    window, area = made()
    qtbot.addWidget(window)
    window.resize(400, 200)
    window.show()
    parts = [part for kind in KINDS for part in window.findChildren(kind) if part.isVisible()]
    assert {kind for kind in KINDS if any(isinstance(part, kind) for part in parts)} == set(KINDS)
    bar = area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    for part in parts:
        before = value_of(part)
        part.setFocus()
        qtbot.waitUntil(part.hasFocus)
        area.ensureWidgetVisible(part, 0, 0)
        place = bar.value()
        turn_down(part)
        assert value_of(part) == before, part
        assert bar.value() > place or place == bar.maximum(), part


def test_a_value_that_nothing_scrolls_is_changed_where_it_has_the_keyboard(qtbot):
    """Noticed: a wheel that does nothing in a dialog that is seen whole."""
    dialog, area = made_dialog()
    qtbot.addWidget(dialog)
    dialog.resize(600, 900)
    dialog.show()
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() == 0)
    first, second = dialog.findChild(QComboBox), dialog.findChild(QSpinBox)
    first.setFocus()
    qtbot.waitUntil(first.hasFocus)
    turn_down(second)
    turn_down(first)
    assert (value_of(second), value_of(first)) == (50, 1)


def test_the_wheel_changes_nothing_on_a_page_that_is_shown_later(driver):
    """Noticed: other curves after a turn over their list, on all pages but the first."""
    driver.window.show_puzzle("sliding")
    driver.settled()
    choice = driver.page.chart_choice
    assert choice.isVisible()
    assert choice.count() > 1
    before = choice.currentIndex()
    turn_down(choice)
    assert choice.currentIndex() == before
