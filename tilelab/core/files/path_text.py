"""Paths as text, for files and programs that give them back."""

import os
from pathlib import Path
from urllib.parse import unquote_to_bytes

from tilelab.core.text.shown_text import one_line

_SCHEME = "file:///"
"""No path is written so: two of its slashes would be one."""


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
