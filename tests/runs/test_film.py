"""The moments of a film are those of the run."""

import pytest

from tests.runs.test_replay import past, run_to_the_end
from tilelab.core.errors import RunError
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.runs import film
from tilelab.runs.film import Pace, moments
from tilelab.words.builtin import open_lexicon

UNITS = 14


@pytest.fixture(params=["genetic", "a-star"])
def session(request):
    if request.param == "genetic":
        puzzle = BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=4, cols=4))
        return run_to_the_end(puzzle, "genetic", {"mutation": 9}, 3, [(6, "mutation", 60)])[0]
    puzzle = SlidingPuzzle.create(SlidingParams(rows=3, cols=3), [8, 6, 7, 2, 5, 4, 3, 0, 1])
    return run_to_the_end(puzzle, "a-star", {"expansions_per_update": 7, "memory": 256}, 3)[0]


def test_unit_by_unit_it_is_the_run(session):
    assert session.units == UNITS
    shown = list(moments(past(session, UNITS - 1), Pace(1, by_steps=False), frozenset()))
    assert [moment.units for moment in shown] == list(range(UNITS + 1))
    assert shown[0].best is None
    assert shown[0].metrics == {}
    for moment in shown[1:]:
        assert moment.best.unit < moment.units
        metrics = moment.metrics
        assert moment.best.value == metrics.get("best_ever", -metrics.get("nearest", 0.0))
        low, high = session.trace.bounds_at(moment.units - 1)
        assert list(moment.metrics.values()) == low.tolist() == high.tolist()
    assert shown[-1].part == 1


def test_some_steps_lie_between_two_pictures(session):
    shown = list(moments(past(session, UNITS - 1), Pace(3, by_steps=True), frozenset()))
    assert [moment.units for moment in shown] == sorted(moment.units for moment in shown)
    assert (shown[-1].units, shown[-1].steps) == (UNITS, 0)
    whole = session.spec.step == ""
    assert all(moment.steps == 0 for moment in shown) or not whole


def test_the_views_come_with_the_moments(session):
    kinds = frozenset(session.spec.views)
    shown = list(moments(past(session, UNITS - 1), Pace(4, by_steps=False), kinds))
    assert all(set(moment.views) <= kinds for moment in shown)
    assert kinds <= set(shown[-1].views)


def test_more_pictures_than_fit_into_memory_are_refused(session, monkeypatch):
    monkeypatch.setattr(film, "MOST_PICTURES", 5)
    with pytest.raises(RunError, match="at most 5 pictures"):
        list(moments(past(session, UNITS - 1), Pace(1, by_steps=False), frozenset()))
