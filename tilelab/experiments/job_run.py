"""One run of a plan, the same as `tilelab run` does with the same seed, and the files that keep it.

After an interruption, a long run continues from its file. Charts over the course of runs need the
improvements of their best boards.
"""

import contextlib
import json
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypedDict

from tilelab.core.errors import (
    SOLVER_ERRORS,
    RunError,
    SolverError,
    TileLabError,
    sentence_of,
    solver_errors,
)
from tilelab.core.files.paths import read_text
from tilelab.core.plain import Value, parse_json
from tilelab.core.solver import Progress
from tilelab.core.text.wording import plain_number
from tilelab.experiments.jobs import Job, command_of, recipe_of
from tilelab.runs.actions import Action, State
from tilelab.runs.checkpoints.autosave import SavingPlan, state_bytes
from tilelab.runs.files.atomic import write_atomically
from tilelab.runs.files.store import read_run, save_run
from tilelab.runs.limits import Limits
from tilelab.runs.recipe import Recipe, complete
from tilelab.runs.result import status_word
from tilelab.runs.session import Session

FAILED = "failed"
MAX_BYTES = 1 << 30  # largest state of a run that is kept, in bytes
MAX_BYTES_AT_END = 100_000_000  # largest state of a run that may continue after its end: of many
MAX_IMPROVEMENTS = 4_096  # of a run; beyond it every other one goes, but the first and newest
_MAX_HISTORY_BYTES = 1_000_000


class Improvement(NamedTuple):
    """An improvement of a run's best. All but the seconds are the same on every machine."""

    unit: int  # unit in which it was found, from 0
    evaluations: int | None  # boards scored from the beginning to the end of that unit
    seconds: float  # running time when it was found, to about 20 ms
    value: float
    n_moves: int | None = None  # number of moves of the path to it; None where there is none


class Row(TypedDict):
    solver: str
    params: Mapping[str, Value]  # the solver's in the plan, and the values of the puzzle that vary
    instance: int
    repeat: int  # numbers of the instance and of the repeat, from 1
    seed: int
    status: str  # solved, exhausted, limit or failed
    units: int | None
    evaluations: int | None  # boards scored or generated; None where its solver does not count them
    seconds: float | None
    value: int | float | None  # value of the best board; None where there is none
    limit_reached: str  # key in [limits] of the limit that ended it, or the solver's word, or ''
    moves: int | None  # number of moves of the path to the best board; None where there is none
    optimal: bool | None  # whether it is proven that no path is shorter; None if unknown
    best_unit: int | None  # unit in which the best was found
    metrics: Mapping[str, int | float]  # newest row of the solver's own metrics
    error: str  # the error of a failed run, or ''
    command: str  # the command that makes this run again; '' for a failed run


class Outcome(NamedTuple):
    row: Row
    improvements: tuple[Improvement, ...] = ()


def run_job(job: Job) -> Outcome:
    """Do a run to its end; an error in it becomes a failed row."""
    try:
        with solver_errors():
            session, improvements = session_of(job)
            return Outcome(_row(job, session), improvements)
    except SOLVER_ERRORS as error:
        return Outcome(failed_row(job, sentence_of(error)))


def failed_row(job: Job, error: str) -> Row:
    return Row(
        solver=job.solver,
        params=job.varied,
        instance=job.instance,
        repeat=job.repeat,
        seed=job.seed,
        status=FAILED,
        units=None,
        evaluations=None,
        seconds=None,
        value=None,
        limit_reached="",
        moves=None,
        optimal=None,
        best_unit=None,
        metrics={},
        error=error,
        command="",
    )


def session_of(
    job: Job, is_ending: Callable[[], bool] = lambda: False
) -> tuple[Session, tuple[Improvement, ...]]:
    """Do a run to its end; return its session and improvements. Raises what a solver may raise.

    is_ending: whether to return a run that is going as it is; asked after each slice.
    """
    session, recipe, file = Session(), recipe_of(job), checkpoint_file(job)

    def begin() -> None:
        if not resume_from(file, session, recipe):
            session.begin(recipe)

    complete(begin)  # what it lacks, such as a pattern database, is made before its clock runs
    kept = Checkpoints(session, file)
    while session.state is State.RUNNING:
        kept.note(session.run_slice())
        if is_ending():
            break
        if status_word(session) == State.RUNNING:
            kept.follow()
    if status_word(session) == FAILED:
        raise RunError(session.message)
    if job.state:
        kept.write(MAX_BYTES_AT_END)
    return session, tuple(kept.improvements)


def _row(job: Job, session: Session) -> Row:
    best, metrics = session.best, zip(session.spec.metrics, session.last_row, strict=False)
    # By units it ends there again, whatever clock or count has ended it here.
    is_cut = session.limit_reached in Limits.model_fields
    return {
        **failed_row(job, ""),
        "status": status_word(session),
        "units": session.units,
        "evaluations": session.evaluations,
        "seconds": round(session.seconds, 6),
        "value": None if best is None else plain_number(best.value),
        "limit_reached": session.limit_reached,
        "moves": None if best is None else best.n_moves,
        "optimal": None if best is None else best.optimal,
        "best_unit": None if best is None else best.unit,
        "metrics": {name: plain_number(value) for name, value in metrics},
        "command": shlex.join(command_of(job, session.units if is_cut else None)),
    }


def checkpoint_file(job: Job) -> Path | None:
    """Return the file that keeps a run; None without a folder, as on other machines."""
    text = job.state
    if not text and job.checkpoints:
        text = f"{job.checkpoints}/{job.place}.tilelab"
    return Path(text) if text and Path(text).parent.is_dir() else None


def resume_from(file: Path | None, session: Session, recipe: Recipe) -> bool:
    """Continue the run that a file keeps, under the recipe's limits; False if it cannot."""
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
    """Writes a run that has begun or been resumed to its file, as rarely as a single run."""

    def __init__(self, session: Session, file: Path | None) -> None:
        self._session, self._file = session, file
        self.improvements: list[Improvement] = []  # of the run's best, in their order
        if file is not None and session.units:
            with contextlib.suppress(TileLabError, TypeError, ValueError):
                known = from_json(read_text(_history_file(file), _MAX_HISTORY_BYTES))
                self.improvements += [one for one in known if one.unit < session.units]
        # A short run need not be written.
        self._plan = SavingPlan(session.seconds, is_saved=True)

    def note(self, progress: Progress | None) -> None:
        """Note what a slice has found, after the session counted it; None: it has failed."""
        if progress is None:
            return
        seconds, now = round(self._session.seconds, 6), self._session.evaluations
        for best, since in progress.found:
            evaluations, total = None, progress.evaluations
            if now is not None and total is not None and since is not None:
                evaluations = now - total + since
            found = Improvement(best.unit, evaluations, seconds, best.value, best.n_moves)
            self.improvements.append(found)
            if len(self.improvements) > MAX_IMPROVEMENTS:
                del self.improvements[1:-1:2]

    def follow(self) -> None:
        """Write the run between two slices when it is due."""
        n_bytes, seconds = state_bytes(self._session), self._session.seconds
        if not self._plan.wants(seconds, n_bytes):
            return
        spent, wall = time.thread_time(), time.perf_counter()
        self.write(MAX_BYTES)
        self._plan.note_copy(seconds, 0.0, n_bytes)
        self._plan.note_write(time.thread_time() - spent, time.perf_counter() - wall)

    def write(self, most_bytes: int) -> None:
        if self._file is None or state_bytes(self._session) > most_bytes:
            return
        try:
            # First: improvements after the run in the other file are ignored when they are read.
            write_atomically(_history_file(self._file), to_json(self.improvements))
            save_run(self._session, self._file)
        except SolverError:
            raise
        except (TileLabError, MemoryError):
            self._file = None  # a full disk, perhaps; the run continues


def forget(folder: Path, place: int) -> None:
    run = folder / f"{place}.tilelab"
    for file in (run, _history_file(run)):
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)


def _history_file(run: Path) -> Path:
    return run.with_suffix(".json")


def to_json(improvements: Sequence[Improvement]) -> str:
    return json.dumps([list(improvement) for improvement in improvements])


def from_json(text: str) -> tuple[Improvement, ...]:
    return tuple(Improvement(*values) for values in parse_json(text))
