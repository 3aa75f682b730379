"""The genetic algorithm of Schafer 1999, "Genetic Boggle".

Random grids; the fittest become parents; every pair of parents has one child, each cell from the
parent whose cell is used more; then some random letters in random cells.
"""

import math
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.parameters import Choice, Params, live_value, parameter, validate
from tilelab.core.randomness import generator, generator_from_state, generator_state
from tilelab.core.registry import register_solver
from tilelab.core.snapshot_ranges import demand_range
from tilelab.core.solver import Best, Progress, Snapshot, SolverSpec, Status
from tilelab.kernels.grids.breeding import breed, count_distinct, fill_random, mutate
from tilelab.puzzles.boggle.puzzle import BogglePuzzle


class Letters(Choice):
    """How a random letter is drawn."""

    UNIFORM = "uniform"
    FREQUENCY = "frequency"


class GeneticParams(Params):
    """The knobs of the genetic algorithm; the defaults are the published ones."""

    mutation: int = parameter(
        20,
        "Mutation rate",
        low=0,
        high=100,
        unit="letters a generation",
        help="How many times a generation a random letter is put in a random cell of a random "
        "grid.",
        source="Schafer 1999, step 7",
        live=True,
    )
    parents: int = parameter(
        15,
        "Parents",
        low=3,
        high=60,
        help="How many of the fittest grids breed; each pair has one child, so 15 parents make a "
        "population of 105.",
        source="Schafer 1999, step 3",
    )
    letters: Letters = parameter(
        Letters.UNIFORM,
        "Random letters",
        help="Draw each letter of the lexicon's alphabet alike, or as often as the lexicon uses "
        "it.",
        choice_titles={"uniform": "uniform", "frequency": "as in the lexicon"},
        forkable=True,
    )


@register_solver
class Genetic:
    """A population of grids; one unit is one generation: score, note the best, breed."""

    spec: ClassVar[SolverSpec] = SolverSpec(
        key="genetic",
        title="Genetic (Schafer 1999)",
        source="Schafer 1999",
        puzzles=("boggle",),
        params=GeneticParams,
        unit="generation",
        metrics=("best_of_generation", "mean", "best_ever", "distinct"),
        version=1,
    )

    def __init__(self, puzzle: BogglePuzzle, params: GeneticParams) -> None:
        self._puzzle = puzzle
        self._params = params
        self._thresholds = _thresholds(puzzle, params.letters)
        rows, cols = puzzle.shape
        self._n_cells = rows * cols
        self._n_grids = math.comb(params.parents, 2)
        shape = (self._n_grids, self._n_cells)
        self._grids = np.empty(shape, np.uint8)
        self._next_grids = np.empty(shape, np.uint8)
        self._scores = np.empty(self._n_grids)
        self._usage = np.empty((params.parents, self._n_cells), np.int32)
        self._generation = 0
        self._best: Best | None = None
        self._status = Status.RUNNING

    @property
    def params(self) -> GeneticParams:
        """The parameters in force, live changes included."""
        return self._params

    @classmethod
    def create(cls, puzzle: BogglePuzzle, params: GeneticParams, seed: int) -> Self:
        """Begin with random grids; the puzzle's start grid, if any, takes the first one's place."""
        solver = cls(puzzle, params)
        solver._rng = generator(seed)
        words = solver._random_words(solver._grids.shape)
        fill_random(words, solver._thresholds, solver._grids)
        if puzzle.start is not None:
            solver._grids[0] = puzzle.start
        return solver

    def advance(self, units: int) -> Progress:
        """Do at most ``units`` generations; fewer when every string is encoded."""
        trace = np.empty((units, len(self.spec.metrics)))
        before = self._best
        done = 0
        while done < units and self._status is Status.RUNNING:
            trace[done] = self._judge_generation()
            done += 1
            self._generation += 1
            if self._is_complete():
                self._status = Status.SOLVED
            else:
                self._breed_next()
        return Progress(
            status=self._status,
            units=done,
            trace=trace[:done],
            best=None if self._best is before else self._best,
        )

    def set_live(self, name: str, value: object) -> None:
        """Change the mutation rate from the next unit on; raises ParameterError."""
        self._params = live_value(self._params, name, value)

    def snapshot(self) -> Snapshot:
        """Copy out population, random state and best."""
        best = self._best
        return Snapshot(
            solver=self.spec.key,
            version=self.spec.version,
            params=self._params.model_dump(mode="json"),
            scalars={
                "generation": self._generation,
                "status": self._status.value,
                "best_value": None if best is None else best.value,
                "best_unit": None if best is None else best.unit,
            },
            arrays={
                "grids": self._grids.copy(),
                "random_state": generator_state(self._rng),
                "best_cells": np.empty(0, np.uint8) if best is None else best.cells.copy(),
            },
        )

    @classmethod
    def restore(cls, puzzle: BogglePuzzle, snapshot: Snapshot) -> Self:
        """Go on from a snapshot; raises SnapshotError when it does not fit."""
        snapshot.demand(cls.spec)
        solver = cls(puzzle, validate(GeneticParams, snapshot.params))
        grids = snapshot.arrays["grids"]
        if grids.shape != solver._grids.shape or grids.dtype != np.uint8:
            raise SnapshotError(
                f"the snapshot's population is {grids.shape}; this puzzle and solver need "
                f"{solver._grids.shape}"
            )
        demand_range("grids", grids, 0, len(puzzle.lexicon.alphabet) - 1)
        solver._grids[:] = grids
        solver._rng = generator_from_state(snapshot.arrays["random_state"])
        scalars: dict[str, Any] = snapshot.scalars
        solver._generation = int(scalars["generation"])
        solver._status = Status(scalars["status"])
        if scalars["best_value"] is not None:
            puzzle.demand(snapshot.arrays["best_cells"])
            solver._best = Best(
                cells=snapshot.arrays["best_cells"].copy(),
                value=float(scalars["best_value"]),
                unit=int(scalars["best_unit"]),
            )
        return solver

    _rng: np.random.Generator

    def _random_words(self, shape: tuple[int, ...]) -> NDArray[np.uint32]:
        return self._rng.integers(0, 2**32, size=shape, dtype=np.uint32)

    def _judge_generation(self) -> tuple[float, float, float, float]:
        """Score the population, keep the best, and return the generation's row of metrics."""
        self._puzzle.scorer.score(self._grids, self._scores)
        fittest = int(self._scores.argmax())
        top = float(self._scores[fittest])
        if self._best is None or top > self._best.value:
            cells = self._grids[fittest].copy()
            cells.flags.writeable = False
            self._best = Best(cells=cells, value=top, unit=self._generation)
        mean = float(self._scores.mean())
        return top, mean, self._best.value, float(count_distinct(self._grids))

    def _is_complete(self) -> bool:
        """Tell whether some grid of this generation encodes every string."""
        if self._best is None or self._best.value < self._puzzle.full_value:
            return False
        if self._puzzle.is_complete(self._best.cells, self._best.value):
            return True
        # Strings that are worth nothing may be missing in the best and stand in an equal.
        for index in np.flatnonzero(self._scores >= self._puzzle.full_value).tolist():
            if self._puzzle.is_complete(self._grids[index], float(self._scores[index])):
                cells = self._grids[index].copy()
                cells.flags.writeable = False
                self._best = Best(cells, float(self._scores[index]), self._generation - 1)
                return True
        return False

    def _breed_next(self) -> None:
        """Fill the other buffer with the children of the fittest, and swap the two."""
        # A stable sort: of equally fit grids the earlier one goes first, on every machine.
        order = np.argsort(-self._scores, kind="stable")[: self._params.parents]
        parents = self._grids[order]
        for row, parent in enumerate(parents):
            self._puzzle.scorer.usage(parent, self._usage[row])
        words = self._random_words(self._grids.shape)
        breed(parents, self._usage, words, self._thresholds, self._next_grids)
        mutate(self._random_words((self._params.mutation, 3)), self._thresholds, self._next_grids)
        self._grids, self._next_grids = self._next_grids, self._grids


def _thresholds(puzzle: BogglePuzzle, letters: Letters) -> NDArray[np.uint64]:
    """Return where 32-bit words change from one symbol to the next, uint64 (symbols,)."""
    n_symbols = len(puzzle.lexicon.alphabet)
    shares = np.full(n_symbols, 1.0 / n_symbols)
    if letters is Letters.FREQUENCY:
        shares = puzzle.lexicon.frequencies
    ends = np.round(np.cumsum(shares) * 2**32).astype(np.uint64)
    ends[-1] = 2**32
    return ends
