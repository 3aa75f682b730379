"""Iterative deepening A*: depth-first below a threshold that rises to the least f cut off."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.parameters import parameter
from tilelab.core.registry import HEURISTICS, register_solver
from tilelab.core.solver import SolverSpec
from tilelab.heuristics import pattern_database as patterns
from tilelab.heuristics.choice import ALL_TITLES, AUTOMATIC, TableChoice
from tilelab.puzzles.sliding import Goal, SlidingPuzzle
from tilelab.puzzles.sliding_detours import STRAIGHT_BACK
from tilelab.puzzles.sliding_tables import PACKED_SIDE
from tilelab.solvers.deepening import (
    STEP_BY_STEP,
    AnyDescent,
    Deepening,
    DeepeningParams,
    Descent,
    PackedDescent,
)
from tilelab.solvers.sliding_search import METRICS

BEST_DETOUR = 8
"""Longer ones leave out a little more, but their tables take longer to make."""


class IdaStarParams(DeepeningParams):
    """The parameters of the search."""

    heuristic: TableChoice = parameter(
        TableChoice.AUTOMATIC,
        "Heuristic",
        help="The estimate of the moves that are left; the best for the shape are pattern "
        "databases on 4×4, the large ones once they have been built.",
        source="Korf 1985; Korf & Felner 2002; Hasan et al. 2023",
        choice_titles=ALL_TITLES,
    )
    detour: int | None = parameter(
        None,
        "Leave out detours",
        low=STRAIGHT_BACK,
        high=12,
        unit="moves",
        help="Leave out ways of up to so many moves that end where a shorter or earlier one does, "
        "on boards of up to 4×4; none: 8 with the best heuristic for the shape, otherwise 2, "
        "which is straight back.",
        source="Taylor & Korf 1993",
        group="Search",
    )


@register_solver
class IdaStar(Deepening):
    """Keeps nothing but its way; shortest with a heuristic that never overestimates."""

    spec: ClassVar[SolverSpec] = SolverSpec(
        key="ida-star",
        title="IDA*",
        source="Korf 1985",
        puzzles=("sliding",),
        params=IdaStarParams,
        unit="step",
        metrics=METRICS,
        version=1,
        uses_seed=False,
    )

    def _prepare(self) -> None:
        key = str(self._params.heuristic)
        self._key = automatic_heuristic(self._puzzle) if key == AUTOMATIC else key
        usual = BEST_DETOUR if key == AUTOMATIC else STRAIGHT_BACK
        self._detour = usual if self._params.detour is None else self._params.detour
        self._descent = self._descend(patterns.ready_partition())

    def _descend(self, partition: str) -> Descent:
        spec = HEURISTICS[self._key]
        if spec.needs_tables:
            return PackedDescent(self._puzzle, spec, self._detour, partition)
        if spec.kind in STEP_BY_STEP and max(self._puzzle.shape) <= PACKED_SIDE:
            return PackedDescent(self._puzzle, spec, self._detour)
        return AnyDescent(self._puzzle, spec, None)

    def _is_shortest(self) -> bool:
        return HEURISTICS[self._key].admissible

    def _state(self) -> dict[str, NDArray[Any]]:
        partition = getattr(self._descent, "partition", "")
        return {**super()._state(), "partition": np.array([partition], "U8")}

    def _set_state(self, arrays: dict[str, NDArray[Any]]) -> None:
        partition = str(arrays["partition"][0])
        if partition:
            # The tables of that time: others may have been built since.
            self._descent = self._descend(partition)
        super()._set_state(arrays)


def automatic_heuristic(puzzle: SlidingPuzzle) -> str:
    """Return the key of the quickest exact heuristic for a puzzle's shape and goal."""
    if puzzle.shape == (4, 4) and puzzle.params.goal is not Goal.BOARD:
        return "pattern-database"
    return "larger" if max(puzzle.shape) <= PACKED_SIDE else "linear-conflict"
