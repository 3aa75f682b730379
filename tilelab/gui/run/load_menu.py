"""The menu of LOAD: what all puzzles offer in it, and the files that were loaded last."""

import enum
from abc import abstractmethod
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QMenu, QWidget

from tilelab.core.files.paths import is_there
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import menu_text, tool_tip
from tilelab.gui.run.run_files import RECENT, is_run_file
from tilelab.gui.widgets.file_dialog import ask_to_open
from tilelab.gui.widgets.parts import calling
from tilelab.gui.widgets.settings import Settings


class LoadTarget(enum.Enum):
    """What a file becomes when it is loaded."""

    RUN = marked("Drop it to open this run")
    BOARD = marked("Drop it to load this board")
    WORDS = marked("Drop it to load these words")


class LoadMenu(QObject):
    """Fills the menu, asks for files, and says what shall be loaded."""

    run_asked = Signal(object)
    """The path of a run file."""
    choosing = Signal(bool)
    """True before something that the user has chosen is loaded, False when it was asked for."""
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

        self.fill_further: Callable[[QMenu], object] = lambda menu: None
        """Offers more of the page's own among the recent files."""

    def fill(self, menu: QMenu) -> None:
        """Fill the menu: one column, whose longer parts are menus of their own."""
        menu.setToolTipsVisible(True)
        for before in menu.findChildren(QMenu):
            before.deleteLater()
        menu.addAction(tr("Open…\tCtrl+O")).triggered.connect(self.ask_for_file)
        recent = menu.addMenu(tr("Recent"))
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
        """Add what this puzzle alone offers."""

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
            self._load(self.open_board, path)

    def becomes(self, path: Path) -> LoadTarget:
        """Say what a file would become."""
        return LoadTarget.RUN if is_run_file(path) else LoadTarget.BOARD

    def _load(self, load: Callable[..., object], *args: object) -> None:
        """Load what the user has chosen."""
        self.choosing.emit(True)
        load(*args)
        self.choosing.emit(False)

    def _open_recent(self, path: Path, kind: str) -> None:
        if not is_there(path):
            self._settings.drop_recent(path, kind)
        self.open(path)
