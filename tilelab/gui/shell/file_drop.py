"""Files that are dragged onto the window."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QUrl

from tilelab.core.path_text import path_from
from tilelab.gui.run.run_files import is_run_file
from tilelab.runs.session import Action

if TYPE_CHECKING:
    from tilelab.gui.shell.main_window import MainWindow

_LOST = "\N{REPLACEMENT CHARACTER}"


def accepts(window: "MainWindow", data: QMimeData) -> bool:
    """Tell whether what is dragged over the window can be loaded now."""
    return bool(_files(data)) and Action.LOAD in window.page.run.status.allowed


def drop(window: "MainWindow", data: QMimeData) -> None:
    """Load a file that was dropped."""
    files = _files(data)
    if len(files) > 1:
        window.page.notice.show_error("Drop one file at a time; several were dropped.")
    elif is_run_file(files[0]):
        window.open_run_file(files[0])
    else:
        window.page.open_file(files[0])


def _files(data: QMimeData) -> list[Path]:
    return [_file(url) for url in data.urls() if url.isLocalFile()]


def _file(url: QUrl) -> Path:
    """Return a file's path; Qt's own form of a name that is no UTF-8 leads nowhere."""
    path = url.toLocalFile()
    return path_from(bytes(url.toEncoded().data()).decode()) if _LOST in path else Path(path)
