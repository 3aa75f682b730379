"""The best-first searches: one queue, one loop, different priorities."""

from typing import ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.parameters import Choice, parameter
from tilelab.core.registry import HEURISTICS
from tilelab.core.solver import Arrays, Snapshot, Status
from tilelab.heuristics.choice import HeuristicChoice
from tilelab.heuristics.evaluation import Evaluation
from tilelab.kernels.slides import best_first as kernel
from tilelab.solvers.sliding.board_store import OUT_OF_MEMORY, BoardStore, Rule
from tilelab.solvers.sliding.search import SearchParams, SlidingSearch

ALWAYS = 2**62
ENDS = {
    OUT_OF_MEMORY: (Status.LIMIT, "memory"),
    kernel.EXHAUSTED: (Status.EXHAUSTED, ""),
    kernel.SOLVED: (Status.SOLVED, ""),
    kernel.MET: (Status.SOLVED, ""),
}
"""How a run ends, by what a store returns."""


class Ties(Choice):
    """Which of two boards of the same priority is expanded first."""

    FIFO = "fifo"
    LIFO = "lifo"


class QueueParams(SearchParams):
    """The parameters of a search with a queue."""

    ties: Ties = parameter(
        Ties.FIFO,
        "Tie-breaking",
        help="Which of two boards of the same priority is expanded first.",
        group="Search",
        choice_titles={"fifo": "first in, first out", "lifo": "last in, first out"},
    )


class GuidedParams(QueueParams):
    """The parameters of a search with a queue and a heuristic."""

    heuristic: HeuristicChoice = parameter(
        "manhattan",
        "Heuristic",
        help="The estimate of the moves that are left.",
        source="Henriques 2019; Hasan et al. 2023; Damodaran",
    )


Q = TypeVar("Q", bound=QueueParams)


class BestFirst(SlidingSearch[Q], Generic[Q]):
    """A search that expands the board of least priority, wherever it is."""

    shortest_with_admissible: ClassVar[bool] = False

    def rule(self, scale: int) -> Rule:
        """Return the rule of the search; scale: units of the estimate that make a move."""
        raise TypeError(f"{type(self).__name__} has no rule for {scale}")

    def _prepare(self) -> None:
        key = str(getattr(self._params, "heuristic", "zero"))
        self._heuristic = HEURISTICS[key]
        puzzle = self._puzzle
        evaluation = Evaluation.towards(self._heuristic, puzzle.goal, puzzle.params.cols)
        rule = self.rule(self._heuristic.scale)
        self._store = BoardStore(puzzle.start, puzzle.goal, evaluation, rule, self._max_bytes)
        self._granted_bytes = self._store.granted_bytes

    @property
    def _last_in_first(self) -> bool:
        return self._params.ties is Ties.LIFO

    def _step(self) -> None:
        until = int(self._store.scalars[kernel.EXPANDED]) + self._params.expansions_per_update
        code = self._store.run(until, ALWAYS, None)
        if code in ENDS:
            self._end(*ENDS[code])

    def _row(self) -> tuple[float, ...]:
        scalars = self._store.scalars
        lowest = float(scalars[kernel.LOWEST]) if scalars[kernel.LOWEST] < kernel.FAR else 0.0
        return (
            float(scalars[kernel.EXPANDED]),
            float(scalars[kernel.GENERATED]),
            float(scalars[kernel.FRONTIER]),
            float(scalars[kernel.DEPTH]),
            lowest / self._f_scale,
            float(scalars[kernel.BEST]) / self._heuristic.scale,
            self._store.n_bytes / 2**20,
        )

    @property
    def _f_scale(self) -> int:
        return max(int(self.rule(self._heuristic.scale).numbers[0]), 1)

    def _nearest(self) -> NDArray[np.uint8]:
        return self._store.board(int(self._store.scalars[kernel.BEST_NODE]))

    def _solution(self) -> str:
        return self._store.text_to(int(self._store.scalars[kernel.GOAL_NODE]))

    def _is_shortest(self) -> bool:
        return self.shortest_with_admissible and self._heuristic.admissible

    @property
    def state_bytes(self) -> int:
        """How many bytes a snapshot takes, about."""
        return self._store.state_bytes

    def _arrays(self) -> Arrays:
        return self._store.state()

    def _set_state(self, snapshot: Snapshot) -> None:
        self._store.set_state(snapshot.arrays)
