"""From "Fork…" to the new run: asks, computes the state of the moment, and forks it."""

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QProgressBar, QRadioButton, QWidget

from tilelab.core.plain import Value, Values
from tilelab.core.solver import Best, SolverSpec
from tilelab.core.text.language import tr
from tilelab.core.text.wording import about, capital
from tilelab.gui.parameters.control import ParameterControl
from tilelab.gui.run.run_client import RunContext
from tilelab.gui.run.timeline import Timeline, computing_words
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.gui.widgets.parts import column_layout, named, ok_cancel, text_label
from tilelab.gui.widgets.theme import keep_scaled, set_role
from tilelab.gui.widgets.window_place import Dialog, scrolled
from tilelab.runs.fork import fork_run, forkable_specs, origin
from tilelab.runs.recipe import LiveChange
from tilelab.runs.replay import MomentRequest, Past, replay_run, session_at
from tilelab.runs.session import Checkpoint, Limits, Session

_INDENT, _MIN_HEIGHT, _MAX_HEIGHT = 26, 48, 320
PROGRESS_SECONDS = 1 / 30  # seconds between two values of the progress bar
REPORT_SECONDS = 1.0  # seconds of computing beyond which the user is informed beforehand


class ForkDialog(Dialog):
    """The dialog of a fork, which stays open while the state is computed; Cancel stops that."""

    fork_requested = Signal()
    """Emitted with the changes when the user forks; the dialog closes when that is done."""

    def __init__(
        self, solver: SolverSpec, past: Past, moment: str, parent: QWidget | None = None
    ) -> None:
        """past: the run up to the last whole unit of the moment. moment: its name."""
        super().__init__(parent, tr("Fork at {moment}", moment=moment), "fork_dialog", "forks")
        self._solver, self._past, self._moment = solver, past, moment
        self._is_computing = False
        self._shown: dict[str, Value] = {}
        self.controls: dict[str, ParameterControl] = {}
        continues, from_board = (
            tr("Continue from this moment"),
            tr("Start a new run from the board of this moment"),
        )
        self._continues = named(QRadioButton(continues, self), "fork_from_moment")
        self._from_board = named(QRadioButton(from_board, self), "fork_from_board")
        self._said = self._words("", "fork_said")
        self._make_controls()
        self._bar = named(QProgressBar(self, textVisible=False), "fork_progress")
        self._bar.setRange(past.start, past.units)
        self._bar.hide()
        self._buttons = ok_cancel(self)
        self._lay_out()
        self._continues.setChecked(True)
        self._continues.toggled.connect(self._show_choice)
        self._said.setText(self._what_is_taken())
        self._show_choice()

    @property
    def continues(self) -> bool:
        """Whether to fork; otherwise the board is the start of a new run."""
        return self._continues.isChecked()

    def changes(self) -> dict[str, Value]:
        """Return the values that the user has changed."""
        return {
            name: control.value()
            for name, control in self.controls.items()
            if control.value() != self._shown.get(name)
        }

    def accept(self) -> None:
        """Accept: a board is available at once, a state must be computed first."""
        if not self.continues:
            super().accept()
        elif not self._is_computing:
            self._is_computing = True
            self._bar.setValue(self._past.start)
            self._show_choice()
            self.fork_requested.emit()

    def show_progress(self, units: int) -> None:
        """Show the progress of computing the run; units: number of units done."""
        self._bar.setValue(units)
        self._said.setText(computing_words(units / max(self._past.units, 1)))

    @Slot(str)
    def show_error(self, text: str) -> None:
        """Show why a fork is not possible; the board remains as a start."""
        self._is_computing = False
        self._said.setText(text)
        set_role(self._said, "error")
        self._from_board.setChecked(True)
        self._show_choice()
        self._continues.setEnabled(False)

    def _what_is_taken(self) -> str:
        past = self._past
        text = tr(
            "{moment} exactly, with the solver's whole state at that moment.",
            moment=capital(self._moment),
        )
        if past.seconds > REPORT_SECONDS:
            where = tr("a checkpoint") if past.start else tr("its beginning")
            text += tr(
                " The run is computed again from {where}, which takes about {time}.",
                where=where,
                time=about(past.seconds),
            )
        if not self.controls:
            text += tr(
                " {title} has no parameter that can be changed during a run.",
                title=self._solver.title,
            )
        return text

    def _make_controls(self) -> None:
        self._box = QWidget(self)
        set_role(self._box, "page")
        for spec in forkable_specs(self._solver.params):
            control = ParameterControl(spec, self._box)
            control.set_value_quietly(self._past.params[spec.name])
            # A value that a field has rounded is not a change.
            self._shown[spec.name] = control.value()
            self.controls[spec.name] = control
        column_layout(self._box, (_INDENT, 0, 12, 0), 8, *self.controls.values())
        self._scroll = scrolled(self._box, self)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        height = min(self._box.sizeHint().height(), _MAX_HEIGHT)
        self._scroll.setMinimumHeight(min(height, _MIN_HEIGHT))
        self._scroll.setMaximumHeight(height)
        self._scroll.setVisible(bool(self.controls))

    def _lay_out(self) -> None:
        about_board = self._words(
            tr("Only the board is kept; choose any solver and parameters, then press GO.")
        )
        upper = self._continues, self._said, self._scroll, 8, self._from_board, about_board
        column_layout(self, 20, 8, *upper, 8, self._bar, self._buttons)
        keep_scaled(self._said, least_width=440)

    def _words(self, text: str, name: str = "") -> QLabel:
        label = text_label("muted", self, text, name, wraps=True)
        label.setContentsMargins(_INDENT, 0, 0, 0)
        return label

    @Slot()
    def _show_choice(self) -> None:
        self._box.setEnabled(self.continues and not self._is_computing)
        for choice in (self._continues, self._from_board):
            choice.setEnabled(not self._is_computing)
        self._bar.setVisible(self._is_computing)
        button = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        button.setText(tr("Fork and run") if self.continues else tr("Load the board"))
        button.setEnabled(not self._is_computing)


class ForkActions(QObject):
    """Opens the dialog of a fork, and computes the fork in the background."""

    forked = Signal(object, str)
    """Emitted with the Checkpoint of the new run and its origin, to open it."""
    board_requested = Signal(object, str)
    """Emitted with the Best of the moment and its name, to start a run from its board."""

    def __init__(
        self, context: RunContext, timeline: Timeline, limits: Callable[[], Limits]
    ) -> None:
        """limits: returns the next run's limits."""
        super().__init__(context.window)
        self._context, self._run, self._window = context, context.run, context.window
        self._timeline, self._limits = timeline, limits
        self.dialog: ForkDialog | None = None
        self._background = TaskRunner(self, self._reported, failed=self._failed)
        timeline.bar.fork_requested.connect(self.ask)
        self._run.run_changed.connect(self._forget)

    @Slot()
    def ask(self) -> None:
        """Ask how to start a run at the shown moment of the current run."""
        run, started, unit = self._run, self._run.started, self._run.moment
        if started is None or unit is None:
            return
        past, found, name = run.past(unit), self._timeline.found(unit), self._timeline.moment
        if past is None or found is None:
            self._refuse(tr("The run cannot be forked this early. Begin a new run instead."))
            return
        self.dialog = ForkDialog(started.solver, past, name, self._window)
        self.dialog.fork_requested.connect(partial(self._fork, past, name, run.moment_steps))
        self.dialog.accepted.connect(partial(self._start_from_board, found.best, name))
        self.dialog.finished.connect(self._closed)
        self.dialog.open()

    def _refuse(self, text: str) -> None:
        """Show why a moment cannot be forked, until the user does something else."""

        def latest_action() -> tuple[int, int | None, int]:
            run = self._run
            return self._context.client.n_requested, run.moment, run.moment_steps

        refused = latest_action()
        self._context.notice.show_refusal(lambda: text if latest_action() == refused else "")

    @Slot()
    def _forget(self) -> None:
        """Close the dialog, because another run replaces this one."""
        if self.dialog is not None:
            self.dialog.reject()

    def _fork(self, past: Past, name: str, steps: int) -> None:
        assert self.dialog is not None
        # Looking back would only slow this computation down.
        self._timeline.cancel()
        changes, limits = self._run.recipe.changes, self._limits()
        job = _forking(past, name, steps, changes, self.dialog.changes(), limits)
        self._background.start(job)

    @Slot(object)
    def _reported(self, reported: int | tuple[Checkpoint, str]) -> None:
        if self.dialog is None:
            return
        if isinstance(reported, int):
            self.dialog.show_progress(reported)
            return
        self.dialog.reject()
        self.forked.emit(*reported)

    @Slot(str)
    def _failed(self, text: str) -> None:
        if self.dialog is not None:
            self.dialog.show_error(text)

    def _start_from_board(self, best: Best, moment: str) -> None:
        started = self._run.started
        assert started is not None
        name = tr("{moment} of {solver}", moment=capital(moment), solver=started.solver.key)
        self.board_requested.emit(best, name)

    @Slot()
    def _closed(self) -> None:
        self._background.cancel()
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None


def _forking(
    past: Past,
    name: str,
    steps: int,
    changes: Sequence[LiveChange],
    params: Values,
    limits: Limits,
) -> Iterator[int | tuple[Checkpoint, str]]:
    """Compute the moment, and fork it.

    name: of the moment. steps: done of the next unit. changes: of the whole run.
    """
    inside = session_at(MomentRequest(past, past, changes, steps, frozenset()))
    shown = 0.0
    for reported in inside if steps else replay_run(past):
        if isinstance(reported, int):
            # A unit can take microseconds, and each progress shown takes longer.
            if time.monotonic() - shown >= PROGRESS_SECONDS:
                shown = time.monotonic()
                yield reported
            continue
        moment = reported.snapshot() if isinstance(reported, Session) else reported
        yield fork_run(moment, params, limits), origin(moment.recipe, name)
