"""Expands the board with the least estimate; the way found need not be shortest."""

from typing import ClassVar

from tilelab.core.registry import register_solver
from tilelab.core.solver import SolverSpec
from tilelab.solvers.sliding.best_first import BestFirst, GuidedParams
from tilelab.solvers.sliding.board_store import Rule
from tilelab.solvers.sliding.search import METRICS


@register_solver
class Greedy(BestFirst[GuidedParams]):
    """Expands the board with the least estimate; the way found need not be shortest."""

    spec: ClassVar[SolverSpec] = SolverSpec(
        key="greedy",
        title="Greedy best first",
        source="Henriques 2019",
        puzzles=("sliding",),
        params=GuidedParams,
        unit="step",
        metrics=METRICS,
        version=1,
        uses_seed=False,
    )
    shortest_with_admissible = False

    def rule(self, scale: int) -> Rule:
        return Rule(0, 1, last_in_first=self._last_in_first, replaces=False)
