"""What the searches on word tiles share: steps, the best board, snapshots."""

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.parameters import live_value, validate
from tilelab.core.randomness import generator, generator_from_state, generator_state
from tilelab.core.solver import Best, Progress, Snapshot, SolverSpec, Status
from tilelab.puzzles.sliding.tables import move_tables
from tilelab.puzzles.wordtiles.puzzle import WordTilesPuzzle
from tilelab.solvers.kept_best import best_from, best_scalars

_ZOBRIST_SEED = 15


class WordTileSearch(ABC):
    """A search in steps; a sub-class does one step and tells how it stands."""

    spec: ClassVar[SolverSpec]

    def __init__(self, puzzle: WordTilesPuzzle, params: Any, rng: np.random.Generator) -> None:
        self._puzzle, self._params, self._rng = puzzle, params, rng
        self._target = move_tables(*puzzle.shape).target
        size = (len(puzzle.letters) + 1, len(puzzle.start))
        self._zobrist = generator(_ZOBRIST_SEED).integers(0, 2**64, size=size, dtype=np.uint64)
        self._unit = 0
        self._status, self._limit = Status.RUNNING, ""
        self._best: Best | None = None
        self._prepare()

    @property
    def params(self) -> Any:
        """The parameters in force."""
        return self._params

    @classmethod
    def create(cls, puzzle: WordTilesPuzzle, params: Any, seed: int) -> Self:
        """Begin at the initial board."""
        return cls(puzzle, cls.resolved(puzzle, params), generator(seed))

    @classmethod
    def resolved(cls, puzzle: WordTilesPuzzle, params: Any) -> Any:
        """Return parameters with a value for all that was left open."""
        return params

    @classmethod
    def upgraded(cls, puzzle: WordTilesPuzzle, snapshot: Snapshot) -> Snapshot:
        """Return a snapshot of an older program, which left parameters open, as it would be now."""
        params = cls.resolved(puzzle, validate(cls.spec.params, snapshot.params))
        return replace(snapshot, params=params.model_dump(mode="json"))

    def advance(self, units: int) -> Progress:
        """Do at most ``units`` steps; fewer when the search has ended."""
        trace = np.empty((units, len(self.spec.metrics)))
        before, done = self._best, 0
        if self._best is None:
            self._offer(self._puzzle.start, self._puzzle.score(self._puzzle.start))
        while done < units and self._status is Status.RUNNING:
            self._status = self._step()
            trace[done] = self._row()
            done += 1
            self._unit += 1
        best = None if self._best is before else self._best
        return Progress(self._status, done, trace[:done], best, self._limit)

    def set_live(self, name: str, value: object) -> None:
        """Raise ParameterError: nothing can be turned while a search is going."""
        self._params = live_value(self._params, name, value)

    def snapshot(self) -> Snapshot:
        """Copy out the whole state."""
        best = self._best
        return Snapshot(
            solver=self.spec.key,
            version=self.spec.version,
            params=self._params.model_dump(mode="json"),
            scalars={
                "unit": self._unit,
                "status": self._status.value,
                "limit": self._limit,
                **best_scalars(best),
            },
            arrays={
                **self._state(),
                "random_state": generator_state(self._rng),
                "best_cells": np.empty(0, np.uint8) if best is None else best.cells.copy(),
            },
        )

    @classmethod
    def restore(cls, puzzle: WordTilesPuzzle, snapshot: Snapshot) -> Self:
        """Go on from a snapshot; raises SnapshotError when it does not fit."""
        snapshot.demand(cls.spec)
        rng = generator_from_state(snapshot.arrays["random_state"])
        params = cls.resolved(puzzle, validate(cls.spec.params, snapshot.params))
        search = cls(puzzle, params, rng)
        search._set_state(snapshot.arrays)
        scalars: dict[str, Any] = snapshot.scalars
        search._unit, search._limit = int(scalars["unit"]), str(scalars["limit"])
        search._status = Status(scalars["status"])
        search._best = best_from(scalars, snapshot.arrays["best_cells"], puzzle)
        return search

    @property
    def _best_value(self) -> float:
        assert self._best is not None
        return self._best.value

    def _offer(
        self,
        cells: NDArray[np.uint8],
        value: float,
        moves: str | None = None,
        optimal: bool | None = None,
    ) -> None:
        """Keep a board as the best if it is better; the way to it is not always known."""
        if self._best is None or value > self._best.value:
            kept = cells.copy()
            kept.flags.writeable = False
            self._best = Best(kept, float(value), self._unit, moves, optimal)

    @abstractmethod
    def _prepare(self) -> None:
        """Make the arrays of a new search."""

    @abstractmethod
    def _step(self) -> Status:
        """Do one step; with Status.LIMIT, ``_limit`` is set."""

    @abstractmethod
    def _row(self) -> tuple[float, ...]:
        """Return the metrics as they stand."""

    @abstractmethod
    def _state(self) -> dict[str, NDArray[Any]]:
        """Copy out the arrays."""

    @abstractmethod
    def _set_state(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Inverse of ``_state``; raises SnapshotError."""
