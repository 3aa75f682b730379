"""Base of the searches with a queue that continue after their first path, until it is proven."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.parameters import FieldValue
from tilelab.core.snapshot_ranges import require_range
from tilelab.core.solver import Arrays, Snapshot, Status
from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import counted
from tilelab.core.views import CodeLine, View, ViewKind
from tilelab.puzzles.sliding.heuristics.choice import ConsistentChoice, heuristic_parameter
from tilelab.puzzles.sliding.kernels import best_first as kernel
from tilelab.puzzles.sliding.kernels import pruned_search
from tilelab.puzzles.sliding.solvers.best_first import BestFirst
from tilelab.puzzles.sliding.solvers.board_store import BoardStore, Rule
from tilelab.puzzles.sliding.solvers.queue_tree import Expansion, Proof
from tilelab.slides.moves import OPPOSITE, letters_of
from tilelab.solvers.search_params import SearchParams

_N_KEPT = 3  # numbers about the best path that a snapshot has


def consistent_parameter(default: str) -> FieldValue:
    """Declare the parameter for the choice of a consistent heuristic."""
    text = marked("The estimate of the remaining moves; a move changes it by 1 at most.")
    return heuristic_parameter(default, text=text)


class PrunedParams(SearchParams):
    heuristic: ConsistentChoice = consistent_parameter("manhattan")


Q = TypeVar("Q", bound=PrunedParams)


class PrunedSearch(BestFirst[Q], Generic[Q]):
    """A search that drops all boards that cannot be on a path shorter than its best."""

    shortest_with_admissible = True
    _goals: BoardStore
    """Boards from the goal, which end a path."""

    def rule(self, scale: int) -> Rule:
        return Rule(scale, 1)

    def prepare(self) -> None:
        super().prepare()
        self._found = np.full(pruned_search.N_BEST, -1, np.int64)
        self._found[pruned_search.PATH] = kernel.FAR
        if np.array_equal(self._puzzle.start, self._puzzle.goal):
            self._found[:_N_KEPT] = 0
        self._length_before = self._length
        """Length of the best path before the last step, if it is known."""
        self._n_done = 0  # expansions of the last step

    def _search(self, most: int) -> bool:
        # Alone, the last expansions can be distinguished from those before.
        n_single = min(self._n_noted, most)
        for n_steps in [most - n_single] * (most > n_single) + [1] * n_single:
            self._length_before = self._length
            if self._advance(n_steps):
                if n_steps > 1:
                    self._length_before = self._length  # its step is unknown
                return True
        return False

    @abstractmethod
    def _advance(self, most: int) -> bool:
        """Do at most ``most`` steps, as :meth:`_search` does."""

    @property
    def _length(self) -> int:
        """Length of the best path; FAR before there is one."""
        return int(self._found[pruned_search.PATH])

    def _count_expansions(self, side: int, before: int) -> int:
        """Count a side's expansions after the first ``before``; returns their number."""
        n_done = int(self._stores[side].scalars[kernel.EXPANDED]) - before
        self._steps_done += n_done
        self._n_done = n_done
        if n_done and self._watched:
            last = Expansion(*self._found[pruned_search.LAST_NODE :].tolist())
            self._noted.add(int(self._total(kernel.EXPANDED)), side, [last])
        return n_done

    def _proof(self, side: int) -> Proof:
        is_over = self._status in (Status.SOLVED, Status.EXHAUSTED)
        done = [CodeLine("done", counted(self._length, "move"))] * (self._status is Status.SOLVED)
        return Proof(
            self._n_done > 0,
            self._length_before,
            int(self._found[pruned_search.NODE + side]),
            self._goals if side == 0 else self._stores[0],
            self._priority,
            self._head(tr("OPEN is empty") if is_over else ""),
            (*self._tail(), *done),
        )

    @abstractmethod
    def _priority(self, side: int, cells: NDArray[np.uint8], g: float, h: float) -> str:
        """Write the priority of a board on a side."""

    @abstractmethod
    def _head(self, end: str) -> Sequence[CodeLine]:
        """Return the lines of the pseudocode before a board is selected, first that of the loop.

        end: why the loop is over, unless the search has another reason.
        """

    def _tail(self) -> Sequence[CodeLine]:
        """Return the lines after an expansion, without the last one of the pseudocode."""
        return ()

    def _end_search(self) -> None:
        """End the run: the best path, if there is one, is shortest."""
        has_path = self._length < kernel.FAR
        self._end(Status.SOLVED if has_path else Status.EXHAUSTED)

    def _path_so_far(self) -> str | None:
        if self._length == kernel.FAR:
            return None
        known = None if self._best is None else self._best.moves
        if known is not None and len(known) <= self._length:
            return known
        _, node, other_node = self._found[:_N_KEPT].tolist()
        back = self._goals.moves_to(other_node)
        return letters_of(
            (*self._stores[0].moves_to(node), *(OPPOSITE[move] for move in reversed(back)))
        )

    def view(self, kind: ViewKind) -> View | None:
        for store in self._stores:
            store.longest = self._length
        return super().view(kind)

    def arrays(self) -> Arrays:
        return {**super().arrays(), "found": self._found[:_N_KEPT].copy()}

    def set_state(self, snapshot: Snapshot) -> None:
        super().set_state(snapshot)
        found = snapshot.array("found", np.int64, _N_KEPT)
        self._found[:_N_KEPT] = found
        if self._length != kernel.FAR:
            self._require_path_found(found)

    def _require_path_found(self, found: NDArray[np.int64]) -> None:
        """Raise SnapshotError unless the best path leads from start to goal."""
        sides = self._stores[0], self._goals
        for store, place in zip(sides, found[1:], strict=True):
            require_range("nodes", np.array([place]), 0, int(store.scalars[kernel.N_NODES]) - 1)
        length, *nodes = found.tolist()
        here, there = (store.board(node) for store, node in zip(sides, nodes, strict=True))
        ways = [store.links[node, kernel.LENGTH] for store, node in zip(sides, nodes, strict=True)]
        if not np.array_equal(here, there) or length != sum(ways):
            raise SnapshotError("the snapshot's best path does not lead to the goal")
