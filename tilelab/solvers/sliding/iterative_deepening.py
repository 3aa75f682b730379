"""Depth-first search to depth 1, 2, 3 …: breadth-first's answer in no memory."""

from typing import ClassVar

from tilelab.core.registry import HEURISTICS, register_solver
from tilelab.core.solver import SolverSpec
from tilelab.solvers.sliding.deepening import AnyDescent, Deepening, DeepeningParams
from tilelab.solvers.sliding.search import METRICS


@register_solver
class IterativeDeepening(Deepening[DeepeningParams]):
    """Shortest; the number of boards grows by two for every move."""

    spec: ClassVar[SolverSpec] = SolverSpec(
        key="iterative-deepening",
        title="Iterative deepening",
        source="Korf 1985",
        puzzles=("sliding",),
        params=DeepeningParams,
        unit="step",
        metrics=METRICS,
        version=1,
        uses_seed=False,
    )

    def _prepare(self) -> None:
        self._descent = AnyDescent(self._puzzle, HEURISTICS["zero"], None)

    def _is_shortest(self) -> bool:
        return True
