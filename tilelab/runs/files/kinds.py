"""What a file is by its contents, so that nothing is written over a file of another kind."""

import re
from collections.abc import Callable
from pathlib import Path

from tilelab.core.errors import TileLabError
from tilelab.core.files.paths import read_at_most
from tilelab.runs.files.atomic import is_stream

Kind = Callable[[bytes], bool]
"""Says whether the contents of a file are of a kind."""
MAX_READ = 1 << 20
"""Bytes of a file by which its kind is known: a board has its notes at the end."""


def _matches(pattern: bytes) -> Kind:
    expression = re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    return lambda data: expression.search(data) is not None


BOARD = _matches(rb"^# (?:seed|score|away): ")
"""One of a run has a seed, a letter grid a score, numbered tiles a distance."""
RUN = _matches(rb"\APK\x03\x04[\s\S]{26}header\.json")
"""A ZIP file whose first member is a header."""
PDF = _matches(rb"\A%PDF")
PNG = _matches(rb"\A\x89PNG")
SVG = _matches(rb"\A\s*<(?:\?xml|!--|!DOCTYPE svg|svg)")
PICTURE = _matches(rb"\A\x89PNG|\A\s*<(?:\?xml|!--|!DOCTYPE svg|svg)")
PAGE = _matches(rb"\A\s*<!DOCTYPE html")
ROWS = _matches(rb"\A(?:solver,params|id,key|trial,state)|\A\s*(?:\[\s*[{\]]|\{)")
"""CSV and JSON: the rows of a sweep, of the history, or of the trials of a search."""
PROFILE = _matches(rb'\A\{"\$schema":"https://www\.speedscope\.app')
COMPARISON = _matches(rb"\A# ")

BY_SUFFIX = {
    ".txt": BOARD,
    ".tilelab": RUN,
    ".pdf": PDF,
    ".png": PNG,
    ".svg": SVG,
    ".html": PAGE,
    ".json": ROWS,
}
"""Of what the window saves; the tables that it saves have several headings."""


def holds_another(file: Path, kind: Kind) -> bool:
    """Return whether a file is there and holds something else; an empty one holds nothing."""
    try:
        if is_stream(file) or not file.is_file():
            return False
        data = read_at_most(file, MAX_READ)
    except (TileLabError, OSError, ValueError):
        return False  # writing it says what is wrong with it
    return bool(data) and not kind(data)
