"""The window of experiments: a plan at the left, its results in the middle; a run repeated."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QWidget

from tilelab import catalog
from tilelab.core.errors import TileLabError
from tilelab.core.files.paths import path_from, path_text
from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import file_stem, shortened, window_title
from tilelab.core.text.wording import counted
from tilelab.experiments.job_run import Row
from tilelab.experiments.jobs import Job, Runs, puzzle_of
from tilelab.experiments.results import FILE, ResultsSummary, latest_results
from tilelab.experiments.sweep import MAX_UNASKED
from tilelab.experiments.workers import worker_count
from tilelab.gui.lab.experiments.control import (
    ChooseWorkers,
    ExperimentBar,
    OpenedFile,
    PlanResults,
    SweepCommand,
    SweepControl,
    SweepStage,
    choose_workers,
    read_file,
    read_outcomes,
)
from tilelab.gui.lab.experiments.plan_card import PlanCard, free_folder
from tilelab.gui.lab.experiments.plan_form import FieldLine
from tilelab.gui.lab.experiments.result_pages import ResultPages
from tilelab.gui.lab.experiments.tune_page import TunePlan
from tilelab.gui.run.load_menu import PLAN_SUFFIX
from tilelab.gui.run.page_opener import PageOpener, begin_recipe
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.threads.task_runner import TaskRunner, close_all, one_step
from tilelab.gui.widgets.carried_values import carry_values
from tilelab.gui.widgets.file_dialog import (
    answer,
    ask_to_open,
    ask_to_save,
    prepare_dialog,
    save_file,
)
from tilelab.gui.widgets.manual_link import bind_manual_key
from tilelab.gui.widgets.notice_bar import NoticeBar, NoticeShelf
from tilelab.gui.widgets.parts import column_layout, is_confirmed, parted, show_in_front
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import keep_scaled, set_role
from tilelab.gui.widgets.window_place import KeptLayout, scrolled
from tilelab.runs.history.schema import default_file
from tilelab.runs.limits import Limits
from tilelab.runs.recipe import Recipe

SIZE, SMALLEST = (1280, 800), (640, 420)
_PLAN_WIDTH, _MIN_PLAN_WIDTH = 336, 300
_SPACE = 16
_HOMES = "homes"  # kind of the recent folders in which results were kept
_MAX_EARLIER = 10  # number of earlier results on the page of a plan that is begun
_MAX_KEPT = 100_000  # largest length of a plan that is restored at the next start
_BUSY = marked("An experiment is in progress. Stop it first.")
_PLANS = marked("Plans and results ({patterns});;All files (*)")


class ExperimentWindow(QWidget):
    """The window that joins the bar, the plan and the results.

    Closing it does not stop its work; :meth:`end` does.
    """

    left_running = Signal(str)
    """Emitted with a sentence when the window is closed while a sweep is running."""

    def __init__(
        self,
        parent: QWidget | None,
        settings: Settings,
        puzzle: Callable[[], str],
        choose: ChooseWorkers = choose_workers,
    ) -> None:
        """puzzle: returns the kind of the puzzle of a plan that the user begins."""
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("experiment_window")
        self.setMinimumSize(*SMALLEST)
        self.resize(*SIZE)
        self._settings = settings
        self._path: Path | None = None  # file of the plan
        self._home: Path | None = None  # folder of results that the user chose, if any
        self._before: OpenedFile | None = None  # plan and results before another plan replaced them
        self._has_restored = False
        self.bar = ExperimentBar(self)
        self.notice = NoticeBar(self)
        self.plan = PlanCard(puzzle, self)
        self.control = SweepControl(self, choose)
        self.pages = ResultPages(choose, settings, self.notice, self)
        self.results = self.pages.results
        self._opening = TaskRunner(self, self._opened, failed=self.notice.show_error)
        self._listing = TaskRunner(self, self._show_earlier)
        self._lay_out()
        self._connect()
        parts = {"columns": self._columns, "tables": self.results.tables}
        self._layout = KeptLayout(self._settings, "experiments", self, **parts)
        bind_manual_key(self, "experiments#in-the-window")
        self._show()

    def bring(self) -> None:
        """Show the window in front, with the previous plan."""
        show_in_front(self)
        if not self._has_restored:
            self._has_restored = True
            self._restore()
        # No focus is shown until the user presses Tab.
        self.setFocus()

    def take_over(self, before: "ExperimentWindow") -> None:
        """Show the plan, the results and all choices of another window, whose work has ended."""
        self._has_restored = True
        self._opening.cancel()
        self._path, self._home, self._before = before._path, before._home, before._before
        self.plan.show_as(text=before.plan.shows_text)
        self.plan.form.board = before.plan.form.board
        self.plan.beginnings.show_earlier(before.plan.beginnings.found)
        self.plan.show_plan(before.plan.text.text, before.plan.folder)
        self._show_outcomes(before.control.outcomes)
        self.pages.take_over(before.pages)
        carry_values(before, self)
        self._show()

    def show_plan(self, text: str, folder: Path | None = None) -> None:
        """Show another plan, without results; Undo brings back the previous one.

        folder: where its files are looked for.
        """
        self._has_restored = True
        self._replace(OpenedFile(text, folder, None, None))

    @Slot(str, object)
    def begin_with(self, text: str, folder: Path | None = None, *, board: str = "") -> None:
        """Show a plan that the program has made.

        folder: where its files are looked for. board: the one that the program's title of it names.
        """
        if not self._refuses():
            self.plan.form.board = board or self.plan.form.board
            self.show_plan(text, folder)

    def _why_busy(self) -> str:
        return tr(_BUSY) if self.control.is_busy else ""

    def _refuses(self) -> bool:
        """Return whether no other plan can be shown now, and say why."""
        if self.control.is_busy:
            self.notice.show_refusal(self._why_busy)
        return self.control.is_busy

    def open(self, path: Path) -> None:
        """Read a plan, or a folder with results, in the background; a busy window refuses."""
        if not self._refuses():
            self._has_restored = True
            self._opening.start(one_step(read_file, path, self._homes))

    @Slot(object)
    def act(self, command: SweepCommand) -> None:
        """Perform a command, if it is possible now."""
        if command not in self.allowed:
            return
        self.notice.clear()
        done: dict[SweepCommand, Callable[[], object]] = {
            SweepCommand.NEW: partial(self.show_plan, ""),
            SweepCommand.OPEN: self._ask_and_open,
            SweepCommand.SAVE: self._ask_and_save,
            SweepCommand.RUN: self._run,
            SweepCommand.STOP: self.control.stop,
            SweepCommand.RESUME: self._resume,
        }
        done[command]()

    @property
    def allowed(self) -> frozenset[SweepCommand]:
        """Commands that are possible now."""
        stage = self.control.stage
        if stage is not SweepStage.IDLE:
            can_stop = stage is not SweepStage.KILLING
            return frozenset({SweepCommand.STOP} if can_stop else ())
        allowed = {SweepCommand.NEW, SweepCommand.OPEN}
        if self.plan.text.text.strip():
            allowed.add(SweepCommand.SAVE)
        if self._runs is not None:
            allowed.add(SweepCommand.RUN)
        if self.control.can_continue:
            allowed.add(SweepCommand.RESUME)
        return frozenset(allowed)

    def write_plan(self, path: Path) -> None:
        """Write the plan to a file, and report success or the error."""
        if save_file(path, lambda: self.plan.text.text, self.notice, self._settings):
            self._path = path.absolute()
            self.plan.show_plan(self.plan.text.text, self._path.parent)
            self._show()

    def end(self) -> None:
        """End with the program: stop all work, which can be continued later."""
        self._remember()
        self.plan.pilot.end()
        self.control.end()
        close_all(self)

    @property
    def is_busy(self) -> bool:
        """Whether runs, trials or a paper's table are being computed."""
        return self.control.is_busy or self.pages.tune.is_busy

    def closeEvent(self, event: QCloseEvent) -> None:
        self._remember()
        if self.is_busy:
            self.left_running.emit(tr("The experiment continues. Ctrl+L shows it."))
        super().closeEvent(event)

    # Requests

    def _replace(self, content: OpenedFile) -> None:
        """Show another plan with its results, and keep the previous ones for Undo."""
        shown = OpenedFile(self.plan.text.text, self.plan.folder, self._path, self.control.outcomes)
        self._opening.cancel()
        self._path = content.path
        self.plan.show_plan(content.text, content.folder)
        self._show_outcomes(content.outcomes)
        if shown.outcomes is not None or shown.text.strip() not in ("", content.text.strip()):
            self._before = shown
            self.notice.show_note(
                tr("Another plan is shown. Ctrl+Z brings back the previous one."), undo=self._undo
            )

    @Slot()
    def _undo(self) -> None:
        """Show the previous plan and results again, and keep those that they replace."""
        if self._before is not None and not self._refuses():
            self.notice.clear()
            content, self._before = self._before, None
            self._replace(content)

    def _show_outcomes(self, outcomes: PlanResults | None) -> None:
        self.control.outcomes = outcomes
        self.pages.show_outcomes(outcomes)
        self._show()

    @property
    def _runs(self) -> Runs | None:
        """Return the runs of the current plan; None while it has none, or they are not known."""
        found = self.plan.found
        return None if found is None else found.runs

    def _run(self) -> None:
        runs = self._runs
        assert runs is not None
        self.plan.pilot.end()
        if len(runs) > MAX_UNASKED and not self._agrees(len(runs)):
            return
        target = self._new_folder()
        self._settings.add_recent(target.parent, _HOMES)
        self.control.begin(runs, target, self.plan.workers.value(), self._scheduler)
        self.pages.show_outcomes(self.control.outcomes)

    @Slot()
    def _tune(self) -> None:
        self.plan.pilot.end()
        plan = TunePlan(self.plan.text.text, self.plan.folder, self._new_folder(" tuned"))
        self.pages.tune.begin(plan, self.plan.workers.value(), self._scheduler)

    def _resume(self) -> None:
        self.control.continue_runs(self.plan.workers.value(), self._scheduler)

    def _agrees(self, n_runs: int) -> bool:
        known = self.plan.pilot.estimate
        n_workers, _ = worker_count(self.plan.workers.value() or None, n_runs)
        makes = counted(n_runs, "run") if known is None else known.sentence(n_workers)
        return is_confirmed(self, tr("This plan makes {makes}. Begin them?", makes=makes))

    @property
    def _scheduler(self) -> str:
        return self.plan.scheduler.text().strip()

    def _new_folder(self, more: str = "") -> Path:
        """Return a folder for the next results, which does not exist yet; more: ends its name."""
        title = "" if self._runs is None else self._runs.plan.title
        plan_folder = None if self._path is None else self._path.parent
        home = self._home or plan_folder or _default_home()
        return free_folder(home, f"{title or 'experiment'}{more}")

    @property
    def _homes(self) -> list[Path]:
        """Return the folders that have kept results, whatever the folder of the plan."""
        return [_default_home(), *self._settings.recent(_HOMES)]

    @Slot()
    def _list_earlier(self) -> None:
        """Look for earlier results where a plan is begun."""
        self._listing.start_next(one_step(latest_results, self._homes, _MAX_EARLIER))

    @Slot(object)
    def _show_earlier(self, found: Sequence[ResultsSummary]) -> None:
        if self.plan.beginnings.isVisible():  # a plan may be shown since
            self.plan.beginnings.show_earlier(found)

    def _ask_and_open(self) -> None:
        plans = tr(_PLANS, patterns=f"*{PLAN_SUFFIX} {FILE}")
        folder = self._settings.folder_or(_default_home())
        path = ask_to_open(self, tr("Open a plan or results"), folder, plans)
        if path is not None:
            self._settings.folder = path.absolute().parent
            self.open(path)

    def _ask_and_save(self) -> None:
        title = "plan" if self._runs is None else file_stem(self._runs.plan.title).lower()
        suggested = self._path or self._settings.folder / f"{title}{PLAN_SUFFIX}"
        path = ask_to_save(self, tr("Save the plan"), suggested, tr("Plans (*.toml)"))
        if path is not None:
            self.write_plan(path)

    @Slot(object)
    def _ask_file(self, line: FieldLine) -> None:
        """Ask for a file that the plan names."""
        folder = self.plan.folder or self._settings.folder
        path = ask_to_open(self, line.field.title, folder, tr("All files (*)"))
        if path is not None:
            self._settings.folder = path.absolute().parent
            line.write(path_text(path.absolute()))

    @Slot()
    def _ask_folder(self) -> None:
        dialog = QFileDialog(self, tr("Keep results in"), str(self._new_folder().parent))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        prepare_dialog(dialog)
        chosen = answer(dialog)
        if chosen is not None:
            self._home = chosen
            self._show()

    # Events

    @Slot(object)
    def _opened(self, opened: OpenedFile | PlanResults) -> None:
        if self.control.is_busy:
            return  # a sweep started while the file was read
        if isinstance(opened, OpenedFile):
            self._replace(opened)
        else:
            self._show_outcomes(opened)

    @Slot()
    def _show(self) -> None:
        """Show the possible commands and the progress."""
        allowed, is_busy = self.allowed, self.control.is_busy
        colour = SweepCommand.RUN
        if is_busy:
            colour = SweepCommand.STOP
        elif SweepCommand.RESUME in allowed and self._is_same_plan:
            colour = SweepCommand.RESUME
        self.bar.show_allowed(allowed, colour)
        outcomes = self.control.outcomes
        n_over = 0 if outcomes is None else len(outcomes.rows)
        self.bar.show_progress(n_over, 0 if outcomes is None else outcomes.n_runs, self._how_far())
        self.plan.lock(self._why_busy())
        target = self._new_folder()
        is_there = outcomes is not None and (
            is_busy or (self._is_same_plan and self._home in (None, outcomes.folder.parent))
        )
        self.plan.show_target(outcomes.folder if outcomes is not None and is_there else target)
        self.pages.tune.allow(has_plan=bool(self.plan.text.text.strip()))
        title = "" if self._runs is None else self._runs.plan.title
        name = f"{shortened(title)} – " if title else ""
        self.setWindowTitle(window_title(name + tr("Experiments")))

    @property
    def _is_same_plan(self) -> bool:
        """Return whether the results belong to the current plan."""
        outcomes, runs = self.control.outcomes, self._runs
        return outcomes is not None and runs is not None and outcomes.runs.plan == runs.plan

    def _how_far(self) -> str:
        outcomes = self.control.outcomes
        if outcomes is None:
            return ""
        n_over = len(outcomes.rows)
        parts = [
            tr(
                "{n_done} of {n_runs}",
                n_done=figures(n_over, ","),
                n_runs=figures(outcomes.n_runs, ","),
            )
        ]
        if outcomes.n_failed:
            parts.append(tr("{n_failed} failed", n_failed=figures(outcomes.n_failed, ",")))
        if outcomes.unsound:
            parts.append(tr("{n_runs} damaged", n_runs=figures(len(outcomes.unsound), ",")))
        return " · ".join([*parts, self.control.words])

    # Layout

    def _lay_out(self) -> None:
        keep_scaled(self.plan, least_width=_MIN_PLAN_WIDTH)
        self._columns = parted(Qt.Orientation.Horizontal, self, (self.plan, 0), (self.pages, 1))
        self._columns.setSizes([_PLAN_WIDTH, SIZE[0] - _PLAN_WIDTH])
        ground = QWidget(self)
        set_role(ground, "page")
        column_layout(ground, _SPACE, None, self._columns)
        column_layout(self, 0, 0, self.bar, (scrolled(ground, self), 1))
        NoticeShelf(self.pages.stack, self.notice)  # below its tabs, which stay in reach

    def _connect(self) -> None:
        self.bar.asked.connect(self.act)
        self.plan.checked.connect(self._show)
        self.plan.change_folder.clicked.connect(self._ask_folder)
        self.plan.beginnings.shown.connect(self._list_earlier)
        self.plan.beginnings.results_chosen.connect(self.open)
        self.control.changed.connect(self._show)
        self.control.came.connect(self.pages.note)
        self.control.failed.connect(self.notice.show_error)
        self.control.remarked.connect(self.notice.show_note)
        self.pages.tune.asked.connect(self._tune)
        self.pages.tune.plan_requested.connect(self.begin_with)
        self.plan.form.file_requested.connect(self._ask_file)
        for key, done in (("Ctrl+W", self.close), ("Esc", self.close), ("Ctrl+Z", self._undo)):
            QShortcut(QKeySequence(key), self).activated.connect(done)

    def _restore(self) -> None:
        """Restore the plan and the results of the previous session."""
        settings = self._settings
        folder = settings.text("experiments/folder")
        path = settings.text("experiments/path")
        self.plan.scheduler.setText(settings.text("experiments/scheduler"))
        self._path = path_from(path) if path else None
        plan_folder = path_from(folder) if folder else None
        self.plan.show_as(text=settings.flag("experiments/as_text"))
        self.plan.show_plan(settings.text("experiments/plan"), plan_folder)
        results = settings.text("experiments/results")
        if results and (path_from(results) / FILE).is_file():
            self._opening.start(one_step(read_outcomes, path_from(results), plan_folder))

    def _remember(self) -> None:
        """Store the layout and what :meth:`_restore` restores."""
        settings = self._settings
        self.pages.tune.remember()
        self._layout.keep()
        if not self._has_restored:
            return
        text, outcomes = self.plan.text.text, self.control.outcomes
        settings.set_text("experiments/plan", text if len(text) <= _MAX_KEPT else "")
        settings.set_text("experiments/path", "" if self._path is None else path_text(self._path))
        folder = self.plan.folder
        settings.set_text("experiments/folder", "" if folder is None else path_text(folder))
        settings.set_flag("experiments/as_text", self.plan.shows_text)
        settings.set_text("experiments/scheduler", self._scheduler)
        results = "" if outcomes is None else path_text(outcomes.folder)
        settings.set_text("experiments/results", results)


def _default_home() -> Path:
    """Return the folder of results whose plan is not saved."""
    return default_file().parent / "experiments"


class JobOpener(PageOpener):
    """Opens runs of experiments."""

    @Slot(object, object)
    def run(self, job: Job, row: Row) -> None:
        """Start an identical run that ends with the same unit."""
        try:
            params = catalog.solver_params(job.puzzle, job.solver, job.params)
        except TileLabError as error:
            self.notice.show_error(str(error))
            return
        # A limit in units ends it there again, even if time or evaluations ended it before.
        is_cut = row["limit_reached"] in Limits.model_fields
        limits = Limits(units=(row["units"] or None) if is_cut else job.limits["units"])

        def begin(page: PuzzlePage, puzzle: Puzzle) -> None:
            note = tr(
                "Run {number} of the experiment again: with the seed {seed} "
                "it is the same run. Ctrl+L shows the experiment.",
                number=figures(job.place + 1, ","),
                seed=job.seed,
            )
            begin_recipe(page, Recipe(puzzle, job.solver, params, job.seed, limits), note)

        name = tr("Board of run {number} of an experiment", number=job.place + 1)
        self.load(job.puzzle, partial(puzzle_of, job), name, begin)
