"""What a run has cost and proven, in records and in the rows of races."""

import csv

import numpy as np

from tests.asking import entry
from tests.run_files import advanced
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.runs.history.record import record_of_session
from tilelab.runs.races import Race, table_csv
from tilelab.runs.result import Figures
from tilelab.runs.session import Limits

EASY = [1, 2, 3, 4, 5, 6, 0, 7, 8]
HARD = [8, 6, 7, 2, 5, 4, 3, 0, 1]
"""One of the two boards that take 31 moves, the most of all."""


def tiles(cells):
    return SlidingPuzzle.create(SlidingParams(rows=3, cols=3), cells)


def letters():
    return BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=3, cols=4))


def figures(session):
    """Evaluations, expanded, generated, memory and proven in a session's record."""
    record = record_of_session(session, begun="2026-01-01T00:00:00.000Z")
    return tuple(getattr(record, name) for name in Figures.__dataclass_fields__)


def metric(session, name):
    return session.last_row[session.spec.metrics.index(name)]


def test_a_search_says_what_it_has_expanded_generated_and_taken():
    session = advanced(tiles(EASY), "a-star", {}, 9)
    memory = round(metric(session, "megabytes"), 3)
    assert memory > 0
    assert figures(session) == (4, 2, 4, memory, 2)


def test_an_optimiser_says_how_many_it_has_scored_and_nothing_else():
    session = advanced(letters(), "genetic", {}, 9)
    assert figures(session) == (9 * 105, None, None, None, None)


def test_who_has_not_counted_says_nothing():
    session = advanced(letters(), "genetic", {}, 9)
    session.evaluations = None
    assert figures(session)[0] is None


def test_a_bound_is_proven_before_the_path_is_found_and_only_by_who_proves_it():
    anytime = advanced(tiles(HARD), "anytime", {"expansions_per_update": 50}, 6)
    assert anytime.best.moves is None
    bound = metric(anytime, "bound")
    assert 20 <= bound < 31
    assert figures(anytime)[-1] == bound
    a_star = advanced(tiles(HARD), "a-star", {"expansions_per_update": 50}, 2)
    assert metric(a_star, "bound") >= 20
    assert figures(a_star)[-1] is None


def test_a_path_that_nothing_is_proven_of_has_no_bound():
    session = advanced(tiles(HARD), "greedy", {}, 100)
    assert (session.best.n_moves, session.best.optimal) == (len(session.best.moves), False)
    assert figures(session)[-1] is None


def test_memory_is_the_most_that_was_taken():
    session = advanced(tiles(EASY), "a-star", {}, 9)
    column = session.spec.metrics.index("megabytes")
    row = [0.0] * len(session.spec.metrics)
    row[column] = 0.001
    highest = metric(session, "megabytes")
    session.trace.append(np.array([row]))
    assert metric(session, "megabytes") == 0.001
    assert figures(session)[3] == round(highest, 3)


def test_a_search_stopped_inside_a_unit_has_the_figures_of_that_moment():
    """Noticed: boards expanded and memory of the last whole unit with newer evaluations."""
    session = advanced(tiles(HARD), "breadth-first", {"expansions_per_update": 50}, 2)
    session.set_limits(Limits())
    session.step(37)
    newest = session.metrics
    assert (newest["expanded"], session.steps_done) == (137, 37)
    counts = session.evaluations, 137, int(newest["generated"])
    assert figures(session)[:4] == (*counts, round(newest["megabytes"], 3))
    assert counts[0] == counts[2] > metric(session, "generated")


def test_the_entries_of_a_race_have_them_and_so_has_their_table():
    race = Race(
        tiles(EASY),
        [entry("sliding", "a-star", {}, 0), entry("sliding", "greedy", {}, 0)],
        Limits(units=9),
    )
    assert all(status.figures.evaluations is None for status in race.statuses())
    while race.run_slice():
        pass
    rows = csv.DictReader(table_csv(["A*", "Greedy"], race.statuses()).splitlines())
    a_star, greedy = rows
    assert [a_star[name] for name in ("evaluations", "expanded", "generated", "proven")] == [
        *("4", "2", "4", "2"),
    ]  # fmt: skip
    assert float(a_star["memory"]) == race.statuses()[0].figures.memory
    assert (greedy["moves"], greedy["proven"]) == ("2", "")
