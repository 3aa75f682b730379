"""Playing and editing sliding tiles, with hints and heuristics."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from tilelab.core.errors import TileLabError
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import counted
from tilelab.gui.boards.heuristic_marks import HeuristicMarks
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.boards.tile_play import TilePlay
from tilelab.gui.threads.task_runner import TaskRunner, one_step
from tilelab.gui.widgets.notice_bar import NoticeBar
from tilelab.gui.widgets.parts import column_layout, row_of, small_button, text_label
from tilelab.gui.widgets.play_bar import PageView
from tilelab.gui.widgets.settings import Settings
from tilelab.puzzles.sliding.board import Goal, distances
from tilelab.puzzles.sliding.heuristics.breakdown import (
    Breakdown,
    breakdown,
    conflicting_pairs,
    line_counts,
)
from tilelab.puzzles.sliding.heuristics.walking_distance import has_table
from tilelab.puzzles.sliding.play import Position
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.solvers.hint import Hint
from tilelab.slides.history import SlideHistory
from tilelab.slides.moves import MOVES, TILE_DIRECTIONS, boards_along, neighbour

_TIP = marked(
    "<p>Manhattan: the small numbers on the tiles, added up.</p>"
    "<p>Linear conflict: two tiles in their goal line and in the wrong order, joined by a bow, "
    "must pass each other. That takes two more moves for each tile that must leave the line; "
    "after Hasan, for each tile with a smaller one behind it.</p>"
    "<p>Walking distance: the slides that are needed when all tiles of a goal row, or of "
    "a goal column, look alike: those up and down, and those to the left and right.</p>"
    "<p>Hybrid HH: the walking distance, Hasan's conflicts, and a third of Manhattan.</p>"
)
_COUNTS = marked("Next to a line: how many of its tiles belong to line 1, 2, …")
_TOO_LARGE = marked("Walking distance and HH: for boards of up to 4×4.")


def heuristic_marks(
    position: Position, *, conflicts: bool = True, walks: bool = True
) -> HeuristicMarks:
    """Return the marks of the heuristics on a board.

    conflicts: whether to mark conflicting tiles. walks: whether to count the tiles of each line.
    """
    board = position.cells, position.goal, position.cols
    pairs = conflicting_pairs(*board) if conflicts else ()
    if not walks or not has_table(position.params.rows, position.params.cols):
        return HeuristicMarks(pairs, None, None)
    return HeuristicMarks(pairs, line_counts(*board, 0), line_counts(*board, 1))


class HeuristicFacts(QWidget):
    """Estimates of a board, computed in the background."""

    compare_requested = Signal()  # emitted when the user compares all heuristics of the board

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, toolTip=tr(_TIP))
        self.said = text_label("", self, "", "heuristic_facts", wraps=True)
        """Estimates as rich text."""
        self.said.setProperty("rich", True)
        self._note = text_label("small", self, wraps=True)
        tip = tr("Show all heuristics side by side, each with what it sees (Ctrl+U)")
        done = self.compare_requested
        compare = small_button(tr("Compare…"), "compare_heuristics", tip, self, done)
        column_layout(self, 0, 2, self.said, row_of((self._note, 1), compare))
        self._job = TaskRunner(self, self._show, failed=self.said.setText)

    def show_position(self, position: Position) -> None:
        """Compute the estimates of a board; only the newest board counts."""
        self._job.start(one_step(breakdown, position.cells, position.goal, position.cols))

    @Slot(object)
    def _show(self, said: Breakdown) -> None:
        facts = [
            _fact(tr("Manhattan"), f"{figures(said.manhattan, ',')}"),
            _fact(tr("Linear conflict"), f"{figures(said.linear_conflict, ',')}"),
            _fact(tr("after Hasan"), f"{figures(said.linear_conflict_hasan, ',')}"),
        ]
        if said.walk is not None:
            rows, cols, whole = said.walk
            facts.append(_fact(tr("Walking distance"), f"{rows + cols}", f" = {rows} + {cols}"))
            facts.append(_fact(tr("Hybrid HH"), f"{whole}"))
        self.said.setText("&nbsp;&nbsp; ".join(facts))
        self._note.setText(tr(_TOO_LARGE) if said.walk is None else tr(_COUNTS))


def _fact(title: str, value: str, more: str = "") -> str:
    """Write a fact in rich text without line breaks."""
    return f"{title} <b>{value}</b>{more}".replace(" ", "\xa0")


class SlidingPlay(TilePlay[Position]):
    """Control of the board in play, or of a place of the solution."""

    def __init__(
        self,
        play: SlideHistory[Position],
        notice: NoticeBar,
        settings: Settings,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(play, notice, settings, parent)
        self._moves = ""  # moves of the solution
        self._hint_path = ""  # rest of the last hint's path
        self._hint_from: Position | None = None
        """Board that this path starts from; it is void on other boards."""
        self._shows_heuristics = False
        self._hints = TaskRunner(self, self._hinted, failed=self._show_error, ended=self.allow)
        self.facts = HeuristicFacts(self)
        self.facts.hide()
        self.whole.insertWidget(1, self.facts)
        self._show_position()
        self.drop_solution()

    @property
    def is_on_solution(self) -> bool:
        """Whether the shown board is one of the solution, from its start on."""
        return self.view is PageView.BEST or self._place_on_solution() is not None

    @Slot(bool)
    def show_heuristics(self, shown: bool) -> None:
        """Show or hide the marks of the heuristics and their estimates."""
        self._shows_heuristics = shown
        self.facts.setVisible(shown)
        self._show_board()

    def set_goal(self, goal: Goal, cells: NDArray[np.int64] | None = None) -> None:
        try:
            self._take_changed(self.position.with_goal(goal, cells))
        except TileLabError as error:
            self._show_error(str(error))
            self._show_position()

    @Slot()
    def make_solvable(self) -> None:
        """Swap two tiles of a board that cannot be solved."""
        self._take_changed(self.position.made_solvable())

    def show_solution(self, puzzle: SlidingPuzzle, moves: str) -> None:
        """Offer a path to play; the same path again changes nothing."""
        if self._path_start is None or self._moves != moves:
            start, name = puzzle.start, self.position.name
            self._moves = moves
            self._set_path(
                Position(puzzle.params, start, puzzle.goal, start, 0, name),
                boards_along(start, puzzle.params.cols, moves),
            )
            self.solution_bar.show()
            if self.view is PageView.BEST:
                self._show_board()
                self.placed.emit(0)
            else:
                self.placed.emit(self._place_in_play())

    def drop_solution(self) -> None:
        """Forget the path, and show the board in play."""
        self._hint_path = ""
        self._set_path(None)
        self.solution_bar.hide()
        if self.view is PageView.BEST:
            self._show_position()

    def _why_no_hint(self) -> str:
        if self._editing:
            return tr("End editing with Ctrl+E to get hints.")
        if self._hints.is_busy:
            return tr("Looking for a hint…")
        is_solved = self.position.is_solved and self.view is PageView.PLAY
        return tr("The board is solved.") if is_solved else ""

    def _edit(self, cell: int) -> None:
        chosen = self.board.scene.selected
        if chosen is None:
            self.board.select(cell)
        else:
            self.board.select(None)
            if chosen != cell:
                self._take_changed(self.position.swapped(chosen, cell))

    def _slid(self, moves: str) -> None:
        self._hint_path = self._hint_path[len(moves) :] if self._hint_path.startswith(moves) else ""
        self._hint_from = self.position
        if self.position.is_solved:
            self._notice.show_done(
                tr("Solved by hand: {moves}.", moves=counted(self.position.n_moves, "move"))
            )

    def _hint(self) -> None:
        """Show the next move of a good path; make it if it is already shown."""
        self.board.setFocus()  # for H, which makes the move
        if self.board.scene.hint is not None:
            self._slide(self._hint_path[0])
            return
        self._play_on()
        position = self.position
        if position is not self._hint_from or not self._hint_path:
            self._hint_path = self._rest_of_solution()
            self._hint_from = position
        if self._hint_path:
            self._show_hint()
            return
        try:
            puzzle = position.build()
        except TileLabError as error:
            self._show_error(str(error))
            return
        self._notice.show_note(tr("Looking for a good move…"))
        self._hints.start(_hinting(puzzle))
        self.allow()

    def _place_in_play(self) -> int:
        """Let the bar follow the board in play, or offer the place where it left the solution."""
        if self._path_start is None:
            return 0
        place = self._place_on_solution()
        self.solution_bar.follow(place)
        return place or 0

    def _place_on_solution(self) -> int | None:
        """Return the number of moves of the solution up to the board in play; None if not on it."""
        start, here = self._path_start, self.position
        if start is None or not np.array_equal(start.goal, here.goal):
            return None
        places = np.flatnonzero((self._path == here.cells).all(axis=1)).tolist()
        if self.solution_bar.place in places:
            return self.solution_bar.place
        return int(places[0]) if places else None

    def _rest_of_solution(self) -> str:
        """Return the remaining moves if the board in play is on the solution, or ''."""
        place = self._place_on_solution()
        return "" if place is None else self._moves[place:]

    @Slot(object)
    def _hinted(self, path: str | None) -> None:
        if path and not self._locked:
            self._notice.close_all()
            self._hint_path = path
            self._hints.cancel()
            self._show_hint()
            self.allow()

    def _show_hint(self) -> None:
        cells, move = self.position.cells, self._hint_path[0]
        blank = int(np.argmin(cells))
        there = neighbour(blank, MOVES.index(move), len(cells), self.position.cols)
        way = tr(TILE_DIRECTIONS[move])
        words = tr("Hint: tile {tile} {direction}", tile=cells[there], direction=way)
        self.board.show_hint((there, blank), words)
        title = tr("{words}; H makes it", words=words)
        # The arrow on the board shows the rest where there is little room.
        self.heading_changed.emit(title, (), tr("Press H"))
        self.hinted.emit()

    def _interrupt(self) -> None:
        if self._hints.is_busy:
            self._hints.cancel()
            self._notice.close_all()
        if self.board.scene.hint is not None:
            self.board.show_hint(None)
            self._show_heading()

    def _draw(self, position: Position, milliseconds: int) -> None:
        cells, goal, cols = position.cells, position.goal, position.cols
        away = distances(cells, goal, cols)
        scene = TileScene(cells, np.argsort(goal), cols, away)
        if self._shows_heuristics:
            scene = replace(scene, marks=heuristic_marks(position))
            self.facts.show_position(position)
        self.board.show_scene(scene, milliseconds)

    def _heading(self) -> tuple[str, str]:
        if self._editing:
            return tr("Exchange two cells"), tr("Edit")
        if self.view is PageView.BEST:
            place = figures(self.solution_bar.place, ",")
            length = figures(self.solution_bar.length, ",")
            title = tr("Move {place} of {length}", place=place, length=length)
            return title, f"{place}/{length}"
        return tr("Solved board") if self.position.is_solved else tr("Board"), ""


def _hinting(puzzle: SlidingPuzzle) -> Iterator[str | None]:
    """Search for a path in slices; yields None until it yields its moves."""
    hint = Hint(puzzle)
    while hint.work():
        yield None
    yield hint.path
