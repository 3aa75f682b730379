"""Branch and bound over classes of boards: the best board, and the proof that none is better.

The method is that of hybrid-boggle (Vanderkam 2025, "A Computational Proof of the Highest-Scoring
Boggle Board"). A class gives each cell a set of letters. It is closed if a bound on its boards is
not above the best known board; otherwise it is searched or split. Sets here are intervals of ranked
letters. Classes that are too large for a tree are processed at once, depth first. Of the others,
the one with the highest bound is next, so that the proven bound of all boards falls all the time.
"""

import heapq
import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError, SnapshotError
from tilelab.core.parameters import Params, parameter
from tilelab.core.pseudocode import Pseudocode
from tilelab.core.puzzle import Cells as Board
from tilelab.core.randomness import generator
from tilelab.core.registry import register_solver
from tilelab.core.snapshot_ranges import require_range
from tilelab.core.solver import Arrays, Progress, Scalars, Snapshot, SolverSpec, Status
from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import counted, number
from tilelab.core.views import CodeLine, Step, ViewKind
from tilelab.puzzles.boggle.paths import neighbours
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.puzzles.boggle.scorer import SMALL_BOARD_CELLS
from tilelab.puzzles.boggle.solvers.class_bounds import (
    MAX_SPLITS,
    BoardClass,
    ClassBounds,
    LetterRanks,
    OpenClass,
    Seen,
    fixing_order,
    is_left_out,
    split_class,
    symmetries,
    whole_class,
)
from tilelab.solvers.base import SolverBase

_CLIMBED = 64  # number of boards that a unit of climbing scores
_SLICE_SECONDS = 0.03
_PATIENCE = 24  # number of climbing units without improvement before a restart from a random board
_AHEAD = 32  # maximum number of classes per thread that are examined while the first one is


class ExactParams(Params):
    """Parameters for the length of the initial search for a good board, and for the memory."""

    climbs: int = parameter(
        1_000,
        marked("Climbing"),
        low=0,
        high=10_000,
        unit="units",
        help=marked(
            "How many units first climb to good boards, 64 boards each. The better the board, "
            "the fewer classes have to be searched."
        ),
        rare=True,
    )
    most_open: int = parameter(
        50_000,
        marked("Open classes"),
        low=1,
        high=1_000_000,
        help=marked(
            "How many classes with a bound of their own are kept open. After that, the class "
            "with the highest bound is finished before the next one."
        ),
        rare=True,
    )
    threads: int = parameter(
        1,
        marked("Threads"),
        low=1,
        high=64,
        help=marked(
            "How many cores search classes at the same time. The result is the same, only "
            "faster. Each uses up to 200 MB of memory."
        ),
    )


class LookAhead:
    """Threads that examine open classes of boards ahead of the next one.

    The result depends only on the class and on the best known board, not on time or other threads.
    So the run is bit for bit the same for any number of threads.
    """

    def __init__(self, make: Callable[[], ClassBounds]) -> None:
        self._make = make
        self._lanes: list[ClassBounds] = []
        """Arrays of each thread: some hundred megabytes, used only as far as needed."""
        self._seen: dict[int, Seen] = {}  # results by the serial numbers of classes
        self._least = float("-inf")  # value of the best board for which these results hold

    def look_on(
        self,
        waiting: Iterable[OpenClass],
        least: float,
        slack: float,
        n_threads: int,
        end: float | None,
    ) -> Seen | None:
        """Examine the first of the waiting classes, and meanwhile others.

        least: value of the best known board. end: time by ``perf_counter`` to return at, with None
        if the first class is not done; None: return only with the result of the first class.
        """
        while len(self._lanes) < n_threads:
            self._lanes.append(self._make())
        if least != self._least:
            self._seen, self._least = {}, least
            for lane in self._lanes:
                lane.growing = None
        queue = list(islice(waiting, _AHEAD * n_threads))
        first = queue[0].serial
        if first not in self._seen:
            self._share(queue, slack, n_threads, end)
        return self._seen.pop(first, None)

    def _share(
        self, queue: list[OpenClass], slack: float, n_threads: int, end: float | None
    ) -> None:
        """Let each thread continue with its class, or else take the next free one."""
        lanes, first = self._lanes[:n_threads], queue[0].serial
        begun = {lane.growing.serial for lane in lanes if lane.growing is not None}
        free = deque(
            one for one in queue if one.serial not in begun and one.serial not in self._seen
        )

        def work_off(lane: ClassBounds) -> None:
            while first not in self._seen:
                one = lane.growing
                if one is None:
                    try:
                        one = free.popleft()
                    except IndexError:
                        return
                seen = None
                while seen is None:
                    seen = lane.look_on(one, self._least, slack)
                    is_late = end is not None and time.perf_counter() >= end
                    if seen is None and (is_late or first in self._seen):
                        return
                self._seen[one.serial] = seen
                if is_late:
                    return

        if n_threads == 1:
            work_off(lanes[0])
            return
        # The threads end with the slice, so that a paused run has none.
        with ThreadPoolExecutor(n_threads - 1, "classes") as threads:
            others = [threads.submit(work_off, lane) for lane in lanes[1:]]
            work_off(lanes[0])
            for other in others:
                other.result()


def in_order(heap: list[OpenClass]) -> Iterator[OpenClass]:
    """Yield the items of a heap in ascending order, without changing it."""
    near = [(heap[0], 0)] if heap else []
    while near:
        one, at = heapq.heappop(near)
        yield one
        for kid in (2 * at + 1, 2 * at + 2):
            if kid < len(heap):
                heapq.heappush(near, (heap[kid], kid))


@register_solver
class Exact(SolverBase[BogglePuzzle, ExactParams]):
    """A solver whose unit climbs a little or examines one class of boards."""

    spec = SolverSpec(
        key="exact",
        title=marked("Exact (branch and bound)"),
        source="Vanderkam 2025",
        puzzles=("boggle",),
        params=ExactParams,
        unit="class",
        metrics=("best_ever", "bound", "open", "closed", "ruled_out"),
        version=2,
        uses_seed=False,
        bounds_value=True,
        views=(ViewKind.STEP,),
        pseudocode=Pseudocode("boggle/exact.md"),
        purpose=marked("Finds the best of all boards with a proof; for small boards."),
        peer="annealing",
    )

    def prepare(self) -> None:
        puzzle = self._puzzle
        require_offered(puzzle)
        self._free = puzzle.free_cells()
        self._letters = LetterRanks(puzzle.lexicon)
        self._order = fixing_order(puzzle)
        self._whole = whole_class(puzzle, self._order, self._letters)
        self._images = symmetries(puzzle.shape, self._order, self._whole)
        # If it referred to this solver, the arrays would wait for the garbage collector.
        self._ahead = LookAhead(partial(ClassBounds, puzzle, self._order, self._letters))
        worths = puzzle.worths
        is_whole = bool((worths == np.floor(worths)).all()) and puzzle.full_value < 2**52
        self._slack = 0.0 if is_whole else 1e-12 * puzzle.full_value
        """Maximum difference of two sums of the same values, by rounding."""
        self._n_near = [len(neighbours(puzzle.rules)[cell]) + 1 for cell in self._order]
        self._heap: list[OpenClass] = []
        self._dive: list[OpenClass] = []
        """Classes to be processed before the heap, the last one first."""
        self._seen: Seen | None = None  # result of a class whose unit is not complete yet
        self._serial, self._n_closed = 0, 0
        self._n_boards = self._n_open_boards = _n_boards(self._whole)
        """Number of boards in open classes; a Python int, as it may exceed 2^64."""
        self._at = np.empty(0, np.uint8)
        self._at_value, self._n_failed = -1.0, 0
        self._n_scored = 0
        self._ran: dict[str, float] = {}
        """Lines of the pseudocode that the last unit ran, each with a number."""

    def begin(self) -> None:
        # The proof is the same for every seed, so that the run can be, too.
        self._rng = generator(0)
        self._at = self._random_board()
        if self._puzzle.start is not None:
            self._at = self._puzzle.start.copy()
        self._heap = [OpenClass(-self._puzzle.full_value, 0, 0, self._whole)]
        self._serial = 1

    @property
    def n_evaluated(self) -> int:
        """Number of boards scored plus classes examined."""
        return self._n_scored

    @property
    def bound(self) -> float:
        """Proven upper bound of the value of all boards."""
        bounds = [-one.minus_bound for one in (*self._heap[:1], *self._dive)]
        best = [] if self._best is None else [self._best.value]
        return max(bounds + best)

    def do_unit(self) -> Sequence[float]:
        self._ran = {}
        if self._best is None:
            self._at_value = self._score(self._at)
            self._offer(self._at, self._at_value)
            self._ran["start"] = self._at_value
        elif self._unit < self._params.climbs:
            self._climb()
        else:
            self._look_into()
        if self._heap and self._is_closed(-self._heap[0].minus_bound):
            # No other class has a higher bound.
            self._close(self._heap, "rest")
            self._heap = []
        while self._dive and self._is_closed(-self._dive[-1].minus_bound):
            self._close([self._dive.pop()], "rest")
        bound = self.bound
        if not self._heap and not self._dive:
            best = self._best
            assert best is not None
            self._offer(best.cells, best.value, None, True, always=True)
            self._end(Status.SOLVED)
            self._ran["done"] = best.value
        n_open, share = len(self._heap) + len(self._dive), self._n_open_boards / self._n_boards
        return self._best_value, bound, n_open, self._n_closed, 100 * (1 - share)

    def view(self, kind: ViewKind) -> Step | None:
        """Return the last unit in words."""
        if not self._ran:
            return None
        lines = tuple(CodeLine(name, _value_text(name, value)) for name, value in self._ran.items())
        return Step(self._caption(), lines=lines)

    def _caption(self) -> str:
        if "examine" not in self._ran:
            return tr("Climbing: the current board has {value}.", value=number(self._at_value))
        bound = number(self._ran["bound"])
        if "close" in self._ran:
            return tr(
                "No board of the class can have more than {bound}: it is closed.", bound=bound
            )
        return tr("Boards of the class may have up to {bound}: it is split in two.", bound=bound)

    def _close(self, classes: Sequence[OpenClass], line: str) -> None:
        """Count the boards of closed classes, which are no longer in heap or dive.

        line: line of the pseudocode that closes them.
        """
        if classes:
            self._ran[line] = self._ran.get(line, 0) + len(classes)
        self._n_closed += len(classes)
        self._n_open_boards -= sum(_n_boards(one.box) for one in classes)

    def _is_closed(self, bound: float) -> bool:
        return bound <= self._best_value + self._slack

    def _random_board(self) -> Board:
        n_letters = len(self._puzzle.lexicon.alphabet)
        rows, cols = self._puzzle.shape
        board = self._rng.integers(0, n_letters, rows * cols).astype(np.uint8)
        self._puzzle.fix(board)
        return board

    def _climb(self) -> None:
        """Move to the best of some neighbours, one letter changed or two swapped, if better."""
        rng, free = self._rng, self._free
        boards = np.repeat(self._at[np.newaxis], _CLIMBED, axis=0)
        rows = np.arange(_CLIMBED)
        cells = free[rng.integers(0, len(free), (2, _CLIMBED))]
        letters = rng.integers(0, len(self._puzzle.lexicon.alphabet), _CLIMBED).astype(np.uint8)
        swaps = rng.random(_CLIMBED) < 0.2
        one, other = boards[rows, cells[0]], boards[rows, cells[1]]
        boards[rows, cells[0]] = np.where(swaps, other, letters)
        boards[rows[swaps], cells[1][swaps]] = one[swaps]
        scores = np.empty(_CLIMBED)
        self._puzzle.scorer.score(boards, scores)
        self._n_scored += _CLIMBED
        best = int(np.argmax(scores))
        self._ran["climb"] = float(scores[best])
        self._n_failed += 1
        if scores[best] > self._at_value:
            self._at, self._at_value, self._n_failed = boards[best].copy(), float(scores[best]), 0
            self._offer(self._at, self._at_value)
        if self._n_failed >= _PATIENCE:
            self._at, self._n_failed = self._random_board(), 0
            self._at_value = self._score(self._at)
            self._ran["restart"] = self._at_value

    def _score(self, board: Board) -> float:
        self._n_scored += 1
        return self._puzzle.score(board)

    def work(self, units: int) -> Progress:
        """Do units, but return early while the tree of a class is still growing."""
        if (
            self._best is None
            or self._unit < self._params.climbs
            or self._status is not Status.RUNNING
        ):
            return super().work(units)
        end = time.perf_counter() + _SLICE_SECONDS
        if self._seen is None:
            self._seen = self._look_on(end)
        if self._seen is None:
            return self._progress(self._begin_progress(), np.empty((0, len(self.spec.metrics))))
        return self.advance(1)

    def _look_on(self, end: float | None) -> Seen | None:
        """Examine the current class until a time; returns None if it is not done."""
        least, slack = self._best_value, self._slack
        return self._ahead.look_on(self._waiting(), least, slack, self._params.threads, end)

    def _waiting(self) -> Iterator[OpenClass]:
        """Yield the open classes in the order of examination."""
        yield from reversed(self._dive)
        yield from in_order(self._heap)

    def _look_into(self) -> None:
        """Close the current class, or split it in two."""
        seen, self._seen = self._seen or self._look_on(None), None
        assert seen is not None
        one = self._dive.pop() if self._dive else heapq.heappop(self._heap)
        self._n_scored += 1
        self._ran |= {"examine": -one.minus_bound, "bound": seen.bound}
        if seen.board is not None and self._offer_board_of(seen.board):
            self._ran["found"] = self._best_value
        if seen.is_done or self._is_closed(seen.bound):
            self._close([one], "close")
            return
        self._ran["split"] = 2
        box = one.box
        wide = np.flatnonzero(box[0] < box[1])
        cell = max(wide.tolist(), key=lambda cell: self._urgency(box, cell))
        # A class that is too large for a tree, or for whose parts there is no memory, is processed
        # at once, the last part first.
        is_dived = not seen.is_tight or len(self._heap) + 2 > self._params.most_open
        for half in split_class(box, cell, self._letters):
            low, high = half[0].tobytes(), half[1].tobytes()
            child = OpenClass(-seen.bound, self._serial, seen.splits, half)
            if is_left_out(low, high, self._letters.levels, self._images):
                self._close([child], "mirror")
                continue
            self._serial += 1
            if is_dived:
                self._dive.append(child)
            else:
                heapq.heappush(self._heap, child)

    def _urgency(self, box: BoardClass, cell: int) -> int:
        """Return the priority for cutting a cell: mass of its letters times neighbours ** 4.

        Far more paths lead through the middle than along the border; a search fixes it first, too.
        """
        return self._letters.mass(int(box[0, cell]), int(box[1, cell])) * self._n_near[cell] ** 4

    def _offer_board_of(self, ranks: NDArray[np.uint8]) -> bool:
        """Offer a board of a class; returns whether it is a new best."""
        board = np.empty(len(ranks), np.uint8)
        board[self._order] = self._letters.codes[ranks]
        self._puzzle.fix(board)
        return self._offer(board, self._score(board)) is not None

    def rehearse(self) -> None:
        """Climb, and examine a class of few boards, to compile the kernels of a run."""
        self._climb()
        low, high = self._whole
        few_boards = np.array([low, np.minimum(low + 1, high)])
        one = OpenClass(-self._puzzle.full_value, 0, 0, few_boards)
        self._ahead.look_on([one], -1.0, 0.0, 1, None)

    def scalars(self) -> Scalars:
        return {
            "serial": self._serial,
            "closed": self._n_closed,
            "n_dive": len(self._dive),
            "at_value": self._at_value,
            "n_failed": self._n_failed,
        }

    def arrays(self) -> Arrays:
        every = [*self._dive, *sorted(self._heap, key=lambda one: one.serial)]
        return {
            "classes": np.array([one.box for one in every], np.uint8).reshape(
                -1, *self._whole.shape
            ),
            "bounds": np.array([-one.minus_bound for one in every], np.float64),
            "serials": np.array([one.serial for one in every], np.int64),
            "splits": np.array([one.splits for one in every], np.int64),
            "at": self._at.copy(),
        }

    def set_state(self, snapshot: Snapshot) -> None:
        classes = snapshot.array("classes", np.uint8, None, *self._whole.shape)
        bounds = snapshot.array("bounds", np.float64, len(classes))
        serials = snapshot.array("serials", np.int64, len(classes))
        splits = snapshot.array("splits", np.int64, len(classes))
        require_range("splits", splits, 0, MAX_SPLITS)
        self._require_classes(classes, bounds)
        n_dive = snapshot.count("n_dive")
        require_range("dive", np.array([n_dive]), 0, len(classes))
        self._serial, self._n_closed = snapshot.count("serial"), snapshot.count("closed")
        self._at_value = snapshot.number("at_value")
        self._n_failed = snapshot.count("n_failed")
        self._at = snapshot.array("at", np.uint8, None).copy()
        self._require_board(self._at)
        every = [
            OpenClass(-float(bounds[at]), serial, int(splits[at]), classes[at].copy())
            for at, serial in enumerate(serials.tolist())
        ]
        numbers = np.array([self._serial - 1, self._n_closed, self._n_failed])
        require_range("numbers", numbers, 0, 2**62)
        require_range("classes", serials, 0, self._serial - 1)
        if len(set(serials.tolist())) < len(every):
            raise SnapshotError("two classes of the snapshot have the same number")
        if not every and self._status is Status.RUNNING:
            raise SnapshotError("the snapshot has no class left, but its run has not ended")
        self._dive, self._heap = every[:n_dive], every[n_dive:]
        self._n_open_boards = sum(_n_boards(one.box) for one in every)
        heapq.heapify(self._heap)

    def _require_classes(self, classes: NDArray[np.uint8], bounds: NDArray[np.float64]) -> None:
        """Raise SnapshotError unless these are classes of the boards that the puzzle allows."""
        low, high = classes[:, 0], classes[:, 1]
        is_hole = self._whole[0] > self._whole[1]
        is_inside = (low <= high) & (low >= self._whole[0]) & (high <= self._whole[1])
        is_same = (low == self._whole[0]) & (high == self._whole[1])
        if not np.where(is_hole, is_same, is_inside).all() or not np.isfinite(bounds).all():
            raise SnapshotError("the snapshot's classes are not of this puzzle")


def _value_text(line: str, value: float) -> str:
    """Write the number with which a line of the pseudocode ran."""
    if line in ("close", "mirror", "rest"):
        return counted(int(value), "class")
    if line == "split":
        return ""
    return f"{'U' if line in ('examine', 'bound') else 'v'} = {number(value)}"


def _n_boards(box: BoardClass) -> int:
    """Count the boards of a class; a hole counts as one letter."""
    return math.prod(max(high - low, 0) + 1 for low, high in box.T.tolist())


def require_offered(puzzle: BogglePuzzle) -> None:
    """Raise GridError for rules that this solver cannot prove anything about."""
    rules = puzzle.rules
    if rules.directions:
        raise GridError.tr(
            "the exact solver does not know straight lines; choose another adjacency"
        )
    if rules.slips:
        raise GridError.tr("the exact solver does not know slips; set them to 0")
    if puzzle.ban_trie is not None:
        raise GridError.tr("the exact solver does not know forbidden words; leave them out")
    if rules.rows * rules.cols > SMALL_BOARD_CELLS:
        raise GridError.tr(
            "the exact solver takes boards of up to {max_cells} cells; this one has {n_cells}",
            max_cells=SMALL_BOARD_CELLS,
            n_cells=rules.rows * rules.cols,
        )
