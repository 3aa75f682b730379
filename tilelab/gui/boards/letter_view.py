"""The board on the screen: tiles tinted by usage, a word's path, and one selected cell."""

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import HOLE
from tilelab.gui.boards.cell_view import CellView
from tilelab.gui.boards.letter_painter import BoardScene
from tilelab.gui.widgets.access import CHOOSE, STEPS
from tilelab.gui.widgets.text_painter import TextPainter
from tilelab.gui.widgets.theme import current_theme, scaled, text_font, text_pixels

NO_BOARD = marked("No board yet. Press GO to begin.")
_BAR_WIDTH, _BAR_HEIGHT, _NEAR = 56, 8, 6


class BoardView(CellView[BoardScene]):
    """A view of a letter board.

    The arrows move the keyboard's cell, Enter or Space chooses it, Escape chooses none.
    """

    cell_clicked = Signal(object)
    """Emitted with the cell that the user chose, or None when the choice was cleared."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(BoardScene(), parent)
        self._empty_text = tr(NO_BOARD)
        self._describe()

    def set_empty_text(self, text: str) -> None:
        """Set the text that is shown when there is no board."""
        if text != self._empty_text:
            self._empty_text = text
            self._describe()
            self.update()

    def set_board(
        self, rows: Sequence[Sequence[str]], usage: NDArray[np.int32] | None = None
    ) -> None:
        """Show a board; another shape clears the path and the selection.

        rows: strings of equal length with one symbol per cell, or the texts of the cells; () for no
        board.
        usage: int32 (rows * cols,), number of uses of each cell; None leaves the tiles plain.
        """
        if len({len(row) for row in rows}) > 1:
            # Qt does not survive an error while painting, and a plug-in's text may cause one.
            raise ValueError("the rows of a board have one length")
        scene = BoardScene(rows=tuple(rows), usage=None if usage is None else usage.copy())
        if scene.shape == self._scene.shape:
            scene = dataclasses.replace(self._scene, rows=scene.rows, usage=scene.usage)
        self._show(scene)
        self.updateGeometry()

    def set_path(self, cells: Sequence[int] | None) -> None:
        """Draw the path of a word over the board; None or an empty path removes it."""
        self._show(dataclasses.replace(self._scene, path=tuple(cells or ())))

    def cell_text(self, cell: int) -> str:
        """Describe a cell in words: ``row 2, column 3: E, used 14 times``."""
        row, col = divmod(cell, self._scene.shape[1])
        symbol = self._scene.symbol(cell)
        text = tr(
            "row {row}, column {col}: {symbol}",
            row=row + 1,
            col=col + 1,
            symbol=tr("hole") if symbol == HOLE else symbol,
        )
        if self._scene.usage is None or symbol == HOLE:
            return text
        n_uses = int(self._scene.usage[cell])
        counted = {0: tr("not used"), 1: tr("used once")}.get(
            n_uses, tr("used {n_uses} times", n_uses=figures(n_uses, ","))
        )
        return f"{text}, {counted}"

    def minimumSizeHint(self) -> QSize:
        return QSize(scaled(200), scaled(200))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._scene.n_cells:
            painter = QPainter(self)
            painter.setFont(text_font())
            painter.setPen(current_theme().muted)
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.rect().adjusted(16, 16, -16, -16), flags, self._empty_text)
            painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or not self._scene.n_cells:
            super().mousePressEvent(event)
            return
        cell = self._place_at(event.position())
        self._mark(focused=None)
        self._choose(None if cell == self._scene.selected else cell)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        scene = self._scene
        if not scene.n_cells:
            super().keyPressEvent(event)
        elif key in STEPS:
            self._move_focus(key, scene.selected)
        elif key in CHOOSE and scene.focused is not None:
            self._choose(None if scene.focused == scene.selected else scene.focused)
        elif key == Qt.Key.Key_Escape and scene.selected is not None:
            self._choose(None)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        by_keyboard = event.reason() in (
            Qt.FocusReason.TabFocusReason,
            Qt.FocusReason.BacktabFocusReason,
            Qt.FocusReason.ShortcutFocusReason,
        )
        if by_keyboard and self._scene.n_cells:
            self._mark(focused=self._scene.selected or 0)
        super().focusInEvent(event)

    def _show(self, scene: BoardScene) -> None:
        super()._show(scene)
        self._describe()

    def _describe(self) -> None:
        scene = self._scene
        if not scene.n_cells:
            text = self._empty_text
        elif scene.focused is not None:
            text = self.cell_text(scene.focused)
        else:
            n_rows, n_cols = scene.shape
            text = tr(
                "{n_rows} rows, {n_cols} columns: {rows}",
                n_rows=n_rows,
                n_cols=n_cols,
                rows=", ".join(map("".join, scene.rows)),
            )
        if self.accessibleDescription() != text:
            self.setAccessibleDescription(text)

    def _choose(self, cell: int | None) -> None:
        if cell != self._scene.selected:
            self._mark(selected=cell)
            self.cell_clicked.emit(cell)


class HeatLegend(QWidget):
    """A legend of the usage, a strip from pale to warm; it is empty without a board."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._most: int | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setToolTip(
            tr(
                "<p>The warmer a cell, the more words use it (Schafer 1999, step 5). Point at "
                "a tile to see the number.</p>"
            )
        )

    def set_most(self, most: int | None) -> None:
        """Set the usage of the most used cell; None for a board without usage."""
        if most != self._most:
            self._most = most
            self.setAccessibleName(
                "" if most is None else tr("Usage of a cell, 0 to {maximum}", maximum=most)
            )
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(text_font("small"))
        width = sum(metrics.horizontalAdvance(text) for text in self._texts())
        return QSize(round(width) + _BAR_WIDTH + 3 * _NEAR, scaled(20))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._most is None:
            return
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        text = TextPainter(painter, text_pixels("small"), theme.muted)
        left, middle = 0.0, self.height() / 2
        before, after = self._texts()
        text.draw(QPointF(left, middle), before, align=0.0)
        left += text.width(before) + _NEAR
        strip = QRectF(left, middle - _BAR_HEIGHT / 2, _BAR_WIDTH, _BAR_HEIGHT)
        tint = QLinearGradient(strip.topLeft(), strip.topRight())
        tint.setColorAt(0, theme.tile_face)
        tint.setColorAt(1, theme.tile_heat)
        painter.setPen(theme.tile_edge)
        painter.setBrush(tint)
        painter.drawRoundedRect(strip, _BAR_HEIGHT / 2, _BAR_HEIGHT / 2)
        text.draw(QPointF(strip.right() + _NEAR, middle), after, align=0.0)
        painter.end()

    def _texts(self) -> tuple[str, str]:
        return tr("usage 0"), "" if self._most is None else f"{figures(self._most, ',')}"
