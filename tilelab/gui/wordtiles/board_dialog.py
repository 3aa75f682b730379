"""A dialog in which a board of letters is typed or pasted."""

from PySide6.QtWidgets import QWidget

from tilelab.gui.boards.text_dialog import TypedDialog
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.wordtiles.board_file import word_scene
from tilelab.puzzles.wordtiles.play import WordPosition, word_board
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams
from tilelab.puzzles.wordtiles.text import split_rows
from tilelab.words.lexicon import Lexicon

_HINT = "Letters, row by row or in one line, with or without spaces; . or _ is the blank."


def word_board_dialog(
    lexicon: Lexicon, params: WordTilesParams, parent: QWidget | None = None
) -> TypedDialog[WordPosition]:
    """Make a dialog in which letters and one blank are typed; it knows the lexicon's letters."""

    def read(text: str, cols: int | None) -> tuple[WordPosition, TileScene, str]:
        rows = split_rows(text, None, cols)
        position = word_board(lexicon, params, rows, "Typed board")
        puzzle = position.puzzle
        size = f"{len(rows)} rows, {len(rows[0])} columns"
        said = f"{size}; {len(puzzle.possible):,} strings can stand here."
        return position, word_scene(puzzle), said

    return TypedDialog("Type or paste a board", "fpms\nxgap\nefve\noir.", _HINT, read, parent)
