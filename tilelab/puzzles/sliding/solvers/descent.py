"""What the searches have in common that keep nothing but their path: one goes down, and on."""

import copy
from abc import ABC, abstractmethod
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.snapshot_ranges import require_range
from tilelab.core.solver import Arrays, array_of
from tilelab.core.views import MAX_NODES
from tilelab.puzzles.sliding.kernels import deepening as kernel
from tilelab.puzzles.sliding.kernels.deepening_any import DEEPER
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle

N_DEPTHS = 256
"""No fifteen puzzle has a path of so many moves; where longer ones may be found, more are made."""


THRESHOLD, EXPANDED, GENERATED = 0, 1, 2
"""Columns of ``iterations``."""


class Descent(ABC):
    """One method of going down: its arrays, and the kernel that works on them."""

    arrays: Arrays
    """``scalars``, ``best`` and what else the kernel changes."""
    iterations: NDArray[np.int64]
    """(n, 3), each one's threshold, and how many boards had been expanded and generated before it;
    the newest ones, the present one last. -1 where a run that was stored did not say."""
    by_depth: ClassVar[tuple[str, ...]] = ()
    """Those that have a row for each depth, and are made longer for a longer path."""
    rows: ClassVar[tuple[str, ...]] = ()
    """Those that have a row for each depth, whether they are made longer or not."""
    turns: ClassVar[tuple[str, int]]
    """The array and column of it that say for each depth which move is tried next."""
    is_in_order = True
    """Whether one thread generates all boards, so that the same ones can be generated again."""
    scale = 1
    """How many units of the estimate make a move."""
    thresholds_end = kernel.FAR
    """Thresholds are below it; 0: no iteration follows the first."""

    def __init__(self, puzzle: SlidingPuzzle) -> None:
        self._puzzle = puzzle

    def _begin(self, arrays: Arrays) -> None:
        """Set the arrays at the start."""
        self.arrays = arrays
        self._at_start = {name: part.copy() for name, part in arrays.items()}
        self.iterations = np.array([[arrays["scalars"][kernel.THRESHOLD], 0, 0]])

    def go(self, budget: int) -> int:
        """Generate some boards; returns the kernel's code."""
        scalars = self.arrays["scalars"]
        end = int(scalars[kernel.GENERATED]) + budget
        while True:
            code = self._deepen(end - int(scalars[kernel.GENERATED]))
            if code == kernel.EXHAUSTED and self.begin_iteration():
                continue
            if code != DEEPER:
                return code
            for name in self.by_depth:
                part = self.arrays[name]
                self.arrays[name] = np.concatenate([part, np.zeros_like(part)])

    def begin_iteration(self) -> bool:
        """Begin at the start again, with the least f that was cut off as the threshold.

        Returns False where none was, or none so large may follow.
        """
        scalars, (name, column) = self.arrays["scalars"], self.turns
        threshold = int(scalars[kernel.NEXT_THRESHOLD])
        if threshold >= self.thresholds_end:
            return False
        self.arrays[name][0, column] = self._at_start[name][0, column]
        row = [threshold, scalars[kernel.EXPANDED], scalars[kernel.GENERATED]]
        self.iterations = np.vstack([self.iterations[1 - MAX_NODES :], row])
        scalars[kernel.THRESHOLD], scalars[kernel.NEXT_THRESHOLD] = threshold, kernel.FAR
        scalars[kernel.ITERATION] += 1
        scalars[kernel.EXPANDED] += 1
        return True

    def scratch(self) -> Self:
        """Return a descent of its own that is at the start of the present iteration.

        It shares all tables; its counts begin at 0.
        """
        other = copy.copy(self)
        other.arrays = {name: part.copy() for name, part in self._at_start.items()}
        threshold = self.arrays["scalars"][kernel.THRESHOLD]
        other.arrays["scalars"][kernel.THRESHOLD] = threshold
        return other

    def rooted(self, depth: int) -> Self:
        """Return a descent of its own that begins at a board of the path and stands where this one
        does; if that is this very board, it is what ``scratch`` begins at.

        What follows counts moves, and its threshold, from there.
        """
        other = copy.copy(self)
        other.arrays = self.rooted_arrays(depth)
        other._at_start = {name: part.copy() for name, part in other.arrays.items()}
        return other

    def rooted_arrays(self, depth: int) -> Arrays:
        """Return the arrays of such a descent."""
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

    @property
    def arrays_at_start(self) -> Arrays:
        """What the arrays were where this descent begins; not copies."""
        return self._at_start

    def with_arrays(self, arrays: Arrays, at_start: Arrays) -> Self:
        """Return another descent of the same search, which shares all tables.

        No iteration follows its first.
        """
        other = copy.copy(self)
        other.arrays, other._at_start, other.thresholds_end = arrays, at_start, 0
        return other

    @property
    def depth(self) -> int:
        """How many moves lead to the board at hand."""
        return int(self.arrays["scalars"][kernel.DEPTH])

    def turn(self, depth: int) -> int:
        """Return which move is tried next at a depth of the path; its numbers only rise."""
        name, column = self.turns
        return int(self.arrays[name][depth, column])

    def set_turn(self, depth: int, turn: int) -> None:
        """Have another move be the next."""
        name, column = self.turns
        self.arrays[name][depth, column] = turn

    @abstractmethod
    def has_turns(self, depth: int) -> bool:
        """Return whether a move is left to be tried at a depth of the path."""

    @abstractmethod
    def tried(self, depth: int) -> int:
        """Return the move that was tried last at a depth of the path."""

    @abstractmethod
    def estimate(self) -> int:
        """Return the estimate of the board at hand."""

    @abstractmethod
    def _deepen(self, budget: int) -> int:
        """Call the kernel; returns its code, EXHAUSTED at the end of an iteration, DEEPER when the
        path is too short."""

    def nearest(self) -> NDArray[np.uint8]:
        """Return the board with the least estimate."""
        return self.arrays["best"]

    def path(self) -> str:
        """Return the moves to the board at hand."""
        return self._moves(int(self.arrays["scalars"][kernel.DEPTH]))

    @abstractmethod
    def _moves(self, depth: int) -> str:
        """Return so many moves of the path."""

    def require_nearest(self, arrays: Arrays) -> None:
        """Raise SnapshotError unless the nearest board is one of the puzzle."""
        self._puzzle.require(arrays["best"])

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
    descent.iterations = _required_iterations(arrays, given["scalars"])


def _required_iterations(arrays: Arrays, scalars: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the iterations of a snapshot.

    It has none in the first iteration, nor if an older program has taken it.
    """
    threshold = scalars[kernel.THRESHOLD]
    if "iterations" not in arrays:
        known = 0 if scalars[kernel.ITERATION] == 0 else -1
        return np.array([[threshold, known, known]])
    rows = array_of(arrays, "iterations", np.int64, None, 3)
    counts = scalars[[kernel.EXPANDED, kernel.GENERATED]]
    fits = 0 < len(rows) <= MAX_NODES and rows[-1, THRESHOLD] == threshold
    if not fits or (rows < 0).any() or (np.diff(rows, axis=0) < 0).any():
        raise SnapshotError("the snapshot's iterations do not follow one another")
    if (rows[-1, 1:] > counts).any():
        raise SnapshotError("the snapshot's iterations have more boards than the search")
    return rows.copy()
