"""A hint for a player: the next move of a shortest path, or of the best path so far.

A window searches in slices, and may cancel the search after any of them::

    hint = Hint(puzzle, cells)
    while hint.work() and not called_off:
        ...
    hint.move
"""

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import RunError
from tilelab.core.solver import Progress, Status
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.solvers.anytime import Anytime, AnytimeParams

SLICES = 1000
"""Number of slices, about a second of work, which is nearly always enough for a proof on boards of
up to 4×4. The search continues beyond it until some path is known."""
_BOARDS_A_SLICE = 2000
_MEGABYTES = 512


class Hint:
    """A search for the next move, in slices of a few milliseconds.

    cells: the current board; None: the puzzle's start. path: letters of a known path from there,
    such as the rest of the last hint's path. Only a shorter path replaces it, so that the player
    reaches the goal by following hints. A path that does not lead to the goal is ignored.
    The first slice makes tables, on 4×4 for a third of a second if they have not been made before.
    """

    def __init__(
        self, puzzle: SlidingPuzzle, cells: NDArray[np.uint8] | None = None, path: str = ""
    ) -> None:
        if cells is not None:
            puzzle = puzzle.starting_with(cells)
        self._puzzle = puzzle
        self._search: Anytime | None = None
        self._n_slices, self._has_ended = 0, False
        self.path: str | None = path if _leads_home(puzzle, path) else None
        """Best known path from the current board."""
        self.is_shortest = self.path == ""  # whether no path is shorter

    @property
    def move(self) -> str | None:
        """Next move, one of U D L R; None at the goal, and before any path is known."""
        return self.path[0] if self.path else None

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
        self.is_shortest = bool(best.optimal) and len(best.moves) == len(self.path)


def _leads_home(puzzle: SlidingPuzzle, path: str) -> bool:
    try:
        return np.array_equal(puzzle.replay(path), puzzle.goal)
    except RunError:
        return False
