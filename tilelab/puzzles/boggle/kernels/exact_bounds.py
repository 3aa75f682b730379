"""Upper bounds for classes of letter grids, where each cell has a letter of an interval.

The words of a class form an orderly tree as in hybrid-boggle (Vanderkam 2025, "A Computational
Proof of the Highest-Scoring Boggle Board"). A path of a word is a set of cells with their letters,
sorted by cell; the paths are merged into one tree. A cell's letter is chosen once for the whole
subtree below it, and the sum of the best choices is a bound.

Letters are ranks, so that a class of letters is an interval. Cells are in the order in which they
are fixed. A cell with an empty interval, such as a hole, has no letter.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.kernels.decorators import part, tuple_kernel
from tilelab.puzzles.boggle.kernels.board_sets import spread

NOTHING = 255
"""Letter of a cell that a path does not use."""


class Words(NamedTuple):
    """A trie in preorder, as :class:`tilelab.letters.trie.Trie`, with ranks as symbols."""

    symbol: NDArray[np.uint8]
    depth: NDArray[np.uint8]
    skip: NDArray[np.int32]
    string: NDArray[np.int32]
    """(nodes,), index of the string that ends at the node and has a value, or -1."""
    value: NDArray[np.float64]
    """(strings,), value of each string, from 0 up."""
    n_letters: int


class Cells(NamedTuple):
    """The cells of a board and their neighbours."""

    near_begin: NDArray[np.int64]
    """(cells + 1,), place in ``near`` where the neighbours of each cell begin."""
    near: NDArray[np.int64]
    bit: NDArray[np.uint64]
    """(cells,), bit of each cell in the sets of ``geometry``."""
    geometry: NDArray[np.uint64]
    """See :func:`tilelab.puzzles.boggle.kernels.board_sets.small_geometry`."""
    once: bool
    """Whether a string uses each cell at most once."""


class Paths(NamedTuple):
    """Working arrays for the paths that spell the prefixes of one string, level by level."""

    letters: NDArray[np.uint8]
    """(paths, cells), letter that a path needs in each cell, or NOTHING."""
    last: NDArray[np.int64]
    """(paths,), last cell of each path."""
    begin: NDArray[np.int64]
    """(levels + 2,), first path of each level."""
    slots: NDArray[np.int32]
    """A hash table of paths; its size is a power of two above their number."""
    filled: NDArray[np.int64]
    """(slots,), value of ``round`` when each slot was filled; with another value, it is empty."""
    nodes: NDArray[np.int64]
    """(cells,), node of the tree that the path added last reached at each cell."""
    round: NDArray[np.int64]
    """(1,), increased each time a level is begun."""
    letter_cells: NDArray[np.uint64]
    reach: NDArray[np.uint64]


class Tree(NamedTuple):
    """An orderly tree; node 0 is its root, and the number of a node is above that of its parent."""

    parent: NDArray[np.int32]
    place: NDArray[np.int32]
    """(nodes,), cell * letters + letter of each node."""
    slots: NDArray[np.int32]
    """A hash table of nodes by parent and place, as ``Paths.slots``."""
    last_word: NDArray[np.int32]
    """(nodes,), newest word of each node; words are added one after another."""
    first_entry: NDArray[np.int32]
    """(nodes,), first entry in the chain of each node's words, or -1."""
    next_entry: NDArray[np.int32]
    entry_word: NDArray[np.int32]
    worth: NDArray[np.float64]
    """(nodes,), sum of the values of each node's own words."""
    bound: NDArray[np.float64]
    """(nodes,), upper bound of the value of each node's subtree."""
    kid_begin: NDArray[np.int32]
    """(nodes + 1,), place in ``kids`` where each node's children begin."""
    kids: NDArray[np.int32]
    """Children, sorted by parent, then by place."""
    order: NDArray[np.int32]
    place_count: NDArray[np.int32]
    size: NDArray[np.int64]
    """(2,), number of nodes and number of entries."""


@tuple_kernel
def sum_bound(words, cells, low, high, paths):
    """Return the sum of the values of all words on any board of a class: a fast, loose bound.

    low, high: uint8 (cells,), interval of each cell. A word may use a cell again here, so that the
    bound is valid with and without the rule ``once``.
    """
    letter_cells, reach = paths.letter_cells, paths.reach
    letter_cells[:] = np.uint64(0)
    for cell in range(low.shape[0]):
        for letter in range(np.int64(low[cell]), np.int64(high[cell]) + 1):
            letter_cells[letter] |= cells.bit[cell]
    reach[0] = cells.geometry[0]
    total = 0.0
    node, n_nodes = 0, words.symbol.shape[0]
    while node < n_nodes:
        level = np.int64(words.depth[node])
        here = reach[level] & letter_cells[words.symbol[node]]
        if here == np.uint64(0):
            node = np.int64(words.skip[node])
            continue
        if words.string[node] >= 0:
            total += words.value[words.string[node]]
        if words.skip[node] > node + 1:
            reach[level + 1] = spread(here, cells.geometry)
        node += 1
    return total


@tuple_kernel
def guess_paths(words, cells, low, high, paths, stride, max_paths):
    """Estimate the number of steps for the tree of a class, as float64.

    One in ``stride`` of the trie's parts below three letters is walked. The walk stops after
    ``max_paths`` steps, and the result is extrapolated to the rest of the trie.
    """
    begin = paths.begin
    begin[0] = 0
    node, n_nodes, n_made, n_parts = 0, words.symbol.shape[0], 0, 0
    while node < n_nodes and n_made <= max_paths:
        level = np.int64(words.depth[node])
        if level == 2:
            n_parts += 1
            if n_parts % stride:
                node = np.int64(words.skip[node])
                continue
        n_paths = _extend_paths(words.symbol[node], level, cells, low, high, paths)
        if n_paths < 0:
            break
        begin[level + 1] = n_paths
        if level >= 2:
            n_made += n_paths - begin[level]
        node = node + 1 if n_paths > begin[level] else np.int64(words.skip[node])
    return n_made * stride * (n_nodes / max(node, 1))


@tuple_kernel
def grow_tree(words, cells, low, high, paths, tree, first, max_paths):
    """Build the orderly tree of a class, to be completed by :func:`finish_tree`.

    first: node of the trie to continue from; 0 begins a new tree.
    Returns the node to continue from, after ``max_paths`` steps or a few more. It is the number of
    nodes if the tree is complete, and -1 - node if there is too little room.
    """
    begin = paths.begin
    if first == 0:
        tree.slots[:] = -1
        tree.size[0], tree.size[1] = 1, 0
        tree.parent[0], tree.place[0], tree.last_word[0] = -1, 0, -1
        tree.first_entry[0], tree.worth[0] = -1, 0.0
        begin[0] = 0
    node, n_nodes, n_made = np.int64(first), words.symbol.shape[0], 0
    while node < n_nodes and n_made < max_paths:
        level = np.int64(words.depth[node])
        n_paths = _extend_paths(words.symbol[node], level, cells, low, high, paths)
        if n_paths < 0:
            return -1 - node
        begin[level + 1] = n_paths
        n_made += n_paths - begin[level]
        if n_paths == begin[level]:
            node = np.int64(words.skip[node])
            continue
        word = words.string[node]
        if word >= 0:
            for path in range(begin[level], n_paths):
                if not _add_word(paths, path, path > begin[level], words, word, tree):
                    return -1 - node
        node += 1
    return node


@tuple_kernel
def finish_tree(tree, n_cells, n_letters):
    """Sort the children of a complete tree, and compute the bounds; the root's is the class's."""
    _sort_children(tree, n_cells * n_letters)
    _bound_nodes(tree, n_letters)


@part
def _extend_paths(letter, level, cells, low, high, paths):
    """Extend each path of the previous level by a letter.

    Returns the end of the new paths, or -1 if there is too little room.
    """
    if level == 0:
        return _first_cells(letter, low, high, paths)
    return _extend(letter, level, cells, low, high, paths)


@part
def _first_cells(letter, low, high, paths):
    """Begin a path in each cell that can have a letter; returns their number, or -1."""
    n_paths = 0
    for cell in range(low.shape[0]):
        if low[cell] <= letter and letter <= high[cell]:
            if n_paths == paths.last.shape[0]:
                return -1
            paths.letters[n_paths, :] = NOTHING
            paths.letters[n_paths, cell] = letter
            paths.last[n_paths] = cell
            n_paths += 1
    return n_paths


@part
def _extend(letter, level, cells, low, high, paths):
    """Extend each path to the neighbours of its last cell that can have a letter.

    If a word may use a cell again, paths with the same cells and the same end are merged.
    """
    begin = paths.begin[level]
    end = begin
    paths.round[0] += 1
    for path in range(paths.begin[level - 1], begin):
        last = paths.last[path]
        for at in range(cells.near_begin[last], cells.near_begin[last + 1]):
            cell = cells.near[at]
            old = paths.letters[path, cell]
            if old == NOTHING:
                if letter < low[cell] or letter > high[cell]:
                    continue
            elif cells.once or old != letter:
                continue
            if end == paths.last.shape[0]:
                return -1
            for other in range(low.shape[0]):
                paths.letters[end, other] = paths.letters[path, other]
            paths.letters[end, cell] = letter
            paths.last[end] = cell
            if cells.once or _is_new(paths, end):
                end += 1
    return end


@part
def _is_new(paths, path):
    """Record a path of a level; returns whether no other path of this level is equal."""
    n_cells = paths.letters.shape[1]
    code = np.uint64(paths.last[path]) + np.uint64(1469598103934665603)
    for cell in range(n_cells):
        code = (code ^ np.uint64(paths.letters[path, cell])) * np.uint64(1099511628211)
    mask = np.uint64(paths.slots.shape[0] - 1)
    slot = (code ^ (code >> np.uint64(31))) & mask
    while True:
        if paths.filled[slot] != paths.round[0]:
            paths.filled[slot], paths.slots[slot] = paths.round[0], path
            return True
        other = np.int64(paths.slots[slot])
        same = paths.last[other] == paths.last[path]
        cell = 0
        while same and cell < n_cells:
            same = paths.letters[other, cell] == paths.letters[path, cell]
            cell += 1
        if same:
            return False
        slot = (slot + np.uint64(1)) & mask


@part
def _add_word(paths, path, is_next, words, word, tree):
    """Add a word to the tree at a path; returns False if there is too little room.

    is_next: whether the previous path was added just before; their common beginning is then known.
    """
    letters, nodes = paths.letters, paths.nodes
    node, cell, n_cells = np.int64(0), 0, letters.shape[1]
    while is_next and cell < n_cells and letters[path, cell] == letters[path - 1, cell]:
        node = nodes[cell]
        cell += 1
    while cell < n_cells:
        if letters[path, cell] != NOTHING:
            node = _child(node, cell * words.n_letters + np.int64(letters[path, cell]), tree)
            if node < 0:
                return False
        nodes[cell] = node
        cell += 1
    if tree.last_word[node] == word:
        return True
    entry = tree.size[1]
    if entry == tree.entry_word.shape[0]:
        return False
    tree.size[1] = entry + 1
    tree.entry_word[entry] = word
    tree.next_entry[entry] = tree.first_entry[node]
    tree.first_entry[node] = entry
    tree.last_word[node] = word
    tree.worth[node] += words.value[word]
    return True


@part
def _child(node, place, tree):
    """Return the child of a node at a place, a new one if necessary, or -1 without room."""
    code = np.uint64(node) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(place)
    code = (code ^ (code >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    mask = np.uint64(tree.slots.shape[0] - 1)
    slot = (code ^ (code >> np.uint64(32))) & mask
    while tree.slots[slot] >= 0:
        child = np.int64(tree.slots[slot])
        if tree.parent[child] == node and tree.place[child] == place:
            return child
        slot = (slot + np.uint64(1)) & mask
    child = tree.size[0]
    if child == tree.parent.shape[0]:
        return np.int64(-1)
    tree.size[0] = child + 1
    tree.slots[slot] = child
    tree.parent[child], tree.place[child] = node, place
    tree.last_word[child], tree.first_entry[child], tree.worth[child] = -1, -1, 0.0
    return child


@part
def _sort_children(tree, n_places):
    """Fill ``kid_begin`` and ``kids``; the sort is by place first, then stable by parent."""
    n_nodes = tree.size[0]
    count, order = tree.place_count, tree.order
    count[: n_places + 1] = 0
    for node in range(1, n_nodes):
        count[tree.place[node] + 1] += 1
    for place in range(n_places):
        count[place + 1] += count[place]
    for node in range(1, n_nodes):
        place = tree.place[node]
        order[count[place]] = node
        count[place] += 1
    # While children are written, kid_begin[parent + 1] is the place of the parent's next child.
    begin = tree.kid_begin
    begin[: n_nodes + 2] = 0
    for node in range(1, n_nodes):
        begin[tree.parent[node] + 2] += 1
    for node in range(n_nodes):
        begin[node + 2] += begin[node + 1]
    for at in range(n_nodes - 1):
        node = order[at]
        slot = tree.parent[node] + 1
        tree.kids[begin[slot]] = node
        begin[slot] += 1


@part
def _bound_nodes(tree, n_letters):
    """Compute the bound of each node from those of its children."""
    for node in range(tree.size[0] - 1, -1, -1):
        total, highest, cell = tree.worth[node], 0.0, -1
        for at in range(tree.kid_begin[node], tree.kid_begin[node + 1]):
            child = tree.kids[at]
            if tree.place[child] // n_letters != cell:
                total += highest
                highest, cell = 0.0, tree.place[child] // n_letters
            highest = max(highest, tree.bound[child])
        tree.bound[node] = total + highest
