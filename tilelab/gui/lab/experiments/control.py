"""A sweep in the background: its steps, its results, its control and its buttons.

Each step of a job is short, so that the window can end it quickly.
"""

import enum
import itertools
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QProgressBar, QPushButton, QSizePolicy, QWidget

from tilelab.core.errors import SOLVER_ERRORS, TileLabError
from tilelab.core.files.paths import read_text
from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import about
from tilelab.experiments.job_run import FAILED, Improvement, Outcome, Row
from tilelab.experiments.jobs import Runs, runs_of
from tilelab.experiments.pilot import estimate
from tilelab.experiments.plan import MAX_BYTES, Plan, parse_plan
from tilelab.experiments.results import FILE, Kept, Results, find_results, read_results
from tilelab.experiments.sweep import SweepProgress, open_workers, sweep, warm_ups
from tilelab.experiments.workers import StopRequest, Workers
from tilelab.gui.lab.experiments.draft import text_of
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.parts import ButtonRow, column_layout, named, row_of, shown_key
from tilelab.gui.widgets.theme import set_role, set_style_property
from tilelab.runs.recipe import with_prerequisites

_BAR_PIXELS, _MIN_TEXT_PIXELS = 160, 72
OpenWorkers = Callable[[int], Workers]
"""Function that opens workers in the background, for at most this many runs at a time."""
ChooseWorkers = Callable[[int, str], OpenWorkers]
"""Function that takes a number of workers (0 for one per core) and a scheduler's address or '', and
returns an OpenWorkers.
"""


def choose_workers(n_workers: int, scheduler: str) -> OpenWorkers:
    """Return a function that opens low-priority processes, or the workers of a cluster."""
    return lambda n_runs: open_workers(
        n_workers or None, scheduler or None, n_runs, low_priority=True
    )


@dataclass(eq=False)
class PlanResults:
    """Results of a plan's runs, for the window's thread; other threads get a Kept."""

    runs: Runs
    folder: Path
    rows: dict[int, Row] = field(default_factory=dict)
    """Rows by the places of their runs, unordered, including failed runs."""
    improvements: dict[int, tuple[Improvement, ...]] = field(default_factory=dict)
    n_failed: int = 0
    found_unsound: frozenset[int] = frozenset()
    """Places of rows that were damaged, missing or altered in the folder."""
    doubt: str = ""  # sentence about what is unknown about the rows, or ''

    @property
    def unsound(self) -> tuple[int, ...]:
        """Places of the unsound rows that have not been repeated yet."""
        return tuple(sorted(self.found_unsound - self.rows.keys()))

    @property
    def n_runs(self) -> int:
        return len(self.runs)

    @property
    def n_left(self) -> int:
        """Number of runs without a result."""
        return self.n_runs - len(self.rows)

    def add(self, outcomes: Iterable[tuple[int, Outcome]]) -> set[int]:
        """Add results of runs; returns the settings that they belong to."""
        touched = set()
        for place, (row, improvements) in outcomes:
            before = self.rows.get(place)
            self.n_failed += row["status"] == FAILED
            self.n_failed -= before is not None and before["status"] == FAILED
            self.rows[place], self.improvements[place] = row, improvements
            touched.add(self.runs.setting_at(place))
        return touched

    def done(self, setting: int) -> list[tuple[int, Row]]:
        """Return the places and rows of a setting's finished runs, in the plan's order."""
        first, end = self.runs.firsts[setting : setting + 2]
        return [(place, self.rows[place]) for place in range(first, end) if place in self.rows]

    def first_rows(self, n: int) -> list[list[Row]]:
        """Return the rows of the runs that are done among the first ones of each setting."""
        firsts = self.runs.firsts
        return [
            [
                row
                for place in range(first, min(end, first + n))
                if (row := self.rows.get(place)) is not None and row["status"] != FAILED
            ]
            for first, end in itertools.pairwise(firsts)
        ]

    def kept(self) -> Kept:
        """Return all finished runs, for charts, tests and reports."""
        places = sorted(place for place, row in self.rows.items() if row["status"] != FAILED)
        return Kept(
            self.runs.plan,
            rows=tuple(self.rows[place] for place in places),
            n_failed=self.n_failed,
            places=tuple(places),
            improvements=tuple(self.improvements[place] for place in places),
            errors=tuple(
                (place, row["error"])
                for place, row in sorted(self.rows.items())
                if row["status"] == FAILED
            ),
            n_runs=self.n_runs,
            unsound=self.unsound,
            doubt=self.doubt,
        )


class OpenedFile(NamedTuple):
    """A plan and its results as they are shown."""

    text: str  # text of the plan
    folder: Path | None  # folder in which the plan's files are looked for
    path: Path | None  # file of the plan; None for a folder with results
    outcomes: PlanResults | None


class SweepPreparation(NamedTuple):
    """Message about a preparation before the runs begin; '' while kernels are compiled."""

    what: str


class Remark(NamedTuple):
    """Message about the workers."""

    text: str


class PreviousResults(NamedTuple):
    """Results that the folder already had."""

    outcomes: Sequence[tuple[int, Outcome]]


def read_file(path: Path, homes: Sequence[Path]) -> OpenedFile:
    """Read a plan, or a folder with results; raises TileLabError.

    homes: folders in which the results of a plan are looked for, like the plan's own folder.
    """
    if path.is_dir() or path.name == FILE:
        folder = path if path.is_dir() else path.parent
        plan_folder, outcomes = _results_near([folder.parent, folder], folder)
        return OpenedFile(text_of(outcomes.runs.plan), plan_folder, None, outcomes)
    text, folder = read_text(path, MAX_BYTES), path.absolute().parent
    return OpenedFile(text, folder, path.absolute(), _last_results(text, folder, homes))


def read_outcomes(folder: Path, plan_folder: Path | None) -> PlanResults:
    """Read a folder with results; raises TileLabError. plan_folder: where the plan's files are."""
    places = [folder.parent, folder]
    return _results_near(places if plan_folder is None else [plan_folder, *places], folder)[1]


def run_sweep(
    runs: Runs, folder: Path, open_for: OpenWorkers, request: StopRequest, *, resume: bool
) -> Iterator[PreviousResults | Remark | SweepPreparation | SweepProgress | None]:
    """Do the remaining runs. Closing the iterator early ends the workers at once."""
    with Results(folder, runs, resume=resume) as results:
        yield PreviousResults(list(results.outcomes()))
        if not results.left():
            results.write_table()
            return
        with open_for(len(results.left())) as workers:
            yield from get_ready(workers, [runs], request)
            yield from sweep(results, workers, request)


def try_runs(runs: Runs, request: StopRequest) -> Iterator[object]:
    """Estimate how long the runs take; yields SweepPreparation and at last a TimeEstimate."""
    yield from prepare([runs], request)
    yield estimate(runs, is_stopped=request.is_stopped)


def get_ready(
    workers: Workers, kinds: Iterable[Runs], request: StopRequest
) -> Iterator[Remark | SweepPreparation]:
    """Say why there are fewer workers than requested, and prepare the runs."""
    if workers.remark:
        yield Remark(workers.remark)
    yield from prepare(kinds, request)


def prepare(kinds: Iterable[Runs], request: StopRequest) -> Iterator[SweepPreparation]:
    """Compile kernels and build tables that runs need; errors are reported in the runs' rows."""
    for warm_up in warm_ups(kinds):
        if request.is_stopped():
            return
        yield SweepPreparation("")
        with suppress(*SOLVER_ERRORS):
            for making in with_prerequisites(warm_up):
                yield SweepPreparation(str(making))


def _results_near(places: Sequence[Path], folder: Path) -> tuple[Path, PlanResults]:
    """Read results, and return also the first of some folders that has the plan's files."""
    kept = read_results(folder)
    plan_folder, runs = _runs_near(places, kept.plan)
    outcomes = PlanResults(runs, folder, found_unsound=frozenset(kept.unsound), doubt=kept.doubt)
    with Results(folder, runs, resume=True) as results:
        outcomes.add(results.outcomes())
    return plan_folder, outcomes


def _last_results(text: str, folder: Path, homes: Sequence[Path]) -> PlanResults | None:
    """Return the results of a plan that were written last; None if there are none."""
    try:
        found = find_results(parse_plan(text, ""), (folder, *homes))
    except TileLabError:  # the form says why
        return None
    for place in found:
        with suppress(TileLabError):  # such as those of another version of a solver
            return read_outcomes(place, folder)
    return None


def _runs_near(places: Sequence[Path], plan: Plan) -> tuple[Path, Runs]:
    """Return the runs of a plan, and the first of some folders that has its files."""
    errors: list[TileLabError] = []
    for place in places:
        try:
            return place, runs_of(plan, place)
        except TileLabError as error:
            errors.append(error)
    raise errors[0]


class SweepStage(enum.StrEnum):
    """Stage of a sweep."""

    IDLE = "idle"
    PREPARING = "preparing"
    RUNNING = "running"
    STOPPING = "stopping"  # the current runs finish
    KILLING = "killing"  # the current runs are given up


class SweepControl(QObject):
    """Run one sweep at a time, report its results and keep them."""

    changed = Signal()  # emitted when the stage or the progress has changed
    came = Signal(object)  # emitted with the set of settings that have new results
    failed = Signal(str)
    remarked = Signal(str)  # message about the workers

    def __init__(self, parent: QObject, choose: ChooseWorkers = choose_workers) -> None:
        super().__init__(parent)
        self._choose_workers = choose
        self.stage = SweepStage.IDLE
        self.outcomes: PlanResults | None = None
        """Results of the current or last sweep, or results that were opened."""
        self._ends_at: float | None = None
        """When the last run is expected to end, by the monotonic clock; None: not known."""
        self._getting = ""  # preparation that is under way before the runs begin
        self._request = StopRequest()
        self._background = TaskRunner(self, self._reported, failed=self._failed, ended=self._ended)

    @property
    def is_busy(self) -> bool:
        return self.stage is not SweepStage.IDLE

    @property
    def words(self) -> str:
        """What it does, or whether runs are left."""
        if self.stage is SweepStage.PREPARING:
            return self._getting or tr("getting ready")
        if self.stage is SweepStage.RUNNING:
            if self._ends_at is None:  # until a run of each setting has ended
                return tr("estimating the time left")
            left = self._ends_at - time.monotonic()
            return tr("about {time} left", time=about(left)) if left >= 1 else tr("running")
        if self.stage is SweepStage.STOPPING:
            return tr("stopping after the current runs")
        if self.stage is SweepStage.KILLING:
            return tr("stopping…")
        is_whole = self.outcomes is None or not self.outcomes.n_left
        return tr("finished") if is_whole else tr("stopped; RESUME continues")

    @property
    def can_continue(self) -> bool:
        """Whether runs remain or have failed."""
        return self.outcomes is not None and (
            self.outcomes.n_left > 0 or self.outcomes.n_failed > 0
        )

    def begin(self, runs: Runs, folder: Path, n_workers: int, scheduler: str) -> None:
        """Start all runs of a plan."""
        self.outcomes = PlanResults(runs, folder)
        self._start(n_workers, scheduler, resume=False)

    def continue_runs(self, n_workers: int, scheduler: str) -> None:
        """Start the remaining runs."""
        assert self.outcomes is not None
        self.outcomes.doubt = ""  # the folder is repaired
        self._start(n_workers, scheduler, resume=True)

    @Slot()
    def stop(self) -> None:
        """Start no more runs; the current ones finish, unless this is called again."""
        if self.stage is SweepStage.STOPPING:
            self._request.kill()
            self._enter(SweepStage.KILLING)
        elif self.is_busy:
            self._request.stop()
            self._enter(SweepStage.STOPPING)

    def end(self) -> None:
        """End the sweep with the program; the remaining runs can be done later."""
        self._request.kill()
        self._background.close()
        self.stage = SweepStage.IDLE

    def _start(self, n_workers: int, scheduler: str, *, resume: bool) -> None:
        assert self.outcomes is not None
        self._request, self._ends_at, self._getting = StopRequest(), None, ""
        self._enter(SweepStage.PREPARING)
        open_for = self._choose_workers(n_workers, scheduler)
        runs, folder = self.outcomes.runs, self.outcomes.folder
        self._background.start(run_sweep(runs, folder, open_for, self._request, resume=resume))

    def _enter(self, stage: SweepStage) -> None:
        self.stage = stage
        if stage is SweepStage.IDLE:
            self._ends_at = None
        self.changed.emit()

    @Slot(object)
    def _reported(
        self, item: PreviousResults | Remark | SweepPreparation | SweepProgress | None
    ) -> None:
        if isinstance(item, Remark):
            self.remarked.emit(item.text)
        elif isinstance(item, SweepPreparation):
            self._getting = item.what
            self.changed.emit()
        elif isinstance(item, PreviousResults):
            self._add(item.outcomes)
        else:
            if item is not None:
                self._add(item.outcomes)
                left = item.seconds_left
                self._ends_at = None if left is None else time.monotonic() + left
            if self.stage is SweepStage.PREPARING:
                self.stage = SweepStage.RUNNING
            self.changed.emit()

    def _add(self, outcomes: Sequence[tuple[int, Outcome]]) -> None:
        assert self.outcomes is not None
        settings = self.outcomes.add(outcomes)
        if settings:
            self.came.emit(settings)

    @Slot()
    def _ended(self) -> None:
        self._enter(SweepStage.IDLE)

    @Slot(str)
    def _failed(self, text: str) -> None:
        self._enter(SweepStage.IDLE)
        self.failed.emit(text)


class SweepCommand(enum.StrEnum):
    """Commands of the bar."""

    NEW = "new"
    OPEN = "open"
    SAVE = "save"
    RUN = "run"
    STOP = "stop"
    RESUME = "resume"


_BUTTONS = {
    SweepCommand.NEW: (marked("NEW"), "Ctrl+N", marked("Begin another plan; undo with Ctrl+Z")),
    SweepCommand.OPEN: (marked("OPEN…"), "Ctrl+O", marked("Open a plan, or the results of one")),
    SweepCommand.SAVE: (
        marked("SAVE PLAN…"),
        "Ctrl+S",
        marked("Write the plan to a file, which tilelab sweep reads, too"),
    ),
    SweepCommand.RUN: (
        marked("RUN"),
        "F5",
        marked("Run the whole plan and keep the results in a new folder"),
    ),
    SweepCommand.STOP: (
        marked("STOP"),
        "Shift+F5",
        marked("Finish the current runs and start no others; press again to end them now"),
    ),
    SweepCommand.RESUME: (marked("RESUME"), "F5", marked("Do the remaining runs of these results")),
}


class ExperimentBar(QFrame):
    """The buttons and the progress of a sweep; F5 presses the coloured one if it starts a sweep."""

    asked = Signal(object)  # emitted with the SweepCommand that was clicked

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "bar")
        self._in_colour = SweepCommand.RUN
        self._buttons = {command: self._button(command) for command in SweepCommand}
        self.progress = named(QProgressBar(self), "experiment_progress", tr("Runs done"))
        self.progress.setFixedWidth(_BAR_PIXELS)
        self.progress.setTextVisible(False)
        self.how_far = named(ElidedLabel(self, role="muted"), "experiment_how_far")
        self.how_far.setMinimumWidth(_MIN_TEXT_PIXELS)
        # A longer text is cut, and moves nothing to another line.
        self.how_far.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        buttons = tuple(self._buttons.values())
        n_of_plan = list(self._buttons).index(SweepCommand.RUN)
        middle = Qt.AlignmentFlag.AlignVCenter
        groups = (
            row_of(*buttons[:n_of_plan]),
            row_of(*buttons[n_of_plan:]),
            row_of((self.progress, 0, middle), (self.how_far, 1)),
        )
        row = ButtonRow(*groups, spacing=16)
        row.setStretchFactor(groups[-1], 1)
        column_layout(self, (16, 10, 16, 10), 0, row)
        for command, (_, key, _) in _BUTTONS.items():
            if command is not SweepCommand.RESUME:
                shortcut = QShortcut(QKeySequence(key), self, autoRepeat=False)
                shortcut.activated.connect(partial(self._pressed, command))

    def show_allowed(self, allowed: Collection[SweepCommand], in_colour: SweepCommand) -> None:
        """Enable the possible commands, and colour the main button."""
        self._in_colour = in_colour
        had_focus = self.focusWidget()
        for command, button in self._buttons.items():
            button.setEnabled(command in allowed)
            role = "stop" if command is SweepCommand.STOP else "primary"
            set_role(button, role if command is in_colour and command in allowed else "")
        if had_focus is not None and not had_focus.isEnabled():
            self._buttons[in_colour].setFocus()

    def show_progress(self, n_done: int, n_all: int, text: str) -> None:
        """Show how many runs have finished; n_all: 0 while there is nothing to do."""
        self.progress.setVisible(n_all > 0)
        self.progress.setRange(0, max(n_all, 1))
        self.progress.setValue(n_done)
        self.how_far.setText(text)

    def button(self, command: SweepCommand) -> QPushButton:
        return self._buttons[command]

    def _pressed(self, command: SweepCommand) -> None:
        resumes = command is SweepCommand.RUN and self._in_colour is SweepCommand.RESUME
        self.asked.emit(SweepCommand.RESUME if resumes else command)

    def _button(self, command: SweepCommand) -> QPushButton:
        title, key, tip = _BUTTONS[command]
        title, tip = tr(title), tr(tip)
        button = QPushButton(title, self)
        named(button, f"experiment_{command}", title.capitalize(), f"{tip} ({shown_key(key)})")
        button.setAccessibleDescription(tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_style_property(button, "run", True)
        button.clicked.connect(lambda: self.asked.emit(command))
        return button
