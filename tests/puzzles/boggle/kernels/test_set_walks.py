"""The set-walking kernels against the naive oracle, under every rule."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import naive
from tilelab.kernels.decorators import kernel
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.kernels.board_sets import (
    is_plain,
    lane_geometry,
    small_geometry,
    spread,
    spread_by,
    spread_lanes,
)
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle

RULES = [
    {},
    {"adjacency": "rook"},
    {"torus": True},
    {"stay": True},
    {"adjacency": "rook", "torus": True, "stay": True},
    {"slips": 1},
    {"reuse": "once"},
    {"reuse": "once", "slips": 1},
    {"reuse": "once", "torus": True, "adjacency": "rook"},
    {"slips": 1, "torus": True, "stay": True},
]


def _oracle_rules(rules):
    board = {
        "king": rules.get("adjacency") != "rook",
        "torus": rules.get("torus", False),
        "stay": rules.get("stay", False),
    }
    return board, {"once": rules.get("reuse") == "once", "slips": rules.get("slips", 0)}


def _puzzle(strings, rows, cols, **rules):
    text = "\n".join(strings)
    lexicon = parse_lexicon(text.encode(), "test")
    return BogglePuzzle.create(lexicon, BoggleParams(rows=rows, cols=cols, **rules))


@pytest.mark.plain
def test_the_papers_example_encodes_fete_and_not_feet():
    puzzle = _puzzle(["fete", "feet", "z"], 2, 2)
    report = puzzle.report(puzzle.parse(["FE", "TZ"]))
    assert report.found == ("fete", "z")
    assert [report.strings[index] for index in report.missing_indices] == ["feet"]
    assert puzzle.score(puzzle.parse(["FE", "TZ"])) == 2


@pytest.mark.plain
def test_usage_of_the_papers_example():
    puzzle = _puzzle(["fete"], 2, 2)
    report = puzzle.report(puzzle.parse(["FE", "TE"]))
    # F once; both E can play either e; T once.
    assert report.usage.tolist() == [1, 2, 1, 2]


@pytest.mark.plain
@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 3), (3, 1), (2, 2), (2, 3), (3, 3), (4, 5)])
@pytest.mark.parametrize("king", [True, False])
@pytest.mark.parametrize("torus", [True, False])
@pytest.mark.parametrize("stay", [True, False])
def test_a_cell_spreads_to_its_neighbours(rows, cols, king, torus, stay):
    near = naive.neighbours(rows, cols, king=king, torus=torus, stay=stay)
    small = small_geometry(rows, cols, king=king, torus=torus, stay=stay)
    lanes = lane_geometry(rows, cols, king=king, torus=torus, stay=stay)
    out = np.zeros(int(lanes[0]), np.uint64)
    for cell, expected in enumerate(near):
        got = int(spread(np.uint64(1 << cell), small))
        assert {other for other in range(rows * cols) if got >> other & 1} == expected
        if is_plain(small):
            assert spread_by(np.uint64(1 << cell), small, True) == got
        assert _spread_in_lanes(cell, cols, lanes, out) == expected


@pytest.mark.parametrize(("rows", "cols"), [(16, 16), (16, 1), (1, 16), (9, 16), (5, 2), (8, 8)])
@pytest.mark.parametrize("torus", [True, False])
def test_large_boards_spread_in_lanes(rows, cols, torus):
    near = naive.neighbours(rows, cols, torus=torus)
    lanes = lane_geometry(rows, cols, king=True, torus=torus, stay=False)
    out = np.zeros(int(lanes[0]), np.uint64)
    for cell, expected in enumerate(near):
        assert _spread_in_lanes(cell, cols, lanes, out) == expected


@kernel
def spread_by_kernel(cells, geometry, near):
    """What only kernels can call."""
    spread_lanes(cells, geometry, None, near)


def _spread_in_lanes(cell, cols, lanes, out):
    cells = np.zeros(len(out), np.uint64)
    row, col = divmod(cell, cols)
    cells[row // 4] = np.uint64(1 << (16 * (row % 4) + col))
    spread_by_kernel(cells, lanes, out)
    whole = int.from_bytes(out.astype("<u8").tobytes(), "little")
    return {
        row * cols + col for row in range(16) for col in range(16) if whole >> 16 * row + col & 1
    }


@st.composite
def _instances(draw):
    rows, cols = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    letters = "abc"[: draw(st.integers(1, 3))]
    strings = draw(st.sets(st.text(letters, min_size=1, max_size=5), min_size=1, max_size=12))
    cells = draw(st.text(letters, min_size=rows * cols, max_size=rows * cols))
    return sorted(strings), rows, cols, cells


@pytest.mark.parametrize("rules", RULES, ids=str)
@settings(max_examples=25, deadline=None, derandomize=True)
@given(instance=_instances())
def test_scores_usage_and_places_equal_the_oracle(rules, instance):
    strings, rows, cols, letters = instance
    puzzle = _puzzle(strings, rows, cols, fitness="length", **rules)
    strings = puzzle.lexicon.strings
    cells = puzzle.parse(
        [letters[row * cols : row * cols + cols] for row in range(rows)], foreign=True
    )
    board, search = _oracle_rules(rules)
    near = naive.neighbours(rows, cols, **board)
    report = puzzle.report(cells)
    usage = np.empty(rows * cols, np.int32)
    puzzle.scorer.usage(cells, usage)

    score = naive.grid_score(letters, strings, puzzle.values, near, **search)
    assert puzzle.score(cells) == score == report.value
    assert usage.tolist() == naive.cell_usage(letters, strings, near, **search)
    assert report.usage.tolist() == usage.tolist()
    for index in report.found_indices:
        players = {
            c for path in naive.encodings(letters, strings[index], near, **search) for c in path
        }
        for cell in range(rows * cols):
            through = index in report.indices_through(*divmod(cell, cols))
            assert through == (cell in players)
        path = puzzle.path(cells, strings[index])
        assert path in set(naive.encodings(letters, strings[index], near, **search))
    for index in report.missing_indices:
        assert puzzle.path(cells, strings[index]) is None


@settings(max_examples=25, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(1, 16), cols=st.integers(1, 16))
def test_small_and_lane_walks_agree_at_any_size(seed, rows, cols):
    rng = np.random.default_rng(seed)
    strings = {"".join(rng.choice(list("aeinrst"), size=rng.integers(1, 7))) for _ in range(200)}
    puzzle = _puzzle(sorted(strings), rows, cols)
    cells = rng.integers(0, len(puzzle.lexicon.alphabet), rows * cols).astype(np.uint8)
    report = puzzle.report(cells)
    usage = np.empty(rows * cols, np.int32)
    puzzle.scorer.usage(cells, usage)
    assert puzzle.score(cells) == report.value == len(report.found)
    assert usage.tolist() == report.usage.tolist()


def test_a_full_board_of_sixteen_by_sixteen_equals_the_oracle():
    puzzle = _puzzle(["abc", "cab", "aa", "bcd", "dcba"], 16, 16)
    rng = np.random.default_rng(3)
    cells = rng.integers(0, 4, 256).astype(np.uint8)
    letters = "".join(puzzle.rows_of(cells))
    near = naive.neighbours(16, 16)
    assert puzzle.score(cells) == naive.grid_score(
        letters, puzzle.lexicon.strings, puzzle.values, near
    )
    usage = naive.cell_usage(letters, puzzle.lexicon.strings, near)
    assert puzzle.report(cells).usage.tolist() == usage


def test_symbols_of_no_string_encode_nothing():
    puzzle = _puzzle(["ab"], 1, 3)
    cells = puzzle.parse(["Q?A"], foreign=True)
    assert puzzle.score(cells) == 0
    assert puzzle.report(cells).found == ()
