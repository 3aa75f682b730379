"""Reading the text of a board or grid file, whoever wrote it."""

from pathlib import Path

from tilelab.core.errors import GridError
from tilelab.core.paths import expanded


def read_text(path: str | Path, max_bytes: int) -> str:
    """Return the text of a UTF-8 file; raises GridError with one sentence on any fault."""
    source = expanded(path)
    try:
        with source.open("rb") as file:
            data = file.read(max_bytes + 1)
    except OSError as fault:
        raise GridError(f"{source} cannot be read: {fault.strerror or fault}") from fault
    if len(data) > max_bytes:
        raise GridError(f"{source} is larger than such a file can be ({max_bytes:,} bytes)")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data[: fault.start].count(b"\n") + 1
        raise GridError(f"{source} is not a text file: line {line} is not UTF-8") from fault
    if "\0" in text:
        raise GridError(f"{source} is not a text file")
    return text
