"""The agents of a colony: their boards, who stays loyal to its own, and who follows whom."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from tilelab.core.puzzle import Puzzle
from tilelab.core.views import Agents
from tilelab.core.wording import counted, number
from tilelab.gui.boards.scene import BoardLayout
from tilelab.gui.boards.tile_texts import BoardTexts
from tilelab.gui.views.small_boards import Foot, SmallBoards
from tilelab.gui.widgets.theme import Theme, current_theme

_FOOT_WIDTH = 88.0
"""Pixels of the longest text below a board."""
_NOTE = "In percent: the chance to stay loyal"


class AgentsView(SmallBoards):
    """Shows the boards of all agents, with lines from each to the one that it follows.

    Those of the agent that mouse or keyboard points at are strong.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Agent", parent)
        self.setObjectName("agents_view")
        self.setAccessibleName("Agents")
        self._agents: Agents | None = None

    def show_view(self, view: Agents, puzzle: Puzzle) -> None:
        """Show the agents after another slide."""
        self._agents = view
        top = view.values.max(initial=0.0)
        feet = [
            Foot(
                f"{agent + 1}",
                number(value),
                value == top,
                _choice(view, agent),
                bool(view.loyal[agent]),
            )
            for agent, value in enumerate(view.values.tolist())
        ]
        n_loyal = int(view.loyal.sum())
        words = f"Slide {view.slide:,}: {counted(len(feet), 'agent')}, {n_loyal:,} loyal"
        self.show_boards(BoardTexts.of(puzzle, view.boards), feet, words, _FOOT_WIDTH, _NOTE)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._agents is not None and self.pointed is not None:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            pen = QPen(current_theme().selection, 2.5)
            places = self.places()
            for agent, followed in self._followings(places.n_shown):
                if self.pointed in (agent, followed):
                    _paint_line(painter, places.layout(agent), places.layout(followed), pen)
            painter.end()

    def _paint_ground(
        self, painter: QPainter, layouts: Sequence[BoardLayout], theme: Theme
    ) -> None:
        for agent, followed in self._followings(len(layouts)):
            _paint_line(painter, layouts[agent], layouts[followed], QPen(theme.path, 1.3))

    def _followings(self, n_shown: int) -> list[tuple[int, int]]:
        """Return who follows whom, of the agents that are shown."""
        if self._agents is None:
            return []
        pairs = enumerate(self._agents.follows.tolist())
        return [pair for pair in pairs if pair[0] != pair[1] and max(pair) < n_shown]


def _choice(view: Agents, agent: int) -> str:
    followed = int(view.follows[agent])
    what = "loyal" if view.loyal[agent] else f"follows {followed + 1}"
    return f"{what} · {view.chances[agent]:.0%}"


def _paint_line(painter: QPainter, begin: BoardLayout, end: BoardLayout, pen: QPen) -> None:
    """A line between two boards, with its head at the rim of the one that is followed."""
    start, stop = _tray(begin).center(), _tray(end).center()
    start, stop = _at_rim(_tray(begin), stop), _at_rim(_tray(end), start)
    along = stop - start
    length = max((along.x() ** 2 + along.y() ** 2) ** 0.5, 1.0)
    along /= length
    across, back = QPointF(-along.y(), along.x()) * 4.0, stop - along * 8.0
    painter.setPen(pen)
    painter.drawLine(start, back)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(pen.color())
    painter.drawEllipse(start, 2.5, 2.5)
    painter.drawPolygon([stop, back + across, back - across])


def _tray(layout: BoardLayout) -> QRectF:
    rim = layout.pitch * 0.12 + 1
    tray = QRectF(
        layout.left, layout.top, layout.n_cols * layout.pitch, layout.n_rows * layout.pitch
    )
    return tray.adjusted(-rim, -rim, 0, 0)


def _at_rim(tray: QRectF, other: QPointF) -> QPointF:
    """Return where the line from the middle of a board to a point leaves the board."""
    way = other - tray.center()
    parts = [
        half / abs(step)
        for half, step in ((tray.width() / 2, way.x()), (tray.height() / 2, way.y()))
        if step
    ]
    return tray.center() + way * min([*parts, 1.0])
