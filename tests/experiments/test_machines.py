"""One run by many machines is the run of this one, whatever happens to them."""

import json
import os
import re
import signal
import sys
import time
from concurrent.futures import Future

import numpy as np
import pytest

from tests.asking import recipe
from tests.experiments.loopback import NEEDS_DASK, NEEDS_KILLING, wait_beside
from tests.experiments.test_sweep import start
from tests.instance_sets import instance_set
from tests.patience import MAX_SECONDS, eventually
from tests.small_tables import lose, make
from tests.workers_here import Here
from tilelab.cli.command import main
from tilelab.core.errors import RunError, TileLabError
from tilelab.core.solver import Status
from tilelab.core.views import ViewKind
from tilelab.experiments.workers import Machines, Workers
from tilelab.letters.builtin import open_lexicon
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.sliding.board import Goal, SlidingParams, goal_board, scrambled
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.solvers import ida_star, rounds_elsewhere, subtrees
from tilelab.runs.actions import State
from tilelab.runs.files.store import read_run, save_run
from tilelab.runs.limits import Limits
from tilelab.runs.recipe import LiveChange
from tilelab.runs.session import Session
from tilelab.testing.solvers import same_snapshot

ISLANDS = {"islands": 3, "migrate_every": 6}


class Late(Machines):
    """Parts are done here, after their results were asked for some times."""

    def __init__(self, n_asked=1):
        super().__init__(Here(2))
        self._n_asked = n_asked
        self.n_begun = 0

    def begin(self, puzzle, parts):
        super().begin(puzzle, parts)
        self.n_begun += 1
        self._n_left = self._n_asked

    def results(self, seconds):
        if seconds is not None and self._n_left:
            self._n_left -= 1
            time.sleep(seconds)
            return None
        return super().results(seconds)


def begun(solver="genetic", limit=40, changes=(), machines=None, **values):
    puzzle = BogglePuzzle.create(open_lexicon("us-states"), BoggleParams(rows=3, cols=3))
    session = Session()
    session.begin(recipe(puzzle, solver, values, 5, Limits(units=limit), changes))
    if machines is not None:
        session.work_elsewhere(machines)
    return session


def to_the_end(session):
    while session.run_slice() is not None:
        pass
    return session.snapshot()


def assert_same(one, other):
    assert same_snapshot(one.snapshot, other.snapshot)
    assert (one.units, one.evaluations) == (other.units, other.evaluations)
    assert (one.status, one.limit_reached) == (other.status, other.limit_reached)
    assert (one.best.unit, one.best.value) == (other.best.unit, other.best.value)
    for name, array in one.trace.to_plain().items():
        assert np.array_equal(array, other.trace.to_plain()[name])


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "solver",
    [
        "annealing",
        pytest.param("genetic", marks=pytest.mark.exhaustive),
        pytest.param("tabu", marks=pytest.mark.exhaustive),
        pytest.param("hill-climbing", marks=pytest.mark.exhaustive),
    ],
)
def test_islands_elsewhere_are_islands_here(solver):
    machines = Late()
    elsewhere = to_the_end(begun(solver, machines=machines, **ISLANDS))
    assert_same(elsewhere, to_the_end(begun(solver, **ISLANDS)))
    assert machines.n_begun >= 40 / 6


def test_islands_end_with_the_first_that_ends_elsewhere_too():
    puzzle = BogglePuzzle.create(
        parse_lexicon(b"ab\nba\nabab\ncab\ncabb", "test"), BoggleParams(rows=2, cols=3)
    )
    sessions = []
    for machines in (None, Late()):
        session = Session()
        session.begin(recipe(puzzle, "genetic", {"islands": 3, "migrate_every": 50}, 2))
        if machines is not None:
            session.work_elsewhere(machines)
        sessions.append(to_the_end(session))
    assert sessions[0].status is Status.SOLVED
    assert_same(*sessions)


def test_a_whole_stretch_is_one_task_and_is_waited_for():
    machines = Late()
    session = begun(machines=machines, **ISLANDS)
    session.solver.advance(12)
    assert machines.n_begun == 2


def test_no_more_units_are_done_than_are_asked_for_now():
    solver = begun(machines=Late(), **ISLANDS).solver
    assert solver.work(5).units == 0
    assert solver.work(2).units == 0
    assert solver.work(2).units == 2


@pytest.mark.exhaustive
def test_a_change_calls_off_what_is_under_way():
    changed = []
    for machines in (None, Late(n_asked=3)):
        session = begun(machines=machines, **ISLANDS)
        while session.units < 7:
            session.run_slice(1)
        if machines is not None:
            session.run_slice()
        session.set_live("mutation", 77)
        changed.append(to_the_end(session))
    assert changed[0].recipe.changes == changed[1].recipe.changes
    assert_same(*changed)


def test_what_a_fork_has_changed_is_changed_elsewhere_too():
    replay = [LiveChange(9, "mutation", 70), LiveChange(20, "migrate_every", 4)]
    machines = Late()
    elsewhere = begun(machines=machines, changes=replay, **ISLANDS)
    while elsewhere.units < 30:
        elsewhere.run_slice()
    n_begun = machines.n_begun
    assert_same(to_the_end(elsewhere), to_the_end(begun(changes=replay, **ISLANDS)))
    assert machines.n_begun > n_begun


@pytest.mark.exhaustive
def test_a_run_that_is_written_while_parts_are_under_way_goes_on_here_and_elsewhere(tmp_path):
    unbroken = to_the_end(begun(**ISLANDS))
    session = begun(machines=Late(n_asked=5), **ISLANDS)
    while session.units < 13:
        session.run_slice(3)
    session.run_slice()
    session.stop()
    file = save_run(session, tmp_path / "run.tilelab")
    for machines in (None, Late()):
        resumed = Session()
        resumed.restore(read_run(file))
        resumed.resume()
        if machines is not None:
            resumed.work_elsewhere(machines)
        assert_same(to_the_end(resumed), unbroken)


def test_a_run_without_parts_is_refused():
    for values in ({}, {"islands": 1}):
        with pytest.raises(RunError, match="cannot be shared among machines; only"):
            begun(machines=Late(), **values)


def test_a_scheduler_that_is_lost_does_not_fail_the_run():
    class Lost(Workers):
        def check(self, kept=""):
            raise TileLabError("The scheduler is gone")

    machines = Machines(Lost())
    session = begun(machines=machines, **ISLANDS)
    progress = session.run_slice()
    assert (progress.units, session.state) == (0, State.RUNNING)
    assert machines.error == "The scheduler is gone"
    with pytest.raises(TileLabError, match="The scheduler is gone"):
        session.solver.advance(1)


class Pending(Workers):
    """Calls wait for ever."""

    def __init__(self):
        self.futures = []

    def submit(self, _function, *_arguments):
        self.futures.append(Future())
        return self.futures[-1]


def test_a_part_that_was_lost_begins_again_and_further_parts_take_the_place_of_those_before():
    session, workers = begun(**ISLANDS), Pending()
    machines, parts = Machines(workers), [session.solver.snapshot()] * 2
    machines.begin(session.puzzle, parts)
    assert machines.results(0.0) is None
    first, second = workers.futures
    first.cancel()
    assert machines.results(0.0) is None
    assert machines.results(0.0) is None
    assert len(workers.futures) == 3
    machines.begin(session.puzzle, parts)
    assert second.cancelled()
    assert workers.futures[2].cancelled()


# The subtrees of IDA*

KORF = instance_set("korf100")


def drawn_puzzle(side, seed, n_slides):
    goal = goal_board(side, side, Goal.BLANK_LAST)
    params = SlidingParams(rows=side, cols=side)
    return SlidingPuzzle.create(params, scrambled(goal, side, seed, n_slides))


SEARCHES = {
    "packed": (KORF.puzzle(12), {"heuristic": "linear-conflict"}),
    "detours": (KORF.puzzle(12), {"heuristic": "larger", "detour": 8}),
    "wide": (drawn_puzzle(5, 3, 50), {"heuristic": "linear-conflict"}),
    "patterns": (drawn_puzzle(4, 2, 90), {"heuristic": "pattern-database", "tables": "6-6-3"}),
    "closed": (drawn_puzzle(5, 1, 40), {"heuristic": "pattern-database", "tables": "6-6-6-6"}),
}


@pytest.fixture
def soon_sent(monkeypatch):
    """Have small searches split and sent as large ones are."""
    monkeypatch.setattr(subtrees, "MIN_WORK", 300)
    monkeypatch.setattr(subtrees, "MIN_ROUND", 3000)
    monkeypatch.setattr(subtrees, "MIN_SHARE", 100)
    monkeypatch.setattr(rounds_elsewhere, "MIN_SENT", 200)
    monkeypatch.setattr(ida_star, "UNIT_TIMES", 1)
    monkeypatch.setattr(ida_star, "MIN_UNIT", 1)
    monkeypatch.setattr(ida_star, "WAIT_SECONDS", 0.001)


def searched(puzzle, params, machines=None, n_threads=2):
    session = Session()
    values = {"memory": 64, "threads": n_threads, "expansions_per_update": 20_000, **params}
    session.begin(recipe(puzzle, "ida-star", values))
    if machines is not None:
        session.work_elsewhere(machines)
    return session


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=() if kind == "packed" else pytest.mark.exhaustive)
        for kind in SEARCHES
    ],
)
def test_subtrees_elsewhere_are_subtrees_here(kind, soon_sent, tables):
    puzzle, params = SEARCHES[kind]
    if "tables" in params:
        make(params["tables"])
    here = searched(puzzle, params)
    machines = Late()
    elsewhere = searched(puzzle, params, machines)
    # Within a search, and at its end.
    for n_units in (2, 100):
        for session in (here, elsewhere):
            while (
                session.units < n_units and session.run_slice(n_units - session.units) is not None
            ):
                pass
        assert_same(elsewhere.snapshot(), here.snapshot())
    assert (here.status, machines.n_begun > 2) == (Status.SOLVED, True)


@pytest.mark.exhaustive
def test_a_worker_makes_the_tables_that_it_lacks(soon_sent, tables):
    puzzle, params = SEARCHES["patterns"]
    make(params["tables"])
    session = searched(puzzle, params, Late())
    lose(tables)
    assert not any(tables.iterdir())
    to_the_end(session)
    assert session.status is Status.SOLVED
    assert any(tables.iterdir())


@pytest.mark.exhaustive
def test_shares_that_take_long_come_back_undone(soon_sent, monkeypatch):
    puzzle, params = SEARCHES["packed"]
    unbroken = to_the_end(searched(puzzle, params))
    monkeypatch.setattr(rounds_elsewhere, "TASK_SECONDS", 0.0)
    monkeypatch.setattr(rounds_elsewhere, "A_CALL", 1000)
    machines = Late()
    assert_same(to_the_end(searched(puzzle, params, machines)), unbroken)
    assert machines.n_begun > 50


@pytest.mark.exhaustive
def test_a_search_that_is_written_while_a_round_is_under_way_goes_on(soon_sent, tmp_path):
    puzzle, params = SEARCHES["packed"]
    unbroken = to_the_end(searched(puzzle, params))
    session = searched(puzzle, params, Late(n_asked=4))
    while session.units < 2 or not session.steps_done:
        session.run_slice()
    session.run_slice()
    session.stop()
    file = save_run(session, tmp_path / "run.tilelab")
    for machines in (None, Late()):
        resumed = Session()
        resumed.restore(read_run(file))
        resumed.resume()
        if machines is not None:
            resumed.work_elsewhere(machines)
        assert_same(to_the_end(resumed), unbroken)


@pytest.mark.exhaustive
def test_steps_call_off_what_is_under_way(soon_sent):
    puzzle, params = SEARCHES["packed"]
    session = searched(puzzle, params, Late(n_asked=3))
    for _ in range(12):
        session.run_slice()
        session.run_steps(70)
    assert_same(to_the_end(session), to_the_end(searched(puzzle, params)))


def test_updates_that_are_too_short_are_refused():
    puzzle, params = SEARCHES["packed"]
    with pytest.raises(RunError, match="2,500,000 expansions per update are the least"):
        searched(puzzle, params, Late())
    with pytest.raises(RunError, match="cannot be shared"):
        searched(puzzle, params, Late(), n_threads=1)


# A cluster

RUN = ["run", "boggle", "--lexicon", "us-states", "--rows", "4", "--cols", "4", "--seed", "3"]
RUN += ["--solver", "annealing", "--islands", "3", "--migrate-every", "7", "--no-history"]


def output(capsys, *words):
    """Run a command; returns its JSON object without times."""
    status = main([*map(str, words), "--json", "--no-history"])
    out, err = capsys.readouterr()
    assert status == 0, err
    return {**json.loads(out), "seconds": None}


def has_work(address):
    """Whether a worker of a cluster is at something."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        return any(client.processing().values())


@pytest.mark.exhaustive
@NEEDS_DASK
@NEEDS_KILLING
def test_a_run_on_a_cluster_that_loses_a_worker_and_then_its_scheduler(cluster):
    from tilelab.experiments.cluster import Cluster

    address, (scheduler, worker, _) = cluster
    unbroken = to_the_end(begun("annealing", limit=300, **ISLANDS))
    with Cluster(address) as workers:
        machines = Machines(workers)
        session = begun("annealing", limit=300, machines=machines, **ISLANDS)
        while session.units < 20:
            session.run_slice()
        worker.kill()
        while session.units < 200:
            session.run_slice()
        scheduler.kill()
        assert eventually(lambda: session.run_slice() is None or machines.error)
        assert re.fullmatch(
            r"The connection to the scheduler at .* is lost; the run is kept", machines.error
        )
    resumed = Session()
    resumed.restore(session.snapshot())
    resumed.resume()
    assert_same(to_the_end(resumed), unbroken)


@pytest.mark.exhaustive
@NEEDS_DASK
@NEEDS_KILLING
def test_ctrl_c_keeps_the_run_which_goes_on_here_or_on_the_cluster(
    living_cluster, capsys, tmp_path
):
    address = living_cluster
    file = tmp_path / "run.tilelab"
    with start(*RUN[1:], "--scheduler", address, "--save-run", file, command="run") as stopped:
        wait_beside(stopped, lambda: has_work(address))
        os.killpg(stopped.pid, signal.SIGINT)
        out, err = stopped.communicate(timeout=MAX_SECONDS)
    assert stopped.returncode == 130, err
    assert f"To continue: tilelab resume {file}" in out
    limit = ["--limit", read_run(file).units + 30]
    unbroken = output(capsys, *RUN, *limit)
    assert output(capsys, "resume", file, *limit, "--scheduler", address) == unbroken
    assert output(capsys, "resume", file, *limit) == unbroken


@pytest.mark.exhaustive
@NEEDS_DASK
def test_a_run_without_parts_is_refused_on_the_command_line(living_cluster, capsys):
    assert main([*RUN, "--islands", "1", "--scheduler", living_cluster]) == 2
    assert "--scheduler: this run cannot be shared" in capsys.readouterr().err


@NEEDS_DASK
def test_an_address_where_no_scheduler_is(capsys):
    assert main([*RUN, "--scheduler", "tcp://127.0.0.1:1"]) == 1
    words = "--scheduler: there is no Dask scheduler at 'tcp://127.0.0.1:1'"
    assert words in capsys.readouterr().err


@pytest.mark.exhaustive
def test_machines_need_dask(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "tilelab.experiments.cluster", raising=False)
    assert main([*RUN, "--scheduler", "tcp://127.0.0.1:8786"]) == 1
    assert "Dask, which is not installed: pip install 'tilelab[cluster]'" in capsys.readouterr().err


@pytest.mark.exhaustive
@NEEDS_DASK
def test_a_search_on_a_cluster_is_the_search_here(living_cluster, monkeypatch):
    from tilelab.experiments.cluster import Cluster

    # What the workers themselves read stays as it is.
    monkeypatch.setattr(subtrees, "MIN_ROUND", 3000)
    monkeypatch.setattr(rounds_elsewhere, "MIN_SENT", 200)
    monkeypatch.setattr(ida_star, "UNIT_TIMES", 1)
    monkeypatch.setattr(ida_star, "MIN_UNIT", 1)
    puzzle, params = SEARCHES["detours"]
    unbroken = to_the_end(searched(puzzle, params))
    with Cluster(living_cluster) as workers:
        machines = Machines(workers)
        n_begun, begin = [], machines.begin
        machines.begin = lambda *parts: n_begun.append(1) or begin(*parts)
        assert_same(to_the_end(searched(puzzle, params, machines)), unbroken)
    assert n_begun
    assert unbroken.status is Status.SOLVED


@pytest.mark.exhaustive
@NEEDS_DASK
@NEEDS_KILLING
def test_a_search_on_a_cluster_that_loses_a_worker(cluster, monkeypatch):
    from tilelab.experiments.cluster import Cluster

    # Of a search that takes a second, some rounds are to be sent.
    monkeypatch.setattr(subtrees, "MIN_ROUND", 1_000_000)
    monkeypatch.setattr(rounds_elsewhere, "MIN_SENT", 100_000)
    puzzle = KORF.puzzle(60)
    params = {"heuristic": "larger", "detour": 8, "expansions_per_update": 2_500_000}
    here = searched(puzzle, params)
    unbroken, counts = to_the_end(here), here.solver.view(ViewKind.THRESHOLDS).generated
    address, (_, worker, _) = cluster
    with Cluster(address) as workers:
        machines = Machines(workers)
        n_begun, begin = [], machines.begin
        machines.begin = lambda *parts: n_begun.append(1) or begin(*parts)
        session = searched(puzzle, params, machines)
        while session.solver.steps_done < 5_000_000:
            session.run_slice()
        worker.kill()
        assert_same(to_the_end(session), unbroken)
        assert len(n_begun) > 10
    assert session.best.optimal
    assert session.solver.view(ViewKind.THRESHOLDS).generated.tolist() == counts.tolist()
    alone = searched(puzzle, params, n_threads=1)
    assert to_the_end(alone).best.moves == session.best.moves
    assert alone.solver.view(ViewKind.THRESHOLDS).generated.tolist()[:-1] == counts.tolist()[:-1]
