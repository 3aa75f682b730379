"""Writing a board of numbered tiles and its solution: as text or as a picture."""

from typing import ClassVar

from tilelab.gui.boards.tile_painter import TileScene, tiles_png, tiles_svg
from tilelab.gui.run.messages import of_kind
from tilelab.gui.run.save_best import FILTERS, SavedBest
from tilelab.gui.widgets.theme import current_theme
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle, SlidingReport


class SavedTiles(SavedBest):
    """The nearest board, or the board that a solution starts from."""

    filters: ClassVar[dict[str, str]] = {**FILTERS, ".txt": "Board and moves as text (*.txt)"}

    def file_name(self) -> str:
        """Suggest a name, such as ``tiles-4x4-52-moves.txt``."""
        rows, cols = self.board.puzzle.shape
        moves = self.best.moves
        away = f"{of_kind(self.board.report, SlidingReport).distance}-away"
        return f"tiles-{rows}x{cols}-{away if moves is None else f'{len(moves)}-moves'}.txt"

    def content(self, suffix: str) -> bytes | str:
        """Return what a file of this kind holds."""
        puzzle = of_kind(self.board.puzzle, SlidingPuzzle)
        cells = self.best.cells if self.best.moves is None else puzzle.start
        scene = TileScene(cells, puzzle.places, puzzle.params.cols)
        if suffix == ".png":
            return tiles_png(scene, current_theme())
        if suffix == ".svg":
            return tiles_svg(scene, current_theme())
        return self.text()
