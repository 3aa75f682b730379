"""Hill climbing with restarts on letter grids."""

from tilelab.core.registry import register_solver
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.puzzles.boggle.solvers.neighbourhood import GridMoveParams, GridNeighbourhood
from tilelab.solvers.hill_climbing import ClimbingSearch, ClimbParams, hill_climbing_spec
from tilelab.solvers.islands import IslandParams


class HillClimbingParams(IslandParams, ClimbParams, GridMoveParams):
    """The parameters of hill climbing."""


@register_solver
class HillClimbing(ClimbingSearch[BogglePuzzle, HillClimbingParams]):
    """One unit is a block of moves that may not lose."""

    spec = hill_climbing_spec("boggle", HillClimbingParams)

    def _neighbourhood(self) -> GridNeighbourhood:
        return GridNeighbourhood(self._puzzle, self._params)

    def _do_moves(self, n_moves: int) -> tuple[float, ...]:
        # A grid is too large to be drawn within a block.
        if self._n_idle >= self._patience:
            self._restart()
            self._n_restarts, self._n_idle = self._n_restarts + 1, 0
        return super()._do_moves(n_moves)
