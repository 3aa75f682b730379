"""What becomes of the runs when the window closes: asked once, for all of them together."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from tilelab.core.text.language import tr
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.shell.shutdown_dialog import Closing, ShutdownDialog
from tilelab.runs.actions import Action, State


class Shutdown(QObject):
    """Runs are kept for the next start, saved to files, or discarded."""

    page_wanted = Signal(str)
    """The puzzle whose page shall be shown, for what is asked next is about its run."""
    waits = Signal(str)
    """The window stays open until a run is saved; a sentence that says so."""
    all_saved = Signal()
    """The window was to close, and nothing keeps it open any more."""

    def __init__(self, pages: Callable[[], Sequence[PuzzlePage]], parent: QWidget) -> None:
        """pages: returns those there are by now. parent: in front of it the question is asked."""
        super().__init__(parent)
        self._pages, self._question_parent = pages, parent
        self._closes_when_saved = False
        self._keeps: list[PuzzlePage] = []
        self.asks = True
        """Whether a user is there to answer; without one the runs are kept."""

    def keeps(self, page: PuzzlePage) -> bool:
        """Return whether the run of a page is offered at the next start."""
        return page in self._keeps

    def may_close(self) -> bool:
        """Ask what there is to ask; False when the window stays open, be it until all is saved."""
        pages = self._pages()
        self._keeps = []
        self._closes_when_saved = any(page.run_files.is_busy for page in pages)
        if self._closes_when_saved:
            self.waits.emit(tr("The window closes as soon as the run is saved."))
            return False
        unfinished = [page for page in pages if page.unsaved.has_run]
        answer = Closing.KEEP
        if unfinished and self.asks:
            runs = [page.words for page in unfinished]
            answer = ShutdownDialog(self._question_parent, runs).answer()
        if answer is Closing.KEEP:
            self._keeps = unfinished
        if answer is Closing.SAVE_AS:
            self._save(unfinished)
        return answer in (Closing.KEEP, Closing.DISCARD) and self._may_lose_failed()

    def _may_lose_failed(self) -> bool:
        """A run that has failed cannot go on; its best grid can be saved."""
        for page in self._pages():
            if self.asks and page.run.status.state is State.FAILED and page.unsaved.has_best:
                self.page_wanted.emit(page.puzzle_key)
                if not page.unsaved.may_lose(tr("Closing the window ends the run")):
                    return False
        return True

    def _save(self, pages: Sequence[PuzzlePage]) -> None:
        targets = []
        for page in pages:
            self.page_wanted.emit(page.puzzle_key)
            path = page.run_files.ask_for_target()
            if path is None:
                return
            targets.append(path)
        for page, path in zip(pages, targets, strict=True):
            # Stopped first: a run that goes on would be newer than its file, and asked about again.
            page.control.act(Action.STOP)
            page.run_files.save(path)
        self._closes_when_saved = True

    @Slot()
    def saved(self) -> None:
        """A run is in its file: close when it was the last one."""
        if self._closes_when_saved:
            # Only when what has reported it is done with its own work.
            QTimer.singleShot(0, self, self._report_saved)

    @Slot()
    def _report_saved(self) -> None:
        # Another run's save may have failed since.
        if self._closes_when_saved:
            self.all_saved.emit()

    @Slot()
    def failed(self) -> None:
        """A run could not be saved: the window stays."""
        self._closes_when_saved = False
