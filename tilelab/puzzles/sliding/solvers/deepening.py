"""The depth-first searches below a threshold, which keep only the current path.

Depth-first search goes down to a limit; iterative deepening to depth 1, 2, 3 …, which finds the
path of breadth-first search with almost no memory. For the view of the tree, a copy of the descent
repeats the iteration board by board.
"""

from typing import ClassVar, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.parameters import parameter, replaced
from tilelab.core.pseudocode import Pseudocode
from tilelab.core.registry import HEURISTICS, register_solver
from tilelab.core.snapshot_ranges import require_range
from tilelab.core.solver import Arrays, Snapshot, Status
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import boards_expanded, capital, counted, number
from tilelab.core.views import (
    MAX_ENTRIES,
    MAX_NODES,
    CodeLine,
    EntryState,
    Fate,
    Frontier,
    SearchTree,
    Thresholds,
    View,
    ViewKind,
)
from tilelab.puzzles.sliding.heuristics.evaluation import Evaluation
from tilelab.puzzles.sliding.kernels import deepening as kernel
from tilelab.puzzles.sliding.kernels.deepening_any import (
    BLANK,
    LAST,
    N_COLUMNS,
    SUM,
    TURN,
    deepen_any,
)
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.solvers.descent import (
    EXPANDED,
    GENERATED,
    N_DEPTHS,
    THRESHOLD,
    Descent,
    required_path,
    restore_descent,
    start_scalars,
)
from tilelab.puzzles.sliding.solvers.search import SlidingSearch, sliding_spec
from tilelab.slides import moves as boards
from tilelab.slides.moves import MOVES, blank_targets, boards_along, letters_of
from tilelab.solvers.search_params import MIN_MEGABYTES, SearchParams, expansions_parameter

ON_PATH = marked("on the path")  # what such a search keeps in place of an open list
PATH_TITLES = {"frontier": ON_PATH, "depth": marked("path length")}
"""Titles of metrics; the depth of other searches is that of the board expanded last."""
_WITH_SIBLINGS = 300
"""Number of the last depths of a long path for which the view also shows the siblings."""


class DeepeningParams(SearchParams):
    """Parameters of a search that keeps only its path."""

    expansions_per_update: int = expansions_parameter(
        100_000,
        10_000_000,
        title=marked("Boards generated per update"),
        counted="generated",
    )


class AnyDescent(Descent):
    """A descent for boards of any shape and any estimate, computed from scratch."""

    search = deepen_any
    rows = ("path",)
    turns = ("path", TURN)

    def __init__(self, puzzle: SlidingPuzzle, spec: HeuristicSpec, threshold: int | None) -> None:
        super().__init__(puzzle)
        self._evaluation = Evaluation.towards(spec, puzzle.goal, puzzle.params.cols)
        self.scale = spec.scale
        estimate = self._evaluation.of(puzzle.start)
        first = estimate
        if threshold is not None:
            first, self.thresholds_end = threshold * spec.scale, 0
        path = np.zeros((N_DEPTHS, N_COLUMNS), np.int64)
        path[0, BLANK], path[0, LAST] = np.argmin(puzzle.start), boards.NO_MOVE
        path[0, SUM] = estimate
        tables = tuple(boards.move_tables(*puzzle.shape))
        self.arguments = self.scale, tables, puzzle.goal, self._evaluation.arguments
        self._begin(
            {
                "path": path,
                "scalars": start_scalars(puzzle, estimate, first),
                "cells": puzzle.start.copy(),
                "best": puzzle.start.copy(),
            }
        )

    def has_turns(self, depth: int) -> bool:
        blank, last, turn = self.arrays["path"][depth, [BLANK, LAST, TURN]]
        return bool(turn < boards.move_tables(*self._puzzle.shape).n_moves[blank, last])

    def tried(self, depth: int) -> int:
        blank, last, turn = self.arrays["path"][depth, [BLANK, LAST, TURN]]
        return int(boards.move_tables(*self._puzzle.shape).moves[blank, last, turn - 1])

    def estimate(self) -> int:
        return int(self.arrays["path"][self.depth, SUM])

    def _moves(self, depth: int) -> str:
        return letters_of(self.arrays["path"][1 : depth + 1, LAST])

    def require(self, arrays: Arrays) -> None:
        """Raise SnapshotError unless path and board are the result of the moves."""
        puzzle = self._puzzle
        taken = required_path(arrays, N_COLUMNS)
        require_range("moves", taken[1:, LAST], 0, len(MOVES) - 1)
        require_range("turns", taken[:, TURN], 0, len(MOVES))
        along = boards_along(puzzle.start, puzzle.params.cols, letters_of(taken[1:, LAST]))
        estimates = [self._evaluation.of(cells) for cells in along]
        fits = taken[0, LAST] == boards.NO_MOVE and np.array_equal(along[-1], arrays["cells"])
        fits &= np.array_equal(taken[:, BLANK], np.argmin(along, axis=1))
        if not fits or taken[:, SUM].tolist() != estimates:
            raise SnapshotError("the snapshot's path does not lead to its board")
        self.require_nearest(arrays)


Q = TypeVar("Q", bound=DeepeningParams)


class _Generated(NamedTuple):
    depth: int  # depth of the parent
    move: int
    f: int
    is_pruned: bool


def _generate(descent: Descent) -> _Generated:
    """Let a descent generate one board."""
    scalars = descent.arrays["scalars"]
    scalars[kernel.NEXT_THRESHOLD] = kernel.FAR
    descent.go(1)
    f = int(scalars[kernel.NEXT_THRESHOLD])
    is_pruned = f < kernel.FAR
    depth = descent.depth - (not is_pruned)
    if not is_pruned:
        f = descent.scale * descent.depth + descent.estimate()
    return _Generated(depth, descent.tried(depth), f, is_pruned)


class _Rows:
    """Boards in the order of their generation."""

    def __init__(self, puzzle: SlidingPuzzle, f: int) -> None:
        self._target = blank_targets(*puzzle.shape).tolist()
        self.boards = [bytearray(puzzle.start.tobytes())]
        self.parents, self.moves, self.g, self.f = [-1], [-1], [0], [f]
        self.fates = [int(Fate.EXPANDED)]

    def add(self, parent: int, made: _Generated, fate: Fate) -> int:
        """Add a child of a board; returns its index."""
        board = self.boards[parent].copy()
        blank = board.index(0)
        cell = self._target[blank][made.move]
        board[blank], board[cell] = board[cell], 0
        self.boards.append(board)
        self.parents.append(parent)
        self.moves.append(made.move)
        self.g.append(self.g[parent] + 1)
        self.f.append(made.f)
        self.fates.append(int(fate))
        return len(self.boards) - 1


class IterationTree:
    """All boards of an iteration; :meth:`catch_up` follows the run."""

    def __init__(self, puzzle: SlidingPuzzle, run: Descent) -> None:
        scalars = run.arrays["scalars"]
        self.iteration = int(scalars[kernel.ITERATION])
        self._scratch = run.scratch()
        self.rows = _Rows(puzzle, self._scratch.estimate())
        self.path = [0]

    @property
    def n_generated(self) -> int:
        """Number of boards, without the start."""
        return len(self.rows.boards) - 1

    def catch_up(self, n_generated: int) -> None:
        """Generate boards until there are ``n_generated`` in the iteration."""
        rows, path = self.rows, self.path
        while self.n_generated < n_generated:
            made = _generate(self._scratch)
            for place in path[made.depth + 1 :]:
                rows.fates[place] = Fate.LEFT
            del path[made.depth + 1 :]
            fate = Fate.PRUNED if made.is_pruned else Fate.EXPANDED
            place = rows.add(path[-1], made, fate)
            if not made.is_pruned:
                path.append(place)


def _along_path(
    puzzle: SlidingPuzzle, run: Descent, n_with_siblings: int
) -> tuple[_Rows, list[int]]:
    """Return the boards of the path, and their tried siblings at the last depths."""
    scratch, depth = run.scratch(), run.depth
    rows, path = _Rows(puzzle, scratch.estimate()), [0]
    first = depth + 1 - n_with_siblings
    for level in range(depth + (n_with_siblings > 0)):
        if level < first:
            scratch.set_turn(level, run.turn(level) - 1)
        while scratch.turn(level) != run.turn(level):
            before = {name: part.copy() for name, part in scratch.arrays.items()}
            made = _generate(scratch)
            turn = scratch.turn(level)
            if level < depth and turn == run.turn(level):
                path.append(rows.add(path[-1], made, Fate.EXPANDED))
                break
            rows.add(path[-1], made, Fate.PRUNED if made.is_pruned else Fate.LEFT)
            scratch.arrays.update(before)
            scratch.set_turn(level, turn)
    return rows, path


def path_of(puzzle: SlidingPuzzle, run: Descent) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Return the boards of the path, uint8 (n, cells), and their estimates in moves."""
    rows, _ = _along_path(puzzle, run, 0)
    boards = np.frombuffer(b"".join(rows.boards), np.uint8).reshape(len(rows.boards), -1)
    return boards, np.array(rows.f) / run.scale - rows.g


class TreeReader:
    """Makes the view, and reuses the tree while the iteration is the same."""

    def __init__(self, puzzle: SlidingPuzzle, *, has_estimate: bool) -> None:
        self._puzzle, self._has_estimate = puzzle, has_estimate
        self._tree: IterationTree | None = None

    def view(self, run: Descent, status: Status) -> SearchTree:
        """Return the tree of the run's current iteration."""
        scalars = run.arrays["scalars"]
        before = int(run.iterations[-1, GENERATED])
        n_generated = int(scalars[kernel.GENERATED]) - before
        is_whole = run.is_in_order and n_generated < MAX_NODES
        if is_whole:
            tree = self._tree_at(run, n_generated)
            rows, path = tree.rows, tree.path
        else:
            rows, path = _along_path(self._puzzle, run, _WITH_SIBLINGS)
        return self._made(run, rows, path, status=status, is_whole=is_whole)

    def _tree_at(self, run: Descent, n_generated: int) -> IterationTree:
        tree, iteration = self._tree, run.arrays["scalars"][kernel.ITERATION]
        if tree is None or tree.iteration != iteration or tree.n_generated > n_generated:
            tree = self._tree = IterationTree(self._puzzle, run)
        tree.catch_up(n_generated)
        return tree

    def _made(
        self, run: Descent, rows: _Rows, path: list[int], *, status: Status, is_whole: bool
    ) -> SearchTree:
        scalars, n_boards = run.arrays["scalars"], len(rows.boards)
        fates = np.array(rows.fates, np.uint8)
        # A search that has ended without the goal is back at the start.
        fates[path[run.depth + 1 :]] = Fate.LEFT
        path = path[: run.depth + 1]
        if status is Status.SOLVED:
            fates[path[-1]] = Fate.GOAL
        elif not scalars[kernel.EXPANDED]:
            fates[path[-1]] = Fate.OPEN
        parents = np.array(rows.parents, np.int32)
        current = int(parents[-1])
        # The first boards of a very long path are left out.
        cut = max(n_boards - MAX_NODES, 0)
        g, f = np.array(rows.g, np.int32), np.array(rows.f) / run.scale
        shown = slice(cut, None)
        boards = np.frombuffer(b"".join(rows.boards), np.uint8).reshape(n_boards, -1)
        return SearchTree(
            caption=self._caption(run, rows, status),
            boards=boards[shown],
            parents=np.maximum(parents[shown] - cut, -1).astype(np.int32),
            moves=np.array(rows.moves, np.int8)[shown],
            g=g[shown],
            h=(f - g if self._has_estimate else np.full(n_boards, np.nan))[shown],
            f=f[shown],
            fates=fates[shown],
            sides=np.zeros(n_boards - cut, np.uint8),
            path=np.array([place - cut for place in path if place >= cut], np.int32),
            current=max(current - cut, -1),
            children=(np.flatnonzero(parents == current) - cut).astype(np.int32)
            if current >= 0
            else np.empty(0, np.int32),
            front=np.empty(0, np.int32),
            threshold=float(scalars[kernel.THRESHOLD]) / run.scale,
            n_expanded=run.n_expanded(is_running=status is Status.RUNNING),
            n_generated=int(scalars[kernel.GENERATED]),
            is_whole=is_whole,
            lines=self._lines(run, rows, status, is_whole=is_whole),
        )

    def _lines(
        self, run: Descent, rows: _Rows, status: Status, *, is_whole: bool
    ) -> tuple[CodeLine, ...]:
        """Return the lines of the pseudocode that the last step ran."""
        scalars = run.arrays["scalars"]
        threshold = number(float(scalars[kernel.THRESHOLD]) / run.scale)
        if scalars[kernel.GENERATED] == 0:
            name, value = ("goal", "") if status is Status.SOLVED else ("start", threshold)
            return (CodeLine(name, value),)
        if status is Status.EXHAUSTED:
            return CodeLine("back"), CodeLine("fail")
        if len(rows.g) == 1:  # several threads have not begun yet
            return ()
        lines = []
        g, f = rows.g[-1], rows.f[-1] / run.scale
        if len(rows.g) == 2 and scalars[kernel.ITERATION]:
            lines += [CodeLine("back"), CodeLine("raise", threshold)]
        elif n_back := _n_back(rows):
            lines.append(CodeLine("back", counted(n_back, "move") if is_whole else ""))
        total = f"f = {number(g)} + {number(f - g)} = {number(f)}"
        lines.append(CodeLine("child", total if self._has_estimate else f"f = {number(f)}"))
        if status is Status.SOLVED:
            lines.append(CodeLine("goal", counted(g, "move")))
        elif rows.fates[-1] == Fate.PRUNED:
            lines.append(CodeLine("cut", f"{number(f)} > {threshold}"))
        else:
            lines.append(CodeLine("deeper", f"{number(f)} ≤ {threshold}"))
        return tuple(lines)

    def _caption(self, run: Descent, rows: _Rows, status: Status) -> str:
        scalars = run.arrays["scalars"]
        if scalars[kernel.GENERATED] == 0:
            return tr("The start is the goal.") if status is Status.SOLVED else ""
        threshold = number(float(scalars[kernel.THRESHOLD]) / run.scale)
        g, f = rows.g[-1], rows.f[-1] / run.scale
        h = f", h {number(f - g)}" if self._has_estimate else ""
        begun = ""
        if len(rows.g) == 2 and scalars[kernel.ITERATION]:
            begun = tr("Started again with the threshold {threshold}. ", threshold=threshold)
        words = tr(
            "{begun}Generated a board with g {g}{h}, f {f}: ",
            begun=begun,
            g=figures(g, ","),
            h=h,
            f=number(f),
        )
        if status is Status.SOLVED:
            return tr("{words}it is the goal, on a path of {g}.", words=words, g=counted(g, "move"))
        if rows.fates[-1] == Fate.PRUNED:
            words += tr(
                "pruned, because f is above the threshold {threshold}.", threshold=threshold
            )
        else:
            words += tr(
                "it is within the threshold {threshold}, and its expansion begins.",
                threshold=threshold,
            )
        return tr("{words} No board is left.", words=words) if status is Status.EXHAUSTED else words


def _n_back(rows: _Rows) -> int:
    """Return how many boards the search went back before it generated the last one."""
    before = len(rows.g) - 2
    is_pruned = rows.fates[before] == Fate.PRUNED
    return rows.g[before] - is_pruned - rows.g[rows.parents[-1]]


def deepening_pseudocode(
    f: str, first: str, source: str, *without: str, detour: str = ""
) -> Pseudocode:
    """Return the pseudocode; f, first, source, detour: words of its file."""
    words = {"f": f, "first": first, "source": source, "detour": detour}
    return Pseudocode("sliding/deepening.md", words, without)


def _caption(run: Descent, threshold: float, n_expanded: int, n_generated: int) -> str:
    scalars = run.arrays["scalars"]
    if scalars[kernel.GENERATED] == 0:
        return ""
    words = tr(
        "Iteration {number} with the threshold {threshold}",
        number=figures(int(scalars[kernel.ITERATION]) + 1, ","),
        threshold=number(threshold),
    )
    words += tr(
        ": {expanded}, {n_generated} generated",
        expanded=boards_expanded(n_expanded),
        n_generated=figures(n_generated, ","),
    )
    least = int(scalars[kernel.NEXT_THRESHOLD])
    if least < kernel.FAR:
        words += tr("; the smallest f above it is {number}", number=number(least / run.scale))
    return f"{words}."


class Deepening(SlidingSearch[Q], Generic[Q]):
    """A depth-first search below a threshold, with a descent of the subclass."""

    _descent: Descent
    _tree: TreeReader | None = None
    _has_estimate: ClassVar[bool] = False

    @classmethod
    def resolved(cls, puzzle: SlidingPuzzle, params: Q) -> Q:
        """Set the memory limit; the path takes little memory on any machine."""
        if params.memory is None:
            params = replaced(params, memory=MIN_MEGABYTES)
        return super().resolved(puzzle, params)

    def watch(self, kinds: frozenset[ViewKind]) -> None:
        super().watch(kinds)
        if ViewKind.TREE not in kinds:
            self._tree = None

    def view(self, kind: ViewKind) -> View | None:
        if kind is ViewKind.THRESHOLDS:
            return self._thresholds(self._front())
        if kind is ViewKind.FRONTIER:
            return self._stack(self._front())
        if kind is not ViewKind.TREE:
            return super().view(kind)
        if self._tree is None:
            self._tree = TreeReader(self._puzzle, has_estimate=self._has_estimate)
        return self._tree.view(self._front(), self._status)

    def _thresholds(self, run: Descent) -> Thresholds:
        """Return the last iterations, and the last boards of the path."""
        scalars, rows = run.arrays["scalars"], run.iterations
        n_expanded = run.n_expanded(is_running=self._status is Status.RUNNING)
        expanded = np.diff(rows[:, EXPANDED], append=n_expanded)
        generated = np.diff(rows[:, GENERATED], append=scalars[kernel.GENERATED])
        boards, h = path_of(self._puzzle, run)
        thresholds = rows[:, THRESHOLD] / run.scale
        return Thresholds(
            caption=_caption(run, float(thresholds[-1]), int(expanded[-1]), int(generated[-1])),
            thresholds=thresholds,
            expanded=expanded,
            generated=generated,
            path=boards[-MAX_NODES:],
            h=h[-MAX_NODES:],
            first=int(scalars[kernel.ITERATION]) + 1 - len(rows),
        )

    def _stack(self, run: Descent) -> Frontier:
        """Return the path as a stack, the deepest board first.

        The next board is generated from the first one with an untried move.
        """
        boards, h = path_of(self._puzzle, run)
        depths = np.arange(len(boards))[::-1][:MAX_ENTRIES]
        columns = ("g", "h", "f") if self._has_estimate else ("g",)
        values = np.stack([depths, h[depths], depths + h[depths]], axis=1)[:, : len(columns)]
        is_running = self._status is Status.RUNNING
        has_moves = [is_running and run.has_turns(depth) for depth in depths.tolist()]
        return Frontier.of(
            capital(tr(ON_PATH)),
            columns,
            boards[depths],
            values,
            ties=np.arange(len(depths)),
            states=np.where(has_moves, EntryState.WAITING, EntryState.DONE).astype(np.uint8),
            n_entries=len(boards),
            on_path=True,
            short_title=tr("Path"),
        )

    def _search(self, most: int) -> bool:
        scalars = self._descent.arrays["scalars"]
        before = int(scalars[kernel.GENERATED])
        is_solved = np.array_equal(self._puzzle.start, self._puzzle.goal)
        code = kernel.SOLVED if is_solved else self._go(most)
        self._steps_done += int(scalars[kernel.GENERATED]) - before
        if code == kernel.SOLVED:
            self._end(Status.SOLVED)
        elif code == kernel.EXHAUSTED:
            self._end(Status.EXHAUSTED)
        if is_solved or code == kernel.EXHAUSTED:
            self._steps_done += 1
        return code != kernel.RUNNING or self._n_left == 0

    def _go(self, most: int) -> int:
        """Generate at most ``most`` boards; returns the kernel's code."""
        return self._descent.go(most)

    def _front(self) -> Descent:
        """Return a descent at the current board of the search, with its counts."""
        return self._descent

    def metrics_inside(self) -> tuple[float, ...]:
        # The row of a whole unit has the kernel's count, as the traces of earlier versions do.
        n_expanded = self._front().n_expanded(is_running=self._status is Status.RUNNING)
        return (float(n_expanded), *self._row()[1:])

    def _row(self) -> tuple[float, ...]:
        scalars, scale = self._descent.arrays["scalars"], self._descent.scale
        n_bytes = sum(part.nbytes for part in self._descent.arrays.values())
        return (
            float(scalars[kernel.EXPANDED]),
            float(scalars[kernel.GENERATED]),
            float(scalars[kernel.DEPTH] + 1),
            float(scalars[kernel.DEPTH]),
            float(scalars[kernel.THRESHOLD]) / scale,
            float(scalars[kernel.BEST]) / scale,
            n_bytes / 2**20,
        )

    def _nearest(self) -> NDArray[np.uint8]:
        return self._descent.nearest()

    def _solution(self) -> str:
        return self._front().path()

    def arrays(self) -> Arrays:
        arrays = {name: part.copy() for name, part in self._descent.arrays.items()}
        iterations = self._descent.iterations
        if len(iterations) > 1:
            arrays["iterations"] = iterations.copy()
        return arrays

    def set_state(self, snapshot: Snapshot) -> None:
        super().set_state(snapshot)
        restore_descent(self._descent, snapshot.arrays)
        iteration = self._descent.arrays["scalars"][kernel.ITERATION]
        if iteration and "iterations" not in snapshot.arrays:
            raise SnapshotError(f"the snapshot lacks the iterations before {iteration}")


@register_solver
class IterativeDeepening(Deepening[DeepeningParams]):
    """Finds a shortest path; the number of boards grows by a factor of about two per move."""

    spec = sliding_spec(
        key="iterative-deepening",
        title=marked("Iterative deepening"),
        source="Korf 1985",
        step=marked("generated board"),
        views=(ViewKind.TREE, ViewKind.THRESHOLDS, ViewKind.FRONTIER),
        pseudocode=deepening_pseudocode(
            "g(n)", "1", "Korf 1985, Depth-First Iterative-Deepening", "fail"
        ),
        params=DeepeningParams,
        metric_titles={**PATH_TITLES, "nearest": ""},
        purpose=marked("Finds shortest solutions of small boards without memory or an estimate."),
    )

    def prepare(self) -> None:
        self._descent = AnyDescent(self._puzzle, HEURISTICS["zero"], None)

    def _is_shortest(self) -> bool:
        return True


class DepthFirstParams(DeepeningParams):
    depth_limit: int = parameter(
        30,
        marked("Depth limit"),
        low=1,
        high=1000,
        unit="moves",
        help=marked("Maximum length of a path."),
    )


@register_solver
class DepthFirst(Deepening[DepthFirstParams]):
    """Finds a path that need not be shortest; it only avoids the move straight back.

    It does not remember visited boards, as some programs do, because that would cut off shorter
    paths that come later.
    """

    spec = sliding_spec(
        key="depth-first",
        title=marked("Depth first with a limit"),
        source="every textbook",
        step=marked("generated board"),
        views=(ViewKind.TREE, ViewKind.FRONTIER),
        pseudocode=deepening_pseudocode(
            "g(n)", "limit", "Russell & Norvig, section 3.4, depth-limited search", "raise"
        ),
        params=DepthFirstParams,
        metric_titles={**PATH_TITLES, "bound": marked("limit"), "nearest": ""},
        purpose=marked("Shows the limits of a search that only goes deeper."),
    )

    def prepare(self) -> None:
        limit = int(self._params.depth_limit)
        self._descent = AnyDescent(self._puzzle, HEURISTICS["zero"], limit)
