"""What each pattern of a pattern database says of a board, for who wants to see the sum."""

import math
from typing import NamedTuple

import numpy as np

from tilelab.core.puzzle import Cells
from tilelab.puzzles.sliding.heuristics.pattern_build import binomials
from tilelab.puzzles.sliding.heuristics.pattern_database import (
    cell_numbers,
    partition_named,
    tables,
)
from tilelab.puzzles.sliding.heuristics.pattern_slots import N_SIDES
from tilelab.puzzles.sliding.kernels.pattern_tables import pattern_index


class PatternGroup(NamedTuple):
    """The tiles of a pattern, and the fewest moves of these tiles to their goals."""

    tiles: tuple[int, ...]
    moves: int


class PatternSums(NamedTuple):
    """The groups of a partition on a board, and on its reflection."""

    straight: tuple[PatternGroup, ...]
    reflected: tuple[PatternGroup, ...]

    @property
    def larger(self) -> tuple[PatternGroup, ...]:
        """Those of the larger sum, which counts; the board's own where both are alike."""
        return max(self, key=lambda groups: sum(group.moves for group in groups))


def pattern_sums(name: str, cells: Cells, goal: Cells) -> PatternSums:
    """Look a board up in the tables of a partition that fits it.

    cells, goal: uint8 (n,). Raises NotMadeError when the tables are not made.
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
