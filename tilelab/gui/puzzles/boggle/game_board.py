"""The board of a game with letters: words are dragged with the mouse, walked or typed."""

import dataclasses
from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from tilelab.core.text.language import tr
from tilelab.gui.boards.cell_view import CellView
from tilelab.gui.boards.letter_painter import BoardScene
from tilelab.gui.widgets.access import STEPS
from tilelab.gui.widgets.theme import scaled

_NEAR = 0.40
"""Distance from a tile's middle within which a drag counts, as a part of the pitch.

So a diagonal drag does not hit the tiles next to its path.
"""
Extend = Callable[[tuple[int, ...], int], tuple[int, ...]]
"""Function that returns a path after the pointer has reached a cell."""


class GameBoard(CellView[BoardScene]):
    """A view of the board, the words found and the current path; it knows nothing of lists.

    Drag over the cells of a word, or move with the arrows and take cells with Space; Enter submits
    the path. Letters are typed.
    """

    path_offered = Signal(object)
    """Emitted with the cells of a submitted word, tuple[int, ...], row-major."""
    path_changed = Signal(object)
    """Emitted with the cells of the current path, tuple[int, ...]; () for none."""
    typed = Signal(str)
    """Emitted with a letter; '\\b' removes one, '\\r' submits the letters, '\\x1b' clears them."""

    def __init__(self, extend: Extend, parent: QWidget | None = None) -> None:
        super().__init__(BoardScene(), parent)
        self._extend = extend
        self._drags = False
        self._path: tuple[int, ...] = ()
        """Path that is dragged or walked; the path of a typed word is only shown."""

    def show_game(
        self,
        rows: Sequence[Sequence[str]],
        lines: Sequence[tuple[int, ...]],
        path: Sequence[int] = (),
    ) -> None:
        """Show the board with the words found; path: that of the current word."""
        scene = dataclasses.replace(
            self._scene, rows=tuple(rows), lines=tuple(lines), path=tuple(path)
        )
        self._show(scene)

    def drop_path(self) -> None:
        self._set_path(())
        self._drags = False

    def cell_text(self, cell: int) -> str:
        row, col = divmod(cell, self._scene.shape[1])
        taken = (
            tr(", taken as letter {number}", number=self._path.index(cell) + 1)
            if cell in self._path
            else ""
        )
        return tr(
            "row {row}, column {col}: {symbol}{note}",
            row=row + 1,
            col=col + 1,
            symbol=self._scene.symbol(cell),
            note=taken,
        )

    def minimumSizeHint(self) -> QSize:
        # In the largest type, its window fits a screen of 1024×700.
        return QSize(scaled(160), scaled(160))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self._place_at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or cell is None:
            super().mousePressEvent(event)
            return
        self._mark(focused=None)
        self._drags = True
        self._set_path((cell,))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        cell = self._cell_near(event.position()) if self._drags else None
        if cell is not None and cell != self._path[-1]:
            self._set_path(self._extend(self._path, cell))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self._drags and event.button() == Qt.MouseButton.LeftButton:
            self._drags = False
            self._offer()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, text = Qt.Key(event.key()), event.text()
        focused = self._scene.focused
        if key in STEPS:
            self._move_focus(key, self._path[-1] if self._path else None)
            self._describe()
        elif key == Qt.Key.Key_Space and focused is not None:
            self._set_path(self._extend(self._path, focused))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._path:
                self._offer()
            else:
                self.typed.emit("\r")
        elif key == Qt.Key.Key_Backspace:
            if self._path:
                self._set_path(self._path[:-1])
            else:
                self.typed.emit("\b")
        elif key == Qt.Key.Key_Escape and (self._path or self._scene.path):
            self.drop_path()
            self.typed.emit("\x1b")
        elif text and text.isprintable() and not text.isspace():
            self.drop_path()
            self.typed.emit(text)
        else:
            super().keyPressEvent(event)

    def _offer(self) -> None:
        path = self._path
        self._set_path(())
        self.path_offered.emit(path)

    def _set_path(self, path: tuple[int, ...]) -> None:
        if path != self._path:
            self._path = path
            self._show(dataclasses.replace(self._scene, path=path))
            self._describe()
            self.path_changed.emit(path)

    def _cell_near(self, point: QPointF) -> int | None:
        cell, layout = self._place_at(point), self.board_layout()
        if cell is None:
            return None
        away = layout.cell_rect(cell).center() - point
        return cell if max(abs(away.x()), abs(away.y())) <= _NEAR * layout.pitch else None

    def _describe(self) -> None:
        focused = self._scene.focused
        if focused is not None:
            self.setAccessibleDescription(self.cell_text(focused))
        else:
            self.setAccessibleDescription(", ".join("".join(row) for row in self._scene.rows))
