"""The board that a best-first search has expanded last, noted while somebody watches."""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from tilelab.core.text.language import tr
from tilelab.puzzles.sliding.kernels import best_first as kernel
from tilelab.puzzles.sliding.solvers.board_store import BoardStore

_MOST_CHILDREN = 4
_MOST_ENTRIES = 1000
"""Entries of the queue that are looked at; a board that was found by a shorter path has several."""


class Expansion(NamedTuple):
    """A board that was expanded, and how its side stood before."""

    node: int
    first_node: int
    """Of the boards that are new since then."""
    first_entry: int
    """Of the queue, of those put in since then."""


class Child(NamedTuple):
    """A board that an expansion has generated."""

    move: int
    node: int
    """-1: the board had been visited before, by a path that is no worse."""


def next_nodes(store: BoardStore, most: int) -> list[int]:
    """Return at most so many nodes as they would be expanded if they had no children."""
    is_heap = store.rule.numbers[2] == kernel.HEAP
    entries = _from_heap(store) if is_heap else _from_buckets(store)
    nodes: list[int] = []
    for entry in itertools.islice(entries, _MOST_ENTRIES):
        if len(nodes) == most:
            break
        node, way = store.entries[entry, :2].tolist()
        if not store.links[node, kernel.CLOSED] and store.links[node, kernel.WAY] == way:
            nodes.append(node)
    return nodes


def _from_buckets(store: BoardStore) -> Iterator[int]:
    lowest = int(store.scalars[kernel.LOWEST])
    for entry in store.buckets[lowest:, 0][store.buckets[lowest:, 0] >= 0].tolist():
        following = entry
        while following >= 0:
            yield following
            following = int(store.entries[following, 2])


def _from_heap(store: BoardStore) -> Iterator[int]:
    """Take one entry after the other out of the heap as ``sink`` does, without touching it."""
    moved: dict[int, int] = {}
    """What stands elsewhere by now, by its place in the heap."""

    def at(place: int) -> int:
        return moved[place] if place in moved else int(store.entries[place, 2])

    def f_of(entry: int) -> float:
        g_weight, h_weight = store.rule.numbers[:2].tolist()
        node, way = store.entries[entry, :2].tolist()
        estimate = np.float64(h_weight * int(store.links[node, kernel.ESTIMATE]))
        return float((way if g_weight else 0.0) + estimate / np.float64(max(g_weight, 1)))

    for last in range(int(store.scalars[kernel.FRONTIER]) - 1, -1, -1):
        yield at(0)
        entry, place = at(last), 0
        f = f_of(entry)
        while 2 * place + 1 < last:
            left = 2 * place + 1
            # Of two equal entries the left one.
            below = min(range(left, min(left + 2, last)), key=lambda child: f_of(at(child)))
            if f <= f_of(at(below)):
                break
            moved[place], place = at(below), below
        moved[place] = entry


def run_watched(
    store: BoardStore, until_expanded: int, until_generated: int, other: BoardStore | None
) -> tuple[int, Expansion | None]:
    """Search as ``store.run``; returns its code and the last expansion.

    The last ones are made one by one, so that it can be seen before each which board is next. None:
    there was none, or too many entries of the queue had to be looked at to see it.
    """
    code = store.run(until_expanded - 1, until_generated - _MOST_CHILDREN, other)
    counts, last = store.scalars, None
    while (
        code == kernel.RUNNING
        and counts[kernel.EXPANDED] < until_expanded
        and counts[kernel.GENERATED] < until_generated
    ):
        before = int(counts[kernel.EXPANDED])
        first_node, first_entry = int(counts[kernel.N_NODES]), int(counts[kernel.N_ENTRIES])
        following = next_nodes(store, 1)
        code = store.run(before + 1, until_generated, other)
        if counts[kernel.EXPANDED] > before:
            last = Expansion(following[0], first_node, first_entry) if following else None
    return code, last


def children_of(store: BoardStore, last: Expansion) -> list[Child]:
    """Return what the last expansion has generated, in that order."""
    link, back = store.links[last.node], -1
    if link[kernel.PARENT] >= 0:
        back = int(link[kernel.MOVE]) ^ 1
    pushed = store.entries[last.first_entry : int(store.scalars[kernel.N_ENTRIES]), 0].tolist()
    by_move = {int(store.links[node, kernel.MOVE]): node for node in pushed}
    children: list[Child] = []
    for move in store.rule.numbers[5:].tolist():
        if store.target[link[kernel.BLANK], move] < 0 or move == back:
            continue
        if not by_move and store.scalars[kernel.MEETING] >= 0:
            break  # Both sides have met in the child before.
        children.append(Child(move, by_move.pop(move, -1)))
    return children


def described(last: Expansion, children: list[Child]) -> str:
    """Write what came of an expansion: ``3 new boards, 1 visited before``."""
    n_new = sum(child.node >= last.first_node for child in children)
    n_again = sum(child.node < 0 for child in children)
    n_shorter = len(children) - n_new - n_again
    words = [
        tr("{n_new} new board").format(n_new=n_new)
        if n_new == 1
        else tr("{n_new} new boards").format(n_new=n_new)
    ]
    if n_shorter:
        words.append(tr("{n_shorter} by a shorter path").format(n_shorter=n_shorter))
    if n_again:
        words.append(tr("{n_again} visited before").format(n_again=n_again))
    return ", ".join(words)
