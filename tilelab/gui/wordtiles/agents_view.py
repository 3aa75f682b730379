"""The boards of all agents, small, side by side."""

import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from tilelab.core.symbols import shown
from tilelab.core.wording import number
from tilelab.gui.boards.cell_view import CHOOSE, STEPS, PointedView
from tilelab.gui.boards.scene import BoardLayout, letter_pixels, paint_ground, paint_letter_tile
from tilelab.gui.widgets.text_painter import Lettering
from tilelab.gui.widgets.theme import Theme, current_theme

MOST_AGENTS = 64
SMALLEST_TILE = 9.0
"""Pixels; so many boards are shown that their letters can still be read."""
REFRESH_MILLISECONDS = 100
_GAP, _LINE = 8.0, 18.0


class AgentsView(PointedView):
    """Shows boards and their values, as many as can be read; drawn at most ten times a second.

    The arrows move the keyboard's place, Enter or Space chooses it.
    """

    agent_chosen = Signal(int)
    """An agent was clicked, counted from 0."""
    count_changed = Signal()
    """More or fewer boards find room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("agents_view")
        self.setAccessibleName("Agents")
        self._boards: NDArray[np.uint8] = np.empty((0, 4), np.uint8)
        self._values: NDArray[np.float64] = np.empty(0)
        self._letters, self._cols = "", 2
        self._n_shown, self._n_columns = 0, 1
        self._arranged: tuple[object, ...] = ()
        """The room that the places were found for."""
        self._tiles: dict[int, QPixmap] = {}
        self._tiles_of: tuple[object, ...] = ()
        self._hovered_agent: int | None = None
        self._focused: int | None = None
        self._timer = QTimer(self, singleShot=True, interval=REFRESH_MILLISECONDS)
        self._timer.timeout.connect(self.update)

    @property
    def n_shown(self) -> int:
        """How many boards are drawn."""
        return self._n_shown

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
        self._arrange()
        texts = ", ".join(number(value) for value in self._values.tolist())
        said = f"{len(self._values)} boards of the values {texts}" if texts else ""
        self.setAccessibleDescription(said)
        if not self._timer.isActive():
            self._timer.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = current_theme()
        values = self._values[: self._n_shown]
        top = values.max(initial=0.0)
        for agent, value in enumerate(values.tolist()):
            place = self._place(agent)
            layout = self._layout_in(place)
            self._paint_board(painter, layout, self._boards[agent], theme)
            foot = layout.cell_rect(len(self._boards[agent]) - 1).bottom()
            below = QPointF(place.center().x(), foot + layout.pitch - layout.tile + _LINE / 2)
            colour = theme.accent if value == top else theme.muted
            Lettering(painter, 12, colour, strong=value == top).draw(below, number(value))
            if agent in (self._hovered, self._focused):
                painter.setPen(QPen(theme.selection if agent == self._focused else theme.outline))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.end()

    def _paint_board(
        self, painter: QPainter, layout: BoardLayout, cells: NDArray[np.uint8], theme: Theme
    ) -> None:
        """Draw a board from ready pictures of its tiles: there are many, many times a second."""
        paint_ground(painter, layout, theme)
        looks = (layout.tile, self._letters, theme.name, self.devicePixelRatioF())
        if looks != self._tiles_of:
            self._tiles, self._tiles_of = {}, looks
        for cell, tile in enumerate(cells.tolist()):
            if tile:
                if tile not in self._tiles:
                    self._tiles[tile] = self._picture(layout, self._letters[tile - 1], theme)
                painter.drawPixmap(layout.cell_rect(cell).topLeft(), self._tiles[tile])

    def _picture(self, layout: BoardLayout, letter: str, theme: Theme) -> QPixmap:
        ratio = self.devicePixelRatioF()
        side = round(layout.tile * ratio)
        pixmap = QPixmap(side, side)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        square = QRectF(0, 0, layout.tile, layout.tile)
        paint_letter_tile(painter, layout, square, 0.0, theme)
        middle = square.center() - QPointF(0, layout.edge / 2)
        Lettering(painter, letter_pixels(layout), theme.tile_ink, strong=True).draw(
            middle, shown(letter)
        )
        painter.end()
        return pixmap

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        agent = self._place_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and agent is not None:
            self.agent_chosen.emit(agent)
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in STEPS and self.n_shown:
            row_step, col_step = STEPS[key]
            step = row_step * self._n_columns + col_step
            start = 0 if self._focused is None else self._focused + step
            self._focused = min(max(start, 0), self.n_shown - 1)
            self.update()
        elif key in CHOOSE and self._focused is not None:
            self.agent_chosen.emit(self._focused)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._focused = None
        self.update()
        super().focusOutEvent(event)

    def _place_at(self, point: QPointF) -> int | None:
        places = ((agent, self._place(agent)) for agent in range(self.n_shown))
        return next((agent for agent, place in places if place.contains(point)), None)

    @property
    def _hovered(self) -> int | None:
        return self._hovered_agent

    def _mark_hovered(self, place: int | None) -> None:
        self._hovered_agent = place
        self.update()

    def _arrange(self) -> None:
        """Find room for as many boards as can be read, each as large as can be."""
        room = (self.size().toTuple(), self._boards.shape, self._cols)
        if room == self._arranged:
            return
        self._arranged = room
        before = self._n_shown
        self._n_shown, self._n_columns = len(self._boards), 1
        while self._n_shown:
            sides = {n: self._pitch(n) for n in range(1, self._n_shown + 1)}
            self._n_columns = max(sides, key=lambda n: sides[n])
            if self._n_shown == 1 or self._layout_in(self._place(0)).tile >= SMALLEST_TILE:
                break
            self._n_shown -= 1
        if self._n_shown != before:
            self.count_changed.emit()

    def _pitch(self, n_columns: int) -> float:
        """The room of a tile when boards stand in so many columns."""
        place = self._place_in(0, n_columns)
        n_rows = len(self._boards[0]) // self._cols
        return min(place.width() / self._cols, (place.height() - _LINE) / n_rows)

    def _place(self, agent: int) -> QRectF:
        return self._place_in(agent, self._n_columns)

    def _place_in(self, agent: int, n_columns: int) -> QRectF:
        n_lines = math.ceil(self._n_shown / n_columns)
        width = (self.width() - _GAP * (n_columns - 1)) / n_columns
        height = (self.height() - _GAP * (n_lines - 1)) / n_lines
        line, column = divmod(agent, n_columns)
        return QRectF(column * (width + _GAP), line * (height + _GAP), width, height)

    def _layout_in(self, place: QRectF) -> BoardLayout:
        shape = (len(self._boards[0]) // self._cols, self._cols)
        return BoardLayout.fitted(shape, place.adjusted(0, 0, 0, -_LINE))
