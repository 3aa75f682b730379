"""The tree of the present iteration of a search that keeps nothing but its path.

The iteration is gone through again on a copy of the descent, one board at a time.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.core.solver import Status
from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import counted, number
from tilelab.core.views import MOST_NODES, Fate, SearchTree
from tilelab.puzzles.sliding.kernels import deepening as kernel
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.solvers.descent import GENERATED, Descent
from tilelab.slides.moves import blank_targets

_WITH_SIBLINGS = 300
"""Depths of a long path whose other boards are shown, too: the last ones."""


class _Generated(NamedTuple):
    """The board that a descent has just generated."""

    depth: int
    """Of its parent."""
    move: int
    f: int
    is_pruned: bool


def _generate(descent: Descent) -> _Generated:
    """Have a descent generate one board."""
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
        """Add a child of a board; returns its place."""
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
    """All boards of an iteration; :meth:`catch_up` brings it to where the run is."""

    def __init__(self, puzzle: SlidingPuzzle, run: Descent) -> None:
        scalars = run.arrays["scalars"]
        self.iteration = int(scalars[kernel.ITERATION])
        self._scratch = run.scratch()
        self.rows = _Rows(puzzle, self._scratch.estimate())
        self.path = [0]

    @property
    def n_generated(self) -> int:
        """Boards besides the start."""
        return len(self.rows.boards) - 1

    def catch_up(self, n_generated: int) -> None:
        """Generate boards until there are so many of the iteration."""
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
    """Return the boards of the path, and those tried beside it at the last so many depths."""
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
    """Makes the view, and keeps the tree from one to the next while the iteration is the same."""

    def __init__(self, puzzle: SlidingPuzzle, *, has_estimate: bool) -> None:
        self._puzzle, self._has_estimate = puzzle, has_estimate
        self._tree: IterationTree | None = None

    def view(self, run: Descent, status: Status) -> SearchTree:
        """Return the tree of the iteration as a run stands."""
        scalars = run.arrays["scalars"]
        before = int(run.iterations[-1, GENERATED])
        n_generated = int(scalars[kernel.GENERATED]) - before
        is_whole = run.is_in_order and before >= 0 and n_generated < MOST_NODES
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
        # A search that has ended without the goal has gone all the way back.
        fates[path[run.depth + 1 :]] = Fate.LEFT
        path = path[: run.depth + 1]
        if status is Status.SOLVED or not scalars[kernel.EXPANDED]:
            fates[path[-1]] = Fate.OPEN
        parents = np.array(rows.parents, np.int32)
        current = int(parents[-1])
        # Of a path of thousands of boards the first ones are left out; they stand in front.
        cut = max(n_boards - MOST_NODES, 0)
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
            n_expanded=int(scalars[kernel.EXPANDED]),
            n_generated=int(scalars[kernel.GENERATED]),
            is_whole=is_whole,
        )

    def _caption(self, run: Descent, rows: _Rows, status: Status) -> str:
        scalars = run.arrays["scalars"]
        if scalars[kernel.GENERATED] == 0:
            return tr("The start is the goal.") if status is Status.SOLVED else ""
        threshold = number(float(scalars[kernel.THRESHOLD]) / run.scale)
        g, f = rows.g[-1], rows.f[-1] / run.scale
        h = f", h {number(f - g)}" if self._has_estimate else ""
        begun = ""
        if len(rows.g) == 2 and scalars[kernel.ITERATION]:
            begun = tr("Began again with the threshold {threshold}. ").format(threshold=threshold)
        words = tr("{begun}Generated a board with g {g}{h}, f {f}: ").format(
            begun=begun, g=figures(g, ","), h=h, f=number(f)
        )
        if status is Status.SOLVED:
            return tr("{words}it is the goal, on a path of {g}.").format(
                words=words, g=counted(g, "move")
            )
        if rows.fates[-1] == Fate.PRUNED:
            words += tr("pruned, for f is above the threshold {threshold}.").format(
                threshold=threshold
            )
        else:
            words += tr("it is within the threshold {threshold} and is searched next.").format(
                threshold=threshold
            )
        return (
            tr("{words} No board is left.").format(words=words)
            if status is Status.EXHAUSTED
            else words
        )
