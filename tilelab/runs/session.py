"""The controller of the current run: a state machine without a window, a thread or a file."""

import uuid
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tilelab.core.errors import (
    SOLVER_ERRORS,
    ParameterError,
    RunError,
    SolverError,
    error_text,
    solver_errors,
)
from tilelab.core.parameters import Params, current_name, live_value, validate
from tilelab.core.plain import Value
from tilelab.core.puzzle import Best, Puzzle
from tilelab.core.solver import (
    Progress,
    RemoteWorkers,
    Snapshot,
    Solver,
    SolverSpec,
    Status,
    joined,
)
from tilelab.core.views import ViewKind
from tilelab.kernels.clock import running_seconds
from tilelab.runs.actions import ALLOWED, Action, State
from tilelab.runs.bests import Bests, Found
from tilelab.runs.limits import Limits as Limits
from tilelab.runs.recipe import LiveChange, Recipe, change_solver, is_live, restore_solver, warm_up
from tilelab.runs.trace import Trace

SLICE_SECONDS = 0.02
# Of a slice on other machines: much longer than sending it, and all that stopping loses.
ELSEWHERE_SECONDS = 2.0
FRAME_SECONDS = 1 / 30  # shortest time between two steps; a faster pace makes several steps at once
_MAX_GROWTH = 4.0
_MAX_UNITS = 1_000_000


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A run between two units, complete and independent of its session; it never changes."""

    key: str  # identifies this run, wherever it continues: 32 hexadecimal digits
    recipe: Recipe  # with current limits and changes, those inside the current unit too
    snapshot: Snapshot  # the solver's state
    units: int
    seconds: float
    status: Status
    limit_reached: str
    bests: Bests  # all bests so far
    trace: Trace
    evaluations: int | None = None  # the same as Session.evaluations

    @property
    def best(self) -> Best | None:
        newest = self.bests.newest
        return None if newest is None else newest.best

    @property
    def last_row(self) -> tuple[float, ...]:
        return self.trace.last_row

    def with_limits(self, limits: Limits) -> "Checkpoint":
        """Return a copy with other limits, as if no limit had ended it."""
        recipe = replace(self.recipe, limits=limits)
        return replace(self, recipe=recipe, status=Status.RUNNING, limit_reached="")


class Pacer:
    """A predictor of a run's speed; a slice is short so that STOP and SAVE take effect at once."""

    def __init__(self, slice_seconds: float = SLICE_SECONDS) -> None:
        self._slice_seconds = slice_seconds
        self.units = 1  # number of units to request in the next slice, at least 1

    def note(self, units: int, seconds: float) -> None:
        """Learn that ``units`` took ``seconds``; growth is gentle, since one slice may be lucky."""
        if units < 1:
            return
        ratio = self._slice_seconds / max(seconds, 1e-9)
        wanted = units * min(ratio, _MAX_GROWTH)
        self.units = max(1, min(int(wanted), _MAX_UNITS))


class StepPace:
    """The times at which the steps of a run are due; late steps are skipped."""

    def __init__(self, steps_a_second: float) -> None:
        self.seconds = 1 / steps_a_second  # seconds from one step to the next
        self._next = 0.0

    def wait(self, now: float) -> float:
        """Return the seconds until the next steps are due; now: seconds of a clock."""
        if now - self._next > max(self.seconds, FRAME_SECONDS):
            # A run that was paused, or is too slow, does not catch up.
            self._next = now
        least = 0.0 if self.seconds >= FRAME_SECONDS else FRAME_SECONDS
        return max(self._next - now, least)

    def take(self, now: float) -> int:
        """Return how many steps are due, at least 1, and continue with the next ones."""
        n_due = 1 + int(max(now - self._next, 0.0) / self.seconds)
        self._next += n_due * self.seconds
        return n_due


class Session:
    """A puzzle and at most one run on it; the clock pauses while a kernel is compiled."""

    def __init__(self, clock: Callable[[], float] = running_seconds) -> None:
        self._clock = clock
        self.state = State.EMPTY
        self._puzzle: Puzzle | None = None
        self.solver: Solver | None = None  # the solver of the run; None while there is no run
        self.limits = Limits()
        self._reset()

    def _reset(self) -> None:
        self.key = ""  # key of the run, different from all others; '' while there is none
        self._recipe: Recipe | None = None
        self.units = 0  # units done since generation 0
        self.unit_steps = 0  # steps of the last complete unit; 0 if it was not done in steps
        self.seconds = 0.0  # running time, without pauses
        self.evaluations: int | None = 0  # scored or generated; None: not counted
        self.bests = Bests()  # all bests that the run has found
        self.status = Status.RUNNING
        self.limit_reached = ""
        self.message = ""  # the error, in the state FAILED
        self.journal: list[LiveChange] = []  # the parameter changes so far
        self.trace = Trace(())  # the metrics of the run from its first unit on, in bounded memory
        self._pacer = Pacer()
        self._unpaced = 0.0  # seconds spent on a unit that is not complete yet
        self._replay: deque[LiveChange] = deque()
        self._watched: frozenset[ViewKind] = frozenset()
        self._workers: RemoteWorkers | None = None

    @property
    def best(self) -> Best | None:
        newest = self.bests.newest
        return None if newest is None else newest.best

    @property
    def last_row(self) -> tuple[float, ...]:
        """The newest row of the trace; () before the first."""
        return self.trace.last_row

    @property
    def best_seconds(self) -> float | None:
        newest = self.bests.newest
        return None if newest is None else newest.seconds

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle; raises RunError before one is loaded."""
        if self._puzzle is None:
            raise RunError.tr("no puzzle is loaded yet")
        return self._puzzle

    @property
    def recipe(self) -> Recipe:
        """The recipe with current limits, changes, open values; RunError when there is no run."""
        if self._recipe is None:
            raise RunError.tr("there is no run yet")
        changes = (*self.journal, *self._changes_due_after_unit)
        return replace(self._recipe, limits=self.limits, changes=changes)

    @property
    def seed(self) -> int:
        return 0 if self._recipe is None else self._recipe.seed

    @property
    def spec(self) -> SolverSpec:
        """The solver of the run; raises RunError when there is none."""
        if self.solver is None:
            raise RunError.tr("there is no run yet")
        return self.solver.spec

    def allows(self, action: Action) -> bool:
        if action is Action.SAVE:
            return self.best is not None
        if action in (Action.RESUME, Action.STEP) and self.state is State.FINISHED:
            return self.limits.can_continue(self.limit_reached, self)
        return action in ALLOWED[self.state]

    def load(self, puzzle: Puzzle) -> None:
        """Set the puzzle; the run on the previous one is given up."""
        self._require(Action.LOAD)
        self._puzzle, self.solver = puzzle, None
        self._reset()
        self.state = State.READY

    @solver_errors()
    def begin(self, recipe: Recipe, *, should_warm_up: bool = False) -> None:
        """Begin a run; the previous one is given up. The recipe's changes are repeated.

        should_warm_up: whether a unit that is not shown is done first, so that each kernel is
        compiled before the clock runs. Raises TileLabError, which leaves the session unchanged;
        NotMadeError for what has to be made first.
        """
        self._require(Action.LOAD)
        if should_warm_up:
            warm_up(recipe)
        solver = recipe.create_solver()
        self._take(recipe.puzzle, solver)
        self.key, self.limits = uuid.uuid4().hex, recipe.limits
        self._recipe = recipe.settled(solver.params)
        self.trace = Trace(solver.spec.metrics)
        self.state = State.RUNNING
        self._replay = _sort_changes(recipe.changes, solver.params)

    def _take(self, puzzle: Puzzle, solver: Solver) -> None:
        self._reset()
        self._puzzle, self.solver = puzzle, solver

    @solver_errors()
    def snapshot(self) -> Checkpoint:
        """Copy out the whole run between two slices, for any thread; raises RunError."""
        if self.solver is None:
            raise RunError.tr("there is no run to save yet")
        if self.state is State.FAILED:
            raise RunError.tr("a run that has failed cannot be saved; its best board can")
        return Checkpoint(
            key=self.key,
            recipe=self.recipe,
            snapshot=self.solver.snapshot(),
            units=self.units,
            seconds=self.seconds,
            status=self.status,
            limit_reached=self.limit_reached,
            bests=self.bests.copy(),
            trace=self.trace.copy(),
            evaluations=self.evaluations,
        )

    @solver_errors()
    def restore(
        self,
        checkpoint: Checkpoint,
        changes: Sequence[LiveChange] = (),
        *,
        should_warm_up: bool = False,
    ) -> None:
        """Take over a run with its puzzle, PAUSED or FINISHED, as if never interrupted.

        changes: further ones that are repeated. A TileLabError leaves the session unchanged.
        """
        self._require(Action.LOAD)
        recipe, snapshot, units = checkpoint.recipe, checkpoint.snapshot, checkpoint.units
        recipe.limits.require_counted(checkpoint.evaluations, recipe.solver)
        if should_warm_up:
            warm_up(replace(recipe, params=validate(type(recipe.params), snapshot.params)))
        solver = restore_solver(recipe.puzzle, snapshot)
        self._take(recipe.puzzle, solver)
        self.key, self.limits, self._recipe = checkpoint.key, recipe.limits, recipe
        self.units, self.seconds = units, checkpoint.seconds
        self.evaluations = checkpoint.evaluations
        self.bests, self.trace = checkpoint.bests.copy(), checkpoint.trace.copy()
        self.status, self.limit_reached = checkpoint.status, checkpoint.limit_reached
        self.journal = [change for change in recipe.changes if change.unit <= units]
        due = [change for change in recipe.changes if change.unit > units]
        self._replay = _sort_changes([*due, *changes], solver.params)
        self.state = State.PAUSED if self.status is Status.RUNNING else State.FINISHED

    def stop(self) -> None:
        self._require(Action.STOP)
        self.state = State.PAUSED

    def resume(self) -> None:
        """Continue the current unit, unless a limit that was set since then is reached."""
        self._require(Action.RESUME)
        self.state, self.status, self.limit_reached = State.RUNNING, Status.RUNNING, ""
        self._end_at_limit()

    @solver_errors()
    def watch(self, kinds: frozenset[ViewKind]) -> None:
        """Have the solver of this run note what these views need, whatever changes in it."""
        self._watched = kinds
        if self.solver is not None:
            self.solver.watch(kinds)

    @solver_errors()
    def work_elsewhere(self, workers: RemoteWorkers) -> None:
        """Have workers do parts of the current run; raises RunError where it has none."""
        if self.solver is None or not self.solver.work_elsewhere(workers):
            raise RunError.tr(
                "this run cannot be shared among machines; only the islands of an "
                "optimiser and the threads of ida-star can"
            )
        self._workers, self._pacer = workers, Pacer(ELSEWHERE_SECONDS)

    def set_limits(self, limits: Limits) -> None:
        """Change the limits, running or not; raises ParameterError for what is not counted."""
        if self.solver is not None:
            limits.require_counted(self.evaluations, self.solver.spec.key)
        self.limits = limits

    @solver_errors()
    def set_live(self, name: str, value: Value) -> None:
        """Change a live parameter from the next unit on and note it in the journal."""
        if self.solver is None:
            raise RunError.tr("{name}: there is no run to change", name=name)
        kind = type(self.solver.params)
        if self.solver.steps_done:
            # The current unit ends with the values that it began with.
            live_value(self.solver.params, name, value)
            change = LiveChange(self.units + 1, current_name(kind, name), value)
            self._replay = deque([*self._changes_due_after_unit, change])
            return
        self.solver.set_live(name, value)
        self.journal.append(LiveChange(self.units, current_name(kind, name), value))
        self._replay.clear()

    def run_slice(self, most_units: int | None = None) -> Progress | None:
        """Run one slice of about 20 ms, and at most most_units; None when no run is going.

        An error inside the solver ends the run in the state FAILED with the best so far kept.
        """
        if self.state is not State.RUNNING:
            return None
        before = self.seconds
        units = self._units_to_ask(most_units)
        one_by_one = self.limits.can_end_any_unit
        progress = self._work_one_by_one(units) if one_by_one else self._work(units)
        self._unpaced += self.seconds - before
        if progress is not None and progress.units:
            self._pacer.note(progress.units, self._unpaced)
            self._unpaced = 0.0
        return progress

    def run_steps(self, steps: int) -> Progress | None:
        """Do at most this many of the smallest steps, within the current unit; None: no run."""
        if self.state is not State.RUNNING:
            return None
        return self._work(steps=steps)

    def step(self, most: int = 1) -> Progress | None:
        """Do the same, and then pause unless the run ends; None: it failed, or there is none."""
        self._require(Action.STEP)
        if self.solver is None:
            return None
        self.state = State.PAUSED  # from RUNNING, or from FINISHED when a limit was raised
        self._end_at_limit()  # one that was set since then
        return self._work(steps=most) if self.state is State.PAUSED else None

    @property
    def steps_done(self) -> int:
        return 0 if self.solver is None else self.solver.steps_done

    @property
    def metrics_inside(self) -> tuple[float, ...]:
        """The metrics inside the current unit; () between two units, or if unknown."""
        inside = self.solver.metrics_inside() if self.solver and self.steps_done else None
        return () if inside is None else tuple(inside)

    @property
    def metrics(self) -> dict[str, float]:
        """Newest metrics by name, inside the unit where known; {} before the first."""
        return dict(zip(self.spec.metrics, self.metrics_inside or self.last_row, strict=False))

    def _work_one_by_one(self, units: int) -> Progress | None:
        """Have the solver do some units, each of which may be the last; None when it fails."""
        parts: list[Progress] = []
        while units > 0 and self.state is State.RUNNING:
            part = self._work(1)
            parts += [] if part is None else [part]
            if part is None or not part.units:
                break
            units -= part.units
        return joined(parts) if parts else None

    def _work(self, units: int = 1, steps: int | None = None) -> Progress | None:
        """Have the solver do units, or steps of the current one; None when it fails."""
        assert self.solver is not None
        began = self._clock()
        try:
            with solver_errors():
                solver = self._repeat_changes(self.solver)
                n_before = solver.steps_done
                progress = solver.work(units) if steps is None else solver.step(steps)
                if progress.units:
                    self.unit_steps = progress.steps and n_before + progress.steps
                self._take_in(progress, self._clock() - began)
        except SOLVER_ERRORS as error:
            self.state = State.FAILED
            says_enough = isinstance(error, SolverError | ParameterError)
            self.message = str(error) if says_enough else error_text(error)
            return None
        return progress

    def _take_in(self, progress: Progress, elapsed: float) -> None:
        self.seconds += elapsed
        self.units += progress.units
        counts = self.evaluations, progress.evaluations
        self.evaluations = None if None in counts else sum(filter(None, counts))
        for new in progress.found:
            self.bests.append(new.best, self.seconds)
        self.trace.append(progress.trace)
        self.limits.require_counted(self.evaluations, self.spec.key)
        self.status, self.limit_reached = progress.status, progress.limit
        if self.status is Status.RUNNING:
            self._end_at_limit()
        else:
            self.state = State.FINISHED

    def take_times(self, later: "Session") -> None:
        """Take over the times of a later moment of this run, which was computed again up to here.

        The time of this moment is estimated from the work that was done until then.
        """
        done, whole = self.units, later.units
        if self.evaluations is not None and later.evaluations:
            done, whole = self.evaluations, later.evaluations
        seconds = later.seconds * done / whole if whole else 0.0
        ratio = seconds / self.seconds if self.seconds else 0.0
        known = {(found.best.unit, found.best.value): found.seconds for found in later.bests}
        self.bests = Bests(
            Found(each.best, known.get((each.best.unit, each.best.value), each.seconds * ratio))
            for each in self.bests
        )
        self.seconds = max(seconds, self.best_seconds or 0.0)

    def _units_to_ask(self, most: int | None) -> int:
        last = self.limits.last_unit(self.best)
        ends = [] if most is None else [self.units + most]
        ends += [] if last is None else [last]
        if self._replay:
            ends.append(self._replay[0].unit)
        return max(1, min([self._pacer.units, *(end - self.units for end in ends)]))

    @property
    def _changes_due_after_unit(self) -> list[LiveChange]:
        """Live changes that were made inside the current unit, and hold from the next one on."""
        if not self.steps_done:
            return []
        return [change for change in self._replay if change.unit == self.units + 1]

    def _repeat_changes(self, solver: Solver) -> Solver:
        """Repeat the changes due together; a fork's need another solver, which is returned."""
        due = []
        while self._replay and self._replay[0].unit <= self.units:
            due.append(self._replay.popleft())
        if due:
            values = {change.name: change.value for change in due}
            if all(is_live(solver.spec.params, name) for name in values):
                for name, value in values.items():
                    solver.set_live(name, value)
            else:
                solver = self.solver = change_solver(self.puzzle, solver.snapshot(), values)
                solver.watch(self._watched)
                if self._workers is not None:
                    solver.work_elsewhere(self._workers)
            self.journal += [replace(change, unit=self.units) for change in due]
        return solver

    def _end_at_limit(self) -> None:
        ended_by = self.limits.ending(self, is_inside_unit=self.steps_done > 0)
        if ended_by:
            self.state = State.FINISHED
            self.status, self.limit_reached = Status.LIMIT, ended_by

    def _require(self, action: Action) -> None:
        if not self.allows(action):
            raise RunError.tr(
                "{action} is not possible while the session is {state}",
                action=action.value,
                state=self.state,
            )


def _sort_changes(replay: Sequence[LiveChange], params: Params) -> deque[LiveChange]:
    """Sort changes by their units; names of an earlier version become the current ones."""
    named = (replace(change, name=current_name(type(params), change.name)) for change in replay)
    return deque(sorted(named, key=lambda change: change.unit))


def resume_session(
    checkpoint: Checkpoint, limits: Limits, *, should_warm_up: bool = False
) -> Session:
    """Return a session in which a run continues, or is finished as it was; raises TileLabError.

    limits: those that are given replace its own; one that is given as None is removed.
    """
    session = Session()
    session.restore(checkpoint, should_warm_up=should_warm_up)
    given = limits.model_dump(exclude_unset=True)
    session.set_limits(checkpoint.recipe.limits.model_copy(update=given))
    if session.allows(Action.RESUME):
        session.resume()
    return session
