"""A dialog in which a board of letters is typed or pasted."""

from PySide6.QtWidgets import QWidget

from tilelab.gui.boards.text_dialog import TypedDialog
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.boards.tile_view import TileView
from tilelab.puzzles.wordtiles.play import WordPosition, word_board
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams
from tilelab.puzzles.wordtiles.text import split_rows
from tilelab.words.lexicon import Lexicon


class WordBoardDialog(TypedDialog):
    """Reads letters and one blank; knows which letters the lexicon has."""

    placeholder = "fpms\nxgap\nefve\noir."
    hint = "Letters, row by row or in one line, with or without spaces; . or _ is the blank."

    def __init__(
        self, lexicon: Lexicon, params: WordTilesParams, parent: QWidget | None = None
    ) -> None:
        self._lexicon, self._params = lexicon, params
        self._position: WordPosition | None = None
        super().__init__("Type or paste a board", parent)

    @property
    def position(self) -> WordPosition | None:
        """The board, or None while there is an error in it."""
        return self._position

    def forget(self) -> None:
        self._position = None

    def read(self, text: str, cols: int | None, picture: TileView) -> str:
        rows = split_rows(text, None, cols)
        position = word_board(self._lexicon, self._params, rows, "Typed board")
        self._position = position
        letters = position.puzzle.letters
        picture.show_scene(TileScene(position.cells, None, position.cols, letters=letters))
        n_strings = len(position.puzzle.possible)
        return f"{len(rows)} rows, {len(rows[0])} columns; {n_strings:,} strings can stand here."
