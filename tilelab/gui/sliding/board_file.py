"""Writing a board of numbered tiles and its solution: as text or as a picture."""

from typing import Any, ClassVar

from tilelab.gui.boards.tile_painter import TileScene, tiles_png, tiles_svg
from tilelab.gui.run.save_best import FILTERS, SavedBest
from tilelab.gui.widgets.theme import current_theme


class SavedTiles(SavedBest):
    """The nearest board, or the board that a solution starts from."""

    filters: ClassVar[dict[str, str]] = {**FILTERS, ".txt": "Board and moves as text (*.txt)"}

    def file_name(self) -> str:
        """Suggest a name, such as ``tiles-4x4-52-moves.txt``."""
        puzzle: Any = self.board.puzzle
        rows, cols = puzzle.shape
        moves = self.best.moves
        away = f"{self.board.report.distance}-away"
        return f"tiles-{rows}x{cols}-{away if moves is None else f'{len(moves)}-moves'}.txt"

    def content(self, suffix: str) -> bytes | str:
        """Return what a file of this kind holds."""
        puzzle: Any = self.board.puzzle
        cells = self.best.cells if self.best.moves is None else puzzle.start
        scene = TileScene(cells, puzzle.places, puzzle.params.cols)
        if suffix == ".png":
            return tiles_png(scene, current_theme())
        if suffix == ".svg":
            return tiles_svg(scene, current_theme())
        return self.text()
