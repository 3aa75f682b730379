"""Simulated annealing on letter grids."""

from tilelab.core.registry import register_solver
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.puzzles.boggle.solvers.neighbourhood import GridMoveParams, GridNeighbourhood
from tilelab.solvers.annealing import CoolingParams, CoolingSearch, annealing_spec
from tilelab.solvers.islands import IslandParams


class AnnealingParams(IslandParams, CoolingParams, GridMoveParams):
    """The parameters of simulated annealing."""


@register_solver
class Annealing(CoolingSearch[BogglePuzzle, AnnealingParams]):
    """One unit is a block of moves at falling temperatures."""

    spec = annealing_spec("boggle", AnnealingParams)

    def _neighbourhood(self) -> GridNeighbourhood:
        return GridNeighbourhood(self._puzzle, self._params)
