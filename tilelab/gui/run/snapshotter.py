"""Copying a run out beside its worker, which goes on answering meanwhile."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal, Slot
from shiboken6 import isValid

from tilelab.core.errors import TileLabError
from tilelab.gui.run.messages import Copied
from tilelab.runs.session import SOLVER_ERRORS, Session

LAST_COPY_SECONDS = 0.3
"""How long a window that closes waits for a copy that nobody will write any more."""


class Copier(QObject):
    """Lives in the worker's thread; a copy itself is made in a plain thread of its own.

    The session holds still while it is copied: what would change it waits. Each
    :meth:`begin` is answered by ``copied`` or ``failed``; several at once share one copy.
    """

    copied = Signal(object)
    """Copied."""
    failed = Signal(str)
    """There is no copy; the sentence says why."""
    free = Signal()
    """The copy is done, and so is what has waited for it."""
    _done = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._session: Session | None = None
        self._answers = 0
        """The last request that the copy answers which is being made."""
        self._thread: threading.Thread | None = None
        self._waiting: list[Callable[[], None]] = []
        self._done.connect(self._finish, Qt.ConnectionType.QueuedConnection)

    def holds(self, session: Session) -> bool:
        """Return whether a session is being copied, and has to hold still."""
        return session is self._session

    def begin(self, session: Session, number: int = 0) -> None:
        """Copy a session, or let the copy that is being made be the answer.

        number: of the request; 0 for one that takes any copy of the session.
        """
        if self._session is None:
            self._session, self._answers = session, number
            # Not waited for at the program's end: what it copies would be lost all the same.
            self._thread = threading.Thread(
                target=self._copy, args=(session,), name="copy of a run", daemon=True
            )
            self._thread.start()
        elif self._waiting or not self.holds(session):
            # What waits will have changed the run by then, so that copy would be an old one.
            self.wait(partial(self.begin, session, number))
        else:
            self._answers = max(self._answers, number)

    def wait(self, done: Callable[[], None]) -> None:
        """Do something when the copy is done."""
        self._waiting.append(done)

    def join(self) -> None:
        """Wait a little for a copy; to be called when the worker's thread has ended."""
        if self._thread is not None:
            self._thread.join(LAST_COPY_SECONDS)

    def _copy(self, session: Session) -> None:
        began = time.perf_counter()
        reported: Copied | str
        try:
            reported = Copied(session.snapshot(), time.perf_counter() - began)
        except MemoryError:
            reported = "There is not enough memory for a copy of the run."
        except SOLVER_ERRORS as error:
            known = isinstance(error, TileLabError)
            reported = str(error) if known else f"{type(error).__name__}: {error}"
        # The window may be gone by now, and this object with it.
        if isValid(self):
            self._done.emit(reported)

    @Slot(object)
    def _finish(self, reported: Copied | str) -> None:
        self._session = None
        waiting, self._waiting = self._waiting, []
        if isinstance(reported, Copied):
            self.copied.emit(replace(reported, answers=self._answers))
        else:
            self.failed.emit(reported)
        for done in waiting:
            done()
        self.free.emit()
