"""What the local searches share: a place in a neighbourhood and blocks of moves.

A search says what a block of moves is; the neighbourhood of a puzzle says what a move is. To serve
another puzzle, a subclass makes that puzzle's neighbourhood and has its own spec.
"""

from abc import ABC, abstractmethod
from typing import ClassVar, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.parameters import Params
from tilelab.core.puzzle import Cells, Puzzle
from tilelab.core.solver import Arrays, Scalars, Snapshot, Status
from tilelab.solvers.base import FRAME, SolverBase


class Indices(NamedTuple):
    """Where the kernels of a neighbourhood write what they find, among its numbers."""

    value: int
    best_value: int
    energy: int
    best_energy: int
    best_of_block: int
    n_accepted: int
    n_forbidden: int


class Neighbourhood(ABC):
    """A present board, the moves from it, and the best board found; the moves' loop is
    compiled."""

    block: int
    """Moves in a unit: a matter of milliseconds."""
    indices: ClassVar[Indices]
    _numbers: NDArray[np.float64]

    @property
    def value(self) -> float:
        """The present board's score."""
        return float(self._numbers[self.indices.value])

    @property
    def best_value(self) -> float:
        """The best score found; below 0 before the first."""
        return float(self._numbers[self.indices.best_value])

    @property
    def energy(self) -> float:
        """What the search climbs: the present score, and the worth of near misses."""
        return float(self._numbers[self.indices.energy])

    @property
    def best_energy(self) -> float:
        """The best found of what the search climbs."""
        return float(self._numbers[self.indices.best_energy])

    @property
    def best_of_block(self) -> float:
        """The best score of the last block."""
        return float(self._numbers[self.indices.best_of_block])

    @property
    def n_accepted(self) -> int:
        """How many moves of the last block were kept."""
        return int(self._numbers[self.indices.n_accepted])

    @property
    def n_forbidden(self) -> int:
        """How many moves of the last block the tabu list forbade."""
        return int(self._numbers[self.indices.n_forbidden])

    @property
    @abstractmethod
    def shape_of_memory(self) -> tuple[int, ...]:
        """The shape of a tabu list: what a move undoes."""

    @property
    @abstractmethod
    def cells(self) -> Cells:
        """A copy of the present board."""

    @property
    @abstractmethod
    def best_cells(self) -> Cells:
        """A copy of the best board found."""

    @property
    @abstractmethod
    def temperatures(self) -> tuple[float, float]:
        """Where annealing does well to begin and to end on this instance."""

    @property
    @abstractmethod
    def first_cycle(self) -> int:
        """How many blocks annealing does well to give its first cooling."""

    @abstractmethod
    def is_complete(self, cells: Cells, value: float) -> bool:
        """Return whether no board can be better than one of this value."""

    @abstractmethod
    def random_cells(self, rng: np.random.Generator) -> Cells:
        """Draw a board to begin from."""

    @abstractmethod
    def place(self, cells: Cells) -> None:
        """Take a board as the present one."""

    @abstractmethod
    def recall(self, best_cells: Cells, best_value: float, best_energy: float) -> None:
        """Take back a best board from a snapshot."""

    @abstractmethod
    def walk(self, words: NDArray[np.uint64], temperatures: NDArray[np.float64]) -> None:
        """Do one move a random word by Metropolis's rule, each at its temperature."""

    @abstractmethod
    def tabu(
        self, words: NDArray[np.uint64], first_step: int, tenure: int, until: NDArray[np.int64]
    ) -> None:
        """Do tabu steps, one a row of random words; until: the tabu list, changed in place."""


def typical_worth(values: NDArray[np.float64]) -> float:
    """Return what a string is worth that matters: the mean of the values, weighted by themselves.

    Temperatures are multiples of it.
    """
    total = float(values.sum())
    return float((values**2).sum()) / total if total > 0 else 1.0


P = TypeVar("P", bound=Puzzle)
Q = TypeVar("Q", bound=Params)
N = TypeVar("N", bound=Neighbourhood)


class LocalSearch(SolverBase[P, Q], Generic[P, Q, N]):
    """One unit is a block of moves; a subclass does one in :meth:`_block`."""

    frame = FRAME - {"limit", "best_moves", "best_optimal"}

    @property
    def block(self) -> int:
        """Moves in a unit."""
        return self._place.block

    @abstractmethod
    def _neighbourhood(self) -> N:
        """Make the neighbourhood of the puzzle."""

    @abstractmethod
    def _block(self) -> tuple[float, ...]:
        """Do one block of moves; returns the metrics behind best of block, best and current."""

    def _prepare(self) -> None:
        self._place = self._neighbourhood()

    def _begin(self) -> None:
        if self._puzzle.start is None:
            self._restart()
        else:
            self._place.place(self._puzzle.start)

    def _do_unit(self) -> tuple[float, ...]:
        extra = self._block()
        self._note_best()
        place = self._place
        return place.best_of_block, place.best_value, place.value, *extra

    def _note_best(self) -> None:
        place = self._place
        best = self._offer(place.best_cells, place.best_value)
        if best is None and place.value >= self._best_value:
            # Strings that are worth nothing may be missing in the best and stand in an equal.
            if place.is_complete(place.cells, place.value):
                self._keep(place.cells, place.value)
                self._end(Status.SOLVED)
        elif best is not None and place.is_complete(best.cells, best.value):
            self._end(Status.SOLVED)

    def _scalars(self) -> Scalars:
        place = self._place
        return {"best_value": place.best_value, "best_energy": place.best_energy}

    def _arrays(self) -> Arrays:
        return {"cells": self._place.cells, "best_cells": self._place.best_cells}

    def _set_state(self, snapshot: Snapshot) -> None:
        cells = snapshot.array("cells", np.uint8, None)
        self._require_board(cells)
        self._place.place(cells)
        if self._best is not None:
            energy = snapshot.number("best_energy")
            self._place.recall(self._best.cells, self._best.value, energy)

    def _words(self, *shape: int) -> NDArray[np.uint64]:
        return self._rng.integers(0, 2**64, size=shape, dtype=np.uint64)

    def _share_accepted(self) -> float:
        """Per cent of the block's moves that were kept."""
        return 100.0 * self._place.n_accepted / self._place.block

    def rehearse(self) -> None:
        """Restart, which a run does only later, with kernels of its own."""
        self._restart()

    def _restart(self) -> None:
        """Go on from a random board."""
        self._place.place(self._place.random_cells(self._rng))
