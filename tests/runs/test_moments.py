"""The moments of a film are those of the run."""

import random
from dataclasses import replace

import numpy as np
import pytest

from tests.runs.test_replay import past, run_to_the_end
from tests.runs.test_store import begun, finished
from tests.solvers.test_contract import FIRST_CASES
from tilelab.core.errors import RunError
from tilelab.core.views import SideByDepth, ViewKind
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.runs import replay as film
from tilelab.runs.actions import State
from tilelab.runs.fork import fork_run
from tilelab.runs.recipe import Recipe
from tilelab.runs.replay import LAST, MomentRequest, Pace, moment_at, moments, session_at
from tilelab.runs.session import Limits, Session

UNITS = 14
N_MOMENTS = 14


def _last(reported):
    *_, last = reported
    return last


def _steps_of(session):
    """How many steps the next unit has."""
    other = type(session.solver).restore(session.puzzle, session.solver.snapshot())
    return other.step(10**9).steps


def _goes_on_alike(one, other):
    """Whether two runs are the same from here on; what their arrays have besides is nobody's."""
    ends = []
    for session in (one, other):
        solver = type(session.solver).restore(session.puzzle, session.solver.snapshot())
        progress = solver.advance(3)
        best = progress.best
        ends.append(
            (progress.trace.tobytes(), progress.status, best and (best.unit, best.cells.tobytes()))
        )
    return ends[0] == ends[1]


@pytest.mark.every(12)
@pytest.mark.parametrize("case", FIRST_CASES.values(), ids=lambda case: case.name)
def test_any_moment_is_had_again_within_a_unit_too(case):
    """Board, trace, metrics and state are those of the run that is stopped there."""
    key = case.solver.spec.key
    session, kept = run_to_the_end(case.puzzle, key, case.params.model_dump(), 5)
    rng = random.Random(case.name)
    walked = Session()
    walked.begin(Recipe(case.puzzle, key, case.params, 5))
    n_each = -(-N_MOMENTS // max(session.units, 1))
    for unit in range(session.units - 1):
        n_steps = _steps_of(walked)
        for steps in sorted({rng.randrange(max(n_steps, 1)) for _ in range(n_each)}):
            while walked.steps_done < steps:
                walked.run_steps(steps - walked.steps_done)
            bases = [None, past(session, unit - 2, kept or ())] if unit > 1 else [None]
            here = past(session, unit - 1) if unit else replace(past(session, 0), units=0)
            for base in bases:
                wanted = MomentRequest(here, base, session.journal, steps, frozenset())
                found = _last(session_at(wanted))
                assert (found.units, found.steps_done) == (unit, steps)
                assert _goes_on_alike(found, walked)
                assert found.last_row == walked.last_row
                assert (found.best is None) == (walked.best is None)
        last = MomentRequest(here, None, session.journal, LAST, frozenset(case.solver.spec.views))
        moment = _last(moment_at(last))
        assert (moment.units, moment.steps) == (unit, max(n_steps - 1, 0))
        while walked.units == unit:
            walked.run_steps(1_000_000)


@pytest.mark.every(5)
@pytest.mark.parametrize("case", FIRST_CASES.values(), ids=lambda case: case.name)
def test_the_views_of_a_moment_are_those_that_were_shown(case):
    kinds = frozenset(case.solver.spec.views)
    run, shown = Session(), {}
    run.begin(Recipe(case.puzzle, case.solver.spec.key, case.params, case.seed))
    run.watch(kinds)
    while run.units < 5 and run.state is State.RUNNING:
        for steps in (1, 1, 10**9):
            if run.state is State.RUNNING:
                run.run_steps(steps)
                views = {kind: run.solver.view(kind) for kind in kinds}
                shown[run.units, run.steps_done] = _plain(views)
    for (units, steps), expected in shown.items():
        here = past(run, units - 1) if units else replace(past(run, 0), units=0)
        base = past(run, units - 3) if units > 2 else None
        moment = _last(moment_at(MomentRequest(here, base, run.journal, steps, kinds)))
        assert _plain({kind: moment.views.get(kind) for kind in kinds}) == expected


def _plain(views):
    """Views as values that can be compared."""
    return {
        kind: view and [(name, repr(_lists(part))) for name, part in sorted(vars(view).items())]
        for kind, view in views.items()
    }


def _lists(part):
    if isinstance(part, tuple):
        return [_lists(each) for each in part]
    if isinstance(part, SideByDepth):
        return [part.expanded.tolist(), part.open.tolist()]
    return part.tolist() if isinstance(part, np.ndarray) else part


def test_a_live_change_holds_from_the_unit_that_it_was_made_before(monkeypatch):
    puzzle = BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=4, cols=4))
    session, _ = run_to_the_end(puzzle, "tabu", {}, 3, [(6, "tenure", 60)])
    for steps, tenure in ((0, 10), (1, 60)):
        wanted = MomentRequest(past(session, 5), None, session.journal, steps, frozenset())
        found = _last(session_at(wanted))
        assert (found.units, found.steps_done) == (6, steps)
        assert found.solver.params.tenure == tenure


def test_what_is_noted_outlasts_a_live_change():
    puzzle = BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=4, cols=4))
    session, _ = run_to_the_end(puzzle, "genetic", {}, 3, [(6, "mutation", 60)])
    kinds = frozenset({ViewKind.POPULATION})
    shown = list(moments(past(session, UNITS - 1), Pace(1, by_steps=False), kinds))
    for base in (None, past(session, 4)):
        wanted = MomentRequest(past(session, 6), base, session.journal, 0, kinds)
        shown.append(_last(moment_at(wanted)))
    parents = {
        (moment.units, view.parents.min()) for moment in shown for view in moment.views.values()
    }
    assert parents == {(1, -1), *((units, 0) for units in range(2, UNITS + 1))}


def test_what_is_noted_outlasts_a_change_that_a_fork_has_made():
    puzzle = BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=4, cols=4))
    fork = Session()
    checkpoint = begun(puzzle, "tabu", {}, 3, 5).snapshot()
    fork.restore(fork_run(checkpoint, {"candidates": 40}, Limits(units=9)))
    fork.resume()
    finished(fork, 9)
    kinds = frozenset({ViewKind.MOVE})
    shown = list(moments(past(fork, 8), Pace(1, by_steps=False), kinds))
    assert [len(moment.views) for moment in shown] == [0] + [1] * 9
    steps = [
        _last(
            moment_at(MomentRequest(past(fork, units - 1), None, fork.journal, LAST, kinds))
        ).steps
        for units in (4, 5, 6)
    ]
    assert steps[0] != steps[1] == steps[2]


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
    monkeypatch.setattr(film, "MAX_PICTURES", 5)
    with pytest.raises(RunError, match="at most 5 pictures"):
        list(moments(past(session, UNITS - 1), Pace(1, by_steps=False), frozenset()))
