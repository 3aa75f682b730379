"""Paths and ordinary files, with one kind of error for all that the system may refuse."""

import contextlib
import io
import os
import stat
from pathlib import Path
from typing import Literal
from urllib.parse import unquote_to_bytes

from tilelab.core.errors import GridError, NotTextError, TileLabError, system_errors_as
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import one_line, shown_path

_SCHEME = "file:///"  # beginning of a URI; no path begins so: repeated slashes count as one


def expanded(path: str | Path, folder: Path | None = None) -> Path:
    """Make a path from a text or a ``file:`` URI, and resolve a home folder and each ``..``.

    folder: base of a relative path. Raises TileLabError for the home folder of an unknown user.
    SQLite opens no path above the root, and a folder before a ``..`` would be created, too.
    """
    try:
        found = (path_from(path) if isinstance(path, str) else path).expanduser()
    except RuntimeError:
        raise TileLabError.tr(
            "{path} is in the home folder of an unknown user", path=shown_path(path)
        ) from None
    if folder is not None:
        found = folder / found
    if ".." not in found.parts:
        return found
    # A link to a file stays a link, because files next to the link may be needed, too.
    is_folder_above = found.name == ".."
    above = os.path.realpath(found if is_folder_above else found.parent)
    return Path(above) if is_folder_above else Path(above, found.name)


def resolved(path: Path) -> Path:
    """Follow links; raises OSError if they form a circle or cannot be followed."""
    with contextlib.suppress(FileNotFoundError):
        path.stat()
    return path.resolve()


def is_there(path: Path) -> bool:
    """Return whether a path exists, or may exist; reading it then reports what is wrong."""
    try:
        return path.exists()
    except OSError:
        return True


def is_folder(path: Path) -> bool:
    """Return whether a path is a folder that the user can access."""
    try:
        return path.is_dir()
    except OSError:
        return False


def data_folder(author: Literal[False] | None = None) -> Path:
    """Return ``TILELAB_DATA_DIR``, or else the user's data folder of the program.

    author: False for a folder that 1.0.0 did not place in one of an author on Windows.
    """
    from platformdirs import user_data_path

    named = os.environ.get("TILELAB_DATA_DIR")
    return Path(named) if named else user_data_path("tilelab", author)


def path_text(path: str | os.PathLike[str]) -> str:
    """Write a path for :func:`path_from`; one that is no plain line becomes a ``file:`` URI."""
    text = os.fspath(path)
    return text if one_line(text) == text else Path(text).absolute().as_uri()


def path_from(text: str) -> Path:
    if text.startswith(_SCHEME):
        return Path(os.fsdecode(unquote_to_bytes(text[len(_SCHEME) - 1 :])))
    return Path(text)


_UNREADABLE = marked("{file} cannot be read: {reason}")
_KINDS = (
    (stat.S_ISDIR, marked("{source} is a folder, not an ordinary file")),
    (stat.S_ISFIFO, marked("{source} is a pipe, not an ordinary file")),
    (stat.S_ISCHR, marked("{source} is a device, not an ordinary file")),
    (stat.S_ISBLK, marked("{source} is a device, not an ordinary file")),
    (stat.S_ISSOCK, marked("{source} is a socket, not an ordinary file")),
)


def open_ordinary(
    source: Path, error_class: type[TileLabError] = TileLabError
) -> io.BufferedReader:
    """Open a file for reading; raises error_class, also for a folder, a pipe or a device."""
    try:
        with system_errors_as(error_class, _UNREADABLE, file=shown_path(source)):
            # Checked before opening, because opening a pipe wakes its writer; and again
            # afterwards, because the file may have been replaced in between.
            _require_ordinary(source.stat(), source, error_class)
            flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
            file = os.fdopen(os.open(source, flags), "rb")
            try:
                _require_ordinary(os.fstat(file.fileno()), source, error_class)
            except TileLabError:
                file.close()
                raise
    except ValueError:
        raise error_class.tr("{source} is not a path", source=shown_path(source)) from None
    return file


def read_at_most(
    source: Path, n_bytes: int, error_class: type[TileLabError] = TileLabError
) -> bytes:
    """Return the first bytes of a file; raises error_class as :func:`open_ordinary` does."""
    with (
        open_ordinary(source, error_class) as file,
        system_errors_as(error_class, _UNREADABLE, file=shown_path(source)),
    ):
        return file.read(n_bytes)


def _require_ordinary(found: os.stat_result, source: Path, error_class: type[TileLabError]) -> None:
    if not stat.S_ISREG(found.st_mode):
        other = marked("{source} is not an ordinary file")
        text = next((text for is_one, text in _KINDS if is_one(found.st_mode)), other)
        raise error_class(tr(text, source=shown_path(source)))


def read_text(path: str | Path, max_bytes: int) -> str:
    """Return the text of a UTF-8 file; raises GridError with one sentence on any error."""
    source = expanded(path)
    name = shown_path(source)
    data = read_at_most(source, max_bytes + 1, GridError)
    if len(data) > max_bytes:
        raise GridError.tr(
            "{name} is larger than {max_bytes} bytes, the maximum for such a file",
            name=name,
            max_bytes=figures(max_bytes, ","),
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise NotTextError.tr(
            "{name} is not a text file: line {line} is not UTF-8", name=name, line=line
        ) from error
    if "\0" in text:
        raise NotTextError.tr("{name} is not a text file", name=name)
    return text
