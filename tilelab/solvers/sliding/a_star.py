"""Expands the board with the least way plus estimate; shortest with an admissible heuristic."""

from typing import ClassVar

from tilelab.core.registry import register_solver
from tilelab.core.solver import SolverSpec
from tilelab.solvers.sliding.best_first import BestFirst, GuidedParams
from tilelab.solvers.sliding.board_store import Rule
from tilelab.solvers.sliding.search import METRICS


@register_solver
class AStar(BestFirst[GuidedParams]):
    """Expands the board with the least way plus estimate; shortest with an admissible heuristic."""

    spec: ClassVar[SolverSpec] = SolverSpec(
        key="a-star",
        title="A*",
        source="Hart, Nilsson & Raphael 1968; Henriques 2019",
        puzzles=("sliding",),
        params=GuidedParams,
        unit="step",
        metrics=METRICS,
        version=1,
        uses_seed=False,
    )
    shortest_with_admissible = True

    def rule(self, scale: int) -> Rule:
        return Rule(scale, 1, last_in_first=self._last_in_first)
