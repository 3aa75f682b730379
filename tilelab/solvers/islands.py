"""Islands: parallel runs of one solver that exchange their best boards from time to time.

A unit is one unit of each island, with random numbers of its own. Between two migrations islands
are independent: the run is bit for bit the same for any number of threads.
"""

import functools
import os
import sys
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import SerializerFunctionWrapHandler, model_serializer

from tilelab.core.errors import SnapshotError
from tilelab.core.parameters import Choice, Params, parameter, replaced
from tilelab.core.plain import Value
from tilelab.core.puzzle import Best, Puzzle
from tilelab.core.randomness import generator
from tilelab.core.solver import Arrays, Progress, RemoteWorkers, Scalars, Snapshot, Solver, Status
from tilelab.core.text.language import marked, tr
from tilelab.core.views import View, ViewKind
from tilelab.solvers.base import FRAME, SolverBase
from tilelab.solvers.profile import SOLVER, WAITING, span
from tilelab.solvers.slices import WAIT_SECONDS, RemoteSlices, Slice

MAX_ISLANDS = 16  # a unit of each, on one core, must fit into the time for STOP
_GROUP = marked("Islands")
_BEST = "best_ever"  # metric that every solver with islands has


class Migration(Choice):
    """Islands whose best board an island takes over."""

    RING = "ring"
    ALL = "all"
    NONE = "none"


AnySolver: TypeAlias = SolverBase[Any, Any]


class IslandParams(Params):
    """Number of islands, and the exchange of boards between them.

    A solver whose parameters have this type can be run on islands. It is a ``SolverBase`` with the
    metric ``best_ever``, and handles the boards of other islands in ``immigrate``.
    """

    islands: int = parameter(
        1,
        marked("Islands"),
        low=1,
        high=MAX_ISLANDS,
        group=_GROUP,
        help=marked(
            "How many runs are done in parallel, on all cores; each has its own random numbers."
        ),
        source="Tanese 1989",
    )
    migration: Migration = parameter(
        Migration.RING,
        marked("Migration"),
        group=_GROUP,
        help=marked(
            "Whose best board an island receives: that of the previous island, those of all "
            "others, or none."
        ),
        source="Tanese 1989",
        choice_titles={
            "ring": marked("from one to the next"),
            "all": marked("from each to all"),
            "none": marked("no migration"),
        },
    )
    migrate_every: int = parameter(
        100,
        marked("Migrate every"),
        low=1,
        high=1_000_000,
        unit="units",
        group=_GROUP,
        help=marked(
            "After how many generations or iterations the best boards move to other islands."
        ),
        source="Tanese 1989",
    )

    @model_serializer(mode="wrap", when_used="json")
    def _without_islands(self, plain: SerializerFunctionWrapHandler) -> dict[str, Value]:
        """Leave out the islands of a run without islands, so that it is stored as before."""
        values: dict[str, Value] = plain(self)
        left_out = IslandParams.model_fields if self.islands == 1 else ()
        return {name: value for name, value in values.items() if name not in left_out}


def with_islands(solver: type[Solver], params: Params) -> type[Solver]:
    """Return the class of a run with these parameters: the solver's own, or islands of it."""
    if isinstance(params, IslandParams) and params.islands > 1 and issubclass(solver, SolverBase):
        return _islands_of(solver, params.islands)
    return solver


@functools.cache
def _islands_of(solver: type[AnySolver], n_islands: int) -> type["Islands"]:
    curves = (f"island_{number}" for number in range(1, n_islands + 1))
    spec = replace(solver.spec, metrics=(*solver.spec.metrics, *curves))
    return type(f"{solver.__name__}Islands", (Islands,), {"spec": spec, "solver": solver})


def island_seeds(seed: int, n_islands: int) -> list[int]:
    """Derive the seed of each island from that of the run."""
    children = np.random.SeedSequence(seed).spawn(n_islands)
    return [int(child.generate_state(1, np.uint64)[0]) >> 1 for child in children]


def most_threads() -> int:
    """Return the maximum number of threads; of more than two cores, the window keeps one."""
    n_cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max((n_cores or 1) - ((n_cores or 1) > 2), 1)


class Islands(SolverBase[Puzzle, IslandParams]):
    """Islands of one solver; see :func:`with_islands`. The run ends when an island ends.

    The metrics are those of the leading island, followed by the best value of each island.
    """

    solver: ClassVar[type[AnySolver]]  # solver class of each island
    frame = FRAME - {"random_state"}

    @classmethod
    def create(cls, puzzle: Puzzle, params: IslandParams, seed: int) -> Self:
        run = cls(puzzle, cls.resolved(puzzle, params), generator(seed))
        alone = replaced(run._params, islands=1)
        run._islands = [
            cls.solver.create(puzzle, alone, own) for own in island_seeds(seed, params.islands)
        ]
        return run

    @classmethod
    def resolved(cls, puzzle: Puzzle, params: IslandParams) -> IslandParams:
        resolved: IslandParams = cls.solver.resolved(puzzle, params)
        return resolved

    def prepare(self) -> None:
        self._islands: list[AnySolver] = []
        self._watched: frozenset[ViewKind] = frozenset()
        self._n_scored: int | None = 0
        self._is_compiled = False
        self._migrated = 0  # unit before which the last migration took place
        # Islands that are done with the unit before others: their state before it, and its result.
        self._ahead: dict[int, tuple[Snapshot, Slice]] = {}
        self._elsewhere: RemoteSlices | None = None  # units that other machines do, if any

    @property
    def n_evaluated(self) -> int | None:
        return self._n_scored

    @property
    def state_bytes(self) -> int:
        return sum(island.state_bytes for island in self._islands)

    @property
    def most_units(self) -> int | None:
        return self._islands[0].most_units

    def work(self, units: int) -> Progress:
        if self._elsewhere is not None and self._status is Status.RUNNING:
            before = self._begin_progress()
            return self._progress(before, self._rows(self._run_slices(units, WAIT_SECONDS)))
        n_threads = min(most_threads(), len(self._islands))
        left = [number for number in range(len(self._islands)) if number not in self._ahead]
        is_short = units > 1 or not self._is_compiled or len(left) <= n_threads
        if is_short or self._steps_done or self._status is not Status.RUNNING:
            return self.advance(units)
        self._migrate_if_due()
        before, chosen = self._begin_progress(), left[:n_threads]
        begins = [self._islands[number].snapshot() for number in chosen]
        for number, begin, done in zip(chosen, begins, self._run_islands(chosen, 1), strict=True):
            self._ahead[number] = (begin, done)
        return self._progress(before, np.empty((0, len(self.spec.metrics))))

    def work_elsewhere(self, workers: RemoteWorkers) -> bool:
        self._return_to_begin()
        self._elsewhere = RemoteSlices(workers, self._puzzle)
        return True

    def _return_to_begin(self) -> None:
        """Return all islands to the beginning of the unit; drop the work of other machines."""
        if self._elsewhere is not None:
            self._elsewhere.drop()
        for number, (begin, _) in self._ahead.items():
            self._islands[number] = self._restored(begin)
        self._ahead = {}

    def _restored(self, begin: Snapshot) -> AnySolver:
        island = self.solver.restore(self._puzzle, begin)
        island.watch(self._watched)
        return island

    def do_units(self, units: int) -> NDArray[np.float64]:
        parts, done = [self._rows([])], 0
        while done < units and self._status is Status.RUNNING:
            parts.append(self._rows(self._run_slices(units - done)))
            done += len(parts[-1])
        return np.concatenate(parts)

    def _rows(self, slices: Sequence[Slice]) -> NDArray[np.float64]:  # of the same units
        if not slices:
            return np.empty((0, len(self.spec.metrics)))
        first, n_before = self._unit, self._n_scored
        last = len(slices[0].ends) - 1
        for place, ends in enumerate(zip(*(part.ends for part in slices), strict=True)):
            bests = [end.best for end in ends]
            if place < last and not any(bests):
                continue
            self._unit, self._n_scored, before = first + place, n_before, self._best
            self._count(end.evaluations for end in ends)
            self._take_in(bests, [part.cut(place + 1) for part in slices])
            self._end_unit(before)
        traces = np.array([part.trace for part in slices])
        values = traces[:, :, self.solver.spec.metrics.index(_BEST)]
        leaders = traces[values.argmax(axis=0), np.arange(last + 1)]
        return np.concatenate([leaders, values.T], axis=1)

    def do_steps(self, most: int | None) -> list[float] | None:
        self._return_to_begin()
        self._migrate_if_due()
        done = [island.step(most or sys.maxsize) for island in self._islands]
        self._count(progress.evaluations for progress in done)
        self._steps_done += max(progress.steps for progress in done)
        if not any(progress.units for progress in done):
            return None
        for number, progress in enumerate(done):
            if not progress.units:
                # This island's unit has more steps than that of others.
                done[number] = self._islands[number].advance(1)
                self._count([done[number].evaluations])
        self._take_in([progress.best for progress in done], done)
        return self._row_of(np.concatenate([progress.trace for progress in done]))

    def _run_slices(self, most: int, seconds: float | None = None) -> list[Slice]:
        """Let each island do the same units, up to the next migration or to an island's end.

        seconds: maximum time to wait for other machines, after which no unit is done; None: wait.
        """
        self._migrate_if_due()
        every = self._params.migrate_every
        most = min(most, every - self._unit % every)
        if self._elsewhere is not None:
            parts = self._elsewhere.done(self._islands, most, seconds) or []
            self._islands = [self._restored(state) for state, _ in parts] or self._islands
            return [part for _, part in parts]
        units = 1 if not self._is_compiled or self._ahead else most
        begins = [island.snapshot() for island in self._islands] if units > 1 else []
        left = [number for number in range(len(self._islands)) if number not in self._ahead]
        worked = {number: part for number, (_, part) in self._ahead.items()}
        worked |= zip(left, self._run_islands(left, units), strict=True)
        self._ahead = {}
        done = [worked[number] for number in range(len(self._islands))]
        n_done = min(len(part.ends) for part in done)
        for number, part in enumerate(done):
            if len(part.ends) > n_done:
                # Another island ended earlier.
                self._islands[number] = self._restored(begins[number])
                self._islands[number].advance(n_done)
        return [part.cut(n_done) for part in done]

    def _run_islands(self, numbers: Sequence[int], units: int) -> list[Slice]:
        """Let some islands do some units, in parallel if there are cores."""
        islands = [self._islands[number] for number in numbers]
        n_threads = min(most_threads(), len(islands))
        if n_threads == 1 or not self._is_compiled or islands[0].has_short_units:
            # Compilation in another thread would count as time of the run.
            self._is_compiled = True
            return [island.run_slice(units) for island in islands]
        # The threads end with the slice, so that a paused run has none.
        waiting, done = deque(enumerate(islands)), dict[int, Slice]()

        def work_off() -> None:
            while True:
                try:
                    place, island = waiting.popleft()
                except IndexError:
                    return
                done[place] = island.run_slice(units)

        with ThreadPoolExecutor(n_threads - 1, "island") as threads:
            others = [threads.submit(span(SOLVER)(work_off)) for _ in range(n_threads - 1)]
            work_off()
            with span(WAITING):
                for other in others:
                    other.result()
        return [done[place] for place in range(len(islands))]

    def _count(self, counts: Iterable[int | None]) -> None:
        known = [self._n_scored, *counts]
        self._n_scored = None if None in known else sum(filter(None, known))

    def _take_in(self, bests: Sequence[Best | None], ends: Sequence[Slice | Progress]) -> None:
        """Collect the bests of a unit of each island, and end the run if an island has ended."""
        for best, end in zip(bests, ends, strict=True):
            if best is not None:
                is_solved = end.status is Status.SOLVED
                self._offer(best.cells, best.value, best.moves, best.optimal, always=is_solved)
        ended = [end for end in ends if end.status is not Status.RUNNING]
        if ended:
            first = min(ended, key=lambda end: end.status is not Status.SOLVED)
            self._end(first.status, first.limit)

    def _row_of(self, rows: NDArray[np.float64]) -> list[float]:
        """Combine one row of metrics of each island into the row of the run."""
        values = rows[:, self.solver.spec.metrics.index(_BEST)]
        return [*rows[values.argmax()].tolist(), *values.tolist()]

    def current_cells(self) -> NDArray[np.uint8] | None:
        boards = [island.current_cells() for island in self._islands]
        known = [cells for cells in boards if cells is not None]
        return max(known, key=self._puzzle.score, default=None)

    def metrics_inside(self) -> list[float] | None:
        rows = [island.metrics_inside() for island in self._islands]
        known = [row for row in rows if row is not None]
        return self._row_of(np.array(known)) if len(known) == len(rows) else None

    def _migrate_if_due(self) -> None:
        """Exchange the best boards if a migration is due before the unit that begins."""
        params = self._params
        is_due = self._unit % params.migrate_every == 0 and self._unit > self._migrated
        if not is_due or params.migration is Migration.NONE:
            return
        self._migrated = self._unit
        bests = [island.best for island in self._islands]
        for number, island in enumerate(self._islands):
            is_ring = params.migration is Migration.RING
            sent = [bests[number - 1]] if is_ring else bests[:number] + bests[number + 1 :]
            found = sorted(filter(None, sent), key=_value, reverse=True)
            if found:
                island.immigrate(
                    np.array([best.cells for best in found]),
                    np.array([best.value for best in found]),
                )

    def watch(self, kinds: frozenset[ViewKind]) -> None:
        self._watched = kinds
        for island in self._islands:
            island.watch(kinds)

    @property
    def _leader(self) -> int:
        """Index of the island with the best board; the first one if several are equal."""
        bests = [island.best for island in self._islands]
        return max(range(len(bests)), key=lambda number: _value(bests[number]))

    def view(self, kind: ViewKind) -> View | None:
        leader = self._leader
        view = self._islands[leader].view(kind)
        if view is None:
            return None
        return replace(
            view, caption=tr("Island {number}: {caption}", number=leader + 1, caption=view.caption)
        )

    def extras(self) -> Arrays:
        return self._islands[self._leader].extras()

    def archived(self) -> NDArray[np.uint8] | None:
        """Return the different boards of the best value of all islands."""
        top = _value(self.best)
        kept = [island.archived() for island in self._islands if _value(island.best) == top]
        boards = {cells.tobytes(): cells for part in kept if part is not None for cells in part}
        return np.array(list(boards.values())) if boards else None

    def rehearse(self) -> None:
        self._islands[0].rehearse()

    def set_live(self, name: str, value: object) -> None:
        super().set_live(name, value)
        self._return_to_begin()
        for island in self._islands:
            island.set_live(name, value)

    def snapshot(self) -> Snapshot:
        whole = super().snapshot()
        for number, prefix in enumerate(self._prefixes):
            is_ahead = number in self._ahead
            part = self._ahead[number][0] if is_ahead else self._islands[number].snapshot()
            whole.scalars.update({prefix + name: value for name, value in part.scalars.items()})
            whole.arrays.update({prefix + name: array for name, array in part.arrays.items()})
        return whole

    @property
    def _prefixes(self) -> list[str]:
        return [f"island_{number}." for number in range(1, self._params.islands + 1)]

    def scalars(self) -> Scalars:
        return {"migrated": self._migrated}

    def set_state(self, snapshot: Snapshot) -> None:
        self._migrated = snapshot.count("migrated")
        alone = replaced(self._params, islands=1).model_dump(mode="json")
        for prefix in self._prefixes:
            scalars, arrays = snapshot.scalars_of(prefix), snapshot.part(prefix)
            part = Snapshot(snapshot.solver, snapshot.version, alone, scalars, arrays)
            island = self.solver.restore(self._puzzle, part)
            if (island.unit, island.steps_done) != (self._unit, self._steps_done):
                raise SnapshotError("the snapshot's islands have not come equally far")
            self._islands.append(island)


def _value(best: Best | None) -> float:
    return -np.inf if best is None else best.value
