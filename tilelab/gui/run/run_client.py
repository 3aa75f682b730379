"""The thread that the worker lives in, and the queued signals by which it is asked."""

from PySide6.QtCore import QObject, QTimer, Signal

from tilelab.gui.run.messages import PuzzleRequest, RunRequest, Wish
from tilelab.gui.run.run_worker import Worker
from tilelab.gui.threads.worker_thread import OwnThread
from tilelab.runs.checkpoints.run_folder import RunFolder
from tilelab.runs.session import Checkpoint, Limits, Session

LOOK_MILLISECONDS = 500
"""How often it is looked whether saving works."""


class RunClient(QObject):
    """Owns thread and worker, and counts what the worker has been asked.

    News that was reported before the last question arrived says so by its ``n_answered``.
    """

    _load = Signal(object, object)
    _drop = Signal()
    _go = Signal(object, int)
    _open = Signal(object, object)
    _copy = Signal(int)
    _warm_up = Signal(object)
    _stop = Signal()
    _resume = Signal()
    _live = Signal(str, str, object)
    _limits = Signal(object)
    _look = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.n_asked = 0
        self._n_runs_asked = self._n_copies_asked = 0
        self.worker = Worker(session)
        self._thread = OwnThread("worker", self.worker, self._stop.emit)
        self._load.connect(self.worker.load)
        self._drop.connect(self.worker.drop)
        self._go.connect(self.worker.go)
        self._open.connect(self.worker.open)
        self._copy.connect(self.worker.copy_out)
        self._warm_up.connect(self.worker.warm_up)
        self._stop.connect(self.worker.stop)
        self._resume.connect(self.worker.resume)
        self._live.connect(self.worker.set_live)
        self._limits.connect(self.worker.set_limits)
        self._look.connect(self.worker.keeping.look)
        self._timer = QTimer(self, interval=LOOK_MILLISECONDS)
        self._timer.timeout.connect(self._look)
        self._timer.start()
        self._thread.start()

    def load(self, request: PuzzleRequest, wish: Wish) -> None:
        """Ask for a puzzle; one that was asked for before and still waits in turn is left out."""
        self.n_asked += 1
        self.worker.newest_wish = wish
        self._load.emit(request, wish)

    def drop(self) -> None:
        """Ask for the run to be given up."""
        self.n_asked += 1
        self._drop.emit()

    def go(self, request: RunRequest) -> None:
        """Ask for a run; it waits in turn for what the worker is at."""
        self.n_asked += 1
        self._n_runs_asked += 1
        self._go.emit(request, self._n_runs_asked)

    def open(self, checkpoint: Checkpoint, folder: RunFolder | None = None) -> None:
        """Ask for a run to be taken over; folder: where it is kept, if it was interrupted."""
        self.n_asked += 1
        self._open.emit(checkpoint, folder)

    def copy_out(self) -> int:
        """Ask for a copy of the run; ``worker.copied`` or ``worker.copy_failed`` answers.

        Returns the request's number: a copy that answers a lower one is older than the request.
        """
        self._n_copies_asked += 1
        self._copy.emit(self._n_copies_asked)
        return self._n_copies_asked

    def warm_up(self, request: RunRequest) -> None:
        """Ask for what a run will need to be compiled."""
        self.n_asked += 1
        self._warm_up.emit(request)

    def stop(self) -> None:
        """Ask for a pause; the runs that are still waiting in turn are called off."""
        self.n_asked += 1
        self.worker.called_off = self._n_runs_asked
        self._stop.emit()

    def resume(self) -> None:
        """Ask to go on."""
        self.n_asked += 1
        self._resume.emit()

    def set_live(self, solver_key: str, name: str, value: object) -> None:
        """Change a live parameter; a run of another solver stays as it is."""
        self._live.emit(solver_key, name, value)

    def set_limits(self, limits: Limits) -> None:
        """Change when the run ends by itself."""
        self._limits.emit(limits)

    def close(self, *, keep: bool = False) -> bool:
        """Stop the worker after its slice; returns False when it did not end in time.

        keep: whether the run is offered at the next start.
        """
        self._timer.stop()
        self.worker.called_off = self._n_runs_asked
        ended = self._thread.end()
        self.worker.copier.join()
        if ended:
            self.worker.give_up()
            self.worker.keeping.end(keep=keep)
        return ended
