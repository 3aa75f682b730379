"""Linear conflicts: tiles in a line that must pass each other (Hansson, Mayer & Yung 1992)."""

from tilelab.kernels.decorators import kernel


@kernel
def line_removals(cells, places, cols, axis, line, homes, lengths):
    """Return the number of tiles that must leave their goal line so that the others can pass.

    This is the number of tiles in their goal line minus the length of their longest increasing
    subsequence. Tiles whose place is -1 do not count. axis: 0 rows, 1 columns. homes, lengths:
    int64, working arrays with an entry for each cell of a line.
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
        for earlier in range(n_home):
            if homes[earlier] < home and lengths[earlier] >= run:
                run = lengths[earlier] + 1
        homes[n_home] = home
        lengths[n_home] = run
        n_home += 1
        best = max(best, run)
    return n_home - best
