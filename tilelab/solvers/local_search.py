"""Base of the local searches: a current board in a neighbourhood, and blocks of moves.

A search defines a block of moves; the neighbourhood of a puzzle defines a move. For another puzzle,
write a subclass with its own spec that makes that puzzle's neighbourhood.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.parameters import Params
from tilelab.core.pseudocode import Pseudocode
from tilelab.core.puzzle import Cells, Puzzle
from tilelab.core.solver import Advice, Arrays, Scalars, Snapshot, SolverSpec, Status
from tilelab.core.views import Frontier, ProposedMove, ViewKind
from tilelab.solvers.base import FRAME
from tilelab.solvers.block_steps import BlockSolver, UnitBegin
from tilelab.solvers.proposed_moves import (
    MAX_MOVES,
    MoveWords,
    Proposal,
    SearchStatus,
    moves_made,
    proposed_move,
)

T = TypeVar("T")


class Numbers(NamedTuple, Generic[T]):
    """Numbers of a neighbourhood, or their indices in its array."""

    value: T  # score of the current board
    best_value: T  # best score so far; minus infinity before the first
    energy: T  # energy of the current board: its score plus the value of near misses
    best_energy: T  # best energy so far
    best_of_block: T  # best score of the last block
    n_accepted: T  # number of moves in the last block that were accepted
    n_forbidden: T  # number of moves in the last block that the tabu list forbade


class Neighbourhood(ABC):
    """A current board, the moves from it, and the best board so far, with a compiled loop.

    bits: uint64, random; one row for each move or step. The kernels write into all three arrays.
    """

    block: int  # number of random numbers in a unit, which takes some milliseconds
    bits_per_move: int = 1  # random numbers; the last move may get fewer
    words = MoveWords("value", "")  # nouns for the moves in sentences
    can_continue_tabu = True  # whether a tabu step needs nothing of the steps before it in its call
    indices: ClassVar[Numbers[int]]

    def __init__(self, cells: Cells, best_cells: Cells, all_numbers: NDArray[np.float64]) -> None:
        self._cells, self._best_cells, self._all_numbers = cells, best_cells, all_numbers

    @property
    def numbers(self) -> Numbers[float]:
        return Numbers(*self._all_numbers[list(self.indices)].tolist())

    @property
    def cells(self) -> Cells:
        return self._cells.copy()

    @property
    def best_cells(self) -> Cells:
        return self._best_cells.copy()

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """Arrays that a move changes."""
        return self._cells, self._best_cells, self._all_numbers

    def saved(self) -> list[NDArray[Any]]:
        """Copy the state, for :meth:`return_to`."""
        return [array.copy() for array in self.arrays]

    def return_to(self, saved: Sequence[NDArray[Any]]) -> None:
        for array, before in zip(self.arrays, saved, strict=True):
            array[...] = before

    @contextmanager
    def continued(self) -> Iterator[None]:
        """Let one move be as if it belonged to the block before it."""
        yield

    @property
    @abstractmethod
    def n_scored(self) -> int:
        """Number of boards that the last block scored."""

    @property
    @abstractmethod
    def shape_of_memory(self) -> tuple[int, int]:
        """Shape of the tabu list: number of cells, and of different contents of a cell."""

    @property
    @abstractmethod
    def temperatures(self) -> tuple[float, float]:
        """Recommended initial and final temperature for this instance; found by experiment."""

    @property
    @abstractmethod
    def first_cycle(self) -> int:
        """Recommended number of blocks in the first cooling cycle."""

    @property
    def estimated_gain(self) -> float | None:
        """Gain by which the last move was rejected; None if it was judged by its real gain."""
        return None

    def is_complete(self, cells: Cells, value: float) -> bool:
        """Return whether it is certain that no board can have a better value."""
        return False

    @abstractmethod
    def random_cells(self, rng: np.random.Generator) -> Cells:
        """Draw a board to start from."""

    @abstractmethod
    def place(self, cells: Cells) -> None:
        """Make a board the current one."""

    def forget(self) -> None:
        self._all_numbers[[self.indices.best_value, self.indices.best_energy]] = -np.inf

    def recall(self, best_cells: Cells, best_value: float, best_energy: float) -> None:
        self._best_cells[:] = best_cells
        self._all_numbers[self.indices.best_energy] = best_energy
        # Without near misses the energy is equal to the score.
        self._all_numbers[self.indices.best_value] = best_value

    @abstractmethod
    def walk(self, bits: NDArray[np.uint64], temperatures: NDArray[np.float64]) -> None:
        """Do some moves by Metropolis's rule, each at its temperature, in units of the score."""

    @abstractmethod
    def climb(self, bits: NDArray[np.uint64], patience: int, n_idle: int) -> tuple[int, int]:
        """Do some moves that do not lower the energy; n_idle: previous moves without improvement.

        Returns the new n_idle, and the number of restarts, each after ``patience`` such moves.
        """

    @abstractmethod
    def tabu(
        self, bits: NDArray[np.uint64], first_step: int, tenure: int, until: NDArray[np.int64]
    ) -> int:
        """Do tabu steps; until: the tabu list, changed in place. Returns the moves compared."""


def typical_worth(values: NDArray[np.float64]) -> float:
    """Return the mean of values weighted by themselves, the unit of temperatures."""
    total = float(values.sum())
    return float((values**2).sum()) / total if total > 0 else 1.0


P = TypeVar("P", bound=Puzzle)
Q = TypeVar("Q", bound=Params)


def local_search_spec(
    key: str,
    title: str,
    source: str,
    puzzle: str,
    params: type[Params],
    *metrics: str,
    purpose: str,
    peer: str = "annealing",
    advice: Advice | None = None,
    **words: str,
) -> SolverSpec:
    """Return the spec of a local search.

    metrics: names in addition to those of all searches. words: of the pseudocode of the key.
    """
    return SolverSpec(
        key=key,
        title=title,
        source=source,
        puzzles=(puzzle,),
        params=params,
        unit="iteration",
        metrics=("best_of_block", "best_ever", "current", *metrics),
        version=1,
        step="move",
        views=(ViewKind.MOVE, ViewKind.FRONTIER),
        pseudocode=Pseudocode(f"{key}.md", words),
        purpose=purpose,
        peer=peer,
        advice=advice,
    )


class MoveSolver(BlockSolver[P, Q], Generic[P, Q]):
    """A solver whose steps are moves, which a twin repeats for views."""

    @abstractmethod
    def moves_of(self, begin: UnitBegin, first: int, end: int) -> list[ProposedMove]:
        """Return the views of some moves of a unit, from 0; end is excluded."""

    def view(self, kind: ViewKind) -> ProposedMove | Frontier | None:
        if kind is ViewKind.FRONTIER:
            return moves_made(self._last_moves(MAX_MOVES))
        return next(iter(self._last_moves(1)), None)

    def _last_moves(self, most: int) -> list[ProposedMove]:
        """Return the views of the last moves, newest first."""
        moves: list[ProposedMove] = []
        for begin, n_moves in self._units_back():
            first = max(n_moves - most + len(moves), 0)
            if first < n_moves:
                moves += self.moves_of(begin, first, n_moves)[::-1]
        return moves


class LocalSearch(MoveSolver[P, Q], Generic[P, Q]):
    """A solver whose unit is a block of moves; a subclass does them in :meth:`do_moves`."""

    frame = FRAME - {"limit", "best_moves", "best_optimal"}
    _n_restarts = 0

    @abstractmethod
    def neighbourhood(self) -> Neighbourhood:
        """Make the neighbourhood of the puzzle."""

    @abstractmethod
    def continue_unit(
        self, begin: UnitBegin, n_done: int, before: SearchStatus
    ) -> tuple[SearchStatus, Proposal]:
        """Do one more move after the first ones of a unit, on a twin; before: the status now.

        Returns the status after the move, and its proposal.
        """

    @abstractmethod
    def do_moves(self, n_moves: int) -> tuple[float, ...]:
        """Do the first moves of a block; returns the metrics after the first three."""

    def prepare(self) -> None:
        self._place = self.neighbourhood()

    def begin(self) -> None:
        if self._puzzle.start is None:
            self._restart()
        else:
            self._place.place(self._puzzle.start)

    @property
    def block(self) -> int:
        """Number of random numbers in a unit, and approximate number of boards scored."""
        return self._place.block

    @property
    def block_steps(self) -> int:
        place = self._place
        return -(-place.block // place.bits_per_move)

    def _n_bits(self, n_moves: int) -> int:
        return min(n_moves * self._place.bits_per_move, self._place.block)

    def do_block(self, n_steps: int) -> tuple[float, ...]:
        extra = self.do_moves(n_steps)
        self._n_scored += self._place.n_scored
        now = self._place.numbers
        return now.best_of_block, now.best_value, now.value, *extra

    def offer_found(self) -> None:
        place = self._place
        value, best_value = place.numbers.value, place.numbers.best_value
        best = self._offer(place.best_cells, best_value)
        if best is None and value >= self._best_value:
            # An equal board may have words of value 0 that the best board does not have.
            if place.is_complete(place.cells, value):
                self._offer(place.cells, value, always=True)
                self._end(Status.SOLVED)
        elif best is not None and place.is_complete(best.cells, best.value):
            self._end(Status.SOLVED)

    def current_cells(self) -> Cells:
        return self._place.best_cells.copy()

    def scalars(self) -> Scalars:
        now = self._place.numbers
        return {"best_value": now.best_value, "best_energy": now.best_energy}

    def arrays(self) -> Arrays:
        return {"cells": self._place.cells, "best_cells": self._place.best_cells}

    def set_state(self, snapshot: Snapshot) -> None:
        cells = snapshot.array("cells", np.uint8, None)
        self._require_board(cells)
        self._place.forget()
        self._place.place(cells)
        if self._best is not None:
            energy = snapshot.number("best_energy")
            self._place.recall(self._best.cells, self._best.value, energy)

    def immigrate(self, boards: NDArray[np.uint8], values: NDArray[np.float64]) -> None:
        """Continue from the best of the boards if it is better than the current board."""
        place = self._place
        if values[0] > place.numbers.value:
            place.place(boards[0])
            self._offer(place.best_cells, place.numbers.best_value)

    def _share_accepted(self) -> float:
        return 100.0 * self._place.numbers.n_accepted / self._place.block

    @property
    def _search_status(self) -> SearchStatus:
        place = self._place
        now = place.numbers
        accepted, forbidden = int(now.n_accepted), int(now.n_forbidden)
        counts = accepted, forbidden, place.n_scored, self._n_restarts
        return SearchStatus(place.cells, now.energy, *counts, now.best_value)

    def _status_after(self, before: SearchStatus) -> SearchStatus:
        """Return the status after one more move in a call of its own."""
        now = self._search_status
        return now._replace(
            n_accepted=before.n_accepted + now.n_accepted,
            n_forbidden=before.n_forbidden + now.n_forbidden,
            n_scored=before.n_scored + now.n_scored,
        )

    def moves_of(self, begin: UnitBegin, first: int, end: int) -> list[ProposedMove]:
        twin = self._twin_at(begin)
        n_restarts = twin._n_restarts
        twin.do_moves(first)
        now, moves = twin._search_status, []
        for n_done in range(first, end):
            before = now
            now, proposal = twin.continue_unit(begin, n_done, before)
            moves.append(
                proposed_move(
                    self._puzzle,
                    self._place.words,
                    before,
                    now,
                    proposal,
                    begins=n_done == 0 and before.n_restarts > n_restarts,
                    is_first=n_done == 0 and not begin.snapshot.count(self.unit_name),
                )
            )
        return moves

    def rehearse(self) -> None:
        self._restart()

    def _restart(self) -> None:
        self._place.place(self._place.random_cells(self._rng))
        self._n_scored += 1
