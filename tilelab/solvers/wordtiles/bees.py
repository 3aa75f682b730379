"""The bee colony of Naz et al. 2016 on word tiles.

Agents slide at random; after every step the poorer ones may give up their board and follow a
richer one. The best boards ever met are archived, and trips start from them.
"""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.parameters import Choice, Params, live_value, parameter, validate
from tilelab.core.randomness import generator, generator_from_state, generator_state
from tilelab.core.registry import register_solver
from tilelab.core.snapshot_ranges import demand_range, demand_same_tiles
from tilelab.core.solver import Best, Progress, Snapshot, SolverSpec, Status
from tilelab.kernels.lines import bees as kernel
from tilelab.puzzles.sliding.tables import move_tables
from tilelab.puzzles.wordtiles.puzzle import WordTilesPuzzle

MOST_SHOWN = 1000
"""Boards of a kind that are handed to those who watch."""


class TripStart(Choice):
    """Where the agents of an iteration start."""

    ARCHIVE = "archive"
    HIVE = "hive"
    STAY = "stay"


_STARTS = {
    TripStart.ARCHIVE: kernel.ARCHIVE,
    TripStart.HIVE: kernel.HIVE,
    TripStart.STAY: kernel.STAY,
}


class BeesParams(Params):
    """The knobs of the bee colony; the defaults are the best of the published ones."""

    agents: int = parameter(
        16, "Agents", low=1, high=1000, help="How many bees slide.", source="Naz et al. 2016"
    )
    steps: int = parameter(
        30,
        "Steps",
        low=1,
        high=1000,
        unit="slides a trip",
        help="How many slides each agent makes in an iteration.",
        source="Naz et al. 2016",
    )
    iterations: int | None = parameter(
        100,
        "Iterations",
        low=1,
        help="End the run after so many trips.",
        source="Naz et al. 2016",
        forkable=True,
    )
    start: TripStart = parameter(
        TripStart.ARCHIVE,
        "Start of trip",
        help="Every trip starts from a best board so far, from the initial board, or where the "
        "last one ended.",
        source="Naz et al. 2016",
        choice_titles={"archive": "a best board", "hive": "initial board", "stay": "where it is"},
        forkable=True,
    )
    archive: int = parameter(
        1000,
        "Archive",
        low=1,
        high=100_000,
        unit="boards",
        help="How many boards of the best value are kept; later ones find no room.",
    )


@register_solver
class Bees:
    """One unit is an iteration: a trip of all agents.

    When all agents are equal, all are loyal. That none is loyal cannot be: the best are, always.
    """

    spec: ClassVar[SolverSpec] = SolverSpec(
        key="bees",
        title="Bee colony (Naz et al. 2016)",
        source="Naz et al. 2016",
        puzzles=("wordtiles",),
        params=BeesParams,
        unit="iteration",
        metrics=("best_of_iteration", "mean", "worst", "best_ever", "loyal", "archive_size"),
        version=1,
    )

    def __init__(self, puzzle: WordTilesPuzzle, params: BeesParams) -> None:
        self._puzzle, self._params = puzzle, params
        n_agents, n_cells = params.agents, len(puzzle.start)
        self._target = move_tables(*puzzle.shape).target
        self._hive_blank = int(np.argmin(puzzle.start))
        self._boards = np.tile(puzzle.start, (n_agents, 1))
        self._blanks = np.full(n_agents, self._hive_blank, np.int64)
        self._lasts = np.full(n_agents, -1, np.int64)
        self._values = np.empty(n_agents)
        self._archive = np.empty((params.archive, n_cells), np.uint8)
        self._slots = np.empty(2 << params.archive.bit_length(), np.int32)
        self._facts = np.empty(kernel.N_FACTS)
        self._iteration = 0
        self._best: Best | None = None
        self._n_archived = 0
        self._best_value = 0.0

    _rng: np.random.Generator

    @property
    def params(self) -> BeesParams:
        """The parameters in force."""
        return self._params

    @classmethod
    def create(cls, puzzle: WordTilesPuzzle, params: BeesParams, seed: int) -> Self:
        """Begin with the initial board in the archive."""
        solver = cls(puzzle, params)
        solver._rng = generator(seed)
        solver._best_value = puzzle.score(puzzle.start)
        solver._values[:] = solver._best_value
        solver._archive[0], solver._n_archived = puzzle.start, 1
        kernel.fill_slots(1, solver._archive, solver._slots)
        return solver

    def agents(self) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        """Return the agents' boards, uint8 (agents, cells), and their values."""
        return self._boards.copy(), self._values.copy()

    def extras(self) -> dict[str, NDArray[Any]]:
        """Return what can be watched besides the best; at most ``MOST_SHOWN`` boards of a kind.

        agents, archive: uint8 (n, cells). values: float64 (n,), those of the agents.
        """
        return {
            "agents": self._boards[:MOST_SHOWN].copy(),
            "values": self._values[:MOST_SHOWN].copy(),
            "archive": self._archive[: min(self._n_archived, MOST_SHOWN)].copy(),
        }

    def archived(self) -> NDArray[np.uint8]:
        """Return the different boards of the best value that were met first, uint8 (n, cells)."""
        return self._archive[: self._n_archived].copy()

    def advance(self, units: int) -> Progress:
        """Do at most ``units`` iterations; fewer when all are done."""
        last = self._params.iterations
        if last is not None:
            units = min(units, max(last - self._iteration, 0))
        trace, before = np.empty((units, len(self.spec.metrics))), self._best
        for row in range(units):
            trace[row] = self._iterate()
            self._iteration += 1
        is_done = last is not None and self._iteration >= last
        return Progress(
            status=Status.LIMIT if is_done else Status.RUNNING,
            units=units,
            trace=trace,
            best=None if self._best is before else self._best,
            limit="iterations" if is_done else "",
        )

    def _iterate(self) -> tuple[float, ...]:
        n_agents, n_steps = self._params.agents, self._params.steps
        self._best_value, self._n_archived = kernel.trip(
            _STARTS[self._params.start],
            self._puzzle.start,
            self._hive_blank,
            self._random_words((n_agents,)),
            self._random_words((n_steps, 3, n_agents)),
            self._target,
            self._puzzle.words,
            self._best_value,
            self._archive,
            self._slots,
            self._n_archived,
            self._boards,
            self._blanks,
            self._lasts,
            self._values,
            self._facts,
        )
        if self._best is None or self._best_value > self._best.value:
            cells = self._archive[0].copy()
            cells.flags.writeable = False
            self._best = Best(cells, float(self._best_value), self._iteration)
        facts = self._facts
        return (
            facts[kernel.BEST],
            facts[kernel.MEAN],
            facts[kernel.WORST],
            self._best_value,
            facts[kernel.LOYAL],
            float(self._n_archived),
        )

    def _random_words(self, shape: tuple[int, ...]) -> NDArray[np.uint32]:
        return self._rng.integers(0, 2**32, size=shape, dtype=np.uint32)

    def set_live(self, name: str, value: object) -> None:
        """Raise ParameterError: nothing can be turned while the bees fly."""
        self._params = live_value(self._params, name, value)

    def snapshot(self) -> Snapshot:
        """Copy out agents, archive and random state."""
        return Snapshot(
            solver=self.spec.key,
            version=self.spec.version,
            params=self._params.model_dump(mode="json"),
            scalars={
                "iteration": self._iteration,
                "best_value": float(self._best_value),
                "best_unit": None if self._best is None else self._best.unit,
            },
            arrays={
                "boards": self._boards.copy(),
                "lasts": self._lasts.copy(),
                "values": self._values.copy(),
                "archive": self.archived(),
                "random_state": generator_state(self._rng),
            },
        )

    @classmethod
    def restore(cls, puzzle: WordTilesPuzzle, snapshot: Snapshot) -> Self:
        """Go on from a snapshot; raises SnapshotError when it does not fit."""
        snapshot.demand(cls.spec)
        solver = cls(puzzle, validate(BeesParams, snapshot.params))
        boards, archive = snapshot.arrays["boards"], snapshot.arrays["archive"]
        n_cells = len(puzzle.start)
        fits = boards.shape == solver._boards.shape and boards.dtype == np.uint8
        if not fits or archive.ndim != 2 or not 1 <= len(archive) <= len(solver._archive):
            raise SnapshotError(
                f"the snapshot's agents are {boards.shape} with an archive of {archive.shape}; "
                f"this puzzle and solver need {solver._boards.shape} and at most "
                f"{solver._params.archive} boards of {n_cells} cells"
            )
        demand_same_tiles("boards", boards, puzzle.start)
        demand_same_tiles("archive", archive, puzzle.start)
        demand_range("lasts", snapshot.arrays["lasts"], -1, 3)
        solver._boards[:] = boards
        solver._blanks[:] = np.argmin(boards, axis=1)
        solver._lasts[:] = snapshot.arrays["lasts"]
        solver._values[:] = snapshot.arrays["values"]
        solver._n_archived = len(archive)
        solver._archive[: len(archive)] = archive
        kernel.fill_slots(len(archive), solver._archive, solver._slots)
        solver._rng = generator_from_state(snapshot.arrays["random_state"])
        scalars: dict[str, Any] = snapshot.scalars
        solver._iteration = int(scalars["iteration"])
        solver._best_value = float(scalars["best_value"])
        if scalars["best_unit"] is not None:
            cells = archive[0].copy()
            cells.flags.writeable = False
            solver._best = Best(cells, solver._best_value, int(scalars["best_unit"]))
        return solver
