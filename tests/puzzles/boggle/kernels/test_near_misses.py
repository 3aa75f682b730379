"""The cells that the best paths of a string go through, against all its paths, one by one."""

import functools
import itertools
import os

import numpy as np
import pytest

from tests.naive import neighbours
from tilelab.puzzles.boggle.kernels.board_sets import (
    LANE_BITS,
    ROWS_PER_WORD,
    lane_geometry,
    small_geometry,
)
from tilelab.puzzles.boggle.kernels.near_misses import trace_misses

IS_PLAIN = "NUMBA_DISABLE_JIT" in os.environ
ROWS, COLS = 5, 3
N_SYMBOLS = 3
MOST = 2
RULES = {"king": True, "torus": False, "stay": False}


def place_small(cell):
    return 0, cell


def place_in_lanes(cell):
    row, col = divmod(cell, COLS)
    return row // ROWS_PER_WORD, row % ROWS_PER_WORD * LANE_BITS + col


KINDS = {
    "small": (small_geometry(ROWS, COLS, **RULES), place_small, None),
    "plain": (small_geometry(ROWS, COLS, **RULES), place_small, True),
    "lanes": (lane_geometry(ROWS, COLS, **RULES), place_in_lanes, None),
}


@functools.cache
def all_paths(length):
    """Every walk over the board of so many cells."""
    near = neighbours(ROWS, COLS, **RULES)
    paths = [(cell,) for cell in range(ROWS * COLS)]
    for _ in range(length - 1):
        paths = [(*path, cell) for path in paths for cell in near[path[-1]]]
    return np.array(paths)


@functools.cache  # all kinds have the same boards
def traced_plainly(grid, string):
    """Misses of a string; by symbol, the cells that play it and those that have another."""
    paths = all_paths(len(string))
    misses = np.count_nonzero(np.array(grid)[paths] != np.array(string), axis=1)
    least = int(misses.min())
    play, want = {letter: set() for letter in string}, {letter: set() for letter in string}
    if least > MOST:
        return MOST + 1, play, want
    for path in paths[misses == least].tolist():
        for cell, letter in zip(path, string, strict=True):
            (play if grid[cell] == letter else want)[letter].add(cell)
    return least, play, want


def cells_of(bits, place):
    found = [place(cell) for cell in range(ROWS * COLS)]
    return {cell for cell, (word, bit) in enumerate(found) if int(bits[word]) >> bit & 1}


@pytest.mark.plain
@pytest.mark.parametrize(
    "kind",
    [
        # Compiling it takes two seconds, each time; the suite's plain run has it, too.
        pytest.param("small", marks=() if IS_PLAIN else pytest.mark.exhaustive),
        pytest.param("plain", marks=pytest.mark.exhaustive),
        "lanes",
    ],
)
def test_the_best_paths_are_the_oracles(kind):
    geometry, place, plain = KINDS[kind]
    n_words = 1 + max(place(cell)[0] for cell in range(ROWS * COLS))
    lanes = (np.zeros((3, n_words), np.uint64), None) if kind == "lanes" else None
    rng = np.random.default_rng(7)
    seen = set()
    known = itertools.cycle(range(MOST + 2))
    for string in itertools.product(range(N_SYMBOLS), repeat=4):
        grid = rng.integers(0, N_SYMBOLS, ROWS * COLS)
        grid[rng.random(ROWS * COLS) < 0.7] = N_SYMBOLS  # a letter of no string
        letter_cells = np.zeros((N_SYMBOLS, n_words), np.uint64)
        for cell, letter in enumerate(grid):
            if letter < N_SYMBOLS:
                word, bit = place(cell)
                letter_cells[letter, word] |= np.uint64(1 << bit)
        letters, entry_of = np.unique(string, return_inverse=True)
        play, want = (np.full((len(letters), n_words), 99, np.uint64) for _ in range(2))
        misses = trace_misses(
            *(0, len(string), MOST, next(known)),
            *(np.array(string, np.uint8), entry_of.astype(np.int32), letter_cells, None),
            *(geometry, plain, np.zeros((MOST + 1, len(string), n_words), np.uint64)),
            *(lanes, play, want),
        )
        least, played, wanted = traced_plainly(tuple(grid), string)
        assert misses == least
        for entry, letter in enumerate(letters):
            assert cells_of(play[entry], place) == played[letter]
            assert cells_of(want[entry], place) == wanted[letter]
        seen.add(least)
    assert seen == {0, 1, 2, 3}
