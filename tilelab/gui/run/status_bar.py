"""The status bar: state, unit, rate, running time, best ever, and progress to a limit."""

import dataclasses
from collections import deque
from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QProgressBar, QWidget

from tilelab.core.solver import Best
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import about, duration, labelled, of_unit, rate
from tilelab.gui.run.messages import Pending, RunStatus
from tilelab.gui.run.run_model import RunModel
from tilelab.gui.widgets.access import announce, is_still
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.parts import named, row_layout, text_label
from tilelab.gui.widgets.theme import keep_scaled, set_role
from tilelab.runs.actions import State
from tilelab.runs.limits import Limits

RATE_SECONDS = 1.0  # seconds of the latest running time over which the rate is measured
_FINISHED = marked("Finished")
_ENDED = {
    "solved": marked("Solved"),
    "exhausted": marked("Exhausted"),
    "limit": marked("Limit reached"),
}
_STATES = {
    State.EMPTY: marked("Empty"),
    State.READY: marked("Ready"),
    State.RUNNING: marked("Running"),
    State.PAUSED: marked("Paused"),
    State.FAILED: marked("Failed"),
}
_PENDING = {
    Pending.PUZZLE: "loading",
    Pending.OPENING: marked("opening the run"),
    Pending.KERNELS: marked("this takes a moment, or some seconds the first time"),
    Pending.RUN: marked("the run begins when all is ready; the first time, this takes a while"),
    Pending.CALLED_OFF: marked("cancelled; the next run begins when all is ready"),
}
_LATE_MILLISECONDS = 150  # milliseconds until the words about a run that gets ready are shown
BEST_MILLISECONDS = 5_000  # milliseconds between two announcements of new bests


class StatusLine(QWidget):
    """A line of facts about a run, and a progress bar with an estimate while a limit is set."""

    def __init__(self, run: RunModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._run = run
        named(self, "status_line", tr("Status"))
        self._state = text_label("accent", self)
        self._facts = ElidedLabel(self, role="small")
        self._left = text_label("small", self)
        self._bar = QProgressBar(self, textVisible=False)
        keep_scaled(self._bar, width=160)
        row_layout(self, (16, 0, 16, 0), 16, self._state, (self._facts, 1), self._left, self._bar)
        keep_scaled(self, height=32)
        self.best_words: Callable[[Best], str] = self._own_value_words
        """Function that returns the text of a best, or '' if there is nothing to say."""
        self.moment_metrics: Callable[[], Mapping[str, float]] = dict
        """Function that returns the known metrics of an earlier moment that is shown."""
        self._solver_title = ""  # solver of the run, while another one is chosen
        self._marks: deque[tuple[float, int]] = deque()
        self._late = QTimer(self, singleShot=True, interval=_LATE_MILLISECONDS)
        self._late.timeout.connect(self._show)
        self._is_beginning = False
        run.run_changed.connect(self._marks.clear)
        run.status_changed.connect(self.refresh)
        run.shown_changed.connect(self.refresh)
        Announcer(run, self)
        self._show()

    @property
    def text(self) -> str:
        parts = (self._state.text(), self._facts.text(), self._left.text())
        return " · ".join(part for part in parts if part)

    @property
    def result(self) -> str:
        """State and best of the run, such as 'Solved · 16 moves'."""
        best = self._run.present
        facts = "" if best is None else self.best_facts(best)
        return " · ".join(filter(None, (self._state.text(), facts)))

    def run_words(self, title: str) -> str:
        """Describe the run in one line, for questions about it; title: that of its puzzle."""
        run, best = self._run, self._run.present
        if run.started is None:
            return title
        solver, said = run.started.solver, "" if best is None else self.best_words(best)
        done = solver.done(run.status.units, run.status.steps, run.newest_metrics)
        return labelled(title, ", ".join(filter(None, (tr(solver.title), done, said))))

    def name_solver(self, title: str) -> None:
        """Name the solver of the run before its figures; '' while it is the chosen one."""
        self._solver_title = title
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the status of the run, or the facts of an earlier moment unless the run is going.

        That a run gets ready is shown a little later: where it is ready at once, it would flash.
        """
        was_beginning, self._is_beginning = self._is_beginning, _is_beginning(self._run.status)
        if not self._is_beginning:
            self._late.stop()
        elif not was_beginning:
            self._late.start()
        if not self._late.isActive():
            self._show()

    @Slot()
    def _show(self) -> None:
        run, status = self._run, self._run.status
        self._state.setText(self._state_word(status))
        failed = status.state is State.FAILED
        set_role(self._state, "warning" if failed else "accent")
        self._show_progress(status)
        if run.moment is None or status.state is State.RUNNING:
            self._show_facts(self._describe(status, run.present, run.newest_metrics))
        else:
            units, steps = run.position
            then = dataclasses.replace(status, units=units, steps=steps, seconds=run.seconds)
            self._show_facts(self._describe(then, run.best, self.moment_metrics()))

    @Slot(str)
    def show_progress(self, facts: str) -> None:
        """Show the progress of a step back in place of the facts; '' shows these again."""
        if self._run.status.state is State.RUNNING:
            return
        if facts:
            self._show_facts(facts)
        else:
            self.refresh()

    def _show_facts(self, facts: str) -> None:
        self._facts.setText(facts)
        self.setAccessibleDescription(self.text)

    def best_facts(self, best: Best) -> str:
        """Return the text of a best, and the number of its unit unless that says nothing."""
        words, started = self.best_words(best), self._run.started
        if not words or not best.unit or started is None or started.solver.is_search:
            return words
        return tr("{best_words} at {unit}", best_words=words, unit=figures(best.unit, ","))

    def _own_value_words(self, best: Best) -> str:
        assert self._run.started is not None
        return self._run.started.puzzle.best_words(best)

    def _describe(self, status: RunStatus, best: Best | None, metrics: Mapping[str, float]) -> str:
        if status.state is State.FAILED:
            return status.message
        if status.pending:
            if status.pending is Pending.STOPPING:
                return of_unit("the current {unit} is finished first", self._unit)
            return status.making or tr(_PENDING[status.pending])
        if not status.has_run or self._run.started is None:
            return ""
        solver = self._run.started.solver
        done = self._done(status, metrics)
        parts = [self._solver_title] if self._solver_title else []
        if done != self._count_in_state():
            parts.append(done)
        mark = status.seconds, status.units
        if status.state is State.RUNNING and mark not in self._marks:
            self._marks.append(mark)
            while len(self._marks) > 2 and status.seconds - self._marks[1][0] > RATE_SECONDS:
                self._marks.popleft()
        per_second = self._per_second(status)
        if per_second and not solver.is_search and not self._run.was_stepped(status.units):
            parts.append(tr("{rate} a second", rate=rate(per_second)))
        parts.append(duration(status.seconds))
        if best is not None:
            parts.append(self.best_facts(best))
        if solver.uses_seed:
            parts.append(tr("seed {seed}", seed=status.seed))
        return " · ".join(filter(None, parts))

    def _done(self, status: RunStatus, metrics: Mapping[str, float]) -> str:
        assert self._run.started is not None
        n_steps = self._run.total_steps(status.units)
        return self._run.started.solver.done(status.units, status.steps, metrics, n_steps)

    @property
    def _unit(self) -> str:
        """Name of the unit of the run, or any unit while one is opened."""
        started = self._run.started
        return marked("update") if started is None else started.solver.unit

    def _count_in_state(self) -> str:
        """Return the count of what is done that the word of the state contains; '' for none."""
        status, started = self._run.status, self._run.started
        is_at_units = status.limit_reached == "units" and status.is_at_limit
        if started is None or status.state is not State.FINISHED or not is_at_units:
            return ""
        if started.solver.is_search:
            return self._done(status, self._run.newest_metrics)
        return status.limits.text("units", self._unit)

    def _state_word(self, status: RunStatus) -> str:
        if status.pending not in (Pending.NOTHING, Pending.CALLED_OFF):
            is_stopping = status.pending is Pending.STOPPING
            return tr("Stopping…") if is_stopping else tr("Getting ready…")
        if status.state is not State.FINISHED:
            return tr(_STATES[status.state])
        started = self._run.started
        if not status.limit_reached or started is None:
            return tr(_ENDED.get(status.status, _FINISHED))
        # If the limit was raised since, its value is not the one that ended the run.
        limits = status.limits if status.is_at_limit else Limits()
        is_search = started.solver.is_search
        expanded = self._done(status, self._run.newest_metrics) if is_search else ""
        return limits.end_text(status.limit_reached, self._unit, expanded)

    def _per_second(self, status: RunStatus) -> float:
        """Return the latest rate while running, or else the mean of the whole run."""
        if status.state is State.RUNNING and len(self._marks) > 1:
            (start, first), (now, last) = self._marks[0], self._marks[-1]
            return (last - first) / max(now - start, 1e-9)
        return status.units / status.seconds if status.seconds > 0 else 0.0

    def _show_progress(self, status: RunStatus) -> None:
        done, left = self._estimate(status)
        indeterminate = bool(status.pending)
        shown = indeterminate or (status.has_run and done is not None)
        self._bar.setVisible(shown)
        self._left.setVisible(bool(left))
        self._left.setText(left)
        # A bar without a range shows an animation.
        self._bar.setRange(0, 0 if indeterminate and not is_still() else 1000)
        if done is not None:
            self._bar.setValue(round(1000 * done))
        self._bar.setToolTip(
            tr("{percent} % of the limit", percent=figures(100 * done, ".0f"))
            if done is not None
            else ""
        )

    def _estimate(self, status: RunStatus) -> tuple[float | None, str]:
        """Return the part of the nearest limit that is done, and the rest in words."""
        speed = self._per_second(status)
        nearest = status.limits.nearest(status.units, status.seconds, status.evaluations, speed)
        done, left = nearest or (None, None)
        if status.state is not State.RUNNING or not speed or left is None:
            return done, ""
        return done, tr("about {time} left", time=about(left))


def _is_beginning(status: RunStatus) -> bool:
    """Return whether a run begins for which nothing is made that takes long."""
    return status.pending is Pending.RUN and not status.making


class Announcer(QObject):
    """Observes a run, and announces the text of the status line to screen readers."""

    def __init__(self, run: RunModel, status: StatusLine) -> None:
        super().__init__(status)
        self._run, self._status = run, status
        self._state = run.status.state
        self._is_best_new = False
        self._pause = QTimer(self, singleShot=True, interval=BEST_MILLISECONDS)
        self._pause.timeout.connect(self._say_best)
        run.status_changed.connect(self._follow)
        run.bests_changed.connect(self._best_found)

    @Slot()
    def _follow(self) -> None:
        before, self._state = self._state, self._run.status.state
        if before is self._state:
            return
        if self._state is State.RUNNING:
            announce(self._status, tr("The run is in progress"))
        elif before is State.RUNNING:
            self._is_best_new = False
            # The status line is updated after this.
            QTimer.singleShot(0, self, self._say_status)

    @Slot()
    def _say_status(self) -> None:
        announce(self._status, self._status.text, is_urgent=self._state is State.FAILED)

    @Slot()
    def _best_found(self) -> None:
        self._is_best_new = self._state is State.RUNNING
        if not self._pause.isActive():
            self._say_best()

    @Slot()
    def _say_best(self) -> None:
        best = self._run.present
        if self._is_best_new and best is not None:
            self._is_best_new = False
            if words := self._status.best_facts(best):
                announce(self._status, tr("New: {best}", best=words))
                self._pause.start()
