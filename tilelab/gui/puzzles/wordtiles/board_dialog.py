"""A dialog in which a board of letters is typed or pasted."""

from PySide6.QtWidgets import QWidget

from tilelab.core.text.language import figures, marked, tr
from tilelab.gui.boards.text_dialog import TypedDialog
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.puzzles.wordtiles.board_file import word_scene
from tilelab.letters.lexicon import Lexicon
from tilelab.puzzles.wordtiles.play import WordPosition, word_board
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams
from tilelab.puzzles.wordtiles.text import split_rows

_HINT = marked("Letters, row by row or in one line, with or without spaces; . or _ is the blank.")


def word_board_dialog(
    lexicon: Lexicon, params: WordTilesParams, parent: QWidget | None = None
) -> TypedDialog[WordPosition]:
    """Make a dialog in which letters and one blank are typed; it knows the lexicon's letters."""

    def read(text: str, cols: int | None) -> tuple[WordPosition, TileScene, str]:
        rows = split_rows(text, None, cols)
        position = word_board(lexicon, params, rows, tr("Typed board"))
        puzzle = position.puzzle
        size = tr("{n_rows} rows, {len} columns").format(n_rows=len(rows), len=len(rows[0]))
        said = tr("{size}; {n_possible} strings can stand here.").format(
            size=size, n_possible=figures(len(puzzle.possible), ",")
        )
        return position, word_scene(puzzle), said

    return TypedDialog(
        tr("Type or paste a board"), tr("fpms\nxgap\nefve\noir."), tr(_HINT), read, parent
    )
