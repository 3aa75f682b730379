"""Annealing, hill climbing, tabu search and the random walk on letter grids."""

import random

import pytest

from tests import naive
from tilelab import catalog
from tilelab.core.solver import Status
from tilelab.letters.builtin import open_lexicon
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.boggle.solvers.local_searches import (
    Annealing,
    AnnealingParams,
    HillClimbing,
    HillClimbingParams,
)

KEYS = ("annealing", "hill-climbing", "tabu", "random-walk")


def _states(side, **params):
    return BogglePuzzle.create(
        open_lexicon("us-states"),
        BoggleParams(rows=side, cols=side, fitness="length", **params),
    )


def _advanced(key, puzzle, units, seed=1, **params):
    cls = catalog.solver(puzzle.spec.key, key)
    solver = cls.create(puzzle, cls.spec.params(**params), seed)
    return solver, solver.advance(units)


@pytest.mark.every(3)
@pytest.mark.parametrize("key", KEYS)
def test_the_best_is_rescored_by_the_oracle(key):
    puzzle = _states(5)
    _, progress = _advanced(key, puzzle, 40)
    letters = "".join(puzzle.rows_of(progress.best.cells))
    near = naive.neighbours(5, 5)
    claimed = naive.grid_score(letters, puzzle.lexicon.strings, puzzle.values, near)
    assert progress.best.value == claimed > 0


@pytest.mark.every(3)
@pytest.mark.parametrize("key", KEYS[:3])
def test_strings_that_use_a_cell_twice_are_counted(key):
    # One move of such a cell mends two letters, on a path that was not among the best.
    rng = random.Random(8)
    strings = {"".join(rng.choices("aeinorst", k=rng.randrange(4, 10))) for _ in range(900)}
    lexicon = parse_lexicon("\n".join(sorted(strings)).encode(), "test")
    puzzle = BogglePuzzle.create(lexicon, BoggleParams())
    for seed in range(3):
        _, progress = _advanced(key, puzzle, 8, seed)
        assert progress.best.value == puzzle.score(progress.best.cells)


@pytest.mark.parametrize("key", KEYS[:3])
def test_stops_when_every_string_is_encoded(key):
    lexicon = parse_lexicon(b"ab\nba\nabab\ncab", "test")
    puzzle = BogglePuzzle.create(lexicon, BoggleParams(rows=2, cols=2, fitness="points"))
    solver, progress = _advanced(key, puzzle, 200)
    assert progress.status is Status.SOLVED
    assert not len(puzzle.report(progress.best.cells).missing_indices)
    assert solver.advance(5).units == 0


@pytest.mark.parametrize("key", KEYS)
def test_begins_with_the_start_grid(key):
    lexicon = parse_lexicon(b"fete\nzzzzz", "test")
    rows = ["FE", "TZ"]
    puzzle = BogglePuzzle.create(lexicon, BoggleParams(rows=2, cols=2), rows)
    _, progress = _advanced(key, puzzle, 1)
    assert progress.best.value == 1
    assert progress.best.unit == 0


@pytest.mark.exhaustive
def test_annealing_packs_states_and_climbing_less():
    puzzle = _states(4)
    _, annealed = _advanced("annealing", puzzle, 160, first_cycle=160)
    _, climbed = _advanced("hill-climbing", puzzle, 160)
    _, walked = _advanced("random-walk", puzzle, 160)
    assert annealed.best.value >= 60
    assert annealed.best.value > climbed.best.value > walked.best.value


def test_cycles_grow_and_each_begins_hot():
    params = AnnealingParams(
        first_cycle=4, growth=50, initial_temperature=8.0, final_temperature=1.0
    )
    trace = Annealing.create(_states(4), params, 1).advance(19).trace
    cycle = trace[:, Annealing.spec.metrics.index("cycle")].tolist()
    temperature = trace[:, Annealing.spec.metrics.index("temperature")]
    assert cycle == [1] * 4 + [2] * 6 + [3] * 9
    assert temperature[4] > 5 > 1.01 > temperature[3] > 1
    assert (temperature[5:10] < temperature[4:9]).all()


def test_a_climb_without_gain_begins_anew():
    params = HillClimbingParams(patience=1)
    trace = HillClimbing.create(_states(3), params, 1).advance(30).trace
    assert trace[-1, HillClimbing.spec.metrics.index("restarts")] >= 5


def test_weights_choose_the_temperatures():
    by_length = Annealing.create(_states(4), AnnealingParams(), 1)
    puzzle = BogglePuzzle.create(
        open_lexicon("us-states"), BoggleParams(rows=4, cols=4, fitness="weight")
    )
    by_weight = Annealing.create(puzzle, AnnealingParams(), 1)
    assert 2 < by_length.snapshot().scalars["hottest"] < 4
    assert 1e6 < by_weight.snapshot().scalars["hottest"] < 1e7
    # A cycle never ends hotter than it begins.
    cool = Annealing.create(_states(4), AnnealingParams(initial_temperature=0.01), 1)
    assert set(cool.advance(5).trace[:, Annealing.spec.metrics.index("temperature")]) == {0.01}


@pytest.mark.parametrize("key", KEYS)
def test_a_grid_that_is_complete_ends_the_run_though_an_equal_one_came_before(key):
    # Two letters are worth nothing, so that the start has the full value, yet "xy" is missing.
    lexicon = parse_lexicon(b"abcd\nxy", "test")
    params = BoggleParams(rows=2, cols=3, fitness="points")
    puzzle = BogglePuzzle.create(lexicon, params, ["abx", "dcx"])
    assert puzzle.score(puzzle.start) == 1
    solver, progress = _advanced(key, puzzle, 0)
    n_units = 0
    while progress.status is Status.RUNNING and n_units < 400:
        progress = solver.advance(100)
        n_units += progress.units
    assert progress.status is Status.SOLVED
    assert progress.best.value == 1
    assert not len(puzzle.report(progress.best.cells).missing_indices)


def test_tabu_goes_on_counting_its_steps_from_block_to_block():
    cls, puzzle = catalog.solver("boggle", "tabu"), _states(3)
    solver = cls.create(puzzle, cls.spec.params(tenure=0, candidates=2_000), 1)
    for step in range(4):
        # A letter that may come back in the next step is never forbidden.
        assert solver.advance(1).trace[0, cls.spec.metrics.index("forbidden")] == 0
        snapshot = solver.snapshot()
        assert snapshot.scalars["n_steps"] == step + 1
        assert snapshot.arrays["until"].max() == step + 1


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_word_search_of_twelve_words_is_filled_at_once(seed):
    # On straight lines few strings are ever nearly there, so they are written anywhere.
    words = "catandrat elephant giraffe lion tiger zebra penguin kangaroo "
    words += "hippopotamus otter lynx yak"
    lexicon = parse_lexicon("\n".join(words.split()).encode(), "animals")
    puzzle = BogglePuzzle.create(lexicon, BoggleParams(rows=11, cols=13, adjacency="straight"))
    solver = Annealing.create(puzzle, Annealing.spec.params(), seed)
    progress = solver.advance(200)
    assert progress.status is Status.SOLVED
    assert len(puzzle.report(progress.best.cells).found) == 12
