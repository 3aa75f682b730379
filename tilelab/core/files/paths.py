"""Paths and ordinary files: questions that have an answer even where the system refuses it."""

import contextlib
import io
import os
import stat
from pathlib import Path
from urllib.parse import unquote_to_bytes

from tilelab.core.errors import GridError, TileLabError
from tilelab.core.text.language import figures, tr
from tilelab.core.text.shown_text import one_line, shown_path

_SCHEME = "file:///"
"""No path is written so: two of its slashes would be one."""


def expanded(path: str | Path, folder: Path | None = None) -> Path:
    """Make a path of a text, a ``file:`` URI too, and write out a home folder and each ``..``.

    SQLite opens no file whose path goes above the root, and a folder before a ``..`` would be made
    with its parents. folder: where a relative path begins, None for the working folder. Raises
    TileLabError for the home folder of a user who does not exist.
    """
    try:
        found = (path_from(path) if isinstance(path, str) else path).expanduser()
    except RuntimeError:
        raise TileLabError(
            tr("{path} is in the home folder of an unknown user", path=shown_path(path))
        ) from None
    if folder is not None:
        found = folder / found
    if ".." not in found.parts:
        return found
    # A file that is a link stays one: what is beside it is meant, too.
    is_folder_above = found.name == ".."
    above = os.path.realpath(found if is_folder_above else found.parent)
    return Path(above) if is_folder_above else Path(above, found.name)


def resolved(path: Path) -> Path:
    """Follow links; raises OSError where they lead in a circle or cannot be followed."""
    with contextlib.suppress(FileNotFoundError):
        path.stat()
    return path.resolve()


def is_there(path: Path) -> bool:
    """Return whether something is there, or may be: then reading it will say what is wrong."""
    try:
        return path.exists()
    except OSError:
        return True


def is_folder(path: Path) -> bool:
    """Return whether a path is a folder that can be seen."""
    try:
        return path.is_dir()
    except OSError:
        return False


def path_text(path: str | os.PathLike[str]) -> str:
    """Write a path so that :func:`path_from` gives it back: as it is, or as a ``file:`` URI.

    A URI stands for a path that is not one plain line: one that no file of text takes because its
    bytes are not UTF-8, or one that could not be copied from a terminal.
    """
    text = os.fspath(path)
    return text if one_line(text) == text else Path(text).absolute().as_uri()


def path_from(text: str) -> Path:
    """Make a path of what :func:`path_text` wrote, or a user."""
    if text.startswith(_SCHEME):
        return Path(os.fsdecode(unquote_to_bytes(text[len(_SCHEME) - 1 :])))
    return Path(text)


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
        raise error_class(tr("{source} is not a path", source=shown_path(source))) from None
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
                "{name} is larger than {max_bytes} bytes, the maximum for such a file",
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
