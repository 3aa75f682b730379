"""The solution that leads to the best board of word tiles, looked for once its run stands still."""

from collections.abc import Iterator

from PySide6.QtCore import QObject, Signal, Slot

from tilelab.core.puzzle import Puzzle
from tilelab.core.solver import Best
from tilelab.gui.puzzles.wordtiles.panel import WordTilePanel
from tilelab.gui.puzzles.wordtiles.play import WordDesk
from tilelab.gui.run.run_model import RunModel
from tilelab.gui.threads.task_runner import Background
from tilelab.runs.actions import State

_AT_REST = (State.PAUSED, State.FINISHED, State.FAILED)


class SolutionSearch(QObject):
    """Finds the slides that lead to a run's best board, and has the board shown with them."""

    found = Signal(object)
    """The best that is shown, with its slides; it takes the place of the one without."""
    failed = Signal(str)

    def __init__(
        self, run: RunModel, desk: WordDesk, panel: WordTilePanel, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._run, self._desk, self._panel = run, desk, panel
        self._sought: Best | None = None
        self._background = Background(self)
        self._background.reported.connect(self._reported)
        self._background.failed.connect(self._missed)

    @property
    def is_busy(self) -> bool:
        """Whether a solution is being looked for."""
        return self._background.is_busy

    def seek(self) -> None:
        """Look for the solution, if its board is new and the run stands still."""
        begun, best = self._run.begun, self._run.best
        stands = self._run.status.state in _AT_REST
        if best is None or begun is None or not stands or best is self._sought or best.optimal:
            return
        self._sought = best
        self._background.start(path_to(begun.puzzle, best))
        self.show()

    def forget(self) -> None:
        """Give the search up; the same board is looked at again."""
        was_busy = self.is_busy
        self._background.cancel()
        self._sought = None
        if was_busy:
            self.show()

    def show(self) -> None:
        """Show the solution that is known, or that it is being looked for."""
        best = self._run.best
        if best is not None and best.moves is not None:
            self._desk.show_path(best.moves)
        self._panel.show_path(best, is_sought=self.is_busy)

    @Slot(object)
    def _reported(self, reported: tuple[Best, Best]) -> None:
        best, with_moves = reported
        if best is self._run.best:
            self._background.cancel()
            self.found.emit(with_moves)
            self._sought = with_moves
            self.show()

    @Slot(str)
    def _missed(self, text: str) -> None:
        self.failed.emit(text)
        self.show()


def path_to(puzzle: Puzzle, best: Best) -> Iterator[tuple[Best, Best]]:
    """Find the path to a best board, as a job of one step."""
    yield best, puzzle.with_path(best)
