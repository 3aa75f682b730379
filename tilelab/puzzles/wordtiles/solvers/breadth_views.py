"""Breadth first on word tiles as it is watched: its tree of boards, and how many a depth has.

All of it is read out of the search's own arrays, in which boards stand in the order in which they
are generated and expanded. The priority is the depth, and there is no estimate.
"""

from bisect import bisect_left

import numpy as np
from numpy.typing import NDArray

from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import counted
from tilelab.core.views import MOST_NEXT, MOST_NODES, ByDepth, Fate, SearchTree, SideByDepth
from tilelab.puzzles.wordtiles.kernels import searches as kernel


def search_tree(
    boards: NDArray[np.uint8], links: NDArray[np.int32], counts: NDArray[np.int64], goes_on: bool
) -> SearchTree:
    """Return the tree; boards, links, counts: as :func:`kernels.searches.breadth`
    has them, but without the free room. goes_on: whether the search has not ended yet.
    """
    n_nodes, n_expanded = len(boards), int(counts[kernel.EXPANDED])
    current, parents = n_expanded - 1, links[:, kernel.PARENT]
    children = _children(parents, current)
    path = _path(parents, current if goes_on else int(counts[kernel.BEST_NODE]))
    front = list(range(n_expanded, min(n_expanded + MOST_NEXT, n_nodes)))
    is_whole = n_nodes <= MOST_NODES
    nodes = np.arange(n_nodes)
    if not is_whole:
        nodes = np.unique([*path, current, *children, *front])
    place = {node: index for index, node in enumerate(nodes.tolist())}
    depths = links[nodes, kernel.DEPTH]
    return SearchTree(
        _caption(links, counts),
        boards[nodes],
        np.array([place.get(parent, -1) for parent in parents[nodes].tolist()], np.int32),
        links[nodes, kernel.MOVE].astype(np.int8),
        depths,
        np.full(len(nodes), np.nan),
        depths.astype(np.float64),
        np.where(nodes < n_expanded, Fate.EXPANDED, Fate.OPEN).astype(np.uint8),
        np.zeros(len(nodes), np.uint8),
        np.array([place[node] for node in path], np.int32),
        current=place.get(current, -1),
        children=np.array([place[node] for node in children], np.int32),
        front=np.array([place[node] for node in front], np.int32),
        threshold=np.inf,
        n_expanded=n_expanded,
        n_generated=int(counts[kernel.GENERATED]),
        is_whole=is_whole,
    )


def by_depth(links: NDArray[np.int32], counts: NDArray[np.int64]) -> ByDepth:
    """Return how many boards each depth has; as :func:`search_tree`."""
    column = links[:, kernel.DEPTH]
    n_depths = int(column[-1]) + 1
    # The depths ascend: a few looks at them tell where each begins, however many boards there are.
    ends = np.array([bisect_left(column, depth) for depth in range(1, n_depths)] + [len(links)])
    begins = np.append(0, ends[:-1])
    expanded = np.clip(int(counts[kernel.EXPANDED]) - begins, 0, ends - begins)
    side = SideByDepth(np.diag(expanded), np.diag(ends - begins - expanded))
    f = np.arange(n_depths, dtype=np.float64)
    return ByDepth(_caption(links, counts), f, (side,), None)


def _caption(links: NDArray[np.int32], counts: NDArray[np.int64]) -> str:
    """Say which board was expanded last, and how many wait."""
    n_expanded = int(counts[kernel.EXPANDED])
    if not n_expanded:
        return ""
    if n_expanded == len(links):
        return tr("All {n_expanded} boards are expanded.").format(
            n_expanded=figures(n_expanded, ",")
        )
    depth = counted(int(links[n_expanded - 1, kernel.DEPTH]), "slide")
    n_new = counted(len(_children(links[:, kernel.PARENT], n_expanded - 1)), tr("new board"))
    return tr(
        "Board {n_expanded}, {depth} from the start, is expanded: {n_new}. "
        "{value} in all are still to be expanded."
    ).format(
        n_expanded=figures(n_expanded, ","),
        depth=depth,
        n_new=n_new,
        value=figures(len(links) - n_expanded, ","),
    )


def _children(parents: NDArray[np.int32], current: int) -> list[int]:
    """Return the boards that the last expansion has generated: they are the last ones."""
    first = len(parents)
    while current >= 0 and parents[first - 1] == current:
        first -= 1
    return list(range(first, len(parents)))


def _path(parents: NDArray[np.int32], node: int) -> list[int]:
    """Return the boards from the first one to this one."""
    path: list[int] = []
    while node >= 0:
        path.append(node)
        node = int(parents[node])
    return path[::-1]
