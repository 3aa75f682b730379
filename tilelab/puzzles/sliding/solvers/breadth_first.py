"""Expands boards in the order of their depth; shortest."""

from tilelab.core.parameters import parameter
from tilelab.core.registry import register_solver
from tilelab.core.text.language import marked
from tilelab.puzzles.sliding.solvers.best_first import QUEUE_VIEWS, BestFirst, QueueParams
from tilelab.puzzles.sliding.solvers.board_store import Rule
from tilelab.puzzles.sliding.solvers.search import sliding_spec


class BreadthParams(QueueParams):
    """The parameters of the search."""

    everything: bool = parameter(
        False,
        marked("Visit every board"),
        help=marked("Go on past the goal until every board that can be reached has been visited."),
    )


@register_solver
class BreadthFirst(BestFirst[BreadthParams]):
    """Expands boards in the order of their depth; shortest."""

    spec = sliding_spec(
        key="breadth-first",
        title=marked("Breadth first"),
        source="Henriques 2019; Damodaran",
        step="expansion",
        views=QUEUE_VIEWS,
        params=BreadthParams,
        purpose=marked("Shortest solutions of small boards, without an estimate."),
    )
    shortest_with_admissible = True

    def rule(self, scale: int) -> Rule:
        return Rule(
            1,
            0,
            ties=self._params.ties.code,
            replaces=False,
            ends=not self._params.everything,
        )
