"""``python -m benchmarks.autosave [SECONDS]``: what saving costs, and how soon all is on disk.

The share is what saving takes of the run's own time; a best counts from the moment that the run
meets it until it can be read from disk, a checkpoint's age in the run's own seconds.
"""

import sys
import time

from rich.table import Table

from benchmarks.effort import WHOLE, own_folder
from benchmarks.table import show
from tilelab import catalog
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.runs.actions import State
from tilelab.runs.checkpoints.autosave import Autosave
from tilelab.runs.checkpoints.saving_plan import PERIOD_SECONDS, SHARE
from tilelab.runs.session import Limits, Session
from tilelab.runs.warm_up import warm_up
from tilelab.words.builtin import open_lexicon

BEST_SECONDS = 1.0
_HARD = [0, 12, 9, 13, 15, 11, 10, 14, 3, 7, 2, 5, 4, 8, 6, 1]


def _runs():
    words = open_lexicon("english-small")
    large = open_lexicon("english-medium")
    grid = BogglePuzzle.create(large, BoggleParams(rows=8, cols=8))
    yield f"genetic, 8×8, {len(grid.lexicon.strings):,} words", grid, "genetic", {}
    board = SlidingPuzzle.create(SlidingParams(rows=4, cols=4), _HARD)
    yield "A*, fifteen puzzle, 1 GB", board, "a-star", {"heuristic": "manhattan", "memory": 1024}
    tiles = WordTilesPuzzle.create(words, WordTilesParams(rows=4, cols=4), None)
    yield "bees, 4×4", tiles, "bees", {"iterations": 10**9}


def _seconds_of(path):
    """When a file was last replaced; 0 when it is not there."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def measure(puzzle, solver, params, seconds):
    """Run for some seconds; returns facts by name."""
    params = catalog.solver_params(puzzle.spec.key, solver, params)
    warm_up(puzzle, solver, params, 1)
    session = Session()
    session.load(puzzle)
    session.go(solver, params, 1, Limits(seconds=seconds))
    saving = Autosave(session)
    found, late, oldest, on_disk, seen = None, 0.0, 0.0, 0.0, 0.0
    largest, n_checkpoints, slowest, taken = 0, 0, 0.0, 0.0
    while session.state is State.RUNNING:
        newest = session.bests.newest
        session.tick()
        if session.bests.newest is not newest and found is None:
            found = time.time()
        began, spent = time.perf_counter(), saving._plan.spent_seconds
        saving.follow(session)
        slowest = max(slowest, time.perf_counter() - began)
        if saving._plan.spent_seconds - spent > 0 and saving._checkpoints.is_busy:
            taken = session.seconds
        best, run = saving.folder / "best.json", saving.folder / "run.tilelab"
        if found is not None and _seconds_of(best) >= found:
            late, found = max(late, _seconds_of(best) - found), None
        if (written := _seconds_of(run)) > seen:
            seen, on_disk, n_checkpoints = written, taken, n_checkpoints + 1
            largest = max(largest, run.stat().st_size)
        oldest = max(oldest, session.seconds - on_disk)
    facts = {
        "share": saving.measured() / session.seconds,
        "best": late,
        "oldest": oldest,
        "slowest": slowest,
        "bytes": largest,
        "n": n_checkpoints,
        "fault": saving.error,
        "seconds": session.seconds,
    }
    saving.end(keep=False, timeout_seconds=60)
    return facts


def print_autosave(effort=WHOLE, seconds=None):
    """Measure and print; returns whether all is within what is promised.

    seconds: of each run; by default two periods of saving.
    """
    seconds = seconds or effort.of(2 * PERIOD_SECONDS, 0.5)
    headings = ("run", "share", "best on disk", "oldest", "longest hold", "largest", "n")
    table = Table(*headings, title=f"Autosave, {seconds:g} s a run")
    reached = True
    for title, puzzle, solver, params in _runs():
        with own_folder("TILELAB_DATA_DIR"):
            facts = measure(puzzle, solver, params, seconds)
        is_ordinary = facts["bytes"] < 16 << 20
        within = facts["share"] <= SHARE and facts["best"] <= BEST_SECONDS
        within &= not is_ordinary or facts["oldest"] <= PERIOD_SECONDS
        reached &= within
        table.add_row(
            f"{title} ({facts['seconds']:.0f} s)" + ("" if within else "  missed"),
            f"{facts['share']:.2%}",
            f"{facts['best']:.2f} s",
            f"{facts['oldest']:.1f} s",
            f"{1000 * facts['slowest']:.0f} ms",
            f"{facts['bytes'] / 2**20:,.1f} MB",
            f"{facts['n']}",
        )
    table.caption = f"wanted: share ≤ {SHARE:.0%}, best ≤ {BEST_SECONDS} s, oldest ≤ 10 s if small"
    show(table)
    return reached


if __name__ == "__main__":
    print_autosave(seconds=float(sys.argv[1]) if len(sys.argv) > 1 else 60.0)
