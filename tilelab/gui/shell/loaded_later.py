"""What the window imports only after its first paint, or when it is asked for before that.

Nearly all of the time from the start to the first paint goes into imports, so nothing is imported
before it that it does not show: of the pages only the one that is opened, neither history nor
races nor interrupted runs. All of that is imported here, and in no other file. Besides, the chart
of a run loads pyqtgraph for itself (:mod:`tilelab.gui.charts.run_chart`), and the worker's thread
loads numba with its first kernel (:mod:`tilelab.kernels.decorators`); both are made to wait for the
first paint, too.
"""

import importlib
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from tilelab.gui.run.face_register import FACES
from tilelab.gui.run.run_page import PuzzleFace, PuzzlePage
from tilelab.gui.widgets.commands import CommandTable
from tilelab.gui.widgets.settings import Settings

if TYPE_CHECKING:
    from tilelab.gui.lab.experiments.window import ExperimentWindow
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

_REST = (
    "shell.recovery_dialog",
    "lab.history.writer",
    "puzzles.wordtiles.face",
    "puzzles.sliding.face",
    "puzzles.boggle.face",
    "lab.race.dialog",
    "lab.history.rerun",
    "lab.experiments.window",
    "lab.records.window",
    "lab.experiments.open_run",
    "lab.experiments.from_page",
    "learn.lessons.reader",
    "learn.manual.window",
    "learn.manual.first_steps",
    "shell.sheet_printing",
    "shell.about",
    "shell.command_list",
    "shell.preferences_dialog",
)
"""In the order in which they are likely to be needed."""


def rest() -> Iterator[None]:
    """Import one after the other what was not needed until now."""
    for name in _REST:
        yield
        importlib.import_module(f"tilelab.gui.{name}")


def face_of_room(key: str, settings: Settings) -> PuzzleFace:
    """Make the face of a puzzle whose room in the window has its key for a name."""
    importlib.import_module(f"tilelab.gui.puzzles.{key}.face")
    return FACES[key](key, settings)


def general_face(key: str, settings: Settings) -> PuzzleFace:
    """Make the face of a puzzle that brings none."""
    from tilelab.gui.puzzles.general.face import GeneralFace

    return GeneralFace(key, settings)


def recovery_dialog(parent: QWidget) -> "RecoveryDialog":
    """Make the dialog of interrupted runs."""
    from tilelab.gui.shell.recovery_dialog import RecoveryDialog

    return RecoveryDialog(parent)


def history_writer(parent: QWidget) -> "HistoryWriter":
    """Make what writes records into the history."""
    from tilelab.gui.lab.history.writer import HistoryWriter

    return HistoryWriter(parent)


def rerun(show_page: Callable[[str], PuzzlePage], parent: QWidget) -> "Rerun":
    """Make what brings the runs of the history into their pages."""
    from tilelab.gui.lab.history.rerun import Rerun

    return Rerun(show_page, parent)


def history_window(parent: QWidget, settings: Settings, runs: "Rerun") -> "HistoryWindow":
    """Make the window of all runs that there were."""
    from tilelab.gui.lab.history.rerun import offer_rerun
    from tilelab.gui.lab.history.window import HistoryWindow

    window = HistoryWindow(parent, settings=settings)
    offer_rerun(window, runs)
    return window


def race_dialog(page: PuzzlePage) -> "RaceDialog":
    """Make the window of races on a page's puzzle."""
    from tilelab.gui.lab.race.dialog import RaceDialog

    return RaceDialog(page)


def experiment_window(
    parent: QWidget, settings: Settings, show_page: Callable[[str], PuzzlePage]
) -> "ExperimentWindow":
    """Make the window of experiments; its runs are done again in the main window."""
    from tilelab.gui.lab.experiments.open_run import RunAgain
    from tilelab.gui.lab.experiments.window import ExperimentWindow

    window = ExperimentWindow(parent, settings)
    again = RunAgain(show_page, window)
    window.run_chosen.connect(again.run)
    again.taken.connect(parent.activateWindow)
    again.refused.connect(window.notice.show_error)
    again.locked.connect(window.notice.show_refusal)
    return window


def records_window(parent: QWidget, settings: Settings, runs: "Rerun") -> "RecordsWindow":
    """Make the window of the best known values."""
    from tilelab.gui.lab.records.window import RecordsWindow

    window = RecordsWindow(parent, settings)
    window.board_asked.connect(runs.open_board)
    window.again_asked.connect(runs.run_again)
    runs.taken.connect(window.close)
    runs.refused.connect(window.notice.show_error)
    runs.locked.connect(window.notice.show_refusal)
    return window


def lesson_reader(
    parent: QWidget,
    settings: Settings,
    show_page: Callable[[str], PuzzlePage],
    set_speed: Callable[[float | None], object],
) -> "LessonReader":
    """Make what shows lessons beside the board."""
    from tilelab.gui.learn.lessons.reader import LessonReader

    return LessonReader(show_page, set_speed, settings, parent)


def manual_window(parent: QWidget, settings: Settings) -> "ManualWindow":
    """Make the window of the manual."""
    from tilelab.gui.learn.manual.window import ManualWindow

    return ManualWindow(parent, settings)


def first_steps(tasks: Mapping[str, Callable[[], object]], parent: QWidget) -> "FirstSteps":
    """Make what shows three things to try beside the board."""
    from tilelab.gui.learn.manual.first_steps import FirstSteps

    return FirstSteps(tasks, parent)


def sheet_printing(settings: Settings, window: QWidget) -> "SheetPrinting":
    """Make what prints the boards of pages."""
    from tilelab.gui.shell.sheet_printing import SheetPrinting

    return SheetPrinting(settings, window)


def plan_of_page(page: PuzzlePage) -> str:
    """Write a plan of experiments that begins with what a page shows."""
    from tilelab.gui.lab.experiments.from_page import plan_of_page

    return plan_of_page(page)


def show_shortcuts(window: QWidget, commands: CommandTable) -> None:
    """Show all keys."""
    from tilelab.gui.shell import about

    about.show_shortcuts(window, commands)


def show_preferences(
    window: QWidget, settings: Settings, effects: Mapping[str, Callable[..., object]]
) -> None:
    """Show the dialog of all preferences."""
    from tilelab.gui.shell.preferences_dialog import PreferencesDialog

    PreferencesDialog(window, settings, effects).open()


def show_command_list(window: QWidget, commands: CommandTable) -> None:
    """Show all commands, to be found by typing."""
    from tilelab.gui.shell.command_list import CommandList

    CommandList(window, commands).open()


def show_about(window: QWidget) -> None:
    """Show what this program is."""
    from tilelab.gui.shell import about

    about.show_about(window)
