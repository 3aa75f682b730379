"""Depth-first search down to a limit: whatever way it meets first."""

from typing import ClassVar

from tilelab.core.parameters import parameter
from tilelab.core.registry import HEURISTICS, register_solver
from tilelab.core.solver import SolverSpec
from tilelab.solvers.sliding.deepening import AnyDescent, Deepening, DeepeningParams
from tilelab.solvers.sliding.search import METRICS


class DepthFirstParams(DeepeningParams):
    """The parameters of the search."""

    depth_limit: int = parameter(
        30, "Depth limit", low=1, high=1000, unit="moves", help="The longest way that is tried."
    )


@register_solver
class DepthFirst(Deepening[DepthFirstParams]):
    """Not shortest; it only never goes straight back. No board is remembered as met.

    A set of boards met, as some programs have, would cut off shorter ways that come later.
    """

    spec: ClassVar[SolverSpec] = SolverSpec(
        key="depth-first",
        title="Depth first with a limit",
        source="every textbook",
        puzzles=("sliding",),
        params=DepthFirstParams,
        unit="step",
        metrics=METRICS,
        version=1,
        uses_seed=False,
    )

    def _prepare(self) -> None:
        limit = int(self._params.depth_limit)
        self._descent = AnyDescent(self._puzzle, HEURISTICS["zero"], limit)

    def _is_shortest(self) -> bool:
        return False
