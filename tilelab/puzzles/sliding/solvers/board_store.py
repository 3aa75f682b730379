"""The boards that a best-first search has found, and its queue.

All memory up to the limit is allocated at the start. The system provides a page only when it is
written to, so that this costs nothing. No array is ever copied into a larger one, which would block
the search for seconds.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.snapshot_ranges import require_range, require_tree
from tilelab.core.solver import Arrays, array_of
from tilelab.kernels import board_table
from tilelab.puzzles.sliding.heuristics.evaluation import Evaluation
from tilelab.puzzles.sliding.kernels import best_first as kernel
from tilelab.slides.moves import SEARCH_ORDER, board_codes, move_tables, moves_back

_FIRST_BITS = 13
_MAX_BITS = 30
_MIN_BYTES = 1 << 20
_MAX_NODES = 2**30
"""Maximum number of nodes; links, slots and entries of the queue have 32 bits for an index."""
Ints = int | NDArray[np.int32] | NDArray[np.int64]
OUT_OF_MEMORY = 100  # code in addition to the kernel's: no further board fits into the memory limit


class Rule:
    """Rule of a best-first search for the priority of boards."""

    def __init__(
        self,
        g_weight: int = 1,
        h_weight: int = 1,
        *,
        ties: int = kernel.FIRST_IN,
        replaces: bool = True,
        ends: bool = True,
    ) -> None:
        switches = (replaces, ends)
        self.numbers = np.array([g_weight, h_weight, ties, *switches, *SEARCH_ORDER], np.int64)

    def units_of_a_move(self, scale: int) -> int:
        """Return the units of the priority in one move; scale: units of the estimate in one."""
        g_weight, h_weight = self.numbers[:2].tolist()
        return int(g_weight or h_weight * scale)


class BoardStore:
    """Arrays of the kernel ``search`` for one side, from a start towards a goal.

    max_bytes: maximum memory to use. If the system does not grant that much, ``granted_bytes`` is
    the memory that it grants; a search that needs more raises MemoryError.
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
        self._goal, self.evaluation, self.rule = goal, evaluation, rule
        self.max_bytes = self.granted_bytes = max_bytes
        self.longest = kernel.FAR
        """Length from which on a path is too long; boards of such paths are dropped."""
        self.target = move_tables(n_cells // evaluation.cols, evaluation.cols).target
        self.zobrist = board_codes(n_cells, n_cells)
        self._reserve()
        self.table = np.array([_FIRST_BITS, 1 << _FIRST_BITS], np.int64)
        self.buckets = np.full((256, 2), -1, np.int32)
        self.scalars = np.zeros(kernel.N_SCALARS, np.int64)
        self._set_start(start)

    def _reserve(self) -> None:
        """Allocate all memory at once, or as much as the system grants."""
        n_cells = len(self._goal)
        while True:
            # A board has at least one entry in the queue, and at least 8 / 5 slots in the table.
            a_board = n_cells + kernel.NODE_BYTES + kernel.ENTRY_BYTES
            a_board += 8 * kernel.SLOT_BYTES // 5
            most = min(max(self.granted_bytes, _MIN_BYTES) // a_board + 1, _MAX_NODES)
            n_bits = min(max((2 * most).bit_length(), _FIRST_BITS + 1), _MAX_BITS)
            try:
                self.boards = np.empty((most, n_cells), np.uint8)
                self.links = np.empty((most, kernel.N_LINKS), np.int32)
                self.entries = np.empty((2 * most, 3), np.int32)
                self.slots = np.zeros((1 << n_bits) + board_table.OVERFLOW, np.uint64)
                # f of the entry at each place of the heap; None if the queue has buckets
                self.heap = np.empty(2 * most, np.float64) if self._has_heap else None
                return
            except MemoryError:
                if self.granted_bytes < _MIN_BYTES:
                    raise
                self.granted_bytes //= 2

    def _set_start(self, start: NDArray[np.uint8]) -> None:
        value = self.evaluation.of(start)
        self.boards[0] = start
        self.links[0] = (-1, 0, value, int(np.argmin(start)), -1, 0)
        self.scalars[kernel.N_NODES] = 1
        self.scalars[kernel.GOAL_NODE] = self.scalars[kernel.MEETING] = -1
        self.scalars[kernel.BEST] = value
        self.scalars[kernel.LOWEST] = kernel.FAR
        board_table.fill_table(1, self.boards, self.zobrist, self.slots, self.table)
        priority = int(self.rule.numbers[1]) * value
        self._widen(priority)
        kernel.push(
            0, 0, priority, self.rule.numbers, self.links, self.entries, *self._queue, self.scalars
        )

    @property
    def _has_heap(self) -> bool:
        return bool(self.rule.numbers[2] == kernel.HEAP)

    @property
    def _queue(self) -> tuple[NDArray[np.int32] | None, NDArray[np.float64] | None]:
        """Buckets and heap for the kernel, one of which is None."""
        return None if self._has_heap else self.buckets, self.heap

    @property
    def n_bytes(self) -> int:
        """Memory used by the boards, in bytes, without the memory that is only allocated."""
        return int(kernel.bytes_in_use(len(self._goal), self.scalars, self.table, self.heap))

    @property
    def state_bytes(self) -> int:
        """Approximate size of :meth:`state` in bytes."""
        n_nodes, n_entries = self.scalars[kernel.N_NODES], self.scalars[kernel.N_ENTRIES]
        a_node = self.boards.strides[0] + self.links.strides[0]
        return int(n_nodes * a_node + n_entries * self.entries.strides[0] + self.buckets.nbytes)

    def run(self, until_expanded: int, until_generated: int, other: "BoardStore | None") -> int:
        """Search until one of the counts is reached; returns the kernel's code or OUT_OF_MEMORY."""
        theirs = (np.empty((0, len(self._goal)), np.uint8), _NO_SLOTS, self.table)
        if other is not None:
            theirs = (other.boards, other.slots, other.table)
        return self.complete(
            lambda: kernel.search(
                until_expanded,
                until_generated,
                *self.setting,
                self._goal,
                self.evaluation.arguments,
                self.arrays,
                *self._queue,
                theirs,
                self.scalars,
            )
        )

    @property
    def setting(self) -> tuple[object, ...]:
        """Arguments ``max_bytes``, ``rule``, ``target`` and ``zobrist`` of the kernels."""
        return self.max_bytes, self.rule.numbers, self.target, self.zobrist

    @property
    def arrays(self) -> tuple[NDArray[np.generic], ...]:
        """Argument ``store`` of the kernels."""
        return self.boards, self.links, self.slots, self.table, self.entries

    def complete(self, search: Callable[[], int]) -> int:
        """Call a kernel, and again while it needs more buckets; returns its code.

        A kernel without room for a board returns OUT_OF_MEMORY.
        """
        while True:
            code = int(search())
            if code == kernel.BUCKETS_FULL:
                if 2 * self.buckets.nbytes > max(self.max_bytes, _MIN_BYTES):
                    return OUT_OF_MEMORY
                self._widen(2 * len(self.buckets))
            elif code == kernel.FULL:
                if self.granted_bytes < self.max_bytes:
                    raise MemoryError(
                        f"the boards may take {self.max_bytes >> 20:,} MB, and the system grants "
                        f"{self.granted_bytes >> 20:,} MB"
                    )
                return OUT_OF_MEMORY
            elif code == kernel.UNFIT:
                raise self.evaluation.unfit()
            else:
                return code

    def is_too_long(
        self, ways: Ints, estimates: Ints, longest: Ints | None = None
    ) -> NDArray[np.bool_]:
        """Return whether path and estimate of boards are too long together."""
        longest = self.longest if longest is None else longest
        g_weight, h_weight = self.rule.numbers[:2]
        are_long = g_weight * ways + h_weight * estimates >= g_weight * longest
        return np.asarray(are_long & (longest < kernel.FAR))

    def board(self, node: int) -> NDArray[np.uint8]:
        cells: NDArray[np.uint8] = self.boards[node]
        return cells

    def moves_to(self, node: int) -> list[int]:
        """Return the numbers of the moves from the start to a node."""
        back = moves_back(self.links[:, kernel.PARENT], self.links[:, kernel.MOVE], node)
        return back[::-1]

    def state(self) -> Arrays:
        """Return a copy of the complete state."""
        n_nodes, n_entries = self.scalars[kernel.N_NODES], self.scalars[kernel.N_ENTRIES]
        return {
            "boards": self.boards[:n_nodes].copy(),
            "links": self.links[:n_nodes].copy(),
            "entries": self.entries[:n_entries].copy(),
            "buckets": self.buckets.copy(),
            "scalars": self.scalars.copy(),
            "table": self.table.copy(),
        }

    def set_state(self, arrays: Arrays) -> None:
        """Inverse of :meth:`state`; raises SnapshotError if the arrays do not fit together."""
        boards = array_of(arrays, "boards", np.uint8, None, len(self._goal))
        n_nodes = len(boards)
        links = array_of(arrays, "links", np.int32, n_nodes, kernel.N_LINKS)
        entries = array_of(arrays, "entries", np.int32, None, 3)
        buckets = array_of(arrays, "buckets", np.int32, None, 2)
        scalars = array_of(arrays, "scalars", np.int64, kernel.N_SCALARS)
        table = array_of(arrays, "table", np.int64, board_table.N_TABLE)
        if scalars[kernel.N_NODES] != n_nodes:
            raise SnapshotError("the snapshot's counts do not fit its boards")
        self._require_room(n_nodes, len(entries), table)
        self._require_links(boards, links)
        self._require_queue(entries, buckets, scalars, n_nodes)
        # The slot of the start remains from the initialisation.
        self.slots[: 2 << int(self.table[board_table.BITS])] = 0
        self.boards[:n_nodes], self.links[:n_nodes] = boards, links
        self.entries[: len(entries)] = entries
        self.table, self.scalars, self.buckets = table.copy(), scalars.copy(), buckets.copy()
        board_table.fill_table(n_nodes, self.boards, self.zobrist, self.slots, self.table)
        if self.heap is not None:
            self._fill_heap(self.heap)

    def _fill_heap(self, heap: NDArray[np.float64]) -> None:
        """Compute f of the entries in the heap, which are known, as the kernel ``f_of`` does."""
        places = self.entries[: self.scalars[kernel.FRONTIER], 2]
        nodes, lengths = self.entries[places, :2].T
        g_weight, h_weight = self.rule.numbers[:2]
        estimates = h_weight * self.links[nodes, kernel.ESTIMATE]
        heap[: len(places)] = (lengths if g_weight else 0.0) + estimates / max(g_weight, 1)

    def _require_room(self, n_nodes: int, n_entries: int, table: NDArray[np.int64]) -> None:
        """Raise SnapshotError unless nodes, entries and table fit into the arrays."""
        bits = int(table[board_table.BITS])
        n_slots = (2 << bits) + board_table.OVERFLOW
        if n_nodes > 1 << bits or not 0 <= table[board_table.SPLIT] <= 1 << bits:
            raise SnapshotError("the snapshot's table does not fit its boards")
        if n_nodes > len(self.boards) or n_entries > len(self.entries) or n_slots > len(self.slots):
            raise SnapshotError(
                f"the snapshot has {n_nodes:,} boards; the memory allowed has room for "
                f"{len(self.boards):,}"
            )

    def _require_links(self, boards: NDArray[np.uint8], links: NDArray[np.int32]) -> None:
        """Raise SnapshotError unless the paths to the boards lead back to the start.

        Then each is a board of the puzzle, and its estimate is the correct one.
        """
        parents, ways = links[:, kernel.PARENT], links[:, kernel.LENGTH]
        blanks, moves = links[:, kernel.BLANK], links[:, kernel.MOVE]
        require_tree(boards, parents, moves, blanks, self.boards[0], self.target)
        require_range("ways", ways, 0, len(boards))
        # Paths grow from a parent to its child, so that no path has a cycle.
        if not (ways[parents[1:]] < ways[1:]).all():
            raise SnapshotError("the snapshot's boards do not lead back to the start")
        # A search by the path alone does not use the estimate.
        begin = 0 if self.rule.numbers[1] else len(boards)
        known = self.evaluation.of_all(boards[begin:])
        if not np.array_equal(links[begin:, kernel.ESTIMATE], known):
            raise SnapshotError("the snapshot's estimates are not those of its boards")

    def _require_queue(
        self,
        entries: NDArray[np.int32],
        buckets: NDArray[np.int32],
        scalars: NDArray[np.int64],
        n_nodes: int,
    ) -> None:
        """Raise SnapshotError unless the queue's lists end and have known boards."""
        n_entries = len(entries)
        require_range("counts", scalars, -1, 2**62)
        require_range("waiting boards", entries[:, 0], 0, n_nodes - 1)
        require_range("queue", entries[:, 2], -1, n_entries - 1)
        require_range("buckets", buckets, -1, n_entries - 1)
        for scalar, least in ((kernel.BEST_NODE, 0), (kernel.GOAL_NODE, -1)):
            require_range("nodes", scalars[[scalar]], least, n_nodes - 1)
        numbers, following, ties = np.arange(n_entries), entries[:, 2], self.rule.numbers[2]
        lowest, n_waiting = int(scalars[kernel.LOWEST]), int(scalars[kernel.FRONTIER])
        fits = scalars[kernel.N_ENTRIES] == n_entries
        if self._has_heap:
            fits &= 0 <= n_waiting <= n_entries and bool((following[:n_waiting] >= 0).all())
        else:
            is_stack = ties == kernel.LAST_IN
            runs_on = (following < numbers) if is_stack else (following > numbers) | (following < 0)
            fits &= bool(runs_on.all())
            fits &= 0 <= lowest < len(buckets) or lowest == kernel.FAR
        if not fits:
            raise SnapshotError("the snapshot's queue does not fit its boards")

    def _widen(self, priority: int) -> None:
        """Add buckets up to this priority."""
        if priority >= len(self.buckets):
            wider = np.full((priority + 256, 2), -1, np.int32)
            wider[: len(self.buckets)] = self.buckets
            self.buckets = wider


_NO_SLOTS = np.empty(0, np.uint64)
