"""Paths as text: for people, and for files and programs that give them back.

A file's name is bytes, and Python writes those that are no UTF-8 as lone surrogates. No text may
hold these: SQLite, JSON's strict readers and streams refuse them, and Qt leaves them out.
"""

import os
import re
from pathlib import Path
from urllib.parse import unquote_to_bytes

_SCHEME = "file:///"
"""No path is written so: two of its slashes would be one."""
_LONE = re.compile("[\ud800-\udfff]")
_FIRST_BYTE, _LAST_BYTE = 0xDC80, 0xDCFF


def shown(text: str | os.PathLike[str]) -> str:
    r"""Write a path, or a text with one in it, for people: a byte that is no UTF-8 as ``\xff``."""
    return _LONE.sub(_escaped, os.fspath(text))


def path_text(path: str | os.PathLike[str]) -> str:
    """Write a path so that :func:`path_from` gives it back: as it is, or as a ``file:`` URI."""
    text = os.fspath(path)
    return Path(text).absolute().as_uri() if _LONE.search(text) else text


def path_from(text: str) -> Path:
    """Make a path of what :func:`path_text` wrote, or a person."""
    if text.startswith(_SCHEME):
        return Path(os.fsdecode(unquote_to_bytes(text[len(_SCHEME) - 1 :])))
    return Path(text)


def _escaped(lone: re.Match[str]) -> str:
    code = ord(lone[0])
    is_byte = _FIRST_BYTE <= code <= _LAST_BYTE
    return f"\\x{code & 0xFF:02x}" if is_byte else f"\\u{code:04x}"
