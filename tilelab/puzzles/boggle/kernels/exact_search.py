"""Search an orderly tree for the best board of its class, cell after cell."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.kernels.decorators import part, tuple_kernel


class Fixing(NamedTuple):
    """Room for a search; level k has the first k cells fixed."""

    head: NDArray[np.int32]
    """(cells + 1, cells), a level's chain of children to choose from in each cell, or -1."""
    next_link: NDArray[np.int32]
    link_begin: NDArray[np.int32]
    """(links,), the first of a node's children in the cell of its chain, in ``Tree.kids``."""
    link_end: NDArray[np.int32]
    gain: NDArray[np.float64]
    """(cells + 1, cells, letters), the most that each choice adds."""
    rest: NDArray[np.float64]
    """(cells + 1,), the most that the cells add which a level has not fixed."""
    total: NDArray[np.float64]
    """(cells + 1,), the value of the words found at a level."""
    n_links: NDArray[np.int64]
    """(cells + 1,)"""
    n_found: NDArray[np.int64]
    """(cells + 1,)"""
    found: NDArray[np.int32]
    """(strings,), the words that have been found."""
    is_found: NDArray[np.bool_]
    """(strings,), all False between two searches."""
    letter: NDArray[np.int64]
    """(cells + 1,), the letter that each cell is tried with."""
    board: NDArray[np.uint8]
    """(cells,), the best board found."""


@tuple_kernel
def search_tree(words, low, high, tree, fixing, least, slack, most_visits):
    """Find the best board of a class whose value is above ``least``.

    slack: what is not above a value by more than this is as good as equal. A word counts once,
    however many paths lead to it; so the value of a whole board is exact.
    Returns (whether the search came to its end within ``most_visits`` nodes, the best value, or
    ``least`` when no board is better). The board is in ``fixing.board``, a cell whose letter does
    not matter has its lowest; the visits are so many.
    """
    n_cells = low.shape[0]
    fixing.head[0, :] = -1
    fixing.gain[0, :, :] = 0.0
    fixing.n_links[0], fixing.n_found[0], fixing.total[0] = 0, 0, 0.0
    visits = _visit(0, 0, words, tree, fixing)
    fixing.rest[0] = _rest(0, low, high, fixing)
    level = 0
    best = least
    fixing.letter[0] = np.int64(low[0]) - 1
    while level >= 0:
        letter = fixing.letter[level] + 1
        fixing.letter[level] = letter
        is_hole = low[level] > high[level]
        if letter > np.int64(high[level]) and not (is_hole and letter == np.int64(low[level])):
            _forget(fixing, fixing.n_found[level - 1] if level else 0, fixing.n_found[level])
            level -= 1
            continue
        if visits > most_visits:
            _forget(fixing, 0, fixing.n_found[level])
            return False, best, visits
        others = fixing.rest[level] - _most(level, level, low, high, fixing)
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
def _most(level, cell, low, high, fixing):
    most = 0.0
    for letter in range(np.int64(low[cell]), np.int64(high[cell]) + 1):
        most = max(most, fixing.gain[level, cell, letter])
    return most


@part
def _rest(level, low, high, fixing):
    total = 0.0
    for cell in range(level, low.shape[0]):
        total += _most(level, cell, low, high, fixing)
    return total


@part
def _fix(level, letter, words, tree, fixing):
    """Fix the next cell; returns how many children were looked at."""
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
            kid = tree.kids[at]
            if tree.place[kid] == place:
                n_visits += _visit(after, kid, words, tree, fixing)
                break
        link = fixing.next_link[link]
    return n_visits


@part
def _visit(level, node, words, tree, fixing):
    """Count a node's words and offer its children; returns how many there are."""
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
        kid = tree.kids[at]
        place = np.int64(tree.place[kid])
        if place // words.n_letters != cell:
            cell = place // words.n_letters
            fixing.next_link[link] = fixing.head[level, cell]
            fixing.head[level, cell] = link
            fixing.link_begin[link] = at
            link += 1
        fixing.link_end[link - 1] = at + 1
        fixing.gain[level, cell, place % words.n_letters] += tree.bound[kid]
    fixing.n_links[level] = link
    return end - begin


@part
def _forget(fixing, begin, end):
    """Take back words that were found."""
    for at in range(begin, end):
        fixing.is_found[fixing.found[at]] = False
