"""Which page shows which puzzle."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from tilelab.gui.boggle.page import LetterPage
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.sliding.page import SlidingPage
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.wordtiles.page import WordTilePage

PageMaker = Callable[[str, Settings, QWidget | None], PuzzlePage]

_PAGES: dict[str, PageMaker] = {
    "boggle": LetterPage,
    "wordtiles": WordTilePage,
    "sliding": SlidingPage,
}


def page_makers() -> dict[str, PageMaker]:
    """Return what makes the page of each puzzle that the window shows, by the puzzle's key."""
    return dict(_PAGES)
