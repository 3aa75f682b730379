"""Where the puzzles' pages register themselves when their file is imported."""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtWidgets import QWidget

from tilelab.core.errors import TileLabError
from tilelab.core.registry import TABLES
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import quoted
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.widgets.settings import Settings

PageMaker = Callable[[str, Settings, QWidget | None], PuzzlePage]
"""Makes a page for a puzzle's key, with the settings and the widget that it belongs to."""

PAGES: dict[str, PageMaker] = {}
"""By the key of the puzzle."""
TABLES.append(PAGES)

M = TypeVar("M", bound=PageMaker)


def register_page(puzzle_key: str) -> Callable[[M], M]:
    """Decorator of a page's class: it shows this puzzle; TileLabError when another one does."""

    def register(make: M) -> M:
        if PAGES.setdefault(puzzle_key, make) is not make:
            raise TileLabError(
                tr("two pages show the puzzle {puzzle_key}", puzzle_key=quoted(puzzle_key))
            )
        return make

    return register
