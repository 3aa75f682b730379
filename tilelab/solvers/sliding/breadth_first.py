"""Expands boards in the order of their depth; shortest."""

from typing import ClassVar

from tilelab.core.parameters import parameter
from tilelab.core.registry import register_solver
from tilelab.core.solver import SolverSpec
from tilelab.solvers.sliding.best_first import BestFirst, QueueParams
from tilelab.solvers.sliding.board_store import Rule
from tilelab.solvers.sliding.search import METRICS


class BreadthParams(QueueParams):
    """The parameters of the search."""

    everything: bool = parameter(
        False,
        "Meet every board",
        help="Go on past the goal until every board that can be reached has been met.",
    )


@register_solver
class BreadthFirst(BestFirst[BreadthParams]):
    """Expands boards in the order of their depth; shortest."""

    spec: ClassVar[SolverSpec] = SolverSpec(
        key="breadth-first",
        title="Breadth first",
        source="Henriques 2019; Damodaran",
        puzzles=("sliding",),
        params=BreadthParams,
        unit="step",
        metrics=METRICS,
        version=1,
        uses_seed=False,
    )
    shortest_with_admissible = True

    def rule(self, scale: int) -> Rule:
        return Rule(
            1,
            0,
            last_in_first=self._last_in_first,
            replaces=False,
            ends=not self._params.everything,
        )
