"""A search with one seed after another on every core, for a time or until a target is reached.

Only the best run is kept. Each run is an ordinary one, which its seed makes again.
"""

import math
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, replace
from typing import NamedTuple

from tilelab.core.errors import SOLVER_ERRORS, sentence_of, solver_errors
from tilelab.core.randomness import MAX_SEED
from tilelab.core.text.language import tr
from tilelab.experiments.job_run import session_of
from tilelab.experiments.jobs import Job, PlainValues
from tilelab.experiments.results import MAX_TRIES
from tilelab.experiments.workers import LOOK_SECONDS, StopRequest, Workers, is_ending
from tilelab.runs.history.record import RunRecord, now, record_of_session
from tilelab.runs.session import Limits

ENDING_SECONDS = 3.0  # time that current runs have to end when a search is ended
_MIN_SECONDS = 0.01  # time limit of a run when less time is left


@dataclass(frozen=True)
class SearchGoal:
    seconds: float  # maximum duration of the search, in seconds
    n_runs: int | None = None  # maximum number of seeds; None: without end


class SeedSearchProgress(NamedTuple):
    n_done: int
    n_failed: int
    seconds_left: float
    best: RunRecord | None  # the best run so far; of equal ones the first that ended
    is_new: bool  # whether the best is new since the last progress
    error: str  # the error of the last run that failed, or ''


class SeedTrial(NamedTuple):
    record: RunRecord | None
    error: str = ""


def job_of(
    puzzle: str, values: PlainValues, solver: str, params: PlainValues, seed: int, limits: Limits
) -> Job:
    """Return the first run of a search; values: of the puzzle, in the form of its flags."""
    return Job(
        puzzle=puzzle,
        values=values,
        solver=solver,
        params=params,
        seed=seed,
        limits=limits.model_dump(),
    )


def trial(job: Job) -> SeedTrial:
    begun = now()
    try:
        with solver_errors():
            session, _ = session_of(job, is_ending)
            return SeedTrial(record_of_session(session, begun=begun, tags="records"))
    except SOLVER_ERRORS as error:
        return SeedTrial(None, sentence_of(error))


class SeedSearch:
    """A search that does a job with one seed after another, until one reaches its target."""

    def __init__(self, job: Job, workers: Workers, goal: SearchGoal) -> None:
        self._job, self._workers, self._goal = job, workers, goal
        self._next = job.seed
        self._again: deque[int] = deque()
        self._tries: dict[int, int] = {}  # number of workers that died with a seed, by the seed
        self._flying: dict[Future[SeedTrial], int] = {}
        self._began = time.monotonic()
        self._n_started = self._n_done = self._n_failed = 0
        self._best: RunRecord | None = None
        self._error = ""

    @property
    def seconds_left(self) -> float:
        return self._goal.seconds - (time.monotonic() - self._began)

    def steps(self, request: StopRequest) -> Iterator[SeedSearchProgress]:
        """Yield the progress whenever a run has ended, and several times a second.

        Killed, it ends the current runs; the best that they have so far counts.
        """
        target, is_last = self._job.limits["target"], False
        while True:
            if is_last or (target is not None and self._best_value >= target):
                if self._flying:
                    self._workers.kill()
                return
            is_last = request.is_killed()
            if is_last:
                self._workers.end_jobs()
            elif not request.is_stopped():
                self._hand_out()
            if not self._flying:
                return
            before = self._best
            if is_last:
                done, _ = wait(self._flying, ENDING_SECONDS)
            else:
                done, _ = wait(self._flying, LOOK_SECONDS, FIRST_COMPLETED)
            # By seeds, so that of equal ones the same is kept whichever ended first.
            for future in sorted(done, key=lambda one: self._flying[one]):
                self._take(future, self._flying.pop(future))
            is_new = self._best is not before
            yield SeedSearchProgress(
                self._n_done, self._n_failed, self.seconds_left, self._best, is_new, self._error
            )

    @property
    def _best_value(self) -> float:
        known = None if self._best is None else self._best.value
        return -math.inf if known is None else known

    def _hand_out(self) -> None:
        while len(self._flying) < self._workers.n_workers and self.seconds_left > 0:
            seed = self._next_seed()
            if seed is None:
                return
            seconds = max(self.seconds_left, _MIN_SECONDS)
            own = self._job.limits["seconds"]
            limits = {**self._job.limits, "seconds": min(own or seconds, seconds)}
            job = replace(self._job, seed=seed, limits=limits)
            try:
                self._flying[self._workers.submit(trial, job)] = seed
            except self._workers.deaths:
                self._again.append(seed)
                self._workers.renew()

    def _next_seed(self) -> int | None:
        if self._again:
            return self._again.popleft()
        most = self._goal.n_runs
        if self._next > MAX_SEED or (most is not None and self._n_started >= most):
            return None
        self._n_started += 1
        self._next += 1
        return self._next - 1

    def _take(self, future: "Future[SeedTrial]", seed: int) -> None:
        try:
            found = future.result()
        except self._workers.deaths as death:
            self._tries[seed] = self._tries.get(seed, 0) + 1
            if self._tries[seed] < MAX_TRIES:
                self._again.append(seed)
                return
            found = SeedTrial(None, str(death) or tr("its worker process ended unexpectedly"))
        self._n_done += 1
        if found.record is None:
            self._n_failed, self._error = self._n_failed + 1, found.error
        elif found.record.value is not None and found.record.value > self._best_value:
            self._best = found.record
