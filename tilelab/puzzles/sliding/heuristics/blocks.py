"""Tables of blocks of four cells: the moves that four tiles need beyond their distance.

A table is an additive pattern database of the four tiles whose goals are a block of cells, a 2×2
square or a 1×4 line (Culberson & Schaeffer 1998; Felner, Korf & Hanan 2004), less their distance.
It has the minimum over all places of the blank, so that it is the same for each goal board and for
reflected blocks. A board with a side of more than :data:`SIDE` has the tables of a board of this
side. A tile that is far from a block is then counted at the edge, which shortens paths as much as
larger tables do, but those do not fit into the processor's cache.
"""

import functools
import itertools
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.puzzles.sliding.board import Goal, goal_board
from tilelab.puzzles.sliding.heuristics.pattern_build import TableBuild, binomials
from tilelab.puzzles.sliding.kernels.pattern_tables import excess_of_placings
from tilelab.slides import beam_run
from tilelab.slides.beam_run import BeamRun, Blocks

SIDE = 5  # maximum side of the tables' board; the table of a block then has 25 ** 4 entries
_SIZES = ((2, 2), (1, 4), (4, 1))  # rows and columns of the blocks


def excess_table(rows: int, cols: int, homes: tuple[int, ...]) -> NDArray[np.uint8]:
    """Compute the moves beyond the distance of tiles with these goal cells.

    Returns uint8 (cells ** n,); the first tile has the highest digit of an index.
    """
    build, n_cells, n_tiles = TableBuild(rows, cols, homes), rows * cols, len(homes)
    for _ in build.slices():
        pass
    excess = np.empty(n_cells**n_tiles, np.uint8)
    arguments = (cols, np.array(homes), binomials(n_cells, n_tiles))
    excess_of_placings(0, len(excess), *arguments, build.table.array.ravel(), excess)
    return excess


@functools.cache
def blocks_of(rows: int, cols: int) -> Blocks:
    """Return all blocks of a shape with their tables, which are computed once, within a second.

    The shape has at least three rows and columns. With a side below five it has only squares: a
    line that divides the board has another table than the lines that are symmetric to it.
    """
    here, there = min(rows, SIDE), min(cols, SIDE)
    placed = _placed(rows, cols, _SIZES if min(rows, cols) >= SIDE else _SIZES[:1])
    images = sorted({image for image, *_ in placed})
    n_entries = (here * there) ** 4
    first = n_entries * np.array([images.index(image) for image, *_ in placed])
    cells = np.array([cells for *_, cells in placed])
    digits = cells[:, None] * ((here * there) ** np.arange(3, -1, -1))[:, None]
    digits[:, 0] += first[:, None]
    tables = np.concatenate([excess_table(here, there, image) for image in images])
    goals = np.array([goals for _, goals, _ in placed])
    return Blocks.of(tables, goals.astype(np.int32), digits.astype(np.int32))


@functools.cache
def compile_kernels() -> None:
    """Compile the kernels of the tables, and of a beam with blocks, on a small board."""
    goal = goal_board(3, 3, Goal.BLANK_LAST)
    run = BeamRun(goal[::-1].copy(), goal, 3, 9, blocks=blocks_of(3, 3))
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
