"""Draw a search tree, with boards where there is room, or else with marks."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QByteArray, QDataStream, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import capital, number
from tilelab.core.views import Fate, SearchTree
from tilelab.gui.boards.scene import MIN_PITCH, BoardLayout
from tilelab.gui.boards.tile_pictures import BoardTexts, paint_texts
from tilelab.gui.widgets.text_painter import TextPainter, wrapped
from tilelab.gui.widgets.theme import Theme, mix, pixel_font, scaled, text_pixels

_MAX_MARK = 9.0
_MIN_ROUND = 5.0  # smallest mark in pixels with visibly round corners
_MIN_HOLE = 2.0  # smallest visible hole in an open board's mark, in pixels
_MIN_SLANT = 1.5
"""Smallest slant in pixels of an antialiased line. Most lines of a wide tree are steeper, and
antialiasing them doubles the time.
"""
_LEGEND_GAP = 16  # pixels between two entries of the legend
_AFTER_MARK = 6  # pixels between a mark of the legend and its words
_ROUND_LEGEND = 12  # pixels of the legend above and below its text
_BOARD_SHARE = 0.74  # part of its area that a board takes; its f is above
ON_PATH = marked("on the path")
WORDS: Mapping[Fate, str] = {
    Fate.EXPANDED: "expanded",
    Fate.OPEN: "open",
    Fate.PRUNED: marked("pruned"),
    Fate.VISITED: marked("visited before"),
    Fate.LEFT: marked("left again"),
}
MAX_PITCH = 84.0
"""Largest distance between boards when the whole tree is in view, in pixels at the usual text size.
"""
_MIN_RANK = 9  # smallest legible f above a board, in pixels
_RANK_SHARE = 0.24  # height of its f as a part of the side of a board
_RINGS = 8.0  # height of the rings between a board and the one above, in pixels
_BETWEEN_SIDES = 1.0  # number of layers between the two trees of a bidirectional search
_Entry = tuple[Fate | None, bool, str]
"""Entry of a legend: mark or none, whether it is on the path, and words."""
_BEFORE_LEGEND = 2  # pixels at its left
_ELEMENT = np.dtype([("kind", ">i4"), ("left", ">f8"), ("top", ">f8")])
_MOVE_TO, _LINE_TO = 0, 1


@dataclass(frozen=True, eq=False)
class TreePlaces:
    """Places of boards in columns and layers; a frame converts them to pixels."""

    columns: NDArray[np.float64]  # middle of each board, (n,); a leaf is one column wide
    layers: NDArray[np.float64]
    """Layer of each board, (n,), from 0 at the start; the tree from the goal is upside down."""
    n_columns: float
    n_layers: float


def tree_places(view: SearchTree) -> TreePlaces:
    """Find a place for each board of a tree."""
    n = len(view.g)
    if not n:
        return TreePlaces(np.empty(0), np.empty(0), 1.0, 1.0)
    parents = view.parents.tolist()
    # A board reached again by a shorter path has a parent that was created later.
    order = np.lexsort((np.arange(n), view.g)).tolist()
    widths = [0.0] * n
    for node in reversed(order):
        widths[node] = widths[node] or 1.0
        if parents[node] >= 0:
            widths[parents[node]] += widths[node]
    columns, free = np.empty(n), [0.0] * n
    ends = [0.0, 0.0]  # column where the next tree of each side begins
    sides = view.sides.tolist()
    for node in order:
        parent = parents[node]
        if parent >= 0:
            left, free[parent] = free[parent], free[parent] + widths[node]
        else:
            left, ends[sides[node]] = ends[sides[node]], ends[sides[node]] + widths[node]
        free[node] = left
        columns[node] = left + widths[node] / 2
    n_columns = max(ends)
    layers = view.g.astype(np.float64)
    is_there = view.sides == 1
    n_layers = layers[~is_there].max(initial=0.0) + 1
    if is_there.any():
        n_layers += _BETWEEN_SIDES + layers[is_there].max() + 1
        layers[is_there] = n_layers - 1 - layers[is_there]
        for side, mask in enumerate((~is_there, is_there)):
            columns[mask] += (n_columns - ends[side]) / 2
    return TreePlaces(columns, layers, n_columns, float(n_layers))


@dataclass(frozen=True)
class Frame:
    """Conversion of columns and layers to pixels."""

    rect: QRectF
    zoom: float = 1.0  # zoom factor; 1 shows the whole tree
    shift: QPointF = field(default_factory=QPointF)
    """Offset of the tree's middle from the middle of the area."""

    def pitch(self, places: TreePlaces) -> tuple[float, float]:
        """Return the pixels from one column to the next, and from one layer to the next."""
        most = scaled(MAX_PITCH)
        across = min(self.rect.width() / places.n_columns, most)
        down = min(self.rect.height() / places.n_layers, most)
        return across * self.zoom, down * self.zoom

    def points(self, places: TreePlaces) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the middles of the boards, from the left and from the top."""
        across, down = self.pitch(places)
        middle = self.rect.center() + self.shift
        return (
            middle.x() + (places.columns - places.n_columns / 2) * across,
            middle.y() + (places.layers + 0.5 - places.n_layers / 2) * down,
        )

    def zoomed(self, factor: float, about: QPointF) -> "Frame":
        zoom = min(max(self.zoom * factor, 1.0), 400.0)
        if zoom == 1.0:
            return Frame(self.rect)
        centre = self.rect.center()
        shift = about - centre - (about - centre - self.shift) * (zoom / self.zoom)
        return Frame(self.rect, zoom, shift)


@dataclass(frozen=True, eq=False)
class DrawnTree:
    """A tree with all data for drawing, made once for each view."""

    view: SearchTree
    puzzle: Puzzle
    places: TreePlaces
    _texts: dict[int, BoardTexts] = field(default_factory=dict)

    def texts(self, node: int) -> BoardTexts:
        """Return the texts of a board, which are read only when needed."""
        if node not in self._texts:
            self._texts[node] = BoardTexts.of(self.puzzle, self.view.boards[node : node + 1])
        return self._texts[node]

    def board_side(self, frame: Frame) -> float:
        """Return the side of a board in pixels; 0 if there is only room for marks."""
        across, down = frame.pitch(self.places)
        side = _BOARD_SHARE * min(across, down)
        # Without room for legible tiles, it is drawn as a mark.
        return side if side >= MIN_PITCH * max(self.puzzle.shape) else 0.0

    def node_at(self, frame: Frame, point: QPointF) -> int | None:
        """Return the board at a point, or near it."""
        if not len(self.view.g):
            return None
        lefts, tops = frame.points(self.places)
        far = np.hypot(lefts - point.x(), tops - point.y())
        nearest = int(far.argmin())
        reach = max(self.board_side(frame) * 0.6, _MAX_MARK)
        return nearest if far[nearest] <= reach else None


def paint_tree(
    painter: QPainter, tree: DrawnTree, frame: Frame, theme: Theme, *marked: int | None
) -> None:
    """Draw a tree; marked: boards with a ring, such as the selected one."""
    view = tree.view
    lefts, tops = frame.points(tree.places)
    on_path = np.zeros(len(view.g), np.bool_)
    on_path[view.path] = True
    side = tree.board_side(frame)
    seen = frame.rect.adjusted(-side, -side, side, side)
    across, down = frame.pitch(tree.places)
    size = side or min(max(0.72 * min(across, down), 2.0), _MAX_MARK)
    inside = _inside(seen, lefts, tops)
    _paint_edges(painter, view, seen, lefts, tops, on_path, theme)

    def place_of(node: int) -> QRectF:
        return QRectF(lefts[node] - size / 2, tops[node] - size / 2, size, size)

    if side:
        for node in np.flatnonzero(inside).tolist():
            fate = Fate(int(view.fates[node]))
            on = bool(on_path[node])
            _paint_board(painter, tree, node, place_of(node), fate, on, theme)
    else:
        for fate in Fate:
            for on in (False, True):
                alike = inside & (view.fates == fate) & (on_path == on)
                paint_marks(painter, lefts[alike], tops[alike], size, fate, on, theme)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    rim = 3.0 if side else 4.0
    rings = [(which, theme.selection) for which in marked]
    for which, colour in ((view.newest, theme.accent), *rings):
        if which is not None and which >= 0 and inside[which]:
            painter.setPen(QPen(colour, 2.5))
            painter.drawRoundedRect(place_of(which).adjusted(-rim, -rim, rim, rim), 5, 5)


def _inside(rect: QRectF, lefts: np.ndarray, tops: np.ndarray) -> np.ndarray:
    across = (lefts >= rect.left()) & (lefts <= rect.right())
    return across & (tops >= rect.top()) & (tops <= rect.bottom())


def points_of(lefts: NDArray[np.float64], tops: NDArray[np.float64]) -> QPolygonF:
    """Convert points, each array (n,), to the argument of drawPoints.

    Creating a Qt object for each takes longer than drawing it, so Qt reads them all from bytes in
    the format of its data streams.
    """
    values = np.stack([lefts, tops], axis=1).astype(">f8")
    points = QPolygonF()
    _stream(_count(len(lefts)) + values.tobytes()) >> points
    return points


def lines_of(ends: NDArray[np.float64]) -> QPainterPath:
    """Convert lines, float64 (n, 4), from left and top to left and top, to a path for drawPath.

    Draw it without a brush.
    """
    elements = np.empty(2 * len(ends), _ELEMENT)
    elements["kind"] = np.tile([_MOVE_TO, _LINE_TO], len(ends))
    elements["left"], elements["top"] = ends[:, ::2].ravel(), ends[:, 1::2].ravel()
    lines = QPainterPath()
    if len(ends):
        # After them: the start of the last figure, and the fill rule.
        last = _count(2 * len(ends) - 2) + _count(0)
        _stream(_count(len(elements)) + elements.tobytes() + last) >> lines
    return lines


def _count(number: int) -> bytes:
    return number.to_bytes(4, "big")


def _stream(data: bytes) -> QDataStream:
    return QDataStream(QByteArray(data))


def _paint_edges(
    painter: QPainter,
    view: SearchTree,
    seen: QRectF,
    lefts: np.ndarray,
    tops: np.ndarray,
    on_path: np.ndarray,
    theme: Theme,
) -> None:
    """Draw the lines from parents to children, those of the path last and bolder."""
    children = np.flatnonzero(view.parents >= 0)
    above = view.parents[children]
    ends = np.stack([lefts[above], tops[above], lefts[children], tops[children]], axis=1)
    across, down = np.sort(ends[:, ::2]), np.sort(ends[:, 1::2])
    is_seen = (across[:, 1] >= seen.left()) & (across[:, 0] <= seen.right())
    is_seen &= (down[:, 1] >= seen.top()) & (down[:, 0] <= seen.bottom())
    is_path = on_path[children] & on_path[above]
    is_steep = across[:, 1] - across[:, 0] < _MIN_SLANT
    plain = QPen(mix(theme.card, theme.outline, 0.55), 1.0)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for which, pen, is_smooth in (
        (~is_path & is_steep, plain, False),
        (~is_path & ~is_steep, plain, True),
        (is_path, QPen(theme.path, 2.5), True),
    ):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, is_smooth)
        painter.setPen(pen)
        painter.drawPath(lines_of(ends[is_seen & which]))


def _paint_board(
    painter: QPainter,
    tree: DrawnTree,
    node: int,
    place: QRectF,
    fate: Fate,
    is_path: bool,
    theme: Theme,
) -> None:
    texts = tree.texts(node)
    layout = BoardLayout.fitted(texts.shape, place)
    paint_texts(painter, layout, texts.board(0), theme)
    gap = (1 / _BOARD_SHARE - 1) * place.height() - _RINGS
    pixels = min(text_pixels("small"), int(min(_RANK_SHARE * place.height(), gap)))
    rank = rank_text(tree.view, node)
    if rank and pixels >= _MIN_RANK:
        text = TextPainter(painter, pixels, theme.text if fate is Fate.OPEN else theme.muted)
        start = place.topLeft() - QPointF(0, 5 + pixels / 2)  # above the ring
        under = QRectF(0, 0, text.width(rank) + 4, pixels)
        under.moveCenter(start + QPointF(text.width(rank) / 2, 0))
        painter.fillRect(under, theme.card)  # lines from the parent end behind it
        text.draw(start, rank, align=0.0)
    mark = QRectF(0, 0, 9, 9)
    # Next to the board, so that no number is under it.
    mark.moveCenter(place.topRight() + QPointF(4, -4))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.card)
    painter.drawEllipse(mark.adjusted(-2, -2, 2, 2))
    paint_mark(painter, mark, fate, is_path, theme)


def rank_text(view: SearchTree, node: int) -> str:
    """Return the priority of a board in words: f, or g without a heuristic."""
    f = float(view.f[node])
    if math.isnan(view.h[node]):
        return f"g {int(view.g[node])}"
    return "" if math.isnan(f) else f"f {number(f)}"


def colour_of(fate: Fate, is_path: bool, theme: Theme) -> QColor:
    """Return the colour of a mark; its shape has the same meaning."""
    if is_path:
        return theme.path
    colours = {Fate.OPEN: theme.accent, Fate.EXPANDED: theme.muted, Fate.PRUNED: theme.stop}
    return colours.get(fate, theme.outline)


def paint_mark(painter: QPainter, place: QRectF, fate: Fate, is_path: bool, theme: Theme) -> None:
    """Draw the mark of a board: a shape and a colour for each status."""
    middle = place.center()
    lefts, tops = np.array([middle.x()]), np.array([middle.y()])
    paint_marks(painter, lefts, tops, place.width(), fate, is_path, theme)


def paint_marks(
    painter: QPainter,
    lefts: np.ndarray,
    tops: np.ndarray,
    size: float,
    fate: Fate,
    is_path: bool,
    theme: Theme,
) -> None:
    """Draw the same mark at many points; thousands of small ones are fast."""
    if not len(lefts):
        return
    colour, half = colour_of(fate, is_path, theme), size / 2
    width = max(min(size / 5, 1.8), 0.8)
    is_square = is_path or fate in (Fate.EXPANDED, Fate.OPEN)
    is_open = fate is Fate.OPEN and not is_path
    painter.setPen(QPen(colour, width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if fate is Fate.PRUNED and not is_path:
        ends = np.stack([lefts - half, tops - half, lefts + half, tops + half], axis=1)
        painter.drawPath(lines_of(np.concatenate([ends, ends[:, [0, 3, 2, 1]]])))
        return
    if size < _MIN_ROUND and (is_square or fate is Fate.LEFT):
        points = points_of(lefts, tops)
        sizes = [(colour, size + width if is_square else size - width)]
        if is_open and size - width >= _MIN_HOLE:
            sizes.append((theme.card, size - width))
        cap = Qt.PenCapStyle.SquareCap if is_square else Qt.PenCapStyle.RoundCap
        for ink, side in sizes:
            painter.setPen(QPen(ink, side, Qt.PenStyle.SolidLine, cap))
            painter.drawPoints(points)
        return
    if fate is not Fate.VISITED or is_path:
        painter.setBrush(theme.card if is_open else colour)
    smaller = width if fate is Fate.LEFT and not is_path else 0.0
    for left, top in zip((lefts - half).tolist(), (tops - half).tolist(), strict=True):
        place = QRectF(left, top, size, size)
        if is_square:
            painter.drawRoundedRect(place, 2, 2)
        else:
            painter.drawEllipse(place.adjusted(smaller, smaller, -smaller, -smaller))


def legend_height(width: float, view: SearchTree) -> int:
    """Return the height in pixels of the legend below a tree of some width."""
    return len(_legend(width, view)) * _line_height()


def paint_legend(painter: QPainter, rect: QRectF, view: SearchTree, theme: Theme) -> None:
    """Write the legend of a tree's marks from the left, in as many lines as it needs.

    Of a part of a tree it begins with that.
    """
    side, text = float(scaled(8)), TextPainter(painter, text_pixels("small"), theme.muted)
    part = TextPainter(painter, text_pixels("small"), theme.text)
    middle = rect.top() + _line_height() / 2
    for line in _legend(rect.width(), view):
        left = rect.left() + _BEFORE_LEGEND
        for fate, is_path, words in line:
            lettering = part if fate is None else text
            if fate is not None:
                mark = QRectF(left, middle - side / 2, side, side)
                paint_mark(painter, mark, fate, is_path, theme)
                left = mark.right() + _AFTER_MARK
            lettering.draw(QPointF(left, middle), words, align=0.0)
            left += lettering.width(words) + _LEGEND_GAP
        middle += _line_height()


def part_words(view: SearchTree) -> str:
    """Return how many of a tree's boards are drawn, and why not all; '' for a whole tree."""
    if view.is_whole:
        return ""
    words = tr("The whole tree has too many boards to be drawn.")
    return f"{words} {capital(_part(view))}."


def _part(view: SearchTree) -> str:
    return tr(
        "a part: {n_shown} of {n_generated} generated",
        n_shown=figures(len(view.g), ","),
        n_generated=figures(max(view.n_generated, len(view.g)), ","),
    )


def _legend(width: float, view: SearchTree) -> list[list[_Entry]]:
    """Return the lines of a legend's entries."""
    advance = QFontMetricsF(pixel_font(text_pixels("small"))).horizontalAdvance
    entries: list[_Entry] = [
        (fate, False, tr(said)) for fate, said in WORDS.items() if (view.fates == fate).any()
    ]
    if len(view.path):
        entries.append((Fate.EXPANDED, True, tr(ON_PATH)))
    if not view.is_whole:
        entries.insert(0, (None, False, _part(view)))
    widths = [
        advance(words) + (0 if fate is None else scaled(8) + _AFTER_MARK)
        for fate, _, words in entries
    ]
    lines = wrapped(widths, width - _BEFORE_LEGEND, _LEGEND_GAP)
    return [entries[line.start : line.stop] for line in lines]


def _line_height() -> int:
    return text_pixels("small") + _ROUND_LEGEND
