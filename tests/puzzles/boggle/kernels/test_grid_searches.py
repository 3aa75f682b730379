"""The moves on letter grids and what they change, against counting everything again."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import naive
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.parameters import STEPS, Directions
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.boggle.solvers import local_searches
from tilelab.puzzles.boggle.solvers.local_searches import GridMoveParams, GridNeighbourhood

RULES = [
    {},
    {"adjacency": "rook"},
    {"torus": True, "stay": True},
    {"slips": 1},
    {"adjacency": "straight"},
    {"adjacency": "straight", "directions": "three", "slips": 1},
    {"reuse": "once"},
    pytest.param({"reuse": "once", "slips": 1}, marks=pytest.mark.exhaustive),
]
STRINGS = ("abba", "acid", "bad", "cab", "dabbed", "deaf", "face", "fed", "feed", "gag", "hi")
_NOTHING = 10**6
"""Stands for no path at all."""


def _place(rows, cols, params=None, strings=STRINGS, **rules):
    lexicon = parse_lexicon("\n".join(strings).encode(), "test")
    puzzle = BogglePuzzle.create(
        lexicon, BoggleParams(rows=rows, cols=cols, fitness="length", **rules)
    )
    return puzzle, GridNeighbourhood(puzzle, params or GridMoveParams())


def _least_wrong(rows, cols, rules):
    """Return what counts the wrong letters of a string in a grid's letters."""
    if rules.get("adjacency") == "straight":
        lines = naive.lines(rows, cols, STEPS[Directions(rules.get("directions", "all"))])
        return lambda letters, string: naive.least_wrong_on_lines(letters, string, lines)
    near = naive.neighbours(
        rows,
        cols,
        king=rules.get("adjacency") != "rook",
        torus=rules.get("torus", False),
        stay=rules.get("stay", False),
    )
    return lambda letters, string: naive.least_wrong(letters, string, near)


def _words(seed, n):
    return np.random.default_rng(seed).integers(0, 2**64, n, dtype=np.uint64)


def _oracle_energy(puzzle, cells, least_wrong, *, share, n_near, slips):
    """The score, and the worth of strings with up to ``n_near`` letters more than may be wrong."""
    letters = "".join(puzzle.rows_of(cells))
    energy = 0.0
    for string, value in zip(puzzle.lexicon.strings, puzzle.values, strict=True):
        wrong = max(0, min(least_wrong(letters, string), _NOTHING) - slips)
        energy += value * share**wrong if wrong <= n_near else 0.0
    return energy


@pytest.mark.parametrize("rules", RULES[:6], ids=str)
@pytest.mark.parametrize(("rows", "cols"), [(2, 3), (1, 4), (4, 4), (5, 14)])
@pytest.mark.parametrize("n_near", [1, 2])
def test_energy_and_value_after_a_walk_are_those_of_the_oracle(rules, rows, cols, n_near):
    puzzle, place = _place(rows, cols, GridMoveParams(near=n_near), **rules)
    least_wrong = _least_wrong(rows, cols, rules)
    place.place(place.random_cells(np.random.default_rng(3)))
    for seed, temperature in enumerate((np.inf, 3.0, 1.0, 0.0)):
        place.walk(_words(seed, 60), np.full(60, temperature))
        slips = rules.get("slips", 0)
        score = _oracle_energy(puzzle, place.cells, least_wrong, share=0, n_near=0, slips=slips)
        assert place.numbers.value == score == puzzle.score(place.cells)
        expected = _oracle_energy(
            puzzle, place.cells, least_wrong, share=0.25, n_near=n_near, slips=slips
        )
        assert place.numbers.energy == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("rules", RULES, ids=str)
@settings(max_examples=25, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32), temperature=st.sampled_from([0.0, 1.0, 4.0, np.inf]))
def test_what_is_known_after_a_walk_follows_from_the_cells(rules, seed, temperature):
    _, walked = _place(3, 4, **rules)
    _, fresh = _place(3, 4, **rules)
    walked.place(walked.random_cells(np.random.default_rng(seed)))
    walked.walk(_words(seed, 40), np.full(40, temperature))
    fresh.place(walked.cells)
    assert walked.numbers.energy == fresh.numbers.energy
    assert walked.numbers.value == fresh.numbers.value
    for place in (walked, fresh):
        place.walk(_words(seed + 1, 50), np.ones(50))
    assert np.array_equal(walked.cells, fresh.cells)


def test_a_cold_walk_never_loses():
    _, place = _place(4, 4)
    place.place(place.random_cells(np.random.default_rng(2)))
    for index in range(50):
        before = place.numbers.energy
        place.walk(_words(index, 20), np.zeros(20))
        assert place.numbers.energy >= before


def test_a_writing_move_completes_a_string_that_lacks_letters():
    params = GridMoveParams(swaps=0, writing=50)
    puzzle, place = _place(2, 2, params, ["abcd"])
    place.place(puzzle.parse(["ab", "aa"]))
    place.walk(_words(1, 12), np.full(12, 0.01))
    assert place.numbers.best_value == 4


def test_the_best_grid_is_kept_and_scores_as_claimed():
    puzzle, place = _place(4, 4)
    place.place(place.random_cells(np.random.default_rng(9)))
    place.walk(_words(4, 500), np.full(500, 2.0))
    assert place.numbers.best_value >= place.numbers.value
    assert puzzle.score(place.best_cells) == place.numbers.best_value


def test_a_letter_that_left_a_cell_is_forbidden_there_for_the_tenure():
    params = GridMoveParams(swaps=0, writing=0)
    puzzle, place = _place(1, 2, params, ["a", "b", "c"])
    place.place(puzzle.parse(["ab"]))
    until = np.zeros(place.shape_of_memory, np.int64)
    before = place.cells
    place.tabu(_words(1, 40).reshape(1, 40), 10, 5, until)
    changed = int(np.flatnonzero(place.cells != before)[0])
    assert 16 <= until[changed, before[changed]] <= 21
    assert np.count_nonzero(until) == 1
    place.tabu(_words(2, 400).reshape(10, 40), 11, 5, until)
    assert place.numbers.n_forbidden > 0


def _two_cells():
    puzzle, place = _place(1, 2, GridMoveParams(swaps=0, writing=0), ["a", "b", "c"])
    place.place(puzzle.parse(["ab"]))
    return place


@pytest.mark.plain
@pytest.mark.filterwarnings("ignore:overflow encountered")
@pytest.mark.parametrize("tenure", [0, 1, 5])
def test_a_letter_stays_away_for_the_tenure_to_twice_as_many_steps(tenure):
    waits = set()
    for seed in range(60):
        place = _two_cells()
        until = np.zeros(place.shape_of_memory, np.int64)
        place.tabu(_words(seed, 12).reshape(1, 12), 10, tenure, until)
        # At the step after this one, a wait of 0 would be over.
        waits.add(int(until.max()) - 11)
    assert waits == set(range(tenure, 2 * tenure + 1))


@pytest.mark.plain
@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_what_is_forbidden_is_free_again_when_its_step_has_come():
    for step, is_forbidden in ((10, True), (11, False), (12, False)):
        place = _two_cells()
        until = np.full(place.shape_of_memory, 11, np.int64)
        place.tabu(_words(1, 12).reshape(1, 12), step, 5, until)
        assert (place.numbers.n_forbidden > 0) == is_forbidden


@pytest.mark.parametrize(
    ("rows", "cols"), [(3, 4), pytest.param(5, 14, marks=pytest.mark.exhaustive)]
)
def test_a_large_lexicon_is_scored_as_a_whole(monkeypatch, rows, cols):
    monkeypatch.setattr(local_searches, "MAX_LETTERS", 0)
    puzzle, place = _place(rows, cols)
    place.place(place.random_cells(np.random.default_rng(1)))
    assert place.numbers.value == puzzle.score(place.cells)
    place.walk(_words(2, 50), np.full(50, 5.0))
    assert place.numbers.n_accepted > 0
    assert place.numbers.value == place.numbers.energy == puzzle.score(place.cells)
    assert place.numbers.best_value == puzzle.score(place.best_cells) >= place.numbers.value


def test_recalled_scores_change_no_move(monkeypatch):
    monkeypatch.setattr(local_searches, "MAX_LETTERS", 0)
    begun = [_place(2, 2, GridMoveParams(swaps=50)) for _ in range(2)]
    (puzzle, recalling), (_, forgetting) = begun
    for place in (recalling, forgetting):
        place.place(puzzle.parse(["ab", "ba"]))
    for word in _words(3, 500):
        forgetting._scratch.known[:] = 0.0
        for place in (recalling, forgetting):
            place.walk(np.array([word]), np.full(1, 1.0))
        assert np.array_equal(recalling.cells, forgetting.cells)
        assert recalling.numbers == forgetting.numbers
