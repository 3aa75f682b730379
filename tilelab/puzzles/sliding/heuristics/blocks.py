"""Tables of 2×2 blocks: the moves that four tiles need beyond their distance.

A table is an additive pattern database of the four tiles whose goals are a block of cells
(Culberson & Schaeffer 1998; Felner, Korf & Hanan 2004), less their distance. It has the minimum
over all places of the blank, so that it is the same for each goal board and for reflected blocks.
A board with a side of more than :data:`SIDE` has the tables of a board of this side. A tile that is
far from a block is then counted at the edge.
"""

import functools
import math

import numpy as np
from numpy.typing import NDArray

from tilelab.puzzles.sliding.heuristics.pattern_build import TableBuild, binomials
from tilelab.puzzles.sliding.kernels.pattern_tables import excess_of_placings
from tilelab.slides.beam_run import Blocks

SIDE = 7  # maximum side of the tables' board; the table of a block then has 49 ** 4 entries
_BLOCK = ((0, 0), (0, 1), (1, 0), (1, 1))


def excess_table(rows: int, cols: int, homes: tuple[int, ...]) -> NDArray[np.uint8]:
    """Return the moves beyond the distance of tiles with these goal cells, uint8 (cells ** n,)."""
    build = TableBuild(rows, cols, homes)
    for _ in build.slices():
        pass
    excess = np.empty(math.prod([rows * cols] * len(homes)), np.uint8)
    binomial = binomials(rows * cols, len(homes))
    excess_of_placings(cols, np.array(homes), binomial, build.table.array.ravel(), excess)
    return excess


@functools.cache
def blocks_of(rows: int, cols: int) -> Blocks:
    """Return the tables of all blocks of a board with at least three rows and columns."""
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
            order = np.argsort(cells[corners])
            goals.append(corners[order])
            turned.append(cells)
            images.append(image)
    distinct = sorted(set(images))
    tables = np.concatenate([excess_table(here, there, image) for image in distinct])
    first = [distinct.index(image) * (here * there) ** 4 for image in images]
    of_cell = np.full((rows * cols, 4), -1, np.int64)
    for cell in range(rows * cols):
        some = np.flatnonzero((np.array(goals) == cell).any(axis=1))
        of_cell[cell, : len(some)] = some
    return Blocks(tables, np.array(first), np.array(goals), np.array(turned), of_cell, here * there)


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
