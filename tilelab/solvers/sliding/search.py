"""What all searches on sliding tiles share: blocks of work, metrics, the nearest board, the way."""

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.memory import free_bytes
from tilelab.core.parameters import Params, parameter, replaced, validate
from tilelab.core.parameters import live_value as with_live_value
from tilelab.core.solver import Best, Progress, Snapshot, SolverSpec, Status
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.solvers.kept_best import best_from, best_scalars

_LEAST_MEGABYTES = 16
METRICS = ("expanded", "generated", "frontier", "depth", "bound", "nearest", "megabytes")
"""Boards expanded and generated so far, boards waiting, moves of the board at hand, the lowest f or
the threshold, the least estimate met, and the memory of the boards."""


class SearchParams(Params):
    """What every search lets a person choose."""

    memory: int | None = parameter(
        None,
        "Memory",
        low=_LEAST_MEGABYTES,
        unit="MB",
        help="End the run when the boards would take more; none: half of what is free when the run "
        "begins.",
        group="Search",
        forkable=True,
    )
    block: int = parameter(
        1000,
        "Boards a step",
        low=1,
        high=1_000_000,
        help="How many boards make one step of the run, a row of the chart.",
        group="Search",
    )


S = TypeVar("S", bound=SearchParams)


def with_memory(params: S) -> S:
    """Return search parameters with a memory limit: half of what is free where none was set."""
    if params.memory is not None:
        return params
    return replaced(params, memory=max(free_bytes() // 2 >> 20, _LEAST_MEGABYTES))


class SlidingSearch(ABC):
    """A search in steps of some boards; a sub-class does one step and tells how it stands."""

    spec: ClassVar[SolverSpec]
    proves: ClassVar[bool] = False
    """Whether its way is always a shortest one, given a heuristic that never overestimates."""

    def __init__(self, puzzle: SlidingPuzzle, params: Any) -> None:
        self._puzzle = puzzle
        self._params = params
        self._unit = 0
        self._status = Status.RUNNING
        self._limit = ""
        self._best: Best | None = None
        self._max_bytes = self._granted_bytes = int(params.memory) << 20
        self._prepare()

    @property
    def params(self) -> Any:
        """The parameters in force."""
        return self._params

    @classmethod
    def create(cls, puzzle: SlidingPuzzle, params: Any, seed: int) -> Self:
        """Begin a search; the seed is not used: nothing here is random."""
        settled = cls.resolved(puzzle, params)
        search = cls(puzzle, settled)
        granted = search._granted_bytes
        if params.memory is None and granted < search._max_bytes:
            del search  # what it was granted, the next one needs
            megabytes = max(granted >> 20, _LEAST_MEGABYTES)
            search = cls(puzzle, replaced(settled, memory=megabytes))
        return search

    @classmethod
    def resolved(cls, puzzle: SlidingPuzzle, params: Any) -> Any:
        """Return parameters with a value for all that was left open; raises ParameterError.

        What these are may depend on the machine; the run that follows does not.
        """
        return with_memory(params)

    @classmethod
    def upgraded(cls, puzzle: SlidingPuzzle, snapshot: Snapshot) -> Snapshot:
        """Return a snapshot of an older program, which left parameters open, as it would be now."""
        params = cls.resolved(puzzle, validate(cls.spec.params, snapshot.params))
        return replace(snapshot, params=params.model_dump(mode="json"))

    def advance(self, units: int) -> Progress:
        """Do at most ``units`` steps; fewer when the search has ended."""
        trace = np.empty((units, len(METRICS)))
        before, done = self._best, 0
        while done < units and self._status is Status.RUNNING:
            self._status = self._step()
            self._note_best()
            trace[done] = self._row()
            done += 1
            self._unit += 1
        best = None if self._best is before else self._best
        return Progress(self._status, done, trace[:done], best, self._limit)

    def set_live(self, name: str, value: object) -> None:
        """Raise ParameterError: nothing can be turned while a search is going."""
        self._params = with_live_value(self._params, name, value)

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
                "best_cells": np.empty(0, np.uint8) if best is None else best.cells.copy(),
            },
        )

    @classmethod
    def restore(cls, puzzle: SlidingPuzzle, snapshot: Snapshot) -> Self:
        """Go on from a snapshot; raises SnapshotError when it does not fit."""
        snapshot.demand(cls.spec)
        search = cls(puzzle, cls.resolved(puzzle, validate(cls.spec.params, snapshot.params)))
        scalars: dict[str, Any] = snapshot.scalars
        search._set_state(snapshot.arrays)
        search._unit, search._limit = int(scalars["unit"]), str(scalars["limit"])
        search._status = Status(scalars["status"])
        search._best = best_from(scalars, snapshot.arrays["best_cells"], puzzle)
        return search

    def _note_best(self) -> None:
        """Keep the nearest board that was met, and the way to the goal once it is found."""
        if self._status is Status.SOLVED:
            moves = self._solution()
            cells = self._puzzle.replay(moves)
            self._best = Best(cells, 0.0, self._unit, moves, self._is_shortest())
            return
        cells = self._nearest()
        value = self._puzzle.score(cells)
        if self._best is None or value > self._best.value:
            self._best = Best(cells.copy(), value, self._unit)

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
    def _nearest(self) -> NDArray[np.uint8]:
        """Return the board with the least estimate."""

    @abstractmethod
    def _solution(self) -> str:
        """Return the way from start to goal."""

    @abstractmethod
    def _is_shortest(self) -> bool:
        """Tell whether that way is proven to be shortest."""

    @abstractmethod
    def _state(self) -> dict[str, NDArray[Any]]:
        """Copy out the arrays."""

    @abstractmethod
    def _set_state(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Inverse of ``_state``; raises SnapshotError."""
