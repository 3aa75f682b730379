"""The run of a page as the window knows it: one model, which views and flows observe.

Whatever it holds belongs to one board. A run comes with its board, its rows and its bests, and goes
with them; a best that is shown is read against the puzzle of the run that has found it; news of
another run is not taken.
"""

import dataclasses
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from tilelab.core.solver import Best
from tilelab.core.text.language import figures, tr
from tilelab.core.views import View, ViewKind
from tilelab.gui.run.messages import (
    Board,
    Pending,
    RunOpened,
    RunStarted,
    RunStatus,
    RunUpdate,
    StepRow,
)
from tilelab.runs.actions import Action, State
from tilelab.runs.bests import Bests, Found
from tilelab.runs.recipe import Recipe
from tilelab.runs.replay import KeptCheckpoints, Past, past_before, past_of
from tilelab.runs.trace import Trace


@dataclass(frozen=True, eq=False)
class ShownBest:
    """A best of the run with its board."""

    best: Best
    board: Board
    seconds: float
    """Running time at which it was found."""


MAX_STEP_ROWS = 2_000
"""Only the newest of them are kept."""


class RunModel(QObject):
    """How the run stands, what it has found, and which moment of it is looked at."""

    status_changed = Signal()
    """How the run stands, or what may be asked for; not for mere progress."""
    run_changed = Signal()
    """Another run is there, or none."""
    bests_changed = Signal()
    """The run has found a better board."""
    views_changed = Signal()
    """Views of the moment that is shown were made anew, or are there no more."""
    shown_changed = Signal()
    """Another best is shown; not for what is merely better known of the same."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.kept: KeptCheckpoints | None = None
        """Where checkpoints of the run can be read; None for nowhere."""
        self.reported = RunStatus()
        """How the run stands, as far as the window has been notified."""
        self.begun: RunStarted | None = None
        """The run that is there."""
        self.trace = Trace(())
        """All rows of the run."""
        self.bests = Bests()
        """Each best of the run that the window has been notified of."""
        self.step_rows: deque[StepRow] = deque(maxlen=MAX_STEP_ROWS)
        """Rows of steps inside units, as far as the run was made step by step."""
        self.moment_steps = 0
        """The steps of the next unit that are done at the moment that is looked at."""
        self.moment: int | None = None
        """The unit that is looked at, counted from 0; None for the present."""
        self._status = self.reported
        self._shows_board = False
        self.making = ""
        """What is being made for a run that shall be opened, and how far; '' for nothing."""
        self._present: ShownBest | None = None
        self._past: ShownBest | None = None
        self._shows_past = False
        """Whether it is known what the moment that is looked at has, be that nothing."""
        self._views: dict[ViewKind, View] = {}
        self._past_views: Mapping[ViewKind, View] | None = None

    @property
    def status(self) -> RunStatus:
        """How the run stands; what is being made for another one lies over it."""
        return self._status

    @status.setter
    def status(self, status: RunStatus) -> None:
        self.reported = status
        self._restate()

    def set_making(self, making: str) -> None:
        """Say what is being made for a run that shall be opened, and how far; '' for nothing."""
        self.making = making
        self._restate()

    def set_board_shown(self, shows_board: bool) -> None:
        """Say whether the page shows a board, of the run or none: what is seen can be saved."""
        self._shows_board = shows_board
        self._restate()

    def _restate(self) -> None:
        before, status = self._status, self.reported
        if self.making and status.state is not State.RUNNING:
            status = dataclasses.replace(
                status,
                pending=Pending.OPENING,
                allowed=frozenset({Action.STOP}),
                making=self.making,
            )
        elif self.is_back and status.pending in (Pending.NOTHING, Pending.KERNELS):
            # STEP goes forward again, whether or not the run itself can.
            status = dataclasses.replace(status, allowed=status.allowed | {Action.STEP})
        save = {Action.SAVE} if self._shows_board else frozenset()
        status = dataclasses.replace(status, allowed=status.allowed - {Action.SAVE} | save)
        self._status = status
        same = dataclasses.replace(
            status,
            units=before.units,
            steps=before.steps,
            seconds=before.seconds,
            limits=before.limits,
        )
        if same != before:
            self.status_changed.emit()

    @property
    def shown(self) -> ShownBest | None:
        """The best that is shown: of the moment that is looked at, or the newest; None for none."""
        return self._past if self._shows_past else self._present

    @property
    def best(self) -> Best | None:
        """The best that is shown."""
        return None if self.shown is None else self.shown.best

    @property
    def found_words(self) -> tuple[str, str]:
        """When the best that is shown was found, in words, and in fewer of them."""
        assert self.begun is not None
        assert self.best is not None
        unit, number = tr(self.begun.solver.unit), figures(self.best.unit, ",")
        return tr("found in {unit} {number}", unit=unit, number=number), f"{unit} {number}"

    @property
    def present(self) -> Best | None:
        """The best by now, whatever is shown."""
        return None if self._present is None else self._present.best

    @property
    def views(self) -> Mapping[ViewKind, View]:
        """What is watched of the moment that is shown, as far as it is known."""
        return self._views if self.moment is None else self._past_views or {}

    @property
    def is_back(self) -> bool:
        """Whether an earlier moment is looked at."""
        return self.moment is not None

    @property
    def newest_row(self) -> Sequence[float]:
        """The newest metrics, inside a unit where they are known there; () before the first."""
        return self._inside or self.trace.last_row

    @property
    def _inside(self) -> tuple[float, ...]:
        """The metrics inside the current unit; () where they are not known."""
        now, newest = self.reported, self.step_rows[-1] if self.step_rows else None
        at_hand = newest is not None and newest[:2] == (now.units, now.steps)
        return newest.metrics if newest is not None and at_hand else ()

    @property
    def recipe(self) -> Recipe:
        """What the run that is there is made of, with its limits and changes by now."""
        assert self.begun is not None
        now = self.reported
        return dataclasses.replace(self.begun.recipe, limits=now.limits, changes=now.journal)

    @property
    def seconds(self) -> float:
        """Running time at the moment that is shown, as far as it is known.

        Between two known moments it is taken to have passed evenly.
        """
        now = self.reported
        if self.moment is None:
            return now.seconds
        marks = [
            (-1.0, 0.0),
            *((float(found.best.unit), found.seconds) for found in self.bests),
            *((self.place_of(row.units, row.steps), row.seconds) for row in self.step_rows),
            (self.place_of(now.units, now.steps), now.seconds),
        ]
        places, seconds = zip(*sorted(marks), strict=True)
        return float(np.interp(self.place_of(self.moment + 1, self.moment_steps), places, seconds))

    def place_of(self, units: int, steps: int) -> float:
        """Return where a moment lies among the units, whose rows lie at 0, 1, 2 …"""
        if not steps:
            return units - 1.0
        n_steps = max((row.steps for row in self.step_rows if row.units == units), default=steps)
        return units - 1.0 + steps / (max(n_steps, steps) + 1)

    def step_curve(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the places of the step rows among the units, and the rows."""
        n_steps: dict[int, int] = {}
        for row in self.step_rows:
            n_steps[row.units] = max(row.steps, n_steps.get(row.units, 0))
        places = [row.units - 1.0 + row.steps / (n_steps[row.units] + 1) for row in self.step_rows]
        return np.array(places), np.array([row.metrics for row in self.step_rows])

    def clear(self) -> None:
        """Forget the run: its board is no longer the one that is shown."""
        self._take(None, Trace(self.trace.names), Bests())

    def begin(self, begun: RunStarted) -> None:
        """Follow a run from its first unit on."""
        self._take(begun, Trace(begun.solver.metrics), Bests())

    def open(self, opened: RunOpened) -> None:
        """Follow a run that was taken over, with all that it has found; nothing is shown yet."""
        self._take(opened.begun, opened.trace, opened.bests)
        self.step_rows.extend(opened.step_rows)
        self._note_step(opened.news)

    def opened(self) -> RunOpened | None:
        """Return the run with all that is known of it, for another page; None where none is."""
        begun, present, status = self.begun, self._present, self.reported
        if begun is None:
            return None
        rows = self.trace.last
        news = RunUpdate(
            status,
            np.empty((0, len(begun.solver.metrics))) if rows is None else rows[np.newaxis],
            () if present is None else (Found(present.best, present.seconds),),
            None if present is None else present.board,
            views=self._views,
            inside=self._inside,
        )
        return RunOpened(begun, None, self.bests, self.trace, news, tuple(self.step_rows))

    def take(self, news: RunUpdate) -> bool:
        """Take in what is reported of the run; returns False for news of another one."""
        if news.status.key != ("" if self.begun is None else self.begun.key):
            return False
        if len(news.rows):
            self.trace.append(news.rows)
        for found in news.bests:
            self.bests.append(found.best, found.seconds)
        self._note_step(news)
        if news.views:
            self._views |= news.views
            if self.moment is None:
                self.views_changed.emit()
        return True

    def show_newest(self, news: RunUpdate) -> None:
        """Show the best of some news that was taken, unless an earlier moment is looked at."""
        if news.bests:
            newest = news.bests[-1]
            self._present = self._read(newest.best, newest.seconds, news.board)
            if self.moment is None:
                self.shown_changed.emit()
            self.bests_changed.emit()

    def replace_best(self, best: Best) -> None:
        """Take a board of the same value, or one of which more is known, for what is shown."""
        assert self.shown is not None
        shown = self._read(best, self.shown.seconds)
        if self._shows_past:
            self._past = shown
        else:
            self._present = shown

    def look_at(
        self, unit: int, views: Mapping[ViewKind, View] | None = None, steps: int = 0
    ) -> None:
        """Look at an earlier moment; what it has is shown when it is known.

        views: what is watched of it; None: that is not known yet. steps: done of the next unit.
        """
        self.moment, self.moment_steps, self._past_views = unit, steps, views
        self._restate()
        self.views_changed.emit()

    def show_past(self, found: Found | None) -> None:
        """Show the best of the moment that is looked at; None: nothing had been found by then."""
        assert self.moment is not None
        self._past = None if found is None else self._read(found.best, found.seconds)
        self._shows_past = True
        self.shown_changed.emit()

    def look_at_present(self) -> None:
        """Show the newest best again."""
        self._forget_past()
        self._restate()
        if self._present is not None:
            self.shown_changed.emit()
        self.views_changed.emit()

    def past(self, unit: int) -> Past | None:
        """Gather the run up to a unit (from 0), -1: before its first; None where there is none."""
        begun = self.begun
        if begun is None or not -1 <= unit < self.trace.n_units:
            return None
        if unit < 0:
            return past_before(begun.key, self.recipe)
        return past_of(
            unit,
            key=begun.key,
            recipe=self.recipe,
            trace=self.trace,
            bests=self.bests,
            seconds=self._status.seconds,
            kept=self.kept,
        )

    def _take(self, begun: RunStarted | None, trace: Trace, bests: Bests) -> None:
        self.begun, self.trace, self.bests = begun, trace, bests
        self.step_rows.clear()
        self._forget_past()
        self._present, self._views = None, {}
        self.reported = dataclasses.replace(self.reported, has_run=False, key="")
        self._status = dataclasses.replace(self._status, has_run=False, key="")
        self.run_changed.emit()
        self.views_changed.emit()

    def _forget_past(self) -> None:
        self.moment = self._past = self._past_views = None
        self.moment_steps = 0
        self._shows_past = False

    def _note_step(self, news: RunUpdate) -> None:
        """Keep the metrics inside a unit, once."""
        status = news.status
        row = StepRow(status.units, status.steps, status.seconds, news.inside)
        newest = self.step_rows[-1] if self.step_rows else None
        if news.inside and (newest is None or newest[:2] != row[:2]):
            self.step_rows.append(row)

    def _read(self, best: Best, seconds: float, board: Board | None = None) -> ShownBest:
        """Read a best against the puzzle of the run; board: when that has been done already."""
        assert self.begun is not None
        return ShownBest(best, board or Board.of(self.begun.puzzle, best.cells), seconds)
