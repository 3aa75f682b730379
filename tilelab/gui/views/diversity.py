"""How much a population agrees: each cell with its most frequent letter and how settled it is."""

import dataclasses
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.symbols import HOLE
from tilelab.core.text.wording import counted
from tilelab.core.views import Population
from tilelab.gui.boards.cell_view import STEPS, CellView
from tilelab.gui.boards.scene import BoardLayout, CellScene, paint_ground, paint_marks, paint_tile
from tilelab.gui.boards.tile_pictures import BoardTexts, sign_pixels
from tilelab.gui.widgets.text_painter import Lettering
from tilelab.gui.widgets.theme import Theme, current_theme, mix

SETTLED = 0.9
"""The share from which a cell is called settled."""
_MOST_SAID = 4
_LEAST_TILE = 30.0
"""Pixels, from which a tile has room for its share as a number."""


@dataclass(frozen=True, eq=False)
class DiversityScene(CellScene):
    """The shares of the letters in each cell."""

    rows_cols: tuple[int, int] = (0, 0)
    letters: tuple[tuple[tuple[str, float], ...], ...] = ()
    """For each cell its letters and their shares, of 1; the most frequent first. () for a hole."""

    kind = marked("Diversity by cell")

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows_cols

    @property
    def n_settled(self) -> int:
        """In how many cells nearly all grids agree."""
        return sum(cell[0][1] >= SETTLED for cell in self.letters if cell)

    def text(self) -> str:
        return " ".join(cell[0][0] if cell else HOLE for cell in self.letters)

    def words(self) -> str:
        """Say how far the population agrees."""
        n_cells = counted(sum(map(bool, self.letters)), "cell")
        return tr("{n_settled} of {n_cells} settled: one letter in {settled} of the grids").format(
            n_settled=figures(self.n_settled, ","), n_cells=n_cells, settled=figures(SETTLED, ".0%")
        )

    def cell_words(self, cell: int) -> str:
        """Say which letters stand in a cell, and how often."""
        row, col = divmod(cell, self.rows_cols[1])
        said = (
            tr("hole")
            if not self.letters[cell]
            else ", ".join(
                f"{sign} {figures(share, '.0%')}" for sign, share in self.letters[cell][:_MOST_SAID]
            )
        )
        more = len(self.letters[cell]) - _MOST_SAID
        others = tr(", {more} more").format(more=figures(more, ",")) if more > 0 else ""
        return tr("row {value}, column {value_2}: {said}{others}").format(
            value=row + 1, value_2=col + 1, said=said, others=others
        )

    def paint(
        self, painter: QPainter, layout: BoardLayout, theme: Theme, outlines: bool = False
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_ground(painter, layout, theme)
        signs = [cell[0][0] for cell in self.letters if cell]
        has_number = layout.tile >= _LEAST_TILE
        pixels = max(round(sign_pixels(layout, signs) * (0.85 if has_number else 1.0)), 6)
        lettering = Lettering(painter, pixels, theme.tile_ink, strong=True, outlines=outlines)
        small = Lettering(
            painter, max(round(layout.tile * 0.2), 9), theme.tile_ink, outlines=outlines
        )
        for cell, letters in enumerate(self.letters):
            if not letters:
                continue
            sign, share = letters[0]
            square, face = layout.cell_rect(cell), layout.face(cell)
            tint = mix(theme.tile_face, theme.tile_heat, share**2)
            edge = mix(theme.tile_edge, theme.tile_heat_edge, share**2)
            paint_tile(painter, layout, square, tint, edge)
            rise = layout.tile * (0.12 if has_number else 0.05)
            lettering.draw(face.center() - QPointF(0, rise), sign)
            if has_number:
                point = QPointF(face.center().x(), face.bottom() - layout.tile * 0.24)
                small.draw(point, f"{figures(share, '.0%')}")
            _paint_bar(painter, face, share, theme)
        paint_marks(painter, layout, self, theme)


def _paint_bar(painter: QPainter, face: QRectF, share: float, theme: Theme) -> None:
    """A bar at the foot of a tile, as long as the share."""
    height = max(face.height() * 0.07, 2.0)
    inset = face.width() * 0.14
    whole = QRectF(
        face.left() + inset, face.bottom() - 1.8 * height, face.width() - 2 * inset, height
    )
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(mix(theme.tile_face, theme.tile_ink, 0.25))
    painter.drawRoundedRect(whole, height / 2, height / 2)
    painter.setBrush(theme.tile_ink)
    whole.setWidth(max(whole.width() * share, height))
    painter.drawRoundedRect(whole, height / 2, height / 2)


def diversity_of(view: Population, texts: BoardTexts) -> DiversityScene:
    """Read the shares of a population; texts: of its grids, which tell how symbols are shown.

    A cell in which no grid has a symbol is a hole.
    """
    cells = []
    for cell, shares in enumerate(view.shares):
        # A text may depend on its cell, so that only a grid that has it there can tell.
        _, firsts = np.unique(view.grids[:, cell], return_index=True)
        signs = {
            int(view.grids[grid, cell]): texts.signs[texts.codes[grid, cell]] for grid in firsts
        }
        order = np.argsort(-shares, kind="stable")
        found = [
            (signs.get(symbol, "?"), float(shares[symbol]))
            for symbol in order.tolist()
            if shares[symbol] > 0
        ]
        cells.append(tuple(found))
    return DiversityScene(rows_cols=texts.shape, letters=tuple(cells))


class DiversityBoard(CellView[DiversityScene]):
    """Shows the letters that a population agrees on; the arrows move the keyboard's cell."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(DiversityScene(), parent)
        self.setAccessibleName(tr("Diversity by cell"))

    def show_diversity(self, scene: DiversityScene) -> None:
        """Show the shares of another generation."""
        before = self._scene
        if scene.shape == before.shape:
            marks = {name: getattr(before, name) for name in ("hovered", "focused")}
            scene = dataclasses.replace(scene, **marks)
        self._show(scene)

    def cell_text(self, cell: int) -> str:
        return self._scene.cell_words(cell)

    def words(self) -> str:
        """Say how far the population agrees."""
        return self._scene.words()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint(painter, QRectF(self.rect()), current_theme())
        painter.end()

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme, outlines: bool = False) -> None:
        """Draw the board into a rectangle."""
        if self._scene.n_cells:
            layout = BoardLayout.fitted(self._scene.shape, rect)
            self._scene.paint(painter, layout, theme, outlines)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if Qt.Key(event.key()) in STEPS and self._scene.n_cells:
            self._move_focus(Qt.Key(event.key()), None)
        else:
            super().keyPressEvent(event)

    def _show(self, scene: DiversityScene) -> None:
        super()._show(scene)
        cell = scene.focused
        self.setAccessibleDescription(scene.words() if cell is None else scene.cell_words(cell))
