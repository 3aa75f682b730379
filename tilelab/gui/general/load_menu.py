"""What the general page can load: a board from a file, a run, or what the parameters say."""

from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QMenu

from tilelab.gui.run.load_menu import LoadMenu
from tilelab.gui.run.run_files import is_run_file
from tilelab.gui.widgets.file_dialog import ask_to_open

_FILTER = "Saved boards and runs (*.txt *.tilelab);;All files (*)"


class GeneralLoad(LoadMenu):
    """Asks for files; whoever owns it reads boards."""

    board_asked = Signal(object)
    """The path of a board as text."""
    fresh_asked = Signal()
    """The board of the parameters shall be loaded."""

    def fill(self, menu: QMenu) -> None:
        """Fill the menu of LOAD."""
        menu.addAction("Open a file…\tCtrl+O").triggered.connect(self.ask_for_file)
        menu.addAction("The board of the parameters").triggered.connect(self.fresh_asked)

    @Slot()
    def ask_for_file(self) -> None:
        """Ask for a board or a run."""
        chosen = ask_to_open(self._window, "Load", self._settings.folder, _FILTER)
        if chosen is not None:
            self.open(chosen)

    def open(self, path: Path) -> None:
        """Load a file, whatever is in it."""
        (self.run_asked if is_run_file(path) else self.board_asked).emit(path)
