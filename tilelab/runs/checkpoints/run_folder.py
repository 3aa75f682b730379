"""The folder of an unfinished run: its lock, and the newest best as a small file.

The program that the run belongs to holds the lock as long as it lives; the system releases it
however that program ends. Only the holder of the lock may write to the folder.
"""

import contextlib
import hashlib
import itertools
import json
import os
import re
import shutil
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from tilelab.core.errors import RunFileError, errors_as
from tilelab.core.files.paths import data_folder, read_at_most
from tilelab.core.plain import parse_json
from tilelab.core.solver import Best
from tilelab.runs.files.atomic import (
    OWNER_FILE,
    OWNER_FOLDER,
    close_to_others,
    private_folder,
    write_atomically,
)
from tilelab.runs.files.header import Count, Finite
from tilelab.runs.history.record import RunRecord

MAX_BYTES = 32 << 20
Name = Annotated[str, Field(max_length=2000)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]


if TYPE_CHECKING:
    from filelock import FileLock


RUN, BEST, _LOCK = "run.tilelab", "best.json", "lock"
TEMPORARY = ".tilelab-*"  # file names that a killed program leaves of files that it was writing
_EARLIER = re.compile(r"earlier-(\d{1,18})\.tilelab")
MAX_EARLIER, MAX_EARLIER_BYTES = 8, 256 << 20  # earlier checkpoints that are kept
_UNFIT = re.compile(r"[^A-Za-z0-9_-]+")
_MAX_NAMES = 1000
SHORT_KEY = 8  # number of digits of a run's key in the name of its folder
_TRIES, _PAUSE_SECONDS = 4, 0.005


def runs_folder() -> Path:
    """Return the folder of all run folders: in TILELAB_DATA_DIR, or in the user's data folder."""
    return data_folder(False) / "runs"


def folder_name(puzzle: str, solver: str, seed: int, key: str) -> str:
    return _UNFIT.sub("-", f"{puzzle}-{solver}-seed-{seed}-{key[:SHORT_KEY]}")


class RunFolder:
    """One run folder; all threads may use it."""

    def __init__(self, path: Path) -> None:
        self.path = path  # it changes when its name was taken
        self._stem = path.name
        self._lock: FileLock | None = None
        self._identity = (0, 0)
        self._is_closed = False
        self._mutex = threading.RLock()

    @classmethod
    def taken(cls, path: Path) -> Self | None:
        """Take an existing folder, or None; raises OSError where nothing can be locked."""
        folder = cls(path)
        try:
            return folder if folder._acquire(path) else None
        except FileNotFoundError:
            return None

    @staticmethod
    def is_one(path: Path) -> bool:
        return path.parent == runs_folder()

    @property
    def run_file(self) -> Path:
        return self.path / RUN

    @property
    def best_file(self) -> Path:
        return self.path / BEST

    def hold(self) -> bool:
        """Make or keep the folder; return whether it was created now. Raises OSError."""
        with self._mutex:
            if self._is_closed:
                raise FileNotFoundError(2, "the run is over", str(self.path))
            if self._lock is not None and self._is_there():
                return False
            self._release_lock()
            for number in itertools.count(1):
                path = self.path.with_name(self._stem if number == 1 else f"{self._stem}-{number}")
                if self._make(path):
                    self.path = path
                    return True
                if number == _MAX_NAMES:
                    raise FileExistsError(17, "there are too many of this name", str(path))
        return False

    def release(self) -> None:
        """Release it; from then on any program may take it."""
        with self._mutex:
            self._is_closed = True
            self._release_lock()

    def remove(self) -> None:
        """Delete it with its contents, and release it; raises OSError when something remains."""
        with self._mutex:
            self._is_closed = True
            if self._lock is None or not self._is_there():
                self._release_lock()
                return
            try:
                for entry in list(self.path.iterdir()):
                    if entry.name == _LOCK:
                        continue
                    if entry.is_dir() and not entry.is_symlink():
                        shutil.rmtree(entry)
                    else:
                        entry.unlink(missing_ok=True)
                if os.name == "nt":  # on that system no open file can be deleted
                    self._release_lock()
                (self.path / _LOCK).unlink(missing_ok=True)
                self.path.rmdir()
            finally:
                self._release_lock()

    def sweep(self) -> None:
        with self._mutex:
            if self._lock is None:
                return
            for leftover in self.path.glob(TEMPORARY):
                with contextlib.suppress(OSError):
                    leftover.unlink()

    def keep_as_earlier(self, units: int) -> None:
        """Keep the newest checkpoint as an earlier one too, if possible, and thin those."""
        if not units:
            return
        target = earlier_file(self.path, units)
        with contextlib.suppress(OSError):
            if not target.exists() and self.run_file.stat().st_size <= MAX_EARLIER_BYTES:
                _link(self.run_file, target)
            _thin(earlier_checkpoints(self.path))

    def _make(self, path: Path) -> bool:
        """Create and take a folder; return False when there is one of that name."""
        for _ in range(_TRIES):
            try:
                private_folder(path.parent.parent)
                private_folder(path.parent)
                close_to_others(path.parent)
                path.mkdir(OWNER_FOLDER)
                path.chmod(OWNER_FOLDER)
            except FileExistsError:
                return False
            # A program that looks for interrupted runs may take it for one in the meantime.
            with contextlib.suppress(FileNotFoundError):
                if self._acquire(path):
                    return True
        return False

    def _acquire(self, path: Path) -> bool:
        """Take the lock of a folder; return False when another program has it."""
        # Only now: a start that begins no run need not load it.
        from filelock import FileLock, Timeout

        lock = FileLock(
            path / _LOCK, timeout=0, mode=OWNER_FILE, thread_local=False, fallback_to_soft=False
        )
        for attempt in range(_TRIES):
            if attempt:  # a program that only checks whether it is free holds it for a moment
                time.sleep(_PAUSE_SECONDS)
            if not path.is_dir():
                raise FileNotFoundError(2, os.strerror(2), str(path))
            with contextlib.suppress(Timeout):
                lock.acquire()
                stat = (path / _LOCK).stat()
                self._lock, self._identity = lock, (stat.st_dev, stat.st_ino)
                return True
        return False

    def _is_there(self) -> bool:
        """Return whether the lock is still the folder's: the user may have deleted it."""
        try:
            stat = (self.path / _LOCK).stat()
        except OSError:
            return False
        return (stat.st_dev, stat.st_ino) == self._identity

    def _release_lock(self) -> None:
        if self._lock is not None:
            with contextlib.suppress(OSError):
                self._lock.release()
            self._lock = None


def earlier_file(path: Path, units: int) -> Path:
    return path / f"earlier-{units}.tilelab"


def earlier_checkpoints(path: Path) -> list[tuple[int, Path]]:
    """Return units and files of the earlier checkpoints in a folder, the first one first."""
    found = []
    with contextlib.suppress(OSError):
        for entry in path.iterdir():
            if name := _EARLIER.fullmatch(entry.name):
                found.append((int(name[1]), entry))
    return sorted(found)


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # a file system without links
        shutil.copyfile(source, target)
        close_to_others(target)


def _thin(earlier: list[tuple[int, Path]]) -> None:
    """Delete the checkpoints nearest to their neighbours until the rest fit."""
    files = [(units, file, file.stat().st_size) for units, file in earlier]
    while len(files) > MAX_EARLIER or sum(size for *_, size in files) > MAX_EARLIER_BYTES:
        units = [0, *(n for n, *_ in files)]
        # The newest one is deleted only when it is the last.
        inner = range(max(len(files) - 1, 1))
        place = min(inner, key=lambda at: units[min(at + 2, len(files))] - units[at])
        files.pop(place)[1].unlink(missing_ok=True)


class KeptBest(BaseModel):
    """A best board, with all that is needed to show it without the run."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    format: Literal["tilelab-best"] = "tilelab-best"
    format_version: Literal[1] = 1
    key: Annotated[str, Field(pattern="^[0-9a-f]{32}$")]  # key of the run
    puzzle: Name
    title: Name  # the instance in a few words: its lexicon or its board
    rows: Annotated[int, Field(ge=1, le=99)]
    cols: Annotated[int, Field(ge=1, le=99)]
    solver: Name
    solver_title: Name
    unit: Name  # the solver's own step, such as 'generation'
    seed: Count
    units: Count  # units that the run had done when this was written
    seconds: Seconds
    best_unit: Count
    best_seconds: Seconds  # running time at which it was found
    value: Finite
    value_text: Name  # the value as text
    cells: list[Annotated[int, Field(ge=0, le=255)]]
    board: list[Name]  # the cells as text, one string a row
    moves: str | None
    optimal: bool | None
    instance: dict[str, JsonValue] = {}  # the puzzle's description, for drawing the board
    puzzle_params: dict[str, JsonValue] = {}

    @classmethod
    def of(cls, record: RunRecord) -> Self:
        """Make it from a record that has a best; raises ValidationError."""
        assert record.cells is not None
        return cls(
            **{name: getattr(record, name) for name in cls._record_fields()},
            cells=record.cells.tolist(),
            board=list(record.board),
        )

    def record(self) -> RunRecord:
        return RunRecord(
            **self.model_dump(include=self._record_fields()),
            status="interrupted",
            n_moves=None if self.moves is None else len(self.moves),
            begun="",
            ended="",
            cells=self.best.cells,
            board=tuple(self.board),
        )

    @classmethod
    def _record_fields(cls) -> set[str]:
        return set(cls.model_fields) - {"format", "format_version", "cells", "board"}

    @property
    def best(self) -> Best:
        cells = np.array(self.cells, np.uint8)
        cells.flags.writeable = False
        return Best(cells, self.value, self.best_unit, self.moves, self.optimal)

    def is_better_than(self, other: Self) -> bool:
        """Return whether its value is larger, or equal after fewer moves."""
        return _rank(self) > _rank(other)


def _rank(saved: KeptBest) -> tuple[float, bool, int, bool]:
    n_moves = 0 if saved.moves is None else -len(saved.moves)
    return saved.value, saved.moves is not None, n_moves, bool(saved.optimal)


def write_best(path: Path, saved: KeptBest) -> None:
    """Write it atomically, with a digest; raises TileLabError."""
    plain = saved.model_dump(mode="json")
    text = json.dumps({"sha256": _digest(plain), "best": plain}, indent=1, allow_nan=False)
    write_atomically(path, text + "\n", mode=OWNER_FILE)


def read_best(path: Path) -> KeptBest | None:
    """Read it; None when there is none; raises RunFileError with one sentence on any error."""
    try:
        data = read_at_most(path, MAX_BYTES + 1, RunFileError)
    except RunFileError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return None
        raise
    if len(data) > MAX_BYTES:
        raise RunFileError.tr(
            "{name} has more than {max_megabytes} MB", name=path.name, max_megabytes=MAX_BYTES >> 20
        )
    damage = RunFileError.tr("{name} is damaged", name=path.name)
    with errors_as(lambda _: damage):
        whole = parse_json(data)
        saved = KeptBest.model_validate(whole["best"])
        is_whole = len(saved.cells) == saved.rows * saved.cols
        if whole["sha256"] != _digest(whole["best"]) or not is_whole:
            raise damage
    return saved


def _digest(plain: JsonValue) -> str:
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
