"""Writing a board of word tiles and the path there: as text or as a picture."""

import dataclasses
from collections.abc import Mapping
from typing import ClassVar

from tilelab.core.text.language import marked
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.run.messages import of_kind
from tilelab.gui.run.save_best import FILTERS, SavedBest
from tilelab.puzzles.wordtiles.puzzle import WordTilesPuzzle
from tilelab.puzzles.wordtiles.text import WordTilesReport


def word_scene(puzzle: WordTilesPuzzle) -> TileScene:
    """Return what a film of word tiles begins with."""
    return TileScene(puzzle.start, None, puzzle.params.cols, letters=puzzle.letters)


class SavedWordTiles(SavedBest):
    """A board; its path only when that is known."""

    filters: ClassVar[dict[str, str]] = {**FILTERS, ".txt": marked("Board as text (*.txt)")}

    def puzzle_notes(self) -> Mapping[str, object]:
        """Return what the file says of the board; no path is searched for: that may take long."""
        return self.board.puzzle.notes(self.best)

    def scene(self) -> TileScene:
        usage = of_kind(self.board.report, WordTilesReport).usage
        return dataclasses.replace(
            word_scene(of_kind(self.board.puzzle, WordTilesPuzzle)),
            cells=self.best.cells,
            usage=usage,
        )
