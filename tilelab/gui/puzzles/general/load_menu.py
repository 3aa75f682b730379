"""What the general page can load: a board from a file, a run, or what the parameters say."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu

from tilelab.core.text.language import marked, tr
from tilelab.gui.run.load_menu import LoadMenu


class GeneralLoad(LoadMenu):
    """Asks for files; whoever owns it reads boards."""

    board_asked = Signal(object)
    """The path of a board as text."""
    fresh_asked = Signal()
    """The board of the parameters shall be loaded."""
    open_filter = marked("Saved boards and runs (*.txt *.tilelab);;All files (*)")

    def fill(self, menu: QMenu) -> None:
        """Fill the menu of LOAD."""
        menu.addAction(tr("Open a file…\tCtrl+O")).triggered.connect(self.ask_for_file)
        menu.addAction(tr("The board of the parameters")).triggered.connect(self.fresh_asked)

    def open_board(self, path: Path) -> None:
        self.board_asked.emit(path)
