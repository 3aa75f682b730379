"""The card of a search over seeds for a better value, limited by time or a target."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QFormLayout,
    QLineEdit,
    QProgressBar,
    QSpinBox,
    QWidget,
)

from tilelab import catalog
from tilelab.core.errors import TileLabError
from tilelab.core.files.paths import path_from
from tilelab.core.parameters import kept_params, validate
from tilelab.core.plain import Value, number_from, typed_text
from tilelab.core.text.language import figures, marked, tr, tr_count
from tilelab.core.text.wording import about, counted, forms
from tilelab.experiments.jobs import Job, recipe_of
from tilelab.experiments.seed_search import (
    ENDING_SECONDS,
    SearchGoal,
    SeedSearch,
    SeedSearchProgress,
    job_of,
)
from tilelab.experiments.workers import MAX_WORKERS, Processes, StopRequest, default_workers
from tilelab.gui.parameters.control import TimeField, replaced_words
from tilelab.gui.threads.task_runner import CLOSING_SECONDS, TaskRunner
from tilelab.gui.widgets.manual_link import ManualButton
from tilelab.gui.widgets.parts import (
    STRETCH,
    Card,
    allow,
    column_layout,
    named,
    push_button,
    row_of,
    text_label,
)
from tilelab.gui.widgets.theme import set_role
from tilelab.library.loading import random_seed
from tilelab.runs.history.record import BY_HAND, RunRecord
from tilelab.runs.history.schema import HistoryError
from tilelab.runs.history.store import History
from tilelab.runs.limits import Limits
from tilelab.runs.recipe import warm_up, with_prerequisites
from tilelab.runs.records import BestKnown, best_known, replace_record

_HOUR = 3_600.0
_MAX_UNITS = 10**9
_USUAL_UNITS = 10_000
_STEPS = 1_000  # number of steps of the progress bar
_IDLE = marked("Repeats the run of the selected record with other seeds and keeps the best one.")


class SeedSearchUpdate(NamedTuple):
    """Progress of a search over seeds."""

    progress: SeedSearchProgress
    said: str
    """Comparison of a new best with the best known value, a remark about the workers, or ''."""


def listing() -> Iterator[list[BestKnown]]:
    """Yield all known records; raises HistoryError after the built-in ones."""
    try:
        with History() as history:
            known = best_known(history)
    except HistoryError:
        yield best_known(None)
        raise
    yield known


def search_job(record: RunRecord, seed: int, limits: Limits) -> Job:
    """Return the run of a record with another seed; raises TileLabError."""
    puzzle, solver = catalog.puzzle(record.puzzle), catalog.solver(record.puzzle, record.solver)
    file, name = record.origin.get("file"), record.origin.get("lexicon")
    values: dict[str, Value] = {flag.name: flag.default for flag in catalog.instance_flags(puzzle)}
    values |= kept_params(puzzle.spec.params, record.puzzle_params).model_dump(mode="json")
    values["lexicon"] = str(path_from(file)) if isinstance(file, str) else str(name)
    params = kept_params(solver.spec.params, record.params).model_dump(mode="json")
    return job_of(record.puzzle, values, record.solver, params, seed, limits)


def searching(job: Job, wanted: SearchGoal, n_workers: int, asked: StopRequest) -> Iterator[object]:
    """Repeat a run with one seed after another; yields texts, then SeedSearchUpdate.

    The best run replaces the previous best one in the history. Raises TileLabError.
    """
    yield tr("getting ready")
    for making in with_prerequisites(partial(warm_up, recipe_of(job))):
        yield tr("getting ready: {step}", step=making)
    with Processes(n_workers, n_runs=wanted.n_runs, low_priority=True) as workers:
        workers.require_started()
        yield from _found(SeedSearch(job, workers, wanted), asked, workers.remark)


def _found(search: SeedSearch, asked: StopRequest, remark: str) -> Iterator[SeedSearchUpdate]:
    kept, said, is_closed = 0, remark, False
    for progress in search.steps(asked):
        if progress.is_new and progress.best is not None:
            with History() as history:
                kept, said = replace_record(progress.best, kept, history)
        if is_closed:
            continue
        try:
            yield SeedSearchUpdate(progress, said)
        except GeneratorExit:  # the program ends, but a current run may have the best
            is_closed = True
            asked.kill()
        said = ""


class SearchCard(Card):
    """A card that starts and stops the search and shows its progress."""

    kept = Signal()  # emitted when a better run is in the history
    said = Signal(str)  # emitted with the comparison of a better run with the best known value

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._run: RunRecord | None = None
        self._category = ""  # key of the category whose usual number of units is shown
        self._unit = ""  # what that number counts
        self._asked = StopRequest()
        self._has_best = False
        self._job = TaskRunner(self, self._reported, failed=self._failed, ended=self._ended)
        self.hours = TimeField("h", self)
        self.hours.setDecimals(4)
        self.hours.setRange(0.001, 10_000.0)
        self.hours.setSuffix(" h")
        self.hours.setValue(8.0)
        self.hours.setKeyboardTracking(False)
        self.hours.replaced.connect(self._say_replaced, Qt.ConnectionType.QueuedConnection)
        self.units = QSpinBox(self, minimum=1, maximum=_MAX_UNITS, value=_USUAL_UNITS)
        self.units.setGroupSeparatorShown(True)
        self.units.valueChanged.connect(self._name_unit)
        self.target = QLineEdit(self, placeholderText=tr("no target"))
        self.workers = QSpinBox(self, minimum=1, maximum=MAX_WORKERS, value=default_workers())
        names: dict[QAbstractSpinBox | QLineEdit, tuple[str, str]] = {
            self.hours: ("record_hours", tr("End after")),
            self.units: ("record_units", tr("A run ends after")),
            self.target: ("record_target", tr("Target")),
            self.workers: ("record_workers", tr("Runs at a time")),
        }
        form = QFormLayout(horizontalSpacing=12, verticalSpacing=8)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for field, (name, title) in names.items():
            named(field, name, title)
            field.setAlignment(Qt.AlignmentFlag.AlignRight)
            form.addRow(title, field)
        self.button = push_button(tr("SEARCH"), "record_search", "", self, self.turn)
        set_role(self.button, "primary")
        self._bar = QProgressBar(self, textVisible=False, minimum=0, maximum=_STEPS)
        self._bar.setAccessibleName(tr("Time of the search"))
        self.how_far = text_label("muted", self, tr(_IDLE), "record_how_far", wraps=True)
        self.how_far.setAlignment(Qt.AlignmentFlag.AlignTop)
        heading = text_label("title", self, tr("Search further"))
        manual = ManualButton(tr("Search further"), self, "records#a-search-for-a-night")
        above = row_of(heading, manual, STRETCH)
        below = row_of(self.button, (self._bar, 1), spacing=12)
        column_layout(self, 16, 8, above, form, below, self.how_far)
        self._allow()

    @property
    def is_busy(self) -> bool:
        return self._job.is_busy

    def offer(self, run: RunRecord | None, category: str) -> None:
        """Offer the search for the category of a run; None for none.

        A running search continues; the fields stay while the category, named by its key, stays.
        """
        self._run = run if run is not None and run.solver not in ("", BY_HAND) else None
        if not self.is_busy and category != self._category:
            self._category = category
            units, self._unit = 0, ""
            if self._run is not None:
                limit = validate(Limits, self._run.limits).units
                units = self._run.units if limit is None else limit
                self._unit = self._run.unit
            self.units.setValue(units or _USUAL_UNITS)
            self._name_unit()
        self._allow()

    @Slot()
    def _name_unit(self) -> None:
        """Write the unit after its number, in the form for that number."""
        named = tr_count(*forms(self._unit), self.units.value()) if self._unit else ""
        unit = named.removeprefix("{count}")
        if unit != self.units.suffix():  # setting it writes the number that is typed again
            self.units.setSuffix(unit)

    @Slot()
    def turn(self) -> None:
        """Start a search, or stop the running one."""
        if self.is_busy:
            self._asked.kill()
            self.how_far.setText(tr("stopping…"))
            self.button.setEnabled(False)
            return
        if self._run is None:
            return
        try:
            target = self._target()
            limits = Limits(units=self.units.value(), target=target)
            job = search_job(self._run, random_seed(), limits)
        except TileLabError as error:
            self.how_far.setText(str(error))
            return
        self._asked, self._has_best = StopRequest(), False
        wanted = SearchGoal(self.hours.value() * _HOUR)
        self._job.start(searching(job, wanted, self.workers.value(), self._asked))
        self._allow()

    def end(self) -> None:
        """Cancel the search, and wait until its best run is kept."""
        self._asked.kill()
        self._job.close(ENDING_SECONDS + CLOSING_SECONDS)

    @Slot(str, str)
    def _say_replaced(self, typed: str, why: str) -> None:
        self.how_far.setText(replaced_words(typed, self.hours.text(), why))

    def _target(self) -> float | None:
        text = typed_text(self.target.text())
        if not text:
            return None
        try:
            return number_from(text)
        except ValueError:
            raise TileLabError.tr("Target: {text!r} is not a number.", text=text[:40]) from None

    @Slot(object)
    def _reported(self, update: SeedSearchUpdate | str) -> None:
        if isinstance(update, str):
            if not self._asked.is_stopped():
                self.how_far.setText(update)
            return
        progress = update.progress
        share = 1.0 - max(progress.seconds_left, 0.0) / (self.hours.value() * _HOUR)
        self._bar.setValue(round(_STEPS * min(share, 1.0)))
        if progress.is_new:
            self._has_best = True
            self.kept.emit()
        if update.said:
            self.said.emit(update.said)
        if self._asked.is_stopped():
            return
        parts = [counted(progress.n_done, "seed")]
        if progress.n_failed:
            parts.append(
                tr(
                    "{n_failed} failed: {error}",
                    n_failed=figures(progress.n_failed, ","),
                    error=progress.error,
                )
            )
        if progress.best is not None:
            parts.append(
                tr(
                    "best {value} with seed {seed}",
                    value=progress.best.shown_value,
                    seed=progress.best.seed,
                )
            )
        if progress.seconds_left > 0:
            parts.append(tr("about {time} left", time=about(progress.seconds_left)))
        self.how_far.setText(" · ".join(parts))

    @Slot()
    def _ended(self) -> None:
        if self._asked.is_stopped():
            self.how_far.setText(
                tr("Stopped. The best run is kept.") if self._has_best else tr("Stopped.")
            )
        else:
            self.how_far.setText(tr("Ended: {progress}", progress=self.how_far.text()))
        self._allow()

    @Slot(str)
    def _failed(self, why: str) -> None:
        self.how_far.setText(why)
        self._allow()

    @Slot()
    def _allow(self) -> None:
        is_busy = self.is_busy
        self.button.setText(tr("STOP") if is_busy else tr("SEARCH"))
        set_role(self.button, "stop" if is_busy else "primary")
        tip = (
            tr("Stop the search; the best run is kept") if is_busy else tr("Begin with a new seed")
        )
        may_search = is_busy or self._run is not None
        allow(self.button, tip, "" if may_search else tr("There is no run to try other seeds with"))
        for field in (self.hours, self.units, self.target, self.workers):
            field.setEnabled(not is_busy)
        self._bar.setVisible(is_busy)
