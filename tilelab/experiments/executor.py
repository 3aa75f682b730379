"""Doing the runs of a sweep by many workers, whoever these are: processes here, or a cluster.

Workers do pure work: what they bring is kept here, and is lost when it never arrives. So a worker
may die at any moment; its runs are done again.
"""

import itertools
import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from threading import Event
from typing import NamedTuple, Protocol

from tilelab.core.text.language import tr
from tilelab.experiments.cell_run import Outcome, failed_row, run_job
from tilelab.experiments.jobs import Job, JobList
from tilelab.experiments.results import MOST_TRIES, Results

BUNDLE_SECONDS = 0.25
"""How long a bundle of runs takes, about: handing one out costs some milliseconds."""
MOST_BUNDLED = 256
LOOK_SECONDS = 0.2
"""How often somebody looks whether the sweep is to stop."""
_LONG_SECONDS = 1.0
"""Runs that take longer are not handed out before a worker is free."""


class Bundle(NamedTuple):
    """What a worker has done of some runs, the first of them; the others are left."""

    outcomes: list[tuple[int, Outcome]]
    """With the place of each."""
    seconds: float


class Workers(Protocol):
    """Where runs are done."""

    tries_again: bool
    """Whether runs whose worker has died are done again, some times, before that is reported."""

    remark: str
    """Why there are fewer than requested, in a sentence, or ''."""

    @property
    def n_workers(self) -> int:
        """How many runs are done at a time."""
        ...

    @property
    def deaths(self) -> tuple[type[BaseException], ...]:
        """What a future raises whose worker has died."""
        ...

    def submit(self, jobs: Sequence[Job], seconds: float) -> "Future[Bundle]":
        """Hand out :func:`run_bundle`; may raise one of ``deaths``."""
        ...

    def cancel(self, future: "Future[Bundle]") -> bool:
        """Take back what no worker has begun; False where that cannot be."""
        ...

    def renew(self) -> None:
        """Replace workers that have died; raises TileLabError where that is not possible."""
        ...

    def check(self) -> None:
        """Raise TileLabError when no answer can come any more."""
        ...

    def kill(self) -> None:
        """End the workers at once, whatever they are at."""
        ...


def run_bundle(jobs: Sequence[Job], seconds: float) -> Bundle:
    """Do runs one after the other, until all are done or so many seconds are over."""
    began = time.perf_counter()
    outcomes: list[tuple[int, Outcome]] = []
    for job in jobs:
        outcomes.append((job["place"], run_job(job)))
        if time.perf_counter() - began > seconds:
            break
    return Bundle(outcomes, time.perf_counter() - began)


class SweepProgress(NamedTuple):
    """How far a sweep is, since this program has begun."""

    n_done: int
    """Runs that were done or have failed."""
    n_left: int
    seconds_left: float | None
    """An estimate; None before there is anything to go by."""


class Signals(Protocol):
    """Whether the user has asked for an end."""

    def is_stopped(self) -> bool:
        """Return whether no further run is to begin."""
        ...

    def is_killed(self) -> bool:
        """Return whether what is going is to be given up, too."""
        ...


class Dispatcher:
    """Hands out the runs that are left, and keeps what comes back."""

    def __init__(
        self,
        runs: JobList,
        results: Results,
        workers: Workers,
        places: Iterable[int] | None = None,
    ) -> None:
        """Prepare; places: of the runs that are to be done, None for all that are left."""
        self._runs, self._results, self._workers = runs, results, workers
        self._waiting = deque(results.left() if places is None else places)
        self._suspects: deque[int] = deque()
        """Runs one of which has killed its worker; each is done alone, while no other is."""
        self._flying: dict[Future[Bundle], tuple[int, ...]] = {}
        self._mean_seconds: float | None = None
        self._n_all, self._n_done = len(self._waiting), 0
        self._n_workers = 1
        """How many there were when runs were handed out last."""
        self._n_bundles, self._n_timed, self._seconds = 0, 0, 0.0
        """Bundles that have come back, and the runs whose durations are known, with their sum."""

    @property
    def progress(self) -> SweepProgress:
        """How far it is."""
        n_left = self._n_all - self._n_done
        estimate = None
        if self._n_timed:
            # Five runs of a minute on four workers take two.
            n_rounds = math.ceil(n_left / self._n_workers)
            estimate = n_rounds * self._seconds / self._n_timed
        return SweepProgress(self._n_done, n_left, estimate)

    def run(self, signals: Signals, report: Callable[[SweepProgress], None]) -> None:
        """Do all runs, or those that are going when it is stopped; raises TileLabError.

        report: is given how far it is whenever something has come back.
        """
        for progress in self.steps(signals):
            if progress is not None:
                report(progress)

    def steps(self, signals: Signals) -> Iterator[SweepProgress | None]:
        """Do the same step by step.

        Yields how far it is whenever something has come back, and None several times a second, so
        that whoever advances it can do something else, or end it.
        """
        while self._waiting or self._suspects or self._flying:
            if signals.is_killed():
                self._workers.kill()
                return
            if signals.is_stopped():
                self._call_back()
            else:
                self._hand_out(signals)
            if not self._flying:
                if signals.is_stopped():
                    return
                continue  # the workers have died before they had anything
            done, _ = wait(self._flying, LOOK_SECONDS, FIRST_COMPLETED)
            if done:
                self._take(done, signals)
                yield self.progress
            else:
                self._workers.check()
                yield None

    def _hand_out(self, signals: Signals) -> None:
        """Keep every worker busy, but have few runs under way: they are lost with the program."""
        if self._suspects:
            if not self._flying:
                self._submit((self._suspects.popleft(),), self._suspects, signals)
            return
        is_short = self._mean_seconds is not None and self._mean_seconds < _LONG_SECONDS
        self._n_workers = self._workers.n_workers
        n_most = self._n_workers * (2 if is_short else 1)
        while self._waiting and len(self._flying) < n_most:
            n = self._bundle_size()
            places = tuple(self._waiting.popleft() for _ in range(n))
            if not self._submit(places, self._waiting, signals):
                return

    def _bundle_size(self) -> int:
        """Return how many runs go together; towards the end fewer, so that all have some."""
        if self._mean_seconds is None:
            return 1
        fitting = int(BUNDLE_SECONDS / max(self._mean_seconds, 1e-6))
        fair = -(-len(self._waiting) // (2 * self._n_workers))
        return max(1, min(fitting, fair, MOST_BUNDLED, len(self._waiting)))

    def _submit(self, places: tuple[int, ...], back: deque[int], signals: Signals) -> bool:
        """Hand out some runs; where all workers have died, put them back and return False."""
        folder = str(self._results.checkpoints.absolute())
        jobs = [Job({**self._runs.job(place), "checkpoints": folder}) for place in places]
        try:
            future = self._workers.submit(jobs, BUNDLE_SECONDS)
        except self._workers.deaths:
            back.extendleft(reversed(places))
            self._bury(signals)
            return False
        self._flying[future] = places
        return True

    def _call_back(self) -> None:
        """Take back what no worker has begun."""
        for future in [future for future in self._flying if self._workers.cancel(future)]:
            self._waiting.extendleft(reversed(self._flying.pop(future)))

    def _take(self, done: set[Future[Bundle]], signals: Signals) -> None:
        """Keep what has come back, before anything else may go wrong."""
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
                    self._suspect(self._flying.pop(future), str(death), MOST_TRIES)
                has_died = True
            else:
                places = self._flying.pop(future)
                self._note_speed(bundle)
                outcomes += bundle.outcomes
                self._waiting.extendleft(reversed(places[len(bundle.outcomes) :]))
        self._results.keep(outcomes)
        self._n_done += len(outcomes)
        if has_died and not self._workers.tries_again:
            self._bury(signals)
        if is_lost:
            self._workers.check()

    def _note_speed(self, bundle: Bundle) -> None:
        mean = bundle.seconds / len(bundle.outcomes)
        before = self._mean_seconds
        self._mean_seconds = mean if before is None else 0.5 * (before + mean)
        if self._n_bundles == self._n_workers:
            # The first run of each worker has loaded kernels; better ones are known from here on.
            self._n_timed, self._seconds = 0, 0.0
        self._n_bundles += 1
        self._n_timed += len(bundle.outcomes)
        self._seconds += bundle.seconds

    def _bury(self, signals: Signals) -> None:
        """Replace the workers, which have died together; what was under way is suspected.

        Of workers that a signal to the whole group of processes has ended, nothing is.
        """
        wait(self._flying)
        lost = {
            future: places
            for future, places in self._flying.items()
            if isinstance(future.exception(), self._workers.deaths)
        }
        finished = self._flying.keys() - lost.keys()
        self._flying = {future: self._flying[future] for future in finished}
        if finished:
            self._take(finished, signals)
        places = tuple(itertools.chain(*lost.values()))
        if signals.is_stopped():
            self._waiting.extendleft(reversed(places))
            return
        self._suspect(places, tr("its worker process has died"), 1)
        self._workers.renew()

    def _suspect(self, places: tuple[int, ...], error: str, n_tries: int) -> None:
        """Have runs done again, alone; one that was alone is to blame, which counts as a try."""
        if len(places) == 1:
            (place,) = places
            outcome = Outcome(failed_row(self._runs.job(place), error))
            self._results.keep([(place, outcome)], n_tries)
            if self._results.tries(place) >= MOST_TRIES:
                self._n_done += 1
                return
        self._suspects.extend(places)


class InProcess:
    """One worker: whoever hands out runs does them."""

    tries_again = False
    deaths: tuple[type[BaseException], ...] = ()
    n_workers = 1
    remark = ""

    def submit(self, jobs: Sequence[Job], seconds: float) -> "Future[Bundle]":
        """Do some runs, at once."""
        future: Future[Bundle] = Future()
        future.set_result(run_bundle(jobs, seconds))
        return future

    def cancel(self, future: "Future[Bundle]") -> bool:
        """Nothing waits."""
        return False

    def renew(self) -> None:
        """Nothing dies."""

    def check(self) -> None:
        """Every answer has come."""

    def kill(self) -> None:
        """Nothing goes on behind the back of who asks."""


class StopRequest:
    """What the user has asked of many runs, from another thread."""

    def __init__(self) -> None:
        self._stopped, self._killed = Event(), Event()

    def stop(self) -> None:
        """Let no further run begin."""
        self._stopped.set()

    def kill(self) -> None:
        """Give up what is going, too."""
        self._killed.set()
        self._stopped.set()

    def is_stopped(self) -> bool:
        """Return whether no further run is to begin."""
        return self._stopped.is_set()

    def is_killed(self) -> bool:
        """Return whether what is going is to be given up, too."""
        return self._killed.is_set()
