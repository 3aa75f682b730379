"""Hill climbing with restarts on word tiles, by walks of slides that do not lose."""

from tilelab.core.registry import register_solver
from tilelab.puzzles.wordtiles.puzzle import WordTilesPuzzle
from tilelab.puzzles.wordtiles.solvers.neighbourhood import WalkParams, WordTileNeighbourhood
from tilelab.solvers.hill_climbing import (
    ClimbingSearch,
    ClimbParams,
    hill_climbing_spec,
    patience_parameter,
)
from tilelab.solvers.islands import IslandParams


class WordTileHillClimbingParams(IslandParams, ClimbParams, WalkParams):
    """The parameters of hill climbing on word tiles."""

    patience: int = patience_parameter(60, "slides")


@register_solver
class WordTileHillClimbing(ClimbingSearch[WordTilesPuzzle, WordTileHillClimbingParams]):
    """One unit is a block of slides; a climb that ends within it is followed by the next."""

    spec = hill_climbing_spec("wordtiles", WordTileHillClimbingParams)

    def _neighbourhood(self) -> WordTileNeighbourhood:
        return WordTileNeighbourhood(self._puzzle, walk=self._params.walk)
