"""A thread that writes what it was given last, and tries again until that has worked."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from tilelab.core.errors import TileLabError, error_text, errors_as
from tilelab.core.text.language import tr

RETRY_SECONDS = (1.0, 2.0, 4.0, 8.0)
"""How long to wait after the first, second … failure in a row; the last one stays."""
_LONGEST = 200

T = TypeVar("T")


class LatestWriter(Generic[T]):
    """Writes in a thread of its own; whoever puts something never waits for it.

    write: what it raises when it fails, what a solver or puzzle makes of it included, becomes
    :attr:`error`. gather_seconds: how long to wait for
    something newer before it is written.
    """

    def __init__(
        self,
        name: str,
        write: Callable[[T], None],
        *,
        gather_seconds: float = 0.0,
        retry_seconds: Sequence[float] = RETRY_SECONDS,
    ) -> None:
        self._name, self._write = name, write
        self._gather_seconds, self._retry_seconds = gather_seconds, retry_seconds
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._waiting: T | None = None
        self._is_writing = self._is_ended = self._flushes = False
        self._n_errors = 0
        self._error = ""
        self._spent_seconds = 0.0

    @property
    def error(self) -> str:
        """Why writing fails now, in a sentence; '' when it does not."""
        with self._changed:
            return self._error

    @property
    def spent_seconds(self) -> float:
        """Time of the processor that writing has taken by now, vain tries included."""
        with self._changed:
            return self._spent_seconds

    @property
    def is_busy(self) -> bool:
        """Whether something waits for its first try, or is being written."""
        with self._changed:
            return self._is_writing or (self._waiting is not None and not self._n_errors)

    def put(self, thing: T) -> None:
        """Have something written; it takes the place of what has not been begun."""
        with self._changed:
            if self._is_ended:
                return
            self._waiting = thing
            if self._thread is None:
                # It must not hold the program's end up when a disk no longer answers.
                self._thread = threading.Thread(target=self._loop, name=self._name, daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def wait(self, timeout_seconds: float) -> bool:
        """Wait until everything is written; False when it is not by then, or writing fails."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._n_errors or (self._waiting is None and not self._is_writing),
                timeout_seconds,
            )
            return self._waiting is None and not self._is_writing

    def end(self, *, flush: bool, timeout_seconds: float) -> bool:
        """Take nothing more; returns whether the thread has ended by then.

        flush: whether what waits is written, with one more try; otherwise it is dropped.
        """
        with self._changed:
            self._is_ended, self._flushes = True, flush
            self._changed.notify_all()
            thread = self._thread
        if thread is None:
            return True
        thread.join(timeout_seconds)
        return not thread.is_alive()

    def _loop(self) -> None:
        while (thing := self._next()) is not None:
            began, error = time.thread_time(), ""
            try:
                with errors_as(_reported):
                    self._write(thing)
            except TileLabError as raised:
                error = str(raised)
            self._note(thing, time.thread_time() - began, error)

    def _next(self) -> T | None:
        """Wait for something to write; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting is not None or self._is_ended)
            pause = self._gather_seconds
            if self._n_errors:
                pause = self._retry_seconds[min(self._n_errors, len(self._retry_seconds)) - 1]
            self._changed.wait_for(lambda: self._is_ended, pause)
            thing, self._waiting = self._waiting, None
            if self._is_ended and not self._flushes:
                thing = None
            self._is_writing = thing is not None
            self._changed.notify_all()
            return thing

    def _note(self, thing: T, seconds: float, error: str) -> None:
        with self._changed:
            self._is_writing, self._error = False, error
            self._spent_seconds += seconds
            self._n_errors = self._n_errors + 1 if error else 0
            if error and self._waiting is None and not self._is_ended:
                self._waiting = thing
            self._changed.notify_all()


def _reported(error: Exception) -> TileLabError:
    """Say why in a sentence: whatever it is, the thread goes on and tries again."""
    if isinstance(error, TileLabError):
        return error
    if isinstance(error, OSError):
        where = (
            tr("{filename} cannot be written").format(filename=error.filename)
            if error.filename
            else tr("it cannot be written")
        )
        return TileLabError(f"{where}: {error.strerror or error}")
    if isinstance(error, MemoryError):
        return TileLabError(tr("it cannot be written: {value}").format(value=error_text(error)))
    # Of a validation, which says of each field in lines of its own, the beginning.
    text = " ".join(str(error).split())[:_LONGEST]
    return TileLabError(
        tr("it cannot be written: {value}").format(value=text or type(error).__name__)
    )
