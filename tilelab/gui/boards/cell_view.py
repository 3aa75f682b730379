"""What all boards on the screen have in common: mouse and keyboard point at cells."""

import dataclasses
from abc import abstractmethod
from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from tilelab.core.text.language import tr
from tilelab.gui.boards.scene import BoardLayout, CellScene
from tilelab.gui.widgets.announce import report_focus
from tilelab.gui.widgets.theme import keep_themed, scaled

STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
"""Rows and columns that an arrow goes by."""
CHOOSE = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)

S = TypeVar("S", bound=CellScene)


class PointedView(QWidget):
    """Shows numbered places; the mouse's is marked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        keep_themed(self, self.update)

    def sizeHint(self) -> QSize:
        return QSize(480, 400)

    def minimumSizeHint(self) -> QSize:
        return QSize(scaled(200), scaled(180))

    @abstractmethod
    def _place_at(self, point: QPointF) -> int | None:
        """Return the place under a point."""

    @property
    @abstractmethod
    def _hovered(self) -> int | None:
        """The place that the mouse is marked at."""

    @abstractmethod
    def _mark_hovered(self, place: int | None) -> None:
        """Mark another one."""

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


class CellView(PointedView, Generic[S]):
    """Shows one board; cells are numbered row by row from 0."""

    def __init__(self, scene: S, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scene = scene
        self.setAccessibleName(tr("Board"))

    @abstractmethod
    def cell_text(self, cell: int) -> str:
        """Say in words what a cell shows; '' for nothing."""

    def cell_words(self, cell: int) -> str:
        """Say in words what a cell shows, never nothing; for those who do not see it."""
        return self.cell_text(cell)

    @property
    def n_cells(self) -> int:
        """How many cells are shown."""
        return self._scene.n_cells

    @property
    def focused_cell(self) -> int | None:
        """The keyboard's cell."""
        return self._scene.focused

    @property
    def selected_cell(self) -> int | None:
        """The cell that is chosen."""
        return self._scene.selected

    def cell_at(self, point: QPoint) -> int | None:
        """Return the cell under a point of the widget."""
        return self._place_at(QPointF(point))

    def board_layout(self) -> BoardLayout:
        """Return where the tiles stand now."""
        return BoardLayout.fitted(self._scene.shape, QRectF(self.rect()))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._show_tool_tip(event.pos(), event.globalPos())
            return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._mark(focused=None)
        super().focusOutEvent(event)

    def _show(self, scene: S) -> None:
        self._scene = scene
        self.update()

    def _mark(self, **marks: int | None) -> None:
        """Mark cells as hovered, focused or selected."""
        before = self._scene
        if any(getattr(before, name) != cell for name, cell in marks.items()):
            self._show(dataclasses.replace(before, **marks))
            focused = self._scene.focused
            if focused is not None and before.focused != focused:
                report_focus(self, focused)

    @property
    def _hovered(self) -> int | None:
        return self._scene.hovered

    def _mark_hovered(self, place: int | None) -> None:
        self._mark(hovered=place)

    def _place_at(self, point: QPointF) -> int | None:
        return self.board_layout().cell_at(point) if self._scene.n_cells else None

    def _move_focus(self, key: Qt.Key, start: int | None) -> None:
        """Move the keyboard's cell by an arrow; start: where it begins."""
        n_rows, n_cols = self._scene.shape
        if self._scene.focused is None:
            self._mark(focused=start or 0)
            return
        (row, col), (row_step, col_step) = divmod(self._scene.focused, n_cols), STEPS[key]
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
