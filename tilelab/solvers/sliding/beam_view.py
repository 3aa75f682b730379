"""What is seen of a beam: its width by depth, what was cut, and its best boards."""

import numpy as np

from tilelab.core.views import MOST_NEXT, BeamDepths
from tilelab.core.wording import counted
from tilelab.solvers.sliding.beam_run import BeamRun


def beam_depths(run: BeamRun, caption: str) -> BeamDepths:
    """Return the depths of a beam; the one in the making is the last, as if nothing followed."""
    depths, making = list(run.depths), run.making()
    first = run.n_moves + 1 - len(depths)
    if making is not None and making.depth.generated:
        depths.append(making.depth)
    boards, distances = run.best_boards(MOST_NEXT)
    return BeamDepths(
        caption,
        run.width,
        generated=np.array([depth.generated for depth in depths], np.int64),
        kept=np.array([depth.kept for depth in depths], np.int64),
        best=np.array([depth.best for depth in depths], np.float64),
        boards=boards,
        values=distances,
        first=first,
    )


def step_sentence(run: BeamRun) -> str:
    """Return the step that a beam has just done as a plain sentence; '' before the first."""
    making, depth = run.making(), run.n_moves
    if making is None:
        return _depth_sentence(run) if depth else ""
    generated, kept, _ = making.depth
    if making.n_kept or making.n_expanded == run.n_now:
        return (
            f"Depth {depth + 1:,}: {counted(generated, 'new board')}, {generated - kept:,} are "
            f"cut; {making.n_kept:,} of {kept:,} that are kept have their place."
        )
    return (
        f"Board {making.n_expanded:,} of {run.n_now:,} in depth {depth:,} is expanded: "
        f"{counted(generated, 'new board')} for depth {depth + 1:,} by now."
    )


def _depth_sentence(run: BeamRun) -> str:
    best = f"the best has distance {run.distance:,}"
    if not run.depths:
        return f"Depth {run.n_moves:,}: {counted(run.n_now, 'board')}; {best}."
    generated, kept, _ = run.depths[-1]
    cut = f"{kept:,} are kept and {generated - kept:,} cut" if generated > kept else "all are kept"
    return f"Depth {run.n_moves:,}: of {counted(generated, 'new board')} {cut}; {best}."
