"""Positions of a board's tiles in pattern databases."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.core.puzzle import Cells
from tilelab.puzzles.sliding.heuristics.pattern_build import binomials, turned_orders
from tilelab.puzzles.sliding.heuristics.pattern_database import (
    Partition,
    cell_numbers,
    partition_named,
    tables,
)
from tilelab.puzzles.sliding.kernels.deepening_patterns import HIGH_CELLS, LOW_CELLS
from tilelab.puzzles.sliding.kernels.pattern_tables import pattern_index

N_SIDES = 2  # number of sides: the board, and its reflection at the main diagonal


def open_spots(parts: Partition, goal: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Return the ``spots`` of tilelab.puzzles.sliding.kernels.deepening.deepen, by goal cell."""
    spots = np.zeros((parts.side**2, 4), np.uint64)
    home_of = cell_numbers(parts, goal)[0, 0].tolist()
    shift = offset = 0
    for homes in parts.tables:
        n_bits = 4 * len(homes)
        for index, home in enumerate(homes):
            spot = (shift + 4 * index, shift, (1 << n_bits) - 1, offset)
            spots[home_of.index(home)] = spot
        shift, offset = shift + n_bits, offset + (1 << n_bits)
    return spots


def open_places(
    parts: Partition, goal: NDArray[np.uint8], cells: NDArray[np.uint8], side: int
) -> int:
    """Return the cells of the tiles of a board or of its reflection, four bits per tile."""
    spots, numbers = open_spots(parts, goal), cell_numbers(parts, goal)[:, 0]
    reflected = np.arange(parts.side**2).reshape(parts.side, parts.side)
    labels = (reflected.T if side else reflected).ravel()
    homes = labels[np.argsort(goal)]
    return sum(
        int(numbers[side, cell]) << int(spots[homes[tile], 0])
        for cell, tile in enumerate(cells.tolist())
        if tile
    )


def open_sum(places: int, spots: NDArray[np.uint64], tables: NDArray[np.uint8]) -> int:
    patterns = {tuple(spot[1:].tolist()) for spot in spots if spot[2]}
    return sum(int(tables[base + (places >> shift & mask)]) for shift, mask, base in patterns)


class Members(NamedTuple):
    """Tables for updating the patterns of a board and of its reflection during a search."""

    pattern: NDArray[np.int64]  # (2, tiles + 1), pattern of each tile
    number: NDArray[np.int64]  # (2, patterns, cells), number of each cell in the table
    base: NDArray[np.int64]  # (patterns,), index of the table's beginning
    n_orders: NDArray[np.int64]  # (patterns,), number of orders of the tiles
    n_sets: NDArray[np.int64]  # (patterns,), number of sets of cells for the tiles
    turns: NDArray[np.uint16]
    """(any,), order after each turn, see tilelab.puzzles.sliding.kernels.pattern_tables."""
    turns_base: NDArray[np.int64]
    """(patterns,), index of the beginning of the turns for the pattern's size."""
    low: NDArray[np.int32]  # (2 ** 13,), part of a set's number from the cells 0..12
    high: NDArray[np.int32]
    """(most tiles + 1, 2 ** 12), part from the other cells, by number of tiles in cells 0..12."""


def members(parts: Partition, goal: NDArray[np.uint8]) -> Members:
    """Return the members of a partition's patterns for a goal."""
    laid, number, places = parts.laid, cell_numbers(parts, goal), np.argsort(goal)
    pattern = np.zeros((N_SIDES, parts.side**2), np.int64)
    for side in range(N_SIDES):
        for tile in range(1, parts.side**2):
            for index, (table, _) in enumerate(laid):
                if int(number[side, index, places[tile]]) in parts.tables[table]:
                    pattern[side, tile] = index
    sizes = [len(homes) for homes in parts.tables]
    turns = [turned_orders(size, parts.side).ravel() for size in sizes]
    starts = np.cumsum([0, *parts.sizes])
    turn_starts = np.cumsum([0, *(len(part) for part in turns)])
    return Members(
        pattern,
        number,
        np.array([starts[table] for table, _ in laid], np.int64),
        np.array([math.factorial(sizes[table]) for table, _ in laid], np.int64),
        np.array([math.comb(parts.side**2, sizes[table]) for table, _ in laid], np.int64),
        np.concatenate(turns),
        np.array([turn_starts[table] for table, _ in laid], np.int64),
        *_set_numbers(max(sizes)),
    )


def _set_numbers(n_tiles: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return ``low`` and ``high``.

    The number of a set is the sum over its cells, ascending, of binomials: the number of sets of
    that many lower cells.
    """
    low = np.zeros(1 << LOW_CELLS, np.int32)
    high = np.zeros((n_tiles + 1, 1 << HIGH_CELLS), np.int32)
    cells = np.arange(1 << LOW_CELLS)
    n_taken = np.zeros(1 << LOW_CELLS, np.int64)
    for cell in range(LOW_CELLS):
        has = cells >> cell & 1
        n_taken += has
        low += has * np.array([math.comb(cell, size) for size in range(LOW_CELLS + 1)])[n_taken]
    cells = np.arange(1 << HIGH_CELLS)
    for n_low in range(n_tiles + 1):
        n_taken = np.full(1 << HIGH_CELLS, n_low)
        for cell in range(HIGH_CELLS):
            has = cells >> cell & 1
            n_taken += has
            sets = [math.comb(LOW_CELLS + cell, size) for size in range(n_tiles + HIGH_CELLS + 1)]
            high[n_low] += has * np.array(sets)[n_taken]
    return low, high


def start_patterns(
    parts: Partition, members: Members, cells: NDArray[np.uint8], goal: NDArray[np.uint8]
) -> NDArray[np.int64]:
    """Return cells, as bits, and order of each pattern's tiles; int64 (2, patterns, 2)."""
    found = np.zeros((N_SIDES, len(parts.laid), 2), np.int64)
    places, homes = np.argsort(cells), np.argsort(goal)
    for side in range(N_SIDES):
        for index, (table, _) in enumerate(parts.laid):
            number = members.number[side, index]
            tile_at = {int(number[homes[tile]]): tile for tile in range(len(cells))}
            here = np.array([number[places[tile_at[home]]] for home in parts.tables[table]])
            binomial = binomials(parts.side**2, len(here))
            n_sets = int(members.n_sets[index])
            place = int(pattern_index(here, n_sets, binomial))
            found[side, index] = np.bitwise_or.reduce(1 << here), place // n_sets
    return found


class PatternGroup(NamedTuple):
    """The tiles of a pattern, and the smallest number of their moves to their goals."""

    tiles: tuple[int, ...]
    moves: int


class PatternSums(NamedTuple):
    """The groups of a partition on a board, and on its reflection."""

    straight: tuple[PatternGroup, ...]
    reflected: tuple[PatternGroup, ...]

    @property
    def larger(self) -> tuple[PatternGroup, ...]:
        """Groups of the larger sum, which counts; those of the board itself if both are equal."""
        return max(self, key=lambda groups: sum(group.moves for group in groups))


def pattern_sums(name: str, cells: Cells, goal: Cells) -> PatternSums:
    """Look a board up in the tables of a partition that fits it.

    cells, goal: uint8 (n,). Raises NotMadeError if the tables are not built.
    """
    parts, whole = partition_named(name), tables(name)
    places, homes = np.argsort(cells), np.argsort(goal)
    sizes = [16 ** len(tiles) for tiles in parts.tables] if parts.is_opened else parts.sizes
    starts = np.cumsum([0, *sizes]).tolist()
    sides = []
    for numbers in cell_numbers(parts, goal)[:N_SIDES]:
        groups = []
        for number, (table, _) in zip(numbers, parts.laid, strict=True):
            tile_at = {int(number[home]): tile for tile, home in enumerate(homes)}
            tiles = [tile_at[home] for home in parts.tables[table]]
            here = number[places[tiles]]
            if parts.is_opened:
                place = sum(int(cell) << (4 * index) for index, cell in enumerate(here))
            else:
                n_cells, n_tiles = parts.side**2, len(here)
                n_sets = math.comb(n_cells, n_tiles)
                place = int(pattern_index(here, n_sets, binomials(n_cells, n_tiles)))
            groups.append(PatternGroup(tuple(sorted(tiles)), int(whole[starts[table] + place])))
        sides.append(tuple(groups))
    return PatternSums(*sides)
