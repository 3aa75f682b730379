"""Expands the board with the shortest way so far; shortest."""

from typing import ClassVar

from tilelab.core.registry import register_solver
from tilelab.core.solver import SolverSpec
from tilelab.solvers.sliding.best_first import BestFirst, QueueParams
from tilelab.solvers.sliding.board_store import Rule
from tilelab.solvers.sliding.search import METRICS


@register_solver
class UniformCost(BestFirst[QueueParams]):
    """Expands the board with the shortest way so far; shortest."""

    spec: ClassVar[SolverSpec] = SolverSpec(
        key="uniform-cost",
        title="Uniform cost",
        source="Henriques 2019",
        puzzles=("sliding",),
        params=QueueParams,
        unit="step",
        metrics=METRICS,
        version=1,
        uses_seed=False,
    )
    shortest_with_admissible = True

    def rule(self, scale: int) -> Rule:
        return Rule(1, 0, last_in_first=self._last_in_first)
