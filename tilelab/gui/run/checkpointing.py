"""Keeping the run of a worker on disk while it is going, so that a crash cannot lose it."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from tilelab.core.errors import RunError
from tilelab.gui.run.messages import RunCopied
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.runs.actions import State
from tilelab.runs.checkpoints.autosave import Autosave, state_bytes
from tilelab.runs.checkpoints.run_folder import RunFolder, earlier_checkpoints, earlier_file
from tilelab.runs.files.store import read_run
from tilelab.runs.session import Checkpoint, Session

LAST_SECONDS = 1.0
"""Seconds that a closing window waits for a write. An older state on disk leads to the same result.
"""
_LARGE_BYTES = 64 << 20
"""Size of a state that is not copied after each step, nor while the window closes. Such a run
continues from its newest checkpoint, which may be minutes old.
"""
LAST_COPY_SECONDS = 0.3  # seconds that a closing window waits for a copy that will not be written


class RunCopier(QObject):
    """Copies the run; it lives in the worker's thread, but copies in a thread of the pool.

    The session is paused during the copy: changes wait. Each :meth:`begin` is answered by
    ``copied`` or ``failed``; simultaneous requests share one copy.
    """

    copied = Signal(object)  # emitted with RunCopied
    failed = Signal(str)  # emitted with the reason when there is no copy
    free = Signal()  # emitted when the copy and the changes that waited for it are done

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._session: Session | None = None
        self._answers = 0  # number of the last request that the current copy answers
        self._waiting: list[Callable[[], None]] = []
        self._background = TaskRunner(self, self._done, failed=self._failed)

    def holds(self, session: Session) -> bool:
        """Return whether a session is being copied and must not change."""
        return session is self._session

    def begin(self, session: Session, number: int = 0) -> None:
        """Copy a session, or answer with the current copy.

        number: number of the request; 0 if any copy of the session will do.
        """
        if self._session is None:
            self._session, self._answers = session, number
            self._background.start(_copying(session))
        elif self._waiting or not self.holds(session):
            # Waiting changes would make that copy out of date.
            self.wait(partial(self.begin, session, number))
        else:
            self._answers = max(self._answers, number)

    def wait(self, done: Callable[[], None]) -> None:
        """Call a function when the copy is done."""
        self._waiting.append(done)

    def close(self) -> None:
        """Wait a little for a copy; call it when the worker's thread has ended."""
        self._background.close(LAST_COPY_SECONDS)

    @Slot(object)
    def _done(self, copied: RunCopied) -> None:
        self._session = None
        self.copied.emit(replace(copied, answers=self._answers))
        self._let_go()

    @Slot(str)
    def _failed(self, text: str) -> None:
        self._session = None
        self.failed.emit(text)
        self._let_go()

    def _let_go(self) -> None:
        waiting, self._waiting = self._waiting, []
        for done in waiting:
            done()
        self.free.emit()


def _copying(session: Session) -> Iterator[RunCopied]:
    began = time.perf_counter()
    try:
        checkpoint = session.snapshot()
    except MemoryError as error:
        raise RunError.tr("There is not enough memory for a copy of the run.") from error
    yield RunCopied(checkpoint, time.perf_counter() - began)


class RunCheckpointing(QObject):
    """Keeps the run on disk; it lives in the worker's thread but never waits for the disk."""

    error_changed = Signal(str)
    """Emitted with the reason why saving fails, or '' when it works again."""

    def __init__(self, copier: RunCopier, parent: QObject) -> None:
        super().__init__(parent)
        self._copier = copier
        self._session: Session | None = None
        self.autosave: Autosave | None = None  # autosave of the current run
        self._reported = ""
        self._ending: list[threading.Thread] = []
        copier.copied.connect(self._take)
        copier.failed.connect(self._note_error)

    def units(self) -> list[int]:
        """Return the units of the kept checkpoints, ascending; callable from any thread."""
        autosave = self.autosave
        kept = [] if autosave is None else earlier_checkpoints(autosave.folder)
        return [units for units, _ in kept]

    def read(self, units: int) -> Checkpoint:
        """Read and verify a kept checkpoint, in any thread; raises RunError or RunFileError."""
        autosave = self.autosave
        if autosave is None:
            raise RunError.tr("the run of this checkpoint no longer exists")
        return read_run(earlier_file(autosave.folder, units))

    def begin(self, session: Session, folder: RunFolder | None = None) -> None:
        """Keep a run from now on; the previous one is discarded.

        folder: where the run is already kept, if it continues from there.
        """
        self.discard()
        self._session, self.autosave = session, Autosave(session, folder)

    def follow(self) -> None:
        """Keep a new best, and copy the run if that is due; called between two slices."""
        session, autosave = self._session, self.autosave
        if session is None or autosave is None or self._copier.holds(session):
            return
        autosave.note(session)
        is_due = autosave.wants_checkpoint(session.seconds, state_bytes(session))
        if is_due and autosave.can_copy(session):
            self._copier.begin(session)

    def settle(self) -> None:
        """Keep the state of a run that was paused or has ended."""
        session, autosave = self._session, self.autosave
        if session is not None and autosave is not None:
            autosave.note(session)
            if autosave.can_copy(session):
                self._copier.begin(session)

    def follow_step(self) -> None:
        """Keep the state of a run after a single step, if that is cheap."""
        session = self._session
        if session is not None:
            is_over = session.state is State.FINISHED
            is_cheap = is_over or state_bytes(session) < _LARGE_BYTES
            (self.settle if is_cheap else self.follow)()

    def save_soon(self) -> None:
        """Keep the run soon, because a live parameter was changed."""
        if self.autosave is not None:
            self.autosave.save_soon()

    def discard(self) -> None:
        """Delete what is kept of the run; returns at once."""
        autosave, self.autosave, self._session = self.autosave, None, None
        self._report("")
        if autosave is not None:
            # It may be writing, and another thread waits for it. Not a thread of the
            # pool, which may be ended at any time: Python waits for this one.
            thread = threading.Thread(target=autosave.end, kwargs={"keep": False})
            self._ending = [other for other in self._ending if other.is_alive()] + [thread]
            thread.start()

    def end(self, *, keep: bool) -> None:
        """End with the window; call this when the worker's thread has ended."""
        session, autosave = self._session, self.autosave
        self.autosave = self._session = None
        if autosave is not None and session is not None:
            if keep and state_bytes(session) < _LARGE_BYTES:
                autosave.checkpoint(session)
            autosave.end(keep=keep, timeout_seconds=LAST_SECONDS)
        for thread in self._ending:
            thread.join(LAST_SECONDS)

    @Slot()
    def look(self) -> None:
        """Report whether saving works, and retry what could not be saved; called regularly."""
        session, autosave = self._session, self.autosave
        if session is None or autosave is None:
            return
        if session.state is not State.RUNNING:
            self.follow()
        self._report(autosave.error)

    @Slot(object)
    def _take(self, copied: RunCopied) -> None:
        session, autosave = self._session, self.autosave
        if session is None or autosave is None or copied.checkpoint.key != session.key:
            return
        autosave.take(copied.checkpoint, copied.seconds)

    @Slot(str)
    def _note_error(self, error: str) -> None:
        if self._session is not None and self.autosave is not None:
            self.autosave.note_error(error, self._session)

    def _report(self, error: str) -> None:
        if error != self._reported:
            self._reported = error
            self.error_changed.emit(error)
