"""Finds controls that do not tell a screen reader their name, or that no key reaches."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QScrollBar, QWidget

from tilelab.gui.widgets.manual_link import ManualButton


def access_faults(window):
    """Return a sentence for each fault of a window that a screen reader or the keyboard notices."""
    title = [] if window.windowTitle() else ["no title"]
    return title + unnamed(window) + undescribed(window) + unreachable(window)


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
