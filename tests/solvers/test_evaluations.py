"""Evaluations, boards scored or generated: the budget by which all solvers are compared."""

import pytest

from tests.solvers.test_contract import CASES
from tilelab import catalog
from tilelab.core.puzzle import Puzzle
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.runs.actions import State
from tilelab.runs.recipe import Recipe
from tilelab.runs.result import outcome
from tilelab.runs.session import Limits, Session

UNITS = 6
ONE_OF_EACH = {
    (case.puzzle.spec.key, case.solver.spec.key): case
    for case in reversed(CASES)
    if not case.name.endswith("-solved")
}


def boggle() -> Puzzle:
    return BogglePuzzle.create(open_lexicon("us-states"), BoggleParams(rows=4, cols=4))


def word_tiles() -> Puzzle:
    return WordTilesPuzzle.create(open_lexicon("us-states"), WordTilesParams())


def evaluations(solver, sizes):
    return sum(solver.advance(size).evaluations for size in sizes)


@pytest.mark.every(3)
@pytest.mark.parametrize("case", ONE_OF_EACH.values(), ids=lambda case: case.name)
def test_every_solver_counts_alike_however_it_is_sliced(case):
    whole = evaluations(case.create(), [UNITS])
    assert type(whole) is int
    assert whole >= UNITS
    assert evaluations(case.create(), [1] * UNITS) == whole
    solver = case.create()
    first = evaluations(solver, [2])
    restored = case.solver.restore(case.puzzle, solver.snapshot())
    assert first + evaluations(restored, [UNITS - 2]) == whole


@pytest.mark.parametrize(
    ("puzzle", "key", "params", "a_unit"),
    [
        (boggle, "genetic", {"parents": 15}, 105),
        (boggle, "random-walk", {}, 2000),
        (boggle, "tabu", {"candidates": 300}, 6 * 300),
        (word_tiles, "bees", {"agents": 7, "steps": 11}, 77),
        (word_tiles, "random-walk", {"slides_per_iteration": 123}, 123),
    ],
)
def test_known_counts(puzzle, key, params, a_unit):
    made = puzzle()
    cls = catalog.solver(made.spec.key, key)
    solver = cls.create(made, cls.spec.params(**params), 3)
    assert evaluations(solver, [3]) == 3 * a_unit


def test_a_search_has_generated_them(finished_session):
    session = finished_session
    metrics = outcome(session)["metrics"]
    assert metrics["evaluations"] == metrics["generated"] == session.evaluations


@pytest.fixture
def finished_session():
    case = ONE_OF_EACH["sliding", "a-star"]
    session = Session()
    session.begin(Recipe(case.puzzle, "a-star", case.params, limits=Limits(units=4)))
    while session.state is State.RUNNING:
        session.run_slice()
    return session


def test_a_run_that_goes_on_from_memory_goes_on_counting(finished_session):
    other = Session()
    other.restore(finished_session.snapshot())
    assert other.evaluations == finished_session.evaluations > 0
