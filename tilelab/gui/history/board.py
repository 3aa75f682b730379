"""The best board of a record as a small picture; it needs no lexicon and no solver."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from tilelab import catalog
from tilelab.core.puzzle import TilePicture
from tilelab.core.shown_text import tool_tip
from tilelab.gui.boards.letter_painter import BoardScene
from tilelab.gui.boards.scene import BoardLayout, CellScene
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.widgets.parts import column_layout, spotted
from tilelab.gui.widgets.theme import current_theme, set_role
from tilelab.runs.history.record import RunRecord

_MAX_PITCH = 56.0


def scene_of(record: RunRecord) -> CellScene | None:
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


class HistoryBoard(QWidget):
    """A run's board with its number, solver and value above."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._title, self._value = QLabel(self), QLabel(self)
        self._title.setProperty("rich", True)
        set_role(self._value, "title")
        # Two boards side by side are alike large, whatever their solvers are called.
        for label in (self._title, self._value):
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._named: tuple[RunRecord, QColor] | None = None
        self._picture = BoardPicture(self)
        column = column_layout(self, 0, 2)
        column.addWidget(self._title)
        column.addWidget(self._value)
        column.addWidget(self._picture, 1)

    def show_record(self, record: RunRecord, colour: QColor) -> None:
        """Show a run's board; colour: of its curve."""
        self._named = record, colour
        self._fit_title()
        self._title.setToolTip(tool_tip(record.solver_title))
        self._value.setText(record.value_text or "No board")
        self._picture.show_scene(scene_of(record))
        self._picture.setToolTip(tool_tip("\n".join(record.board)))
        self.setAccessibleName(f"Run {record.id}: {record.value_text}")
        self.setAccessibleDescription(" / ".join(record.board))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_title()

    def _fit_title(self) -> None:
        """Cut the solver's name where it would run into the next board."""
        if self._named is None:
            return
        record, colour = self._named
        metrics = self._title.fontMetrics()
        room = self.width() - metrics.horizontalAdvance(f"●\xa0#{record.id} ")
        solver = metrics.elidedText(record.solver_title, Qt.TextElideMode.ElideRight, room)
        self._title.setText(spotted(f"#{record.id} {solver}", colour))
