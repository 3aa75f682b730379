"""Opening and reading files that the user has named, without waiting for what is no file."""

import io
import os
import stat
from pathlib import Path

from tilelab.core.errors import GridError, TileLabError
from tilelab.core.files.paths import expanded
from tilelab.core.text.language import figures, tr
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
        raise error_class(tr("{source} is no path", source=shown_path(source))) from None
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
            tr("{source} is {kind}, not an ordinary file", source=shown_path(source), kind=kind)
        )


def _cannot_be_read(source: Path, error: OSError, error_class: type[TileLabError]) -> TileLabError:
    return error_class(
        tr(
            "{file} cannot be read: {reason}",
            file=shown_path(source),
            reason=error.strerror or error,
        )
    )


def read_text(path: str | Path, max_bytes: int) -> str:
    """Return the text of a UTF-8 file; raises GridError with one sentence on any error."""
    source = expanded(path)
    name = shown_path(source)
    data = read_at_most(source, max_bytes + 1, GridError)
    if len(data) > max_bytes:
        raise GridError(
            tr(
                "{name} is larger than such a file can be ({max_bytes} bytes)",
                name=name,
                max_bytes=figures(max_bytes, ","),
            )
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise GridError(
            tr("{name} is not a text file: line {line} is not UTF-8", name=name, line=line)
        ) from error
    if "\0" in text:
        raise GridError(tr("{name} is not a text file", name=name))
    return text
