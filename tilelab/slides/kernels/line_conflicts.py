"""Tiles in a line that must pass each other (Hansson, Mayer & Yung 1992), counted on any board."""

from tilelab.kernels.decorators import kernel


@kernel
def line_removals(cells, places, cols, axis, line, homes, longest):
    """Number of tiles that must leave a line so that the others at home in it can pass in order.

    They are the tiles at home in it, less the longest of their increasing subsequences. A tile
    whose place is -1 does not count. axis: 0 rows, 1 columns. homes, longest: int64, room for a
    line.
    """
    length = cols if axis == 0 else cells.shape[0] // cols
    n_home, best = 0, 0
    for index in range(length):
        cell = line * cols + index if axis == 0 else index * cols + line
        tile = cells[cell]
        if tile == 0 or places[tile] < 0:
            continue
        place = places[tile]
        if (place // cols if axis == 0 else place % cols) != line:
            continue
        home = place % cols if axis == 0 else place // cols
        run = 1
        for before in range(n_home):
            if homes[before] < home and longest[before] >= run:
                run = longest[before] + 1
        homes[n_home] = home
        longest[n_home] = run
        n_home += 1
        best = max(best, run)
    return n_home - best
