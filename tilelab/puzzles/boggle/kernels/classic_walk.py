"""A walk through a trie for boards on which a string uses each cell once, as in the classic game.

The search goes depth first through trie and board. A cell in use has no letter for the cells around
it. No other record of the cells in use is needed, and the size of the board does not matter. A node
where a found string ends is marked with the number of the walk, so that no mark has to be cleared.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tilelab.kernels.decorators import inlined, part, tuple_kernel

ClassicRoom: TypeAlias = tuple[
    NDArray[np.uint32],
    NDArray[np.uint32],
    NDArray[np.uint64],
    NDArray[np.uint64],
    NDArray[np.uint64],
]
"""Working arrays of :func:`score_grids_classic`: (marks, run, letters, around, stack)."""
_NARROW = 32
"""Maximum number of symbols whose set fits into half of a node."""


class ClassicTrie(NamedTuple):
    """A lexicon and a board, prepared for the walk; nothing in it changes.

    Node 0 is the root. The children of a node are adjacent, sorted by symbol. Groups of children
    have the preorder of their parents, so that a subtree is close together in memory.
    """

    nodes: NDArray[np.uint64]
    """(nodes,); the lower half is the set of the children's symbols, or 0 for more than 32 symbols.
    The upper half is the first child, and its highest bit is set if a string ends there."""
    wide: NDArray[np.uint64] | None
    """(nodes,), set of the children's symbols; None if ``nodes`` contains it."""
    value: NDArray[np.float64]
    """(nodes,), value of the string that ends at each node."""
    ends: NDArray[np.uint32] | None
    """(strings,), node where each string ends. None if all values are whole numbers, because the
    order of adding them then does not matter."""
    near: NDArray[np.uint32]
    """Cells that may follow each cell, sorted by that cell."""
    near_begin: NDArray[np.uint32]
    """(cells + 1,), place in ``near`` where the cells that may follow each cell begin."""


def classic_trie(
    symbol: NDArray[np.uint8],
    depth: NDArray[np.uint8],
    string: NDArray[np.int32],
    values: NDArray[np.float64],
    near: tuple[tuple[int, ...], ...],
) -> ClassicTrie:
    """Prepare a trie in preorder, see :class:`tilelab.letters.trie.Trie`, and a board.

    values: float64 (strings,). near: the cells that may follow each cell.
    """
    n_nodes = len(symbol)
    parent = np.zeros(n_nodes, np.int64)  # Nodes are numbered in preorder; the root is 0.
    before = np.empty(0, np.int64)
    for level in range(int(depth.max()) + 1):
        here = np.flatnonzero(depth == level)
        if level:
            parent[here] = 1 + before[np.searchsorted(before, here) - 1]
        before = here
    order = np.argsort(parent, kind="stable")
    place = np.empty(n_nodes + 1, np.int64)
    place[0], place[1 + order] = 0, np.arange(1, n_nodes + 1)
    first = np.zeros(n_nodes + 1, np.uint64)
    first[place] = 1 + np.searchsorted(parent[order], np.arange(n_nodes + 1))
    children = np.zeros(n_nodes + 1, np.uint64)
    np.bitwise_or.at(children, place[parent], np.uint64(1) << symbol.astype(np.uint64))
    ends = np.empty(len(values), np.uint32)
    is_end = string >= 0
    ends[string[is_end]] = place[1 + np.flatnonzero(is_end)]
    value = np.zeros(n_nodes + 1)
    value[ends] = values
    nodes = first << np.uint64(_NARROW)
    nodes[ends] |= np.uint64(1 << 63)
    is_wide = int(symbol.max()) >= _NARROW
    is_whole = bool((values == np.floor(values)).all()) and float(values.sum()) < 2**53
    sizes = [len(cells) for cells in near]
    return ClassicTrie(
        nodes=nodes if is_wide else nodes | children,
        wide=children if is_wide else None,
        value=value,
        ends=None if is_whole else ends,
        near=np.array([cell for cells in near for cell in cells], np.uint32),
        near_begin=np.cumsum([0, *sizes]).astype(np.uint32),
    )


def classic_room(trie: ClassicTrie, max_level: int) -> ClassicRoom:
    """Return working arrays for :func:`score_grids_classic`; they keep the marks between calls."""
    n_cells = len(trie.near_begin) - 1
    return (
        np.zeros(len(trie.nodes), np.uint32),
        np.zeros(1, np.uint32),
        np.zeros(n_cells, np.uint64),
        np.zeros(n_cells, np.uint64),
        np.zeros((max_level + 2, 5), np.uint64),
    )


@part
def n_bits(bits):
    """Count the bits of a set; the compiler replaces this by one instruction."""
    one = bits - ((bits >> np.uint64(1)) & np.uint64(0x5555555555555555))
    two = (one & np.uint64(0x3333333333333333)) + (
        (one >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    four = (two + (two >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (four * np.uint64(0x0101010101010101)) >> np.uint64(56)


@inlined
def _children(node, wide, index):
    """Return the set of the symbols of a node's children; node: its entry in ``nodes``."""
    if wide is None:
        return node & np.uint64(0xFFFFFFFF)
    return wide[index]


@inlined
def _walk(trie, wide, room):
    """Follow all paths from every cell; returns the sum of the values of the strings found."""
    marks, run, letters, around, stack = room
    nodes, value, near, near_begin = trie.nodes, trie.value, trie.near, trie.near_begin
    one, half, begin_mask = np.uint64(1), np.uint64(32), np.uint64(0x7FFFFFFF)
    now = run[0]
    total = 0.0
    for start in range(letters.shape[0]):
        # The step from the root to the first cell is handled like every other step.
        cell = np.uint64(start)
        level = np.uint64(0)
        children = _children(nodes[0], wide, np.uint64(0))
        first = (nodes[0] >> half) & begin_mask
        place, last = np.uint64(start), np.uint64(start + 1)
        at_root = True
        while True:
            has_descended = False
            while place < last:
                other = cell if at_root else np.uint64(near[place])
                place += one
                letter = letters[other]
                if children & letter == np.uint64(0):
                    continue
                index = first + n_bits(children & (letter - one))
                node = nodes[index]
                if node >> np.uint64(63) and marks[index] != now:
                    marks[index] = now
                    total += value[index]
                after = _children(node, wide, index)
                if after & around[other] == np.uint64(0):
                    continue
                stack[level, 0], stack[level, 1], stack[level, 2] = children, first, place
                stack[level, 3], stack[level, 4] = other, letter
                letters[other] = np.uint64(0)
                level += one
                children, first = after, (node >> half) & begin_mask
                place, last = np.uint64(near_begin[other]), np.uint64(near_begin[other + one])
                at_root, has_descended = False, True
                break
            if has_descended:
                continue
            if level == np.uint64(0):
                break
            level -= one
            other = stack[level, 3]
            letters[other] = stack[level, 4]
            if level == np.uint64(0):
                break
            children, first, place = stack[level, 0], stack[level, 1], stack[level, 2]
            last = np.uint64(near_begin[stack[level - one, 3] + one])
    return total


@inlined
def _in_order(trie, ends, marks, now):
    """Add the values of the marked strings, in the order of the strings."""
    total = 0.0
    for string in range(ends.shape[0]):
        if marks[ends[string]] == now:
            total += trie.value[ends[string]]
    return total


@part
def score_classic(grid, trie, wide, ends, room):
    """Return the sum of the values of a grid's strings; a string uses each cell once.

    grid: uint8 (cells,), symbol indices; indices beyond the alphabet belong to no string. wide,
    ends: those of the trie. room: see :func:`classic_room`.
    """
    marks, run, letters, around, _ = room
    run[0] += np.uint32(1)
    if run[0] == np.uint32(0):
        marks[:] = np.uint32(0)
        run[0] = np.uint32(1)
    for cell in range(grid.shape[0]):
        code = np.uint64(grid[cell])
        letters[cell] = np.uint64(1) << code if code < np.uint64(64) else np.uint64(0)
    for cell in range(grid.shape[0]):
        every = np.uint64(0)
        for place in range(trie.near_begin[cell], trie.near_begin[cell + 1]):
            every |= letters[trie.near[place]]
        around[cell] = every
    total = _walk(trie, wide, room)
    return total if ends is None else _in_order(trie, ends, marks, run[0])


@tuple_kernel
def score_grids_classic(grids, trie, wide, ends, room, scores):
    """Score several grids; grids: uint8 (n, cells), scores: float64 (n,), overwritten."""
    for grid in range(grids.shape[0]):
        scores[grid] = score_classic(grids[grid], trie, wide, ends, room)
