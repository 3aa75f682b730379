"""How long a plan takes, by short runs of a solver whose clock the test holds in its hand."""

import pytest

from tests.experiments.plans import STATES, runs
from tests.fourth_puzzle import Lamps
from tilelab import catalog
from tilelab.core.parameters import Params, parameter
from tilelab.core.registry import register_puzzle, register_solver, registered, set_registered
from tilelab.core.solver import SolverSpec, Status
from tilelab.experiments.pilot import TimeEstimate, estimate
from tilelab.solvers.base import SolverBase


class Clock:
    """Goes on only when somebody works."""

    def __init__(self):
        self.seconds = 0.0

    def __call__(self):
        return self.seconds


CLOCK = Clock()


class WorkParams(Params):
    cost: int = parameter(10, "Cost", low=1, high=10_000, help="Of a unit, in milliseconds.")
    solved: int = parameter(0, "Solved", low=0, high=10**6, help="After so many units; 0: never.")


class Work(SolverBase[Lamps, WorkParams]):
    """Takes its time, finds its best at once, and scores ten boards a unit."""

    spec = SolverSpec(
        key="work",
        title="Work",
        source="nobody",
        puzzles=("lamps",),
        params=WorkParams,
        unit="turn",
        metrics=("best_ever",),
        version=1,
    )

    def do_unit(self):
        CLOCK.seconds += self._params.cost / 1000
        self._offer(self._puzzle.start, 3.0)
        if self._unit + 1 == self._params.solved:
            self._end(Status.SOLVED)
        return (3.0,)

    @property
    def n_evaluated(self):
        return 10 * self._unit


class Search(Work):
    """The same, and leaves nothing to chance."""

    spec = SolverSpec(
        key="search",
        title="Search",
        source="nobody",
        puzzles=("lamps",),
        params=WorkParams,
        unit="turn",
        metrics=("best_ever",),
        version=1,
        uses_seed=False,
    )


@pytest.fixture(autouse=True)
def solvers():
    """The puzzle and its two solvers, known for one test."""
    [catalog.solvers(puzzle) for puzzle in catalog.puzzles()]
    before = registered()
    register_puzzle(Lamps)
    register_solver(Work)
    register_solver(Search)
    CLOCK.seconds = 0.0
    yield
    set_registered(before)


def lamps(limits, *solvers, repeats=20):
    tables = solvers or ({"solver": "work"},)
    return runs(
        {"repeats": repeats, "puzzle": {"kind": "lamps"}, "solvers": tables, "limits": limits}
    )


def timed(made, **more):
    return estimate(made, clock=CLOCK, **more)


@pytest.mark.parametrize(
    ("limits", "seconds"),
    [
        ({"units": 300}, 3.0),
        ({"evaluations": 5_000}, 5.0),
        ({"seconds": 7.0}, 7.0),
        ({"seconds": 7.0, "units": 300}, 3.0),
    ],
)
def test_a_limit_says_how_long_a_run_is(limits, seconds):
    found = timed(lamps(limits))
    assert found.n_runs == 20
    assert found.least == pytest.approx(20 * seconds)
    assert found.most == pytest.approx(20 * seconds)
    assert CLOCK.seconds < 0.2


def test_a_setting_counts_by_what_its_runs_cost():
    costs = {"solver": "work", "axes": {"cost": [1, 10, 100]}}
    found = timed(lamps({"units": 100}, costs, {"solver": "work", "params": {"cost": 50}}))
    assert (found.least, found.most) == (pytest.approx(20 * 16.1), pytest.approx(20 * 16.1))


def test_of_many_settings_some_stand_for_all():
    costs = {"solver": "work", "axes": {"cost": {"from": 1, "to": 1000}}}
    cheap = {"solver": "search", "params": {"cost": 1}}
    found = timed(lamps({"units": 100}, costs, cheap, repeats=1))
    assert found.n_runs == 1001
    assert 0.6 * 50_050 < found.least <= found.most < 1.4 * 50_050
    assert CLOCK.seconds < 3.1  # the last unit that it began may take a second


def test_what_may_end_before_has_a_range():
    found = timed(lamps({"units": 300, "target": 4}))
    assert found.least < 20 * 0.3
    assert found.most == pytest.approx(60)
    found = timed(lamps({"units": 300}, {"solver": "search"}))
    assert found.least < 20 * 0.3
    assert found.most == pytest.approx(60)


def test_without_an_end_nobody_knows():
    found = timed(lamps({}, {"solver": "search"}))
    assert found.most is None
    assert 20 * 0.05 < found.least < 20 * 0.3
    assert timed(lamps({"target": 4})).most is None


def test_units_without_improvement_are_done_at_least():
    found = timed(lamps({"units_without_improvement": 500}))
    assert found.most is None
    assert found.least == pytest.approx(20 * 5.01)
    found = timed(lamps({"units_without_improvement": 500, "units": 800}))
    assert (found.least, found.most) == (pytest.approx(20 * 5.01), pytest.approx(20 * 8))


def test_runs_that_have_ended_by_themselves_speak_for_the_others():
    short = {"solver": "search", "params": {"solved": 2}}
    found = timed(lamps({"units": 300}, short))
    assert (found.least, found.most) == (pytest.approx(0.4), pytest.approx(0.4))
    # Three of twenty would not; all three of three do.
    found = timed(lamps({"units": 300}, short, repeats=3))
    assert (found.least, found.most) == (pytest.approx(0.06), pytest.approx(0.06))


def test_runs_that_may_end_are_given_the_time_to_do_so():
    found = timed(lamps({}, {"solver": "search", "params": {"solved": 20}}, repeats=8))
    assert (found.least, found.most) == (pytest.approx(1.6), pytest.approx(1.6))
    CLOCK.seconds = 0.0
    timed(lamps({"units": 10_000}, {"solver": "search"}, repeats=50))
    assert 1.9 < CLOCK.seconds < 2.1


def test_what_is_over_soon_is_hardly_tried():
    timed(lamps({"units": 1}, repeats=500))
    assert CLOCK.seconds < 0.03 * 5 + 0.02


def test_only_the_runs_that_are_left_count():
    made = lamps({"units": 300}, {"solver": "work", "axes": {"cost": [10, 1000]}})
    found = timed(made, places=list(range(15, 20)))
    assert (found.n_runs, found.least) == (5, pytest.approx(15))
    assert timed(made, places=[]) == TimeEstimate(0, 0.0, 0.0)


def test_it_is_stopped_between_two_slices():
    made = lamps({"units": 300})
    assert timed(made, is_stopped=lambda: True) == TimeEstimate(20, 0.0, None)
    assert CLOCK.seconds == 0
    assert timed(made, is_stopped=lambda: CLOCK.seconds > 0.03).most == pytest.approx(60)
    assert CLOCK.seconds < 0.06


def test_a_run_that_fails_takes_no_time(monkeypatch):
    monkeypatch.setattr(Work, "n_evaluated", None)
    found = timed(lamps({"evaluations": 500}))
    assert found.most == pytest.approx(20 * 0.01)


def test_the_bees_end_by_their_own_parameter():
    made = runs({"puzzle": {"kind": "wordtiles"}, "solvers": [{"solver": "bees"}]})
    assert estimate(made, seconds=0.05).most is not None


def test_a_real_plan_is_estimated_within_its_seconds():
    made = runs(
        {
            "repeats": 50,
            "puzzle": STATES,
            "solvers": [{"solver": "genetic"}],
            "limits": {"units": 10**6},
        }
    )
    found = estimate(made, seconds=0.1)
    assert found.least == found.most > 50


@pytest.mark.parametrize(
    ("found", "n_workers", "said"),
    [
        (TimeEstimate(60, 360, 360), 2, "60 runs, about 3 min with 2 workers"),
        (TimeEstimate(5, 300, 300), 4, "5 runs, about 2 min with 4 workers"),
        (TimeEstimate(1, 8, 8), 1, "1 run, about 8 s with 1 worker"),
        (TimeEstimate(4, 0.4, 0.4), 2, "4 runs, less than a second with 2 workers"),
        (TimeEstimate(100, 2, 6_000), 2, "100 runs, up to about 50 min with 2 workers"),
        (TimeEstimate(100, 0.4, 1.2), 1, "100 runs, up to about 1 s with 1 worker"),
        (TimeEstimate(100, 240, 6_000), 1, "100 runs, between 4 min and 100 min with 1 worker"),
        (TimeEstimate(100, 240, None), 1, "100 runs, at least 4 min with 1 worker"),
        (TimeEstimate(100, 0.2, 1e9), 1, "100 runs, up to about 11,574 days with 1 worker"),
        (TimeEstimate(100, 0, None), 2, "100 runs; their duration is not known in advance"),
    ],
)
def test_it_is_said_in_words(found, n_workers, said):
    assert found.sentence(n_workers) == said


def test_workers_share_the_cores():
    assert TimeEstimate(60, 360, 360).sentence(8, 2) == "60 runs, about 3 min with 8 workers"
    assert TimeEstimate(60, 360, 360).sentence(1, 2) == "60 runs, about 6 min with 1 worker"
