"""Every control of every window says to a screen reader what it is called and what it is for."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollBar,
    QVBoxLayout,
    QWidget,
)

from tests.gui.all_windows import all_windows
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.widgets.manual_link import ManualButton

pytestmark = pytest.mark.usefixtures("without_style_sheet")


def said(widget, kind=QAccessible.Text.Name):
    """What a screen reader is told of a widget."""
    if isinstance(widget, QComboBox) and kind == QAccessible.Text.Name:
        # Under Linux, Qt answers with what is chosen in it.
        labels = (one for one in widget.parentWidget().findChildren(QLabel))
        return widget.accessibleName() or any(one.buddy() is widget for one in labels) * "label"
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(kind) if interface is not None else ""


def is_control(widget):
    """Whether a user can do something with it, or read in it by the keyboard."""
    if isinstance(widget, QScrollBar) or widget.objectName().startswith("qt_"):
        return False  # a part of what is scrolled, or of Qt's own control around it
    return isinstance(widget, QAbstractButton) or widget.focusPolicy() & Qt.FocusPolicy.TabFocus


def unnamed(window):
    """Return a sentence for each control of a window that has no name."""
    window.show()
    return [
        f"{type(part).__name__} {part.objectName()!r} in {type(part.parentWidget()).__name__}"
        f" {part.parentWidget().objectName()!r}: {part.toolTip()!r}"
        for part in window.findChildren(QWidget)
        if part.isVisibleTo(window) and is_control(part) and not said(part).strip()
    ]


def undescribed(window):
    """Return the controls whose tool tip is not told, or is told with its markup."""
    return [
        f"{type(part).__name__} {part.objectName()}: {part.toolTip()}"
        for part in window.findChildren(QWidget)
        if part.isVisibleTo(window) and is_control(part) and is_badly_described(part)
    ]


def is_badly_described(part):
    told = said(part, QAccessible.Text.Description)
    is_silent = bool(part.toolTip()) and part.toolTip() != said(part) and not told
    return is_silent or "</" in told


def unreachable(window):
    """Return the controls that the Tab key does not come to."""
    return [
        f"{type(part).__name__} {part.objectName()!r} is not reached by Tab"
        for part in window.findChildren(QWidget)
        if part.isVisibleTo(window)
        and is_control(part)
        and not part.focusPolicy() & Qt.FocusPolicy.TabFocus
        # F1 opens the same page, what is in a field can be deleted there, and the chart's menu has
        # the logarithmic axis.
        and not isinstance(part, ManualButton)
        and part.objectName() != "log_axis"
        and not isinstance(part.parentWidget(), QLineEdit)
        and not is_reached_by_arrows(part)
    ]


def is_reached_by_arrows(part):
    """Whether Tab goes to the checked button of its group, and arrow keys from there to this."""
    group = part.group() if isinstance(part, QAbstractButton) else None
    return group is not None and group.exclusive() and group.checkedButton() is not None


def dialogs_below(kind):
    for below in kind.__subclasses__():
        yield from dialogs_below(below)
        if below.__module__.startswith("tilelab."):
            yield below


@pytest.mark.long
def test_every_control_of_every_window_has_a_name_and_is_reached_by_keyboard(driver, tmp_path):
    faults, seen = [], set()
    for name, window in all_windows(driver, tmp_path):
        seen.add(type(window))
        faults += [] if window.windowTitle() else [f"{name}: no title"]
        found = unnamed(window) + undescribed(window) + unreachable(window)
        faults += [f"{name}: {fault}" for fault in found]
    assert not faults, "\n".join(sorted(set(faults)))
    # A dialog that nobody walks would go unseen.
    assert set(dialogs_below(QDialog)) <= seen


def test_the_check_finds_a_control_without_a_name(qapp, qtbot):
    make_application([], "light")
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    for text in ("", "GO"):
        column.addWidget(QPushButton(text, window))
    (fault,) = unnamed(window)
    assert fault.startswith("QPushButton")
