"""Opening runs of other windows, such as the history, on the pages of their puzzles."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import tr
from tilelab.gui.run.messages import LoadContext, PuzzleRequest
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.runs.recipe import Recipe

Begin = Callable[[PuzzlePage, Puzzle], None]
"""Function that starts a run on a page that shows its puzzle."""


class PageOpener(QObject):
    """Opens runs of another window on the pages of their puzzles."""

    taken = Signal()
    """Emitted when the main window has taken over, so that the other window can give way."""
    refused = Signal(str)  # emitted with the reason when a request is refused
    locked = Signal(object)
    """Emitted when the page cannot load now, with a function that returns the current reason or ''.
    """

    def __init__(self, show_page: Callable[[str], PuzzlePage], parent: QObject) -> None:
        """show_page: shows the page of a puzzle, by its key, and returns the page that is shown.

        That is another page if the page of the puzzle fails.
        """
        super().__init__(parent)
        self._show_page = show_page

    def load(self, key: str, request: PuzzleRequest, name: str, begin: Begin | None = None) -> None:
        """Load a puzzle on the page of its kind, or report why not.

        name: that of its board. begin: called when the puzzle is loaded.
        """
        page = self._show_page(key)
        if page.puzzle_key != key:
            self.refused.emit(tr("The page of the puzzle {key} cannot be shown.", key=key))
            return
        if page.control.load_refusal:
            self.locked.emit(lambda: page.control.load_refusal)
            return

        def then(puzzle: Puzzle) -> None:
            page.panel.show_puzzle(puzzle)
            if begin is not None:
                begin(page, puzzle)

        if page.control.ask_puzzle(request, LoadContext(run_name=name, then=then)):
            self.taken.emit()


def begin_recipe(page: PuzzlePage, recipe: Recipe, note: str) -> None:
    """Begin the run of a recipe on a page that shows its puzzle, with a note about it."""
    page.choose_solver(recipe.solver)
    page.panel.set_values({**recipe.params.model_dump(), **recipe.limits.model_dump()})
    page.panel.seed_field.set_seed(recipe.seed)
    page.control.begin(lambda: recipe)
    page.notice.show_note(note)
