"""Files that are either wholly the old or wholly the new, and streams that are written in place.

The program's own files are for their owner alone; those that a user names get the usual rights.
An existing path that is no ordinary file, such as a terminal, a pipe or a device, is written in
place. So is a file that a shell has opened for the program, such as /dev/stdout: programs that have
it open would never get a new file in its place.
"""

import contextlib
import errno
import os
import re
import shutil
import stat
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from tilelab.core.errors import TileLabError
from tilelab.core.files.paths import expanded, resolved
from tilelab.core.text.shown_text import shown_path

_ASKING = threading.Lock()
_DESCRIPTORS = re.compile(r"/dev/fd|/proc/(\d+)(/task/\d+)?/fd")
_MAX_LINKS = 40
_FLAGS = os.O_WRONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
OWNER_FILE, OWNER_FOLDER = 0o600, 0o700
_OTHERS = 0o077
_OURS = ("history", "runs", "experiments", "lists", "window.ini", ".tilelab-")
"""Prefix of the names that the program gives in its folders."""


def write_atomically(path: str | Path, data: bytes | str, *, mode: int | None = None) -> Path:
    """Write a file whole; text is written as UTF-8. As :func:`write_with` otherwise."""
    content = data.encode(errors="backslashreplace") if isinstance(data, str) else data

    def write(file: BinaryIO) -> None:
        file.write(content)

    return write_with(path, write, mode=mode)


def write_with(
    path: str | Path, write: Callable[[BinaryIO], None], *, mode: int | None = None
) -> Path:
    """Write to a temporary file in the same folder, flush it to disk, and rename it over ``path``.

    An existing path that is no ordinary file (a pipe, a terminal, /dev/stdout) is written into
    instead. write: fills the file that it is given, which can be read and searched, too. mode:
    permissions; None for those of the old file, or those that a new file gets there. Returns the
    path; raises TileLabError when it cannot be written, and the old file is then untouched.
    """
    target = expanded(path)
    try:
        if (stream := open_in_place(target)) is not None:
            _write_into(stream, write)
            return target
        # A link remains a link; the file that it points to is replaced.
        target = resolved(target)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".tilelab-")
        temporary = Path(name)
        try:
            with os.fdopen(handle, "w+b") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            temporary.chmod(_mode_of(target) if mode is None else mode)
            temporary.replace(target)
            _flush_folder(target.parent)
        finally:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or error
        raise TileLabError.tr(
            "{target} cannot be written: {reason}", target=shown_path(target), reason=reason
        ) from error
    return target


def _write_into(stream: BinaryIO, write: Callable[[BinaryIO], None]) -> None:
    """Fill a file that can be searched, and pass it on to one that cannot."""
    with stream, tempfile.TemporaryFile() as made:
        write(made)
        made.seek(0)
        shutil.copyfileobj(made, stream)


def _flush_folder(folder: Path) -> None:
    """Write the new name to disk, too, where a folder can be flushed."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _mode_of(target: Path) -> int:
    """Permissions of the old file, or those that a new file gets here."""
    if target.exists():
        return target.stat().st_mode & 0o777
    # Asking for the mask sets it: two threads at once would leave it open for good.
    with _ASKING:
        mask = os.umask(0)
        os.umask(mask)
    return 0o666 & ~mask


def is_stream(path: Path) -> bool:
    """Return whether a path is a stream that is written in place, and no ordinary file."""
    try:
        return _descriptor(path) is not None or path.is_fifo() or path.is_char_device()
    except OSError:
        return False


def open_in_place(path: Path) -> BinaryIO | None:
    """Open a stream for writing; None for an ordinary file or a path that does not exist.

    Raises OSError, or TileLabError for something that cannot be written into.
    """
    number = _descriptor(path)
    if number is not None:
        for own in (sys.stdout, sys.stderr):
            if own is not None:
                own.flush()  # what was printed earlier comes first
        return os.fdopen(os.dup(number), "wb")
    if not path.exists() or path.is_file():
        return None
    if not is_stream(path):
        raise TileLabError.tr(
            "{path} is not an ordinary file; nothing is written to it", path=shown_path(path)
        )
    try:
        handle = os.open(path, _FLAGS)  # without waiting for a reader, which may never come
    except OSError as error:
        if error.errno == errno.ENXIO and path.is_fifo():
            raise TileLabError.tr(
                "{path} is a pipe without a reader", path=shown_path(path)
            ) from None
        raise
    os.set_blocking(handle, True)
    return os.fdopen(handle, "wb")


def _descriptor(path: Path) -> int | None:
    """Return which of this program's open files a path such as /dev/stdout means, if any.

    Raises OSError for one that is not open.
    """
    for _ in range(_MAX_LINKS):
        folder = _DESCRIPTORS.fullmatch(os.path.realpath(path.parent))
        if folder is not None and path.name.isascii() and path.name.isdigit():
            return _open_stream(path) if folder[1] in (None, str(os.getpid())) else None
        if not path.is_symlink():
            return None
        path = path.parent / path.readlink()
    return None


def _open_stream(path: Path) -> int:
    number = int(path.name)
    try:
        os.fstat(number)
    except OverflowError:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), str(path)) from None
    return number


def private_folder(path: Path) -> None:
    """Make a folder for the program's files alone, or restrict an existing one; raises OSError.

    Its contents are restricted too. A folder that also holds other things is not changed: the
    environment has chosen it. Folders above it get the usual rights.
    """
    if not path.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            path.mkdir(OWNER_FOLDER)
            path.chmod(OWNER_FOLDER)  # which a mask may have taken away
        if not path.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))
        return
    with contextlib.suppress(OSError):
        if all(entry.name.startswith(_OURS) for entry in path.iterdir()):
            close_to_others(path)


def private_file(path: Path) -> None:
    """Ensure that a file exists and only its owner can use it; raises OSError if that fails."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_FILE)
    except FileExistsError:
        close_to_others(path)
    else:
        os.close(handle)
        path.chmod(OWNER_FILE)


def close_to_others(path: Path) -> None:
    """Take all rights from others, of a folder and all in it; failures are ignored.

    What is restricted already is not searched again.
    """
    with contextlib.suppress(OSError):
        found = path.lstat()
        if not found.st_mode & _OTHERS or not _is_own(found):
            return
        if stat.S_ISREG(found.st_mode):
            path.chmod(OWNER_FILE)
        elif stat.S_ISDIR(found.st_mode) and not found.st_mode & stat.S_ISVTX:
            for entry in path.iterdir():
                close_to_others(entry)
            path.chmod(OWNER_FOLDER)  # last, so that an interrupted pass is repeated


def _is_own(found: os.stat_result) -> bool:
    return os.name != "nt" and found.st_uid == os.geteuid()
