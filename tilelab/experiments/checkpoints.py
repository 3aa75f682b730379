"""Long runs of a sweep are kept on disk while they go, and go on from there when they are broken
off."""

import contextlib
import time
from pathlib import Path

from tilelab.core.errors import SolverError, TileLabError
from tilelab.experiments.cells import Job
from tilelab.experiments.improvements import ImprovementHistory
from tilelab.runs.actions import Action
from tilelab.runs.checkpoints.autosave import SavingPlan, state_bytes
from tilelab.runs.files.store import read_run, save_run
from tilelab.runs.recipe import Recipe
from tilelab.runs.session import Session

MOST_BYTES = 1 << 30
"""A run whose state is larger is not kept."""
MOST_BYTES_AT_END = 100_000_000
"""The same for runs that may go on: there may be many."""


def checkpoint_file(job: Job) -> Path | None:
    """Return where a run is kept; None where there is no such folder.

    Workers on other machines may not have it: their runs begin anew.
    """
    text = job["state"]
    if not text and job["checkpoints"]:
        text = f"{job['checkpoints']}/{job['place']}.tilelab"
    return Path(text) if text and Path(text).parent.is_dir() else None


def resume_from(file: Path | None, session: Session, recipe: Recipe) -> bool:
    """Go on with the run that a file keeps, under the limits of its recipe.

    A run that is over stays so. Returns False where there is none, or none that can be read.
    """
    if file is None or not file.exists():
        return False
    try:
        checkpoint = read_run(file)
    except TileLabError:
        return False
    if checkpoint.recipe.seed != recipe.seed:
        return False
    session.restore(checkpoint)
    session.set_limits(recipe.limits)
    if session.allows(Action.RESUME):
        session.resume()
    return True


class Checkpoints:
    """Writes a run down while it goes, as seldom as a single run is.

    The session has a new run, or has taken one up.
    """

    def __init__(self, session: Session, file: Path | None) -> None:
        self._session, self._file = session, file
        self.history = ImprovementHistory()
        """How its best became better."""
        if file is not None and session.units:
            self.history = ImprovementHistory.read(_history_file(file), session.units)
        # What is over soon need not be written down.
        self._plan = SavingPlan(session.seconds, is_saved=True)

    def follow(self) -> None:
        """Write between two slices what is due."""
        n_bytes, seconds = state_bytes(self._session), self._session.seconds
        if not self._plan.wants(seconds, n_bytes):
            return
        spent, wall = time.thread_time(), time.perf_counter()
        self.write(MOST_BYTES)
        self._plan.note_copy(seconds, 0.0, n_bytes)
        self._plan.note_write(time.thread_time() - spent, time.perf_counter() - wall)

    def write(self, most_bytes: int) -> None:
        """Write the run down, unless its state is larger."""
        if self._file is None or state_bytes(self._session) > most_bytes:
            return
        try:
            # First: what it has too much for the run beside it is left out when it is read.
            self.history.write(_history_file(self._file))
            save_run(self._session, self._file)
        except SolverError:
            raise
        except (TileLabError, MemoryError):
            self._file = None  # a full disk, perhaps; the run goes on


def forget(folder: Path, place: int) -> None:
    """Delete what was kept of a run."""
    run = folder / f"{place}.tilelab"
    for file in (run, _history_file(run)):
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)


def _history_file(run: Path) -> Path:
    return run.with_suffix(".json")
