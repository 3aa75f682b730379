"""Many generations of Schafer's genetic algorithm in one call, on grids of up to 64 cells.

Islands in several threads would otherwise wait for the interpreter's lock several times a
generation.
"""

import numpy as np

from tilelab.kernels.decorators import kernel
from tilelab.puzzles.boggle.kernels.breeding import breed, count_distinct, mutate
from tilelab.puzzles.boggle.kernels.set_walk import cell_usages, score_grids


@kernel
def evolve(
    first,
    is_judged,
    best,
    is_complete,
    crossing,
    mutations,
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
    crossing: uint32 (generations, grids, cells) and mutations: uint32 (generations, mutations, 3),
    random. fixed: int64 (fixed cells,), which keep what they hold. symbol, depth, skip, value,
    max_level, geometry, room: see :mod:`kernels.set_walk`. usage: int32 (parents,
    cells), overwritten. grids, others: uint8 (grids, cells). scores: float64 (generations, grids)
    and distinct: int64 (generations,), filled in.
    """
    # Plain loops throughout: numpy's functions of whole arrays double the time that this takes to
    # compile, which a user waits for.
    n_grids, n_cells = grids.shape
    n_parents, n_symbols = usage.shape[0], room[0].shape[0]
    n_generations = crossing.shape[0]
    parents = np.empty((n_parents, n_cells), np.uint8)
    is_parent = np.empty(n_grids, np.bool_)
    for place in range(first, n_generations):
        if place > first or not is_judged:
            score_grids(grids, symbol, depth, skip, value, geometry, room, scores[place])
            distinct[place] = count_distinct(grids)
            for grid in range(n_grids):
                if is_complete or scores[place, grid] > best:
                    return place
        for grid in range(n_grids):
            is_parent[grid] = False
        for parent in range(n_parents):
            fittest = 0
            for grid in range(1, n_grids):  # of equally fit grids the first
                if not is_parent[grid] and (
                    is_parent[fittest] or scores[place, grid] > scores[place, fittest]
                ):
                    fittest = grid
            is_parent[fittest] = True
            for cell in range(n_cells):
                parents[parent, cell] = grids[fittest, cell]
        cell_usages(parents, n_symbols, symbol, depth, skip, value, max_level, geometry, usage)
        breed(parents, usage, crossing[place], thresholds, others)
        mutate(mutations[place], thresholds, others)
        for grid in range(n_grids):
            for cell in fixed:
                others[grid, cell] = grids[grid, cell]
        grids, others = others, grids
    return n_generations
