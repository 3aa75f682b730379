"""Dialogs that ask for a board: typed or pasted, scrambled from a seed, or one of many."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDialogButtonBox, QFormLayout, QRadioButton, QSpinBox, QWidget

from tilelab.core.errors import TileLabError
from tilelab.core.puzzle import Cells
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import window_title
from tilelab.gui.boards.text_dialog import TextDialog
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.parameters.seed_field import SeedField
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.gui.widgets.access import announce
from tilelab.gui.widgets.item_model import text_columns
from tilelab.gui.widgets.item_table import ItemTable
from tilelab.gui.widgets.parts import column_layout, ok_cancel, text_label
from tilelab.gui.widgets.window_place import Dialog
from tilelab.puzzles.sliding.board import Goal, SlidingParams
from tilelab.puzzles.sliding.play import Position
from tilelab.puzzles.sliding.solvers.wished_length import MAX_DRAWN, MAX_SIDE
from tilelab.puzzles.sliding.text import Tiles, parse_board

_EXAMPLE = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
_EXAMPLES = {Goal.BLANK_LAST: "14 13 15 7 11 12 9 5 6 0 2 1 4 8 3 10"}
"""Boards that slides lead to their goal; that of another goal is the one above."""
_HINT = marked(
    "Numbers with spaces, commas, bars or brackets, in one line or many; 0, _, . or x is the blank."
)
GOALS = {
    Goal.BLANK_LAST: marked("goal: blank last"),
    Goal.BLANK_FIRST: marked("goal: blank first"),
    Goal.BOARD: marked("goal: a given board"),
}


def board_dialog(
    title: str,
    goal: Goal,
    parent: QWidget | None = None,
    text: str = "",
    *,
    usual: tuple[int, int] | None = None,
) -> TextDialog[Tiles]:
    """Make a dialog in which numbered tiles are typed; with a given goal they are that goal.

    usual: rows and columns of as many tiles in one line.
    """
    example = _EXAMPLES.get(goal, _EXAMPLE)
    return TextDialog(title, example, tr(_HINT), partial(_read, goal, usual), parent, text)


def _read(
    goal: Goal, usual: tuple[int, int] | None, text: str, cols: int | None
) -> tuple[Tiles, TileScene, str]:
    tiles = parse_board(text, None, cols, usual)
    params = SlidingParams(rows=tiles.rows, cols=tiles.cols, goal=goal)
    is_goal = goal is Goal.BOARD
    position = Position.of(params, tiles.tiles, tiles.tiles if is_goal else None)
    note = "" if is_goal else f"; {tr(GOALS[goal])}"
    if not position.is_solvable:
        note += tr("; it cannot be solved. After OK, “Make it solvable” swaps two tiles")
    scene = TileScene(position.cells, position.goal.argsort(), tiles.cols)
    return (
        tiles,
        scene,
        tr("{rows} rows, {cols} columns{note}.", rows=tiles.rows, cols=tiles.cols, note=note),
    )


class ScrambleDialog(Dialog):
    """A dialog that asks how to scramble a board, and draws one of a wished difficulty itself."""

    def __init__(
        self,
        seed: int,
        parent: QWidget | None = None,
        draw: Callable[[int, int], Iterator[tuple[Cells, int]]] | None = None,
    ) -> None:
        """draw: draws a board from a seed whose shortest solution has this many moves; see
        :func:`~tilelab.puzzles.sliding.solvers.wished_length.draw_to_length`. None: cannot be done.
        """
        super().__init__(parent, tr("Scramble"))
        self.drawn: tuple[Cells, int] | None = None
        """Board of the wished difficulty and its number of moves, if the user requested one."""
        self._draw, self._drawn_seed = draw, -1
        self._job = TaskRunner(self, self._take, failed=self._say, ended=self._ended)
        self.finished.connect(self._job.cancel)
        self._uniform = QRadioButton(tr("Any solvable board, all equally likely"), self)
        self._slides = QRadioButton(tr("Random slides from the goal"), self)
        self._exact = QRadioButton(tr("A board whose shortest solution has this many moves"), self)
        self._uniform.setChecked(True)
        self._exact.setEnabled(draw is not None)
        if draw is None:
            sides = tr(
                "Only for boards of up to {side}×{side}, which are solved at once", side=MAX_SIDE
            )
            self._exact.setToolTip(sides)
        self._n_slides = QSpinBox(self, minimum=1, maximum=100_000, value=20)
        self._n_slides.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._n_slides.setEnabled(False)
        self._uniform.toggled.connect(self._n_slides.setDisabled)
        self._seed = SeedField(self)
        self._seed.set_seed(seed)
        self._said = text_label("muted", self, name="scramble_said", wraps=True)
        self._said.hide()
        self._choices = QWidget(self)
        form = QFormLayout()
        form.addRow(tr("Moves"), self._n_slides)
        kinds = self._uniform, self._slides, self._exact
        column_layout(self._choices, 0, 12, *kinds, form, self._seed)
        self._buttons = ok_cancel(self, self._accept)
        column_layout(self, 20, 12, self._choices, self._said, self._buttons)

    @property
    def n_slides(self) -> int | None:
        """Number of random slides; None for a random board."""
        return self._n_slides.value() if self._slides.isChecked() else None

    @property
    def seed(self) -> int:
        """Seed; raises ParameterError."""
        return self._seed.seed()

    @Slot()
    def _accept(self) -> None:
        try:
            seed = self._seed.seed()
        except TileLabError as error:
            self._seed.show_error(str(error))
            return
        if self._draw is None or not self._exact.isChecked():
            self.drawn = None
            self.accept()
        elif self._is_drawn and self._drawn_seed == seed:
            self.accept()  # the hardest board that was found, which the user takes
        else:
            self._drawn_seed = seed
            self._say(tr("Drawing boards and solving them…"), is_busy=True)
            self._job.start(self._draw(seed, self._n_slides.value()))

    @property
    def _is_drawn(self) -> bool:
        return self.drawn is not None and self.drawn[1] == self._n_slides.value()

    @Slot(str)
    def _say(self, text: str, *, is_busy: bool = False) -> None:
        self._said.setText(text)
        self._said.show()
        self._choices.setDisabled(is_busy)
        self._buttons.button(QDialogButtonBox.StandardButton.Ok).setDisabled(is_busy)
        self.adjustSize()
        if not is_busy:
            self._n_slides.setFocus()
            announce(self._said, text)

    @Slot(object)
    def _take(self, drawn: tuple[Cells, int]) -> None:
        self.drawn = drawn

    @Slot()
    def _ended(self) -> None:
        if self._is_drawn:
            self.accept()
            return
        assert self.drawn is not None
        n_moves = self.drawn[1]
        self._say(
            tr(
                "None of {count} boards needs that many moves. The hardest needs {n_moves}; press "
                "OK to take it.",
                count=MAX_DRAWN,
                n_moves=n_moves,
            )
        )
        self._n_slides.setValue(n_moves)


class ChooserDialog(Dialog):
    """A dialog that asks for one of many boards; a double click or Enter chooses it."""

    def __init__(
        self,
        title: str,
        headings: Sequence[str],
        rows: Sequence[Sequence[str]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, window_title(title), size=(560, 480))
        self._table = ItemTable("board_table", tr("Boards"), text_columns(headings), None, self)
        self._table.show_items(rows)
        self._table.horizontalHeader().setStretchLastSection(True)
        self._table.selectRow(0)
        self._table.doubleClicked.connect(self.accept)
        column_layout(self, 20, 12, (self._table, 1), ok_cancel(self))

    @property
    def row(self) -> int:
        return max(self._table.currentIndex().row(), 0)
