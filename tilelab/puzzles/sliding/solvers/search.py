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
        """Offer the nearest board so far, with the path to the goal if it is found."""
        if self._status is Status.SOLVED:
            moves = self._solution()
            cells = self._puzzle.replay(moves)
            self._offer(cells, 0.0, moves, self._is_shortest(), always=True)
        else:
            cells = self._nearest()
            self._offer(cells, self._puzzle.score(cells))

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
