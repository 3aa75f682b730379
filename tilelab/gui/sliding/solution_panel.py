"""The panel at the right of sliding tiles: the nearest board, the metrics, and the solution."""

from collections.abc import Mapping

from PySide6.QtCore import QModelIndex, QSignalBlocker, QStringListModel, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListView,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from tilelab.core.puzzle import Cells
from tilelab.core.solver import Best
from tilelab.core.wording import about, counted, number, rate
from tilelab.gui.boards.tile_view import TileView
from tilelab.gui.run.messages import Board, of_kind
from tilelab.gui.widgets.fact_table import FactTable
from tilelab.gui.widgets.theme import set_role, set_style_property
from tilelab.puzzles.sliding.board import MOVES, neighbour
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle, SlidingReport

_MARGIN = 16
_TITLES = {
    "expanded": "Seen (expanded)",
    "generated": "Generated",
    "frontier": "Frontier",
    "depth": "Depth",
    "bound": "Lowest f",
    "nearest": "Best h",
    "megabytes": "Memory",
}
"""The metrics of the searches as the papers name them."""
_RATE = "seen_a_second"
_ARROWS = {"U": "↑", "D": "↓", "L": "←", "R": "→"}


class SolutionPanel(QFrame):
    """Shows how near a search has come, and the way once there is one."""

    place_asked = Signal(int)
    """A move of the list was chosen: so many moves shall be made."""
    copied = Signal(str)
    """Something was put on the clipboard; the text says what."""
    film_asked = Signal()
    """The solution shall be exported as an animated GIF."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("best_panel")
        self.setAccessibleName("Nearest board and solution")
        set_style_property(self, "card", True)
        self._moves, self._moment = "", ""
        self._best_seconds: float | None = None
        self._make_parts()
        self._lay_out()
        self.clear()

    @property
    def moves(self) -> str:
        """The letters of the solution, or ''."""
        return self._moves

    def clear(self) -> None:
        """Show that there is nothing yet."""
        self._moves, self._best_seconds = "", None
        self._title.setText("Nearest board")
        self._value.setText("")
        self._of.setText("")
        self._age.setText("")
        self._empty.show()
        self._nearest.hide()
        self._pages.setCurrentIndex(0)
        self._list_model.setStringList([])
        self._enable()
        self.show_metrics({}, None)

    def show_nearest(self, board: Board, seconds: float) -> None:
        """Show the board nearest the goal; seconds: running time at which it was met."""
        self._best_seconds = seconds
        if self._moves:
            # Looked back to: the way had not been found yet.
            self._moves = ""
            self._list_model.setStringList([])
            self._enable()
        puzzle = of_kind(board.puzzle, SlidingPuzzle)
        self._title.setText("Nearest board")
        self._value.setText(number(of_kind(board.report, SlidingReport).distance))
        self._of.setText("slides away at least")
        self._empty.hide()
        self._nearest.show()
        self._nearest.show_board(board.cells, puzzle.places, puzzle.params.cols)
        self._pages.setCurrentIndex(0)

    def show_solution(self, puzzle: SlidingPuzzle, best: Best, bound: int, seconds: float) -> None:
        """Show a way; bound: so many moves are proven to be needed, 0 where nothing is proven."""
        moves = best.moves or ""
        self._best_seconds = seconds
        self._title.setText("Solution")
        self._value.setText(f"{len(moves):,}")
        self._of.setText(f"{'move' if len(moves) == 1 else 'moves'}, {_proven(best, bound)}")
        if moves == self._moves:
            return
        self._moves = moves
        with QSignalBlocker(self._list.selectionModel()):
            self._list_model.setStringList(_move_lines(puzzle.start, puzzle.params.cols, moves))
        self._pages.setCurrentIndex(1)
        self._enable()

    def show_moment(self, text: str) -> None:
        """Say when the board was met instead of how long ago; '' for the best by now."""
        self._moment = text
        self._age.setText(text)

    def show_age(self, seconds: float) -> None:
        """Say how long ago the best was met; seconds: the running time now."""
        if self._best_seconds is not None and not self._moment:
            ago = about(max(seconds - self._best_seconds, 0.0))
            self._age.setText(f"{ago} ago")

    def show_metrics(self, metrics: Mapping[str, float], per_second: float | None) -> None:
        """Show the newest row of the trace, and the rate of expansion."""
        texts = {name: number(value) for name, value in metrics.items()}
        if "megabytes" in metrics:
            texts["megabytes"] = f"{metrics['megabytes']:,.1f} MB"
        for name in _TITLES:
            self._metrics.show_fact(name, texts.get(name, ""))
        self._metrics.show_fact(_RATE, "" if per_second is None else rate(per_second))

    def show_place(self, place: int) -> None:
        """Mark the move that was made last."""
        index = self._list_model.index(place - 1) if place else QModelIndex()
        with QSignalBlocker(self._list.selectionModel()):
            self._list.setCurrentIndex(index)
        if place:
            self._list.scrollTo(index)
        else:
            self._list.clearSelection()
        self._list.viewport().update()

    @Slot()
    def copy_moves(self) -> None:
        """Put the letters of the solution on the clipboard."""
        if self._moves:
            QGuiApplication.clipboard().setText(self._moves + "\n")
            self.copied.emit(f"Copied {counted(len(self._moves), 'move')}.")

    def _enable(self) -> None:
        for button in (self._copy, self._film):
            button.setEnabled(bool(self._moves))

    def _make_parts(self) -> None:
        self._title, self._value, self._of = QLabel(self), QLabel(self), QLabel(self)
        self._age = QLabel(self)
        for label, role in (
            (self._title, "title"),
            (self._value, "display"),
            (self._of, "muted"),
            (self._age, "small"),
        ):
            set_role(label, role)
        self._value.setObjectName("best_value")
        self._of.setWordWrap(True)
        self._empty = QLabel("The board nearest the goal, and then the solution, come here.", self)
        set_role(self._empty, "muted")
        self._empty.setWordWrap(True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nearest = TileView(self, is_small=True)
        self._nearest.setObjectName("nearest_board")
        self._nearest.setAccessibleName("Board nearest the goal")
        self._list_model = QStringListModel(self)
        self._list = QListView(self)
        self._list.setObjectName("move_list")
        self._list.setAccessibleName("Moves of the solution")
        self._list.setModel(self._list_model)
        self._list.setUniformItemSizes(True)
        # A click leaves the keyboard on the board, where arrows slide tiles.
        self._list.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._list.selectionModel().currentChanged.connect(self._chosen)
        self._copy = self._button("Copy moves", "Put the letters U D L R on the clipboard")
        self._copy.clicked.connect(self.copy_moves)
        self._film = self._button("Film…", "Export the solution as an animated GIF")
        self._film.clicked.connect(self.film_asked)
        self._metrics = FactTable({**_TITLES, _RATE: "Seen a second"}, self)

    def _button(self, title: str, tip: str) -> QPushButton:
        button = QPushButton(title, self)
        button.setObjectName(title.lower().rstrip("…").replace(" ", "_"))
        button.setToolTip(tip)
        return button

    def _lay_out(self) -> None:
        heading = QHBoxLayout()
        heading.addWidget(self._title)
        heading.addStretch(1)
        heading.addWidget(self._age)
        values = QHBoxLayout()
        values.setSpacing(8)
        # What is below stays where it is when the first value comes.
        values.addStrut(48)
        values.addWidget(self._value, 0, Qt.AlignmentFlag.AlignBaseline)
        values.addWidget(self._of, 1, Qt.AlignmentFlag.AlignBaseline)
        first = QWidget(self)
        over = QVBoxLayout(first)
        over.setContentsMargins(0, 0, 0, 0)
        over.addWidget(self._empty)
        over.addWidget(self._nearest)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(first)
        self._pages.addWidget(self._list)
        rule = QFrame(self)
        set_role(rule, "rule")
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self._copy)
        buttons.addWidget(self._film)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        whole.setSpacing(8)
        whole.addLayout(heading)
        whole.addLayout(values)
        whole.addWidget(self._pages, 1)
        whole.addWidget(rule)
        whole.addWidget(self._metrics)
        whole.addLayout(buttons)

    @Slot()
    def _chosen(self) -> None:
        index = self._list.currentIndex()
        if index.isValid():
            self.place_asked.emit(index.row() + 1)


def _proven(best: Best, bound: int) -> str:
    """Say what is known of the length of a way."""
    if best.optimal:
        return "proven to be shortest"
    if 0 < bound < len(best.moves or ""):
        return f"at least {bound:,} needed"
    return "not proven to be shortest"


def _move_lines(start: Cells, cols: int, moves: str) -> list[str]:
    """One line a move: its number, the way the tile goes, and which tile it is."""
    cells = start.copy()
    blank = int(cells.argmin())
    opposite = {"U": "D", "D": "U", "L": "R", "R": "L"}
    lines = []
    for place, letter in enumerate(moves, 1):
        there = neighbour(blank, MOVES.index(letter), len(cells), cols)
        tile = int(cells[there])
        cells[blank], cells[there] = tile, 0
        blank = there
        lines.append(f"{place:,}.   {_ARROWS[opposite[letter]]}   tile {tile}   (blank {letter})")
    return lines
