"""Writing a board of numbered tiles and its solution: as text or as a picture."""

from collections.abc import Mapping
from typing import ClassVar

from tilelab.core.puzzle import Cells
from tilelab.core.text.language import marked
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.run.messages import of_kind
from tilelab.gui.run.save_best import FILTERS, SavedBest
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle, SlidingReport


def tile_scene(puzzle: SlidingPuzzle, cells: Cells) -> TileScene:
    return TileScene(cells, puzzle.places, puzzle.params.cols)


class SavedTiles(SavedBest):
    """A board to save: the start of a solution, the nearest of a search, or one without a run.

    A game by hand that is solved is a solution; the board of another one has it in its notes.
    """

    filters: ClassVar[dict[str, str]] = {
        **FILTERS,
        ".txt": marked("Board and moves as text (*.txt)"),
    }

    def file_name(self) -> str:
        """Suggest a name, such as ``tiles-4x4-52-moves.txt``, or ``tiles-4x4-manhattan-38.txt``."""
        rows, cols = self.board.puzzle.shape
        moves = self.best.moves
        distance = f"manhattan-{of_kind(self.board.report, SlidingReport).distance}"
        return f"tiles-{rows}x{cols}-{distance if moves is None else f'{len(moves)}-moves'}.txt"

    def puzzle_notes(self) -> Mapping[str, object]:
        """Return notes about the board; a board without a run is not called the nearest."""
        notes = dict(super().puzzle_notes())
        if not self.unit:
            notes.pop("board", None)
        if self.game is not None and self.best.moves is None:
            puzzle, played = self.game
            notes |= {"start": puzzle.title, "played": played.moves}
        return notes

    def scene(self) -> TileScene:
        puzzle = of_kind(self.board.puzzle, SlidingPuzzle)
        return tile_scene(puzzle, puzzle.saved_cells(self.best))
