"""Base of the depth-first searches, which keep only their current path."""

import copy
from abc import ABC, abstractmethod
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.snapshot_ranges import require_range
from tilelab.core.solver import Arrays, array_of
from tilelab.core.views import MAX_NODES
from tilelab.kernels.decorators import Kernel
from tilelab.puzzles.sliding.kernels import deepening as kernel
from tilelab.puzzles.sliding.kernels.deepening_any import DEEPER
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle

N_DEPTHS = 256
"""Number of depths at first, more than any fifteen puzzle needs; longer paths get more."""


THRESHOLD, EXPANDED, GENERATED = 0, 1, 2  # columns of iterations


class Descent(ABC):
    """A method of depth-first search: its arrays, and its kernel."""

    search: ClassVar[Kernel[int]]
    """Kernel; it returns EXHAUSTED at the end of an iteration, DEEPER if arrays are too short."""
    arguments: tuple[object, ...]  # of the kernel, after the budget
    arrays: Arrays
    """Scalars, best and all other arrays that the kernel changes: its last arguments, in order."""
    iterations: NDArray[np.int64]
    """(n, 3), threshold of each iteration, and numbers of boards expanded and generated before it.
    The current one is last."""
    rows: ClassVar[tuple[str, ...]]
    """Names of arrays that have a row for each depth, and grow with the path if it is long."""
    turns: ClassVar[tuple[str, int]]
    """Array and column with the next move to be tried at each depth."""
    is_in_order = True
    """Whether one thread generates all boards, so that the same ones can be generated again."""
    scale = 1  # number of units of the estimate in one move
    thresholds_end = kernel.FAR
    """Exclusive upper bound of thresholds; 0: no iteration follows the first."""

    def __init__(self, puzzle: SlidingPuzzle) -> None:
        self._puzzle = puzzle

    def _begin(self, arrays: Arrays) -> None:
        """Set the arrays at the start."""
        self.arrays = arrays
        self.arrays_at_start = {name: part.copy() for name, part in arrays.items()}
        self.iterations = np.array([[arrays["scalars"][kernel.THRESHOLD], 0, 0]])

    def go(self, budget: int) -> int:
        """Generate some boards; returns the kernel's code."""
        scalars = self.arrays["scalars"]
        end = int(scalars[kernel.GENERATED]) + budget
        while True:
            n_left = end - int(scalars[kernel.GENERATED])
            code = int(self.search(n_left, *self.arguments, *self.arrays.values()))
            if code == kernel.EXHAUSTED and self.begin_iteration():
                continue
            if code != DEEPER:
                return code
            for name in self.rows:
                part = self.arrays[name]
                self.arrays[name] = np.concatenate([part, np.zeros_like(part)])

    def begin_iteration(self) -> bool:
        """Restart from the beginning, with the smallest f that was cut off as the threshold.

        Returns False if no board was cut off, or the threshold would be too large.
        """
        scalars, (name, column) = self.arrays["scalars"], self.turns
        threshold = int(scalars[kernel.NEXT_THRESHOLD])
        if threshold >= self.thresholds_end:
            return False
        self.arrays[name][0, column] = self.arrays_at_start[name][0, column]
        row = [threshold, scalars[kernel.EXPANDED], scalars[kernel.GENERATED]]
        self.iterations = np.vstack([self.iterations[1 - MAX_NODES :], row])
        scalars[kernel.THRESHOLD], scalars[kernel.NEXT_THRESHOLD] = threshold, kernel.FAR
        scalars[kernel.ITERATION] += 1
        scalars[kernel.EXPANDED] += 1
        return True

    def scratch(self) -> Self:
        """Return another descent at the beginning of the current iteration.

        It shares all tables; its counts begin at 0.
        """
        other = copy.copy(self)
        other.arrays = {name: part.copy() for name, part in self.arrays_at_start.items()}
        threshold = self.arrays["scalars"][kernel.THRESHOLD]
        other.arrays["scalars"][kernel.THRESHOLD] = threshold
        return other

    def rooted(self, depth: int) -> Self:
        """Return another descent that begins at a board of the path and has the same current board.

        If both are the same board, it is what ``scratch`` begins at. Its moves and its threshold
        are counted from its own beginning.
        """
        other = copy.copy(self)
        other.arrays = self.rooted_arrays(depth)
        other.arrays_at_start = {name: part.copy() for name, part in other.arrays.items()}
        return other

    def rooted_arrays(self, depth: int) -> Arrays:
        """Return the arrays of a :meth:`rooted` descent."""
        arrays = {}
        for name, part in self.arrays.items():
            if name in self.rows:
                arrays[name] = np.zeros_like(part)
                arrays[name][: len(part) - depth] = part[depth:]
            else:
                arrays[name] = part.copy()
        arrays["scalars"][kernel.DEPTH] -= depth
        arrays["scalars"][kernel.THRESHOLD] -= self.scale * depth
        return arrays

    def with_arrays(self, arrays: Arrays, at_start: Arrays) -> Self:
        """Return another descent of the same search, which shares all tables.

        No iteration follows its first.
        """
        other = copy.copy(self)
        other.arrays, other.arrays_at_start, other.thresholds_end = arrays, at_start, 0
        return other

    def n_expanded(self, *, is_running: bool) -> int:
        """Return the number of boards expanded at the moment.

        The kernel also counts the current board, of which no move may have been tried yet: on a
        path straight down, more boards would be expanded than generated.
        """
        is_untried = is_running and self.is_in_order and not self.has_tried(self.depth)
        return int(self.arrays["scalars"][kernel.EXPANDED]) - is_untried

    @property
    def depth(self) -> int:
        """Number of moves to the current board."""
        return int(self.arrays["scalars"][kernel.DEPTH])

    def turn(self, depth: int) -> int:
        """Return the number of the move to be tried next at a depth; numbers only rise."""
        name, column = self.turns
        return int(self.arrays[name][depth, column])

    def set_turn(self, depth: int, turn: int) -> None:
        name, column = self.turns
        self.arrays[name][depth, column] = turn

    def has_tried(self, depth: int) -> bool:
        """Return whether a move has been tried at a depth of the path."""
        return self.turn(depth) > 0

    @abstractmethod
    def has_turns(self, depth: int) -> bool:
        """Return whether there are untried moves at a depth of the path."""

    @abstractmethod
    def tried(self, depth: int) -> int:
        """Return the move that was tried last at a depth of the path."""

    @abstractmethod
    def estimate(self) -> int:
        """Return the estimate of the current board."""

    def nearest(self) -> NDArray[np.uint8]:
        """Return the board with the smallest estimate."""
        return self.arrays["best"]

    def path(self) -> str:
        """Return the moves to the current board."""
        return self._moves(int(self.arrays["scalars"][kernel.DEPTH]))

    @abstractmethod
    def _moves(self, depth: int) -> str:
        """Return the first ``depth`` moves of the path."""

    def require_nearest(self, arrays: Arrays) -> None:
        """Raise SnapshotError unless the nearest board is one of the puzzle."""
        self._puzzle.require(arrays["best"])

    @abstractmethod
    def require(self, arrays: Arrays) -> None:
        """Raise SnapshotError unless the arrays are those of this descent after the path's moves.

        A kernel trusts that boards, estimates and places are the result of the moves.
        """


def start_scalars(puzzle: SlidingPuzzle, estimate: int, threshold: int) -> NDArray[np.int64]:
    """Return the kernels' scalars at the start, which is expanded unless it is the goal."""
    scalars = np.zeros(kernel.N_SCALARS, np.int64)
    is_solved = np.array_equal(puzzle.start, puzzle.goal)
    scalars[kernel.THRESHOLD], scalars[kernel.NEXT_THRESHOLD] = threshold, kernel.FAR
    scalars[kernel.BEST], scalars[kernel.EXPANDED] = estimate, not is_solved
    return scalars


def required_depth(scalars: NDArray[np.int64], n_depths: int) -> int:
    """Return the depth in a snapshot; raises SnapshotError for impossible counts."""
    if scalars.shape != (kernel.N_SCALARS,):
        raise SnapshotError("the snapshot's counts do not fit this search")
    require_range("counts", scalars, 0, 2**62)
    require_range("depth", scalars[[kernel.DEPTH]], 0, n_depths - 1)
    thresholds = scalars[[kernel.THRESHOLD, kernel.NEXT_THRESHOLD]]
    require_range("thresholds", thresholds, 0, kernel.FAR)
    return int(scalars[kernel.DEPTH])


def required_path(arrays: Arrays, n_columns: int) -> NDArray[np.int64]:
    """Return the rows of a snapshot's path; raises SnapshotError for a wrong shape."""
    path: NDArray[np.int64] = arrays["path"]
    if len(path) < N_DEPTHS or path.shape[1:] != (n_columns,):
        raise SnapshotError(f"the snapshot's path is {path.shape}")
    return path[: required_depth(arrays["scalars"], len(path)) + 1]


def restore_descent(descent: Descent, arrays: Arrays) -> None:
    """Set the arrays of a descent from a snapshot; raises SnapshotError if they do not fit."""
    given = {}
    for name, part in descent.arrays.items():
        found = arrays.get(name)
        if found is None or found.dtype != part.dtype or found.ndim != part.ndim:
            raise SnapshotError(f"the snapshot's {name} do not fit this search")
        given[name] = found.copy()
    descent.require(given)
    descent.arrays.update(given)
    descent.iterations = _required_iterations(arrays, given["scalars"])


def _required_iterations(arrays: Arrays, scalars: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the iterations of a snapshot; the first one, and a proof, which shows none, has none.

    Raises SnapshotError.
    """
    threshold = scalars[kernel.THRESHOLD]
    if "iterations" not in arrays:
        return np.array([[threshold, 0, 0]])
    rows = array_of(arrays, "iterations", np.int64, None, 3)
    counts = scalars[[kernel.EXPANDED, kernel.GENERATED]]
    fits = 0 < len(rows) <= MAX_NODES and rows[-1, THRESHOLD] == threshold
    if not fits or (rows < 0).any() or (np.diff(rows, axis=0) < 0).any():
        raise SnapshotError("the snapshot's iterations do not follow one another")
    if (rows[-1, 1:] > counts).any():
        raise SnapshotError("the snapshot's iterations have more boards than the search")
    return rows.copy()
