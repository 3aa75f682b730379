"""From "Fork here…" to the new run: asks, computes the state of the moment, forks it, opens it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Slot

from tilelab.core.solver import Best
from tilelab.gui.run.fork_dialog import ForkDialog
from tilelab.gui.threads.task_runner import Background
from tilelab.runs.fork import forked, origin
from tilelab.runs.replay import KeptCheckpoints, Past, past_of, replayed
from tilelab.runs.session import Checkpoint, Limits

if TYPE_CHECKING:
    from tilelab.gui.run.run_page import PuzzlePage


class ForkFlow(QObject):
    """One dialog at a time; computing and forking are done in a thread of their own."""

    def __init__(self, page: "PuzzlePage") -> None:
        super().__init__(page)
        self._page = page
        self.kept: KeptCheckpoints | None = page.thread_of_runs.worker.keeping
        """Where the checkpoints of the page's run are kept; None for nowhere."""
        self.dialog: ForkDialog | None = None
        self._past: Past | None = None
        self._best: Best | None = None
        self._forking = Background("fork", self)
        self._forking.told.connect(self._told)
        self._forking.failed.connect(self._failed)
        page.look_back.fork_asked.connect(self.ask)

    def past(self, unit: int) -> Past | None:
        """Gather the run of the page up to a unit (from 0); None where there is no such unit."""
        page, begun = self._page, self._page.run_begun
        if begun is None or not 0 <= unit < page.chart.trace.n_units:
            return None
        return past_of(
            unit,
            key=begun.key,
            puzzle=begun.puzzle,
            solver_key=begun.solver.key,
            first_params=begun.first_params,
            seed=begun.seed,
            journal=page.standing.journal,
            trace=page.chart.trace,
            bests=page.bests,
            seconds=page.standing.seconds,
            kept=self.kept,
        )

    @Slot(int)
    def ask(self, unit: int) -> None:
        """Ask how a run shall begin at a unit (from 0) of the run that is there."""
        begun, past, found = self._page.run_begun, self.past(unit), self._page.look_back.found(unit)
        if begun is None or past is None or found is None:
            return
        self._past, self._best = past, found.best
        self.dialog = ForkDialog(begun.solver, past, self._page)
        self.dialog.fork_asked.connect(self._fork)
        self.dialog.accepted.connect(self._start_from_board)
        self.dialog.finished.connect(self._closed)
        self.dialog.open()

    def close(self) -> None:
        """End the thread."""
        self._forking.close()

    @Slot()
    def _fork(self) -> None:
        assert self.dialog is not None
        assert self._past is not None
        # What looking back computes meanwhile would only take the processor away from this.
        self._page.look_back.call_off()
        limits = self._page.panel.limits()
        self._forking.start(_forking(self._past, self.dialog.changes(), limits))

    @Slot(object)
    def _told(self, told: int | tuple[Checkpoint, str]) -> None:
        if self.dialog is None:
            return
        if isinstance(told, int):
            self.dialog.show_progress(told)
            return
        checkpoint, where_from = told
        self.dialog.reject()
        self._page.recorder.note_origin(checkpoint.key, where_from)
        if self._page.open_run(checkpoint, what="The fork takes the place of the run"):
            self._page.run_on.expect(checkpoint.key)

    @Slot(str)
    def _failed(self, text: str) -> None:
        if self.dialog is not None:
            self.dialog.show_fault(text)

    @Slot()
    def _start_from_board(self) -> None:
        page, best = self._page, self._best
        assert page.run_begun is not None
        assert best is not None
        spec = page.run_begun.solver
        page.start_from(best, f"{spec.unit.capitalize()} {best.unit:,} of {spec.key}")

    @Slot()
    def _closed(self) -> None:
        self._forking.cancel()
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None


def _forking(
    past: Past, params: dict[str, Any], limits: Limits
) -> Iterator[int | tuple[Checkpoint, str]]:
    for told in replayed(past):
        yield told if isinstance(told, int) else (forked(told, params, limits), origin(told))
