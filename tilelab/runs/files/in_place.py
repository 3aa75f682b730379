"""Writing into what stands there already and is no ordinary file: a terminal, a pipe, a device.

What a shell has opened for the program, such as /dev/stdout, is written into as well, whatever is
behind it: a new file in its place would never be seen by those who have it open.
"""

import errno
import os
import re
import sys
from pathlib import Path
from typing import BinaryIO

from tilelab.core.errors import TileLabError
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import shown_path

_DESCRIPTORS = re.compile(r"/dev/fd|/proc/(\d+)(/task/\d+)?/fd")
_MOST_LINKS = 40
_FLAGS = os.O_WRONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)


def is_stream(path: Path) -> bool:
    """Return whether a path is written into where it stands: what goes there is no file."""
    try:
        return _descriptor(path) is not None or path.is_fifo() or path.is_char_device()
    except OSError:
        return False


def opened_in_place(path: Path) -> BinaryIO | None:
    """Open a stream for writing; None for an ordinary file, and for none.

    Raises OSError, and TileLabError for what nothing is written into.
    """
    number = _descriptor(path)
    if number is not None:
        for own in (sys.stdout, sys.stderr):
            if own is not None:
                own.flush()  # what was printed before comes before it
        return os.fdopen(os.dup(number), "wb")
    if not path.exists() or path.is_file():
        return None
    if not is_stream(path):
        raise TileLabError(
            tr("{path} is not an ordinary file; nothing is written to it").format(
                path=shown_path(path)
            )
        )
    try:
        handle = os.open(path, _FLAGS)  # without waiting for a reader, who may never come
    except OSError as error:
        if error.errno == errno.ENXIO and path.is_fifo():
            raise TileLabError(
                tr("{path} is a pipe that nobody reads").format(path=shown_path(path))
            ) from None
        raise
    os.set_blocking(handle, True)
    return os.fdopen(handle, "wb")


def _descriptor(path: Path) -> int | None:
    """Return which of this program's open files a path such as /dev/stdout stands for, if any.

    Raises OSError for one that is not open.
    """
    for _ in range(_MOST_LINKS):
        folder = _DESCRIPTORS.fullmatch(os.path.realpath(path.parent))
        if folder is not None and path.name.isascii() and path.name.isdigit():
            return _opened(path) if folder[1] in (None, str(os.getpid())) else None
        if not path.is_symlink():
            return None
        path = path.parent / path.readlink()
    return None


def _opened(path: Path) -> int:
    number = int(path.name)
    try:
        os.fstat(number)
    except OverflowError:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), str(path)) from None
    return number
