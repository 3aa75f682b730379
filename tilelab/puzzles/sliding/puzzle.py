"""Sliding tiles: numbered tiles and one blank on a board of rows and columns.

A move slides a neighbouring tile into the blank. Moves are written as the direction in which the
*blank* travels: U, D, L, R. A board is uint8 (rows * cols,), row-major, 0 for the blank.
"""

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError, TileLabError
from tilelab.core.flags import Flag, typed
from tilelab.core.parameters import validate
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
from tilelab.core.registry import register_puzzle
from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import counted, number, require_known
from tilelab.puzzles.sliding.board import (
    MAX_QUOTED,
    Goal,
    SlidingParams,
    board_from_tiles,
    distances,
    goal_board,
    text_of,
    text_rows,
    tiles_of,
)
from tilelab.puzzles.sliding.flags import board_flags, chosen_boards, drawn, tile_sets
from tilelab.puzzles.sliding.text import holds_board
from tilelab.slides.moves import is_solvable, replay


@dataclass(frozen=True, eq=False)
class SlidingReport(Report):
    """Report about the distances of a board's tiles."""

    distance: int  # sum of the distances of all tiles
    distances: NDArray[np.int64]
    """int64 (rows * cols,), distance of the tile in each cell from its goal cell."""


@register_puzzle
@dataclass(frozen=True, eq=False, repr=False)
class SlidingPuzzle(Puzzle):
    """A start and a reachable goal."""

    spec: ClassVar[PuzzleSpec] = PuzzleSpec(
        key="sliding",
        title=marked("Sliding tiles"),
        source="Henriques 2019; Hasan et al. 2023; Damodaran",
        params=SlidingParams,
        value_title=marked("to goal"),
        value_is_distance=True,
        blank=".",
        default_solver="ida-star",
        purpose=marked("Slide numbered tiles into the empty cell until they are in order."),
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
        """Make an instance; without a start it is the goal. Raises GridError."""
        shape = (params.rows, params.cols)
        if (goal is not None) != (params.goal is Goal.BOARD):
            raise GridError.tr(
                "the goal is {goal}; a goal board goes with the goal board", goal=params.goal
            )
        goal_cells = (
            goal_board(*shape, params.goal) if goal is None else board_from_tiles(goal, *shape)
        )
        start_cells = goal_cells.copy() if start is None else board_from_tiles(start, *shape)
        for cells in (start_cells, goal_cells):
            cells.flags.writeable = False
        puzzle = cls(params, start_cells, goal_cells)
        if not is_solvable(start_cells, goal_cells, params.cols):
            raise UnsolvableError(
                tr(
                    "the board{named} cannot reach its goal: half of all boards "
                    "cannot; swapping any two tiles makes it solvable",
                    named=_named(start_cells),
                )
            )
        return puzzle

    @classmethod
    def flags(cls) -> tuple[Flag, ...]:
        return board_flags()

    @classmethod
    def from_flags(cls, values: Values) -> Iterator[Self]:
        with typed(values, "board"):
            for board in chosen_boards(values):
                yield cls.create(*board)

    @classmethod
    def drawn(cls, values: Values, seed: int) -> Values:
        """Return the seed of a scrambled board if no flag names a board."""
        return drawn(values, seed)

    @classmethod
    def board_sets(cls) -> Mapping[str, BoardSet]:
        return tile_sets()

    @property
    def shape(self) -> tuple[int, int]:
        return self.params.rows, self.params.cols

    @functools.cached_property
    def places(self) -> NDArray[np.int64]:
        """Goal cell of each tile, the blank included, int64 (rows * cols,)."""
        return np.argsort(self.goal)

    def is_start(self, cells: Cells) -> bool:
        """Return whether a best without moves is only the start board.

        A search without an estimate keeps this one; it knows none that is nearer to the goal.
        """
        return np.array_equal(cells, self.start)

    def distance(self, cells: Cells) -> int:
        """Return the sum of the tiles' Manhattan distances to their goal cells."""
        return int(self.distances(cells).sum())

    def distances(self, cells: Cells) -> NDArray[np.int64]:
        """Return the distance of the tile in each cell from its goal cell, int64 (rows * cols,)."""
        return distances(cells, self.goal, self.params.cols)

    def report(self, cells: Cells) -> SlidingReport:
        """Report the distances of a board and of its tiles from the goal."""
        distances = self.distances(cells)
        return SlidingReport(int(distances.sum()), distances)

    def score(self, cells: Cells) -> float:
        """Return the negative sum of Manhattan distances; 0 is the goal."""
        return -float(self.distance(cells))

    def rows_of(self, cells: Cells) -> tuple[str, ...]:
        """Write a board as text, one row of right-aligned numbers each; '.' for the blank."""
        return text_rows(cells, self.params.cols, ".")

    def parse(self, rows: Sequence[str]) -> Cells:
        tokens = [token for row in rows for token in row.split()]
        tiles = [0 if token == "." else int(token) if token.isdecimal() else -1 for token in tokens]
        return board_from_tiles(tiles, *self.shape)

    def instance(self) -> JsonObject:
        goal = {"goal_board": text_of(self.goal)} if self.params.goal is Goal.BOARD else {}
        return {"board": text_of(self.start), **goal}

    def describe(self) -> Description:
        return {
            "params": self.params.model_dump(mode="json"),
            "start": self.start.tolist(),
            "goal": self.goal.tolist() if self.params.goal is Goal.BOARD else None,
        }

    @classmethod
    def from_description(cls, description: Description) -> Self:
        require_known(description, ("params", "start", "goal"))
        params = validate(SlidingParams, part_of(description, "params", dict))
        has_goal = description.get("goal") is not None
        goal = cells_of(description, "goal") if has_goal else None
        return cls.create(params, cells_of(description, "start"), goal)

    @classmethod
    def described_title(cls, description: Description) -> str:
        start = description.get("start")
        return " ".join(map(str, start))[:2000] if isinstance(start, list) else ""

    @property
    def title(self) -> str:
        return text_of(self.start)

    @classmethod
    def from_record(cls, record: InstanceRecord) -> Self:
        params = validate(SlidingParams, record.puzzle_params)
        start, goal = (tiles_of(record.instance.get(name)) for name in ("board", "goal_board"))
        if start is None:
            raise GridError.tr("run {id} does not record its board", id=record.id)
        return cls.create(params, start, goal)

    def starting_with(self, cells: Cells) -> Self:
        goal = self.goal if self.params.goal is Goal.BOARD else None
        return self.create(self.params, cells, goal)

    @classmethod
    def picture(cls, record: InstanceRecord) -> TilePicture | None:
        """Return the nearest board, or the start if there is a path from it to the goal."""
        try:
            puzzle = cls.from_record(record)
            cells = puzzle.start if record.moves is not None else puzzle.parse(record.board)
        except TileLabError:
            return None
        return TilePicture(cells, puzzle.places, puzzle.params.cols)

    def require(self, cells: Cells) -> None:
        if not is_solvable(board_from_tiles(cells, *self.shape), self.start, self.params.cols):
            raise GridError.tr(
                "the board {tiles} cannot be reached from the start", tiles=text_of(cells)
            )

    def outcome(self, best: Best) -> JsonObject:
        """Describe the best of a run in plain values: the path, or else the nearest board."""
        return {
            "value": best.value,
            "board": text_of(best.cells),
            "moves": best.moves,
            "length": best.n_moves,
        }

    def best_text(self, best: Best) -> BestText:
        """Describe a board and the known path from it to its goal."""
        rows = self.rows_of(self.saved_cells(best))
        if best.moves is None:
            text = marked("Not solved; this board is the nearest, at least {moves} to the goal")
            if self.is_start(best.cells):
                text = marked("Not solved; this is the start board, at least {moves} to the goal")
            return BestText(rows, tr(text, moves=counted(round(-best.value), "move")))
        proof = tr("the shortest") if best.optimal else tr("not proven to be the shortest")
        return BestText(rows, f"{counted(len(best.moves), 'move')}, {proof}", moves=best.moves)

    @classmethod
    def value_text(cls, value: float, n_moves: int | None = None) -> str:
        """Format the length of the solution, or else the least distance of the nearest board."""
        if n_moves is not None:
            return counted(n_moves, "move")
        return _nearest_text(value) if value else tr("solved")

    def worth(self, best: Best) -> str:
        # A search may have generated the goal whose path it does not know yet.
        on_the_way = best.moves is None and not best.value
        return _nearest_text(best.value) if on_the_way else super().worth(best)

    def saved_cells(self, best: Best) -> Cells:
        """Return the nearest board, or the start if there is a path from it to the goal."""
        return best.cells if best.moves is None else self.start

    @classmethod
    def recognises(cls, text: str) -> bool:
        return holds_board(text)

    def notes(self, best: Best) -> Mapping[str, object]:
        if best.moves is None:
            is_start = self.is_start(best.cells)
            return {
                "board": tr("the start board") if is_start else tr("the nearest to the goal"),
                "manhattan": self.distance(best.cells),
                "goal": text_of(self.goal),
            }
        shortest = tr("shortest") if best.optimal else tr("not proven to be shortest")
        return {
            "goal": text_of(self.goal),
            "length": f"{len(best.moves)} ({shortest})",
            "moves": best.moves,
        }

    def replay(self, moves: str, cells: Cells | None = None) -> Cells:
        return replay(self.start if cells is None else cells, self.params.cols, moves)


def _nearest_text(value: float) -> str:
    title = tr(SlidingPuzzle.spec.value_title)
    return tr("nearest: {number}+ {title}", number=number(abs(value)), title=title)


def _named(cells: Cells) -> str:
    """Return the tiles of a board if it is small enough to be quoted in a sentence."""
    return (
        f" {text_of(cells)}"
        if len(cells) <= MAX_QUOTED
        else tr(" that begins {tiles}", tiles=text_of(cells[:8]))
    )


class UnsolvableError(GridError):
    """No sequence of slides leads from the start to the goal."""
