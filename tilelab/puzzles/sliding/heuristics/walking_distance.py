"""The number of slides along rows and columns if tiles of one goal line are equal."""

import functools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import TileLabError
from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.core.text.language import figures, marked
from tilelab.puzzles.sliding.kernels import estimates
from tilelab.puzzles.sliding.kernels.estimates import pattern_key
from tilelab.puzzles.sliding.kernels.walking_distance import (
    FIELD_BITS,
    MAX_LINES,
    find_pattern,
    walk_patterns,
)

Lines = tuple[tuple[int, ...], ...]
"""Goal lines of the tiles in each line along an axis, and -1 for the blank, sorted."""


def oracle(board: Sequence[int], goal: Sequence[int], cols: int) -> int:
    """Find the smallest number of slides along each axis by breadth-first search."""
    return sum(
        _slides_from(_lines_of(goal, goal, cols, axis))[_lines_of(board, goal, cols, axis)]
        for axis in range(2)
    )


def _lines_of(board: Sequence[int], goal: Sequence[int], cols: int, axis: int) -> Lines:
    """Return a board's lines along an axis: 0 rows, 1 columns."""
    lines: list[list[int]] = [[] for _ in range(cols if axis else len(goal) // cols)]
    for cell, tile in enumerate(board):
        here, home = ((at % cols if axis else at // cols) for at in (cell, goal.index(tile)))
        lines[here].append(home if tile else -1)
    return tuple(tuple(sorted(line)) for line in lines)


@functools.lru_cache(8)
def _slides_from(goal: Lines) -> dict[Lines, int]:
    """Return the smallest number of slides along an axis from a goal to each arrangement."""
    distances, waiting = {goal: 0}, [goal]
    for lines in waiting:
        blank = next(index for index, line in enumerate(lines) if -1 in line)
        for other in (blank - 1, blank + 1):
            for group in set(lines[other]) if 0 <= other < len(lines) else ():
                after = [list(line) for line in lines]
                after[other].remove(group)
                after[other].append(-1)
                after[blank].remove(-1)
                after[blank].append(group)
                key = tuple(tuple(sorted(line)) for line in after)
                if key not in distances:
                    distances[key] = distances[lines] + 1
                    waiting.append(key)
    return distances


SPEC = register_heuristic(
    HeuristicSpec(
        key="walking-distance",
        title=marked("Walking distance"),
        source="Takahashi 2002; Hasan et al. 2023",
        kernel=estimates.walking_distance,
        oracle=oracle,
        admissible=True,
        consistent=True,
        needs_walking_table=True,
    )
)
CAPACITY = 100_000  # maximum number of patterns; a board of 4×4 has 24,964
_SLOTS = 2**18


class WalkingTable(NamedTuple):
    """The patterns of one axis; ``indices`` maps a slot of ``keys`` to a pattern."""

    keys: NDArray[np.uint64]  # (2 ** k,), hash table of patterns
    indices: NDArray[np.int32]  # (2 ** k,), index of the pattern in each slot
    distance: NDArray[np.uint8]  # (patterns,), number of slides to the goal
    steps: NDArray[np.int32]  # (patterns, 2, lines), pattern after each slide, or -1

    @property
    def look_up(self) -> tuple[NDArray[np.uint64], NDArray[np.int32], NDArray[np.uint8]]:
        """Arrays for kernels that compute the distance of a board from scratch."""
        return self.keys, self.indices, self.distance


EMPTY = WalkingTable(
    np.zeros(1, np.uint64),
    np.zeros(1, np.int32),
    np.zeros(1, np.uint8),
    np.zeros((1, 2, 1), np.int32),
)


def has_table(rows: int, cols: int) -> bool:
    """Return whether a board of this shape is small enough for the tables of both axes."""
    return _fits(rows, cols) and _fits(cols, rows)


def _fits(n_lines: int, length: int) -> bool:
    return bool(n_lines <= MAX_LINES and length < 2**FIELD_BITS)


@functools.cache
def walking_table(n_lines: int, length: int, blank_line: int) -> WalkingTable:
    """Make the table of an axis; raises TileLabError for a board that is too large.

    n_lines: lines across the axis. length: cells in a line. blank_line: the blank's goal line.
    """
    if not _fits(n_lines, length):
        raise TileLabError.tr(
            "the walking distance's table does not fit for {n_lines} lines of {length} cells; "
            "up to {max_lines} lines of {max_length} are allowed",
            n_lines=n_lines,
            length=length,
            max_lines=MAX_LINES,
            max_length=2**FIELD_BITS - 1,
        )
    goal = (blank_line + 1) << (FIELD_BITS * n_lines * n_lines)
    for line in range(n_lines):
        goal += (length - (line == blank_line)) << (FIELD_BITS * (line * n_lines + line))
    keys, indices = np.zeros(_SLOTS, np.uint64), np.zeros(_SLOTS, np.int32)
    pattern_keys, distance = np.zeros(CAPACITY, np.uint64), np.zeros(CAPACITY, np.uint8)
    steps = np.full((CAPACITY, 2, n_lines), -1, np.int32)
    n_patterns = walk_patterns(
        np.uint64(goal), n_lines, CAPACITY, keys, indices, pattern_keys, distance, steps
    )
    if n_patterns < 0:
        raise TileLabError.tr(
            "the walking distance has more than {capacity} patterns here",
            capacity=figures(CAPACITY, ","),
        )
    return WalkingTable(keys, indices, distance[:n_patterns].copy(), steps[:n_patterns].copy())


def walking_start(
    table: WalkingTable, cells: NDArray[np.uint8], places: NDArray[np.int64], cols: int, axis: int
) -> tuple[int, int]:
    """Return the index and distance of a board's pattern along an axis, 0 rows, 1 columns."""
    key = pattern_key(cells, places, cols, axis)
    number = int(table.indices[find_pattern(table.keys, key)])
    return number, int(table.distance[number])


def walking_steps(table: WalkingTable) -> NDArray[np.uint16]:
    """Return the patterns that follow, uint16 (patterns * 8,): see slide_deepening.deepen."""
    n_patterns, _, n_lines = table.steps.shape
    farther = table.distance[table.steps] > table.distance[:, None, None]
    wide = np.zeros((n_patterns, 2, MAX_LINES), np.uint16)
    wide[:, :, :n_lines] = np.where(table.steps < 0, 0, 2 * table.steps + farther)
    return wide.ravel()
