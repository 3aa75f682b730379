"""Base of the searches on sliding tiles: blocks of work, metrics, the nearest board, the
path."""

import functools
from abc import abstractmethod
from typing import Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.parameters import replaced
from tilelab.core.snapshot_ranges import require_range
from tilelab.core.solver import Snapshot, SolverSpec, Status
from tilelab.core.views import ViewKind
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.solvers.base import FRAME, SolverBase
from tilelab.solvers.search_params import MIN_MEGABYTES, SearchParams, max_bytes, with_memory

METRICS = ("expanded", "generated", "frontier", "depth", "bound", "nearest", "megabytes")
"""Numbers of boards expanded, generated and open; moves of the current board, lowest f or
threshold, smallest estimate so far, and memory of the boards."""


sliding_spec = functools.partial(
    SolverSpec, puzzles=("sliding",), unit="update", metrics=METRICS, version=1, uses_seed=False
)
"""Make the spec of a search on sliding tiles."""


S = TypeVar("S", bound=SearchParams)


class SlidingSearch(SolverBase[SlidingPuzzle, S], Generic[S]):
    """A search in units of some boards; a subclass does the steps of a unit."""

    frame = FRAME - {"random_state"}
    _watched: frozenset[ViewKind] = frozenset()

    def __init__(self, puzzle: SlidingPuzzle, params: S, rng: np.random.Generator) -> None:
        self._max_bytes = self._granted_bytes = max_bytes(params)
        super().__init__(puzzle, params, rng)

    @classmethod
    def create(cls, puzzle: SlidingPuzzle, params: S, seed: int) -> Self:
        """Begin a search; the seed is not used, because nothing is random."""
        search = super().create(puzzle, params, seed)
        granted, settled = search._granted_bytes, search.params
        if params.memory is None and granted < search._max_bytes:
            del search  # the next one needs its memory
            megabytes = max(granted >> 20, MIN_MEGABYTES)
            search = super().create(puzzle, replaced(settled, memory=megabytes), seed)
        return search

    @classmethod
    def resolved(cls, puzzle: SlidingPuzzle, params: S) -> S:
        return with_memory(params)

    def watch(self, kinds: frozenset[ViewKind]) -> None:
        self._watched = kinds

    @property
    def _n_left(self) -> int:
        """Maximum number of steps left in the current unit."""
        return self._unit_boards - self._steps_done

    @property
    def _unit_boards(self) -> int:
        """Maximum number of steps in a unit."""
        return self._params.expansions_per_update

    def do_steps(self, most: int | None) -> tuple[float, ...] | None:
        if not self._search(self._n_left if most is None else min(most, self._n_left)):
            return None
        self._note_best()
        return self._row()

    def metrics_inside(self) -> tuple[float, ...]:
        return self._row()

    def current_cells(self) -> NDArray[np.uint8]:
        return self._nearest().copy()

    def _note_best(self) -> None:
        """Offer the best path so far or, before there is one, the nearest board."""
        path = self._path_so_far()
        if path is None:
            cells = self._nearest()
            self._offer(cells, self._puzzle.score(cells))
            return
        is_solved = self._status is Status.SOLVED
        known = None if self._best is None else self._best.moves
        if known is None or len(path) < len(known) or is_solved:
            is_shortest = is_solved and self._is_shortest()
            self._offer(self._puzzle.replay(path), 0.0, path, is_shortest, always=True)

    def _path_so_far(self) -> str | None:
        """Return the best path known; the run may continue and find a shorter one."""
        return self._solution() if self._status is Status.SOLVED else None

    @property
    def n_evaluated(self) -> int:
        return int(self._row()[METRICS.index("generated")])

    def set_state(self, snapshot: Snapshot) -> None:
        require_range("steps", np.array([self._steps_done]), 0, self._unit_boards - 1)

    @abstractmethod
    def _search(self, most: int) -> bool:
        """Do at most ``most`` steps, and count them; returns whether the unit is complete.

        An end without a step counts as one step. Call :meth:`_end` if the unit is the last.
        """

    @abstractmethod
    def _row(self) -> tuple[float, ...]:
        """Return the current metrics."""

    @abstractmethod
    def _nearest(self) -> NDArray[np.uint8]:
        """Return the board with the smallest estimate."""

    @abstractmethod
    def _solution(self) -> str:
        """Return the path from start to goal."""

    def _is_shortest(self) -> bool:
        """Return whether the path is proven to be shortest."""
        return False
