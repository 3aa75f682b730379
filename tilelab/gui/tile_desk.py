"""A board of sliding tiles at work: played by hand, edited, helped by hints, solutions played."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tilelab.core.errors import TileLabError
from tilelab.gui.background import Background
from tilelab.gui.notice_bar import NoticeBar
from tilelab.gui.play_bar import PlayAction, PlayBar
from tilelab.gui.settings import Settings
from tilelab.gui.solution_bar import SolutionBar
from tilelab.gui.tile_view import SLIDE_MILLISECONDS, TileView
from tilelab.puzzles.sliding import Goal, SlidingPuzzle, boards_along, distances
from tilelab.runs.hand_play import HandPlay, Position
from tilelab.solvers.hint import Hint

CLOCK_MILLISECONDS = 250
ANIMATION_OFF = "no_slide_animation"
ARROWS_MOVE_BLANK = "arrows_move_blank"
_OPPOSITE = {"U": "D", "D": "U", "L": "R", "R": "L"}


@dataclass(frozen=True, eq=False)
class Solution:
    """A way and all its boards."""

    puzzle: SlidingPuzzle
    moves: str
    boards: NDArray[np.uint8]
    """uint8 (moves + 1, rows * cols)."""

    def rest(self, position: Position) -> str:
        """Return the moves that are left when a board lies on the way, or ''."""
        if not np.array_equal(self.puzzle.goal, position.goal):
            return ""
        met = np.flatnonzero((self.boards == position.cells).all(axis=1))
        return self.moves[int(met[0]) :] if len(met) else ""


class TileDesk(QWidget):
    """The board in play, or a place of the solution; knows nothing of runs."""

    position_changed = Signal()
    """Another board is in play, or another goal holds."""
    heading_changed = Signal(str)
    scramble_asked = Signal()
    placed = Signal(int)
    """So many moves of the solution are made on the board that is shown."""

    def __init__(
        self, first: Position, notice: NoticeBar, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._notice, self._settings = notice, settings
        self._play = HandPlay(first)
        self._solution: Solution | None = None
        self._shows_solution = self._editing = self._is_busy = False
        self._way = ""
        """What is left of the last hint's way."""
        self.board = TileView(self)
        self.board.setObjectName("board_view")
        self.play_bar = PlayBar(self)
        self.solution_bar = SolutionBar(self)
        self._hints = Background("hints", self)
        self._clock = QTimer(self, interval=CLOCK_MILLISECONDS)
        self._clock.timeout.connect(self._show_counters)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(8)
        whole.addWidget(self.board, 1)
        whole.addWidget(self.play_bar)
        whole.addWidget(self.solution_bar)
        self.board.cell_clicked.connect(self._cell_clicked)
        self.board.arrow_pressed.connect(self._arrow_pressed)
        self.board.playing_asked.connect(self.solution_bar.act)
        self.play_bar.asked.connect(self.act)
        self.solution_bar.place_changed.connect(self._solution_placed)
        self._hints.told.connect(self._hinted)
        self._hints.failed.connect(notice.show_error)
        self._show_position()
        self.drop_solution()

    @property
    def position(self) -> Position:
        """The board in play."""
        return self._play.position

    @property
    def shown_position(self) -> Position:
        """The board on the screen, as one that can be played on."""
        solution = self._solution
        if not self._shows_solution or solution is None:
            return self.position
        place, puzzle = self.solution_bar.place, solution.puzzle
        cells, name = solution.boards[place].copy(), self.position.name
        return Position(puzzle.params, puzzle.start, puzzle.goal, cells, place, name)

    def take(self, position: Position) -> None:
        """Put another board in play; that can be undone, too."""
        if position is not self.position:
            self._play.take(position)
        self._set_editing(False)
        self._show_position()

    def set_goal(self, goal: Goal, cells: NDArray[np.int64] | None = None) -> None:
        """Change the goal of the board in play."""
        try:
            self._play.set_goal(goal, cells)
        except TileLabError as fault:
            self._notice.show_error(str(fault))
        self._show_position()

    @Slot()
    def make_solvable(self) -> None:
        """Swap two tiles of a board that cannot be solved."""
        self._play.make_solvable()
        self._show_position()

    def show_solution(self, puzzle: SlidingPuzzle, moves: str) -> None:
        """Offer a way to be played; the same way again changes nothing."""
        if self._solution is None or self._solution.moves != moves:
            boards = boards_along(puzzle.start, puzzle.params.cols, moves)
            self._solution = Solution(puzzle, moves, boards)
            self.solution_bar.set_length(len(moves))
            self.solution_bar.show()

    def drop_solution(self) -> None:
        """Forget the way, and show the board in play."""
        was_shown = self._shows_solution
        self._solution, self._way = None, ""
        self.solution_bar.set_length(0)
        self.solution_bar.hide()
        if was_shown:
            self._show_position()

    def set_busy(self, is_busy: bool) -> None:
        """While a run is going the board can be looked at only."""
        self._is_busy = is_busy
        if is_busy:
            self._call_off_hint()
            self._set_editing(False)
        self._allow()

    def close_hints(self) -> None:
        """End the thread of the hints."""
        self._hints.close()

    @Slot(object)
    def act(self, action: PlayAction) -> None:
        """Do what a button of the play bar asks for, if it is possible now."""
        if self.play_bar.button(action).isEnabled():
            self._call_off_hint()
            done: dict[PlayAction, Callable[[], None]] = {
                PlayAction.UNDO: partial(self._step_back_or_on, self._play.undo),
                PlayAction.REDO: partial(self._step_back_or_on, self._play.redo),
                PlayAction.RESTART: partial(self._step_back_or_on, self._play.restart),
                PlayAction.SCRAMBLE: self.scramble_asked.emit,
                PlayAction.HINT: self._hint,
                PlayAction.EDIT: partial(self._set_editing, not self._editing),
            }
            done[action]()

    def _step_back_or_on(self, done: Callable[[], None]) -> None:
        done()
        self._show_position(animated=True)

    def _set_editing(self, editing: bool) -> None:
        if editing != self._editing:
            self._editing = editing
            self.board.set_editing(editing)
            if editing:
                self._play_on()
                self._show_position()
                self.board.setFocus()
            self._show_heading()
        self.play_bar.set_editing(editing)

    @Slot(int)
    def _cell_clicked(self, cell: int) -> None:
        self._play_on()
        chosen = self.board.selected
        if not self._editing:
            self._slide(self._play.way_to(cell))
        elif chosen is None:
            self.board.set_selected(cell)
        else:
            self.board.set_selected(None)
            if chosen != cell:
                self._play.swap(chosen, cell)
                self._show_position()

    @Slot(str)
    def _arrow_pressed(self, letter: str) -> None:
        self._play_on()
        move = letter if self._settings.flag(ARROWS_MOVE_BLANK) else _OPPOSITE[letter]
        if self._play.can_move(move):
            self._slide(move)

    def _slide(self, moves: str) -> None:
        if not moves:
            return
        self._call_off_hint()
        self._way = self._way[len(moves) :] if self._way.startswith(moves) else ""
        self._play.play(moves)
        self._show_position(animated=True)
        if self.position.is_solved:
            self._notice.show_done(f"Solved by hand in {self.position.n_moves:,} moves.")

    def _play_on(self) -> None:
        """Go on by hand from the board of the solution that is shown."""
        if self._shows_solution:
            self.solution_bar.pause()
            shown = self.shown_position
            self._shows_solution = False
            self._play.take(shown)

    def _hint(self) -> None:
        self._play_on()
        position = self.position
        self._way = self._way or ("" if self._solution is None else self._solution.rest(position))
        if self._way:
            self._slide(self._way[0])
            return
        try:
            puzzle = position.puzzle()
        except TileLabError as fault:
            self._notice.show_error(str(fault))
            return
        self._notice.show_note("Looking for a good way…")
        self._hints.start(_hinting(puzzle))

    @Slot(object)
    def _hinted(self, way: object) -> None:
        if isinstance(way, str) and way and not self._is_busy:
            self._notice.clear()
            self._way = way
            self._hints.cancel()
            self._slide(way[0])

    def _call_off_hint(self) -> None:
        if self._hints.is_busy:
            self._hints.cancel()
            self._notice.clear()

    @Slot(int)
    def _solution_placed(self, place: int) -> None:
        self._set_editing(False)
        self._call_off_hint()
        self._shows_solution = True
        milliseconds = SLIDE_MILLISECONDS
        if self.solution_bar.is_playing:
            milliseconds = min(milliseconds, int(self.solution_bar.milliseconds * 0.8))
        self._show_cells(milliseconds)
        self.placed.emit(place)

    def _show_position(self, animated: bool = False) -> None:
        """Show the board in play."""
        self._shows_solution = False
        self.solution_bar.pause()
        self._show_cells(SLIDE_MILLISECONDS if animated else 0)
        self.position_changed.emit()

    def _show_cells(self, milliseconds: int) -> None:
        shown = self.shown_position
        cols = shown.params.cols
        away = distances(shown.cells, shown.goal, cols)
        if self._settings.flag(ANIMATION_OFF):
            milliseconds = 0
        self.board.show_board(shown.cells, np.argsort(shown.goal), cols, away, milliseconds)
        self._show_heading()
        self._show_counters()
        self._allow()

    def _show_heading(self) -> None:
        place, length = self.solution_bar.place, self.solution_bar.length
        if self._editing:
            text = "Edit: click two cells to exchange them"
        elif self._shows_solution:
            text = f"Solution, move {place:,} of {length:,}"
        else:
            text = "Solved board" if self.position.is_solved else "Board"
        self.heading_changed.emit(text)

    @Slot()
    def _show_counters(self) -> None:
        self.play_bar.show_counters(self.shown_position.n_moves, self._play.seconds)
        if self._play.is_timing != self._clock.isActive():
            (self._clock.start if self._play.is_timing else self._clock.stop)()

    def _allow(self) -> None:
        """Enable what playing by hand allows now."""
        position = self.position
        possible = {
            PlayAction.UNDO: self._play.can_undo,
            PlayAction.REDO: self._play.can_redo,
            PlayAction.RESTART: position.n_moves > 0 or self._shows_solution,
            PlayAction.SCRAMBLE: True,
            PlayAction.HINT: not position.is_solved or self._shows_solution,
            PlayAction.EDIT: True,
        }
        self.play_bar.set_enabled(
            frozenset(
                action for action, allowed in possible.items() if allowed and not self._is_busy
            )
        )
        self.board.set_interactive(not self._is_busy)


def _hinting(puzzle: SlidingPuzzle) -> Iterator[str | None]:
    """Look for a way in slices; yields None until it yields its moves."""
    hint = Hint(puzzle)
    while hint.work():
        yield None
    yield hint.way
