"""A hint for a player: a shortest path, or the best path so far.

A window searches in slices, and may cancel the search after any of them::

    hint = Hint(puzzle)
    while hint.work() and not called_off:
        ...
    hint.path
"""

import numpy as np

from tilelab.core.solver import Progress, Status
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.solvers.anytime import Anytime, AnytimeParams

SLICES = 1000
"""Number of slices, about a second of work, which is nearly always enough for a proof on boards of
up to 4×4. The search continues beyond it until some path is known."""
_BOARDS_A_SLICE = 2000
_MEGABYTES = 512


class Hint:
    """A search for a path from a puzzle's start, in slices of a few milliseconds.

    The first slice makes tables, on 4×4 for a third of a second if they have not been made before.
    """

    def __init__(self, puzzle: SlidingPuzzle) -> None:
        self._puzzle = puzzle
        self._search: Anytime | None = None
        self._n_slices, self._has_ended = 0, False
        self.is_shortest = np.array_equal(puzzle.start, puzzle.goal)  # whether no path is shorter
        self.path: str | None = "" if self.is_shortest else None  # moves of the best known path

    def work(self) -> bool:
        """Search for another slice; returns whether more slices could improve the hint."""
        if not self._is_open:
            return False
        if self._search is None:
            params = AnytimeParams(expansions_per_update=_BOARDS_A_SLICE, memory=_MEGABYTES)
            self._search = Anytime.create(self._puzzle, params, 0)
        progress = self._search.advance(1)
        self._n_slices += 1
        self._note(progress)
        self._has_ended = progress.status is not Status.RUNNING
        return self._is_open

    @property
    def _is_open(self) -> bool:
        if self.is_shortest or self._has_ended:
            return False
        return self._n_slices < SLICES or self.path is None

    def _note(self, progress: Progress) -> None:
        best = progress.best
        if best is None or best.moves is None:
            return
        if self.path is None or len(best.moves) < len(self.path):
            self.path = best.moves
        self.is_shortest = bool(best.optimal)
