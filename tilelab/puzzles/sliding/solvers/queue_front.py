"""Which boards a best-first search expands next, without a change of its queue."""

import itertools
from collections.abc import Iterator

import numpy as np

from tilelab.puzzles.sliding.kernels import best_first as kernel
from tilelab.puzzles.sliding.solvers.board_store import BoardStore

_MOST_ENTRIES = 1000
"""Entries of the queue that are looked at; a board that was found by a shorter path has several."""


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
