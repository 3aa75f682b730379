"""The limits of a run: the same unit ends it, however it is sliced, saved and resumed."""

import pytest

from tests.asking import go
from tests.run_files import without_times
from tilelab.core.errors import ParameterError
from tilelab.core.solver import Status
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.runs.actions import Action, State
from tilelab.runs.files.store import read_run, save_run
from tilelab.runs.fork import fork_run
from tilelab.runs.limits import Limits
from tilelab.runs.session import Session, resume_session

ENDS = {
    "units": (Limits(units=41), 41),
    "evaluations": (Limits(evaluations=2_000), 20),
    "target": (Limits(target=5), None),
    "units_without_improvement": (Limits(units_without_improvement=30), None),
}
RAISED = {
    "units": {"units": 60},
    "evaluations": {"evaluations": 4_001},
    "target": {"target": 6},
    "units_without_improvement": {"units_without_improvement": 70},
}


@pytest.fixture
def puzzle():
    return BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=4, cols=4))


@pytest.fixture
def boards():
    (board,) = SlidingPuzzle.from_flags({"rows": 3, "cols": 3, "scramble_seed": 1})
    return board


def begun(puzzle, limits, solver="genetic", params=None):
    session = Session()
    session.load(puzzle)
    go(session, solver, params or {}, 3, limits)
    return session


def by_units(session):
    session.run_slice(1)


def by_slices(session):
    # As on a machine that is so fast that its slices hold thousands of units.
    session._pacer.units = 5_000
    session.run_slice()


def by_steps(session):
    session.run_steps(1)


def finished(session, advance=by_slices):
    while session.state is State.RUNNING:
        advance(session)
    return session


@pytest.mark.parametrize("advance", [by_units, by_slices, by_steps])
@pytest.mark.parametrize("name", ENDS)
def test_a_run_ends_at_the_same_unit_however_it_is_sliced(puzzle, name, advance):
    limits, units = ENDS[name]
    session = finished(begun(puzzle, limits), advance)
    assert (session.status, session.limit_reached) == (Status.LIMIT, name)
    best = session.best
    expected = units or {"target": best.unit + 1}.get(name, best.unit + 31)
    assert session.units == session.trace.n_units == expected
    if name == "target":
        assert [found.best.value >= 5 for found in session.bests].count(True) == 1


def test_the_steps_inside_a_unit_do_not_end_it_before(boards):
    """Boards are counted with each expansion; a unit of 50 of them is done to its end."""
    limits, params = Limits(evaluations=70), {"expansions_per_update": 50}
    whole, stepped = (
        finished(begun(boards, limits, "a-star", params), advance)
        for advance in (by_slices, by_steps)
    )
    assert (stepped.units, stepped.evaluations) == (whole.units, whole.evaluations)
    assert (stepped.limit_reached, stepped.steps_done) == ("evaluations", 0)


def test_one_slice_reports_what_its_units_have_found(puzzle):
    alone = begun(puzzle, Limits(units=400))
    alone._pacer.units = 400
    whole, session = alone.run_slice(), begun(puzzle, Limits(units=400, target=10**9))
    session._pacer.units = 400
    progress = session.run_slice()
    assert (progress.units, progress.evaluations) == (whole.units, whole.evaluations)
    assert (progress.trace == whole.trace).all()
    found = [(new.best.unit, new.best.value, new.evaluations) for new in progress.found]
    assert found == [(new.best.unit, new.best.value, new.evaluations) for new in whole.found]
    assert len(found) > 1
    assert progress.best is progress.found[-1].best


@pytest.mark.parametrize("name", ENDS)
def test_a_raised_limit_lets_a_saved_run_go_on_like_an_unbroken_one(puzzle, name, tmp_path):
    limits, _ = ENDS[name]
    file = save_run(finished(begun(puzzle, limits)), tmp_path / "run.tilelab")
    kept = read_run(file)
    assert kept.recipe.limits == limits
    ended = resume_session(kept, Limits())
    assert (ended.state, ended.limit_reached) == (State.FINISHED, name)
    raised = Limits(**RAISED[name])
    resumed, unbroken = finished(resume_session(kept, raised)), finished(begun(puzzle, raised))
    assert (resumed.units, resumed.limit_reached) == (unbroken.units, name)
    parts = [
        without_times(save_run(session, tmp_path / f"{place}.tilelab"))
        for place, session in enumerate((resumed, unbroken))
    ]
    assert parts[0] == parts[1]


def test_one_limit_of_several_can_be_lifted_and_the_others_stay(puzzle):
    run = finished(begun(puzzle, Limits(units=50, target=3)))
    assert run.limit_reached == "target"
    resumed = resume_session(run.snapshot(), Limits(target=None))
    assert finished(resumed).limits == Limits(units=50)
    assert (resumed.units, resumed.limit_reached) == (50, "units")


def test_a_run_that_has_reached_a_new_limit_does_no_further_unit(puzzle):
    session = begun(puzzle, Limits())
    while session.best is None or session.units < 20:
        session.run_slice(1)
    session.stop()
    units, value = session.units, session.best.value
    for limits in (Limits(units=units), Limits(target=value)):
        resumed = resume_session(session.snapshot(), limits)
        assert (resumed.state, resumed.units) == (State.FINISHED, units)
    fork = fork_run(session.snapshot(), {"mutation": 60}, Limits(target=value))
    assert (fork.status, fork.limit_reached) == (Status.LIMIT, "target")


def test_a_step_stops_at_a_limit_that_was_set_meanwhile(puzzle):
    session = begun(puzzle, Limits())
    session.run_slice(20)
    session.stop()
    units = session.units
    session.set_limits(Limits(units=units))
    session.step()
    assert (session.state, session.units, session.steps_done) == (State.FINISHED, units, 0)


def test_a_fork_inside_a_unit_goes_on_to_the_end_of_it(boards):
    """As the run itself does: evaluations that are reached inside a unit do not end it."""
    session = begun(boards, Limits(evaluations=70), "a-star", {"expansions_per_update": 50})
    while session.evaluations < 70:
        session.step()
        assert session.steps_done
    fork = fork_run(session.snapshot(), {})
    assert (fork.status, fork.limit_reached) == (Status.RUNNING, "")


def test_what_is_not_counted_is_no_limit(puzzle):
    session = begun(puzzle, Limits(units=5))
    session.run_slice(2)
    session.evaluations = None  # as of a solver that counts none
    with pytest.raises(ParameterError, match=r"^evaluations: genetic does not count them"):
        session.set_limits(Limits(evaluations=1_000))
    assert session.limits == Limits(units=5)
    assert session.allows(Action.STOP)


@pytest.mark.parametrize(
    ("name", "unit", "text"),
    [
        ("units", "generation", "Stopped: 5,000 generations reached"),
        ("evaluations", "generation", "Stopped: 1 evaluation reached"),
        ("seconds", "generation", "Stopped: 2.50 s reached"),
        ("target", "generation", "Stopped: target -60 reached"),
        ("units_without_improvement", "class", "Stopped: 9 classes without improvement"),
        ("memory", "update", "Limit reached (memory)"),
        ("iterations", "iteration", "Finished: number of iterations reached"),
    ],
)
def test_the_end_says_which_limit_it_was(name, unit, text):
    limits = Limits(
        units=5_000, evaluations=1, seconds=2.5, target=-60, units_without_improvement=9
    )
    assert limits.end_text(name, unit) == text


def test_the_nearest_limit_says_how_long_it_takes():
    limits = Limits(units=1_000, seconds=80.0, evaluations=1_000, target=3)
    # 10 units a second, 2 evaluations each: 600 are left, which take 30 s.
    assert limits.nearest(200, 20.0, 400, 10.0) == (0.4, 30.0)
    assert limits.nearest(0, 0.0, 0, 0.0) == (0.0, 80.0)
    assert Limits(target=3, units_without_improvement=9).nearest(9, 1.0, 9, 1.0) is None


def test_limits_of_former_programs():
    assert Limits(limit=7).units == 7
