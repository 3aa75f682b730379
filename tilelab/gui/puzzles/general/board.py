"""Boards of any puzzle, as text on tiles."""

from pathlib import Path

from tilelab.core.errors import GridError
from tilelab.core.files.grid_file import MAX_BYTES
from tilelab.core.files.ordinary_file import read_text
from tilelab.core.puzzle import Cells, Puzzle
from tilelab.core.text.symbols import folded_row
from tilelab.gui.boards.letter_painter import BoardScene
from tilelab.gui.boards.letter_view import BoardView
from tilelab.gui.run.messages import Board
from tilelab.gui.run.save_best import FILTERS, SavedBest


def read_board(puzzle: Puzzle, path: Path) -> Cells:
    """Read a board that was saved, or written by hand; raises TileLabError.

    Letters of saved boards are in upper case.
    """
    text = read_text(path, MAX_BYTES)
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    try:
        return puzzle.parse(lines)
    except GridError:
        return puzzle.parse([folded_row(line) for line in lines])


class TextBoard(BoardView):
    """Shows the text of a board, a tile a cell."""

    def show_cells(self, board: Board | None) -> None:
        """Show a board, or none."""
        self.set_board(
            () if board is None else board.puzzle.texts(board.puzzle.rows_of(board.cells))
        )


class SavedText(SavedBest):
    """A best board as its puzzle's text, or as a picture of it."""

    filters = FILTERS

    def scene(self) -> BoardScene:
        puzzle = self.board.puzzle
        return BoardScene(rows=puzzle.texts(puzzle.rows_of(puzzle.saved_cells(self.best))))
