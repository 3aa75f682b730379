"""Races of two to six solvers on one board, side by side."""

import contextlib
import dataclasses
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SOLVER_ERRORS, RunError, solver_errors
from tilelab.core.memory import free_bytes
from tilelab.core.parameters import Params, replaced
from tilelab.core.puzzle import Best, Cells, Puzzle
from tilelab.core.solver import Status
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import csv_lines
from tilelab.core.text.wording import plain_number
from tilelab.core.views import View, ViewKind
from tilelab.kernels.clock import running_seconds
from tilelab.runs.actions import Action, State
from tilelab.runs.history.record import RunRecord, now, record_of_session
from tilelab.runs.limits import Limits, limit_name
from tilelab.runs.recipe import PrerequisiteProgress, Recipe, with_prerequisites
from tilelab.runs.replay import LAST, WATCHED_UNITS, MomentRequest, past_before, session_at
from tilelab.runs.result import UNKNOWN, Figures, figures_of, status_word
from tilelab.runs.session import FRAME_SECONDS, Session, StepPace

MIN_ENTRIES, MAX_ENTRIES = 2, 6
REPORT_SECONDS = 0.1  # shortest time between two reports of the statuses
LEAD_SECONDS = 0.1
"""Least lead that ranks equal boards: first calls and other threads change the time of the same run
by tens of milliseconds from race to race."""
MIN_MEGABYTES = 16
TAG = "race"  # tag under which the runs of races are found in the history
_COLUMNS = (
    *("solver", "seed", "status", "rank", "best", "moves", "seconds_to_best"),
    *("units", "unit", "units_per_second", "seconds", "fault"),
    *(part.name for part in dataclasses.fields(Figures)),
    "optimal",
)
Record = Callable[[RunRecord], object]  # a function that takes the record of a run
Speed = Callable[[], float | None]
"""A function that returns the current steps a second; None for full speed."""
Watched = Callable[[int], frozenset[ViewKind] | None]
"""A function that returns the watched views of an entry; None while it is seen from outside."""
_STEPS_AT_ONCE = 50  # smallest steps of each entry in turn, on the way to a goal at full speed


@dataclass(frozen=True)
class Entry:
    solver: str  # the solver's key
    params: Params
    seed: int
    tags: str = TAG  # tags of its run in the history, separated by commas


class RaceGoal(NamedTuple):
    """A place where each entry of a race pauses."""

    figure: str  # 'expanded', 'evaluations', or 'units' counted from now on
    least: int  # its value there


@dataclass(frozen=True, eq=False)
class Inside:
    """What a look inside the run of an entry shows at one moment."""

    views: Mapping[ViewKind, View]
    metrics: Mapping[str, float]  # current ones inside a unit, where known; else of the last unit
    cells: Cells | None  # the best board; until there is one, the board that the solver works on


@dataclass(frozen=True, eq=False)
class EntryStatus:
    number: int  # index of the entry, from 0
    state: State  # READY until its kernels are compiled
    status: str  # the state in a word or two, with the limit that ended it
    seed: int
    unit: str  # the solver's own step, or '' before it has begun
    units: int
    seconds: float  # the entry's running time, without pauses and the other entries
    best: Best | None
    best_seconds: float | None  # the entry's running time when the best was found
    points: NDArray[np.float64]  # (n, 3): running seconds, unit and value of each best
    figures: Figures = UNKNOWN
    limit_reached: str = ""
    message: str = ""  # the error, in the state FAILED
    rank: int = 0  # 1 for the best of the race; 0 while it has no board
    steps: int = 0  # steps done of the next unit
    inside: Inside | None = None  # None while it is seen from outside, or before the run has begun

    @property
    def per_second(self) -> float | None:
        """Units a second of its own running time; None before the first."""
        return self.units / self.seconds if self.seconds > 0 else None

    @property
    def evaluations(self) -> int | None:
        return self.figures.evaluations

    @property
    def outcome(self) -> tuple[float, float] | None:
        """What ranks its best board, less is better: first the value, then the moves."""
        best = self.best
        if best is None:
            return None
        return -best.value, math.inf if best.moves is None else len(best.moves)

    @property
    def is_unproven(self) -> bool:
        """Whether it has ended with a path to the goal that it has not proven to be shortest."""
        best = self.best
        if self.state is not State.FINISHED or best is None or best.moves is None:
            return False
        return best.value == 0 and not best.optimal

    def can_continue(self, limits: Limits) -> bool:
        if self.state in (State.READY, State.RUNNING, State.PAUSED):
            return True
        return limits.can_continue(self.limit_reached, self)


class _EntryRun:
    def __init__(
        self,
        number: int,
        puzzle: Puzzle,
        entry: Entry,
        limits: Limits,
        clock: Callable[[], float],
        megabytes: int,
    ) -> None:
        self.number = number
        self.recipe = Recipe(puzzle, entry.solver, entry.params, entry.seed, limits)
        self.tags = entry.tags
        self._megabytes = megabytes
        self.session = Session(clock)
        self.session.load(puzzle)
        self.is_prepared = False
        self.last_step = 0  # number of the race's step that the entry made last
        self._kinds: frozenset[ViewKind] | None = None
        self._notes_all = False  # whether the solver notes what all views need, visible or not
        self._inside: tuple[object, Inside] | None = None  # the moment looked at last
        self._target: RaceGoal | None = None  # with all units counted
        self._error = ""
        self._preparation = with_prerequisites(self._begin)
        self._making: PrerequisiteProgress | None = None

    def prepare(self) -> None:
        """Make what the entry needs, a slice a call, and begin its run; an error ends only it."""
        try:
            self._making = next(self._preparation, None)
        except SOLVER_ERRORS as error:
            self._error, self._making = str(error) or type(error).__name__, None
        self.is_prepared = self._making is None

    def _begin(self) -> None:
        params = self.recipe.params
        # A search alone would take half of the free memory: one that is left open gets its share.
        if params.model_dump().get("memory", 0) is None:
            params = replaced(params, memory=self._megabytes)
        self.session.begin(dataclasses.replace(self.recipe, params=params), should_warm_up=True)
        self._watch()

    def watch(self, kinds: frozenset[ViewKind] | None) -> None:
        """Have the solver note what these views need from now on; None: seen from outside."""
        if kinds != self._kinds:
            self._kinds = kinds
            self._watch()

    def note_all(self, *, is_on: bool) -> None:
        """Have the solver note what all its views need, for a single step that may be looked at."""
        if is_on != self._notes_all:
            self._notes_all = is_on
            self._watch()

    def _watch(self) -> None:
        with contextlib.suppress(*SOLVER_ERRORS):
            self.session.watch(self._own_kinds if self._notes_all else self._drawable)

    @property
    def _own_kinds(self) -> frozenset[ViewKind]:
        solver = self.session.solver
        return frozenset(() if solver is None else solver.spec.views)

    @property
    def _drawable(self) -> frozenset[ViewKind]:
        return (self._kinds or frozenset()) & self._own_kinds

    def inside(self) -> Inside | None:
        """Look inside; the same moment is drawn once."""
        session = self.session
        if self._kinds is None or session.solver is None:
            return None
        moment = (session, session.units, session.steps_done, self._kinds)
        if self._inside is None or self._inside[0] != moment:
            self._inside = moment, _inside_of(session, self._drawable)
        return self._inside[1]

    def aim(self, goal: RaceGoal | None) -> None:
        """Pause at a goal from now on, or at none; units are counted from now on, too."""
        if goal is not None and goal.figure == "units":
            goal = goal._replace(least=self.session.units + goal.least)
        self._target = goal

    @property
    def _n_left(self) -> float:
        """What is left to the goal: infinite without one, 0 if its figure is not counted."""
        if self._target is None:
            return math.inf
        session, (figure, least) = self.session, self._target
        done: float | None = session.units
        if figure == "evaluations":
            done = session.evaluations
        elif figure != "units":
            known = session.solver is not None and figure in session.spec.metrics
            done = session.metrics.get(figure, 0) if known else None
        return 0.0 if done is None else least - done

    @property
    def has_reached_target(self) -> bool:
        """Whether there is a goal, and the entry has reached it or does not count its figure."""
        return self._n_left <= 0

    def pause_at_target(self) -> None:
        if self.session.state is State.RUNNING and self.has_reached_target:
            self.session.stop()

    def set_limits(self, limits: Limits) -> None:
        """Change the limits of the run, or of the one that will begin; raises ParameterError."""
        self.recipe = dataclasses.replace(self.recipe, limits=limits)
        if self.session.state is not State.FAILED:
            self.session.set_limits(limits)

    def run_steps(self, steps: int) -> int:
        """Make up to this many of the solver's smallest steps; returns how many it did not make."""
        self.pause_at_target()
        # A call ends with the unit. A step may add more than 1 to another figure.
        is_counted = self._target is not None and self._target.figure != "units"
        at_once, growth = 1 if is_counted else steps, 1.0
        while steps > 0 and self.session.state is State.RUNNING:
            left = self._n_left
            progress = self.session.run_steps(min(steps, at_once))
            n_done = 0 if progress is None else progress.steps or progress.units
            steps -= n_done
            if is_counted and n_done:
                growth = max(growth, (left - self._n_left) / n_done)
                at_once = max(int(self._n_left / (2 * growth)), 1)
            self.pause_at_target()
        return max(steps, 0)

    @property
    def can_go_back(self) -> bool:
        """Return whether it has made a step that can be taken back."""
        session = self.session
        has_begun = session.solver is not None and session.state is not State.FAILED
        return has_begun and (session.units, session.steps_done) > (0, 0)

    def without_last_step(self) -> Iterator[int | Session]:
        """Compute the run again without its last step.

        Yields the units done, and at last the run.
        """
        session = self.session
        units, steps = session.units, session.steps_done - 1
        if steps < 0:
            units, steps = units - 1, LAST
        recipe = session.recipe
        whole, kinds = past_before(session.key, recipe), self._own_kinds
        # A watched computation is slower: it begins only a few units before.
        base = whole.up_to(units - WATCHED_UNITS) if kinds and units > WATCHED_UNITS else None
        wanted = MomentRequest(whole.up_to(units), base, recipe.changes, steps, kinds)
        for made in session_at(wanted):
            if isinstance(made, int):
                yield made
                continue
            made.key = session.key
            made.take_times(session)
            made.set_limits(recipe.limits)
            if made.allows(Action.STOP):
                made.stop()
            yield made

    def status(self) -> EntryStatus:
        session = self.session
        points = [(found.seconds, found.best.unit, found.best.value) for found in session.bests]
        word, waits = status_word(session), str(self._making or "waiting")
        if session.status is Status.LIMIT:
            word = tr(
                "limit ({limit_word})",
                limit_word=limit_name(session.limit_reached, session.spec.unit),
            )
        return EntryStatus(
            number=self.number,
            state=State.FAILED if self._error else session.state,
            status="failed" if self._error else word if self.is_prepared else waits,
            seed=self.recipe.seed,
            unit="" if session.solver is None else session.spec.unit,
            units=session.units,
            seconds=session.seconds,
            best=session.best,
            best_seconds=session.best_seconds,
            points=np.array(points, np.float64).reshape(-1, 3),
            figures=_figures(session),
            limit_reached=session.limit_reached,
            message=self._error or session.message,
            steps=session.steps_done,
            inside=self.inside(),
        )


class Race:
    """Two to six entries on one puzzle, run in turn under the same limits, each by itself."""

    def __init__(
        self,
        puzzle: Puzzle,
        entries: Sequence[Entry],
        limits: Limits | None = None,
        clock: Callable[[], float] = running_seconds,
        watched: Watched = lambda _: None,
    ) -> None:
        if not MIN_ENTRIES <= len(entries) <= MAX_ENTRIES:
            raise RunError.tr(
                "a race of {n_entries} is not possible; "
                "it needs {fewest_entries} to {most_entries} solvers",
                n_entries=len(entries),
                fewest_entries=MIN_ENTRIES,
                most_entries=MAX_ENTRIES,
            )
        self.puzzle = puzzle
        self.watched = watched
        self.begun = now()  # time when the race was made, as the history writes it
        self.is_paused = False
        self._n_steps = 0  # number of the newest step, counted from the last slices at full speed
        share = max(free_bytes() // 2 // len(entries) // 2**20, MIN_MEGABYTES)
        self._runs = [
            _EntryRun(number, puzzle, entry, limits or Limits(), clock, share)
            for number, entry in enumerate(entries)
        ]

    @property
    def is_prepared(self) -> bool:
        """Whether each entry has begun, or failed."""
        return all(run.is_prepared for run in self._runs)

    @property
    def is_running(self) -> bool:
        return any(run.session.state is State.RUNNING for run in self._runs)

    def run_slice(self) -> bool:
        """Make the next entry ready, or run a slice of the one with least time; False: all done."""
        if self.is_paused:
            return False
        waiting = next((run for run in self._runs if not run.is_prepared), None)
        if waiting is not None:
            waiting.prepare()
            return True
        running = [run for run in self._runs if run.session.state is State.RUNNING]
        if running:
            least = min(running, key=lambda run: run.session.seconds)
            least.session.run_slice()
            least.last_step = self._n_steps
        return bool(running)

    def step(self) -> bool:
        """Make the next entry ready, or let each make its smallest step and pause all.

        Returns False when all have made it.
        """
        if not self.is_prepared:
            return self.run_slice()
        self.is_paused = True
        self._n_steps += 1
        for run in self._runs:
            if run.session.allows(Action.STEP):
                run.note_all(is_on=True)
                run.session.step()
                run.last_step = self._n_steps
        return False

    def run_steps(self, steps: int) -> bool:
        """Let each entry make up to this many of its smallest steps.

        Returns False when nothing is left to do.
        """
        running = [run for run in self._runs if run.session.state is State.RUNNING]
        self._n_steps += steps
        for run in running:
            run.last_step = self._n_steps - run.run_steps(steps)
        return bool(running)

    def step_back(self) -> Iterator[float]:
        """Take the last step of each entry back, and pause; entries that ended before stay.

        The runs are computed again, and nothing changes until all are. Yields the share of their
        units that is done. Raises RunError.
        """
        able = [run for run in self._runs if run.can_go_back]
        last = max((run.last_step for run in able), default=0)
        going = [run for run in able if run.last_step == last]
        n_units, n_before = max(sum(run.session.units for run in going), 1), 0
        earlier: list[tuple[_EntryRun, Session]] = []
        for run in going:
            for made in run.without_last_step():
                if isinstance(made, int):
                    yield (n_before + made) / n_units
                else:
                    earlier.append((run, made))
            n_before += run.session.units
        self.stop()
        for run, session in earlier:
            run.session, run.last_step = session, last - 1
            run.note_all(is_on=True)
        self._n_steps = last - 1

    def stop(self) -> None:
        self.is_paused = True
        for run in self._runs:
            run.aim(None)
            if run.session.allows(Action.STOP):
                run.session.stop()

    def resume(self, limits: Limits | None = None) -> None:
        """Continue each entry that is paused, or whose limit has been raised since."""
        if limits is not None:
            self.set_limits(limits)
        self.is_paused = False
        for run in self._runs:
            if run.session.allows(Action.RESUME):
                run.note_all(is_on=False)
                run.session.resume()

    def set_limits(self, limits: Limits) -> None:
        for run in self._runs:
            run.set_limits(limits)

    def session(self, number: int) -> Session:
        return self._runs[number].session

    def records(self) -> Iterator[RunRecord]:
        """Yield what the history keeps of each entry that has begun."""
        for run in self._runs:
            session = run.session
            if session.solver is not None:
                yield record_of_session(session, begun=self.begun, tags=run.tags)

    def statuses(self) -> tuple[EntryStatus, ...]:
        for run in self._runs:
            run.watch(self.watched(run.number))
        return tuple(run.status() for run in self._runs)

    def reported(
        self,
        clock: Callable[[], float] = time.monotonic,
        *,
        is_step: bool = False,
        speed: Speed = lambda: None,
        goal: RaceGoal | None = None,
    ) -> Iterator[tuple[EntryStatus, ...] | None]:
        """Run to the end or to a goal, or do one step; yield between slices, at times the statuses.

        speed: of all entries; it may change at any time.
        """
        yield self.statuses()
        last = clock()
        for run in self._runs:
            run.aim(goal)
        work = self.step if is_step else _Paced(self, speed, clock, goal).work
        while work():
            if clock() - last >= REPORT_SECONDS:
                yield self.statuses()
                last = clock()
            else:
                yield None
        if goal is not None:
            self._pause_at_goal()
        yield self.statuses()

    def _pause_at_goal(self) -> None:
        """Pause all; the last step of each that waits at the goal belongs to the newest step."""
        for run in self._runs:
            if run.has_reached_target and run.session.state is State.PAUSED:
                run.last_step = self._n_steps
        self.stop()


class _Paced:
    """The work of a race at the current speed."""

    def __init__(
        self, race: Race, speed: Speed, clock: Callable[[], float], goal: RaceGoal | None
    ) -> None:
        self._race, self._speed, self._clock, self._goal = race, speed, clock, goal
        self._pace: tuple[float, StepPace] | None = None

    def work(self) -> bool:
        """Do a slice, make the steps that are due, or wait a moment for them.

        Returns False when nothing is left to do.
        """
        speed = self._speed()
        if speed is None or not self._race.is_prepared:
            self._pace = None
            if self._goal is not None and self._race.is_prepared:
                return self._race.run_steps(_STEPS_AT_ONCE)
            return self._race.run_slice()
        if self._pace is None or self._pace[0] != speed:
            self._pace = speed, StepPace(speed)
        _, pace = self._pace
        left = pace.wait(self._clock())
        if left > FRAME_SECONDS:
            time.sleep(FRAME_SECONDS)
            return self._race.is_running
        time.sleep(left)
        return self._race.run_steps(pace.take(self._clock()))


def rank_statuses(statuses: Sequence[EntryStatus], *, is_timed: bool) -> tuple[EntryStatus, ...]:
    """Return the statuses with ranks: by value, then by fewer moves, then by the earlier time.

    is_timed: whether the time counts; otherwise it is left out, because that of slow steps would be
    compared with that of others, and equal entries share a rank, as in 1, 1, 3. So do those that
    are less than LEAD_SECONDS behind the first of the rank.
    """
    ranked = list(statuses)
    order = sorted(
        (one.outcome, math.inf if one.best_seconds is None else one.best_seconds, at)
        for at, one in enumerate(statuses)
        if one.outcome is not None
    )
    rank, first, begin = 0, (0.0, 0.0), 0.0  # the rank so far; outcome and time of its first entry
    for place, (outcome, seconds, at) in enumerate(order, 1):
        if not rank or outcome != first or (is_timed and seconds - begin >= LEAD_SECONDS):
            rank, first, begin = place, outcome, seconds
        found = statuses[at].best_seconds if is_timed else None
        ranked[at] = dataclasses.replace(statuses[at], rank=rank, best_seconds=found)
    return tuple(ranked)


def table_csv(titles: Sequence[str], statuses: Sequence[EntryStatus]) -> str:
    """Return statuses as CSV with a heading; titles: the names of the entries."""
    rows: list[Sequence[object]] = [_COLUMNS]
    for title, row in zip(titles, statuses, strict=True):
        moves = None if row.best is None else row.best.moves
        rows.append(
            (
                *(title, row.seed, row.status, row.rank or ""),
                "" if row.best is None else plain_number(row.best.value),
                "" if moves is None else len(moves),
                "" if row.best_seconds is None else round(row.best_seconds, 6),
                *(row.units, row.unit),
                "" if row.per_second is None else round(row.per_second, 3),
                *(round(row.seconds, 6), row.message),
                *dataclasses.astuple(row.figures),
                # Of a path: whether its search has proven it to be shortest.
                None if row.best is None else row.best.optimal,
            )
        )
    return csv_lines(rows)


def _inside_of(session: Session, kinds: frozenset[ViewKind]) -> Inside:
    """Look inside a run; an error there must not end it."""
    views: dict[ViewKind, View] = {}
    solver, best = session.solver, session.best
    cells = None if best is None else best.cells
    with contextlib.suppress(*SOLVER_ERRORS), solver_errors():
        assert solver is not None
        if best is None:
            cells = solver.current_cells()
        for kind in sorted(kinds):
            view = solver.view(kind)
            if view is not None:
                views[kind] = view
    return Inside(views, session.metrics, cells)


def _figures(session: Session) -> Figures:
    if session.solver is None:
        return UNKNOWN
    return figures_of(
        session.spec, session.trace, session.metrics, session.evaluations, session.best
    )
