"""Opening runs of other windows, such as the history, on the pages of their puzzles."""

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import tr
from tilelab.gui.run.messages import Lender, LoadContext
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.widgets.notice_bar import NoticeBar
from tilelab.runs.recipe import Recipe

Begin = Callable[[PuzzlePage, Puzzle], None]
"""Function that starts a run or a game on a page that shows its puzzle."""


class _Build(NamedTuple):
    """Request for the puzzle that a function makes."""

    build: Callable[[], Puzzle]


class PageOpener(QObject):
    """Opens runs of another window on the pages of their puzzles."""

    def __init__(
        self, show_page: Callable[[str], PuzzlePage], window: QWidget, notice: NoticeBar
    ) -> None:
        """show_page: shows the page of a puzzle, by its key, and returns the page that is shown.

        That is another page if the page of the puzzle fails. window: closes when the page has
        taken over. notice: its bar, which reports errors and refusals.
        """
        super().__init__(window)
        self._show_page, self.window, self.notice = show_page, window, notice

    def load(
        self,
        key: str,
        build: Callable[[], Puzzle],
        name: str,
        begin: Begin | None = None,
        *,
        is_run: bool = True,
    ) -> None:
        """Load a puzzle on the page of its kind, or report why not.

        build: reads what must be read and makes the puzzle in the worker's thread; raises
        TileLabError. name: that of its board. begin: called when the puzzle is loaded.
        is_run: whether it starts a run, with its solver and values, and not a game by hand.
        """
        page = self._show_page(key)
        if page.puzzle_key != key:
            self.notice.show_error(tr("The page of the puzzle {key} cannot be shown.", key=key))
            return
        if page.control.load_refusal:
            self.notice.show_refusal(lambda: page.control.load_refusal)
            return

        def then(puzzle: Puzzle) -> None:
            page.panel.show_puzzle(puzzle)
            if begin is not None:
                begin(page, puzzle)

        lender = Lender.NOTHING if begin is None or not is_run else Lender.RUN
        context = LoadContext(run_name=name, lender=lender, then=then)
        if page.control.ask_puzzle(_Build(build), context):
            self.window.close()


def begin_recipe(page: PuzzlePage, recipe: Recipe, note: str) -> None:
    """Begin the run of a recipe on a page that shows its puzzle, with a note about it."""
    page.choose_solver(recipe.solver)
    page.panel.set_values({**recipe.params.model_dump(), **recipe.limits.model_dump()})
    page.panel.seed_field.set_seed(recipe.seed)
    page.control.begin(lambda: recipe)
    page.notice.show_note(note)
