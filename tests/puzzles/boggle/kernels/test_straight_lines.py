"""Straight lines, scored and counted in layers, against all lines of a board, one by one."""

import itertools
import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import naive
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.constraints import Constraints
from tilelab.puzzles.boggle.kernels.board_sets import lane_geometry, straight_lines
from tilelab.puzzles.boggle.kernels.near_misses import count_misses, trace_misses
from tilelab.puzzles.boggle.maker.packing import has_room, least_cells
from tilelab.puzzles.boggle.parameters import STEPS, Directions
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.boggle.scorer import BoardRules, lane_board

IS_PLAIN = "NUMBA_DISABLE_JIT" in os.environ

MOST = 2


def _puzzle(strings, rows, cols, holes=(), **params):
    lexicon = parse_lexicon("\n".join(strings).encode(), "test")
    params = BoggleParams(rows=rows, cols=cols, adjacency="straight", **params)
    return BogglePuzzle.create(lexicon, params, None, Constraints(holes=holes))


@st.composite
def _boards(draw):
    rows, cols = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    n_cells = rows * cols
    letters = draw(st.text("ab?", min_size=n_cells, max_size=n_cells))
    holes = draw(st.sets(st.integers(0, n_cells - 1), max_size=min(3, n_cells - 1)))
    letters = "".join("#" if cell in holes else one for cell, one in enumerate(letters))
    strings = draw(st.sets(st.text("ab", min_size=1, max_size=5), min_size=1, max_size=10))
    return rows, cols, letters, tuple(sorted(holes)), sorted({*strings, "ab"})


@pytest.mark.plain
def test_a_word_search_reads_in_eight_directions_and_round_no_corner():
    puzzle = _puzzle(["cat", "tac", "cog", "dot", "tad", "gog", "x"], 3, 3)
    cells = puzzle.parse(["CAT", "OXA", "GOD"], foreign=True)
    assert puzzle.report(cells).found == ("cat", "cog", "tac", "tad", "x")
    assert puzzle.path(cells, "tac") == (2, 1, 0)
    assert puzzle.path(cells, "dot") is None


@pytest.mark.plain
def test_a_string_of_one_letter_counts_once():
    puzzle = _puzzle(["x"], 2, 2)
    report = puzzle.report(puzzle.parse(["XQ", "QX"], foreign=True))
    assert report.value == 1
    assert report.usage.tolist() == [1, 0, 0, 1]


@pytest.mark.plain
def test_reuse_torus_and_staying_mean_nothing():
    strings = ["aba", "abc", "aab", "bca"]
    plain = _puzzle(strings, 1, 3)
    for params in ({"reuse": "once"}, {"torus": True}, {"stay": True}):
        puzzle = _puzzle(strings, 1, 3, **params)
        assert puzzle.rules == plain.rules
    assert plain.report(plain.parse(["ABC"])).found == ("abc",)


@pytest.mark.plain
def test_a_board_needs_a_cell_for_every_letter_of_its_longest_string():
    puzzle = _puzzle(["otto", "tot"], 4, 4)
    assert least_cells(puzzle.lexicon, puzzle.rules) == 4


@pytest.mark.every(3)
@pytest.mark.plain
@pytest.mark.parametrize("directions", Directions)
@settings(max_examples=60, deadline=None, derandomize=True)
@given(board=_boards(), slips=st.integers(0, 1))
def test_scores_usage_and_places_equal_the_oracle(directions, board, slips):
    rows, cols, letters, holes, strings = board
    puzzle = _puzzle(
        strings, rows, cols, holes, directions=directions, slips=slips, fitness="length"
    )
    cells = puzzle.parse(
        [letters[at : at + cols] for at in range(0, rows * cols, cols)], foreign=True
    )
    lines = naive.lines(rows, cols, STEPS[directions], holes)
    report = puzzle.report(cells)
    usage = np.empty(rows * cols, np.int32)
    puzzle.scorer.usage(cells, usage)

    expected = np.zeros(rows * cols, int)
    total = 0.0
    for index, string in enumerate(puzzle.lexicon.strings):
        paths = naive.encodings_on_lines(letters, string, lines, slips)
        assert (index in report.found_indices) == bool(paths)
        total += puzzle.values[index] if paths else 0.0
        for _, cell in {pair for path in paths for pair in enumerate(path)}:
            expected[cell] += 1
        if paths:
            players = set().union(*paths)
            for cell in range(rows * cols):
                assert (index in report.indices_through(*divmod(cell, cols))) == (cell in players)
        path = puzzle.path(cells, string)
        assert path in paths if paths else path is None
    assert puzzle.score(cells) == report.value == total
    assert usage.tolist() == report.usage.tolist() == expected.tolist()


@pytest.mark.plain
@pytest.mark.parametrize(("rows", "cols"), [(16, 16), (9, 16), (16, 1), (1, 16), (8, 8), (5, 2)])
def test_large_boards_equal_the_oracle(rows, cols):
    rng = np.random.default_rng(5)
    strings = ["".join(one) for one in itertools.product("abc", repeat=4)] + ["abcabcab", "c"]
    puzzle = _puzzle(strings, rows, cols)
    cells = rng.integers(0, 3, rows * cols).astype(np.uint8)
    letters = "".join(puzzle.rows_of(cells))
    lines = naive.lines(rows, cols, STEPS[Directions.ALL])
    found = {one for one in strings if naive.encodings_on_lines(letters, one, lines)}
    assert set(puzzle.report(cells).found) == found


@pytest.mark.plain
@pytest.mark.parametrize(
    "directions",
    # By default without compilation, which takes longer than all cases.
    [pytest.param(one, marks=() if IS_PLAIN else pytest.mark.exhaustive) for one in Directions],
)
@settings(max_examples=15, deadline=None, derandomize=True)
@given(board=_boards())
def test_misses_and_best_paths_are_the_oracles(directions, board):
    rows, cols, letters, holes, strings = board
    rules = BoardRules(rows, cols, directions=STEPS[directions], holes=holes)
    geometry = lane_board(rules)
    n_words, n_layers = int(geometry[0]), len(STEPS[directions])
    n_lanes = n_words // n_layers
    bits = [(row // 4, 16 * (row % 4) + col) for row in range(rows) for col in range(cols)]
    letter_cells = np.zeros((2, n_words), np.uint64)
    for letter, (word, bit) in zip(letters, bits, strict=True):
        if letter in "ab":
            letter_cells["ab".index(letter), word::n_lanes] |= np.uint64(1 << bit)
    lines = naive.lines(rows, cols, STEPS[directions], holes)
    for string in strings:
        own, entry_of = np.unique(["ab".index(letter) for letter in string], return_inverse=True)
        codes = own[entry_of].astype(np.uint8)
        play, want = (np.full((len(own), n_words), 99, np.uint64) for _ in range(2))
        room = np.zeros((MOST + 1, len(string), n_words), np.uint64)
        lanes = np.zeros((3, n_words), np.uint64), straight_lines(geometry)
        place, board = (0, len(string), MOST), (letter_cells, None, geometry, None)
        rows_of = codes, entry_of.astype(np.int32)
        misses = trace_misses(*place, MOST, *rows_of, *board, room, lanes, play, want)
        assert count_misses(*place, codes, *board, room, lanes) == misses
        least, played, wanted = _traced_plainly(letters, string, lines)
        assert misses == least
        for entry, code in enumerate(own):
            for sets, expected in ((play, played), (want, wanted)):
                got = {c for c, (word, bit) in enumerate(bits) if int(sets[entry, word]) >> bit & 1}
                assert got == expected["ab"[code]]


def _traced_plainly(letters, string, lines):
    """Misses of a string; by letter, the cells that play it and those that have another."""
    paths = [
        [(cell, letters[cell], letter) for cell, letter in zip(line, string, strict=False)]
        for line in lines
        if len(line) >= len(string)
    ]
    misses = [sum(here != letter for _, here, letter in path) for path in paths]
    least = min(misses, default=MOST + 1)
    played, wanted = ({letter: set() for letter in string} for _ in range(2))
    if least > MOST:
        return MOST + 1, played, wanted
    for path, missed in zip(paths, misses, strict=True):
        for cell, here, letter in path if missed == least else ():
            (played if here == letter else wanted)[letter].add(cell)
    return least, played, wanted


@pytest.mark.plain
def test_without_directions_there_is_one_layer():
    geometry = lane_geometry(6, 6, king=True)
    assert (int(geometry[0]), int(geometry[7]), len(geometry)) == (2, 1, 10)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("rows", "cols", "directions", "has"),
    [
        (4, 1, "all", True),
        (1, 4, "all", True),
        (3, 3, "all", False),
        (4, 1, "two", True),
        (4, 3, "forwards", True),
    ],
)
def test_a_board_has_room_for_a_line(rows, cols, directions, has):
    puzzle = _puzzle(["abcd"], rows, cols, directions=directions)
    assert has_room(puzzle.lexicon, puzzle.rules) == has


@pytest.mark.plain
@pytest.mark.parametrize(("directions", "banned"), [("all", ()), ("three", ("tac",))])
def test_what_is_read_backwards_is_banned_where_lines_go_one_way(directions, banned):
    own, other = (parse_lexicon(text, "test") for text in (b"cat", b"tac\ncat"))
    params = BoggleParams(rows=3, cols=3, adjacency="straight", directions=directions)
    puzzle = BogglePuzzle.create(own, params, None, Constraints(nothing_else=other))
    assert puzzle.banned == banned
