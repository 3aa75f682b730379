"""Simulated annealing on word tiles, by trips of slides or by swaps that slides can bring."""

from tilelab.core.parameters import parameter
from tilelab.core.registry import register_solver
from tilelab.core.solver import SolverSpec
from tilelab.puzzles.wordtiles.puzzle import WordTilesPuzzle
from tilelab.solvers.annealing import METRICS, CoolingParams, CoolingSearch
from tilelab.solvers.wordtiles.neighbourhood import TripParams, WordTileNeighbourhood


class WordTileAnnealingParams(CoolingParams, TripParams):
    """The parameters of simulated annealing on word tiles."""

    rearrange: bool = parameter(
        False,
        "Rearrange",
        help="Swap tiles wherever they are, so that slides still lead there, instead of sliding.",
        forkable=True,
    )


@register_solver
class WordTileAnnealing(
    CoolingSearch[WordTilesPuzzle, WordTileAnnealingParams, WordTileNeighbourhood]
):
    """One unit is a block of slides or swaps at falling temperatures."""

    spec = SolverSpec(
        key="annealing",
        title="Simulated annealing",
        source="Kirkpatrick, Gelatt & Vecchi 1983",
        puzzles=("wordtiles",),
        params=WordTileAnnealingParams,
        unit="iteration",
        metrics=METRICS,
        version=1,
    )

    def _neighbourhood(self) -> WordTileNeighbourhood:
        params = self._params
        return WordTileNeighbourhood(self._puzzle, trip=params.walk, rearrange=params.rearrange)
