"""Simulated annealing on word tiles, by walks of slides or by swaps that slides can bring."""

from tilelab.core.parameters import parameter
from tilelab.core.registry import register_solver
from tilelab.core.text.language import marked
from tilelab.puzzles.wordtiles.puzzle import WordTilesPuzzle
from tilelab.puzzles.wordtiles.solvers.neighbourhood import WalkParams, WordTileNeighbourhood
from tilelab.solvers.annealing import CoolingParams, CoolingSearch, annealing_spec
from tilelab.solvers.islands import IslandParams


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
