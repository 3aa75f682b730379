"""A board of sliding tiles at work: played by hand, edited, helped by hints, solutions played."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from tilelab.core.errors import TileLabError
from tilelab.gui.boards.tile_play import BoardDesk
from tilelab.gui.threads.task_runner import Background
from tilelab.gui.widgets.notice_bar import NoticeBar
from tilelab.gui.widgets.play_bar import PlayAction, PlayBar
from tilelab.gui.widgets.settings import Settings
from tilelab.puzzles.sliding.board import MOVES, Goal, boards_along, distances, neighbour
from tilelab.puzzles.sliding.play import HandPlay, Position
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.solvers.sliding.hint import Hint

_TILE_GOES = {"U": "down", "D": "up", "L": "right", "R": "left"}
"""Where a tile goes when the blank travels U, D, L or R."""


@dataclass(frozen=True, eq=False)
class Solution:
    """A path and all its boards."""

    puzzle: SlidingPuzzle
    moves: str
    boards: NDArray[np.uint8]
    """uint8 (moves + 1, rows * cols)."""

    def rest(self, position: Position) -> str:
        """Return the moves that are left when a board lies on the path, or ''."""
        if not np.array_equal(self.puzzle.goal, position.goal):
            return ""
        places = np.flatnonzero((self.boards == position.cells).all(axis=1))
        return self.moves[int(places[0]) :] if len(places) else ""


class TileDesk(BoardDesk[Position]):
    """The board in play, or a place of the solution."""

    _play: HandPlay

    def __init__(
        self, first: Position, notice: NoticeBar, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(HandPlay(first), notice, settings, PlayBar(), parent)
        self._solution: Solution | None = None
        self._shows_solution = False
        self._path = ""
        """What is left of the last hint's path."""
        self._path_from: Position | None = None
        """The board that it leads on from; on another one it means nothing."""
        self._hints = Background("hints", self)
        self.whole.addWidget(self.board, 1)
        self.whole.addWidget(self.play_bar)
        self.whole.addWidget(self.solution_bar)
        self._hints.reported.connect(self._hinted)
        self._hints.failed.connect(notice.show_error)
        self._hints.ended.connect(self._allow)
        self._show_position()
        self.drop_solution()

    @property
    def shown_position(self) -> Position:
        """The board on the screen, as one that can be played on."""
        solution = self._solution
        if not self._shows_solution or solution is None:
            return self.position
        place, puzzle = self.solution_bar.place, solution.puzzle
        cells, name = solution.boards[place].copy(), self.position.name
        return Position(puzzle.params, puzzle.start, puzzle.goal, cells, place, name)

    def set_goal(self, goal: Goal, cells: NDArray[np.int64] | None = None) -> None:
        """Change the goal of the board in play."""
        after = self._play.copy()
        try:
            after.set_goal(goal, cells)
        except TileLabError as error:
            self._notice.show_error(str(error))
        self._change(after)

    @Slot()
    def make_solvable(self) -> None:
        """Swap two tiles of a board that cannot be solved."""
        after = self._play.copy()
        after.make_solvable()
        self._change(after)

    def show_solution(self, puzzle: SlidingPuzzle, moves: str) -> None:
        """Offer a path to be played; the same path again changes nothing."""
        if self._solution is None or self._solution.moves != moves:
            boards = boards_along(puzzle.start, puzzle.params.cols, moves)
            self._solution = Solution(puzzle, moves, boards)
            self.solution_bar.set_length(len(moves))
            self.solution_bar.show()
            if self._shows_solution:
                self._show_cells(0)
                self.placed.emit(0)

    def drop_solution(self) -> None:
        """Forget the path, and show the board in play."""
        was_shown = self._shows_solution
        self._solution, self._path = None, ""
        self.solution_bar.set_length(0)
        self.solution_bar.hide()
        if was_shown:
            self._show_position()

    def close_hints(self) -> None:
        """End the thread of the hints."""
        self._hints.close()

    @property
    def _is_aside(self) -> bool:
        return self._shows_solution

    def _look_at_play(self) -> None:
        self._shows_solution = False

    def _look_at_path(self) -> None:
        self._shows_solution = True

    def _own_actions(self) -> Mapping[PlayAction, Callable[[], None]]:
        return {PlayAction.HINT: self._hint}

    def _own_possible(self) -> Mapping[PlayAction, bool]:
        unsolved = not self.position.is_solved or self._shows_solution
        return {PlayAction.HINT: unsolved and not self._editing and not self._hints.is_busy}

    def _why_no_hint(self) -> str:
        if self._editing:
            return "Edit is on; Ctrl+E ends it, then there are hints."
        return "A hint is being looked for." if self._hints.is_busy else "The board is solved."

    def _edit(self, cell: int) -> None:
        chosen = self.board.selected
        if chosen is None:
            self.board.set_selected(cell)
        else:
            self.board.set_selected(None)
            if chosen != cell:
                after = self._play.copy()
                after.swap(chosen, cell)
                self._change(after)

    def _slid(self, moves: str) -> None:
        self._path = self._path[len(moves) :] if self._path.startswith(moves) else ""
        self._path_from = self.position
        if self.position.is_solved:
            self._notice.show_done(f"Solved by hand in {self.position.n_moves:,} moves.")

    def _hint(self) -> None:
        """Show the next move of a good path; make it when it is shown already."""
        if self.board.hint is not None:
            self._slide(self._path[0])
            return
        self._play_on()
        position = self.position
        if position is not self._path_from or not self._path:
            self._path = "" if self._solution is None else self._solution.rest(position)
            self._path_from = position
        if self._path:
            self._show_hint()
            return
        try:
            puzzle = position.puzzle()
        except TileLabError as error:
            self._notice.show_error(str(error))
            return
        self._notice.show_note("Looking for a good move…")
        self._hints.start(_hinting(puzzle))
        self._allow()

    @Slot(object)
    def _hinted(self, path: object) -> None:
        if isinstance(path, str) and path and not self._locked:
            self._notice.clear()
            self._path = path
            self._hints.cancel()
            self._show_hint()
            self._allow()

    def _show_hint(self) -> None:
        cells, move = self.position.cells, self._path[0]
        blank = int(np.argmin(cells))
        there = neighbour(blank, MOVES.index(move), len(cells), self.position.cols)
        words = f"Hint: tile {cells[there]} {_TILE_GOES[move]}"
        self.board.show_hint((there, blank), words)
        self.heading_changed.emit(f"{words}; H makes it")

    def _interrupt(self) -> None:
        if self._hints.is_busy:
            self._hints.cancel()
            self._notice.clear()
        if self.board.hint is not None:
            self.board.show_hint(None)
            self._show_heading()

    def _show_cells(self, milliseconds: int) -> None:
        shown = self.shown_position
        cols = shown.params.cols
        away = distances(shown.cells, shown.goal, cols)
        places = np.argsort(shown.goal)
        self.board.show_board(shown.cells, places, cols, away, self._slide_time(milliseconds))
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


def _hinting(puzzle: SlidingPuzzle) -> Iterator[str | None]:
    """Look for a path in slices; yields None until it yields its moves."""
    hint = Hint(puzzle)
    while hint.work():
        yield None
    yield hint.path
