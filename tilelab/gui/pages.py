"""Which page shows which puzzle."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from tilelab.gui.letter_page import LetterPage
from tilelab.gui.puzzle_page import PuzzlePage
from tilelab.gui.settings import Settings
from tilelab.gui.sliding_page import SlidingPage
from tilelab.gui.word_tile_page import WordTilePage

PageMaker = Callable[[str, Settings, QWidget | None], PuzzlePage]

_PAGES: dict[str, PageMaker] = {
    "boggle": LetterPage,
    "wordtiles": WordTilePage,
    "sliding": SlidingPage,
}


def page_makers() -> dict[str, PageMaker]:
    """Return what makes the page of each puzzle that the window shows, by the puzzle's key."""
    return dict(_PAGES)
