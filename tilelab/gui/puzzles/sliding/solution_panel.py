"""The panel at the right of sliding tiles: the nearest board, the metrics, and the solution."""

from collections.abc import Mapping

from PySide6.QtCore import QModelIndex, QSignalBlocker, QStringListModel, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QListView, QStackedWidget, QWidget

from tilelab.core.puzzle import Cells
from tilelab.core.solver import Best
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import capital, counted, memory, number, rate
from tilelab.gui.boards.best_card import BestCard, MovesBar
from tilelab.gui.boards.tile_view import TileView
from tilelab.gui.puzzles.sliding.board_file import tile_scene
from tilelab.gui.run.messages import Board, of_kind
from tilelab.gui.widgets.parts import FactTable, column_layout, named, rule_line, text_label
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle, SlidingReport
from tilelab.slides.moves import MOVES, neighbour

_TITLES = {
    "expanded": marked("Expanded"),
    "generated": marked("Generated"),
    "frontier": marked("Queue entries"),
    "depth": marked("Depth"),
    "bound": marked("Lowest f"),
    "nearest": marked("Lowest h"),
    "megabytes": marked("Memory"),
}
"""Titles of the searches' metrics, as papers name them."""
_QUEUE_TIPS = {
    "frontier": marked(
        "Entries of the open list. A board to which a shorter path was found has one for each path"
    ),
    "depth": marked(
        "Depth of the board that was expanded last. "
        "The goal is not expanded, and may be one move deeper"
    ),
    "bound": marked(
        "Smallest f of the board that was taken from the open list last, and of those in it. "
        "Boards that are open now may all have a larger f"
    ),
}
"""Explanations of metrics of the searches with a queue."""
_NOTHING_YET = marked("The board nearest to the goal and the solution will be shown here.")
_NOT_KEPT = marked("The nearest board of this moment is not kept.")
_NO_PATH_YET = marked("The solution will be shown here.")
_RATE = "expanded_a_second"
_DIGIT_SPACE = "\u2007"  # as wide as a digit, so that all arrows are in one column
_ARROWS = {"U": "↓", "D": "↑", "L": "→", "R": "←"}
"""Direction of the tile when the blank moves U, D, L or R."""


class SolutionPanel(BestCard):
    """A panel of the nearest board of a search, and of the path once found."""

    place_requested = Signal(int)
    """Emitted with the number of moves up to the chosen one in the list."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Nearest board and solution"), parent)
        self._has_nearest = True  # whether the search looks for the board nearest the goal
        self._is_past = False
        self._make_parts()
        self._lay_out()
        self.clear()

    @property
    def moves(self) -> str:
        """Letters of the solution, or ''."""
        return self._moves_bar.moves

    def clear(self, *, is_past: bool = False) -> None:
        """Show that there is no result yet, or that it is not kept for an earlier moment."""
        self._best_seconds, self._is_past = None, is_past
        self._show_worth("", "")
        self._age.setText("")
        self._empty.show()
        self._say_what_comes()
        self._nearest.hide()
        self._pages.setCurrentIndex(0)
        self._list_model.setStringList([])
        self._moves_bar.set_moves("")
        self.show_metrics({}, None)

    def show_nearest(self, board: Board, seconds: float | None) -> None:
        """Show the board nearest the goal; seconds: when it was found, None if not known.

        If it is the start board, it is called so: the search may know no estimate.
        """
        self._best_seconds = seconds
        if self.moves:
            # At an earlier moment the path was not yet found.
            self._list_model.setStringList([])
            self._moves_bar.set_moves("")
        puzzle = of_kind(board.puzzle, SlidingPuzzle)
        if is_start := puzzle.is_start(board.cells):
            self._best_seconds = None  # it was not found, but given
        self._name_board(tr("Start board") if is_start else tr("Nearest board"))
        distance = round(of_kind(board.report, SlidingReport).distance)
        text = tr("{moves} to the goal, at least", moves=_moves_word(distance))
        self._show_worth(figures(distance, ","), text)
        self._empty.hide()
        self._nearest.show()
        self._nearest.show_scene(tile_scene(puzzle, board.cells))
        self._pages.setCurrentIndex(0)

    def show_solution(self, puzzle: SlidingPuzzle, best: Best, bound: int, seconds: float) -> None:
        """Show a path; bound: proven lower bound of the moves, 0 if nothing is proven."""
        moves = best.moves or ""
        self._best_seconds = seconds
        self._title.setText(tr("Solution"))
        self._empty.hide()
        what = _moves_word(len(moves))
        self._show_worth(figures(len(moves), ","), f"{what}, {_proven(best, bound)}")
        if moves == self.moves:
            return
        self._moves_bar.set_moves(moves)
        with QSignalBlocker(self._list.selectionModel()):
            self._list_model.setStringList(_move_lines(puzzle.start, puzzle.params.cols, moves))
        self._pages.setCurrentIndex(1)

    def show_metrics(self, metrics: Mapping[str, float], per_second: float | None) -> None:
        """Show the newest row of the trace, and the rate of expansion."""
        texts = {name: number(value) for name, value in metrics.items()}
        if "megabytes" in metrics:
            texts["megabytes"] = memory(metrics["megabytes"])
        for name in _TITLES:
            self._metrics.show_fact(name, texts.get(name, ""))
        self._metrics.show_fact(_RATE, "" if per_second is None else rate(per_second))

    def name_metrics(self, titles: Mapping[str, str]) -> None:
        """Give metrics the names that they have in a search; '' hides one that it has not."""
        self._has_nearest = titles.get("nearest") != ""
        if not self._empty.isHidden():
            self._say_what_comes()
        has_queue = capital(tr(titles.get("frontier", ""))) == tr(_TITLES["frontier"])
        for name, usual in _TITLES.items():
            own = titles.get(name, usual)
            is_usual = has_queue and capital(tr(own)) == tr(usual)
            tip = tr(_QUEUE_TIPS[name]) if is_usual and name in _QUEUE_TIPS else ""
            self._metrics.show_title(name, capital(tr(own)), tip)
            self._metrics.show_line(name, bool(own))

    def _name_board(self, title: str) -> None:
        self._title.setText(title)
        self._nearest.setAccessibleName(title)

    def _say_what_comes(self) -> None:
        """Say what will be shown in place of the board that is missing."""
        self._name_board(tr("Nearest board") if self._has_nearest else tr("Solution"))
        waiting = _NOT_KEPT if self._is_past else _NOTHING_YET
        self._empty.setText(tr(waiting if self._has_nearest else _NO_PATH_YET))

    def show_played(self, moves: str) -> None:
        self._moves_bar.set_played(moves)

    def show_place(self, place: int) -> None:
        """Mark the last move made."""
        index = self._list_model.index(place - 1) if place else QModelIndex()
        with QSignalBlocker(self._list.selectionModel()):
            self._list.setCurrentIndex(index)
        if place:
            self._list.scrollTo(index)
        else:
            self._list.clearSelection()
        self._list.viewport().update()

    def _make_parts(self) -> None:
        self._of.setWordWrap(True)
        self._empty = text_label("muted", self, wraps=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nearest = TileView(self, is_small=True)
        named(self._nearest, "nearest_board", tr("Nearest board"))
        self._list_model = QStringListModel(self)
        self._list = named(QListView(self), "move_list", tr("Moves of the solution"))
        self._list.setModel(self._list_model)
        self._list.setUniformItemSizes(True)
        # A click leaves the keyboard on the board, where the arrow keys slide tiles.
        self._list.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._list.selectionModel().currentChanged.connect(self._chosen)
        self._moves_bar = MovesBar(tr("Export the solution as an animated GIF"), self)
        self._metrics = FactTable({**_TITLES, _RATE: marked("Expanded a second")}, self)

    def _lay_out(self) -> None:
        first = QWidget(self)
        column_layout(first, 0, None, self._empty, self._nearest)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(first)
        self._pages.addWidget(self._list)
        self._lay_out_card((self._pages, 1), rule_line(self), self._metrics, self._moves_bar)

    @Slot()
    def _chosen(self) -> None:
        index = self._list.currentIndex()
        if index.isValid():
            self.place_requested.emit(index.row() + 1)


def _moves_word(n_moves: int) -> str:
    """Return the word that follows a number of moves."""
    return counted(n_moves, "move").removeprefix(figures(n_moves, ",")).strip()


def _proven(best: Best, bound: int) -> str:
    """Return what is proven about the length of a path."""
    if best.optimal:
        return tr("proven to be shortest")
    if 0 < bound < len(best.moves or ""):
        return tr("at least {bound} needed", bound=figures(bound, ","))
    return tr("not proven to be shortest")


def _move_lines(start: Cells, cols: int, moves: str) -> list[str]:
    """Return a line per move: its number, the direction of the tile, and the tile."""
    cells = start.copy()
    blank = int(cells.argmin())
    lines = []
    for place, letter in enumerate(moves, 1):
        there = neighbour(blank, MOVES.index(letter), len(cells), cols)
        tile = int(cells[there])
        cells[blank], cells[there] = tile, 0
        blank = there
        lines.append(
            tr(
                "{place}.   {arrow}   tile {tile}",
                place=figures(place, ",").rjust(len(figures(len(moves), ",")), _DIGIT_SPACE),
                arrow=_ARROWS[letter],
                tile=tile,
            )
        )
    return lines
