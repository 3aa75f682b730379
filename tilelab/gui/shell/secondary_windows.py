"""The secondary windows and the texts next to the board; made on first use."""

# ruff: noqa: PLW0108 - the page and the race are those of the moment of the signal
from abc import abstractmethod
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QMainWindow

from tilelab.core.registry import Lazy
from tilelab.core.text.language import tr
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.sheet import KEPT_BOOKLET
from tilelab.gui.shell.presentation import Presentation
from tilelab.gui.shell.run_bar import RunBar
from tilelab.gui.shell.run_opener import RunOpener
from tilelab.gui.shell.shutdown import Shutdown
from tilelab.gui.shell.window_state import apply_text_size, set_theme
from tilelab.gui.threads.task_runner import is_busy
from tilelab.gui.widgets.commands import CommandTable
from tilelab.gui.widgets.parts import after_first_paint
from tilelab.gui.widgets.settings import PERCENTS, Settings
from tilelab.gui.widgets.theme import current_theme
from tilelab.runs.actions import Action
from tilelab.runs.history.record import RunRecord

if TYPE_CHECKING:
    from tilelab.gui.lab.experiments.draft import plan_of_page
    from tilelab.gui.lab.experiments.window import ExperimentWindow, JobOpener
    from tilelab.gui.lab.history.rerun import Rerun
    from tilelab.gui.lab.history.window import HistoryWindow
    from tilelab.gui.lab.history.writer import HistoryWriter
    from tilelab.gui.lab.race.dialog import RaceDialog
    from tilelab.gui.lab.records.window import RecordsWindow
    from tilelab.gui.learn.lessons.reader import LessonReader
    from tilelab.gui.learn.manual.first_steps import FirstSteps
    from tilelab.gui.learn.manual.window import ManualWindow
    from tilelab.gui.shell.recovery_dialog import RecoveryDialog
    from tilelab.gui.shell.sheet_printing import SheetPrinting
else:  # what is needed only after the first paint, in the order of use
    HistoryWriter = Lazy("tilelab.gui.lab.history.writer:HistoryWriter")
    RaceDialog = Lazy("tilelab.gui.lab.race.dialog:RaceDialog")
    Rerun = Lazy("tilelab.gui.lab.history.rerun:Rerun")
    HistoryWindow = Lazy("tilelab.gui.lab.history.window:HistoryWindow")
    ExperimentWindow = Lazy("tilelab.gui.lab.experiments.window:ExperimentWindow")
    RecordsWindow = Lazy("tilelab.gui.lab.records.window:RecordsWindow")
    JobOpener = Lazy("tilelab.gui.lab.experiments.window:JobOpener")
    plan_of_page = Lazy("tilelab.gui.lab.experiments.draft:plan_of_page")
    LessonReader = Lazy("tilelab.gui.learn.lessons.reader:LessonReader")
    ManualWindow = Lazy("tilelab.gui.learn.manual.window:ManualWindow")
    FirstSteps = Lazy("tilelab.gui.learn.manual.first_steps:FirstSteps")
    RecoveryDialog = Lazy("tilelab.gui.shell.recovery_dialog:RecoveryDialog")
    SheetPrinting = Lazy("tilelab.gui.shell.sheet_printing:SheetPrinting")

OFFERED = "first_steps_offered"  # name of the setting that the first steps were shown


class SecondaryWindows(QMainWindow):
    """The part of the main window that owns its secondary windows, and the looks of them all."""

    page: PuzzlePage  # page that is shown
    page_shown = Signal(object)  # emitted with the page of another puzzle when it is shown
    run_taken = Signal(object, object, bool)  # emitted like that of the dialog of interrupted runs
    puzzle_keys: tuple[str, ...]  # keys of puzzles with a page, in the order of their tabs
    bar: RunBar
    commands: CommandTable
    presentation: Presentation
    run_opener: RunOpener
    shutdown: Shutdown

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self._pages: dict[str, PuzzlePage] = {}
        self._races: dict[str, RaceDialog] = {}

    @property
    def pages(self) -> tuple[PuzzlePage, ...]:
        """Existing pages, in order of creation."""
        return tuple(self._pages.values())

    @abstractmethod
    def act(self, action: Action) -> None:
        """Perform an action, or show why the current state refuses it."""

    @abstractmethod
    def show_puzzle(self, key: str) -> None:
        """Show the page of a puzzle."""

    @abstractmethod
    def open_run_file(self, path: Path, *, resumed_at: int | None = None) -> None:
        """Read a run file in the background, and open it on the page of its puzzle."""

    def made(self, name: str) -> Any:
        """Return a secondary window by the name of its property; None before its first use."""
        return vars(self).get(name)

    def _page_of(self, key: str) -> PuzzlePage:
        """Show the page of a puzzle, and return the page that is shown."""
        self.show_puzzle(key)
        return self.page

    @Slot(str)
    def _show_waiting(self, text: str) -> None:
        """Show what the window is waiting for."""
        self.page.notice.show_note(text, stays=True)

    @Slot()
    def turn_theme(self) -> None:
        """Switch between light and dark, keeping the contrast."""
        theme = current_theme()
        turned = "light" if theme.is_dark else "dark"
        self.set_theme(f"contrast-{turned}" if theme.has_high_contrast else turned)

    def set_theme(self, name: str) -> None:
        """Apply a theme by its name, and store it."""
        set_theme(name)
        self.settings.set_preference("theme", name)

    def set_text_size(self, percent: int) -> None:
        """Set the size of all texts, and store it."""
        self.settings.set_preference("text_size", percent)
        self.presentation.end()
        apply_text_size(self.settings)

    def turn_text_size(self, steps: int) -> None:
        """Enlarge or reduce all texts; 0 for the usual size."""
        place = PERCENTS.index(self.settings.preferences.text_size) + steps if steps else 0
        self.set_text_size(PERCENTS[min(max(place, 0), len(PERCENTS) - 1)])

    @cached_property
    def history_writer(self) -> "HistoryWriter":
        """Writer of all pages' records into the history."""
        writer = HistoryWriter(self)
        writer.failed.connect(lambda text: self.page.notice.show_error(text))
        writer.compared.connect(self._show_verdict)
        return writer

    @property
    def race(self) -> "RaceDialog":
        """Window of races on the current puzzle; made on first use."""
        key = self.page.puzzle_key
        if key not in self._races:
            self._races[key] = RaceDialog(self.page)
        return self._races[key]

    @cached_property
    def history(self) -> "HistoryWindow":
        """Window of the history; made on first use."""
        made = HistoryWindow(self, self.settings)
        rerun = Rerun(self._page_of, made, made.notice)
        rerun.file_requested.connect(lambda path, units: self.open_run_file(path, resumed_at=units))
        made.details.again_requested.connect(rerun.run_again)
        made.details.resume_requested.connect(rerun.resume)
        made.details.board_requested.connect(rerun.open_board)
        self.history_writer.written.connect(made.reload)
        made.print_requested.connect(partial(self._print_runs, made))
        made.deleted.connect(self._note_deleted)
        return made

    @Slot(list, bool)
    def _note_deleted(self, keys: list[str], are_deleted: bool) -> None:
        for page in self.pages:
            page.recorder.note_deleted(keys, are_deleted=are_deleted)

    @cached_property
    def records(self) -> "RecordsWindow":
        """Window of the best known values; made on first use."""
        made = RecordsWindow(self, self.settings)
        rerun = Rerun(self._page_of, made, made.notice)
        made.record.board_requested.connect(rerun.open_board)
        made.record.again_requested.connect(rerun.run_again)
        self.history_writer.written.connect(made.reload)
        made.left_running.connect(self._show_waiting)
        return made

    @cached_property
    def experiments(self) -> "ExperimentWindow":
        """Window of experiments; made on first use."""
        made = ExperimentWindow(self, self.settings, lambda: self.page.puzzle_key)
        again = JobOpener(self._page_of, made, made.notice)
        made.results.run_chosen.connect(again.run)
        made.left_running.connect(self._show_waiting)
        return made

    @cached_property
    def recovery(self) -> "RecoveryDialog":
        """Dialog of interrupted runs; made on first use."""
        made = RecoveryDialog(self)
        made.run_taken.connect(self.run_taken)
        return made

    def compare(self) -> None:
        """Start a plan of experiments from the current page."""
        self.experiments.bring()
        self.experiments.begin_with(plan_of_page(self.page), board=self.page.face.title)

    @cached_property
    def printing(self) -> "SheetPrinting":
        """Printing of pages; made on first use."""
        return SheetPrinting(self.settings, self)

    @property
    def has_booklet(self) -> bool:
        """Whether puzzles of a booklet can be printed, also where the page has no board."""
        made = self.made("printing")
        return bool(made.booklet.titles if made else self.settings.text(KEPT_BOOKLET))

    def _print_runs(self, history: "HistoryWindow", records: list[RunRecord]) -> None:
        self.printing.ask_for_runs(history, history.notice, records)

    def show_race(self) -> None:
        """Open the window of races on the current puzzle, or bring it to the front."""
        self.race.bring(is_inside=False)

    def show_step_by_step(self) -> None:
        """Open the same window with the runs seen from inside, or bring it to the front."""
        self.race.bring(is_inside=True)
        self._present_race()

    def _present_race(self) -> None:
        """Let the race fill the screen, too, if a page is presented."""
        if self.presentation.is_on:
            self.race.present()

    @Slot(str, str)
    def _compare_for_lesson(self, solver: str, task: str) -> None:
        self.race.compare_with(solver, task)
        self._present_race()

    @Slot(str, str, str)
    def _show_verdict(self, key: str, verdict: str, found_by: str) -> None:
        """Show that a run has reached a record, and which run, if it is not that of the page."""
        started = self.page.run.started
        if started is not None and started.key == key:
            self.page.notice.show_note(verdict)
        else:
            self._show_waiting(f"{verdict} {found_by}")

    @cached_property
    def manual(self) -> "ManualWindow":
        """Window of the manual; made on first use."""
        return ManualWindow(self, self.settings)

    def show_manual(self, place: str = "") -> None:
        """Open the manual at ``page`` or ``page#anchor``; '' for the page read last."""
        self.manual.bring(place)

    @cached_property
    def first_steps(self) -> "FirstSteps":
        """Card of three things to try; made on first use."""
        tasks = {
            "words": lambda: self._page_of("boggle").ask_for_own(),
            "fifteen": lambda: self._page_of("sliding").ask_for_own(),
            "race": self.show_race,
        }
        made = FirstSteps(tasks, self)
        self.page_shown.connect(made.follow_page)
        return made

    @cached_property
    def lessons(self) -> "LessonReader":
        """Reader of lessons next to the board; made on first use."""
        made = LessonReader(self._page_of, self.settings, self)
        self.page_shown.connect(made.follow)
        made.closing.connect(self.presentation.begin_again)
        exercise = made.panel.exercise_requested
        exercise.connect(lambda run: self.printing.ask_for_exercise(self.page, run))
        made.comparison_requested.connect(self._compare_for_lesson)
        return made

    def show_first_steps(self) -> None:
        """Show three things to try, in place of the result."""
        self.presentation.end()
        if lessons := self.made("lessons"):
            lessons.close()
        self.first_steps.open(self.page)

    @Slot()
    def offer_first_steps(self) -> None:
        """Show the first steps at the very first start, unless the user has begun already."""
        is_first = not self.settings.flag(OFFERED) and self.settings.bytes("geometry").isEmpty()
        if is_first and not self.first_steps.has_begun(self.page):
            self.show_first_steps()
        self.settings.set_flag(OFFERED, True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close what is read next to the board by Escape, where nothing else needs the key."""
        parts = (self.made("lessons"), self.made("first_steps"))
        open_ones = [part for part in parts if part is not None and part.is_open]
        if event.key() == Qt.Key.Key_Escape and open_ones:
            for part in open_ones:
                part.close()
        else:
            super().keyPressEvent(event)

    def show_lessons(self, file: Path | None = None) -> None:
        """Open the lesson read last, or that of a file, or focus the open one."""
        self.presentation.begin_again()
        if first_steps := self.made("first_steps"):
            first_steps.close()
        self.lessons.open(self.page, file)

    def take_over_windows(self, before: "SecondaryWindows") -> None:
        """Take over the secondary windows of another main window."""
        for page in self.pages:
            if page.puzzle_key in before._races:
                made = self._races[page.puzzle_key] = RaceDialog(page)
                made.take_over(before._races[page.puzzle_key])
        race = before._races.get(self.page.puzzle_key)
        if race is not None and race.isVisible():
            after_first_paint(self, self.race.bring)
        for name in ("history", "records", "experiments", "manual"):
            window = before.made(name)
            if window is not None and window.isVisible():
                after_first_paint(self, partial(self._show_again, name, window))
        if printing := before.made("printing"):
            self.printing.take_over(printing)
        lessons, first_steps = before.made("lessons"), before.made("first_steps")
        if lessons is not None and lessons.is_open:
            self.lessons.take_over(self.page, lessons)
        if first_steps is not None and first_steps.is_open:
            self.show_first_steps()

    def _show_again(self, name: str, before: Any) -> None:
        """Show a secondary window as it was in another language."""
        window = getattr(self, name)
        window.bring()
        window.take_over(before)

    def close_race(self) -> None:
        """Close the race of the current page, and keep its state."""
        if self.page.puzzle_key in self._races:
            self.race.close()

    def end_race(self, page: PuzzlePage) -> None:
        """End the race of a page for good."""
        if page.puzzle_key in self._races:
            self._races[page.puzzle_key].end()

    @property
    def has_other_work(self) -> bool:
        """Return whether a race, an experiment, a search or a dialog's work is running."""
        experiments = self.made("experiments")
        return bool(self.list_ended()) or (experiments is not None and experiments.is_busy)

    def list_ended(self) -> list[str]:
        """Return a sentence about each piece of running work that cannot continue later."""
        ended, records = [], self.made("records")
        if records is not None and records.is_busy:
            ended.append(
                tr("A search for a record is running. Closing ends it; its best run is kept.")
            )
        dialogs = [dialog for page in self.pages for dialog in page.findChildren(QDialog)]
        return ended + [
            tr("Running: {title}. Closing ends it.", title=dialog.windowTitle())
            for dialog in dialogs
            if is_busy(dialog)
        ]

    def end_windows(self) -> None:
        """End experiments and a search for records, and close their windows and the manual."""
        # First, because the pilot must be asked to stop before waiting for its step.
        for window in (self.made("experiments"), self.made("records")):
            if window is not None:
                window.end()
                window.close()
        if manual := self.made("manual"):
            manual.close()

    def close_history(self) -> None:
        """Write the remaining records, and close the history window."""
        self.history_writer.close()
        if history := self.made("history"):
            history.close()
