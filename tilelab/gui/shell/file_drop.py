"""Files that are dragged onto the window."""

from pathlib import Path

from PySide6.QtCore import QMimeData, QUrl

from tilelab.core.files.paths import path_from

_LOST = "\N{REPLACEMENT CHARACTER}"


def dropped_files(data: QMimeData) -> list[Path]:
    """Return the local files that are dragged or dropped; [] when it is something else."""
    return [_file(url) for url in data.urls() if url.isLocalFile()]


def _file(url: QUrl) -> Path:
    """Return a file's path; Qt's own form of a name that is no UTF-8 leads nowhere."""
    path = url.toLocalFile()
    return path_from(bytes(url.toEncoded().data()).decode()) if _LOST in path else Path(path)
