"""The way to the best board of word tiles, looked for once its run stands still."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from tilelab.core.solver import Best
from tilelab.gui.threads.task_runner import Background
from tilelab.gui.wordtiles.requests import way_to
from tilelab.runs.session import State

if TYPE_CHECKING:
    from tilelab.gui.wordtiles.page import WordTilePage

_AT_REST = (State.PAUSED, State.FINISHED, State.FAILED)


class WaySearch(QObject):
    """Finds the slides of a page's best board, and has it shown with them."""

    def __init__(self, page: "WordTilePage") -> None:
        super().__init__(page)
        self._page = page
        self._sought: Best | None = None
        self._background = Background("way", self)
        self._background.told.connect(self._found)
        self._background.failed.connect(self._missed)

    @property
    def is_busy(self) -> bool:
        """Whether a way is being looked for."""
        return self._background.is_busy

    def seek(self) -> None:
        """Look for the way, if its board is new and the run stands still."""
        page, best = self._page, self._page.run.best
        begun, stands = page.run.begun, page.run.status.state in _AT_REST
        if best is None or begun is None or not stands or best is self._sought or best.optimal:
            return
        self._sought = best
        self._background.start(way_to(begun.puzzle, best))
        self.show()

    def forget(self) -> None:
        """Give the search up; the same board is looked at anew."""
        was_busy = self.is_busy
        self._background.cancel()
        self._sought = None
        if was_busy:
            self.show()

    def close(self) -> None:
        """End the thread."""
        self._background.close()

    def show(self) -> None:
        """Show the way that is known, or that it is being looked for."""
        page, best = self._page, self._page.run.best
        if best is not None and best.moves is not None:
            page.desk.show_way(best.moves)
        page.best_panel.show_way(best, is_sought=self.is_busy)

    @Slot(object)
    def _found(self, found: tuple[Best, Best]) -> None:
        best, with_moves = found
        if best is self._page.run.best:
            self._background.cancel()
            self._page.replace_best(with_moves)
            self._sought = with_moves
            self.show()

    @Slot(str)
    def _missed(self, text: str) -> None:
        self._page.notice.show_error(text)
        self.show()
