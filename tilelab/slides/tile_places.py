"""Which of several equal tiles goes to which of their places: as near as can be, parity right."""

import itertools

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError
from tilelab.core.text.language import tr
from tilelab.slides.moves import cells_apart, is_solvable

_MOST_SWAPS = 4


def numbered_boards(
    start: NDArray[np.uint8], goal: NDArray[np.uint8], cols: int, n_most: int
) -> list[tuple[NDArray[np.uint8], NDArray[np.uint8]]]:
    """Number the tiles of two boards of the same tiles so that slides lead from one to the other.

    start, goal: uint8 (cells,), 0 for the blank, equal numbers for tiles that are alike.
    Returns at most ``n_most`` pairs of boards with every number once; raises GridError when slides
    cannot lead from start to goal.
    """
    places = np.empty(len(start), np.int64)
    for kind in np.unique(start):
        ours, theirs = np.flatnonzero(start == kind), np.flatnonzero(goal == kind)
        if len(ours) != len(theirs):
            raise GridError(tr("the two boards do not have the same tiles"))
        places[ours] = theirs[cheapest_pairs(cells_apart(ours[:, None], theirs, cols))]
    numbers = _numbers(goal)
    found = []
    for swaps in _exchanges(start, places, cols):
        changed = places.copy()
        for one, two in swaps:
            changed[[one, two]] = changed[[two, one]]
        tiles = numbers[changed]
        if is_solvable(tiles, numbers, cols):
            found.append((tiles, numbers))
            if len(found) == n_most:
                break
    if not found:
        raise GridError(tr("slides cannot lead from the one board to the other"))
    return found


def _numbers(goal: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The goal with 0 for the blank and 1, 2, … for its tiles."""
    numbers = np.zeros(len(goal), np.uint8)
    numbers[goal > 0] = np.arange(1, len(goal))
    return numbers


def _exchanges(
    start: NDArray[np.uint8], places: NDArray[np.int64], cols: int
) -> list[tuple[tuple[int, int], ...]]:
    """List changes of the places, the least costly first: none, one exchange, or two."""
    priced = []
    for kind in np.unique(start[start > 0]):
        cells = np.flatnonzero(start == kind)
        apart = cells_apart(cells[:, None], places[cells], cols)
        for one, two in itertools.combinations(range(len(cells)), 2):
            price = apart[one, two] + apart[two, one] - apart[one, one] - apart[two, two]
            priced.append((int(price), (int(cells[one]), int(cells[two]))))
    priced.sort()
    cheapest = priced[:_MOST_SWAPS]
    changes = [(0, ()), *((price, (pair,)) for price, pair in cheapest)]
    for (price, pair), (other_price, other) in itertools.combinations(cheapest, 2):
        if not set(pair) & set(other):
            changes.append((price + other_price, (pair, other)))
    return [swaps for _, swaps in sorted(changes)]


def cheapest_pairs(costs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return int64 (n,), the column of each row of a square table, so that the sum is least.

    The Hungarian method with shortest augmenting paths (Kuhn 1955, Jonker & Volgenant 1987).
    """
    n = len(costs)
    row_price, col_price = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    row_of, before = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    far = np.iinfo(np.int64).max // 4
    for row in range(1, n + 1):
        row_of[0], col = row, 0
        least = np.full(n + 1, far)
        done = np.zeros(n + 1, np.bool_)
        while row_of[col]:
            done[col] = True
            here = row_of[col]
            slack = costs[here - 1] - row_price[here] - col_price[1:]
            better = ~done[1:] & (slack < least[1:])
            least[1:][better] = slack[better]
            before[1:][better] = col
            col = int(np.where(done, far, least).argmin())
            step = least[col]
            row_price[row_of[done]] += step
            col_price[done] -= step
            least[~done] -= step
        while col:
            row_of[col] = row_of[before[col]]
            col = int(before[col])
    columns = np.empty(n, np.int64)
    columns[row_of[1:] - 1] = np.arange(n)
    return columns
