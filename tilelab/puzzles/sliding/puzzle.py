"""Sliding tiles: numbered tiles and one blank on a board of rows and columns.

A move slides a neighbouring tile into the blank. Moves are written as the way the *blank* travels:
U, D, L, R. A board is uint8 (rows * cols,), row-major, 0 for the blank.
"""

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError, RunError, TileLabError
from tilelab.core.flags import Flag
from tilelab.core.parameters import Choice, Params, parameter, validate
from tilelab.core.plain import Description, JsonObject, Values
from tilelab.core.puzzle import (
    Best,
    BestText,
    BoardSet,
    Cells,
    InstanceRecord,
    Puzzle,
    PuzzleSpec,
    Report,
    TilePicture,
    cells_of,
    part_of,
)
from tilelab.core.randomness import generator
from tilelab.core.registry import register_puzzle
from tilelab.core.wording import counted, number

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
class SlidingReport(Report):
    """What a board is, tile by tile."""

    distance: int
    """Sum of the tiles' distances."""
    distances: NDArray[np.int64]
    """int64 (rows * cols,): how far the tile in each cell is from its goal cell."""


@register_puzzle
@dataclass(frozen=True, eq=False)
class SlidingPuzzle(Puzzle):
    """A start and a goal that can be reached from it."""

    spec: ClassVar[PuzzleSpec] = PuzzleSpec(
        key="sliding",
        title="Sliding tiles",
        source="Henriques 2019; Hasan et al. 2023; Damodaran",
        params=SlidingParams,
        value_title="away",
        default_solver="ida-star",
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

    @classmethod
    def flags(cls) -> tuple[Flag, ...]:
        """The flags that choose boards."""
        from tilelab.puzzles.sliding.flags import board_flags  # which makes puzzles of this class

        return board_flags()

    @classmethod
    def from_flags(cls, values: Values) -> Iterator["SlidingPuzzle"]:
        """Make the instances that a command is about."""
        from tilelab.puzzles.sliding.flags import chosen_puzzles

        return chosen_puzzles(values)

    @classmethod
    def board_sets(cls) -> Mapping[str, BoardSet]:
        """The papers' boards."""
        from tilelab.puzzles.sliding.instances import instance_sets

        return instance_sets()

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

    def instance(self) -> JsonObject:
        """Say which instance this is, besides its parameters."""
        goal = {"goal_board": text_of(self.goal)} if self.params.goal is Goal.BOARD else {}
        return {"board": text_of(self.start), **goal}

    def describe(self) -> Description:
        """Return all that makes this instance."""
        return {
            "params": self.params.model_dump(mode="json"),
            "start": self.start.tolist(),
            "goal": self.goal.tolist() if self.params.goal is Goal.BOARD else None,
        }

    @classmethod
    def from_description(cls, description: Description) -> Self:
        """Inverse of :meth:`describe`; raises TileLabError."""
        params = validate(SlidingParams, part_of(description, "params", dict))
        has_goal = description.get("goal") is not None
        goal = cells_of(description, "goal") if has_goal else None
        return cls.create(params, cells_of(description, "start"), goal)

    @classmethod
    def described_title(cls, description: Description) -> str:
        """Return the start."""
        start = description.get("start")
        return " ".join(map(str, start))[:2000] if isinstance(start, list) else ""

    @property
    def title(self) -> str:
        """The start."""
        return text_of(self.start)

    @classmethod
    def from_record(cls, record: InstanceRecord) -> Self:
        """Make the instance of a run in the history again."""
        params = validate(SlidingParams, record.puzzle_params)
        start, goal = (_tiles(record.instance.get(name)) for name in ("board", "goal_board"))
        if start is None:
            raise GridError(f"run {record.id} does not say which board it was on")
        return cls.create(params, start, goal)

    def starting_with(self, cells: Cells) -> Self:
        """Return the same goal with another start."""
        goal = self.goal if self.params.goal is Goal.BOARD else None
        return self.create(self.params, cells, goal)

    @classmethod
    def picture(cls, record: InstanceRecord) -> TilePicture | None:
        """Return the nearest board, or the start once there is a way from it."""
        try:
            puzzle = cls.from_record(record)
            cells = puzzle.start if record.moves is not None else puzzle.parse(record.board)
        except TileLabError:
            return None
        return TilePicture(cells, puzzle.places, puzzle.params.cols)

    def demand(self, cells: Cells) -> None:
        """Raise GridError unless these cells are a board that slides lead to from the start."""
        if not is_solvable(checked(cells, *self.shape), self.start, self.params.cols):
            raise GridError(f"the board {text_of(cells)} cannot be reached from the start")

    def outcome(self, best: Best) -> JsonObject:
        """Describe the best of a run in plain values: the way, or else the nearest board."""
        return {
            "value": best.value,
            "board": text_of(best.cells),
            "moves": best.moves,
            "length": None if best.moves is None else len(best.moves),
            "optimal": best.optimal,
        }

    def best_text(self, best: Best) -> BestText:
        """Describe a board and the way from it to its goal, as far as it is known."""
        rows = self.rows_of(self.saved_cells(best))
        if best.moves is None:
            away = number(-best.value)
            return BestText(rows, f"Not solved; this board is the nearest, {away} away")
        proof = "the shortest" if best.optimal else "not proven to be the shortest"
        return BestText(rows, f"{counted(len(best.moves), 'move')}, {proof}", moves=best.moves)

    @classmethod
    def value_text(cls, value: float, n_moves: int | None = None) -> str:
        """Write the length of the solution, or else how far it is to the goal."""
        if n_moves is not None:
            return counted(n_moves, "move")
        return f"{number(-value)} away" if value else "solved"

    def saved_cells(self, best: Best) -> Cells:
        """Return the nearest board, or the start once there is a way from it."""
        return best.cells if best.moves is None else self.start

    def notes(self, best: Best) -> Mapping[str, object]:
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


def checked(tiles: Sequence[int] | NDArray[np.integer], rows: int, cols: int) -> Cells:
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
    for place, letter in enumerate(moves, 1):
        move = MOVES.find(letter)
        target = neighbour(blank, move, len(after), cols) if move >= 0 else -1
        if target < 0:
            raise RunError(f"move {place}, {letter!r}, is not possible here")
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


def _tiles(text: object) -> list[int] | None:
    """Read a board that :func:`text_of` wrote; None for what is none."""
    try:
        return None if text is None else [int(tile) for tile in str(text).split()]
    except ValueError:
        return None


def text_of(cells: Cells) -> str:
    """Write a board in one line, 0 for the blank."""
    return " ".join(str(tile) for tile in cells.tolist())
