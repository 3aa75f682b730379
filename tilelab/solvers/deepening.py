"""The depth-first searches below a threshold; they keep nothing but the present way."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.parameters import parameter
from tilelab.core.solver import Status
from tilelab.heuristics import pattern_database as patterns
from tilelab.heuristics.evaluation import Evaluation
from tilelab.kernels import slide_deepening as kernel
from tilelab.kernels.slide_deepening_any import DEEPER, EXHAUSTED, deepen_any
from tilelab.kernels.slide_distance import LARGER, LINEAR_CONFLICT, MANHATTAN, WALKING, pattern_key
from tilelab.kernels.slide_patterns import deepen_patterns, pattern_sum
from tilelab.kernels.walking_distance import find_pattern
from tilelab.puzzles.sliding import MOVES, SlidingPuzzle
from tilelab.puzzles.sliding_tables import (
    NO_MOVE,
    change_tables,
    line_codes,
    line_conflicts,
    move_tables,
    packed,
    unpacked,
)
from tilelab.solvers.sliding_search import SearchParams, SlidingSearch

_DEPTHS = 256
STEP_BY_STEP = {
    MANHATTAN: (False, False, True),
    LINEAR_CONFLICT: (True, False, True),
    WALKING: (False, True, False),
    LARGER: (True, True, True),
}
"""Estimates that are kept step by step on boards of up to 4×4: conflicts, walking, Manhattan."""


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
    """``path``, ``scalars``, ``best`` and what else the kernel changes."""
    scale: int

    def go(self, budget: int) -> int:
        """Generate some boards; returns the kernel's code."""
        ...

    def nearest(self) -> NDArray[np.uint8]:
        """Return the board with the least estimate."""
        ...


def _start_arrays(estimate: int, blank: int, threshold: int) -> dict[str, NDArray[Any]]:
    path = np.zeros((_DEPTHS, kernel.N_COLUMNS), np.int64)
    path[0, kernel.BLANK], path[0, kernel.LAST], path[0, kernel.SUM] = blank, NO_MOVE, estimate
    scalars = np.zeros(kernel.N_SCALARS, np.int64)
    scalars[kernel.THRESHOLD], scalars[kernel.NEXT_THRESHOLD] = threshold, kernel.FAR
    scalars[kernel.BEST], scalars[kernel.EXPANDED] = estimate, 1
    return {"path": path, "scalars": scalars}


class AnyDescent:
    """Boards of any shape with any estimate, computed from scratch."""

    def __init__(self, puzzle: SlidingPuzzle, spec: HeuristicSpec, threshold: int | None) -> None:
        self._evaluation = Evaluation.towards(spec, puzzle.goal, puzzle.params.cols)
        self._puzzle, self.scale = puzzle, spec.scale
        self._deepens = threshold is None
        estimate = self._evaluation.of(puzzle.start)
        first = estimate if threshold is None else threshold * spec.scale
        self.arrays = _start_arrays(estimate, int(np.argmin(puzzle.start)), first)
        self.arrays |= {"cells": puzzle.start.copy(), "best": puzzle.start.copy()}

    def go(self, budget: int) -> int:
        """Generate some boards; returns the kernel's code."""
        parts = self.arrays
        moves = tuple(move_tables(*self._puzzle.shape))
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
            longer = np.zeros((2 * len(parts["path"]), kernel.N_COLUMNS), np.int64)
            longer[: len(parts["path"])] = parts["path"]
            parts["path"] = longer

    def nearest(self) -> NDArray[np.uint8]:
        """Return the board with the least estimate."""
        return self.arrays["best"]


class SteppedDescent:
    """Boards of up to 4×4 with Manhattan distance, conflicts and walking distance step by step."""

    scale = 1

    def __init__(self, puzzle: SlidingPuzzle, spec: HeuristicSpec) -> None:
        rows, cols = puzzle.shape
        uses_conflicts, uses_walking, uses_manhattan = STEP_BY_STEP[spec.kind]
        evaluation = Evaluation.towards(spec, puzzle.goal, cols)
        start, blank = puzzle.start, int(np.argmin(puzzle.start))
        row_code, col_code = line_codes(puzzle, start)
        conflicts = line_conflicts()
        total = puzzle.distance(start) if uses_manhattan else 0
        if uses_conflicts:
            codes = [row_code >> (12 * line) & 4095 for line in range(4)]
            codes += [col_code >> (12 * line) & 4095 for line in range(4)]
            total += sum(int(conflicts[code]) for code in codes)
        estimate = evaluation.of(start)
        self.arrays = _start_arrays(total, blank, estimate)
        self.arrays["scalars"][kernel.BEST] = estimate
        boards = np.zeros((_DEPTHS, 3), np.uint64)
        boards[0] = packed(start), row_code, col_code
        self.arrays |= {"boards": boards, "best": np.array([packed(start)], np.uint64)}
        if uses_walking:
            for axis, table, column in (
                (0, evaluation.row_table, kernel.ROW_PATTERN),
                (1, evaluation.col_table, kernel.COL_PATTERN),
            ):
                key = pattern_key(start, puzzle.places, cols, axis)
                self.arrays["path"][0, column] = table.indices[find_pattern(table.keys, key)]
        row_table, col_table = evaluation.row_table, evaluation.col_table
        self._n_cells = rows * cols
        self._arguments = (
            (uses_conflicts, uses_walking, uses_manhattan),
            tuple(move_tables(rows, cols)),
            tuple(change_tables(puzzle)),
            conflicts,
            (row_table.distance, row_table.steps, puzzle.places // cols),
            (col_table.distance, col_table.steps, puzzle.places % cols),
        )

    def go(self, budget: int) -> int:
        """Generate some boards; returns the kernel's code."""
        parts = self.arrays
        return int(
            kernel.deepen(
                budget,
                *self._arguments,
                parts["boards"],
                parts["path"],
                parts["best"],
                parts["scalars"],
            )
        )

    def nearest(self) -> NDArray[np.uint8]:
        """Return the board with the least estimate."""
        return unpacked(int(self.arrays["best"][0]), self._n_cells)


class PatternDescent:
    """The fifteen puzzle with pattern databases."""

    scale = 1

    def __init__(self, puzzle: SlidingPuzzle, partition: str) -> None:
        self.partition = partition
        slots = patterns.slots(partition, puzzle.goal)
        self._tables, start = patterns.tables(partition), puzzle.start
        indices = np.zeros((_DEPTHS, 2, 3), np.int64)
        indices[0] = slots.indices(start)
        estimate = max(int(pattern_sum(side, self._tables)) for side in indices[0])
        self.arrays = _start_arrays(estimate, int(np.argmin(start)), estimate)
        boards = np.zeros((_DEPTHS, 3), np.uint64)
        boards[0, 0] = packed(start)
        best = np.array([packed(start)], np.uint64)
        self.arrays |= {"boards": boards, "best": best, "indices": indices}
        self._arguments = (tuple(move_tables(*puzzle.shape)), self._tables, slots.arrays)

    def go(self, budget: int) -> int:
        """Generate some boards; returns the kernel's code."""
        parts = self.arrays
        return int(
            deepen_patterns(
                budget,
                *self._arguments,
                parts["boards"],
                parts["indices"],
                parts["path"],
                parts["best"],
                parts["scalars"],
            )
        )

    def nearest(self) -> NDArray[np.uint8]:
        """Return the board with the least estimate."""
        return unpacked(int(self.arrays["best"][0]), patterns.N_CELLS)


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
        depth = int(self._descent.arrays["scalars"][kernel.DEPTH])
        path = self._descent.arrays["path"]
        return "".join(MOVES[move] for move in path[1 : depth + 1, kernel.LAST].tolist())

    def _state(self) -> dict[str, NDArray[Any]]:
        return {name: part.copy() for name, part in self._descent.arrays.items()}

    def _set_state(self, arrays: dict[str, NDArray[Any]]) -> None:
        for name, part in self._descent.arrays.items():
            given = arrays.get(name)
            if given is None or given.dtype != part.dtype or given.ndim != part.ndim:
                raise SnapshotError(f"the snapshot's {name} do not fit this search")
            self._descent.arrays[name] = given.copy()
