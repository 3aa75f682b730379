"""Forks: a run that goes on from a checkpoint with other parameters, for every solver."""

import dataclasses
import itertools

import numpy as np
import pytest

from tests.asking import go
from tests.runs.test_store import begun, finished
from tests.solvers.test_contract import CASES, ONE_OF_EACH
from tilelab.core.errors import ParameterError, RunError, SnapshotError
from tilelab.core.parameters import describe
from tilelab.core.solver import Status
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.runs.actions import State
from tilelab.runs.checkpoints.run_folder import earlier_checkpoints, earlier_file
from tilelab.runs.files.store import read_run, write_run
from tilelab.runs.fork import fork_run, forkable_specs, origin
from tilelab.runs.history.record import record_of_session
from tilelab.runs.session import Limits, Session
from tilelab.testing.solvers import same_snapshot

UNITS, MORE = 6, 9
FORKABLE = {
    "boggle": {
        "genetic": {"mutation", "letters"},
        "annealing": {"initial_temperature", "final_temperature", "growth", "swaps", "writing"},
        "tabu": {"tenure", "candidates", "swaps", "writing"},
        "hill-climbing": {"patience", "swaps", "writing"},
        "random-walk": {"swaps", "writing"},
        "exact": set(),
    },
    "wordtiles": {
        "bees": {"iterations", "start"},
        "annealing": {"initial_temperature", "final_temperature", "growth", "walk", "rearrange"},
        "tabu": {"tenure"},
        "hill-climbing": {"patience", "walk"},
        "beam": set(),
        "breadth-first": {"memory"},
        "random-walk": set(),
    },
}
"""What may be changed; sliding searches: the memory, and bursts from both ends."""
OTHER = {"memory": 1024, "iterations": 80, "initial_temperature": 3.5, "final_temperature": 0.01}
"""Values that are not the default, where one from the bounds would not do."""


@pytest.fixture(params=ONE_OF_EACH, ids=lambda case: case.name)
def case(request):
    return request.param


@pytest.fixture
def puzzle():
    return BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=4, cols=4))


def session_of(case, limit):
    return begun(case.puzzle, case.solver.spec.key, case.params, case.seed, limit)


def opened(checkpoint):
    session = Session(itertools.count(0.0, 0.001).__next__)
    session.restore(checkpoint)
    return session


def other_value(spec, value):
    if spec.name in OTHER:
        return OTHER[spec.name]
    if spec.kind == "bool":
        return not value
    if spec.kind == "choice":
        return next(choice for choice in spec.choices if choice != value)
    return spec.low if value != spec.low else spec.high


def same_path(one, other):
    """Compare how two sessions have gone."""
    assert (one.units, one.status, one.last_row) == (other.units, other.status, other.last_row)
    assert same_snapshot(one.solver.snapshot(), other.solver.snapshot())
    for mine, others in zip(one.bests, other.bests, strict=True):
        mine, others = mine.best, others.best
        assert (mine.unit, mine.value, mine.moves) == (others.unit, others.value, others.moves)
        assert np.array_equal(mine.cells, others.cells)
    plain, other_plain = one.trace.to_plain(), other.trace.to_plain()
    assert all(np.array_equal(plain[name], other_plain[name]) for name in plain)


def running(case):
    """A checkpoint in the middle of a run, or None when it has come to its end by then."""
    session = session_of(case, UNITS)
    return session.snapshot() if session.limit_reached == "units" else None


HARD = [0, 12, 9, 13, 15, 11, 10, 14, 3, 7, 2, 5, 4, 8, 6, 1]


@pytest.mark.every(3)
def test_with_nothing_changed_a_fork_is_the_unbroken_run(case):
    session = session_of(case, UNITS)
    if session.limit_reached != "units":
        with pytest.raises(RunError, match="nothing left to fork"):
            fork_run(session.snapshot(), {})
        return
    checkpoint = session.snapshot()
    fork = fork_run(checkpoint, checkpoint.snapshot.params)
    assert fork.key != checkpoint.key
    assert len(fork.key) == 32
    assert fork.recipe.changes == checkpoint.recipe.changes
    assert (fork.status, fork.limit_reached) == (Status.LIMIT, "units")
    same_path(finished(opened(fork), UNITS + MORE), finished(session, UNITS + MORE))


@pytest.mark.every(3)
def test_a_changed_parameter_is_taken_over(case, tmp_path):
    checkpoint = running(case)
    if checkpoint is None:
        return
    for spec in forkable_specs(case.solver.spec.params):
        value = other_value(spec, checkpoint.snapshot.params[spec.name])
        fork = fork_run(checkpoint, {spec.name: value}, Limits(units=UNITS + MORE))
        assert fork.snapshot.params[spec.name] == value
        change = fork.recipe.changes[-1]
        assert (change.unit, change.name, change.value) == (UNITS, spec.name, value)
        assert (fork.status, fork.units) == (Status.RUNNING, UNITS)
        one, other = opened(fork), opened(fork)
        assert one.state is State.PAUSED
        for session in (one, other):
            session.resume()
        same_path(finished(one, UNITS + MORE), finished(other, UNITS + MORE))
        for at in (fork, one.snapshot()):
            again = read_run(write_run(tmp_path / "fork.tilelab", at))
            assert same_snapshot(again.snapshot, at.snapshot)
            assert again.recipe.changes == at.recipe.changes
        assert getattr(one.solver.params, spec.name) == value


def test_another_parameter_is_refused_and_nothing_has_changed(case):
    checkpoint = running(case)
    if checkpoint is None:
        return
    before = dataclasses.replace(checkpoint)
    params = dict(checkpoint.snapshot.params)
    for spec in describe(case.solver.spec.params):
        if spec.forkable:
            continue
        wanted = {spec.name: other_value(spec, params.get(spec.name, spec.default))}
        with pytest.raises(ParameterError, match=f"^{spec.name} cannot be changed") as refused:
            fork_run(checkpoint, wanted)
        assert refused.value.name == spec.name
    assert checkpoint.snapshot.params == params
    assert checkpoint.key == before.key
    assert checkpoint.recipe is before.recipe


def test_what_may_be_changed_is_what_was_thought_through():
    found = {}
    for case in CASES:
        names = {spec.name for spec in forkable_specs(case.solver.spec.params)}
        found.setdefault(case.puzzle.spec.key, {})[case.solver.spec.key] = names
    sliding = found.pop("sliding")
    assert found == FORKABLE
    assert sliding.pop("bidirectional-a-star") == {"memory", "burst"}
    assert set(map(frozenset, sliding.values())) == {frozenset({"memory"})}


def changed_path(puzzle, solver, params, changes, limit=4, more=40):
    """The last rows of a run and of its fork; they must differ for the change to be more than said.

    params: so that there is something to change within a few units.
    """
    session = begun(puzzle, solver, params, 3, limit)
    fork = opened(fork_run(session.snapshot(), changes, Limits(units=more)))
    fork.resume()
    return finished(session, more), finished(fork, more)


WORDS = {"rows": 4, "cols": 4}


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("solver", "changes"),
    [
        ("genetic", {"letters": "frequency"}),
        ("genetic", {"mutation": 70}),
        ("annealing", {"initial_temperature": 9.0}),
        ("annealing", {"final_temperature": 0.001}),
        ("annealing", {"growth": 300}),
        ("annealing", {"swaps": 50}),
        ("hill-climbing", {"writing": 0}),
        ("tabu", {"candidates": 3}),
    ],
)
def test_a_change_really_changes_the_run_on_letters(solver, changes):
    puzzle = BogglePuzzle.create(open_lexicon("us-states"), BoggleParams(rows=4, cols=4))
    params = {"first_cycle": 5} if solver == "annealing" else {}
    run, fork = changed_path(puzzle, solver, params, changes)
    assert not same_snapshot_but_params(run, fork)


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("solver", "changes"),
    [
        ("bees", {"start": "stay"}),
        ("annealing", {"walk": 2}),
        ("annealing", {"rearrange": True}),
        ("hill-climbing", {"walk": 2}),
    ],
)
def test_a_change_really_changes_the_run_on_word_tiles(solver, changes):
    puzzle = WordTilesPuzzle.create(open_lexicon("english-small"), WordTilesParams(**WORDS))
    run, fork = changed_path(puzzle, solver, {}, changes)
    assert not same_snapshot_but_params(run, fork)


def same_snapshot_but_params(run, fork):
    one, other = run.solver.snapshot(), fork.solver.snapshot()
    return same_snapshot(one, dataclasses.replace(other, params=one.params))


def test_automatic_temperatures_follow_a_fork_as_they_follow_a_new_run():
    puzzle = WordTilesPuzzle.create(open_lexicon("english-small"), WordTilesParams(**WORDS))
    session = begun(
        puzzle, "annealing", {"initial_temperature": 7.0, "final_temperature": 6.0}, 3, 4
    )
    scalars = fork_run(
        session.snapshot(), {"initial_temperature": 0, "final_temperature": 0}
    ).snapshot.scalars
    fresh = begun(puzzle, "annealing", {}, 3, 4).solver.snapshot().scalars
    assert (scalars["hottest"], scalars["coldest"]) == (fresh["hottest"], fresh["coldest"])


def test_bees_that_have_done_their_iterations_fly_on_when_they_may_do_more():
    puzzle = WordTilesPuzzle.create(open_lexicon("english-small"), WordTilesParams(**WORDS))
    session = begun(puzzle, "bees", {"iterations": 5}, 3, 50)
    assert session.limit_reached == "iterations"
    checkpoint = session.snapshot()
    with pytest.raises(RunError, match="ended"):
        fork_run(checkpoint, {})
    fork = opened(fork_run(checkpoint, {"iterations": 8}))
    fork.resume()
    same = begun(puzzle, "bees", {"iterations": 8}, 3, 50)
    same_path(finished(fork, 50), same)


@pytest.mark.exhaustive
def test_more_memory_changes_nothing_else_and_too_little_is_refused():
    tiles = [1, 14, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15]
    puzzle = SlidingPuzzle.create(SlidingParams(rows=4, cols=4), tiles, None)
    session = begun(puzzle, "breadth-first", {"memory": 400, "expansions_per_update": 80_000}, 0, 3)
    checkpoint = session.snapshot()
    assert checkpoint.status is Status.LIMIT
    fork = opened(fork_run(checkpoint, {"memory": 900}, Limits(units=4)))
    fork.resume()
    run, fork = finished(session, 4), finished(fork, 4)
    assert same_snapshot_but_params(run, fork)
    with pytest.raises(SnapshotError, match="has room for"):
        fork_run(checkpoint, {"memory": 16})


def test_a_value_out_of_bounds_names_its_parameter(puzzle):
    checkpoint = begun(puzzle, "genetic", {}, 3, 5).snapshot()
    with pytest.raises(ParameterError, match=r"mutation: 101 is outside 0\.\.100"):
        fork_run(checkpoint, {"mutation": 101})
    with pytest.raises(ParameterError, match="nonsense is not a parameter"):
        fork_run(checkpoint, {"nonsense": 1})


def test_a_fork_keeps_the_past_and_leaves_its_origin_alone(puzzle):
    session = begun(puzzle, "genetic", {}, 7, 20)
    session.set_live("mutation", 40)
    checkpoint = session.snapshot()
    n_bests, n_rows = len(checkpoint.bests), checkpoint.trace.n_units
    assert origin(checkpoint.recipe, "generation 19") == "fork of genetic seed 7 at generation 19"
    fork = opened(fork_run(checkpoint, {"mutation": 60}, Limits(units=60)))
    assert fork.key != checkpoint.key == session.key
    assert [(change.unit, change.value) for change in fork.journal] == [(20, 40), (20, 60)]
    fork.resume()
    finished(fork, 60)
    assert len(checkpoint.bests) == n_bests
    assert checkpoint.trace.n_units == n_rows
    assert fork.trace.n_units == 60
    assert [found.best.unit for found in fork.bests][:n_bests] == [
        found.best.unit for found in checkpoint.bests
    ]


@pytest.mark.parametrize(
    ("solver", "changes"),
    [
        ("annealing", {"initial_temperature": 3.0, "growth": 70}),
        ("genetic", {"mutation": 60, "letters": "frequency"}),
    ],
)
def test_a_fork_can_be_run_again_from_its_record(puzzle, solver, changes, tmp_path):
    session = begun(puzzle, solver, {}, 7, 20)
    fork = fork_run(session.snapshot(), changes, Limits(units=35))
    fork = opened(read_run(write_run(tmp_path / "fork.tilelab", fork)))
    fork.resume()
    finished(fork, 35)
    record = record_of_session(fork, begun="")
    assert record.params == session.recipe.plain_params
    again = Session(itertools.count(0.0, 0.001).__next__)
    again.load(puzzle)
    go(again, solver, record.params, record.seed, Limits(units=35), record.journal)
    same_path(finished(again, 35), fork)
    assert again.journal == list(record.journal)


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("solver", "params", "changes"),
    [
        ("bees", {}, {"start": "hive"}),
        ("hill-climbing", {}, {"patience": 3}),
        ("annealing", {}, {"walk": 40}),
        ("bidirectional-a-star", {"first_burst": 10, "burst": 300}, {"burst": 20}),
    ],
    ids=str,
)
def test_a_fork_inside_a_unit_holds_from_the_next_one_on(solver, params, changes):
    puzzle = WordTilesPuzzle.create(open_lexicon("english-small"), WordTilesParams(**WORDS))
    if solver == "bidirectional-a-star":
        puzzle = SlidingPuzzle.create(SlidingParams(), HARD)
    session = begun(puzzle, solver, params, 7, 3)
    session.set_limits(Limits())
    session.resume()
    session.run_steps(9)
    assert (session.units, session.steps_done) == (3, 9)
    checkpoint = session.snapshot()
    fork, unchanged = (opened(fork_run(checkpoint, values)) for values in (changes, {}))
    for each in (fork, unchanged):
        each.resume()
        finished(each, 9)
    again = Session(itertools.count(0.0, 0.001).__next__)
    again.load(puzzle)
    go(again, solver, session.recipe.params, 7, Limits(units=9), fork.journal)
    same_path(finished(again, 9), fork)
    assert not same_snapshot_but_params(unchanged, fork)
    assert {(change.unit, change.name, change.value) for change in fork.journal} == {
        (4, name, value) for name, value in changes.items()
    }


def test_a_limit_that_is_met_can_be_raised(puzzle):
    checkpoint = begun(puzzle, "genetic", {}, 3, 20).snapshot()
    for limits, reached in ((Limits(units=20), "units"), (Limits(seconds=1e-9), "seconds")):
        fork = fork_run(checkpoint, {}, limits)
        assert (fork.status, fork.limit_reached) == (Status.LIMIT, reached)
    assert fork_run(checkpoint, {}, Limits()).status is Status.RUNNING


def test_seedless_solvers_name_no_seed():
    puzzle = SlidingPuzzle.create(SlidingParams(), [*range(1, 15), 0, 15], None)
    checkpoint = begun(puzzle, "a-star", {"expansions_per_update": 1}, 0, 1).snapshot()
    assert origin(checkpoint.recipe, "expansion 1") == "fork of a-star at expansion 1"


def test_of_a_folder_only_earlier_checkpoints_are_listed(tmp_path):
    for name in ("run.tilelab", "earlier-x.tilelab", "earlier-7.tilelab.part"):
        (tmp_path / name).write_bytes(b"")
    for units in (15, 4, 9):
        earlier_file(tmp_path, units).write_bytes(b"")
    assert [units for units, _ in earlier_checkpoints(tmp_path)] == [4, 9, 15]
    assert earlier_checkpoints(tmp_path)[0][1] == earlier_file(tmp_path, 4)
    assert earlier_checkpoints(tmp_path / "gone") == []
