"""Expands the board with the shortest path so far; shortest."""

from tilelab.core.registry import register_solver
from tilelab.core.text.language import marked
from tilelab.puzzles.sliding.solvers.best_first import QUEUE_VIEWS, BestFirst, QueueParams
from tilelab.puzzles.sliding.solvers.board_store import Rule
from tilelab.puzzles.sliding.solvers.search import sliding_spec


@register_solver
class UniformCost(BestFirst[QueueParams]):
    """Expands the board with the shortest path so far; shortest."""

    spec = sliding_spec(
        key="uniform-cost",
        title=marked("Uniform cost"),
        source="Henriques 2019",
        step="expansion",
        views=QUEUE_VIEWS,
        params=QueueParams,
        purpose=marked("Shortest solutions without an estimate, by cost."),
    )
    shortest_with_admissible = True

    def rule(self, scale: int) -> Rule:
        return Rule(1, 0, ties=self._params.ties.code)
