"""Boards played by hand: slides, undo and redo without limit, moves and time counted."""

import contextlib
import itertools
import time
from collections.abc import Callable, Hashable, Iterable
from typing import Protocol, Self, TypeVar

import numpy as np

from tilelab.core.errors import RunError
from tilelab.core.play import Stopwatch, UndoHistory
from tilelab.core.puzzle import Cells, Puzzle
from tilelab.slides.moves import MOVES, neighbour, replay


class BoardInPlay(Protocol):
    """A board with one blank that the user slides; immutable."""

    @property
    def start(self) -> Cells: ...  # board at the beginning of the game
    @property
    def cells(self) -> Cells: ...  # current board: uint8 (rows * cols,), 0 for the blank
    @property
    def cols(self) -> int: ...  # number of columns of the board
    @property
    def n_moves(self) -> int: ...  # number of slides of one tile by hand
    @property
    def is_solved(self) -> bool: ...  # whether the board is solved
    @property
    def board(self) -> Hashable: ...  # identity of the board, which slides do not change
    @property
    def start_puzzle(self) -> Puzzle: ...  # the puzzle with that start; raises TileLabError
    def at(self, cells: Cells, n_moves: int) -> Self: ...  # the same board after some slides


P = TypeVar("P", bound=BoardInPlay)


def is_at_start(position: BoardInPlay) -> bool:
    """Return whether a game begins here; a place of a path has no slides by hand, either."""
    return position.n_moves == 0 and np.array_equal(position.cells, position.start)


class SlideHistory(UndoHistory[P]):
    """The boards of the user: a slide of a row, a new board and an edit are a step each."""

    def __init__(self, position: P, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(position)
        self._watch = Stopwatch(clock)
        self._times: dict[int, Stopwatch] = {0: self._watch}
        """Stopwatches of the games by the places of their first boards, as they were left."""

    @classmethod
    def resumed(cls, first: P, here: P, slides: Iterable[str], seconds: float) -> Self:
        """Return a game that was left, with its clock stopped.

        first, here: board at its start, and where it was left. slides: moves of each step, which
        can be undone if they lead there. seconds: playing time so far.
        """
        history = cls(first)
        history.play_again(slides, seconds)
        there = history.position
        if there.n_moves != here.n_moves or not np.array_equal(there.cells, here.cells):
            history = cls(here)
            history._watch = Stopwatch(time.monotonic, seconds)
        return history

    @property
    def moves(self) -> str | None:
        """Moves of the blank from the board's start, U D L R; None if some were not the user's."""
        slides = self.slides
        return None if slides is None else "".join(slides)

    @property
    def slides(self) -> tuple[str, ...] | None:
        """The :attr:`moves` of each step, which may slide several tiles."""
        here, first = self.position, self._place
        while first > 0 and self._positions[first].n_moves:
            first -= 1
        steps = itertools.pairwise(self._positions[first : self._place + 1])
        slides = tuple(_slide(before, after) for before, after in steps)
        begin = self._positions[first]
        is_whole = begin.board == here.board and sum(map(len, slides)) == here.n_moves
        return slides if is_whole and is_at_start(begin) else None

    @property
    def seconds(self) -> float:
        """Seconds from the first move of this board until it is solved, or until now."""
        return self._watch.seconds

    @property
    def is_timing(self) -> bool:
        return self._watch.is_running

    def path_to(self, cell: int) -> str:
        """Return the moves that slide the tiles from a cell towards the blank, or '' for none."""
        cells, cols = self.position.cells, self.position.cols
        blank = int(np.argmin(cells))
        rows_down, cols_right = cell // cols - blank // cols, cell % cols - blank % cols
        if (rows_down == 0) == (cols_right == 0):
            return ""
        if rows_down:
            return ("D" if rows_down > 0 else "U") * abs(rows_down)
        return ("R" if cols_right > 0 else "L") * abs(cols_right)

    def can_move(self, move: str) -> bool:
        cells = self.position.cells
        blank = int(np.argmin(cells))
        cols = self.position.cols
        return neighbour(blank, MOVES.index(move), len(cells), cols) >= 0

    def play(self, moves: str) -> None:
        """Make some moves as one step; raises RunError for an impossible move."""
        if not moves:
            return
        here = self.position
        cells = replay(here.cells, here.cols, moves)
        if not here.is_solved:
            self._watch = self._watch.started()
        self.push(here.at(cells, here.n_moves + len(moves)))

    def play_again(self, slides: Iterable[str], seconds: float) -> None:
        """Play a game again on its start, as far as possible, and leave its clock at its time.

        slides: moves of each step.
        """
        with contextlib.suppress(RunError):  # raised for moves that are not possible
            for moves in slides:
                self.play(moves)
        self._watch = Stopwatch(time.monotonic, seconds)

    def take(self, position: P) -> None:
        self._leave_game()
        self._begin_game(position)

    @property
    def _game(self) -> int:
        """Place of the first board of the game in play."""
        return max(begin for begin in self._times if begin <= self._place)

    def _leave_game(self) -> None:
        """Keep the time of the game, which continues when another one is undone."""
        self._times = {**self._times, self._game: self._watch.stopped()}

    def _begin_game(self, position: P) -> None:
        self._watch = self._watch.reset()
        self.push(position)
        self._times = {**self._times, self._place: self._watch}

    def load(self, position: P) -> None:
        """Put a loaded board in play; a step, unless the board is in play already.

        Earlier steps on the same board get its name, because a run on it has that name.
        """
        here = self.position
        is_same = is_at_start(here) and here.board == position.board and is_at_start(position)
        self._positions = [
            position.at(one.cells, one.n_moves) if one.board == position.board else one
            for one in self._positions
        ]
        self._leave_game()
        if is_same:
            self._place -= 1  # it takes the place of itself
        self._begin_game(position)

    def restart(self) -> None:
        here = self.position
        self.take(here.at(here.start, 0))

    def undo(self) -> None:
        if self.can_undo:
            self._leave_game()
            super().undo()
            self._time()

    def redo(self) -> None:
        if self.can_redo:
            self._leave_game()
            super().redo()
            self._time()

    def _time(self) -> None:
        """Let the clock run in a game that has begun, as the user thinks, and at no other time."""
        here, self._watch = self.position, self._times[self._game]
        is_played = here.n_moves > 0 and not here.is_solved
        self._watch = self._watch.started() if is_played else self._watch.stopped()

    def pause(self) -> None:
        """Stop the clock until the next move, undo or redo, or until :meth:`resume`."""
        self._watch = self._watch.stopped()

    def resume(self) -> None:
        """Let the clock run on in a game that has begun and is not solved."""
        self._leave_game()
        self._time()

    def push(self, position: P) -> None:
        position.cells.flags.writeable = False
        super().push(position)
        self._times = {at: kept for at, kept in self._times.items() if at < self._place or not at}
        if position.is_solved:
            self._watch = self._watch.stopped()


def _slide(before: BoardInPlay, after: BoardInPlay) -> str:
    """Return the moves of the blank from one board to the next; '' if it was not one slide."""
    (row, col), (new_row, new_col) = (
        divmod(int(np.argmin(one.cells)), one.cols) for one in (before, after)
    )
    down, right = new_row - row, new_col - col
    if down and right:
        return ""
    return ("D" if down > 0 else "U") * abs(down) + ("R" if right > 0 else "L") * abs(right)


def edited(name: str) -> str:
    return name if name.endswith("(edited)") else f"{name} (edited)".strip()
