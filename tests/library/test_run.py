"""Runs in a script: what they come to, in which pieces, and how they go on."""

import inspect
import itertools
import signal
import threading

import numpy as np
import pytest

import tilelab
from tests.experiments.plans import alone
from tests.fourth_puzzle import Lamps, Zapping
from tilelab.core.declarations import COMMON_NAMES
from tilelab.core.registry import register_puzzle, register_solver, registered, set_registered
from tilelab.runs.limits import Limits
from tilelab.runs.session import Session

EIGHT = {"rows": 3, "cols": 3}
HARD = "8 6 7 2 5 4 3 0 1"


@pytest.fixture(scope="module")
def states():
    return tilelab.load("boggle", lexicon="us-states", rows=4, cols=4)


@pytest.fixture(scope="module")
def hard():
    """One of the two boards that are 31 moves from their goal, farther than all others."""
    return tilelab.load("sliding", **EIGHT, board=HARD)


def same(one, other):
    """Whether two results are of the same run up to the same unit, times aside."""
    names = ("status", "limit_reached", "units", "evaluations", "value", "best_unit", "board")
    return all(getattr(one, name) == getattr(other, name) for name in names) and all(
        np.array_equal(one.trace[name].values, other.trace[name].values) for name in one.trace
    )


def test_a_result_has_the_board_its_path_and_the_figures(hard):
    result = tilelab.solve(hard, "a-star")
    assert (result.status, result.value, result.limit_reached) == ("solved", 0, "")
    assert (len(result.moves), result.optimal) == (31, True)
    assert hard.rows_of(hard.replay(result.moves)) == tuple(result.board.splitlines())
    assert result.board == "1 2 3\n4 5 6\n7 8 ."
    assert result.cells.tolist() == [[1, 2, 3], [4, 5, 6], [7, 8, 0]]
    assert result.metrics["generated"] == result.evaluations
    assert result.unit == "update"
    assert str(result).splitlines()[3:] == ["31 moves, the shortest", result.moves]
    assert repr(result).startswith("Result(value=0, n_moves=31, status='solved', solver='a-star'")


def test_it_is_what_the_command_line_comes_to(states, capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("TILELAB_DATA_DIR", str(tmp_path))
    result = tilelab.solve(states, "annealing", seed=3, units=20, swaps=20)
    words = ["--solver", "annealing", "--seed", "3", "--limit", "20", "--swaps", "20"]
    words += ["--lexicon", "us-states", "--rows", "4", "--cols", "4"]
    printed = alone(capsys, ["tilelab", "run", "boggle", *words])
    assert printed["best"]["value"] == result.value
    assert tuple(printed["best"]["rows"]) == tuple(result.board.splitlines())
    assert printed["metrics"] == {**result.metrics, "evaluations": result.evaluations}


def test_the_path_on_word_tiles_is_searched_for_when_it_is_asked_for():
    puzzle = tilelab.load("wordtiles", lexicon="english-small", rows=3, cols=3)
    result = tilelab.solve(puzzle, seed=1, iterations=5)
    assert (result.solver, result.units) == ("bees", 5)
    assert result.best.moves is None
    assert puzzle.rows_of(puzzle.replay(result.moves)) == tuple(result.board.splitlines())


def test_letters_do_not_slide(states):
    result = tilelab.solve(states, units=1, seed=1)
    assert (result.moves, result.optimal) == (None, None)


def test_the_trace_has_each_row_of_a_run(states):
    result = tilelab.solve(states, "genetic", seed=1, units=300)
    curve = result.trace["best_ever"]
    assert curve.units.tolist() == list(range(300))
    assert curve.values[-1] == result.value == result.metrics["best_ever"]
    assert curve.values[result.best_unit - 1] < curve.values[result.best_unit] == result.value


@pytest.mark.parametrize(
    ("limit", "status", "units"),
    [
        ({"units": 7}, "limit", 7),
        ({"evaluations": 500}, "limit", 5),
        ({"units": 7, "evaluations": 500}, "limit", 5),
    ],
)
def test_limits(limit, status, units, states):
    result = tilelab.solve(states, "genetic", seed=1, **limit)
    assert (result.status, result.units) == (status, units)
    assert result.limit_reached == list(limit)[-1]


def test_a_target_and_units_without_improvement(states):
    result = tilelab.solve(states, "genetic", seed=1, target=3, units=10_000)
    assert (result.value >= 3, result.limit_reached) == (True, "target")
    assert result.best_unit == result.units - 1
    result = tilelab.solve(states, "genetic", seed=1, units_without_improvement=40)
    assert result.units == result.best_unit + 1 + 40
    assert tilelab.solve(states, "genetic", seconds=1e-6).limit_reached == "seconds"


def test_pieces_make_the_same_run(states):
    whole = tilelab.solve(states, "genetic", seed=5, units=60)
    run = tilelab.Run(states, "genetic", seed=5, units=60)
    assert (run.moment.units, run.is_over) == (0, False)
    assert run.advance(0).moment == (0, 0, 0.0, None)
    assert run.advance(17).moment.units == 17
    assert (run.is_over, run.result.status) == (False, "running")
    assert same(run.advance().result, whole)
    assert run.is_over
    assert same(run.advance(100).result, whole)
    assert list(run) == []


def test_a_run_is_iterated_over_as_far_as_is_wanted(states):
    run = tilelab.Run(states, "genetic", seed=5)
    for moment in run:
        assert moment == run.moment
        if moment.units > 3:
            break
    assert not run.is_over
    assert next(iter(run)).units > moment.units


def test_progress_is_reported(states):
    moments = []
    result = tilelab.solve(states, "genetic", seed=5, units=30, progress=moments.append)
    assert moments[-1] == (30, result.evaluations, result.seconds, result.value)
    assert all(a.units < b.units for a, b in itertools.pairwise(moments))


def test_a_snapshot_goes_on_as_often_as_is_wanted(states):
    whole = tilelab.solve(states, "genetic", seed=5, units=60)
    run = tilelab.Run(states, "genetic", seed=5)
    kept = run.advance(20).snapshot()
    for _ in range(2):
        again = tilelab.resume(kept, units=60)
        assert again.moment.units == 20
        assert same(again.advance().result, whole)
    assert run.moment.units == 20


def test_a_file_goes_on(states, tmp_path):
    whole = tilelab.solve(states, "genetic", seed=5, units=60)
    file = tilelab.Run(states, "genetic", seed=5, units=20).advance().save(tmp_path / "a.tilelab")
    ended = tilelab.resume(file)
    assert (ended.is_over, ended.result.limit_reached) == (True, "units")
    assert same(tilelab.resume(str(file), units=60).advance().result, whole)
    assert tilelab.resume(file, units=60, target=0).is_over
    with pytest.raises(tilelab.TileLabError, match="units: 10 is less than the 20 that are done"):
        tilelab.resume(file, units=10)
    with pytest.raises(tilelab.TileLabError, match="absent"):
        tilelab.resume(tmp_path / "absent.tilelab")


def test_a_live_parameter(states):
    run = tilelab.Run(states, "genetic", seed=5, units=60)
    run.advance(20).set_live(mutation=60)
    assert run.result.params["mutation"] == 60
    assert not same(run.advance().result, tilelab.solve(states, "genetic", seed=5, units=60))
    with pytest.raises(tilelab.TileLabError, match="mutation: 600 is outside"):
        run.set_live(mutation=600)


def test_a_closed_run_keeps_its_result(states):
    with tilelab.Run(states, "genetic", seed=5, units=60) as run:
        run.advance(10)
    assert (run.is_over, run.moment.units, run.result.units) == (True, 10, 10)
    assert run.advance().result.units == 10
    assert run.puzzle is states
    for act in (run.snapshot, lambda: run.set_live(mutation=5)):
        with pytest.raises(tilelab.TileLabError, match="the run is closed"):
            act()


@pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread(), reason="signals come elsewhere"
)
def test_ctrl_c_leaves_a_run_that_goes_on(states, monkeypatch):
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    run_slice, seen = Session.run_slice, []

    def interrupted(self, most_units=None):
        """Ctrl-C comes in the middle of the third slice."""
        seen.append(self.units)
        if len(seen) == 3:
            signal.raise_signal(signal.SIGINT)
        return run_slice(self, most_units)

    monkeypatch.setattr(Session, "run_slice", interrupted)
    try:
        run = tilelab.Run(states, "genetic", seed=5, units=60)
        with pytest.raises(KeyboardInterrupt):
            run.advance()
        assert len(seen) == 3
        assert run.moment.units > seen[-1]
        assert not run.is_over
        assert same(run.advance().result, tilelab.solve(states, "genetic", seed=5, units=60))
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_run_in_a_thread(states):
    found = []
    thread = threading.Thread(
        target=lambda: found.append(tilelab.solve(states, "genetic", seed=5, units=6))
    )
    thread.start()
    thread.join()
    assert same(found[0], tilelab.solve(states, "genetic", seed=5, units=6))


def test_seeds(states, hard):
    assert tilelab.solve(states, "genetic", seed=np.int64(7), units=1).seed == 7
    assert len({tilelab.Run(states).result.seed for _ in range(4)}) > 1
    assert tilelab.Run(hard, "a-star").result.seed == 0


class FaultError(RuntimeError):
    """Of a solver."""


@pytest.fixture
def lamps():
    before = registered()
    register_puzzle(Lamps)
    register_solver(Zapping)
    yield tilelab.load("lamps", lamps="010")
    set_registered(before)


def test_a_solver_that_fails(lamps, monkeypatch):
    run = tilelab.Run(lamps, seed=1)

    def fail(self):
        raise FaultError("a lamp is broken")

    monkeypatch.setattr(Zapping, "do_unit", fail)
    with pytest.raises(tilelab.TileLabError, match="the solver failed: FaultError: a lamp is br"):
        run.advance()
    assert (run.is_over, run.result.status) == (True, "failed")


def test_a_plug_in_is_run_like_any_other(lamps):
    result = tilelab.solve(lamps, seed=1)
    assert (result.value, result.status, result.evaluations) == (3, "solved", None)
    with pytest.raises(tilelab.TileLabError, match="zapping does not count them"):
        tilelab.solve(lamps, evaluations=3)


@pytest.mark.parametrize(
    ("words", "values", "said"),
    [
        (("genetik",), {}, "'genetik' is not a solver of boggle (did you mean genetic?)"),
        ((), {"units": 0}, "units: 0 is not a whole number from 1 up"),
        ((), {"units": 1.5}, "units: 1.5 is not a whole number from 1 up"),
        ((), {"seconds": "2"}, "seconds: '2' is not a number above 0"),
        ((), {"mutation": 600}, "mutation: 600 is outside 0..100"),
        ((), {"mutatio": 6}, "mutatio is not a parameter; the parameters are mutation, parents"),
        ((), {"seed": -1}, "seed: -1 is outside 0.."),
        ((), {"seed": "x"}, "seed: 'x' is not a whole number in 0.."),
    ],
)
def test_an_error_says_what_is_allowed(words, values, said, states):
    with pytest.raises(tilelab.TileLabError) as caught:
        tilelab.Run(states, *words, **values)
    assert str(caught.value).startswith(said)


def test_a_limit_is_a_keyword_of_the_library_and_no_parameter_of_a_solver():
    """Noticed: a limit that was added to Limits alone."""
    names = Limits.model_fields.keys()
    for call in (tilelab.Run, tilelab.solve, tilelab.resume):
        assert names <= inspect.signature(call).parameters.keys(), call
    assert names <= COMMON_NAMES
