"""The iterations of a search that deepens, as a view."""

import numpy as np

from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import counted, number
from tilelab.core.views import MOST_NODES, Thresholds
from tilelab.puzzles.sliding.kernels import deepening as kernel
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.solvers.descent import EXPANDED, GENERATED, THRESHOLD, Descent
from tilelab.puzzles.sliding.solvers.iteration_tree import path_of


def thresholds_of(puzzle: SlidingPuzzle, run: Descent) -> Thresholds:
    """Return the view: the iterations that are known, and the last boards of the path."""
    scalars, rows = run.arrays["scalars"], run.iterations
    if len(rows) > 1 and rows[0, EXPANDED] < 0:
        # Of the iterations that an older program has stored only the last one has a threshold.
        rows = rows[1:]
    columns = (EXPANDED, kernel.EXPANDED), (GENERATED, kernel.GENERATED)
    expanded, generated = (
        np.diff(rows[:, column], append=scalars[scalar]) for column, scalar in columns
    )
    if rows[-1, EXPANDED] < 0:
        expanded, generated = np.array([-1]), np.array([-1])
    boards, h = path_of(puzzle, run)
    thresholds = rows[:, THRESHOLD] / run.scale
    return Thresholds(
        caption=_caption(run, float(thresholds[-1]), int(expanded[-1]), int(generated[-1])),
        thresholds=thresholds,
        expanded=expanded,
        generated=generated,
        path=boards[-MOST_NODES:],
        h=h[-MOST_NODES:],
        first=int(scalars[kernel.ITERATION]) + 1 - len(rows),
    )


def _caption(run: Descent, threshold: float, n_expanded: int, n_generated: int) -> str:
    scalars = run.arrays["scalars"]
    if scalars[kernel.GENERATED] == 0:
        return ""
    words = tr("Iteration {value} with the threshold {threshold}").format(
        value=figures(int(scalars[kernel.ITERATION]) + 1, ","), threshold=number(threshold)
    )
    if n_expanded >= 0:
        words += tr(": {n_expanded} expanded, {n_generated} generated").format(
            n_expanded=counted(n_expanded, "board"), n_generated=figures(n_generated, ",")
        )
    least = int(scalars[kernel.NEXT_THRESHOLD])
    if least < kernel.FAR:
        words += tr("; the least f above it is {number}").format(number=number(least / run.scale))
    return f"{words}."
