"""The thread that the worker lives in, the signal by which it is asked, and those it answers by.

It may outlive its page: when the window is made again, the next page takes it over with its run.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance
from PySide6.QtWidgets import QWidget

from tilelab.core.plain import Value
from tilelab.core.views import ViewKind
from tilelab.gui.run.messages import LoadContext, PuzzleRequest
from tilelab.gui.run.run_model import RunModel
from tilelab.gui.run.run_worker import Worker
from tilelab.gui.threads.task_runner import OwnThread
from tilelab.gui.widgets.notice_bar import NoticeBar
from tilelab.gui.widgets.settings import Settings
from tilelab.runs.actions import State
from tilelab.runs.checkpoints.autosave import state_bytes
from tilelab.runs.checkpoints.run_folder import RunFolder
from tilelab.runs.recipe import Recipe
from tilelab.runs.session import Checkpoint, Limits, Session

_MAX_COPIED_BYTES = 64 << 20
"""Size of the state of a run that is copied while the window waits."""
LOOK_MILLISECONDS = 500
"""How often it is looked whether saving works."""


class RunClient(QObject):
    """Owns thread and worker, and counts what the worker has been asked.

    News that was reported before the last question arrived says so by its ``n_answered``.
    """

    loaded = Signal(object)
    """As the worker's own; what it reports while no page listens waits in this thread's queue."""
    begun = Signal(object)
    opened = Signal(object)
    news = Signal(object)
    refused = Signal(str, str)
    saving_error_changed = Signal(str)
    copied = Signal(object)
    copy_failed = Signal(str)
    _call = Signal(object)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.n_asked = 0
        self.pace: float | None = None
        """How many steps a second the run makes; None: as many as it can."""
        self._n_runs_asked = self._n_copies_asked = 0
        self.worker = Worker(session)
        self._call.connect(self.worker.do)
        for reported, signal in self._answers():
            reported.connect(signal)
        self._thread = OwnThread("worker", self.worker, partial(self._call.emit, self.worker.stop))
        self._timer = QTimer(self, interval=LOOK_MILLISECONDS)
        self._timer.timeout.connect(self.worker.keeping.look)
        self._timer.start()

    def _answers(self) -> tuple[tuple[SignalInstance, SignalInstance], ...]:
        """Return each signal of the worker's thread, and the one that hands it on in this one."""
        worker = self.worker
        return (
            (worker.loaded, self.loaded),
            (worker.begun, self.begun),
            (worker.opened, self.opened),
            (worker.news, self.news),
            (worker.refused, self.refused),
            (worker.keeping.error_changed, self.saving_error_changed),
            (worker.copier.copied, self.copied),
            (worker.copier.failed, self.copy_failed),
        )

    def leave(self) -> None:
        """Let the page that listened hear nothing more; another one takes over."""
        for _, signal in self._answers():
            signal.disconnect()

    def load(self, request: PuzzleRequest, wish: LoadContext) -> None:
        """Ask for a puzzle; one that was asked for before and still waits in turn is left out."""
        self.worker.newest_wish = wish
        self._ask(partial(self.worker.load, request, wish))

    def drop(self) -> None:
        """Ask for the run to be given up."""
        self._ask(self.worker.drop)

    def go(self, make: Callable[[], Recipe], *, stands: bool = False) -> None:
        """Ask for a run; it waits in turn for what the worker is at.

        make: makes its recipe, in the worker's thread. stands: whether it pauses after its first
        step.
        """
        self._n_runs_asked += 1
        self._ask(partial(self.worker.go, make, self._n_runs_asked, stands=stands))

    def open(self, checkpoint: Checkpoint, folder: RunFolder | None = None) -> None:
        """Ask for a run to be taken over; folder: where it is kept, if it was interrupted."""
        self._ask(partial(self.worker.open, checkpoint, folder))

    def copy_out(self) -> int:
        """Ask for a copy of the run; ``worker.copier`` answers.

        Returns the request's number: a copy that answers a lower one is older than the request.
        """
        self._n_copies_asked += 1
        self._call.emit(partial(self.worker.copy_out, self._n_copies_asked))
        return self._n_copies_asked

    def snapshot(self) -> Checkpoint | None:
        """Copy a run out at once that stands still; None where there is none, or a large one."""
        session = self.worker.session
        if session.solver is None or session.state in (State.RUNNING, State.FAILED):
            return None
        return session.snapshot() if state_bytes(session) < _MAX_COPIED_BYTES else None

    def warm_up(self, make: Callable[[], Recipe]) -> None:
        """Ask for what a run will need to be compiled; make: makes its recipe."""
        self._ask(partial(self.worker.warm_up, make))

    def stop(self) -> None:
        """Ask for a pause; the runs that are still waiting in turn are called off."""
        self.worker.called_off = self._n_runs_asked
        self._ask(self.worker.stop)

    def resume(self) -> None:
        """Ask to go on."""
        self._ask(self.worker.resume)

    def step(self, most: int = 1) -> None:
        """Ask for so many steps at most, within the current unit."""
        self._ask(partial(self.worker.step, most))

    def set_pace(self, steps_a_second: float | None) -> None:
        """Make so many steps a second from now on; None: as many as can be."""
        self.pace = steps_a_second
        self._call.emit(partial(self.worker.set_pace, steps_a_second))

    def set_live(self, solver_key: str, name: str, value: Value) -> None:
        """Change a live parameter; a run of another solver stays as it is."""
        self._call.emit(partial(self.worker.set_live, solver_key, name, value))

    def watch(self, kinds: frozenset[ViewKind]) -> None:
        """Have these views reported with the news, of this run and of those that follow."""
        self._call.emit(partial(self.worker.watch, kinds))

    def views_shown(self, seconds: float) -> None:
        """Say how long it took to show the newest views."""
        self._call.emit(partial(self.worker.views_shown, seconds))

    def set_limits(self, limits: Limits) -> None:
        """Change when the run ends by itself."""
        self._call.emit(partial(self.worker.set_limits, limits))

    def close(self, *, keep: bool = False) -> bool:
        """Stop the worker after its slice; returns False when it did not end in time.

        keep: whether the run is offered at the next start.
        """
        self._timer.stop()
        self.worker.called_off = self._n_runs_asked
        ended = self._thread.end()
        self.worker.copier.close()
        if ended:
            self.worker.give_up()
            self.worker.keeping.end(keep=keep)
        return ended

    def _ask(self, question: Callable[[], None]) -> None:
        self.n_asked += 1
        self._call.emit(question)


@dataclass(eq=False)
class RunContext:
    """What the parts of a page share: its run and worker, its notices, settings and window."""

    run: RunModel
    client: RunClient
    """Another one as soon as the page takes over the run of another page."""
    notice: NoticeBar
    settings: Settings
    window: QWidget
    """What dialogs belong to."""
