"""Opening files that somebody has named, without ever waiting for what is none."""

import io
import os
import stat
from pathlib import Path

from tilelab.core.errors import TileLabError
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import shown_path

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


def open_ordinary(
    source: Path, error_class: type[TileLabError] = TileLabError
) -> io.BufferedReader:
    """Open a file for reading; raises error_class with one sentence where that is not possible.

    A folder, a pipe, a terminal or a device is refused: whoever reads from those may wait for ever,
    or never come to an end. A link to an ordinary file is as good as the file.
    """
    try:
        # Looked at first, because opening a pipe wakes whoever waits to write into it; and once
        # more when it is open, because something else may stand there by then.
        _require_ordinary(source.stat(), source, error_class)
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        file = os.fdopen(os.open(source, flags), "rb")
        try:
            _require_ordinary(os.fstat(file.fileno()), source, error_class)
        except TileLabError:
            file.close()
            raise
    except OSError as error:
        raise _cannot_be_read(source, error, error_class) from error
    except ValueError:
        raise error_class(tr("{source} is no path").format(source=shown_path(source))) from None
    return file


def read_at_most(
    source: Path, n_bytes: int, error_class: type[TileLabError] = TileLabError
) -> bytes:
    """Return the first bytes of a file; raises error_class as :func:`open_ordinary` does."""
    with open_ordinary(source, error_class) as file:
        try:
            return file.read(n_bytes)
        except OSError as error:
            raise _cannot_be_read(source, error, error_class) from error


def _require_ordinary(found: os.stat_result, source: Path, error_class: type[TileLabError]) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = next((kind for is_one, kind in _KINDS if is_one(found.st_mode)), "something else")
        raise error_class(
            tr("{source} is {kind}, not an ordinary file").format(
                source=shown_path(source), kind=kind
            )
        )


def _cannot_be_read(source: Path, error: OSError, error_class: type[TileLabError]) -> TileLabError:
    return error_class(
        tr("{source} cannot be read: {value}").format(
            source=shown_path(source), value=error.strerror or error
        )
    )
