"""How the controls of a form share its width, and what their values are."""

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QValidator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QBoxLayout,
    QDialog,
    QDialogButtonBox,
    QSpinBox,
    QStyle,
    QStyleOptionFrame,
    QWidget,
)

from tilelab.core.errors import ParameterError
from tilelab.core.parameters import describe
from tilelab.core.randomness import MAX_SEED
from tilelab.gui.parameters import seed_field
from tilelab.gui.parameters.control import ParameterControl
from tilelab.gui.parameters.form import ParameterForm
from tilelab.gui.parameters.seed_field import SeedField
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.widgets.parts import column_layout
from tilelab.gui.widgets.theme import apply_theme
from tilelab.gui.widgets.window_place import scrolled
from tilelab.puzzles.boggle.parameters import BoggleParams
from tilelab.puzzles.boggle.solvers.genetic import Genetic
from tilelab.runs.limits import Limits

DECLARED = Genetic.spec.params, BoggleParams, Limits
SPECS = {spec.name: spec for params in DECLARED for spec in describe(params)}


@pytest.fixture(autouse=True)
def light(qapp):
    make_application([], "light")
    yield
    apply_theme(qapp, "light", 1.0)


@pytest.fixture
def host(qtbot):
    made = QWidget()
    qtbot.addWidget(made)
    return made


def test_fields_below_their_names_do_not_depend_on_the_scroll_bar(host):
    """Otherwise the bar comes and goes without end, which once took the program with it."""
    form = ParameterForm(host)
    form.declare(describe(Genetic.spec.params))
    for section in form.sections.values():
        section.set_open(True)
    host.show()

    def below(width, height):
        form.resize(width, height)
        QApplication.processEvents()
        assert form.verticalScrollBar().isVisible() == (height < 200)
        down = QBoxLayout.Direction.TopToBottom
        rows = ((name, control._row) for name, control in form.controls.items())
        return {name for name, row in rows if row is not None and row.direction() == down}

    changes = set()
    for width in range(240, 420, 4):
        high, low = below(width, 2_000), below(width, 150)
        assert high == low, width
        changes.add(frozenset(high))
    assert len(changes) > 2


def test_what_is_wrong_is_seen_though_its_section_was_closed(host):
    """Noticed: GO does nothing, for the sentence that says why is in a closed section."""
    form = ParameterForm(host)
    form.declare(describe(BoggleParams))
    host.show()
    control = next(each for each in form.controls.values() if each.spec.group)
    assert not control.isVisible()
    assert form.show_error(control.spec.name, "It is wrong.")
    assert control.isVisible()


def test_a_form_is_put_into_a_scroll_area(qtbot):
    """Its controls are arranged before the area knows of it."""
    form = QWidget()
    control = ParameterControl(SPECS["mutation"], form)
    column_layout(form).addWidget(control)
    area = scrolled(form)
    qtbot.addWidget(area)
    area.show()
    assert control.isVisible()


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_the_longest_seed_is_whole(qtbot, qapp, scale):
    apply_theme(qapp, "light", scale)
    field = SeedField()
    qtbot.addWidget(field)
    field.resize(round(276 * scale), field.sizeHint().height())  # as wide as the panel has it
    field.show()
    field.set_seed(MAX_SEED)
    QApplication.processEvents()
    line = field.stops[0]
    style, option = line.style(), QStyleOptionFrame()
    line.initStyleOption(option)
    room = style.subElementRect(QStyle.SubElement.SE_LineEditContents, option, line).width()
    assert room >= line.fontMetrics().horizontalAdvance(line.text())
    assert field.rect().contains(field.stops[1].geometry())
    line.setText("many")
    with pytest.raises(
        ParameterError, match="'many' is not a whole number from 0 to about 9 · 10¹⁸"
    ):
        field.seed()


def test_the_tab_key_follows_the_eye(qtbot):
    """Noticed: in a race, the slider of a parameter comes before the number above it."""
    control = ParameterControl(SPECS["mutation"])
    qtbot.addWidget(control)
    chain = [control]
    while chain[-1].nextInFocusChain() is not control:
        chain.append(chain[-1].nextInFocusChain())
    assert len(control.stops) == 3
    assert [part for part in chain if part in control.stops] == control.stops


def test_a_wrong_seed_is_marked_while_it_is_typed(qtbot, monkeypatch):
    """Noticed: a seed that is found wrong only at GO, or is announced at each key."""
    announced = []
    monkeypatch.setattr(seed_field, "announce", lambda _, text, **__: announced.append(text))
    field = SeedField()
    qtbot.addWidget(field)
    field.show()
    line = field.stops[0]
    line.selectAll()
    QTest.keyClicks(line, "12")
    assert field._error.isHidden()
    QTest.keyClicks(line, "ab")
    assert "'12ab' is not a whole number" in field._error.text()
    assert announced == []
    for _ in range(2):
        QTest.keyClick(line, Qt.Key.Key_Return)
        assert announced == [field._error.text()]
    field.clear_error()
    field.show_error(field._why_wrong())
    assert announced == 2 * [field._error.text()]  # as at each GO
    for _ in "ab":
        QTest.keyClick(line, Qt.Key.Key_Backspace)
    assert field._error.isHidden()
    line.selectAll()
    QTest.keyClick(line, Qt.Key.Key_Backspace)
    assert field._error.isHidden()  # another seed may follow
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert not field._error.isHidden()


def test_a_target_of_nothing_or_less_is_not_no_limit(qtbot):
    """Sliding tiles are worth 0 when they are solved, and less before."""
    target, units = (ParameterControl(SPECS[name]) for name in ("target", "units"))
    for control in (target, units):
        qtbot.addWidget(control)
        assert (control.value(), control.field.text()) == (None, "no limit")
    for value in (0.0, -12.0, 60.5):
        target.set_value(value)
        assert target.value() == value
    target.set_value(None)
    target.field.stepUp()
    assert target.value() == 1.0
    units.field.stepUp()
    assert units.value() == 1


def test_a_number_that_a_field_cannot_show_exactly_is_read_as_it_was_written(host):
    """Noticed: the target of a run that is opened is rounded, or a large limit is refused."""
    for spec, value in ((SPECS["target"], 12.3456), (SPECS["evaluations"], 5_000_000_000)):
        control = ParameterControl(spec, host)
        control.set_value(value)
        assert control.value() == value
        control.field.setValue(7)
        assert control.value() == 7
        control.set_value(None)
        assert control.value() is None


def typed_control(qtbot, name, typed, language="en"):
    """The control of a number, into which a text was typed."""
    control = ParameterControl(SPECS[name])
    qtbot.addWidget(control)
    control.show()
    box = control.findChild(QAbstractSpinBox)
    box.setLocale(QLocale(language))
    box.selectAll()
    QTest.keyClicks(box, typed)
    assert box.lineEdit().text() == typed
    control.value()  # reads what was typed
    QApplication.processEvents()
    return control


@pytest.mark.parametrize(
    ("name", "typed", "value"), [("mutation", "500", 100), ("mutation", "-5", 0), ("rows", "0", 1)]
)
def test_a_number_outside_its_range_becomes_the_nearest_and_that_is_said(qtbot, name, typed, value):
    """Noticed: 500 for at most 100 becomes 50, or -5 becomes 5, without a word."""
    control = typed_control(qtbot, name, typed)
    assert control.value() == value
    assert control._error.text().startswith(f"{typed} is too ")
    assert f"{value}" in control._error.text()
    control.set_value(value + 1 if value < 2 else value - 1)
    assert control._error.isHidden()


@pytest.mark.parametrize(
    ("name", "typed", "value", "words"),
    [
        ("rows", "2.5", 2, "2.5 is not a whole number. 2 is set."),
        ("rows", "2,5", 2, "2,5 is not a whole number. 2 is set."),
        ("rows", "99.5", 16, "99.5 is too large."),
        ("rows", "1,200", 16, "1,200 is too large."),
        ("units", "1,200", 1200, ""),
        ("rows", "-.5", 1, "-.5 is too small."),
    ],
)
def test_a_whole_number_loses_its_decimals_and_that_is_said(qtbot, name, typed, value, words):
    """Noticed: 2.5 becomes 25, or signs of thousands are taken for those of decimals."""
    control = typed_control(qtbot, name, typed)
    assert control.value() == value
    assert control._error.text().startswith(words)
    assert control._error.isHidden() == (not words)


@pytest.mark.parametrize(
    ("typed", "value", "words"),
    [
        ("90", 90, ""),
        ("90s", 90, ""),
        ("1.5min", 90, ""),
        ("2H", 7_200, ""),
        ("1h30min", 5_400, ""),
        ("0", None, ""),
        ("0min", None, ""),
        ("1:30", None, "1:30 is not a time in h, min or s. no limit is set."),
        ("3Std", None, "3Std is not a time in h, min or s. no limit is set."),
    ],
)
def test_a_time_is_typed_with_its_unit(qtbot, typed, value, words):
    """Noticed: 3 min becomes 3 seconds without a word."""
    control = typed_control(qtbot, "seconds", typed)
    assert control.value() == value
    assert control._error.text() == words


@pytest.mark.parametrize(
    ("language", "typed", "number"),
    [
        *(("en", "2,5", 2.5), ("en", "1,200", 1200), ("en", "1,200.5", 1200.5)),
        *(("de", "2.5", 2.5), ("de", "1.200", 1200), ("de", "2,5", 2.5), ("de", "1.200,5", 1200.5)),
        *(("es", "2.5", 2.5), ("es", "1.200", 1200), ("es", "12.34", 12.34)),
        *(("fr", "2.5", 2.5), ("fr", "2,5", 2.5)),
        *(("de", "0.125", 0.125), ("en", "0,125", 0.125), ("de", "1234.567", 1234.567)),
    ],
)
def test_a_sign_of_thousands_has_three_digits_after_it(qtbot, language, typed, number):
    """Noticed: 2.5 in a German field is 25."""
    whole = typed_control(qtbot, "units", typed, language)
    assert whole.value() == (int(number) or None)
    assert whole._error.isHidden() == (number == int(number))
    seconds = typed_control(qtbot, "seconds", typed, language)
    assert seconds.value() == number
    field = seconds.findChild(QAbstractSpinBox)
    assert field.validate("2.9999", 6)[0] is QValidator.State.Invalid  # not cut without a word


def test_enter_shows_the_sentence_about_a_number_before_it_accepts_a_dialog(qtbot):
    """Noticed: a dialog closes with another number than the one that was typed."""
    dialog = QDialog()
    qtbot.addWidget(dialog)
    control = ParameterControl(SPECS["mutation"], dialog)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok, dialog)
    buttons.accepted.connect(dialog.accept)
    column_layout(dialog, 0, 0, control, buttons)
    dialog.show()
    box = control.findChild(QSpinBox)
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "9999999")
    QTest.keyClick(box, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert dialog.isVisible()
    assert not control._error.isHidden()
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert dialog.result() == QDialog.DialogCode.Accepted
