"""A look into one class of boards: its bound, and its best board where it is small enough."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.puzzles.boggle.kernels.exact_bounds import (
    Cells,
    Paths,
    Tree,
    Words,
    finish_tree,
    grow_tree,
    guess_paths,
    sum_bound,
)
from tilelab.puzzles.boggle.kernels.exact_search import Fixing, search_tree
from tilelab.puzzles.boggle.paths import neighbours
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.puzzles.boggle.scorer import small_board
from tilelab.puzzles.boggle.solvers.board_classes import BoardClass, LetterRanks

_NODES = 1 << 20
"""Room of a tree; a class with more of them is split."""
_PATHS = 1 << 18
_MOST_PATHS = 1 << 21
"""Steps of a tree; a class that takes more of them is split."""
_SLICE_PATHS = 200_000
"""Steps of a tree that is grown in a go: some ten milliseconds."""
_VISITS_PER_NODE = 15
"""How much a search of a tree may cost: growing it takes as long as some ten visits per node."""
_MOST_VISITS = 4_000_000
"""So that a search ends within some ten milliseconds, too."""
_LARGE_TRIE = 1 << 16
"""From so many nodes on, the steps of a tree are guessed first: one that fails costs too much."""
_STRIDE = 8
"""Of so many parts of the trie one is walked for a guess."""
MOST_SPLITS = 20
"""So often a class is split at most before a tree is tried again."""


class OpenClass(NamedTuple):
    """A class that may hold a better board; compared so that the highest bound comes first."""

    minus_bound: float
    serial: int
    splits: int
    """So often its parts are split before a tree is grown: a larger part had far too many paths."""
    box: BoardClass


class Seen(NamedTuple):
    """What a look into a class has come to."""

    bound: float
    """No board of it is worth more."""
    is_done: bool
    """Whether no board is better than the one that was known, or than ``board``."""
    board: NDArray[np.uint8] | None
    """Ranks, in the order of cells, of a better board, or of the only one."""
    splits: int = 0
    """See :class:`OpenClass`."""
    is_tight: bool = False
    """Whether the bound is that of the tree, and not only of the strings together."""


class ClassBounds:
    """The kernels' arrays of one puzzle."""

    def __init__(self, puzzle: BogglePuzzle, order: list[int], letters: LetterRanks) -> None:
        trie, n_cells, n_letters = puzzle.trie, len(order), len(letters.codes)
        self._words = Words(
            symbol=letters.ranks[trie.symbol],
            depth=trie.depth,
            skip=trie.skip,
            string=np.where(_is_worth(puzzle), trie.string, -1).astype(np.int32),
            value=puzzle.worths,
            n_letters=n_letters,
        )
        place = np.argsort(order)
        near = [sorted(place[list(neighbours(puzzle.rules)[cell])].tolist()) for cell in order]
        self._cells = Cells(
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
        """The class whose tree is being grown; set to None, what there is of the tree is lost."""
        self._bound, self._at_node, self._n_made, self._is_sorted = 0.0, 0, 0, False
        """Of that class: its bound by now, the node of the trie to go on from, steps done, and
        whether the tree is ready to be searched."""

    def look_on(self, one: OpenClass, least: float, slack: float) -> Seen | None:
        """Bound a class, and search it if it is small enough, for some ten milliseconds.

        None: there is more to do.
        """
        if one is not self.growing:
            return self._begin(one, least, slack)
        if self._at_node < len(self._words.symbol):
            return self._grow(one)
        if not self._is_sorted:
            finish_tree(self._tree, one.box.shape[1], self._words.n_letters)
            self._is_sorted = True
            return None
        self.growing = None
        return self._search(one, least, slack)

    def _grow(self, one: OpenClass) -> Seen | None:
        """Grow the tree by some ten milliseconds; None unless there is no room for it."""
        (low, high), n_nodes, first = one.box, len(self._words.symbol), self._at_node
        node = grow_tree(
            self._words, self._cells, low, high, self._paths, self._tree, first, _SLICE_PATHS
        )
        self._n_made += _SLICE_PATHS
        if node == n_nodes or (node >= 0 and self._n_made <= _MOST_PATHS):
            self._at_node = node
            return None
        self.growing = None
        share = (node if node >= 0 else -1 - node) / n_nodes
        return Seen(self._bound, False, None, _splits(share))

    def _begin(self, one: OpenClass, least: float, slack: float) -> Seen | None:
        """Bound a class by the sum of its strings; None: a tree is grown from now on."""
        bound, (low, high) = -one.minus_bound, one.box
        words, cells, paths = self._words, self._cells, self._paths
        if not (low < high).any():
            return Seen(bound, True, low)
        if one.splits:
            return Seen(bound, False, None, one.splits - 1)
        bound = min(bound, sum_bound(words, cells, low, high, paths))
        if bound <= least + slack:
            return Seen(bound, True, None)
        if len(words.symbol) >= _LARGE_TRIE:
            n_paths = guess_paths(words, cells, low, high, paths, _STRIDE, _SLICE_PATHS)
            if n_paths > _MOST_PATHS:
                return Seen(bound, False, None, _splits(_MOST_PATHS / n_paths))
        self.growing, self._bound, self._at_node, self._n_made = one, bound, 0, 0
        self._is_sorted = False
        return None

    def _search(self, one: OpenClass, least: float, slack: float) -> Seen:
        """Search the tree that was grown, if it is small enough."""
        tree, (low, high) = self._tree, one.box
        bound = min(self._bound, float(tree.bound[0]))
        if bound <= least + slack:
            return Seen(bound, True, None)
        most = min(_VISITS_PER_NODE * int(tree.size[0]) + 10_000, _MOST_VISITS)
        is_done, best, _ = search_tree(
            self._words, low, high, tree, self._fixing, least, slack, most
        )
        board = self._fixing.board.copy() if best > least else None
        return Seen(bound, is_done, board, is_tight=True)


def _splits(share: float) -> int:
    """Tell after how many splits to try again, from the share of a tree that there is room for.

    A split halves the letters of one cell, which is not on all paths: so too few rather than many.
    """
    return int(-math.log2(max(share, 2.0**-MOST_SPLITS)))


def _is_worth(puzzle: BogglePuzzle) -> NDArray[np.bool_]:
    """(nodes,), whether the string that ends in a node adds something."""
    return puzzle.trie.node_values(puzzle.worths) > 0


def _paths(n_cells: int, n_letters: int, max_level: int) -> Paths:
    return Paths(
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


def _tree(n_places: int) -> Tree:
    per_node = {
        name: np.zeros(_NODES, np.int32)
        for name in ("parent", "place", "last_word", "first_entry", "kids", "order")
    }
    return Tree(
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
