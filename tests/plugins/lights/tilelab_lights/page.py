"""The face of lights out in the window: the general one, with lamps instead of text."""

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from tilelab.gui.puzzles.general.face import GeneralFace
from tilelab.gui.run.face_register import register_face
from tilelab.gui.run.messages import Board
from tilelab.gui.widgets.theme import current_theme


class LampBoard(QWidget):
    """Draws the lamps that are on, and a dot on each button that is pressed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._board: Board | None = None
        self.setAccessibleName("Lamps")

    @property
    def n_lit(self) -> int:
        """How many lamps are shown on."""
        board = self._board
        return 0 if board is None else int(board.puzzle.lit(board.cells).sum())

    def show_cells(self, board: Board | None) -> None:
        """Show a board, or none."""
        self._board = board
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(220, 220)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._board is None:
            return
        puzzle, cells, theme = self._board.puzzle, self._board.cells, current_theme()
        rows, cols = puzzle.shape
        pitch = min(self.width() / cols, self.height() / rows, 96)
        left = (self.width() - cols * pitch) / 2
        top = (self.height() - rows * pitch) / 2
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for cell, is_on in enumerate(puzzle.lit(cells).tolist()):
            row, col = divmod(cell, cols)
            middle = QPointF(left + (col + 0.5) * pitch, top + (row + 0.5) * pitch)
            painter.setPen(theme.outline)
            painter.setBrush(theme.tile_heat if is_on else theme.field)
            painter.drawEllipse(middle, pitch * 0.42, pitch * 0.42)
            if cells[cell]:
                painter.setBrush(theme.text)
                painter.drawEllipse(middle, pitch * 0.08, pitch * 0.08)
        painter.end()


@register_face("lights")
class LightsFace(GeneralFace):
    """Shows what the buttons make of the lamps."""

    board_kind = LampBoard
