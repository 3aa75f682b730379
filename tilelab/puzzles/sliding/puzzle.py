"""Sliding tiles: numbered tiles and one blank on a board of rows and columns.

A move slides a neighbouring tile into the blank. Moves are written as the way the *blank* travels:
U, D, L, R. A board is uint8 (rows * cols,), row-major, 0 for the blank.
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError, RunError
from tilelab.core.parameters import Choice, Params, parameter, validate
from tilelab.core.puzzle import Cells, PuzzleSpec, cells_of, part_of
from tilelab.core.randomness import generator
from tilelab.core.registry import register_puzzle
from tilelab.core.solver import Best

MIN_SIDE, MAX_SIDE = 2, 16
MOST_QUOTED = 25
"""Boards of more cells are not written out in messages."""
MOVES = "UDLR"
"""Letters of the moves; the number of a move is its place here."""
STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))
"""Rows and columns that the blank travels, by the number of the move."""
OPPOSITE = (1, 0, 3, 2)


class Goal(Choice):
    """What a solved board looks like."""

    BLANK_LAST = "blank-last"
    BLANK_FIRST = "blank-first"
    BOARD = "board"


class SlidingParams(Params):
    """The board and its goal."""

    rows: int = parameter(4, "Rows", low=MIN_SIDE, high=MAX_SIDE, help="Rows of the board.")
    cols: int = parameter(4, "Columns", low=MIN_SIDE, high=MAX_SIDE, help="Columns of the board.")
    goal: Goal = parameter(
        Goal.BLANK_LAST,
        "Goal",
        help="The tiles in order with the blank last or first, or a board that is given.",
        choice_titles={
            "blank-last": "blank last",
            "blank-first": "blank first",
            "board": "given board",
        },
    )


@dataclass(frozen=True, eq=False)
class SlidingReport:
    """What a board is, tile by tile."""

    distance: int
    """Sum of the tiles' distances."""
    distances: NDArray[np.int64]
    """int64 (rows * cols,): how far the tile in each cell is from its goal cell."""


@register_puzzle
@dataclass(frozen=True, eq=False)
class SlidingPuzzle:
    """A start and a goal that can be reached from it."""

    spec: ClassVar[PuzzleSpec] = PuzzleSpec(
        key="sliding",
        title="Sliding tiles",
        source="Henriques 2019; Hasan et al. 2023; Damodaran",
        params=SlidingParams,
        value_title="away",
        uses_lexicon=False,
    )
    params: SlidingParams
    start: Cells
    goal: Cells

    @classmethod
    def create(
        cls,
        params: SlidingParams,
        start: Sequence[int] | Cells | None = None,
        goal: Sequence[int] | Cells | None = None,
    ) -> Self:
        """Make an instance; no start: the goal itself. Raises GridError with the first fault."""
        shape = (params.rows, params.cols)
        if (goal is not None) != (params.goal is Goal.BOARD):
            raise GridError(f"the goal is {params.goal}; a goal board goes with the goal board")
        goal_cells = goal_board(*shape, params.goal) if goal is None else checked(goal, *shape)
        start_cells = goal_cells.copy() if start is None else checked(start, *shape)
        for cells in (start_cells, goal_cells):
            cells.flags.writeable = False
        puzzle = cls(params, start_cells, goal_cells)
        if not is_solvable(start_cells, goal_cells, params.cols):
            raise UnsolvableError(
                f"the board{_named(start_cells)} cannot reach its goal: half of all boards "
                "cannot; swapping any two tiles makes it solvable"
            )
        return puzzle

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the board."""
        return self.params.rows, self.params.cols

    @functools.cached_property
    def places(self) -> NDArray[np.int64]:
        """int64 (rows * cols,), the goal cell of each tile, the blank included."""
        return np.argsort(self.goal)

    def distance(self, cells: Cells) -> int:
        """Return the sum of the tiles' Manhattan distances to their goal cells."""
        return int(self.distances(cells).sum())

    def distances(self, cells: Cells) -> NDArray[np.int64]:
        """Return int64 (rows * cols,): how far the tile in each cell is from its goal cell."""
        return distances(cells, self.goal, self.params.cols)

    def report(self, cells: Cells) -> SlidingReport:
        """Tell how far a board and its tiles are from the goal."""
        distances = self.distances(cells)
        return SlidingReport(int(distances.sum()), distances)

    def score(self, cells: Cells) -> float:
        """Return minus the sum of Manhattan distances; 0 is the goal."""
        return -float(self.distance(cells))

    def rows_of(self, cells: Cells) -> tuple[str, ...]:
        """Write a board as text, one row of right-aligned numbers each; '.' for the blank."""
        width, cols = len(str(len(cells) - 1)), self.params.cols
        texts = [(str(tile) if tile else ".").rjust(width) for tile in cells.tolist()]
        return tuple(
            " ".join(texts[row * cols : (row + 1) * cols]) for row in range(self.params.rows)
        )

    def parse(self, rows: Sequence[str]) -> Cells:
        """Read what :meth:`rows_of` wrote; raises GridError with the first fault."""
        tokens = [token for row in rows for token in row.split()]
        tiles = [0 if token == "." else int(token) if token.isdigit() else -1 for token in tokens]
        return checked(tiles, *self.shape)

    def instance(self) -> dict[str, Any]:
        """Say which instance this is, besides its parameters."""
        goal = {"goal_board": text_of(self.goal)} if self.params.goal is Goal.BOARD else {}
        return {"board": text_of(self.start), **goal}

    def describe(self) -> dict[str, Any]:
        """Return all that makes this instance."""
        return {
            "params": self.params.model_dump(mode="json"),
            "start": self.start.tolist(),
            "goal": self.goal.tolist() if self.params.goal is Goal.BOARD else None,
        }

    @classmethod
    def from_description(cls, description: Mapping[str, Any]) -> Self:
        """Inverse of :meth:`describe`; raises TileLabError."""
        params = validate(SlidingParams, part_of(description, "params", dict))
        has_goal = description.get("goal") is not None
        goal = cells_of(description, "goal") if has_goal else None
        return cls.create(params, cells_of(description, "start"), goal)

    def demand(self, cells: Cells) -> None:
        """Raise GridError unless these cells are a board that slides lead to from the start."""
        if not is_solvable(checked(cells, *self.shape), self.start, self.params.cols):
            raise GridError(f"the board {text_of(cells)} cannot be reached from the start")

    def outcome(self, best: Best) -> dict[str, Any]:
        """Describe the best of a run in plain values: the way, or else the nearest board."""
        return {
            "value": best.value,
            "board": text_of(best.cells),
            "moves": best.moves,
            "length": None if best.moves is None else len(best.moves),
            "optimal": best.optimal,
        }

    def saved_cells(self, best: Best) -> Cells:
        """Return the nearest board, or the start once there is a way from it."""
        return best.cells if best.moves is None else self.start

    def notes(self, best: Best) -> dict[str, object]:
        """What a saved board tells besides its tiles."""
        if best.moves is None:
            away = self.distance(best.cells)
            return {"board": "the nearest to the goal", "away": away, "goal": text_of(self.goal)}
        shortest = "shortest" if best.optimal else "not proven to be shortest"
        return {
            "goal": text_of(self.goal),
            "length": f"{len(best.moves)} ({shortest})",
            "moves": best.moves,
        }

    def replay(self, moves: str, cells: Cells | None = None) -> Cells:
        """Return the board after some moves; raises RunError for one that is not possible."""
        return replay(self.start if cells is None else cells, self.params.cols, moves)


def _named(cells: Cells) -> str:
    """The tiles of a board that is small enough to be quoted in a sentence."""
    return (
        f" {text_of(cells)}" if len(cells) <= MOST_QUOTED else f" that begins {text_of(cells[:8])}"
    )


class UnsolvableError(GridError):
    """No sequence of slides leads from the start to the goal."""


def goal_board(rows: int, cols: int, goal: Goal) -> Cells:
    """Return the tiles in order with the blank first or last."""
    cells = np.arange(rows * cols, dtype=np.uint8)
    return cells if goal is Goal.BLANK_FIRST else np.roll(cells, -1)


def checked(tiles: Sequence[int] | NDArray[Any], rows: int, cols: int) -> Cells:
    """Return tiles as a board; raises GridError that names the first fault."""
    values = [int(tile) for tile in tiles]
    n_cells = rows * cols
    allowed = f"each of 0..{n_cells - 1} must appear once"
    if len(values) != n_cells:
        raise GridError(
            f"there are {len(values)} tiles; a board of {rows}×{cols} has {n_cells}, "
            "the blank included"
        )
    seen: set[int] = set()
    for tile in values:
        if not 0 <= tile < n_cells:
            raise GridError(f"tile {tile} is outside 0..{n_cells - 1}; {allowed}")
        if tile in seen:
            raise GridError(f"tile {tile} appears twice; {allowed}")
        seen.add(tile)
    return np.array(values, np.uint8)


def is_solvable(start: Cells, goal: Cells, cols: int) -> bool:
    """Tell whether slides lead from start to goal, for any shape and goal.

    Every slide swaps the blank with a tile and moves the blank by one cell, so the parity of the
    permutation and of the blank's way must agree; and that is enough.
    """
    places = np.argsort(goal)
    permutation = places[start].tolist()
    is_odd = False
    seen = [False] * len(permutation)
    for first in range(len(permutation)):
        cell, length = first, 0
        while not seen[cell]:
            seen[cell] = True
            cell = permutation[cell]
            length += 1
        is_odd ^= length > 0 and length % 2 == 0
    here, there = int(np.argmin(start)), int(np.argmin(goal))
    way = abs(here // cols - there // cols) + abs(here % cols - there % cols)
    return is_odd == bool(way % 2)


def distances(cells: Cells, goal: Cells, cols: int) -> NDArray[np.int64]:
    """Return int64 (rows * cols,): each tile's Manhattan distance to its goal cell, blank 0."""
    here, there = np.arange(len(cells)), np.argsort(goal)[cells]
    away = np.abs(here // cols - there // cols) + np.abs(here % cols - there % cols)
    away[cells == 0] = 0
    return np.asarray(away, np.int64)


def made_solvable(start: Cells) -> Cells:
    """Return the board with its last two tiles swapped, which turns the parity round."""
    cells = start.copy()
    one, two = np.flatnonzero(cells)[-2:]
    cells[[one, two]] = cells[[two, one]]
    return cells


def scrambled(goal: Cells, cols: int, seed: int, n_slides: int | None = None) -> Cells:
    """Return a solvable board drawn from a seed.

    n_slides: that many random slides from the goal, never straight back; None draws uniformly from
    all solvable boards.
    """
    rng = generator(seed)
    if n_slides is None:
        cells = rng.permutation(goal).astype(np.uint8)
        return cells if is_solvable(cells, goal, cols) else made_solvable(cells)
    cells, last = goal.copy(), -1
    for _ in range(n_slides):
        blank = int(np.argmin(cells))
        options = [
            move
            for move in range(4)
            if (last < 0 or move != OPPOSITE[last])
            and neighbour(blank, move, len(cells), cols) >= 0
        ]
        last = options[int(rng.integers(len(options)))]
        target = neighbour(blank, last, len(cells), cols)
        cells[blank], cells[target] = cells[target], 0
    return cells


def neighbour(cell: int, move: int, n_cells: int, cols: int) -> int:
    """Return the cell that the blank comes to by a move, or -1 off the board."""
    down, right = STEPS[move]
    row, col = cell // cols + down, cell % cols + right
    return row * cols + col if 0 <= row < n_cells // cols and 0 <= col < cols else -1


def replay(cells: Cells, cols: int, moves: str) -> Cells:
    """Return the board after some moves; raises RunError for one that is not possible."""
    after = cells.copy()
    blank = int(np.argmin(after))
    for number, letter in enumerate(moves, 1):
        move = MOVES.find(letter)
        target = neighbour(blank, move, len(after), cols) if move >= 0 else -1
        if target < 0:
            raise RunError(f"move {number}, {letter!r}, is not possible here")
        after[blank], after[target] = after[target], 0
        blank = target
    return after


def boards_along(cells: Cells, cols: int, moves: str) -> NDArray[np.uint8]:
    """Return all boards of a way, uint8 (moves + 1, rows * cols); RunError as :func:`replay`."""
    boards = np.empty((len(moves) + 1, len(cells)), np.uint8)
    boards[0] = cells
    for place, move in enumerate(moves):
        boards[place + 1] = replay(boards[place], cols, move)
    return boards


def text_of(cells: Cells) -> str:
    """Write a board in one line, 0 for the blank."""
    return " ".join(str(tile) for tile in cells.tolist())
