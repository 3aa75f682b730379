"""A* beside the package slidingpuzzle (Stephen Dunn, Apache 2.0), on the same easy boards.

The package asks for numpy 1.23.5 only, though it works with later ones, so it cannot be among our
extras: ``pip install --no-deps slidingpuzzle==0.1.5``. That is its last release, an alpha.
"""

import importlib
import importlib.util

import numpy as np

from benchmarks.table import Row
from tilelab.core.parameters import validate
from tilelab.core.solver import Status
from tilelab.kernels.clock import processor_seconds
from tilelab.puzzles.sliding.board import Goal, SlidingParams, goal_board, scrambled
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.solvers.sliding.a_star import AStar

N_BOARDS = 12
N_SLIDES = 40
PACKAGE = "slidingpuzzle"


def rows(effort):
    """Yield the comparison, or nothing when the package is not there."""
    if importlib.util.find_spec(PACKAGE) is None:
        print(f"{PACKAGE} is not installed: pip install --no-deps {PACKAGE}==0.1.5")
        return
    goal = goal_board(4, 4, Goal.BLANK_LAST)
    boards = [scrambled(goal, 4, seed, n_slides=N_SLIDES) for seed in range(effort.of(N_BOARDS, 2))]
    _ours(boards[0])
    totals = np.zeros(4)
    for board in boards:
        length, n_expanded, seconds = _ours(board)
        their_length, n_theirs, their_seconds = _theirs(board)
        assert length == their_length
        totals += n_expanded, seconds, n_theirs, their_seconds
    n_expanded, seconds, n_theirs, their_seconds = totals.tolist()
    print(
        f"{len(boards)} easy boards, A* with linear conflict: {n_expanded:,.0f} boards expanded in "
        f"{seconds:.3f} s, {PACKAGE} {n_theirs:,.0f} in {their_seconds:.1f} s"
    )
    title, reference = f"A* MD+LC beside {PACKAGE}", n_theirs / their_seconds
    yield Row(title, n_expanded / seconds, reference, reference, "boards expanded/s")


def _ours(board):
    """Return (moves, boards expanded, seconds)."""
    puzzle = SlidingPuzzle.create(SlidingParams(), board)
    params = validate(AStar.spec.params, {"heuristic": "linear-conflict"})
    solver, best, began = AStar.create(puzzle, params, 0), None, processor_seconds()
    while True:
        progress = solver.advance(1000)
        best = progress.best or best
        if progress.status is not Status.RUNNING:
            return len(best.moves), progress.trace[-1][0], processor_seconds() - began


def _theirs(board):
    """The same of the package."""
    package = importlib.import_module(PACKAGE)
    theirs = package.from_iter(4, 4, board.tolist())
    began = processor_seconds()
    result = package.search(theirs, "a*", heuristic=package.linear_conflict_distance)
    return len(result.solution), result.expanded, processor_seconds() - began
