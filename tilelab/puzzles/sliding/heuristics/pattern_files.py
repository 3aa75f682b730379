"""The tables of pattern databases in a folder of their own, or else in the user's cache.

A file is a head of 64 bytes, which are a title, zeros and the SHA-256 of what follows, and the
tables behind one another.
"""

import hashlib
import mmap
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from tilelab.core.errors import TileLabError
from tilelab.core.files.ordinary_file import open_ordinary

_TITLE = b"tilelab pattern database 2\n"
_HEAD, _DIGEST = 64, 32
_PIECE = 1 << 23
"""Bytes written at once, some 15 ms."""
_MAPPED = 1 << 26
"""Larger files are mapped into memory: that is quicker, and several programs share them."""


def pattern_file(name: str) -> Path:
    """Return the file of a partition."""
    # Apart from the compiled kernels, which tests share with whoever runs them.
    base = os.environ.get("TILELAB_TABLES_DIR") or os.environ.get("TILELAB_CACHE_DIR")
    folder = Path(base) if base else user_cache_path("tilelab", appauthor=False)
    return folder / f"patterns-{name}-v2.tables"


def has_tables(file: Path, n_bytes: int) -> bool:
    """Return whether a file of the right size and title is there; its digest is not checked."""
    try:
        with open_ordinary(file) as stream:
            title = stream.read(len(_TITLE))
            return title == _TITLE and os.fstat(stream.fileno()).st_size == _HEAD + n_bytes
    except (OSError, TileLabError):
        return False


def write_tables(file: Path, tables: list[NDArray[np.uint8]]) -> Iterator[float]:
    """Keep tables, whole or not at all, yielding how much is done after each piece; OSError."""
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
    """Return the tables behind one another; None when they are not there, or not what they were."""
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
