"""Classes of boards: each cell has an interval of letters, and which of them need no look.

Letters are ranked so that an interval holds letters that stand alike: vowels together, the frequent
before the rare. A class is uint8 (2, cells), the lowest and the highest rank of each cell, cells in
the order in which they are fixed; a hole has the empty interval 1 to 0.
"""

import functools

import numpy as np
from numpy.typing import NDArray

from tilelab.letters.lexicon import Lexicon
from tilelab.puzzles.boggle.paths import neighbours
from tilelab.puzzles.boggle.puzzle import BogglePuzzle

BoardClass = NDArray[np.uint8]


class LetterRanks:
    """The letters of a lexicon in an order in which intervals make good classes."""

    def __init__(self, lexicon: Lexicon) -> None:
        counts = np.bincount(lexicon.codes, minlength=len(lexicon.alphabet))
        vowels = _vowels(_pairs(lexicon))
        sorted_codes = sorted(range(len(counts)), key=lambda code: (-counts[code], code))
        first = [code for code in sorted_codes if code in vowels]
        order = first + [code for code in sorted_codes if code not in vowels]
        self.codes = np.array(order, np.uint8)
        """(letters,), the symbol of each rank."""
        self.ranks = np.argsort(self.codes).astype(np.uint8)
        """(letters,), the rank of each symbol."""
        self._border = len(first)
        self._mass = np.concatenate([[0], np.cumsum(counts[self.codes])])

    def mass(self, low: int, high: int) -> int:
        """Return how often the letters of an interval stand in the lexicon."""
        return int(self._mass[high + 1] - self._mass[low])

    def cut(self, low: int, high: int) -> int:
        """Return where an interval is cut: the first rank of its upper part.

        Vowels from others first, then into parts that stand in the lexicon about as often.
        """
        if low < self._border <= high:
            return self._border
        half = (self._mass[low] + self._mass[high + 1]) / 2
        distance = np.abs(self._mass[low + 1 : high + 1] - half)
        return low + 1 + int(np.argmin(distance))

    @functools.cached_property
    def levels(self) -> tuple[tuple[int, ...], ...]:
        """The interval in which each rank lies after 1, 2, … cuts, by its first rank."""
        intervals = [(0, len(self.codes) - 1)]
        levels = []
        while any(low < high for low, high in intervals):
            parts = []
            for low, high in intervals:
                if low == high:
                    parts.append((low, high))
                else:
                    cut = self.cut(low, high)
                    parts += [(low, cut - 1), (cut, high)]
            intervals = parts
            levels.append(tuple(low for low, high in intervals for _ in range(low, high + 1)))
        return tuple(levels)


def _pairs(lexicon: Lexicon) -> NDArray[np.int64]:
    """Count how often two letters stand side by side, in either order; (letters, letters)."""
    n_letters = len(lexicon.alphabet)
    starts = np.zeros(len(lexicon.codes), np.bool_)
    starts[lexicon.offsets[:-1]] = True
    codes = lexicon.codes.astype(np.int64)
    pairs = np.zeros((n_letters, n_letters), np.int64)
    inside = ~starts[1:]
    np.add.at(pairs, (codes[:-1][inside], codes[1:][inside]), 1)
    return pairs + pairs.T


def _vowels(pairs: NDArray[np.int64]) -> frozenset[int]:
    """Tell vowels by what they stand beside (Sukhotin 1962): vowels avoid one another."""
    pairs = pairs.copy()
    np.fill_diagonal(pairs, 0)
    sums = pairs.sum(axis=1)
    vowels: set[int] = set()
    while True:
        free = [code for code in range(len(sums)) if code not in vowels]
        best = max(free, key=lambda code: (sums[code], -code), default=None)
        if best is None or sums[best] <= 0:
            return frozenset(vowels)
        vowels.add(best)
        sums = sums - 2 * pairs[best]


def fixing_order(puzzle: BogglePuzzle) -> list[int]:
    """Return the cells in the order in which they are fixed: those with most neighbours first."""
    near = neighbours(puzzle.rules)
    return sorted(range(len(near)), key=lambda cell: (-len(near[cell]), cell))


def whole_class(puzzle: BogglePuzzle, order: list[int], letters: LetterRanks) -> BoardClass:
    """Return the class of all boards that a puzzle allows."""
    whole = np.zeros((2, len(order)), np.uint8)
    whole[1] = len(letters.codes) - 1
    asked = puzzle.constraints
    for place, cell in enumerate(order):
        if cell in asked.holes:
            whole[:, place] = 1, 0
        elif cell in asked.locked and puzzle.start is not None:
            whole[:, place] = letters.ranks[puzzle.start[cell]]
    return whole


def symmetries(
    shape: tuple[int, int], order: list[int], whole: BoardClass
) -> list[tuple[tuple[int, int], ...]]:
    """List the turns and reflections that leave the class of all boards as it is.

    Each is the pairs (cell, the cell that comes there) whose cells differ, in the order of cells.
    """
    board = np.arange(shape[0] * shape[1]).reshape(shape)
    turned = [np.rot90(board, quarter) for quarter in range(4)]
    images = [image for one in turned for image in (one, one[:, ::-1])]
    place = np.argsort(order)
    found = set()
    for image in images:
        if image.shape != shape:
            continue
        comes = place[image.ravel()[order]]
        if np.array_equal(whole[:, comes], whole):
            pairs = enumerate(comes.tolist())
            found.add(tuple(pair for pair in pairs if pair[0] != pair[1]))
    return sorted(pairs for pairs in found if pairs)


def is_left_out(
    low: bytes,
    high: bytes,
    levels: tuple[tuple[int, ...], ...],
    images: list[tuple[tuple[int, int], ...]],
) -> bool:
    """Return whether each board of a class has an image that comes before it.

    Boards are compared by the coarse intervals of their letters, cell after cell, then by finer
    ones. Of the boards that are images of one another the first is in no class that is left out.
    """
    return any(_comes_first(low, high, levels, pairs) for pairs in images)


def _comes_first(
    low: bytes,
    high: bytes,
    levels: tuple[tuple[int, ...], ...],
    pairs: tuple[tuple[int, int], ...],
) -> bool:
    for level in levels:
        for cell, other in pairs:
            if low[cell] > high[cell]:
                continue
            image, own = level[high[other]], level[low[cell]]
            if image < own:
                return True
            if image > own:
                return False
    return False


def parted(box: BoardClass, cell: int, letters: LetterRanks) -> tuple[BoardClass, BoardClass]:
    """Cut the interval of a cell in two."""
    cut = letters.cut(int(box[0, cell]), int(box[1, cell]))
    below, above = box.copy(), box.copy()
    below[1, cell], above[0, cell] = cut - 1, cut
    return below, above
