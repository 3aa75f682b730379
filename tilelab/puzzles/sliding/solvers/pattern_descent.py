"""The descent with pattern databases too large to be opened: 7-8 on 4×4, 6-6-6-6 on 5×5."""

import itertools

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.snapshot_ranges import require_range
from tilelab.core.solver import Arrays
from tilelab.puzzles.sliding.detours import machine
from tilelab.puzzles.sliding.heuristics.pattern_database import partition_named, tables
from tilelab.puzzles.sliding.heuristics.pattern_slots import N_SIDES, members, start_patterns
from tilelab.puzzles.sliding.kernels import deepening_patterns as patterns
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.solvers.descent import N_DEPTHS, Descent, required_path, start_scalars
from tilelab.slides.moves import MOVES, SEARCH_ORDER, boards_along, letters_of


class PatternDescent(Descent):
    """One board that is changed and changed back."""

    by_depth = rows = ("path", "undone")
    turns = ("path", patterns.TURN)

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
        estimate = int(patterns.look_up_all(tuple(slots), whole, now, totals))
        path = np.zeros((N_DEPTHS, patterns.N_COLUMNS), np.int64)
        path[0, patterns.STATE] = np.argmin(start)
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
        self._arguments = (order, n_turns, self._machine, tuple(slots), whole)

    def _deepen(self, budget: int) -> int:
        parts = self.arrays
        return int(
            patterns.deepen_patterns(
                budget,
                *self._arguments,
                parts["cells"],
                parts["path"],
                parts["now"],
                parts["totals"],
                parts["undone"],
                parts["best"],
                parts["scalars"],
            )
        )

    def has_turns(self, depth: int) -> bool:
        following = self._machine[1][self.arrays["path"][depth, patterns.STATE]]
        return any(following[move] >= 0 for move in SEARCH_ORDER[self.turn(depth) :])

    def tried(self, depth: int) -> int:
        return SEARCH_ORDER[self.turn(depth) - 1]

    def estimate(self) -> int:
        return int(self.arrays["totals"].max())

    def _moves(self, depth: int) -> str:
        states, following = self.arrays["path"][: depth + 1, patterns.STATE], self._machine[1]
        return letters_of(
            following[state].tolist().index(after)
            for state, after in itertools.pairwise(states.tolist())
        )

    def require(self, arrays: Arrays) -> None:
        """Raise SnapshotError unless path and patterns are what the moves make of the start."""
        path, puzzle = required_path(arrays, patterns.N_COLUMNS), self._puzzle
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
        """Return the letters of a path; raises SnapshotError unless the machine allows it."""
        following, states = self._machine[1], path[:, patterns.STATE]
        require_range("turns", path[:, patterns.TURN], 0, len(MOVES))
        require_range("turns", path[:-1, patterns.TURN], 1, len(MOVES))
        tried = np.array(SEARCH_ORDER)[path[:-1, patterns.TURN] - 1]
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
        patterns.look_up_all(tuple(self._members), self._tables, now, totals)
        return now, totals
