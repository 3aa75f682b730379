"""The size of a board that goes with a list of words, and the one that the user chose before."""

from tilelab.core.text.language import tr
from tilelab.gui.letters.load_menu import Origin
from tilelab.gui.run.messages import of_kind
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.letters.puzzle_list import is_typed_list
from tilelab.puzzles.boggle.parameters import BoggleParams
from tilelab.puzzles.boggle.puzzle import BogglePuzzle


class ListSize:
    """The size of the next run's board; one that the program chose belongs to its list."""

    def __init__(self, page: PuzzlePage) -> None:
        self._page = page

    def typed(self) -> tuple[int, int]:
        """Return rows and columns of the next run's board."""
        values = self._page.panel.values("puzzle")
        return values["rows"], values["cols"]

    @property
    def before_list(self) -> tuple[int, int] | None:
        """Size that the user chose before the program chose one for the loaded list, if it did."""
        origin = self._page.source.context.origin
        return origin.own_size if isinstance(origin, Origin) else None

    def own(self) -> tuple[int, int]:
        """Return rows and columns that the user chose last, or the default."""
        puzzle = of_kind(self._page.source.puzzle, BogglePuzzle)
        size, path = self.typed(), (puzzle.given or puzzle.lexicon).path
        if size != puzzle.shape:
            return size
        if self.before_list is None and path is not None and is_typed_list(path):
            default = BoggleParams()
            return default.rows, default.cols
        return self.before_list or size

    def say(self, size: tuple[int, int], before: tuple[int, int], own: tuple[int, int]) -> None:
        """Say that a list has another size than the one before: the user's own, or a larger one."""
        if size == before:
            return
        rows, cols = size
        said = tr("The size is {rows} × {cols} again.", rows=rows, cols=cols)
        if size != own:
            said = tr(
                "The size is now {rows} × {cols}, with room for all words.", rows=rows, cols=cols
            )
        text = " ".join(filter(None, (self._page.notice.text, said)))
        self._page.notice.show_note(text, buttons=self._page.notice.buttons)
