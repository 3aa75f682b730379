"""A search of an orderly tree for the best board of its class, cell by cell."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.kernels.decorators import part, tuple_kernel


class Fixing(NamedTuple):
    """Working arrays of a search; at level k, the first k cells are fixed."""

    head: NDArray[np.int32]
    """(cells + 1, cells), first link in a level's chain of nodes with choices for a cell, or -1."""
    next_link: NDArray[np.int32]
    link_begin: NDArray[np.int32]
    """(links,), place in ``Tree.kids`` of a node's first child for the cell of the chain."""
    link_end: NDArray[np.int32]
    gain: NDArray[np.float64]
    """(cells + 1, cells, letters), upper bound of the value that each choice adds."""
    rest: NDArray[np.float64]
    """(cells + 1,), upper bound of the value that the cells not fixed at a level add."""
    total: NDArray[np.float64]
    """(cells + 1,), value of the words found at a level."""
    n_links: NDArray[np.int64]
    """(cells + 1,), number of links in use at a level."""
    n_found: NDArray[np.int64]
    """(cells + 1,), number of words found at a level."""
    found: NDArray[np.int32]
    """(strings,), words that have been found."""
    is_found: NDArray[np.bool_]
    """(strings,), whether a word has been found; all False between searches."""
    letter: NDArray[np.int64]
    """(cells + 1,), current letter of each cell."""
    board: NDArray[np.uint8]
    """(cells,), best board found."""


@tuple_kernel
def search_tree(words, low, high, tree, fixing, bound, slack, max_visits):
    """Find the best board of a class with a value above ``bound``.

    slack: a value counts as higher only if the difference is larger than this. A word with several
    paths counts once, so that the value of a complete board is exact.
    Returns (whether the search ended within ``max_visits`` nodes, best value, visited nodes). The
    best value is ``bound`` if no board is better. The board is in ``fixing.board``; a cell whose
    letter has no effect gets its lowest letter.
    """
    n_cells = low.shape[0]
    fixing.head[0, :] = -1
    fixing.gain[0, :, :] = 0.0
    fixing.n_links[0], fixing.n_found[0], fixing.total[0] = 0, 0, 0.0
    visits = _visit(0, 0, words, tree, fixing)
    fixing.rest[0] = _rest(0, low, high, fixing)
    level = 0
    best = bound
    fixing.letter[0] = np.int64(low[0]) - 1
    while level >= 0:
        letter = fixing.letter[level] + 1
        fixing.letter[level] = letter
        is_hole = low[level] > high[level]
        if letter > np.int64(high[level]) and not (is_hole and letter == np.int64(low[level])):
            _forget(fixing, fixing.n_found[level - 1] if level else 0, fixing.n_found[level])
            level -= 1
            continue
        if visits > max_visits:
            _forget(fixing, 0, fixing.n_found[level])
            return False, best, visits
        others = fixing.rest[level] - _highest_gain(level, level, low, high, fixing)
        gain = 0.0 if is_hole else fixing.gain[level, level, letter]
        if fixing.total[level] + others + gain <= best + slack:
            continue
        visits += 1 + _fix(level, letter, words, tree, fixing)
        fixing.rest[level + 1] = _rest(level + 1, low, high, fixing)
        if fixing.total[level + 1] + fixing.rest[level + 1] > best + slack:
            if level + 1 < n_cells:
                level += 1
                fixing.letter[level] = np.int64(low[level]) - 1
                continue
            best = fixing.total[n_cells]
            for cell in range(n_cells):
                fixing.board[cell] = fixing.letter[cell]
        _forget(fixing, fixing.n_found[level], fixing.n_found[level + 1])
    return True, best, visits


@part
def _highest_gain(level, cell, low, high, fixing):
    """Return the highest gain of a cell's letters at a level."""
    highest = 0.0
    for letter in range(np.int64(low[cell]), np.int64(high[cell]) + 1):
        highest = max(highest, fixing.gain[level, cell, letter])
    return highest


@part
def _rest(level, low, high, fixing):
    """Return the sum of the highest gains of all cells not fixed at a level."""
    total = 0.0
    for cell in range(level, low.shape[0]):
        total += _highest_gain(level, cell, low, high, fixing)
    return total


@part
def _fix(level, letter, words, tree, fixing):
    """Fix the next cell; returns the number of children visited."""
    after = level + 1
    n_cells = fixing.head.shape[1]
    for cell in range(after, n_cells):
        fixing.head[after, cell] = fixing.head[level, cell]
        for other in range(words.n_letters):
            fixing.gain[after, cell, other] = fixing.gain[level, cell, other]
    fixing.n_links[after] = fixing.n_links[level]
    fixing.n_found[after] = fixing.n_found[level]
    fixing.total[after] = fixing.total[level]
    place = level * words.n_letters + letter
    n_visits = 0
    link = fixing.head[level, level]
    while link >= 0:
        for at in range(fixing.link_begin[link], fixing.link_end[link]):
            n_visits += 1
            child = tree.kids[at]
            if tree.place[child] == place:
                n_visits += _visit(after, child, words, tree, fixing)
                break
        link = fixing.next_link[link]
    return n_visits


@part
def _visit(level, node, words, tree, fixing):
    """Count a node's words and add its children to the choices; returns their number."""
    entry = tree.first_entry[node]
    n_found = fixing.n_found[level]
    while entry >= 0:
        word = tree.entry_word[entry]
        if not fixing.is_found[word]:
            fixing.is_found[word] = True
            fixing.found[n_found] = word
            n_found += 1
            fixing.total[level] += words.value[word]
        entry = tree.next_entry[entry]
    fixing.n_found[level] = n_found
    begin, end = np.int64(tree.kid_begin[node]), np.int64(tree.kid_begin[node + 1])
    cell = np.int64(-1)
    link = fixing.n_links[level]
    for at in range(begin, end):
        child = tree.kids[at]
        place = np.int64(tree.place[child])
        if place // words.n_letters != cell:
            cell = place // words.n_letters
            fixing.next_link[link] = fixing.head[level, cell]
            fixing.head[level, cell] = link
            fixing.link_begin[link] = at
            link += 1
        fixing.link_end[link - 1] = at + 1
        fixing.gain[level, cell, place % words.n_letters] += tree.bound[child]
    fixing.n_links[level] = link
    return end - begin


@part
def _forget(fixing, begin, end):
    """Remove some words from those found."""
    for at in range(begin, end):
        fixing.is_found[fixing.found[at]] = False
