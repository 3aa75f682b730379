"""How many boards a best-first search has in each depth, and of which f.

It is counted from the boards as they stand in memory, so that a run that nobody watches notes
nothing; a million boards take some milliseconds.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import capital, counted, number
from tilelab.core.views import ByDepth, Counts, SideByDepth
from tilelab.puzzles.sliding.kernels import best_first as kernel
from tilelab.puzzles.sliding.solvers.board_store import BoardStore

MOST_ROWS, MOST_COLUMNS = 200, 60
_MOST_VALUES = 480
"""Different f that are told apart before those that no board has are left out."""
_BLOCK = 1 << 14
"""Boards at once: their numbers stay in the processor's cache."""
_FAR = 2**62
_SIDES = (marked("From the start: "), marked("From the goal: "))


class _Measure(NamedTuple):
    """How f is computed, and counted in moves."""

    g_weight: int
    h_weight: int
    a_move: int
    """By how much the weighted sum of path and estimate is larger for one move more."""


class _Block(NamedTuple):
    depths: NDArray[np.int64]
    sums: NDArray[np.int64]
    """Weighted sums of path and estimate."""
    is_expanded: NDArray[np.bool_]


class _Bounds(NamedTuple):
    """What the boards of one side, or of both, lie between."""

    deepest: int
    least: int
    largest: int
    least_open: int
    """Of the boards that wait; ``_FAR`` without any."""
    n_expanded: int
    n_open: int


def by_depth(stores: Sequence[BoardStore], scale: int, meeting: tuple[int, int] | None) -> ByDepth:
    """Return the view of a search from one end or both.

    scale: units of the estimate that make a move. meeting: depths of the common board, or None.
    f is counted in whole moves, rounded down. Neighbouring depths share a row where there are more
    than ``MOST_ROWS``, and neighbouring f a column where there are more than ``MOST_COLUMNS``.
    """
    g_weight, h_weight = stores[0].rule.numbers[:2].tolist()
    measure = _Measure(g_weight, h_weight, stores[0].rule.units_of_a_move(scale))
    bounds = [_bounds(store, measure) for store in stores]
    depth_step = 1 + max(side.deepest for side in bounds) // MOST_ROWS
    first = min(side.least for side in bounds) // measure.a_move
    span = 1 + max(side.largest for side in bounds) // measure.a_move - first
    f_step = -(-span // _MOST_VALUES)
    n_columns = -(-span // f_step)
    sides = []
    for store, side in zip(stores, bounds, strict=True):
        shape = 1 + side.deepest // depth_step, n_columns
        sides.append(_counts(store, measure, shape, depth_step, first, f_step))
    used = np.flatnonzero(sum(side.any(axis=(0, 1)).astype(np.int64) for side in sides))
    begins = np.arange(0, len(used), -(-len(used) // MOST_COLUMNS))
    merged = [np.add.reduceat(side[:, :, used], begins, axis=2) for side in sides]
    return ByDepth(
        caption=_caption(bounds, measure, meeting, _goal_depth(stores[0])),
        f=(first + f_step * used[begins]).astype(np.float64),
        sides=tuple(SideByDepth(expanded=side[1], open=side[0]) for side in merged),
        meeting=meeting,
        depth_step=depth_step,
    )


def _blocks(store: BoardStore, measure: _Measure) -> Iterator[_Block]:
    n_nodes = int(store.scalars[kernel.N_NODES])
    for begin in range(0, n_nodes, _BLOCK):
        links = store.links[begin : min(begin + _BLOCK, n_nodes)]
        depths = links[:, kernel.WAY].astype(np.int64)
        sums = measure.g_weight * depths
        if measure.h_weight:
            sums += measure.h_weight * links[:, kernel.ESTIMATE].astype(np.int64)
        yield _Block(depths, sums, links[:, kernel.CLOSED] != 0)


def _bounds(store: BoardStore, measure: _Measure) -> _Bounds:
    deepest, least, largest, least_open, n_expanded = 0, _FAR, 0, _FAR, 0
    for depths, sums, is_expanded in _blocks(store, measure):
        deepest = max(deepest, int(depths.max()))
        least, largest = min(least, int(sums.min())), max(largest, int(sums.max()))
        n_expanded += int(np.count_nonzero(is_expanded))
        least_open = min(least_open, int(np.where(is_expanded, _FAR, sums).min()))
    n_open = int(store.scalars[kernel.N_NODES]) - n_expanded
    return _Bounds(deepest, least, largest, least_open, n_expanded, n_open)


def _counts(
    store: BoardStore,
    measure: _Measure,
    shape: tuple[int, int],
    depth_step: int,
    first: int,
    f_step: int,
) -> Counts:
    """Return int64 (2, rows, columns): boards that wait, and boards expanded."""
    n_rows, n_columns = shape
    counts = np.zeros(2 * n_rows * n_columns, np.int64)
    for depths, sums, is_expanded in _blocks(store, measure):
        rows, columns = depths, sums
        if depth_step > 1:
            rows //= depth_step
        if measure.a_move > 1:
            columns //= measure.a_move
        columns -= first
        if f_step > 1:
            columns //= f_step
        rows += n_rows * is_expanded
        rows *= n_columns
        rows += columns
        counts += np.bincount(rows, minlength=len(counts))
    return counts.reshape(2, n_rows, n_columns)


def _caption(
    bounds: Sequence[_Bounds],
    measure: _Measure,
    meeting: tuple[int, int] | None,
    goal_depth: int | None,
) -> str:
    if meeting is not None:
        there, back = meeting
        both = tr("{there} from the start and {back} from the goal").format(
            there=counted(there, "move"), back=figures(back, ",")
        )
        return tr("Both sides are joined, {both}: a path of {counted}.").format(
            both=both, counted=counted(there + back, "move")
        )
    sentences = [_sentence(side, measure) for side in bounds]
    if len(sentences) > 1:
        return " ".join(map("".join, zip(_SIDES, sentences, strict=True)))
    goal = (
        ""
        if goal_depth is None
        else tr("The goal is {goal_depth} away. ").format(goal_depth=counted(goal_depth, "move"))
    )
    return goal + capital(sentences[0])


def _goal_depth(store: BoardStore) -> int | None:
    """Return how deep the goal is, once it has left the queue."""
    node = int(store.scalars[kernel.GOAL_NODE])
    return None if node < 0 else int(store.links[node, kernel.WAY])


def _sentence(side: _Bounds, measure: _Measure) -> str:
    expanded = tr("expanded {n_expanded}").format(n_expanded=counted(side.n_expanded, "board"))
    if not side.n_open:
        return tr("{expanded}; the open list is empty.").format(expanded=expanded)
    least = number(side.least_open / measure.a_move)
    return tr("{expanded}; the open list holds {n_open}, the least f is {least}.").format(
        expanded=expanded, n_open=figures(side.n_open, ","), least=least
    )
