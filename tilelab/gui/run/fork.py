"""From "Fork here…" to the new run: asks, computes the state of the moment, and forks it."""

from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import QObject, Signal, Slot

from tilelab.core.plain import Values
from tilelab.core.solver import Best
from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import capital
from tilelab.gui.run.fork_dialog import ForkDialog
from tilelab.gui.run.run_client import RunContext
from tilelab.gui.run.timeline import Timeline
from tilelab.gui.threads.task_runner import Background
from tilelab.runs.fork import forked, origin
from tilelab.runs.moments import MomentRequest, session_at
from tilelab.runs.replay import Past, replayed
from tilelab.runs.session import Checkpoint, Limits, LiveChange, Session


class Forking(QObject):
    """One dialog at a time; computing and forking are done beside the window."""

    forked = Signal(object, str)
    """Checkpoint of the new run, and where it comes from: it shall be opened."""
    board_asked = Signal(object, str)
    """Best of the moment, and what to call it: another run shall begin from its board."""
    refused = Signal(str)
    """Why there can be no fork."""

    def __init__(
        self,
        context: RunContext,
        timeline: Timeline,
        limits: Callable[[], Limits],
        steps: Callable[[], int],
    ) -> None:
        """limits: reads those of the next run. steps: how many are done of the unit after the one
        that is looked at.
        """
        super().__init__(context.window)
        self._run, self._window = context.run, context.window
        self._timeline, self._limits = timeline, limits
        self._steps_shown, self._steps = steps, 0
        self.dialog: ForkDialog | None = None
        self._past: Past | None = None
        self._best: Best | None = None
        self._background = Background(self)
        self._background.reported.connect(self._reported)
        self._background.failed.connect(self._failed)
        timeline.fork_asked.connect(self.ask)
        self._run.run_changed.connect(self._forget)

    @Slot(int)
    def ask(self, unit: int) -> None:
        """Ask how a run shall begin at a unit (from 0) of the run that is there."""
        begun, past, found = self._run.begun, self._run.past(unit), self._timeline.found(unit)
        if begun is None:
            return
        if past is None or found is None:
            self.refused.emit(tr("There is nothing to fork here yet; begin a new run instead."))
            return
        self._past, self._best, self._steps = past, found.best, self._steps_shown()
        self.dialog = ForkDialog(begun.solver, past, self._steps, self._window)
        self.dialog.fork_asked.connect(self._fork)
        self.dialog.accepted.connect(self._start_from_board)
        self.dialog.finished.connect(self._closed)
        self.dialog.open()

    @Slot()
    def _forget(self) -> None:
        """Ask nothing more about the run: another one takes its place."""
        if self.dialog is not None:
            self.dialog.reject()

    @Slot()
    def _fork(self) -> None:
        assert self.dialog is not None
        assert self._past is not None
        # What looking back computes meanwhile would only take the processor away from this.
        self._timeline.call_off()
        job = _forking(
            self._past,
            self._steps,
            self._run.status.journal,
            self.dialog.changes(),
            self._limits(),
        )
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

    @Slot()
    def _start_from_board(self) -> None:
        begun, best = self._run.begun, self._best
        assert begun is not None
        assert best is not None
        unit = capital(tr(begun.solver.unit))
        self.board_asked.emit(
            best,
            tr(
                "{unit} {number} of {solver}",
                unit=unit,
                number=figures(best.unit, ","),
                solver=begun.solver.key,
            ),
        )

    @Slot()
    def _closed(self) -> None:
        self._background.cancel()
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None


def _forking(
    past: Past, steps: int, journal: Sequence[LiveChange], params: Values, limits: Limits
) -> Iterator[int | tuple[Checkpoint, str]]:
    """Compute the moment, and fork it; steps: done of the next unit; journal: of the whole run."""
    inside = session_at(MomentRequest(past, past, journal, steps, frozenset()))
    for reported in inside if steps else replayed(past):
        if isinstance(reported, int):
            yield reported
            continue
        moment = reported.snapshot() if isinstance(reported, Session) else reported
        yield forked(moment, params, limits), origin(moment)
