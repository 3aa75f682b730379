"""Tables of blocks of four cells: the moves that four tiles need beyond their distance.

A table is an additive pattern database of the four tiles whose goals are a block of cells, a 2×2
square or a 1×4 line (Culberson & Schaeffer 1998; Felner, Korf & Hanan 2004), less their distance.
It has the minimum over all places of the blank, so that it is the same for each goal board and for
reflected blocks. A board with a side of more than :data:`SIDE` has the tables of a board of this
side. A tile that is far from a block is then counted at the edge.
"""

import functools
import itertools
import sys
import threading
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.puzzles.sliding.board import Goal, goal_board
from tilelab.puzzles.sliding.heuristics.pattern_build import TableBuild, binomials
from tilelab.puzzles.sliding.kernels.pattern_tables import excess_of_placings
from tilelab.slides import beam_run
from tilelab.slides.beam_run import BeamRun, Blocks

SIDE = 7  # maximum side of the tables' board; the table of a block then has 49 ** 4 entries
_SQUARES, _LINES = ((2, 2),), ((1, 4), (4, 1))  # rows and columns of the blocks
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

    The shape has at least three rows and columns; for lines at least five, so that none divides the
    board. The tables of squares are the first ones.
    """

    def __init__(self, rows: int, cols: int) -> None:
        self._shape = here, there = min(rows, SIDE), min(cols, SIDE)
        self._n_entries = (here * there) ** 4
        squares, lines = (_placed(rows, cols, sizes) for sizes in (_SQUARES, _LINES))
        self._n_square_blocks = len(squares)
        self._images = sorted({image for image, *_ in squares})
        self.n_squares = len(self._images)
        """Number of tables of squares; symmetric blocks share one."""
        self._images += sorted({image for image, *_ in lines})
        places = self._n_entries * np.array([self._images.index(i) for i, *_ in squares + lines])
        self._goals = np.array([goals for _, goals, _ in squares + lines], np.int32)
        cells = np.array([cells for *_, cells in squares + lines])
        powers = (here * there) ** np.arange(3, -1, -1)
        self._digits = (cells[:, None] * powers[:, None]).astype(np.int32)
        self._digits[:, 0] += places[:, None].astype(np.int32)
        self._lock = threading.Lock()
        self._begin()

    @property
    def n_tables(self) -> int:
        """Number of all tables."""
        return len(self._images)

    def bytes_of(self, n_tables: int) -> int:
        """Return the memory of the first tables in bytes."""
        return n_tables * self._n_entries

    def ready_after(self, n_slices: int) -> int:
        """Do the slices up to this number that are not done; returns how many tables they complete.

        The number depends on ``n_slices`` only.
        """
        self._build_until(n_slices, self.n_tables)
        return self._ready[min(n_slices, len(self._ready) - 1)]

    def blocks(self, n_tables: int) -> Blocks:
        """Return the squares, or all blocks; builds the tables that are missing.

        n_tables: ``n_squares`` or ``n_tables``.
        """
        self._build_until(sys.maxsize, n_tables)
        n_blocks = self._n_square_blocks if n_tables == self.n_squares else len(self._goals)
        return Blocks.of(self._tables, self._goals[:n_blocks], self._digits[:n_blocks])

    def _begin(self) -> None:
        self._tables = np.empty(self.bytes_of(self.n_tables), np.uint8)
        self._ready = [0]  # number of complete tables, by number of slices
        self._slices = self._build()

    def _build_until(self, n_slices: int, n_tables: int) -> None:
        """Do the slices up to this number, or until this number of tables is complete."""
        with self._lock:
            try:
                while len(self._ready) <= n_slices and self._ready[-1] < n_tables:
                    self._ready.append(next(self._slices))
            except BaseException:
                self._begin()
                raise

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
    goal, build = goal_board(3, 3, Goal.BLANK_LAST), block_build(3, 3)
    run = BeamRun(goal[::-1].copy(), goal, 3, 9, blocks=build.blocks(build.n_squares))
    while run.step(100) == beam_run.RUNNING:
        pass


class _Placed(NamedTuple):
    """A block, and how its table is that of another block."""

    image: tuple[int, ...]  # cells of this other block on the table's board
    goals: NDArray[np.int64]  # (4,), goal cells of the block in the order of the image
    cells: NDArray[np.int64]  # (cells,), cell of the table's board for each cell of the board


def _placed(rows: int, cols: int, sizes: Iterable[tuple[int, int]]) -> list[_Placed]:
    """List the blocks of some sizes, each with the first of the blocks that are symmetric to it."""
    here, there = min(rows, SIDE), min(cols, SIDE)
    board = np.arange(rows * cols).reshape(rows, cols)
    found = []
    for height, breadth in sizes:
        for row, col in itertools.product(range(rows - height + 1), range(cols - breadth + 1)):
            goals = board[row : row + height, col : col + breadth].ravel()
            lines, columns = _clamped(row, height, rows, here), _clamped(col, breadth, cols, there)
            on_table = (lines[:, None] * there + columns).ravel()
            turned = [turn[on_table] for turn in _symmetries(here, there)]
            cells = min(turned, key=lambda cells: sorted(cells[goals].tolist()))
            order = np.argsort(cells[goals])
            found.append(_Placed(tuple(cells[goals][order].tolist()), goals[order], cells))
    return found


def _clamped(first: int, size: int, length: int, here: int) -> NDArray[np.int64]:
    """Return the table's line of each line, for a block of ``size`` lines from ``first`` on."""
    middle = (here - size) // 2
    start = first if first <= middle else max(middle, first - (length - here))
    return np.clip(np.arange(length) - first + start, 0, here - 1)


def _symmetries(rows: int, cols: int) -> list[NDArray[np.int64]]:
    """List the symmetries of a shape: number of each cell on the turned or reflected board."""
    board = np.arange(rows * cols).reshape(rows, cols)
    boards = [board, board[::-1], board[:, ::-1], board[::-1, ::-1]]
    if rows == cols:
        boards += [one.T for one in boards]
    return [np.argsort(one.ravel()) for one in boards]
