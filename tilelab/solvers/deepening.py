"""The depth-first searches below a threshold; they keep nothing but the present way."""

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.parameters import parameter
from tilelab.core.registry import HEURISTICS
from tilelab.core.snapshot_ranges import demand_range
from tilelab.core.solver import Status
from tilelab.heuristics import pattern_database as patterns
from tilelab.heuristics import pattern_slots as slots
from tilelab.heuristics.evaluation import Evaluation
from tilelab.heuristics.walking_distance import walking_start, walking_steps
from tilelab.kernels import slide_deepening as kernel
from tilelab.kernels.slide_deepening_any import (
    BLANK,
    DEEPER,
    EXHAUSTED,
    LAST,
    N_COLUMNS,
    SUM,
    TURN,
    deepen_any,
)
from tilelab.kernels.slide_distance import LARGER, LINEAR_CONFLICT, MANHATTAN, WALKING
from tilelab.puzzles import sliding_tables as boards
from tilelab.puzzles.sliding import MOVES, SlidingPuzzle
from tilelab.solvers.sliding_search import SearchParams, SlidingSearch

N_DEPTHS = 256
"""No fifteen puzzle has a way of so many moves; where longer ones may be met, more are made."""
STEP_BY_STEP = {
    MANHATTAN: (True, False, False),
    LINEAR_CONFLICT: (True, True, False),
    WALKING: (False, False, True),
    LARGER: (True, True, True),
}
"""Estimates that are kept step by step on boards of up to 4×4: distance, conflicts, walking."""


class DeepeningParams(SearchParams):
    """The parameters of a search that keeps nothing but its way."""

    block: int = parameter(
        100_000,
        "Boards a step",
        low=1,
        high=10_000_000,
        help="How many boards make one step of the run, a row of the chart.",
        group="Search",
    )


class Descent(Protocol):
    """One way to go down: its arrays, and the kernel that works on them."""

    arrays: dict[str, NDArray[Any]]
    """``scalars``, ``best`` and what else the kernel changes."""
    scale: int

    def go(self, budget: int) -> int:
        """Generate some boards; returns the kernel's code."""
        ...

    def nearest(self) -> NDArray[np.uint8]:
        """Return the board with the least estimate."""
        ...

    def way(self) -> str:
        """Return the moves to the board at hand."""
        ...


def start_scalars(estimate: int, threshold: int) -> NDArray[np.int64]:
    """Return the kernels' scalars at the start."""
    scalars = np.zeros(kernel.N_SCALARS, np.int64)
    scalars[kernel.THRESHOLD], scalars[kernel.NEXT_THRESHOLD] = threshold, kernel.FAR
    scalars[kernel.BEST], scalars[kernel.EXPANDED] = estimate, 1
    return scalars


class AnyDescent:
    """Boards of any shape with any estimate, computed from scratch."""

    def __init__(self, puzzle: SlidingPuzzle, spec: HeuristicSpec, threshold: int | None) -> None:
        self._evaluation = Evaluation.towards(spec, puzzle.goal, puzzle.params.cols)
        self._puzzle, self.scale = puzzle, spec.scale
        self._deepens = threshold is None
        estimate = self._evaluation.of(puzzle.start)
        first = estimate if threshold is None else threshold * spec.scale
        path = np.zeros((N_DEPTHS, N_COLUMNS), np.int64)
        path[0, BLANK], path[0, LAST] = np.argmin(puzzle.start), boards.NO_MOVE
        path[0, SUM] = estimate
        self.arrays: dict[str, NDArray[Any]] = {
            "path": path,
            "scalars": start_scalars(estimate, first),
            "cells": puzzle.start.copy(),
            "best": puzzle.start.copy(),
        }

    def go(self, budget: int) -> int:
        """Generate some boards; returns the kernel's code."""
        parts = self.arrays
        moves = tuple(boards.move_tables(*self._puzzle.shape))
        arguments = (self.scale, self._deepens, moves, self._puzzle.goal)
        end = parts["scalars"][kernel.GENERATED] + budget
        while True:
            left = int(end - parts["scalars"][kernel.GENERATED])
            code = int(
                deepen_any(
                    left,
                    *arguments,
                    self._evaluation.arguments,
                    parts["cells"],
                    parts["path"],
                    parts["best"],
                    parts["scalars"],
                )
            )
            if code != DEEPER:
                return code
            longer = np.zeros((2 * len(parts["path"]), N_COLUMNS), np.int64)
            longer[: len(parts["path"])] = parts["path"]
            parts["path"] = longer

    def nearest(self) -> NDArray[np.uint8]:
        """Return the board with the least estimate."""
        return self.arrays["best"]

    def way(self) -> str:
        """Return the moves to the board at hand."""
        depth = int(self.arrays["scalars"][kernel.DEPTH])
        return "".join(MOVES[move] for move in self.arrays["path"][1 : depth + 1, LAST].tolist())


class PackedDescent:
    """Boards of up to 4×4 with the estimate kept step by step."""

    scale = 1

    def __init__(
        self, puzzle: SlidingPuzzle, spec: HeuristicSpec, detour: int, partition: str = ""
    ) -> None:
        self.partition = partition
        self._puzzle = puzzle
        rows, cols = puzzle.shape
        start = puzzle.start
        stack = np.zeros((N_DEPTHS, kernel.STACK_WIDTH), np.uint64)
        row, sources = stack[0], _Sources()
        row[kernel.BOARD] = boards.packed(puzzle, start)
        row[kernel.NEXT_WAY] = 8 * np.argmin(start)
        if partition:
            sources = _pattern_sources(puzzle, partition, row)
            estimate = int(max(row[kernel.SUM], row[kernel.MIRROR_SUM]))
        else:
            sources = _distance_sources(puzzle, spec, row)
            estimate = Evaluation.towards(spec, puzzle.goal, cols).of(start)
        self.arrays: dict[str, NDArray[Any]] = {
            "stack": stack,
            "moves": np.zeros(N_DEPTHS, np.uint8),
            "best": row[kernel.BOARD : kernel.BOARD + 1].copy(),
            "scalars": start_scalars(estimate, estimate),
        }
        blank = np.uint64(boards.blank_label(puzzle))
        self._arguments = (boards.packed_ways(rows, cols, detour), blank, *sources)

    def go(self, budget: int) -> int:
        """Generate some boards; returns the kernel's code."""
        parts = self.arrays
        return int(
            kernel.deepen(
                budget,
                *self._arguments,
                parts["stack"],
                parts["moves"],
                parts["best"],
                parts["scalars"],
            )
        )

    def nearest(self) -> NDArray[np.uint8]:
        """Return the board with the least estimate."""
        return boards.unpacked(self._puzzle, int(self.arrays["best"][0]))

    def way(self) -> str:
        """Return the moves to the board at hand."""
        depth = int(self.arrays["scalars"][kernel.DEPTH])
        return "".join(MOVES[move] for move in self.arrays["moves"][:depth].tolist())


class _Sources(NamedTuple):
    """What the estimate is made of, see tilelab.kernels.slide_deepening.deepen."""

    steps: NDArray[np.int8] | None = None
    lines: NDArray[np.uint8] | None = None
    down: NDArray[np.uint16] | None = None
    right: NDArray[np.uint16] | None = None
    tables: NDArray[np.uint8] | None = None
    spots: NDArray[np.uint64] | None = None


def _distance_sources(
    puzzle: SlidingPuzzle, spec: HeuristicSpec, row: NDArray[np.uint64]
) -> _Sources:
    """Return what a heuristic is made of, and fill in its part of the stack's first row."""
    uses_distance, uses_conflicts, uses_walking = STEP_BY_STEP[spec.kind]
    (rows, cols), start = puzzle.shape, puzzle.start
    sources = _Sources()
    if uses_distance:
        key = "linear-conflict" if uses_conflicts else "manhattan"
        row[kernel.VALUE] = Evaluation.towards(HEURISTICS[key], puzzle.goal, cols).of(start)
        sources = sources._replace(steps=boards.distance_steps(rows, cols))
    if uses_conflicts:
        sources = sources._replace(lines=boards.conflict_lines(boards.blank_label(puzzle)))
    if uses_walking:
        evaluation = Evaluation.towards(spec, puzzle.goal, cols)
        tables = (evaluation.row_table, evaluation.col_table)
        walks = [
            walking_start(table, start, puzzle.places, cols, axis)
            for axis, table in enumerate(tables)
        ]
        row[kernel.WALK] = walks[0][0] | walks[1][0] << 32
        row[kernel.WALK_VALUE] = walks[0][1] + walks[1][1]
        down, right = (walking_steps(table) for table in tables)
        sources = sources._replace(down=down, right=right)
    return sources


def _pattern_sources(puzzle: SlidingPuzzle, partition: str, row: NDArray[np.uint64]) -> _Sources:
    """Return what pattern databases are made of, and fill in their part of the first row."""
    parts, tables = patterns.partition_named(partition), patterns.tables(partition)
    spots = slots.open_spots(parts, puzzle.goal)
    for side, (at, total) in enumerate(
        ((kernel.AT, kernel.SUM), (kernel.MIRROR_AT, kernel.MIRROR_SUM))
    ):
        places = slots.open_places(parts, puzzle.goal, puzzle.start, side)
        row[at], row[total] = places, slots.open_sum(places, spots, tables)
    return _Sources(tables=tables, spots=spots)


def demand_descent(arrays: dict[str, NDArray[Any]], puzzle: SlidingPuzzle) -> None:
    """Raise SnapshotError unless counts and way fit the arrays that a snapshot has filled."""
    scalars, rows = arrays["scalars"], arrays.get("path", arrays.get("stack"))
    if scalars.shape != (kernel.N_SCALARS,) or rows is None or len(rows) < N_DEPTHS:
        raise SnapshotError("the snapshot's counts do not fit this search")
    demand_range("depth", scalars[[kernel.DEPTH]], 0, len(rows) - 1)
    demand_range("counts", scalars, -1, 2**62)
    if "path" in arrays:
        if rows.shape[1:] != (N_COLUMNS,):
            raise SnapshotError(f"the snapshot's way is {rows.shape}")
        puzzle.demand(arrays["cells"])
        puzzle.demand(arrays["best"])
        way = rows[: int(scalars[kernel.DEPTH]) + 1]
        demand_range("blanks", way[:, BLANK], 0, len(puzzle.goal) - 1)
        demand_range("moves", way[:, LAST], -1, len(MOVES))
        demand_range("turns", way[:, TURN], 0, len(MOVES))
    elif rows.shape[1:] != (kernel.STACK_WIDTH,):
        raise SnapshotError(f"the snapshot's way is {rows.shape}")


class Deepening(SlidingSearch):
    """Goes down below a threshold; a sub-class says how."""

    _descent: Descent

    def _step(self) -> Status:
        if np.array_equal(self._puzzle.start, self._puzzle.goal):
            return Status.SOLVED
        code = self._descent.go(self._params.block)
        if code == EXHAUSTED:
            return Status.EXHAUSTED
        return Status.SOLVED if code == kernel.SOLVED else Status.RUNNING

    def _row(self) -> tuple[float, ...]:
        scalars, scale = self._descent.arrays["scalars"], self._descent.scale
        n_bytes = sum(part.nbytes for part in self._descent.arrays.values())
        return (
            float(scalars[kernel.EXPANDED]),
            float(scalars[kernel.GENERATED]),
            float(scalars[kernel.DEPTH] + 1),
            float(scalars[kernel.DEPTH]),
            float(scalars[kernel.THRESHOLD]) / scale,
            float(scalars[kernel.BEST]) / scale,
            n_bytes / 2**20,
        )

    def _nearest(self) -> NDArray[np.uint8]:
        return self._descent.nearest()

    def _solution(self) -> str:
        return self._descent.way()

    def _state(self) -> dict[str, NDArray[Any]]:
        return {name: part.copy() for name, part in self._descent.arrays.items()}

    def _set_state(self, arrays: dict[str, NDArray[Any]]) -> None:
        for name, part in self._descent.arrays.items():
            given = arrays.get(name)
            if given is None or given.dtype != part.dtype or given.ndim != part.ndim:
                raise SnapshotError(f"the snapshot's {name} do not fit this search")
            self._descent.arrays[name] = given.copy()
        demand_descent(self._descent.arrays, self._puzzle)
