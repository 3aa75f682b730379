"""What screen readers are told of a board: a list of its cells, which are read one by one.

Qt asks for it only while something like a screen reader listens.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QPoint, QRect, QTimer
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QComboBox, QLabel
from shiboken6 import isValid

from tilelab.gui.boards.cell_view import CellView

_OrNone = Any
"""Qt takes None where there is nothing; its stubs do not say so."""
_kept: list[BoardAccess] = []
"""Qt holds pointers to them until their boards are deleted, and Python must not end them first."""


class BoardAccess(QAccessibleInterface):
    """A board as a list; its cells are numbered row by row."""

    def __init__(self, view: CellView[Any]) -> None:
        super().__init__()
        self.view = view
        self._cells: list[CellAccess] = []
        view.destroyed.connect(self._end)

    def isValid(self) -> bool:
        return isValid(self.view)

    def object(self) -> QObject:
        return self.view

    def window(self) -> _OrNone:
        return self.view.window().windowHandle()

    def parent(self) -> _OrNone:
        around = self.view.parentWidget()
        return around and QAccessible.queryAccessibleInterface(around)

    def childCount(self) -> int:
        return self.view.n_cells

    def child(self, index: int) -> _OrNone:
        if not 0 <= index < self.childCount():
            return None
        while len(self._cells) <= index:
            self._cells.append(CellAccess(self, len(self._cells)))
        return self._cells[index]

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return child.cell if isinstance(child, CellAccess) else -1

    def childAt(self, x: int, y: int) -> _OrNone:
        cell = self.view.cell_at(self.view.mapFromGlobal(QPoint(x, y)))
        return None if cell is None else self.child(cell)

    def focusChild(self) -> _OrNone:
        focused = self.view.focused_cell if self.view.hasFocus() else None
        return self if focused is None else self.child(focused)

    def text(self, kind: QAccessible.Text) -> str:
        if kind == QAccessible.Text.Name:
            return self.view.accessibleName()
        if kind == QAccessible.Text.Description:
            return self.view.accessibleDescription()
        return ""

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Nothing of a board is changed in this way."""

    def rect(self) -> QRect:
        return QRect(self.view.mapToGlobal(QPoint(0, 0)), self.view.size())

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.List

    def state(self) -> QAccessible.State:
        return self._state_of(self.view.hasFocus())

    def _state_of(self, is_focused: bool) -> QAccessible.State:
        made = QAccessible.State()
        made.focusable = True
        made.focused = is_focused
        made.invisible = not self.view.isVisible()
        made.disabled = not self.view.isEnabled()
        return made

    def cell_state(self, cell: int) -> QAccessible.State:
        """Return what is true of a cell."""
        view = self.view
        made = self._state_of(view.hasFocus() and view.focused_cell == cell)
        made.selectable = True
        made.selected = view.selected_cell == cell
        return made

    def _end(self) -> None:
        # These belong to no object whose end would delete them.
        for cell in self._cells:
            QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(cell))
        self._cells = []


class CellAccess(QAccessibleInterface):
    """One cell; what it shows is asked for when it is read."""

    def __init__(self, board: BoardAccess, cell: int) -> None:
        super().__init__()
        self._board, self.cell = board, cell

    def isValid(self) -> bool:
        return self._board.isValid() and self.cell < self._board.childCount()

    def object(self) -> _OrNone:
        return None

    def window(self) -> _OrNone:
        return self._board.window()

    def parent(self) -> QAccessibleInterface:
        return self._board

    def childCount(self) -> int:
        return 0

    def child(self, index: int) -> _OrNone:
        return None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return -1

    def childAt(self, x: int, y: int) -> _OrNone:
        return None

    def text(self, kind: QAccessible.Text) -> str:
        is_read = kind == QAccessible.Text.Name and self.isValid()
        return self._board.view.cell_words(self.cell) if is_read else ""

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Cells are changed by keys of the board."""

    def rect(self) -> QRect:
        view = self._board.view
        inside = view.board_layout().cell_rect(self.cell).toRect()
        return QRect(view.mapToGlobal(inside.topLeft()), inside.size())

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem

    def state(self) -> QAccessible.State:
        return self._board.cell_state(self.cell)


def made_access(_key: str, asked: QObject) -> QAccessibleInterface | None:
    """Answer Qt, which asks for every widget: boards are described here, the rest by Qt itself."""
    if isinstance(asked, CellView):
        _kept[:] = [one for one in _kept if isValid(one)]
        _kept.append(BoardAccess(asked))
        return _kept[-1]
    if isinstance(asked, QComboBox):
        # It may have no name yet.
        QTimer.singleShot(0, asked, partial(_label, asked))
    return None


def _label(box: QComboBox) -> None:
    """Give a combo box a label that nobody sees.

    Under Linux, Qt calls a combo box by what is chosen in it; its name comes from a label alone.
    """
    parent, name = box.parentWidget(), box.accessibleName()
    if parent is None or not name:
        return
    children = parent.findChildren(QLabel)
    if all(label.buddy() is not box for label in children):
        label = QLabel(name, parent)
        label.setObjectName("name_of_box")
        label.setBuddy(box)
        label.hide()
