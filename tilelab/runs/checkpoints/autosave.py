"""A run is written to disk while it is going, so that no end of the program loses it.

Nothing here holds the run up: what is copied out between two slices is written by other threads,
and when that fails the run goes on.
"""

import math
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tilelab.core.errors import SOLVER_ERRORS, RunFileError, SolverError, TileLabError
from tilelab.core.memory import free_bytes
from tilelab.core.text.language import figures, tr
from tilelab.runs.actions import State
from tilelab.runs.bests import Found
from tilelab.runs.checkpoints.latest_writer import RETRY_SECONDS, LatestWriter
from tilelab.runs.checkpoints.run_folder import RunFolder, name_of, runs_folder
from tilelab.runs.checkpoints.saved_best import KeptBest, read_best, write_best
from tilelab.runs.files.atomic import OWNER_FILE
from tilelab.runs.files.store import write_run
from tilelab.runs.history.record import record_of
from tilelab.runs.session import Checkpoint, Session

GATHER_SECONDS = 0.2
"""Bests that follow each other within this time are written once."""
END_SECONDS = 10.0
"""How long the end waits for what is being written."""
_SPARE_BYTES = 64 << 20
"""Memory that a copy leaves free."""
PERIOD_SECONDS = 10.0
"""How old the newest checkpoint on disk may be, where saving is cheap."""
SHARE = 0.05
"""How much of a run's time may go into saving."""
FIRST_SECONDS = 0.1
"""Before that nothing is written: what is over so soon can as well be done again."""


class SavingPlan:
    """Learns what saving costs. All times are the run's own, pauses left out.

    begun: the run's seconds when saving begins. is_saved: whether that state is on disk already.
    """

    def __init__(
        self, begun: float, *, is_saved: bool = False, period_seconds: float = PERIOD_SECONDS
    ) -> None:
        self._begun, self._period_seconds = begun, period_seconds
        self._last = begun if is_saved else -math.inf
        self._cost = self._wall = self._spent = 0.0
        self._n_bytes = 0
        self._is_hurried = False

    @property
    def spent_seconds(self) -> float:
        """All that saving has cost by now."""
        return self._spent

    def wants(self, seconds: float, n_bytes: int = 0) -> bool:
        """Return whether a checkpoint is due; n_bytes: of the state, or 0 where nobody knows.

        Later than after the period when this one, or all by then, would take more than the share.
        """
        since = seconds - self._last
        if seconds - self._begun < min(FIRST_SECONDS, self._period_seconds):
            return False
        if since < (self._period_seconds / 10 if self._is_hurried else self._patience):
            return False
        cost = self._cost
        if n_bytes > self._n_bytes > 0:
            cost *= n_bytes / self._n_bytes
        is_cheap_by_now = self._spent + cost <= SHARE * (seconds - self._begun)
        return not cost or (cost <= SHARE * since and is_cheap_by_now)

    @property
    def _patience(self) -> float:
        """Writing takes a while, too, in which the checkpoint before is still the newest."""
        return 0.9 * self._period_seconds - min(self._wall, self._period_seconds / 2)

    def hurry(self) -> None:
        """Learn that something was done to the run that no other run would do."""
        self._is_hurried = True

    def lose(self) -> None:
        """Learn that what was on disk is gone."""
        self._last = -math.inf

    def note_copy(self, seconds: float, copy_seconds: float, n_bytes: int) -> None:
        """Learn that a state of so many bytes was copied out at ``seconds``."""
        self._last, self._n_bytes = seconds, n_bytes
        self._cost, self._is_hurried = copy_seconds, False
        self._spent += copy_seconds

    def note_write(self, spent_seconds: float, wall_seconds: float) -> None:
        """Learn what writing it has cost, and how long it took."""
        self._cost += spent_seconds
        self._wall = wall_seconds
        self._spent += spent_seconds


class Autosave:
    """Keeps the run of a session in a folder; one for each run, begun or resumed.

    folder: that of the run where it goes on with an interrupted one, otherwise a new one is made.
    Any thread may call it; what takes a session belongs to the session's thread.
    """

    def __init__(
        self,
        session: Session,
        folder: RunFolder | None = None,
        *,
        period_seconds: float = PERIOD_SECONDS,
        retry_seconds: Sequence[float] = RETRY_SECONDS,
    ) -> None:
        self._puzzle, self._spec = session.puzzle, session.spec
        self._seed, self._key = session.seed, session.key
        name = name_of(self._puzzle.spec.key, self._spec.key, self._seed, self._key)
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
        """Where the run is kept."""
        return self._folder.path

    @property
    def error(self) -> str:
        """Why saving fails now, in a sentence; '' while it works."""
        return self._checkpoints.error or self._bests.error or self._copy_error

    def measured(self) -> float:
        """Return the seconds that saving has taken by now: copies and the processor's time."""
        return self._plan.spent_seconds + self._bests.spent_seconds

    def follow(self, session: Session) -> None:
        """Note a new best and copy the run out where that is due; between two slices."""
        self.note(session)
        if self.wants_checkpoint(session.seconds, state_bytes(session)):
            self.checkpoint(session)

    def note(self, session: Session) -> None:
        """Have a best written soon that is new since the last call."""
        newest = session.bests.newest
        if newest is not None and newest is not self._noted:
            self.note_best(newest, session.units, session.seconds)

    def note_best(self, found: Found, units: int, seconds: float) -> None:
        """Have a new best written soon. units, seconds: of the run by now."""
        self._noted = found
        self._newest = _Reported(found, units, seconds)
        self._bests.put(self._newest)

    def wants_checkpoint(self, seconds: float, n_bytes: int = 0) -> bool:
        """Return whether the run should be copied out now.

        seconds: the run's, by now. n_bytes: how much the copy takes, or 0 where nobody knows.
        """
        with self._mutex:
            return self._plan.wants(seconds, n_bytes) and not self._checkpoints.is_busy

    def hurry(self) -> None:
        """Want a checkpoint within a second: somebody has changed a live parameter."""
        with self._mutex:
            self._plan.hurry()

    def checkpoint(self, session: Session) -> bool:
        """Copy the run out, due or not; False when that is not possible, and :attr:`error` why.

        For the moment when a run pauses or has ended.
        """
        if not self.can_copy(session):
            return False
        began = time.perf_counter()
        try:
            copy = session.snapshot()
        except SOLVER_ERRORS as error:
            reported = isinstance(error, TileLabError) and not isinstance(error, SolverError)
            self.note_error(
                str(error)
                if reported
                else tr("the run cannot be copied: {error}").format(error=error),
                session,
            )
            return False
        self.take(copy, time.perf_counter() - began)
        return True

    def can_copy(self, session: Session) -> bool:
        """Return whether there is a run, and memory for a copy; :attr:`error` says if there is
        none.

        For who copies the run out by other means, and then calls :meth:`take`.
        """
        if session.state in (State.EMPTY, State.READY, State.FAILED):
            return False
        n_bytes, free = state_bytes(session), free_bytes()
        if n_bytes + _SPARE_BYTES > free and n_bytes > _SPARE_BYTES:
            self.note_error(
                tr("a copy of the run takes {taken} MB of memory; {free} MB are free").format(
                    taken=figures(n_bytes >> 20, ","), free=figures(free >> 20, ",")
                ),
                session,
            )
            return False
        return True

    def note_error(self, error: str, session: Session) -> None:
        """A session could not be copied out; error: why, in a sentence."""
        self._copy_error = error
        with self._mutex:
            self._plan.note_copy(session.seconds, 0.0, state_bytes(session))

    def take(self, checkpoint: Checkpoint, copy_seconds: float) -> None:
        """Have a checkpoint written; copy_seconds: what copying it out has taken."""
        self._copy_error = ""
        n_bytes = sum(array.nbytes for array in checkpoint.snapshot.arrays.values())
        with self._mutex:
            self._plan.note_copy(checkpoint.seconds, copy_seconds, n_bytes)
        self._checkpoints.put(checkpoint)

    def wait(self, timeout_seconds: float = END_SECONDS) -> bool:
        """Wait until all is on disk; False when it is not by then, or cannot be written."""
        return self._checkpoints.wait(timeout_seconds) and self._bests.wait(timeout_seconds)

    def end(self, *, keep: bool, timeout_seconds: float = END_SECONDS) -> bool:
        """Stop saving and let go of the folder; returns whether all that was wanted was done.

        keep: whether what waits is written and the run offered later; otherwise it is deleted.
        """
        until = time.monotonic() + timeout_seconds
        done = True
        # In this order, since a checkpoint may find that the best has to be written again.
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

    def _saved(self, reported: "_Reported") -> KeptBest:
        """Make what is written, in the writer's thread: an error in it holds no run up."""
        record = record_of(
            self._puzzle,
            self._spec,
            {},
            best=reported.found.best,
            origin={},  # none is kept with a best, and asking for it may fail
            units=reported.units,
            seconds=reported.seconds,
            best_seconds=reported.found.seconds,
            key=self._key,
            seed=self._seed,
            status="",
            begun="",
            ended="",
        )
        return KeptBest.of(record)

    def _hold(self) -> bool:
        """See to it that the folder is there; returns whether it had to be made."""
        try:
            was_made = self._folder.hold()
        except OSError as error:
            reason = error.strerror or error
            raise RunFileError(
                tr("{path} cannot be made: {reason}").format(path=self._folder.path, reason=reason)
            ) from error
        if was_made:
            with self._mutex:
                self._on_disk = None
        return was_made

    def _put_best(self, reported: "_Reported") -> None:
        saved = self._saved(reported)
        if self._hold() and not self._checkpoints.is_busy:
            with self._mutex:
                self._plan.lose()
        if self._on_disk is None:
            self._on_disk = _best_on_disk(self._folder.best_file)
        # A run that goes on from some seconds before its end meets its last bests once more.
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
    """A best, and units and seconds of its run when it was reported."""

    found: Found
    units: int
    seconds: float


def state_bytes(session: Session) -> int:
    """Return how much memory a copy of a run takes, or 0 where that is little."""
    return 0 if session.solver is None else int(session.solver.state_bytes)


def _best_on_disk(path: Path) -> KeptBest | None:
    try:
        return read_best(path)
    except RunFileError:
        return None
