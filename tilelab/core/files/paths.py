"""Paths: questions that have an answer even where the system refuses it, and paths as text."""

import contextlib
import os
from pathlib import Path
from urllib.parse import unquote_to_bytes

from tilelab.core.errors import TileLabError
from tilelab.core.text.language import tr
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
            tr("{path} is in the home folder of nobody", path=shown_path(path))
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
