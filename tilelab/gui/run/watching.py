"""Watching a run: the solver's views, their pictures and films, and steps back."""

from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal, Slot

from tilelab.core.solver import SolverSpec
from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import about
from tilelab.core.views import ViewKind
from tilelab.gui.run.run_client import RunContext
from tilelab.gui.run.run_model import RunModel, RunPosition
from tilelab.gui.run.timeline import MAX_SECONDS, REST_MILLISECONDS, Timeline, computing_words
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.gui.views.view_stack import ViewStack
from tilelab.runs.actions import Action, State
from tilelab.runs.replay import LAST, WATCHED_UNITS, MomentRequest, RunMoment, moment_at

if TYPE_CHECKING:
    from tilelab.gui.run.run_pictures import RunFilms

CAPTIONS, PSEUDOCODE, FRONTIER = "run/captions", "run/pseudocode", "run/frontier"
STOP_FIRST = marked("STOP the run before you step back.")
MAX_RENEWAL_SECONDS = 2.0  # longest run whose newest step is computed again for its views
SLOW_MILLISECONDS = 300  # milliseconds of a computation after which its progress is shown
_BEGINNING = marked("This is the beginning of the run.")
_NO_RUN = marked("There is no run to step back. GO or STEP begins one.")


class Watching(QObject):
    """Joins the run and the tabs above its board."""

    def __init__(self, context: RunContext, timeline: Timeline, stack: ViewStack) -> None:
        super().__init__(context.window)
        self._context, self._run, self._stack = context, context.run, stack
        run, settings, notice = context.run, context.settings, context.notice
        self._known: tuple[int, int] | None = None
        """Units and steps at which the views were chosen: no question is about an earlier step."""
        self.stepping_back = StepBack(run, timeline, stack, self)
        self.stepping_back.refused.connect(notice.show_note)
        stack.watched.connect(self._watch)
        stack.watched.connect(self.stepping_back.refresh)
        for box, name in ((stack.captions, CAPTIONS), (stack.pseudocode, PSEUDOCODE)):
            box.setChecked(settings.flag(name))
            box.clicked.connect(lambda is_on, name=name: settings.set_flag(name, is_on))
        stack.set_frontier(settings.flag(FRONTIER))
        stack.frontier_turned.connect(partial(settings.set_flag, FRONTIER))
        run.run_changed.connect(stack.forget_answers)
        run.run_changed.connect(self._follow_run)
        run.views_changed.connect(self._show)
        run.status_changed.connect(self._note_end)

    def offer(self, chosen: SolverSpec) -> None:
        """Offer the views of the run's solver, or of the chosen solver without a run."""
        started = self._run.started
        self._stack.offer(chosen if started is None else started.solver)

    def save_view(self) -> None:
        """Ask for a file, and write the current view into it."""
        from tilelab.gui.run.run_pictures import save_view

        save_view(self._stack, self._context)

    @cached_property
    def films(self) -> "RunFilms":
        """Object that makes films of the run."""
        # Imported only now, because it loads the libraries for pictures.
        from tilelab.gui.run.run_pictures import RunFilms

        return RunFilms(self._context)

    def take_over(self, before: "Watching") -> None:
        """Show the same view and moment as another page."""
        self._stack.take_over(before._stack)

    @Slot(object)
    def _watch(self, kinds: frozenset[ViewKind]) -> None:
        now = self._run.reported
        # Before its first report, a new run has the place of the run before.
        self._known = (now.units, now.steps) if now.has_run else None
        self._context.client.tell(self._context.client.worker.watch, kinds)

    @Slot()
    def _follow_run(self) -> None:
        self._known = None
        if self._run.started is not None:
            self._stack.begin_run()

    @Slot()
    def _note_end(self) -> None:
        status = self._run.status
        has_ended = status.state is State.FINISHED and Action.STEP not in status.allowed
        self._stack.set_ended(has_ended)

    @Slot()
    def _show(self) -> None:
        started = self._run.started
        puzzle = None if started is None else started.puzzle
        is_new = self._run.is_back or self._run.views_place != self._known
        seconds = self._stack.show_views(self._run.views, puzzle, is_new=is_new)
        if seconds and self._run.moment is None:
            client = self._context.client
            client.tell(client.worker.views.shown, seconds)


class StepBack(QObject):
    """Steps back in a run by computing one moment at a time."""

    refused = Signal(str)  # emitted with the reason when a step is not possible
    progressed = Signal(str)
    """Emitted with the progress of a step that takes long; '' if it has failed."""

    def __init__(
        self, run: RunModel, timeline: Timeline, stack: ViewStack, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._run, self._timeline, self._stack = run, timeline, stack
        self._background = TaskRunner(self, self._reported, failed=self.refused)
        self._background.failed.connect(lambda _error: self.progressed.emit(""))
        self._renewal = TaskRunner(self, self._renewed)
        self._duration = QElapsedTimer()
        self._n_units = 0  # number of units that are computed again
        self._seeks_last = False  # whether the last step of a unit is computed
        self._is_opened = False  # whether the run was opened, and its place is not reported yet
        self._rest = QTimer(self, singleShot=True, interval=REST_MILLISECONDS)
        self._rest.timeout.connect(self.refresh)
        timeline.looked_at.connect(self._follow)
        timeline.left.connect(self._leave)
        run.run_changed.connect(self._leave)
        run.status_changed.connect(self._follow_status)

    @property
    def is_busy(self) -> bool:
        """Whether a moment is being computed, or is about to be."""
        return self._background.is_busy or self._rest.isActive()

    def why_not(self) -> str:
        """Return why the run cannot be stepped back now, or ''."""
        if self._run.started is None:
            return tr(_NO_RUN)
        return tr(STOP_FIRST) if self._run.reported.state is State.RUNNING else ""

    def back(self) -> None:
        """Go one step back from the shown moment."""
        here = self._run.position
        if reason := self.why_not():
            self.refused.emit(reason)
        elif here == (0, 0):
            self.refused.emit(tr(_BEGINNING))
        elif not self._background.is_busy:
            units, steps = here
            self._compute(units, steps - 1) if steps else self._compute(units - 1, LAST)

    def forward(self, most: int = 1) -> bool:
        """Go some steps forward, but not beyond the shown unit.

        Returns False at the present, where the run itself steps. A step back from there that is
        being computed is called off.
        """
        if not self._run.is_back:
            is_leaving = self._background.is_busy
            if is_leaving:
                self._background.cancel()
                self.progressed.emit("")
            return is_leaving
        units, steps = self._run.position
        if not self._background.is_busy:
            self._compute(units, steps + most)
        return True

    @Slot()
    def refresh(self) -> None:
        """Compute the shown views of the current moment, if any.

        At the present, only if that is quick: solvers note a step only for views that are shown.
        """
        run, here = self._run, self._run.position
        if not self._stack.watched_kinds:
            return
        if run.is_back:
            self._compute(*here)
        elif not self.why_not() and here > (0, 0) and run.reported.seconds < MAX_RENEWAL_SECONDS:
            job = self._job(*here)
            if job is not None:
                self._renewal.start(moment_at(job))

    @Slot(object)
    def _renewed(self, reported: int | RunMoment) -> None:
        """Take views of the present, if the run has made no step since."""
        if isinstance(reported, RunMoment):
            now = self._run.reported
            if (reported.units, reported.steps) == (now.units, now.steps):
                self._run.add_views(reported.views)

    def refresh_opened(self) -> None:
        """Compute the views of an opened run when its place is reported.

        A restored solver has not noted its last step.
        """
        self._is_opened = True

    @Slot()
    def _follow_status(self) -> None:
        """Leave the processor to a run that continues; its own steps are shown."""
        if self._renewal.is_busy and self.why_not():
            self._renewal.cancel()
        if self._is_opened and self._run.reported.has_run:
            self._is_opened = False
            self.refresh()

    def _compute(self, units: int, steps: int) -> None:
        job = self._job(units, steps)
        if job is None:
            return
        seconds = job.past.seconds
        if seconds > MAX_SECONDS:
            self.refused.emit(
                tr("Going there takes about {time}. Fork there instead.", time=about(seconds))
            )
            return
        self._duration.start()
        self._n_units, self._seeks_last = units, steps == LAST
        self._background.start(moment_at(job))

    def _job(self, units: int, steps: int) -> MomentRequest | None:
        """Return the request for a moment; None if the run has no such unit."""
        run = self._run
        past = run.past(units - 1)
        if past is None:
            return None
        base = run.past(units - 1 - WATCHED_UNITS) if units > WATCHED_UNITS else None
        return MomentRequest(past, base, run.recipe.changes, steps, self._stack.watched_kinds)

    @Slot(object)
    def _reported(self, reported: int | RunMoment) -> None:
        run, started = self._run, self._run.started
        if started is None:
            return
        if isinstance(reported, int):
            if self._duration.elapsed() > SLOW_MILLISECONDS:
                self.progressed.emit(computing_words(reported / max(self._n_units, 1)))
            return
        place = RunPosition(reported.units, reported.steps)
        if self._seeks_last:
            run.note_unit_steps(place.units, place.steps + 1)
        present = run.reported.units, run.reported.steps
        if place >= present:
            if place == present:
                run.add_views(reported.views)
            self._timeline.end()
            return
        self._timeline.look_at(
            place.units - 1,
            stays=True,
            views=reported.views,
            steps=place.steps,
            metrics=reported.metrics,
            current=reported.current,
            best=reported.best if place.steps else None,
        )
        self._rest.stop()

    @Slot()
    def _follow(self) -> None:
        """Show the views of the marker's moment when it rests."""
        self._background.cancel()
        if self._stack.watched_kinds:
            self._rest.start()

    @Slot()
    def _leave(self) -> None:
        self._n_units, self._seeks_last, self._is_opened = 0, False, False
        self._rest.stop()
        self._background.cancel()
        self._renewal.cancel()
