"""The population of a generation: its boards, their descent, and their diversity."""

import dataclasses
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QToolTip, QWidget

from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import HOLE
from tilelab.core.text.wording import counted, number
from tilelab.core.views import Population
from tilelab.gui.boards.cell_view import CellView
from tilelab.gui.boards.scene import BoardLayout, CellScene, paint_grounds, paint_marks, paint_tile
from tilelab.gui.boards.tile_pictures import BoardTexts, sign_pixels
from tilelab.gui.views.boards_picture import BoardsPicture, Footer, SmallBoards
from tilelab.gui.views.descent import Lineage, child_layout, descent_of, paint_descent
from tilelab.gui.widgets.access import STEPS
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.parts import ButtonRow, Segments, column_layout, named, small_button
from tilelab.gui.widgets.text_painter import TextPainter
from tilelab.gui.widgets.theme import Theme, current_theme, mix

SETTLED = 0.9  # share from which a cell is called settled
_MAX_LISTED = 4
_MIN_TILE = 30.0  # smallest tile in pixels with room for its share as a number


def population_picture(view: Population, puzzle: Puzzle) -> BoardsPicture:
    """Draw the boards of a generation, the fittest first."""
    top = view.fitness.max(initial=0.0)
    feet = [
        Footer(figures(place, ","), number(value), value == top)
        for place, value in enumerate(view.fitness.tolist(), 1)
    ]
    words = tr("No boards")
    if feet:
        mean = number(round(float(view.fitness.mean()), 2))
        words = tr(
            "{n_grids}, best value {value}, {mean} on average",
            n_grids=counted(len(feet), "board"),
            value=feet[0].value,
            mean=mean,
        )
    return BoardsPicture(BoardTexts.of(puzzle, view.grids), feet, words)


class DescentView(QWidget):
    """A view of a board between its parents.

    Left and Right, or Up and Down, go to the previous and next board; Escape or a click outside the
    tiles goes back to all.
    """

    left = Signal()
    stepped = Signal(int)  # emitted with the number of places to step to another board

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "descent_view", tr("A board and its parents"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._descent: Lineage | None = None

    def show_descent(self, descent: Lineage) -> None:
        self._descent = descent
        self.setAccessibleDescription(descent.words())
        self.update()

    def minimumSizeHint(self) -> QSize:
        # Letters of large boards would be illegible in less room; the page scrolls instead.
        return QSize(200, 220)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.paint(painter, QRectF(self.rect()), current_theme())

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        if self._descent is not None:
            paint_descent(painter, rect, self._descent, theme)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            cell = self._cell_at(QPointF(event.pos()))
            text = "" if cell is None or self._descent is None else self._descent.origin_words(cell)
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._cell_at(event.position()) is None:
            self.left.emit()
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self.left.emit()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Up):
            self.stepped.emit(-1)
        elif key in (Qt.Key.Key_Right, Qt.Key.Key_Down):
            self.stepped.emit(1)
        else:
            super().keyPressEvent(event)

    def _cell_at(self, point: QPointF) -> int | None:
        if self._descent is None:
            return None
        return child_layout(QRectF(self.rect()), self._descent).cell_at(point)


@dataclass(frozen=True, eq=False)
class DiversityScene(CellScene):
    """A board with the shares of letters in each cell."""

    rows_cols: tuple[int, int] = (0, 0)
    letters: tuple[tuple[tuple[str, float], ...], ...] = ()
    """Letters of each cell and their shares, 0..1, most frequent first; () for a hole."""

    kind = marked("Diversity by cell")

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows_cols

    @property
    def n_settled(self) -> int:
        """Number of cells in which nearly all boards agree."""
        return sum(cell[0][1] >= SETTLED for cell in self.letters if cell)

    def text(self) -> str:
        return " ".join(cell[0][0] if cell else HOLE for cell in self.letters)

    def words(self) -> str:
        """Describe how much the population agrees."""
        n_cells = counted(sum(map(bool, self.letters)), "cell")
        return tr(
            "{n_settled} of {n_cells} settled: the same letter in {settled} of the boards",
            n_settled=figures(self.n_settled, ","),
            n_cells=n_cells,
            settled=figures(SETTLED, ".0%"),
        )

    def cell_words(self, cell: int) -> str:
        """Describe which letters a cell has, and how often."""
        row, col = divmod(cell, self.rows_cols[1])
        said = (
            tr("hole")
            if not self.letters[cell]
            else ", ".join(
                f"{sign} {figures(share, '.0%')}"
                for sign, share in self.letters[cell][:_MAX_LISTED]
            )
        )
        more = len(self.letters[cell]) - _MAX_LISTED
        others = tr(", {count} more", count=figures(more, ",")) if more > 0 else ""
        return tr(
            "row {row}, column {col}: {letters}{others}",
            row=row + 1,
            col=col + 1,
            letters=said,
            others=others,
        )

    def paint(self, painter: QPainter, layout: BoardLayout, theme: Theme) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_grounds(painter, [layout], theme)
        signs = [cell[0][0] for cell in self.letters if cell]
        has_number = layout.tile >= _MIN_TILE
        pixels = max(round(sign_pixels(layout, signs) * (0.85 if has_number else 1.0)), 6)
        lettering = TextPainter(painter, pixels, theme.tile_ink, strong=True)
        small = TextPainter(painter, max(round(layout.tile * 0.2), 9), theme.tile_ink)
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
                small.draw(point, figures(share, ".0%"))
            _paint_bar(painter, face, share, theme)
        paint_marks(painter, layout, self, theme)


def _paint_bar(painter: QPainter, face: QRectF, share: float, theme: Theme) -> None:
    """Draw a bar at the bottom of a tile, as long as the share."""
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
    """Compute the shares of a population; texts: those of its boards, with shown symbols.

    A cell in which no board has a symbol is a hole.
    """
    cells = []
    for cell, shares in enumerate(view.shares):
        # A text may depend on its cell, so it is read from a board that has it there.
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
    """A view of the letters that a population agrees on; arrow keys move the focused cell."""

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

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        if self._scene.n_cells:
            layout = BoardLayout.fitted(self._scene.shape, rect)
            self._scene.paint(painter, layout, theme)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if Qt.Key(event.key()) in STEPS and self._scene.n_cells:
            self._move_focus(Qt.Key(event.key()), None)
        else:
            super().keyPressEvent(event)

    def _show(self, scene: DiversityScene) -> None:
        super()._show(scene)
        cell = scene.focused
        self.setAccessibleDescription(scene.words() if cell is None else scene.cell_words(cell))


class PopulationView(QWidget):
    """A view of all boards, of a board with its parents, or of the diversity by cell."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("population_view")
        self._view: Population | None = None
        self._texts: BoardTexts | None = None
        self._parents: BoardTexts | None = None
        self._grid = 0  # index of the board that is shown large
        self.grids = SmallBoards(tr("Board"), self)
        named(self.grids, "population_grids", tr("Boards of the generation"))
        self.descent = DescentView(self)
        self.diversity = named(DiversityBoard(self), "population_diversity")
        self._stack = QStackedWidget(self)
        for part in (self.grids, self.descent, self.diversity):
            self._stack.addWidget(part)
        self._said = ElidedLabel(self, role="muted")
        tip = tr("Show all boards (Esc)")
        self._back = small_button(tr("All boards"), "population_back", tip, self, self.close_grid)
        segments = Segments(tr("What is shown of the population"), self)
        segments.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        tip = tr("The boards, the best first")
        boards = segments.add(tr("Boards"), "population_part_boards", tip)
        tip = tr("Where the boards agree, cell by cell")
        diversity = segments.add(tr("Diversity"), "population_part_diversity", tip)
        self._parts = {self.grids: boards, self.descent: boards, self.diversity: diversity}
        """Buttons of the parts; a board with its parents belongs to the boards."""
        head = ButtonRow(self._said, self._back, segments, spacing=12)
        head.setStretchFactor(self._said, 1)
        column_layout(self, 0, 8, head, (self._stack, 1))
        self.grids.board_chosen.connect(self.open_grid)
        self.grids.count_changed.connect(self._show_part)
        self.descent.left.connect(self.close_grid)
        self.descent.stepped.connect(self._step)
        boards.clicked.connect(self.close_grid)
        diversity.clicked.connect(self.show_diversity)
        self._turn_to(self.grids)

    def show_view(self, view: Population, puzzle: Puzzle) -> None:
        """Show another generation of a puzzle's boards; the selection stays."""
        self._view = view
        picture = population_picture(view, puzzle)
        self._texts = picture.texts
        self._parents = BoardTexts.of(puzzle, view.parent_grids)
        self.grids.show_boards(picture)
        if self._stack.currentWidget() is self.diversity:
            self.show_diversity()
        if self._stack.currentWidget() is self.descent:
            self.open_grid(min(self._grid, len(view.grids) - 1))
        self._show_part()

    @Slot(int)
    def open_grid(self, place: int) -> None:
        """Show a board with its parents; place: rank by fitness, from 0."""
        if self._view is None or self._texts is None or self._parents is None:
            return
        self._grid = place
        self.descent.show_descent(descent_of(self._view, self._texts, self._parents, place))
        self._turn_to(self.descent)

    @Slot()
    def close_grid(self) -> None:
        """Show all boards again, with the focus on the one that was shown."""
        was_open = self._stack.currentWidget() is self.descent
        self._turn_to(self.grids)
        if was_open and self.grids.hasFocus() and self._grid < self.grids.n_shown:
            self.grids.focus_board(self._grid)

    @Slot()
    def show_diversity(self) -> None:
        """Show what the boards agree on, which is computed only when shown."""
        if self._view is not None and self._texts is not None:
            self.diversity.show_diversity(diversity_of(self._view, self._texts))
        self._turn_to(self.diversity)

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        part = self._stack.currentWidget()
        if isinstance(part, SmallBoards | DescentView | DiversityBoard):
            part.paint(painter, rect, theme)

    @Slot(int)
    def _step(self, by: int) -> None:
        last = 0 if self._view is None else len(self._view.grids) - 1
        self.open_grid(min(max(self._grid + by, 0), last))

    def _turn_to(self, part: QWidget) -> None:
        had_focus = self._back.hasFocus() or any(one.hasFocus() for one in self._parts)
        self._stack.setCurrentWidget(part)
        if had_focus:
            part.setFocus()
        self._show_part()

    @Slot()
    def _show_part(self) -> None:
        part = self._stack.currentWidget()
        if part is not None:
            self._parts[part].setChecked(True)
        self._back.setVisible(part is self.descent)
        self._said.setText(self._said_of(part))

    def _said_of(self, part: QWidget | None) -> str:
        if self._view is None:
            return tr("No generation yet.")
        if part is self.diversity:
            return self.diversity.scene.words()
        if part is self.descent:
            generation = self._view.generation
            return tr(
                "Generation {generation}, parents of generation {previous}",
                generation=figures(generation, ","),
                previous=figures(generation - 1, ","),
            )
        n_grids, n_shown = self.grids.n_boards, self.grids.n_shown
        few = (
            counted(n_grids, "board")
            if n_shown >= n_grids
            else tr(
                "the fittest {n_shown} of {n_boards}",
                n_shown=figures(n_shown, ","),
                n_boards=figures(n_grids, ","),
            )
        )
        return tr(
            "Generation {generation}: {few}",
            generation=figures(self._view.generation, ","),
            few=few,
        )
