"""A* with the hybrid heuristic; a board is generated once and never reopened."""

from tilelab.core.parameters import parameter
from tilelab.core.registry import register_solver
from tilelab.core.text.language import marked
from tilelab.puzzles.sliding.heuristics.choice import HeuristicChoice
from tilelab.puzzles.sliding.heuristics.hybrid import DIVISOR
from tilelab.puzzles.sliding.solvers.best_first import QUEUE_VIEWS, BestFirst, GuidedParams
from tilelab.puzzles.sliding.solvers.board_store import Rule
from tilelab.puzzles.sliding.solvers.search import sliding_spec


class HybridParams(GuidedParams):
    """The parameters of the search; the heuristic is the paper's by default."""

    heuristic: HeuristicChoice = parameter(
        "hybrid",
        marked("Heuristic"),
        help=marked("The estimate of the moves that are left."),
        source="Hasan et al. 2023",
    )
    divisor: int = parameter(
        DIVISOR,
        marked("Divisor of HH"),
        low=1,
        high=100,
        help=marked("By which HH divides the Manhattan distance; other heuristics have none."),
        source="Hasan et al. 2023",
    )


@register_solver
class UnidirectionalAStar(BestFirst[HybridParams]):
    """A* with the hybrid heuristic; a board is generated once and never reopened."""

    spec = sliding_spec(
        key="unidirectional-a-star",
        title=marked("Unidirectional A* with HH"),
        source="Hasan et al. 2023",
        step="expansion",
        views=QUEUE_VIEWS,
        params=HybridParams,
        purpose=marked("A* as its paper wrote it, from the start alone."),
    )

    def rule(self, scale: int) -> Rule:
        return Rule(scale, 1, ties=self._params.ties.code, replaces=False)
