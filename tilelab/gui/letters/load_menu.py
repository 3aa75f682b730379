"""Everything that can be loaded: built-in lexicons, files, recent files, files dropped."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QMenu, QWidget

from tilelab.core.errors import TileLabError
from tilelab.core.files.grid_file import GridFile, is_saved_grid
from tilelab.core.files.paths import open_ordinary, path_from, path_text
from tilelab.core.text.language import marked, tr
from tilelab.gui.run.load_menu import LoadMenu, add_heading, add_recent
from tilelab.gui.run.run_files import RUN_PATTERNS
from tilelab.gui.widgets.commands import Command
from tilelab.gui.widgets.file_dialog import ask_to_open
from tilelab.gui.widgets.parts import calling
from tilelab.gui.widgets.settings import Settings
from tilelab.letters.builtin import builtin_lexicons
from tilelab.letters.lexicon import Accents

_PATTERNS = f"*.txt *.gz *.lst *.dic *.csv {RUN_PATTERNS}"
GRID_FILTER = marked("Grids (*.txt *.grid);;All files (*)")


@dataclass(frozen=True)
class Origin:
    """Where a lexicon or a board comes from."""

    name: str
    """What the board is called."""
    path: Path | None = None
    """The file, if it was one of the user's own."""
    grid: GridFile | None = None
    """The grid that a run starts from, where one was given."""


class LoadFlow(LoadMenu):
    """Loads lexicons and grids."""

    lexicon_asked = Signal(str)
    """A built-in lexicon's key, or a path as ``path_text`` writes it."""
    grid_asked = Signal(str)
    """The path of a start grid, as ``path_text`` writes it."""
    open_filter = marked("Lexicons, saved grids and runs ({patterns});;All files (*)")
    open_patterns = _PATTERNS

    def __init__(
        self,
        settings: Settings,
        window: QWidget,
        grid_words: str = marked("a start grid"),
        is_grid: Callable[[Path], bool] = is_saved_grid,
    ) -> None:
        super().__init__(settings, window)
        self._grid_words, self._is_grid = grid_words, is_grid
        self.first_entries: tuple[Command, ...] = ()
        """What the page offers above all else."""
        self.fill_further: Callable[[QMenu], object] = lambda menu: None
        """Offers what the page has besides, above the recent files."""

    @property
    def accents(self) -> Accents:
        """What becomes of the accents of a lexicon that is loaded."""
        return Accents.FOLD if self._settings.preferences.fold_accents else Accents.KEEP

    def fill(self, menu: QMenu) -> None:
        """Fill the menu of LOAD."""
        menu.setToolTipsVisible(True)
        for each in self.first_entries:
            text = f"{each.shown_title}\t{each.shown_keys}" if each.key else each.shown_title
            menu.addAction(text).triggered.connect(calling(each.do))
        menu.addAction(tr("Open a file…\tCtrl+O")).triggered.connect(self.ask_for_file)
        menu.addAction(tr("Open {grid_words}…", grid_words=self._grid_words)).triggered.connect(
            self.ask_for_grid
        )
        add_heading(menu, tr("Built-in lexicons"))
        for entry in builtin_lexicons():
            action = menu.addAction(tr(entry.title))
            action.setToolTip(tr(entry.description))
            action.triggered.connect(calling(self.lexicon_asked.emit, entry.key))
        self.fill_further(menu)
        recent = self._settings.recent()
        add_recent(menu, tr("Recent files"), recent, self._open_recent)
        if recent:
            menu.addAction(tr("Forget recent files")).triggered.connect(self._settings.clear_recent)

    @Slot()
    def ask_for_grid(self) -> None:
        """Ask for a grid of letters to start from, whoever wrote it."""
        chosen = ask_to_open(
            self._window,
            tr("Open {grid_words}", grid_words=self._grid_words),
            self._settings.folder,
            tr(GRID_FILTER),
        )
        if chosen is not None and not self._refuses(chosen):
            self._settings.folder = chosen.parent
            self.grid_asked.emit(str(chosen))

    def open_board(self, path: Path) -> None:
        """Load a file: what looks like a grid becomes the start grid, else it is a lexicon."""
        if self._refuses(path):
            return
        self._settings.folder = path.parent
        (self.grid_asked if self._is_grid(path) else self.lexicon_asked).emit(path_text(path))

    def _refuses(self, path: Path) -> bool:
        try:
            open_ordinary(path).close()
        except TileLabError as error:
            self.refused.emit(str(error))
            return True
        return False

    def file_of(self, name: str) -> Path | None:
        """Return the file of a lexicon that was asked for, or None for a built-in one."""
        return None if name in {entry.key for entry in builtin_lexicons()} else path_from(name)
