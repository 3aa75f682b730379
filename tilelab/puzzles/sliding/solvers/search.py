"""What all searches on sliding tiles share: blocks of work, metrics, the nearest board, the
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
"""Boards expanded and generated so far, boards waiting, moves of the board at hand, the lowest f or
the threshold, the least estimate found, and the memory of the boards."""


sliding_spec = functools.partial(
    SolverSpec, puzzles=("sliding",), unit="update", metrics=METRICS, version=1, uses_seed=False
)
"""Says what all searches on sliding tiles are."""


S = TypeVar("S", bound=SearchParams)


class SlidingSearch(SolverBase[SlidingPuzzle, S], Generic[S]):
    """A search in units of some boards; a sub-class does some steps of one."""

    frame = FRAME - {"random_state"}
    _watched: frozenset[ViewKind] = frozenset()

    def __init__(self, puzzle: SlidingPuzzle, params: S, rng: np.random.Generator) -> None:
        self._max_bytes = self._granted_bytes = max_bytes(params)
        super().__init__(puzzle, params, rng)

    @classmethod
    def create(cls, puzzle: SlidingPuzzle, params: S, seed: int) -> Self:
        """Begin a search; the seed is not used: nothing here is random."""
        search = super().create(puzzle, params, seed)
        granted, settled = search._granted_bytes, search.params
        if params.memory is None and granted < search._max_bytes:
            del search  # what it was granted, the next one needs
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
        """How many steps the unit at hand has at most, besides those that are done."""
        return self._unit_boards - self._steps_done

    @property
    def _unit_boards(self) -> int:
        """How many steps a unit has at most."""
        return self._params.expansions_per_update

    def do_steps(self, most: int | None) -> tuple[float, ...] | None:
        if not self._search(self._n_left if most is None else min(most, self._n_left)):
            return None
        self._note_best()
        return self._row()

    def metrics_inside(self) -> tuple[float, ...]:
        return self._row()

    def _note_best(self) -> None:
        """Keep the nearest board that was found, and the path to the goal once it is found."""
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
        """Do at most so many steps, and count them; returns whether the unit is complete.

        An end that takes no step is counted as one. :meth:`_end` says when it was the last.
        """

    @abstractmethod
    def _row(self) -> tuple[float, ...]:
        """Return the metrics as they stand."""

    @abstractmethod
    def _nearest(self) -> NDArray[np.uint8]:
        """Return the board with the least estimate."""

    @abstractmethod
    def _solution(self) -> str:
        """Return the path from start to goal."""

    def _is_shortest(self) -> bool:
        """Return whether that path is proven to be shortest."""
        return False
