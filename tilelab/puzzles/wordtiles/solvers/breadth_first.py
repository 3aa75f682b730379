"""Breadth-first search on word tiles: all boards by the number of slides from the initial board.

The views are made from the search's own arrays, which have the boards in the order of their
generation and expansion. The priority is the depth, and there is no estimate.
"""

from bisect import bisect_left
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.pseudocode import Pseudocode
from tilelab.core.registry import register_solver
from tilelab.core.snapshot_ranges import require_range, require_tree
from tilelab.core.solver import Arrays, Snapshot, Status
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import counted, number
from tilelab.core.views import (
    MAX_CLOSED,
    MAX_ENTRIES,
    MAX_NEXT,
    MAX_NODES,
    OLDEST_FIRST,
    ByDepth,
    CodeLine,
    Fate,
    Frontier,
    SearchTree,
    SideByDepth,
    View,
    ViewKind,
)
from tilelab.kernels.board_table import board_code
from tilelab.puzzles.wordtiles.kernels import searches as kernel
from tilelab.puzzles.wordtiles.puzzle import WordTilesPuzzle
from tilelab.puzzles.wordtiles.solvers.search import WordTileSearch, word_tile_spec
from tilelab.slides.moves import letters_of, moves_back, nodes_back
from tilelab.solvers.search_params import SearchParams, max_bytes, with_memory

_FIRST_ROOM = 1 << 12
D = TypeVar("D", bound=np.generic)


def _children(parents: NDArray[np.int32], current: int) -> list[int]:
    """Return the boards that the last expansion generated, which are the last ones."""
    first = len(parents)
    while current >= 0 and parents[first - 1] == current:
        first -= 1
    return list(range(first, len(parents)))


@register_solver
class WordTileBreadthFirst(WordTileSearch[SearchParams]):
    """An uninformed search, not guided by words; the path to its best board is a shortest one."""

    spec = word_tile_spec(
        key="breadth-first",
        title=marked("Breadth first"),
        source="Moore 1959",
        params=SearchParams,
        unit="update",
        metrics=("best_ever", "expanded", "generated", "boards", "depth", "megabytes"),
        uses_seed=False,
        step="expansion",
        views=(ViewKind.TREE, ViewKind.DEPTHS, ViewKind.FRONTIER),
        pseudocode=Pseudocode("wordtiles/breadth-first.md"),
        purpose=marked("Visits every board that can be reached: exact on tiny boards."),
    )

    @classmethod
    def resolved(cls, puzzle: WordTilesPuzzle, params: SearchParams) -> SearchParams:
        """Set the memory limit if it is open."""
        return with_memory(params)

    def prepare(self) -> None:
        super().prepare()
        n_cells = len(self._puzzle.start)
        self._boards = np.empty((_FIRST_ROOM, n_cells), np.uint8)
        self._codes = np.empty(_FIRST_ROOM, np.uint64)
        self._links = np.empty((_FIRST_ROOM, kernel.N_LINKS), np.int32)
        self._slots = np.empty(4 * _FIRST_ROOM, np.int32)
        self._counts = np.zeros(kernel.N_SCALARS, np.int64)
        self._top = np.array([self._puzzle.score(self._puzzle.start)])
        self._boards[0] = self._puzzle.start
        self._links[0] = (-1, -1, int(np.argmin(self._puzzle.start)), 0)
        self._counts[kernel.N_NODES] = 1
        self._index()

    def _index(self) -> None:
        """Compute the codes and the hash table of the boards again."""
        n_nodes = self._n_nodes
        for node in range(n_nodes):
            self._codes[node] = board_code(self._boards[node], self._zobrist)
        kernel.fill_slots(n_nodes, self._boards, self._codes, self._slots)

    def do_steps(self, most: int | None) -> tuple[float, ...] | None:
        n_left = self._params.expansions_per_update - self._steps_done
        n_expanded = self._n_expanded
        until = n_expanded + (n_left if most is None else min(most, n_left))
        code = kernel.FULL
        while code == kernel.FULL and self._status is Status.RUNNING:
            code = kernel.breadth(
                until,
                self._target,
                self._puzzle.words,
                self._zobrist,
                self._boards,
                self._codes,
                self._links,
                self._slots,
                self._counts,
                self._top,
            )
            if code == kernel.FULL and not self._grow():
                self._end(Status.LIMIT, "memory")
        if code == kernel.EXHAUSTED:
            self._end(Status.EXHAUSTED)
        # An end without a step counts as one step.
        self._steps_done += max(self._n_expanded - n_expanded, 1)
        n_left = self._params.expansions_per_update - self._steps_done
        if n_left and self._status is Status.RUNNING:
            return None
        self._offer_start()
        self._note_best()
        return self._row()

    def current_cells(self) -> NDArray[np.uint8]:
        cells: NDArray[np.uint8] = self._boards[self._counts[kernel.BEST_NODE]].copy()
        return cells

    def metrics_inside(self) -> tuple[float, ...]:
        return self._row()

    def view(self, kind: ViewKind) -> View:
        """Return the tree of all boards, the number of boards of each depth, or the queue."""
        links = self._links[: self._n_nodes]
        if kind is ViewKind.DEPTHS:
            return self._by_depth(links)
        return self._queue() if kind is ViewKind.FRONTIER else self._tree(links)

    @property
    def _n_nodes(self) -> int:
        return int(self._counts[kernel.N_NODES])

    @property
    def _n_expanded(self) -> int:
        return int(self._counts[kernel.EXPANDED])

    def _tree(self, links: NDArray[np.int32]) -> SearchTree:
        n_nodes, n_expanded = len(links), self._n_expanded
        current, parents = n_expanded - 1, links[:, kernel.PARENT]
        children = _children(parents, current)
        is_running = self._status is Status.RUNNING
        end = current if is_running else int(self._counts[kernel.BEST_NODE])
        path = nodes_back(parents, end)[::-1]
        front = list(range(n_expanded, min(n_expanded + MAX_NEXT, n_nodes)))
        is_whole = n_nodes <= MAX_NODES
        nodes = np.arange(n_nodes)
        if not is_whole:
            required = [*path, current, *children, *front]
            nodes = np.union1d(nodes[: MAX_NODES - len(required)], required)
        place = {node: index for index, node in enumerate(nodes.tolist())}
        depths = links[nodes, kernel.DEPTH]
        return SearchTree(
            self._caption(links),
            self._boards[nodes],
            np.array([place.get(parent, -1) for parent in parents[nodes].tolist()], np.int32),
            links[nodes, kernel.MOVE].astype(np.int8),
            depths,
            np.full(len(nodes), np.nan),
            depths.astype(np.float64),
            np.where(nodes < n_expanded, Fate.EXPANDED, Fate.OPEN).astype(np.uint8),
            np.zeros(len(nodes), np.uint8),
            np.array([place[node] for node in path], np.int32),
            current=place.get(current, -1),
            children=np.array([place[node] for node in children], np.int32),
            front=np.array([place[node] for node in front], np.int32),
            threshold=np.inf,
            n_expanded=n_expanded,
            n_generated=int(self._counts[kernel.GENERATED]),
            is_whole=is_whole,
            lines=self._lines(links),
        )

    def _queue(self) -> Frontier:
        n_nodes, n_expanded = self._n_nodes, self._n_expanded
        shown = slice(n_expanded, min(n_expanded + MAX_ENTRIES, n_nodes))
        return Frontier.of(
            tr("Queue"),
            ("g",),
            self._boards[shown].copy(),
            self._links[shown, kernel.DEPTH],
            n_entries=n_nodes - n_expanded,
            closed=self._boards[max(n_expanded - MAX_CLOSED, 0) : n_expanded][::-1].copy(),
            n_closed=n_expanded,
            tie_rule=tr(OLDEST_FIRST),
        )

    def _by_depth(self, links: NDArray[np.int32]) -> ByDepth:
        column = links[:, kernel.DEPTH]
        n_depths = int(column[-1]) + 1
        # The depths ascend, so that a binary search finds the beginning of each depth.
        ends = np.array([bisect_left(column, depth) for depth in range(1, n_depths)] + [len(links)])
        begins = np.append(0, ends[:-1])
        expanded = np.clip(self._n_expanded - begins, 0, ends - begins)
        side = SideByDepth(np.diag(expanded), np.diag(ends - begins - expanded))
        f = np.arange(n_depths, dtype=np.float64)
        return ByDepth(self._caption(links), f, (side,), None)

    def _caption(self, links: NDArray[np.int32]) -> str:
        """Describe the last expansion, and the number of open boards."""
        n_expanded = self._n_expanded
        if not n_expanded:
            return ""
        if n_expanded == len(links):
            return tr("All {n_expanded} boards are expanded.", n_expanded=figures(n_expanded, ","))
        depth = counted(int(links[n_expanded - 1, kernel.DEPTH]), "slide")
        n_new = counted(len(_children(links[:, kernel.PARENT], n_expanded - 1)), tr("new board"))
        return tr(
            "Board {number}, {depth} from the start, is expanded: {n_new}. {n_left} still wait.",
            number=figures(n_expanded, ","),
            depth=depth,
            n_new=n_new,
            n_left=figures(len(links) - n_expanded, ","),
        )

    def _lines(self, links: NDArray[np.int32]) -> tuple[CodeLine, ...]:
        """Return the lines of the pseudocode that the last step ran."""
        if self._status is Status.EXHAUSTED:
            return (CodeLine("while", tr("OPEN is empty")),)
        node = self._n_expanded - 1
        if node < 0:
            return (CodeLine("start", f"v = {number(self._top[0])}"),)
        new = _children(links[:, kernel.PARENT], node)
        n_moves = int((self._target[links[node, kernel.BLANK]] >= 0).sum())
        n_generated = n_moves - (node > 0)  # the start has no move straight back
        lines = [
            CodeLine("while"),
            CodeLine("select", counted(int(links[node, kernel.DEPTH]), "slide")),
            CodeLine("each", counted(n_generated, "board")),
        ]
        if new:
            lines.append(CodeLine("new", counted(len(new), "new board")))
        if int(self._counts[kernel.BEST_NODE]) in new:
            lines.append(CodeLine("best", f"v = {number(self._top[0])}"))
        if n_generated > len(new):
            lines.append(CodeLine("known", counted(n_generated - len(new), "board")))
        return tuple(lines)

    def _note_best(self) -> None:
        if self._top[0] > self._best_value:
            node = int(self._counts[kernel.BEST_NODE])
            moves = moves_back(self._links[:, kernel.PARENT], self._links[:, kernel.MOVE], node)
            path = letters_of(reversed(moves))
            self._offer(self._boards[node], float(self._top[0]), path, True)

    def _grow(self) -> bool:
        """Double the size of the arrays; returns False if that exceeds the memory limit."""
        # While an array is copied, the old one still exists.
        if 3 * self._n_bytes > max_bytes(self._params):
            return False
        self._resize(2 * len(self._boards))
        return True

    def _resize(self, room: int) -> None:
        n_nodes = self._n_nodes
        self._boards = _resized(self._boards[:n_nodes], room)
        self._codes = _resized(self._codes[:n_nodes], room)
        self._links = _resized(self._links[:n_nodes], room)
        self._slots = np.empty(4 * room, np.int32)
        kernel.fill_slots(n_nodes, self._boards, self._codes, self._slots)

    @property
    def _n_bytes(self) -> int:
        parts = (self._boards, self._codes, self._links, self._slots)
        return sum(part.nbytes for part in parts)

    def _row(self) -> tuple[float, ...]:
        counts = self._counts
        last = max(int(counts[kernel.EXPANDED]) - 1, 0)
        return (
            float(self._top[0]),
            float(counts[kernel.EXPANDED]),
            float(counts[kernel.GENERATED]),
            float(counts[kernel.N_NODES]),
            float(self._links[last, kernel.DEPTH]),
            self._n_bytes / 2**20,
        )

    @property
    def n_evaluated(self) -> int:
        return int(self._counts[kernel.GENERATED])

    @property
    def state_bytes(self) -> int:
        n_nodes = self._n_nodes
        return n_nodes * (self._boards.strides[0] + self._links.strides[0])

    def arrays(self) -> Arrays:
        n_nodes = self._n_nodes
        return {
            "boards": self._boards[:n_nodes].copy(),
            "links": self._links[:n_nodes].copy(),
            "scalars": self._counts.copy(),
            "top": self._top.copy(),
        }

    def set_state(self, snapshot: Snapshot) -> None:
        boards = snapshot.array("boards", np.uint8, None, len(self._puzzle.start))
        n_nodes = len(boards)
        links = snapshot.array("links", np.int32, n_nodes, kernel.N_LINKS)
        counts = snapshot.array("scalars", np.int64, len(self._counts))
        top = snapshot.array("top", np.float64, 1)
        most = self._params.expansions_per_update - 1
        require_range("steps", np.array([self._steps_done]), 0, most)
        self._require_links(boards, links)
        require_range("counts", counts, 0, 2**62)
        nodes = counts[[kernel.EXPANDED, kernel.BEST_NODE]] <= (n_nodes, n_nodes - 1)
        if counts[kernel.N_NODES] != n_nodes or not nodes.all():
            raise SnapshotError("the snapshot's counts do not fit its boards")
        room = _FIRST_ROOM
        while room < n_nodes + 4:
            room *= 2
        if room > len(self._boards):
            self._resize(room)
        self._counts, self._top = counts.copy(), top.copy()
        self._boards[:n_nodes], self._links[:n_nodes] = boards, links
        self._index()

    def _require_links(self, boards: NDArray[np.uint8], links: NDArray[np.int32]) -> None:
        """Raise SnapshotError unless the slides to all boards lead back to the start."""
        parents, depths = links[:, kernel.PARENT], links[:, kernel.DEPTH]
        moves, blanks = links[:, kernel.MOVE], links[:, kernel.BLANK]
        require_tree(boards, parents, moves, blanks, self._puzzle.start, self._target)
        require_range("moves", moves[:1], -1, -1)
        if not (parents < np.arange(len(boards))).all():
            raise SnapshotError("the snapshot's boards come before their parents")
        if depths[0] or not (depths[1:] == depths[parents[1:]] + 1).all():
            raise SnapshotError("the snapshot's boards do not lead back to the start")


def _resized(part: NDArray[D], room: int) -> NDArray[D]:
    """Return a copy of an array with free rows at its end."""
    more = np.empty((room - len(part), *part.shape[1:]), part.dtype)
    return np.concatenate([part, more])
