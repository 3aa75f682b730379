"""Boards of any puzzle as texts of their tiles and as pictures."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from tilelab import catalog
from tilelab.core.puzzle import InstanceRecord, Puzzle, TilePicture
from tilelab.core.text.language import marked
from tilelab.core.text.shown_text import HOLE, shown
from tilelab.gui.boards.letter_painter import BoardScene
from tilelab.gui.boards.scene import (
    BoardLayout,
    CellScene,
    letter_pixels,
    paint_coloured_tile,
    paint_grounds,
    paint_tile,
    text_pixels_of,
)
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.widgets.text_painter import TextPainter, is_svg
from tilelab.gui.widgets.theme import Theme, current_theme, scaled

_NO_TILE = ("", HOLE)  # texts of cells without a tile: blanks and holes
_MAX_KEPT = 512
"""Number of tile pictures kept for the next boards; small ones take a few kilobytes each."""
BLANK = "."  # text of a blank
_MAX_PITCH = 56.0


def sign_pixels(layout: BoardLayout, signs: Sequence[str]) -> int:
    """Return the size of the texts of a board's tiles; the longest must fit its tile."""
    longest = max(map(len, signs), default=1)
    return letter_pixels(layout) if longest < 2 else text_pixels_of(layout, longest)


def paint_texts(
    painter: QPainter,
    layout: BoardLayout,
    signs: Sequence[str],
    theme: Theme,
    faces: Sequence[QColor | None] = (),
) -> None:
    """Draw a board tile by tile; '' is a blank, and ``#`` a hole.

    faces: the colours of the tiles' faces, None for the usual one; () for all.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_grounds(painter, [layout], theme)
    pixels = sign_pixels(layout, signs)
    lettering = TextPainter(painter, pixels, theme.tile_ink, strong=True)
    for cell, sign in enumerate(signs):
        if sign not in _NO_TILE:
            square, face = layout.cell_rect(cell), faces[cell] if faces else None
            if face is None:
                paint_tile(painter, layout, square, theme.tile_face, theme.tile_edge)
            else:
                paint_coloured_tile(painter, layout, square, face, theme)
            lettering.draw(layout.face(cell).center(), sign)


@dataclass(frozen=True, eq=False)
class BoardTexts:
    """Texts on the tiles of several boards of one shape."""

    shape: tuple[int, int]  # number of rows and columns
    signs: tuple[str, ...]  # different texts as they are shown; '' for a blank, # for a hole
    codes: NDArray[np.intp]  # indices into signs, (n, cells)

    @classmethod
    def of(cls, puzzle: Puzzle, boards: NDArray[np.uint8]) -> "BoardTexts":
        """Read the texts of boards, uint8 (n, cells)."""
        places: dict[str, int] = {}
        codes = [
            places.setdefault(text, len(places))
            for cells in boards
            for row in puzzle.texts(puzzle.rows_of(cells))
            for text in row
        ]
        signs = tuple("" if text == BLANK else shown(text) for text in places)
        return cls(puzzle.shape, signs, np.array(codes, np.intp).reshape(boards.shape))

    def __len__(self) -> int:
        return len(self.codes)

    def only(self, place: int) -> "BoardTexts":
        """Return the texts of one board."""
        return replace(self, codes=self.codes[place : place + 1])

    def board(self, place: int) -> list[str]:
        """Return the texts of a board's tiles, row by row."""
        return [self.signs[code] for code in self.codes[place].tolist()]

    def words(self, place: int) -> str:
        """Write a board in one line, for screen readers."""
        signs = [sign or BLANK for sign in self.board(place)]
        n_cols = self.shape[1]
        joint = "" if max(map(len, signs), default=1) == 1 else " "
        rows = (signs[first : first + n_cols] for first in range(0, len(signs), n_cols))
        return ", ".join(joint.join(row) for row in rows)


@dataclass(frozen=True, eq=False, kw_only=True)
class TextScene(CellScene):
    """A board of any puzzle, by the texts on its tiles."""

    texts: BoardTexts  # those of this board alone

    kind = marked("Board")

    @property
    def shape(self) -> tuple[int, int]:
        return self.texts.shape

    def text(self) -> str:
        return self.texts.words(0)

    def paint(self, painter: QPainter, layout: BoardLayout, theme: Theme) -> None:
        paint_texts(painter, layout, self.texts.board(0), theme)


class TilePictures:
    """Draws many small boards many times a second, each as one picture.

    Each picture is composed of pictures of tiles, for all boards in one step.
    """

    def __init__(self) -> None:
        self._boards: list[QImage] = []
        self._looks: tuple[object, ...] = ()  # values that the kept pictures depend on

    def paint(
        self, painter: QPainter, layouts: Sequence[BoardLayout], texts: BoardTexts, theme: Theme
    ) -> None:
        """Draw the first boards, one in each layout; all layouts have one size of tiles."""
        if is_svg(painter):
            for place, layout in enumerate(layouts):
                paint_texts(painter, layout, texts.board(place), theme)
            return
        if not layouts:
            return
        scale = painter.deviceTransform().m11()
        # The object itself is kept, so that no later object can have its id.
        looks = (texts, layouts[0].pitch, len(layouts), theme.name, scale)
        if looks != self._looks:
            self._boards = _board_images(texts, layouts[0], len(layouts), theme, scale)
            self._looks = looks
        paint_grounds(painter, layouts, theme)
        for layout, image in zip(layouts, self._boards, strict=True):
            width, height = layout.n_cols * layout.pitch, layout.n_rows * layout.pitch
            painter.drawImage(QRectF(layout.left, layout.top, width, height), image)


def _board_images(
    texts: BoardTexts, layout: BoardLayout, n_boards: int, theme: Theme, scale: float
) -> list[QImage]:
    """Compose pictures of boards; each cell includes the gap next to its tile."""
    side = max(round(layout.pitch * scale), 1)
    pixels = sign_pixels(layout, texts.signs)
    # A tile looks the same in every place and with any neighbours.
    tile = replace(layout, n_rows=1, n_cols=1, left=0.0, top=0.0)
    colours = theme.tile_face.rgba(), theme.tile_edge.rgba(), theme.tile_ink.rgba()
    tiles = np.stack([_tile_pixels(sign, tile, pixels, colours, side) for sign in texts.signs])
    codes = texts.codes[:n_boards].reshape(n_boards, *texts.shape)
    height, width = texts.shape[0] * side, texts.shape[1] * side
    boards = tiles[codes].transpose(0, 1, 3, 2, 4).reshape(n_boards, height, width)
    ready = QImage.Format.Format_ARGB32_Premultiplied
    # A copy, because Qt does not keep what the pixels are in.
    return [QImage(board.data, width, height, 4 * width, ready).copy() for board in boards]


@functools.lru_cache(_MAX_KEPT)
def _tile_pixels(
    sign: str, layout: BoardLayout, pixels: int, colours: tuple[int, int, int], side: int
) -> NDArray[np.uint32]:
    """Draw a tile with its text, uint32 (side, side); callers must not change it.

    layout: that of a board with this tile alone. colours: those of the face, the edge and the text.
    """
    image = QImage(side, side, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    if sign not in _NO_TILE:
        face, edge, ink = map(QColor.fromRgba, colours)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(side / layout.pitch, side / layout.pitch)
        paint_tile(painter, layout, layout.cell_rect(0), face, edge)
        lettering = TextPainter(painter, pixels, ink, strong=True)
        lettering.draw(layout.face(0).center(), sign)
        painter.end()
    return np.frombuffer(image.constBits(), np.uint32).reshape(side, side).copy()


class PuzzleRecord(InstanceRecord, Protocol):
    """A record that names its puzzle."""

    @property
    def puzzle(self) -> str:
        """Key of the puzzle."""


def scene_of(record: PuzzleRecord) -> CellScene | None:
    """Return the scene of the best board, or of the start of its path; None for none."""
    puzzle_class = catalog.puzzles().get(record.puzzle)
    if not record.board or puzzle_class is None:
        return None
    picture = puzzle_class.picture(record)
    if isinstance(picture, TilePicture):
        return TileScene(picture.cells, picture.places, picture.cols, letters=picture.letters)
    if picture is None or len({len(row) for row in picture}) != 1:
        return None
    return BoardScene(rows=picture)


class BoardPicture(QWidget):
    """A widget that draws a scene as large as it fits."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scene: CellScene | None = None  # scene that is drawn
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_scene(self, scene: CellScene | None) -> None:
        self.scene = scene
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(80, 80)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.scene is None:
            return
        painter = QPainter(self)
        area = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        layout = BoardLayout.fitted(self.scene.shape, area, scaled(_MAX_PITCH))
        self.scene.paint(painter, layout, current_theme())
        painter.end()
