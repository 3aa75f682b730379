"""Hints for someone who plays by hand."""

import numpy as np
import pytest

from tests.instance_sets import instance_set
from tilelab.core.errors import GridError
from tilelab.puzzles.sliding.board import Goal, SlidingParams, goal_board, scrambled
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.solvers import hint as hints
from tilelab.puzzles.sliding.solvers.hint import Hint


def _next_move(puzzle, cells):
    hint = Hint(puzzle.starting_with(cells))
    while hint.work():
        continue
    return hint.path[:1]


def test_followed_hints_solve_the_hardest_eight_puzzle_in_31_moves():
    puzzle = instance_set("hardest-eight").puzzle(1)
    cells, moves = puzzle.start, ""
    while move := _next_move(puzzle, cells):
        moves += move
        cells = puzzle.replay(move, cells)
    assert len(moves) == 31
    assert np.array_equal(cells, puzzle.goal)


def test_a_hint_on_the_fifteen_puzzle_is_of_a_shortest_way():
    boards = instance_set("korf100")
    hint = Hint(boards.puzzle(12))
    assert hint.path is None
    while hint.work():
        continue
    assert hint.is_shortest
    assert len(hint.path) == boards.instances()[11].optimal
    assert not hint.work()


def _large():
    target = goal_board(8, 8, Goal.BLANK_LAST)
    return SlidingPuzzle.create(SlidingParams(rows=8, cols=8), scrambled(target, 8, 1))


@pytest.mark.exhaustive
def test_a_hint_on_a_large_board_is_better_the_longer_it_works(monkeypatch):
    monkeypatch.setattr(hints, "SLICES", 600)
    puzzle, lengths = _large(), []
    hint = Hint(puzzle)
    while hint.work():
        if hint.path is not None:
            lengths.append(len(hint.path))
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[-1] < lengths[0]
    assert np.array_equal(puzzle.replay(hint.path), puzzle.goal)
    assert not hint.is_shortest


def test_at_the_goal_there_is_no_move():
    puzzle = instance_set("damodaran").puzzle(1)
    hint = Hint(puzzle.starting_with(puzzle.goal))
    assert hint.is_shortest
    assert hint.path == ""
    assert not hint.work()


def test_hints_lead_to_a_given_goal_board_and_refuse_what_cannot_reach_it():
    goal = [1, 2, 3, 8, 0, 4, 7, 6, 5]
    params = SlidingParams(rows=3, cols=3, goal=Goal.BOARD)
    puzzle = SlidingPuzzle.create(params, [2, 8, 3, 1, 6, 4, 7, 0, 5], goal)
    hint = Hint(puzzle)
    while hint.work():
        continue
    assert hint.path == "UULDR"
    swapped = puzzle.start.copy()
    swapped[[0, 1]] = swapped[[1, 0]]
    with pytest.raises(GridError, match="cannot reach"):
        Hint(puzzle.starting_with(swapped))
