"""Lexicons that boards were saved with, and lists of words that are stored for later sessions."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tilelab.core.errors import TileLabError
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import file_stem, folded_row, quoted, shortened
from tilelab.gui.widgets.notice_bar import NoticeButton
from tilelab.letters.builtin import builtin_lexicons
from tilelab.letters.lexicon import Accents, Lexicon
from tilelab.letters.puzzle_list import Need, PuzzleList, lists_folder, noted_list
from tilelab.runs.files.atomic import OWNER_FILE, private_folder, write_atomically

UNTITLED = marked("My words")  # title of a user's words that have none
_MAX_TITLE = 40  # largest number of a title's characters in a sentence


@dataclass(frozen=True)
class SavedLexicon:
    """The lexicon that a board was saved with, while another one is loaded."""

    title: str
    key: str = ""  # of a built-in lexicon
    words: PuzzleList | None = None  # those in the notes of the board

    def open(self) -> Lexicon | str:
        """Return the words, which are stored like a typed list, or else the key.

        Raises TileLabError.
        """
        # The words of a board have its letters, without accents if those were folded.
        return self.key if self.words is None else keep_list(self.words, Accents.KEEP)

    def loaded_text(self, board: str, loaded: str) -> str:
        """Return a sentence about a board that is shown with a loaded lexicon."""
        return tr(
            "{name} was saved with the lexicon {named}; {title} is loaded.",
            name=board,
            named=shortened(self.title, _MAX_TITLE),
            title=loaded,
        )

    def refused_text(self, board: str, loaded: str, symbol: str) -> str:
        """Return why a board cannot be shown: no word of the loaded lexicon has a symbol."""
        said = tr(
            "{name} was saved with the lexicon {named}; no word of {title} has {symbol}.",
            name=board,
            named=shortened(self.title, _MAX_TITLE),
            title=loaded,
            symbol=quoted(symbol),
        )
        advice = "" if self._is_known else tr("Load that list first.")
        return f"{said} {advice}".rstrip()

    def buttons(self, open_board: Callable[[], object]) -> list[NoticeButton]:
        """Return the button that opens the board with its lexicon; none if that is not known."""
        title = tr("Open with {lexicon}", lexicon=shortened(self.title, _MAX_TITLE))
        return [(title, open_board)] if self._is_known else []

    @property
    def _is_known(self) -> bool:
        return bool(self.key) or self.words is not None


def other_lexicon(notes: Mapping[str, str], lexicon: Lexicon) -> SavedLexicon | None:
    """Return the lexicon of a board's notes; None if it is the loaded one, or not noted."""
    words, name = noted_list(notes), notes.get("lexicon", "")
    if words is not None:
        banned = set(words.strings(Need.MUST_NOT))
        allowed = {word.string for word in words.words} - banned
        is_other = allowed != set(lexicon.strings) - banned
        title = words.title or name or tr(UNTITLED)
        return SavedLexicon(title, words=words) if is_other else None
    if name in ("", lexicon.name):
        return None
    titles = {entry.key: tr(entry.title) for entry in builtin_lexicons()}
    return SavedLexicon(titles.get(name, name), key=name if name in titles else "")


def foreign_symbol(rows: Sequence[str], known: str) -> str:
    """Return the first symbol of a board that is not known; '' if all are."""
    return next((symbol for row in rows for symbol in folded_row(row) if symbol not in known), "")


def keep_list(words: PuzzleList, accents: Accents) -> Lexicon:
    """Store a list with the user's lists, and return its words; raises TileLabError."""
    lexicon = words.lexicon(f"{file_stem(words.title)}.txt", accents)
    text = words.text()
    # Each list has a file of its own: a board of an earlier one keeps its requests.
    folder = lists_folder() / hashlib.sha256(text.encode()).hexdigest()[:12]
    path: Path = folder / lexicon.name
    try:
        private_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise TileLabError.tr(
            "{folder} cannot be made: {reason}", folder=folder, reason=error.strerror
        ) from error
    write_atomically(path, text, mode=OWNER_FILE)
    return replace(lexicon, path=path)
