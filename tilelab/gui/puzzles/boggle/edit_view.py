"""The view of a letter board with keys and mouse for editing."""

import dataclasses

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import HOLE
from tilelab.gui.boards.letter_view import BoardView
from tilelab.gui.widgets.access import STEPS


class EditView(BoardView):
    """A board view for editing: typed letters go into the focused, selected or else first cell.

    Where a cell is selected, the selection moves with the keyboard, so that one cell is marked.
    Ctrl and an arrow swap two cells, Space locks one, # makes a hole; a drag swaps, too.
    """

    typed = Signal(int, str)  # emitted with a cell and the letter typed into it
    erased = Signal(int)  # emitted with a cell when Backspace is pressed
    swapped = Signal(int, int)
    lock_turned = Signal(int)
    hole_turned = Signal(int)
    menu_requested = Signal(int, QPoint)
    """Emitted with a cell and the point on the screen for its menu."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_editable = self._makes_holes = False
        self._pressed: int | None = None  # cell where the mouse button was pressed

    @property
    def is_editable(self) -> bool:
        return self._is_editable and bool(self._scene.n_cells)

    @property
    def current_cell(self) -> int | None:
        """Cell that keys act on."""
        focused = self._scene.focused
        return self._scene.selected if focused is None else focused

    def set_editable(self, editable: bool) -> None:
        self._is_editable = editable

    def set_making_holes(self, makes_holes: bool) -> None:
        """Let a click make and fill holes instead of selecting a cell."""
        self._makes_holes = makes_holes
        self._show(dataclasses.replace(self._scene, outlines_holes=makes_holes))

    def show_locked(self, locked: frozenset[int]) -> None:
        """Draw padlocks on these cells."""
        if locked != self._scene.locked:
            self._show(dataclasses.replace(self._scene, locked=locked))

    def focus_cell(self, cell: int) -> None:
        """Move the keyboard to a cell."""
        self._mark(focused=cell)
        self._select_focused()

    def _move_focus(self, key: Qt.Key, start: int | None) -> None:
        super()._move_focus(key, start)
        self._select_focused()

    def _select_focused(self) -> None:
        """Select the keyboard's cell in place of another one."""
        if self._scene.selected is not None:
            self._choose(self._scene.focused)

    def cell_text(self, cell: int) -> str:
        text = super().cell_text(cell)
        return tr("{cell}, locked", cell=text) if cell in self._scene.locked else text

    def keyPressEvent(self, event: QKeyEvent) -> None:
        cell, scene = self.current_cell, self._scene
        if cell is None and event.text().isalnum():  # typing a whole board begins at its first cell
            cells = range(scene.n_cells)
            cell = next((at for at in cells if scene.symbol(at) != HOLE), None)
        if self.is_editable and cell is not None and self._edits(event, cell):
            return
        super().keyPressEvent(event)

    def _edits(self, event: QKeyEvent, cell: int) -> bool:
        """Handle an editing key for a cell; returns False for a key that changes nothing."""
        key, text = Qt.Key(event.key()), event.text()
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        ctrl, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
        if modifiers == ctrl and key in STEPS:
            self._swap_towards(key, cell)
        elif modifiers in (ctrl, ctrl | shift):
            return False
        elif key == Qt.Key.Key_Space:
            self.lock_turned.emit(cell)
        elif key == Qt.Key.Key_Backspace:
            self.erased.emit(cell)
        elif text == HOLE:
            self.hole_turned.emit(cell)
        elif len(text) == 1 and text.isalnum():
            self.typed.emit(cell, text)
        else:
            return False
        return True

    def _swap_towards(self, key: Qt.Key, cell: int) -> None:
        """Swap a cell with its neighbour; the keyboard moves with the letter."""
        (row, col), (row_step, col_step) = divmod(cell, self._scene.shape[1]), STEPS[key]
        n_rows, n_cols = self._scene.shape
        row, col = row + row_step, col + col_step
        if 0 <= row < n_rows and 0 <= col < n_cols:
            self.swapped.emit(cell, row * n_cols + col)
            self.focus_cell(row * n_cols + col)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        left = event.button() == Qt.MouseButton.LeftButton
        cell = self._place_at(event.position())
        if not (left and self.is_editable and cell is not None):
            super().mousePressEvent(event)
            return
        self._pressed = cell
        if self._makes_holes:
            self.hole_turned.emit(cell)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if self._pressed is None:
            return
        cell = self._place_at(event.position())
        if self._makes_holes:
            if cell is not None and cell != self._pressed:
                self._pressed = cell
                self.hole_turned.emit(cell)
        elif cell != self._pressed:
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        super().mouseReleaseEvent(event)
        if pressed is None or self._makes_holes:
            return
        cell = self._place_at(event.position())
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        if cell == pressed:
            # A cell that is no longer selected keeps the keyboard: the next letter is for it.
            is_second = cell == self._scene.selected
            self._mark(focused=cell if is_second else None)
            self._choose(None if is_second else cell)
        elif cell is not None:
            self.swapped.emit(pressed, cell)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        cell = self._place_at(event.pos().toPointF()) if by_mouse else self.current_cell
        if not self.is_editable or cell is None:
            super().contextMenuEvent(event)
            return
        middle = self.board_layout().cell_rect(cell).center().toPoint()
        place = event.globalPos() if by_mouse else self.mapToGlobal(middle)
        self.menu_requested.emit(cell, place)
