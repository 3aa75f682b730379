"""Anytime search on the boards of DeepCubeA, in its seconds (Agostinelli et al. 2019)."""

from collections.abc import Mapping, Sequence
from statistics import fmean

import numpy as np

from tilelab.experiments import papers
from tilelab.experiments.job_run import Row
from tilelab.experiments.plan import Plan, plan_of
from tilelab.experiments.results import Kept
from tilelab.experiments.statistics import mean_interval
from tilelab.puzzles.sliding.flags import Instance, TileSet, tile_set

PAPER = "Agostinelli et al. 2019"
TABLES = {"deepcubea15": "5-5-5", "deepcubea24": "6-6-6-6"}
"""Pattern databases by set. They are named, so that the table does not depend on existing ones."""
MEGABYTES = 1024
SMALL_UNITS = 200
FURTHER = (
    "here less printed",
    "seconds, printed",
    "seconds here",
    "lower bound",
    "shortest",
    "in the paper",
)
NOTES = (
    "Printed is the mean length that DeepCubeA found for the same boards, from the results in its "
    "repository. Its seconds are from there, too; they were measured with graphics processors and "
    "do not include the training. Of the paper's own means, only that of the 48-puzzle is shown.",
    "Here, anytime search has as many seconds for each board as DeepCubeA had on average, without "
    "learning, on one core. The lengths therefore depend on the speed of the machine, and on what "
    "else it does. --seconds sets another time.",
    "Here less printed is the mean difference board by board, with its 95 % interval. Boards for "
    "which no path was found are left out of all figures but the seconds.",
    "The lower bound is proven in the same run; behind it is its share of the length. Shortest is "
    "the share of boards with a shortest path. For the 35- and the 48-puzzle no shortest lengths "
    "are known, so that only proven ones count.",
)


def plans(small: bool) -> Mapping[str, Plan]:
    """Return a sweep for each set; the small ones have its nearest board and end by units."""
    return {theirs["set"]: _plan(theirs, small) for theirs in papers.printed("deepcubea")}


def _plan(theirs: Mapping[str, str], small: bool) -> Plan:
    key = theirs["set"]
    tables = "none" if small else TABLES.get(key, "none")
    raw: dict[str, object] = {
        "title": PAPER,
        "puzzle": {"kind": "sliding", "instances": key},
        "solvers": [{"solver": "anytime", "params": {"tables": tables, "memory": MEGABYTES}}],
        "limits": {"seconds": float(theirs["seconds"])},
    }
    if small:
        nearest = min(tile_set(key).instances(), key=_found)
        raw |= {"instances": {"numbers": [nearest.number]}, "limits": {"units": SMALL_UNITS}}
    return plan_of(raw)


def comparison(kept: Mapping[str, Kept]) -> papers.Comparison:
    """Compare lengths and seconds, a row for each set."""
    rows = [
        _row(tile_set(theirs["set"]), theirs, kept[theirs["set"]].rows)
        for theirs in papers.printed("deepcubea")
    ]
    return papers.Comparison(("puzzle", "boards"), tuple(rows), NOTES, FURTHER)


def _row(boards: TileSet, theirs: Mapping[str, str], runs: Sequence[Row]) -> papers.PrintedRow:
    solved = [
        (boards.instance(run["instance"]), run, run["moves"])
        for run in runs
        if run["value"] == 0 and run["moves"] is not None
    ]
    n_boards = f"{len(runs)}" if len(solved) == len(runs) else f"{len(solved)} of {len(runs)}"
    labels = f"{boards.rows * boards.cols - 1}-puzzle", n_boards
    seconds = fmean(run["seconds"] or 0.0 for run in runs)
    times = theirs["seconds"], f"{seconds:.2f}"
    if not solved:
        return papers.bare(labels, "", None, 0, ("", *times, "", "", theirs["length_in_paper"]))
    length = fmean(moves for *_, moves in solved)
    gaps = np.array([moves - _found(board) for board, _, moves in solved], np.float64)
    low, high = mean_interval(gaps)
    bound = fmean(run["metrics"]["bound"] for _, run, _ in solved)
    n_shortest = sum(run["optimal"] or moves == board.optimal for board, run, moves in solved)
    further = (
        f"{gaps.mean():+.2f} ({low:.2f} to {high:.2f})",
        *times,
        f"{bound:.2f} ({bound / length:.0%})",
        f"{n_shortest / len(solved):.1%}",
        theirs["length_in_paper"],
    )
    figure = f"{fmean(_found(board) for board, *_ in solved):.2f}"
    return papers.bare(labels, figure, length, len(solved), further)


def _found(board: Instance) -> int:
    assert board.found is not None
    return board.found


papers.register_table(
    papers.PaperTable(
        key="deepcubea",
        title="Anytime search on the boards of DeepCubeA",
        source=PAPER,
        plans=plans,
        compare=comparison,
        seconds=107_000,
    )
)
