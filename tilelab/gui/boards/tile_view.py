"""The board of sliding tiles on the screen, with slides in motion and selectable cells."""

import dataclasses

import numpy as np
from PySide6.QtCore import QEasingCurve, QRectF, QSize, Qt, QVariantAnimation, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from tilelab.core.puzzle import Cells
from tilelab.core.text.language import tr
from tilelab.core.text.wording import counted
from tilelab.gui.boards.cell_view import CellView
from tilelab.gui.boards.scene import BoardLayout
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.widgets.access import CHOOSE, STEPS, is_still
from tilelab.gui.widgets.theme import scaled

SLIDE_MILLISECONDS = 120
_ARROWS = {Qt.Key.Key_Up: "U", Qt.Key.Key_Down: "D", Qt.Key.Key_Left: "L", Qt.Key.Key_Right: "R"}
_PLAYING = {
    Qt.Key.Key_Space: "turn",
    Qt.Key.Key_Home: "first",
    Qt.Key.Key_End: "last",
    Qt.Key.Key_Comma: "back",
    Qt.Key.Key_Period: "forward",
    Qt.Key.Key_H: "hint",
    Qt.Key.Key_D: "distances",
}
_NO_BOARD = TileScene(np.zeros(0, np.uint8), None, 4)


class TileView(CellView[TileScene]):
    """A view of a board that reports clicks and keys but does not interpret them.

    While editing, the arrows move the keyboard's cell, and Enter or Space chooses it. With Ctrl
    they move it always, so that the board can be read cell by cell.
    """

    cell_clicked = Signal(int)  # emitted with a cell that was clicked, or chosen with the keyboard
    arrow_pressed = Signal(str)  # emitted with the direction of an arrow key: U, D, L or R
    typed = Signal(str)  # emitted with a letter typed while a board of letters is edited
    playing_requested = Signal(str)
    """Emitted with the action of a key of the board: 'turn', 'first', 'last', 'back', 'forward',
    'hint' or 'distances'.
    """

    def __init__(self, parent: QWidget | None = None, *, is_small: bool = False) -> None:
        super().__init__(_NO_BOARD, parent)
        self._is_small = is_small
        self._interactive = False
        self._editing = False
        self._animation = QVariantAnimation(self, startValue=0.0, endValue=1.0)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.valueChanged.connect(self._advance)
        if is_small:
            self.setMouseTracking(False)
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def show_scene(self, scene: TileScene, slide_milliseconds: int = 0) -> None:
        """Show a board; slides by one cell from the previous board are drawn in motion.

        slide_milliseconds: duration of a slide, 0 for none.
        """
        before = self._scene
        if is_still():
            slide_milliseconds = 0
        if before.shape == scene.shape:
            slides = _slides(before.cells, scene.cells, scene.cols) if slide_milliseconds else ()
            scene = dataclasses.replace(
                scene,
                selected=before.selected,
                hovered=before.hovered,
                focused=before.focused,
                slides=slides,
                part=0.0 if slides else 1.0,
            )
        scene = dataclasses.replace(scene, shows_distances=before.shows_distances)
        self._animation.stop()
        self._show(scene)
        self._describe()
        if scene.slides:
            self._animation.setDuration(slide_milliseconds)
            self._animation.start()

    def show_hint(self, hint: tuple[int, int] | None, words: str = "") -> None:
        """Highlight a tile, with an arrow to the cell that it would slide into; None removes it.

        words: the hint as text. Another board also removes it.
        """
        self._show(dataclasses.replace(self._scene, hint=hint))
        self._describe(words)

    def show_segments(self, segments: tuple[tuple[int, ...], ...]) -> None:
        """Outline cells that belong together; () removes the outlines."""
        if self._scene.segments != segments:
            self._show(dataclasses.replace(self._scene, segments=segments))

    def show_distances(self, shown: bool) -> None:
        """Show or hide each tile's distance from its goal cell."""
        self._show(dataclasses.replace(self._scene, shows_distances=shown))

    def set_interactive(self, interactive: bool) -> None:
        """Enable or disable clicks on the board."""
        self._interactive = interactive
        self._hover(None)

    def set_editing(self, editing: bool) -> None:
        """Enable editing: clicks select cells instead of sliding tiles."""
        self._editing = editing
        self._mark(selected=None, focused=None)

    def sizeHint(self) -> QSize:
        return QSize(200, 160) if self._is_small else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(scaled(96), scaled(96)) if self._is_small else super().minimumSizeHint()

    def board_layout(self) -> BoardLayout:
        marks = self._scene.marks
        margins = (0.0, 0.0) if marks is None else marks.margins
        return BoardLayout.fitted(self._scene.shape, QRectF(self.rect()), margins=margins)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self._place_at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or cell is None or not self._interactive:
            super().mousePressEvent(event)
            return
        self._mark(focused=None)
        self.cell_clicked.emit(cell)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        scene = self._scene
        is_plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key in _PLAYING and is_plain and not self._editing:
            self.playing_requested.emit(_PLAYING[key])
        elif key in STEPS and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if scene.n_cells:
                self._move_focus(key, scene.selected)
        elif key in _ARROWS and not self._interactive:
            # The owner of the view knows why the board cannot be played.
            self.arrow_pressed.emit(_ARROWS[key])
        elif not self._interactive or not scene.n_cells:
            super().keyPressEvent(event)
        elif key in _ARROWS and self._editing:
            self._move_focus(key, scene.selected)
        elif key in _ARROWS:
            self.arrow_pressed.emit(_ARROWS[key])
        elif key in CHOOSE and self._editing and scene.focused is not None:
            self.cell_clicked.emit(scene.focused)
        elif self._editing and scene.letters and event.text().isprintable() and event.text():
            self.typed.emit(event.text())
        else:
            super().keyPressEvent(event)

    def cell_text(self, cell: int) -> str:
        """Describe a cell in words: ``row 2, column 3: E, in 4 words``."""
        scene = self._scene
        if scene.marks is not None and scene.distances is not None and scene.cells[cell]:
            away = counted(int(scene.distances[cell]), "slide")
            passing = scene.marks.passing(cell, scene.cells)
            return tr(
                "tile {tile}: {distance} from its place{note}",
                tile=scene.cells[cell],
                distance=away,
                note=passing,
            )
        return self.cell_words(cell) if scene.usage is not None and scene.cells[cell] else ""

    def cell_words(self, cell: int) -> str:
        scene, tile = self._scene, int(self._scene.cells[cell])
        row, col = divmod(cell, scene.cols)
        return tr(
            "row {row}, column {col}: {tile}",
            row=row + 1,
            col=col + 1,
            tile=scene.sign(tile) if tile else tr("blank"),
        ) + self._cell_facts(cell)

    def _cell_facts(self, cell: int) -> str:
        """Return further facts about a tile, with a comma before them; '' for none."""
        scene = self._scene
        if not scene.cells[cell]:
            return ""
        if scene.usage is not None:
            return ", " + tr("in {n_words}", n_words=counted(int(scene.usage[cell]), "word"))
        if scene.distances is not None and (scene.shows_distances or scene.marks is not None):
            away = counted(int(scene.distances[cell]), "slide")
            return ", " + tr("{distance} from its place", distance=away)
        return ""

    def _mark(self, **marks: int | None) -> None:
        before = self._scene.focused
        super()._mark(**marks)
        if before != self._scene.focused:
            self._describe()

    @Slot(object)
    def _advance(self, part: float) -> None:
        self._show(dataclasses.replace(self._scene, part=float(part)))

    def _hover(self, place: int | None) -> None:
        is_blank = place is not None and self._scene.cells[place] == 0
        can_be_pointed_at = self._interactive and (self._editing or not is_blank)
        super()._hover(place if can_be_pointed_at else None)

    def _describe(self, words: str = "") -> None:
        scene = self._scene
        n_rows, n_cols = scene.shape
        blank = tr(". is the blank") if scene.letters else tr("0 is the blank")
        board = tr(
            "{n_rows} rows, {n_cols} columns, {blank}: {tiles}",
            n_rows=n_rows,
            n_cols=n_cols,
            blank=blank,
            tiles=scene.text(),
        )
        if scene.marks is not None:
            board = f"{board}. {scene.marks.words(scene.cells, scene.cols)}"
        if scene.focused is not None:
            board = self.cell_words(scene.focused)
        said = f"{words}. {board}" if words else board
        if self.accessibleDescription() != said:
            self.setAccessibleDescription(said)


def _slides(before: Cells, after: Cells, cols: int) -> tuple[tuple[int, int], ...]:
    """Return the tiles that slid by one cell along a line; () when anything else has changed."""
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
