"""The worker: it lives in its own thread, owns the session, and computes in short slices.

STOP, live changes and limits are queued requests, handled between two slices without locks.
"""

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from tilelab.core.errors import SOLVER_ERRORS, ParameterError, SolverError, solver_errors
from tilelab.core.plain import Arrays, Value
from tilelab.core.solver import Progress, Solver
from tilelab.core.text.language import tr
from tilelab.core.views import View, ViewKind
from tilelab.gui.run.checkpointing import RunCheckpointing, RunCopier
from tilelab.gui.run.messages import (
    NO_STEP_ROWS,
    Board,
    LoadContext,
    Pending,
    PuzzleLoaded,
    PuzzleRequest,
    RunOpened,
    RunStarted,
    RunStatus,
    RunUpdate,
    StepRows,
    compute_step_rows,
    current_board,
    has_few_units,
    inside_of,
)
from tilelab.gui.threads.garbage_collection import quiet_collector, spare_all
from tilelab.runs.actions import Action, State
from tilelab.runs.bests import Found
from tilelab.runs.checkpoints.run_folder import RunFolder
from tilelab.runs.recipe import PrerequisiteProgress, Recipe, warm_up, with_prerequisites
from tilelab.runs.session import SLICE_SECONDS, Checkpoint, Limits, Session, StepPace

UPDATE_SECONDS = 1 / 30  # shortest time between two updates
MIN_SECONDS = 0.1
"""Shortest time between two views of a run that is going; more are too fast to see."""
_WAITING_MILLISECONDS = 10  # time between looks whether the window has shown the newest update
MAX_SHARE = 0.04  # largest share of the running time for making and showing views
Views = Mapping[ViewKind, View]


class Preparation(NamedTuple):
    """A run in preparation."""

    session: Session
    recipe: Recipe  # recipe as requested
    pieces: Generator[PrerequisiteProgress, None, None]


class Worker(QObject):
    """Runs the session; all requests go through :meth:`do`."""

    loaded = Signal(object)  # emitted with PuzzleLoaded
    started = Signal(object)  # emitted with RunStarted when a run is ready and starts
    opened = Signal(object)  # emitted with RunOpened
    updated = Signal(object)  # emitted with RunUpdate
    refused = Signal(str, str)
    """Emitted with the reason of a refused request, and the wrong parameter or ''."""
    _later = Signal(object)
    """Queued request to itself, so that earlier requests of the window come first."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session  # session; other threads may read it only while the worker is idle
        self._prepared: tuple[Session, RunStarted] | None = None
        self._preparing: Preparation | None = None
        self._making, self._pauses = "", False
        self._turned: list[Callable[[Session], None]] = []
        """Changes of live parameters for a run that is about to start."""
        self._pending = Pending.NOTHING
        self.cancelled = 0
        """Number of the last cancelled request for a run; set by the window's thread."""
        self.newest_load = 0
        """Number of the last request for a puzzle; set by the window's thread."""
        self._rows: list[NDArray[np.float64]] = []
        self._bests: list[Found] = []
        self._reported = 0.0
        self._n_answered = 0
        self._n_sent = self.n_shown = 0
        """Number of updates, and of those that the window has shown; its thread sets the latter."""
        self._slice_is_posted = False
        self._computing: Iterator[StepRows] | None = None
        """Rows inside the only unit of the run, while they are computed again."""
        self._computed = ("", 0, 0)  # key, units and steps of the run when that was begun last
        self.views = WatchedViews()
        self._clock = StepClock(self, lambda: self._is_ahead)
        self._clock.due.connect(self._slow_slice)
        self.copier = RunCopier(self)
        self.copier.free.connect(self._post_slice)
        self.keeping = RunCheckpointing(self.copier, self)
        self._later.connect(self.do, Qt.ConnectionType.QueuedConnection)

    @Slot(object)
    def do(self, question: Callable[[], None]) -> None:
        """Handle a request: call one of the methods below with arguments."""
        tracer = threading.gettrace()
        if tracer:
            sys.settrace(tracer)  # coverage and debuggers do not see threads created by Qt
        question()

    def load(self, request: PuzzleRequest, context: LoadContext, number: int) -> None:
        """Read a lexicon and make a puzzle; the current run is discarded only on success."""
        self._cancel()
        if number != self.newest_load:
            self._answer()
            return
        with quiet_collector(), self._preparation(Pending.PUZZLE):
            try:
                with solver_errors():
                    puzzle = request.build()
                    fresh = Session()
                    fresh.load(puzzle)
                    start = None if puzzle.start is None else Board.of(puzzle, puzzle.start)
            except SOLVER_ERRORS as error:
                self._refuse(error)
                return
        self._take(fresh)
        self.keeping.discard()
        self.loaded.emit(PuzzleLoaded(puzzle, start, context))
        self._answer()

    def drop(self) -> None:
        """Discard the run, because another board is in play, which becomes a puzzle at GO."""
        fresh = Session()
        fresh.load(self.session.puzzle)
        self._take(fresh)
        self.keeping.discard()
        self._answer()

    def go(
        self, make: Callable[[], Recipe] | None = None, number: int = 0, *, pauses: bool = False
    ) -> None:
        """Do the next part of preparing a run: read, build, compile. STOP is handled in between.

        make: makes the recipe of a new run; None to continue the preparation. number: the sequence
        number of the request. pauses: whether it pauses after its first step.
        """
        if make is not None:
            self._cancel()
            if number <= self.cancelled:
                # Other requests may be waiting, and compiling takes a minute.
                self._answer()
                return
            self._making, self._pauses = "", pauses
        elif self._preparing is None:
            return
        with quiet_collector(), self._preparation(Pending.RUN):
            try:
                if make is not None:
                    self._preparing = _preparation_of(make)
                assert self._preparing is not None
                session, recipe, pieces = self._preparing
                making = next(pieces, None)
                if making is not None:
                    self._making = str(making)
                    self._later.emit(self.go)
                    return
                self._preparing, self._prepared = None, (session, RunStarted.of(session, recipe))
            except SOLVER_ERRORS as error:
                self._preparing = None
                self._refuse(error)
                self._turn_all()
                return
        self._later.emit(self._begin)

    def _cancel(self) -> None:
        """Abandon the preparation of a run; the request was already answered."""
        if self._preparing is not None:
            self.give_up()
            self._pending = Pending.NOTHING
            self._answer()

    def give_up(self) -> None:
        """Abandon all preparations; called in the worker's thread, or after its end."""
        if self._preparing is not None:
            self._preparing.pieces.close()
            self._preparing = None

    def open(self, checkpoint: Checkpoint, folder: RunFolder | None) -> None:
        """Open a run; the current one is discarded only on success.

        folder: where the run is already kept, if it was interrupted.
        """
        self._cancel()
        with quiet_collector(), self._preparation(Pending.OPENING):
            try:
                fresh = Session()
                fresh.restore(checkpoint, should_warm_up=True)
                opened = RunOpened.of(fresh)
            except SOLVER_ERRORS as error:
                if folder is not None:
                    folder.release()
                self._refuse(error)
                return
        self._take(fresh)
        self._computed = _place_of(fresh)
        self.keeping.begin(fresh, folder)
        self.opened.emit(opened)
        self._answer()

    def copy_out(self, number: int) -> None:
        """Copy the run in another thread; the run waits, but STOP is answered."""
        self.copier.begin(self.session, number)

    def warm_up(self, make: Callable[[], Recipe]) -> None:
        """Compile the kernels of a run in advance."""
        with (
            quiet_collector(),
            self._preparation(Pending.KERNELS),
            contextlib.suppress(*SOLVER_ERRORS),
        ):
            warm_up(make())
            spare_all()
        self._answer()

    def stop(self) -> None:
        """Pause the run, or cancel one that is about to start."""
        self._prepared = None
        self._clock.stop()
        self._cancel()
        if self.session.state is State.RUNNING:
            self.session.stop()
            self.keeping.settle()
        self._turn_all()
        self._answer()

    def resume(self) -> None:
        """Resume the run, unless it has ended since the request."""
        if self.session.allows(Action.RESUME):
            self.session.resume()
            if self.session.state is not State.RUNNING:  # a new limit is reached
                self.keeping.settle()
        self._answer()
        self._post_slice()

    def step(self, most: int) -> None:
        """Make at most this many of the smallest steps within the current unit, then pause.

        Does nothing if the run has ended since the request.
        """
        if self.copier.holds(self.session):
            self.copier.wait(partial(self.step, most))
            return
        if self.session.allows(Action.STEP):
            self._take_in(self.session.step(most))
            self.keeping.follow_step()
        self._answer()

    def set_pace(self, steps_a_second: float | None) -> None:
        """Set the smallest steps per second; None for full speed."""
        self._clock.set_pace(steps_a_second)
        self._post_slice()

    def set_live(self, solver_key: str, name: str, value: Value) -> None:
        """Change a live parameter of the run, if its solver has it."""
        self._turned.append(partial(self._turn, solver_key, name, value))
        self._turn_all()

    def set_limits(self, limits: Limits) -> None:
        self._turned.append(partial(self._limit, limits))
        self._turn_all()

    def _begin(self) -> None:
        if self._prepared is None:
            self._answer()
            return
        fresh, started = self._prepared
        self._prepared = None
        self._take(fresh)
        self.keeping.begin(fresh)
        self.started.emit(started)
        self._turn_all()
        if self._pauses:
            fresh.stop()
            self._take_in(fresh.step())
            self.keeping.follow_step()
        self._answer()
        self._post_slice()

    @Slot()
    def _post_slice(self) -> None:
        """Queue a single slice, unless one is queued."""
        if not self._slice_is_posted and self.session.state is State.RUNNING:
            self._slice_is_posted = True
            self._later.emit(self._slice)

    def _slice(self) -> None:
        """Run one slice, and post the next."""
        session = self.session
        self._slice_is_posted = False
        if not session.allows(Action.STOP) or self.copier.holds(session):
            return
        if self._clock.is_slow:
            self._clock.start()
            return
        self._take_in(session.run_slice())
        is_early = time.monotonic() - self._reported < UPDATE_SECONDS
        self._continue(is_update_due=not (is_early or self._is_ahead))

    @Slot(int)
    def _slow_slice(self, n_steps: int) -> None:
        """Make the steps that are due, and wait for the next; late steps are skipped."""
        session, began = self.session, time.monotonic()
        if not session.allows(Action.STOP) or self.copier.holds(session):
            return
        while n_steps > 0 and session.state is State.RUNNING:
            progress = session.run_steps(n_steps)
            self._take_in(progress)
            n_steps -= 0 if progress is None else progress.steps or progress.units
            if time.monotonic() - began > SLICE_SECONDS:
                break
        self._continue(is_update_due=True)

    @property
    def _is_ahead(self) -> bool:
        """Whether the window has not shown the newest update.

        Otherwise updates would pile up in its queue, and clicks wait behind them.
        """
        return self.n_shown < self._n_sent

    def _take_in(self, progress: Progress | None) -> None:
        """Keep new bests until they are reported; None for a failed run."""
        if progress is not None:
            if len(progress.trace):
                self._rows.append(progress.trace)
            seconds = self.session.seconds
            self._bests += [Found(new.best, seconds) for new in progress.found]

    def _continue(self, *, is_update_due: bool) -> None:
        """Send a due update, and queue the next slice, or settle a run that has ended."""
        if self.session.state is State.RUNNING:
            if is_update_due:
                self._report()
            self.keeping.follow()
            self._post_slice()
        else:
            self._report()
            self.keeping.settle()

    def _turn_all(self) -> None:
        """Apply changes to the current run, unless another run is about to start."""
        if self._preparing is None and self._prepared is None:
            turned, self._turned = self._turned, []
            for turn in turned:
                turn(self.session)

    def _turn(self, solver_key: str, name: str, value: Value, session: Session) -> None:
        if self.copier.holds(session):
            self.copier.wait(partial(self._turn, solver_key, name, value, session))
        elif session.solver is not None and session.solver.spec.key == solver_key:
            try:
                session.set_live(name, value)
                self.keeping.save_soon()
            except SOLVER_ERRORS as error:
                self._refuse(error, answers=False)

    def _limit(self, limits: Limits, session: Session) -> None:
        if self.copier.holds(session):
            self.copier.wait(partial(self._limit, limits, session))
            return
        try:
            session.set_limits(limits)
            self._report()
        except ParameterError as error:
            self._refuse(error, answers=False)

    def _take(self, session: Session) -> None:
        self.session = session
        self._rows, self._bests, self._computing = [], [], None
        if session.solver is not None:
            self.views.attach(session.solver)

    def watch(self, kinds: frozenset[ViewKind]) -> None:
        """Include these views in updates from now on."""
        self.views.watch(kinds, self.session.solver)
        self._report()

    def _answer(self) -> None:
        self._n_answered += 1
        self._report()

    def _refuse(self, error: Exception, *, answers: bool = True) -> None:
        self._pending = Pending.NOTHING
        text = str(error)
        if isinstance(error, MemoryError):
            text = tr("There is not enough memory for this. Nothing has changed.")
        elif isinstance(error, SolverError):
            text = tr("The solver cannot start: {error}", error=error)
        self.refused.emit(text, error.name if isinstance(error, ParameterError) else "")
        self._n_answered += answers
        self._report()

    def _compute_step_rows(self) -> None:
        """Compute the rows inside the first of a run's few units, after other requests."""
        session, place = self.session, _place_of(self.session)
        is_whole = session.state is State.PAUSED and not session.steps_done
        is_over = is_whole or session.state is State.FINISHED
        if is_over and has_few_units(session) and place != self._computed:
            self._computed, self._computing = place, compute_step_rows(session)
            self._later.emit(self._compute_more)

    def _compute_more(self) -> None:
        """Compute some of the rows; the rest is dropped if the run is resumed."""
        if self.session.state is State.RUNNING:
            self._computing = None
        if self._computing is None:
            return
        began = time.monotonic()
        with quiet_collector():
            for rows in self._computing:
                if rows.rows:
                    self._report(rows)
                if time.monotonic() - began > SLICE_SECONDS:
                    self._later.emit(self._compute_more)
                    return
        self._computing = None

    def _report(self, step_rows: StepRows = NO_STEP_ROWS) -> None:
        """Send the window everything that it does not know yet.

        step_rows: those inside the first unit that were computed again.
        """
        puzzle, bests = self.session.puzzle, tuple(self._bests)
        n_metrics = len(self.session.solver.spec.metrics) if self.session.solver else 0
        rows = np.concatenate(self._rows) if self._rows else np.empty((0, n_metrics))
        board = Board.of(puzzle, bests[-1].best.cells) if bests else None
        making = self._making if self._preparing is not None else ""
        status = RunStatus.of(self.session, self._pending, self._n_answered, making)
        self._rows, self._bests, self._reported = [], [], time.monotonic()
        at_once = self._clock.is_slow or self.session.state is not State.RUNNING
        views = self.views.made(self.session.solver, at_once=at_once)
        inside = inside_of(self.session)
        current = current_board(self.session) if inside else None
        self._n_sent += 1
        self.updated.emit(
            RunUpdate(status, rows, bests, board, self._extras(), views, inside, current, step_rows)
        )
        self._compute_step_rows()

    def _extras(self) -> Arrays:
        """Return further arrays of the solver; an error there must not end its run."""
        solver, extras = self.session.solver, Arrays()
        with contextlib.suppress(*SOLVER_ERRORS), solver_errors():
            extras = extras if solver is None else solver.extras()
        return extras

    @contextlib.contextmanager
    def _preparation(self, what: Pending) -> Iterator[None]:
        self._pending = what
        if self._preparing is None or time.monotonic() - self._reported >= UPDATE_SECONDS:
            self._report()
        try:
            yield
        finally:
            self._pending = Pending.NOTHING if self._preparing is None else what


def _place_of(session: Session) -> tuple[str, int, int]:
    return session.key, session.units, session.steps_done


@solver_errors()
def _preparation_of(make: Callable[[], Recipe]) -> Preparation:
    session, recipe = Session(), make()
    begin = partial(session.begin, recipe, should_warm_up=True)
    return Preparation(session, recipe, with_prerequisites(begin))


class StepClock(QObject):
    """A clock in the worker's thread that emits the number of steps that are due."""

    due = Signal(int)

    def __init__(self, parent: QObject, waits: Callable[[], bool]) -> None:
        """waits: returns whether the steps that are due have to wait."""
        super().__init__(parent)
        self._waits = waits
        self._pace: StepPace | None = None
        self._timer = QTimer(self, singleShot=True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)

    @property
    def is_slow(self) -> bool:
        """Whether there is a pace."""
        return self._pace is not None

    def set_pace(self, steps_a_second: float | None) -> None:
        """Set the steps per second, the first step at once; None stops the clock."""
        self._pace = None if steps_a_second is None else StepPace(steps_a_second)
        self.stop()

    def stop(self) -> None:
        """Stop the timer; called in its own thread."""
        self._timer.stop()

    def start(self) -> None:
        """Start the timer of the next steps, unless it is running."""
        if self._pace is not None and not self._timer.isActive():
            self._timer.start(round(1000 * self._pace.wait(time.monotonic())))

    @Slot()
    def _tick(self) -> None:
        if self._pace is None:
            return
        if self._waits():
            self._timer.start(_WAITING_MILLISECONDS)
        else:
            self.due.emit(self._pace.take(time.monotonic()))


class WatchedViews:
    """Views that are watched, and the time when the next one is due."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """clock: returns seconds; only differences matter."""
        self._clock = clock
        self._kinds: frozenset[ViewKind] = frozenset()
        self._due = 0.0
        self._made, self._making, self._showing = 0.0, 0.0, 0.0
        """Time when views were last made, and how long making and showing them took."""
        self._attached: Solver | None = None

    def watch(self, kinds: frozenset[ViewKind], solver: Solver | None) -> None:
        """Watch these kinds from now on, in the current run and the following ones."""
        self._kinds, self._due, self._showing = kinds, 0.0, 0.0
        if solver is not None:
            self.attach(solver)

    def attach(self, solver: Solver) -> None:
        """Make a solver record data for the views; a failure must not end its run."""
        self._attached = solver
        with contextlib.suppress(*SOLVER_ERRORS), solver_errors():
            solver.watch(self._kinds & frozenset(solver.spec.views))

    def made(self, solver: Solver | None, *, at_once: bool) -> Views:
        """Return the views that are due; {} when it is too early.

        at_once: whether the run is paused or goes step by step, so that each moment is shown.
        """
        kinds = frozenset[ViewKind]() if solver is None else self._kinds & {*solver.spec.views}
        began = self._clock()
        if solver is not None and solver is not self._attached:
            # Repeated live changes replace the solver.
            self.attach(solver)
        if solver is None or not kinds or (began < self._due and not at_once):
            return {}
        views: dict[ViewKind, View] = {}
        with contextlib.suppress(*SOLVER_ERRORS), solver_errors():
            for kind in sorted(kinds):
                view = solver.view(kind)
                if view is not None:
                    views[kind] = view
        self._made = self._clock()
        self._making = self._made - began
        self._wait()
        return views

    def shown(self, seconds: float) -> None:
        """Note how long the window took to show the newest views, which delays the next ones."""
        self._showing = seconds
        self._wait()

    def _wait(self) -> None:
        seconds = self._making + self._showing
        self._due = self._made + max(seconds / MAX_SHARE, MIN_SECONDS)
