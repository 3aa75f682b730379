"""Open run files: read in the background, then handed to the page of their puzzle."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from tilelab.catalog import puzzle_of_board
from tilelab.core.text.language import tr
from tilelab.gui.run.load_menu import RECENT
from tilelab.gui.run.run_files import PICTURE_FILTER, RUN_FILTER
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.gui.widgets.file_dialog import ask_to_open
from tilelab.gui.widgets.notice_bar import NoticeBar
from tilelab.gui.widgets.settings import Settings
from tilelab.runs.actions import Action
from tilelab.runs.files.carried import open_run, opened, read_filling
from tilelab.runs.recipe import PrerequisiteProgress, with_prerequisites
from tilelab.runs.session import Checkpoint


class RunOpener(QObject):
    """Asks for a run file, reads and checks it, and does not change the window if it is bad."""

    run_read = Signal(object, object, object, str)
    """Emitted with Checkpoint and path of a run, the units after which it is resumed at once, None
    for a run that is only opened, and a sentence on how it differs from its sheet on paper."""

    def __init__(
        self, shown_page: Callable[[], PuzzlePage], settings: Settings, parent: QWidget
    ) -> None:
        """parent: parent of the file dialog."""
        super().__init__(parent)
        self._shown_page, self._settings, self._dialog_parent = shown_page, settings, parent
        self._note: tuple[NoticeBar, str] | None = None
        self._path: Path | None = None  # file that is being opened
        self._resumed_at: int | None = None
        self._waiting: PuzzlePage | None = None  # page that shows the preparation of a run
        self._background = TaskRunner(self, self._reported, failed=self._failed)

    def ask(self) -> None:
        """Ask for a run file, if another board may be loaded now."""
        if self._shown_page().control.refuses(Action.LOAD):
            return
        filters = tr(
            "{run_filter};;{picture_filter};;All files (*)",
            run_filter=tr(RUN_FILTER),
            picture_filter=tr(PICTURE_FILTER),
        )
        chosen = ask_to_open(self._dialog_parent, tr("Open a run"), self._settings.folder, filters)
        if chosen is not None:
            self.open(chosen)

    def open(self, path: Path, *, resumed_at: int | None = None) -> None:
        """Read a run file in the background, then emit it; resumed_at: as for the signal."""
        self._settle()
        self._path, self._resumed_at = path, resumed_at
        notice, text = self._shown_page().notice, tr("Opening {name}…", name=path.name)
        notice.show_note(text, stays=True)
        self._note = notice, text
        self._background.start(_reading(path))

    def take_over(self, before: "RunOpener") -> None:
        """Open the run that another window's opener was reading."""
        if before._path is not None:
            self.open(before._path, resumed_at=before._resumed_at)

    def remember(self, path: Path) -> None:
        """Add an opened file to the recent ones, and start with its folder next time."""
        self._settings.folder = path.parent
        self._settings.add_recent(path, RECENT)

    @Slot(object)
    def _reported(self, reported: PrerequisiteProgress | tuple[Path, Checkpoint, str]) -> None:
        if isinstance(reported, PrerequisiteProgress):
            # The preparation of the run overlays the status of the page.
            if self._waiting is None:
                self._waiting = self._shown_page()
                self._waiting.control.opening_cancelled.connect(self._cancel)
            self._waiting.run.set_making(str(reported))
        else:
            self._cancel()
            path, run, difference = reported
            self.run_read.emit(run, path, self._resumed_at, difference)

    @Slot()
    def _cancel(self) -> None:
        self._background.cancel()
        self._settle()

    @Slot(str)
    def _failed(self, text: str) -> None:
        self._settle()
        self._shown_page().notice.show_error(text)

    def _settle(self) -> None:
        """Remove the message about the opening."""
        if self._waiting is not None:
            self._waiting.control.opening_cancelled.disconnect(self._cancel)
            self._waiting.run.set_making("")
        if self._note is not None:
            notice, text = self._note
            notice.withdraw(text)
        self._waiting = self._note = self._path = None


def _reading(path: Path) -> Iterator[object]:
    run = yield from with_prerequisites(partial(_opened, path))
    filling, difference = read_filling(path), ""
    if filling is not None and not filling.cells:
        difference = tr("The unused cells differ from the sheet on paper.")
    elif filling is not None and filling.message:
        difference = tr(
            "The letters of the hidden message stay, but the sheet no longer mentions it when this "
            "board is printed again."
        )
    yield path, run, difference


def _opened(path: Path) -> Checkpoint:
    """Read the run of a file, or the board of a text as its sheet carries it."""
    if puzzle_of_board(path):
        # Late: the window's first paint loads only what it shows.
        from tilelab.sheets.sheet_files import source_of_file

        if (carried := source_of_file(path).make(None).carried) is not None:
            return opened(carried)
    return open_run(path)
