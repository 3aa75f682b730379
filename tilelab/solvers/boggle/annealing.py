"""Simulated annealing on letter grids."""

from tilelab.core.registry import register_solver
from tilelab.core.solver import SolverSpec
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.solvers.annealing import METRICS, CoolingParams, CoolingSearch
from tilelab.solvers.boggle.neighbourhood import GridMoveParams, GridNeighbourhood


class AnnealingParams(CoolingParams, GridMoveParams):
    """The parameters of simulated annealing."""


@register_solver
class Annealing(CoolingSearch[BogglePuzzle, AnnealingParams, GridNeighbourhood]):
    """One unit is a block of moves at falling temperatures."""

    spec = SolverSpec(
        key="annealing",
        title="Simulated annealing",
        source="Kirkpatrick, Gelatt & Vecchi 1983",
        puzzles=("boggle",),
        params=AnnealingParams,
        unit="iteration",
        metrics=METRICS,
        version=1,
    )

    def _neighbourhood(self) -> GridNeighbourhood:
        return GridNeighbourhood(self._puzzle, self._params)
