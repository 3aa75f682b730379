"""The boards that a best-first search has met, its queue, and how both grow."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.randomness import generator
from tilelab.heuristics.evaluation import Evaluation
from tilelab.kernels import slide_best_first as kernel
from tilelab.puzzles.sliding import MOVES
from tilelab.puzzles.sliding_tables import SEARCH_ORDER, move_tables

_ZOBRIST_SEED = 15
_FIRST_NODES = 1 << 12
OUT_OF_MEMORY = 100
"""Besides the kernel's codes: growing would take more than is allowed."""


class Rule:
    """What makes one best-first search differ from another."""

    def __init__(
        self,
        g_weight: int = 1,
        h_weight: int = 1,
        *,
        last_in_first: bool = False,
        replaces: bool = True,
        ends: bool = True,
        order: tuple[int, ...] = SEARCH_ORDER,
    ) -> None:
        switches = (last_in_first, replaces, ends)
        self.numbers = np.array([g_weight, h_weight, *switches, *order], np.int64)


class BoardStore:
    """Arrays of the kernel ``search`` for one side, from a start towards a goal.

    max_bytes: growing beyond it is refused.
    """

    def __init__(
        self,
        start: NDArray[np.uint8],
        goal: NDArray[np.uint8],
        evaluation: Evaluation,
        rule: Rule,
        max_bytes: int,
    ) -> None:
        n_cells = len(goal)
        self._goal, self._evaluation, self._rule = goal, evaluation, rule
        self._max_bytes = max_bytes
        self._target = move_tables(n_cells // evaluation.cols, evaluation.cols).target
        self._zobrist = generator(_ZOBRIST_SEED).integers(
            0, 2**64, size=(n_cells, n_cells), dtype=np.uint64
        )
        self.boards = np.empty((_FIRST_NODES, n_cells), np.uint8)
        self.codes = np.empty(_FIRST_NODES, np.uint64)
        self.links = np.empty((_FIRST_NODES, kernel.N_LINKS), np.int32)
        self.slots = np.full(4 * _FIRST_NODES, -1, np.int32)
        self.entries = np.empty((2 * _FIRST_NODES, 3), np.int32)
        self.buckets = np.full((256, 2), -1, np.int32)
        self.scalars = np.zeros(kernel.N_SCALARS, np.int64)
        self._put_start(start)

    def _put_start(self, start: NDArray[np.uint8]) -> None:
        value = self._evaluation.of(start)
        self.boards[0] = start
        self.codes[0] = kernel.board_code(start, self._zobrist)
        self.links[0] = (-1, 0, value, int(np.argmin(start)), -1, 0)
        self.scalars[kernel.N_NODES] = 1
        self.scalars[kernel.GOAL_NODE] = self.scalars[kernel.MEETING] = -1
        self.scalars[kernel.BEST] = value
        self.scalars[kernel.LOWEST] = kernel.FAR
        kernel.fill_slots(1, self.codes, self.slots)
        priority = int(self._rule.numbers[1]) * value
        self._widen(priority)
        last_in_first = bool(self._rule.numbers[2])
        kernel.push(0, 0, priority, last_in_first, self.entries, self.buckets, self.scalars)

    @property
    def n_bytes(self) -> int:
        """Memory in use by the arrays."""
        parts = (self.boards, self.codes, self.links, self.slots, self.entries, self.buckets)
        return sum(part.nbytes for part in parts)

    @property
    def sides(self) -> tuple[Any, ...]:
        """What the search from the other side looks up."""
        return self.boards, self.codes, self.slots

    def run(self, until_expanded: int, until_generated: int, other: "BoardStore | None") -> int:
        """Search until one of the counts is reached; returns the kernel's code or OUT_OF_MEMORY."""
        nobody = (np.empty((0, len(self._goal)), np.uint8), np.empty(0, np.uint64), _NO_SLOTS)
        while True:
            code = int(
                kernel.search(
                    until_expanded,
                    until_generated,
                    self._rule.numbers,
                    self._target,
                    self._zobrist,
                    self._goal,
                    self._evaluation.arguments,
                    (*self.sides[:2], self.links, self.slots, self.entries, self.buckets),
                    nobody if other is None else other.sides,
                    self.scalars,
                )
            )
            if code == kernel.BUCKETS_FULL:
                self._widen(2 * len(self.buckets))
            elif code in (kernel.NODES_FULL, kernel.ENTRIES_FULL):
                if not self._grow(code):
                    return OUT_OF_MEMORY
            else:
                return code

    def board(self, node: int) -> NDArray[np.uint8]:
        """Return the board of a node."""
        cells: NDArray[np.uint8] = self.boards[node]
        return cells

    def moves_to(self, node: int) -> list[int]:
        """Return the numbers of the moves from the start to a node."""
        moves = []
        while self.links[node, kernel.PARENT] >= 0:
            moves.append(int(self.links[node, kernel.MOVE]))
            node = int(self.links[node, kernel.PARENT])
        return moves[::-1]

    def text_to(self, node: int) -> str:
        """Return the letters of the moves from the start to a node."""
        return "".join(MOVES[move] for move in self.moves_to(node))

    def state(self, prefix: str = "") -> dict[str, NDArray[Any]]:
        """Copy out everything that the search needs to go on."""
        n_nodes, n_entries = self.scalars[kernel.N_NODES], self.scalars[kernel.N_ENTRIES]
        return {
            prefix + "boards": self.boards[:n_nodes].copy(),
            prefix + "links": self.links[:n_nodes].copy(),
            prefix + "entries": self.entries[:n_entries].copy(),
            prefix + "buckets": self.buckets.copy(),
            prefix + "scalars": self.scalars.copy(),
        }

    def set_state(self, arrays: dict[str, NDArray[Any]], prefix: str = "") -> Self:
        """Inverse of :meth:`state`; raises SnapshotError when the arrays do not fit together."""
        boards, links = arrays[prefix + "boards"], arrays[prefix + "links"]
        entries, scalars = arrays[prefix + "entries"], arrays[prefix + "scalars"]
        n_nodes, n_cells = len(boards), len(self._goal)
        if boards.shape != (n_nodes, n_cells) or links.shape != (n_nodes, kernel.N_LINKS):
            raise SnapshotError(
                f"the snapshot's boards are {boards.shape}; they need {n_cells} cells"
            )
        if scalars.shape != (kernel.N_SCALARS,) or scalars[kernel.N_NODES] != n_nodes:
            raise SnapshotError("the snapshot's counts do not fit its boards")
        size = max(_FIRST_NODES, 1 << n_nodes.bit_length())
        self.boards, self.links = _room(boards, size), _room(links, size)
        self.codes = np.empty(size, np.uint64)
        for node in range(n_nodes):
            self.codes[node] = kernel.board_code(self.boards[node], self._zobrist)
        self.slots = np.full(4 * size, -1, np.int32)
        kernel.fill_slots(n_nodes, self.codes, self.slots)
        self.entries = _room(entries, max(2 * _FIRST_NODES, 1 << len(entries).bit_length()))
        self.buckets, self.scalars = arrays[prefix + "buckets"].copy(), scalars.copy()
        return self

    def _grow(self, code: int) -> bool:
        """Double what is full; False when that would take too much memory."""
        if code == kernel.ENTRIES_FULL:
            if self.n_bytes + 2 * self.entries.nbytes > self._max_bytes:
                return False
            self.entries = _room(self.entries, 2 * len(self.entries))
            return True
        parts = (self.boards, self.codes, self.links, self.slots)
        # While an array is copied, the old one is still there.
        if self.n_bytes + sum(part.nbytes for part in parts) + self.slots.nbytes > self._max_bytes:
            return False
        size = 2 * len(self.boards)
        self.boards, self.codes = _room(self.boards, size), _room(self.codes, size)
        self.links = _room(self.links, size)
        self.slots = np.full(4 * size, -1, np.int32)
        kernel.fill_slots(self.scalars[kernel.N_NODES], self.codes, self.slots)
        return True

    def _widen(self, priority: int) -> None:
        """Have buckets for priorities up to this one."""
        if priority >= len(self.buckets):
            wider = np.full((priority + 256, 2), -1, np.int32)
            wider[: len(self.buckets)] = self.buckets
            self.buckets = wider


_NO_SLOTS = np.full(1, -1, np.int32)


def _room(part: NDArray[Any], size: int) -> NDArray[Any]:
    larger = np.empty((size, *part.shape[1:]), part.dtype)
    larger[: len(part)] = part
    return larger
