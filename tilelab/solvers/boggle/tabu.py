"""Tabu search on letter grids: of some random moves the best that is not forbidden."""

from tilelab.core.parameters import parameter
from tilelab.core.registry import register_solver
from tilelab.core.solver import SolverSpec
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.solvers.boggle.neighbourhood import GridMoveParams, GridNeighbourhood
from tilelab.solvers.tabu import METRICS, TabuSearch


class TabuParams(GridMoveParams):
    """The parameters of tabu search."""

    tenure: int = parameter(
        10,
        "Tenure",
        low=0,
        high=1_000,
        unit="moves",
        help="A letter may not come back to its cell for so many moves, or up to twice as many.",
        source="Glover 1989",
        live=True,
    )
    candidates: int = parameter(
        100,
        "Candidates",
        low=1,
        high=2_000,
        unit="moves",
        help="How many random moves are compared; the best one is made.",
        source="Glover 1989",
        forkable=True,
    )


@register_solver
class Tabu(TabuSearch[BogglePuzzle, TabuParams, GridNeighbourhood]):
    """One unit is a number of steps that try a block of moves together."""

    spec = SolverSpec(
        key="tabu",
        title="Tabu search",
        source="Glover 1989",
        puzzles=("boggle",),
        params=TabuParams,
        unit="iteration",
        metrics=METRICS,
        version=1,
    )

    def _neighbourhood(self) -> GridNeighbourhood:
        return GridNeighbourhood(self._puzzle, self._params)

    def _block(self) -> tuple[float, ...]:
        n_candidates = self._params.candidates
        n_steps = max(1, self._place.block // n_candidates)
        words = self._words(n_steps, n_candidates)
        self._place.tabu(words, self._n_steps, self._params.tenure, self._until)
        self._n_steps += n_steps
        return (100.0 * self._place.n_forbidden / words.size,)
