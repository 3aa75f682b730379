"""The local searches on word tiles.

A move of annealing is a walk of slides, or a swap that slides can produce. A move of hill climbing
is a walk of slides that does not lower the energy. Tabu search (Glover 1989) makes the best slide,
and forbids to undo it for a while.
"""

import numpy as np
from numpy.typing import NDArray

from tilelab.core.parameters import Params, parameter
from tilelab.core.pseudocode import Pseudocode
from tilelab.core.puzzle import Cells
from tilelab.core.registry import register_solver
from tilelab.core.snapshot_ranges import require_range
from tilelab.core.solver import Advice, Arrays, Best, Snapshot
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.views import ProposedMove, ViewKind
from tilelab.puzzles.wordtiles.kernels import moves as kernel
from tilelab.puzzles.wordtiles.kernels import searches
from tilelab.puzzles.wordtiles.puzzle import WordTilesPuzzle
from tilelab.puzzles.wordtiles.solvers.search import word_tile_spec
from tilelab.slides.moves import move_tables
from tilelab.solvers.block_steps import UnitBegin
from tilelab.solvers.islands import IslandParams
from tilelab.solvers.local_search import MoveSolver, Neighbourhood, Numbers, typical_worth
from tilelab.solvers.local_searches import (
    ClimbingSearch,
    ClimbParams,
    CoolingParams,
    CoolingSearch,
    TabuSearch,
    TenureParams,
    annealing_spec,
    hill_climbing_spec,
    patience_parameter,
    tabu_spec,
    tenure_parameter,
)
from tilelab.solvers.proposed_moves import MoveWords, Proposal, SearchStatus, proposed_move

_BLOCK_MOVES = 2_000
"""Approximate number of boards scored in a unit, which takes about a millisecond."""
_CYCLE_PER_CELL = 1.5  # number of blocks per cell in annealing's first cooling cycle
_SLIDES_INITIAL, _SLIDES_FINAL = 1.75, 0.6
_SWAPS_INITIAL, _SWAPS_FINAL = 0.8, 0.3
_NEVER = 2**62
_MOVE = "the best board on a random walk of slides from s"


class WalkParams(Params):
    walk: int = parameter(
        8,
        marked("Random walk"),
        former="trip",
        low=1,
        high=1_000,
        unit="slides",
        help=marked(
            "Number of slides of a random walk, which is one move; its result is the best "
            "board on it."
        ),
        forkable=True,
    )


class WordTileNeighbourhood(Neighbourhood):
    """A board, the moves from it, and the best board; all state depends on the cells only.

    walk: number of slides in a move. rearrange: a move swaps any two tiles instead.
    """

    indices = Numbers(
        value=kernel.VALUE,
        best_value=kernel.BEST_VALUE,
        energy=kernel.VALUE,
        best_energy=kernel.BEST_VALUE,
        best_of_block=kernel.BLOCK_BEST,
        n_accepted=kernel.ACCEPTED,
        n_forbidden=kernel.FORBIDDEN,
    )
    block = _BLOCK_MOVES

    def __init__(self, puzzle: WordTilesPuzzle, *, walk: int = 1, rearrange: bool = False) -> None:
        super().__init__(puzzle.start.copy(), puzzle.start.copy(), np.zeros(kernel.N_NUMBERS))
        self._all_numbers[kernel.BEST_VALUE] = -np.inf
        self._puzzle, self._walk, self._rearrange = puzzle, walk, rearrange
        self.bits_per_move = 1 if rearrange else walk
        if self.bits_per_move > 1:
            self.words = MoveWords(
                "value",
                tr(
                    "the best board on a random walk of {n_slides} slides",
                    n_slides=figures(walk, ","),
                ),
            )
        self._target = move_tables(*puzzle.shape).target
        self._parts = (puzzle.words, *self.arrays)

    @property
    def shape_of_memory(self) -> tuple[int, int]:
        return len(self._cells), len(self._puzzle.letters) + 1

    @property
    def n_scored(self) -> int:
        return int(self._all_numbers[kernel.SCORED])

    @property
    def temperatures(self) -> tuple[float, float]:
        typical = typical_worth(np.array(list(self._puzzle.values.values())))
        if self._rearrange:
            return _SWAPS_INITIAL * typical, _SWAPS_FINAL * typical
        return _SLIDES_INITIAL * typical, _SLIDES_FINAL * typical

    @property
    def first_cycle(self) -> int:
        return int(np.ceil(_CYCLE_PER_CELL * len(self._cells)))

    def random_cells(self, rng: np.random.Generator) -> Cells:
        """Draw a board that slides can reach."""
        cells = self._puzzle.start.copy()
        bits = np.uint64(rng.integers(0, 2**64, dtype=np.uint64))
        kernel.shuffle(bits, self._puzzle.shape[1], cells)
        return cells

    def place(self, cells: Cells) -> None:
        self._cells[:] = cells
        kernel.store_value(
            self._puzzle.score(self._cells), self._cells, self._best_cells, self._all_numbers
        )

    def walk(self, bits: NDArray[np.uint64], temperatures: NDArray[np.float64]) -> None:
        if self._rearrange:
            kernel.swap_walk(bits, temperatures, self._puzzle.has_equal_letters, *self._parts)
        else:
            self._slide(bits, temperatures, _NEVER, 0)

    def climb(self, bits: NDArray[np.uint64], patience: int, n_idle: int) -> tuple[int, int]:
        return self._slide(bits, np.zeros(len(bits)), patience, n_idle)

    def tabu(
        self, bits: NDArray[np.uint64], first_step: int, tenure: int, until: NDArray[np.int64]
    ) -> int:
        kernel.tabu_slides(bits, first_step, tenure, until, self._target, *self._parts)
        return self.n_scored

    def _slide(
        self,
        bits: NDArray[np.uint64],
        temperatures: NDArray[np.float64],
        patience: int,
        n_idle: int,
    ) -> tuple[int, int]:
        n_idle, n_shuffles = kernel.slide_walk(
            bits, temperatures, self._walk, patience, n_idle, self._target, *self._parts
        )
        return int(n_idle), int(n_shuffles)


class WordTileAnnealingParams(IslandParams, CoolingParams, WalkParams):
    rearrange: bool = parameter(
        False,
        marked("Rearrange"),
        help=marked("Swap any tiles instead of sliding; slides can still reach the board."),
        forkable=True,
    )


@register_solver
class WordTileAnnealing(CoolingSearch[WordTilesPuzzle, WordTileAnnealingParams]):
    """Annealing whose unit is a block of slides or swaps at falling temperatures."""

    spec = annealing_spec("wordtiles", WordTileAnnealingParams, f"{_MOVE}, or a swap")

    def neighbourhood(self) -> WordTileNeighbourhood:
        params = self._params
        return WordTileNeighbourhood(self._puzzle, walk=params.walk, rearrange=params.rearrange)


class WordTileHillClimbingParams(IslandParams, ClimbParams, WalkParams):
    patience: int = patience_parameter(60, "slides")


@register_solver
class WordTileHillClimbing(ClimbingSearch[WordTilesPuzzle, WordTileHillClimbingParams]):
    """Hill climbing whose unit is a block of slides, with restarts inside it."""

    spec = hill_climbing_spec("wordtiles", WordTileHillClimbingParams, _MOVE)

    def neighbourhood(self) -> WordTileNeighbourhood:
        return WordTileNeighbourhood(self._puzzle, walk=self._params.walk)


_MAX_SLIDES = 4  # maximum number of slides from a board


class WordTileTabuParams(IslandParams, TenureParams):
    tenure: int = tenure_parameter(5)


@register_solver
class WordTileTabu(TabuSearch[WordTilesPuzzle, WordTileTabuParams]):
    """Tabu search whose unit is a number of steps, each of which tries every slide."""

    spec = tabu_spec(
        "wordtiles",
        WordTileTabuParams,
        "scored",
        moves="all slides from s",
        none="s′ ← the one that is allowed first",
    )

    def neighbourhood(self) -> WordTileNeighbourhood:
        return WordTileNeighbourhood(self._puzzle)

    @property
    def block_steps(self) -> int:
        return self._place.block // _MAX_SLIDES

    def do_moves(self, n_moves: int) -> tuple[float, ...]:
        return self._make_steps(n_moves, self.block_steps)


class WordTileWalkParams(Params):
    slides_per_iteration: int = parameter(
        1000,
        marked("Slides per iteration"),
        former="block",
        low=1,
        high=1_000_000,
        help=marked("Number of slides in an iteration, which is a row of the chart."),
    )


@register_solver
class WordTileWalk(MoveSolver[WordTilesPuzzle, WordTileWalkParams]):
    """A random walk of slides from the initial board, never straight back."""

    spec = word_tile_spec(
        key="random-walk",
        title=marked("Random walk"),
        source="Pearson 1905",
        params=WordTileWalkParams,
        unit="iteration",
        metrics=("best_of_step", "mean", "worst", "best_ever"),
        step="slide",
        views=(ViewKind.MOVE, ViewKind.FRONTIER),
        pseudocode=Pseudocode(
            "random-walk.md", {"move": "s after a random slide, never straight back"}
        ),
        purpose=marked("A baseline: what random moves alone find."),
        peer="annealing",
        advice=Advice(marked("Simulated annealing usually finds more."), "annealing"),
    )

    def prepare(self) -> None:
        self._target = move_tables(*self._puzzle.shape).target
        self._cells = self._puzzle.start.copy()
        self._last = -1
        self._found = Best(self._cells, 0.0, 0)  # best so far, that of the current unit included
        self._facts = np.zeros(searches.N_FACTS)

    @property
    def block_steps(self) -> int:
        return self._params.slides_per_iteration

    @property
    def _known(self) -> Best:
        """Best board before the current unit."""
        start = self._puzzle.start
        return self._best or Best(start, self._puzzle.score(start), self._unit)

    def do_block(self, n_steps: int) -> tuple[float, ...]:
        self._found = self._known
        self._bits = self._random_bits(np.uint32, self.block_steps)
        if n_steps:
            self._slide(self._bits[:n_steps])
        self._n_scored += n_steps
        top, mean, worst = (float(fact) for fact in self._facts)
        return top, mean, worst, self._found.value

    def _slide(self, bits: NDArray[np.uint32]) -> None:
        """Make a slide for each of the random numbers."""
        best_cells, best = self._found.cells.copy(), np.array([self._found.value])
        self._last = int(
            searches.walk(
                bits,
                self._target,
                self._puzzle.words,
                self._cells,
                self._last,
                best_cells,
                best,
                self._facts,
            )
        )
        self._found = Best(best_cells, float(best[0]), self._unit)

    def offer_found(self) -> None:
        self._offer(self._found.cells, self._found.value)

    def current_cells(self) -> Cells:
        return self._found.cells.copy()

    def moves_of(self, begin: UnitBegin, first: int, end: int) -> list[ProposedMove]:
        twin = self._twin_at(begin)
        twin.do_block(first)
        now, moves = twin._search_status, []
        for n_done in range(first, end):
            before = now._replace(n_accepted=0)
            twin._slide(twin._bits[n_done : n_done + 1])
            now = twin._search_status
            moves.append(
                proposed_move(
                    self._puzzle,
                    MoveWords("value", ""),
                    before,
                    now,
                    Proposal(now.cells, now.energy, 1.0, np.inf),
                    is_first=n_done == 0 and not begin.snapshot.count(self.unit_name),
                )
            )
        return moves

    @property
    def _search_status(self) -> SearchStatus:
        """Status after a slide, each of which is accepted."""
        cells = self._cells.copy()
        return SearchStatus(cells, self._puzzle.score(cells), 1, best_value=self._found.value)

    def arrays(self) -> Arrays:
        return {"cells": self._cells.copy(), "last": np.array([self._last], np.int64)}

    def set_state(self, snapshot: Snapshot) -> None:
        cells, last = snapshot.array("cells", np.uint8, None), snapshot.array("last", np.int64, 1)
        self._require_board(cells)
        require_range("last", last, -1, 3)
        self._cells, self._last = cells.copy(), int(last[0])
