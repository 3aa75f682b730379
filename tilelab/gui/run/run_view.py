"""What a page shows of its run: it observes the model, and draws what has changed."""

import dataclasses
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from tilelab.gui.run.messages import News, Pending, Refusal, RunStatus
from tilelab.gui.run.page_parts import PuzzleParts
from tilelab.gui.run.refusals import why_locked, why_not
from tilelab.gui.run.run_model import RunModel
from tilelab.gui.run.save_best import SavedBest
from tilelab.gui.run.timeline import Timeline
from tilelab.runs.session import Action, LiveChange, State


class RunView(PuzzleParts):
    """Status, chart, panel and the best that is shown, all of one run."""

    def __init__(self, source_card: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(source_card, parent)
        self.run = RunModel(self)
        """The run as far as the window has been notified of it."""
        # Before all others, who find the page as it should be.
        self.run.status_changed.connect(self._follow_status)
        self.run.run_changed.connect(self._draw_run)
        self.run.shown_changed.connect(self._show_shown)
        self.timeline = Timeline(self.run, self.chart, self)
        self.timeline.left.connect(self._show_present)
        self.timeline.moment_named.connect(self._name_moment)
        self.timeline.metrics_known.connect(self._show_past_metrics)
        self._replay: tuple[LiveChange, ...] = ()
        """Live parameters that are turned again by the run itself."""

    @property
    def is_busy(self) -> bool:
        """Whether puzzle and solver belong to a run that is going, or about to begin."""
        return bool(why_locked(self.run.status))

    @property
    def words(self) -> str:
        """The run in a line, for who decides what shall become of it."""
        run = self.run
        if run.begun is None:
            return self.title
        best = "" if run.present is None else f", {self.status.best_words(run.present)}"
        solver = run.begun.solver
        return f"{self.title}: {solver.title}, {solver.unit} {run.status.units:,}{best}"

    def refuses(self, action: Action) -> bool:
        """Return whether the run's status refuses an action; says why."""
        if action in self.run.status.allowed:
            return False
        self.notice.show_error(why_not(action, self.run.status))
        return True

    def show_refusal(self, refusal: Refusal) -> None:
        """Say what cannot be done, beside the control of that value if there is one."""
        if not (refusal.parameter and self.panel.show_error(refusal.parameter, refusal.message)):
            self.notice.show_error(refusal.message)

    def show_making(self, making: str) -> None:
        """Show what is being made for a run that shall be opened, and how far; '' when it ends."""
        self.run.set_making(making)
        self.status.show_news(News.of(self.run.status))

    def to_save(self) -> SavedBest | None:
        """Return what SAVE writes."""
        shown, begun = self.run.shown, self.run.begun
        if shown is None or begun is None:
            return None
        return self.saved_kind(shown.board, shown.best, begun.solver.unit, begun.seed)

    def _to_save(self) -> SavedBest | None:
        saved = self.to_save()
        return None if saved is None else self.timeline.noted(saved)

    def _show_status(self, status: RunStatus, news: News | None = None) -> None:
        before = self.run.status
        for change in status.journal[len(before.journal) :]:
            if change in self._replay:
                self.panel.set_values({change.name: change.value})
        if status.state is State.FAILED and before.state is not State.FAILED:
            self.notice.show_error(f"The solver failed: {status.message}")
        self.run.status = status
        shown = self.run.status
        self.status.show_news(dataclasses.replace(news or News.of(shown), status=shown))

    @Slot()
    def _follow_status(self) -> None:
        status = self.run.status
        # While a board is being loaded the controls stay as they are, and so does the keyboard.
        loading = status.pending in (Pending.PUZZLE, Pending.OPENING)
        self.panel.set_running(self.is_busy and not loading)
        self.panel.set_hint_action("START AGAIN" if status.has_run else "GO")

    @Slot()
    def _draw_run(self) -> None:
        """Draw another run, or none."""
        begun = self.run.begun
        if begun is not None:
            self.chart.set_unit(begun.solver.unit)
            self.chart_choice.offer(self.curve_sets())
        trace = self.run.trace
        self.chart.set_trace(trace, self.chart_choice.curves_of(trace.names))

    @Slot()
    def _show_shown(self) -> None:
        if self.run.shown is not None:
            self.show_best(self.run.shown)

    def _show_row(self, row: NDArray[np.float64], status: RunStatus) -> None:
        assert self.run.begun is not None
        metrics = dict(zip(self.run.begun.solver.metrics, row.tolist(), strict=True))
        self.show_metrics(metrics, status)

    @Slot()
    def _show_present(self) -> None:
        """Show the metrics that the run has come to."""
        if self.run.trace.last is not None:
            self._show_row(self.run.trace.last, self.run.status)
        self.show_news(News.of(self.run.status))

    @Slot(object)
    def _show_past_metrics(self, metrics: Mapping[str, float]) -> None:
        self.show_metrics(metrics, None)

    @Slot(str)
    def _name_moment(self, text: str) -> None:
        self.show_moment(text)
