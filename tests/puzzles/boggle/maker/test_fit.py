"""The smallest board that holds every string: its bound, its growth, and what it finds."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilelab import catalog
from tilelab.core.errors import GridError
from tilelab.core.solver import Status
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.maker.fit import SOLVER, Fitting, _shapes, n_found_of
from tilelab.puzzles.boggle.maker.loosening import _labelled, loosened
from tilelab.puzzles.boggle.maker.packing import least_cells
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.runs.recipe import Recipe
from tilelab.runs.session import Limits

BIOLOGY = Path(__file__).parents[3].joinpath("data", "biology.txt").read_text().split()


def lexicon_of(words):
    return parse_lexicon("\n".join(words).encode(), "words")


def fitted(words, seed=1, rules=None, **sides):
    fitting = Fitting(lexicon_of(words), BoggleParams(**(rules or {})), seed=seed, **sides)
    while fitting.work():
        pass
    return fitting


@pytest.mark.parametrize(
    ("words", "rules", "least"),
    [
        (["ab", "ba"], {}, 2),
        (["all"], {}, 3),
        (["all"], {"stay": True}, 2),
        (["abab"], {}, 2),
        (["abab"], {"reuse": "once"}, 4),
        (["noon", "ono"], {"reuse": "once"}, 4),
        (["abc", "def"], {"slips": 1}, 1),
        (["abc", "defg"], {"slips": 1, "reuse": "once"}, 4),
    ],
)
def test_the_bound_counts_what_each_letter_needs(words, rules, least):
    puzzle = BogglePuzzle.create(lexicon_of(words), BoggleParams(**rules))
    assert least_cells(puzzle.lexicon, puzzle.rules) == least


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.text("abcd", min_size=2, max_size=5), min_size=1, max_size=6, unique=True),
    st.sampled_from(["any", "once"]),
    st.booleans(),
    st.integers(0, 1),
    st.integers(0, 2**32),
)
def test_no_board_with_fewer_cells_holds_all(words, reuse, stay, slips, seed):
    rules = BoggleParams(rows=2, cols=3, reuse=reuse, stay=stay, slips=slips)
    puzzle = BogglePuzzle.create(lexicon_of([*words, "abcd"]), rules)
    cells = np.random.default_rng(seed).integers(0, 4, 6, dtype=np.uint8)
    found = puzzle.report(cells).found
    if found:
        assert least_cells(lexicon_of(found), puzzle.rules) <= 6


@pytest.mark.exhaustive
def test_ten_words_of_biology_fit_four_by_six():
    fitting = fitted(BIOLOGY[:10])
    assert fitting.found.status is Status.SOLVED
    assert fitting.found.puzzle.shape == (4, 6)
    report = fitting.found.puzzle.report(fitting.found.best.cells)
    assert sorted(report.found) == sorted(BIOLOGY[:10])
    assert not fitting.is_proven
    assert fitting.bound == 18


def test_what_is_as_small_as_the_bound_is_proven():
    fitting = fitted(["ab", "ba"])
    assert fitting.found.puzzle.shape == (1, 2)
    assert fitting.is_proven


def test_two_sizes_that_fail_in_a_row_end_the_search(monkeypatch):
    """One that fails between two that do is no reason to end."""
    enough, tried = {36, 30}, []

    def attempt(fitting, shape, _effort):
        tried.append(shape)
        if shape[0] * shape[1] in enough:
            fitting.found = SimpleNamespace(puzzle=SimpleNamespace(shape=shape))
        yield True

    monkeypatch.setattr(Fitting, "_try", attempt)
    fitting = Fitting(lexicon_of(BIOLOGY[:10]), BoggleParams(), seed=1)
    fitting.found = SimpleNamespace(puzzle=SimpleNamespace(shape=(5, 8)))
    assert all(fitting._shrink())
    assert tried == [(6, 6), (5, 7), (5, 6), (4, 7), (5, 5)]
    assert fitting.found.puzzle.shape == (5, 6)


HARBOUR = "sail rope mast crane wharf tide net buoy"


@pytest.mark.parametrize(
    ("words", "most"),
    [
        (HARBOUR, 24),
        pytest.param(
            f"{HARBOUR} harbour anchor lighthouse seagull ferry captain fishmarket",
            48,
            marks=pytest.mark.exhaustive,
        ),
    ],
)
def test_words_that_use_cells_once_fit_on_small_boards(words, most):
    """Noticed: only runs without near misses look for a board, which end on a huge one."""
    fitting = fitted(words.split(), rules={"reuse": "once"})
    rows, cols = fitting.found.puzzle.shape
    assert rows * cols <= most
    assert not len(fitting.found.puzzle.report(fitting.found.best.cells).missing_indices)
    assert all(one * other < rows * cols for one, other in fitting.progress.failed)


def test_the_best_board_of_runs_that_use_cells_again_can_be_taken_at_once():
    """Noticed: no figure and no board before all of them have ended, minutes for 50 words."""
    words = f"{HARBOUR} harbour anchor lighthouse seagull ferry captain fishmarket".split()
    fitting = Fitting(lexicon_of(words), BoggleParams(reuse="once"), seed=1)
    shown = []
    while fitting.work() and fitting.n_tried == 0:
        shown.append((fitting.progress.n_found, n_found_of(fitting.best)))
    assert shown == sorted(shown)
    first = next(filter(any, shown))
    assert min(first) > 10  # a run of cells used once has some 7 in the end


def test_runs_that_use_cells_again_end_early_where_many_words_are_missing():
    """Noticed: many minutes for runs that stay far from all words."""
    rules = BoggleParams(rows=4, cols=4, reuse="once")
    puzzle, runs = BogglePuzzle.create(lexicon_of(BIOLOGY[:20]), rules), []

    def begin(session, loose, seed, n_units):
        recipe = Recipe(loose, SOLVER, Fitting.solver_params(), seed, Limits(units=n_units))
        session.begin(recipe)
        runs.append(session)

    boards = [cells for cells in loosened(puzzle, 1, 512, begin) if cells is not None]
    assert [run.units for run in runs] == [64]
    assert boards


@given(st.lists(st.text("abc", min_size=1, max_size=9), min_size=1, max_size=4))
def test_a_labelled_word_cannot_return_to_a_cell(words):
    labels = {}
    labelled = [_labelled(word, labels) for word in words]
    letters = {label: key[0] for key, label in labels.items()}
    assert ["".join(letters.get(sign, sign) for sign in word) for word in labelled] == words
    assert not any(
        sign in word[place + 2 :] or sign * 3 in word
        for word in labelled
        for place, sign in enumerate(word)
    )


def test_a_board_that_only_long_tries_find_is_not_the_largest(monkeypatch):
    """Noticed: after short tries failed on all sizes, two long ones below the largest end it."""
    tried = []

    def attempt(fitting, shape, effort):
        tried.append((shape, effort))
        fitting._now = SimpleNamespace(puzzle=SimpleNamespace(shape=shape))
        if effort > 4 and shape[0] * shape[1] >= 48:
            fitting.found = fitting._now
        yield True

    monkeypatch.setattr(Fitting, "_try", attempt)
    fitting = Fitting(lexicon_of(BIOLOGY[:10]), BoggleParams(), seed=1)
    fitting.found = None
    assert all(fitting._tries)
    assert fitting.found.puzzle.shape == (6, 8)


def test_a_fixed_side_stays():
    fitting = fitted(BIOLOGY[:5], rows=3)
    rows, cols = fitting.found.puzzle.shape
    assert rows == 3
    assert rows * cols >= fitting.bound
    assert fitting.progress.smallest == (rows, cols)


@pytest.mark.exhaustive
def test_the_board_can_be_made_again_by_an_ordinary_run():
    found = fitted(BIOLOGY[:5]).found
    params = Fitting.solver_params()
    again = catalog.solver("boggle", SOLVER).create(found.puzzle, params, found.seed)
    again.advance(found.units)
    best = again.snapshot().array("best_cells", np.uint8, None)
    assert np.array_equal(best, found.best.cells)


def test_boards_come_by_size_and_are_never_slender():
    shapes = _shapes(10, None, None)
    sizes = [rows * cols for rows, cols in shapes]
    assert sizes == sorted(sizes)
    assert sizes[0] >= 10
    assert (3, 4) in shapes
    assert (2, 8) not in shapes


def test_sides_that_are_too_small_are_refused():
    with pytest.raises(GridError, match="need 18 cells or more"):
        Fitting(lexicon_of(BIOLOGY[:10]), BoggleParams(), seed=1, rows=1, cols=4)


def test_straight_lines_are_fitted_on_boards_that_are_long_enough():
    fitting = Fitting(
        lexicon_of(["abcde", "edcba", "ace"]), BoggleParams(adjacency="straight"), seed=1
    )
    assert all(max(shape) >= 5 for shape in fitting.shapes)
    while fitting.work():
        pass
    assert sorted(fitting.found.puzzle.report(fitting.found.best.cells).found) == [
        "abcde",
        "ace",
        "edcba",
    ]
    with pytest.raises(GridError, match="longest word needs a line of 5 cells"):
        Fitting(lexicon_of(["abcde"]), BoggleParams(adjacency="straight"), seed=1, rows=4, cols=4)


def test_strings_are_packed_on_straight_lines():
    words = parse_lexicon(WORDS_STRAIGHT.encode(), "words")
    params = BoggleParams(adjacency="straight")
    fitting = Fitting(words, params, seed=1)
    shown = []
    while fitting.found is None and fitting.work():
        shown.append(fitting.progress)
    assert shown[0].smallest is None
    puzzle, best = fitting.found.puzzle, fitting.found.best
    assert not len(puzzle.report(best.cells).missing_indices)
    assert puzzle.shape[0] * puzzle.shape[1] <= 42
    assert fitting.found.units <= 1


WORDS_STRAIGHT = "cell\ngene\nenzyme\nplasma\nneuron\nnerve\nlipid\n"
