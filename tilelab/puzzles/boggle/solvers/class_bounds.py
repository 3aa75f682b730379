"""Examination of a class of boards: its bound and, if it is small enough, its best board.

In a class each cell has an interval of letters. Letters are ranked so that an interval has similar
letters: vowels together, the frequent before the rare. A class is uint8 (2, cells),
the lowest and the highest rank of each cell, cells in the order in which they are fixed; a hole has
the empty interval 1 to 0.
"""

import functools
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.letters.lexicon import Lexicon
from tilelab.puzzles.boggle.kernels import exact_bounds as kernel
from tilelab.puzzles.boggle.kernels.exact_search import Fixing, search_tree
from tilelab.puzzles.boggle.paths import images_of, neighbours
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.puzzles.boggle.scorer import small_board

_NODES = 1 << 20  # maximum number of nodes in a tree; a class with more of them is split
_PATHS = 1 << 18
_MAX_PATHS = 1 << 21  # maximum number of steps for a tree; a class that needs more of them is split
_SLICE_PATHS = 200_000  # number of steps for a tree in one slice of some ten milliseconds
_VISITS_PER_NODE = 15
"""Maximum number of visits per node in a search; growing a tree costs about ten per node."""
_MAX_VISITS = 4_000_000
"""Maximum number of visits in a search, so that it takes at most some ten milliseconds."""
_LARGE_TRIE = 1 << 16
"""Minimum size of a trie for estimating the steps first, because a failed tree is too costly."""
_STRIDE = 8  # stride of an estimate: it walks one of this many parts of the trie
MAX_SPLITS = 20  # maximum number of splits of a class before a tree is tried again
BoardClass = NDArray[np.uint8]


class LetterRanks:
    """The letters of a lexicon in an order in which intervals make good classes."""

    def __init__(self, lexicon: Lexicon) -> None:
        counts = np.bincount(lexicon.codes, minlength=len(lexicon.alphabet))
        vowels = _vowels(_pairs(lexicon))
        sorted_codes = sorted(range(len(counts)), key=lambda code: (-counts[code], code))
        first = [code for code in sorted_codes if code in vowels]
        order = first + [code for code in sorted_codes if code not in vowels]
        self.codes = np.array(order, np.uint8)  # (letters,), symbol of each rank
        self.ranks = np.argsort(self.codes).astype(np.uint8)  # (letters,), rank of each symbol
        self._border = len(first)
        self._mass = np.concatenate([[0], np.cumsum(counts[self.codes])])

    def mass(self, low: int, high: int) -> int:
        """Return the frequency in the lexicon of all letters of an interval."""
        return int(self._mass[high + 1] - self._mass[low])

    def cut(self, low: int, high: int) -> int:
        """Return the cut of an interval: the first rank of its upper part.

        The first cut separates vowels from other letters; later cuts make parts of about equal
        frequency.
        """
        if low < self._border <= high:
            return self._border
        half = (self._mass[low] + self._mass[high + 1]) / 2
        distance = np.abs(self._mass[low + 1 : high + 1] - half)
        return low + 1 + int(np.argmin(distance))

    @functools.cached_property
    def levels(self) -> tuple[tuple[int, ...], ...]:
        """First rank of the interval that contains each rank after 1, 2, … cuts."""
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
    """Count adjacent pairs of letters in either order; (letters, letters)."""
    n_letters = len(lexicon.alphabet)
    starts = np.zeros(len(lexicon.codes), np.bool_)
    starts[lexicon.offsets[:-1]] = True
    codes = lexicon.codes.astype(np.int64)
    pairs = np.zeros((n_letters, n_letters), np.int64)
    inside = ~starts[1:]
    np.add.at(pairs, (codes[:-1][inside], codes[1:][inside]), 1)
    return pairs + pairs.T


def _vowels(pairs: NDArray[np.int64]) -> frozenset[int]:
    """Find the vowels by Sukhotin's method (1962): vowels are seldom adjacent."""
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
    """Return the cells in the order of fixing: those with the most neighbours first."""
    near = neighbours(puzzle.rules)
    return sorted(range(len(near)), key=lambda cell: (-len(near[cell]), cell))


def whole_class(puzzle: BogglePuzzle, order: list[int], letters: LetterRanks) -> BoardClass:
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
    """List the rotations and reflections that keep the class of all boards unchanged.

    Each is a list of pairs (cell, cell that comes there) of different cells, in the order of cells.
    """
    place = np.argsort(order)
    found = set()
    for image in images_of(shape):
        comes = place[image[order]]
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
    """Return whether each board of a class has an image that precedes it.

    Boards are compared by the coarse intervals of their letters, cell by cell, then by finer ones.
    The first of the boards that are images of one another is never in an omitted class.
    """
    return any(_comes_first(low, high, levels, pairs) for pairs in images)


def _comes_first(
    low: bytes, high: bytes, levels: tuple[tuple[int, ...], ...], pairs: tuple[tuple[int, int], ...]
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


def split_class(box: BoardClass, cell: int, letters: LetterRanks) -> tuple[BoardClass, BoardClass]:
    """Cut the interval of a cell in two."""
    cut = letters.cut(int(box[0, cell]), int(box[1, cell]))
    below, above = box.copy(), box.copy()
    below[1, cell], above[0, cell] = cut - 1, cut
    return below, above


class OpenClass(NamedTuple):
    """A class that may have a better board; the highest bound comes first in comparisons."""

    minus_bound: float
    serial: int
    splits: int
    """Number of further splits before a tree is grown; a larger class had far too many paths."""
    box: BoardClass


class Seen(NamedTuple):
    """Result of the examination of a class."""

    bound: float  # upper bound of the value of its boards
    is_done: bool  # whether no board of the class is better than the known one, or than board
    board: NDArray[np.uint8] | None
    """Ranks, in the order of cells, of a better board or of the only board."""
    splits: int = 0  # number of further splits, see OpenClass
    is_tight: bool = False
    """Whether the bound is from a tree, and not only from the sum of the words."""


class ClassBounds:
    """The kernels' arrays of one puzzle."""

    def __init__(self, puzzle: BogglePuzzle, order: list[int], letters: LetterRanks) -> None:
        trie, n_cells, n_letters = puzzle.trie, len(order), len(letters.codes)
        is_worth = trie.node_values(puzzle.worths) > 0
        self._words = kernel.Words(
            symbol=letters.ranks[trie.symbol],
            depth=trie.depth,
            skip=trie.skip,
            string=np.where(is_worth, trie.string, -1).astype(np.int32),
            value=puzzle.worths,
            n_letters=n_letters,
        )
        place = np.argsort(order)
        near = [sorted(place[list(neighbours(puzzle.rules)[cell])].tolist()) for cell in order]
        self._cells = kernel.Cells(
            near_begin=np.concatenate([[0], np.cumsum([len(some) for some in near])]).astype(
                np.int64
            ),
            near=np.array([cell for some in near for cell in some], np.int64),
            bit=np.uint64(1) << np.array(order, np.uint64),
            geometry=small_board(puzzle.rules),
            once=puzzle.rules.once,
        )
        self._paths = _paths(n_cells, n_letters, trie.max_level)
        self._tree = _tree(n_cells * n_letters)
        self._fixing = _fixing(n_cells, n_letters, len(puzzle.worths))
        self.growing: OpenClass | None = None
        """Class whose tree is being grown; setting it to None discards the tree."""
        self._bound, self._at_node, self._n_made, self._is_sorted = 0.0, 0, 0, False
        """State of that class: its bound so far, the next node of the trie, the steps done, and
        whether the tree is ready to be searched."""

    def look_on(self, one: OpenClass, least: float, slack: float) -> Seen | None:
        """Bound a class, and search it if it is small enough, for some ten milliseconds.

        Returns None if there is more to do.
        """
        if one is not self.growing:
            return self._begin(one, least, slack)
        if self._at_node < len(self._words.symbol):
            return self._grow(one)
        if not self._is_sorted:
            kernel.finish_tree(self._tree, one.box.shape[1], self._words.n_letters)
            self._is_sorted = True
            return None
        self.growing = None
        return self._search(one, least, slack)

    def _grow(self, one: OpenClass) -> Seen | None:
        """Grow the tree for some ten milliseconds; returns a result only if it is too large."""
        (low, high), n_nodes, first = one.box, len(self._words.symbol), self._at_node
        node = kernel.grow_tree(
            self._words, self._cells, low, high, self._paths, self._tree, first, _SLICE_PATHS
        )
        self._n_made += _SLICE_PATHS
        if node == n_nodes or (node >= 0 and self._n_made <= _MAX_PATHS):
            self._at_node = node
            return None
        self.growing = None
        share = (node if node >= 0 else -1 - node) / n_nodes
        return Seen(self._bound, False, None, _splits(share))

    def _begin(self, one: OpenClass, least: float, slack: float) -> Seen | None:
        """Bound a class by the sum of its words; returns None if a tree is needed."""
        bound, (low, high) = -one.minus_bound, one.box
        words, cells, paths = self._words, self._cells, self._paths
        if not (low < high).any():
            return Seen(bound, True, low)
        if one.splits:
            return Seen(bound, False, None, one.splits - 1)
        bound = min(bound, kernel.sum_bound(words, cells, low, high, paths))
        if bound <= least + slack:
            return Seen(bound, True, None)
        if len(words.symbol) >= _LARGE_TRIE:
            n_paths = kernel.guess_paths(words, cells, low, high, paths, _STRIDE, _SLICE_PATHS)
            if n_paths > _MAX_PATHS:
                return Seen(bound, False, None, _splits(_MAX_PATHS / n_paths))
        self.growing, self._bound, self._at_node, self._n_made = one, bound, 0, 0
        self._is_sorted = False
        return None

    def _search(self, one: OpenClass, least: float, slack: float) -> Seen:
        """Search the complete tree if it is small enough."""
        tree, (low, high) = self._tree, one.box
        bound = min(self._bound, float(tree.bound[0]))
        if bound <= least + slack:
            return Seen(bound, True, None)
        most = min(_VISITS_PER_NODE * int(tree.size[0]) + 10_000, _MAX_VISITS)
        is_done, best, _ = search_tree(
            self._words, low, high, tree, self._fixing, least, slack, most
        )
        board = self._fixing.board.copy() if best > least else None
        return Seen(bound, is_done, board, is_tight=True)


def _splits(share: float) -> int:
    """Return the number of splits before the next try, from the share of the tree that fits.

    A split halves the letters of one cell, which is not on all paths, so the number is rather low.
    """
    return int(-math.log2(max(share, 2.0**-MAX_SPLITS)))


def _paths(n_cells: int, n_letters: int, max_level: int) -> kernel.Paths:
    return kernel.Paths(
        letters=np.zeros((_PATHS, n_cells), np.uint8),
        last=np.zeros(_PATHS, np.int64),
        begin=np.zeros(max_level + 3, np.int64),
        slots=np.zeros(2 * _PATHS, np.int32),
        filled=np.zeros(2 * _PATHS, np.int64),
        round=np.zeros(1, np.int64),
        nodes=np.zeros(n_cells, np.int64),
        letter_cells=np.zeros(n_letters, np.uint64),
        reach=np.zeros(max_level + 2, np.uint64),
    )


def _tree(n_places: int) -> kernel.Tree:
    per_node = {
        name: np.zeros(_NODES, np.int32)
        for name in ("parent", "place", "last_word", "first_entry", "kids", "order")
    }
    return kernel.Tree(
        **per_node,
        slots=np.zeros(2 * _NODES, np.int32),
        next_entry=np.zeros(2 * _NODES, np.int32),
        entry_word=np.zeros(2 * _NODES, np.int32),
        worth=np.zeros(_NODES),
        bound=np.zeros(_NODES),
        kid_begin=np.zeros(_NODES + 2, np.int32),
        place_count=np.zeros(n_places + 1, np.int32),
        size=np.zeros(2, np.int64),
    )


def _fixing(n_cells: int, n_letters: int, n_strings: int) -> Fixing:
    return Fixing(
        head=np.zeros((n_cells + 1, n_cells), np.int32),
        next_link=np.zeros(_NODES, np.int32),
        link_begin=np.zeros(_NODES, np.int32),
        link_end=np.zeros(_NODES, np.int32),
        gain=np.zeros((n_cells + 1, n_cells, n_letters)),
        rest=np.zeros(n_cells + 1),
        total=np.zeros(n_cells + 1),
        n_links=np.zeros(n_cells + 1, np.int64),
        n_found=np.zeros(n_cells + 1, np.int64),
        found=np.zeros(n_strings, np.int32),
        is_found=np.zeros(n_strings, np.bool_),
        letter=np.zeros(n_cells + 1, np.int64),
        board=np.zeros(n_cells, np.uint8),
    )
