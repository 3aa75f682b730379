"""One board of a search tree large, with g, h and f, its children, and what is expanded next."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from tilelab.core.text.language import tr
from tilelab.core.text.wording import number
from tilelab.core.views import Fate, SearchTree
from tilelab.gui.boards.scene import BoardLayout
from tilelab.gui.boards.tile_pictures import BoardTexts, TilePictures
from tilelab.gui.views.tree_painter import WORDS, DrawnTree
from tilelab.gui.widgets.text_painter import Lettering
from tilelab.gui.widgets.theme import Theme, scaled, text_pixels

_MOST_SMALL = 4
"""Boards in a row of small ones."""
_NARROWEST = 2.6
"""How many times as wide as its letters are high a text such as 'f 40' is."""


@dataclass(frozen=True, eq=False)
class NodeDrawing:
    """A board of a tree and what is said of it."""

    tree: DrawnTree
    node: int

    @property
    def words(self) -> str:
        """What is shown, for those who do not see it."""
        return f"{self.tree.texts(self.node).words(0)}; {_numbers(self.tree.view, self.node)}"

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme, outlines: bool = False) -> None:
        """Draw the board and what belongs to it."""
        tree, node = self.tree, self.node
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = float(scaled(20))
        side = min(rect.width() * 0.62, rect.height() * 0.36)
        whole = QRectF(rect.left(), rect.top(), side, side)
        _paint_boards(painter, tree, [node], [whole], theme, outlines)
        strong = Lettering(painter, text_pixels(), theme.text, strong=True, outlines=outlines)
        too_wide = strong.width(_numbers(self.tree.view, node)) / max(rect.width() - 4, 1.0)
        if too_wide > 1:
            pixels = int(text_pixels() / too_wide)
            strong = Lettering(painter, pixels, theme.text, strong=True, outlines=outlines)
        plain = Lettering(painter, text_pixels("small"), theme.muted, outlines=outlines)
        top = whole.bottom() + line * 0.8
        for words, lettering in (
            (_numbers(tree.view, node), strong),
            (_fate(tree.view, node), plain),
        ):
            lettering.draw(QPointF(rect.left() + 2, top), words, align=0.0)
            top += line
        children = (tree.view.parents == node).nonzero()[0].tolist()
        small = min(rect.width() / _MOST_SMALL - 6, 56.0)
        for title, nodes in ((tr("Children"), children), (tr("Next"), tree.view.front.tolist())):
            if nodes and top + line * 0.5 + small + 18 <= rect.bottom():
                plain.draw(QPointF(rect.left() + 2, top), title, align=0.0)
                room = QRectF(rect.left(), top + line * 0.5, rect.width(), rect.bottom() - top)
                top = self._paint_row(painter, room, nodes, theme, outlines) + line * 0.7

    def _paint_row(
        self, painter: QPainter, rect: QRectF, nodes: Sequence[int], theme: Theme, outlines: bool
    ) -> float:
        """Draw small boards with their f in a row; returns where they end."""
        side = min(rect.width() / _MOST_SMALL - 6, 56.0)
        pixels = min(text_pixels("small"), int(side / _NARROWEST))
        small = Lettering(painter, pixels, theme.text, outlines=outlines)
        shown = nodes[:_MOST_SMALL]
        places = [
            QRectF(rect.left() + column * (side + 6), rect.top(), side, side)
            for column in range(len(shown))
        ]
        _paint_boards(painter, self.tree, shown, places, theme, outlines)
        for node, place in zip(shown, places, strict=True):
            said = _rank(self.tree.view, node)
            if small.width(said) > side + 6:
                said = said.removeprefix("f ")
            under = QPointF(place.center().x(), place.bottom() + 2 + pixels / 2)
            small.draw(under, said)
        return rect.top() + side + pixels + 4


def _paint_boards(
    painter: QPainter,
    tree: DrawnTree,
    nodes: Sequence[int],
    places: Sequence[QRectF],
    theme: Theme,
    outlines: bool,
) -> None:
    """Draw boards of a tree, each as large as has room in its place; all places are alike."""
    layouts = [BoardLayout.fitted(tree.puzzle.shape, place) for place in places]
    texts = BoardTexts.of(tree.puzzle, tree.view.boards[list(nodes)])
    TilePictures().paint(painter, layouts, texts, theme, outlines)


def _rank(view: SearchTree, node: int) -> str:
    """Say what a board waits with: f, or g where nothing is estimated."""
    f = float(view.f[node])
    if math.isnan(view.h[node]):
        return f"g {int(view.g[node])}"
    return "" if math.isnan(f) else f"f {number(f)}"


def _numbers(view: SearchTree, node: int) -> str:
    g, h, f = int(view.g[node]), float(view.h[node]), float(view.f[node])
    if math.isnan(h):
        return f"g {g}"
    if f == g + h:
        return f"g {g} + h {number(h)} = f {number(f)}"
    return f"g {g}, h {number(h)}, f {number(f)}"


def _fate(view: SearchTree, node: int) -> str:
    fate = Fate(int(view.fates[node]))
    if node == view.current:
        return tr("expanded last")
    if fate is Fate.PRUNED and math.isfinite(view.threshold):
        return tr("pruned: f is above the threshold {threshold}").format(
            threshold=number(view.threshold)
        )
    return tr(WORDS[fate])
