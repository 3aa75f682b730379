"""Boards of any puzzle, as text on tiles."""

from collections.abc import Sequence
from pathlib import Path

from tilelab.core.errors import GridError
from tilelab.core.grid_file import MAX_BYTES
from tilelab.core.puzzle import Cells, Puzzle
from tilelab.core.symbols import folded_row
from tilelab.core.text_file import read_text
from tilelab.gui.boards.letter_painter import BoardScene
from tilelab.gui.boards.letter_view import BoardView
from tilelab.gui.run.messages import Board
from tilelab.gui.run.save_best import FILTERS, SavedBest


def tile_texts(puzzle: Puzzle, cells: Cells) -> tuple[Sequence[str], ...]:
    """Return what the tiles of a board show, row by row.

    A row of a puzzle's text has one symbol a cell, or else words with blanks between them.
    """
    n_cols = puzzle.shape[1]
    rows = puzzle.rows_of(cells)
    return tuple(row if len(row) == n_cols else row.split() for row in rows)


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
        self.set_board(() if board is None else tile_texts(board.puzzle, board.cells))


class SavedText(SavedBest):
    """A best board as its puzzle's text, or as a picture of it."""

    filters = FILTERS

    def scene(self) -> BoardScene:
        puzzle = self.board.puzzle
        return BoardScene(rows=tile_texts(puzzle, puzzle.saved_cells(self.best)))
