"""The menu of LOAD for letters: built-in lexicons, files, recent files and dropped files."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Signal, SignalInstance, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from tilelab.core.errors import GridError, TileLabError
from tilelab.core.files.grid_file import GridFile
from tilelab.core.files.paths import open_ordinary, path_from, path_text
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import menu_text
from tilelab.gui.run.load_menu import LoadMenu, LoadTarget
from tilelab.gui.widgets.commands import Command
from tilelab.gui.widgets.file_dialog import ask_to_open
from tilelab.gui.widgets.notice_bar import NoticeBar
from tilelab.gui.widgets.parts import calling
from tilelab.gui.widgets.settings import Settings
from tilelab.letters.builtin import builtin_lexicons, is_builtin, shown_title
from tilelab.letters.lexicon import Accents, Lexicon
from tilelab.letters.lexicon_puzzle import ForeignSymbolError
from tilelab.runs.files.carried import RUN_PATTERNS

_BOARDS = marked("Boards (*.txt *.grid);;All files (*)")


@dataclass(frozen=True)
class Origin:
    """Origin of a lexicon or a board."""

    name: str  # name of the board
    path: Path | None = None  # path of the file, if the user loaded a file
    grid: GridFile | None = None  # board that a run starts from, if there is one
    own_size: tuple[int, int] | None = None
    """Rows and columns that the user chose last; None if they are those of the puzzle."""


def say_own_rules(notice: NoticeBar) -> None:
    """Add to the notice that the user's own rules have replaced those of other words."""
    said = tr("The rules are again as before.")
    notice.show_note(f"{notice.text} {said}".lstrip(), buttons=notice.buttons)


@contextlib.contextmanager
def advising_other_lists() -> Iterator[None]:
    """Add to the error about a typed letter what to do if it is in no word of the lexicon."""
    try:
        yield
    except ForeignSymbolError as error:
        raise GridError.tr(
            "{reason}. A list in LOAD, Word lists may have it; this text is kept here", reason=error
        ) from None


class LetterLoadMenu(LoadMenu):
    """The menu of LOAD for lexicons and letter boards."""

    lexicon_requested = Signal(str)
    """Emitted with a built-in lexicon's key, or a path as ``path_text`` writes it."""
    grid_requested = Signal(str)  # emitted with the path of a start board, as path_text writes it
    open_filter = marked("Lexicons, saved boards and runs ({patterns});;All files (*)")
    open_patterns = f"*.txt *.gz *.lst *.dic *.csv {RUN_PATTERNS}"
    other_text = LoadTarget.WORDS

    def __init__(
        self,
        puzzle_key: str,
        settings: Settings,
        window: QWidget,
        is_board: Callable[[Path], bool] | None = None,
    ) -> None:
        """is_board: returns whether a text that names no puzzle is a board.

        None if only saved boards can be recognised; then any text can be opened as a start board.
        """
        super().__init__(puzzle_key, settings, window)
        self._is_board = is_board
        self.own_entries: tuple[Command, ...] = ()  # further entries of the page
        self.lexicon: Callable[[], Lexicon | None] = lambda: None
        """Function that returns the lexicon that is shown."""

    @property
    def accents(self) -> Accents:
        """Treatment of accents in a lexicon that is loaded."""
        return Accents.FOLD if self._settings.preferences.fold_accents else Accents.KEEP

    def fill_own(self, menu: QMenu) -> None:
        lists = menu.addMenu(tr("Word lists"))
        lists.setToolTipsVisible(True)
        shown = self.lexicon()
        if shown is not None and not is_builtin(shown.name):
            _add_ticked(lists, menu_text(shown_title(shown.title)), is_shown=True)
            lists.addSeparator()
        for entry in builtin_lexicons():
            is_shown = shown is not None and shown.name == entry.key
            action = _add_ticked(lists, tr(entry.title), is_shown=is_shown)
            action.setToolTip(tr(entry.description))
            action.triggered.connect(calling(self.choose, self.lexicon_requested.emit, entry.key))
        for each in self.own_entries:
            text = f"{each.shown_title}\t{each.shown_keys}" if each.key else each.shown_title
            menu.addAction(text).triggered.connect(calling(each.do))
        if self._is_board is None:
            start = menu.addAction(tr("Open as a start board…"))
            start.setToolTip(tr("Open a text file whose rows are the board that runs start from"))
            start.triggered.connect(self.ask_for_grid)

    @Slot()
    def ask_for_grid(self) -> None:
        """Ask for the file of a letter board to start from."""
        chosen = ask_to_open(
            self._window, tr("Open as a start board"), self._settings.folder, tr(_BOARDS)
        )
        if chosen is not None:
            self.choose(self.open_board, chosen)

    def open_board(self, path: Path) -> None:
        self._request(self.grid_requested, path)

    def open_text(self, path: Path) -> None:
        is_board = self._is_board is not None and self._is_board(path)
        self._request(self.grid_requested if is_board else self.lexicon_requested, path)

    def _request(self, signal: SignalInstance, path: Path) -> None:
        if not self._refuses(path):
            self._settings.folder = path.parent
            signal.emit(path_text(path))

    def _refuses(self, path: Path) -> bool:
        try:
            open_ordinary(path).close()
        except TileLabError as error:
            self.refused.emit(str(error))
            return True
        return False

    def file_of(self, name: str) -> Path | None:
        """Return the file of a requested lexicon, or None for a built-in one."""
        return None if is_builtin(name) else path_from(name)


def _add_ticked(menu: QMenu, title: str, *, is_shown: bool) -> QAction:
    """Add a word list, with a check mark if it is the current one."""
    action = menu.addAction(title)
    action.setCheckable(True)
    action.setChecked(is_shown)
    return action
