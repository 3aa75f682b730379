"""How a moment of a run is named: by what its users count."""

import math

from tilelab import catalog


def spec(puzzle, solver):
    return catalog.solver(puzzle, solver).spec


def test_a_moment_is_named_by_what_users_count():
    genetic, tabu, search = (
        spec(*keys) for keys in (("boggle", "genetic"), ("boggle", "tabu"), ("sliding", "a-star"))
    )
    expanded = {"expanded": 1_614.0}
    assert genetic.moment(0) == search.moment(0) == "the start"
    # The last of 1,000 units has the number 999, and a step is inside the next one.
    assert genetic.moment(1_000) == "generation 999"
    assert tabu.moment(2, 5) == "iteration 2, move 5"
    assert tabu.moment(0, 5) == "move 5"
    assert search.moment(2, metrics=expanded) == "1,614 boards expanded"
    # Of a search that was made step by step, each step has a number.
    assert search.moment(2, 1, expanded, 6) == "expansion 7"
    assert search.moment(2, metrics={"expanded": math.nan}) == "update 1"


def test_what_is_done_is_counted():
    genetic, tabu, search = (
        spec(*keys) for keys in (("boggle", "genetic"), ("boggle", "tabu"), ("sliding", "a-star"))
    )
    expanded = {"expanded": 1_614.0}
    assert genetic.done(1_000) == "1,000 generations"
    assert tabu.done(2, 5) == "2 iterations, 5 moves"
    assert search.done(0) == "0 boards expanded"
    assert search.done(0, 3) == "3 expansions"
    assert search.done(2, 0, expanded) == "1,614 boards expanded"
    assert search.done(2, 0, expanded, 6) == "1,614 boards expanded (6 steps)"
    assert search.done(2, 1, expanded, 6) == "1,614 boards expanded"
