"""A walk through a trie with sets of several words, for boards up to 16 × 16 and slower rules.

A prefix has two sets: ``exact``, where it can end with all letters right, and ``slipped``, where it
can end with one letter wrong. If a string may use each cell only once, a search in these sets looks
for a path without repeated cells, and decides. Otherwise ``paths`` is None, and numba does not
compile the search: it drops branches for an argument that is None.

Sets are copied word by word. Copying whole slices takes a second longer to compile, because numba
also compiles its message about slices of different lengths.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tilelab.kernels.decorators import part, tuple_kernel
from tilelab.puzzles.boggle.kernels.board_sets import (
    Bits,
    fold_layers,
    spread_lanes,
    spread_lanes_back,
    straight_lines,
)

LaneRoom: TypeAlias = tuple[Bits, Bits, Bits, Bits, Bits, Bits, bool | None, NDArray[np.uint8]]
"""(letter_cells, reach, ends, useful, played, scratch, straight, letters): working arrays, and
:func:`tilelab.puzzles.boggle.kernels.board_sets.straight_lines`."""
LanePaths: TypeAlias = tuple[Bits, Bits]
"""Working arrays of the search for a path without repeated cells: (candidates, path)."""


def lane_room(
    n_symbols: int, max_level: int, geometry: Bits, *, once: bool
) -> tuple[LaneRoom, LanePaths | None]:
    """Return the working arrays ``room`` and ``paths`` of :func:`inspect_grid`."""
    n_words, n_levels = int(geometry[0]), max_level + 1
    letter_cells = np.empty((n_symbols, n_words), np.uint64)
    reach, ends, useful, candidates = np.zeros((4, 2, n_levels + 1, n_words), np.uint64)
    played, path = np.empty((2, n_levels, n_words), np.uint64)
    scratch, straight = np.empty((4, n_words), np.uint64), straight_lines(geometry)
    letters = np.empty(n_levels, np.uint8)
    room = (letter_cells, reach, ends, useful, played, scratch, straight, letters)
    return room, (candidates, path) if once else None


@part
def _letter_lanes(grid, geometry, straight, letter_cells):
    """Compute ``letter_cells``, uint64 (symbols, words), from a grid, uint8 (cells,)."""
    cols = np.int64(geometry[2])
    letter_cells[:] = np.uint64(0)
    for cell in range(grid.shape[0]):
        if grid[cell] < letter_cells.shape[0]:
            row, col = cell // cols, cell % cols
            bit = np.uint64(1) << np.uint64(16 * (row % 4) + col)
            letter_cells[grid[cell], row // 4] |= bit
    if straight is not None:
        _copy_layers(letter_cells, np.int64(geometry[7]))


@part
def _copy_layers(letter_cells, n_layers):
    """Copy the first layer into all others."""
    n_lanes = letter_cells.shape[1] // n_layers
    for symbol in range(letter_cells.shape[0]):
        for word in range(n_lanes, n_lanes * n_layers):
            letter_cells[symbol, word] = letter_cells[symbol, word % n_lanes]


@part
def _step(level, letter, slips, reach, ends, letter_cells):
    """Write the two sets of a node into ends[:, level]; returns whether either has a cell."""
    alive = np.uint64(0)
    for word in range(letter_cells.shape[1]):
        cells = letter_cells[letter, word]
        exact = reach[0, level, word] & cells
        slipped = np.uint64(0)
        if slips:
            slipped = (reach[1, level, word] & cells) | (reach[0, level, word] & ~cells)
        ends[0, level, word] = exact
        ends[1, level, word] = slipped
        alive |= exact | slipped
    return alive != np.uint64(0)


@part
def _trace_back(level, letters, slips, ends, useful, letter_cells, geometry, scratch, straight):
    """Reduce ends[:, 0..level] to cells on a path of the whole string, in ``useful``."""
    n_words = letter_cells.shape[1]
    target, near = scratch[0], scratch[1]
    for word in range(n_words):
        useful[0, level, word] = ends[0, level, word]
        useful[1, level, word] = ends[1, level, word]
    for position in range(level - 1, -1, -1):
        letter = letters[position + 1]
        # The wrong letter is after the next letter, or the next letter, or before it.
        for slipped in range(2 if slips else 1):
            for word in range(n_words):
                cells = letter_cells[letter, word]
                target[word] = useful[slipped, position + 1, word]
                if slipped:
                    target[word] &= cells
                else:
                    target[word] |= useful[1, position + 1, word] & ~cells
            spread_lanes_back(target, geometry, straight, near)
            for word in range(n_words):
                useful[slipped, position, word] = ends[slipped, position, word] & near[word]
        if not slips:
            for word in range(n_words):
                useful[1, position, word] = np.uint64(0)


@part
def _offer(position, slipped, near, letters, useful, letter_cells, visited, candidates):
    """Write the cells to be tried at a position into candidates[:, position]."""
    letter = letters[position]
    for word in range(visited.shape[0]):
        free = near[word] & ~visited[word]
        cells = letter_cells[letter, word]
        if slipped:
            candidates[0, position, word] = np.uint64(0)
            candidates[1, position, word] = free & useful[1, position, word] & cells
        else:
            candidates[0, position, word] = free & useful[0, position, word]
            candidates[1, position, word] = free & useful[1, position, word] & ~cells


@part
def _take_candidate(position, candidates, path):
    """Move a cell from candidates[:, position] to path[position]; exact cells come first.

    Returns 0 for an exact cell, 1 for a cell at or after the wrong letter, and -1 if no cell is
    left.
    """
    for kind in range(2):
        for word in range(path.shape[1]):
            left = candidates[kind, position, word]
            if left != np.uint64(0):
                rest = left & (left - np.uint64(1))
                candidates[kind, position, word] = rest
                path[position, :] = np.uint64(0)
                path[position, word] = left ^ rest
                return kind
    return -1


@part
def find_simple_path(
    level, letters, useful, forced_position, letter_cells, geometry, scratch, straight, paths
):
    """Search depth first for a path of level + 1 different cells in the sets ``useful``.

    At ``forced_position``, unless it is -1, only cells of the set scratch[3] may be used.
    paths: (candidates uint64 (2, positions, words), path uint64 (positions, words)). If a path is
    found, ``path`` has a cell for each position. Returns whether one is found.
    """
    candidates, path = paths
    near, visited, forced = scratch[1], scratch[2], scratch[3]
    n_words = visited.shape[0]
    for word in range(n_words):
        visited[word], near[word] = np.uint64(0), geometry[8 + word]
    position, slipped = 0, False
    while True:
        _offer(position, slipped, near, letters, useful, letter_cells, visited, candidates)
        if position == forced_position:
            for word in range(n_words):
                candidates[0, position, word] &= forced[word]
                candidates[1, position, word] &= forced[word]
        kind = _take_candidate(position, candidates, path)
        while kind < 0:
            position -= 1
            if position < 0:
                return False
            for word in range(n_words):
                visited[word] &= ~path[position, word]
            kind = _take_candidate(position, candidates, path)
        if position == level:
            return True
        for word in range(n_words):
            visited[word] |= path[position, word]
        spread_lanes(path[position], geometry, straight, near)
        position += 1
        slipped = kind == 1


@part
def _find_simple_places(
    level, letters, useful, letter_cells, geometry, scratch, straight, paths, played
):
    """Write the cells that paths without repeated cells use at each position into ``played``."""
    n_words, path = letter_cells.shape[1], paths[1]
    forced = scratch[3]
    for position in range(level + 1):
        played[position, :] = np.uint64(0)
    for position in range(level + 1):
        for word in range(n_words):
            left = useful[0, position, word] | useful[1, position, word]
            while left != np.uint64(0):
                rest = left & (left - np.uint64(1))
                cell = left ^ rest
                left = rest
                if played[position, word] & cell:
                    continue
                forced[:] = np.uint64(0)
                forced[word] = cell
                if find_simple_path(
                    level, letters, useful, position, letter_cells, geometry, scratch, straight,
                    paths,
                ):  # fmt: skip
                    for other in range(level + 1):
                        for lane in range(n_words):
                            played[other, lane] |= path[other, lane]


@part
def _count(level, played, rows, cols, usage):
    """Add 1 to the usage of each cell, for each position that it is used at."""
    for position in range(level + 1):
        for row in range(rows):
            lane = (played[position, row // 4] >> np.uint64(16 * (row % 4))) & np.uint64(0xFFFF)
            if lane != np.uint64(0):
                for col in range(cols):
                    usage[row * cols + col] += np.int32((lane >> np.uint64(col)) & np.uint64(1))


@part
def _has_simple_path(level, letters, useful, letter_cells, geometry, scratch, straight, paths):
    """Return whether a string has a path without repeated cells; True if it needs none."""
    if paths is None:
        return True
    return find_simple_path(
        level, letters, useful, -1, letter_cells, geometry, scratch, straight, paths
    )


@part
def _find_places(level, letters, useful, letter_cells, geometry, scratch, straight, paths, played):
    """Write the cells that can play each letter of an encoded string into played[0..level].

    If there are several layers, the result is in the first one.
    """
    if paths is not None:
        _find_simple_places(
            level, letters, useful, letter_cells, geometry, scratch, straight, paths, played
        )
        return
    for position in range(level + 1):
        for word in range(played.shape[1]):
            played[position, word] = useful[0, position, word] | useful[1, position, word]
        fold_layers(played[position], geometry, straight)


@tuple_kernel
def inspect_grid(
    grid, symbol, depth, skip, string, value, geometry, slips, room, paths, found, usage, covers
):
    """Find every encoded string of a grid and its cells, for any rules.

    grid: uint8 (cells,). symbol, depth: uint8 (nodes,), skip, string: int32 (nodes,), the trie in
    preorder; string is -1 if no string ends at a node. value: float64 (strings,).
    geometry: see :func:`tilelab.puzzles.boggle.kernels.board_sets.lane_geometry`. slips: bool.
    room, paths: see :func:`lane_room`; paths is None if a string may use a cell again.
    found: bool (strings,), overwritten. usage: int32 (cells,), overwritten, or (0,) for no count.
    covers: uint64 (strings, words of a layer), cells that each found string can use, overwritten,
    or (0, 0) for none.
    Returns the sum of the values found, added in the order of the strings.
    """
    letter_cells, reach, ends, useful, played, scratch, straight, letters = room
    n_words, rows, cols = np.int64(geometry[0]), np.int64(geometry[1]), np.int64(geometry[2])
    want_places = usage.shape[0] > 0 or covers.shape[0] > 0
    _letter_lanes(grid, geometry, straight, letter_cells)
    for word in range(n_words):
        reach[0, 0, word], reach[1, 0, word] = geometry[8 + word], np.uint64(0)
    for index in range(found.shape[0]):
        found[index] = False
        for word in range(covers.shape[1]):
            covers[index, word] = np.uint64(0)
    for cell in range(usage.shape[0]):
        usage[cell] = 0
    total = 0.0
    node = 0
    while node < symbol.shape[0]:
        level, index = np.int64(depth[node]), string[node]
        letters[level] = symbol[node]
        alive = _step(level, symbol[node], slips, reach, ends, letter_cells)
        if alive and index >= 0 and (paths is not None or want_places):
            _trace_back(
                level, letters, slips, ends, useful, letter_cells, geometry, scratch, straight
            )
            # If a string has no such path, longer strings that begin with it have none either.
            alive = _has_simple_path(
                level, letters, useful, letter_cells, geometry, scratch, straight, paths
            )
        if not alive:
            node = skip[node]
            continue
        if index >= 0:
            found[index] = True
            total += value[index]
        if index >= 0 and want_places:
            _find_places(
                level, letters, useful, letter_cells, geometry, scratch, straight, paths, played
            )
            if usage.shape[0] > 0:
                _count(level, played, rows, cols, usage)
            if covers.shape[0] > 0:
                for position in range(level + 1):
                    for word in range(covers.shape[1]):
                        covers[index, word] |= played[position, word]
        if skip[node] > node + 1:
            for slipped in range(2 if slips else 1):
                spread_lanes(ends[slipped, level], geometry, straight, reach[slipped, level + 1])
        node += 1
    return total


@tuple_kernel
def score_grids_lanes(
    grids, symbol, depth, skip, string, value, geometry, slips, room, paths, found, usage, covers,
    scores,
):  # fmt: skip
    """Score several grids with :func:`inspect_grid`; grids: uint8 (n, cells), scores: float64 (n,).

    found: bool (strings,), a working array. usage, covers: empty.
    """
    for grid in range(grids.shape[0]):
        scores[grid] = inspect_grid(
            grids[grid], symbol, depth, skip, string, value, geometry, slips, room, paths,
            found, usage, covers,
        )  # fmt: skip
