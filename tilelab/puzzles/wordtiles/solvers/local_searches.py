"""The local searches on word tiles.

Annealing moves by walks of slides, or by swaps that slides can bring; hill climbing by walks of
slides that do not lose; tabu search (Glover 1989) by the best slide, with no return for a while.
"""

import numpy as np

from tilelab.core.parameters import Params, parameter
from tilelab.core.registry import register_solver
from tilelab.core.snapshot_ranges import require_range
from tilelab.core.solver import Arrays, Best, Snapshot
from tilelab.core.text.language import marked
from tilelab.core.views import ProposedMove, ViewKind
from tilelab.puzzles.wordtiles.kernels import searches as kernel
from tilelab.puzzles.wordtiles.puzzle import WordTilesPuzzle
from tilelab.puzzles.wordtiles.solvers.neighbourhood import WalkParams, WordTileNeighbourhood
from tilelab.puzzles.wordtiles.solvers.search import word_tile_spec
from tilelab.slides.moves import move_tables
from tilelab.solvers.block_steps import BlockSolver
from tilelab.solvers.islands import IslandParams
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
from tilelab.solvers.proposed_moves import MoveWords, Proposal, Standing, proposed_move


class WordTileAnnealingParams(IslandParams, CoolingParams, WalkParams):
    """The parameters of simulated annealing on word tiles."""

    rearrange: bool = parameter(
        False,
        marked("Rearrange"),
        help=marked(
            "Swap tiles wherever they are, so that slides still lead there, instead of sliding."
        ),
        forkable=True,
    )


@register_solver
class WordTileAnnealing(CoolingSearch[WordTilesPuzzle, WordTileAnnealingParams]):
    """One unit is a block of slides or swaps at falling temperatures."""

    spec = annealing_spec("wordtiles", WordTileAnnealingParams)

    def _neighbourhood(self) -> WordTileNeighbourhood:
        params = self._params
        return WordTileNeighbourhood(self._puzzle, walk=params.walk, rearrange=params.rearrange)


class WordTileHillClimbingParams(IslandParams, ClimbParams, WalkParams):
    """The parameters of hill climbing on word tiles."""

    patience: int = patience_parameter(60, "slides")


@register_solver
class WordTileHillClimbing(ClimbingSearch[WordTilesPuzzle, WordTileHillClimbingParams]):
    """One unit is a block of slides; a climb that ends within it is followed by the next."""

    spec = hill_climbing_spec("wordtiles", WordTileHillClimbingParams)

    def _neighbourhood(self) -> WordTileNeighbourhood:
        return WordTileNeighbourhood(self._puzzle, walk=self._params.walk)


_MOST_SLIDES = 4
"""That a board has."""


class WordTileTabuParams(IslandParams, TenureParams):
    """The parameter of tabu search on word tiles."""

    tenure: int = tenure_parameter(5)


@register_solver
class WordTileTabu(TabuSearch[WordTilesPuzzle, WordTileTabuParams]):
    """One unit is a number of steps, each of which tries every slide."""

    spec = tabu_spec("wordtiles", WordTileTabuParams, "scored")

    def _neighbourhood(self) -> WordTileNeighbourhood:
        return WordTileNeighbourhood(self._puzzle)

    @property
    def _block_steps(self) -> int:
        return self._place.block // _MOST_SLIDES

    def _do_moves(self, n_moves: int) -> tuple[float, ...]:
        return self._make_steps(n_moves, self._block_steps)


class WordTileWalkParams(Params):
    """The parameter of the walk."""

    slides_per_iteration: int = parameter(
        1000,
        marked("Slides per iteration"),
        former="block",
        low=1,
        high=1_000_000,
        help=marked("How many slides make one iteration, a row of the chart."),
    )


@register_solver
class WordTileWalk(BlockSolver[WordTilesPuzzle, WordTileWalkParams]):
    """Slides at random from the initial board on, never straight back."""

    spec = word_tile_spec(
        key="random-walk",
        title=marked("Random walk"),
        source="Pearson 1905",
        params=WordTileWalkParams,
        unit="iteration",
        metrics=("best_of_step", "mean", "worst", "best_ever"),
        step="slide",
        views=(ViewKind.MOVE,),
        purpose=marked("A baseline: what chance alone finds."),
    )

    def _prepare(self) -> None:
        self._target = move_tables(*self._puzzle.shape).target
        self._cells = self._puzzle.start.copy()
        self._last = -1
        self._found = Best(self._cells, 0.0, 0)
        """The best by now, that of the unit at hand included."""
        self._facts = np.zeros(kernel.N_FACTS)

    @property
    def _block_steps(self) -> int:
        return self._params.slides_per_iteration

    def _do_block(self, n_steps: int) -> tuple[float, ...]:
        start = self._puzzle.start
        known = self._best or Best(start, self._puzzle.score(start), self._unit)
        best_cells, best = known.cells.copy(), np.array([known.value])
        bits = self._random_bits(np.uint32, self._block_steps)
        self._last = int(
            kernel.walk(
                bits[:n_steps],
                self._target,
                self._puzzle.words,
                self._cells,
                self._last,
                best_cells,
                best,
                self._facts,
            )
        )
        self._n_scored += n_steps
        self._found = Best(best_cells, float(best[0]), self._unit)
        top, mean, worst = (float(fact) for fact in self._facts)
        return top, mean, worst, self._found.value

    def _offer_found(self) -> None:
        self._offer(self._found.cells, self._found.value)

    def view(self, kind: ViewKind) -> ProposedMove | None:
        if self._last_steps is None:
            return None
        begin, n_slides = self._last_steps
        twin = self._twin_at(begin)
        if n_slides > 1:
            twin._do_block(n_slides - 1)
        before, now = (
            Standing(solver._cells.copy(), self._puzzle.score(solver._cells), n_accepted)
            for n_accepted, solver in enumerate((twin, self))
        )
        proposal = Proposal(now.cells, now.energy, 1.0, np.inf)
        return proposed_move(self._puzzle, MoveWords("value", ""), before, now, proposal)

    def _arrays(self) -> Arrays:
        return {"cells": self._cells.copy(), "last": np.array([self._last], np.int64)}

    def _set_state(self, snapshot: Snapshot) -> None:
        cells, last = snapshot.array("cells", np.uint8, None), snapshot.array("last", np.int64, 1)
        self._require_board(cells)
        require_range("last", last, -1, 3)
        self._cells, self._last = cells.copy(), int(last[0])
