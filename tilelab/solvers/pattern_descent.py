"""The descent with pattern databases too large to be opened: 7-8 on 4×4, 6-6-6-6 on 5×5."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilelab.heuristics.pattern_database import partition_named, tables
from tilelab.heuristics.pattern_slots import N_SIDES, members, start_patterns
from tilelab.kernels import slide_deepening as kernel
from tilelab.kernels import slide_deepening_patterns as patterns
from tilelab.puzzles.sliding import MOVES, SlidingPuzzle
from tilelab.puzzles.sliding_detours import SEARCH_ORDER, machine
from tilelab.solvers.deepening import N_DEPTHS, start_scalars


class PatternDescent:
    """One board that is changed and changed back."""

    scale = 1

    def __init__(self, puzzle: SlidingPuzzle, partition: str, detour: int) -> None:
        self.partition = partition
        parts, start = partition_named(partition), puzzle.start
        self._machine = tuple(machine(*puzzle.shape, detour))
        slots, whole = members(parts, puzzle.goal), tables(partition)
        now = np.zeros((N_SIDES, len(parts.laid), 3), np.int64)
        now[:, :, :2] = start_patterns(parts, slots, start, puzzle.goal)
        totals = np.zeros(N_SIDES, np.int64)
        estimate = int(patterns.look_up_all(tuple(slots), whole, now, totals))
        path = np.zeros((N_DEPTHS, patterns.N_COLUMNS), np.int64)
        path[0, patterns.STATE] = np.argmin(start)
        self.arrays: dict[str, NDArray[Any]] = {
            "cells": start.copy(),
            "path": path,
            "now": now,
            "totals": totals,
            "undone": np.zeros((N_DEPTHS, N_SIDES, 3), np.int64),
            "best": start.copy(),
            "scalars": start_scalars(estimate, estimate),
        }
        order, n_turns = np.array(SEARCH_ORDER, np.int64), 2 * puzzle.params.cols - 1
        self._arguments = (order, n_turns, self._machine, tuple(slots), whole)

    def go(self, budget: int) -> int:
        """Generate some boards; returns the kernel's code."""
        parts = self.arrays
        end = int(parts["scalars"][kernel.GENERATED]) + budget
        while True:
            left = end - int(parts["scalars"][kernel.GENERATED])
            code = int(
                patterns.deepen_patterns(
                    left,
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
            if code != patterns.DEEPER:
                return code
            for name in ("path", "undone"):
                parts[name] = np.concatenate([parts[name], np.zeros_like(parts[name])])

    def nearest(self) -> NDArray[np.uint8]:
        """Return the board with the least estimate."""
        return self.arrays["best"]

    def way(self) -> str:
        """Return the moves to the board at hand."""
        depth = int(self.arrays["scalars"][kernel.DEPTH])
        states, following = self.arrays["path"][: depth + 1, patterns.STATE], self._machine[1]
        moves = (
            following[state].tolist().index(after)
            for state, after in zip(states[:-1].tolist(), states[1:].tolist(), strict=True)
        )
        return "".join(MOVES[move] for move in moves)
