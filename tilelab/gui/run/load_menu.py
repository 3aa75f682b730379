"""The menu of LOAD: what all puzzles offer in it, and the files that were loaded last."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QMenu, QWidget

from tilelab.core.files.paths import is_there
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import menu_text, tool_tip
from tilelab.gui.run.run_files import is_run_file
from tilelab.gui.widgets.file_dialog import ask_to_open
from tilelab.gui.widgets.parts import calling
from tilelab.gui.widgets.settings import Settings


class LoadMenu(QObject):
    """Fills the menu, asks for files, and says what shall be loaded."""

    run_asked = Signal(object)
    """The path of a run file."""
    refused = Signal(str)
    """Something cannot be loaded; the sentence says why."""
    recent_kind = "recent"
    """Under which name the settings keep the files that were loaded last."""
    open_title = marked("Load")
    """Of the dialog that asks for a file."""
    open_filter = marked("All files (*)")
    """Which files it shows, as Qt writes them."""
    open_patterns = ""
    """The patterns in it, as ``*.txt *.gz``."""

    def __init__(self, settings: Settings, window: QWidget) -> None:
        super().__init__(window)
        self._settings, self._window = settings, window

    @abstractmethod
    def fill(self, menu: QMenu) -> None:
        """Fill the menu."""

    @abstractmethod
    def open_board(self, path: Path) -> None:
        """Load a file that holds no run."""

    @Slot()
    def ask_for_file(self) -> None:
        """Ask for a file to load."""
        folder = self._settings.folder
        shown_filter = tr(self.open_filter, patterns=self.open_patterns)
        chosen = ask_to_open(self._window, tr(self.open_title), folder, shown_filter)
        if chosen is not None:
            self.open(chosen)

    def open(self, path: Path) -> None:
        """Load a file, whatever is in it."""
        if is_run_file(path):
            self.run_asked.emit(path)
        else:
            self.open_board(path)

    def _open_recent(self, path: Path) -> None:
        if not is_there(path):
            self._settings.drop_recent(path, self.recent_kind)
        self.open(path)


def add_heading(menu: QMenu, title: str) -> None:
    """Part the menu; a section's own title is not drawn under a style sheet."""
    menu.addSeparator()
    menu.addAction(title).setEnabled(False)


def add_recent(
    menu: QMenu, title: str, paths: Sequence[Path], opened: Callable[[Path], None]
) -> None:
    """Offer recent files under a heading, if there are any; opened: called with the chosen one."""
    if paths:
        add_heading(menu, title)
    for path in paths:
        action = menu.addAction(menu_text(path.name))
        action.setToolTip(tool_tip(str(path)))
        action.triggered.connect(calling(opened, path))
