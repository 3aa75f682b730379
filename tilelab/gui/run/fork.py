"""From "Fork here…" to the new run: asks, computes the state of the moment, and forks it."""

from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from tilelab.core.plain import Values
from tilelab.core.solver import Best
from tilelab.gui.run.fork_dialog import ForkDialog
from tilelab.gui.run.run_model import RunModel
from tilelab.gui.run.timeline import Timeline
from tilelab.gui.threads.task_runner import Background
from tilelab.runs.fork import forked, origin
from tilelab.runs.replay import Past, replayed
from tilelab.runs.session import Checkpoint, Limits


class Forking(QObject):
    """One dialog at a time; computing and forking are done beside the window."""

    forked = Signal(object, str)
    """Checkpoint of the new run, and where it comes from: it shall be opened."""
    board_asked = Signal(object, str)
    """Best of the moment, and what to call it: another run shall begin from its board."""

    def __init__(
        self,
        run: RunModel,
        timeline: Timeline,
        limits: Callable[[], Limits],
        window: QWidget,
    ) -> None:
        """limits: reads those of the next run. window: what the dialog belongs to."""
        super().__init__(window)
        self._run, self._timeline, self._limits, self._window = run, timeline, limits, window
        self.dialog: ForkDialog | None = None
        self._past: Past | None = None
        self._best: Best | None = None
        self._background = Background(self)
        self._background.reported.connect(self._reported)
        self._background.failed.connect(self._failed)
        timeline.fork_asked.connect(self.ask)
        run.run_changed.connect(self._forget)

    @Slot(int)
    def ask(self, unit: int) -> None:
        """Ask how a run shall begin at a unit (from 0) of the run that is there."""
        begun, past, found = self._run.begun, self._run.past(unit), self._timeline.found(unit)
        if begun is None or past is None or found is None:
            return
        self._past, self._best = past, found.best
        self.dialog = ForkDialog(begun.solver, past, self._window)
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
        self._background.start(_forking(self._past, self.dialog.changes(), self._limits()))

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
        unit = begun.solver.unit.capitalize()
        self.board_asked.emit(best, f"{unit} {best.unit:,} of {begun.solver.key}")

    @Slot()
    def _closed(self) -> None:
        self._background.cancel()
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None


def _forking(past: Past, params: Values, limits: Limits) -> Iterator[int | tuple[Checkpoint, str]]:
    for reported in replayed(past):
        if isinstance(reported, int):
            yield reported
        else:
            yield forked(reported, params, limits), origin(reported)
