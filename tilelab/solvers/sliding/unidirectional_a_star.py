"""A* with the hybrid heuristic; a board is generated once and never reopened."""

from typing import ClassVar

from tilelab.core.parameters import parameter
from tilelab.core.registry import register_solver
from tilelab.core.solver import SolverSpec
from tilelab.heuristics.choice import TITLES, HeuristicChoice
from tilelab.solvers.sliding.best_first import BestFirst, GuidedParams
from tilelab.solvers.sliding.board_store import Rule
from tilelab.solvers.sliding.search import METRICS


class HybridParams(GuidedParams):
    """The parameters of the search; the heuristic is the paper's by default."""

    heuristic: HeuristicChoice = parameter(
        HeuristicChoice.HYBRID,
        "Heuristic",
        help="The estimate of the moves that are left.",
        source="Hasan et al. 2023",
        choice_titles=TITLES,
    )


@register_solver
class UnidirectionalAStar(BestFirst[HybridParams]):
    """A* with the hybrid heuristic; a board is generated once and never reopened."""

    spec: ClassVar[SolverSpec] = SolverSpec(
        key="unidirectional-a-star",
        title="Unidirectional A* with HH",
        source="Hasan et al. 2023",
        puzzles=("sliding",),
        params=HybridParams,
        unit="step",
        metrics=METRICS,
        version=1,
        uses_seed=False,
    )
    shortest_with_admissible = False

    def rule(self, scale: int) -> Rule:
        return Rule(scale, 1, last_in_first=self._last_in_first, replaces=False)
