"""Reading the text of a board or grid file, whoever wrote it."""

from pathlib import Path

from tilelab.core.errors import GridError
from tilelab.core.files.ordinary_file import read_at_most
from tilelab.core.files.paths import expanded
from tilelab.core.text.language import figures, tr
from tilelab.core.text.shown_text import shown_path


def read_text(path: str | Path, max_bytes: int) -> str:
    """Return the text of a UTF-8 file; raises GridError with one sentence on any error."""
    source = expanded(path)
    name = shown_path(source)
    data = read_at_most(source, max_bytes + 1, GridError)
    if len(data) > max_bytes:
        raise GridError(
            tr("{name} is larger than such a file can be ({max_bytes} bytes)").format(
                name=name, max_bytes=figures(max_bytes, ",")
            )
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise GridError(
            tr("{name} is not a text file: line {line} is not UTF-8").format(name=name, line=line)
        ) from error
    if "\0" in text:
        raise GridError(tr("{name} is not a text file").format(name=name))
    return text
