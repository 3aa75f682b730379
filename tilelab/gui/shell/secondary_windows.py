"""The windows beside the main one, and what is read beside the board; made when first shown."""

from abc import abstractmethod
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDialog, QMainWindow

from tilelab.core.registry import Lazy
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.shell.presentation import Presentation
from tilelab.gui.shell.run_bar import RunBar
from tilelab.gui.shell.run_opener import RunOpener
from tilelab.gui.shell.shutdown import Shutdown
from tilelab.gui.threads.task_runner import is_busy
from tilelab.gui.widgets.commands import CommandTable
from tilelab.gui.widgets.parts import after_first_paint
from tilelab.gui.widgets.settings import Settings
from tilelab.runs.actions import Action
from tilelab.runs.history.record import RunRecord

if TYPE_CHECKING:
    from tilelab.gui.lab.experiments.draft import plan_of_page
    from tilelab.gui.lab.experiments.job_opener import JobOpener
    from tilelab.gui.lab.experiments.window import ExperimentWindow
    from tilelab.gui.lab.history.rerun import Rerun, offer_rerun
    from tilelab.gui.lab.history.window import HistoryWindow
    from tilelab.gui.lab.history.writer import HistoryWriter
    from tilelab.gui.lab.race.dialog import RaceDialog
    from tilelab.gui.lab.records.window import RecordsWindow
    from tilelab.gui.learn.lessons.reader import LessonReader
    from tilelab.gui.learn.manual.first_steps import FirstSteps
    from tilelab.gui.learn.manual.window import ManualWindow
    from tilelab.gui.shell.sheet_printing import SheetPrinting
else:  # what is not needed until the first paint, in the order in which it is needed then
    HistoryWriter = Lazy("tilelab.gui.lab.history.writer:HistoryWriter")
    RaceDialog = Lazy("tilelab.gui.lab.race.dialog:RaceDialog")
    Rerun = Lazy("tilelab.gui.lab.history.rerun:Rerun")
    offer_rerun = Lazy("tilelab.gui.lab.history.rerun:offer_rerun")
    HistoryWindow = Lazy("tilelab.gui.lab.history.window:HistoryWindow")
    ExperimentWindow = Lazy("tilelab.gui.lab.experiments.window:ExperimentWindow")
    RecordsWindow = Lazy("tilelab.gui.lab.records.window:RecordsWindow")
    JobOpener = Lazy("tilelab.gui.lab.experiments.job_opener:JobOpener")
    plan_of_page = Lazy("tilelab.gui.lab.experiments.draft:plan_of_page")
    LessonReader = Lazy("tilelab.gui.learn.lessons.reader:LessonReader")
    ManualWindow = Lazy("tilelab.gui.learn.manual.window:ManualWindow")
    FirstSteps = Lazy("tilelab.gui.learn.manual.first_steps:FirstSteps")
    SheetPrinting = Lazy("tilelab.gui.shell.sheet_printing:SheetPrinting")

OFFERED = "first_steps_offered"
"""Under which name the settings keep that the first steps were shown."""


class SecondaryWindows(QMainWindow):
    """What the main window has besides its pages; it says which page is shown."""

    page: PuzzlePage
    """The page that is shown."""
    page_shown = Signal(object)
    """Another puzzle's page."""
    bar: RunBar
    commands: CommandTable
    presentation: Presentation
    run_opener: RunOpener
    shutdown: Shutdown

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = self._settings = settings
        self._races: dict[str, RaceDialog] = {}
        self._history: HistoryWindow | None = None
        self._experiments: ExperimentWindow | None = None
        self._records: RecordsWindow | None = None
        self._manual: ManualWindow | None = None
        self._first_steps: FirstSteps | None = None
        self._lessons: LessonReader | None = None

    @property
    @abstractmethod
    def pages(self) -> tuple[PuzzlePage, ...]:
        """The pages there are by now."""

    @property
    @abstractmethod
    def puzzle_keys(self) -> tuple[str, ...]:
        """The puzzles that have a page, in the order of their tabs."""

    @abstractmethod
    def act(self, action: Action) -> None:
        """Do what a button or a key asks for, or say why the present state refuses it."""

    @abstractmethod
    def show_puzzle(self, key: str) -> None:
        """Show the page of a puzzle."""

    @abstractmethod
    def show_interrupted(self) -> None:
        """Show the interrupted runs, or that there are none."""

    @abstractmethod
    def turn_theme(self) -> None:
        """Change from light to dark or back, with the contrast that there is."""

    @abstractmethod
    def set_theme(self, name: str) -> None:
        """Put a theme in force and remember it, by its name."""

    @abstractmethod
    def set_text_size(self, percent: int) -> None:
        """Show all texts in a size, and remember it."""

    @abstractmethod
    def turn_text_size(self, steps: int) -> None:
        """Show texts larger or smaller; 0: in the usual size."""

    @abstractmethod
    def open_run_file(self, path: Path, *, goes_on: bool = False) -> None:
        """Read a run file in the background, and open it on the page of its puzzle."""

    @abstractmethod
    def _page_of(self, key: str) -> PuzzlePage:
        """Show the page of a puzzle, and return the page that is shown then."""

    @abstractmethod
    def _show_waiting(self, text: str) -> None:
        """Say what is waited for."""

    @cached_property
    def history_writer(self) -> "HistoryWriter":
        """Writes the records of all pages into the history."""
        writer = HistoryWriter(self)
        writer.failed.connect(self._show_history_error)
        writer.compared.connect(self._show_verdict)
        return writer

    @property
    def race(self) -> "RaceDialog":
        """The window of races on the puzzle that is shown; made when it is first asked for."""
        key = self.page.puzzle_key
        if key not in self._races:
            self._races[key] = RaceDialog(self.page)
        return self._races[key]

    def show_history(self) -> None:
        """Open the window of all runs that there were, or bring it to the front."""
        if self._history is None:
            rerun = Rerun(self._page_of, self)
            rerun.file_asked.connect(partial(self.open_run_file, goes_on=True))
            self._history = HistoryWindow(self, settings=self._settings)
            offer_rerun(self._history, rerun)
            self.history_writer.written.connect(self._history.reload)
            self._history.print_asked.connect(self._print_runs)
        self._history.bring()

    def show_records(self) -> None:
        """Open the window of the best known values, or bring it to the front."""
        if self._records is None:
            rerun = Rerun(self._page_of, self)
            made = self._records = RecordsWindow(self, self._settings)
            made.board_asked.connect(rerun.open_board)
            made.again_asked.connect(rerun.run_again)
            rerun.taken.connect(made.close)
            rerun.refused.connect(made.notice.show_error)
            rerun.locked.connect(made.notice.show_refusal)
            self.history_writer.written.connect(self._records.reload)
        self._records.bring()

    @property
    def experiments(self) -> "ExperimentWindow":
        """The window of experiments; made when it is first asked for."""
        if self._experiments is None:
            made = self._experiments = ExperimentWindow(self, self._settings)
            again = JobOpener(self._page_of, made)
            made.run_chosen.connect(again.run)
            again.taken.connect(self.activateWindow)
            again.refused.connect(made.notice.show_error)
            again.locked.connect(made.notice.show_refusal)
            made.left_running.connect(self._show_waiting)
        return self._experiments

    def show_experiments(self) -> None:
        """Open the window of experiments, or bring it to the front."""
        self.experiments.bring()

    def compare(self) -> None:
        """Begin a plan of experiments with what the page shows."""
        self.experiments.bring()
        self.experiments.begin_with(plan_of_page(self.page))

    @cached_property
    def printing(self) -> "SheetPrinting":
        """Prints what a page shows; made when it is first asked for."""
        return SheetPrinting(self._settings, self)

    @Slot()
    def print_sheet(self) -> None:
        """Print what the page shows."""
        self.printing.ask(self.page)

    @Slot(object)
    def _print_runs(self, records: list[RunRecord]) -> None:
        """Print the boards of runs of the history."""
        assert self._history is not None
        self.printing.ask_for_runs(self._history, self._history.notice, records)

    def show_race(self) -> None:
        """Open the window of races on the puzzle that is shown, or bring it to the front."""
        self.race.bring()

    @Slot(object)
    def _write_record(self, record: RunRecord) -> None:
        self.history_writer.write(record)

    @Slot(str, str)
    def _show_verdict(self, key: str, verdict: str) -> None:
        """Say that a run has come to a record: on its page, unless it is the run of another one."""
        begun = self.page.run.begun
        if begun is not None and begun.key == key:
            self.page.notice.show_note(verdict)
        else:
            self._show_waiting(verdict)

    @Slot(str)
    def _show_history_error(self, text: str) -> None:
        self.page.notice.show_error(text)

    @property
    def manual(self) -> "ManualWindow":
        """The window of the manual; made when it is first asked for."""
        if self._manual is None:
            self._manual = ManualWindow(self, self._settings)
        return self._manual

    def show_manual(self, place: str = "") -> None:
        """Open the manual at ``page`` or ``page#anchor``; '' for the page that was read last."""
        self.manual.bring(place)

    @property
    def first_steps(self) -> "FirstSteps":
        """What shows three things to try; made when it is first asked for."""
        if self._first_steps is None:
            tasks = {
                "words": lambda: self._page_of("boggle").ask_for_own(),
                "fifteen": lambda: self._page_of("sliding").ask_for_own(),
                "race": self.show_race,
            }
            self._first_steps = FirstSteps(tasks, self)
            self.page_shown.connect(self._first_steps.close)
        return self._first_steps

    @property
    def lessons(self) -> "LessonReader":
        """What shows lessons beside the board; made when it is first asked for."""
        if self._lessons is None:
            set_speed = self.bar.speed.set_speed
            self._lessons = LessonReader(self._page_of, set_speed, self._settings, self)
            self.page_shown.connect(self._lessons.follow)
        return self._lessons

    def show_first_steps(self) -> None:
        """Show three things to try, in place of the result."""
        self.presentation.end()
        if self._lessons is not None:
            self._lessons.close()
        self.first_steps.open(self.page)

    @Slot()
    def offer_first_steps(self) -> None:
        """Show the first steps when the program is started for the very first time."""
        if not self._settings.flag(OFFERED) and self._settings.bytes("geometry").isEmpty():
            self.show_first_steps()
        self._settings.set_flag(OFFERED, True)

    def show_lessons(self, file: Path | None = None) -> None:
        """Open the lesson that was read last, or that of a file; or give the keyboard to it."""
        self.presentation.end()
        if self._first_steps is not None:
            self._first_steps.close()
        self.lessons.open(self.page, file)

    def take_over_beside(self, before: "SecondaryWindows") -> None:
        """Have what is beside the board and the window of another main window."""
        for page in self.pages:
            if page.puzzle_key in before._races:
                made = self._races[page.puzzle_key] = RaceDialog(page)
                made.take_over(before._races[page.puzzle_key])
        race = before._races.get(self.page.puzzle_key)
        for window, bring in (
            (race, self.show_race),
            (before._history, self.show_history),
            (before._records, self.show_records),
            (before._experiments, self.show_experiments),
            (before._manual, self.show_manual),
        ):
            if window is not None and window.isVisible():
                after_first_paint(self, bring)
        if before._lessons is not None and before._lessons.is_open:
            self.show_lessons()
        if before._first_steps is not None and before._first_steps.card is not None:
            self.show_first_steps()

    def end_manual(self) -> None:
        """Close the manual, which keeps its place and size."""
        if self._manual is not None:
            self._manual.close()

    def close_race(self) -> None:
        """Put the race of the page that is shown away; it stays as it is."""
        if self.page.puzzle_key in self._races:
            self.race.close()

    def end_race(self, page: PuzzlePage) -> None:
        """End the race of a page for good."""
        if page.puzzle_key in self._races:
            self._races[page.puzzle_key].end()

    @property
    def has_work_beside(self) -> bool:
        """Whether a race, an experiment, a search for records or a dialog's work is going."""
        experiments, records = self._experiments, self._records
        return (
            any(race.is_running for race in self._races.values())
            or (experiments is not None and experiments.is_busy)
            or (records is not None and records.is_busy)
            or any(is_busy(dialog) for page in self.pages for dialog in page.findChildren(QDialog))
        )

    def end_experiments(self) -> None:
        """End what experiments are at, and close their window."""
        if self._experiments is not None:
            # First: its pilot has to be asked to stop before the end of its step is waited for.
            self._experiments.end()
            self._experiments.close()

    def end_records(self) -> None:
        """End a search for records, and close their window."""
        if self._records is not None:
            self._records.end()
            self._records.close()

    def close_history(self) -> None:
        """Write what is left to be written, and close the history's window."""
        self.history_writer.close()
        if self._history is not None:
            self._history.close()
