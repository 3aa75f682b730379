"""Additive pattern databases of the fifteen puzzle, with reflection (Korf & Felner 2002).

Small tables are made when they are needed, in a third of a second; the large ones are made on
request, in some seconds, and kept in the user's cache, checked by a digest.
"""

import functools
import hashlib
import os
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from tilelab.core.errors import TileLabError
from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import register_heuristic
from tilelab.kernels.slide_patterns import UNKNOWN, fill_pattern

SIDE = 4
N_CELLS = SIDE * SIDE
PARTITIONS: dict[str, tuple[tuple[int, ...], ...]] = {
    "5-5-5": ((10, 11, 12, 13, 14), (0, 4, 5, 8, 9), (1, 2, 3, 6, 7)),
    "6-6-3": ((0, 4, 5, 8, 9, 12), (6, 7, 10, 11, 13, 14), (1, 2, 3)),
}
"""Goal cells of each pattern's tiles, the blank last; a goal with the blank first is turned."""
SMALL, LARGE = "5-5-5", "6-6-3"
_QUEUE = {5: 400_000, 6: 4_000_000, 3: 10_000}
_FORMAT = 1
PATTERNS = 10
"""The heuristic's number; the kernels of the searches with tables need none."""

SPEC = register_heuristic(
    HeuristicSpec(
        key="pattern-database",
        title="Pattern database",
        source="Korf & Felner 2002",
        kind=PATTERNS,
        admissible=True,
        # The least over the blank's places is kept, which may jump from one board to the next.
        consistent=False,
        needs_tables=True,
    )
)

Tables = tuple[NDArray[np.uint8], ...]


@dataclass(frozen=True, eq=False)
class Slots:
    """Where a tile counts, by its label, which is its goal cell."""

    spots: NDArray[np.uint64]
    """(16, 4), see tilelab.kernels.slide_deepening.deepen."""
    turned: bool
    """Whether the tables are for the board turned around."""

    def places(self, cells: NDArray[np.uint8], homes: NDArray[np.int64], side: int) -> int:
        """Return where the tiles of a board stand, packed; side: 0, or 1 for its reflection.

        homes: (16,), the goal cell of each tile.
        """
        straight = np.arange(N_CELLS).reshape(SIDE, SIDE)
        reflect = (straight.T if side else straight).ravel().tolist()
        packed = 0
        for cell, tile in enumerate(cells.tolist()):
            if tile:
                number = N_CELLS - 1 - cell if self.turned else cell
                label = reflect[homes[tile]]
                packed |= reflect[number] << int(self.spots[label, 0])
        return packed

    def estimate(self, places: int, tables: NDArray[np.uint8]) -> int:
        """Return the sum of a board's patterns."""
        patterns = {tuple(spot[1:].tolist()) for spot in self.spots if spot[2]}
        return sum(int(tables[base + (places >> shift & mask)]) for shift, mask, base in patterns)


def slots(partition: str, goal: NDArray[np.uint8]) -> Slots:
    """Make the slots of a goal; raises TileLabError when there are no tables for it."""
    goals = (np.arange(N_CELLS), np.roll(np.arange(N_CELLS), -1))
    if len(goal) != N_CELLS or not any(np.array_equal(goal, known) for known in goals):
        raise TileLabError(
            "pattern databases are for boards of 4×4 with the blank first or last; "
            "other goals have the other heuristics"
        )
    turned = int(goal[0]) == 0
    spots = np.zeros((N_CELLS, 4), np.uint64)
    shift = offset = 0
    for homes in PARTITIONS[partition]:
        n_bits = 4 * len(homes)
        for index, home in enumerate(homes):
            label = N_CELLS - 1 - home if turned else home
            spots[label] = shift + 4 * index, shift, (1 << n_bits) - 1, offset
        shift, offset = shift + n_bits, offset + (1 << n_bits)
    return Slots(spots, turned)


def ready_partition() -> str:
    """Return the best partition whose tables are at hand or quick to make."""
    return LARGE if LARGE in _held() or _file(LARGE).exists() else SMALL


def tables(partition: str) -> NDArray[np.uint8]:
    """Return the tables of a partition: from memory, from the cache, or made now."""
    held = _held()
    if partition not in held:
        found = _read(partition)
        held[partition] = np.concatenate(build(partition) if found is None else found)
    return held[partition]


def build(partition: str, tell: Callable[[int, int], bool] | None = None) -> Tables:
    """Make the tables of a partition and keep the large ones in the cache.

    tell: is told after every depth (pattern, depth) and may answer False to give up, which raises
    TileLabError. An unknown partition raises TileLabError, too.
    """
    if partition not in PARTITIONS:
        raise TileLabError(f"{partition!r} is not a partition; there is {', '.join(PARTITIONS)}")
    made = []
    for number, homes in enumerate(PARTITIONS[partition]):
        size = 1 << (4 * len(homes))
        distance, seen = np.full(size, UNKNOWN, np.uint8), np.zeros(size, np.uint16)
        queue, scalars = np.zeros((2, _QUEUE[len(homes)]), np.int64), np.zeros(2, np.int64)
        places = np.array(homes, np.int64)
        n_left = 1
        while n_left > 0:
            n_left = int(
                fill_pattern(places, N_CELLS - 1, SIDE, SIDE, distance, seen, queue, scalars)
            )
            if tell is not None and not tell(number, int(scalars[0])):
                raise TileLabError(f"the tables {partition} were called off")
        assert n_left == 0, "the queue of a pattern is too short"
        made.append(distance)
    whole = (made[0], made[1], made[2])
    if partition != SMALL:
        _write(partition, whole)
    _held()[partition] = np.concatenate(whole)
    return whole


@functools.cache
def _held() -> dict[str, NDArray[np.uint8]]:
    """The tables in memory."""
    return {}


def _file(partition: str) -> Path:
    base = os.environ.get("TILELAB_CACHE_DIR")
    folder = Path(base) if base else user_cache_path("tilelab", appauthor=False)
    return folder / f"patterns-{partition}-v{_FORMAT}.npz"


def _digest(parts: Tables) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.tobytes())
    return digest.hexdigest()


def _write(partition: str, parts: Tables) -> None:
    """Keep tables; a cache that cannot be written is no reason to fail."""
    file = _file(partition)
    temporary = file.with_suffix(f".{os.getpid()}.tmp")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as stream:
            names = {f"table_{index}": part for index, part in enumerate(parts)}
            np.savez_compressed(
                stream, allow_pickle=False, digest=np.array(_digest(parts)), **names
            )
        temporary.replace(file)
    except OSError:
        temporary.unlink(missing_ok=True)


def _read(partition: str) -> Tables | None:
    """Read tables; None when they are not there, or not what they were."""
    try:
        # Opened here: numpy leaves a file open that turns out not to be one of its own.
        with (
            _file(partition).open("rb") as stream,
            np.load(stream, allow_pickle=False) as stored,
        ):
            parts = (stored["table_0"], stored["table_1"], stored["table_2"])
            digest = str(stored["digest"])
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
        return None
    sizes = [1 << (4 * len(homes)) for homes in PARTITIONS[partition]]
    fits = all(
        part.dtype == np.uint8 and part.shape == (size,)
        for part, size in zip(parts, sizes, strict=True)
    )
    return parts if fits and digest == _digest(parts) else None
