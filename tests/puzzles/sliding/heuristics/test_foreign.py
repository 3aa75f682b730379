"""A heuristic from outside has all searches at its service, and its errors are reported as its
own."""

import os

import numpy as np
import pytest

from tilelab import catalog
from tilelab.core.errors import ParameterError, TileLabError
from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.parameters import describe, validate
from tilelab.core.registry import HEURISTICS, SOLVERS, register_heuristic
from tilelab.kernels.decorators import kernel
from tilelab.puzzles.sliding.board import Goal, SlidingParams, goal_board, scrambled
from tilelab.puzzles.sliding.heuristics import oracles
from tilelab.puzzles.sliding.heuristics.evaluation import Evaluation
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle

COMPILED = "NUMBA_DISABLE_JIT" not in os.environ
SEARCHES = [
    key
    for key, cls in catalog.solvers("sliding").items()
    if "heuristic" in cls.spec.params.model_fields
]


@kernel
def rows_and_cols(cells, places, cols, row_table, col_table):
    """The Manhattan distance once more, by another road."""
    total = 0
    for cell in range(cells.shape[0]):
        place = places[cells[cell]] if cells[cell] else cell
        total += max(cell // cols, place // cols) - min(cell // cols, place // cols)
        total += max(cell % cols, place % cols) - min(cell % cols, place % cols)
    return total


@kernel
def below(cells, places, cols, row_table, col_table):
    """One less than nothing, unless the first tile is at the first cell."""
    return 0 if cells[0] == 8 else -1


@kernel
def of_four(cells, places, cols, row_table):
    return 0


@kernel
def of_text(cells, places, cols, row_table, col_table):
    return "far"


def unmarked(cells, places, cols, row_table, col_table):
    return 0


@pytest.fixture
def foreign():
    """Registers heuristics for the length of a test."""
    before = dict(HEURISTICS)

    def register(function, key="foreign"):
        return register_heuristic(
            HeuristicSpec(key, "Of a plug-in", "nobody", function, oracles.manhattan, True, True)
        )

    yield register
    HEURISTICS.clear()
    HEURISTICS.update(before)


def _eight():
    start = scrambled(goal_board(3, 3, Goal.BLANK_LAST), 3, 4, n_slides=25)
    return SlidingPuzzle.create(SlidingParams(rows=3, cols=3), start)


def _solve(key, puzzle, heuristic):
    cls = SOLVERS["sliding", key]
    params = validate(cls.spec.params, {"heuristic": heuristic, "memory": 64, "block": 20})
    solver = cls.create(puzzle, params, 1)
    progress = solver.advance(5000)
    return progress.trace[:, 1:6].tolist(), progress.best.moves, progress.best.optimal


@pytest.mark.every(3)
@pytest.mark.parametrize("key", SEARCHES)
def test_every_search_uses_it(key, foreign):
    foreign(rows_and_cols)
    trace, moves, optimal = _solve(key, _eight(), "foreign")
    if key == "ida-star":  # from scratch it tries the moves in another order than step by step
        assert (len(moves), optimal) == (len(_solve(key, _eight(), "manhattan")[1]), True)
    else:
        assert (trace, moves, optimal) == _solve(key, _eight(), "manhattan")


def test_the_parameter_knows_it_while_it_is_registered(foreign):
    params = SOLVERS["sliding", "a-star"].spec.params
    with pytest.raises(ParameterError, match=r"'foreign' is not one of .*manhattan"):
        validate(params, {"heuristic": "foreign"})
    foreign(rows_and_cols)
    assert validate(params, {"heuristic": "foreign"}).heuristic == "foreign"
    (spec,) = (spec for spec in describe(params) if spec.name == "heuristic")
    titles = dict(zip(spec.choices, spec.choice_titles, strict=True))
    assert titles["foreign"] == "Of a plug-in"


def test_an_estimate_below_zero_ends_the_search_with_an_error(foreign):
    spec = foreign(below)
    message = "'foreign' gives an estimate that is outside 0..1048576"
    with pytest.raises(TileLabError, match=message):
        Evaluation.towards(spec, goal_board(3, 3, Goal.BLANK_LAST), 3).of(np.arange(9))
    puzzle = SlidingPuzzle.create(SlidingParams(rows=3, cols=3), [8, 6, 7, 2, 5, 4, 3, 0, 1])
    with pytest.raises(TileLabError, match=message):
        _solve("a-star", puzzle, "foreign")


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("function", "said"),
    [
        (of_four, "the kernel .*of_four cannot be compiled"),
        (of_text, "the kernel .*of_text cannot be compiled"),
        (unmarked, "unmarked is not marked as a kernel"),
    ],
)
def test_a_kernel_that_does_not_fit_is_named(function, said, foreign):
    with pytest.raises(TileLabError, match=f"^heuristic 'foreign': {said}[^\\\\]*$"):
        Evaluation.towards(foreign(function), goal_board(3, 3, Goal.BLANK_LAST), 3)
