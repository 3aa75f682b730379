"""Playing by hand: what slides, what is undone, what is counted."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilelab.core.errors import GridError, RunError
from tilelab.puzzles.sliding.board import Goal, SlidingParams
from tilelab.puzzles.sliding.play import Position, board_text
from tilelab.puzzles.sliding.puzzle import UnsolvableError
from tilelab.puzzles.sliding.text import parse_board
from tilelab.slides.history import SlideHistory


class Clock:
    """Seconds that pass when a test says so."""

    now = 0.0

    def __call__(self):
        return self.now


def played(tiles, rows=3, cols=3, goal=Goal.BLANK_LAST):
    clock = Clock()
    position = Position.of(SlidingParams(rows=rows, cols=cols, goal=goal), np.array(tiles))
    return SlideHistory(position, clock), clock


def cells(play):
    return play.position.cells.tolist()


def test_a_tile_beside_the_blank_and_a_whole_row_slide():
    play, _ = played([1, 2, 3, 4, 5, 6, 7, 0, 8])
    assert play.path_to(8) == "R"
    play, _ = played([0, 1, 2, 3, 4, 5, 6, 7, 8], goal=Goal.BLANK_FIRST)
    assert play.path_to(2) == "RR"
    play.play(play.path_to(2))
    assert cells(play) == [1, 2, 0, 3, 4, 5, 6, 7, 8]
    assert play.position.n_moves == 2
    assert play.path_to(8) == "DD"
    assert play.path_to(2) == ""
    assert play.path_to(4) == ""
    assert play.can_move("L")
    assert not play.can_move("U")
    with pytest.raises(RunError, match="not possible"):
        play.play("U")


def test_every_step_is_undone_and_done_again():
    play, _ = played([1, 2, 3, 4, 5, 6, 7, 0, 8])
    seen = [play.position]
    for step in (
        lambda: play.play("UL"),
        lambda: play.take(play.position.swapped(0, 1)),
        lambda: play.take(play.position.with_goal(Goal.BLANK_FIRST)),
        play.restart,
    ):
        step()
        seen.append(play.position)
    while play.can_undo:
        assert play.position is seen.pop()
        play.undo()
    assert play.position is seen[0]
    while play.can_redo:
        play.redo()
    assert play.position.params.goal is Goal.BLANK_FIRST
    play.undo()
    play.play("D")
    assert not play.can_redo


def test_time_runs_from_the_first_move_until_the_board_is_solved():
    play, clock = played([1, 2, 3, 4, 5, 0, 7, 8, 6])
    clock.now = 5.0
    assert play.seconds == 0
    play.play("L")
    clock.now = 9.0
    assert play.is_timing
    assert play.seconds == 4
    play.play("R")
    clock.now = 10.0
    play.play("D")
    clock.now = 60.0
    assert play.position.is_solved
    assert play.seconds == 5
    assert play.position.n_moves == 3
    play.restart()
    assert play.seconds == 0
    assert play.position.n_moves == 0


def test_the_time_stands_still_at_the_start_of_a_game_until_the_next_move():
    play, clock = played([1, 2, 3, 4, 5, 0, 7, 8, 6])
    play.play("L")
    clock.now = 4.0
    play.undo()
    assert not play.is_timing
    clock.now = 100.0
    assert play.seconds == 4
    play.play("L")
    clock.now = 103.0
    assert play.is_timing
    assert play.seconds == 7
    play.pause()
    clock.now = 200.0
    assert not play.is_timing
    assert play.seconds == 7


def test_an_unsolvable_board_is_made_solvable_by_one_swap():
    play, _ = played([1, 2, 3, 4, 5, 6, 8, 7, 0])
    assert not play.position.is_solvable
    with pytest.raises(UnsolvableError, match="cannot reach"):
        play.position.build()
    play.take(play.position.made_solvable())
    assert play.position.is_solvable
    assert play.position.name == "(edited)"
    assert play.position.build().shape == (3, 3)
    assert play.position.made_solvable() is play.position


def test_a_given_goal_needs_a_board_of_the_same_shape():
    play, _ = played([1, 2, 3, 4, 5, 6, 7, 8, 0])
    with pytest.raises(GridError, match="needs a board"):
        play.position.with_goal(Goal.BOARD)
    with pytest.raises(GridError, match="not 4"):
        play.position.with_goal(Goal.BOARD, np.array([1, 2, 3, 0]))
    other = play.position.with_goal(Goal.BOARD, np.array([2, 3, 1, 4, 5, 6, 7, 8, 0]))
    assert other.build().goal[0] == 2


@given(st.permutations(range(12)), st.lists(st.integers(0, 11), max_size=30))
def test_slides_keep_every_tile_and_the_way_home(tiles, clicks):
    play, _ = played(tiles, 3, 4)
    was_solvable = play.position.is_solvable
    for cell in clicks:
        play.play(play.path_to(cell))
    assert sorted(cells(play)) == list(range(12))
    assert play.position.is_solvable == was_solvable
    assert parse_board(board_text(play.position)).tiles == tuple(cells(play))
    while play.can_undo:
        play.undo()
    assert cells(play) == list(tiles)


def test_steps_of_a_copy_are_its_own():
    play = SlideHistory(Position.of(SlidingParams(rows=2, cols=3), [1, 2, 3, 4, 0, 5]))
    play.play("L")
    other = play.copy()
    other.undo()
    other.play("U")
    assert play.position.n_moves == 1
    assert play.position.cells.tolist() == [1, 2, 3, 0, 4, 5]
    assert not play.can_redo
    assert other.position.cells.tolist() == [1, 0, 3, 4, 2, 5]


def test_slides_stay_on_a_board_and_nothing_else_does():
    play = SlideHistory(Position.of(SlidingParams(rows=2, cols=3), [1, 2, 3, 4, 0, 5]))
    board = play.position.board
    play.play("L")
    play.restart()
    assert play.position.board == board
    for change in (
        lambda: play.take(play.position.swapped(0, 1)),
        lambda: play.take(play.position.with_goal(Goal.BLANK_FIRST)),
        lambda: play.take(play.position.made_solvable()),
        lambda: play.take(Position.of(SlidingParams(rows=3, cols=2), [1, 2, 3, 4, 0, 5])),
    ):
        before = play.position.board
        change()
        assert play.position.board not in (before, board)
        play.undo()
        assert play.position.board == before
        play.redo()
    play.take(Position.of(SlidingParams(rows=2, cols=3), [1, 2, 3, 4, 0, 5], None, "Once more"))
    assert play.position.board == board


def test_the_slides_from_the_start_are_known_and_a_board_that_was_put_there_has_none():
    play, _ = played([1, 2, 3, 4, 0, 6, 7, 5, 8])
    assert play.moves == ""
    play.play("U")
    play.undo()
    play.play("D")
    play.play("R")
    assert play.moves == "DR"
    play.restart()
    assert play.moves == ""
    for n_moves in (2, 0):
        play.take(play.position.at(play.position.goal.copy(), n_moves))
        assert play.moves is None
    play.take(play.position.swapped(0, 1))
    play.play("L")
    assert play.moves == "L"


def test_time_to_think_after_undo_and_redo_counts():
    """Noticed: a clock that waits for the next slide, or runs at the start of a game."""
    play, clock = played([1, 2, 3, 4, 0, 5, 7, 8, 6])
    for step, seconds in (
        (partial(play.play, "U"), 0),
        (partial(play.play, "D"), 10),
        (play.undo, 20),
        (play.undo, 30),
        (play.redo, 30),
        (play.redo, 40),
        (partial(play.play, "RD"), 50),
        (play.undo, 50),
    ):
        step()
        assert play.seconds == seconds
        clock.now += 10.0
    assert play.seconds == 60


def test_a_game_has_its_time_again_when_another_board_is_undone():
    """Noticed: the clock began at zero after Scramble and Ctrl+Z."""
    play, clock = played([1, 2, 3, 4, 0, 5, 7, 8, 6])
    play.play("U")
    clock.now += 23.0
    play.take(play.position.at(play.position.start, 0))
    assert play.seconds == 0.0
    clock.now += 5.0
    play.undo()
    clock.now += 2.0
    assert play.seconds == 25.0
    play.redo()
    assert play.seconds == 0.0
    play.undo()
    play.play("D")
    assert play.seconds == 25.0
