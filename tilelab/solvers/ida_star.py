"""Iterative deepening A*: depth-first below a threshold that rises to the least f cut off."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.parameters import parameter
from tilelab.core.registry import HEURISTICS, register_solver
from tilelab.core.solver import SolverSpec
from tilelab.heuristics import pattern_database as patterns
from tilelab.heuristics.choice import ALL_TITLES, AUTOMATIC, TableChoice
from tilelab.puzzles.sliding import SlidingPuzzle
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
from tilelab.solvers.pattern_descent import PatternDescent
from tilelab.solvers.sliding_search import METRICS

BEST_DETOUR = 8
"""Longer ones leave out a little more, but their tables take longer to make."""


class IdaStarParams(DeepeningParams):
    """The parameters of the search."""

    heuristic: TableChoice = parameter(
        TableChoice.AUTOMATIC,
        "Heuristic",
        help="The estimate of the moves that are left; the best for the shape are pattern "
        "databases on 4×4 and 5×5, the large ones once they have been made.",
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
        "on boards of up to 4×4 or with pattern databases; none: 8 with the best heuristic for "
        "the shape, otherwise 2, which is straight back.",
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
        key, shape, goal = str(self._params.heuristic), self._puzzle.shape, self._puzzle.goal
        partition = patterns.ready_partition(shape, goal)
        self._key = automatic_heuristic(self._puzzle, partition) if key == AUTOMATIC else key
        usual = BEST_DETOUR if key == AUTOMATIC else STRAIGHT_BACK
        self._detour = usual if self._params.detour is None else self._params.detour
        if HEURISTICS[self._key].needs_tables:
            partition = patterns.demand_partition(shape, goal)
        self._descent = self._descend(partition)

    def _descend(self, partition: str) -> Descent:
        spec = HEURISTICS[self._key]
        if spec.needs_tables:
            return descent_with_tables(self._puzzle, partition, self._detour)
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


def automatic_heuristic(puzzle: SlidingPuzzle, partition: str) -> str:
    """Return the key of the quickest exact heuristic for a puzzle.

    partition: the pattern databases that are at hand for it, or "".
    """
    if partition:
        return "pattern-database"
    return "larger" if max(puzzle.shape) <= PACKED_SIDE else "linear-conflict"


def descent_with_tables(puzzle: SlidingPuzzle, partition: str, detour: int) -> Descent:
    """Return the descent with pattern databases, as they are laid out."""
    if patterns.partition_named(partition).is_opened:
        return PackedDescent(puzzle, patterns.SPEC, detour, partition)
    return PatternDescent(puzzle, partition, detour)
