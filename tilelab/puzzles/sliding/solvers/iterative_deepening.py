"""Depth-first search to depth 1, 2, 3 …: breadth-first's answer in no memory."""

from tilelab.core.registry import HEURISTICS, register_solver
from tilelab.core.text.language import marked
from tilelab.core.views import ViewKind
from tilelab.puzzles.sliding.solvers.deepening import AnyDescent, Deepening, DeepeningParams
from tilelab.puzzles.sliding.solvers.search import sliding_spec


@register_solver
class IterativeDeepening(Deepening[DeepeningParams]):
    """Shortest; the number of boards grows by two for every move."""

    spec = sliding_spec(
        key="iterative-deepening",
        title=marked("Iterative deepening"),
        source="Korf 1985",
        step=marked("generated board"),
        views=(ViewKind.TREE, ViewKind.THRESHOLDS),
        params=DeepeningParams,
        purpose=marked("Shortest solutions of small boards, without memory or estimate."),
    )

    def _prepare(self) -> None:
        self._descent = AnyDescent(self._puzzle, HEURISTICS["zero"], None)

    def _is_shortest(self) -> bool:
        return True
