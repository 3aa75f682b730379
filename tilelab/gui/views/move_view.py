"""The move that a local search has just proposed: board before, board after, and result."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import capital, counted, labelled, number
from tilelab.core.views import ProposedMove
from tilelab.gui.boards.scene import BoardLayout, paint_ring, ring_width
from tilelab.gui.boards.tile_pictures import BoardTexts, paint_texts
from tilelab.gui.widgets.text_painter import TextPainter, scaled_room
from tilelab.gui.widgets.theme import Theme, current_theme, mix

_ARROW, _LINE = 120.0, 22.0  # width of the arrow's area in the middle, and height of a line of text
_FACTS, _FEW_FACTS = 4 * _LINE, 2 * _LINE  # height of a row of facts with the bar, and without it
_NEAR = 12.0  # least space between two facts where some can be left out
_MIN_HEIGHT = 2 * _FACTS  # below that there is no bar
_MIN_APART = 96.0  # minimum width for a board and its title
_MIN_BOARD = 24.0  # minimum height of the boards; where there is less, only the facts are shown


_BOARDS = marked("Before"), marked("Proposed")


@dataclass(frozen=True, eq=False)
class MovePicture:
    """A picture of a move and its boards; it can be drawn in any thread."""

    view: ProposedMove
    texts: BoardTexts  # texts of the board before and of the proposed board

    @property
    def words(self) -> str:
        """Description for screen readers."""
        said = [verdict(self.view), *(labelled(*fact) for fact in facts(self.view))]
        boards = [labelled(tr(word), self.texts.words(board)) for board, word in enumerate(_BOARDS)]
        return ". ".join([*said, *boards])

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        _paint_move(painter, rect, self, theme)


def move_picture(view: ProposedMove, puzzle: Puzzle) -> MovePicture:
    """Draw a move on a puzzle's board."""
    return MovePicture(view, BoardTexts.of(puzzle, np.stack([view.before, view.after])))


def verdict(view: ProposedMove) -> str:
    """Return the result of a move in words."""
    if np.array_equal(view.before, view.after):
        return tr("Nothing changes")
    return capital(tr("accepted") if view.accepted else tr("rejected"))


def facts(view: ProposedMove) -> list[tuple[str, str]]:
    """Return the facts that decided a move, as titles and texts; the probability is last."""
    gain = round(view.energy_after - view.energy_before, 9)
    sign = "+" if gain > 0 else "−" if gain < 0 else "±"
    energies = f"{number(view.energy_before)} → {number(view.energy_after)}"
    said = [(capital(tr(view.what)), energies), (tr("Change"), f"{sign}{number(abs(gain))}")]
    if view.temperature > 0:
        said.append((tr("Temperature"), figures(view.temperature, ".3g")))
    if view.n_compared > 1:
        said.append((tr("Best of"), counted(view.n_compared, "move")))
    if view.n_forbidden:
        said.append((tr("Tabu"), counted(view.n_forbidden, "move")))
    return [*said, (tr("Probability"), percent(view.odds))]


def percent(share: float) -> str:
    """Write a probability in percent; small ones are not 0 %, large ones not 100 %."""
    rounded = figures(100 * share, ".3g")
    if share and share < 1e-4:
        return tr("below 0.01 %")
    return tr("above 99.9 %") if 0.999 < share < 1 else tr("{number} %", number=rounded)


def _paint_move(painter: QPainter, rect: QRectF, picture: MovePicture, theme: Theme) -> None:
    """Draw both boards with an arrow between them, and the facts below."""
    view, texts = picture.view, picture.texts
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    below = _paint_facts(painter, rect, facts(view), view.odds, theme)
    arrow = min(_ARROW, rect.width() * 0.24)
    height = rect.height() - below - _LINE
    if height < _MIN_BOARD:
        return
    n_rows, n_cols = texts.shape
    # In a wide and low rectangle, the boards stay side by side.
    width = min((rect.width() - arrow) / 2, max(height * n_cols / n_rows, _MIN_APART))
    left = rect.center().x() - arrow / 2 - width
    room = QRectF(left, rect.top() + _LINE, width, height)
    rooms = room, room.translated(room.width() + arrow, 0)
    layouts = [BoardLayout.fitted(texts.shape, place) for place in rooms]
    changed = np.flatnonzero(view.before != view.after).tolist()
    strong = TextPainter(painter, 13, theme.text, strong=True)
    colour, top = theme.accent if view.accepted else theme.stop, rect.top() + 8
    for board, layout in enumerate(layouts):
        lit = mix(theme.tile_face, colour if board else theme.outline, 0.35)
        faces = [lit if cell in changed else None for cell in range(len(view.before))]
        paint_texts(painter, layout, texts.board(board), theme, faces)
        pen = QPen(colour if board else theme.outline, ring_width(layout) * 1.2)
        if not (board and view.accepted):
            pen.setStyle(Qt.PenStyle.DashLine)
        for cell in changed:
            paint_ring(painter, layout, cell, pen)
        middle = layout.left + layout.n_cols * layout.pitch / 2
        strong.draw(QPointF(middle, max(layout.top - 18, top)), tr(_BOARDS[board]))
    y = layouts[0].top + layouts[0].n_rows * layouts[0].pitch / 2
    begin = layouts[0].left + layouts[0].n_cols * layouts[0].pitch + 14
    _paint_arrow(painter, QPointF(begin, y), QPointF(layouts[1].left - 18, y), view, theme)
    word = TextPainter(painter, 13, colour, strong=True)
    middle, said = (begin + layouts[1].left - 18) / 2, verdict(view)
    lines = [said] if word.width(said) <= layouts[1].left - begin else said.split()
    for line, text in enumerate(reversed(lines)):
        word.draw(QPointF(middle, max(y - 24 - 16 * line, top)), text)


def _paint_arrow(
    painter: QPainter, begin: QPointF, end: QPointF, view: ProposedMove, theme: Theme
) -> None:
    """Draw an arrow to an accepted board, or a dashed one that ends at a bar."""
    colour = theme.accent if view.accepted else theme.stop
    pen = QPen(colour, 3.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
    painter.setBrush(colour)
    if view.accepted:
        painter.setPen(pen)
        painter.drawLine(begin, end - QPointF(8, 0))
        painter.setPen(Qt.PenStyle.NoPen)
        back = end - QPointF(13, 0)
        painter.drawPolygon([end, back + QPointF(0, 8), back - QPointF(0, 8)])
        return
    pen.setDashPattern([2.0, 1.5])
    painter.setPen(pen)
    stop = begin + (end - begin) * 0.62
    painter.drawLine(begin, stop)
    pen.setStyle(Qt.PenStyle.SolidLine)
    painter.setPen(pen)
    painter.drawLine(stop - QPointF(0, 10), stop + QPointF(0, 10))


def _paint_facts(
    painter: QPainter, rect: QRectF, said: Sequence[tuple[str, str]], odds: float, theme: Theme
) -> float:
    """Write the facts at the foot of a rectangle, and the probability as a bar below.

    Facts without room side by side take a second row, or are left out, and so is the bar, where the
    rectangle is low. Returns the height.
    """
    title = TextPainter(painter, 12, theme.muted)
    text = TextPainter(painter, 13, theme.text, strong=True)
    has_bar = rect.height() >= _MIN_HEIGHT
    others = list(said[:-1] if has_bar else said)

    def widths(row: Sequence[tuple[str, str]]) -> list[float]:
        return [max(title.width(name), text.width(value)) for name, value in row]

    def is_wide(row: Sequence[tuple[str, str]]) -> bool:
        return len(row) > 1 and sum(widths(row)) + _NEAR * (len(row) - 1) > rect.width()

    rows = [others]
    if is_wide(others) and rect.height() >= _MIN_HEIGHT + _FEW_FACTS:
        half = (len(others) + 1) // 2
        rows = [others[:half], others[half:]]
    for row in rows:
        while is_wide(row):
            row.pop(-1 if has_bar or len(row) < 3 else -2)  # without the bar, the last one stays
    below = (_FACTS if has_bar else _FEW_FACTS) + _FEW_FACTS * (len(rows) - 1)
    y = rect.bottom() - below
    for row in rows:
        wide = widths(row)
        apart = min(36.0, (rect.width() - sum(wide)) / max(len(wide) - 1, 1))
        x = rect.center().x() - (sum(wide) + apart * (len(wide) - 1)) / 2
        for (name, value), width in zip(row, wide, strict=True):
            title.draw(QPointF(x + width / 2, y + _LINE * 0.8), name)
            text.draw(QPointF(x + width / 2, y + _LINE * 1.6), value)
            x += width + apart
        y += _FEW_FACTS
    if has_bar:
        bar = QRectF(rect.left(), y + _LINE - 5, rect.width(), 10)
        _paint_bar(painter, bar, said[-1], odds, (title, text), theme)
    return below


def _paint_bar(
    painter: QPainter,
    rect: QRectF,
    said: tuple[str, str],
    odds: float,
    texts: tuple[TextPainter, TextPainter],
    theme: Theme,
) -> None:
    """Draw a probability as a bar between its title and its text; texts: their painters."""
    title, text = texts
    left, right = title.width(said[0]) + 10, text.width(tr("below 0.01 %")) + 10
    length = max(min(rect.width() - left - right, 260.0), 20.0)
    x, y = rect.center().x() - (left + length + right) / 2, rect.center().y()
    title.draw(QPointF(x, y), said[0], align=0.0)
    bar = QRectF(x + left, rect.top(), length, rect.height())
    painter.setPen(QPen(theme.outline, 1.0))
    painter.setBrush(theme.grid)
    painter.drawRoundedRect(bar, 5, 5)
    if odds > 0:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.accent)
        bar.setWidth(max(length * odds, 4.0))
        painter.drawRoundedRect(bar.adjusted(1, 1, -1, -1), 4, 4)
    text.draw(QPointF(x + left + length + 10, y), said[1], align=0.0)


class MoveView(QWidget):
    """A view of a proposed move, whether it was made, and its probability."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("move_view")
        self.setAccessibleName(tr("Proposed move"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._picture: MovePicture | None = None

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 180)

    def show_view(self, view: ProposedMove, puzzle: Puzzle) -> None:
        self._picture = move_picture(view, puzzle)
        self.setAccessibleDescription(self._picture.words)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            scale, room = scaled_room(self.size())
            painter.scale(scale, scale)
            self.paint(painter, room, current_theme())

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        if self._picture is not None:
            self._picture.paint(painter, rect, theme)
