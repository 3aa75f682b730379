"""Files that are dragged onto the window."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData

from tilelab.gui.run_files import is_run_file
from tilelab.runs.session import Action

if TYPE_CHECKING:
    from tilelab.gui.main_window import MainWindow


def accepts(window: "MainWindow", data: QMimeData) -> bool:
    """Tell whether what is dragged over the window can be loaded now."""
    return bool(_files(data)) and Action.LOAD in window.page.standing.allowed


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
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
