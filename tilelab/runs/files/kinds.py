"""The kind of a file by its contents, so that nothing overwrites a file of another kind."""

import re
from collections.abc import Callable
from pathlib import Path

from tilelab.core.errors import TileLabError
from tilelab.core.files.paths import read_at_most
from tilelab.runs.files.atomic import is_stream

Kind = Callable[[bytes], bool]  # returns whether the contents of a file are of a kind
MAX_READ = 1 << 20  # number of bytes of a file that show its kind: a board has its notes at the end


def _matches(pattern: bytes) -> Kind:
    expression = re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    return lambda data: expression.search(data) is not None


# Saved boards name their puzzle; those of 1.0.0 have a seed, a score or a distance instead.
BOARD = _matches(rb"^# (?:puzzle|seed|score|away): ")
RUN = _matches(rb"\APK\x03\x04[\s\S]{26}header\.json")  # a ZIP file whose first member is a header
PDF = _matches(rb"\A%PDF")
PNG = _matches(rb"\A\x89PNG")
SVG = _matches(rb"\A\s*<(?:\?xml|!--|!DOCTYPE svg|svg)")
PICTURE = _matches(rb"\A\x89PNG|\A\s*<(?:\?xml|!--|!DOCTYPE svg|svg)")
PAGE = _matches(rb"\A\s*<!DOCTYPE html")
# CSV and JSON: the rows of a sweep, of the history, or of the trials of a search.
ROWS = _matches(rb"\A(?:solver,params|id,key|trial,state)|\A\s*(?:\[\s*[{\]]|\{)")
PROFILE = _matches(rb'\A\{"\$schema":"https://www\.speedscope\.app')
# A ZIP file whose first member is the text of a lesson.
LESSON = _matches(rb"\APK\x03\x04[\s\S]{26}[^/]{1,200}\.md")
COMPARISON = _matches(rb"\A# ")

# Kinds by suffix of what the window saves; its tables have different headings.
BY_SUFFIX = {
    ".txt": BOARD,
    ".tilelab": RUN,
    ".pdf": PDF,
    ".png": PNG,
    ".svg": SVG,
    ".html": PAGE,
    ".json": ROWS,
}


def holds_another(file: Path, kind: Kind) -> bool:
    """Return whether a file exists and has contents of another kind; an empty one has none."""
    try:
        if is_stream(file) or not file.is_file():
            return False
        data = read_at_most(file, MAX_READ)
    except (TileLabError, OSError, ValueError):
        return False  # writing it reports the error
    return bool(data) and not kind(data)
