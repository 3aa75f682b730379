"""Files that are either wholly the old or wholly the new.

The program's own files are for their owner alone; those that a user names get the usual rights.
"""

import contextlib
import os
import shutil
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from tilelab.core.errors import TileLabError
from tilelab.core.files.paths import expanded, resolved
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import shown_path
from tilelab.runs.files.in_place import opened_in_place

_ASKING = threading.Lock()


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

    What is there and is no ordinary file (a pipe, a terminal, /dev/stdout) is written into instead.
    write: fills the file that it is given, which can be read and searched, too. mode: permissions;
    None for those of the old file, or those that a new file gets here. Returns the path; raises
    TileLabError when it cannot be written, and the old file is then untouched.
    """
    target = expanded(path)
    try:
        if (stream := opened_in_place(target)) is not None:
            _write_into(stream, write)
            return target
        # A link stays one; what it points to is replaced.
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
        raise TileLabError(
            tr("{target} cannot be written: {reason}").format(
                target=shown_path(target), reason=reason
            )
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
