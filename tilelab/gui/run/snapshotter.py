"""Copying a run out beside its worker, which goes on answering meanwhile."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from tilelab.core.errors import RunError
from tilelab.core.text.language import tr
from tilelab.gui.run.messages import Copied
from tilelab.gui.threads.task_runner import Background
from tilelab.runs.session import Session

LAST_COPY_SECONDS = 0.3
"""How long a window that closes waits for a copy that nobody will write any more."""


class Copier(QObject):
    """Lives in the worker's thread; a copy itself is made in one of the pool.

    The session holds still while it is copied: what would change it waits. Each
    :meth:`begin` is answered by ``copied`` or ``failed``; several at once share one copy.
    """

    copied = Signal(object)
    """Copied."""
    failed = Signal(str)
    """There is no copy; the sentence says why."""
    free = Signal()
    """The copy is done, and so is what has waited for it."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._session: Session | None = None
        self._answers = 0
        """The last request that the copy answers which is being made."""
        self._waiting: list[Callable[[], None]] = []
        self._background = Background(self)
        self._background.reported.connect(self._done)
        self._background.failed.connect(self._failed)

    def holds(self, session: Session) -> bool:
        """Return whether a session is being copied, and has to hold still."""
        return session is self._session

    def begin(self, session: Session, number: int = 0) -> None:
        """Copy a session, or let the copy that is being made be the answer.

        number: of the request; 0 for one that takes any copy of the session.
        """
        if self._session is None:
            self._session, self._answers = session, number
            self._background.start(_copying(session))
        elif self._waiting or not self.holds(session):
            # What waits will have changed the run by then, so that copy would be an old one.
            self.wait(partial(self.begin, session, number))
        else:
            self._answers = max(self._answers, number)

    def wait(self, done: Callable[[], None]) -> None:
        """Do something when the copy is done."""
        self._waiting.append(done)

    def close(self) -> None:
        """Wait a little for a copy; to be called when the worker's thread has ended."""
        self._background.close(LAST_COPY_SECONDS)

    @Slot(object)
    def _done(self, copied: Copied) -> None:
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


def _copying(session: Session) -> Iterator[Copied]:
    began = time.perf_counter()
    try:
        checkpoint = session.snapshot()
    except MemoryError as error:
        raise RunError(tr("There is not enough memory for a copy of the run.")) from error
    yield Copied(checkpoint, time.perf_counter() - began)
