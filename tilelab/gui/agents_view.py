"""The boards of all agents, small, side by side."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from tilelab.gui.board_picture import BoardLayout
from tilelab.gui.drawing import Lettering
from tilelab.gui.theme import current_theme
from tilelab.gui.tile_picture import TileScene, paint_tiles
from tilelab.runs.wording import number

MOST_AGENTS = 49
"""More boards than that could not be told apart."""
REFRESH_MILLISECONDS = 100
_GAP, _LINE = 8.0, 18.0
_STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
_CHOOSE = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class AgentsView(QWidget):
    """Shows boards and their values; drawn at most ten times a second.

    The arrows move the keyboard's place, Enter or Space chooses it.
    """

    agent_chosen = Signal(int)
    """An agent was clicked, counted from 0."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("agents_view")
        self.setAccessibleName("Agents")
        self._boards: NDArray[np.uint8] = np.empty((0, 4), np.uint8)
        self._values: NDArray[np.float64] = np.empty(0)
        self._letters, self._cols = "", 2
        self._hovered: int | None = None
        self._focused: int | None = None
        self._timer = QTimer(self, singleShot=True, interval=REFRESH_MILLISECONDS)
        self._timer.timeout.connect(self.update)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    @property
    def n_shown(self) -> int:
        """How many boards are drawn."""
        return len(self._boards)

    def show_agents(
        self,
        boards: NDArray[np.uint8],
        values: NDArray[np.float64],
        letters: str,
        cols: int,
    ) -> None:
        """Show the first of some boards, uint8 (n, cells), with values, float64 (n,)."""
        self._boards, self._values = boards[:MOST_AGENTS], values[:MOST_AGENTS]
        self._letters, self._cols = letters, cols
        self.setAccessibleDescription(_described(self._values.tolist()))
        if not self._timer.isActive():
            self._timer.start()

    def agent_at(self, point: QPointF) -> int | None:
        """Return the agent under a point."""
        for agent in range(self.n_shown):
            if self._place(agent).contains(point):
                return agent
        return None

    def sizeHint(self) -> QSize:
        return QSize(480, 400)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 180)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = current_theme()
        top = self._values.max(initial=0.0)
        for agent, value in enumerate(self._values.tolist()):
            place = self._place(agent)
            board = place.adjusted(0, 0, 0, -_LINE)
            scene = TileScene(self._boards[agent], None, self._cols, letters=self._letters)
            layout = BoardLayout.fitted(scene.shape, board)
            paint_tiles(painter, layout, scene, theme)
            best = value == top
            below = QPointF(place.center().x(), place.bottom() - _LINE / 2)
            colour = theme.accent if best else theme.muted
            Lettering(painter, 12, colour, strong=best).draw(below, number(value))
            if agent in (self._hovered, self._focused):
                painter.setPen(QPen(theme.selection if agent == self._focused else theme.outline))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(place, 6, 6)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self.update()
        super().changeEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.agent_at(event.position()))
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        agent = self.agent_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and agent is not None:
            self.agent_chosen.emit(agent)
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _STEPS and self.n_shown:
            row_step, col_step = _STEPS[key]
            step = row_step * self._n_columns() + col_step
            start = 0 if self._focused is None else self._focused + step
            self._focused = min(max(start, 0), self.n_shown - 1)
            self.update()
        elif key in _CHOOSE and self._focused is not None:
            self.agent_chosen.emit(self._focused)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._focused = None
        self.update()
        super().focusOutEvent(event)

    def _hover(self, agent: int | None) -> None:
        if agent != self._hovered:
            self._hovered = agent
            pointing = Qt.CursorShape.PointingHandCursor
            self.setCursor(Qt.CursorShape.ArrowCursor if agent is None else pointing)
            self.update()

    def _n_columns(self) -> int:
        """So many columns that the boards are as large as can be."""
        n_rows = len(self._boards[0]) // self._cols
        width, height = max(self.width(), 1), max(self.height(), 1)

        def side(n_columns: int) -> float:
            n_lines = math.ceil(self.n_shown / n_columns)
            across = (width - _GAP * (n_columns - 1)) / n_columns / self._cols
            return min(across, ((height - _GAP * (n_lines - 1)) / n_lines - _LINE) / n_rows)

        return max(range(1, self.n_shown + 1), key=side)

    def _place(self, agent: int) -> QRectF:
        n_columns = self._n_columns()
        n_lines = math.ceil(self.n_shown / n_columns)
        width = (self.width() - _GAP * (n_columns - 1)) / n_columns
        height = (self.height() - _GAP * (n_lines - 1)) / n_lines
        line, column = divmod(agent, n_columns)
        return QRectF(column * (width + _GAP), line * (height + _GAP), width, height)


def _described(values: Sequence[float]) -> str:
    if not values:
        return ""
    texts = ", ".join(number(value) for value in values)
    return f"{len(values)} boards of the values {texts}"
