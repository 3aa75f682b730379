"""Writing a board of word tiles and the way there: as text or as a picture."""

from pathlib import Path
from typing import ClassVar

from tilelab.core.grid_file import format_grid
from tilelab.core.shown_text import file_stem
from tilelab.core.wording import number
from tilelab.gui.boards.tile_painter import TileScene, tiles_png, tiles_svg
from tilelab.gui.run.messages import of_kind
from tilelab.gui.run.save_best import FILTERS, SavedBest
from tilelab.gui.widgets.theme import current_theme
from tilelab.puzzles.wordtiles.puzzle import WordTilesPuzzle
from tilelab.puzzles.wordtiles.report import WordTilesReport


def word_scene(puzzle: WordTilesPuzzle) -> TileScene:
    """Return what a film of word tiles begins with."""
    return TileScene(puzzle.start, None, puzzle.params.cols, letters=puzzle.letters)


class SavedWordTiles(SavedBest):
    """The best board of a run; its way only when that is known."""

    filters: ClassVar[dict[str, str]] = {**FILTERS, ".txt": "Board as text (*.txt)"}

    def file_name(self) -> str:
        """Suggest a name, such as ``english-small-4x4-27.txt``."""
        puzzle = of_kind(self.board.puzzle, WordTilesPuzzle)
        rows, cols = puzzle.shape
        value = number(self.best.value).replace(",", "")
        return f"{file_stem(Path(puzzle.lexicon.name).stem)}-{rows}x{cols}-{value}.txt"

    def text(self) -> str:
        """Return the board as text; a way is not searched for here, so that nobody waits."""
        puzzle = of_kind(self.board.puzzle, WordTilesPuzzle)
        notes = {**puzzle.notes(self.best), self.unit: self.best.unit, "seed": self.seed}
        notes |= self.more_notes()
        return format_grid(puzzle.rows_of(self.best.cells), notes)

    def content(self, suffix: str) -> bytes | str:
        """Return what a file of this kind holds."""
        puzzle = of_kind(self.board.puzzle, WordTilesPuzzle)
        usage = of_kind(self.board.report, WordTilesReport).usage
        scene = TileScene(
            self.best.cells, None, puzzle.params.cols, letters=puzzle.letters, usage=usage
        )
        if suffix == ".png":
            return tiles_png(scene, current_theme())
        if suffix == ".svg":
            return tiles_svg(scene, current_theme())
        return self.text()
