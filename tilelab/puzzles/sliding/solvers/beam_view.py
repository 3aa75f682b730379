"""What is seen of a beam: its width by depth, what was cut, and its best boards."""

import numpy as np

from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import counted
from tilelab.core.views import MOST_NEXT, BeamDepths
from tilelab.slides.beam_run import BeamRun


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
        return tr(
            "Depth {value}: {generated}, {value_2} are "
            "cut; {n_kept} of {kept} that are kept have their place."
        ).format(
            value=figures(depth + 1, ","),
            generated=counted(generated, "new board"),
            value_2=figures(generated - kept, ","),
            n_kept=figures(making.n_kept, ","),
            kept=figures(kept, ","),
        )
    return tr(
        "Board {n_expanded} of {n_now} in depth {depth} is expanded: "
        "{generated} for depth {value} by now."
    ).format(
        n_expanded=figures(making.n_expanded, ","),
        n_now=figures(run.n_now, ","),
        depth=figures(depth, ","),
        generated=counted(generated, "new board"),
        value=figures(depth + 1, ","),
    )


def _depth_sentence(run: BeamRun) -> str:
    best = tr("the best has distance {distance}").format(distance=figures(run.distance, ","))
    if not run.depths:
        return tr("Depth {n_moves}: {n_now}; {best}.").format(
            n_moves=figures(run.n_moves, ","), n_now=counted(run.n_now, "board"), best=best
        )
    generated, kept, _ = run.depths[-1]
    cut = (
        tr("{kept} are kept and {value} cut").format(
            kept=figures(kept, ","), value=figures(generated - kept, ",")
        )
        if generated > kept
        else tr("all are kept")
    )
    return tr("Depth {n_moves}: of {generated} {cut}; {best}.").format(
        n_moves=figures(run.n_moves, ","),
        generated=counted(generated, "new board"),
        cut=cut,
        best=best,
    )
