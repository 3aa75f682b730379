"""Simulated annealing on word tiles, by trips of slides or by swaps that slides can bring."""

from typing import Any, ClassVar

from tilelab.core.parameters import parameter
from tilelab.core.registry import register_solver
from tilelab.core.solver import SolverSpec
from tilelab.puzzles.wordtiles.puzzle import WordTilesPuzzle
from tilelab.solvers.boggle.annealing import Annealing, CoolingParams
from tilelab.solvers.wordtiles.neighbourhood import TripParams, WordTileNeighbourhood


class WordTileAnnealingParams(CoolingParams, TripParams):
    """The knobs of simulated annealing on word tiles."""

    rearrange: bool = parameter(
        False,
        "Rearrange",
        help="Swap tiles wherever they are, so that slides still lead there, instead of sliding.",
        forkable=True,
    )


def _neighbourhood(
    puzzle: WordTilesPuzzle, params: WordTileAnnealingParams
) -> WordTileNeighbourhood:
    return WordTileNeighbourhood(puzzle, trip=params.trip, rearrange=params.rearrange)


@register_solver
class WordTileAnnealing(Annealing):
    """One unit is a block of slides or swaps at falling temperatures."""

    spec: ClassVar[SolverSpec] = SolverSpec(
        key="annealing",
        title="Simulated annealing",
        source="Kirkpatrick, Gelatt & Vecchi 1983",
        puzzles=("wordtiles",),
        params=WordTileAnnealingParams,
        unit="block",
        metrics=Annealing.spec.metrics,
        version=1,
    )
    neighbourhood: ClassVar[Any] = staticmethod(_neighbourhood)
