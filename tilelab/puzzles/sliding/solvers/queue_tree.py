"""Views of a best-first search: its tree, and its boards by depth.

Both are made from the boards in memory, so that a run that is not watched collects nothing.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.core.solver import Status
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import boards_expanded, counted, number
from tilelab.core.views import MAX_NODES, ByDepth, CodeLine, Fate, SearchTree, SideByDepth
from tilelab.puzzles.sliding.kernels import best_first as kernel
from tilelab.puzzles.sliding.kernels import depth_counts
from tilelab.puzzles.sliding.solvers.board_store import BoardStore
from tilelab.slides.moves import nodes_back

_MAX_PATH = MAX_NODES // 2
"""Maximum number of boards of a path in a partial tree; only the last ones are shown."""
_Node = tuple[int, int]  # a side and a node of it
_MAX_CHILDREN = 4
_MAX_ENTRIES = 1000
"""Maximum number of queue entries to examine; a board with a shorter path has several."""
MAX_ROWS, MAX_COLUMNS = 200, 60
_MAX_VALUES = 480  # maximum number of different f, before those without boards are left out
_FAR = 2**62
_SIDES = (marked("From the start: "), marked("From the goal: "))
SIDE_NAMES = (marked("from the start"), marked("from the goal"))


class _Rows(NamedTuple):
    boards: NDArray[np.uint8]
    parents: NDArray[np.int32]
    moves: NDArray[np.int8]
    g: NDArray[np.int32]
    h: NDArray[np.float64]
    f: NDArray[np.float64]
    fates: NDArray[np.uint8]
    sides: NDArray[np.uint8]


class Expansion(NamedTuple):
    """An expanded board, and the state of its side before."""

    node: int
    first_node: int  # index of the first new board
    first_entry: int  # index of the first new entry in the queue


class Child(NamedTuple):
    """A board that an expansion has generated."""

    move: int
    node: int  # node of the board; -1 if it was visited before by a path that is no worse


def final_goal(store: BoardStore) -> int:
    """Return the node of the goal with which the search has ended, or -1 before, or without one.

    Its link says that it is not closed, for it is not expanded.
    """
    goal, meeting = (int(store.scalars[at]) for at in (kernel.GOAL_NODE, kernel.MEETING))
    return goal if goal >= 0 > meeting and not store.links[goal, kernel.CLOSED] else -1


def next_nodes(store: BoardStore, most: int) -> list[int]:
    """Return at most ``most`` nodes in the order of expansion, children left out."""
    is_heap = store.rule.numbers[2] == kernel.HEAP
    lowest = int(store.scalars[kernel.LOWEST])
    return waiting_nodes(store, _from_heap(store) if is_heap else from_buckets(store, lowest), most)


def waiting_nodes(store: BoardStore, entries: Iterable[int], most: int) -> list[int]:
    """Return at most ``most`` nodes of the queue's entries, without those that will be dropped."""
    nodes: list[int] = []
    for entry in itertools.islice(entries, _MAX_ENTRIES):
        if len(nodes) == most:
            break
        node, way = store.entries[entry, :2].tolist()
        link = store.links[node]
        is_waiting = not link[kernel.CLOSED] and link[kernel.LENGTH] == way
        if is_waiting and not store.is_too_long(way, link[kernel.ESTIMATE]):
            nodes.append(node)
    return nodes


def from_buckets(store: BoardStore, first: int, last: int | None = None) -> Iterator[int]:
    """Yield the entries of a range of buckets, ``last`` excluded, in the order of expansion."""
    begins = store.buckets[first:last, 0]
    for entry in begins[begins >= 0].tolist():
        following = entry
        while following >= 0:
            yield following
            following = int(store.entries[following, 2])


def _from_heap(store: BoardStore) -> Iterator[int]:
    """Yield the entries of the heap in the order of ``sink``, without changing the heap."""
    moved: dict[int, tuple[int, float]] = {}
    """Entries that would have moved, with their f, by their places in the heap."""
    heap = store.heap
    assert heap is not None

    def at(place: int) -> tuple[int, float]:
        return (
            moved[place] if place in moved else (int(store.entries[place, 2]), float(heap[place]))
        )

    for last in range(int(store.scalars[kernel.FRONTIER]) - 1, -1, -1):
        yield at(0)[0]
        entry, f = at(last)
        place = 0
        while 2 * place + 1 < last:
            left = 2 * place + 1
            # The left one of two equal entries.
            below = min(range(left, min(left + 2, last)), key=lambda child: at(child)[1])
            if f <= at(below)[1]:
                break
            moved[place], place = at(below), below
        moved[place] = entry, f


def run_watched(
    store: BoardStore,
    until_expanded: int,
    until_generated: int,
    other: BoardStore | None,
    n_noted: int,
) -> tuple[int, list[Expansion | None]]:
    """Search like ``store.run``; returns its code and the last expansions, at least ``n_noted``.

    The last expansions are made one by one, so that the next board is known before each. None if
    too many entries of the queue had to be examined.
    """
    until = until_expanded - n_noted, until_generated - n_noted * _MAX_CHILDREN
    code = store.run(*until, other)
    counts, noted = store.scalars, list[Expansion | None]()
    while (
        code == kernel.RUNNING
        and counts[kernel.EXPANDED] < until_expanded
        and counts[kernel.GENERATED] < until_generated
    ):
        before = int(counts[kernel.EXPANDED])
        first_node, first_entry = int(counts[kernel.N_NODES]), int(counts[kernel.N_ENTRIES])
        following = next_nodes(store, 1)
        code = store.run(before + 1, until_generated, other)
        if counts[kernel.EXPANDED] > before:
            found = Expansion(following[0], first_node, first_entry) if following else None
            noted.append(found)
    return code, noted


def joining_expansion(store: BoardStore) -> Expansion:
    """Return the expansion in which the sides have joined, by the entries that it has pushed."""
    node = int(store.links[store.scalars[kernel.GOAL_NODE], kernel.PARENT])
    length = store.links[node, kernel.LENGTH] + 1
    entries = store.entries[: store.scalars[kernel.N_ENTRIES], :2]
    first = len(entries)
    while store.links[entries[first - 1, 0], kernel.PARENT] == node and (
        entries[first - 1, 1] == length
    ):
        first -= 1
    n_new = sum(pushed not in entries[:first, 0] for pushed in entries[first:, 0])
    return Expansion(node, int(store.scalars[kernel.N_NODES]) - n_new, first)


def children_of(store: BoardStore, last: Expansion) -> list[Child]:
    """Return the boards that the last expansion generated, in that order."""
    link, back = store.links[last.node], -1
    if link[kernel.PARENT] >= 0:
        back = int(link[kernel.MOVE]) ^ 1
    pushed = store.entries[last.first_entry : int(store.scalars[kernel.N_ENTRIES]), 0].tolist()
    by_move = {int(store.links[node, kernel.MOVE]): node for node in pushed}
    children: list[Child] = []
    for move in store.rule.numbers[5:].tolist():
        if store.target[link[kernel.BLANK], move] < 0 or move == back:
            continue
        if not by_move and store.scalars[kernel.MEETING] >= 0:
            break  # The sides joined in the previous child.
        children.append(Child(move, by_move.pop(move, -1)))
    return children


def _with_first(
    parents: NDArray[np.int32], required: Sequence[int], n_first: int
) -> NDArray[np.int64]:
    """Return nodes, ascending, and the first ones of their side that have a parent among them.

    A node that was reached again by a shorter path may have a later parent.
    """
    nodes = np.union1d(np.arange(n_first), np.array(required, np.int64))
    is_required, is_kept = np.isin(nodes, required), np.zeros(len(nodes), np.bool_)
    while not is_kept.all():
        above = parents[nodes]
        is_kept = is_required | (above < 0) | np.isin(above, nodes)
        nodes, is_required = nodes[is_kept], is_required[is_kept]
    return nodes


def describe_expansion(last: Expansion, children: list[Child], n_pruned: int) -> str:
    """Describe the result of an expansion: ``3 new boards, 1 visited before``."""
    n_new = sum(child.node >= last.first_node for child in children)
    n_again = sum(child.node < 0 for child in children) - n_pruned
    n_shorter = len(children) - n_new - n_again - n_pruned
    words = [
        tr("{n_new} new board", n_new=n_new)
        if n_new == 1
        else tr("{n_new} new boards", n_new=n_new)
    ]
    if n_shorter:
        words.append(tr("{n_shorter} by a shorter path", n_shorter=n_shorter))
    if n_again:
        words.append(tr("{n_again} visited before", n_again=n_again))
    if n_pruned:
        words.append(tr("{n_pruned} pruned", n_pruned=n_pruned))
    return ", ".join(words)


@dataclass(frozen=True, eq=False)
class Proof:
    """What a search that ends with a proof adds to its last step: pruning, a path, and lines."""

    has_expanded: bool  # whether the last step has expanded a board
    before: int  # length of the best path before that
    node: int  # node of the expanding side that is on the best path; -1 before there is one
    other: BoardStore  # boards that end a path of the expanding side
    # Write the priority of a board, by its side, cells, g and h.
    priority: Callable[[int, NDArray[np.uint8], float, float], str]
    head: Sequence[CodeLine]  # lines before a board is selected
    tail: Sequence[CodeLine]  # lines after the expansion


@dataclass(frozen=True, eq=False)
class QueueSearch:
    """State of a best-first search from one end or both."""

    stores: Sequence[BoardStore]
    side: int  # side of the current turn, or of the last one
    expanding: int  # side of the last expansion
    last: Expansion | None  # last expansion; None if the search was not watched
    following: Sequence[int]  # nodes of that side to be expanded next
    status: Status
    scale: int  # number of units of the estimate in one move
    proof: Proof | None = None

    def tree(self) -> SearchTree:
        """Return the view; boards from the start come before those from the goal."""
        rows = [self._rows(side) for side in range(len(self.stores))]
        current, children, n_nodes = -1, [], sum(map(len, self._nodes))
        if self.last:
            current = self._place((self.expanding, self.last.node))
            again = [at for at, child in enumerate(self._children) if child.node < 0]
            rows.append(self._visited(self.last.node, current, again))
            behind = iter(range(n_nodes, n_nodes + len(again)))
            children = [
                next(behind) if child.node < 0 else self._place((self.expanding, child.node))
                for child in self._children
            ]
        whole = _Rows(*(np.concatenate(columns) for columns in zip(*rows, strict=True)))
        path = self._path if self._is_whole else self._path[-_MAX_PATH:]
        return SearchTree(
            self._caption(whole, current),
            *whole,
            path=np.array([self._place(node) for node in path], np.int32),
            current=current,
            children=np.array(children, np.int32),
            front=np.array([self._place(node) for node in self._front], np.int32),
            threshold=float("inf"),
            n_expanded=self._total(kernel.EXPANDED),
            n_generated=self._total(kernel.GENERATED),
            is_whole=self._is_whole,
            lines=self._lines(whole, current, children),
        )

    def _total(self, scalar: int) -> int:
        return sum(int(store.scalars[scalar]) for store in self.stores)

    @cached_property
    def _is_whole(self) -> bool:
        return self._total(kernel.N_NODES) <= MAX_NODES

    @cached_property
    def _front(self) -> list[_Node]:
        return [(self.side, node) for node in self.following]

    @cached_property
    def _children(self) -> list[Child]:
        return children_of(self.stores[self.expanding], self.last) if self.last else []

    @cached_property
    def _path(self) -> list[_Node]:
        """Return the solution, or the path to the board that was expanded last."""
        if self.status is not Status.SOLVED:
            return self._path_to(self.expanding, self.last.node) if self.last else []
        store = self.stores[self.side]
        near = self._path_to(self.side, int(store.scalars[kernel.GOAL_NODE]))
        # The common board of both sides counts once.
        far = self._path_to(1 - self.side, int(store.scalars[kernel.MEETING]))[:-1]
        return near + far[::-1] if self.side == 0 else [*far, *near[::-1]]

    def _path_to(self, side: int, node: int) -> list[_Node]:
        """Return the path from a side's root; none to node -1."""
        parents = self.stores[side % len(self.stores)].links[:, kernel.PARENT]
        return [(side, one) for one in reversed(nodes_back(parents, node))]

    @cached_property
    def _nodes(self) -> list[NDArray[np.int64]]:
        """Return the nodes to show of each side, ascending.

        Of too many, the first ones are shown too: the path alone would look like a small search.
        """
        totals = [int(store.scalars[kernel.N_NODES]) for store in self.stores]
        if self._is_whole:
            return [np.arange(total) for total in totals]
        shown = {*self._path[-_MAX_PATH:], *self._front}
        shown |= {(self.expanding, child.node) for child in self._children if child.node >= 0}
        room = MAX_NODES - len(shown)
        return [
            _with_first(
                store.links[:, kernel.PARENT],
                sorted(node for side, node in shown if side == one),
                room * totals[one] // sum(totals),
            )
            for one, store in enumerate(self.stores)
        ]

    def _place(self, at: _Node) -> int:
        side, node = at
        offset = len(self._nodes[0]) if side else 0
        return offset + int(np.searchsorted(self._nodes[side], node))

    def _rows(self, side: int) -> _Rows:
        """Return the rows of the boards to show of a side."""
        store, nodes = self.stores[side], self._nodes[side]
        links = store.links[nodes]
        found = np.searchsorted(nodes, links[:, kernel.PARENT])
        is_shown = np.isin(links[:, kernel.PARENT], nodes)
        offset = len(self._nodes[0]) if side else 0
        is_root = links[:, kernel.PARENT] < 0
        fates = np.where(links[:, kernel.CLOSED], Fate.EXPANDED, Fate.OPEN).astype(np.uint8)
        fates[nodes == final_goal(store)] = Fate.GOAL
        return _Rows(
            store.boards[nodes],
            np.where(is_shown, found + offset, -1).astype(np.int32),
            np.where(is_root, -1, links[:, kernel.MOVE]).astype(np.int8),
            links[:, kernel.LENGTH],
            *self._costs(links[:, kernel.LENGTH], links[:, kernel.ESTIMATE]),
            fates,
            np.full(len(nodes), side, np.uint8),
        )

    @cached_property
    def _has_new_path(self) -> bool:
        """Whether the last expansion has found the best path."""
        return self.proof is not None and any(
            0 <= child.node == self.proof.node for child in self._children
        )

    @property
    def _limits(self) -> list[int]:
        """Return the length from which on each child of the last expansion was pruned."""
        store = self.stores[self.expanding]
        if self.proof is None or not self._has_new_path:
            return [store.longest] * len(self._children)
        limits, limit, other = [], self.proof.before, self.proof.other
        for child in self._children:
            limits.append(limit)
            if child.node >= 0:
                known = other.boards[: other.scalars[kernel.N_NODES]]
                (met,) = np.nonzero((known == store.board(child.node)).all(axis=1))
                paths = store.links[child.node, kernel.LENGTH] + other.links[met, kernel.LENGTH]
                limit = min([limit, *paths.tolist()])
        return limits

    def _visited(self, parent: int, place: int, again: list[int]) -> _Rows:
        """Return the rows of children that the last expansion generated again, or pruned."""
        store, n_boards = self.stores[self.expanding], len(again)
        moves = [self._children[child].move for child in again]
        limits = np.array(self._limits, np.int64)[again]
        boards = np.repeat(store.boards[parent][np.newaxis], n_boards, axis=0)
        blank, rows = int(store.links[parent, kernel.BLANK]), np.arange(n_boards)
        cells = store.target[blank, moves]
        boards[rows, blank], boards[rows, cells] = boards[rows, cells], 0
        g = np.full(n_boards, store.links[parent, kernel.LENGTH] + 1, np.int32)
        asks = store.rule.numbers[1] != 0 and n_boards > 0
        estimates = store.evaluation.of_all(boards) if asks else np.zeros(n_boards, np.int64)
        return _Rows(
            boards,
            np.full(n_boards, place, np.int32),
            np.array(moves, np.int8),
            g,
            *self._costs(g, estimates),
            np.where(store.is_too_long(g, estimates, limits), Fate.PRUNED, Fate.VISITED).astype(
                np.uint8
            ),
            np.full(n_boards, self.expanding, np.uint8),
        )

    def _costs(
        self, ways: NDArray[np.int32], estimates: NDArray[np.int32] | NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return h and f in moves."""
        rule = self.stores[0].rule
        g_weight, h_weight = rule.numbers[:2].tolist()
        h = estimates / self.scale if h_weight else np.full(len(ways), np.nan)
        priorities = g_weight * ways.astype(np.float64) + h_weight * estimates.astype(np.float64)
        return h, priorities / rule.units_of_a_move(self.scale)

    def _lines(self, whole: _Rows, current: int, children: list[int]) -> tuple[CodeLine, ...]:
        """Return the lines of the pseudocode that the last step ran."""
        if self.proof is not None:
            return self._lines_of_proof(self.proof, whole, current, children)
        head = CodeLine("while")
        has_met = self.stores[self.side].scalars[kernel.MEETING] >= 0
        if self.status is Status.EXHAUSTED:
            return (CodeLine("while", tr("OPEN is empty")),)
        if self.status is Status.SOLVED and not has_met:
            goal = self._place(self._path[-1])
            found = CodeLine("goal", counted(len(self._path) - 1, "move"))
            return head, CodeLine("select", self._sum(whole, goal)), found
        if self.last is None:
            is_new = not self._total(kernel.EXPANDED)
            return (CodeLine("start", self._sum(whole, 0)),) if is_new else ()
        lines = [head, *self._lines_of_expansion(whole, current, children)]
        if has_met:
            at = next((at for at, line in enumerate(lines) if line.name == "better"), len(lines))
            lines.insert(at, CodeLine("meet", counted(len(self._path) - 1, "move")))
        elif self.side != self.expanding:
            lines.append(CodeLine("turn", tr(SIDE_NAMES[self.side])))
        return tuple(lines)

    def _lines_of_proof(
        self, proof: Proof, whole: _Rows, current: int, children: list[int]
    ) -> tuple[CodeLine, ...]:
        """Return the lines of a search that continues after its first path."""
        if self.status is Status.RUNNING and not self._total(kernel.EXPANDED):
            return (CodeLine("start", self._sum(whole, 0)),)
        if self.last is None or not proof.has_expanded:
            is_over = self.status in (Status.SOLVED, Status.EXHAUSTED)
            return (*proof.head[:1], *proof.tail) if is_over else ()
        lines = [*proof.head, *self._lines_of_expansion(whole, current, children)]
        if self._has_new_path:
            lines.append(CodeLine("path", f"U = {self.stores[self.expanding].longest}"))
        return (*lines, *proof.tail)

    def _lines_of_expansion(
        self, whole: _Rows, current: int, children: list[int]
    ) -> list[CodeLine]:
        """Return the lines that select the board expanded last, and that look at its children."""
        assert self.last is not None
        values: dict[str, list[str]] = {"prune": [], "new": [], "better": []}
        n_known = 0
        for child, place, limit in zip(self._children, children, self._limits, strict=True):
            if whole.fates[place] == Fate.PRUNED:
                g, h = number(whole.g[place]), number(whole.h[place])
                values["prune"].append(f"{g} + {h} ≥ {limit}")
            elif child.node < 0:
                n_known += 1
            else:
                name = "new" if child.node >= self.last.first_node else "better"
                values[name].append(self._sum(whole, place))
        side = "" if len(self.stores) == 1 else f"{tr(SIDE_NAMES[self.expanding])}: "
        lines = [
            CodeLine("select", side + self._sum(whole, current)),
            CodeLine("close"),
            CodeLine("each", counted(len(children), "board")),
        ]
        lines += [CodeLine(name, "; ".join(found)) for name, found in values.items() if found]
        return lines + [CodeLine("known", counted(n_known, "board"))] * (n_known > 0)

    def _sum(self, whole: _Rows, place: int) -> str:
        """Write the priority of a board as a sum: ``f = 3 + 35 = 38``."""
        if self.proof is not None:
            columns = whole.sides, whole.boards, whole.g, whole.h
            return self.proof.priority(*(column[place] for column in columns))
        g, h, f = (number(column[place]) for column in (whole.g, whole.h, whole.f))
        g_weight, h_weight = self.stores[0].rule.numbers[:2].tolist()
        if not g_weight or not h_weight:
            return f"f = {f}"
        weight = h_weight * self.scale / g_weight
        return f"f = {g} + {h} = {f}" if weight == 1 else f"f = {g} + {number(weight)} · {h} = {f}"

    def _caption(self, whole: _Rows, current: int) -> str:
        sentences = []
        if self.last:
            side = ("", tr(" from the goal"))[self.expanding]
            h = "" if np.isnan(whole.h[current]) else f", h {number(whole.h[current])}"
            sentences.append(
                tr(
                    "Expanded a board{side} with g {g}{h}, f {f}: {described}.",
                    side=side,
                    g=figures(whole.g[current], ","),
                    h=h,
                    f=number(whole.f[current]),
                    described=describe_expansion(
                        self.last, self._children, int((whole.fates == Fate.PRUNED).sum())
                    ),
                )
            )
        elif n_expanded := self._total(kernel.EXPANDED):
            sentences.append(f"{boards_expanded(n_expanded)}.")
        if self.status is Status.SOLVED:
            has_met = self.stores[self.side].scalars[kernel.MEETING] >= 0
            both = tr("A board has been visited from both sides")
            found = both if has_met else tr("The next board is the goal")
            sentences.append(
                tr(
                    "{found}: a path of {n_moves}.",
                    found=found,
                    n_moves=counted(len(self._path) - 1, "move"),
                )
            )
        elif self.status is Status.EXHAUSTED:
            sentences.append(tr("No board is left."))
        return " ".join(sentences)


class _Bounds(NamedTuple):
    """Bounds of the boards on one side, or on both."""

    deepest: int
    least: int
    largest: int
    least_open: int  # smallest f of the open boards; _FAR if there are none
    n_expanded: int
    n_open: int


def by_depth(stores: Sequence[BoardStore], scale: int, meeting: tuple[int, int] | None) -> ByDepth:
    """Return the view of a search from one end or both.

    scale: units of the estimate in one move. meeting: depths of the common board, or None.
    f is in whole moves, rounded down. Neighbouring depths share a row if there are more than
    ``MAX_ROWS``, and neighbouring f a column if there are more than ``MAX_COLUMNS``.
    """
    g_weight, h_weight = stores[0].rule.numbers[:2].tolist()
    a_move = stores[0].rule.units_of_a_move(scale)
    bounds = [_bounds(store) for store in stores]
    depth_step = 1 + max(side.deepest for side in bounds) // MAX_ROWS
    first = min(side.least for side in bounds) // a_move
    span = 1 + max(side.largest for side in bounds) // a_move - first
    f_step = -(-span // _MAX_VALUES)
    n_columns = -(-span // f_step)
    begin, width = first * a_move, f_step * a_move
    sides = []
    for store, side in zip(stores, bounds, strict=True):
        counts = np.zeros((2, 1 + side.deepest // depth_step, n_columns), np.int64)
        depth_counts.count_boards(
            _links(store), g_weight, h_weight, depth_step, begin, width, counts
        )
        sides.append(counts)
    used = np.flatnonzero(sum(side.any(axis=(0, 1)).astype(np.int64) for side in sides))
    for store, counts in zip(stores, sides, strict=True):
        if (goal := final_goal(store)) >= 0:
            link = store.links[goal]
            f = g_weight * link[kernel.LENGTH] + h_weight * link[kernel.ESTIMATE]
            counts[0, link[kernel.LENGTH] // depth_step, (f - begin) // width] -= 1
    begins = np.arange(0, len(used), -(-len(used) // MAX_COLUMNS))
    merged = [np.add.reduceat(side[:, :, used], begins, axis=2) for side in sides]
    # The node of the goal is known once the search has ended with it.
    node, depths = int(stores[0].scalars[kernel.GOAL_NODE]), stores[0].links[:, kernel.LENGTH]
    return ByDepth(
        caption=_caption(bounds, a_move, meeting, None if node < 0 else int(depths[node])),
        f=(first + f_step * used[begins]).astype(np.float64),
        sides=tuple(SideByDepth(expanded=side[1], open=side[0]) for side in merged),
        meeting=meeting,
        depth_step=depth_step,
    )


def _bounds(store: BoardStore) -> _Bounds:
    """Return the bounds of a store's boards; the goal that has ended the search is not open."""
    links, weights = _links(store), store.rule.numbers[:2].tolist()
    whole = _Bounds(*depth_counts.find_bounds(links, *weights, _FAR))
    if (goal := final_goal(store)) < 0:
        return whole
    parts = links[:goal], links[goal + 1 :]
    least = min(depth_counts.find_bounds(part, *weights, _FAR)[3] for part in parts)
    return whole._replace(least_open=least, n_open=whole.n_open - 1)


def _links(store: BoardStore) -> NDArray[np.int32]:
    return store.links[: store.scalars[kernel.N_NODES]]


def _caption(
    bounds: Sequence[_Bounds], a_move: int, meeting: tuple[int, int] | None, goal_depth: int | None
) -> str:
    if meeting is not None:
        there, back = meeting
        both = tr(
            "{from_start} from the start and {from_goal} from the goal",
            from_start=counted(there, "move"),
            from_goal=figures(back, ","),
        )
        return tr(
            "Both sides are joined, {paths}: a path of {n_moves}.",
            paths=both,
            n_moves=counted(there + back, "move"),
        )
    if len(bounds) > 1:
        return " ".join(
            f"{tr(name)}{_facts(side, a_move)}." for name, side in zip(_SIDES, bounds, strict=True)
        )
    goal = (
        ""
        if goal_depth is None
        else tr("The goal is {goal_depth} away. ", goal_depth=counted(goal_depth, "move"))
    )
    return goal + _sentence(bounds[0], a_move)


def _facts(side: _Bounds, a_move: int) -> str:
    """Return the counts of one of two sides; two whole sentences would shrink the view."""
    n_expanded, n_open = figures(side.n_expanded, ","), figures(side.n_open, ",")
    if not side.n_open:
        return tr("{n_expanded} expanded, none open", n_expanded=n_expanded)
    return tr(
        "{n_expanded} expanded, {n_open} open, smallest f {minimum}",
        n_expanded=n_expanded,
        n_open=n_open,
        minimum=number(side.least_open / a_move),
    )


def _sentence(side: _Bounds, a_move: int) -> str:
    expanded = boards_expanded(side.n_expanded)
    if not side.n_open:
        return tr("{expanded}; the open list is empty.", expanded=expanded)
    least = number(side.least_open / a_move)
    return tr(
        "{expanded}; the open list has {n_open}, the smallest f is {minimum}.",
        expanded=expanded,
        n_open=figures(side.n_open, ","),
        minimum=least,
    )
