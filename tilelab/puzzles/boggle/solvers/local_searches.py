"""The local searches on letter grids: annealing, hill climbing, tabu search, a random walk."""

import numpy as np

from tilelab.core.parameters import parameter
from tilelab.core.registry import register_solver
from tilelab.core.text.language import marked
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.puzzles.boggle.solvers.neighbourhood import GridMoveParams, GridNeighbourhood
from tilelab.solvers.islands import IslandParams
from tilelab.solvers.local_search import local_search_spec
from tilelab.solvers.local_searches import (
    ClimbingSearch,
    ClimbParams,
    CoolingParams,
    CoolingSearch,
    MetropolisSearch,
    TabuSearch,
    TenureParams,
    annealing_spec,
    hill_climbing_spec,
    tabu_spec,
)


class AnnealingParams(IslandParams, CoolingParams, GridMoveParams):
    """The parameters of simulated annealing."""


@register_solver
class Annealing(CoolingSearch[BogglePuzzle, AnnealingParams]):
    """One unit is a block of moves at falling temperatures."""

    spec = annealing_spec("boggle", AnnealingParams)

    def _neighbourhood(self) -> GridNeighbourhood:
        return GridNeighbourhood(self._puzzle, self._params)


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


@register_solver
class RandomWalk(MetropolisSearch[BogglePuzzle, GridMoveParams]):
    """One unit is a block of moves, good or bad."""

    spec = local_search_spec(
        "random-walk",
        marked("Random walk"),
        "",
        "boggle",
        GridMoveParams,
        purpose=marked("A baseline: what chance alone finds."),
    )

    def _neighbourhood(self) -> GridNeighbourhood:
        return GridNeighbourhood(self._puzzle, self._params)

    def _do_moves(self, n_moves: int) -> tuple[float, ...]:
        self._draw(np.full(self._place.block, np.inf))
        self._place.walk(*self._drawn.part(0, n_moves))
        return ()
