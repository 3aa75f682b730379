"""What becomes of the runs when the window closes: asked once, for all of them together."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot

from tilelab.gui.shell.shutdown_dialog import Closing, ClosingDialog
from tilelab.runs.session import Action, State

if TYPE_CHECKING:
    from tilelab.gui.run.run_page import PuzzlePage
    from tilelab.gui.shell.main_window import MainWindow


class ClosingFlow(QObject):
    """Runs are kept for the next start, saved to files, or discarded."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._closes_when_saved = False
        self._keeps: list[PuzzlePage] = []
        self.asks = True
        """Whether a person is there to answer; without one the runs are kept."""

    def keeps(self, page: "PuzzlePage") -> bool:
        """Tell whether the run of a page is offered at the next start."""
        return page in self._keeps

    def may_close(self) -> bool:
        """Ask what there is to ask; False when the window stays open, be it until all is saved."""
        pages = self._window.pages
        self._keeps = []
        self._closes_when_saved = any(page.run_files.is_busy for page in pages)
        if self._closes_when_saved:
            self._window.page.notice.show_note(
                "The window closes as soon as the run is saved.", stays=True
            )
            return False
        unfinished = [page for page in pages if page.unsaved.has_run]
        answer = Closing.KEEP
        if unfinished and self.asks:
            answer = ClosingDialog(self._window, [page.words for page in unfinished]).answer()
        if answer is Closing.KEEP:
            self._keeps = unfinished
        if answer is Closing.SAVE_AS:
            self._save(unfinished)
        return answer in (Closing.KEEP, Closing.DISCARD) and self._may_lose_failed()

    def _may_lose_failed(self) -> bool:
        """A run that has failed cannot go on; its best grid can be saved."""
        for page in self._window.pages:
            if self.asks and page.run.status.state is State.FAILED and page.unsaved.has_best:
                self._window.show_puzzle(page.puzzle_key)
                if not page.unsaved.may_lose("Closing the window ends the run"):
                    return False
        return True

    def _save(self, pages: "list[PuzzlePage]") -> None:
        targets = []
        for page in pages:
            self._window.show_puzzle(page.puzzle_key)
            path = page.run_files.ask_for_target()
            if path is None:
                return
            targets.append(path)
        for page, path in zip(pages, targets, strict=True):
            # Stopped first: a run that goes on would be newer than its file, and asked about again.
            page.act(Action.STOP)
            page.run_files.save(path)
        self._closes_when_saved = True

    @Slot()
    def saved(self) -> None:
        """A run is in its file: close when it was the last one."""
        if self._closes_when_saved:
            # Only when what has told of it is done with its own work.
            QTimer.singleShot(0, self._window, self._window.close)

    @Slot()
    def failed(self) -> None:
        """A run could not be saved: the window stays."""
        self._closes_when_saved = False
