"""The menu of LOAD: entries of all puzzles, and recent files."""

import enum
from abc import abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QMenu, QWidget

from tilelab.catalog import puzzle_of_board
from tilelab.core.files.paths import is_there
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import menu_text, tool_tip
from tilelab.gui.widgets.file_dialog import ask_to_open
from tilelab.gui.widgets.parts import calling, named
from tilelab.gui.widgets.settings import Settings
from tilelab.lessons import PACKED, is_lesson
from tilelab.runs.files.carried import is_picture, is_run_file

if TYPE_CHECKING:
    from tilelab.gui.boards.text_dialog import TextDialog

R = TypeVar("R")
RECENT = "runs"  # kind of recent run files in the settings
RECENT_MENU = "recent"  # object name of the submenu of recent files


PLAN_SUFFIX = ".toml"


class LoadTarget(enum.Enum):
    """Part of the page that a loaded file replaces."""

    RUN = marked("Drop it to open this run")
    PICTURE = marked("Drop it to open its board")
    BOARD = marked("Drop it to load this board")
    WORDS = marked("Drop it to load these words")
    LESSON = marked("Drop it to open this lesson")
    PLAN = marked("Drop it to open this plan")


def is_plan(path: Path) -> bool:
    """Return whether a file, by its name, is a plan of experiments."""
    return path.suffix.lower() == PLAN_SUFFIX


class LoadMenu(QObject):
    """The menu of LOAD, which asks for files and emits what to load."""

    file_requested = Signal(object)
    """Emitted with the path of a run file, a lesson, a plan, or a board of another puzzle."""
    run_requested = Signal(object)
    """Emitted with the path of a board that is opened as a picture is, with the way to it."""
    refused = Signal(str)  # emitted with the reason when something cannot be loaded
    recent_kind = "recent"  # kind of recent files in the settings
    open_title = marked("Load")  # title of the dialog that asks for a file
    open_filter = marked("All files (*)")  # filter of its files, in Qt's format
    other_text = LoadTarget.BOARD  # what a text becomes that is not known to be a board
    knows_forms = True  # whether a board of any other form belongs to another puzzle
    open_patterns = ""  # file name patterns of the filter, such as *.txt *.gz

    def __init__(self, puzzle_key: str, settings: Settings, window: QWidget) -> None:
        super().__init__(window)
        self._puzzle_key, self._settings, self._window = puzzle_key, settings, window
        self.is_choosing = False  # whether something is being loaded that the user has chosen
        self.typed = ""  # text of the last typed board, also of one that was cancelled
        self.fill_further: Callable[[QMenu], object] = lambda menu: None
        """Function that adds the page's entries to the recent files."""

    def fill(self, menu: QMenu) -> None:
        """Fill the menu; longer parts are submenus."""
        menu.setToolTipsVisible(True)
        for before in menu.findChildren(QMenu):
            before.deleteLater()
        menu.addAction(tr("Open…\tCtrl+O")).triggered.connect(self.ask_for_file)
        recent = named(menu.addMenu(tr("Recent")), RECENT_MENU)
        recent.setToolTipsVisible(True)
        for kind in dict.fromkeys((self.recent_kind, RECENT)):
            recent.addSeparator()
            for path in self._settings.recent(kind):
                action = recent.addAction(menu_text(path.name))
                action.setToolTip(tool_tip(str(path)))
                action.triggered.connect(calling(self._open_recent, path, kind))
        self.fill_further(recent)
        recent.setEnabled(any(not action.isSeparator() for action in recent.actions()))
        recent.addSeparator()
        recent.addAction(tr("Forget recent files")).triggered.connect(self._settings.clear_recent)
        self.fill_own(menu)

    @abstractmethod
    def fill_own(self, menu: QMenu) -> None:
        """Add the entries of this puzzle."""

    @abstractmethod
    def open_board(self, path: Path) -> None:
        """Load a file of a board."""

    def open_text(self, path: Path) -> None:
        """Load a file of which it is not known whether it is a board."""
        self.open_board(path)

    @Slot()
    def ask_for_file(self) -> None:
        folder = self._settings.folder
        shown_filter = tr(
            self.open_filter, patterns=f"{self.open_patterns} *{PACKED} *{PLAN_SUFFIX}"
        )
        chosen = ask_to_open(self._window, tr(self.open_title), folder, shown_filter)
        if chosen is not None:
            self.open(chosen)

    def open(self, path: Path) -> None:
        """Load a file of any kind."""
        is_other = is_run_file(path) or is_lesson(path) or is_plan(path)
        key = "" if is_other else self._puzzle_of(path)
        if is_other or key not in ("", self._puzzle_key):
            self.file_requested.emit(path)
        else:
            self.choose(self.open_board if key else self.open_text, path)

    def becomes(self, path: Path) -> LoadTarget:
        """Return which part of the page a file would replace."""
        if is_run_file(path):
            return LoadTarget.PICTURE if is_picture(path) else LoadTarget.RUN
        if is_lesson(path):
            return LoadTarget.LESSON
        if is_plan(path):
            return LoadTarget.PLAN
        return LoadTarget.BOARD if self._puzzle_of(path) else self.other_text

    def _puzzle_of(self, path: Path) -> str:
        """Return the key of the puzzle whose board a file has, or ''."""
        return puzzle_of_board(path, by_form=self.knows_forms)

    def choose(self, load: Callable[..., R], *args: object) -> R:
        """Load what the user has chosen; a notice can bring back what it replaces."""
        self.is_choosing = True
        try:
            return load(*args)
        finally:
            self.is_choosing = False

    def ask_typed(self, make: Callable[[str], "TextDialog[R]"], text: str = "") -> R | None:
        """Ask for a board in a dialog that begins with the text of the last one, if there is any.

        make: makes the dialog with a text. text: another one that it begins with.
        """
        dialog = make(text or self.typed)
        board = dialog.ask()
        if dialog.text != text:
            self.typed = dialog.text
        return board

    def _open_recent(self, path: Path, kind: str) -> None:
        if not is_there(path):
            self._settings.drop_recent(path, kind)
        self.open(path)
