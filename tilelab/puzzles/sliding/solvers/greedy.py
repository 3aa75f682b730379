"""Expands the board with the least estimate; the path found need not be shortest."""

from tilelab.core.registry import register_solver
from tilelab.core.text.language import marked
from tilelab.puzzles.sliding.solvers.best_first import QUEUE_VIEWS, BestFirst, GuidedParams
from tilelab.puzzles.sliding.solvers.board_store import Rule
from tilelab.puzzles.sliding.solvers.search import sliding_spec


@register_solver
class Greedy(BestFirst[GuidedParams]):
    """Expands the board with the least estimate; the path found need not be shortest."""

    spec = sliding_spec(
        key="greedy",
        title=marked("Greedy best first"),
        source="Henriques 2019",
        step="expansion",
        views=QUEUE_VIEWS,
        params=GuidedParams,
        purpose=marked("The quickest solution, however long."),
    )

    def rule(self, scale: int) -> Rule:
        return Rule(0, 1, ties=self._params.ties.code, replaces=False)
