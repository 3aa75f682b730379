"""Make one table of a pattern database, in short slices."""

import functools
import math
import mmap
import sys
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import TileLabError
from tilelab.core.memory import free_megabytes
from tilelab.core.text.language import figures
from tilelab.puzzles.sliding.kernels import pattern_tables as kernel
from tilelab.puzzles.sliding.kernels.pattern_tables import turn_orders

_WORK = 4_000_000  # number of placings times moves in a slice of some 10 ms
_N_BYTES = 1 << 22  # number of bytes filled in a slice
_N_SETS = 4096  # number of sets written in a slice
_N_NODES = 10_000  # number of nodes examined in a slice
_PIECE = 1 << 25


def n_entries(n_cells: int, n_tiles: int) -> int:
    """Return the number of placings of some tiles; each is a byte of the table."""
    return math.perm(n_cells, n_tiles)


def binomials(n_cells: int, n_tiles: int) -> NDArray[np.int64]:
    """Return int64 (cells, tiles + 1), see tilelab.puzzles.sliding.kernels.pattern_tables."""
    rows = [[math.comb(cell, size) for size in range(n_tiles + 1)] for cell in range(n_cells)]
    return np.array(rows, np.int64)


@functools.cache
def turned_orders(n_tiles: int, cols: int) -> NDArray[np.uint16]:
    """Return uint16 (tiles * (2 * cols - 1), orders), see kernels.pattern_tables."""
    turns = np.zeros((n_tiles * (2 * cols - 1), math.factorial(n_tiles)), np.uint16)
    for _ in _fill_turns(turns, n_tiles, cols):
        pass
    return turns


def _fill_turns(turns: NDArray[np.uint16], n_tiles: int, cols: int) -> Iterator[None]:
    n_turns = 2 * cols - 1
    for slot in range(n_tiles):
        for turn in range(n_turns):
            slot_after = slot + turn - (cols - 1)
            if 0 <= slot_after < n_tiles:
                turn_orders(slot, slot_after, n_tiles, turns[slot * n_turns + turn])
                yield


class RoomyArray:
    """A large uint8 array of zeros whose memory can be freed piece by piece.

    Freeing a gigabyte at once can block the program for a second.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._room = mmap.mmap(-1, int(np.prod(shape)))
        if sys.platform == "linux":
            self._room.madvise(mmap.MADV_HUGEPAGE)
        self.array: NDArray[np.uint8] = np.frombuffer(self._room, np.uint8).reshape(shape)

    def release(self) -> Iterator[None]:
        """Free the memory, which discards the content of the array."""
        if sys.platform == "linux":
            for first in range(0, len(self._room), _PIECE):
                n_bytes = min(_PIECE, len(self._room) - first)
                self._room.madvise(mmap.MADV_DONTNEED, first, n_bytes)
                yield


class TableBuild:
    """The build of one pattern's table; an incomplete table is discarded."""

    def __init__(self, rows: int, cols: int, homes: tuple[int, ...]) -> None:
        self._rows, self._cols, self._homes = rows, cols, np.array(homes, np.int64)
        n_cells, n_tiles = rows * cols, len(homes)
        self._n_tiles, self._n_orders = n_tiles, math.factorial(n_tiles)
        self._n_sets = math.comb(n_cells, n_tiles)
        self._binomial = binomials(n_cells, n_tiles)
        self._n_nodes = 0
        self.table = RoomyArray((self._n_orders, self._n_sets))
        """Table, uint8 (orders, sets), valid after the build."""

    def slices(self) -> Iterator[float]:
        """Make the table, and yield the progress, 0..1, every 50 ms or sooner.

        Raises TileLabError if the memory is too small.
        """
        for _ in self._find_nodes():
            yield 0.0
        width = -(-self._n_orders // 8) * 8
        self._require_memory(self._n_nodes * width + self._n_sets * self._n_orders)
        for _ in self._link_nodes():
            yield 0.0
        room = RoomyArray((self._n_nodes, width))
        distance = room.array
        n_rows = max(1, _N_BYTES // width)
        for first in range(0, self._n_nodes, n_rows):
            distance[first : first + n_rows] = kernel.UNKNOWN
            yield 0.0
        yield from self._search(distance)
        n_sets = max(1, min(_N_SETS, _N_BYTES // self._n_orders))
        for first in range(0, self._n_sets, n_sets):
            last = min(first + n_sets, self._n_sets)
            kernel.least_of_nodes(first, last, self._nodes[2], distance, self.table.array)
            yield 1.0
        for _ in room.release():
            yield 1.0

    def _require_memory(self, n_bytes: int) -> None:
        if (megabytes := n_bytes >> 20) > free_megabytes():
            raise TileLabError.tr(
                "making the table of {n_tiles} tiles takes {megabytes} MB of memory; "
                "{free_megabytes} MB are free",
                n_tiles=self._n_tiles,
                megabytes=figures(megabytes, ","),
                free_megabytes=figures(free_megabytes(), ","),
            )

    def _find_nodes(self) -> Iterator[None]:
        n_sets, most = self._n_sets, self._n_sets * (self._rows * self._cols - self._n_tiles)
        node_cells, node_region = np.empty(most, np.int64), np.empty(most, np.int64)
        first_node = np.empty(n_sets + 1, np.int64)
        arrays = (node_cells, node_region, first_node)
        shape, cells = (self._rows, self._cols), (1 << self._n_tiles) - 1
        for first in range(0, n_sets, _N_NODES):
            last = min(first + _N_NODES, n_sets)
            cells, self._n_nodes = kernel.find_nodes(
                first, last, cells, self._n_nodes, *shape, *arrays
            )
            yield
        n_nodes = self._n_nodes
        self._nodes = (node_cells[:n_nodes].copy(), node_region[:n_nodes].copy(), first_node)

    def _link_nodes(self) -> Iterator[None]:
        most = self._n_nodes * 4 * self._n_tiles
        self._edges = (
            np.zeros(self._n_nodes + 1, np.int64),
            np.empty(most, np.int32),
            np.empty(most, np.int16),
        )
        for first in range(0, self._n_nodes, _N_NODES):
            last = min(first + _N_NODES, self._n_nodes)
            kernel.link_nodes(
                first, last, self._rows, self._cols, self._nodes, self._binomial, *self._edges
            )
            yield
        self._turns = np.zeros((self._n_tiles * (2 * self._cols - 1), self._n_orders), np.uint16)
        yield from _fill_turns(self._turns, self._n_tiles, self._cols)

    def _search(self, distance: NDArray[np.uint8]) -> Iterator[float]:
        """Search all placings from the goal, with the blank last, depth by depth."""
        goal = int(kernel.pattern_index(self._homes, self._n_sets, self._binomial))
        node, order = int(self._nodes[2][goal % self._n_sets]), goal // self._n_sets
        blank = self._rows * self._cols - 1
        while not int(self._nodes[1][node]) >> blank & 1:
            node += 1
        distance[node, order] = 0
        is_now, is_next = np.zeros(self._n_nodes, np.uint8), np.zeros(self._n_nodes, np.uint8)
        is_now[node] = 1
        orders, scalars = np.empty(distance.shape[1], np.uint16), np.zeros(2, np.int64)
        words, n_all = distance.view(np.uint64), self._n_nodes * self._n_orders
        level = 0
        while True:
            arrays = (distance, words, is_now, is_next, orders, scalars)
            if kernel.spread_level(level, _WORK, self._edges, self._turns, *arrays):
                level, is_now, is_next = level + 1, is_next, is_now
                scalars[kernel.NODE] = 0
                if not is_now.any():
                    return
            yield float(scalars[kernel.N_FOUND]) / n_all
