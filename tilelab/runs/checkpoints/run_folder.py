"""The folder of a run that is not finished with, and the lock that says whose it is.

The lock is held by the program that the run belongs to for as long as it lives; the system lets go
of it however that program ends. Whoever holds it may write to the folder, nobody else.
"""

import contextlib
import itertools
import os
import re
import shutil
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

from platformdirs import user_data_path

from tilelab.runs.files.atomic import OWNER_FILE, OWNER_FOLDER, close_to_others, private_folder

if TYPE_CHECKING:
    from filelock import FileLock

RUN, BEST, _LOCK = "run.tilelab", "best.json", "lock"
TEMPORARY = ".tilelab-*"
"""What a program that was killed leaves of a file that it was writing."""
_EARLIER = re.compile(r"earlier-(\d{1,18})\.tilelab")
MOST_EARLIER, MOST_EARLIER_BYTES = 8, 256 << 20
"""How many earlier checkpoints are kept, and how much they may take together."""
_UNFIT = re.compile(r"[^A-Za-z0-9_-]+")
_MOST_NAMES = 1000
SHORT_KEY = 8
"""How many digits of a run's key stand in the name of its folder."""
_TRIES, _PAUSE_SECONDS = 4, 0.005


def runs_folder() -> Path:
    """Return the folder of all these folders: in TILELAB_DATA_DIR, or the user's data folder."""
    base = os.environ.get("TILELAB_DATA_DIR")
    folder = Path(base) if base else user_data_path("tilelab", appauthor=False)
    return folder / "runs"


def name_of(puzzle: str, solver: str, seed: int, key: str) -> str:
    """Name the folder of a run; key: the run's."""
    return _UNFIT.sub("-", f"{puzzle}-{solver}-seed-{seed}-{key[:SHORT_KEY]}")


class RunFolder:
    """One such folder. Any thread may ask."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stem = path.name
        self._lock: FileLock | None = None
        self._identity = (0, 0)
        self._is_closed = False
        self._mutex = threading.RLock()

    @classmethod
    def taken(cls, path: Path) -> Self | None:
        """Take a folder that is there; None when it is another program's or gone.

        Raises OSError where nothing can be locked.
        """
        folder = cls(path)
        try:
            return folder if folder._acquire(path) else None
        except FileNotFoundError:
            return None

    @staticmethod
    def is_one(path: Path) -> bool:
        """Return whether a path is that of such a folder."""
        return path.parent == runs_folder()

    @property
    def path(self) -> Path:
        """Where it is; another place when its name was taken."""
        return self._path

    @property
    def run_file(self) -> Path:
        """The newest checkpoint."""
        return self._path / RUN

    @property
    def best_file(self) -> Path:
        """The newest best."""
        return self._path / BEST

    def hold(self) -> bool:
        """See to it that the folder is there and this program's; returns whether it was made now.

        Raises OSError.
        """
        with self._mutex:
            if self._is_closed:
                raise FileNotFoundError(2, "the run is over", str(self._path))
            if self._lock is not None and self._is_there():
                return False
            self._let_go()
            for number in itertools.count(1):
                path = self._path.with_name(self._stem if number == 1 else f"{self._stem}-{number}")
                if self._made(path):
                    self._path = path
                    return True
                if number == _MOST_NAMES:
                    raise FileExistsError(17, "there are too many of this name", str(path))
        return False

    def release(self) -> None:
        """Let go of it; from then on it is offered to whoever asks."""
        with self._mutex:
            self._is_closed = True
            self._let_go()

    def remove(self) -> None:
        """Delete it with everything in it, and let go; raises OSError when something remains."""
        with self._mutex:
            self._is_closed = True
            if self._lock is None or not self._is_there():
                self._let_go()
                return
            try:
                for entry in list(self._path.iterdir()):
                    if entry.name == _LOCK:
                        continue
                    if entry.is_dir() and not entry.is_symlink():
                        shutil.rmtree(entry)
                    else:
                        entry.unlink(missing_ok=True)
                if os.name == "nt":  # there no file can be deleted that is open
                    self._let_go()
                (self._path / _LOCK).unlink(missing_ok=True)
                self._path.rmdir()
            finally:
                self._let_go()

    def sweep(self) -> None:
        """Delete what a program that was killed has left half written."""
        with self._mutex:
            if self._lock is None:
                return
            for leftover in self._path.glob(TEMPORARY):
                with contextlib.suppress(OSError):
                    leftover.unlink()

    def keep_as_earlier(self, units: int) -> None:
        """Keep the newest checkpoint besides; some go, so that those left are spread evenly.

        Where it cannot be linked it is copied; that it cannot be kept at all is no error.
        """
        if not units:
            return
        target = earlier_file(self._path, units)
        with contextlib.suppress(OSError):
            if not target.exists() and self.run_file.stat().st_size <= MOST_EARLIER_BYTES:
                _link(self.run_file, target)
            _thin(earlier_checkpoints(self._path))

    def _made(self, path: Path) -> bool:
        """Make and take a folder; False when there is one of that name."""
        for _ in range(_TRIES):
            try:
                private_folder(path.parent.parent)
                private_folder(path.parent)
                close_to_others(path.parent)
                path.mkdir(OWNER_FOLDER)
                path.chmod(OWNER_FOLDER)
            except FileExistsError:
                return False
            # A program that looks for what was left behind may take it for that meanwhile.
            with contextlib.suppress(FileNotFoundError):
                if self._acquire(path):
                    return True
        return False

    def _acquire(self, path: Path) -> bool:
        """Take the lock of a folder; False when another program has it."""
        # Only now: a start that begins no run need not load it.
        from filelock import FileLock, Timeout

        lock = FileLock(
            path / _LOCK,
            timeout=0,
            mode=OWNER_FILE,
            thread_local=False,
            fallback_to_soft=False,
        )
        for attempt in range(_TRIES):
            if attempt:  # who only looks whether it is free has it for a moment
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
        """Return whether the lock is still the folder's, which somebody may have deleted."""
        try:
            stat = (self._path / _LOCK).stat()
        except OSError:
            return False
        return (stat.st_dev, stat.st_ino) == self._identity

    def _let_go(self) -> None:
        if self._lock is not None:
            with contextlib.suppress(OSError):
                self._lock.release()
            self._lock = None


def earlier_file(path: Path, units: int) -> Path:
    """Return where the checkpoint after so many units is kept, in the folder of its run."""
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
    """Delete those that stand nearest to their neighbours, until all have room."""
    files = [(units, file, file.stat().st_size) for units, file in earlier]
    while len(files) > MOST_EARLIER or sum(size for *_, size in files) > MOST_EARLIER_BYTES:
        units = [0, *(n for n, *_ in files)]
        # The newest one goes only when it is the last.
        inner = range(max(len(files) - 1, 1))
        gone = min(inner, key=lambda at: units[min(at + 2, len(files))] - units[at])
        files.pop(gone)[1].unlink(missing_ok=True)
