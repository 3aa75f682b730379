"""Handing out runs: what comes back, what dies, what is stopped. Workers are threads here."""

import itertools
import threading
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from tests.experiments.plans import runs, small
from tests.workers_here import follow
from tilelab.core.errors import TileLabError
from tilelab.experiments.job_run import Outcome, failed_row
from tilelab.experiments.results import Results
from tilelab.experiments.sweep import Bundle, Dispatcher, RunLengths, one_of_each_first, run_bundle
from tilelab.experiments.workers import StopRequest, Workers


class DeathError(Exception):
    """Of a worker."""


class Threads(Workers):
    """Workers that call ``act`` in place of functions, and all die together when one does."""

    n_workers = 2
    deaths = (DeathError,)

    def __init__(self, act, n_workers=2, *, tries_again=False):
        self.n_workers, self._act = n_workers, act
        self.tries_again = tries_again
        self._pool = ThreadPoolExecutor(n_workers)
        self.n_renewed = 0
        self.sizes = []
        self.killed = False
        self._flying = []

    def submit(self, _function, jobs, seconds):
        self.sizes.append(len(jobs))
        future = Future()
        self._flying.append(future)
        self._pool.submit(self._work, future, jobs, seconds)
        return future

    def _work(self, future, jobs, seconds):
        if not future.set_running_or_notify_cancel():
            return
        try:
            made = self._act(jobs, seconds)
        except DeathError as death:
            future.set_exception(death)
            if not self.tries_again:
                self._end_others()
            return
        if not future.done():
            future.set_result(made)

    def _end_others(self):
        for other in self._flying:
            if not other.done():
                other.set_exception(DeathError("together"))

    def renew(self):
        self.n_renewed += 1

    def kill(self):
        self.killed = True

    def end(self):
        self._pool.shutdown()


def made_row(job):
    return {**failed_row(job, ""), "status": "limit", "value": job.place}


class Cells:
    """Does cells by their places; counts them, and dies of some of them some times."""

    def __init__(self, deadly=(), n_deaths=10**9, seconds=0.0):
        self.counts = Counter()
        self.lock = threading.Lock()
        self.deadly, self.n_deaths, self.seconds = set(deadly), n_deaths, seconds

    def __call__(self, jobs, seconds):
        for job in jobs:
            with self.lock:
                self.counts[job.place] += 1
                n_times = self.counts[job.place]
            if job.place in self.deadly and n_times <= self.n_deaths:
                raise DeathError(f"of {job.place}")
        return Bundle(
            [(job.place, Outcome(made_row(job))) for job in jobs], self.seconds * len(jobs)
        )


@pytest.fixture
def carry_out(tmp_path):
    """Do a plan of some runs by such workers; returns its results' rows and the workers."""

    def act(cells, n_runs, *, request=None, report=lambda progress: None, **workers):
        made = runs(small(repeats=n_runs // 2))
        threads = Threads(cells, **workers)
        try:
            with Results(tmp_path / "results", made, resume=True) as results:
                follow(Dispatcher(results, threads, request or StopRequest()).steps(), report)
                return results.counts, list(results.rows()), threads
        finally:
            threads.end()

    return act


def test_all_runs_are_done_once_and_kept_in_order(carry_out):
    cells = Cells(seconds=0.001)
    said = []
    counts, rows, threads = carry_out(cells, 400, report=said.append)
    assert counts == (400, 400, 0)
    places = [place for progress in said for place, _ in progress.outcomes]
    assert sorted(places) == list(range(400))
    assert [row["value"] for row in rows] == list(range(400))
    assert set(cells.counts.values()) == {1}
    # Small ones go together, and fewer of them towards the end.
    assert threads.sizes[0] == 1
    assert max(threads.sizes) > 20
    assert threads.sizes[-1] == 1


def test_long_runs_are_not_bundled(carry_out):
    _, _, threads = carry_out(Cells(seconds=5.0), 20)
    assert threads.sizes == [1] * 20


def test_what_a_bundle_has_no_time_for_is_done_later(carry_out):
    whole = Cells(seconds=0.01)

    def half(jobs, seconds):
        return whole(jobs[: max(1, len(jobs) // 2)], seconds)

    counts, _, _ = carry_out(half, 100)
    assert counts == (100, 100, 0)
    assert set(whole.counts.values()) == {1}


def test_a_bundle_ends_when_its_time_is_over():
    made = runs(small())
    jobs = [made.job(place) for place in range(4)]
    assert [place for place, _ in run_bundle(jobs, 0.0).outcomes] == [0]
    assert [place for place, _ in run_bundle(jobs, 1e9).outcomes] == [0, 1, 2, 3]


def test_a_run_that_kills_its_workers_is_given_up_after_three_times(carry_out):
    cells = Cells(deadly=[7], seconds=5.0)
    counts, rows, threads = carry_out(cells, 20)
    assert counts == (20, 19, 1)
    (failed,) = [row for row in rows if row["status"] == "failed"]
    assert failed["error"] == "its worker process ended unexpectedly"
    # Not known at first which of those under way it was: that one does not count.
    assert cells.counts[7] in (3, 4)
    assert threads.n_renewed == cells.counts[7]


def test_workers_that_try_again_by_themselves_are_not_asked_to(carry_out):
    cells = Cells(deadly=[7], seconds=0.01)
    counts, rows, threads = carry_out(cells, 100, tries_again=True)
    assert counts == (100, 99, 1)
    (failed,) = [row for row in rows if row["status"] == "failed"]
    assert failed["error"] == "of 7"
    assert cells.counts[7] in (1, 2)  # within a bundle, and alone
    assert threads.n_renewed == 0


def test_a_death_by_accident_costs_nothing(carry_out):
    cells = Cells(deadly=[3, 11], n_deaths=1, seconds=5.0)
    counts, rows, _ = carry_out(cells, 20)
    assert counts == (20, 20, 0)
    assert [row["value"] for row in rows] == list(range(20))


def test_workers_that_always_die_come_to_an_end(carry_out):
    counts, rows, _ = carry_out(Cells(deadly=range(20), seconds=0.001), 20)
    assert counts == (20, 0, 20)
    assert {row["status"] for row in rows} == {"failed"}


def test_a_stop_lets_finish_what_is_going_and_a_second_time_does_the_rest(carry_out):
    cells, request = Cells(seconds=5.0), StopRequest()

    def report(progress):
        if progress.n_done >= 5:
            request.stop()

    counts, _, _ = carry_out(cells, 20, request=request, report=report)
    assert 5 <= counts.n_done <= 7
    assert sum(cells.counts.values()) == counts.n_done
    counts, rows, _ = carry_out(cells, 20)
    assert counts == (20, 20, 0)
    assert set(cells.counts.values()) == {1}
    assert [row["value"] for row in rows] == list(range(20))


def test_a_second_signal_ends_what_is_going(carry_out):
    request = StopRequest()

    def report(progress):
        request.kill()

    counts, _, threads = carry_out(Cells(seconds=5.0), 20, request=request, report=report)
    assert threads.killed
    assert counts.n_done < 20


def test_a_signal_to_all_processes_is_no_death_of_a_run(carry_out):
    """What ends a program with its workers, such as a shutdown, says nothing of what they did."""
    cells = Cells(seconds=5.0)

    def ended(jobs, seconds):
        request.stop()
        raise DeathError("with all others")

    for _ in range(4):
        request = StopRequest()
        counts, _, threads = carry_out(ended, 20, request=request, n_workers=1)
        assert counts == (20, 0, 0)
        assert threads.n_renewed == 0
    counts, _, _ = carry_out(cells, 20)
    assert counts == (20, 20, 0)
    assert set(cells.counts.values()) == {1}


def test_the_time_left_is_that_of_the_runs_left_by_all_workers(tmp_path):
    """Two workers have 14 runs of ten seconds; it does not matter that both bring theirs at once,
    nor that the first run of each has loaded kernels."""
    seconds = itertools.chain([60.0, 60.0], itertools.repeat(10.0))

    class AtOnce(Threads):
        def submit(self, _function, jobs, _seconds):
            made = [(job.place, Outcome(made_row(job))) for job in jobs]
            future = Future()
            future.set_result(Bundle(made, next(seconds)))
            return future

    made, threads = runs(small(repeats=7)), AtOnce(None, 2)
    said = []
    with Results(tmp_path / "results", made) as results:
        follow(Dispatcher(results, threads, StopRequest()).steps(), said.append)
    threads.end()
    assert [(each.n_done, each.n_left) for each in said] == [(n, 14 - n) for n in range(2, 15, 2)]
    assert [each.seconds_left for each in said] == [6 * 60, 50, 40, 30, 20, 10, 0]


def test_the_time_left_knows_quick_settings_from_slow_ones():
    """Noticed: the mean of the quick runs so far, while the slow ones are still to come."""
    made = runs(small(repeats=50))
    assert list(itertools.islice(one_of_each_first(made, range(100)), 3)) == [0, 50, 1]
    assert sorted(one_of_each_first(made, range(100))) == list(range(100))
    lengths = RunLengths(made, range(100))

    def note(place, seconds):
        row = {**made_row(made.job(place)), "seconds": seconds}
        lengths.note(Bundle([(place, Outcome(row))], seconds), 2)

    note(0, 0.01)
    assert lengths.seconds_left(2, []) is None
    note(50, 10.0)
    assert lengths.seconds_left(2, []) == pytest.approx(49 * 10 / 2, rel=0.01)
    for place in range(1, 50):
        note(place, 0.01)
    assert lengths.seconds_left(2, []) == pytest.approx(25 * 10)
    # Of the last two, one has been going for four seconds.
    for place in range(51, 98):
        note(place, 10.0)
    assert lengths.seconds_left(2, [(98, 4.0), (99, 0.0)]) == pytest.approx(10.0)
    lengths.add(99, None)  # given up
    assert lengths.seconds_left(2, [(98, 4.0)]) == pytest.approx(6.0)


def test_workers_that_cannot_answer_any_more_end_it(carry_out):
    class Gone(Threads):
        def check(self):
            raise TileLabError("the scheduler is gone")

    made = runs(small())
    waiting = threading.Event()

    def wait(jobs, seconds):
        waiting.wait()
        return Cells()(jobs, seconds)

    threads = Gone(wait)
    try:
        with pytest.raises(TileLabError, match="gone"):
            carry_out_with(made, threads)
    finally:
        waiting.set()
        threads.end()


def carry_out_with(made, threads):
    import tempfile

    with tempfile.TemporaryDirectory() as folder, Results(folder, made) as results:
        follow(Dispatcher(results, threads, StopRequest()).steps())
