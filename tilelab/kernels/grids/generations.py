"""Many generations of Schafer's genetic algorithm in one call, on grids of up to 64 cells.

Islands in several threads would otherwise wait for the interpreter's lock several times a
generation.
"""

import numpy as np

from tilelab.kernels.decorators import kernel
from tilelab.kernels.grids.breeding import breed, count_distinct, mutate
from tilelab.kernels.grids.set_walk import cell_usages, score_grids


@kernel
def evolve(
    first,
    is_judged,
    best,
    is_complete,
    words,
    n_mutations,
    thresholds,
    fixed,
    symbol,
    depth,
    skip,
    value,
    max_level,
    geometry,
    room,
    usage,
    grids,
    others,
    scores,
    distinct,
):
    """Judge and breed generations until all are bred or the caller has something to look at.

    Returns the place of the generation that is judged and not bred yet, because it is better than
    ``best``, or in any case where ``is_complete``; the number of generations if there is none.
    ``grids`` and ``others`` change their roles with every generation that is bred.

    first: the place at which to begin; is_judged: whether that generation is judged already.
    words: uint32 (generations, grids * cells + 3 * n_mutations), random. fixed: int64 (fixed
    cells,), which keep what they hold. symbol, depth, skip, value, max_level, geometry, room: see
    :mod:`tilelab.kernels.grids.set_walk`. usage: int32 (parents, cells), overwritten. grids,
    others: uint8 (grids, cells). scores: float64 (generations, grids) and distinct: int64
    (generations,), filled in.
    """
    n_grids, n_cells = grids.shape
    n_parents, n_symbols = usage.shape[0], room[0].shape[0]
    n_crossing = n_grids * n_cells
    parents = np.empty((n_parents, n_cells), np.uint8)
    left = np.empty(n_grids, np.float64)
    for place in range(first, words.shape[0]):
        if place > first or not is_judged:
            score_grids(grids, symbol, depth, skip, value, geometry, room, scores[place])
            distinct[place] = count_distinct(grids)
            if is_complete or scores[place].max() > best:
                return place
        left[:] = scores[place]
        for parent in range(n_parents):
            fittest = left.argmax()  # of equally fit grids the first
            parents[parent] = grids[fittest]
            left[fittest] = -np.inf
        cell_usages(parents, n_symbols, symbol, depth, skip, value, max_level, geometry, usage)
        crossing = words[place, :n_crossing].reshape((n_grids, n_cells))
        breed(parents, usage, crossing, thresholds, others)
        mutate(words[place, n_crossing:].reshape((n_mutations, 3)), thresholds, others)
        for grid in range(n_grids):
            for cell in fixed:
                others[grid, cell] = grids[grid, cell]
        grids, others = others, grids
    return words.shape[0]
