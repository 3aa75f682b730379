"""A sweep: the jobs of a plan are handed out to workers, and their results kept as they arrive."""

import contextlib
import itertools
import math
import random
import statistics
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from tilelab.core.errors import SOLVER_ERRORS, TileLabError, missing_package, solver_errors
from tilelab.core.text.language import tr
from tilelab.experiments.job_run import Outcome, failed_row, run_job
from tilelab.experiments.jobs import Job, Runs, recipe_of
from tilelab.experiments.results import MAX_TRIES, Results
from tilelab.experiments.workers import LOOK_SECONDS, Processes, StopRequest, Workers
from tilelab.runs.recipe import warm_up

BUNDLE_SECONDS = 0.25  # approximate: handing a bundle out costs some milliseconds
MAX_BUNDLED = 256
MAX_UNASKED = 1_000  # number of runs above which a plan is only begun when the user confirms it
_LONG_SECONDS = 1.0  # duration from which jobs are not handed out before a worker is free
_ENOUGH_SETTINGS = 24  # number of settings whose runs suffice to judge those of the others
_LAST_BUNDLES = 31  # number of bundles from which the time around a run is judged


class Bundle(NamedTuple):
    """The results of the first jobs of a bundle; the others are still to do."""

    outcomes: list[tuple[int, Outcome]]  # outcomes, each with the place of its job
    seconds: float


class SweepProgress(NamedTuple):
    n_done: int  # number of runs that were done or have failed
    n_left: int
    seconds_left: float | None  # estimated remaining time; None before there is a basis for it
    outcomes: Sequence[tuple[int, Outcome]] = ()  # since the previous progress, by places


def run_bundle(jobs: Sequence[Job], seconds: float) -> Bundle:
    began = time.perf_counter()
    outcomes: list[tuple[int, Outcome]] = []
    for job in jobs:
        outcomes.append((job.place, run_job(job)))
        if time.perf_counter() - began > seconds:
            break
    return Bundle(outcomes, time.perf_counter() - began)


def open_workers(
    requested: int | None, scheduler: str | None, n_runs: int, *, low_priority: bool = False
) -> Workers:
    """Return the workers of a cluster or of this machine, n_runs at most; raises TileLabError."""
    if scheduler is not None:
        return open_cluster(scheduler, requested)
    return Processes(requested, n_runs=n_runs, low_priority=low_priority)


def open_cluster(address: str, n_workers: int | None) -> Workers:
    """Return the workers of a Dask cluster; raises TileLabError where Dask is not installed."""
    try:
        from tilelab.experiments.cluster import Cluster
    except ModuleNotFoundError:
        raise missing_package(tr("A cluster needs Dask"), "cluster") from None
    return Cluster(address, n_workers)


def prepare(kinds: Iterable[Runs], call: Callable[[Callable[[], None]], None]) -> None:
    """Compile and make what runs need, once; call: calls a function after making what it lacks."""
    for warm_one_up in warm_ups(kinds):
        with contextlib.suppress(*SOLVER_ERRORS):
            call(warm_one_up)


def warm_ups(kinds: Iterable[Runs]) -> Iterator[Callable[[], None]]:
    """Return functions that compile or load each kind's kernels; may raise SOLVER_ERRORS."""
    return (partial(_warm_up, job) for runs in kinds for job in runs.kernel_samples())


@solver_errors()
def _warm_up(job: Job) -> None:
    warm_up(recipe_of(job))


def sweep(
    results: Results, workers: Workers, request: StopRequest
) -> Generator[SweepProgress | None, None, None]:
    """Do the runs that are left, and write the table of all; raises TileLabError.

    Yields as :meth:`Dispatcher.steps`. Closed early, it leaves the runs being done to the workers.
    """
    results.make_checkpoints()
    try:
        yield from Dispatcher(results, workers, request).steps()
    except BaseException:
        with contextlib.suppress(TileLabError):  # the first error is more informative
            results.write_table()
        raise
    else:
        results.write_table()
    finally:
        with contextlib.suppress(OSError):  # interrupted runs are kept in it
            results.checkpoints.rmdir()


def one_of_each_first(runs: Runs, places: Iterable[int]) -> Iterator[int]:
    """Yield places with a run of each setting first, so that the time of all is soon known."""
    places = list(places)
    first: dict[int, int] = {}
    for place in places:
        first.setdefault(runs.setting_at(place), place)
    samples = list(first.values())
    if len(samples) > _ENOUGH_SETTINGS:  # the first of them then say as much as any others
        random.Random(0).shuffle(samples)
    yield from samples
    known = set(samples)
    yield from (place for place in places if place not in known)


class RunLengths:
    """The durations of runs that are done, from which those of the runs left follow."""

    def __init__(self, runs: Runs, places: Iterable[int]) -> None:
        """places: of the runs to do."""
        self._runs = runs
        self._n_left = Counter(map(runs.setting_at, places))
        self._n_enough = min(len(self._n_left), _ENOUGH_SETTINGS)
        self._known: dict[int, tuple[int, float]] = {}
        """Number of runs that are done of each setting, and the sum of their seconds."""
        self._n_bundles = 0
        self._around: deque[float] = deque(maxlen=_LAST_BUNDLES)
        """Seconds that a run took in addition to its own, such as for making its board."""

    def note(self, bundle: Bundle, n_workers: int) -> None:
        if self._n_bundles == n_workers:
            self._around.clear()  # the first run of each worker has loaded kernels
        self._n_bundles += 1
        own = sum(self.add(place, outcome.row["seconds"]) for place, outcome in bundle.outcomes)
        self._around.append(max(bundle.seconds - own, 0.0) / len(bundle.outcomes))

    def add(self, place: int, seconds: float | None) -> float:
        """Add a run that is done, or given up without seconds; returns these or 0."""
        setting = self._runs.setting_at(place)
        n, total = self._known.get(setting, (0, 0.0))
        self._known[setting] = n + (seconds is not None), total + (seconds or 0.0)
        self._n_left[setting] -= 1
        return seconds or 0.0

    def seconds_left(self, n_workers: int, flying: Iterable[tuple[int, float]]) -> float | None:
        """Return how long the runs left take; None before a run of each setting is done.

        flying: the places of runs that are being done, and for how many seconds they have been.
        """
        n_left = self._n_left.total()
        if not n_left or len(self._known) < self._n_enough:
            return None if n_left else 0.0
        lengths = self._lengths()
        work = sum(self._n_left[setting] * length for setting, length in lengths.items())
        waiting, longest = self._n_left.copy(), 0.0
        for place, seconds in flying:
            setting = self._runs.setting_at(place)
            waiting[setting] -= 1
            work -= min(seconds, lengths[setting])
            longest = max(longest, lengths[setting] - seconds)
        longest = max(longest, *(lengths[one] for one, n in waiting.items() if n > 0), 0.0)
        # Five runs of a minute on four workers take two.
        return max(math.ceil(n_left / n_workers) * work / n_left, longest)

    def _lengths(self) -> dict[int, float]:
        """Return the usual duration of a run of each setting that has any left."""
        around = statistics.median(self._around or (0.0,))
        solvers = [setting.solver for setting in self._runs.settings]
        alike: dict[str, list[tuple[int, float]]] = {}
        for setting, known in self._known.items():
            alike.setdefault(solvers[setting], []).append(known)
        usual = {solver: _mean(known) for solver, known in alike.items()}
        every = _mean(list(self._known.values()))
        return {
            setting: around
            + (
                _mean([self._known[setting]])
                if setting in self._known
                else usual.get(solvers[setting], every)
            )
            for setting, n in self._n_left.items()
            if n
        }


def _mean(known: Sequence[tuple[int, float]]) -> float:
    """Return the mean of sums, each of a number of values; 0 for none."""
    return sum(total for _, total in known) / max(sum(n for n, _ in known), 1)


class Dispatcher:
    def __init__(
        self,
        results: Results,
        workers: Workers,
        request: StopRequest,
        places: Iterable[int] | None = None,
    ) -> None:
        """Prepare; places: of the runs to do, None for all that are left."""
        self._results, self._workers, self._request = results, workers, request
        places = results.left() if places is None else places
        self._waiting = deque(one_of_each_first(results.runs, places))
        self._suspects: deque[int] = deque()
        """Runs of which one has killed its worker; each is done alone, while no other is."""
        self._flying: dict[Future[Bundle], tuple[int, ...]] = {}
        self._begun: dict[Future[Bundle], float] = {}
        """When a worker has begun each bundle, as far as is known: they begin in order."""
        self._lengths = RunLengths(results.runs, self._waiting)
        self._mean_seconds: float | None = None
        self._n_all, self._n_done = len(self._waiting), 0
        self._n_workers = 1  # number of workers when runs were last handed out
        self._fresh: list[tuple[int, Outcome]] = []
        """Outcomes that were kept since the previous progress."""

    def steps(self) -> Iterator[SweepProgress | None]:
        """Do all runs, or only those in progress once it is stopped; raises TileLabError.

        Yields its progress whenever something has come back, and None several times a second.
        """
        while self._waiting or self._suspects or self._flying:
            if self._request.is_killed():
                self._workers.kill()
                return
            if self._request.is_stopped():
                self._call_back()
            else:
                self._hand_out()
            if not self._flying:
                if self._request.is_stopped():
                    return
                continue  # the workers have died before they had anything
            self._note_begun()
            done, _ = wait(self._flying, LOOK_SECONDS, FIRST_COMPLETED)
            if done:
                self._take(done)
                yield self._progress()
            else:
                self._workers.check()
                yield None

    def _note_begun(self) -> None:
        now, running = time.monotonic(), itertools.islice(self._flying, self._n_workers)
        self._begun = {future: self._begun.get(future, now) for future in running}

    def _progress(self) -> SweepProgress:
        self._note_begun()
        n_left, now = self._n_all - self._n_done, time.monotonic()
        flying = [(self._flying[future][0], now - begun) for future, begun in self._begun.items()]
        estimate = self._lengths.seconds_left(self._n_workers, flying)
        outcomes, self._fresh = self._fresh, []
        return SweepProgress(self._n_done, n_left, estimate, outcomes)

    def _hand_out(self) -> None:
        """Keep every worker busy with few runs in progress: these are lost with the program."""
        if self._suspects:
            if not self._flying:
                self._submit((self._suspects.popleft(),), self._suspects)
            return
        is_short = self._mean_seconds is not None and self._mean_seconds < _LONG_SECONDS
        self._n_workers = self._workers.n_workers
        max_flying = self._n_workers * (2 if is_short else 1)
        while self._waiting and len(self._flying) < max_flying:
            places = tuple(self._waiting.popleft() for _ in range(self._bundle_size()))
            if not self._submit(places, self._waiting):
                return

    def _bundle_size(self) -> int:
        """Return the number of runs in a bundle; fewer towards the end, for all workers."""
        if self._mean_seconds is None:
            return 1
        fitting = int(BUNDLE_SECONDS / max(self._mean_seconds, 1e-6))
        fair = -(-len(self._waiting) // (2 * self._n_workers))
        return max(1, min(fitting, fair, MAX_BUNDLED, len(self._waiting)))

    def _submit(self, places: tuple[int, ...], back: deque[int]) -> bool:
        """Hand out some runs; if all workers have died, put them back and return False."""
        folder, runs = str(self._results.checkpoints.absolute()), self._results.runs
        jobs = [replace(runs.job(place), checkpoints=folder) for place in places]
        try:
            future = self._workers.submit(run_bundle, jobs, BUNDLE_SECONDS)
        except self._workers.deaths:
            back.extendleft(reversed(places))
            self._replace_workers()
            return False
        self._flying[future] = places
        return True

    def _call_back(self) -> None:
        """Take back the runs that no worker has begun."""
        for future in [future for future in self._flying if self._workers.cancel(future)]:
            self._waiting.extendleft(reversed(self._flying.pop(future)))

    def _take(self, done: set[Future[Bundle]]) -> None:
        """Keep the results that have come back, before any further error."""
        outcomes: list[tuple[int, Outcome]] = []
        is_lost = has_died = False
        for future in done:
            try:
                bundle = future.result()
            except CancelledError:
                self._waiting.extendleft(reversed(self._flying.pop(future)))
                is_lost = True
            except self._workers.deaths as death:
                if self._workers.tries_again:
                    self._suspect(self._flying.pop(future), str(death), MAX_TRIES)
                has_died = True
            else:
                places = self._flying.pop(future)
                self._note_speed(bundle)
                outcomes += bundle.outcomes
                self._waiting.extendleft(reversed(places[len(bundle.outcomes) :]))
        self._keep(outcomes)
        self._n_done += len(outcomes)
        if has_died and not self._workers.tries_again:
            self._replace_workers()
        if is_lost:
            self._workers.check()

    def _keep(self, outcomes: list[tuple[int, Outcome]], n_tries: int = 1) -> None:
        self._results.keep(outcomes, n_tries)
        self._fresh += outcomes

    def _note_speed(self, bundle: Bundle) -> None:
        mean = bundle.seconds / len(bundle.outcomes)
        before = self._mean_seconds
        self._mean_seconds = mean if before is None else 0.5 * (before + mean)
        self._lengths.note(bundle, self._n_workers)

    def _replace_workers(self) -> None:
        """Replace workers that died together; suspect their runs, unless a signal ended all."""
        wait(self._flying)
        lost = {
            future: places
            for future, places in self._flying.items()
            if isinstance(future.exception(), self._workers.deaths)
        }
        finished = self._flying.keys() - lost.keys()
        self._flying = {future: self._flying[future] for future in finished}
        if finished:
            self._take(finished)
        places = tuple(itertools.chain(*lost.values()))
        if self._request.is_stopped():
            self._waiting.extendleft(reversed(places))
            return
        self._suspect(places, tr("its worker process ended unexpectedly"), 1)
        self._workers.renew()

    def _suspect(self, places: tuple[int, ...], error: str, n_tries: int) -> None:
        """Repeat runs, each alone; for a run that was alone, the death counts as an attempt."""
        if len(places) == 1:
            (place,) = places
            row = failed_row(self._results.runs.job(place), error)
            self._keep([(place, Outcome(row))], n_tries)
            if self._results.tries(place) >= MAX_TRIES:
                self._n_done += 1
                self._lengths.add(place, None)
                return
        self._suspects.extend(places)
