"""Boards of any puzzle as text on tiles, and the card of the best."""

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from tilelab.core.errors import GridError
from tilelab.core.files.grid_file import MAX_BYTES
from tilelab.core.files.ordinary_file import read_text
from tilelab.core.puzzle import Best, Cells, Puzzle
from tilelab.core.text.language import tr
from tilelab.core.text.symbols import folded_row
from tilelab.core.text.wording import capital, metric_title, number
from tilelab.gui.boards.best_card import BestCard
from tilelab.gui.boards.letter_painter import BoardScene
from tilelab.gui.boards.letter_view import BoardView
from tilelab.gui.run.messages import Board
from tilelab.gui.run.save_best import FILTERS, SavedBest
from tilelab.gui.widgets.parts import FactTable, text_label

_MOST_SHOWN = 2_000
"""Letters of words and moves."""


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


class GeneralCard(BestCard):
    """Says of a best what its puzzle says of it, and of a run its metrics."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Best of breed"), parent)
        self._title.setText(tr("Best of breed"))
        self._text = text_label("muted", self)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._names: tuple[str, ...] = ()
        self._metrics = FactTable({}, self)
        self._whole = self._begin_layout()
        self._whole.addWidget(self._text)
        self._whole.addStretch(1)
        self._whole.addWidget(self._metrics)
        self.clear()

    def clear(self) -> None:
        """Show that there is no best yet."""
        self._best_seconds = None
        self._show_worth("", tr("none yet"))
        self._text.setText("")
        self._age.setText("")

    def set_metrics(self, names: tuple[str, ...]) -> None:
        """Have a line for each metric."""
        self._whole.removeWidget(self._metrics)
        self._metrics.deleteLater()
        titles = {name: capital(metric_title(name)) for name in names}
        self._names, self._metrics = names, FactTable(titles, self)
        self._whole.addWidget(self._metrics)

    def show_metrics(self, metrics: Mapping[str, float]) -> None:
        """Show the metrics of a unit, as far as they are known."""
        for name in self._names:
            self._metrics.show_fact(name, number(metrics[name]) if name in metrics else "")

    def show_best(self, puzzle: Puzzle, best: Best, seconds: float | None) -> None:
        """Show a best; seconds: the running time at which it was found, where that is known."""
        self._best_seconds = seconds
        text, worth = puzzle.best_text(best), puzzle.worth(best)
        figures = worth if text.value.startswith(worth) else ""
        self._show_worth(figures, text.value.removeprefix(figures).strip())
        parts = (", ".join(text.words), text.path, text.moves)
        self._text.setText("\n".join(part for part in parts if part)[:_MOST_SHOWN])
