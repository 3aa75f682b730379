"""The genetic algorithm of Schafer 1999, "Genetic Boggle".

The first boards are random, and the fittest become parents. Every pair of parents has one child,
which gets each cell from the parent whose cell is used more; then mutations put random letters into
random cells. The view of a generation shows the origin of each letter. The kernels do not report
it, so that it is computed here again from their input.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.parameters import Choice, Params, parameter
from tilelab.core.pseudocode import Pseudocode
from tilelab.core.puzzle import Cells, Puzzle
from tilelab.core.registry import register_solver
from tilelab.core.snapshot_ranges import require_range
from tilelab.core.solver import Advice, Arrays, Snapshot, SolverSpec, Status
from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import counted, number, worth
from tilelab.core.views import (
    MAX_BOARDS,
    MAX_ENTRIES,
    Boards,
    CodeLine,
    EntryState,
    Frontier,
    Population,
    Reals,
    ViewKind,
)
from tilelab.puzzles.boggle.kernels.breeding import breed, count_distinct, fill_random, mutate
from tilelab.puzzles.boggle.kernels.generations import evolve
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.puzzles.boggle.scorer import SmallWalk
from tilelab.solvers.base import FRAME, SolverBase
from tilelab.solvers.islands import IslandParams

_WORDS_AT_ONCE = 1 << 17
"""Number of random 4-byte words for one call of a kernel; they fit into a core's cache."""
_SHORT_UNIT = 75_000
"""Trie nodes times boards of a short unit: about 0.2 ms, a third of it in Python."""
FIRST, SECOND, DRAWN = 0, 1, 2
"""Origin of a letter: first parent, second parent, or drawn at random."""


class Letters(Choice):
    UNIFORM = "uniform"
    FREQUENCY = "frequency"


class BreedingParams(Params):
    """Parameters of breeding; the defaults are the published ones."""

    mutation: int = parameter(
        20,
        marked("Mutation rate"),
        low=0,
        high=100,
        unit="letters a generation",
        help=marked(
            "How many times per generation a random letter is put into a random cell of a "
            "random board."
        ),
        source="Schafer 1999, step 7",
        live=True,
    )
    parents: int = parameter(
        15,
        marked("Parents"),
        low=3,
        high=60,
        help=marked(
            "How many of the fittest boards breed; each pair has one child, so 15 parents make "
            "a population of 105."
        ),
        source="Schafer 1999, step 3",
    )
    letters: Letters = parameter(
        Letters.UNIFORM,
        marked("Random letters"),
        help=marked("Draw all letters equally often, or as often as the lexicon uses them."),
        choice_titles={"uniform": "uniform", "frequency": marked("as in the lexicon")},
        forkable=True,
        rare=True,
    )


class GeneticParams(IslandParams, BreedingParams):
    """Parameters of the genetic algorithm."""


@dataclass(frozen=True, eq=False)
class Breeding:
    """The input of a generation's breeding; see :mod:`tilelab.puzzles.boggle.kernels.breeding`."""

    parents: Boards  # (parents, cells), boards of the parents, fittest first
    fitness: Reals  # (parents,), fitness of each parent
    usage: NDArray[np.int32]  # (parents, cells), usage of each cell
    crossing_bits: NDArray[np.uint32]  # (children, cells), random bits of the crossing
    mutation_bits: NDArray[np.uint32]  # (letters, 3), random bits of the mutations
    fixed: NDArray[np.int64]  # (fixed cells,), cells that have the same content in all boards

    @property
    def pairs(self) -> NDArray[np.int32]:
        """Indices of each child's parents, (children, 2)."""
        first, second = np.triu_indices(len(self.parents), 1)
        return np.stack([first, second], axis=1).astype(np.int32)

    def origins(self) -> NDArray[np.uint8]:
        """Return the origin of each letter after crossing, (children, cells)."""
        first, second = self.pairs.T
        one, other = self.usage[first], self.usage[second]
        coin = self.crossing_bits >> np.uint32(31) != 0
        by_use = [one > other, other > one, one == 0, coin]
        origins: NDArray[np.uint8] = np.select(by_use, [FIRST, SECOND, DRAWN, FIRST], SECOND)
        origins[:, self.fixed] = FIRST
        return origins.astype(np.uint8)

    def mutated(self) -> NDArray[np.bool_]:
        """Return whether each cell was mutated, (children, cells)."""
        mutated = np.zeros(self.crossing_bits.shape, np.bool_)
        sizes = np.array(mutated.shape, np.uint64)
        grids, cells = ((self.mutation_bits[:, :2] * sizes) >> np.uint64(32)).T
        mutated[grids, cells] = True
        mutated[:, self.fixed] = False
        return mutated


def _breeding_lines(
    breeding: Breeding, origins: NDArray[np.uint8], mutated: NDArray[np.bool_], puzzle: Puzzle
) -> list[CodeLine]:
    """Return the lines of the pseudocode that made the children; origins: before the mutation."""
    parents = puzzle.own_value(breeding.fitness)
    n_drawn = int((origins == DRAWN).sum())  # fixed cells are never drawn
    n_cells = origins.size - len(origins) * len(breeding.fixed)
    lines = [
        CodeLine("parents", f"{number(parents[-1])} … {number(parents[0])}"),
        CodeLine("pair", counted(len(origins), "board")),
        CodeLine("cross", counted(n_cells - n_drawn, "cell")),
    ]
    if n_drawn:
        lines.append(CodeLine("draw", counted(n_drawn, "cell")))
    if n_mutated := int(mutated.sum()):
        lines.append(CodeLine("mutate", counted(n_mutated, "cell")))
    return lines


def _shares(grids: Boards, n_symbols: int) -> Reals:
    """Return the share of boards with each letter in each cell, (cells, symbols), 0 to 1."""
    n_grids, n_cells = grids.shape
    places = grids + n_symbols * np.arange(n_cells)
    # A hole has no symbol.
    counts = np.bincount(places[grids < n_symbols], minlength=n_cells * n_symbols)
    shares: Reals = counts.reshape(n_cells, n_symbols) / n_grids
    return shares


def _caption(
    fitness: Reals,
    parents: NDArray[np.int32],
    parent_fitness: Reals,
    n_mutated: int,
    value_title: str,
) -> str:
    """Describe the origin of the fittest board; boards have numbers from 1, fittest first."""
    best = float(fitness[0])
    if parents[0] < 0:
        return tr(
            "The fittest board of this generation has {value}.", value=worth(best, value_title)
        )
    first, second = (int(place) for place in parents)
    text = tr(
        "Board {first_grid}, {first_value}, with board {second_grid}, {second_value}: the "
        "child has {best}.",
        first_grid=first + 1,
        first_value=worth(parent_fitness[first], value_title),
        second_grid=second + 1,
        second_value=number(parent_fitness[second]),
        best=number(best),
    )
    if n_mutated:
        text += tr(
            " Mutation has put a random letter in {n_mutated} of it.",
            n_mutated=counted(n_mutated, "cell"),
        )
    return text


@register_solver
class Genetic(SolverBase[BogglePuzzle, GeneticParams]):
    """A population of boards; one unit is one generation: score, keep the best, breed."""

    spec = SolverSpec(
        key="genetic",
        title=marked("Genetic (Schafer 1999)"),
        source="Schafer 1999",
        puzzles=("boggle",),
        params=GeneticParams,
        unit="generation",
        metrics=("best_of_generation", "mean", "best_ever", "distinct"),
        version=1,
        views=(ViewKind.POPULATION, ViewKind.FRONTIER),
        pseudocode=Pseudocode("boggle/genetic.md"),
        purpose=marked("Schafer's algorithm: shows how evolution packs words."),
        peer="annealing",
        advice=Advice(
            marked("Simulated annealing usually finds more, or lower the mutation rate."),
            *("annealing", "mutation", 0.5),
        ),
    )

    frame = FRAME - {"limit", "best_moves", "best_optimal"}
    ends_each_unit = True
    unit_name = "generation"

    def prepare(self) -> None:
        puzzle, params = self._puzzle, self._params
        puzzle.free_cells()  # raises an error if no cell can change
        self._thresholds = _thresholds(puzzle, params.letters)
        rows, cols = puzzle.shape
        shape = (math.comb(params.parents, 2), rows * cols)
        self._grids, self._next_grids = np.empty(shape, np.uint8), np.empty(shape, np.uint8)
        self._scores = np.empty(len(self._grids))
        self._usage = np.empty((params.parents, rows * cols), np.int32)
        self._is_watched = False
        self._judged: NDArray[np.uint8] | None = None
        """Last generation that was scored; None before the first."""
        self._judged_breeding: Breeding | None = None
        """Breeding of that generation, if it was watched."""
        self._breeding: Breeding | None = None
        """Breeding of the current generation, if it was watched."""

    def begin(self) -> None:
        bits = self._random_bits(np.uint32, *self._grids.shape)
        fill_random(bits, self._thresholds, self._grids)
        self._puzzle.fix(self._grids)
        if self._puzzle.start is not None:
            self._grids[0] = self._puzzle.start

    def current_cells(self) -> Cells:
        cells: Cells = self._grids[0].copy()
        return cells

    def do_unit(self) -> tuple[float, ...]:
        row = self._judge_generation()
        self._judged, self._judged_breeding, self._breeding = self._grids, self._breeding, None
        if self._is_complete():
            self._end(Status.SOLVED)
        else:
            self._breed_next()
        return row

    def do_units(self, units: int) -> NDArray[np.float64]:
        """Do many generations in one call of a kernel, if boards are small.

        Views show the last generation with its parents. While they are watched, it is therefore
        bred and scored by itself.
        """
        parts = [np.empty((0, len(self.spec.metrics)))]
        n_shown = 2 if self._is_watched else 0  # generations that breed the last one, and score it
        while units and self._status is Status.RUNNING:
            walk = self._puzzle.scorer.small_walk()
            if walk is None or units <= n_shown:
                parts.append(super().do_units(units))
            else:
                n_words = self._grids.size + 3 * self._params.mutation
                n_at_once = min(units - n_shown, max(_WORDS_AT_ONCE // n_words, 1))
                parts.append(self._evolve(n_at_once, n_words, walk))
            units -= len(parts[-1])
        return np.concatenate(parts)

    def _evolve(self, units: int, n_words: int, walk: SmallWalk) -> NDArray[np.float64]:
        """Do some generations, fewer if a board has all words; returns their rows.

        n_words: number of random words in a generation.
        """
        random_state = self._rng.bit_generator.state
        words = self._random_bits(np.uint32, units, n_words)
        # The kernel is compiled for each type, and only slices of one generation are contiguous.
        crossing, mutations = (
            np.ascontiguousarray(part) for part in np.split(words, [self._grids.size], axis=1)
        )
        scores, distinct = np.empty((units, len(self._grids))), np.empty(units, np.int64)
        bests = np.empty(units)
        first, n_bred = self._unit, 0
        breeding, self._breeding = self._breeding, None
        while n_bred < units:
            best = -np.inf if self._best is None else self._best.value
            bests[n_bred:] = best
            before, n_judged = n_bred, self._unit - first
            n_bred = evolve(
                n_bred,
                n_judged > n_bred,
                best,
                best >= self._puzzle.full_value,
                crossing.reshape(len(words), *self._grids.shape),
                mutations.reshape(len(words), self._params.mutation, 3),
                self._thresholds,
                self._puzzle.fixed,
                *walk,
                self._usage,
                self._grids,
                self._next_grids,
                scores,
                distinct,
            )
            if (n_bred - before) % 2:
                self._grids, self._next_grids = self._next_grids, self._grids
            self._end_units(n_bred - n_judged)
            if n_bred < units and self._ends_with(scores[n_bred]):
                bests[n_bred:] = self._best_value
                units = n_bred + 1
                if n_bred and self._is_watched:
                    breeding = self._bred(
                        self._next_grids,
                        scores[n_bred - 1],
                        crossing[n_bred - 1].reshape(self._grids.shape),
                        mutations[n_bred - 1].reshape(-1, 3),
                    )
                self._rng.bit_generator.state = random_state
                self._random_bits(np.uint32, n_bred, n_words)
                break
        self._judged = self._grids if n_bred < units else self._next_grids
        self._judged_breeding = breeding if self._status is Status.SOLVED else None
        scores = scores[:units]
        self._scores[:] = scores[-1]
        rows = scores.max(axis=1), scores.mean(axis=1), bests[:units], distinct[:units]
        return np.stack(rows, axis=1)

    def _ends_with(self, scores: NDArray[np.float64]) -> bool:
        """Use the scores of the current generation; returns whether the run ends with it."""
        before = self._best
        self._scores[:] = scores
        fittest = int(scores.argmax())
        self._offer(self._grids[fittest], float(scores[fittest]))
        is_complete = self._is_complete()
        if is_complete:
            self._end(Status.SOLVED)
        self._end_unit(before)
        return is_complete

    def watch(self, kinds: frozenset[ViewKind]) -> None:
        self._is_watched = bool(kinds)

    def view(self, kind: ViewKind) -> Population | Frontier | None:
        """Return the view of the last generation that was scored."""
        if self._judged is None:
            return None
        order = np.argsort(-self._scores, kind="stable")
        if kind is ViewKind.FRONTIER:
            return self._next_parents(self._judged, order)
        return self._population(self._judged, order[:MAX_BOARDS])

    def _population(self, grids: Boards, order: NDArray[np.intp]) -> Population:
        """Return the view of a generation; without a breeding its parents are unknown.

        It shows the puzzle's own values instead of the fitness.
        """
        puzzle, breeding = self._puzzle, self._judged_breeding
        shown, values = grids[order], puzzle.own_value(self._scores[order])
        lines = [CodeLine("start", counted(len(grids), "board"))] if self._unit == 1 else []
        if breeding is None:
            parents = np.full((len(order), 2), -1, np.int32)
            origins = np.full(shown.shape, DRAWN, np.uint8)
            mutated = np.zeros(shown.shape, np.bool_)
            parent_grids, parent_fitness = grids[:0], np.empty(0)
        else:
            bred, changed = breeding.origins(), breeding.mutated()
            lines += _breeding_lines(breeding, bred, changed, puzzle)
            parents, mutated = breeding.pairs[order], changed[order]
            origins = np.where(mutated, np.uint8(DRAWN), bred[order])
            parent_grids, parent_fitness = breeding.parents, puzzle.own_value(breeding.fitness)
        lines.append(CodeLine("score", f"{number(values[-1])} … {number(values[0])}"))
        if self._best is not None and self._best.unit == self._unit - 1:
            lines.append(CodeLine("best", number(values[0])))
        if self._status is Status.SOLVED:
            lines.append(CodeLine("stop", number(values[0])))
        return Population(
            _caption(values, parents[0], parent_fitness, int(mutated[0].sum()), puzzle.value_title),
            self._unit,
            shown,
            values,
            parents,
            parent_grids,
            parent_fitness,
            origins,
            mutated,
            _shares(grids, len(puzzle.lexicon.alphabet)),
            lines=tuple(lines),
        )

    def _next_parents(self, grids: Boards, order: NDArray[np.intp]) -> Frontier:
        """Return the table of those that breed the next generation, if there is one.

        It has the ranks of their own parents.
        """
        breeding = self._judged_breeding
        order = order[: self._params.parents if self._status is Status.RUNNING else 0]
        ranks = np.full((len(order), 2), np.nan)
        if breeding is not None:
            ranks = breeding.pairs[order] + 1.0
        values = self._puzzle.own_value(self._scores[order])
        shown = slice(0, MAX_ENTRIES)
        return Frontier.of(
            tr("Parents of the next generation"),
            (marked("from"), marked("and"), "v"),
            grids[order[shown]],
            np.column_stack([ranks, values])[shown],
            states=EntryState.PARENT,
            n_entries=len(order),
        )

    def immigrate(self, boards: NDArray[np.uint8], values: NDArray[np.float64]) -> None:
        """Replace the last children, which are those of the least fit parents."""
        n_taken = min(len(boards), len(self._grids))
        self._grids[-n_taken:] = boards[:n_taken]
        self._offer(boards[0], float(values[0]))
        # Some boards of this generation no longer come from its parents.
        self._breeding = None

    @property
    def has_short_units(self) -> bool:
        if self._puzzle.scorer.small_walk() is not None:
            return False
        return self._puzzle.trie.n_nodes * len(self._grids) < _SHORT_UNIT

    @property
    def n_evaluated(self) -> int:
        return self._unit * len(self._grids)

    def arrays(self) -> Arrays:
        return {"grids": self._grids.copy()}

    def set_state(self, snapshot: Snapshot) -> None:
        grids = snapshot.array("grids", np.uint8, *self._grids.shape)
        fixed = grids.copy()
        self._puzzle.fix(fixed)
        if not np.array_equal(fixed, grids):
            raise SnapshotError("the snapshot's grids hold other letters in locked cells or holes")
        letters = grids[:, self._puzzle.free_cells()]
        require_range("grids", letters, 0, len(self._puzzle.lexicon.alphabet) - 1)
        self._grids[:] = grids

    def _judge_generation(self) -> tuple[float, float, float, float]:
        """Score the population, keep the best, and return the generation's row of metrics."""
        self._puzzle.scorer.score(self._grids, self._scores)
        fittest = int(self._scores.argmax())
        top = float(self._scores[fittest])
        self._offer(self._grids[fittest], top)
        mean = float(self._scores.mean())
        return top, mean, self._best_value, float(count_distinct(self._grids))

    def _is_complete(self) -> bool:
        """Return whether some board of this generation has every word."""
        if self._best is None or self._best.value < self._puzzle.full_value:
            return False
        if self._puzzle.is_complete(self._best.cells, self._best.value):
            return True
        # An equal board may have words of value 0 that the best board does not have.
        for index in np.flatnonzero(self._scores >= self._puzzle.full_value).tolist():
            if self._puzzle.is_complete(self._grids[index], float(self._scores[index])):
                self._offer(self._grids[index], float(self._scores[index]), always=True)
                return True
        return False

    def _breed_next(self) -> None:
        """Fill the other buffer with the children of the fittest, and swap the two."""
        crossing_bits = self._random_bits(np.uint32, *self._grids.shape)
        mutation_bits = self._random_bits(np.uint32, self._params.mutation, 3)
        breeding = self._bred(self._grids, self._scores, crossing_bits, mutation_bits)
        breed(breeding.parents, breeding.usage, crossing_bits, self._thresholds, self._next_grids)
        mutate(mutation_bits, self._thresholds, self._next_grids)
        self._puzzle.fix(self._next_grids)
        self._breeding = breeding if self._is_watched else None
        self._grids, self._next_grids = self._next_grids, self._grids

    def _bred(
        self,
        boards: Boards,
        scores: Reals,
        crossing_bits: NDArray[np.uint32],
        mutation_bits: NDArray[np.uint32],
    ) -> Breeding:
        """Return the breeding of the fittest boards of a generation with its random bits."""
        # A stable sort gives the same order of equally fit boards on every machine.
        order = np.argsort(-scores, kind="stable")[: self._params.parents]
        parents, usage = boards[order], np.empty_like(self._usage)
        self._puzzle.scorer.usages(parents, usage)
        fixed = self._puzzle.fixed
        return Breeding(parents, scores[order], usage, crossing_bits, mutation_bits, fixed)


def _thresholds(puzzle: BogglePuzzle, letters: Letters) -> NDArray[np.uint64]:
    """Return the upper bound of each symbol's range of 32 random bits, uint64 (symbols,)."""
    n_symbols = len(puzzle.lexicon.alphabet)
    shares = np.full(n_symbols, 1.0 / n_symbols)
    if letters is Letters.FREQUENCY:
        shares = puzzle.lexicon.frequencies
    ends = np.round(np.cumsum(shares) * 2**32).astype(np.uint64)
    ends[-1] = 2**32
    return ends
