"""Write a run to disk while it is going, so that no end of the program loses it.

Saving never holds the run up: what is copied out between two slices is written by other threads.
When that fails, the run continues.
"""

import contextlib
import math
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from tilelab.core.errors import (
    SOLVER_ERRORS,
    RunFileError,
    SolverError,
    TileLabError,
    error_text,
    errors_as,
    system_errors_as,
)
from tilelab.core.memory import free_bytes
from tilelab.core.text.language import figures, marked, tr
from tilelab.runs.actions import State
from tilelab.runs.bests import Found
from tilelab.runs.checkpoints.run_folder import (
    KeptBest,
    RunFolder,
    folder_name,
    read_best,
    runs_folder,
    write_best,
)
from tilelab.runs.files.atomic import OWNER_FILE
from tilelab.runs.files.store import write_run
from tilelab.runs.history.record import record_of
from tilelab.runs.session import Checkpoint, Session

GATHER_SECONDS = 0.2  # time within which bests that follow each other are written once
END_SECONDS = 10.0  # longest time that the end waits for what is being written
_SPARE_BYTES = 64 << 20  # memory that a copy leaves free
PERIOD_SECONDS = 10.0  # largest age of the newest checkpoint on disk, where saving is cheap
SHARE = 0.05  # largest share of a run's time that saving may take
FIRST_SECONDS = 0.1  # running time before which nothing is written: so short a run can be repeated
# Time to wait after the first, second … failure in a row; the last one is used from then on.
RETRY_SECONDS = (1.0, 2.0, 4.0, 8.0)
_LONGEST = 200
T = TypeVar("T")


class SavingPlan:
    """Learns what saving costs, in the run's own seconds; begun: when saving begins."""

    def __init__(
        self, begun: float, *, is_saved: bool = False, period_seconds: float = PERIOD_SECONDS
    ) -> None:
        self._begun, self._period_seconds = begun, period_seconds
        self._last = begun if is_saved else -math.inf
        self._cost = self._wall = self.spent_seconds = 0.0
        self._n_bytes = 0
        self._is_hurried = False

    def wants(self, seconds: float, n_bytes: int = 0) -> bool:
        """Return whether a checkpoint is due within its share of time; n_bytes: 0 if unknown."""
        since = seconds - self._last
        if seconds - self._begun < min(FIRST_SECONDS, self._period_seconds):
            return False
        if since < (self._period_seconds / 10 if self._is_hurried else self._patience):
            return False
        cost = self._cost
        if n_bytes > self._n_bytes > 0:
            cost *= n_bytes / self._n_bytes
        is_cheap_so_far = self.spent_seconds + cost <= SHARE * (seconds - self._begun)
        return not cost or (cost <= SHARE * since and is_cheap_so_far)

    @property
    def _patience(self) -> float:
        """Time between two copies: the period without the time that writing takes."""
        return 0.9 * self._period_seconds - min(self._wall, self._period_seconds / 2)

    def save_soon(self) -> None:
        self._is_hurried = True

    def lose(self) -> None:
        self._last = -math.inf

    def note_copy(self, seconds: float, copy_seconds: float, n_bytes: int) -> None:
        self._last, self._n_bytes = seconds, n_bytes
        self._cost, self._is_hurried = copy_seconds, False
        self.spent_seconds += copy_seconds

    def note_write(self, spent_seconds: float, wall_seconds: float) -> None:
        self._cost += spent_seconds
        self._wall = wall_seconds
        self.spent_seconds += spent_seconds


class LatestWriter(Generic[T]):
    """Writes in a thread of its own; the caller of :meth:`put` never waits for it.

    write: writes one thing; its errors become :attr:`error`. gather_seconds: wait for newer ones.
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

    @property
    def error(self) -> str:
        """Why writing currently fails, in a sentence; '' when it does not."""
        with self._changed:
            return self._error

    @property
    def is_busy(self) -> bool:
        """Whether something waits for its first attempt, or is being written."""
        with self._changed:
            return self._is_writing or (self._waiting is not None and not self._n_errors)

    def put(self, thing: T) -> None:
        """Have something written; it replaces what has not been started."""
        with self._changed:
            if self._is_ended:
                return
            self._waiting = thing
            if self._thread is None:
                # It must not delay the program's end when a disk no longer answers.
                self._thread = threading.Thread(target=self._loop, name=self._name, daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def wait(self, timeout_seconds: float) -> bool:
        """Wait until everything is written; return False on a timeout or when writing fails."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._n_errors or (self._waiting is None and not self._is_writing),
                timeout_seconds,
            )
            return self._waiting is None and not self._is_writing

    def end(self, *, flush: bool, timeout_seconds: float) -> bool:
        """Accept nothing more; return whether the thread ended. flush: write what waits."""
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
            error = ""
            try:
                with errors_as(_describe_error):
                    self._write(thing)
            except TileLabError as raised:
                error = str(raised)
            self._note(thing, error)

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

    def _note(self, thing: T, error: str) -> None:
        with self._changed:
            self._is_writing, self._error = False, error
            self._n_errors = self._n_errors + 1 if error else 0
            if error and self._waiting is None and not self._is_ended:
                self._waiting = thing
            self._changed.notify_all()


def _describe_error(error: Exception) -> TileLabError:
    """Return the error as a sentence; whatever it is, the thread tries again."""
    if isinstance(error, TileLabError):
        return error
    if isinstance(error, OSError):
        where = tr("it cannot be written")
        if error.filename:
            where = tr("{filename} cannot be written", filename=error.filename)
        return TileLabError(f"{where}: {error.strerror or error}")
    if isinstance(error, MemoryError):
        return TileLabError.tr("it cannot be written: {reason}", reason=error_text(error))
    # A validation error lists each field on lines of its own: only its beginning is kept.
    text = " ".join(str(error).split())[:_LONGEST]
    return TileLabError.tr("it cannot be written: {reason}", reason=text or type(error).__name__)


class Autosave:
    """Keeps the run of a session in a folder; one for each run, begun or resumed.

    folder: of an interrupted run, or a new one. Methods that take a session belong to its thread.
    """

    def __init__(
        self,
        session: Session,
        folder: RunFolder | None = None,
        *,
        period_seconds: float = PERIOD_SECONDS,
        retry_seconds: Sequence[float] = RETRY_SECONDS,
    ) -> None:
        self._recipe, self._spec, self._key = session.recipe, session.spec, session.key
        puzzle_key = self._recipe.puzzle.spec.key
        name = folder_name(puzzle_key, self._spec.key, self._recipe.seed, self._key)
        self._folder = RunFolder(runs_folder() / name) if folder is None else folder
        self._plan = SavingPlan(
            session.seconds, is_saved=folder is not None, period_seconds=period_seconds
        )
        self._mutex = threading.Lock()
        self._noted: Found | None = None
        self._on_disk: KeptBest | None = None
        self._newest: _Reported | None = None
        self._copy_error = ""
        self._bests = LatestWriter[_Reported](
            "best-writer",
            self._put_best,
            gather_seconds=min(GATHER_SECONDS, period_seconds),
            retry_seconds=retry_seconds,
        )
        self._checkpoints = LatestWriter[Checkpoint](
            "checkpoint-writer", self._put_checkpoint, retry_seconds=retry_seconds
        )
        if folder is not None:
            folder.sweep()
            self._noted = session.bests.newest

    @property
    def folder(self) -> Path:
        return self._folder.path

    @property
    def error(self) -> str:
        """Why saving currently fails, in a sentence; '' while it works."""
        return self._checkpoints.error or self._bests.error or self._copy_error

    def follow(self, session: Session) -> None:
        """Note a new best and copy the run out where that is due; call it between two slices."""
        self.note(session)
        if self.wants_checkpoint(session.seconds, state_bytes(session)):
            self.checkpoint(session)

    def note(self, session: Session) -> None:
        """Have a best written soon if it is new since the last call."""
        newest = session.bests.newest
        if newest is not None and newest is not self._noted:
            self.note_best(newest, session.units, session.seconds)

    def note_best(self, found: Found, units: int, seconds: float) -> None:
        """Have a new best written soon. units, seconds: current ones of the run."""
        self._noted = found
        self._newest = _Reported(found, units, seconds)
        self._bests.put(self._newest)

    def wants_checkpoint(self, seconds: float, n_bytes: int = 0) -> bool:
        """Return whether the run should be copied out now; n_bytes: 0 if unknown."""
        with self._mutex:
            return self._plan.wants(seconds, n_bytes) and not self._checkpoints.is_busy

    def save_soon(self) -> None:
        """Request a checkpoint within a second, because a live parameter was changed."""
        with self._mutex:
            self._plan.save_soon()

    def checkpoint(self, session: Session) -> bool:
        """Copy a run out that pauses or has ended; False on failure, see :attr:`error`."""
        if not self.can_copy(session):
            return False
        began = time.perf_counter()
        try:
            copy = session.snapshot()
        except SOLVER_ERRORS as error:
            reported = isinstance(error, TileLabError) and not isinstance(error, SolverError)
            self.note_error(
                str(error) if reported else tr("the run cannot be copied: {error}", error=error),
                session,
            )
            return False
        self.take(copy, time.perf_counter() - began)
        return True

    def can_copy(self, session: Session) -> bool:
        """Return whether there are a run and memory for a copy; if not, set :attr:`error`."""
        if session.state in (State.EMPTY, State.READY, State.FAILED):
            return False
        n_bytes, free = state_bytes(session), free_bytes()
        if n_bytes + _SPARE_BYTES > free and n_bytes > _SPARE_BYTES:
            self.note_error(
                tr(
                    "a copy of the run needs {needed} MB of memory; {free} MB are free",
                    needed=figures(n_bytes >> 20, ","),
                    free=figures(free >> 20, ","),
                ),
                session,
            )
            return False
        return True

    def note_error(self, error: str, session: Session) -> None:
        """Note that a session could not be copied out; error: the reason, in a sentence."""
        self._copy_error = error
        with self._mutex:
            self._plan.note_copy(session.seconds, 0.0, state_bytes(session))

    def take(self, checkpoint: Checkpoint, copy_seconds: float) -> None:
        """Have a checkpoint written; copy_seconds: time that copying it out has taken."""
        self._copy_error = ""
        n_bytes = sum(array.nbytes for array in checkpoint.snapshot.arrays.values())
        with self._mutex:
            self._plan.note_copy(checkpoint.seconds, copy_seconds, n_bytes)
        self._checkpoints.put(checkpoint)

    def wait(self, timeout_seconds: float = END_SECONDS) -> bool:
        """Wait until all is on disk; return False on a timeout or when it cannot be written."""
        return self._checkpoints.wait(timeout_seconds) and self._bests.wait(timeout_seconds)

    def end(self, *, keep: bool, timeout_seconds: float = END_SECONDS) -> bool:
        """Stop saving, release the folder; return whether all was done. keep: else delete it."""
        until = time.monotonic() + timeout_seconds
        done = True
        # In this order: a checkpoint may find that the best has to be written again.
        for writer in (self._checkpoints, self._bests):
            left = max(until - time.monotonic(), 0.0)
            done &= writer.end(flush=keep, timeout_seconds=left)
        try:
            if keep:
                self._folder.release()
            else:
                self._folder.remove()
        except OSError:
            return False
        return done and not (keep and self.error)

    def _kept_best(self, reported: "_Reported") -> KeptBest:
        """Prepare what is written, in the writer's thread, so that an error in it delays no run."""
        record = record_of(
            self._recipe,
            self._spec,
            best=reported.found.best,
            origin={},  # no key is kept with a best, and computing one may fail
            units=reported.units,
            seconds=reported.seconds,
            best_seconds=reported.found.seconds,
            key=self._key,
            status="",
            begun="",
            ended="",
        )
        return KeptBest.of(record)

    def _hold(self) -> bool:
        """Ensure that the folder exists; return whether it was created."""
        text = marked("{path} cannot be made: {reason}")
        with system_errors_as(RunFileError, text, path=self._folder.path):
            was_made = self._folder.hold()
        if was_made:
            with self._mutex:
                self._on_disk = None
        return was_made

    def _put_best(self, reported: "_Reported") -> None:
        saved = self._kept_best(reported)
        if self._hold() and not self._checkpoints.is_busy:
            with self._mutex:
                self._plan.lose()
        if self._on_disk is None:
            with contextlib.suppress(RunFileError):
                self._on_disk = read_best(self._folder.best_file)
        # A run that continues from some seconds before its end finds its last bests again.
        if self._on_disk is None or saved.is_better_than(self._on_disk):
            write_best(self._folder.best_file, saved)
            self._on_disk = saved

    def _put_checkpoint(self, checkpoint: Checkpoint) -> None:
        wall, spent = time.perf_counter(), time.thread_time()
        if self._hold() and self._newest is not None:
            self._bests.put(self._newest)
        write_run(self._folder.run_file, checkpoint, mode=OWNER_FILE)
        self._folder.keep_as_earlier(checkpoint.units)
        with self._mutex:
            self._plan.note_write(time.thread_time() - spent, time.perf_counter() - wall)


class _Reported(NamedTuple):
    found: Found
    units: int
    seconds: float


def state_bytes(session: Session) -> int:
    """Return how much memory a copy of a run takes, or 0 where that is little."""
    return 0 if session.solver is None else int(session.solver.state_bytes)
