"""Hints: the next move of a shortest way where there is time to find one."""

import numpy as np
import pytest

from tilelab.puzzles.sliding import Goal, SlidingParams, SlidingPuzzle, scrambled
from tilelab.puzzles.sliding_instances import instance_set
from tilelab.runs.hint import way_from


def last(steps):
    found = list(steps)
    assert all(step is None for step in found[:-1])
    return found[-1]


def test_a_hint_is_the_first_move_of_a_shortest_way():
    boards = instance_set("hardest-eight")
    way = last(way_from(boards.puzzle(1), seconds=60))
    assert len(way) == boards.instances()[0].optimal == 31


def test_a_solved_board_needs_no_move():
    puzzle = SlidingPuzzle.create(SlidingParams(rows=3, cols=3))
    assert last(way_from(puzzle)) == ""


@pytest.mark.parametrize("shape", [(2, 9), (6, 6), (10, 10)])
def test_a_large_board_gets_the_best_way_found_in_time(shape):
    params = SlidingParams(rows=shape[0], cols=shape[1], goal=Goal.BLANK_FIRST)
    goal = SlidingPuzzle.create(params).goal
    puzzle = SlidingPuzzle.create(params, scrambled(goal, shape[1], 3))
    way = last(way_from(puzzle, seconds=0.0))
    assert way
    assert np.array_equal(puzzle.replay(way), puzzle.goal)
