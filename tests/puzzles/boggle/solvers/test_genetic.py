"""The genetic algorithm against the naive one, and its published behaviour."""

import numpy as np
import pytest

from tests import naive
from tilelab.core.solver import Status
from tilelab.letters.builtin import open_lexicon
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.constraints import Constraints
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.boggle.solvers.genetic import Genetic, GeneticParams
from tilelab.testing.solvers import same_snapshot


def _puzzle(text, rows, cols, **params):
    lexicon = parse_lexicon(text.encode(), "test")
    return BogglePuzzle.create(lexicon, BoggleParams(rows=rows, cols=cols, **params))


@pytest.mark.parametrize(("rows", "cols", "n_parents", "mutation"), [(3, 3, 5, 4), (2, 5, 15, 20)])
def test_equals_the_naive_algorithm_generation_by_generation(rows, cols, n_parents, mutation):
    puzzle = _puzzle(
        "chess\ngolf\nludo\nrummy\ndarts\npoker\nkeno\nbridge\ncraps\nwhist\ngo\nnim\nnap\ngin",
        rows,
        cols,
    )
    params = GeneticParams(parents=n_parents, mutation=mutation)
    progress = Genetic.create(puzzle, params, seed=11).advance(12)
    trace, value, letters = naive.genetic(puzzle, 11, 12, mutation=mutation, n_parents=n_parents)
    assert progress.units == 12
    assert np.allclose(progress.trace, trace, rtol=1e-12)
    assert progress.best.value == value
    assert progress.best.unit == [row[0] for row in trace].index(value)
    assert "".join(puzzle.rows_of(progress.best.cells)) == letters


def test_population_is_every_pair_of_parents():
    solver = Genetic.create(_puzzle("ab\nba", 2, 2), GeneticParams(), seed=1)
    assert solver.snapshot().arrays["grids"].shape == (105, 4)


def test_stops_when_every_string_is_encoded():
    solver = Genetic.create(_puzzle("ab\nba\nabab", 2, 2), GeneticParams(), seed=1)
    progress = solver.advance(1000)
    assert progress.status is Status.SOLVED
    assert progress.units < 1000
    assert progress.best.value == 3
    after = solver.advance(5)
    assert (after.status, after.units, after.best) == (Status.SOLVED, 0, None)


def test_a_start_grid_takes_the_first_place():
    lexicon = parse_lexicon(b"fete\nzzz", "test")
    puzzle = BogglePuzzle.create(lexicon, BoggleParams(rows=2, cols=2), ["FE", "TZ"])
    solver = Genetic.create(puzzle, GeneticParams(), seed=5)
    assert puzzle.rows_of(solver.snapshot().arrays["grids"][0]) == ("fe", "tz")
    assert solver.advance(1).best.value >= 1


def test_boards_of_other_islands_take_the_place_of_the_last_children():
    puzzle = _puzzle("ab\nba\nabab\ncab", 2, 2)
    solver = Genetic.create(puzzle, GeneticParams(parents=3), seed=1)
    children = solver.snapshot().arrays["grids"]
    boards = puzzle.parse(["ab", "cb"]), puzzle.parse(["aa", "aa"])
    solver.immigrate(np.array(boards[:1]), np.array([2.0]))
    assert np.array_equal(solver.snapshot().arrays["grids"], [*children[:2], boards[0]])
    assert (solver.best.value, solver.best.cells.tolist()) == (2.0, boards[0].tolist())
    # No more than there are.
    solver.immigrate(np.array([*boards] * 2), np.full(4, 2.0))
    assert np.array_equal(solver.snapshot().arrays["grids"], [*boards, boards[0]])


def test_without_mutation_a_population_still_moves_only_by_crossing_and_unused_cells():
    puzzle = _puzzle("ab", 1, 2)
    solver = Genetic.create(puzzle, GeneticParams(mutation=0), seed=3)
    assert solver.advance(50).best.value == 1


def test_letters_by_frequency_follow_the_lexicon():
    puzzle = _puzzle("aaaaaaaaab", 10, 10)
    solver = Genetic.create(puzzle, GeneticParams(letters="frequency"), seed=2)
    share = (solver.snapshot().arrays["grids"] == 0).mean()
    assert abs(share - 0.9) < 0.01


def test_every_best_of_a_run_scores_as_claimed_by_the_oracle():
    params = BoggleParams(rows=5, cols=5, fitness="length")
    puzzle = BogglePuzzle.create(open_lexicon("us-states"), params)
    solver = Genetic.create(puzzle, GeneticParams(), seed=1)
    near = naive.neighbours(5, 5)
    n_bests = 0
    for _ in range(150):
        progress = solver.advance(1)
        if progress.best is not None:
            letters = "".join(puzzle.rows_of(progress.best.cells))
            claimed = naive.grid_score(letters, puzzle.lexicon.strings, puzzle.values, near)
            assert progress.best.value == claimed
            n_bests += 1
    assert n_bests >= 5


def test_a_run_is_solved_only_when_strings_worth_nothing_are_encoded_too():
    lexicon = parse_lexicon(b"ab\ncd\nef\nxyzzy\n", "short")
    puzzle = BogglePuzzle.create(lexicon, BoggleParams(rows=3, cols=4, fitness="points"))
    solver = Genetic.create(puzzle, GeneticParams(mutation=60), 1)
    progress = solver.advance(20_000)
    assert progress.status is Status.SOLVED
    assert not len(puzzle.report(progress.best.cells).missing_indices)


def _locked():
    rows, rules = ["zzzz", "qq#a", "zzzz", "qqqq"], Constraints(locked=(0, 5))
    lexicon = parse_lexicon(b"mars\nearth\nvenus\nsaturn\nuranus\nzeq", "short")
    return BogglePuzzle.create(lexicon, BoggleParams(rows=4, cols=4), rows, rules)


def _worthless():
    return _puzzle("ab\ncd\nef\nxyzzy\n", 3, 4, fitness="points")


@pytest.mark.parametrize(("make", "units"), [(_locked, 200), (_worthless, 4)])
def test_many_generations_at_once_are_those_that_are_watched_one_by_one(make, units):
    puzzle, params = make(), GeneticParams(mutation=60)
    together, watched = (Genetic.create(puzzle, params, 1) for _ in range(2))
    watched.watch(frozenset(Genetic.spec.views))
    done, one_by_one = (solver.advance(200) for solver in (together, watched))
    assert done.units == units
    assert done.trace.tobytes() == one_by_one.trace.tobytes()
    found, expected = (
        [
            (new.best.unit, new.best.value, new.best.cells.tobytes(), new.evaluations)
            for new in bests
        ]
        for bests in (done.new_bests, one_by_one.new_bests)
    )
    assert found == expected
    assert same_snapshot(together.snapshot(), watched.snapshot())
