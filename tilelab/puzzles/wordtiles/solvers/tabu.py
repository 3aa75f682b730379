"""Tabu search on word tiles (Glover 1989): the best slide, and no return for a while."""

from tilelab.core.registry import register_solver
from tilelab.puzzles.wordtiles.puzzle import WordTilesPuzzle
from tilelab.puzzles.wordtiles.solvers.neighbourhood import WordTileNeighbourhood
from tilelab.solvers.islands import IslandParams
from tilelab.solvers.tabu import TabuSearch, TenureParams, tabu_spec, tenure_parameter

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
