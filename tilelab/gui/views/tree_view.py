"""The search tree on the screen, to zoom and move, and one board of it with its numbers."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import boards_expanded, counted, number
from tilelab.core.views import BoardPlace, Fate, SearchTree
from tilelab.gui.boards.cell_view import HoverView
from tilelab.gui.boards.scene import MIN_PITCH, BoardLayout
from tilelab.gui.boards.tile_pictures import BoardTexts, TilePictures
from tilelab.gui.views.tree_painter import (
    WORDS,
    DrawnTree,
    Frame,
    legend_height,
    paint_legend,
    paint_tree,
    part_words,
    rank_text,
    tree_places,
)
from tilelab.gui.widgets.access import CHOOSE, STEPS, announce
from tilelab.gui.widgets.parts import column_layout, named, parted
from tilelab.gui.widgets.text_painter import TextPainter
from tilelab.gui.widgets.theme import Theme, current_theme, keep_themed, scaled, text_pixels

_STEP, _CARD_WIDTH, _MIN_CARD_WIDTH = 1.3, 196, 100
_MIN_TREE_WIDTH = 128  # three runs fit next to each other at 1024 pixels, with a scroll bar
_SIDE_SHARE = 0.34
_MAX_CARD_SHARE = 0.4  # largest part of the width for the card in large type
_MIN_LETTERING = 0.7  # smallest scale of a text that would be cut otherwise
_MAX_SMALL_BOARDS = 4  # largest number of boards in a row of small ones
_LARGEST_SMALL = 56  # side of a small board in pixels, where there is room
_BELOW_SMALL = 4  # pixels below the text of a small board
_BEFORE_F = re.compile(" (?==)|, (?=f)")  # where numbers are broken that would be cut
_NARROWEST = 2.6  # width of a text such as 'f 40' as a multiple of its height


@dataclass(frozen=True, eq=False)
class NodeDrawing:
    """The drawing of a tree's board and its facts."""

    tree: DrawnTree
    node: int
    shows_next: bool = True  # whether the boards that come next are below

    @property
    def words(self) -> str:
        """Description for screen readers."""
        return f"{self.tree.texts(self.node).words(0)}; {_numbers(self.tree.view, self.node)}"

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        tree, node = self.tree, self.node
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = float(scaled(20))
        children = (tree.view.parents == node).nonzero()[0].tolist()
        following = tree.view.front.tolist() if self.shows_next else []
        row = self._small_side(rect.width()) + text_pixels("small") + _BELOW_SMALL
        side = min(rect.width() * 0.62, rect.height() * 0.36)
        rest = rect.height() - 3.4 * line - row
        if (children or following) and rest >= rect.height() * 0.25:
            side = min(side, rest)  # leaves room for a row of small boards
        whole = QRectF(rect.left(), rect.top(), side, side)
        _paint_boards(painter, tree, [node], [whole], theme)
        top, width = whole.bottom() + line * 0.8, max(rect.width() - 4, 1.0)
        numbers, strong = _numbers(tree.view, node), text_pixels()
        needed = TextPainter(painter, strong, theme.text, strong=True).width(numbers)
        lines = [numbers] if width >= _MIN_LETTERING * needed else _BEFORE_F.split(numbers)
        facts = [(part, strong, theme.text, True) for part in lines]
        facts.append((_fate(tree.view, node), text_pixels("small"), theme.muted, False))
        for words, pixels, colour, is_strong in facts:
            if top + pixels / 2 > rect.bottom():
                break
            text = TextPainter(painter, pixels, colour, strong=is_strong)
            share = max(width / max(text.width(words), 1.0), _MIN_LETTERING)
            if share < 1:
                text = TextPainter(painter, int(pixels * share), colour, strong=is_strong)
            text.draw(QPointF(rect.left() + 2, top), text.elided(words, width), align=0.0)
            top += line
        plain = TextPainter(painter, text_pixels("small"), theme.muted)
        for title, nodes in ((tr("Children"), children), (tr("Next"), following)):
            if nodes and top + line * 0.5 + row <= rect.bottom():
                plain.draw(QPointF(rect.left() + 2, top), title, align=0.0)
                room = QRectF(rect.left(), top + line * 0.5, rect.width(), rect.bottom() - top)
                top = self._paint_row(painter, room, nodes, theme) + line * 0.7

    def _small_side(self, width: float) -> float:
        """Return the side of a small board: fewer have room where their texts could not be read."""
        least = float(MIN_PITCH) * max(self.tree.puzzle.shape)
        return min(max(width / _MAX_SMALL_BOARDS - 6, least), float(scaled(_LARGEST_SMALL)))

    def _paint_row(
        self, painter: QPainter, rect: QRectF, nodes: Sequence[int], theme: Theme
    ) -> float:
        """Draw small boards with their f in a row; returns the end of the row."""
        side = self._small_side(rect.width())
        pixels = min(text_pixels("small"), int(side / _NARROWEST))
        small = TextPainter(painter, pixels, theme.text)
        shown = nodes[: min(int((rect.width() + 6) // (side + 6)), _MAX_SMALL_BOARDS)]
        places = [
            QRectF(rect.left() + column * (side + 6), rect.top(), side, side)
            for column in range(len(shown))
        ]
        _paint_boards(painter, self.tree, shown, places, theme)
        for node, place in zip(shown, places, strict=True):
            said = rank_text(self.tree.view, node)
            if small.width(said) > side:  # otherwise the labels of neighbours would nearly touch
                said = said.removeprefix("f ")
            under = QPointF(place.center().x(), place.bottom() + 2 + pixels / 2)
            small.draw(under, said)
        return rect.top() + side + pixels + _BELOW_SMALL


def _paint_boards(
    painter: QPainter, tree: DrawnTree, nodes: Sequence[int], places: Sequence[QRectF], theme: Theme
) -> None:
    """Draw boards of a tree in places of equal size, each as large as fits."""
    layouts = [BoardLayout.fitted(tree.puzzle.shape, place) for place in places]
    texts = BoardTexts.of(tree.puzzle, tree.view.boards[list(nodes)])
    TilePictures().paint(painter, layouts, texts, theme)


def _numbers(view: SearchTree, node: int) -> str:
    g, h, f = int(view.g[node]), float(view.h[node]), float(view.f[node])
    if math.isnan(h):
        return f"g {g}"
    if f == g + h:
        return f"g {g} + h {number(h)} = f {number(f)}"
    return f"g {g}, h {number(h)}, f {number(f)}"


def _fate(view: SearchTree, node: int) -> str:
    fate = Fate(int(view.fates[node]))
    if fate is Fate.GOAL:
        return tr("the goal")
    if node == view.current:
        return tr("expanded last")
    if fate is Fate.PRUNED and math.isfinite(view.threshold):
        return tr("pruned: f is above the threshold {threshold}", threshold=number(view.threshold))
    return tr(WORDS[fate])


class TreeCanvas(HoverView):
    """The canvas of a tree: wheel or + and - zoom, dragging moves, Home shows all of it.

    A double click also shows all. The arrow keys go to the parent, to the first child, and along
    the layer; Escape selects none.
    """

    node_chosen = Signal(object)  # emitted with the index of the chosen board in the tree, or None
    node_pointed = Signal(object)  # the same for the board under the mouse
    node_clicked = Signal(int)  # emitted with the index of a board that is clicked, also by Enter

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "tree_canvas", tr("Search tree"))
        self._tree: DrawnTree | None = None
        self._frame = Frame(QRectF())
        self.chosen: int | None = None  # index of the selected board
        self._marked: int | None = None  # board that is pointed at in a list
        self._dragged: QPointF | None = None

    def show_tree(self, tree: DrawnTree) -> None:
        """Show another tree; the selection is cleared if the tree lacks its board."""
        before, self._tree = self._tree, tree
        if before is not None and self.chosen is not None:
            boards, sides = before.view.boards, before.view.sides
            same = BoardPlace.of(boards, self.chosen, int(sides[self.chosen]))
            self._choose(node_of(tree.view, same))
        self._marked = None
        how = tr("Wheel: zoom. Drag: move. Double click: show all. Click a board: show its numbers")
        self.setToolTip(f"{part_words(tree.view)}\n{how}".lstrip())
        if before is not None and len(tree.view.g) < len(before.view.g):
            self._frame = Frame(self._room())
        self.update()

    def mark(self, node: int | None) -> None:
        """Mark a board that is pointed at in a list."""
        if node != self._marked:
            self._marked = node
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setClipRect(self.rect())
            if self._tree is not None:
                rings = self.chosen, self._marked
                paint_tree(painter, self._tree, self._frame, current_theme(), *rings)

    def minimumSizeHint(self) -> QSize:
        return QSize(_MIN_TREE_WIDTH, 76)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._frame = Frame(self._room(), self._frame.zoom, self._frame.shift)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turns = event.angleDelta().y() / 120
        self._zoom(_STEP**turns, event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._dragged = event.position()
            place = self._place_at(event.position())
            self._choose(None if place == self.chosen else place)
            if place is not None:
                self.node_clicked.emit(place)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragged is not None and event.buttons() & Qt.MouseButton.LeftButton:
            moved = event.position() - self._dragged
            self._dragged = event.position()
            self._frame = Frame(self._frame.rect, self._frame.zoom, self._frame.shift + moved)
            self.update()
            return
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._dragged = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._show_all()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, middle = event.key(), QPointF(self.rect().center())
        if key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self._zoom(_STEP, middle)
        elif key == Qt.Key.Key_Minus:
            self._zoom(1 / _STEP, middle)
        elif key == Qt.Key.Key_Home:
            self._show_all()
        elif key == Qt.Key.Key_Escape and self.chosen is not None:
            self._choose(None)
        elif key in CHOOSE and self.chosen is not None:
            self.node_clicked.emit(self.chosen)
        elif not self._walk(Qt.Key(key)):
            super().keyPressEvent(event)
        elif self._tree is not None and self.chosen is not None:
            announce(self, NodeDrawing(self._tree, self.chosen).words)

    def _room(self) -> QRectF:
        return QRectF(self.rect()).adjusted(6, 12, -6, -6)  # the f of the start is above it

    def _zoom(self, factor: float, about: QPointF) -> None:
        self._frame = self._frame.zoomed(factor, about)
        self.update()

    def _show_all(self) -> None:
        self._frame = Frame(self._room())
        self.update()

    def _walk(self, key: Qt.Key) -> bool:
        """Select a neighbour of the selected board; returns whether the key does that."""
        if self._tree is None or key not in STEPS or not len(self._tree.view.g):
            return False
        view, places, here = self._tree.view, self._tree.places, self.chosen
        if here is None:
            self._choose(max(view.newest, 0))
        elif key == Qt.Key.Key_Up:
            self._choose(int(view.parents[here]) if view.parents[here] >= 0 else here)
        elif key == Qt.Key.Key_Down:
            children = (view.parents == here).nonzero()[0]
            self._choose(int(children[0]) if len(children) else here)
        else:
            layer = (places.layers == places.layers[here]).nonzero()[0]
            layer = layer[places.columns[layer].argsort()].tolist()
            step = -1 if key == Qt.Key.Key_Left else 1
            self._choose(layer[min(max(layer.index(here) + step, 0), len(layer) - 1)])
        return True

    def _choose(self, node: int | None) -> None:
        if node != self.chosen:
            self.chosen = node
            self.node_chosen.emit(node)
            self.update()

    def _place_at(self, point: QPointF) -> int | None:
        return None if self._tree is None else self._tree.node_at(self._frame, point)

    def _mark_hovered(self, place: int | None) -> None:
        self._hovered = place
        self.node_pointed.emit(place)


def node_of(view: SearchTree, board: BoardPlace) -> int | None:
    """Return the index of a board in a tree, on the path if it is there; None if it is gone."""
    cells = np.frombuffer(board.cells, np.uint8)
    if cells.shape != view.boards.shape[1:]:
        return None
    # In a bidirectional search the same board may be in both halves.
    found = ((view.boards == cells).all(axis=1) & (view.sides == board.side)).nonzero()[0]
    on_path = found[np.isin(found, view.path)]
    return int([*on_path, *found][0]) if len(found) else None


class NodeCard(QWidget):
    """A card of one board of the tree."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "tree_node", tr("Board of the tree"))
        self._drawing: NodeDrawing | None = None

    def show_node(self, drawing: NodeDrawing | None) -> None:
        """Show a board of a tree; None for none."""
        self._drawing = drawing
        self.setAccessibleDescription(self.words())
        self.update()

    def words(self) -> str:
        return "" if self._drawing is None else self._drawing.words

    def sizeHint(self) -> QSize:
        return QSize(scaled(_CARD_WIDTH), 200)

    def minimumSizeHint(self) -> QSize:
        return QSize(max(scaled(_MIN_CARD_WIDTH), 140), 76)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._drawing is not None:
            with QPainter(self) as painter:
                self._drawing.paint(painter, QRectF(self.rect()), current_theme())


@dataclass(frozen=True, eq=False)
class TreePicture:
    """A picture of a tree and its current board, without a window, for files and films."""

    tree: DrawnTree

    @property
    def node(self) -> NodeDrawing | None:
        """The goal that ended the search, the board expanded last, or the end of the path."""
        current, path = self.tree.view.newest, self.tree.view.path
        if current < 0 and len(path):
            current = int(path[-1])
        return NodeDrawing(self.tree, current) if current >= 0 else None

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw tree and board into a rectangle, with the whole tree in view."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = rect.width() * (1 - _SIDE_SHARE)
        below = legend_height(rect.width(), self.tree.view)
        left = QRectF(rect.left(), rect.top(), width, rect.height() - below)
        paint_tree(painter, self.tree, Frame(left), theme)
        legend = QRectF(rect.left(), left.bottom(), rect.width(), below)
        paint_legend(painter, legend, self.tree.view, theme)
        if self.node is not None:
            self.node.paint(painter, rect.adjusted(width + 12, 0, 0, -below), theme)


def tree_picture(view: SearchTree, puzzle: Puzzle) -> TreePicture:
    return TreePicture(DrawnTree(view, puzzle, tree_places(view)))


class TreeView(QWidget):
    """A view of the tree at the left, and of the current or selected board at the right."""

    board_pointed = Signal(object)
    """Emitted with the BoardPlace under the mouse, or chosen by the keys, or None."""
    board_chosen = Signal(object)  # emitted with the BoardPlace that is selected

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tree_view")
        self._tree: DrawnTree | None = None
        self.canvas = TreeCanvas(self)
        self.card = NodeCard(self)
        self.card.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        parts = (self.canvas, 1), (self.card, 0)
        self._split = parted(Qt.Orientation.Horizontal, self, *parts, gap=0)
        self._card_share: float | None = None
        """Part of the width that the user has given the card; None for the width of its texts."""
        self._split.splitterMoved.connect(self._keep_dragged)
        self._whole = column_layout(self, 0, 0, self._split)
        keep_themed(self, self._fit)
        self.canvas.node_chosen.connect(self._show_node)
        self.canvas.node_chosen.connect(self._point)  # the keys point by choosing
        self.canvas.node_pointed.connect(self._point)
        self.canvas.node_clicked.connect(self._choose)
        self._shows_next = True

    @Slot()
    def _keep_dragged(self) -> None:
        self._card_share = self._split.sizes()[-1] / max(sum(self._split.sizes()), 1)

    def _fit(self) -> None:
        """Leave room for the legend, and give the card the width of its texts or the chosen part.

        A splitter alone would keep its pixels from the usual type in a presentation.
        """
        share, room = self._card_share, self.width()
        usual = min(self.card.sizeHint().width(), round(_MAX_CARD_SHARE * room))
        card = usual if share is None else round(share * room)
        self._split.setSizes([room - card, card])
        if self._tree is not None:
            below = legend_height(self.width(), self._tree.view)
            self._whole.setContentsMargins(0, 0, 0, below)

    def show_view(self, view: SearchTree, puzzle: Puzzle) -> None:
        self._tree = tree_picture(view, puzzle).tree
        self._fit()
        self.canvas.show_tree(self._tree)
        facts = tr(
            "{boards}; {expanded}, {n_generated} generated",
            boards=counted(len(view.g), "board"),
            expanded=boards_expanded(view.n_expanded),
            n_generated=figures(view.n_generated, ","),
        )
        part = part_words(view)
        self.canvas.setAccessibleDescription(f"{facts}. {part}" if part else facts)
        self._show_node()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._tree is not None:
            with QPainter(self) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                below = legend_height(self.width(), self._tree.view)
                legend = QRectF(0, self.height() - below, self.width(), below)
                paint_legend(painter, legend, self._tree.view, current_theme())

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw tree and board into a rectangle, with the whole tree in view."""
        if self._tree is not None:
            TreePicture(self._tree).paint(painter, rect, theme)

    def mark(self, board: BoardPlace | None) -> None:
        """Mark a board that is pointed at in a list."""
        tree = self._tree
        self.canvas.mark(None if tree is None or board is None else node_of(tree.view, board))

    def show_next(self, is_shown: bool) -> None:
        """Show the boards that come next next to a board, or hide them during a question."""
        if is_shown is not self._shows_next:
            self._shows_next = is_shown
            self._show_node()

    @Slot(int)
    def _choose(self, node: int) -> None:
        self.board_chosen.emit(self._board(node))

    @Slot(object)
    def _point(self, node: int | None) -> None:
        self.board_pointed.emit(None if node is None else self._board(node))

    def _board(self, node: int) -> BoardPlace:
        assert self._tree is not None
        view = self._tree.view
        return BoardPlace.of(view.boards, node, int(view.sides[node]))

    @Slot()
    def _show_node(self) -> None:
        if self._tree is not None:
            chosen = self.canvas.chosen
            usual = TreePicture(self._tree).node
            drawing = usual if chosen is None else NodeDrawing(self._tree, chosen)
            self.card.show_node(drawing and replace(drawing, shows_next=self._shows_next))
