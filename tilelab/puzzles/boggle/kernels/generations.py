"""Many generations of Schafer's genetic algorithm in one call, on grids of up to 64 cells.

Otherwise, islands in several threads would wait for the interpreter's lock several times in each
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
    """Score and breed generations until all are bred or the caller must examine one.

    Returns the place of a generation that is scored but not bred yet, because it is better than
    ``best`` or because ``is_complete`` is true. Returns the number of generations if there is none.
    ``grids`` and ``others`` change roles in every generation that is bred.

    first: place of the first generation. is_judged: whether it has been scored already.
    is_complete: whether to return after every generation. crossing: uint32 (generations, grids,
    cells), random. mutations: uint32 (generations, mutations, 3), random.
    fixed: int64 (fixed cells,), cells that keep their letters. symbol, depth, skip, value,
    max_level, geometry, room: see :mod:`tilelab.puzzles.boggle.kernels.set_walk`. usage: int32
    (parents, cells), overwritten. grids, others: uint8 (grids, cells).
    scores: float64 (generations, grids). distinct: int64 (generations,). Both are overwritten.
    """
    # These are plain loops, because numpy's functions of whole arrays double the time to compile,
    # and a user waits for it.
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
            for grid in range(1, n_grids):  # The first of equally fit grids is chosen.
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
