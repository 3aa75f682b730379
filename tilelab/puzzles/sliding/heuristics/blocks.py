"""Tables of 2×2 blocks: the moves that four tiles need beyond their distance.

A table is an additive pattern database of the four tiles whose goals are a block of cells
(Culberson & Schaeffer 1998; Felner, Korf & Hanan 2004), less their distance. It has the minimum
over all places of the blank, so that it is the same for each goal board and for reflected blocks.
A board with a side of more than :data:`SIDE` has the tables of a board of this side. A tile that is
far from a block is then counted at the edge.
"""

import functools
import itertools
import sys
import threading
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tilelab.puzzles.sliding.board import Goal, goal_board
from tilelab.puzzles.sliding.heuristics.pattern_build import TableBuild, binomials
from tilelab.puzzles.sliding.kernels.pattern_tables import excess_of_placings
from tilelab.slides import beam_run
from tilelab.slides.beam_run import BeamRun, Blocks

SIDE = 7  # maximum side of the tables' board; the table of a block then has 49 ** 4 entries
_BLOCK = ((0, 0), (0, 1), (1, 0), (1, 1))
_N_BUILD_SLICES = 5  # number of slices of a TableBuild in one slice of at most some 70 ms
_N_ENTRIES = 1_000_000  # number of entries of a table computed in a slice


def excess_slices(
    rows: int, cols: int, homes: tuple[int, ...], excess: NDArray[np.uint8]
) -> Iterator[bool]:
    """Compute the moves beyond the distance of tiles with these goal cells, slice by slice.

    excess: uint8 (cells ** n,), filled. Yields after each slice whether it was the last one.
    """
    build = TableBuild(rows, cols, homes)
    for _ in itertools.islice(build.slices(), None, None, _N_BUILD_SLICES):
        yield False
    arguments = (cols, np.array(homes), binomials(rows * cols, len(homes)))
    for first in range(0, len(excess), _N_ENTRIES):
        last = min(first + _N_ENTRIES, len(excess))
        excess_of_placings(first, last, *arguments, build.table.array.ravel(), excess)
        yield last == len(excess)


class BlockBuild:
    """The tables of all blocks of a shape, built in short slices and shared by all runs.

    The shape has at least three rows and columns.
    """

    def __init__(self, rows: int, cols: int) -> None:
        here, there = min(rows, SIDE), min(cols, SIDE)
        goals, turned, images = [], [], []
        for row in range(rows - 1):
            for col in range(cols - 1):
                corners = np.array([(row + down) * cols + col + right for down, right in _BLOCK])
                on_table = _clamped(row, rows, here)[:, None] * there + _clamped(col, cols, there)
                image, cells = min(
                    (
                        (tuple(sorted(cells[corners].tolist())), cells)
                        for cells in (turn[on_table.ravel()] for turn in _symmetries(here, there))
                    ),
                    key=lambda turn: turn[0],
                )
                goals.append(corners[np.argsort(cells[corners])])
                turned.append(cells)
                images.append(image)
        of_cell = np.full((rows * cols, 4), -1, np.int64)
        for cell in range(rows * cols):
            some = np.flatnonzero((np.array(goals) == cell).any(axis=1))
            of_cell[cell, : len(some)] = some
        self._shape, self._images = (here, there), sorted(set(images))
        n_entries = (here * there) ** 4
        first = np.array([self._images.index(image) * n_entries for image in images])
        arrays = (first, np.array(goals), np.array(turned), of_cell)
        self._arrays, self._n_entries = arrays, n_entries
        self._lock = threading.Lock()
        self._begin()

    @property
    def n_tables(self) -> int:
        """Number of tables; symmetric blocks share one."""
        return len(self._images)

    @property
    def n_bytes(self) -> int:
        """Memory of the tables in bytes."""
        return self.n_tables * self._n_entries

    def ready_after(self, n_slices: int) -> int:
        """Do the slices up to this number that are not done; returns how many tables they complete.

        The number depends on ``n_slices`` only.
        """
        with self._lock:
            try:
                while len(self._ready) <= n_slices and self._ready[-1] < self.n_tables:
                    self._ready.append(next(self._slices))
            except BaseException:
                self._begin()
                raise
            return self._ready[min(n_slices, len(self._ready) - 1)]

    @functools.cached_property
    def blocks(self) -> Blocks:
        """The blocks with all tables; builds those that are missing."""
        self.ready_after(sys.maxsize)
        here, there = self._shape
        return Blocks(self._tables, *self._arrays, here * there)

    def _begin(self) -> None:
        self._tables = np.empty(self.n_bytes, np.uint8)
        self._ready = [0]  # number of complete tables, by number of slices
        self._slices = self._build()

    def _build(self) -> Iterator[int]:
        for number, image in enumerate(self._images):
            table = self._tables[number * self._n_entries :][: self._n_entries]
            for is_last in excess_slices(*self._shape, image, table):
                yield number + is_last


@functools.cache
def block_build(rows: int, cols: int) -> BlockBuild:
    """Return the tables of a shape; the same for all runs."""
    return BlockBuild(rows, cols)


@functools.cache
def compile_kernels() -> None:
    """Compile the kernels of the tables, and of a beam with blocks, on a small board."""
    goal = goal_board(3, 3, Goal.BLANK_LAST)
    run = BeamRun(goal[::-1].copy(), goal, 3, 9, blocks=block_build(3, 3).blocks)
    while run.step(100) == beam_run.RUNNING:
        pass


def _clamped(first: int, length: int, here: int) -> NDArray[np.int64]:
    """Return the table's line of each line, for a block that begins at line ``first``."""
    middle = (here - 2) // 2
    start = first if first <= middle else max(middle, first - (length - here))
    return np.clip(np.arange(length) - first + start, 0, here - 1)


def _symmetries(rows: int, cols: int) -> list[NDArray[np.int64]]:
    """List the symmetries of a shape: number of each cell on the turned or reflected board."""
    board = np.arange(rows * cols).reshape(rows, cols)
    boards = [board, board[::-1], board[:, ::-1], board[::-1, ::-1]]
    if rows == cols:
        boards += [one.T for one in boards]
    return [np.argsort(one.ravel()) for one in boards]
