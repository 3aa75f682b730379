"""Carry what users have set in a window over to the same window in another language.

Only widgets with an object name are carried; so a new field needs nothing but its name.
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from PySide6.QtCore import QRegularExpression
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QSpinBox,
    QSplitter,
    QWidget,
)

from tilelab.gui.widgets.item_table import ItemTable

W = TypeVar("W", bound=QWidget)
# Qt's inner widgets must not become Python objects, which do not survive when Qt deletes them.
_NAMED = QRegularExpression("^(?!qt_).+")


def carry_values(before: QWidget, to: QWidget) -> None:
    """Choose and write in a window what was chosen and written in another instance of it."""
    for kind, carry in _CARRIED:
        for other, part in _pairs(before, to, kind):
            carry(other, part)


def _pairs(before: QWidget, to: QWidget, kind: type[W]) -> Iterator[tuple[W, W]]:
    """Yield the widgets of a kind that both windows have."""
    others = {one.objectName(): one for one in before.findChildren(kind, _NAMED)}
    for part in to.findChildren(kind, _NAMED):
        if part.objectName() in others:
            yield others[part.objectName()], part


def _carry_choice(before: QComboBox, to: QComboBox) -> None:
    data = before.currentData()
    place = before.currentIndex() if data is None else to.findData(data)
    if place >= 0:
        to.setCurrentIndex(place)


def _carry_check(before: QAbstractButton, to: QAbstractButton) -> None:
    # One of several buttons is unchecked by a click on another one.
    is_other = before.isCheckable() and before.isChecked() != to.isChecked()
    if is_other and (before.isChecked() or to.group() is None):
        to.click()


def _carry_number(before: Any, to: Any) -> None:
    to.setValue(before.value())


def _carry_text(before: QLineEdit, to: QLineEdit) -> None:
    if not to.isReadOnly():
        to.setText(before.text())
        to.editingFinished.emit()


def _carry_table(before: ItemTable[Any], to: ItemTable[Any]) -> None:
    to.take_over(before)


def _carry_sizes(before: QSplitter, to: QSplitter) -> None:
    to.restoreState(before.saveState())


_CARRIED: tuple[tuple[type[Any], Callable[[Any, Any], None]], ...] = (
    (ItemTable, _carry_table),  # first, because fields follow the selected item
    (QLineEdit, _carry_text),
    (QSpinBox, _carry_number),
    (QDoubleSpinBox, _carry_number),
    (QComboBox, _carry_choice),
    (QAbstractButton, _carry_check),
    (QSplitter, _carry_sizes),
)
