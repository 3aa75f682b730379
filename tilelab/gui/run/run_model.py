"""The model of a page's run as the window knows it, observed by views.

All its data belong to one board. A run appears and disappears together with its board, rows and
bests. A best is scored by the puzzle of its own run. Updates of another run are ignored.
"""

import dataclasses
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from tilelab.core.parameters import describe, value_titles
from tilelab.core.puzzle import Cells
from tilelab.core.solver import Best
from tilelab.core.text.language import tr
from tilelab.core.text.wording import duration
from tilelab.core.views import View, ViewKind
from tilelab.gui.run.messages import (
    Board,
    Pending,
    RunOpened,
    RunStarted,
    RunStatus,
    RunUpdate,
    StepRow,
    StepRows,
)
from tilelab.runs.actions import Action, State
from tilelab.runs.bests import Bests, Found
from tilelab.runs.recipe import Recipe
from tilelab.runs.replay import KeptCheckpoints, Past, past_before, past_of
from tilelab.runs.trace import Trace


@dataclass(frozen=True, eq=False)
class ShownBest:
    """A best of the run with its report."""

    best: Best
    board: Board
    seconds: float  # running time at which it was found


class RunPosition(NamedTuple):
    """A position in a run, by units and steps."""

    units: int  # number of complete units
    steps: int  # number of steps done of the next unit


_STEP_SECONDS = 0.5  # seconds that a step by hand counts as watched
MAX_STEP_ROWS = 2_000  # largest number of step rows kept; older ones are dropped


class RunModel(QObject):
    """Status and results of the run, and the moment that is shown."""

    status_changed = Signal()
    """Emitted when the status or the allowed actions change, but not for mere progress."""
    run_changed = Signal()  # emitted when there is another run, or none
    bests_changed = Signal()  # emitted when the run has found a better board
    views_changed = Signal()  # emitted when views of the shown moment were updated or removed
    shown_changed = Signal()
    """Emitted when another best is shown, but not when only more is known about it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.kept: KeptCheckpoints | None = None  # checkpoints of the run; None if it keeps none
        self.reported = RunStatus()  # status last reported to the window
        self._report_seconds = 0.0  # of the clock, at that report
        self.watched_seconds = 0.0
        """Seconds in which it was running, also between slow steps; each pause and step counts half
        a second.
        """
        self.started: RunStarted | None = None  # current run
        self.trace = Trace(())  # all rows of the run
        self.bests = Bests()  # bests of the run reported to the window
        self.step_rows: deque[StepRow] = deque(maxlen=MAX_STEP_ROWS)
        """Rows of steps inside units, where the run was made step by step or computed again."""
        self._unit_steps: dict[int, int] = {}  # number of steps of each unit, from 0, if known
        self._newest_unit_steps = 0  # of the last complete unit; 0 if it was not done in steps
        self._computed_steps = 0
        """Number of steps of the first unit, if its rows were computed again; 0 if not."""
        self.current: Board | None = None  # board of the run inside its first unit, if known
        self.past_current: Board | None = None  # the same of the shown moment
        self.moment_steps = 0  # steps of the next unit at the shown moment
        self.moment: int | None = None  # unit that is shown, from 0; None for the present
        self._status = self.reported
        self._shows_board = False
        self.making = ""  # preparation of a run to open, with its progress; '' for none
        self._present: ShownBest | None = None
        self._past: ShownBest | None = None
        self._shows_past = False
        """Whether the best of the shown moment is known, even if there is none."""
        self._views: dict[ViewKind, View] = {}
        self._past_views: Mapping[ViewKind, View] | None = None
        self.views_place = (0, 0)  # units and steps of the newest views
        self._renewed: tuple[tuple[int, int], Mapping[ViewKind, View]] = (0, 0), {}
        """Units and steps of views that were computed again, and the views."""

    @property
    def status(self) -> RunStatus:
        """Status of the run, overlaid by the preparation of another one."""
        return self._status

    @status.setter
    def status(self, status: RunStatus) -> None:
        before, self.reported = self.reported, status
        since, self._report_seconds = self._report_seconds, time.monotonic()
        if status.key != before.key:
            self.watched_seconds = 0.0
        elif before.state is State.RUNNING:
            self.watched_seconds += self._report_seconds - since
        is_further = (status.units, status.steps) != (before.units, before.steps)
        if is_further and status.state is State.PAUSED:
            self.watched_seconds += _STEP_SECONDS
        self._restate()

    def set_making(self, making: str) -> None:
        """Set the preparation of a run to open, with its progress; '' for none."""
        self.making = making
        self._restate()

    def set_board_shown(self, shows_board: bool) -> None:
        """Set whether the page shows a board, of the run or not, which can be saved."""
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
            # STEP goes forward from an earlier moment, even if the run itself cannot.
            status = dataclasses.replace(status, allowed=status.allowed | {Action.STEP})
        save = {Action.SAVE} if self._shows_board else frozenset()
        status = dataclasses.replace(status, allowed=status.allowed - {Action.SAVE} | save)
        self._status = status
        same = dataclasses.replace(
            status,
            units=before.units,
            steps=before.steps,
            unit_steps=before.unit_steps,
            seconds=before.seconds,
            evaluations=before.evaluations,
            limits=before.limits,
        )
        if same != before:
            self.status_changed.emit()

    @property
    def shown(self) -> ShownBest | None:
        """Best that is shown: that of the shown moment, or the newest; None for none."""
        return self._past if self._shows_past else self._present

    @property
    def best(self) -> Best | None:
        return None if self.shown is None else self.shown.best

    @property
    def found_words(self) -> tuple[str, str]:
        """Time when the shown best was found, in a long and a short wording; '' if not known."""
        assert self.started is not None
        assert self.shown is not None
        if not self.trace.n_units and not self.step_rows:
            return "", ""  # a picture has the best of a run that has not begun
        solver = self.started.solver
        if solver.is_search:
            time = duration(self.shown.seconds)
            return tr("found after {time}", time=time), time
        moment = solver.moment(self.shown.best.unit + 1)
        return tr("found in {moment}", moment=moment), moment

    @property
    def present(self) -> Best | None:
        """Best so far, even while an earlier moment is shown."""
        return None if self._present is None else self._present.best

    @property
    def views(self) -> Mapping[ViewKind, View]:
        """Watched views of the shown moment, if known."""
        return self._views if self.moment is None else self._past_views or {}

    @property
    def is_back(self) -> bool:
        """Whether an earlier moment is shown."""
        return self.moment is not None

    @property
    def position(self) -> RunPosition:
        """Position of the shown moment."""
        if self.moment is None:
            return RunPosition(self.reported.units, self.reported.steps)
        return RunPosition(self.moment + 1, self.moment_steps)

    @property
    def newest_moment(self) -> str:
        """Name of the present in what users count."""
        now = self.reported
        return self.name_of(now.units, now.steps, self.newest_metrics)

    def name_of(self, units: int, steps: int, metrics: Mapping[str, float]) -> str:
        """Name a moment of the run; the arguments are those of :meth:`SolverSpec.moment`."""
        assert self.started is not None
        return self.started.solver.moment(units, steps, metrics, self.total_steps(units))

    @property
    def newest_metrics(self) -> dict[str, float]:
        """Newest metrics by their names; {} before the first."""
        names = () if self.started is None else self.started.solver.metrics
        return dict(zip(names, self.newest_row, strict=False))

    @property
    def newest_row(self) -> Sequence[float]:
        """Newest metrics, inside a unit if known there; () before the first."""
        return self._inside or self.trace.last_row

    @property
    def _inside(self) -> tuple[float, ...]:
        """Metrics inside the current unit; () if not known."""
        now, newest = self.reported, self.step_rows[-1] if self.step_rows else None
        is_current = newest is not None and newest[:2] == (now.units, now.steps)
        return newest.metrics if newest is not None and is_current else ()

    @property
    def recipe(self) -> Recipe:
        """Recipe of the current run, with its limits and changes so far."""
        assert self.started is not None
        now = self.reported
        return dataclasses.replace(self.started.recipe, limits=now.limits, changes=now.journal)

    @property
    def change_words(self) -> dict[int, str]:
        """Changes of live parameters in words, by the first unit that they hold for."""
        started = self.started
        specs = {} if started is None else {s.name: s for s in describe(started.solver.params)}
        words: dict[int, str] = {}
        for change in self.reported.journal:
            text = " ".join(value_titles(specs, change.name, change.value))
            words[change.unit] = ", ".join(filter(None, (words.get(change.unit), text)))
        return words

    @property
    def seconds(self) -> float:
        """Running time at the shown moment, if known.

        Between two known moments it is interpolated.
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
        return float(np.interp(self.place_of(*self.position), places, seconds))

    def place_of(self, units: int, steps: int) -> float:
        """Return the place of a moment among the units, whose rows are at 0, 1, 2 …"""
        if not steps:
            return units - 1.0
        n_steps = max((row.steps for row in self.step_rows if row.units == units), default=steps)
        return units - 1.0 + steps / self._end_of(units, max(n_steps, steps))

    def note_unit_steps(self, unit: int, n_steps: int) -> None:
        """Note the number of steps of a unit; units count from 0."""
        self._unit_steps[unit] = n_steps

    def total_steps(self, units: int) -> int:
        """Return how many steps the first units have; 0 if not known."""
        known = self._unit_steps
        is_known = len(known) >= units and all(unit in known for unit in range(units))
        return sum(known[unit] for unit in range(units)) if is_known else 0

    def was_stepped(self, units: int) -> bool:
        """Return whether the newest unit was made step by step, so that no time says a speed."""
        return self._newest_unit_steps > 0 and self.total_steps(units) > 0

    def step_curve(self) -> tuple[NDArray[np.float64], NDArray[np.float64], int]:
        """Return the places of the step rows among the units, the rows, and the number of steps.

        That is the number in the first unit if all rows are in it; 0 if it is not known.
        """
        n_steps: dict[int, int] = {}
        for row in self.step_rows:
            n_steps[row.units] = max(row.steps, n_steps.get(row.units, 0))
        ends = {unit: self._end_of(unit, seen) for unit, seen in n_steps.items()}
        places = [row.units - 1.0 + row.steps / ends[row.units] for row in self.step_rows]
        rows = np.array([row.metrics for row in self.step_rows])
        is_first = [*n_steps] == [0]
        return np.array(places), rows, self._known_end(0, n_steps[0]) if is_first else 0

    def _end_of(self, unit: int, seen: int) -> int:
        """Return the number of the step that ends a unit, of which ``seen`` steps are known."""
        return self._known_end(unit, seen) or seen + 1

    def _known_end(self, unit: int, seen: int) -> int:
        """Return the same, or 0 if the unit has been completed without counting its steps."""
        if unit >= self.trace.n_units:
            return seen + 1  # the next step can be its last one
        known = self._unit_steps.get(unit, 0) or (0 if unit else self._computed_steps)
        if not known and unit == 0 and self.trace.n_units == 1 and self.started is not None:
            row = dict(zip(self.trace.names, self.trace.last_row, strict=True))
            known = self.started.solver.steps_in(row)
        return known if known > seen else 0

    def clear(self) -> None:
        """Forget the run, because its board is no longer shown."""
        self._take(None, Trace(self.trace.names), Bests())

    def begin(self, started: RunStarted) -> None:
        """Follow a run from its first unit."""
        self._take(started, Trace(started.solver.metrics), Bests())

    def open(self, opened: RunOpened) -> None:
        """Follow an opened run with all its bests; nothing is shown yet."""
        self._take(opened.started, opened.trace, opened.bests)
        self._add_step_rows(opened.step_rows)
        self._unit_steps.update(opened.unit_steps)
        self._note_step(opened.update)
        self.current = opened.update.current

    def opened(self) -> RunOpened | None:
        """Return the run with all known data, for another page; None without a run."""
        started, present, status = self.started, self._present, self.reported
        if started is None:
            return None
        rows = self.trace.last
        update = RunUpdate(
            status,
            np.empty((0, len(started.solver.metrics))) if rows is None else rows[np.newaxis],
            () if present is None else (Found(present.best, present.seconds),),
            None if present is None else present.board,
            views=self._views,
            inside=self._inside,
            current=self.current,
        )
        rows_of_steps = StepRows(tuple(self.step_rows), self._computed_steps)
        unit_steps = dict(self._unit_steps)
        return RunOpened(started, self.bests, self.trace, update, rows_of_steps, unit_steps)

    def take(self, update: RunUpdate) -> bool:
        """Take in an update; returns False if it belongs to another run."""
        if update.status.key != ("" if self.started is None else self.started.key):
            return False
        if len(update.rows):
            self.trace.append(update.rows)
        for found in update.bests:
            self.bests.append(found.best, found.seconds)
        if update.step_rows.rows:
            here = update.status.units, update.status.steps
            later = [row for row in self.step_rows if row.units or row[:2] == here]
            self.step_rows.clear()
            self._add_step_rows(update.step_rows)
            self.step_rows.extend(later)
        self._note_step(update)
        if update.status.unit_steps:
            self.note_unit_steps(update.status.units - 1, update.status.unit_steps)
        self.current = None if update.bests else update.current or self.current
        if update.views:
            place, renewed = self._renewed
            self.views_place = update.status.units, update.status.steps
            is_same = place == self.views_place
            self._views |= {**update.views, **renewed} if is_same else update.views
            if self.moment is None:
                self.views_changed.emit()
        return True

    def add_views(self, views: Mapping[ViewKind, View]) -> None:
        """Take views of the present that were computed again, with the lines of its last step.

        Until the next step, they replace those of the solver, which has not noted that step.
        """
        self.views_place = self.reported.units, self.reported.steps
        self._renewed = self.views_place, views
        self._views |= views
        if self.moment is None:
            self.views_changed.emit()

    def show_newest(self, update: RunUpdate) -> None:
        """Show the best of an update, unless an earlier moment is shown."""
        if update.bests:
            newest = update.bests[-1]
            self._present = self._read(newest.best, newest.seconds, update.board)
            if self.moment is None:
                self.shown_changed.emit()
            self.bests_changed.emit()

    def replace_best(self, best: Best) -> None:
        """Replace the shown best by a board of the same value, or by more data about it."""
        assert self.shown is not None
        shown = self._read(best, self.shown.seconds)
        if self._shows_past:
            self._past = shown
        else:
            self._present = shown

    def look_at(
        self,
        unit: int,
        views: Mapping[ViewKind, View] | None = None,
        steps: int = 0,
        current: Cells | None = None,
    ) -> None:
        """Show an earlier moment; its best is shown when it is known.

        views: its watched views; None if not known yet. steps: those done of the next unit.
        current: its board where there is no best, if known.
        """
        assert self.started is not None
        self.moment, self.moment_steps, self._past_views = unit, steps, views
        self.past_current = None if current is None else Board.of(self.started.puzzle, current)
        self._restate()
        self.views_changed.emit()

    def show_past(self, found: Found | None) -> None:
        """Show the best of the shown moment; None if there was none."""
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
        """Return the run up to a unit (from 0), -1: before the first; None without a run."""
        started = self.started
        if started is None or not -1 <= unit < self.trace.n_units:
            return None
        if unit < 0:
            return past_before(started.key, self.recipe)
        return past_of(
            unit,
            key=started.key,
            recipe=self.recipe,
            trace=self.trace,
            bests=self.bests,
            seconds=self._status.seconds,
            kept=self.kept,
        )

    def _take(self, started: RunStarted | None, trace: Trace, bests: Bests) -> None:
        self.started, self.trace, self.bests = started, trace, bests
        self.step_rows.clear()
        self._unit_steps.clear()
        self._computed_steps = self._newest_unit_steps = 0
        self._forget_past()
        self._present, self._views, self.current = None, {}, None
        self.views_place, self._renewed = (0, 0), ((0, 0), {})
        self.reported = dataclasses.replace(self.reported, has_run=False, key="")
        self._status = dataclasses.replace(self._status, has_run=False, key="")
        self.run_changed.emit()
        self.views_changed.emit()

    def _forget_past(self) -> None:
        self.moment = self._past = self._past_views = self.past_current = None
        self.moment_steps = 0
        self._shows_past = False

    def _add_step_rows(self, added: StepRows) -> None:
        self.step_rows.extend(added.rows)
        self._computed_steps = added.n_steps

    def _note_step(self, update: RunUpdate) -> None:
        """Keep the metrics inside a unit, once."""
        status = update.status
        self._newest_unit_steps = status.unit_steps
        row = StepRow(status.units, status.steps, status.seconds, update.inside)
        newest = self.step_rows[-1] if self.step_rows else None
        if update.inside and (newest is None or newest[:2] != row[:2]):
            self.step_rows.append(row)

    def _read(self, best: Best, seconds: float, board: Board | None = None) -> ShownBest:
        """Score a best by the puzzle of the run; board: the result, if known."""
        assert self.started is not None
        return ShownBest(best, board or Board.of(self.started.puzzle, best.cells), seconds)
