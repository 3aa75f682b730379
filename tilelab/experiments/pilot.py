"""An estimate of how long the runs of a plan will take, from short runs of a few of them."""

import bisect
import itertools
import math
import random
import statistics
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tilelab.core.errors import SOLVER_ERRORS, solver_errors
from tilelab.core.text.language import tr
from tilelab.core.text.wording import about, counted
from tilelab.experiments.jobs import Job, Runs, recipe_of
from tilelab.kernels.clock import processor_seconds
from tilelab.runs.actions import State
from tilelab.runs.session import Session

PILOT_SECONDS = 2.0
_SAMPLE_SECONDS = 0.1
_ERRORS = 3  # standard errors on either side of a mean: lengths of searches are far from normal
_MAX_SHARE = 0.03  # largest share of the time of all runs that a pilot may take
_MAX_SETTINGS = 24
_ENOUGH, _MAX_SAMPLES = 8, 32  # runs of a setting: enough to judge the others, and maximum
_ALIKE_FOR_ALL = ("units", "seconds", "evaluations")
_ONE_NUMBER = 1.5  # factor between bounds up to which they are shown as one number


class TimeEstimate(NamedTuple):
    n_runs: int
    least: float  # minimum seconds that one worker needs for all of them
    most: float | None  # estimated maximum; None if it is not known

    def with_workers(self, n_workers: int) -> tuple[float, float | None]:
        """Return the same for ``n_workers``, in seconds on the clock."""
        if not self.n_runs:
            return 0.0, 0.0
        # Five runs of a minute on four workers take two.
        share = math.ceil(self.n_runs / n_workers) / self.n_runs
        return self.least * share, None if self.most is None else self.most * share

    def sentence(self, n_workers: int, n_cores: int | None = None) -> str:
        """Return it as text: ``60 runs, about 3 min with 2 workers``; n_cores: of all workers."""
        least, most = self.with_workers(min(n_workers, n_cores or n_workers))
        runs = counted(self.n_runs, "run")
        if most is None and least < 1:
            return tr("{runs}; their duration is not known in advance", runs=runs)
        if most is None:
            how_long = tr("at least {time}", time=about(least))
        elif most <= max(_ONE_NUMBER * least, 1.0):
            mean = (least + most) / 2
            how_long = tr("less than a second")
            if mean >= 1:
                how_long = tr("about {time}", time=about(mean))
        elif least < max(1.0, most / 100):
            how_long = tr("up to about {time}", time=about(most))
        else:
            how_long = tr(
                "between {least_time} and {most_time}",
                least_time=about(least),
                most_time=about(most),
            )
        return tr(
            "{runs}, {how_long} with {n_workers}",
            runs=runs,
            how_long=how_long,
            n_workers=counted(n_workers, "worker"),
        )


class _Sample(NamedTuple):
    """The length of a run, in seconds, concluded from a part of it."""

    least: float
    most: float | None
    by_chance: bool = False  # whether it ended early, so that another run may last until most


def estimate(
    runs: Runs,
    places: Sequence[int] | None = None,
    seconds: float = PILOT_SECONDS,
    is_stopped: Callable[[], bool] = lambda: False,
    clock: Callable[[], float] = processor_seconds,
) -> TimeEstimate:
    """Do some runs for a moment, and estimate how long all take.

    places: of the runs to estimate, in order; None: all. seconds: maximum for the pilot itself.
    is_stopped: is called about every 20 ms; if it returns true, the result so far is returned.
    Kernels and tables must exist: see :func:`tilelab.experiments.sweep.prepare`.
    """
    pilot = _Pilot(runs, range(len(runs)) if places is None else places)
    began = clock()
    each = min(_SAMPLE_SECONDS, seconds / max(1, len(pilot.chosen)))
    # Runs that may end by themselves are more informative when they have ended.
    longest = max(each, seconds / max(1, len(pilot.chosen) * _ENOUGH))
    for n_done, (setting, place) in enumerate(pilot.order()):
        spent = clock() - began
        known = pilot.estimate
        is_burden = known.most is not None and spent >= _MAX_SHARE * known.most
        if is_stopped() or spent >= seconds or (is_burden and n_done >= pilot.n_solvers):
            break
        if pilot.needs(setting):
            left = seconds - spent
            at_most = min(each, left), min(longest, left)
            sample = _sample(runs.job(place), at_most, is_stopped, clock)
            if sample is not None:
                pilot.samples.setdefault(setting, []).append(sample)
    return pilot.estimate


class _Pilot:
    def __init__(self, runs: Runs, places: Sequence[int]) -> None:
        self._runs, self._places = runs, places
        marks = [bisect.bisect_left(places, first) for first in runs.firsts]
        # Bounds of the places of each setting that has any.
        self._marks = {
            setting: (low, high)
            for setting, (low, high) in enumerate(itertools.pairwise(marks))
            if low < high
        }
        # No regular distance: settings in the rhythm of the plan would miss an axis.
        self._chance = random.Random(0)
        settings = self._chance.sample(list(self._marks), min(len(self._marks), _MAX_SETTINGS))
        self._n_runs: dict[str, int] = {}
        first: dict[str, int] = {}
        for setting, (low, high) in self._marks.items():
            solver = self._solver(setting)
            self._n_runs[solver] = self._n_runs.get(solver, 0) + high - low
            first.setdefault(solver, setting)
        self.n_solvers = len(first)
        self.chosen = list(dict.fromkeys([*first.values(), *settings]))  # first one of each solver
        self.samples: dict[int, list[_Sample]] = {}

    def order(self) -> Iterator[tuple[int, int]]:
        """Return settings with their places, in the order in which they are tried."""
        tried = {}
        for setting in self.chosen:
            low, high = self._marks[setting]
            tried[setting] = self._chance.sample(range(low, high), min(high - low, _MAX_SAMPLES))
        for turn in range(_MAX_SAMPLES):
            for setting, own in tried.items():
                if turn < len(own):
                    yield setting, self._places[own[turn]]

    def needs(self, setting: int) -> bool:
        """Return whether one more run of a setting could improve the estimate."""
        samples = self.samples.get(setting, [])
        is_exact = bool(samples) and all(sample.least == sample.most for sample in samples)
        return not (is_exact and sum(sample.least for sample in samples) >= _SAMPLE_SECONDS)

    @property
    def estimate(self) -> TimeEstimate:
        """Estimate from the samples so far; a setting without any counts as its solver's mean."""
        known: dict[str, list[tuple[int, _Sample]]] = {}
        for setting, samples in self.samples.items():
            low, high = self._marks[setting]
            n_runs = high - low
            run = _mean(samples, is_all=len(samples) == n_runs)
            known.setdefault(self._solver(setting), []).append((n_runs, run))
        least, most = 0.0, 0.0
        for solver, n_runs in self._n_runs.items():
            totals = known.get(solver, [])
            mean = _mean_of([run for _, run in totals])
            others = n_runs - sum(n for n, _ in totals), mean
            for n, run in (*totals, others):
                least += n * run.least
                if n:
                    most += math.inf if run.most is None else n * run.most
        return TimeEstimate(len(self._places), least, None if math.isinf(most) else most)

    def _solver(self, setting: int) -> str:
        return self._runs.settings[setting].solver


def _mean(samples: Sequence[_Sample], *, is_all: bool) -> _Sample:
    """Return the mean run of a setting; where enough ended by chance, the others do then."""
    if not all(sample.by_chance for sample in samples):
        return _mean_of(samples)
    lengths = [sample.least for sample in samples]
    mean = statistics.fmean(lengths)
    if is_all:
        return _Sample(mean, mean)
    if len(samples) < _ENOUGH:
        return _mean_of(samples)
    error = _ERRORS * statistics.stdev(lengths) / math.sqrt(len(lengths))
    return _Sample(max(mean - error, min(lengths)), mean + error)


def _mean_of(samples: Sequence[_Sample]) -> _Sample:
    if not samples:
        return _Sample(0.0, None)
    mosts = [sample.most for sample in samples if sample.most is not None]
    is_known = len(mosts) == len(samples)
    least = statistics.fmean(sample.least for sample in samples)
    return _Sample(least, statistics.fmean(mosts) if is_known else None)


def _sample(
    job: Job,
    seconds: tuple[float, float],
    is_stopped: Callable[[], bool],
    clock: Callable[[], float],
) -> _Sample | None:
    """Do a run for a limited time, by whether it may end before; None: it had no unit."""
    session = Session(clock)
    began = clock()
    try:
        with solver_errors():
            recipe = recipe_of(job)
            # A puzzle is made once for many runs.
            began = clock()
            session.begin(recipe)
            begun = clock() - began
            at_most = seconds[_may_end_early(session)]
            while session.state is State.RUNNING and session.seconds < at_most:
                if is_stopped():
                    break
                session.run_slice()
    except SOLVER_ERRORS:  # which its row will report
        spent = clock() - began
        return _Sample(spent, spent)
    if session.state is State.RUNNING and not session.units:
        return None
    return _conclude(session, begun)


def _conclude(session: Session, begun: float) -> _Sample:
    """Estimate the length of a run from its course so far. begun: seconds of its beginning."""
    so_far, latest = begun + session.seconds, _latest(session)
    most = None if latest is None else begun + latest
    if session.state is not State.RUNNING:
        if session.state is State.FAILED or _ends_alike(session):
            return _Sample(so_far, so_far)
        return _Sample(so_far, most, by_chance=True)
    if _may_end_early(session):
        return _Sample(so_far, most)
    last = session.limits.last_unit(session.best)
    if session.limits.units_without_improvement is None or last is None:
        return _Sample(so_far if most is None else most, most)
    # It lasts this long even when it finds nothing better any more.
    until = begun + last * session.seconds / session.units
    return _Sample(until if most is None else min(until, most), most)


def _ends_alike(session: Session) -> bool:
    """Return whether other runs of its setting end at the same point."""
    assert session.solver is not None
    reached = session.limit_reached
    return reached in _ALIKE_FOR_ALL or session.units == session.solver.most_units


def _latest(session: Session) -> float | None:
    """Return the latest end of a run in seconds, by its speed so far."""
    assert session.solver is not None
    limits, a_unit = session.limits, session.seconds / max(1, session.units)
    ends = [
        n_units * a_unit
        for n_units in (limits.units, session.solver.most_units)
        if n_units is not None
    ]
    if limits.seconds is not None:
        ends.append(limits.seconds)
    if limits.evaluations is not None and session.evaluations:
        ends.append(limits.evaluations * session.seconds / session.evaluations)
    return min(ends, default=None)


def _may_end_early(session: Session) -> bool:
    """Return whether a run may end before its limits, as searches and runs with a target do."""
    is_search = session.puzzle.spec.value_is_distance or not session.spec.uses_seed
    return is_search or session.limits.target is not None
