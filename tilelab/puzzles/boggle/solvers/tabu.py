"""Tabu search on letter grids: of some random moves the best that is not forbidden."""

from tilelab.core.parameters import parameter
from tilelab.core.registry import register_solver
from tilelab.core.text.language import marked
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.puzzles.boggle.solvers.neighbourhood import GridMoveParams, GridNeighbourhood
from tilelab.solvers.islands import IslandParams
from tilelab.solvers.tabu import TabuSearch, TenureParams, tabu_spec


class TabuParams(IslandParams, TenureParams, GridMoveParams):
    """The parameters of tabu search."""

    candidates: int = parameter(
        100,
        marked("Candidates"),
        low=1,
        high=2_000,
        unit="moves",
        help=marked("How many random moves are compared; the best one is made."),
        source="Glover 1989",
        forkable=True,
    )


@register_solver
class Tabu(TabuSearch[BogglePuzzle, TabuParams]):
    """One unit is a number of steps that try a block of moves together."""

    spec = tabu_spec("boggle", TabuParams)

    def _neighbourhood(self) -> GridNeighbourhood:
        return GridNeighbourhood(self._puzzle, self._params)

    @property
    def _block_steps(self) -> int:
        return max(1, self._place.block // self._params.candidates)

    def _do_moves(self, n_moves: int) -> tuple[float, ...]:
        share, _ = self._make_steps(n_moves, self._block_steps, self._params.candidates)
        return (share,)
