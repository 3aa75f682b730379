"""Asks for the file of a film and makes it in the background, with progress and cancel."""

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QProgressDialog, QWidget

from tilelab.core.text.language import tr
from tilelab.gui.boards.animation import film
from tilelab.gui.boards.film_file import KINDS
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.threads.task_runner import Background
from tilelab.gui.widgets.file_dialog import ask_to_save
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import current_theme

FILM_KINDS = ";;".join(KINDS.values())
"""As a dialog has them."""


class FilmFlow(QObject):
    """Exports films of solutions and of runs."""

    done = Signal(str)
    """A film was written; the text says where."""
    failed = Signal(str)
    """It could not be written; the text says why."""

    def __init__(self, settings: Settings, window: QWidget) -> None:
        super().__init__(window)
        self._settings, self._window = settings, window
        self._path = Path()
        self._progress: QProgressDialog | None = None
        self._background = Background(self)
        self._background.reported.connect(self._reported)
        self._background.ended.connect(self._ended)
        self._background.failed.connect(self._refused)

    def ask(self, start: TileScene, moves: str, milliseconds: int) -> None:
        """Ask for a file, then make the film; milliseconds: the time of one move."""
        rows, cols = start.shape
        suggested = self._settings.folder / f"tiles-{rows}x{cols}-{len(moves)}-moves.gif"
        path = ask_to_save(self._window, tr("Export the solution"), suggested, FILM_KINDS)
        if path is not None:
            self.make(start, moves, milliseconds, path)

    def make(self, start: TileScene, moves: str, milliseconds: int, path: Path) -> None:
        """Make a film of a solution."""
        self.begin(film(start, moves, milliseconds, current_theme(), path), path)

    def begin(self, job: Iterator[float], path: Path) -> None:
        """Make a film; a small window shows how far it is, and calls it off.

        job: writes the file, and yields the part that is done.
        """
        self._put_away()
        self._path = path
        self._progress = QProgressDialog(
            tr("Drawing the film…"), tr("Cancel"), 0, 1000, self._window
        )
        self._progress.setWindowTitle(tr("Film"))
        self._progress.setWindowModality(Qt.WindowModality.WindowModal)
        self._progress.setMinimumDuration(0)
        self._progress.setAutoClose(False)
        self._progress.setAutoReset(False)
        self._progress.canceled.connect(self._called_off)
        self._background.start(job)

    @Slot(object)
    def _reported(self, part: object) -> None:
        if self._progress is not None and isinstance(part, float):
            self._progress.setValue(round(1000 * part))

    @Slot()
    def _ended(self) -> None:
        self._put_away()
        self._settings.folder = self._path.resolve().parent
        self.done.emit(tr("Saved {path}").format(path=self._path))

    @Slot(str)
    def _refused(self, text: str) -> None:
        self._put_away()
        self.failed.emit(text)

    @Slot()
    def _called_off(self) -> None:
        self._background.cancel()
        self._put_away()

    def _put_away(self) -> None:
        if self._progress is not None:
            # Closing it would report once more that it was cancelled.
            self._progress.canceled.disconnect(self._called_off)
            self._progress.close()
            self._progress.deleteLater()
            self._progress = None
