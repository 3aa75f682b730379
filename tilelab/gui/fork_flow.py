"""From "Fork here…" to the new run: asks, reads the checkpoint, forks it, opens it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Slot

from tilelab.core.solver import Best
from tilelab.gui.background import Background
from tilelab.gui.fork_dialog import ForkDialog
from tilelab.runs.fork import KeptCheckpoints, forked, nearest_units, origin
from tilelab.runs.session import Checkpoint, Limits

if TYPE_CHECKING:
    from tilelab.gui.puzzle_page import PuzzlePage


class ForkFlow(QObject):
    """One dialog at a time; reading and forking are done in a thread of their own."""

    def __init__(self, page: "PuzzlePage") -> None:
        super().__init__(page)
        self._page = page
        self.kept: KeptCheckpoints | None = page.thread_of_runs.worker.keeping
        """Where the checkpoints of the page's run are kept; None for nowhere."""
        self.dialog: ForkDialog | None = None
        self._checkpoint: Checkpoint | None = None
        self._best: Best | None = None
        self._reading = Background("checkpoint", self)
        self._forking = Background("fork", self)
        self._reading.told.connect(self._read)
        self._reading.failed.connect(self._not_read)
        self._forking.told.connect(self._forked)
        self._forking.failed.connect(page.notice.show_error)
        page.look_back.fork_asked.connect(self.ask)

    @Slot(int)
    def ask(self, unit: int) -> None:
        """Ask how a run shall begin at a unit (from 0) of the run that is there."""
        begun, found = self._page.run_begun, self._page.bests.at(unit)
        if begun is None or found is None:
            return
        units = None if self.kept is None else nearest_units(self.kept, unit)
        self._checkpoint, self._best = None, found.best
        self.dialog = ForkDialog(begun.solver, unit, units, self._page)
        self.dialog.accepted.connect(self._accepted)
        self.dialog.finished.connect(self._closed)
        if self.kept is not None and units is not None:
            self._reading.start(_reading(self.kept, units))
        self.dialog.open()

    def close(self) -> None:
        """End the threads."""
        self._reading.close()
        self._forking.close()

    @Slot(object)
    def _read(self, checkpoint: Checkpoint) -> None:
        begun = self._page.run_begun
        if self.dialog is None:
            return
        if begun is None or begun.key != checkpoint.key:
            self.dialog.show_fault("The checkpoint that is kept is of another run.")
            return
        self._checkpoint = checkpoint
        self.dialog.show_checkpoint(checkpoint)

    @Slot(str)
    def _not_read(self, text: str) -> None:
        if self.dialog is not None:
            self.dialog.show_fault(text)

    @Slot()
    def _accepted(self) -> None:
        page, dialog = self._page, self.dialog
        assert dialog is not None
        if not dialog.goes_on:
            self._start_from_board()
        elif self._checkpoint is not None:
            self._forking.start(_forking(self._checkpoint, dialog.changes(), page.panel.limits()))

    def _start_from_board(self) -> None:
        page, best = self._page, self._best
        assert page.run_begun is not None
        assert best is not None
        spec = page.run_begun.solver
        page.start_from(best, f"{spec.unit.capitalize()} {best.unit:,} of {spec.key}")

    @Slot(object)
    def _forked(self, fork: tuple[Checkpoint, str]) -> None:
        checkpoint, where_from = fork
        self._page.recorder.note_origin(checkpoint.key, where_from)
        if self._page.open_run(checkpoint, what="The fork takes the place of the run"):
            self._page.run_on.expect(checkpoint.key)

    @Slot()
    def _closed(self) -> None:
        self._reading.cancel()
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None


def _reading(kept: KeptCheckpoints, units: int) -> Iterator[Checkpoint]:
    yield kept.read(units)


def _forking(
    checkpoint: Checkpoint, params: dict[str, Any], limits: Limits
) -> Iterator[tuple[Checkpoint, str]]:
    yield forked(checkpoint, params, limits), origin(checkpoint)
