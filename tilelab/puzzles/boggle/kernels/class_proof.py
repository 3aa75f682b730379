"""Every board of a class with a high value, from an orderly tree of the class's paths.

The method is that of hybrid-boggle (Vanderkam 2025, "A Computational Proof of the Highest-Scoring
Boggle Board"). A class gives each cell a group of letters. A path of a word is a set of cells with
their letters, written as a number of 64 bits: five bits for each cell, the first cell highest, and
0 for a cell that is not used. Sorted, the numbers are the leaves of the orderly tree.

Cells are numbered in the order in which they are fixed. The slot of a cell counts from the last
one, so that the children of a node are sorted by slot, then by letter. Letters are indices in the
group of their cell.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.kernels.decorators import part, tuple_kernel
from tilelab.puzzles.boggle.kernels.classic_walk import n_bits

VALUE_BITS = 4
"""Number of bits of a path below its cells, for the place of its word's value in a table."""
LETTER_BITS = 5
PLACES = 1 << LETTER_BITS
"""Number of places of a slot; the place of a child is slot * PLACES + letter."""
NO_ROOM = -1
STOPPED = -2


class ProofWords(NamedTuple):
    """A trie in preorder, as :class:`tilelab.letters.trie.LexiconTrie`, and a board."""

    symbol: NDArray[np.uint8]
    depth: NDArray[np.uint8]
    skip: NDArray[np.int32]
    worth: NDArray[np.int8]
    """(nodes,), place in ``values`` of the value of the word that ends here; -1 for none."""
    is_repeating: NDArray[np.bool_]
    """(nodes,), whether a letter occurs twice from the root to the node."""
    values: NDArray[np.int32]
    """(2 ** VALUE_BITS,), different values of words."""
    near: NDArray[np.uint64]
    """(cells,), set of the neighbours of each cell."""


class ClassLetters(NamedTuple):
    """The groups of letters of a class."""

    cells: NDArray[np.uint64]
    """(letters of the lexicon,), set of the cells that can have each letter."""
    keys: NDArray[np.uint64]
    """(letters of the lexicon, cells), bits of a path that uses a cell with a letter."""
    n_letters: NDArray[np.int64]
    """(cells,), size of each cell's group."""


class PathRoom(NamedTuple):
    """Working arrays of :func:`list_paths`."""

    keys: NDArray[np.uint64]
    """(paths,), the result."""
    prefix: NDArray[np.uint64]
    """(prefixes,), path of each spelling of the current prefixes, level by level."""
    state: NDArray[np.uint32]
    """(prefixes,), cells that a spelling uses, and its last cell above 16 bits."""
    begin: NDArray[np.int64]
    """(levels + 2,), first spelling of each level."""
    seen: NDArray[np.uint64]
    """A hash table of paths; its size is a power of two."""
    seen_by: NDArray[np.int32]
    """(slots,), node of the trie whose paths are in each slot."""


class ProofTree(NamedTuple):
    """An orderly tree, and a pool above it for trees with fixed cells."""

    points: NDArray[np.int32]
    """(nodes,), value of the paths that end in each node."""
    bound: NDArray[np.int32]
    """(nodes,), upper bound of the value of each node's subtree."""
    begin: NDArray[np.int32]
    """(nodes,), first child of each node."""
    end: NDArray[np.int32]
    place: NDArray[np.uint16]
    """(children,), place of each child."""
    gain: NDArray[np.int32]
    """(children,), bound of each child."""
    node: NDArray[np.int32]
    """(children,), node of each child, or -1 for a child without children."""
    size: NDArray[np.int64]
    """(2,), number of nodes and of children."""


class DepthRoom(NamedTuple):
    """Working arrays of a search; at level k, the first k cells are fixed."""

    letter: NDArray[np.int64]
    """(cells + 1,), letter of each fixed cell."""
    root: NDArray[np.int64]
    """(cells + 1,), root of the tree of each level."""
    rest: NDArray[np.int64]
    """(cells + 1,), the same without its children for the next cell."""
    tops: NDArray[np.int64]
    """(cells + 1, 2), ``ProofTree.size`` at each level."""
    link_begin: NDArray[np.int32]
    """(cells, links), by slot: first child of a chosen node for that slot."""
    link_end: NDArray[np.int32]
    n_links: NDArray[np.int64]
    """(cells + 1, cells), number of links of each slot at each level."""
    gain: NDArray[np.int32]
    """(cells + 1, cells, PLACES), by slot and letter: sum of the bounds of the children."""
    highest: NDArray[np.int32]
    """(cells + 1, cells), highest gain of each slot."""
    total: NDArray[np.int64]
    """(cells + 1,), value of the chosen nodes."""
    above: NDArray[np.int64]
    """(cells + 1,), sum of ``highest`` of all slots that are not fixed."""
    boards: NDArray[np.uint8]
    """(boards, cells), letters of the boards that remain."""
    counts: NDArray[np.int64]
    """(cells + 2,), highest bound of each level, then the number of remaining boards."""
    stop: NDArray[np.bool_]
    """(1,), whether to return as soon as possible."""


def cell_bits(cell: int, letter: int, n_cells: int) -> int:
    """Return the bits of a path that uses a cell, by its place in the order, with a letter."""
    return (letter + 1) << (LETTER_BITS * (n_cells - 1 - cell) + VALUE_BITS)


@tuple_kernel
def list_paths(words, letters, room):
    """List the paths of all words of a class, each with its value; a word uses a cell once.

    A word with several orders of the same cells and letters is listed once for them. Returns the
    number of paths in ``room.keys``, or NO_ROOM.
    """
    begin = room.begin
    begin[0] = 0
    n_keys = 0
    room.seen_by[:] = -1
    node, n_nodes = 0, words.symbol.shape[0]
    while node < n_nodes:
        level = np.int64(words.depth[node])
        end = _extend(np.int64(words.symbol[node]), level, words.near, letters, room)
        if end < 0:
            return NO_ROOM
        begin[level + 1] = end
        if end == begin[level]:
            node = np.int64(words.skip[node])
            continue
        if words.worth[node] >= 0:
            if n_keys + end - begin[level] > room.keys.shape[0]:
                return NO_ROOM
            worth = np.uint64(words.worth[node])
            if not words.is_repeating[node]:
                for at in range(begin[level], end):
                    room.keys[n_keys] = room.prefix[at] | worth
                    n_keys += 1
            else:
                if 2 * (end - begin[level]) > room.seen.shape[0]:
                    return NO_ROOM
                for at in range(begin[level], end):
                    if _is_new(room.prefix[at], node, room):
                        room.keys[n_keys] = room.prefix[at] | worth
                        n_keys += 1
        node += 1
    return n_keys


@part
def _extend(symbol, level, near, letters, room):
    """Extend each spelling of the previous level by a letter; returns their end, or NO_ROOM."""
    here = letters.cells[symbol]
    prefix, state, begin = room.prefix, room.state, room.begin
    if level == 0:
        end = 0
        for cell in range(near.shape[0]):
            if here & (np.uint64(1) << np.uint64(cell)):
                prefix[end] = letters.keys[symbol, cell]
                state[end] = np.uint32((1 << cell) | (cell << 16))
                end += 1
        return end
    first, end = begin[level - 1], begin[level]
    for at in range(first, begin[level]):
        own = np.uint64(state[at])
        free = near[own >> np.uint64(16)] & here & ~own
        if end + near.shape[0] > prefix.shape[0]:
            return NO_ROOM
        while free:
            bit = free & (~free + np.uint64(1))
            free ^= bit
            cell = np.int64(n_bits(bit - np.uint64(1)))
            prefix[end] = prefix[at] | letters.keys[symbol, cell]
            state[end] = np.uint32((own & np.uint64(0xFFFF)) | bit | np.uint64(cell << 16))
            end += 1
    return end


@part
def _is_new(path, node, room):
    """Record a path of a node of the trie; returns whether it was not recorded before."""
    mask = np.uint64(room.seen.shape[0] - 1)
    slot = ((path * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & mask
    while room.seen_by[slot] == node:
        if room.seen[slot] == path:
            return False
        slot = (slot + np.uint64(1)) & mask
    room.seen_by[slot], room.seen[slot] = node, path
    return True


@tuple_kernel
def grow_tree(keys, n_keys, values, n_cells, tree, pending, opened):
    """Make the orderly tree of sorted paths; returns its number of different paths, or NO_ROOM.

    pending: int32 (places, 3), place, bound and node of the children of nodes that are open.
    opened: int64 (cells + 1, 3), place, points and first pending child of each of these nodes.
    The root is the last node.
    """
    tree.size[0], tree.size[1] = 0, 0
    opened[0, 0], opened[0, 1], opened[0, 2] = -1, 0, 0
    depth, n_pending, n_paths, at = 0, 0, 0, 0
    mask = np.uint64(PLACES - 1)
    before = np.uint64(0)
    while at < n_keys:
        path = keys[at] >> np.uint64(VALUE_BITS)
        points = np.int64(0)
        while at < n_keys and keys[at] >> np.uint64(VALUE_BITS) == path:
            points += values[np.int64(keys[at] & np.uint64((1 << VALUE_BITS) - 1))]
            at += 1
        n_paths += 1
        slot = n_cells - 1
        while slot > 0 and not ((path ^ before) >> np.uint64(LETTER_BITS * slot)) & mask:
            slot -= 1
        while depth and opened[depth, 0] >> LETTER_BITS <= slot:
            n_pending = _close_node(depth, n_pending, tree, pending, opened)
            if n_pending < 0:
                return NO_ROOM
            depth -= 1
        while slot >= 0:
            letter = (path >> np.uint64(LETTER_BITS * slot)) & mask
            if letter:
                depth += 1
                opened[depth, 0] = slot * PLACES + np.int64(letter) - 1
                opened[depth, 1], opened[depth, 2] = 0, n_pending
            slot -= 1
        opened[depth, 1] += points
        before = path
    while depth >= 0:
        n_pending = _close_node(depth, n_pending, tree, pending, opened)
        if n_pending < 0:
            return NO_ROOM
        depth -= 1
    return n_paths


@part
def _close_node(depth, n_pending, tree, pending, opened):
    """Give an open node its children, and add it to the pending ones; returns their number."""
    first, node = opened[depth, 2], tree.size[0]
    bound, index = opened[depth, 1], np.int64(-1)
    if first < n_pending or depth == 0:
        begin = tree.size[1]
        end = begin + n_pending - first
        if node == tree.points.shape[0] or end > tree.place.shape[0]:
            return np.int64(NO_ROOM)
        for at in range(first, n_pending):
            child = begin + at - first
            tree.place[child] = pending[at, 0]
            tree.gain[child] = pending[at, 1]
            tree.node[child] = pending[at, 2]
        tree.points[node], tree.begin[node], tree.end[node] = bound, begin, end
        _bound_node(node, tree)
        tree.size[0], tree.size[1] = node + 1, end
        bound, index = np.int64(tree.bound[node]), node
    pending[first, 0], pending[first, 1], pending[first, 2] = opened[depth, 0], bound, index
    return first + 1


@part
def _bound_node(node, tree):
    """Compute the bound of a node: its points, and the highest gain of each slot."""
    total, highest, slot = np.int64(tree.points[node]), np.int64(0), np.int64(-1)
    for at in range(tree.begin[node], tree.end[node]):
        other = np.int64(tree.place[at]) >> LETTER_BITS
        if other != slot:
            total += highest
            highest, slot = np.int64(0), other
        highest = max(highest, np.int64(tree.gain[at]))
    tree.bound[node] = total + highest


@part
def _new_node(points, begin, end, tree):
    """Add a node with given children; returns it, or NO_ROOM. Its bound is still missing."""
    node = tree.size[0]
    if node == tree.points.shape[0]:
        return np.int64(NO_ROOM)
    tree.size[0] = node + 1
    tree.points[node], tree.begin[node], tree.end[node] = points, begin, end
    return node


@part
def _merge(one, other, tree):
    """Return a node with the paths of two nodes, or NO_ROOM; subtrees of only one are shared."""
    at, end = np.int64(tree.begin[one]), np.int64(tree.end[one])
    by, last = np.int64(tree.begin[other]), np.int64(tree.end[other])
    to = tree.size[1]
    room = end - at + last - by
    node = _new_node(tree.points[one] + tree.points[other], to, to, tree)
    if node < 0 or to + room > tree.place.shape[0]:
        return np.int64(NO_ROOM)
    tree.size[1] = to + room
    while at < end or by < last:
        is_one = at < end and (by == last or tree.place[at] <= tree.place[by])
        is_other = by < last and (at == end or tree.place[by] <= tree.place[at])
        if is_one and is_other:
            child, bound = np.int64(-1), np.int64(tree.gain[at]) + np.int64(tree.gain[by])
            left, right = np.int64(tree.node[at]), np.int64(tree.node[by])
            if left >= 0 and right >= 0:
                child = _merge(left, right, tree)
                if child < 0:
                    return np.int64(NO_ROOM)
                bound = np.int64(tree.bound[child])
            elif left >= 0 or right >= 0:
                # One of them has no children, and its bound is its points.
                inner, points = (left, tree.gain[by]) if left >= 0 else (right, tree.gain[at])
                child = _new_node(
                    tree.points[inner] + points, tree.begin[inner], tree.end[inner], tree
                )
                if child < 0:
                    return np.int64(NO_ROOM)
                tree.bound[child] = bound
            tree.place[to], tree.gain[to], tree.node[to] = tree.place[at], bound, child
        else:
            source = at if is_one else by
            tree.place[to], tree.gain[to] = tree.place[source], tree.gain[source]
            tree.node[to] = tree.node[source]
        at += is_one
        by += is_other
        to += 1
    tree.end[node] = to
    _bound_node(node, tree)
    return node


@part
def _force(level, letter, n_cells, cutoff, tree, room):
    """Return a tree in which the next cell has a letter, or NO_ROOM; its bound is computed.

    The bound may be only that of a sum if that is below ``cutoff`` already.
    """
    rest = room.rest[level]
    place = (n_cells - 1 - level) * PLACES + letter
    at, end = np.int64(tree.end[rest]), np.int64(tree.end[room.root[level]])
    while at < end and tree.place[at] != place:
        at += 1
    if at == end:
        return rest
    child, gain = np.int64(tree.node[at]), tree.gain[at]
    if child >= 0 and tree.bound[rest] + gain >= cutoff:
        return _merge(child, rest, tree)
    node = _new_node(tree.points[rest] + gain, tree.begin[rest], tree.end[rest], tree)
    if node >= 0:
        tree.bound[node] = tree.bound[rest] + gain
    return node


@part
def _begin_level(level, root, n_cells, tree, room):
    """Prepare the choice of a letter for the next cell; returns whether there is room."""
    place = (n_cells - 1 - level) * PLACES
    end = np.int64(tree.end[root])
    while end > tree.begin[root] and tree.place[end - 1] >= place:
        end -= 1
    rest = _new_node(tree.points[root], tree.begin[root], end, tree)
    if rest < 0:
        return False
    _bound_node(rest, tree)
    room.root[level], room.rest[level], room.letter[level] = root, rest, -1
    room.tops[level, 0], room.tops[level, 1] = tree.size[0], tree.size[1]
    return True


@tuple_kernel
def search_class(n_letters, tree, room, cutoff, switch):
    """Find the boards of a class whose bound is at least ``cutoff``.

    Cells are fixed by merging trees while the bound is above ``switch``; then depth first. Returns
    the number of boards in ``room.boards``, NO_ROOM or STOPPED.
    """
    n_cells = n_letters.shape[0]
    room.counts[:] = 0
    root = tree.size[0] - 1
    room.counts[0] = tree.bound[root]
    if tree.bound[root] < cutoff:
        return 0
    level = 0
    if tree.bound[root] <= switch:
        status = _search_depth(0, root, n_letters, tree, room, cutoff)
        return status if status < 0 else room.counts[n_cells + 1]
    if not _begin_level(0, root, n_cells, tree, room):
        return NO_ROOM
    while level >= 0:
        tree.size[0], tree.size[1] = room.tops[level, 0], room.tops[level, 1]
        room.letter[level] += 1
        if room.letter[level] == n_letters[level]:
            level -= 1
            continue
        if room.stop[0]:
            return STOPPED
        node = _force(level, room.letter[level], n_cells, cutoff, tree, room)
        if node < 0:
            return NO_ROOM
        bound = np.int64(tree.bound[node])
        room.counts[level + 1] = max(room.counts[level + 1], bound)
        if bound < cutoff:
            continue
        if bound <= switch or level + 1 == n_cells:
            status = _search_depth(level + 1, node, n_letters, tree, room, cutoff)
            if status < 0:
                return status
            continue
        level += 1
        if not _begin_level(level, node, n_cells, tree, room):
            return NO_ROOM
    return room.counts[n_cells + 1]


@part
def _search_depth(first, root, n_letters, tree, room, cutoff):
    """Fix the other cells one after another, without new nodes; returns 0, NO_ROOM or STOPPED."""
    n_cells = n_letters.shape[0]
    if first == n_cells:
        return _keep_board(n_cells, room)
    room.gain[first, :, :] = 0
    room.n_links[first, :] = 0
    room.total[first] = 0
    if not _choose(first, root, tree, room):
        return NO_ROOM
    _sum_highest(first, n_letters, room)
    level = first
    room.letter[level] = -1
    while level >= first:
        slot = n_cells - 1 - level
        room.letter[level] += 1
        letter = room.letter[level]
        if letter == n_letters[level]:
            level -= 1
            continue
        others = room.total[level] + room.above[level] - room.highest[level, slot]
        if others + room.gain[level, slot, letter] < cutoff:
            continue
        if slot == 0:
            status = _keep_board(n_cells, room)
            if status < 0:
                return status
            continue
        if room.stop[0]:
            return STOPPED
        after = level + 1
        for other in range(slot):
            room.n_links[after, other] = room.n_links[level, other]
            for sign in range(n_letters[n_cells - 1 - other]):
                room.gain[after, other, sign] = room.gain[level, other, sign]
        room.total[after] = room.total[level]
        if not _fix(level, slot, letter, tree, room):
            return NO_ROOM
        _sum_highest(after, n_letters, room)
        if room.total[after] + room.above[after] >= cutoff:
            level = after
            room.letter[level] = -1
    return 0


@part
def _keep_board(n_cells, room):
    """Add the current board to those that remain; returns 0 or NO_ROOM."""
    n_boards = room.counts[n_cells + 1]
    if n_boards == room.boards.shape[0]:
        return NO_ROOM
    for cell in range(n_cells):
        room.boards[n_boards, cell] = room.letter[cell]
    room.counts[n_cells + 1] = n_boards + 1
    return 0


@part
def _sum_highest(level, n_letters, room):
    """Compute the highest gain of each slot that is not fixed, and their sum."""
    n_cells, total = n_letters.shape[0], np.int64(0)
    for slot in range(n_cells - level):
        highest = np.int32(0)
        for letter in range(n_letters[n_cells - 1 - slot]):
            highest = max(highest, room.gain[level, slot, letter])
        room.highest[level, slot] = highest
        total += highest
    room.above[level] = total


@part
def _fix(level, slot, letter, tree, room):
    """Choose the children of all chosen nodes for a slot and a letter; False if no room is left."""
    place = slot * PLACES + letter
    for link in range(room.n_links[level, slot]):
        for at in range(room.link_begin[slot, link], room.link_end[slot, link]):
            if tree.place[at] == place:
                child = np.int64(tree.node[at])
                if child < 0:
                    room.total[level + 1] += tree.gain[at]
                elif not _choose(level + 1, child, tree, room):
                    return False
                break
    return True


@part
def _choose(level, node, tree, room):
    """Count a node's points and add its children to the gains; returns False if no room is left."""
    room.total[level] += tree.points[node]
    slot = np.int64(-1)
    link = np.int64(-1)
    for at in range(tree.begin[node], tree.end[node]):
        place = np.int64(tree.place[at])
        if place >> LETTER_BITS != slot:
            if slot >= 0:
                room.link_end[slot, link] = at
            slot = place >> LETTER_BITS
            link = room.n_links[level, slot]
            if link == room.link_begin.shape[1]:
                return False
            room.link_begin[slot, link] = at
            room.n_links[level, slot] = link + 1
        room.gain[level, slot, place & (PLACES - 1)] += tree.gain[at]
    if slot >= 0:
        room.link_end[slot, link] = tree.end[node]
    return True
