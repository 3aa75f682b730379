"""The board of sliding tiles on the screen: slides are drawn on their way, cells are chosen."""

import dataclasses

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QEasingCurve,
    QEvent,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    Qt,
    QVariantAnimation,
    Signal,
    Slot,
)
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from tilelab.core.puzzle import Cells
from tilelab.core.wording import counted
from tilelab.gui.boards.letter_painter import BoardLayout
from tilelab.gui.boards.tile_painter import TileScene, paint_tiles
from tilelab.gui.widgets.theme import current_theme

SLIDE_MILLISECONDS = 120
_ARROWS = {
    Qt.Key.Key_Up: "U",
    Qt.Key.Key_Down: "D",
    Qt.Key.Key_Left: "L",
    Qt.Key.Key_Right: "R",
}
_STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
_PLAYING = {
    Qt.Key.Key_Space: "turn",
    Qt.Key.Key_Home: "first",
    Qt.Key.Key_End: "last",
    Qt.Key.Key_Comma: "back",
    Qt.Key.Key_Period: "forward",
    Qt.Key.Key_H: "hint",
    Qt.Key.Key_D: "distances",
}
_CHOOSE = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class TileView(QWidget):
    """Shows a board and tells what is clicked; what a click means is not known here.

    While editing, the arrows move the keyboard's cell, and Enter or Space chooses it.
    """

    cell_clicked = Signal(int)
    """A cell was clicked, or chosen with the keyboard."""
    arrow_pressed = Signal(str)
    """U, D, L or R."""
    typed = Signal(str)
    """A letter was typed while a board of letters is edited."""
    playing_asked = Signal(str)
    """A key of the board: 'turn', 'first', 'last', 'back', 'forward', 'hint' or 'distances'."""

    def __init__(self, parent: QWidget | None = None, *, is_small: bool = False) -> None:
        super().__init__(parent)
        self._scene: TileScene | None = None
        self._is_small = is_small
        self._shows_distances = False
        self._distances: NDArray[np.int64] | None = None
        self._interactive = False
        self._editing = False
        self._animation = QVariantAnimation(self)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.valueChanged.connect(self._advance)
        self.setMouseTracking(not is_small)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus if is_small else Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Board")

    @property
    def scene(self) -> TileScene | None:
        """What is shown, for pictures of the same board; at rest and without marks."""
        if self._scene is None:
            return None
        return dataclasses.replace(
            self._scene, part=1.0, slides=(), hovered=None, focused=None, selected=None, hint=None
        )

    def show_board(
        self,
        cells: Cells,
        places: NDArray[np.int64],
        cols: int,
        distances: NDArray[np.int64] | None = None,
        slide_milliseconds: int = 0,
    ) -> None:
        """Show a board of numbered tiles; see :meth:`show_scene`."""
        self._distances = distances
        shown = distances if self._shows_distances else None
        self.show_scene(TileScene(cells, places, cols, shown), slide_milliseconds)

    def show_scene(self, scene: TileScene, slide_milliseconds: int = 0) -> None:
        """Show a board; slides of one cell from the one before are drawn on their way.

        slide_milliseconds: how long that takes, 0 for not at all.
        """
        before = self._scene
        if before is not None and before.shape == scene.shape:
            slides = _slides(before.cells, scene.cells, scene.cols) if slide_milliseconds else ()
            scene = dataclasses.replace(
                scene,
                selected=before.selected,
                hovered=before.hovered,
                focused=before.focused,
                slides=slides,
                part=0.0 if slides else 1.0,
            )
        self._animation.stop()
        self._scene = scene
        self._describe()
        if scene.slides:
            self._animation.setDuration(slide_milliseconds)
            self._animation.start()
        self.update()

    def show_hint(self, hint: tuple[int, int] | None, words: str = "") -> None:
        """Light a tile, with an arrow to the cell that it would slide into; None puts it out.

        words: say the same. Another board puts it out, too.
        """
        if self._scene is not None:
            self._show(dataclasses.replace(self._scene, hint=hint))
            self._describe(words)

    @property
    def hint(self) -> tuple[int, int] | None:
        """The tile that is lit, and the cell that its arrow points to."""
        return None if self._scene is None else self._scene.hint

    def show_segments(self, segments: tuple[tuple[int, ...], ...]) -> None:
        """Outline cells that belong together; () takes the outlines away."""
        if self._scene is not None and self._scene.segments != segments:
            self._show(dataclasses.replace(self._scene, segments=segments))

    def show_distances(self, shown: bool) -> None:
        """Write on each tile how far it is from its goal cell, or do not."""
        self._shows_distances = shown
        if self._scene is not None:
            distances = self._distances if shown else None
            self._show(dataclasses.replace(self._scene, distances=distances))

    def set_interactive(self, interactive: bool) -> None:
        """Let the board be clicked, or only looked at."""
        self._interactive = interactive
        self._hover(None)

    def set_editing(self, editing: bool) -> None:
        """Let cells be chosen instead of tiles slid."""
        self._editing = editing
        if self._scene is not None:
            self._show(dataclasses.replace(self._scene, selected=None, focused=None))

    def set_selected(self, cell: int | None) -> None:
        """Mark a cell as chosen."""
        if self._scene is not None:
            self._show(dataclasses.replace(self._scene, selected=cell))

    @property
    def selected(self) -> int | None:
        """The cell that is chosen."""
        return None if self._scene is None else self._scene.selected

    def board_layout(self) -> BoardLayout:
        """Return where the tiles stand now."""
        shape = (4, 4) if self._scene is None else self._scene.shape
        return BoardLayout.fitted(shape, QRectF(self.rect()))

    def sizeHint(self) -> QSize:
        return QSize(200, 160) if self._is_small else QSize(480, 400)

    def minimumSizeHint(self) -> QSize:
        return QSize(96, 96) if self._is_small else QSize(200, 180)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._scene is not None:
            painter = QPainter(self)
            paint_tiles(painter, self.board_layout(), self._scene, current_theme())
            painter.end()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self.update()
        super().changeEvent(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._show_tool_tip(event.pos(), event.globalPos())
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._cell_at(event.position()))
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self._cell_at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or cell is None or not self._interactive:
            super().mousePressEvent(event)
            return
        self._focus_cell(None)
        self.cell_clicked.emit(cell)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        scene = self._scene
        is_plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key in _PLAYING and is_plain and not self._editing:
            self.playing_asked.emit(_PLAYING[key])
        elif key in _ARROWS and not self._interactive:
            # Whoever shows the board knows why it cannot be played.
            self.arrow_pressed.emit(_ARROWS[key])
        elif not self._interactive or scene is None:
            super().keyPressEvent(event)
        elif key in _ARROWS and self._editing:
            self._move_focus(*_STEPS[_ARROWS[key]])
        elif key in _ARROWS:
            self.arrow_pressed.emit(_ARROWS[key])
        elif key in _CHOOSE and self._editing and scene.focused is not None:
            self.cell_clicked.emit(scene.focused)
        elif self._editing and scene.letters and event.text().isprintable() and event.text():
            self.typed.emit(event.text())
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._focus_cell(None)
        super().focusOutEvent(event)

    def cell_text(self, cell: int) -> str:
        """Say in words what a cell of letters shows: ``row 2, column 3: E, in 4 words``."""
        scene = self._scene
        if scene is None or scene.usage is None or not scene.cells[cell]:
            return ""
        row, col = divmod(cell, scene.cols)
        sign, n_words = scene.sign(int(scene.cells[cell])), int(scene.usage[cell])
        return f"row {row + 1}, column {col + 1}: {sign}, in {counted(n_words, 'word')}"

    def _show_tool_tip(self, point: QPoint, on_screen: QPoint) -> None:
        cell = self._cell_at(QPointF(point))
        text = "" if cell is None else self.cell_text(cell)
        if cell is None or not text:
            QToolTip.hideText()
            return
        # The tile's own rectangle makes the tip go when the mouse leaves the tile.
        QToolTip.showText(on_screen, text, self, self.board_layout().cell_rect(cell).toRect())

    @Slot(object)
    def _advance(self, part: float) -> None:
        if self._scene is not None:
            self._show(dataclasses.replace(self._scene, part=float(part)))

    def _show(self, scene: TileScene) -> None:
        self._scene = scene
        self.update()

    def _focus_cell(self, cell: int | None) -> None:
        if self._scene is not None and self._scene.focused != cell:
            self._show(dataclasses.replace(self._scene, focused=cell))

    def _cell_at(self, point: QPointF) -> int | None:
        return None if self._scene is None else self.board_layout().cell_at(point)

    def _hover(self, cell: int | None) -> None:
        if self._scene is None:
            return
        is_blank = cell is not None and self._scene.cells[cell] == 0
        if not self._interactive or (is_blank and not self._editing):
            cell = None
        if cell != self._scene.hovered:
            self._show(dataclasses.replace(self._scene, hovered=cell))
            pointing = Qt.CursorShape.PointingHandCursor
            self.setCursor(Qt.CursorShape.ArrowCursor if cell is None else pointing)

    def _move_focus(self, row_step: int, col_step: int) -> None:
        assert self._scene is not None
        n_rows, n_cols = self._scene.shape
        row, col = divmod(self._scene.focused or 0, n_cols)
        if self._scene.focused is not None:
            row = min(max(row + row_step, 0), n_rows - 1)
            col = min(max(col + col_step, 0), n_cols - 1)
        self._focus_cell(row * n_cols + col)

    def _describe(self, words: str = "") -> None:
        scene = self._scene
        assert scene is not None
        n_rows, n_cols = scene.shape
        blank = ". is the blank" if scene.letters else "0 is the blank"
        board = f"{n_rows} rows, {n_cols} columns, {blank}: {scene.text()}"
        self.setAccessibleDescription(f"{words}. {board}" if words else board)


def _slides(before: Cells, after: Cells, cols: int) -> tuple[tuple[int, int], ...]:
    """The tiles that slid by one cell along a line, or () when more than that has changed."""
    start, end = int(np.argmin(before)), int(np.argmin(after))
    same_row, same_col = start // cols == end // cols, start % cols == end % cols
    if same_row == same_col:
        return ()
    step = (1 if same_row else cols) * (1 if end > start else -1)
    slid = before.copy()
    line = list(range(start, end, step))
    for cell in line:
        slid[cell] = before[cell + step]
    slid[end] = 0
    if not np.array_equal(slid, after):
        return ()
    return tuple((cell, cell + step) for cell in line)
