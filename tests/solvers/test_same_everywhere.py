"""The same parameters give the same run, whatever tables and memory the machine has."""

import weakref
from dataclasses import replace

import numpy as np
import pytest

from tests.asking import go
from tests.instance_sets import instance_set
from tests.run_files import forged
from tests.small_tables import lose, make
from tests.solvers.test_contract import CASES, EVERY_CASE
from tilelab import catalog
from tilelab.core.errors import NotMadeError, ParameterError
from tilelab.core.parameters import validate
from tilelab.core.solver import Status
from tilelab.puzzles.sliding.board import Goal, SlidingParams, goal_board, scrambled
from tilelab.puzzles.sliding.heuristics import pattern_database as patterns
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.solvers import board_store
from tilelab.runs.actions import State
from tilelab.runs.files.store import read_run, save_run
from tilelab.runs.fork import fork_run
from tilelab.runs.recipe import PrerequisiteProgress, complete, with_prerequisites
from tilelab.runs.session import Limits, Session
from tilelab.solvers import search_params
from tilelab.testing.solvers import assert_same_run, run_file, run_in_slices, same_snapshot

WITH_TABLES = ("ida-star", "anytime")
WITHOUT_MEMORY = {"depth-first", "ida-star", "iterative-deepening"}
"""They keep no more than a path."""
SEARCHES = [
    case
    for case in CASES
    if "memory" in case.solver.spec.params.model_fields
    and case.name.endswith(("fifteen", "wordtiles-breadth-first-large"))
]


def fifteen(seed=3, n_slides=40, goal=Goal.BLANK_LAST):
    target = goal_board(4, 4, goal)
    return SlidingPuzzle.create(SlidingParams(goal=goal), scrambled(target, 4, seed, n_slides))


def twenty_four():
    target = goal_board(5, 5, Goal.BLANK_LAST)
    return SlidingPuzzle.create(SlidingParams(rows=5, cols=5), scrambled(target, 5, 3))


def created(key, puzzle, **params):
    cls = catalog.solver("sliding", key)
    values = {"expansions_per_update": 50, "memory": 64, **params}
    return cls.create(puzzle, validate(cls.spec.params, values), 0)


def run_of(solver, units=30):
    return run_in_slices(solver, [units])


@pytest.mark.parametrize("case", EVERY_CASE, ids=lambda case: case.name)
def test_a_run_leaves_no_parameter_open(case):
    free = case.solver.spec.params()
    params = case.solver.create(case.puzzle, free, case.seed).params
    assert case.solver.create(case.puzzle, params, case.seed).params == params
    open_values = [name for name, value in params if value == "automatic"]
    assert open_values == []
    for name in {"memory", "detour"} & type(params).model_fields.keys():
        assert type(getattr(params, name)) is int


@pytest.mark.parametrize("key", WITH_TABLES)
def test_tables_that_were_made_meanwhile_change_no_run_that_names_others(key, tables):
    puzzle = fifteen()
    before = created(key, puzzle)
    first = run_of(before)
    assert before.params.tables == "5-5-5"
    make("6-6-3")
    now = created(key, puzzle)
    assert now.params.tables == "6-6-3"
    assert run_of(now).trace.tobytes() != first.trace.tobytes()
    assert_same_run(first, run_of(created(key, puzzle, tables="5-5-5")))
    assert_same_run(first, run_of(type(now).create(puzzle, before.params, 0)))
    none = created(key, puzzle, tables="none")
    assert none.params.tables == "none"
    assert run_of(none).trace.tobytes() != first.trace.tobytes()


@pytest.mark.parametrize("key", WITH_TABLES)
def test_tables_that_are_not_here_are_made_and_the_run_goes_on_as_it_would_have(key, tables):
    puzzle = fifteen()
    with pytest.raises(NotMadeError, match="the pattern database 6-6-3 is not built yet"):
        created(key, puzzle, tables="6-6-3")
    reported = []
    unbroken = complete(lambda: created(key, puzzle, tables="6-6-3"), reported.append)
    assert [str(reported[0]), reported[-1].share] == ["building pattern database 6-6-3 (0 %)", 1.0]
    unbroken.advance(7)
    snapshot = unbroken.snapshot()
    expected = run_of(unbroken)
    lose(tables)
    with pytest.raises(NotMadeError):
        type(unbroken).restore(puzzle, snapshot)
    again = complete(lambda: type(unbroken).restore(puzzle, snapshot), reported.append)
    assert same_snapshot(again.snapshot(), snapshot)
    assert_same_run(expected, run_of(again))


def test_a_run_file_makes_the_tables_that_it_names(tables, tmp_path):
    make("6-6-3")
    session = Session()
    session.load(fifteen())
    go(session, "ida-star", {"expansions_per_update": 50}, 0, Limits(units=9))
    while session.state is State.RUNNING:
        session.run_slice()
    file = save_run(session, tmp_path / "run.tilelab")
    lose(tables)
    steps = list(with_prerequisites(lambda: read_run(file)))
    assert all(isinstance(step, PrerequisiteProgress) for step in steps)
    assert patterns.is_ready("6-6-3")
    read = read_run(file)
    assert read.recipe.params.tables == "6-6-3"
    assert same_snapshot(read.snapshot, session.snapshot().snapshot)


def test_what_is_called_off_leaves_nothing_and_what_stays_lost_is_said(tables):
    work = with_prerequisites(lambda: patterns.tables("6-6-3"))
    assert next(work).share == 0.0
    next(work)
    work.close()
    assert list(tables.iterdir()) == []

    def lost():
        raise NotMadeError("table", lambda: (share for share in (0.5, 1.0)))

    reported = []
    with pytest.raises(NotMadeError, match="the table is not built yet"):
        complete(lost, reported.append)
    assert [making.share for making in reported] == [0.0, 0.5, 1.0]


def test_without_tables_at_hand_boards_of_5_by_5_have_those_that_are_asked_for(tables):
    puzzle = twenty_four()
    assert created("ida-star", puzzle).params.heuristic == "linear-conflict"
    with pytest.raises(NotMadeError, match="6-6-6-6"):
        created("ida-star", puzzle, heuristic="pattern-database")


@pytest.mark.parametrize("key", WITH_TABLES)
@pytest.mark.parametrize(
    ("puzzle", "params", "said"),
    [
        (twenty_four(), {"tables": "5-5-5"}, "tables: 5-5-5 is not for this board; there is 6-6"),
        (fifteen(), {"tables": "9-9"}, "'9-9' is not one of automatic, none, 5-5-5"),
        (instance_set("damodaran").puzzle(1), {"tables": "7-8"}, "boards of 4×4 and 5×5"),
    ],
)
def test_tables_that_do_not_fit_are_refused(key, puzzle, params, said):
    with pytest.raises(ParameterError, match=said) as refused:
        created(key, puzzle, **params)
    assert refused.value.name == "tables"


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"heuristic": "manhattan", "tables": "7-8"}, "7-8 does not go with the heuristic manh"),
        ({"heuristic": "pattern-database", "tables": "none"}, "pattern-database needs them"),
    ],
)
def test_heuristic_and_tables_go_together(params, said):
    with pytest.raises(ParameterError, match=said):
        created("ida-star", fifteen(), **params)


@pytest.mark.parametrize("key", sorted(set(catalog.solvers("sliding")) - WITHOUT_MEMORY))
def test_half_of_the_free_memory_is_taken_once(key, monkeypatch):
    puzzle = fifteen()
    monkeypatch.setattr(search_params, "free_bytes", lambda: 400 << 20)
    solver = created(key, puzzle, memory=None)
    assert solver.params.memory == 200
    solver.advance(3)
    monkeypatch.setattr(search_params, "free_bytes", lambda: 80 << 20)
    again = type(solver).restore(puzzle, solver.snapshot())
    assert again.params == solver.params
    assert again._max_bytes == solver._max_bytes == 200 << 20
    assert_same_run(run_of(solver), run_of(again))


@pytest.mark.every(4)
@pytest.mark.parametrize("case", SEARCHES, ids=lambda case: case.name)
def test_free_memory_changes_no_part_of_a_run_file_but_the_limit(case, monkeypatch, tmp_path):
    case = replace(case, params=case.params.model_copy(update={"memory": None}))

    def file_with(n_megabytes):
        monkeypatch.setattr(search_params, "free_bytes", lambda: n_megabytes << 20)
        (tmp_path / "file.tilelab").write_bytes(run_file(case, tmp_path, 1000))
        if case.solver.spec.key in WITHOUT_MEMORY:
            return (tmp_path / "file.tilelab").read_bytes()

        def forget(header, arrays):
            for params in (header["solver"]["params"], header["first_params"]):
                assert params.pop("memory") == n_megabytes // 2

        return forged(tmp_path / "file.tilelab", forget)

    assert file_with(400) == file_with(280)


@pytest.mark.parametrize("key", ["a-star", "bidirectional-a-star"])
def test_a_search_has_the_memory_that_it_names_where_the_system_grants_less(key, monkeypatch):
    left, empty = [64 << 20], np.empty

    def give_back(n_bytes):
        left[0] += n_bytes

    def sparing(shape, dtype):
        array = empty(shape, dtype)
        if array.nbytes > left[0]:
            raise MemoryError
        give_back(-array.nbytes)
        weakref.finalize(array, give_back, array.nbytes)
        return array

    monkeypatch.setattr(search_params, "free_bytes", lambda: 2 << 30)
    monkeypatch.setattr(board_store.np, "empty", sparing)
    solver = created(key, fifteen(), memory=None)
    monkeypatch.undo()
    assert 16 <= solver.params.memory < 64
    assert solver._granted_bytes == solver._max_bytes == solver.params.memory << 20


def test_a_fork_says_what_its_free_memory_came_to(monkeypatch):
    monkeypatch.setattr(search_params, "free_bytes", lambda: 400 << 20)
    session = Session()
    session.load(fifteen(n_slides=200))
    go(session, "a-star", {"expansions_per_update": 5}, 0, Limits(units=3))
    while session.state is State.RUNNING:
        session.run_slice()
    monkeypatch.setattr(search_params, "free_bytes", lambda: 90 << 20)
    fork = fork_run(session.snapshot(), {"memory": None}, Limits())
    assert fork.snapshot.params["memory"] == 45
    assert [(change.name, change.value) for change in fork.recipe.changes] == [("memory", 45)]


@pytest.mark.exhaustive
@pytest.mark.parametrize("tables_name", ["none", "6-6-6-6"])
def test_anytime_ends_at_its_memory_on_large_boards(tables_name, tables):
    puzzle = twenty_four()
    if tables_name != "none":
        make(tables_name)
    # Beams that rank by distance grow fast enough.
    solver = created("anytime", puzzle, memory=16, expansions_per_update=2000, ranking="distance")
    assert solver.params.tables == tables_name
    solver._max_bytes = 8 << 20  # half of what a user can set takes a third of the time
    best = None
    for _ in range(5000):
        progress = solver.advance(1)
        best = progress.best or best
        if progress.status is not Status.RUNNING:
            break
    assert (progress.status, progress.limit) == (Status.LIMIT, "memory")
    assert len(best.moves) < 130
    assert np.array_equal(puzzle.replay(best.moves), puzzle.goal)
