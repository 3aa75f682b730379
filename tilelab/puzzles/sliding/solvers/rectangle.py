"""Rectangle search: an anytime beam search without a width, which ends with a proof.

Each depth has its own open list. An iteration expands one board of each depth, and makes further
depths accessible, of which it expands as many boards as of the others by now. So the expanded
boards form a rectangle that grows in depth and width (Lemons, Ruml, Holte & Linares López 2024).
Boards that cannot be on a shorter path are pruned; the search ends when no list has a board.

In a list, the smallest estimate is first, and of equal boards the newest. A board that is found
again by a shorter path is opened again at its new depth.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tilelab.core.parameters import parameter
from tilelab.core.pseudocode import Pseudocode
from tilelab.core.registry import register_solver
from tilelab.core.snapshot_ranges import require_range
from tilelab.core.solver import Arrays, Snapshot, Status
from tilelab.core.text.language import marked
from tilelab.core.text.wording import counted, number
from tilelab.core.views import CodeLine, tie_numbers
from tilelab.puzzles.sliding.heuristics.choice import ConsistentChoice
from tilelab.puzzles.sliding.kernels import best_first as kernel
from tilelab.puzzles.sliding.kernels import pruned_search
from tilelab.puzzles.sliding.solvers.best_first import TITLES, queue_spec
from tilelab.puzzles.sliding.solvers.board_store import OUT_OF_MEMORY, BoardStore, Rule
from tilelab.puzzles.sliding.solvers.open_list import NodeOrder
from tilelab.puzzles.sliding.solvers.pruned import PrunedParams, PrunedSearch, consistent_parameter
from tilelab.puzzles.sliding.solvers.queue_tree import from_buckets, waiting_nodes

_SPARE = 32  # moves above the estimate of the start that have open lists of their own


class RectangleParams(PrunedParams):
    heuristic: ConsistentChoice = consistent_parameter("linear-conflict")
    aspect: int = parameter(
        1,
        marked("Aspect"),
        low=1,
        high=10_000,
        unit="depths",
        help=marked("How many depths each iteration adds; it widens all others by one board."),
        source="Lemons et al. 2024",
        group=marked("Search"),
    )


@register_solver
class RectangleSearch(PrunedSearch[RectangleParams]):
    """Finds a path soon, then shorter ones, until all shorter ones are excluded."""

    spec = queue_spec(
        key="rectangle",
        title=marked("Rectangle search"),
        source="Lemons, Ruml, Holte & Linares López 2024",
        pseudocode=Pseudocode("sliding/rectangle.md"),
        params=RectangleParams,
        metric_titles={**TITLES, "bound": marked("lower bound")},
        purpose=marked("Finds a solution soon, then shorter ones, without a width to choose."),
        peer="beam",
    )

    def rule(self, scale: int) -> Rule:
        return Rule(scale, 1, ties=kernel.LAST_IN)

    def prepare(self) -> None:
        super().prepare()
        (store,) = self._stores
        goal, scale = self._puzzle.goal, self._heuristic.scale
        self._goals = BoardStore(goal, goal, store.evaluation, store.rule, 0)
        self._estimate = store.evaluation.of(store.board(0))
        self._span = self._estimate + _SPARE * scale + 1
        self._marks = np.array([1, 0, 1, 0], np.int64)
        self._iteration_before = 0  # iteration of the board expanded before the last step

    @property
    def _bound(self) -> float:
        is_solved = self._status is Status.SOLVED
        return float(self._length) if is_solved else self._estimate / self._heuristic.scale

    def _advance(self, most: int) -> bool:
        (store,) = self._stores
        before = int(store.scalars[kernel.EXPANDED])
        self._iteration_before = int(self._marks[pruned_search.ITERATION]) if before else 0
        code = store.complete(
            lambda: pruned_search.search_rectangle(
                before + most,
                self._params.aspect,
                self._span,
                *store.setting,
                store.evaluation.arguments,
                store.arrays,
                store.buckets,
                self._goals.arrays[:4],
                self._found,
                store.scalars,
                self._marks,
            )
        )
        self._count_expansions(0, before)
        if code != kernel.RUNNING:
            self._steps_done += 1
            self._n_done = 0  # the end is a step of its own
            if code == OUT_OF_MEMORY:
                self._end(Status.LIMIT, "memory")
            else:
                self._end_search()
                store.scalars[kernel.GOAL_NODE] = self._found[pruned_search.NODE]
        return self._status is not Status.RUNNING or self._n_left == 0

    def _priority(self, side: int, cells: NDArray[np.uint8], g: float, h: float) -> str:
        return f"h = {number(h)}"

    def _order_of(self, side: int, nodes: list[int]) -> NodeOrder:
        g, h, _ = super()._order_of(side, nodes).values.T
        return NodeOrder(("g", "h"), np.stack([g, h], axis=1), tie_numbers(g, h))

    def _head(self, end: str) -> Sequence[CodeLine]:
        iteration, level, *_ = self._marks.tolist()
        n_levels = iteration * self._params.aspect
        is_new = level >= n_levels - self._params.aspect
        lines = [
            CodeLine("while", end),
            CodeLine("iteration", f"j = {iteration}"),
            CodeLine("depth", f"d = {level} < {n_levels}"),
            CodeLine("count", counted(iteration if is_new else 1, "board")),
        ]
        return lines[:1] + lines[1 + (iteration == self._iteration_before) :]

    def _next_nodes(self, most: int) -> list[int]:
        # Each board of the next iteration at the latest.
        (store,) = self._stores
        iteration, level, n_left, _ = self._marks.tolist()
        n_levels = min(len(store.buckets) // self._span + 1, self._length)
        nodes: list[int] = []
        n_taken = np.zeros(n_levels, np.int64)
        while len(nodes) < most and iteration <= self._marks[pruned_search.ITERATION] + 1:
            if level < min(iteration * self._params.aspect, n_levels):
                first, n_before = level * self._span, int(n_taken[level])
                entries = from_buckets(store, first, first + self._span)
                here = waiting_nodes(store, entries, n_before + n_left)
                nodes += here[n_before:]
                n_taken[level] = len(here)
                level += 1
            else:
                iteration, level = iteration + 1, 0
            n_left = iteration if level >= (iteration - 1) * self._params.aspect else 1
        return nodes[:most]

    def arrays(self) -> Arrays:
        return {**super().arrays(), "marks": self._marks.copy()}

    def set_state(self, snapshot: Snapshot) -> None:
        super().set_state(snapshot)
        marks = snapshot.array("marks", np.int64, pruned_search.N_MARKS)
        require_range("marks", marks, 0, 2**31 - 1)
        self._marks = marks.copy()
