"""Boards of sliding tiles: faults, parity, moves, scrambles, texts, sets."""

import itertools
from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.instance_sets import instance_set
from tilelab import catalog
from tilelab.core.errors import GridError, RunError, UsageError
from tilelab.core.puzzle import Best
from tilelab.puzzles.sliding.board import (
    Goal,
    SlidingParams,
    board_from_tiles,
    goal_board,
    made_solvable,
    scrambled,
)
from tilelab.puzzles.sliding.flags import tile_set, tile_sets
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle, UnsolvableError
from tilelab.puzzles.sliding.text import parse_board, parse_boards
from tilelab.slides.moves import is_solvable, replay

FAULTS = {
    "twice": ([1, 2, 3, 4, 5, 5, 7, 8, 0], "tile 5 appears twice; each of 0..8 must appear once"),
    "no blank": ([1, 2, 3, 4, 5, 6, 7, 8, 9], "the blank, 0, is missing"),
    "no blank, nor its cell": ([1, 2, 3, 4, 5, 6, 7, 8], "the blank, 0, is missing"),
    "two blanks": ([0, 2, 3, 4, 5, 6, 7, 8, 0], "the blank, 0, appears twice"),
    "foreign": ([1, 2, 3, 4, 5, 9, 7, 8, 0], "tile 9 is outside 0..8"),
    "negative": ([1, 2, 3, 4, 5, -1, 7, 8, 0], "tile -1 is outside 0..8"),
    "too few": ([1, 2, 3, 4, 5, 6, 7, 0], "a board of 3×3 has 9 cells, the blank included, not 8"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_in_a_board_names_the_tile(case):
    tiles, said = FAULTS[case]
    with pytest.raises(GridError, match=said.replace("(", r"\(")):
        board_from_tiles(tiles, 3, 3)


def test_an_unsolvable_board_is_refused_and_can_be_mended():
    tiles = [1, 2, 3, 4, 5, 6, 8, 7, 0]
    params = SlidingParams(rows=3, cols=3)
    with pytest.raises(UnsolvableError, match="1 2 3 4 5 6 8 7 0"):
        SlidingPuzzle.create(params, tiles)
    mended = made_solvable(np.array(tiles, np.uint8))
    assert mended.tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 0]
    SlidingPuzzle.create(params, mended)


@pytest.mark.parametrize(("rows", "cols"), [(2, 2), (2, 3), (3, 2)])
@pytest.mark.parametrize("goal", [Goal.BLANK_LAST, Goal.BLANK_FIRST])
def test_parity_agrees_with_trying_everything(rows, cols, goal):
    target = goal_board(rows, cols, goal)
    reached, waiting = {tuple(target.tolist())}, [target]
    while waiting:
        cells = waiting.pop()
        for move in "UDLR":
            try:
                after = replay(cells, cols, move)
            except RunError:
                continue
            if tuple(after.tolist()) not in reached:
                reached.add(tuple(after.tolist()))
                waiting.append(after)
    for tiles in itertools.permutations(range(rows * cols)):
        cells = np.array(tiles, np.uint8)
        assert is_solvable(cells, target, cols) == (tiles in reached)


def test_moves_are_the_way_of_the_blank():
    goal = goal_board(2, 3, Goal.BLANK_LAST)
    assert goal.tolist() == [1, 2, 3, 4, 5, 0]
    assert replay(goal, 3, "UL").tolist() == [1, 0, 2, 4, 5, 3]
    assert replay(goal, 3, "ULRD").tolist() == goal.tolist()
    with pytest.raises(RunError, match="move 2, 'U', is not possible"):
        replay(goal, 3, "UU")
    with pytest.raises(RunError, match="'X'"):
        replay(goal, 3, "X")


def test_scrambles_are_solvable_and_uniform():
    goal = goal_board(2, 3, Goal.BLANK_LAST)
    counts = {}
    for seed in range(3600):
        cells = scrambled(goal, 3, seed)
        assert is_solvable(cells, goal, 3)
        key = tuple(cells.tolist())
        counts[key] = counts.get(key, 0) + 1
    assert len(counts) == 360
    # Ten a board on average: a fair draw stays far below thirty.
    assert max(counts.values()) < 30


def test_random_slides_never_go_straight_back():
    goal = goal_board(3, 3, Goal.BLANK_FIRST)
    one = scrambled(goal, 3, 4, n_slides=1)
    assert not np.array_equal(one, goal)
    two = scrambled(goal, 3, 4, n_slides=2)
    assert not np.array_equal(two, goal)
    assert is_solvable(scrambled(goal, 3, 4, n_slides=77), goal, 3)


BOARD = (1, 2, 3, 4, 0, 6, 7, 5, 8)
TEXTS = [
    "1 2 3 4 0 6 7 5 8",
    "1,2,3,4,_,6,7,5,8",
    "1 2 3\n4 . 6\n7 5 8\n",
    "[[1, 2, 3], [4, 0, 6], [7, 5, 8]]",
    "| 1 | 2 | 3 |\n+---+---+---+\n| 4 | x | 6 |\n| 7 | 5 | 8 |",
    "# a comment\n123406758",
    "(1;2;3;4;0;6;7;5;8)",
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_board_is_read_in_any_usual_form(text):
    assert parse_board(text) == (BOARD, 3, 3)


def test_the_shape_is_given_or_read_from_the_lines():
    assert parse_board("1 2 3 4\n5 6 7 0")[1:] == (2, 4)
    assert parse_board("1 2 3 4 5 6 7 0", cols=2)[1:] == (4, 2)
    assert parse_board("1 2 3 4 5 6 7 0", rows=2)[1:] == (2, 4)
    with pytest.raises(GridError, match="8 cells, with that of the blank, make no square"):
        parse_board("1 2 3 4 5 6 7 0")


@pytest.mark.parametrize(
    "text", ["2 1 3 | 4 5 0", "|2 1 3|4 5 0|", "[[2,1,3],[4,5,0]]", "[2 1 3; 4 5 _]"]
)
def test_bars_and_brackets_end_the_rows_of_a_board_in_one_line(text):
    """Noticed: bars that the window offers were read as spaces, so the board had no shape."""
    assert parse_board(text) == ((2, 1, 3, 4, 5, 0), 2, 3)
    assert parse_boards(f"{text}\n{text}\n") == [((2, 1, 3, 4, 5, 0), 2, 3)] * 2
    assert parse_board(text, cols=2)[1:] == (3, 2)


@pytest.mark.parametrize(
    "text", ["1 2 | 3 4 5 0", "2|1|3|4|5|0", "| 2 1 3 4 5 0 |", "1/2 1 3 4 5 0"]
)
def test_other_bars_give_a_board_no_shape(text):
    """Noticed: a board of one column, of one row or with rows of different lengths."""
    for read in (parse_board, parse_boards):
        with pytest.raises(GridError, match=r"columns|equal rows"):
            read(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("1 2 a 0", "'a' is not a tile"),
        ("1 ٣ 2 0", "not a tile"),
        ("words of a text", "'words of a text' is no board"),
        ("words of\nsome lines\n", "'words of some lines' is no board"),
        ("1 2 3 4 5 6 7 8", "no blank; one tile must be 0 or _"),
        ("1 2 3 4 5 6 0", "7 cells, with that of the blank, make no board of equal rows"),
    ],
)
def test_a_text_that_is_no_board_says_why(text, said):
    with pytest.raises(GridError, match=said):
        parse_board(text)


def test_many_boards_are_read_from_one_text():
    table = "number,tiles\n1,1 2 3 0\n2,3 2 1 0\n"
    assert [board.tiles for board in parse_boards(table)] == [(1, 2, 3, 0), (3, 2, 1, 0)]
    assert len(parse_boards("1 2\n3 0\n\n0 1\n2 3\n")) == 2
    assert parse_boards("1 2\n3 0\n")[0].tiles == (1, 2, 3, 0)
    with pytest.raises(GridError, match="is no board"):
        parse_boards("# nothing\n")


@pytest.mark.parametrize("size", [(None, None), (4, 4)])
@pytest.mark.parametrize("end", [" ", "\n"])
def test_a_board_larger_than_all_is_not_measured_by_one_that_is_shown(size, end):
    """Noticed: *a board of 4×4 has 16 cells, not 289*, which asks for more rows than there are."""
    text = "".join(f"{tile}{' ' if tile % 17 else end}" for tile in reversed(range(17 * 17)))
    with pytest.raises(GridError, match="289 cells are too many; a board has at most 16×16"):
        parse_boards(text, *size)


@given(st.permutations(range(12)))
def test_text_goes_round(tiles):
    puzzle = SlidingPuzzle.create(SlidingParams(rows=3, cols=4))
    cells = board_from_tiles(tiles, 3, 4)
    assert np.array_equal(puzzle.parse(puzzle.rows_of(cells)), cells)
    assert parse_board("\n".join(puzzle.rows_of(cells))).tiles == tuple(tiles)


PRINTED = {  # boards, and the sums of their Manhattan distances, shortest and found lengths
    "deepcubea15": (500, 18_191, 26_011, 26_011),
    "deepcubea24": (496, 32_346, 44_348, 44_350),
    "deepcubea35": (500, 45_916, 0, 62_326),
    "deepcubea48": (500, 97_531, 0, 127_835),
    "clausecker400": (386, 29_183, 39_007, 0),
}


def test_the_sets_are_solvable_and_ordered():
    known = ["korf100", "hasan25", "hasan28", "damodaran", "hardest-eight", "korf24"]
    assert list(tile_sets()) == [*known, *PRINTED]
    for key, boards in tile_sets().items():
        numbers = [instance.number for instance in boards.instances()]
        assert numbers == list(range(1, boards.n_boards + 1))
        for number in numbers:
            assert instance_set(key).puzzle(number).shape == (boards.rows, boards.cols)
    assert sum(instance.optimal for instance in instance_set("korf100").instances()) == 5305
    assert sum(instance.optimal for instance in instance_set("korf24").instances()) == 5039
    with pytest.raises(GridError, match="no board 101"):
        instance_set("korf100").puzzle(101)
    with pytest.raises(UsageError, match="korf100, hasan25"):
        instance_set("nobody")


@pytest.mark.parametrize("key", PRINTED)
def test_large_sets_have_the_printed_sums(key):
    boards, manhattan = tile_set(key), catalog.heuristics()["manhattan"]
    sums = np.array([boards.n_boards, 0, 0, 0])
    for number, tiles, optimal, found, goal in map(astuple, boards.instances()):
        target = goal_board(boards.rows, boards.cols, goal).tolist()
        distance = manhattan.oracle(tiles, target, boards.cols)
        lengths = [length for length in (optimal, found) if length is not None]
        assert [distance, *lengths] == sorted([distance, *lengths]), number
        assert {(length - distance) % 2 for length in lengths} == {0}, number
        sums += 0, distance, optimal or 0, found or 0
    assert tuple(sums) == PRINTED[key]


def test_a_set_may_have_boards_for_two_goals():
    boards = instance_set("hasan28")
    goals = [boards.puzzle(number).goal.tolist() for number in range(1, 29)]
    assert goals == [[*range(16)]] * 11 + [[*range(1, 16), 0]] * 17
    assert {instance.optimal for instance in boards.instances()} == {80}


def test_a_sum_of_distances_is_the_least_that_is_needed():
    """Noticed: "28 to goal" of a board that is 34 moves from it; a film whose best is -28."""
    puzzle = SlidingPuzzle.create(SlidingParams(rows=3, cols=3), [8, 6, 7, 2, 5, 4, 3, 0, 1])
    best = Best(puzzle.start, puzzle.score(puzzle.start), 0)
    assert puzzle.worth(best) == puzzle.best_words(best) == "nearest: 21+ to goal"
    solved = Best(puzzle.goal, 0.0, 0, "LR")
    assert puzzle.best_words(solved) == "best 2 moves"


def test_a_goal_may_be_any_board():
    goal = [0, 8, 7, 6, 5, 4, 3, 2, 1]
    start = replay(np.array(goal, np.uint8), 3, "RDDLU")
    puzzle = SlidingPuzzle.create(SlidingParams(rows=3, cols=3, goal=Goal.BOARD), start, goal)
    assert puzzle.distance(puzzle.start) == 5
    with pytest.raises(GridError, match="goal board"):
        SlidingPuzzle.create(SlidingParams(rows=3, cols=3, goal=Goal.BOARD), start)
