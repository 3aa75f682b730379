"""The base of all boards on the screen: mouse, keyboard and screen readers point at cells."""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from functools import partial
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import (
    QAccessible,
    QAccessibleInterface,
    QFocusEvent,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QAccessibleWidget, QComboBox, QLabel, QSizePolicy, QToolTip, QWidget
from shiboken6 import isValid

from tilelab.core.text.language import tr
from tilelab.gui.boards.scene import BoardLayout, CellScene
from tilelab.gui.widgets.access import STEPS, report_focus
from tilelab.gui.widgets.parts import named
from tilelab.gui.widgets.theme import current_theme, keep_themed, scaled

_MIN_WITH_BUTTONS = 116
"""Minimum height of a board with buttons below it; only a presentation may have less."""
S = TypeVar("S", bound=CellScene)
_OrNone = Any  # type for values that Qt accepts as None although its stubs do not say so
_kept: list[BoardAccess] = []
"""Accessible objects of all boards. Qt holds pointers to them until their boards are deleted, so
Python must keep them.
"""


def has_button_room(board: QWidget) -> bool:
    """Return whether a board with buttons below it would be more than a thumbnail."""
    return board.height() >= scaled(_MIN_WITH_BUTTONS)


class HoverView(QWidget):
    """A view of numbered places that marks the place under the mouse."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, mouseTracking=True, focusPolicy=Qt.FocusPolicy.StrongFocus)
        self._hovered: int | None = None  # place that is marked for the mouse
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        keep_themed(self, self.update)

    def sizeHint(self) -> QSize:
        return QSize(480, 400)

    def minimumSizeHint(self) -> QSize:
        return QSize(scaled(200), scaled(166))

    @abstractmethod
    def _place_at(self, point: QPointF) -> int | None:
        """Return the place under a point."""

    def _mark_hovered(self, place: int | None) -> None:
        """Mark another place."""
        self._hovered = place
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._place_at(event.position()))
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)
        super().leaveEvent(event)

    def _hover(self, place: int | None) -> None:
        if place != self._hovered:
            self._mark_hovered(place)
            pointing = Qt.CursorShape.PointingHandCursor
            self.setCursor(Qt.CursorShape.ArrowCursor if place is None else pointing)


class CellView(HoverView, Generic[S]):
    """Shows one board; cells are numbered row by row from 0."""

    def __init__(self, scene: S, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scene = scene
        self.setAccessibleName(tr("Board"))

    @abstractmethod
    def cell_text(self, cell: int) -> str:
        """Say in words what a cell shows; '' for nothing."""

    def cell_words(self, cell: int) -> str:
        """Describe a cell in words for screen readers; never ''."""
        return self.cell_text(cell)

    @property
    def scene(self) -> S:
        """Board that is shown, and the marks on it."""
        return self._scene

    def select(self, cell: int | None) -> None:
        """Select a cell without a signal; None for none."""
        self._mark(selected=cell)

    def board_layout(self) -> BoardLayout:
        return BoardLayout.fitted(self._scene.shape, QRectF(self.rect()))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._show_tool_tip(event.pos(), event.globalPos())
            return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._mark(focused=None)
        super().focusOutEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._scene.n_cells:
            painter = QPainter(self)
            self._scene.paint(painter, self.board_layout(), current_theme())
            painter.end()

    def _show(self, scene: S) -> None:
        self._scene, self._hovered = scene, scene.hovered
        self.update()

    def _mark(self, **marks: int | None) -> None:
        """Mark cells as hovered, focused or selected."""
        before = self._scene
        if any(getattr(before, name) != cell for name, cell in marks.items()):
            self._show(dataclasses.replace(before, **marks))
            focused = self._scene.focused
            if focused is not None and before.focused != focused:
                report_focus(self, focused)

    def _mark_hovered(self, place: int | None) -> None:
        self._mark(hovered=place)

    def _place_at(self, point: QPointF) -> int | None:
        return self.board_layout().cell_at(point) if self._scene.n_cells else None

    def _move_focus(self, key: Qt.Key, start: int | None) -> None:
        """Move the keyboard's cell by an arrow.

        start: cell that it leaves if it is nowhere yet; None to begin at the first cell.
        """
        n_rows, n_cols = self._scene.shape
        here = start if self._scene.focused is None else self._scene.focused
        if here is None:
            self._mark(focused=0)
            return
        (row, col), (row_step, col_step) = divmod(here, n_cols), STEPS[key]
        row = min(max(row + row_step, 0), n_rows - 1)
        col = min(max(col + col_step, 0), n_cols - 1)
        self._mark(focused=row * n_cols + col)

    def _show_tool_tip(self, point: QPoint, on_screen: QPoint) -> None:
        cell = self._place_at(QPointF(point))
        text = "" if cell is None else self.cell_text(cell)
        if cell is None or not text:
            QToolTip.hideText()
            return
        # The tile's own rectangle makes the tip go when the mouse leaves the tile.
        QToolTip.showText(on_screen, text, self, self.board_layout().cell_rect(cell).toRect())


class BoardAccess(QAccessibleWidget):
    """A board as a list; its cells are numbered row by row."""

    def __init__(self, view: CellView[CellScene]) -> None:
        super().__init__(view, QAccessible.Role.List)
        self.view = view
        self._cells: list[CellAccess] = []
        view.destroyed.connect(self._end)

    def childCount(self) -> int:
        return self.view.scene.n_cells

    def child(self, index: int) -> _OrNone:
        if not 0 <= index < self.childCount():
            return None
        while len(self._cells) <= index:
            self._cells.append(CellAccess(self, len(self._cells)))
        return self._cells[index]

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return child.cell if isinstance(child, CellAccess) else -1

    def childAt(self, x: int, y: int) -> _OrNone:
        cell = self.view._place_at(QPointF(self.view.mapFromGlobal(QPoint(x, y))))
        return None if cell is None else self.child(cell)

    def focusChild(self) -> _OrNone:
        focused = self.view.scene.focused if self.view.hasFocus() else None
        return self if focused is None else self.child(focused)

    def _end(self) -> None:
        # No QObject owns these, so they must be deleted here.
        for cell in self._cells:
            QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(cell))
        self._cells = []


class CellAccess(QAccessibleInterface):
    """One cell; its text is read when a screen reader asks for it."""

    def __init__(self, board: BoardAccess, cell: int) -> None:
        super().__init__()
        self._board, self.cell = board, cell

    def isValid(self) -> bool:
        return isValid(self._board.view) and self.cell < self._board.childCount()

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
        """Do nothing: cells are changed by keys of the board."""

    def rect(self) -> QRect:
        view = self._board.view
        inside = view.board_layout().cell_rect(self.cell).toRect()
        return QRect(view.mapToGlobal(inside.topLeft()), inside.size())

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem

    def state(self) -> QAccessible.State:
        view, made = self._board.view, self._board.state()
        made.focused = view.hasFocus() and view.scene.focused == self.cell
        made.selectable = True
        made.selected = view.scene.selected == self.cell
        return made


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
    """Give a combo box an invisible label.

    Under Linux, Qt names a combo box by its selected entry, unless it has a label.
    """
    parent, name = box.parentWidget(), box.accessibleName()
    if parent is None or not name:
        return
    children = parent.findChildren(QLabel)
    if all(label.buddy() is not box for label in children):
        label = named(QLabel(name, parent), "name_of_box")
        label.setBuddy(box)
        label.hide()
