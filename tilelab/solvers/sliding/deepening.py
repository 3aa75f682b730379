"""The depth-first searches below a threshold; they keep nothing but the present path."""

from abc import ABC, abstractmethod
from typing import ClassVar, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import HEURISTICS
from tilelab.core.snapshot_ranges import require_range
from tilelab.core.solver import Arrays, Snapshot, Status
from tilelab.heuristics import pattern_database as patterns
from tilelab.heuristics import pattern_slots as slots
from tilelab.heuristics.evaluation import Evaluation
from tilelab.heuristics.walking_distance import walking_start, walking_steps
from tilelab.kernels.slides import deepening as kernel
from tilelab.kernels.slides.deepening_any import (
    BLANK,
    DEEPER,
    LAST,
    N_COLUMNS,
    SUM,
    TURN,
    deepen_any,
)
from tilelab.puzzles.sliding import tables as boards
from tilelab.puzzles.sliding.board import MOVES, boards_along, letters_of
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.solvers.sliding.search import SearchParams, SlidingSearch, expansions_parameter

N_DEPTHS = 256
"""No fifteen puzzle has a path of so many moves; where longer ones may be found, more are made."""
STEP_BY_STEP = {
    "manhattan": (True, False, False),
    "linear-conflict": (True, True, False),
    "walking-distance": (False, False, True),
    "larger": (True, True, True),
}
"""Estimates that are kept step by step on boards of up to 4×4: distance, conflicts, walking."""


class DeepeningParams(SearchParams):
    """The parameters of a search that keeps nothing but its path."""

    expansions_per_update: int = expansions_parameter(100_000, 10_000_000)


class Descent(ABC):
    """One method of going down: its arrays, and the kernel that works on them."""

    arrays: Arrays
    """``scalars``, ``best`` and what else the kernel changes."""
    by_depth: ClassVar[tuple[str, ...]] = ()
    """Those that have a row for each depth, and are made longer for a longer path."""
    scale = 1
    """How many units of the estimate make a move."""

    def __init__(self, puzzle: SlidingPuzzle) -> None:
        self._puzzle = puzzle

    def go(self, budget: int) -> int:
        """Generate some boards; returns the kernel's code."""
        scalars = self.arrays["scalars"]
        end = int(scalars[kernel.GENERATED]) + budget
        while True:
            code = self._deepen(end - int(scalars[kernel.GENERATED]))
            if code != DEEPER:
                return code
            for name in self.by_depth:
                part = self.arrays[name]
                self.arrays[name] = np.concatenate([part, np.zeros_like(part)])

    @abstractmethod
    def _deepen(self, budget: int) -> int:
        """Call the kernel; returns its code, DEEPER when the path is too short."""

    def nearest(self) -> NDArray[np.uint8]:
        """Return the board with the least estimate."""
        return self.arrays["best"]

    def path(self) -> str:
        """Return the moves to the board at hand."""
        return self._moves(int(self.arrays["scalars"][kernel.DEPTH]))

    @abstractmethod
    def _moves(self, depth: int) -> str:
        """Return so many moves of the path."""

    @abstractmethod
    def require(self, arrays: Arrays) -> None:
        """Raise SnapshotError unless arrays are what this descent makes of the start.

        A kernel trusts them: boards, estimates and places all follow from the moves.
        """


def start_scalars(puzzle: SlidingPuzzle, estimate: int, threshold: int) -> NDArray[np.int64]:
    """Return the kernels' scalars at the start, which is expanded unless it is the goal."""
    scalars = np.zeros(kernel.N_SCALARS, np.int64)
    is_solved = np.array_equal(puzzle.start, puzzle.goal)
    scalars[kernel.THRESHOLD], scalars[kernel.NEXT_THRESHOLD] = threshold, kernel.FAR
    scalars[kernel.BEST], scalars[kernel.EXPANDED] = estimate, not is_solved
    return scalars


class AnyDescent(Descent):
    """Boards of any shape with any estimate, computed from scratch."""

    by_depth = ("path",)

    def __init__(self, puzzle: SlidingPuzzle, spec: HeuristicSpec, threshold: int | None) -> None:
        super().__init__(puzzle)
        self._evaluation = Evaluation.towards(spec, puzzle.goal, puzzle.params.cols)
        self.scale = spec.scale
        self._deepens = threshold is None
        estimate = self._evaluation.of(puzzle.start)
        first = estimate if threshold is None else threshold * spec.scale
        path = np.zeros((N_DEPTHS, N_COLUMNS), np.int64)
        path[0, BLANK], path[0, LAST] = np.argmin(puzzle.start), boards.NO_MOVE
        path[0, SUM] = estimate
        self.arrays: Arrays = {
            "path": path,
            "scalars": start_scalars(puzzle, estimate, first),
            "cells": puzzle.start.copy(),
            "best": puzzle.start.copy(),
        }

    def _deepen(self, budget: int) -> int:
        parts = self.arrays
        return int(
            deepen_any(
                budget,
                self.scale,
                self._deepens,
                tuple(boards.move_tables(*self._puzzle.shape)),
                self._puzzle.goal,
                self._evaluation.arguments,
                parts["cells"],
                parts["path"],
                parts["best"],
                parts["scalars"],
            )
        )

    def _moves(self, depth: int) -> str:
        return letters_of(self.arrays["path"][1 : depth + 1, LAST])

    def require(self, arrays: Arrays) -> None:
        """Raise SnapshotError unless path and board are what the moves make of the start."""
        puzzle = self._puzzle
        taken = required_path(arrays, N_COLUMNS)
        require_range("moves", taken[1:, LAST], 0, len(MOVES) - 1)
        require_range("turns", taken[:, TURN], 0, len(MOVES))
        along = boards_along(puzzle.start, puzzle.params.cols, letters_of(taken[1:, LAST]))
        estimates = [self._evaluation.of(cells) for cells in along]
        fits = taken[0, LAST] == boards.NO_MOVE and np.array_equal(along[-1], arrays["cells"])
        fits &= np.array_equal(taken[:, BLANK], np.argmin(along, axis=1))
        if not fits or taken[:, SUM].tolist() != estimates:
            raise SnapshotError("the snapshot's path does not lead to its board")
        puzzle.require(arrays["best"])


class PackedDescent(Descent):
    """Boards of up to 4×4 with the estimate kept step by step."""

    def __init__(
        self, puzzle: SlidingPuzzle, spec: HeuristicSpec, detour: int, partition: str = ""
    ) -> None:
        super().__init__(puzzle)
        self.partition = partition
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
        self.arrays: Arrays = {
            "stack": stack,
            "moves": np.zeros(N_DEPTHS, np.uint8),
            "best": row[kernel.BOARD : kernel.BOARD + 1].copy(),
            "scalars": start_scalars(puzzle, estimate, estimate),
        }
        self._first = stack.copy()
        blank = np.uint64(boards.blank_label(puzzle))
        self._arguments = (boards.packed_paths(rows, cols, detour), blank, *sources)

    def _deepen(self, budget: int) -> int:
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
        return boards.unpacked(self._puzzle, int(self.arrays["best"][0]))

    def _moves(self, depth: int) -> str:
        return letters_of(self.arrays["moves"][:depth])

    def require(self, arrays: Arrays) -> None:
        """Raise SnapshotError unless the stack is what its paths make of the start."""
        stack, moves, best, puzzle = arrays["stack"], arrays["moves"], arrays["best"], self._puzzle
        if stack.shape != self._first.shape or moves.shape != stack.shape[:1] or best.shape != (1,):
            raise SnapshotError(f"the snapshot's path is {stack.shape}")
        depth = required_depth(arrays["scalars"], len(stack))
        require_range("threshold", arrays["scalars"][[kernel.THRESHOLD]], 0, len(stack) - 1)
        rebuilt = self._first.copy()
        is_path = kernel.retrace(*self._arguments, depth, stack, moves, rebuilt)
        if not is_path or not np.array_equal(rebuilt[: depth + 1], stack[: depth + 1]):
            raise SnapshotError("the snapshot's path does not lead to its board")
        nearest = boards.unpacked(puzzle, int(best[0]))
        puzzle.require(nearest)
        if boards.packed(puzzle, nearest) != int(best[0]):
            raise SnapshotError("the snapshot's nearest board is none of this shape")


class _Sources(NamedTuple):
    """What the estimate is made of, see tilelab.kernels.slides.deepening.deepen."""

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
    uses_distance, uses_conflicts, uses_walking = STEP_BY_STEP[spec.key]
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


def required_depth(scalars: NDArray[np.int64], n_depths: int) -> int:
    """Return how deep a snapshot is; raises SnapshotError unless its counts can be."""
    if scalars.shape != (kernel.N_SCALARS,):
        raise SnapshotError("the snapshot's counts do not fit this search")
    require_range("counts", scalars, 0, 2**62)
    require_range("depth", scalars[[kernel.DEPTH]], 0, n_depths - 1)
    thresholds = scalars[[kernel.THRESHOLD, kernel.NEXT_THRESHOLD]]
    require_range("thresholds", thresholds, 0, kernel.FAR)
    return int(scalars[kernel.DEPTH])


def required_path(arrays: Arrays, n_columns: int) -> NDArray[np.int64]:
    """Return the rows of the path that a snapshot is on; raises SnapshotError for other shapes."""
    path: NDArray[np.int64] = arrays["path"]
    if len(path) < N_DEPTHS or path.shape[1:] != (n_columns,):
        raise SnapshotError(f"the snapshot's path is {path.shape}")
    return path[: required_depth(arrays["scalars"], len(path)) + 1]


def restore_descent(descent: Descent, arrays: Arrays) -> None:
    """Give a descent the arrays of a snapshot; raises SnapshotError when they do not fit it."""
    given = {}
    for name, part in descent.arrays.items():
        found = arrays.get(name)
        if found is None or found.dtype != part.dtype or found.ndim != part.ndim:
            raise SnapshotError(f"the snapshot's {name} do not fit this search")
        given[name] = found.copy()
    descent.require(given)
    descent.arrays.update(given)


Q = TypeVar("Q", bound=DeepeningParams)


class Deepening(SlidingSearch[Q], Generic[Q]):
    """Goes down below a threshold; a sub-class says how."""

    _descent: Descent

    def _search(self, most: int) -> bool:
        scalars = self._descent.arrays["scalars"]
        before = int(scalars[kernel.GENERATED])
        is_solved = np.array_equal(self._puzzle.start, self._puzzle.goal)
        code = kernel.SOLVED if is_solved else self._descent.go(most)
        self._steps_done += int(scalars[kernel.GENERATED]) - before
        if code == kernel.SOLVED:
            self._end(Status.SOLVED)
        elif code == kernel.EXHAUSTED:
            self._end(Status.EXHAUSTED)
        if is_solved or code == kernel.EXHAUSTED:
            self._steps_done += 1
        return code != kernel.RUNNING or self._n_left == 0

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
        return self._descent.path()

    def _arrays(self) -> Arrays:
        return {name: part.copy() for name, part in self._descent.arrays.items()}

    def _set_state(self, snapshot: Snapshot) -> None:
        super()._set_state(snapshot)
        restore_descent(self._descent, snapshot.arrays)
