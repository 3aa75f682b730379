"""The contract of every heuristic, as tests."""

import functools
from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from tilelab import catalog
from tilelab.core.declarations import check_heuristic
from tilelab.core.heuristic import HeuristicSpec
from tilelab.puzzles.sliding.board import Goal, goal_board
from tilelab.puzzles.sliding.heuristics.evaluation import Evaluation
from tilelab.puzzles.sliding.kernels import best_first as kernel
from tilelab.puzzles.sliding.solvers.board_store import BoardStore, Rule

SHAPES = ((2, 3), (3, 3), (3, 4))
"""Shapes of the boards on which a kernel is compared with its oracle."""
EXACT_SHAPES = ((2, 3), (3, 3))  # shapes of the boards whose distances are all known
GOALS = (Goal.BLANK_LAST, Goal.BLANK_FIRST)


@functools.cache
def every_board(
    rows: int, cols: int, goal: Goal
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """Return all boards from which a goal can be reached, uint8 (boards, cells), the goal first.

    Also returns their distances to it, int64 (boards,), and the edges between them, int64 (edges,
    2).
    """
    target = goal_board(rows, cols, goal)
    evaluation = Evaluation.towards(catalog.heuristic("zero"), target, cols)
    store = BoardStore(target, target, evaluation, Rule(1, 0, ends=False), 1 << 30)
    assert store.run(2**62, 2**62, None) == kernel.EXHAUSTED
    n_boards = int(store.scalars[kernel.N_NODES])
    boards = store.boards[:n_boards].copy()
    return boards, store.links[:n_boards, kernel.LENGTH].astype(np.int64), _edges(boards, cols)


def _edges(boards: NDArray[np.uint8], cols: int) -> NDArray[np.int64]:
    """Return the pairs of boards that differ by a slide to the right or down."""
    places = np.int64(boards.shape[1]) ** np.arange(boards.shape[1])
    numbers = boards @ places
    order = np.argsort(numbers)
    blanks, every = np.argmin(boards, axis=1), np.arange(len(boards))
    found = []
    for step, can in ((1, blanks % cols < cols - 1), (cols, blanks + cols < boards.shape[1])):
        ones, at = every[can], blanks[can]
        tiles = boards[ones, at + step].astype(np.int64)
        others = numbers[ones] + tiles * (places[at] - places[at + step])
        found.append(np.stack([ones, order[np.searchsorted(numbers, others, sorter=order)]], 1))
    return np.concatenate(found)


class HeuristicContract:
    """Tests of heuristics; a sub-class names them.

    ``class TestMine(HeuristicContract): heuristics = ("mine",)``
    """

    heuristics: ClassVar[Sequence[str]] = ()  # keys of the heuristics

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        assert metafunc.cls is not None
        specs = [catalog.heuristic(key) for key in metafunc.cls.heuristics]
        metafunc.parametrize("spec", specs, ids=lambda spec: spec.key)

    def test_what_it_declares_can_be_used(self, spec: HeuristicSpec) -> None:
        """Check the declaration by the same rules as when a plug-in is loaded."""
        check_heuristic(spec)

    def test_kernel_and_oracle_agree(self, spec: HeuristicSpec) -> None:
        """Compare them on random boards, with each goal."""
        rng = np.random.default_rng(5)
        for (rows, cols), goal in _each(SHAPES):
            target = goal_board(rows, cols, goal)
            boards = np.array([rng.permutation(rows * cols) for _ in range(40)], np.uint8)
            found = Evaluation.towards(spec, target, cols).of_all(boards).tolist()
            assert spec.oracle is not None
            assert found == [spec.oracle(board, target.tolist(), cols) for board in boards.tolist()]

    def test_an_admissible_one_never_exceeds_the_true_distance(self, spec: HeuristicSpec) -> None:
        """Check every board of the eight puzzle and of 2×3."""
        for (rows, cols), goal in _each(EXACT_SHAPES):
            boards, distances, _ = every_board(rows, cols, goal)
            found = Evaluation.towards(spec, goal_board(rows, cols, goal), cols).of_all(boards)
            assert not spec.admissible or bool((found <= spec.scale * distances).all())

    def test_a_consistent_one_changes_by_a_move_at_most(self, spec: HeuristicSpec) -> None:
        """Check every edge between those boards, and that the goal has the estimate 0."""
        for (rows, cols), goal in _each(EXACT_SHAPES):
            boards, _, edges = every_board(rows, cols, goal)
            found = Evaluation.towards(spec, goal_board(rows, cols, goal), cols).of_all(boards)
            steps = np.abs(found[edges[:, 0]] - found[edges[:, 1]])
            assert not spec.consistent or (found[0] == 0 and int(steps.max()) <= spec.scale)

    def test_one_by_tile_is_the_sum_of_its_parts(self, spec: HeuristicSpec) -> None:
        """Check the sum, on which the searches rely."""
        for (rows, cols), goal in _each(SHAPES):
            evaluation = Evaluation.towards(spec, goal_board(rows, cols, goal), cols)
            board = np.random.default_rng(8).permutation(rows * cols).astype(np.uint8)
            if spec.by_tile:
                parts = evaluation.by_tile[board, np.arange(len(board))]
                assert int(parts.sum()) == evaluation.of(board)


def _each(shapes: Sequence[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], Goal]]:
    return ((shape, goal) for shape in shapes for goal in GOALS)
