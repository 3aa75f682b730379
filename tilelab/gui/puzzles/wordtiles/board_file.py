"""Boards of word tiles: typed or pasted in a dialog, written as text or picture."""

import dataclasses
from collections.abc import Mapping
from typing import ClassVar

from PySide6.QtWidgets import QWidget

from tilelab.core.text.language import figures, marked, tr
from tilelab.gui.boards.text_dialog import TextDialog
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.run.messages import of_kind
from tilelab.gui.run.save_best import FILTERS, SavedBest
from tilelab.letters.lexicon import Lexicon
from tilelab.puzzles.wordtiles.play import WordPosition, word_board
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.puzzles.wordtiles.text import WordTilesReport, split_rows

_HINT = marked("Letters, row by row or in one line, with or without spaces; . or _ is the blank.")


def word_scene(puzzle: WordTilesPuzzle) -> TileScene:
    """Return the first scene of a film of word tiles."""
    return TileScene(puzzle.start, None, puzzle.params.cols, letters=puzzle.letters)


class SavedWordTiles(SavedBest):
    """A board to save, with its path if known."""

    filters: ClassVar[dict[str, str]] = {**FILTERS, ".txt": marked("Board as text (*.txt)")}

    def puzzle_notes(self) -> Mapping[str, object]:
        """Return notes about the board; an unknown path is not searched for."""
        return self.board.puzzle.notes(self.best)

    def scene(self) -> TileScene:
        usage = of_kind(self.board.report, WordTilesReport).usage
        return dataclasses.replace(
            word_scene(of_kind(self.board.puzzle, WordTilesPuzzle)),
            cells=self.best.cells,
            usage=usage,
        )


def word_board_dialog(
    lexicon: Lexicon, params: WordTilesParams, parent: QWidget | None = None
) -> TextDialog[WordPosition]:
    """Make a dialog in which letters and one blank are typed; it knows the lexicon's letters."""

    def read(text: str, cols: int | None) -> tuple[WordPosition, TileScene, str]:
        rows = split_rows(text, None, cols)
        position = word_board(lexicon, params, rows, tr("Typed board"))
        puzzle = position.puzzle
        size = tr("{n_rows} rows, {n_cols} columns", n_rows=len(rows), n_cols=len(rows[0]))
        said = tr(
            "{size}; {n_possible} words can appear here.",
            size=size,
            n_possible=figures(len(puzzle.possible), ","),
        )
        return position, word_scene(puzzle), said

    return TextDialog(
        tr("Type or paste a board"), tr("fpms\nxgap\nefve\noir."), tr(_HINT), read, parent
    )
