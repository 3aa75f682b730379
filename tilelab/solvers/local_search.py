"""What the local searches share: a place in a neighbourhood, blocks of moves, the best, snapshots.

A search says what a block of moves is; the neighbourhood of a puzzle says what a move is. To serve
another puzzle, a subclass names that puzzle's neighbourhood and its own spec.
"""

from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError, RunError, SnapshotError
from tilelab.core.parameters import live_value, validate
from tilelab.core.puzzle import Cells
from tilelab.core.randomness import generator, generator_from_state, generator_state
from tilelab.core.solver import Best, Progress, Snapshot, SolverSpec, Status

Scalars = dict[str, int | float | str | bool | None]


class Neighbourhood(Protocol):
    """A present board, the moves from it, and the best board met; the moves' loop is compiled."""

    block: int
    """Moves in a unit: a matter of milliseconds."""

    @property
    def shape_of_memory(self) -> tuple[int, ...]:
        """The shape of a tabu list: what a move undoes."""
        ...

    @property
    def cells(self) -> Cells:
        """A copy of the present board."""
        ...

    @property
    def best_cells(self) -> Cells:
        """A copy of the best board met."""
        ...

    @property
    def value(self) -> float:
        """The present board's score."""
        ...

    @property
    def best_value(self) -> float:
        """The best score met; -1 before the first."""
        ...

    @property
    def energy(self) -> float:
        """What the search climbs: the present score, and the worth of near misses."""
        ...

    @property
    def best_energy(self) -> float:
        """The best met of what the search climbs: the score, and the worth of near misses."""
        ...

    @property
    def temperatures(self) -> tuple[float, float]:
        """Where annealing does well to begin and to end on this instance."""
        ...

    @property
    def first_cycle(self) -> int:
        """How many blocks annealing does well to give its first cooling."""
        ...

    @property
    def best_of_block(self) -> float:
        """The best score of the last block."""
        ...

    @property
    def n_accepted(self) -> int:
        """How many moves of the last block were kept."""
        ...

    @property
    def n_forbidden(self) -> int:
        """How many moves of the last block the tabu list forbade."""
        ...

    def is_complete(self, cells: Cells, value: float) -> bool:
        """Tell whether no board can be better than one of this value."""
        ...

    def random_cells(self, rng: np.random.Generator) -> Cells:
        """Draw a board to begin from."""
        ...

    def place(self, cells: Cells) -> None:
        """Take a board as the present one."""
        ...

    def recall(self, best_cells: Cells, best_value: float, best_energy: float) -> None:
        """Take back a best board from a snapshot."""
        ...

    def walk(self, words: NDArray[np.uint64], temperatures: NDArray[np.float64]) -> None:
        """Do one move a random word by Metropolis's rule, each at its temperature."""
        ...

    def tabu(
        self, words: NDArray[np.uint64], first_step: int, tenure: int, until: NDArray[np.int64]
    ) -> None:
        """Do tabu steps, one a row of random words; until: the tabu list, changed in place."""
        ...


class LocalSearch:
    """One unit is a block of moves; a subclass does one in :meth:`_block`."""

    spec: ClassVar[SolverSpec]
    neighbourhood: ClassVar[Any]
    """Makes the neighbourhood of a puzzle from (puzzle, params)."""

    def __init__(self, puzzle: Any, params: Any) -> None:
        self._puzzle = puzzle
        self._params = params
        self._place: Neighbourhood = self.neighbourhood(puzzle, params)
        self._unit = 0
        self._best: Best | None = None
        self._status = Status.RUNNING

    _rng: np.random.Generator

    @property
    def params(self) -> Any:
        """The parameters in force, live changes included."""
        return self._params

    @property
    def block(self) -> int:
        """Moves in a unit."""
        return self._place.block

    @classmethod
    def create(cls, puzzle: Any, params: Any, seed: int) -> Self:
        """Begin with the puzzle's start board, if any, or else a random one."""
        solver = cls(puzzle, params)
        solver._rng = generator(seed)
        if puzzle.start is None:
            solver._place.place(solver._place.random_cells(solver._rng))
        else:
            solver._place.place(puzzle.start)
        solver._begin()
        return solver

    def advance(self, units: int) -> Progress:
        """Do at most ``units`` blocks of moves; fewer when nothing can be better."""
        trace = np.empty((units, len(self.spec.metrics)))
        before = self._best
        done = 0
        while done < units and self._status is Status.RUNNING:
            extra = self._block()
            self._keep_best()
            place = self._place
            trace[done] = (place.best_of_block, place.best_value, place.value, *extra)
            done += 1
            self._unit += 1
        return Progress(
            status=self._status,
            units=done,
            trace=trace[:done],
            best=None if self._best is before else self._best,
        )

    def set_live(self, name: str, value: object) -> None:
        """Change a live parameter from the next unit on; raises ParameterError."""
        self._params = live_value(self._params, name, value)

    def snapshot(self) -> Snapshot:
        """Copy out the present board, the best, and the random state."""
        best = self._best
        return Snapshot(
            solver=self.spec.key,
            version=self.spec.version,
            params=self._params.model_dump(mode="json"),
            scalars={
                "unit": self._unit,
                "status": self._status.value,
                "best_value": self._place.best_value,
                "best_energy": self._place.best_energy,
                "best_unit": None if best is None else best.unit,
                **self._scalars(),
            },
            arrays={
                "cells": self._place.cells,
                "best_cells": self._place.best_cells,
                "random_state": generator_state(self._rng),
                **self._arrays(),
            },
        )

    @classmethod
    def restore(cls, puzzle: Any, snapshot: Snapshot) -> Self:
        """Go on from a snapshot; raises SnapshotError when it does not fit."""
        snapshot.demand(cls.spec)
        solver = cls(puzzle, validate(cls.spec.params, snapshot.params))
        cells, best_cells = snapshot.arrays["cells"], snapshot.arrays["best_cells"]
        shape = (puzzle.shape[0] * puzzle.shape[1],)
        if cells.shape != shape or cells.dtype != np.uint8 or best_cells.shape != shape:
            raise SnapshotError(
                f"the snapshot's board has {cells.size} cells; this puzzle has {shape[0]}"
            )
        try:
            puzzle.demand(cells)
            puzzle.demand(best_cells)
        except GridError as fault:
            raise SnapshotError(f"the snapshot is of another board: {fault}") from fault
        scalars: dict[str, Any] = snapshot.scalars
        solver._place.place(cells)
        solver._place.recall(
            best_cells, float(scalars["best_value"]), float(scalars["best_energy"])
        )
        solver._rng = generator_from_state(snapshot.arrays["random_state"])
        solver._unit = int(scalars["unit"])
        solver._status = Status(scalars["status"])
        if scalars["best_unit"] is not None:
            value = float(scalars["best_value"])
            solver._best = Best(_frozen(best_cells.copy()), value, int(scalars["best_unit"]))
        solver._recall(scalars, snapshot.arrays)
        return solver

    def _begin(self) -> None:
        """Set up what the search has besides its board."""

    def _block(self) -> tuple[float, ...]:
        """Do one block of moves; returns the metrics behind best of block, best and current."""
        raise RunError(f"{self.spec.key} does not say what a block of moves is")

    def _scalars(self) -> Scalars:
        """Return what the search adds to the numbers of a snapshot."""
        return {}

    def _arrays(self) -> dict[str, NDArray[Any]]:
        """Return what the search adds to the arrays of a snapshot; copies."""
        return {}

    def _recall(self, scalars: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        """Take back what the search has added to a snapshot."""

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

    def _keep_best(self) -> None:
        place = self._place
        if self._best is None or place.best_value > self._best.value:
            self._best = Best(_frozen(place.best_cells), place.best_value, self._unit)
            if place.is_complete(self._best.cells, self._best.value):
                self._status = Status.SOLVED
        elif place.value >= self._best.value and place.is_complete(place.cells, place.value):
            # Strings that are worth nothing may be missing in the best and stand in an equal.
            self._best = Best(_frozen(place.cells), place.value, self._unit)
            self._status = Status.SOLVED


def _frozen(cells: Cells) -> Cells:
    cells.flags.writeable = False
    return cells
