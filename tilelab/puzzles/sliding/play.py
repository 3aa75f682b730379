"""Sliding tiles played by hand: the board in play, its goal, edits, and a fix for dead ends."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError
from tilelab.core.plain import Values
from tilelab.core.puzzle import Cells
from tilelab.puzzles.sliding.board import (
    Goal,
    SlidingParams,
    board_from_tiles,
    goal_board,
    made_solvable,
    text_of,
    text_rows,
)
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.slides.history import edited
from tilelab.slides.moves import is_solvable

Tiles = Sequence[int] | NDArray[np.integer]  # numbers of tiles, row-major, that are not checked yet


@dataclass(frozen=True, eq=False)
class Position:
    """A board in play; start and cells have every tile once, but may be unsolvable."""

    params: SlidingParams
    start: Cells
    goal: Cells
    cells: Cells
    n_moves: int = 0  # number of slides of one tile by hand, or along a path
    name: str = ""  # origin of the board, such as "Korf's hundred, board 3"

    @classmethod
    def of(
        cls, params: SlidingParams, start: Tiles, goal: Tiles | None = None, name: str = ""
    ) -> "Position":
        """Make a new board to be played; raises GridError for the first error.

        goal: tiles of the goal, required with Goal.BOARD.
        """
        shape = (params.rows, params.cols)
        cells = board_from_tiles(start, *shape)
        if params.goal is not Goal.BOARD:
            there = goal_board(*shape, params.goal)
        elif goal is None:
            raise GridError.tr("a given goal needs a board")
        else:
            there = board_from_tiles(goal, *shape)
        return cls(params, cells, there, cells, 0, name)

    @property
    def cols(self) -> int:
        return self.params.cols

    @property
    def is_solved(self) -> bool:
        return bool(np.array_equal(self.cells, self.goal))

    @property
    def is_solvable(self) -> bool:
        """Whether slides lead to the goal."""
        return is_solvable(self.cells, self.goal, self.params.cols)

    @property
    def board(self) -> Hashable:
        """Shape, start and goal, which slides do not change."""
        return self.params.rows, self.params.cols, self.start.tobytes(), self.goal.tobytes()

    def at(self, cells: Cells, n_moves: int) -> Self:
        return replace(self, cells=cells, n_moves=n_moves)

    def swapped(self, one: int, other: int) -> Self:
        """Return the board with two cells exchanged as a new start; it may be unsolvable."""
        cells = self.cells.copy()
        cells[[one, other]] = cells[[other, one]]
        return self._edited(cells)

    def made_solvable(self) -> Self:
        """Return the board with two tiles swapped, or the board itself if it is solvable."""
        return self if self.is_solvable else self._edited(made_solvable(self.cells))

    def with_goal(self, goal: Goal, board: Tiles | None = None) -> "Position":
        """Return the same board with another goal; raises GridError if the goal does not fit."""
        params = self.params.model_copy(update={"goal": goal})
        fresh = Position.of(params, self.start, board, self.name)
        return replace(fresh, cells=self.cells, n_moves=self.n_moves)

    @property
    def start_puzzle(self) -> SlidingPuzzle:
        """Return the puzzle of the board's start; raises UnsolvableError."""
        return self.at(self.start, 0).build()

    @property
    def puzzle(self) -> SlidingPuzzle:
        """Puzzle of the current board, for views; its goal may be unreachable."""
        return SlidingPuzzle(self.params, self.cells, self.goal)

    def build(self) -> SlidingPuzzle:
        """Make the puzzle to solve the current board; raises UnsolvableError."""
        goal = self.goal if self.params.goal is Goal.BOARD else None
        return SlidingPuzzle.create(self.params, self.cells, goal)

    def flag_values(self) -> Values:
        """Return the flags that name the board; a goal as a board replaces ``--goal``."""
        board = {"board": text_of(self.cells)}
        is_given = self.params.goal is Goal.BOARD
        return {**board, "goal": None, "goal_board": text_of(self.goal)} if is_given else board

    def _edited(self, cells: Cells) -> Self:
        return replace(self, start=cells, cells=cells, n_moves=0, name=edited(self.name))


def board_text(position: Position) -> str:
    """Write a board in lines that can be read again, 0 for the blank."""
    return "\n".join(text_rows(position.cells, position.cols, "0")) + "\n"
