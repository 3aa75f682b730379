"""Expands the board with the least path plus estimate; shortest with an admissible heuristic."""

from tilelab.core.registry import register_solver
from tilelab.core.text.language import marked
from tilelab.puzzles.sliding.solvers.best_first import QUEUE_VIEWS, BestFirst, GuidedParams
from tilelab.puzzles.sliding.solvers.board_store import Rule
from tilelab.puzzles.sliding.solvers.search import sliding_spec


@register_solver
class AStar(BestFirst[GuidedParams]):
    """Expands the board with the least path plus estimate; shortest with an admissible
    heuristic."""

    spec = sliding_spec(
        key="a-star",
        title="A*",
        source="Hart, Nilsson & Raphael 1968; Henriques 2019",
        step="expansion",
        views=QUEUE_VIEWS,
        params=GuidedParams,
        purpose=marked("Shortest solutions with the fewest boards, while memory lasts."),
    )
    shortest_with_admissible = True

    def rule(self, scale: int) -> Rule:
        return Rule(scale, 1, ties=self._params.ties.code)
