"""``tilelab records``: the list, one record, and a search over seeds."""

import contextlib
import json
import signal
import sqlite3
import subprocess
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from functools import partial

import pytest

from tests.history_records import made
from tests.patience import MAX_SECONDS, eventually
from tests.programs import Program, environment
from tilelab.cli import record_search
from tilelab.experiments import seed_search
from tilelab.experiments.jobs import Job
from tilelab.experiments.seed_search import SearchGoal, SeedSearch, SeedTrial
from tilelab.experiments.workers import StopRequest, Workers
from tilelab.letters.builtin import open_lexicon
from tilelab.runs.history.store import History
from tilelab.runs.records import builtin_records

SMALL = ("boggle", "--lexicon", "us-states", "--rows", 3, "--cols", 3, "--seed", 5)


class Inline(Workers):
    """Workers that do a run at once, in this process; those in ``dead`` die as often as it says."""

    deaths = (BrokenProcessPool,)
    n_workers = 1

    def __init__(self, requested=1, trial=None, dead=None, **_):
        self.n_workers, self.trial, self.dead = requested or 1, trial, dict(dead or {})
        self.n_killed = self.n_renewed = 0
        self.seconds = []

    def submit(self, function, job):
        future = Future()
        self.seconds.append(job.limits["seconds"])
        if self.dead.get(job.seed, 0):
            self.dead[job.seed] -= 1
            future.set_exception(BrokenProcessPool("died"))
        else:
            future.set_result((self.trial or function)(job))
        return future

    def renew(self):
        self.n_renewed += 1

    def kill(self):
        self.n_killed += 1


@pytest.fixture
def here(monkeypatch):
    """No processes of their own."""
    monkeypatch.setattr(record_search, "Processes", Inline)


def job_of(seed, seconds=None, target=None):
    limits = {"seconds": seconds, "target": target}
    return Job(puzzle="boggle", values={}, solver="genetic", params={}, seed=seed, limits=limits)


def valued(values):
    """A trial that comes to a value by its seed; None fails."""

    def trial(job):
        value = values[job.seed]
        if value is None:
            return SeedTrial(None, "it broke")
        return SeedTrial(made(seed=job.seed, value=float(value)))

    return trial


def searched(values, workers=None, target=None, **wanted):
    workers = workers or Inline(trial=valued(values))
    job = job_of(min(values), target=target)
    search = SeedSearch(job, workers, SearchGoal(**{"seconds": 1e6, **wanted}))
    return list(search.steps(StopRequest()))


def test_seeds_follow_each_other_and_only_a_better_one_is_new():
    steps = searched({7: 3, 8: 5, 9: 5, 10: None}, n_runs=4)
    assert [step.n_done for step in steps] == [1, 2, 3, 4]
    assert [step.is_new for step in steps] == [True, True, False, False]
    assert (steps[-1].best.seed, steps[-1].n_failed, steps[-1].error) == (8, 1, "it broke")


def test_a_target_ends_the_search():
    workers = Inline(trial=valued({1: 3, 2: 6, 3: 9}))
    steps = searched({1: 3, 2: 6, 3: 9}, workers, target=6.0)
    assert [step.n_done for step in steps] == [1, 2]
    assert workers.n_killed == 0  # nothing was going any more


def test_no_run_has_more_time_than_there_is():
    workers = Inline(trial=valued({1: 1, 2: 2}))
    search = SeedSearch(job_of(1, seconds=5.0), workers, SearchGoal(seconds=1e6, n_runs=2))
    assert len(list(search.steps(StopRequest()))) == 2
    assert workers.seconds == [5.0, 5.0]
    workers = Inline(trial=valued({1: 1}))
    search = SeedSearch(job_of(1, seconds=5.0), workers, SearchGoal(seconds=3.0, n_runs=1))
    list(search.steps(StopRequest()))
    assert 0 < workers.seconds[0] <= 3.0
    assert list(SeedSearch(job_of(1), Inline(), SearchGoal(seconds=0.0)).steps(StopRequest())) == []


def test_a_seed_whose_worker_dies_is_tried_again_and_given_up_after_three_times():
    workers = Inline(2, valued({1: 4, 2: 5, 3: 6}), dead={1: 2, 2: 3})
    steps = searched({1: 4, 2: 5, 3: 6}, workers, n_runs=3)
    assert (steps[-1].n_done, steps[-1].n_failed) == (3, 1)
    assert steps[-1].best.seed == 3
    assert workers.dead == {1: 0, 2: 0}


def test_a_search_that_is_ended_takes_what_current_runs_have_found(monkeypatch):
    """Noticed: hours of a run are lost, or a run that does not end in time is waited for."""

    class Going(Inline):
        def submit(self, _function, job):
            runs[job.seed] = Future()
            return runs[job.seed]

        def end_jobs(self):
            runs[1].set_result(valued({1: 4})(job_of(1)))

    monkeypatch.setattr(seed_search, "ENDING_SECONDS", 0.01)
    runs, workers, request = {}, Going(2), StopRequest()
    steps = SeedSearch(job_of(1), workers, SearchGoal(1e6)).steps(request)
    assert next(steps).best is None
    request.kill()
    (last,) = steps
    assert (last.best.seed, last.is_new, last.n_done) == (1, True, 1)
    assert workers.n_killed == 1


def test_the_list_names_value_and_source(command):
    status, out, err = command("records")
    assert (status, err) == (0, "")
    lines = [line.split("\t") for line in out.splitlines()]
    (states,) = [one for one in lines if one[2:5] == ["States of the USA", "4×4", "summed length"]]
    assert states[6:8] == ["74", "TileLab"]
    status, out, _ = command("records", "--search", "usa 4×4 LENGTH", "--json")
    (record,) = json.loads(out)
    assert (status, record["value"], record["own"]) == (0, 74, None)
    assert (record["builtin"]["run"], record["builtin"]["proven"]) == (None, False)
    assert record["builtin"]["command"].startswith("tilelab run boggle --lexicon us-states")
    assert command("records", "--search", "nowhere")[1].strip() == "There is no such record."


def test_one_record_is_shown_with_its_board_and_its_command(command):
    _, out, _ = command("records", "--search", "usa 4×4 length", "--json")
    status, out, _ = command("records", "show", json.loads(out)[0]["number"])
    assert status == 0
    assert out.startswith("chtu\ndaro\ncoks\nlina\n")
    assert "74 (TileLab)" in out
    assert "tilelab run boggle --lexicon us-states --rows 4 --cols 4" in out
    # Who holds a record is not told it twice.
    with History() as history:
        history.put(_better_than_ever(side=4))
    _, out, _ = command("records", "--search", "usa 4×4 length", "--json")
    (record,) = json.loads(out)
    assert record["value"] == 1e6
    assert (record["own"]["run"], record["own"]["proven"]) == (1, False)
    _, out, _ = command("records", "show", record["number"])
    assert out.count("yours") == 1
    status, _, err = command("records", "show", 99_999)
    assert (status, "99999 is outside 1.." in err) == (2, True)


def test_a_history_of_a_later_version_hides_no_built_in_record(command):
    with History() as history:
        history.put(_better_than_ever())
        file = history.path
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 99")
    status, out, err = command("records", "--json")
    assert (status, len(json.loads(out))) == (0, len(builtin_records()))
    assert err.count("\n") == 1
    assert "was written by a later TileLab" in err
    assert command("records", "show", 1)[0] == 0


def test_a_search_keeps_only_the_best_run_and_says_how_to_make_it_again(command, here):
    words = (*SMALL, "--solver", "annealing", "--limit", 3, "--seeds", 4)
    status, out, err = command("records", "run", *words, "--json")
    assert status == 0, err
    result = json.loads(out)
    best = result["best"]
    assert (result["n_done"], result["n_failed"]) == (4, 0)
    with History() as history:
        (number,) = history.ids()
        record = history.record(number)
    assert (best["run"], best["seed"], best["value"]) == (number, record.seed, record.value)
    assert 5 <= record.seed <= 8
    assert record.tags == "records"
    _program, *again = best["command"].split()
    _, out, _ = command(*again, "--json", "--no-history")
    assert json.loads(out)["best"]["value"] == record.value


def test_a_better_run_replaces_the_one_before_in_the_history(command, monkeypatch):
    workers = partial(Inline, trial=valued({0: 1, 1: 3, 2: 2}))
    monkeypatch.setattr(record_search, "Processes", workers)
    status, _, err = command("records", "run", *SMALL, "--seed", 0, "--limit", 3, "--seeds", 3)
    assert status == 0, err
    with History() as history:
        (number,) = history.ids()
        assert history.record(number).seed == 1


def test_each_run_of_a_search_needs_an_end(command, here):
    status, _, err = command("records", "run", *SMALL)
    assert status == 2
    assert err.startswith("each run needs an end: --units, --evaluations, --seconds or ")
    assert command("records", "run", *SMALL, "--target", 3)[2] == err
    status, _, err = command("records", "run", *SMALL, "--limit", 3, "--hours", 0)
    assert (status, "--hours" in err) == (2, True)


def test_a_run_says_that_it_is_as_good_as_the_best_known(command):
    with History() as history:
        history.put(_better_than_ever())
    words = ("run", *SMALL, "--limit", 2, "--fitness", "length")
    _, _, err = command(*words)
    assert "record" not in err
    _, _, err = command("run", *SMALL, "--limit", 2, "--torus")
    assert "record" not in err  # the first of its kind


def _better_than_ever(side=3):
    origin = {"lexicon": "us-states", "file": None, "digest": open_lexicon("us-states").digest}
    params = {"rows": side, "cols": side, "fitness": "length"}
    board = ("abcd"[:side],) * side
    return made(value=1e6, origin=origin, puzzle_params=params, board=board, rows=side)


def kept(file):
    """Whether a run is in a history."""
    if not file.exists():
        return False
    with History(file) as history:
        return history.count() > 0


@pytest.mark.exhaustive
def test_real_processes_search_and_one_signal_ends_them_after_their_runs(tmp_path, usual_signals):
    program = Program(
        *("records", "run", *SMALL, "--limit", 2, "--workers", 2, "--json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(TILELAB_DATA_DIR=str(tmp_path)),
    )
    with program:
        assert eventually(lambda: kept(tmp_path / "history.sqlite"))
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=MAX_SECONDS)
    assert program.returncode == 128 + signal.SIGINT, err
    assert json.loads(out)["n_done"] >= 1
