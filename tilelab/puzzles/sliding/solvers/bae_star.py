"""BAE*: a proof from both ends with a consistent heuristic.

Each board on a side has the priority b = 2 g + h - h', where h' is the estimate back to the side's
own start: f plus the error of the estimate behind. A path by way of open boards of both sides has
at least half the sum of the lowest b of both sides (Sadhukhan 2013). The search ends when that
bound, rounded up to a length of the right parity, reaches the length of the best path.

The paper leaves the turns open. Here, a side expands all boards of its lowest b. Then it is the
turn of the side with the shorter queue (Pohl 1971). Equal boards are first in, first out.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tilelab.core.pseudocode import Pseudocode
from tilelab.core.registry import register_solver
from tilelab.core.snapshot_ranges import require_range
from tilelab.core.solver import Arrays, Snapshot, Status
from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import number
from tilelab.core.views import CodeLine
from tilelab.puzzles.sliding.kernels import best_first as kernel
from tilelab.puzzles.sliding.kernels import pruned_search
from tilelab.puzzles.sliding.solvers.best_first import TITLES, queue_spec
from tilelab.puzzles.sliding.solvers.board_store import OUT_OF_MEMORY
from tilelab.puzzles.sliding.solvers.open_list import NodeOrder
from tilelab.puzzles.sliding.solvers.pruned import PrunedParams, PrunedSearch
from tilelab.puzzles.sliding.solvers.queue_tree import SIDE_NAMES
from tilelab.slides.moves import cells_apart

_ENDS_OF_TURN = (pruned_search.RANGE_DONE, kernel.EXHAUSTED)


@register_solver
class BAEStar(PrunedSearch[PrunedParams]):
    """Two queues, one from the start and one from the goal; the path is shortest."""

    spec = queue_spec(
        key="bae-star",
        title="BAE*",
        source="Sadhukhan 2013; Alcázar, Riddle & Barley 2020",
        pseudocode=Pseudocode("sliding/bae-star.md"),
        params=PrunedParams,
        metric_titles={**TITLES, "bound": marked("lower bound")},
        proves_bound=True,
        purpose=marked("Proves shortest solutions from both ends, with fewer boards than A*."),
        peer="a-star",
    )

    sides = ("start_", "goal_")

    def prepare(self) -> None:
        super().prepare()
        self._goals = self._stores[1]
        # Lowest b of both sides at the beginning of the turn.
        self._lowest = [store.evaluation.of(store.board(0)) for store in self._stores]
        start, goal = (np.argmin(board) for board in (self._puzzle.start, self._puzzle.goal))
        self._parity = int(cells_apart(start, goal, self._puzzle.params.cols)) % 2
        self._turn_lines: list[str] = []
        """Names of the lines about the end of a turn that the last step ran."""

    @property
    def _proven(self) -> int:
        """Number of moves that are proven to be needed."""
        scale = self._heuristic.scale
        bound = -(-sum(self._lowest) // (2 * scale))
        return bound + (bound - self._parity) % 2

    @property
    def _bound(self) -> float:
        return float(self._length if self._status is Status.SOLVED else self._proven)

    def _advance(self, most: int) -> bool:
        last = self._steps_done + most
        while self._n_left > 0 and self._steps_done < last:
            self._continue_turn(last - self._steps_done)
            if self._status is not Status.RUNNING:
                return True
        return self._n_left == 0

    def _begin_turn(self) -> bool:
        """Choose a side; returns False if the best path is shortest, or there is none."""
        # Nothing is expanded, but boards that are too long by now are dropped.
        codes = [self._expand(side, 0, kernel.FAR) for side in range(2)]
        if kernel.EXHAUSTED in codes:
            return False
        self._lowest = [int(store.scalars[kernel.LOWEST]) for store in self._stores]
        self._turn_lines.append("bound")
        if self._length <= self._proven:
            return False
        waiting = [int(store.scalars[kernel.FRONTIER]) for store in self._stores]
        self._side = int(waiting[1] < waiting[0])
        self._turn_lines.append("turn")
        return True

    def _continue_turn(self, most: int) -> None:
        """Expand at most ``most`` boards."""
        side = self._side
        before = int(self._stores[side].scalars[kernel.EXPANDED])
        code = self._expand(side, before + most, self._lowest[side])
        n_done = self._count_expansions(side, before)
        self._turn_lines = ["last"] if code in _ENDS_OF_TURN else []
        if code == OUT_OF_MEMORY:
            self._steps_done += 1
            self._end(Status.LIMIT, "memory")
        elif code == kernel.MET or (code != kernel.RUNNING and not self._begin_turn()):
            # Only a start that is the goal needs no expansion.
            self._steps_done += n_done == 0
            self._end_search()

    def _expand(self, side: int, until_expanded: int, last: int) -> int:
        store, other = self._stores[side], self._stores[1 - side]
        return store.complete(
            lambda: pruned_search.search_range(
                until_expanded,
                last,
                side,
                self._proven,
                0,
                *store.setting,
                store.evaluation.arguments,
                other.evaluation.arguments,
                store.arrays,
                store.buckets,
                other.arrays[:4],
                self._found,
                store.scalars,
            )
        )

    def _priority(self, side: int, cells: NDArray[np.uint8], g: float, h: float) -> str:
        behind = self._stores[1 - side].evaluation.of(cells) / self._heuristic.scale
        b = number(2 * g + h - behind)
        return f"b = 2 · {number(g)} + {number(h)} − {number(behind)} = {b}"

    def _order_of(self, side: int, nodes: list[int]) -> NodeOrder:
        g, h, _ = super()._order_of(side, nodes).values.T
        boards, evaluation = self._stores[side].boards[nodes], self._stores[1 - side].evaluation
        behind = evaluation.of_all(boards) / self._heuristic.scale if nodes else np.zeros(0)
        b = 2 * g + h - behind
        return NodeOrder(("g", "h", "b"), np.stack([g, h, b], axis=1))

    def _head(self, end: str) -> Sequence[CodeLine]:
        length = "∞" if self._length == kernel.FAR else str(self._length)
        if self._proven >= self._length:
            end = f"{self._proven} ≥ {length}"
        return (CodeLine("while", end or f"{self._proven} < {length}"),)

    def _tail(self) -> Sequence[CodeLine]:
        b = [number(lowest / self._heuristic.scale) for lowest in self._lowest]
        values = {
            "last": "",
            "bound": f"({b[0]} + {b[1]}) / 2 → {self._proven}",
            "turn": tr(SIDE_NAMES[self._side]),
        }
        return [CodeLine(name, values[name]) for name in self._turn_lines]

    def _end_search(self) -> None:
        super()._end_search()
        # A view shows the path from the side that has not expanded the last board.
        self._side = 1 - self._side
        places = [pruned_search.NODE + self._side, pruned_search.OTHER_NODE - self._side]
        self._stores[self._side].scalars[[kernel.GOAL_NODE, kernel.MEETING]] = self._found[places]

    def _meeting(self) -> tuple[int, int] | None:
        if self._status is not Status.SOLVED or self._length == kernel.FAR:
            return None
        nodes = self._found[[pruned_search.NODE, pruned_search.OTHER_NODE]].tolist()
        ways = [
            int(store.links[node, kernel.LENGTH])
            for store, node in zip(self._stores, nodes, strict=True)
        ]
        return ways[0], ways[1]

    def arrays(self) -> Arrays:
        return {**super().arrays(), "turn": np.array([self._side, *self._lowest], np.int64)}

    def set_state(self, snapshot: Snapshot) -> None:
        super().set_state(snapshot)
        turn = snapshot.array("turn", np.int64, 3)
        require_range("sides", turn[:1], 0, 1)
        require_range("bounds", turn[1:], 0, kernel.FAR)
        self._side, *self._lowest = turn.tolist()
