"""Boards of a best-first search by depth and f, counted for its view in one walk over each side."""

from tilelab.kernels.decorators import kernel
from tilelab.puzzles.sliding.kernels.best_first import CLOSED, ESTIMATE, LENGTH


@kernel
def find_bounds(links, g_weight, h_weight, far):
    """Return the bounds of visited boards, whose f is the weighted sum of length and estimate.

    links: int32 (boards, N_LINKS). far: f of the best open board if there is none. Returns the
    largest depth, the smallest and the largest f, the smallest f of an open board, and the numbers
    of expanded and of open boards.
    """
    deepest, largest, n_expanded = 0, 0, 0
    least, least_open = far, far
    for node in range(len(links)):
        depth, f = links[node, LENGTH], g_weight * links[node, LENGTH]
        f += h_weight * links[node, ESTIMATE]
        deepest, least, largest = max(deepest, depth), min(least, f), max(largest, f)
        if links[node, CLOSED]:
            n_expanded += 1
        else:
            least_open = min(least_open, f)
    return deepest, least, largest, least_open, n_expanded, len(links) - n_expanded


@kernel
def count_boards(links, g_weight, h_weight, depth_step, first, f_step, counts):
    """Add the boards to ``counts``, int64 (2, rows, columns): the open ones, then the expanded.

    depth_step: depths in a row. first: f at which the first column begins. f_step: units of f in a
    column.
    """
    for node in range(len(links)):
        depth, f = links[node, LENGTH], g_weight * links[node, LENGTH]
        f += h_weight * links[node, ESTIMATE]
        side = 1 if links[node, CLOSED] else 0
        counts[side, depth // depth_step, (f - first) // f_step] += 1
