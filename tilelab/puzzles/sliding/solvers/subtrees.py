"""One iteration of a depth-first search in subtrees, on which several threads work.

The tree below a threshold is a list of subtrees in the order in which one thread would reach them.
A round gives each subtree a number of boards to generate, so that the threads and their timing do
not matter. After its share, a large subtree gives away the untried boards at the shallowest depth
of its path. Complete subtrees are removed between two rounds. The first solution in order counts,
which is the one that a single thread finds.
"""

import copy
import time
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.snapshot_ranges import require_range
from tilelab.core.solver import Arrays, array_of
from tilelab.puzzles.sliding.kernels import deepening as kernel
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.solvers.descent import GENERATED, Descent
from tilelab.solvers.profile import SOLVER, WAITING, span

IN_WORK = 4
"""Number of subtrees per thread in a round, the first ones in order. More keep threads busy until
the end of a round; fewer generate less behind the solution in vain."""
MOST = 16  # maximum number of subtrees per thread
MIN_ROUND = 400_000
"""Minimum number of boards per thread in a round, so that it is long compared with its end."""
ROUNDS = 15
"""Fraction, 1 / ROUNDS, of the boards before the iteration that a longer round has. Longer rounds
generate more boards in vain."""
A_CALL = 20_000
"""Number of boards before the first check of the time, and minimum number in each call."""
LATE_SECONDS = 0.0005
"""Time before its end at which a team is late, because another call would not fit."""
MIN_HANDED_OVER = 10_000
"""Minimum number of boards per thread in a round; waking a thread takes as long."""
MIN_SHARE = 500  # minimum number of boards that a subtree generates in a round, to justify a call
MIN_WORK = 100_000  # minimum number of boards that a subtree generates before it is split
MIN_MOVES_BELOW = 6
"""Minimum number of moves of the path below a split; nearer to its end, too little is left."""
N_PREFIX, N_TURNS, SHARE, CODE, NEAREST, N_DONE, MAY_GIVE = range(7)
N_COLUMNS = 7  # number of columns of the array subtrees in a snapshot


class Subtree:
    """A part of the tree: a descent from a board within it."""

    def __init__(self, descent: Descent, prefix: Sequence[int]) -> None:
        """descent: a descent at the root. prefix: turns of the path from the start to the root."""
        self.descent, self.prefix = descent, list(prefix)
        self.share = 0  # number of boards still to be generated in this round
        self.code = kernel.RUNNING
        self.n_done = 0  # number of boards generated since the last split
        self.may_give = False
        """Whether the subtree is split after this round's share, if it is large."""
        self.given: Subtree | None = None  # subtree that was split off and is not in the list yet
        self.n_generated = self.n_expanded = 0
        """Numbers of boards that are not yet counted in the run."""
        self.next_threshold = kernel.FAR
        """Smallest f that was cut off so far, counted from the start."""

    @classmethod
    def whole(cls, run: Descent) -> Self:
        """Return the whole tree of the current iteration of a run."""
        descent = run.scratch()
        descent.thresholds_end = 0
        _clear_counts(descent)
        return cls(descent, ())

    @property
    def depth(self) -> int:
        """Number of moves from the start to the current board."""
        return len(self.prefix) + self.descent.depth

    @property
    def turns(self) -> list[int]:
        """Return the turns of the path from the root to the current board."""
        return [self.descent.turn(depth) for depth in range(self.descent.depth + 1)]

    def go(self, budget: int) -> None:
        """Generate some boards of the round, fewer if the subtree ends; then split it."""
        scalars = self.descent.arrays["scalars"]
        self.code = self.descent.go(budget)
        n_generated, least = int(scalars[kernel.GENERATED]), int(scalars[kernel.NEXT_THRESHOLD])
        self.n_generated += n_generated
        self.n_expanded += int(scalars[kernel.EXPANDED])
        if least < kernel.FAR:
            least += self.descent.scale * len(self.prefix)
            self.next_threshold = min(self.next_threshold, least)
        _clear_counts(self.descent)
        self.share -= n_generated
        self.n_done += n_generated
        if self.code != kernel.RUNNING:
            self.share = 0
        elif not self.share and self.may_give and self.n_done >= MIN_WORK:
            depth = self.untried()
            if depth is not None:
                self.given = self.split(depth)

    def untried(self) -> int | None:
        """Return the shallowest depth below the root that has untried boards, or None."""
        for depth in range(self.descent.depth - MIN_MOVES_BELOW):
            if self.descent.has_turns(depth):
                return depth
        return None

    def split(self, depth: int) -> "Subtree":
        """Split off the untried boards at a depth of the path; there are none above it."""
        descent, scratch = self.descent, self.descent.scratch()
        turns = [descent.turn(level) for level in range(depth + 1)]
        for level in range(depth):
            _generate(scratch, level, turns[level])
        given = Subtree(scratch.rooted(depth), self.prefix + turns[:depth])
        given.descent.set_turn(0, turns[depth])
        _clear_counts(given.descent)
        _generate(scratch, depth, turns[depth])
        self.descent = scratch.rooted(depth + 1)
        self.descent.arrays = descent.rooted_arrays(depth + 1)
        self.prefix += turns
        self.n_done = 0
        return given


def _clear_counts(descent: Descent) -> None:
    scalars = descent.arrays["scalars"]
    scalars[[kernel.GENERATED, kernel.EXPANDED]] = 0
    scalars[kernel.NEXT_THRESHOLD] = kernel.FAR


def _generate(descent: Descent, depth: int, turn: int) -> None:
    """Generate the next board of a known path."""
    descent.set_turn(depth, turn - 1)
    descent.go(1)


class Subtrees:
    """The subtrees of a run's current iteration; the run's descent stays at the start, and has the
    counts of all."""

    def __init__(self, puzzle: SlidingPuzzle, run: Descent, n_threads: int) -> None:
        self._puzzle, self._run, self._n_threads = puzzle, run, n_threads
        self._in_work, self._most = IN_WORK * n_threads, MOST * n_threads
        self._least_round = MIN_ROUND * n_threads
        self.parts = [Subtree.whole(run)]

    @property
    def n_bytes(self) -> int:
        """Memory of the paths in bytes."""
        return sum(array.nbytes for part in self.parts for array in part.descent.arrays.values())

    @property
    def depth(self) -> int:
        """Number of moves to the current board of the first subtree."""
        return self.parts[0].depth if self.parts else 0

    def go(self, most: int, n_left: int, team: "Team | None") -> int:
        """Generate at most ``most`` boards, fewer if the team is late; returns the kernel's code.

        n_left: number of boards left in the unit; the shares depend on this only.
        """
        n_done, code = 0, kernel.RUNNING
        while n_done < most and code == kernel.RUNNING:
            waiting = [part for part in self.parts if part.share]
            if not waiting:
                self._share_out(n_left - n_done)
                continue
            if team is not None and sum(part.share for part in waiting) <= most - n_done:
                team.work(waiting)
            else:
                waiting = waiting[:1]
                waiting[0].go(min(waiting[0].share, most - n_done))
            n_done += self._count(waiting)
            if not any(part.share for part in self.parts):
                code = self._end_round()
            if team is not None and team.is_late:
                break
        return code

    def _share_out(self, n_boards: int) -> None:
        """Begin a round of at most ``n_boards`` boards."""
        before = int(self._run.iterations[-1, GENERATED])
        n_boards = min(n_boards, max(before // ROUNDS, self._least_round))
        n_more = self._most - len(self.parts)
        for part in self.parts[: self._in_work]:
            if part.code == kernel.RUNNING:
                # Guided self-scheduling (Polychronopoulos & Kuck 1987): a thread's part of what
                # is left, or a little less, as a subtree may end early. So the first have most,
                # since nothing before a solution is for nothing, and threads that get small
                # shares last have done about as much.
                share = max(4 * n_boards // (5 * self._n_threads), MIN_SHARE)
                part.share = min(share, n_boards)
                n_boards -= part.share
                part.may_give = n_more > 0
                n_more -= 1

    def _count(self, parts: Iterable[Subtree]) -> int:
        """Add the counts of some subtrees to the run, and insert the subtrees split off.

        Returns the number of boards generated.
        """
        total, n_generated = self._run.arrays["scalars"], 0
        for part in parts:
            n_generated += part.n_generated
            total[kernel.EXPANDED] += part.n_expanded
            least = min(int(total[kernel.NEXT_THRESHOLD]), part.next_threshold)
            total[kernel.NEXT_THRESHOLD] = least
            part.n_generated = part.n_expanded = 0
            part.next_threshold = kernel.FAR
            if part.given is not None:
                self.parts.insert(self.parts.index(part) + 1, part.given)
                part.given = None
        total[kernel.GENERATED] += n_generated
        return n_generated

    def _end_round(self) -> int:
        """Remove complete subtrees, and allow others to be split; returns the kernel's code."""
        run = self._run
        solved = [at for at, part in enumerate(self.parts) if part.code == kernel.SOLVED]
        if solved:
            del self.parts[solved[0] + 1 :]
        self._note_nearest(self.parts[: solved[0]] if solved else self.parts)
        self.parts = [part for part in self.parts if part.code != kernel.EXHAUSTED]
        if solved and len(self.parts) == 1:
            self._note_nearest(self.parts)
            return kernel.SOLVED
        if not self.parts:
            if not run.begin_iteration():
                return kernel.EXHAUSTED
            self.parts = [Subtree.whole(run)]
        return kernel.RUNNING

    def _note_nearest(self, parts: Iterable[Subtree]) -> None:
        arrays = self._run.arrays
        for part in parts:
            nearest = part.descent.arrays["scalars"][kernel.BEST]
            if nearest < arrays["scalars"][kernel.BEST]:
                arrays["scalars"][kernel.BEST] = nearest
                arrays["best"][:] = part.descent.arrays["best"]
        for part in self.parts[: self._in_work]:
            if part.code == kernel.RUNNING:
                part.descent.arrays["scalars"][kernel.BEST] = arrays["scalars"][kernel.BEST]
                part.descent.arrays["best"][:] = arrays["best"]

    def front(self) -> Descent:
        """Return a descent at the current board of the first subtree, with the counts of all."""
        part = self.parts[0] if self.parts else Subtree.whole(self._run)
        front, _ = _followed(self._run, part.prefix, part.turns)
        front.is_in_order = False
        depth, scalars = front.depth, front.arrays["scalars"]
        scalars[:] = self._run.arrays["scalars"]
        scalars[kernel.DEPTH] = depth
        return front

    def arrays(self) -> Arrays:
        """Return the arrays for a snapshot: the turns, which define everything else."""
        rows = [
            [
                len(part.prefix),
                len(part.turns),
                part.share,
                part.code,
                part.descent.arrays["scalars"][kernel.BEST],
                part.n_done,
                part.may_give,
            ]
            for part in self.parts
        ]
        turns = [turn for part in self.parts for turn in (*part.prefix, *part.turns)]
        width = len(self._run.arrays["best"])
        return {
            "subtrees": np.array(rows, np.int64).reshape(-1, N_COLUMNS),
            "subtree_turns": np.array(turns, np.int64),
            "subtree_nearest": np.array(
                [part.descent.arrays["best"] for part in self.parts], self._run.arrays["best"].dtype
            ).reshape(-1, width),
        }

    def restore(self, arrays: Arrays, n_left: int) -> None:
        """Restore the subtrees from a snapshot; raises SnapshotError.

        n_left: number of boards left in the unit.
        """
        if self._run.depth:
            raise SnapshotError("the snapshot's subtrees are of another search")
        rows = array_of(arrays, "subtrees", np.int64, None, N_COLUMNS)
        turns = array_of(arrays, "subtree_turns", np.int64, None)
        best = self._run.arrays["best"]
        nearest = array_of(arrays, "subtree_nearest", best.dtype.type, len(rows), len(best))
        require_range("subtrees", rows, 0, 2**40)
        require_range("shares", rows[:, SHARE].cumsum(), 0, n_left)
        require_range("codes", rows[:, CODE], kernel.RUNNING, kernel.EXHAUSTED)
        if len(rows) > self._most or rows[:, [N_PREFIX, N_TURNS]].sum() != len(turns):
            raise SnapshotError("the snapshot's subtrees do not fit this search")
        self.parts, first = [], 0
        for row, board in zip(rows.tolist(), nearest, strict=True):
            middle = first + row[N_PREFIX]
            end = middle + row[N_TURNS]
            self.parts.append(self._restored(row, turns[first:middle], turns[middle:end], board))
            first = end

    def _restored(
        self,
        row: list[int],
        prefix: NDArray[np.int64],
        turns: NDArray[np.int64],
        board: NDArray[np.generic],
    ) -> Subtree:
        if len(turns) == 0:
            raise SnapshotError("the snapshot's subtrees have no board")
        descent, root = _followed(self._run, prefix.tolist(), turns.tolist())
        part = Subtree(root.rooted(len(prefix)), prefix.tolist())
        part.descent.arrays = descent.rooted_arrays(len(prefix))
        part.share, part.code, part.n_done = row[SHARE], row[CODE], row[N_DONE]
        part.may_give = row[MAY_GIVE] != 0
        _clear_counts(part.descent)
        part.descent.arrays["scalars"][kernel.BEST] = row[NEAREST]
        part.descent.arrays["best"][:] = board
        part.descent.require_nearest(part.descent.arrays)
        is_solved = np.array_equal(self._puzzle.replay(descent.path()), self._puzzle.goal)
        is_done = part.descent.depth == 0 and not part.descent.has_turns(0)
        fits = {kernel.SOLVED: is_solved, kernel.EXHAUSTED: is_done}.get(part.code, not is_solved)
        if not fits or (part.code != kernel.RUNNING and part.share):
            raise SnapshotError("the snapshot's subtrees are not as far as it says")
        return part


def _followed(run: Descent, prefix: list[int], turns: list[int]) -> tuple[Descent, Descent]:
    """Return descents from the start that have followed the turns, and the prefix only.

    Raises SnapshotError for impossible turns.
    """
    descent, root = run.scratch(), None
    descent.thresholds_end = 0
    every = [*prefix, *turns]
    for depth, turn in enumerate(every):
        if depth == len(prefix):
            root = copy.copy(descent)
            root.arrays = {name: part.copy() for name, part in descent.arrays.items()}
        is_last = depth == len(every) - 1
        while descent.turn(depth) != turn:
            if not descent.has_turns(depth):
                raise SnapshotError("the snapshot's subtrees have no such path")
            before = {name: part.copy() for name, part in descent.arrays.items()}
            descent.go(1)
            now = descent.turn(depth)
            if descent.depth > depth and (is_last or now != turn):
                descent.arrays = before
                descent.set_turn(depth, now)
        if descent.depth != depth + (not is_last):
            raise SnapshotError("the snapshot's subtrees have no such path")
    assert root is not None
    return descent, root


class Team:
    """Threads that work in parallel with their caller; they end with the block."""

    def __init__(self, n_threads: int, seconds: float | None = None) -> None:
        """seconds: time after which they return, even within a round; None: at the end of the
        round."""
        self._n_others = n_threads - 1
        self._end = None if seconds is None else time.perf_counter() + seconds
        self._speed = 0.0  # boards per second and thread in the last call; 0 before the first
        self._pool = ThreadPoolExecutor(self._n_others, "subtrees")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with span(WAITING):
            self._pool.shutdown()

    @property
    def is_late(self) -> bool:
        """Whether the time is over."""
        return self._end is not None and time.perf_counter() >= self._end - LATE_SECONDS

    @property
    def seconds_left(self) -> float | None:
        """Seconds left; None if there is no limit."""
        return None if self._end is None else max(self._end - time.perf_counter(), 0.0)

    def work(self, parts: Sequence[Subtree]) -> None:
        """Let each subtree do its share; a free thread takes the next one."""
        waiting = deque(parts)
        n_worth = sum(part.share for part in parts) // MIN_HANDED_OVER
        n_others = min(self._n_others, len(waiting) - 1, n_worth)
        others = [self._pool.submit(span(SOLVER)(self._work_off), waiting) for _ in range(n_others)]
        self._work_off(waiting)
        with span(WAITING):
            for other in others:
                other.result()

    def _work_off(self, waiting: deque[Subtree]) -> None:
        while True:
            try:
                part = waiting.popleft()
            except IndexError:
                return
            while part.share:
                self._call(part)
                if self.is_late:
                    return

    def _call(self, part: Subtree) -> None:
        """Let a subtree do as much of its share as fits into the time left."""
        seconds_left = self.seconds_left
        if seconds_left is None:
            part.go(part.share)
            return
        before, began = part.n_generated, time.perf_counter()
        part.go(min(part.share, max(int(self._speed * seconds_left), A_CALL)))
        self._speed = (part.n_generated - before) / max(time.perf_counter() - began, 1e-9)
