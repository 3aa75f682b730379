"""Additive pattern databases, with reflection (Korf & Felner 2002; Felner, Korf & Hanan 2004).

The tiles are divided into patterns. A table has, for every placing of a pattern's tiles, the
smallest number of moves of *those* tiles to their goals, so that the sum over the patterns never
overestimates. A reflected board has another sum, and the larger one counts. The smallest tables are
made when they are needed; the others are made on request and stored in the user's cache.
"""

import functools
import hashlib
import mmap
import os
import threading
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from tilelab.core.errors import NotMadeError, ParameterError, TileLabError
from tilelab.core.files.paths import open_ordinary
from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import unknown_name
from tilelab.puzzles.sliding.heuristics.pattern_build import (
    RoomyArray,
    TableBuild,
    binomials,
    n_entries,
)
from tilelab.puzzles.sliding.kernels.pattern_tables import open_table

_WRITING = 0.05  # share of a build's time for writing its file
_TRANSPOSED, _ROWS_FLIPPED, _COLS_FLIPPED = 1, 2, 4
SPEC = register_heuristic(
    HeuristicSpec(
        key="pattern-database",
        title=marked("Pattern database"),
        source="Korf & Felner 2002",
        kernel=None,
        oracle=None,
        admissible=True,
        # The minimum over the blank's places is stored, which may jump between successive boards.
        consistent=False,
        needs_tables=True,
    )
)
_TITLE = b"tilelab pattern database 2\n"
_HEAD, _DIGEST = 64, 32
_PIECE = 1 << 23  # number of bytes written at once, in some 15 ms
_MAPPED = 1 << 26
"""Size in bytes above which files are mapped into memory, which is faster and can be shared."""


@dataclass(frozen=True)
class Partition:
    """A division of a square board's tiles into patterns."""

    side: int
    tables: tuple[tuple[int, ...], ...]
    """Goal cells of the tiles of each table, for a goal with the blank last; a goal with the blank
    first is rotated."""
    patterns: tuple[tuple[int, int], ...] = ()
    """Table of each pattern, and the placement of the board on it: a sum of the flips above."""
    is_instant: bool = False  # whether the tables are made when they are needed, and not stored

    @property
    def laid(self) -> tuple[tuple[int, int], ...]:
        """``patterns``, or by default one pattern for each table."""
        return self.patterns or tuple((table, 0) for table in range(len(self.tables)))

    @property
    def sizes(self) -> list[int]:
        """Size of each table in bytes."""
        return [n_entries(self.side**2, len(homes)) for homes in self.tables]

    @property
    def is_opened(self) -> bool:
        """Whether a search looks up four bits per tile, which is faster for small tables."""
        return self.side == 4 and max(len(homes) for homes in self.tables) <= 6


PARTITIONS: dict[str, Partition] = {
    "5-5-5": Partition(
        4, ((10, 11, 12, 13, 14), (0, 4, 5, 8, 9), (1, 2, 3, 6, 7)), is_instant=True
    ),
    "6-6-3": Partition(4, ((0, 4, 5, 8, 9, 12), (6, 7, 10, 11, 13, 14), (1, 2, 3))),
    "7-8": Partition(4, ((8, 9, 10, 11, 12, 13, 14), (0, 1, 2, 3, 4, 5, 6, 7))),
    # Three of the four patterns are equivalent: around them the blank can get everywhere, so that
    # its goal does not matter, and they share one table.
    "6-6-6-6": Partition(
        5,
        ((23, 22, 19, 18, 17, 12), (21, 20, 16, 15, 11, 10)),
        ((0, 0), (1, 0), (1, _ROWS_FLIPPED | _COLS_FLIPPED), (1, _TRANSPOSED | _COLS_FLIPPED)),
    ),
}
"""Partitions by side of the board, from the fastest to make to the most exact."""


def partition_named(name: str) -> Partition:
    """Return a partition by name; raises UsageError for an unknown name."""
    if name not in PARTITIONS:
        raise unknown_name(name, marked("partition"), PARTITIONS)
    return PARTITIONS[name]


def is_turned(goal: NDArray[np.uint8]) -> bool | None:
    """Return whether a goal has the blank first and not last; None for any other goal."""
    ordered = np.arange(len(goal))
    if np.array_equal(goal, ordered):
        return True
    return False if np.array_equal(goal, np.roll(ordered, -1)) else None


def ready_partition(shape: tuple[int, int], goal: NDArray[np.uint8]) -> str:
    """Return the most exact partition whose tables are available or instant; "" for none."""
    fitting = fitting_partitions(shape, goal)
    return next((name for name in reversed(fitting) if is_ready(name)), "")


def fitting_partitions(shape: tuple[int, int], goal: NDArray[np.uint8]) -> list[str]:
    """List the partitions for boards of a shape and goal, made or not."""
    if is_turned(goal) is None:
        return []
    return [name for name, parts in PARTITIONS.items() if shape == (parts.side, parts.side)]


def require_partition(shape: tuple[int, int], goal: NDArray[np.uint8], name: str = "") -> str:
    """Return the named partition, or the most exact one that is ready, or else the first.

    Raises ParameterError if it does not fit, or none does.
    """
    fitting = fitting_partitions(shape, goal)
    if not fitting:
        raise ParameterError(
            "tables" if name else "heuristic",
            tr(
                "pattern databases are for boards of 4×4 and 5×5 with the blank first or last; "
                "for other goals, use another heuristic"
            ),
        )
    if name and name not in fitting:
        raise ParameterError(
            "tables",
            tr(
                "tables: {name} is not for this board; there is {known}",
                name=name,
                known=", ".join(fitting),
            ),
        )
    return name or ready_partition(shape, goal) or fitting[0]


def pattern_file(name: str) -> Path:
    # Separate from the compiled kernels, which tests share with the user.
    base = os.environ.get("TILELAB_TABLES_DIR") or os.environ.get("TILELAB_CACHE_DIR")
    folder = Path(base) if base else user_cache_path("tilelab", appauthor=False)
    return folder / f"patterns-{name}-v2.tables"


def has_tables(file: Path, n_bytes: int) -> bool:
    """Return whether a file of the right size and title exists; its digest is not checked."""
    try:
        with open_ordinary(file) as stream:
            title = stream.read(len(_TITLE))
            return title == _TITLE and os.fstat(stream.fileno()).st_size == _HEAD + n_bytes
    except (OSError, TileLabError):
        return False


def write_tables(file: Path, tables: list[NDArray[np.uint8]]) -> Iterator[float]:
    """Write tables to a file, completely or not at all; yields the progress, raises OSError.

    The file has a head of 64 bytes (a title, zeros and the SHA-256 of the rest), followed by the
    tables one after another.
    """
    temporary = file.with_suffix(f".{os.getpid()}-{threading.get_ident()}.tmp")
    file.parent.mkdir(parents=True, exist_ok=True)
    digest, done, n_bytes = hashlib.sha256(), 0, sum(table.nbytes for table in tables)
    try:
        with temporary.open("wb") as stream:
            stream.write(bytes(_HEAD))
            for table in tables:
                for first in range(0, len(table), _PIECE):
                    piece = table[first : first + _PIECE].data
                    digest.update(piece)
                    stream.write(piece)
                    done += len(piece)
                    yield done / n_bytes
            stream.seek(0)
            stream.write(_TITLE.ljust(_HEAD - _DIGEST, b"\0") + digest.digest())
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)


def read_tables(file: Path, n_bytes: int) -> NDArray[np.uint8] | None:
    """Return the tables one after another; None if they are missing or damaged."""
    if not has_tables(file, n_bytes):
        return None
    try:
        with open_ordinary(file) as stream:
            head = stream.read(_HEAD)
            if n_bytes >= _MAPPED:
                mapped = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_COPY)
                data = np.frombuffer(mapped, np.uint8)[_HEAD:]
            else:
                data = np.empty(n_bytes, np.uint8)
                if stream.readinto(data.data) != n_bytes:
                    return None
    except (OSError, ValueError, TileLabError):
        return None
    digest = hashlib.sha256(data.data).digest()
    return data if digest == head[-_DIGEST:] else None


def is_ready(name: str) -> bool:
    """Return whether a partition's tables are available or instant."""
    parts = partition_named(name)
    is_kept = has_tables(pattern_file(name), sum(parts.sizes))
    return parts.is_instant or name in _held() or is_kept


def is_in_memory(name: str) -> bool:
    return name in _held()


def tables(name: str) -> NDArray[np.uint8]:
    """Return the tables of a partition one after another, from memory or the cache, or new.

    Raises NotMadeError if they are neither available nor instant.
    """
    held, parts = _held(), partition_named(name)
    if name not in held:
        found = read_tables(pattern_file(name), sum(parts.sizes))
        if found is not None:
            held[name] = _opened(parts, found)
        elif parts.is_instant:
            for _ in building(name):
                pass
        else:
            raise NotMadeError(
                tr("pattern database {name}", name=name), functools.partial(building, name)
            )
    return held[name]


def building(name: str) -> Generator[float, None, None]:
    """Make and store the tables of a partition, and yield the progress, 0..1.

    It yields every 50 ms or sooner; if it is closed before its end, nothing is stored. Raises
    TileLabError for an unknown partition, too little memory, or a cache that cannot be written.
    """
    parts = partition_named(name)
    made: list[RoomyArray] = []
    done, n_bytes = 0, sum(parts.sizes)
    share = 1.0 if parts.is_instant else 1 - _WRITING
    for size, homes in zip(parts.sizes, parts.tables, strict=True):
        build = TableBuild(parts.side, parts.side, homes)
        for part in build.slices():
            yield share * (done + part * size) / n_bytes
        made.append(build.table)
        done += size
    if not parts.is_instant:
        file = pattern_file(name)
        try:
            for part in write_tables(file, [table.array.ravel() for table in made]):
                yield share + _WRITING * part
        except OSError as error:
            raise TileLabError.tr(
                "{file} cannot be written: {reason}", file=file, reason=error.strerror
            ) from error
        for room in made:
            for _ in room.release():
                yield 1.0
        _held().pop(name, None)
        return
    _held()[name] = _opened(parts, np.concatenate([table.array.ravel() for table in made]))
    yield 1.0


def _opened(parts: Partition, whole: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return tables in the form for a search."""
    if not parts.is_opened:
        return whole
    opened, first = [], 0
    for size, homes in zip(parts.sizes, parts.tables, strict=True):
        table = np.empty(16 ** len(homes), np.uint8)
        binomial = binomials(parts.side**2, len(homes))
        open_table(len(homes), binomial, whole[first : first + size], table)
        opened.append(table)
        first += size
    return np.concatenate(opened)


@functools.cache
def _held() -> dict[str, NDArray[np.uint8]]:
    """Return the tables in memory, by name."""
    return {}


def cell_numbers(parts: Partition, goal: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the number of each cell in the table of each pattern, int64 (2, patterns, cells).

    The first part is for the board itself, the second for its reflection.
    """
    straight = np.arange(parts.side**2).reshape(parts.side, parts.side)
    numbers = []
    for side in (straight, straight.T):
        seen = side.ravel()[::-1] if is_turned(goal) else side.ravel()
        numbers.append([_laid(straight, turn)[seen] for _, turn in parts.laid])
    return np.array(numbers, np.int64)


def _laid(straight: NDArray[np.int64], turn: int) -> NDArray[np.int64]:
    grid = straight.T if turn & _TRANSPOSED else straight
    grid = grid[::-1] if turn & _ROWS_FLIPPED else grid
    return (grid[:, ::-1] if turn & _COLS_FLIPPED else grid).ravel()
