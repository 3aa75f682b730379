"""The runs that were interrupted when a program was killed: list, show, take or discard them."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tilelab import catalog
from tilelab.core.errors import RunError, RunFileError, TileLabError, system_errors_as
from tilelab.core.files.paths import is_there, open_ordinary, path_from, resolved
from tilelab.core.text.language import marked, tr
from tilelab.runs.checkpoints.run_folder import (
    BEST,
    RUN,
    SHORT_KEY,
    KeptBest,
    RunFolder,
    earlier_checkpoints,
    read_best,
    runs_folder,
)
from tilelab.runs.files.array_zip import read_header
from tilelab.runs.files.header import header_of, run_file_errors
from tilelab.runs.files.store import read_expanded, read_run
from tilelab.runs.session import Checkpoint

# What a best says of its run.
_OF_BEST = (
    *("key", "puzzle", "title", "solver", "solver_title", "unit", "seed", "units"),
    *("seconds", "value", "value_text"),
)


class Claim:
    """An interrupted run that this program has taken; while it lives, no other one can."""

    def __init__(self, folder: RunFolder) -> None:
        self.folder = folder  # folder in which tilelab.runs.checkpoints.autosave.Autosave continues
        self.notice = ""  # a notice for the user about the checkpoint that was read, or ''

    def read(self) -> Checkpoint:
        """Read the newest checkpoint that is valid; raises RunFileError when there is none."""
        checkpoint = self._newest_sound()
        with contextlib.suppress(RunFileError):
            best = read_best(self.folder.best_file)
            if best is not None and best.best_unit >= checkpoint.units:
                later = tr(
                    "Its best, {value}, was found after the last checkpoint; the run finds it "
                    "again when it continues",
                    value=best.record().shown_value,
                )
                self.notice = f"{self.notice}. {later}" if self.notice else later
        return checkpoint

    def _newest_sound(self) -> Checkpoint:
        try:
            return read_run(self.folder.run_file)
        except RunFileError as error:
            for units, file in reversed(earlier_checkpoints(self.folder.path)):
                with contextlib.suppress(RunFileError):
                    checkpoint = read_run(file)
                    spec = checkpoint.recipe.solver_class.spec
                    metrics = dict(zip(spec.metrics, checkpoint.last_row, strict=False))
                    done = spec.done(units, metrics=metrics)
                    self.notice = tr("{error}; it continues after {done}", error=error, done=done)
                    return checkpoint
            raise

    def discard(self) -> None:
        """Delete it for good; raises RunError when that is not possible."""
        text = marked("{path} cannot be deleted: {reason}")
        with system_errors_as(RunError, text, path=self.folder.path):
            self.folder.remove()

    def release(self) -> None:
        self.folder.release()


@dataclass(frozen=True, kw_only=True)
class InterruptedRun:
    path: Path  # folder of the run
    written: float  # time of the last write: seconds since 1970
    error: str = ""  # why it cannot be resumed, in a sentence; '' when no problem was found
    key: str = ""
    puzzle: str = ""
    title: str = ""  # the instance in a few words: its lexicon or its board
    solver: str = ""
    solver_title: str = ""
    unit: str = "unit"  # the solver's own step, such as 'generation'
    seed: int = 0
    units: int = 0  # number of units after which it would continue
    done: str = ""  # how far it went in words, also inside the first unit
    seconds: float = 0.0
    status: str = "running"  # running, or solved, exhausted or limit if it had reached its end
    value: float | None = None
    value_text: str = ""  # the best value as text; '' when there is none
    saved_best: KeptBest | None = None  # the newest best; None when it is only in the run

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def puzzle_title(self) -> str:
        """The title of the puzzle, or its key where that is no longer known."""
        known = catalog.puzzles().get(self.puzzle)
        return self.puzzle if known is None else known.spec.title

    def take(self) -> Claim | None:
        """Take it; None when another program has, or it no longer exists. Raises RunError."""
        text = marked("{path} cannot be taken: {reason}")
        with system_errors_as(RunError, text, path=self.path):
            folder = RunFolder.taken(self.path)
        return None if folder is None else Claim(folder)

    def discard(self) -> bool:
        """Delete it for good; False when another program has taken it. Raises RunError."""
        claim = self.take()
        if claim is None:
            return not self.path.exists()
        claim.discard()
        return True


def list_interrupted(folder: Path | None = None) -> list[InterruptedRun]:
    """List them, the one written last first; remove those whose program wrote nothing.

    folder: of all runs; by default the user's. Raises RunError when it exists and cannot be read.
    """
    base = runs_folder() if folder is None else folder
    found: list[InterruptedRun] = []
    with system_errors_as(RunError, marked("{folder} cannot be read: {reason}"), folder=base):
        try:
            paths = [path for path in base.iterdir() if path.is_dir() and not path.is_symlink()]
        except (FileNotFoundError, NotADirectoryError):
            return []
    for path in paths:
        with contextlib.suppress(OSError):
            found.extend(_list_folder(path))
    return sorted(found, key=lambda run: (-run.written, run.name))


def find_by_key(key: str) -> InterruptedRun | None:
    if not key.isalnum():
        return None
    with contextlib.suppress(OSError):
        for path in runs_folder().glob(f"*-{key[:SHORT_KEY]}*"):
            for run in _list_folder(path):
                if run.key == key and not run.error:
                    return run
    return None


def find_by_name(name: str) -> InterruptedRun | None:
    """Return the interrupted run with a name, folder or file; None when there is none."""
    path = path_from(name)
    with contextlib.suppress(OSError):
        base = resolved(runs_folder())
        if path.name == RUN:
            path = path.parent
        if len(path.parts) == 1 and not path.exists():
            path = base / path
        if resolved(path).parent != base:
            return None
        if path.is_dir() and not path.is_symlink():
            return next(_list_folder(path), None)
    return None


def _list_folder(path: Path) -> Iterator[InterruptedRun]:
    """Describe a folder; nothing when a living program has it, or it is not one of TileLab's."""
    error = ""
    try:
        held = RunFolder.taken(path)
        if held is None:
            return
        held.sweep()
        if not any((path / name).exists() for name in (RUN, BEST)):
            if {entry.name for entry in path.iterdir()} <= {"lock"}:
                held.remove()
            held.release()
            return
        held.release()
    except OSError as refused:  # a read-only folder
        error = tr(
            "{name} cannot be taken: {reason}", name=path.name, reason=refused.strerror or refused
        )
    try:
        best = read_best(path / BEST)
    except RunFileError as damage:
        best, error = None, error or str(damage) if not is_there(path / RUN) else error
    try:
        files = [path / name for name in (RUN, BEST) if is_there(path / name)]
        written = [file.stat().st_mtime for file in files]
    except OSError:  # its contents are not known
        written = [path.stat().st_mtime]
    if not written:
        return
    run = InterruptedRun(path=path, written=max(written), error=error)
    if best is not None:
        known = {name: getattr(best, name) for name in _OF_BEST}
        known["value_text"] = best.record().shown_value
        run = replace(run, saved_best=best, **known)
    try:
        yield _with_newest(run)
    except TileLabError as damage:
        yield replace(run, error=error or str(damage))


def _with_newest(run: InterruptedRun) -> InterruptedRun:
    """Read the header of the newest checkpoint that has one; raises TileLabError of the newest."""
    try:
        return _with_header(run, run.path / RUN)
    except TileLabError:
        for _, file in reversed(earlier_checkpoints(run.path)):
            with contextlib.suppress(TileLabError):
                return _with_header(run, file)
        raise


def _with_header(run: InterruptedRun, file: Path) -> InterruptedRun:
    """Read the header of a checkpoint, except what a best says better; raises TileLabError."""
    if not is_there(file):
        raise RunFileError.tr("it ended before its first checkpoint; only its best is kept")
    stream = open_ordinary(file, RunFileError)
    with run_file_errors(file):
        with stream:
            header = header_of(read_header(stream))
            expanded = read_expanded(stream, header)
        solver = catalog.solver(header.puzzle.key, header.solver.key).spec
        steps = header.solver.scalars.get("steps_done", 0)
        metrics = {} if expanded is None else {"expanded": float(expanded)}
    puzzle_class = catalog.puzzle(header.puzzle.key)
    run = replace(
        run,
        key=header.key,
        puzzle=header.puzzle.key,
        solver=solver.key,
        solver_title=solver.title,
        unit=solver.unit,
        seed=header.seed,
        units=header.units,
        done=solver.done(header.units, steps if type(steps) is int else 0, metrics),
        seconds=header.seconds,
        status=header.status.value,
    )
    if run.saved_best is not None:
        return run
    run = replace(run, title=puzzle_class.described_title(header.puzzle.description))
    if header.best is None:
        return run
    value = header.best.value
    return replace(run, value=value, value_text=puzzle_class.value_text(value))
