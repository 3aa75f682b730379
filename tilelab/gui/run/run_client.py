"""The worker's thread, the signal for requests to it, and the signals of its answers.

It may outlive its page: when the window is rebuilt, the next page takes it over with its run.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ParamSpec

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance, Slot
from PySide6.QtWidgets import QWidget

from tilelab.gui.run.messages import LoadContext, PuzzleRequest, RunUpdate
from tilelab.gui.run.run_model import RunModel
from tilelab.gui.run.run_worker import Worker
from tilelab.gui.threads.task_runner import OwnThread
from tilelab.gui.widgets.notice_bar import NoticeBar
from tilelab.gui.widgets.settings import Settings
from tilelab.runs.actions import State
from tilelab.runs.checkpoints.autosave import state_bytes
from tilelab.runs.recipe import Recipe
from tilelab.runs.session import Checkpoint, Session

_MAX_COPIED_BYTES = 64 << 20  # largest state of a run that is copied while the window waits
P = ParamSpec("P")
LOOK_MILLISECONDS = 500  # milliseconds between checks whether saving works


class RunClient(QObject):
    """Owns the worker and its thread, and counts the requests.

    An update older than the last request can be recognised by its ``n_answered``.
    """

    loaded = Signal(object)
    """Signal of the worker; reports wait in this thread's queue while no page listens."""
    started = Signal(object)
    opened = Signal(object)
    updated = Signal(object)
    refused = Signal(str, str)
    saving_error_changed = Signal(str)
    copied = Signal(object)
    copy_failed = Signal(str)
    _call = Signal(object)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.n_requested = 0
        self.pace: float | None = None  # steps per second of the run; None for full speed
        self._n_runs_requested = self._n_copies_requested = 0
        self.worker = Worker(session)
        self._call.connect(self.worker.do)
        self.worker.updated.connect(self._show_update)
        for reported, signal in self._answers():
            reported.connect(signal)
        self._thread = OwnThread("worker", self.worker, self._call.emit, self.worker.stop)
        self._timer = QTimer(self, interval=LOOK_MILLISECONDS)
        self._timer.timeout.connect(self.worker.keeping.look)
        self._timer.start()

    def _answers(self) -> tuple[tuple[SignalInstance, SignalInstance], ...]:
        """Return pairs of a signal of the worker's thread and its counterpart in this thread."""
        worker = self.worker
        return (
            (worker.loaded, self.loaded),
            (worker.started, self.started),
            (worker.opened, self.opened),
            (worker.refused, self.refused),
            (worker.keeping.error_changed, self.saving_error_changed),
            (worker.copier.copied, self.copied),
            (worker.copier.failed, self.copy_failed),
        )

    def leave(self) -> None:
        """Disconnect the current page, because another one takes over."""
        for signal in (self.updated, *(signal for _, signal in self._answers())):
            signal.disconnect()

    @Slot(object)
    def _show_update(self, update: RunUpdate) -> None:
        """Pass an update on, and let the worker send the next when it is shown."""
        self.updated.emit(update)
        self.worker.n_shown += 1

    def load(self, request: PuzzleRequest, context: LoadContext) -> None:
        """Request a puzzle; an earlier request that still waits is dropped."""
        self.worker.newest_load += 1
        self.ask(self.worker.load, request, context, self.worker.newest_load)

    def ask(self, request: Callable[P, None], *values: P.args, **more: P.kwargs) -> None:
        """Request that the worker call one of its methods with some values, and answer."""
        self.n_requested += 1
        self.tell(request, *values, **more)

    def tell(self, request: Callable[P, None], *values: P.args, **more: P.kwargs) -> None:
        """Have the worker call one of its methods that needs no answer, such as a live change."""
        self._call.emit(partial(request, *values, **more))

    def go(self, make: Callable[[], Recipe], *, pauses: bool = False) -> None:
        """Request a run; it waits until the worker is free.

        make: makes its recipe in the worker's thread. pauses: whether to pause it after its first
        step.
        """
        self._n_runs_requested += 1
        self.ask(self.worker.go, make, self._n_runs_requested, pauses=pauses)

    def copy_out(self) -> int:
        """Request a copy of the run; ``worker.copier`` answers.

        Returns the request's number: a copy with a lower number is older than the request.
        """
        self._n_copies_requested += 1
        self.tell(self.worker.copy_out, self._n_copies_requested)
        return self._n_copies_requested

    def snapshot(self) -> Checkpoint | None:
        """Copy a paused run at once; None if there is none, or it is large."""
        session = self.worker.session
        if session.solver is None or session.state in (State.RUNNING, State.FAILED):
            return None
        return session.snapshot() if self.run_bytes < _MAX_COPIED_BYTES else None

    @property
    def run_bytes(self) -> int:
        """Memory that a copy of the run takes; 0 where that is little."""
        return state_bytes(self.worker.session)

    def stop(self) -> None:
        """Request a pause, and cancel the runs that still wait."""
        self.worker.cancelled = self._n_runs_requested
        self.ask(self.worker.stop)

    def set_pace(self, steps_a_second: float | None) -> None:
        """Set the steps per second; None for full speed."""
        self.pace = steps_a_second
        self.tell(self.worker.set_pace, steps_a_second)

    def close(self, *, keep: bool = False) -> bool:
        """Stop the worker after its slice; returns False when it did not end in time.

        keep: whether the run is offered at the next start.
        """
        self._timer.stop()
        self.worker.cancelled = self._n_runs_requested
        ended = self._thread.end()
        self.worker.copier.close()
        if ended:
            self.worker.give_up()
            self.worker.keeping.end(keep=keep)
        return ended


@dataclass(eq=False)
class RunContext:
    """Objects that the parts of a page share: run, worker, notices, settings and window."""

    run: RunModel
    client: RunClient  # client of the worker; replaced when the page takes over another page's run
    notice: NoticeBar
    settings: Settings
    window: QWidget  # parent of dialogs
