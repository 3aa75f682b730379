"""A* from both ends in alternating bursts, until both sides have generated the same board."""

import numpy as np

from tilelab.core.errors import SnapshotError
from tilelab.core.parameters import Choice, parameter
from tilelab.core.pseudocode import Pseudocode
from tilelab.core.registry import register_solver
from tilelab.core.snapshot_ranges import require_range
from tilelab.core.solver import Arrays, Scalars, Snapshot, Status
from tilelab.core.text.language import marked
from tilelab.puzzles.sliding.heuristics.choice import HeuristicChoice, heuristic_parameter
from tilelab.puzzles.sliding.kernels import best_first as kernel
from tilelab.puzzles.sliding.solvers.best_first import (
    ALWAYS,
    BestFirst,
    HybridParams,
    Ties,
    queue_spec,
    ties_parameter,
)
from tilelab.puzzles.sliding.solvers.board_store import BoardStore, Rule
from tilelab.puzzles.sliding.solvers.queue_tree import Expansion, joining_expansion
from tilelab.slides.moves import OPPOSITE, letters_of

_MAX_CHILDREN = 4


class BurstUnit(Choice):
    """Unit for the length of a burst."""

    EXPANDED = "expanded"
    GENERATED = "generated"


class BidirectionalParams(HybridParams):
    """Parameters of the search; the defaults are those of the paper's own program.

    With them, 90 of the 100 lengths, boards generated and boards expanded are as printed in Hasan's
    Table 6: all boards that are solved within the first burst.
    """

    ties: Ties = ties_parameter(Ties.HEAP, "Hasan et al. 2023 (from the printed counts)")
    heuristic: HeuristicChoice = heuristic_parameter(
        *("hybrid-unrounded", "Hasan et al. 2023"),
        marked("The estimate of the remaining moves, from either end."),
    )
    burst_counts: BurstUnit = parameter(
        BurstUnit.EXPANDED,
        marked("Burst counts"),
        help=marked("Which boards a burst counts."),
        source="Hasan et al. 2023 (from the printed counts)",
        group=marked("Search"),
        choice_titles={
            "expanded": marked("boards expanded"),
            "generated": marked("boards generated"),
        },
    )
    first_burst: int = parameter(
        75_000,
        marked("First burst"),
        low=1,
        high=10_000_000,
        unit="boards",
        help=marked("How many boards each side expands before the other side's first turn."),
        source="Hasan et al. 2023",
        group=marked("Search"),
    )
    burst: int = parameter(
        15_000,
        marked("Later bursts"),
        low=1,
        high=10_000_000,
        unit="boards",
        help=marked("How many boards a side expands at each later turn."),
        source="Hasan et al. 2023",
        group=marked("Search"),
        forkable=True,
    )
    reopen: bool = parameter(
        False,
        marked("Reopen"),
        help=marked("Use a shorter path to a board that was visited before."),
        source="Hasan et al. 2023 (never)",
        group=marked("Search"),
    )


@register_solver
class BidirectionalAStar(BestFirst[BidirectionalParams]):
    """Two queues, one from the start and one from the goal; the path need not be shortest."""

    spec = queue_spec(
        key="bidirectional-a-star",
        title=marked("Bidirectional A* with HH"),
        source="Hasan et al. 2023",
        pseudocode=Pseudocode("sliding/bidirectional-a-star.md"),
        params=BidirectionalParams,
        version=2,
        purpose=marked("A* from both ends, which meet in the middle."),
        peer="unidirectional-a-star",
    )

    sides = ("start_", "goal_")

    def rule(self, scale: int) -> Rule:
        return Rule(scale, 1, ties=self._params.ties.code, replaces=self._params.reopen)

    def prepare(self) -> None:
        super().prepare()
        self._until = [self._params.first_burst] * 2
        self._n_counted = 0  # boards of the current unit, counted like those of a burst
        self._by_expanded = self._params.burst_counts is BurstUnit.EXPANDED
        self._counter = kernel.EXPANDED if self._by_expanded else kernel.GENERATED

    @property
    def _n_left(self) -> int:
        # An expansion generates at least one board.
        return self._params.expansions_per_update - self._n_counted

    def _search(self, most: int) -> bool:
        last = self._steps_done + most
        while self._n_left > 0 and self._steps_done < last:
            mine, other = self._stores[self._side], self._stores[1 - self._side]
            n_expanded, before = (int(mine.scalars[s]) for s in (kernel.EXPANDED, self._counter))
            until = min(before + self._n_left, self._until[self._side])
            until_expanded = n_expanded + last - self._steps_done
            if self._by_expanded:
                code = self._run(mine, min(until, until_expanded), ALWAYS, other)
            else:
                code = self._run(mine, until_expanded, until, other)
            self._count_steps(mine, n_expanded, code)
            if self._status is not Status.RUNNING:
                self._n_counted = 0
                return True
            after = int(mine.scalars[self._counter])
            self._n_counted += after - before
            if after >= self._until[self._side]:
                self._until[self._side] += self._params.burst
                self._side = 1 - self._side
        if self._n_left > 0:
            return False
        self._n_counted = 0
        return True

    @property
    def _next_side(self) -> int:
        # A side that is already past the end of its burst skips its turn.
        side, until = self._side, list(self._until)
        counts = [int(store.scalars[self._counter]) for store in self._stores]
        while self._status is Status.RUNNING and counts[side] >= until[side]:
            until[side] += self._params.burst
            side = 1 - side
        return side

    def _solution(self) -> str:
        mine, other = self._stores[self._side], self._stores[1 - self._side]
        near = mine.moves_to(int(mine.scalars[kernel.GOAL_NODE]))
        meeting = int(mine.scalars[kernel.MEETING])
        far = [] if meeting < 0 else other.moves_to(meeting)
        from_start, from_goal = (near, far) if self._side == 0 else (far, near)
        back = [OPPOSITE[move] for move in reversed(from_goal)]
        return letters_of((*from_start, *back))

    def _meeting(self) -> tuple[int, int] | None:
        mine, other = self._stores[self._side], self._stores[1 - self._side]
        node, meeting = (int(mine.scalars[scalar]) for scalar in (kernel.GOAL_NODE, kernel.MEETING))
        if meeting < 0:
            return None
        near = int(mine.links[node, kernel.LENGTH])
        far = int(other.links[meeting, kernel.LENGTH])
        return (near, far) if self._side == 0 else (far, near)

    def _last_expansion(self) -> tuple[int, Expansion | None]:
        side, known = super()._last_expansion()
        if known is None and self._meeting() is not None:
            # At full speed, the sides join in the middle of many expansions.
            return self._side, joining_expansion(self._stores[self._side])
        return side, known

    def scalars(self) -> Scalars:
        is_inside = self._steps_done > 0 and not self._by_expanded
        return {"counted": self._n_counted} if is_inside else {}

    def arrays(self) -> Arrays:
        return {**super().arrays(), "turns": np.array([self._side, *self._until], np.int64)}

    def set_state(self, snapshot: Snapshot) -> None:
        super().set_state(snapshot)
        self._set_counted(snapshot)
        for store, other in zip(self._stores, self._stores[::-1], strict=True):
            self._require_meeting(store, other)
        turns = snapshot.array("turns", np.int64, 3)
        require_range("sides", turns[:1], 0, 1)
        for store, until in zip(self._stores, turns[1:], strict=True):
            # A board's children are generated together, so that a burst may have a few more.
            low = int(store.scalars[self._counter]) - _MAX_CHILDREN
            require_range("bursts", np.array([until]), low, 2**62)
        self._side, *self._until = (int(number) for number in turns)

    def _set_counted(self, snapshot: Snapshot) -> None:
        self._n_counted = self._steps_done
        if self._steps_done and not self._by_expanded:
            self._n_counted = snapshot.count("counted")
        most = self._params.expansions_per_update - 1
        require_range("boards counted", np.array([self._n_counted]), self._steps_done, most)

    @staticmethod
    def _require_meeting(store: BoardStore, other: BoardStore) -> None:
        """Raise SnapshotError unless a meeting, if any, is of the same board on both sides."""
        goal_node, meeting = (int(store.scalars[s]) for s in (kernel.GOAL_NODE, kernel.MEETING))
        require_range("meetings", np.array([meeting]), -1, int(other.scalars[kernel.N_NODES]) - 1)
        ends = store.board(goal_node), other.board(meeting)
        if meeting >= 0 and (goal_node < 0 or not np.array_equal(*ends)):
            raise SnapshotError("the snapshot's sides do not meet")
