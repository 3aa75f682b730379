"""A board of a level: all strings stay in, the level is reached or it is said that it is not."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilelab.core.solver import Status
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.constraints import Constraints
from tilelab.puzzles.boggle.difficulty import LEVELS, band_of, difficulty_of
from tilelab.puzzles.boggle.maker.aim import Aiming, Tuning
from tilelab.puzzles.boggle.maker.packing import lay_out_words
from tilelab.puzzles.boggle.parameters import STEPS, Directions
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle

BIOLOGY = Path(__file__).parents[3].joinpath("data", "biology.txt").read_text().split()


def lexicon_of(words):
    return parse_lexicon("\n".join(words).encode(), "words")


def aimed(level, *, words=BIOLOGY[:10], seed=1, rules=None, **more):
    aiming = Aiming(lexicon_of(words), BoggleParams(**(rules or {})), level, seed=seed, **more)
    while aiming.work():
        pass
    return aiming


def board_of(aiming):
    return aiming.best.best.cells.tolist(), aiming.best.puzzle.shape


def test_the_bands_are_those_of_the_words():
    assert [band_of(level) for level in LEVELS] == [(0, 33), (34, 66), (67, 100)]


@pytest.mark.parametrize(
    ("level", "rules"),
    [
        ("easy", {}),
        ("medium", {}),
        ("hard", {}),
        ("easy", {"adjacency": "straight"}),
        ("medium", {"adjacency": "straight"}),
        ("easy", {"reuse": "once", "adjacency": "rook"}),
    ],
)
def test_a_level_is_reached_with_all_strings_in(level, rules):
    aiming = aimed(level, rules=rules)
    puzzle, cells = aiming.found.puzzle, aiming.found.best.cells
    assert aiming.found.status is Status.SOLVED
    assert np.array_equal(puzzle.start, cells)
    report = puzzle.report(cells)
    assert sorted(report.found) == sorted(BIOLOGY[:10])
    measured = difficulty_of(report.rows, report.found, puzzle.rules)
    assert measured.word == level
    assert aiming.is_reached
    assert aiming.verdict == f"{level} requested; {measured.figure} of 100, {level}"


def test_easy_straight_lines_go_down_and_to_the_right():
    found = aimed("easy", rules={"adjacency": "straight"}).found
    assert found.puzzle.params.directions is Directions.FORWARDS
    chosen = aimed("easy", rules={"adjacency": "straight", "directions": "square"}).found
    assert chosen.puzzle.params.directions is Directions.SQUARE


def test_the_same_seed_gives_the_same_board():
    one, other, third = (aimed("hard", seed=seed) for seed in (7, 7, 8))
    assert board_of(one) == board_of(other)
    assert board_of(one) != board_of(third)


@pytest.mark.exhaustive
def test_it_is_said_when_a_level_is_not_reached():
    aiming = aimed("hard", words=["ab", "ba"], rows=1, cols=2)
    assert not aiming.is_reached
    assert aiming.verdict.endswith("not reached")
    assert sorted(aiming.found.puzzle.report(aiming.found.best.cells).found) == ["ab", "ba"]
    crowded = aimed("easy", words=["abc", "cab", "bde"], rows=1, cols=5)
    assert crowded.found is None
    assert "no tried board holds all words" in crowded.verdict
    assert crowded.best.puzzle.shape == (1, 5)


def test_a_board_of_fixed_sides_gets_more_patience():
    """Noticed: four short tries, and no board, where a longer one finds it."""
    words = ["planet", "comet", "moon", "star", "saturn", "mars", "orbit"]
    assert aimed("medium", words=words, rules={"reuse": "once"}, rows=5, cols=5).found


def test_what_is_found_before_the_end_can_be_taken():
    lexicon = lexicon_of(BIOLOGY[:10])
    aiming = Aiming(lexicon, BoggleParams(adjacency="straight"), "hard", seed=1)
    while aiming.found is None:
        assert aiming.work()
    for _ in range(3):
        aiming.work()
    assert aiming.difficulty is not None
    assert aiming.progress.figure == aiming.difficulty.figure
    report = aiming.found.puzzle.report(aiming.found.best.cells)
    assert len(report.found) == 10


def test_one_tile_with_qu_is_one_symbol():
    words = ["queen", "quiet", "squid", "tend"]
    aiming = aimed("easy", words=words, rules={"qu_tile": True})
    puzzle, cells = aiming.found.puzzle, aiming.found.best.cells
    assert sorted(puzzle.report(cells).found) == words
    assert aiming.is_reached


def test_banned_strings_stay_out_and_holes_stay_holes():
    asked = Constraints(required=("cell",), forbidden=("sun", "pig"), holes=(0, 7, 56, 63))
    aiming = aimed("medium", constraints=asked, rows=8, cols=8)
    puzzle, cells = aiming.found.puzzle, aiming.found.best.cells
    report = puzzle.report(cells)
    assert not report.forbidden_found
    assert [cell for cell, sign in enumerate("".join(report.rows)) if sign == "#"] == [0, 7, 56, 63]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.text("abcde", min_size=2, max_size=5), min_size=1, max_size=6, unique=True),
    st.sampled_from(LEVELS),
    st.sampled_from([{}, {"reuse": "once"}, {"adjacency": "straight"}, {"torus": True}]),
    st.integers(0, 2**32),
)
def test_tuning_never_loses_a_string_nor_ground(words, level, rules, seed):
    puzzle = BogglePuzzle.create(lexicon_of(words), BoggleParams(rows=8, cols=9, **rules))
    cells = lay_out_words(puzzle, STEPS[Directions.TWO], seed)
    assert cells is not None
    assert len(puzzle.report(cells).found) == len(words)
    tuning = Tuning(puzzle, cells, level, seed)
    before = tuning.nearest
    tuning.advance(150)
    report = puzzle.report(tuning.cells)
    assert len(report.found) == len(words)
    assert tuning.nearest <= before
    assert difficulty_of(report.rows, report.found, puzzle.rules) == tuning.difficulty
