"""The path from one board to another: possible, exact where that is cheap, short elsewhere."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import naive
from tests.instance_sets import instance_set
from tilelab.core.errors import GridError
from tilelab.puzzles.sliding.board import made_solvable
from tilelab.slides.kernels.meeting import MET, NO_SHORTER, goal_places, kind_estimate
from tilelab.slides.moves import is_solvable, replay
from tilelab.slides.path import Meeting, cheapest_pairs, numbered_boards, path_between

SIGNS = ".abcdefghijklmnop"


def _board(text):
    return np.array([SIGNS.index(sign) for sign in text], np.uint8)


def _random_pair(rows, cols, n_kinds, seed):
    rng = np.random.default_rng(seed)
    start = rng.integers(1, n_kinds + 1, rows * cols).astype(np.uint8)
    start[-1] = 0
    return start, rng.permutation(start)


@settings(max_examples=30, deadline=None)
@given(st.permutations("aabc."), st.sampled_from([(2, 3), (3, 2)]))
def test_small_boards_are_exact(tiles, shape):
    text, other = "aaabc.", "".join(["a", *tiles])
    path = path_between(_board(text), _board(other), shape[1])
    assert path.optimal
    assert len(path.moves) == naive.slides_apart(text, other, shape[1])
    assert np.array_equal(replay(_board(text), shape[1], path.moves), _board(other))


@pytest.mark.parametrize("seed", range(3))
def test_boards_of_nine_are_exact(seed):
    start, goal = _random_pair(3, 3, 4, seed)
    path = path_between(start, goal, 3)
    text, other = ("".join(SIGNS[tile] for tile in board) for board in (start, goal))
    assert (len(path.moves), path.optimal) == (naive.slides_apart(text, other, 3), True)


@pytest.mark.parametrize("seed", range(8))
def test_a_bound_leaves_the_shortest_way_and_no_longer_one(seed):
    start, goal = _random_pair(3, 3, 4, seed)
    text, other = ("".join(SIGNS[tile] for tile in board) for board in (start, goal))
    fewest = naive.slides_apart(text, other, 3)
    meeting = Meeting(start, goal, 3, 20_000)
    assert meeting.run(fewest + 1) == MET
    assert len(meeting.text()) == fewest
    assert np.array_equal(replay(start, 3, meeting.text()), goal)
    assert Meeting(start, goal, 3, 20_000).run(fewest) == NO_SHORTER


@given(st.permutations(".aabbbccccde"), st.permutations(".aabbbccccde"))
def test_the_estimate_is_the_cheapest_pairing_of_up_to_three_and_never_above_it(one, other):
    board, goal, cols = _board("".join(one)), _board("".join(other)), 4
    near, places = np.empty((6, 12), np.int64), np.empty((6, 12), np.int64)
    n_places = np.empty(6, np.int64)
    goal_places(goal, cols, 6, near, places, n_places)
    for kind in range(1, 6):
        ours, theirs = np.flatnonzero(board == kind), np.flatnonzero(goal == kind)
        least = min(
            sum(
                abs(here // cols - there // cols) + abs(here % cols - there % cols)
                for here, there in zip(ours, order, strict=True)
            )
            for order in itertools.permutations(theirs)
        )
        estimate = kind_estimate(board, kind, places, n_places, near, cols)
        assert estimate == least if len(ours) <= 3 else estimate <= least


def test_boards_of_different_tiles_agree_with_the_fifteen_puzzles_known_lengths():
    # Board 79 of Korf's hundred has 42 moves at the least, board 12 has 45.
    for number in (79, 12):
        puzzle = instance_set("korf100").puzzle(number)
        path = path_between(puzzle.start, puzzle.goal, 4)
        optimal = instance_set("korf100").instances()[number - 1].optimal
        assert len(path.moves) >= optimal
        assert (len(path.moves) == optimal) or not path.optimal
        assert len(path.moves) <= optimal + 4
        assert np.array_equal(puzzle.replay(path.moves), puzzle.goal)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("rows", "cols", "longest"),
    [(2, 10, 140), (4, 4, 60), (5, 5, 120), (7, 9, 700)],
)
def test_ways_on_larger_boards_are_possible_and_short(rows, cols, longest):
    start, goal = _random_pair(rows, cols, 9, 4)
    path = path_between(start, goal, cols)
    assert np.array_equal(replay(start, cols, path.moves), goal)
    assert 0 < len(path.moves) <= longest
    assert path == path_between(start.copy(), goal.copy(), cols)


def test_no_way_at_all_and_no_move_at_all():
    start = _board("abcde.")
    assert path_between(start, start, 3) == ("", True)
    with pytest.raises(GridError, match="cannot lead"):
        path_between(start, made_solvable(start), 3)
    with pytest.raises(GridError, match="same tiles"):
        path_between(start, _board("abcdf."), 3)


def test_exchanging_equal_tiles_mends_the_parity():
    start, goal = _board("aabcd."), _board("aabdc.")
    pairs = numbered_boards(start, goal, 3, 4)
    assert pairs
    for tiles, numbers in pairs:
        assert sorted(tiles) == list(range(6))
        assert is_solvable(tiles, numbers, 3)
        assert [goal[numbers == tile][0] for tile in tiles] == start.tolist()


def test_an_even_number_of_exchanges_keeps_the_parity():
    start, goal = _board("aabb.c"), _board("bbaa.c")
    pairs = numbered_boards(start, goal, 3, 4)
    assert len({tiles.tobytes() for tiles, _ in pairs}) == len(pairs) == 2


@given(st.integers(1, 6), st.integers(0, 10**6))
def test_the_pairs_are_the_cheapest(n, seed):
    costs = np.random.default_rng(seed).integers(0, 9, (n, n))
    columns = cheapest_pairs(costs)
    assert sorted(columns) == list(range(n))
    least = min(
        sum(costs[row, col] for row, col in enumerate(order))
        for order in itertools.permutations(range(n))
    )
    assert costs[np.arange(n), columns].sum() == least
