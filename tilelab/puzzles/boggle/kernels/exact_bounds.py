"""Upper bounds for classes of letter grids: each cell holds one letter of an interval.

The words of a class are laid out as the orderly trees of hybrid-boggle (Vanderkam 2025, "A
Computational Proof of the Highest-Scoring Boggle Board"): a way to read a word is the set of its
cells and letters, sorted by cell, and these are merged into one tree. Where a cell must choose, it
chooses once for all that stands below it, and the best choices added up are a bound.

Letters are ranks, so that a class of letters is an interval; cells stand in the order in which
they are fixed. A cell of an empty interval, such as a hole, holds nothing.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.kernels.decorators import part, tuple_kernel
from tilelab.puzzles.boggle.kernels.board_sets import spread

NOTHING = 255
"""The letter of a cell that a path does not use."""


class Words(NamedTuple):
    """A trie in preorder, as :class:`tilelab.letters.trie.Trie`, its symbols as ranks."""

    symbol: NDArray[np.uint8]
    depth: NDArray[np.uint8]
    skip: NDArray[np.int32]
    string: NDArray[np.int32]
    """(nodes,), index of the string that ends here and is worth something, or -1."""
    value: NDArray[np.float64]
    """(strings,), from 0 up."""
    n_letters: int


class Cells(NamedTuple):
    """Which cells follow one another."""

    near_begin: NDArray[np.int64]
    """(cells + 1,), where each cell's neighbours begin in ``near``."""
    near: NDArray[np.int64]
    bit: NDArray[np.uint64]
    """(cells,), each cell in the sets of ``geometry``."""
    geometry: NDArray[np.uint64]
    """See :func:`tilelab.puzzles.boggle.kernels.board_sets.small_geometry`."""
    once: bool


class Paths(NamedTuple):
    """Room for the paths that spell the prefixes of one string, level after level."""

    letters: NDArray[np.uint8]
    """(paths, cells), the letter that a path needs in each cell, or NOTHING."""
    last: NDArray[np.int64]
    """(paths,), the cell where it ends."""
    begin: NDArray[np.int64]
    """(levels + 2,), where each level begins."""
    slots: NDArray[np.int32]
    """A hash table of paths; its size is a power of two above their number."""
    filled: NDArray[np.int64]
    """As ``slots``, the round in which each was filled: those of other rounds are empty."""
    nodes: NDArray[np.int64]
    """(cells,), the tree's node that the path hung last has come to at each cell."""
    round: NDArray[np.int64]
    """(1,), raised whenever the paths of a level are begun."""
    letter_cells: NDArray[np.uint64]
    reach: NDArray[np.uint64]


class Tree(NamedTuple):
    """An orderly tree; node 0 is its root, and a node comes after its parent."""

    parent: NDArray[np.int32]
    place: NDArray[np.int32]
    """(nodes,), cell * letters + letter by which a node is reached."""
    slots: NDArray[np.int32]
    """A hash table of nodes by parent and place, as ``Paths.slots``."""
    last_word: NDArray[np.int32]
    """(nodes,), the newest word of a node: the words come one after another."""
    first_entry: NDArray[np.int32]
    """(nodes,), where the chain of a node's words begins, or -1."""
    next_entry: NDArray[np.int32]
    entry_word: NDArray[np.int32]
    worth: NDArray[np.float64]
    """(nodes,), the values of a node's own words together."""
    bound: NDArray[np.float64]
    """(nodes,), the most that a node and what hangs below it can come to."""
    kid_begin: NDArray[np.int32]
    """(nodes + 1,), where each node's children begin in ``kids``."""
    kids: NDArray[np.int32]
    """Children, by parent, then by place."""
    order: NDArray[np.int32]
    place_count: NDArray[np.int32]
    size: NDArray[np.int64]
    """(2,): nodes, entries."""


@tuple_kernel
def sum_bound(words, cells, low, high, paths):
    """Add up the words that some board of a class can hold, one by one: a quick, loose bound.

    low, high: uint8 (cells,), the interval of each cell. Cells may be used again here, whatever the
    rule is; so the bound holds for both.
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
def guess_paths(words, cells, low, high, paths, stride, most_paths):
    """Guess how many steps the tree of a class takes, as float64.

    Of the parts of the trie that begin with three letters, one in ``stride`` is walked. After
    ``most_paths`` steps the walk stops, and what it has not come to counts in proportion.
    """
    begin = paths.begin
    begin[0] = 0
    node, n_nodes, n_made, n_parts = 0, words.symbol.shape[0], 0, 0
    while node < n_nodes and n_made <= most_paths:
        level = np.int64(words.depth[node])
        if level == 2:
            n_parts += 1
            if n_parts % stride:
                node = np.int64(words.skip[node])
                continue
        n_paths = _lengthen(words.symbol[node], level, cells, low, high, paths)
        if n_paths < 0:
            break
        begin[level + 1] = n_paths
        if level >= 2:
            n_made += n_paths - begin[level]
        node = node + 1 if n_paths > begin[level] else np.int64(words.skip[node])
    return n_made * stride * (n_nodes / max(node, 1))


@tuple_kernel
def grow_tree(words, cells, low, high, paths, tree, first, most_paths):
    """Grow the orderly tree of a class; :func:`finish_tree` comes after it.

    first: the node of the trie to go on from; 0 begins another tree.
    Returns the node to go on from, after ``most_paths`` steps or some more; the number of nodes
    when the tree is grown; -1 - node where it takes more room than there is.
    """
    begin = paths.begin
    if first == 0:
        tree.slots[:] = -1
        tree.size[0], tree.size[1] = 1, 0
        tree.parent[0], tree.place[0], tree.last_word[0] = -1, 0, -1
        tree.first_entry[0], tree.worth[0] = -1, 0.0
        begin[0] = 0
    node, n_nodes, n_made = np.int64(first), words.symbol.shape[0], 0
    while node < n_nodes and n_made < most_paths:
        level = np.int64(words.depth[node])
        n_paths = _lengthen(words.symbol[node], level, cells, low, high, paths)
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
                if not _hang(paths, path, path > begin[level], words, word, tree):
                    return -1 - node
        node += 1
    return node


@tuple_kernel
def finish_tree(tree, n_cells, n_letters):
    """Sort the children of a tree that is grown, and bound each node; the root's is the class's."""
    _sort_children(tree, n_cells * n_letters)
    _bound_nodes(tree, n_letters)


@part
def _lengthen(letter, level, cells, low, high, paths):
    """Lengthen each path of the level before by a letter; returns the end of the new, or -1."""
    if level == 0:
        return _first_cells(letter, low, high, paths)
    return _extend(letter, level, cells, low, high, paths)


@part
def _first_cells(letter, low, high, paths):
    """Begin a path in each cell that can hold a letter; returns their number."""
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
    """Go on from each path to the cells beside its end that can hold a letter.

    Where cells may be used again, paths of the same cells with the same end are one.
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
    """Note a path of a level; returns whether none of this level is like it."""
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
def _hang(paths, path, is_next, words, word, tree):
    """Hang a word into the tree where the cells and letters of a path lead; False: no room.

    is_next: whether the path before was hung just now; how they begin alike is not looked up again.
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
    """Return the child of a node at a place, made if need be; -1: there is no room."""
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
    """Fill ``kid_begin`` and ``kids``: sorted by place, and then, stably, by parent."""
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
    # While children are laid down, kid_begin[parent + 1] is where the parent's next one goes.
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
    for node in range(tree.size[0] - 1, -1, -1):
        total, most, cell = tree.worth[node], 0.0, -1
        for at in range(tree.kid_begin[node], tree.kid_begin[node + 1]):
            kid = tree.kids[at]
            if tree.place[kid] // n_letters != cell:
                total += most
                most, cell = 0.0, tree.place[kid] // n_letters
            most = max(most, tree.bound[kid])
        tree.bound[node] = total + most
