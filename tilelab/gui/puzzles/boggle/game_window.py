"""The window in which a letter board is played: find its words by dragging or typing."""

import uuid

from pydantic import Field, TypeAdapter
from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QFont, QHideEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QFrame,
    QLabel,
    QListView,
    QProgressBar,
    QWidget,
)

from tilelab.core.puzzle import Best, Cells
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import shortened, shown_row
from tilelab.core.text.wording import clock, counted, number, shown_by_hints
from tilelab.gui.puzzles.boggle.game_board import GameBoard
from tilelab.gui.run.choices import keep_list, last_list
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.item_model import Index
from tilelab.gui.widgets.parts import (
    Card,
    column_layout,
    named,
    push_button,
    row_layout,
    row_of,
    show_in_front,
    text_label,
)
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import current_theme, keep_scaled, set_role, text_font
from tilelab.gui.widgets.window_place import Dialog
from tilelab.letters.builtin import shown_title
from tilelab.letters.lexicon import alphabetical
from tilelab.puzzles.boggle.game import (
    HIDDEN,
    GameState,
    GuessResult,
    PlayedBoard,
    WordGame,
    rules_in_words,
)
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.runs.history.record import now, record_by_hand

SHOWS_WORDS = "game_shows_words"
_KEPT_GAMES = f"{BogglePuzzle.spec.key}/games"  # name of the setting with set-aside games
_MAX_KEPT = 8  # number of boards whose games the next start can continue
_MAX_SAID = 24  # largest number of a word's letters in a sentence, which has few letters a line
_SPACE = 16
_TICK_MILLISECONDS = 250
_NOTHING = 0, 0, False, False  # what a record says of a game, before it
_HOW = marked("Drag over the letters of a word, or type it and press Enter.")
_ROOT = QModelIndex()
_THIN = "\u2009"  # thin space between hidden letters, so that they can be counted


class KeptWordGame(GameState):
    """A game that is not over, as the settings keep it."""

    key: str = Field(min_length=1)  # key of its record
    begun: str  # time of its first word or hint; '' before it
    note: str  # note of its last record


_GAMES = TypeAdapter(list[KeptWordGame])


class GameListModel(QAbstractListModel):
    """A model of a game's words; found ones have a check mark, hidden letters are blanks."""

    def __init__(self) -> None:
        super().__init__()
        self.game: WordGame | None = None
        self._shows_words = False
        self._words: tuple[str, ...] = ()

    def show(self, game: WordGame, *, shows_words: bool) -> None:
        """Show the state of a game; shows_words: also words that were not found."""
        self.beginResetModel()
        self.game, self._shows_words = game, shows_words
        # Alphabetical order would reveal too much of words without any shown letter.
        hidden = () if shows_words else game.missing
        known = [word for word in game.words if word not in hidden]
        by_length = sorted(hidden, key=lambda word: (len(word), alphabetical(game.shown(word))))
        self._words = (*known, *by_length)
        self.endResetModel()

    def word(self, row: int) -> str:
        """Return the string of a row, even if it is hidden."""
        return self._words[row]

    def row_of(self, word: str) -> int:
        return self._words.index(word)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._words)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        game = self.game
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
            state = tr("found") if is_found else tr("not found")
            begin = seen.rstrip(HIDDEN)
            name = (
                seen
                if is_whole
                else tr("begins with {letters}", letters=begin)
                if begin
                else tr("hidden")
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
    """The list of a game's words, which requests the path of the selected one."""

    word_chosen = Signal(str)  # emitted with the selected string if it may be shown, or ''

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = GameListModel()
        self.setModel(self.words)
        named(self, "game_list", tr("Words of the board"))
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.selectionModel().currentChanged.connect(self._choose)

    def show_game(self, game: WordGame, *, shows_words: bool, newest: str = "") -> None:
        """Show the state of a game, and the string that was just found."""
        place = self.verticalScrollBar().value()
        self.words.show(game, shows_words=shows_words)
        self.verticalScrollBar().setValue(place)
        if newest:
            self.scrollTo(self.words.index(self.words.row_of(newest)))

    @Slot(QModelIndex, QModelIndex)
    def _choose(self, current: QModelIndex, _previous: QModelIndex) -> None:
        self.selectionModel().select(current, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        game = self.words.game
        word = self.words.word(current.row()) if current.isValid() else ""
        may_see = game is not None and (word in game.found or game.is_given_up)
        self.word_chosen.emit(word if may_see else "")


class GameWindow(Dialog):
    """The window of one game, which is recorded when the window is closed, and can be continued.

    The last games of some boards can be continued at the next start, too. Time is paused while the
    window is not active.
    """

    recorded = Signal(object)  # emitted with a RunRecord of the game

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(
            parent,
            tr("Play"),
            "game_window",
            "puzzle-maker#playing-it",
            (940, 680),
            kind=Qt.WindowType.Window,
        )
        self._settings = settings
        self.game: WordGame | None = None
        self._typed = ""
        self._reported = _NOTHING
        self._note = ""  # note of the last record of the game
        self._replaced: KeptWordGame | None = None  # game that Undo brings back
        self._tick = QTimer(self, interval=_TICK_MILLISECONDS)
        self._tick.timeout.connect(self._show_time)
        self.finished.connect(self._leave)
        self._make_parts()
        self._lay_out()

    # Requests of the page

    def play(self, puzzle: BogglePuzzle, cells: Cells) -> None:
        """Start a game on a board, or continue the last one on the same board."""
        board = PlayedBoard.of(puzzle, cells)
        if self.game is None or self.game.is_over or self.game.board != board:
            kept = (one for one in self._kept() if one.board == board)
            self._begin(puzzle, cells, next(kept, None))
        show_in_front(self)
        self.board.setFocus()

    # Requests of the player

    @Slot()
    def start_again(self) -> None:
        """Play the same board from the beginning."""
        game = self.game
        if game is None:
            return
        self._leave()  # what Undo brings back has the note of its record
        replaced = self._as_kept(game) if game.has_begun else None
        if game.is_over:
            replaced = self._replaced  # of a game that was given up
        self._begin(game.puzzle, game.cells)
        self._keep()
        if replaced is not None:
            self._offer_undo(replaced, tr("The game before is set aside; Undo brings it back."))
        self.board.setFocus()

    @Slot()
    def undo(self) -> None:
        """Bring back the game that Start again or Give up has ended."""
        if self.game is not None and self._replaced is not None:
            self._begin(self.game.puzzle, self.game.cells, self._replaced)
            self._reported = _NOTHING  # its record may say that it was given up
            self._keep()
            self.board.setFocus()

    def _offer_undo(self, replaced: KeptWordGame, text: str) -> None:
        self._replaced = replaced
        self._undo.setEnabled(True)
        self._say(text)

    @Slot()
    def hint(self) -> None:
        """Reveal one more letter."""
        if self.game is None:
            return
        word = self.game.hint()
        if word is None:
            self._say(tr("There are no more hints: only the last letters are hidden."))
        else:
            shown = shown_row(self.game.shown(word))
            self._say(
                tr("Hint: {word}, {n_letters}.", word=shown, n_letters=counted(len(word), "letter"))
            )
        self._show()
        self.board.setFocus()

    @Slot()
    def give_up(self) -> None:
        """Reveal the rest, and end the game."""
        if self.game is not None and not self.game.is_over:
            n_left = len(self.game.missing)
            replaced = self._as_kept(self.game)
            self.game.give_up()
            text = tr(
                "{n_left} not found. Choose one to see where it is.",
                n_left=counted(n_left, "word"),
            )
            self._end(text)
            # Its record has a new note by now.
            self._offer_undo(replaced.model_copy(update={"note": self._note}), text)

    @Slot(object)
    def _offer(self, path: tuple[int, ...]) -> None:
        game = self.game
        if game is not None and len(path) >= game.least_cells:
            self._judge(*game.offer(path))

    @Slot(str)
    def _type(self, letter: str) -> None:
        game = self.game
        if game is None or game.is_over:
            return
        if letter == "\r":
            typed, self._typed = self._typed, ""
            if typed:
                self._judge(*game.spell(typed))
            return
        self._typed = {"\b": self._typed[:-1], "\x1b": ""}.get(letter, self._typed + letter)
        game.begin()
        self._show_word(self._typed)
        self._draw_board(game.path(game.read(self._typed)) or ())

    @Slot(object)
    def _walk(self, path: tuple[int, ...]) -> None:
        if self.game is not None and path:
            self._typed = ""
            self.game.begin()
            letters = "".join(self.game.rows)
            tiles = "".join(letters[cell] for cell in path)
            self._show_word(self.game.puzzle.lexicon.spelt(tiles))

    def _judge(self, answer: GuessResult, string: str) -> None:
        game = self.game
        assert game is not None
        word = shortened(shown_row(string), _MAX_SAID)
        said = {
            GuessResult.FOUND: tr("{word}: found.", word=word),
            GuessResult.FOUND_BEFORE: tr("{word} was found before.", word=word),
            GuessResult.NOT_ON_THE_BOARD: tr("{word} is not on this board.", word=word),
            GuessResult.NOT_IN_THE_LIST: tr("{word} is not in the list.", word=word),
        }
        self._say(said[answer], is_good=answer is GuessResult.FOUND)
        self._show_word("")
        if answer is GuessResult.FOUND and game.is_complete:
            self._end(
                tr(
                    "All {n_strings} found in {time}.",
                    n_strings=counted(len(game.words), "word"),
                    time=clock(game.seconds),
                )
            )
        else:
            self._show(newest=string if answer is GuessResult.FOUND else "")

    def _end(self, text: str) -> None:
        self._say(text, is_good=self.game is not None and self.game.is_complete)
        self._show_word("")
        self._show()
        self._leave()

    # Start and end

    def _begin(self, puzzle: BogglePuzzle, cells: Cells, kept: KeptWordGame | None = None) -> None:
        """Start a game, or continue the kept one if it fits."""
        self._leave()
        self.game = game = WordGame(puzzle, cells)
        self._key, self._begun, self._note = uuid.uuid4().hex, "", ""
        if kept is not None and game.resume(kept):
            self._key, self._begun, self._note = kept.key, kept.begun, kept.note
        self._reported = len(game.found), game.n_hints, False, game.words_shown
        self._replaced = None
        self._show_game()

    @Slot()
    def _leave(self) -> None:
        """Record the game, and keep it for the next start."""
        self._record()
        self._keep()

    def _kept(self) -> list[KeptWordGame]:
        return last_list(self._settings, _KEPT_GAMES, _GAMES)

    def _keep(self) -> None:
        """Store the game in place of another one on its board; nothing if it is over."""
        game = self.game
        if game is None:
            return
        games = [one for one in self._kept() if one.board != game.board]
        if game.has_begun and not game.is_over:
            games.insert(0, self._as_kept(game))
        keep_list(self._settings, _KEPT_GAMES, _GAMES, games[:_MAX_KEPT])

    def _as_kept(self, game: WordGame) -> KeptWordGame:
        state = game.state.model_dump()
        return KeptWordGame(**state, key=self._key, begun=self._begun, note=self._note)

    def take_over(self, before: "GameWindow") -> None:
        """Continue the game of another window."""
        if before.game is not None:
            self.game, self._key, self._begun = before.game, before._key, before._begun
            self._reported, self._note = before._reported, before._note
            self._replaced = before._replaced
            self._show_game()

    def _show_game(self) -> None:
        assert self.game is not None
        puzzle = self.game.puzzle
        self._typed = ""
        self.board.drop_path()
        self.setWindowTitle(tr("Play – {title}", title=shown_title(puzzle.title)))
        self._rules.setText(rules_in_words(puzzle.rules))
        self._show_word("")
        self._say(tr(_HOW) if self.game.words else tr("This board has no word of the list."))
        self._show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Type letters on the board wherever the keyboard is, such as in a check box."""
        if event.text().isalpha():
            self.board.setFocus()
            self.board.keyPressEvent(event)
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.game is not None:
            if not self.isActiveWindow():
                self.game.pause()
            elif self.game.seconds > 0:
                self.game.begin()
            self._show_time()

    def hideEvent(self, event: QHideEvent) -> None:
        if self.game is not None:
            self.game.pause()
        super().hideEvent(event)

    def _record(self) -> None:
        """Record the game, if it has begun and changed."""
        game = self.game
        if game is None or not game.has_begun:
            return
        state = len(game.found), game.n_hints, game.is_given_up, game.words_shown
        if state == self._reported:
            return
        self._reported = state
        found = tr(
            "{n_found} of {n_strings} found",
            n_found=figures(len(game.found), ","),
            n_strings=counted(len(game.words), "word"),
        )
        hints = shown_by_hints(game.n_hints, "letter")
        seen = tr("the words to find were shown") if game.words_shown else ""
        note_before, self._note = self._note, ", ".join(filter(None, (found, hints, seen)))
        record = record_by_hand(
            game.puzzle,
            Best(game.cells, game.score, len(game.found)),
            key=self._key,
            begun=self._begun,
            unit="word",
            units=len(game.found),
            seconds=game.seconds,
            is_solved=game.is_complete,
            is_given_up=game.is_given_up,
            note=self._note,
            note_before=note_before,
        )
        self.recorded.emit(record)

    # Display

    def _show(self, newest: str = "") -> None:
        game = self.game
        assert game is not None
        if game.has_begun and not self._begun:
            self._begun = now()
        n_found, n_words = len(game.found), len(game.words)
        self._score.setText(number(game.score))
        self._of.setText(
            tr(
                "of {total} {title}",
                total=number(game.full_score),
                title=tr(game.puzzle.value_title),
            )
        )
        self._n_found.setText(
            tr(
                "{n_found} of {n_words} found",
                n_found=figures(n_found, ","),
                n_words=counted(n_words, "word"),
            )
        )
        self._n_found.setVisible(game.puzzle.value_title != game.puzzle.spec.value_title)
        self._progress.setRange(0, max(n_words, 1))
        self._progress.setValue(n_found)
        shows_words = self._shows_words.isChecked() or game.is_given_up
        game.words_shown |= shows_words and not game.is_over
        self._list.show_game(game, shows_words=shows_words, newest=newest)
        self._hint.setEnabled(not game.is_over)
        self._give_up.setEnabled(not game.is_over and bool(n_words))
        if game.found and not game.is_over:
            self._replaced = None  # it would take the place of a game with words
        self._undo.setEnabled(self._replaced is not None)
        self._draw_board()
        self._show_time()

    def _draw_board(self, path: tuple[int, ...] = ()) -> None:
        if self.game is not None:
            rows = self.game.puzzle.texts(self.game.rows)
            self.board.show_game(rows, tuple(self.game.found.values()), path)

    @Slot(str)
    def _show_path(self, word: str) -> None:
        game = self.game
        if game is not None:
            self._draw_board(game.found.get(word) or game.path(word) or ())

    @Slot(bool)
    def _set_words_shown(self, shown: bool) -> None:
        self._settings.set_flag(SHOWS_WORDS, shown)
        if self.game is not None:
            self._show()

    @Slot()
    def _show_time(self) -> None:
        game = self.game
        if game is not None:
            self._time.setText(clock(game.seconds))
            if game.is_timing != self._tick.isActive():
                (self._tick.start if game.is_timing else self._tick.stop)()

    def _show_word(self, word: str) -> None:
        self._word.setText(shown_row(word) if word else "\u2013")

    def _say(self, text: str, *, is_good: bool = False) -> None:
        set_role(self._said, "strong" if is_good else "muted")
        self._said.setText(text)

    # Parts

    def _make_parts(self) -> None:
        self.board = named(GameBoard(self._extend, self), "game_board", tr("Board to play"))
        self.board.path_offered.connect(self._offer)
        self.board.path_changed.connect(self._walk)
        self.board.typed.connect(self._type)
        self._word = ElidedLabel(self, Qt.TextElideMode.ElideLeft, "large")
        named(self._word, "game_word", tr("Current word"))
        self._said = named(QLabel(self, wordWrap=True), "game_said")
        keep_scaled(self._said, least_height=38)
        self._time = named(text_label("title", self, clock(0)), "game_time", tr("Time"))
        self._rules = text_label("small", self, wraps=True)
        self._score, self._of = text_label("display", self), text_label("muted", self)
        self._score.setObjectName("game_score")
        self._n_found = text_label("muted", self)
        self._progress = QProgressBar(self, textVisible=False)
        self._progress.setAccessibleName(tr("Words found"))
        self._shows_words = QCheckBox(tr("Show the words to find"), self)
        self._shows_words.setChecked(self._settings.flag(SHOWS_WORDS))
        self._shows_words.toggled.connect(self._set_words_shown)
        self._list = GameList(self)
        self._list.word_chosen.connect(self._show_path)
        tip = tr("Show one more letter of a word")
        self._hint = push_button(tr("&Hint"), "game_hint", tip, self, self.hint)
        tip = tr("Show all words and end the game")
        self._give_up = push_button(tr("Gi&ve up"), "game_give_up", tip, self, self.give_up)
        tip = tr("Play this board from the beginning")
        self._again = push_button(tr("&Start again"), "game_again", tip, self, self.start_again)
        tip = tr("Bring back the game before Start again or Give up")
        self._undo = push_button(tr("Undo"), "game_undo", tip, self, self.undo)
        self._undo.setShortcut(QKeySequence.StandardKey.Undo)
        for button in (self._hint, self._give_up, self._again, self._undo):
            button.setAutoDefault(False)  # Enter submits a word

    def _lay_out(self) -> None:
        heading = row_of((self._word, 1), self._time, spacing=12)
        left = Card(self)
        column_layout(left, _SPACE, 8, heading, (self.board, 1), self._said, self._rules)
        right = Card(self)
        keep_scaled(right, most_width=340)
        base = Qt.AlignmentFlag.AlignBaseline
        values = row_of((self._score, 0, base), (self._of, 1, base))
        words = (self._n_found, self._progress, self._shows_words, (self._list, 1))
        buttons = row_of(self._hint, self._give_up)
        column_layout(right, _SPACE, 8, values, *words, buttons, row_of(self._again, self._undo))
        ground = QFrame(self)
        set_role(ground, "page")
        column_layout(self, 0, 0, ground)
        row_layout(ground, _SPACE, _SPACE, (left, 8), (right, 5))

    def _extend(self, path: tuple[int, ...], cell: int) -> tuple[int, ...]:
        return path if self.game is None or self.game.is_over else self.game.extended(path, cell)
