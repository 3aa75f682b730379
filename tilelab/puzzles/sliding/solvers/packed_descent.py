"""Boards of up to 4×4 packed into one number, and the descent that updates their estimate.

With pattern databases too large to be opened (7-8 on 4×4, 6-6-6-6 on 5×5) another descent looks up
each pattern.
"""

import functools
import itertools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import HEURISTICS
from tilelab.core.snapshot_ranges import require_range
from tilelab.core.solver import Arrays
from tilelab.puzzles.sliding.detours import machine
from tilelab.puzzles.sliding.heuristics import pattern_database as patterns
from tilelab.puzzles.sliding.heuristics import pattern_slots as slots
from tilelab.puzzles.sliding.heuristics.evaluation import Evaluation
from tilelab.puzzles.sliding.heuristics.pattern_database import partition_named, tables
from tilelab.puzzles.sliding.heuristics.pattern_slots import N_SIDES, members, start_patterns
from tilelab.puzzles.sliding.heuristics.walking_distance import walking_start, walking_steps
from tilelab.puzzles.sliding.kernels import deepening as kernel
from tilelab.puzzles.sliding.kernels import deepening_patterns as pattern_kernel
from tilelab.puzzles.sliding.kernels.packed_boards import VERTICAL, fill_conflict_lines
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.solvers.descent import (
    N_DEPTHS,
    Descent,
    required_depth,
    required_path,
    start_scalars,
)
from tilelab.slides.moves import (
    MOVES,
    SEARCH_ORDER,
    STEPS,
    blank_targets,
    boards_along,
    cells_apart,
    letters_of,
)

STEP_BY_STEP = {
    "manhattan": (True, False, False),
    "linear-conflict": (True, True, False),
    "walking-distance": (False, False, True),
    "larger": (True, True, True),
}
"""Estimates that are updated step by step on boards of up to 4×4: distance, conflicts, walking."""
PACKED_SIDE = 4  # maximum side of a packed board; larger ones do not fit into 64 bits


def spread_cells(rows: int, cols: int) -> NDArray[np.int64]:
    """Return the number of each cell of a board of up to 4×4 in the 4×4 board, (cells,)."""
    row, col = np.divmod(np.arange(rows * cols), cols)
    return row * PACKED_SIDE + col


def pack_board(puzzle: SlidingPuzzle, cells: NDArray[np.uint8]) -> int:
    """Return a board of up to 4×4 as one number, see kernels.packed_boards."""
    spread = spread_cells(*puzzle.shape)
    labels = [blank_label(puzzle)] * PACKED_SIDE**2
    for cell, tile in enumerate(cells.tolist()):
        labels[spread[cell]] = int(spread[puzzle.places[tile]])
    return sum(label << (4 * cell) for cell, label in enumerate(labels))


def unpack_board(puzzle: SlidingPuzzle, board: int) -> NDArray[np.uint8]:
    """Inverse of :func:`pack_board`."""
    spread = spread_cells(*puzzle.shape).tolist()
    home = {label: cell for cell, label in enumerate(spread)}
    return np.array([puzzle.goal[home[board >> (4 * cell) & 15]] for cell in spread], np.uint8)


def blank_label(puzzle: SlidingPuzzle) -> int:
    """Return the blank's goal cell, in the 4×4 board."""
    return int(spread_cells(*puzzle.shape)[puzzle.places[0]])


@functools.cache
def packed_paths(rows: int, cols: int, detour: int) -> NDArray[np.uint64]:
    """Return the paths of a shape without detours of up to ``detour`` moves, uint64.

    See kernels.deepening.deepen. The paths from a start have eight places, those
    that follow a move have four: one of them never is the move straight back.
    """
    states = machine(rows, cols, detour)
    spread = spread_cells(rows, cols)[states.cell].tolist()
    n_starts = rows * cols
    place = [8 * state for state in range(n_starts)]
    place += [4 * (n_starts + state) for state in range(n_starts, len(spread))]
    paths = np.zeros(4 * (n_starts + len(spread)), np.uint64)
    for state, number in enumerate(spread):
        moves = [move for move in SEARCH_ORDER if states.following[state, move] >= 0]
        for index, move in enumerate(moves):
            after = int(states.following[state, move])
            path = 4 * spread[after] | 4 * number << 6 | (4 * number + move) << 13
            path |= VERTICAL if STEPS[move][0] else 0
            paths[place[state] + index] = path | place[after] << 20
    return paths


@functools.cache
def distance_steps(rows: int, cols: int) -> NDArray[np.int8]:
    """Return the change of the Manhattan distance, int8 (1024,), by label, blank's cell, move."""
    target, spread = blank_targets(rows, cols), spread_cells(rows, cols)
    cells = np.arange(rows * cols)
    apart = cells_apart(cells[:, None], cells, cols)
    steps = np.zeros((16, 16, 4), np.int8)
    for cell, move in np.argwhere(target >= 0):
        steps[spread, spread[cell], move] = apart[:, cell] - apart[:, target[cell, move]]
    return steps.ravel()


@functools.cache
def conflict_lines(blank: int) -> NDArray[np.uint8]:
    """Return the table of line conflicts, see tilelab.puzzles.sliding.kernels.packed_boards."""
    lines = np.empty(8 * 65536, np.uint8)
    fill_conflict_lines(blank, lines)
    return lines


class PackedDescent(Descent):
    """A descent on boards of up to 4×4 that updates the estimate step by step."""

    search = kernel.deepen
    rows = ("stack", "moves")
    turns = ("stack", kernel.NEXT_SLIDE)
    thresholds_end = N_DEPTHS

    def __init__(
        self, puzzle: SlidingPuzzle, spec: HeuristicSpec, detour: int, partition: str = ""
    ) -> None:
        super().__init__(puzzle)
        self.partition = partition
        rows, cols = puzzle.shape
        start = puzzle.start
        stack = np.zeros((N_DEPTHS, kernel.STACK_WIDTH), np.uint64)
        row, sources = stack[0], _Sources()
        row[kernel.BOARD] = pack_board(puzzle, start)
        row[kernel.NEXT_SLIDE] = 8 * np.argmin(start)
        if partition:
            sources = _pattern_sources(puzzle, partition, row)
            estimate = int(max(row[kernel.SUM], row[kernel.MIRROR_SUM]))
        else:
            sources = _distance_sources(puzzle, spec, row)
            estimate = Evaluation.towards(spec, puzzle.goal, cols).of(start)
        self._begin(
            {
                "stack": stack,
                "moves": np.zeros(N_DEPTHS, np.uint8),
                "best": row[kernel.BOARD : kernel.BOARD + 1].copy(),
                "scalars": start_scalars(puzzle, estimate, estimate),
            }
        )
        self._paths = packed_paths(rows, cols, detour)
        self.arguments = (self._paths, np.uint64(blank_label(puzzle)), *sources)

    def has_tried(self, depth: int) -> bool:
        n_places = 4 if depth else 8  # of each state, see packed_paths
        return self.turn(depth) % n_places > 0

    def has_turns(self, depth: int) -> bool:
        return bool(self._paths[self.turn(depth)])

    def tried(self, depth: int) -> int:
        return int(self._paths[self.turn(depth) - 1]) >> 13 & 3

    def estimate(self) -> int:
        values = [kernel.VALUE, kernel.WALK_VALUE, kernel.SUM, kernel.MIRROR_SUM]
        return int(self.arrays["stack"][self.depth, values].max())

    def nearest(self) -> NDArray[np.uint8]:
        return unpack_board(self._puzzle, int(self.arrays["best"][0]))

    def _moves(self, depth: int) -> str:
        return letters_of(self.arrays["moves"][:depth])

    def require(self, arrays: Arrays) -> None:
        """Raise SnapshotError unless the stack is the result of its paths from the start."""
        stack, moves, best = arrays["stack"], arrays["moves"], arrays["best"]
        if (
            stack.shape != self.arrays_at_start["stack"].shape
            or moves.shape != stack.shape[:1]
            or best.shape != (1,)
        ):
            raise SnapshotError(f"the snapshot's path is {stack.shape}")
        depth = required_depth(arrays["scalars"], len(stack))
        require_range("threshold", arrays["scalars"][[kernel.THRESHOLD]], 0, len(stack) - 1)
        rebuilt = self.arrays_at_start["stack"].copy()
        is_path = kernel.retrace(*self.arguments, depth, stack, moves, rebuilt)
        if not is_path or not np.array_equal(rebuilt[: depth + 1], stack[: depth + 1]):
            raise SnapshotError("the snapshot's path does not lead to its board")
        self.require_nearest(arrays)

    def require_nearest(self, arrays: Arrays) -> None:
        puzzle, best = self._puzzle, int(arrays["best"][0])
        nearest = unpack_board(puzzle, best)
        puzzle.require(nearest)
        if pack_board(puzzle, nearest) != best:
            raise SnapshotError("the snapshot's nearest board is none of this shape")


class _Sources(NamedTuple):
    """Tables of the estimate, see tilelab.puzzles.sliding.kernels.deepening.deepen."""

    steps: NDArray[np.int8] | None = None
    lines: NDArray[np.uint8] | None = None
    down: NDArray[np.uint16] | None = None
    right: NDArray[np.uint16] | None = None
    tables: NDArray[np.uint8] | None = None
    spots: NDArray[np.uint64] | None = None


def _distance_sources(
    puzzle: SlidingPuzzle, spec: HeuristicSpec, row: NDArray[np.uint64]
) -> _Sources:
    """Return the tables of a heuristic, and fill in its part of the stack's first row."""
    uses_distance, uses_conflicts, uses_walking = STEP_BY_STEP[spec.key]
    (rows, cols), start = puzzle.shape, puzzle.start
    sources = _Sources()
    if uses_distance:
        key = "linear-conflict" if uses_conflicts else "manhattan"
        row[kernel.VALUE] = Evaluation.towards(HEURISTICS[key], puzzle.goal, cols).of(start)
        sources = sources._replace(steps=distance_steps(rows, cols))
    if uses_conflicts:
        sources = sources._replace(lines=conflict_lines(blank_label(puzzle)))
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
    """Return the tables of pattern databases, and fill in their part of the first row."""
    parts, tables = patterns.partition_named(partition), patterns.tables(partition)
    spots = slots.open_spots(parts, puzzle.goal)
    for side, (at, total) in enumerate(
        ((kernel.AT, kernel.SUM), (kernel.MIRROR_AT, kernel.MIRROR_SUM))
    ):
        places = slots.open_places(parts, puzzle.goal, puzzle.start, side)
        row[at], row[total] = places, slots.open_sum(places, spots, tables)
    return _Sources(tables=tables, spots=spots)


class PatternDescent(Descent):
    """A descent on one board, whose moves are made and undone."""

    search = pattern_kernel.deepen_patterns
    rows = ("path", "undone")
    turns = ("path", pattern_kernel.TURN)

    def __init__(self, puzzle: SlidingPuzzle, partition: str, detour: int) -> None:
        super().__init__(puzzle)
        self.partition = partition
        parts, start = partition_named(partition), puzzle.start
        self._machine = tuple(machine(*puzzle.shape, detour))
        slots, whole = members(parts, puzzle.goal), tables(partition)
        self._parts, self._members, self._tables = parts, slots, whole
        now = np.zeros((N_SIDES, len(parts.laid), 3), np.int64)
        now[:, :, :2] = start_patterns(parts, slots, start, puzzle.goal)
        totals = np.zeros(N_SIDES, np.int64)
        estimate = int(pattern_kernel.look_up_all(tuple(slots), whole, now, totals))
        path = np.zeros((N_DEPTHS, pattern_kernel.N_COLUMNS), np.int64)
        path[0, pattern_kernel.STATE] = np.argmin(start)
        self._begin(
            {
                "cells": start.copy(),
                "path": path,
                "now": now,
                "totals": totals,
                "undone": np.zeros((N_DEPTHS, N_SIDES, 3), np.int64),
                "best": start.copy(),
                "scalars": start_scalars(puzzle, estimate, estimate),
            }
        )
        order, n_turns = np.array(SEARCH_ORDER, np.int64), 2 * puzzle.params.cols - 1
        self.arguments = (order, n_turns, self._machine, tuple(slots), whole)

    def has_turns(self, depth: int) -> bool:
        following = self._machine[1][self.arrays["path"][depth, pattern_kernel.STATE]]
        return any(following[move] >= 0 for move in SEARCH_ORDER[self.turn(depth) :])

    def tried(self, depth: int) -> int:
        return SEARCH_ORDER[self.turn(depth) - 1]

    def estimate(self) -> int:
        return int(self.arrays["totals"].max())

    def _moves(self, depth: int) -> str:
        states, following = self.arrays["path"][: depth + 1, pattern_kernel.STATE], self._machine[1]
        return letters_of(
            following[state].tolist().index(after)
            for state, after in itertools.pairwise(states.tolist())
        )

    def require(self, arrays: Arrays) -> None:
        """Raise SnapshotError unless path and patterns are the result of the moves."""
        path, puzzle = required_path(arrays, pattern_kernel.N_COLUMNS), self._puzzle
        shape = (len(arrays["path"]), N_SIDES, 3)
        if arrays["undone"].shape != shape or arrays["now"].shape != self.arrays["now"].shape:
            raise SnapshotError("the snapshot's patterns do not fit this search")
        moves = self._moves_of(path)
        along = boards_along(puzzle.start, puzzle.params.cols, moves)
        now, totals = self._patterns_of(along[0])
        for level in range(1, len(path)):
            tile = along[level - 1, np.argmin(along[level])]
            changed = self._members.pattern[:, tile]
            if not np.array_equal(arrays["undone"][level], now[range(N_SIDES), changed]):
                raise SnapshotError("the snapshot's patterns are not those of its path")
            now, totals = self._patterns_of(along[level])
        fits = np.array_equal(along[-1], arrays["cells"]) and np.array_equal(now, arrays["now"])
        if not fits or not np.array_equal(totals, arrays["totals"]):
            raise SnapshotError("the snapshot's path does not lead to its board")
        self.require_nearest(arrays)

    def _moves_of(self, path: NDArray[np.int64]) -> str:
        """Return the letters of a path; raises SnapshotError unless the automaton allows it."""
        following, states = self._machine[1], path[:, pattern_kernel.STATE]
        require_range("turns", path[:, pattern_kernel.TURN], 0, len(MOVES))
        require_range("turns", path[:-1, pattern_kernel.TURN], 1, len(MOVES))
        tried = np.array(SEARCH_ORDER)[path[:-1, pattern_kernel.TURN] - 1]
        state = int(np.argmin(self._puzzle.start))
        for move, given in zip([*tried.tolist(), -1], states.tolist(), strict=True):
            if state < 0 or given != state:
                raise SnapshotError("the snapshot's path is none that is tried")
            state = int(following[state, move])
        return letters_of(tried)

    def _patterns_of(self, cells: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return ``now`` and ``totals`` of a board."""
        now, totals = np.zeros_like(self.arrays["now"]), np.zeros(N_SIDES, np.int64)
        now[:, :, :2] = start_patterns(self._parts, self._members, cells, self._puzzle.goal)
        pattern_kernel.look_up_all(tuple(self._members), self._tables, now, totals)
        return now, totals
