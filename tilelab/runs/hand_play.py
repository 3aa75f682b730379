"""Sliding tiles played by hand: slides, undo and redo without limit, moves and time counted."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError
from tilelab.core.puzzle import Cells
from tilelab.puzzles.sliding import (
    MOVES,
    Goal,
    SlidingParams,
    SlidingPuzzle,
    checked,
    goal_board,
    is_solvable,
    made_solvable,
    neighbour,
    replay,
    text_of,
)

Tiles = Sequence[int] | NDArray[Any]
"""Numbers of tiles that were not checked yet, row-major."""


@dataclass(frozen=True, eq=False)
class Position:
    """A board in play. Start and cells have every tile once, but may be unsolvable."""

    params: SlidingParams
    start: Cells
    goal: Cells
    cells: Cells
    n_moves: int = 0
    """Slides of one tile since the start."""
    name: str = ""
    """Where the board comes from, such as "Korf's hundred, board 3"."""

    @classmethod
    def of(
        cls, params: SlidingParams, start: Tiles, goal: Tiles | None = None, name: str = ""
    ) -> "Position":
        """Make a board that is not played yet; raises GridError that names the first fault.

        goal: needed with Goal.BOARD.
        """
        shape = (params.rows, params.cols)
        cells = checked(start, *shape)
        if params.goal is not Goal.BOARD:
            there = goal_board(*shape, params.goal)
        elif goal is None:
            raise GridError("a given goal needs a board")
        else:
            there = checked(goal, *shape)
        return cls(params, cells, there, cells, 0, name)

    @property
    def is_solved(self) -> bool:
        """Whether the board is the goal."""
        return bool(np.array_equal(self.cells, self.goal))

    @property
    def is_solvable(self) -> bool:
        """Whether slides lead to the goal."""
        return is_solvable(self.cells, self.goal, self.params.cols)

    def puzzle(self) -> SlidingPuzzle:
        """Return the board as it stands as a puzzle to solve; raises UnsolvableError."""
        goal = self.goal if self.params.goal is Goal.BOARD else None
        return SlidingPuzzle.create(self.params, self.cells, goal)


class HandPlay:
    """The boards that a person has had, one after the other, and where among them they stand.

    A slide of a whole row, a scramble and an edit are one step each; all of them can be undone.
    clock: returns seconds; only differences count.
    """

    def __init__(self, position: Position, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._positions = [position]
        self._place = 0
        self._seconds = 0.0
        self._since: float | None = None

    @property
    def position(self) -> Position:
        """The board as it stands."""
        return self._positions[self._place]

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return self._place > 0

    @property
    def can_redo(self) -> bool:
        """Whether a step was taken back."""
        return self._place + 1 < len(self._positions)

    @property
    def seconds(self) -> float:
        """Time since the first move of this board, until it is solved."""
        running = 0.0 if self._since is None else self._clock() - self._since
        return self._seconds + running

    @property
    def is_timing(self) -> bool:
        """Whether the time is running."""
        return self._since is not None

    def way_to(self, cell: int) -> str:
        """Return the moves that slide the tiles from a cell towards the blank, or '' for none."""
        cells, cols = self.position.cells, self.position.params.cols
        blank = int(np.argmin(cells))
        rows_down, cols_right = cell // cols - blank // cols, cell % cols - blank % cols
        if (rows_down == 0) == (cols_right == 0):
            return ""
        if rows_down:
            return ("D" if rows_down > 0 else "U") * abs(rows_down)
        return ("R" if cols_right > 0 else "L") * abs(cols_right)

    def can_move(self, move: str) -> bool:
        """Tell whether the blank can travel U, D, L or R."""
        cells = self.position.cells
        blank = int(np.argmin(cells))
        cols = self.position.params.cols
        return neighbour(blank, MOVES.index(move), len(cells), cols) >= 0

    def play(self, moves: str) -> None:
        """Make some moves as one step; raises RunError for one that is not possible."""
        if not moves:
            return
        here = self.position
        cells = replay(here.cells, here.params.cols, moves)
        if self._since is None and not here.is_solved:
            self._since = self._clock()
        self._push(replace(here, cells=cells, n_moves=here.n_moves + len(moves)))

    def take(self, position: Position) -> None:
        """Put another board in the place of this one; its time starts anew."""
        self._stop_timing(forget=True)
        self._push(position)

    def restart(self) -> None:
        """Go back to the board's start."""
        here = self.position
        self.take(replace(here, cells=here.start, n_moves=0))

    def swap(self, one: int, other: int) -> None:
        """Exchange what is in two cells; the board may become unsolvable."""
        cells = self.position.cells.copy()
        cells[[one, other]] = cells[[other, one]]
        self._take_edited(cells)

    def make_solvable(self) -> None:
        """Swap two tiles of a board that cannot be solved."""
        if not self.position.is_solvable:
            self._take_edited(made_solvable(self.position.cells))

    def set_goal(self, goal: Goal, board: Tiles | None = None) -> None:
        """Change the goal; raises GridError when the board does not fit."""
        here = self.position
        params = here.params.model_copy(update={"goal": goal})
        fresh = Position.of(params, here.start, board, here.name)
        self.take(replace(fresh, cells=here.cells, n_moves=here.n_moves))

    def undo(self) -> None:
        """Take the last step back."""
        if self.can_undo:
            self._place -= 1
            self._stop_timing(forget=False)

    def redo(self) -> None:
        """Take the step that was taken back again."""
        if self.can_redo:
            self._place += 1

    def _take_edited(self, cells: Cells) -> None:
        here = self.position
        name = here.name if here.name.endswith("(edited)") else f"{here.name} (edited)".strip()
        self.take(replace(here, start=cells, cells=cells, n_moves=0, name=name))

    def _push(self, position: Position) -> None:
        position.cells.flags.writeable = False
        self._place += 1
        self._positions[self._place :] = [position]
        if position.is_solved:
            self._stop_timing(forget=False)

    def _stop_timing(self, *, forget: bool) -> None:
        self._seconds = 0.0 if forget else self.seconds
        self._since = None


def board_text(position: Position) -> str:
    """Write a board in lines, 0 for the blank, as it can be read again."""
    cols = position.params.cols
    texts = text_of(position.cells).split()
    width = max(len(text) for text in texts)
    rows = [texts[first : first + cols] for first in range(0, len(texts), cols)]
    return "\n".join(" ".join(text.rjust(width) for text in row) for row in rows) + "\n"
