"""The best board of a record as a small picture; it needs no lexicon and no solver."""

from typing import Protocol

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from tilelab import catalog
from tilelab.core.puzzle import InstanceRecord, TilePicture
from tilelab.gui.boards.letter_painter import BoardScene
from tilelab.gui.boards.scene import BoardLayout, CellScene
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.widgets.theme import current_theme

_MAX_PITCH = 56.0


class PuzzleRecord(InstanceRecord, Protocol):
    """A record that says of which puzzle it is."""

    @property
    def puzzle(self) -> str:
        """The puzzle's key."""


def scene_of(record: PuzzleRecord) -> CellScene | None:
    """Return what to draw: the best board, or the board that a path starts from; None for none."""
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
    """Draws a scene as large as it fits."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scene: CellScene | None = None
        """What is drawn."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_scene(self, scene: CellScene | None) -> None:
        self.scene = scene
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(96, 96)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.scene is None:
            return
        painter = QPainter(self)
        area = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        layout = BoardLayout.fitted(self.scene.shape, area, _MAX_PITCH)
        self.scene.paint(painter, layout, current_theme())
        painter.end()
