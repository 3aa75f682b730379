"""The page that tunes a plan's solver: trials, the best one, and its comparison."""

import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QProgressBar, QSizePolicy, QWidget

from tilelab import catalog
from tilelab.core.files.paths import path_from, path_text
from tilelab.core.files.resources import resource
from tilelab.core.parameters import ParameterSpec
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import shortened, tool_tip
from tilelab.core.text.wording import about, capital
from tilelab.experiments.chart_values import figure_title
from tilelab.experiments.plan import parse_plan_toml, plan_of
from tilelab.experiments.statistics import Summary
from tilelab.experiments.tuning.trials import DONE, FAILED, ParameterRange, Task, Trial
from tilelab.experiments.tuning.tune import SolverTuning, TuneOutcome, TuneProgress
from tilelab.experiments.workers import StopRequest, Workers
from tilelab.gui.lab.experiments.control import (
    ChooseWorkers,
    OpenWorkers,
    Remark,
    SweepPreparation,
    get_ready,
)
from tilelab.gui.lab.experiments.draft import Change, changed
from tilelab.gui.lab.experiments.results_card import figure_text
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.item_model import Column, text_columns
from tilelab.gui.widgets.item_table import ROW_HEIGHT, ItemTable
from tilelab.gui.widgets.manual_link import ManualButton, set_manual_place
from tilelab.gui.widgets.parts import (
    STRETCH,
    Card,
    column_layout,
    named,
    parted,
    push_button,
    row_of,
    small_button,
    text_label,
)
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import keep_scaled, keep_themed, scaled, set_role
from tilelab.gui.widgets.window_place import scrolled

_NOTHING = marked(
    "TUNE searches for the best parameters of a solver. It then compares them with the "
    "defaults on instances that were held out. The plan needs one solver with a list or a "
    "range for at least one parameter."
)
_TEXT, _PLAN_FOLDER, _FOLDER = (
    f"experiments/tuning_{name}" for name in ("plan", "beside", "folder")
)
_PARAMETERS = (marked("Parameter"), marked("Default"), marked("Tuned"), marked("Importance"))
_COMPARED = (
    marked("On held-out instances"),
    marked("Runs"),
    marked("Mean"),
    marked("95 % interval"),
    marked("Least"),
    marked("Most"),
)
_TOO_FEW = marked("How much each parameter matters is said after 10 trials.")
_A_MOMENT = 0.5  # seconds between two updates while short trials end


class TunePlan(NamedTuple):
    """Plan, target and folder of a tuning."""

    text: str
    plan_folder: Path | None  # folder in which the plan's files are looked for
    folder: Path


def tune_solver(
    plan: TunePlan, open_for: OpenWorkers, request: StopRequest, *, resume: bool
) -> Iterator[TuneOutcome | SweepPreparation | Remark | TuneProgress | None]:
    """Do the remaining trials, then the comparison; raises TileLabError.

    Yields None while waiting, and at last a TuneOutcome. If stopped before it begins, it only reads
    earlier trials. Closing the iterator early ends the workers at once.
    """
    values = parse_plan_toml(plan.text, tr("The plan"))
    with SolverTuning(plan.folder, plan_of(values), plan.plan_folder, resume=resume) as work:
        yield work.outcome()
        with open_for(work.n_at_a_time) as workers:
            yield from get_ready(workers, work.task.kinds, request)
            n_said, said = -1, time.monotonic()
            for progress in work.steps(workers, request):
                yield progress
                if progress is None:
                    continue
                now, n_done = time.monotonic(), progress.n_done
                is_time = now - said > _A_MOMENT or progress.is_compared
                if n_done != n_said and is_time:
                    n_said, said = n_done, now
                    yield work.outcome()
        if not request.is_stopped():
            work.write_table()
        yield work.outcome()


class TunePage(Card):
    """The page of the current or last tuning."""

    asked = Signal()  # emitted when TUNE is clicked; begin should be called
    plan_requested = Signal(str, object)
    """Emitted with a plan to show: its text, and the folder in which its files are looked for, or
    None.
    """

    def __init__(self, settings: Settings, choose: ChooseWorkers, parent: QWidget) -> None:
        super().__init__(parent, title=tr("Tuning"))
        self._settings, self._choose_workers = settings, choose
        self._request = StopRequest()
        self.plan: TunePlan | None = None  # plan of the tuning that is shown
        self.outcome: TuneOutcome | None = None  # result so far of the tuning that is shown
        self._has_plan = self._has_restored = False
        self._workers: tuple[int, str] = 0, ""
        self._make_buttons()
        self._progress = QProgressBar(self, textVisible=False)
        self._progress.setAccessibleName(tr("Trials done"))
        keep_scaled(self._progress, width=100)
        self._title = ElidedLabel(self, role="title")
        self.how_far = named(ElidedLabel(self, role="muted"), "tune_how_far")
        self.said = text_label("muted", self, tr(_NOTHING), "tune_said", wraps=True)
        self.trials: ItemTable[Trial] = ItemTable(
            "tune_trials", tr("Trials"), (), lambda trial: trial.number, self, selects_many=True
        )
        self.result = TuneResult(self)
        self.result.take_requested.connect(self._take)
        self._lay_out()
        self._background = TaskRunner(self, self._reported, failed=self._failed, ended=self._ended)
        self._show()

    @property
    def is_busy(self) -> bool:
        return self._background.is_busy

    def allow(self, *, has_plan: bool) -> None:
        """Set whether there is a plan to tune."""
        self._has_plan = has_plan
        self._show()

    def begin(self, plan: TunePlan, n_workers: int, scheduler: str) -> None:
        """Start a tuning in a new folder."""
        self._has_restored = True
        self.plan, self.outcome = plan, None
        self._workers = n_workers, scheduler
        self.result.clear()
        self._start(self._choose_workers(n_workers, scheduler), StopRequest(), resume=False)

    def take_over(self, before: "TunePage") -> None:
        """Show the tuning of another page, which has ended."""
        if before.plan is not None and before.outcome is not None:
            self._has_restored = True
            self.plan, self._workers = before.plan, before._workers
            self._show_outcome(before.outcome)
            self._ended()

    @Slot()
    def continue_trials(self) -> None:
        """Continue the tuning that is shown."""
        if self.plan is not None and not self.is_busy:
            self._start(self._choose_workers(*self._workers), StopRequest(), resume=True)

    @Slot()
    def stop(self) -> None:
        """Start no more runs."""
        self._request.stop()
        self.how_far.setText(tr("stopping…"))
        self._show()

    def remember(self) -> None:
        """Remember which tuning is shown."""
        if not self._has_restored:
            return
        plan = self.plan
        plan_folder = None if plan is None else plan.plan_folder
        self._settings.set_text(_TEXT, "" if plan is None else plan.text)
        self._settings.set_text(_PLAN_FOLDER, "" if plan_folder is None else path_text(plan_folder))
        self._settings.set_text(_FOLDER, "" if plan is None else path_text(plan.folder))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._has_restored:
            self._has_restored = True
            self._restore()

    def _restore(self) -> None:
        """Restore the tuning that was shown last."""
        names = (_TEXT, _PLAN_FOLDER, _FOLDER)
        text, plan_folder, folder = (self._settings.text(name) for name in names)
        if text and folder and path_from(folder).is_dir():
            self.plan = TunePlan(
                text, path_from(plan_folder) if plan_folder else None, path_from(folder)
            )
            looking = StopRequest()
            looking.stop()
            self._start(lambda _: Workers(), looking, resume=True)

    def _start(self, open_for: OpenWorkers, request: StopRequest, *, resume: bool) -> None:
        assert self.plan is not None
        self._request = request
        self.said.setText("")
        self.how_far.setText(tr("getting ready"))
        self._background.start(tune_solver(self.plan, open_for, request, resume=resume))
        self._show()

    # Events

    @Slot(object)
    def _reported(
        self, step: TuneOutcome | SweepPreparation | Remark | TuneProgress | None
    ) -> None:
        if isinstance(step, TuneOutcome):
            self._show_outcome(step)
        elif isinstance(step, Remark):
            self.said.setText(step.text)
            self._show()
        elif step is None or self._request.is_stopped():
            return
        elif isinstance(step, SweepPreparation):
            self.how_far.setText(
                tr("making {step}", step=step.what) if step.what else tr("getting ready")
            )
        else:
            self._progress.setRange(0, step.n_trials)
            self._progress.setValue(step.n_done)
            self.how_far.setText(_how_far(step))

    def _show_outcome(self, outcome: TuneOutcome) -> None:
        task, trials = outcome.task, outcome.trials
        if self.outcome is None:
            self.trials.set_columns(_columns(task))
        self.outcome = outcome
        self.trials.show_items(trials)
        self._progress.setRange(0, task.tune.trials)
        self._progress.setValue(len(trials))
        self.result.show_outcome(outcome)
        self._show()

    @Slot()
    def _ended(self) -> None:
        if self.outcome is not None:
            outcome = self.outcome
            n_done, n_trials = len(outcome.trials), outcome.task.tune.trials
            how = tr("finished") if self.outcome.is_done else tr("stopped; RESUME continues")
            self.how_far.setText(
                tr(
                    "{n_done} of {n_trials} trials · {progress}",
                    n_done=figures(n_done, ","),
                    n_trials=figures(n_trials, ","),
                    progress=how,
                )
            )
        self._show()

    @Slot(str)
    def _failed(self, why: str) -> None:
        self.how_far.setText(tr("failed"))
        self.said.setText(why)
        self._show()

    @Slot()
    def _take(self) -> None:
        """Request a plan with the best parameters in place of the search ranges."""
        best = None if self.outcome is None else self.outcome.best
        if self.plan is not None and best is not None:
            changes: list[Change] = [(("solvers", 0, "axes"), None), (("tune",), None)]
            for name, value in best.setting.items():
                changes.append((("solvers", 0, "params", name), value))
            self.plan_requested.emit(changed(self.plan.text, changes), self.plan.plan_folder)

    @Slot()
    def _show_example(self) -> None:
        file = resource("plans", "tuning", "game-titles.toml")
        self.plan_requested.emit(file.read_text(encoding="utf-8"), None)

    # State of the buttons

    @Slot()
    def _show(self) -> None:
        is_busy, is_stopping = self.is_busy, self._request.is_stopped()
        may_resume = not is_busy and self.plan is not None and self.plan.folder.is_dir()
        if self.outcome is not None and self.outcome.is_done:
            may_resume = False
        self.tune_button.setEnabled(not is_busy and self._has_plan)
        self.resume_button.setEnabled(may_resume)
        self.stop_button.setEnabled(is_busy and not is_stopping)
        set_role(self.tune_button, "" if may_resume or is_busy else "primary")
        set_role(self.resume_button, "primary" if may_resume else "")
        set_role(self.stop_button, "stop" if is_busy else "")
        title = "" if self.outcome is None else shortened(self.outcome.task.plan.title)
        self._title.setText(tr("Tuning: {title}", title=title) if title else tr("Tuning"))
        self._progress.setVisible(self.outcome is not None)
        self.said.setVisible(bool(self.said.text()))
        self._parts.setVisible(self.outcome is not None)
        self._rest.setVisible(self.outcome is None)
        if self.plan is not None:
            self.how_far.setToolTip(tool_tip(tr("In {folder}", folder=path_text(self.plan.folder))))

    def _make_buttons(self) -> None:
        tip = tr(
            "Search for the best parameters of the plan's solver and keep the results in "
            "a new folder"
        )
        self.tune_button = push_button(tr("TUNE"), "tune_begin", tip, self, self.asked)
        tip = tr("Finish the current runs; the results are kept")
        self.stop_button = push_button(tr("STOP"), "tune_stop", tip, self, self.stop)
        tip = tr("Do the remaining trials of this tuning")
        self.resume_button = push_button(
            tr("RESUME"), "tune_resume", tip, self, self.continue_trials
        )
        tip = tr("Show a plan that tunes the genetic algorithm")
        self.example = small_button(tr("Example"), "tune_example", tip, self, self._show_example)

    def _lay_out(self) -> None:
        tools = (self.tune_button, self.stop_button, self.resume_button, self._progress)
        buttons = row_of(*tools, (self.how_far, 1), spacing=12)
        set_manual_place(self, "experiments#tuning")
        heading = row_of(self._title, ManualButton(tr("Tuning"), self), STRETCH, self.example)
        trials, result = QWidget(self), QWidget(self)
        column_layout(trials, (0, 0, 0, 8)).addWidget(self.trials)
        column_layout(result, (0, 8, 0, 0)).addWidget(scrolled(self.result, self))
        parts = parted(Qt.Orientation.Vertical, self, (trials, 0), (result, 0), gap=0)
        self._parts = named(parts, "tune_parts")
        self._parts.setSizes([190, 380])
        self._rest = QWidget(self)
        below = (self._parts, 1), (self._rest, 1)
        column_layout(self, (16, 12, 16, 12), 10, heading, buttons, self.said, *below)


def _columns(task: Task) -> tuple[Column[Trial], ...]:
    """Return the columns of the trials: number, setting and result."""

    def parameter(axis: ParameterRange, spec: ParameterSpec) -> Column[Trial]:
        places = {value: float(place) for place, value in enumerate(axis.values)}
        return Column(
            tr(spec.title),
            110,
            lambda trial: spec.value_title(trial.setting[axis.name]),
            lambda trial: places.get(trial.setting[axis.name]),
            is_number=axis.is_ordered,
        )

    parameters = [parameter(axis, spec) for axis, spec in zip(task.axes, _specs(task), strict=True)]
    return (
        Column(
            tr("Trial"),
            64,
            lambda trial: figures(trial.number + 1, ","),
            lambda trial: trial.number,
        ),
        *parameters,
        Column(
            tr("Mean {metric_title}", metric_title=figure_title(task.tune.of)),
            110,
            lambda trial: "–" if trial.value is None else figure_text(trial.value),
            lambda trial: trial.value,
            header_tip=tr("Over the runs of the trial, with the whole limits"),
        ),
        Column(
            tr("Result"),
            150,
            lambda trial: capital(_state(trial, task.n_rungs)),
            lambda trial: _state(trial, task.n_rungs),
            is_number=False,
            header_tip=tr("Finished, or stopped early at a rung with its mean there"),
            stretches=True,
        ),
    )


def _state(trial: Trial, n_rungs: int) -> str:
    if trial.state == DONE:
        return tr("done")
    if trial.state == FAILED:
        return tr("failed: {reason}", reason=trial.note)
    if trial.note or not trial.rungs:
        return tr("stopped early: {reason}", reason=trial.note)
    value = figure_text(trial.rungs[-1])
    return tr(
        "rung {number} of {n_rungs}: {value}", number=len(trial.rungs), n_rungs=n_rungs, value=value
    )


def _how_far(progress: TuneProgress) -> str:
    runs = progress.runs
    if progress.is_compared:
        n_runs = (
            ""
            if runs is None
            else tr(
                ": {n_done} of {n_runs} runs",
                n_done=figures(runs.n_done, ","),
                n_runs=figures(runs.n_done + runs.n_left, ","),
            )
        )
        return tr("comparing with the default{n_runs}", n_runs=n_runs)
    parts = [
        tr(
            "trial {number} of {n_trials}",
            number=figures(progress.n_done + 1, ","),
            n_trials=figures(progress.n_trials, ","),
        )
    ]
    if progress.best is not None:
        parts.append(tr("best {value}", value=figure_text(progress.best)))
    if progress.seconds_left is not None:
        parts.append(tr("{time} left", time=about(progress.seconds_left)))
    return " · ".join(parts)


class TuneResult(QWidget):
    """Two short tables and some sentences; empty until there is a best trial."""

    take_requested = Signal()  # emitted when the user puts the best parameters into the plan

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        set_role(self, "page")
        self.title = ElidedLabel(self, role="title")
        tip = tr("Make a plan with these parameters; undo with Ctrl+Z in its text")
        self.take = small_button(tr("Use in the plan"), "tune_take", tip, self, self.take_requested)
        self.parameters = _table("tune_parameters", tr("Best parameters"), _PARAMETERS, (3,), self)
        self.compared = _table(
            "tune_compared", tr("Compared with the default"), _COMPARED, range(1, 6), self
        )
        self.words = text_label("", self, "", "tune_words", wraps=True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        above = row_of((self.title, 1), self.take)
        column_layout(
            self, (0, 0, 8, 0), 10, above, self.words, self.compared, self.parameters, STRETCH
        )
        self.clear()

    @Slot()
    def clear(self) -> None:
        self.title.setText(tr("Best parameters"))
        self.words.setText("")
        for part in (self.take, self.words, self.parameters, self.compared):
            part.hide()

    def show_outcome(self, outcome: TuneOutcome) -> None:
        """Show the result so far."""
        best = outcome.best
        if best is None or best.value is None:
            self.clear()
            return
        of = figure_title(outcome.task.tune.of)
        self.title.setText(
            tr(
                "Best parameters: trial {number}, mean {figure} {value}",
                number=figures(best.number + 1, ","),
                figure=of,
                value=figure_text(best.value),
            )
        )
        _show(self.parameters, _parameter_lines(outcome))
        verdict = outcome.verdict
        if verdict is not None:
            rows = [
                [tr("The default"), *_cells(verdict.default)],
                [tr("Tuned"), *_cells(verdict.tuned)],
            ]
            _show(self.compared, rows)
        self.compared.setVisible(verdict is not None)
        words = [] if verdict is None else list(verdict.words)
        if not outcome.importance:
            words.append(tr(_TOO_FEW))
        self.words.setText("\n\n".join(words))
        self.words.setVisible(bool(words))
        self.take.show()


def _parameter_lines(outcome: TuneOutcome) -> list[list[str]]:
    assert outcome.best is not None
    lines = []
    task = outcome.task
    for axis, spec in zip(task.axes, _specs(task), strict=True):
        part = outcome.importance.get(axis.name)
        share = "–" if part is None else f"{figures(100 * part, '.0f')} %"
        default, tuned = (
            spec.value_title(setting[axis.name]) for setting in (task.default, outcome.best.setting)
        )
        lines.append([tr(spec.title), default, tuned, share])
    return lines


def _cells(facts: Summary) -> list[str]:
    interval = tr("{low} to {high}", low=figure_text(facts.low), high=figure_text(facts.high))
    bounds = map(figure_text, (facts.minimum, facts.maximum))
    return [figures(facts.n, ","), figure_text(facts.mean), interval, *bounds]


def _table(
    name: str, title: str, headings: Sequence[str], numbers: Sequence[int], parent: QWidget
) -> ItemTable[Sequence[str]]:
    table = ItemTable(name, title, text_columns(headings, numbers, stretches=0), None, parent)
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    keep_themed(table, partial(_fit, table))
    return table


def _show(table: ItemTable[Sequence[str]], lines: Sequence[Sequence[str]]) -> None:
    """Show all rows, without empty space below."""
    table.show_items(lines)
    _fit(table)
    table.show()


def _fit(table: ItemTable[Sequence[str]]) -> None:
    rows = table.items.rowCount() * scaled(ROW_HEIGHT)
    table.setFixedHeight(table.horizontalHeader().sizeHint().height() + rows + 4)


def _specs(task: Task) -> list[ParameterSpec]:
    """Return the parameters of the axes, in order; an axis may have a former name."""
    (solver,) = task.plan.solvers
    known = catalog.parameters(task.plan.puzzle.kind, solver.solver)
    return [known[axis.name] for axis in task.axes]
