"""Tabu search on word tiles (Glover 1989): the best slide, and no return for a while."""

from tilelab.core.parameters import Params, parameter
from tilelab.core.registry import register_solver
from tilelab.core.solver import SolverSpec
from tilelab.puzzles.wordtiles.puzzle import WordTilesPuzzle
from tilelab.solvers.tabu import METRICS, TabuSearch
from tilelab.solvers.wordtiles.neighbourhood import WordTileNeighbourhood

_MOST_SLIDES = 4
"""That a board has."""


class WordTileTabuParams(Params):
    """The parameter of tabu search on word tiles."""

    tenure: int = parameter(
        5,
        "Tenure",
        low=0,
        high=1_000,
        unit="moves",
        help="A letter may not come back to its cell for so many moves, or up to twice as many.",
        source="Glover 1989",
        live=True,
    )


@register_solver
class WordTileTabu(TabuSearch[WordTilesPuzzle, WordTileTabuParams, WordTileNeighbourhood]):
    """One unit is a number of steps, each of which tries every slide."""

    spec = SolverSpec(
        key="tabu",
        title="Tabu search",
        source="Glover 1989",
        puzzles=("wordtiles",),
        params=WordTileTabuParams,
        unit="iteration",
        metrics=(*METRICS, "scored"),
        version=1,
    )

    def _neighbourhood(self) -> WordTileNeighbourhood:
        return WordTileNeighbourhood(self._puzzle)

    def _block(self) -> tuple[float, ...]:
        n_steps = self._place.block // _MOST_SLIDES
        words = self._words(n_steps)
        self._place.tabu(words, self._n_steps, self._params.tenure, self._until)
        self._n_steps += n_steps
        n_scored = float(self._place.n_scored)
        return 100.0 * self._place.n_forbidden / n_scored, n_scored
