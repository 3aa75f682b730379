"""A* whose estimate counts more; paths are at most that much longer than the shortest."""

from tilelab.core.parameters import parameter
from tilelab.core.registry import register_solver
from tilelab.core.text.language import marked
from tilelab.puzzles.sliding.solvers.best_first import QUEUE_VIEWS, BestFirst, GuidedParams
from tilelab.puzzles.sliding.solvers.board_store import Rule
from tilelab.puzzles.sliding.solvers.search import sliding_spec


class WeightedParams(GuidedParams):
    """The parameters of the search."""

    weight: float = parameter(
        1.5,
        marked("Weight"),
        low=1.0,
        high=10.0,
        help=marked("How much the estimate counts, in tenths; 1 is A*."),
        source="Pohl 1970",
    )


@register_solver
class WeightedAStar(BestFirst[WeightedParams]):
    """A* whose estimate counts more; paths are at most that much longer than the shortest."""

    spec = sliding_spec(
        key="weighted-a-star",
        title=marked("Weighted A*"),
        source="Pohl 1970",
        step="expansion",
        views=QUEUE_VIEWS,
        params=WeightedParams,
        purpose=marked("Quicker than A*, with a bound on how much too long."),
    )

    def rule(self, scale: int) -> Rule:
        return Rule(10 * scale, round(10 * self._params.weight), ties=self._params.ties.code)
