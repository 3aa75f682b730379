"""Slices: some units of a run, done here or by another machine.

The request and the result are snapshots of plain values, which are written like run files.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.core.puzzle import Puzzle
from tilelab.core.solver import (
    Arrays,
    Best,
    Progress,
    RemoteWorkers,
    Scalars,
    Snapshot,
    Solver,
    Status,
)

WAIT_SECONDS = 0.1  # time that a slice waits for other machines; STOP takes effect after it
_ASKED, _DONE = "asked.", "done."  # prefixes of the additional names in a request and in a result


class UnitEnd(NamedTuple):
    evaluations: int | None  # boards scored from the beginning of the slice to its end
    best: Best | None  # best of the run, only if it is new


@dataclass(frozen=True, eq=False)
class Slice:
    status: Status
    limit: str
    trace: NDArray[np.float64]  # (units, metrics), one row of metrics for each unit
    ends: Sequence[UnitEnd]

    def cut(self, units: int) -> "Slice":
        if units == len(self.ends):
            return self
        return Slice(Status.RUNNING, "", self.trace[:units], self.ends[:units])


Done = tuple[Snapshot, Slice]  # state of a run after some units, and the results of these units


def slice_by_units(solver: Solver, units: int) -> Slice:
    """Let a solver do some units one by one; fewer if the run ends."""
    done: list[Progress] = []
    ends: list[UnitEnd] = []
    count: int | None = 0
    while len(done) < units and (not done or done[-1].status is Status.RUNNING):
        progress = solver.advance(1)
        done.append(progress)
        new = progress.evaluations
        count = None if count is None or new is None else count + new
        ends.append(UnitEnd(count, progress.best))
    trace = np.concatenate([progress.trace for progress in done])
    return Slice(done[-1].status, done[-1].limit, trace, ends)


class RemoteSlices:
    """The next units of some runs on one puzzle, done by workers."""

    def __init__(self, workers: RemoteWorkers, puzzle: Puzzle) -> None:
        self._workers, self._puzzle = workers, puzzle
        self._units = 0  # number of units that are under way

    def done(self, runs: Sequence[Solver], most: int, seconds: float | None) -> list[Done] | None:
        """Wait for up to ``most`` units of each run, all the same; None after ``seconds``."""
        if self._units > most:
            self.drop()
        if not self._units:
            self._begin(runs, most)
        results = self._workers.results(seconds)
        if results is None:
            return None
        self._units = 0
        done = [_read(result) for result in results]
        least = min(len(part.ends) for _, part in done)
        if all(len(part.ends) == least for _, part in done):
            return done
        # One run has ended; the others should not go further.
        self._begin(runs, least)
        return self.done(runs, most, seconds)

    def drop(self) -> None:
        self._workers.drop()
        self._units = 0

    def _begin(self, runs: Sequence[Solver], units: int) -> None:
        parts = [_with(run.snapshot(), _ASKED, {"units": units}, {}) for run in runs]
        self._workers.begin(self._puzzle, parts)
        self._units = units


def do_slice(solver_class: Any, puzzle: Any, part: Snapshot) -> Snapshot:
    """Do the units that a part requests; see :meth:`Solver.do_part`."""
    asked, state = _without(part, _ASKED)
    solver = solver_class.restore(puzzle, state)
    done = solver.run_slice(asked.count("units"))
    bests = [end.best for end in done.ends if end.best is not None]
    facts = [
        [evaluations, best and [best.value, best.unit, best.moves, best.optimal]]
        for evaluations, best in done.ends
    ]
    scalars: Scalars = {"status": done.status.value, "limit": done.limit, "ends": json.dumps(facts)}
    cells = np.array([best.cells for best in bests], np.uint8)
    arrays: Arrays = {"trace": done.trace, "bests": cells.reshape(len(bests), -1 if bests else 0)}
    return _with(solver.snapshot(), _DONE, scalars, arrays)


def _read(result: Snapshot) -> Done:
    found, state = _without(result, _DONE)
    boards = iter(found.arrays["bests"])
    ends = [
        UnitEnd(evaluations, None if facts is None else Best(next(boards), *facts))
        for evaluations, facts in json.loads(found.text("ends"))
    ]
    done = Slice(Status(found.text("status")), found.text("limit"), found.arrays["trace"], ends)
    return state, done


def _with(state: Snapshot, prefix: str, scalars: Scalars, arrays: Arrays) -> Snapshot:
    """Return a snapshot with additional values, whose names get a prefix."""
    more = {prefix + name: value for name, value in scalars.items()}
    parts = {prefix + name: array for name, array in arrays.items()}
    return replace(state, scalars={**state.scalars, **more}, arrays={**state.arrays, **parts})


def _without(whole: Snapshot, prefix: str) -> tuple[Snapshot, Snapshot]:
    """Inverse of :func:`_with`; returns the additional values, and the snapshot."""
    added = replace(whole, scalars=whole.scalars_of(prefix), arrays=whole.part(prefix))
    scalars = {n: value for n, value in whole.scalars.items() if not n.startswith(prefix)}
    arrays = {n: array for n, array in whole.arrays.items() if not n.startswith(prefix)}
    return added, replace(whole, scalars=scalars, arrays=arrays)
