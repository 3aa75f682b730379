"""Printing what a page shows: its sheet is made beside the window, then shown in a dialog."""

from collections.abc import Iterator

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QWidget

from tilelab.core.errors import TileLabError
from tilelab.core.puzzle import Best, Puzzle
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.sheet.dialog import SheetDialog
from tilelab.gui.threads.task_runner import Background
from tilelab.gui.widgets.settings import Settings
from tilelab.runs.files.carried import CarriedRun, carried_text
from tilelab.sheets.making import sheet_of
from tilelab.sheets.sheet import Sheet


class SheetPrinting(QObject):
    """Makes the sheet of the page that is shown, and offers to print or save it."""

    def __init__(self, settings: Settings, window: QWidget) -> None:
        super().__init__(window)
        self._settings, self._window = settings, window
        self._page: PuzzlePage | None = None
        self._background = Background(self)
        self._background.reported.connect(self._show)
        self._background.failed.connect(self._failed)

    def ask(self, page: PuzzlePage) -> None:
        """Print what a page shows; says so where there is nothing."""
        try:
            saved = page.to_save()
            found = page.to_print()
        except TileLabError as error:  # of a board that is being edited
            page.notice.show_error(str(error))
            return
        if found is None:
            page.notice.show_error("There is no board to print yet.")
            return
        self._page = page
        self._background.start(_making(*found, None if saved is None else saved.carried))

    @Slot(object)
    def _show(self, made: tuple[Sheet, str]) -> None:
        assert self._page is not None
        sheet, carried = made
        dialog = SheetDialog((sheet,), self._settings, self._window, carried)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.done_with.connect(self._page.notice.show_done)
        dialog.open()

    @Slot(str)
    def _failed(self, text: str) -> None:
        if self._page is not None:
            self._page.notice.show_error(text)


def _making(puzzle: Puzzle, best: Best, run: CarriedRun | None) -> Iterator[object]:
    yield sheet_of(puzzle, best), "" if run is None else carried_text(run)
