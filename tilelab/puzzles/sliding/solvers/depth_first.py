"""Depth-first search down to a limit: whatever path it finds first."""

from tilelab.core.parameters import parameter
from tilelab.core.registry import HEURISTICS, register_solver
from tilelab.core.text.language import marked
from tilelab.core.views import ViewKind
from tilelab.puzzles.sliding.solvers.deepening import AnyDescent, Deepening, DeepeningParams
from tilelab.puzzles.sliding.solvers.search import sliding_spec


class DepthFirstParams(DeepeningParams):
    """The parameters of the search."""

    depth_limit: int = parameter(
        30,
        marked("Depth limit"),
        low=1,
        high=1000,
        unit="moves",
        help=marked("The longest path that is tried."),
    )


@register_solver
class DepthFirst(Deepening[DepthFirstParams]):
    """Not shortest; it only never goes straight back. No board is remembered as visited.

    A set of boards visited, as some programs have, would cut off shorter paths that come later.
    """

    spec = sliding_spec(
        key="depth-first",
        title=marked("Depth first with a limit"),
        source="every textbook",
        step=marked("generated board"),
        views=(ViewKind.TREE,),
        params=DepthFirstParams,
        purpose=marked("Shows where a search that only goes deeper ends."),
    )

    def _prepare(self) -> None:
        limit = int(self._params.depth_limit)
        self._descent = AnyDescent(self._puzzle, HEURISTICS["zero"], limit)
