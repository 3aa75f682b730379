"""A sweep that is done in the background: begun, paused, cancelled, ended with the program."""

import enum
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from tilelab.experiments.executor import StopRequest, SweepProgress
from tilelab.experiments.jobs import Runs
from tilelab.experiments.sweep import begin_workers
from tilelab.gui.lab.experiments.tasks import (
    FormerResults,
    Getting,
    Hands,
    Outcomes,
    Remark,
    Step,
    sweeping,
)
from tilelab.gui.threads.task_runner import Background

MakeHands = Callable[[int, str], Hands]
"""Given how many workers (0: as many as there are cores) and the address of a scheduler, or ''."""


class SweepStage(enum.StrEnum):
    """What is going on."""

    IDLE = "idle"
    PREPARING = "preparing"
    RUNNING = "running"
    PAUSING = "pausing"
    CANCELLING = "cancelling"


def hands(n_workers: int, scheduler: str) -> Hands:
    """Return what makes processes, which yield to the window, or a cluster."""

    return lambda n_runs: begin_workers(
        n_workers or None, scheduler or None, n_runs, low_priority=True
    )


class SweepControl(QObject):
    """Does one sweep at a time; what has come back is in its outcomes, and reported."""

    changed = Signal()
    """Its stage, or how far it is."""
    came = Signal(object)
    """The settings, a set, that something has come back of."""
    failed = Signal(str)
    remarked = Signal(str)
    """A sentence about the workers."""

    def __init__(self, parent: QObject, make_hands: MakeHands = hands) -> None:
        super().__init__(parent)
        self._make_hands = make_hands
        self.stage = SweepStage.IDLE
        self.outcomes: Outcomes | None = None
        """Of the sweep that is going, or was the last; or what was opened."""
        self.progress: SweepProgress | None = None
        self.getting = ""
        """What is being made before the runs begin."""
        self._asked = StopRequest()
        self._background = Background(self)
        self._background.reported.connect(self._reported)
        self._background.ended.connect(self._ended)
        self._background.failed.connect(self._failed)

    @property
    def is_busy(self) -> bool:
        """Whether a sweep is going."""
        return self.stage is not SweepStage.IDLE

    @property
    def may_go_on(self) -> bool:
        """Whether runs are left of what is there."""
        return self.outcomes is not None and (
            self.outcomes.n_left > 0 or self.outcomes.n_failed > 0
        )

    def begin(self, runs: Runs, folder: Path, n_workers: int, scheduler: str) -> None:
        """Do all runs of a plan."""
        self.outcomes = Outcomes(runs, folder)
        self._start(n_workers, scheduler, resume=False)

    def go_on(self, n_workers: int, scheduler: str) -> None:
        """Do the runs that are left."""
        if self.outcomes is not None and self.may_go_on and not self.is_busy:
            self.outcomes.doubt = ""  # the folder is put in order
            self._start(n_workers, scheduler, resume=True)

    @Slot()
    def pause(self) -> None:
        """Begin no further run; those that are going finish."""
        if self.stage in (SweepStage.PREPARING, SweepStage.RUNNING):
            self._asked.stop()
            self._enter(SweepStage.PAUSING)

    @Slot()
    def cancel(self) -> None:
        """End the runs that are going; what is done is kept."""
        if self.is_busy:
            self._asked.kill()
            self._enter(SweepStage.CANCELLING)

    def end(self) -> None:
        """End with the program; what is left can be done at another time."""
        self._asked.kill()
        self._background.close()
        self.stage = SweepStage.IDLE

    def _start(self, n_workers: int, scheduler: str, *, resume: bool) -> None:
        assert self.outcomes is not None
        self._asked, self.progress, self.getting = StopRequest(), None, ""
        self._enter(SweepStage.PREPARING)
        made = self._make_hands(n_workers, scheduler)
        runs, folder = self.outcomes.runs, self.outcomes.folder
        self._background.start(sweeping(runs, folder, made, self._asked, resume=resume))

    def _enter(self, stage: SweepStage) -> None:
        self.stage = stage
        self.changed.emit()

    @Slot(object)
    def _reported(self, item: Getting | Remark | FormerResults | Step) -> None:
        if isinstance(item, Remark):
            self.remarked.emit(item.text)
            return
        if isinstance(item, Getting):
            self.getting = item.what
            self.changed.emit()
            return
        assert self.outcomes is not None
        settings = self.outcomes.add(item.outcomes)
        if settings:
            self.came.emit(settings)
        if isinstance(item, Step):
            self.progress = item.progress or self.progress
            if self.stage is SweepStage.PREPARING:
                self.stage = SweepStage.RUNNING
            self.changed.emit()

    @Slot()
    def _ended(self) -> None:
        self._enter(SweepStage.IDLE)

    @Slot(str)
    def _failed(self, text: str) -> None:
        self._enter(SweepStage.IDLE)
        self.failed.emit(text)
