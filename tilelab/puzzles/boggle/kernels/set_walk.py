"""A walk through a trie with sets of cells: the fast scorer for grids of up to 64 cells.

By Schafer's rule, a string may use a cell again. Only the cells where a prefix can end therefore
matter, and the next set is ``spread(set) & cells_with(letter)``.
"""

import numpy as np

from tilelab.kernels.decorators import kernel, tuple_kernel
from tilelab.puzzles.boggle.kernels.board_sets import Bits, spread


def small_room(n_symbols: int, max_level: int) -> tuple[Bits, Bits]:
    """Return the working arrays of :func:`score_grids`: (letter_cells, reach)."""
    return np.empty(n_symbols, np.uint64), np.empty(max_level + 2, np.uint64)


@tuple_kernel
def score_grids(grids, symbol, depth, skip, value, geometry, room, scores):
    """Add up the values of the strings that each grid encodes (Schafer 1999, step 2).

    grids: uint8 (n, cells), symbol indices; indices beyond the alphabet belong to no string.
    symbol, depth: uint8 (nodes,), skip: int32 (nodes,), the trie in preorder.
    value: float64 (nodes,), value of the string that ends at a node, or a negative number.
    geometry: see :func:`tilelab.puzzles.boggle.kernels.board_sets.small_geometry`.
    room: see :func:`small_room`. scores: float64 (n,), overwritten.
    Values are added in the order of the strings.
    """
    letter_cells, reach = room
    n_symbols, n_nodes = letter_cells.shape[0], symbol.shape[0]
    for grid in range(grids.shape[0]):
        letter_cells[:] = np.uint64(0)
        for cell in range(grids.shape[1]):
            letter = grids[grid, cell]
            if letter < n_symbols:
                letter_cells[letter] |= np.uint64(1) << np.uint64(cell)
        reach[0] = geometry[0]
        total = 0.0
        node = 0
        while node < n_nodes:
            level = depth[node]
            here = reach[level] & letter_cells[symbol[node]]
            if here == np.uint64(0):
                node = skip[node]
                continue
            if value[node] >= 0.0:
                total += value[node]
            if skip[node] > node + 1:
                reach[level + 1] = spread(here, geometry)
            node += 1
        scores[grid] = total


@kernel
def cell_usages(grids, n_symbols, symbol, depth, skip, value, max_level, geometry, usages):
    """Count the uses of each cell of grids for spelling strings (Schafer 1999, step 5).

    For every letter of every encoded string, each cell that can play the letter in at least one
    encoding counts 1.

    grids: uint8 (n, cells), symbol indices. usages: int32 (n, cells), overwritten. The trie is as
    in :func:`score_grids`.
    """
    n_cells = grids.shape[1]
    n_nodes = symbol.shape[0]
    letter_cells = np.empty(n_symbols, np.uint64)
    reach = np.empty(max_level + 1, np.uint64)
    ends = np.empty(max_level + 1, np.uint64)
    # The counters are bit-sliced: bit c of planes[p] is bit p of the count of cell c.
    planes = np.empty(32, np.uint64)
    for grid in range(grids.shape[0]):
        for letter in range(n_symbols):
            letter_cells[letter] = np.uint64(0)
        for plane in range(32):
            planes[plane] = np.uint64(0)
        for cell in range(n_cells):
            letter = grids[grid, cell]
            if letter < n_symbols:
                letter_cells[letter] |= np.uint64(1) << np.uint64(cell)
        reach[0] = geometry[0]
        node = 0
        while node < n_nodes:
            level = np.int64(depth[node])
            here = reach[level] & letter_cells[symbol[node]]
            if here == np.uint64(0):
                node = skip[node]
                continue
            ends[level] = here
            if value[node] >= 0.0:
                useful = here
                for position in range(level, -1, -1):
                    if position < level:
                        useful = ends[position] & spread(useful, geometry)
                    carry = useful
                    plane = 0
                    while carry != np.uint64(0):
                        both = planes[plane] & carry
                        planes[plane] ^= carry
                        carry = both
                        plane += 1
            if skip[node] > node + 1:
                reach[level + 1] = spread(here, geometry)
            node += 1
        for cell in range(n_cells):
            count = 0
            for plane in range(31):
                count |= np.int64((planes[plane] >> np.uint64(cell)) & np.uint64(1)) << plane
            usages[grid, cell] = count
