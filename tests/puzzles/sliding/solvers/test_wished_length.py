"""Boards are drawn whose shortest solution has exactly as many moves as are wished."""

import pytest

from tilelab.core.solver import Status
from tilelab.puzzles.sliding.board import Goal, SlidingParams, goal_board
from tilelab.puzzles.sliding.play import Position
from tilelab.puzzles.sliding.solvers.best_first import BreadthFirst
from tilelab.puzzles.sliding.solvers.wished_length import MAX_DRAWN, draw_to_length

PARAMS = SlidingParams(rows=3, cols=3, goal=Goal.BLANK_FIRST)
GOAL = goal_board(3, 3, Goal.BLANK_FIRST)


def shortest(cells):
    search = BreadthFirst.create(
        Position.of(PARAMS, cells).start_puzzle, BreadthFirst.spec.params(), 0
    )
    while (progress := search.advance(1)).status is Status.RUNNING:
        pass
    return len(progress.best.moves)


@pytest.mark.parametrize("n_moves", [1, 7, 22])
def test_the_board_needs_exactly_as_many_moves(n_moves):
    *_, (cells, length) = draw_to_length(PARAMS, GOAL, 5, n_moves)
    assert (length, shortest(cells)) == (n_moves, n_moves)
    *_, (again, _) = draw_to_length(PARAMS, GOAL, 5, n_moves)
    assert (again == cells).all()


def test_what_no_board_needs_is_not_claimed():
    boards = list(draw_to_length(PARAMS, GOAL, 5, 40))
    cells, length = boards[-1]
    assert len(boards) >= MAX_DRAWN
    assert shortest(cells) == length
    assert 25 <= length <= 31
