"""The best-first searches: one queue, one loop, and for each search a rule for the priority."""

import functools
from abc import abstractmethod
from typing import ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.parameters import Choice, FieldValue, parameter
from tilelab.core.pseudocode import Pseudocode
from tilelab.core.registry import HEURISTICS, register_solver
from tilelab.core.solver import Arrays, Snapshot, Status
from tilelab.core.text.language import marked
from tilelab.core.views import (
    MAX_CLOSED,
    MAX_ENTRIES,
    MAX_NEXT,
    EntryState,
    Frontier,
    SearchTree,
    View,
    ViewKind,
)
from tilelab.puzzles.sliding.heuristics.choice import HeuristicChoice, heuristic_parameter
from tilelab.puzzles.sliding.heuristics.evaluation import Evaluation
from tilelab.puzzles.sliding.heuristics.hybrid import DIVISOR, with_divisor
from tilelab.puzzles.sliding.kernels import best_first as kernel
from tilelab.puzzles.sliding.solvers.board_store import OUT_OF_MEMORY, BoardStore, Rule
from tilelab.puzzles.sliding.solvers.open_list import NodeOrder, NotedExpansions, open_list
from tilelab.puzzles.sliding.solvers.queue_tree import (
    Expansion,
    Proof,
    QueueSearch,
    by_depth,
    final_goal,
    next_nodes,
    run_watched,
)
from tilelab.puzzles.sliding.solvers.search import SlidingSearch, sliding_spec
from tilelab.slides.moves import letters_of
from tilelab.solvers.search_params import SearchParams

ALWAYS = 2**62
ENDS = {
    OUT_OF_MEMORY: (Status.LIMIT, "memory"),
    kernel.EXHAUSTED: (Status.EXHAUSTED, ""),
    kernel.SOLVED: (Status.SOLVED, ""),
    kernel.MET: (Status.SOLVED, ""),
}
"""Status and limit of a run by the code of a store."""
TITLES = {"frontier": marked("queue entries")}
queue_spec = functools.partial(
    sliding_spec,
    step="expansion",
    views=(ViewKind.TREE, ViewKind.DEPTHS, ViewKind.FRONTIER),
    metric_titles=TITLES,
)
"""Make the spec of a search with a queue."""


def _pseudocode(f: str, source: str, *, reopens: bool = False) -> Pseudocode:
    words = {"f": f, "source": source}
    return Pseudocode("sliding/best-first.md", words, () if reopens else ("better",))


class Ties(Choice):
    """Order of boards with the same priority."""

    FIFO = "fifo"
    LIFO = "lifo"
    HEAP = "heap"

    @property
    def code(self) -> int:
        """Number of this order in the kernel."""
        codes = (kernel.FIRST_IN, kernel.LAST_IN, kernel.HEAP)
        return dict(zip(Ties, codes, strict=True))[self]


def ties_parameter(default: Ties, source: str = "") -> FieldValue:
    """Declare the parameter for the order of boards with the same priority."""
    return parameter(
        default,
        "Tie-breaking",
        help=marked(
            "Which of two boards of the same priority is expanded first; heap: the one on top "
            "of a plain binary heap (Java's PriorityQueue)."
        ),
        group=marked("Search"),
        choice_titles={
            "fifo": marked("first in, first out"),
            "lifo": marked("last in, first out"),
            "heap": marked("as a binary heap has them"),
        },
        source=source,
    )


class QueueParams(SearchParams):
    ties: Ties = ties_parameter(Ties.FIFO)


class GuidedParams(QueueParams):
    heuristic: HeuristicChoice = heuristic_parameter(
        "manhattan", "Henriques 2019; Hasan et al. 2023; Damodaran"
    )


Q = TypeVar("Q", bound=SearchParams)


class BestFirst(SlidingSearch[Q], Generic[Q]):
    """A search from one end or both that always expands the board with the smallest priority."""

    sides: ClassVar[tuple[str, ...]] = ("",)
    """Prefixes of the sides' arrays in a snapshot: one side from the start, or also one from the
    goal; a subclass then defines their turns."""
    shortest_with_admissible: ClassVar[bool] = False

    @abstractmethod
    def rule(self, scale: int) -> Rule:
        """Return the rule of the search; scale: units of the estimate in one move."""

    def prepare(self) -> None:
        spec = HEURISTICS[str(getattr(self._params, "heuristic", "zero"))]
        self._heuristic = with_divisor(spec, getattr(self._params, "divisor", DIVISOR))
        puzzle, rule = self._puzzle, self.rule(self._heuristic.scale)
        self._f_scale = rule.units_of_a_move(self._heuristic.scale)
        ends = (puzzle.start, puzzle.goal)
        self._stores = [
            BoardStore(
                here,
                there,
                Evaluation.towards(self._heuristic, there, puzzle.params.cols),
                rule,
                self._max_bytes // len(self.sides),
            )
            for here, there in (ends, ends[::-1])[: len(self.sides)]
        ]
        self._granted_bytes = len(self.sides) * min(store.granted_bytes for store in self._stores)
        self._side = 0
        self._noted = NotedExpansions()  # the last expansions, while watched
        self._is_last_unit = True  # whether no unit follows in the current call

    def _search(self, most: int) -> bool:
        (store,) = self._stores
        before = int(store.scalars[kernel.EXPANDED])
        self._count_steps(store, before, self._run(store, before + most, ALWAYS, None))
        return self._status is not Status.RUNNING or self._n_left == 0

    def do_units(self, units: int) -> NDArray[np.float64]:
        if not self._n_noted:
            return super().do_units(units)
        # Only the last expansions of both sides are shown.
        self._is_last_unit = False
        before = super().do_units(max(units - 1, 0))
        self._is_last_unit = True
        return np.concatenate([before, super().do_units(min(units, 1))])

    def _run(
        self, store: BoardStore, until_expanded: int, until_generated: int, other: BoardStore | None
    ) -> int:
        """Let a store search, and note the last expansions if a view needs them."""
        if not self._n_noted:
            return store.run(until_expanded, until_generated, other)
        code, noted = run_watched(store, until_expanded, until_generated, other, self._n_noted)
        self._noted.add(int(self._total(kernel.EXPANDED)), self._stores.index(store), noted)
        return code

    @property
    def _n_noted(self) -> int:
        """Number of the last expansions that the views need."""
        if not self._is_last_unit:
            return 0
        return MAX_CLOSED if ViewKind.FRONTIER in self._watched else ViewKind.TREE in self._watched

    def view(self, kind: ViewKind) -> View | None:
        if kind is ViewKind.FRONTIER:
            return self._frontier()
        if kind is ViewKind.DEPTHS:
            return by_depth(self._stores, self._heuristic.scale, self._meeting())
        return self._tree() if kind is ViewKind.TREE else super().view(kind)

    def rehearse(self) -> None:
        self.view(ViewKind.DEPTHS)

    def _meeting(self) -> tuple[int, int] | None:
        """Return the depths of the common board on both sides; None before it is found."""
        return None

    def _tree(self) -> SearchTree:
        side, known = self._last_expansion()
        stores, scale = self._stores, self._heuristic.scale
        following = self._next_nodes(MAX_NEXT if self._status is Status.RUNNING else 0)
        return QueueSearch(
            stores, self._next_side, side, known, following, self._status, scale, self._proof(side)
        ).tree()

    def _last_expansion(self) -> tuple[int, Expansion | None]:
        """Return the side that has expanded last, and its expansion if that is known."""
        return self._noted.last(int(self._total(kernel.EXPANDED)))

    def _frontier(self) -> Frontier:
        side = self._next_side
        goal = final_goal(self._stores[side])  # taken out of the list, but not expanded
        nodes = [node for node in self._next_nodes(MAX_ENTRIES + 1) if node != goal][:MAX_ENTRIES]
        state = EntryState.WAITING if self._status is Status.RUNNING else EntryState.LEFT
        expanded = self._noted.nodes(int(self._total(kernel.EXPANDED)))
        return open_list(self._stores, side, nodes, self._order_of(side, nodes), expanded, state)

    def _order_of(self, side: int, nodes: list[int]) -> NodeOrder:
        """Return what decides the order of nodes of a side."""
        store, scale = self._stores[side], self._heuristic.scale
        g_weight, h_weight = store.rule.numbers[:2].tolist()
        g, h = store.links[nodes][:, [kernel.LENGTH, kernel.ESTIMATE]].T.astype(np.float64)
        f = (g_weight * g + h_weight * h) / store.rule.units_of_a_move(scale)
        names = ("g", "h", "f")[: 1 + (h_weight > 0) + (g_weight > 0 and h_weight > 0)]
        values = np.stack([g, h / scale, f], axis=1)[:, : len(names)]
        return NodeOrder(names, values)

    def _proof(self, side: int) -> Proof | None:
        """Return what a search that ends with a proof shows of its last step, by ``side``."""
        return None

    def _next_nodes(self, most: int) -> list[int]:
        """Return at most ``most`` nodes of the next side in the order of expansion."""
        return next_nodes(self._stores[self._next_side], most)

    @property
    def _next_side(self) -> int:
        """Side of the current turn, or of the last one."""
        return self._side

    def _count_steps(self, store: BoardStore, before: int, code: int) -> None:
        """Count a store's expansions after the first ``before``; code: result of the store."""
        self._steps_done += int(store.scalars[kernel.EXPANDED]) - before
        if code in ENDS:
            # The sides join in the middle of an expansion; any other end is between expansions.
            self._steps_done += code != kernel.MET
            self._end(*ENDS[code])

    def _row(self) -> tuple[float, ...]:
        forth, here = self._stores[0].scalars, self._stores[self._side].scalars
        return (
            self._total(kernel.EXPANDED),
            self._total(kernel.GENERATED),
            self._total(kernel.FRONTIER),
            float(here[kernel.DEPTH]),
            self._bound,
            float(forth[kernel.BEST]) / self._heuristic.scale,
            sum(store.n_bytes for store in self._stores) / 2**20,
        )

    @property
    def _bound(self) -> float:
        """Lowest f of the board that was expanded last and of the open ones, in moves."""
        lowest = int(self._stores[self._side].scalars[kernel.LOWEST])
        return lowest / self._f_scale if lowest < kernel.FAR else 0.0

    def _total(self, scalar: int) -> float:
        return float(sum(int(store.scalars[scalar]) for store in self._stores))

    def _nearest(self) -> NDArray[np.uint8]:
        store = self._stores[0]
        return store.board(int(store.scalars[kernel.BEST_NODE]))

    def _solution(self) -> str:
        store = self._stores[0]
        return letters_of(store.moves_to(int(store.scalars[kernel.GOAL_NODE])))

    def _is_shortest(self) -> bool:
        return self.shortest_with_admissible and self._heuristic.admissible

    @property
    def state_bytes(self) -> int:
        return sum(store.state_bytes for store in self._stores)

    def arrays(self) -> Arrays:
        return {
            prefix + name: part
            for store, prefix in zip(self._stores, self.sides, strict=True)
            for name, part in store.state().items()
        }

    def set_state(self, snapshot: Snapshot) -> None:
        super().set_state(snapshot)
        for store, prefix in zip(self._stores, self.sides, strict=True):
            store.set_state(snapshot.part(prefix))


class BreadthParams(QueueParams):
    everything: bool = parameter(
        False,
        marked("Visit every board"),
        help=marked("Continue past the goal until every board that can be reached was visited."),
    )


@register_solver
class BreadthFirst(BestFirst[BreadthParams]):
    """Expands boards in the order of their depth; shortest."""

    spec = queue_spec(
        key="breadth-first",
        title=marked("Breadth first"),
        source="Henriques 2019; Damodaran",
        pseudocode=_pseudocode("g(n)", "Moore 1959, The Shortest Path Through a Maze, algorithm A"),
        params=BreadthParams,
        metric_titles={**TITLES, "nearest": ""},
        purpose=marked("Finds shortest solutions of small boards without an estimate."),
    )
    shortest_with_admissible = True

    def rule(self, scale: int) -> Rule:
        return Rule(
            1, 0, ties=self._params.ties.code, replaces=False, ends=not self._params.everything
        )


@register_solver
class UniformCost(BestFirst[QueueParams]):
    """Expands the board with the shortest path so far; shortest."""

    spec = queue_spec(
        key="uniform-cost",
        title=marked("Uniform cost"),
        source="Henriques 2019",
        pseudocode=_pseudocode("g(n)", "Dijkstra 1959; with equal costs no path is ever improved"),
        params=QueueParams,
        metric_titles={**TITLES, "nearest": ""},
        purpose=marked("Finds shortest solutions without an estimate, by cost."),
    )
    shortest_with_admissible = True

    def rule(self, scale: int) -> Rule:
        return Rule(1, 0, ties=self._params.ties.code)


@register_solver
class Greedy(BestFirst[GuidedParams]):
    """Expands the board with the smallest estimate; the path need not be shortest."""

    spec = queue_spec(
        key="greedy",
        title=marked("Greedy best first"),
        source="Henriques 2019",
        pseudocode=_pseudocode("h(n)", "Henriques 2019; no board is opened again"),
        params=GuidedParams,
        purpose=marked("Finds a solution quickly, however long."),
        peer="a-star",
    )

    def rule(self, scale: int) -> Rule:
        return Rule(0, 1, ties=self._params.ties.code, replaces=False)


@register_solver
class AStar(BestFirst[GuidedParams]):
    """Expands the board with the smallest sum of path and estimate; shortest with an admissible
    heuristic."""

    spec = queue_spec(
        key="a-star",
        title="A*",
        source="Hart, Nilsson & Raphael 1968; Henriques 2019",
        pseudocode=_pseudocode(
            "g(n) + h(n)", "Hart, Nilsson & Raphael 1968, search algorithm A*", reopens=True
        ),
        params=GuidedParams,
        purpose=marked("Finds shortest solutions with few boards, while memory lasts."),
        peer="ida-star",
    )
    shortest_with_admissible = True

    def rule(self, scale: int) -> Rule:
        return Rule(scale, 1, ties=self._params.ties.code)


class WeightedParams(GuidedParams):
    weight: float = parameter(
        1.5,
        marked("Weight"),
        low=1.0,
        high=10.0,
        help=marked("Weight of the estimate, in tenths; 1 is A*."),
        source="Pohl 1970",
    )


@register_solver
class WeightedAStar(BestFirst[WeightedParams]):
    """A* with a weighted estimate; the weight bounds the length relative to the shortest path."""

    spec = queue_spec(
        key="weighted-a-star",
        title=marked("Weighted A*"),
        source="Pohl 1970",
        pseudocode=_pseudocode(
            "g(n) + w · h(n)",
            "Pohl 1970, Heuristic Search Viewed as Path Finding in a Graph",
            reopens=True,
        ),
        params=WeightedParams,
        purpose=marked("Faster than A*; the solution is longer by at most the weight."),
        peer="a-star",
    )

    def rule(self, scale: int) -> Rule:
        return Rule(10 * scale, round(10 * self._params.weight), ties=self._params.ties.code)


class HybridParams(GuidedParams):
    """Parameters of the search; the default heuristic is the paper's."""

    heuristic: HeuristicChoice = heuristic_parameter("hybrid", "Hasan et al. 2023")
    divisor: int = parameter(
        DIVISOR,
        marked("Divisor of HH"),
        low=1,
        high=100,
        help=marked("HH divides the Manhattan distance by this; other heuristics ignore it."),
        source="Hasan et al. 2023",
    )


@register_solver
class UnidirectionalAStar(BestFirst[HybridParams]):
    """A* with the hybrid heuristic; a board is generated once and never reopened."""

    spec = queue_spec(
        key="unidirectional-a-star",
        title=marked("Unidirectional A* with HH"),
        source="Hasan et al. 2023",
        pseudocode=_pseudocode("g(n) + h(n)", "Hasan et al. 2023; no board is opened again"),
        params=HybridParams,
        purpose=marked("A* as in its paper, from the start only."),
        peer="bidirectional-a-star",
    )

    def rule(self, scale: int) -> Rule:
        return Rule(scale, 1, ties=self._params.ties.code, replaces=False)
