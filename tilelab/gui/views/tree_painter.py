"""A search tree drawn: its boards as boards where there is room, else as marks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from tilelab.core.puzzle import Puzzle
from tilelab.core.views import Fate, SearchTree
from tilelab.gui.boards.scene import BoardLayout
from tilelab.gui.boards.tile_pictures import paint_texts
from tilelab.gui.boards.tile_texts import BoardTexts
from tilelab.gui.views.tree_layout import LEAST_CELL, Frame, TreePlaces
from tilelab.gui.widgets.text_painter import Lettering
from tilelab.gui.widgets.theme import Theme, mix, scaled, text_pixels

_MOST_MARK = 9.0
_LEAST_ROUND = 5.0
"""Pixels of a mark whose corners can be seen to be round."""
_BOARD_SHARE = 0.8
"""Of the room of a board that it takes."""
ON_PATH = "on the path"
WORDS: Mapping[Fate, str] = {
    Fate.EXPANDED: "expanded",
    Fate.OPEN: "open",
    Fate.PRUNED: "pruned",
    Fate.VISITED: "visited before",
    Fate.LEFT: "left again",
}


@dataclass(frozen=True, eq=False)
class DrawnTree:
    """A tree with all that drawing it needs, made once for each view."""

    view: SearchTree
    puzzle: Puzzle
    places: TreePlaces
    _texts: dict[int, BoardTexts] = field(default_factory=dict)

    def texts(self, node: int) -> BoardTexts:
        """Return the texts of one board; those that nobody looks at are not read."""
        if node not in self._texts:
            self._texts[node] = BoardTexts.of(self.puzzle, self.view.boards[node : node + 1])
        return self._texts[node]

    def board_side(self, frame: Frame) -> float:
        """Return the side of a board in pixels; 0 where only marks have room."""
        across, down = frame.pitch(self.places)
        side = _BOARD_SHARE * min(across, down)
        return side if side >= LEAST_CELL * max(self.puzzle.shape) else 0.0

    def node_at(self, frame: Frame, point: QPointF) -> int | None:
        """Return the board at a point, or near it."""
        if not len(self.view.g):
            return None
        lefts, tops = frame.points(self.places)
        far = np.hypot(lefts - point.x(), tops - point.y())
        nearest = int(far.argmin())
        reach = max(self.board_side(frame) * 0.6, _MOST_MARK)
        return nearest if far[nearest] <= reach else None


def paint_tree(
    painter: QPainter,
    tree: DrawnTree,
    frame: Frame,
    theme: Theme,
    marked: int | None = None,
    outlines: bool = False,
) -> None:
    """Draw a tree; marked: the board that the user has chosen."""
    view = tree.view
    lefts, tops = frame.points(tree.places)
    on_path = np.zeros(len(view.g), np.bool_)
    on_path[view.path] = True
    _paint_edges(painter, view, lefts, tops, on_path, theme)
    side = tree.board_side(frame)
    seen = frame.rect.adjusted(-side, -side, side, side)
    across, down = frame.pitch(tree.places)
    size = side or min(max(0.72 * min(across, down), 2.0), _MOST_MARK)
    inside = _inside(seen, lefts, tops)

    def place_of(node: int) -> QRectF:
        return QRectF(lefts[node] - size / 2, tops[node] - size / 2, size, size)

    if side:
        for node in np.flatnonzero(inside).tolist():
            fate = Fate(int(view.fates[node]))
            on = bool(on_path[node])
            _paint_board(painter, tree, node, place_of(node), fate, on, theme, outlines)
    else:
        for fate in Fate:
            for on in (False, True):
                alike = inside & (view.fates == fate) & (on_path == on)
                places = [place_of(node) for node in np.flatnonzero(alike).tolist()]
                paint_marks(painter, places, fate, on, theme)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    rim = 3.0 if side else 4.0
    for which, colour in ((view.current, theme.accent), (marked, theme.selection)):
        if which is not None and which >= 0 and inside[which]:
            painter.setPen(QPen(colour, 2.5))
            painter.drawRoundedRect(place_of(which).adjusted(-rim, -rim, rim, rim), 5, 5)


def _inside(rect: QRectF, lefts: np.ndarray, tops: np.ndarray) -> np.ndarray:
    across = (lefts >= rect.left()) & (lefts <= rect.right())
    return across & (tops >= rect.top()) & (tops <= rect.bottom())


def _paint_edges(
    painter: QPainter,
    view: SearchTree,
    lefts: np.ndarray,
    tops: np.ndarray,
    on_path: np.ndarray,
    theme: Theme,
) -> None:
    """Draw the lines from parents to children, those of the path last and heavier."""
    children = np.flatnonzero(view.parents >= 0)
    is_path = on_path[children] & on_path[view.parents[children]]
    for which, pen in (
        (children[~is_path], QPen(mix(theme.card, theme.outline, 0.55), 1.0)),
        (children[is_path], QPen(theme.path, 2.5)),
    ):
        painter.setPen(pen)
        above = view.parents[which]
        painter.drawLines(
            [
                QLineF(*ends)
                for ends in np.stack(
                    [lefts[above], tops[above], lefts[which], tops[which]], axis=1
                ).tolist()
            ]
        )


def _paint_board(
    painter: QPainter,
    tree: DrawnTree,
    node: int,
    place: QRectF,
    fate: Fate,
    is_path: bool,
    theme: Theme,
    outlines: bool,
) -> None:
    texts = tree.texts(node)
    layout = BoardLayout.fitted(texts.shape, place)
    paint_texts(painter, layout, texts.board(0), theme, outlines=outlines)
    mark = QRectF(0, 0, 9, 9)
    # Beside the board, so that no number lies under it.
    mark.moveCenter(place.topRight() + QPointF(4, -4))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.card)
    painter.drawEllipse(mark.adjusted(-2, -2, 2, 2))
    paint_mark(painter, mark, fate, is_path, theme)


def colour_of(fate: Fate, is_path: bool, theme: Theme) -> QColor:
    """Return the colour of a mark; its shape says the same."""
    if is_path:
        return theme.path
    colours = {Fate.OPEN: theme.accent, Fate.EXPANDED: theme.muted, Fate.PRUNED: theme.stop}
    return colours.get(fate, theme.outline)


def paint_mark(painter: QPainter, place: QRectF, fate: Fate, is_path: bool, theme: Theme) -> None:
    """Draw what became of a board: a shape and a colour for each fate."""
    paint_marks(painter, [place], fate, is_path, theme)


def paint_marks(
    painter: QPainter, places: Sequence[QRectF], fate: Fate, is_path: bool, theme: Theme
) -> None:
    """Draw the same mark at many places of one size; those of thousands of boards are quick."""
    if not places:
        return
    colour, size = colour_of(fate, is_path, theme), places[0].width()
    width = max(min(size / 5, 1.8), 0.8)
    painter.setPen(QPen(colour, width))
    painter.setBrush(colour)
    if is_path or fate in (Fate.EXPANDED, Fate.OPEN):
        if fate is Fate.OPEN and not is_path:
            painter.setBrush(theme.card)
        if size < _LEAST_ROUND:
            painter.drawRects(places)
            return
        for place in places:
            painter.drawRoundedRect(place, 2, 2)
    elif fate is Fate.PRUNED:
        painter.drawLines([QLineF(place.topLeft(), place.bottomRight()) for place in places])
        painter.drawLines([QLineF(place.bottomLeft(), place.topRight()) for place in places])
    elif fate is Fate.VISITED:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for place in places:
            painter.drawEllipse(place)
    else:
        for place in places:
            painter.drawEllipse(place.adjusted(width, width, -width, -width))


def paint_legend(painter: QPainter, rect: QRectF, view: SearchTree, theme: Theme) -> None:
    """Name the marks that a tree has, in one line from the left, as large as there is room for."""
    entries = [(fate, False, words) for fate, words in WORDS.items() if (view.fates == fate).any()]
    if len(view.path):
        entries.append((Fate.EXPANDED, True, ON_PATH))
    side, pixels = float(scaled(8)), text_pixels("small")
    text = Lettering(painter, pixels, theme.muted)
    needed = sum(side + 22 + text.width(words) for _, _, words in entries)
    if needed > rect.width():
        smaller = max(rect.width() / needed, 0.6)
        side, text = side * smaller, Lettering(painter, int(pixels * smaller), theme.muted)
    left, middle = rect.left() + 2, rect.center().y()
    for fate, is_path, words in entries:
        paint_mark(painter, QRectF(left, middle - side / 2, side, side), fate, is_path, theme)
        left += side + 6
        text.draw(QPointF(left, middle), words, align=0.0)
        left += text.width(words) + 16
