"""The list of a game with letters: what was found, and blanks for what was not."""

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from tilelab.core.text.language import tr
from tilelab.core.text.symbols import shown_row
from tilelab.core.text.wording import counted
from tilelab.gui.widgets.theme import current_theme, text_font
from tilelab.puzzles.boggle.game import HIDDEN, WordGame

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_THIN = "\u2009"
"""Parts hidden letters, so that they can be counted."""


class GameListModel(QAbstractListModel):
    """The strings of a game, found ones with a check mark; blanks stand for hidden letters."""

    def __init__(self) -> None:
        super().__init__()
        self._game: WordGame | None = None
        self._shows_words = False
        self._words: tuple[str, ...] = ()

    def show(self, game: WordGame, *, shows_words: bool) -> None:
        """Show how a game stands; shows_words: also those that were not found."""
        self.beginResetModel()
        self._game, self._shows_words = game, shows_words
        # Where no letter is shown, their order by the alphabet would say too much.
        hidden = () if shows_words else game.missing
        known = [word for word in game.words if word not in hidden]
        self._words = (*known, *sorted(hidden, key=lambda word: (len(word), game.shown(word))))
        self.endResetModel()

    def word(self, row: int) -> str:
        """Return the string of a row, whether it is shown or not."""
        return self._words[row]

    def row_of(self, word: str) -> int:
        """Return the row of a string."""
        return self._words.index(word)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._words)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        game = self._game
        if game is None or not index.isValid():
            return None
        word = self._words[index.row()]
        is_found = word in game.found
        seen = word if self._shows_words else game.shown(word)
        is_whole = HIDDEN not in seen
        if role == Qt.ItemDataRole.DisplayRole:
            mark = "✓ " if is_found else "\u2003 "
            return mark + (shown_row(seen) if is_whole else _THIN.join(shown_row(seen)))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            state = "found" if is_found else tr("not found")
            begin = seen.rstrip(HIDDEN)
            name = (
                seen
                if is_whole
                else tr("begins with {begin}").format(begin=begin)
                if begin
                else "hidden"
            )
            return f"{name}, {counted(len(word), 'letter')}, {state}"
        if role == Qt.ItemDataRole.ForegroundRole:
            theme = current_theme()
            return theme.text if is_found else theme.muted
        if role == Qt.ItemDataRole.FontRole:
            font: QFont = text_font(strong=is_found)
            return font
        return None


class GameList(QListView):
    """The list on the screen; the path of the found string that is chosen is asked for."""

    word_chosen = Signal(str)
    """A string that may be seen, or ''."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = GameListModel()
        self.setModel(self.words)
        self.setObjectName("game_list")
        self.setAccessibleName(tr("Strings of the grid"))
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._game: WordGame | None = None
        self.selectionModel().currentChanged.connect(self._choose)

    def show_game(self, game: WordGame, *, shows_words: bool, newest: str = "") -> None:
        """Show how a game stands, and the string that was found just now."""
        self._game = game
        place = self.verticalScrollBar().value()
        self.words.show(game, shows_words=shows_words)
        self.verticalScrollBar().setValue(place)
        if newest:
            self.scrollTo(self.words.index(self.words.row_of(newest)))

    @Slot(QModelIndex, QModelIndex)
    def _choose(self, current: QModelIndex, _previous: QModelIndex) -> None:
        self.selectionModel().select(current, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        game = self._game
        word = self.words.word(current.row()) if current.isValid() else ""
        may_see = game is not None and (word in game.found or game.is_given_up)
        self.word_chosen.emit(word if may_see else "")
