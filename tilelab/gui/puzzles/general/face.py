"""The general face of any puzzle: a board of text tiles, and the best in words.

Puzzles without their own face use this one. A subclass with another ``board_kind`` only draws
boards differently.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QMenu, QWidget

from tilelab import catalog
from tilelab.core.errors import GridError, TileLabError
from tilelab.core.files.grid_file import MAX_BYTES
from tilelab.core.files.paths import read_text
from tilelab.core.plain import Values
from tilelab.core.puzzle import Best, Cells, Puzzle
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import folded_row
from tilelab.core.text.wording import capital, metric_title, number
from tilelab.gui.boards.best_card import BestCard
from tilelab.gui.boards.letter_painter import BoardScene
from tilelab.gui.boards.letter_view import BoardView
from tilelab.gui.run.choices import with_last_values
from tilelab.gui.run.load_menu import LoadMenu
from tilelab.gui.run.messages import (
    Board,
    LoadContext,
    PuzzleLoaded,
    PuzzleRequest,
    ReadyPuzzle,
    RunStarted,
    RunStatus,
)
from tilelab.gui.run.run_model import ShownBest
from tilelab.gui.run.run_page import PuzzleFace, PuzzlePage
from tilelab.gui.run.save_best import FILTERS, SavedBest
from tilelab.gui.widgets.commands import Command, Menu, unless
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.parts import STRETCH, FactTable, column_layout, named, text_label
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import set_role

_MAX_SHOWN = 2_000  # largest number of letters shown of words and moves


@dataclass(frozen=True, eq=False)
class GeneralRequest:
    """A request for the instance of some parameters."""

    puzzle_key: str
    values: Values

    def build(self) -> Puzzle:
        """Make the puzzle; raises TileLabError."""
        cls = catalog.puzzle(self.puzzle_key)
        puzzle = next(catalog.instances(cls, self.values), None)
        if puzzle is None:
            raise TileLabError.tr(
                "{title} made no instance of its parameters", title=cls.spec.title
            )
        return puzzle


class GeneralLoad(LoadMenu):
    """The menu of LOAD, which asks for files; the face reads the boards."""

    board_requested = Signal(object)  # emitted with the path of a board as text
    fresh_requested = Signal()  # emitted when the user loads the board of the parameters
    open_filter = marked("Saved boards and runs (*.txt *.tilelab);;All files (*)")
    knows_forms = False

    def fill_own(self, menu: QMenu) -> None:
        menu.addAction(tr("The board of the parameters")).triggered.connect(self.fresh_requested)

    def open_board(self, path: Path) -> None:
        self.board_requested.emit(path)


def read_board(puzzle: Puzzle, path: Path) -> Cells:
    """Read a board that was saved, or written by hand; raises TileLabError.

    Saved boards have letters in upper case.
    """
    text = read_text(path, MAX_BYTES)
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    try:
        return puzzle.parse(lines)
    except GridError:
        return puzzle.parse([folded_row(line) for line in lines])


class TextBoard(BoardView):
    """A view of a board's text, one tile per cell."""

    def show_cells(self, board: Board | None) -> None:
        self.set_board(
            () if board is None else board.puzzle.texts(board.puzzle.rows_of(board.cells))
        )


class SavedText(SavedBest):
    """A best board to save as its puzzle's text or as a picture."""

    filters = FILTERS

    def scene(self) -> BoardScene:
        puzzle = self.board.puzzle
        return BoardScene(rows=puzzle.texts(puzzle.rows_of(puzzle.saved_cells(self.best))))


class GeneralCard(BestCard):
    """A card with the puzzle's description of the best, and the run's metrics."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Best of breed"), parent)
        self._title.setText(tr("Best of breed"))
        self._text = text_label("muted", self, wraps=True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._names: tuple[str, ...] = ()
        self._metrics = FactTable({}, self)
        self._whole = self._lay_out_card(self._text, STRETCH, self._metrics)
        self.clear()

    def clear(self) -> None:
        """Show that there is no best yet."""
        self._best_seconds = None
        self._show_worth("", tr("none yet"))
        self._text.setText("")
        self._age.setText("")

    def set_metrics(self, names: tuple[str, ...]) -> None:
        """Show a line for each metric."""
        self._whole.removeWidget(self._metrics)
        self._metrics.deleteLater()
        titles = {name: capital(metric_title(name)) for name in names}
        self._names, self._metrics = names, FactTable(titles, self)
        self._whole.addWidget(self._metrics)

    def show_metrics(self, metrics: Mapping[str, float]) -> None:
        for name in self._names:
            self._metrics.show_fact(name, number(metrics[name]) if name in metrics else "")

    def show_best(self, puzzle: Puzzle, best: Best, seconds: float | None) -> None:
        """Show a best; seconds: running time at which it was found, if known."""
        self._best_seconds = seconds
        text, worth = puzzle.best_text(best), puzzle.worth(best)
        figures = worth if text.value.startswith(worth) else ""
        self._show_worth(figures, text.value.removeprefix(figures).strip())
        parts = (", ".join(text.words), text.path, text.moves)
        self._text.setText("\n".join(part for part in parts if part)[:_MAX_SHOWN])


class GeneralFace(PuzzleFace):
    """The face of any puzzle: its board, its parameters and its best."""

    saved_kind = SavedText
    board_kind: Callable[[QWidget], Any] = TextBoard
    """Class of the board's widget, whose ``show_cells`` shows a :class:`Board` or None."""

    def __init__(self, puzzle_key: str, settings: Settings) -> None:
        puzzle = with_last_values(
            settings, puzzle_key, lambda values: GeneralRequest(puzzle_key, values).build()
        )
        start = None if puzzle.start is None else Board.of(puzzle, puzzle.start)
        self._card = _InstanceCard()
        super().__init__(PuzzleLoaded(puzzle, start), self._card, settings)
        self._puzzle = puzzle
        self._shown: Board | None = None  # board that is shown

    def join(self, page: PuzzlePage) -> None:
        super().join(page)
        self.board = named(type(self).board_kind(page), "board_view")
        self.best_panel: GeneralCard = GeneralCard(page)
        self.load = GeneralLoad(self.puzzle_key, self.settings, page)
        self.load.board_requested.connect(self._open_board)
        self.load.fresh_requested.connect(self._load_fresh)
        page.lay_out(self.board, (), self.best_panel, self.board_place)
        self.panel.puzzle_changed.connect(self._puzzle_changed)

    @property
    def title(self) -> str:
        return tr(self._puzzle.spec.title)

    def puzzle_request(self) -> PuzzleRequest:
        values = self.panel.values("puzzle")
        if values == self._puzzle.params.model_dump():
            return ReadyPuzzle(self._puzzle)
        return GeneralRequest(self.puzzle_key, values)

    def show_no_run(self) -> None:
        self.show_nothing_found(None)

    def show_nothing_found(self, start: Board | None) -> None:
        self._show_board(start)
        self.best_panel.clear()
        self.page.head_start(start)

    def show_loaded(self, loaded: PuzzleLoaded) -> None:
        self._puzzle = loaded.puzzle
        self._card.show_puzzle(loaded.puzzle)
        self.panel.set_values(loaded.puzzle.params.model_dump())
        if loaded.start is not None:
            self.show_nothing_found(loaded.start)

    def take_over_board(self, before: "GeneralFace") -> None:
        super().take_over_board(before)
        self._puzzle = before._puzzle
        self._card.show_puzzle(self._puzzle)

    def show_started(self, started: RunStarted, *, is_opened: bool = False) -> None:
        self._puzzle = started.puzzle
        self._card.show_puzzle(started.puzzle)
        self.best_panel.set_metrics(started.solver.metrics)

    def show_best(self, shown: ShownBest) -> None:
        self._show_board(shown.board)
        self.best_panel.show_best(shown.board.puzzle, shown.best, shown.seconds)
        self.page.set_heading(tr("Best board"), self.run.found_words)

    def show_metrics(self, metrics: Mapping[str, float], status: RunStatus | None = None) -> None:
        self.best_panel.show_metrics(metrics)

    def board_in_hand(self) -> tuple[Puzzle, Best] | None:
        board = self._shown
        return None if board is None else (board.puzzle.starting_with(board.cells), board.best)

    def commands(self) -> tuple[Command, ...]:
        return (
            Command(
                "copy_board", tr("Copy the board"), self.copy_board, "Ctrl+Shift+C",
                tr("Copy the rows of the board as text"), (Menu.EDIT, 1), "window#the-result",
                unless(lambda: self._shown, tr("There is no board to copy yet.")),
            ),
        )  # fmt: skip

    @Slot()
    def copy_board(self) -> None:
        assert self._shown is not None
        rows = self._shown.puzzle.rows_of(self._shown.cells)
        QGuiApplication.clipboard().setText("".join(f"{row}\n" for row in rows))
        self.notice.show_done(tr("Copied the board."))

    def _show_board(self, board: Board | None) -> None:
        self._shown = board
        self.run.set_board_shown(board is not None)
        self.board.show_cells(board)

    @Slot(object)
    def _open_board(self, path: Path) -> None:
        try:
            puzzle = self.puzzle_request().build()
            cells = read_board(puzzle, path)
        except TileLabError as error:
            self.show_error(str(error))
            return
        self.settings.folder = path.parent
        self.control.ask_puzzle(ReadyPuzzle(puzzle, cells), LoadContext())

    @Slot()
    def _load_fresh(self) -> None:
        self.control.ask_puzzle(
            GeneralRequest(self.puzzle_key, self.panel.values("puzzle")), LoadContext()
        )

    @Slot(str, object)
    def _puzzle_changed(self, name: str, value: object) -> None:
        if self.panel.values("puzzle") != self._puzzle.params.model_dump():
            self._load_fresh()


class _InstanceCard(QFrame):
    """A card that describes the loaded instance."""

    def __init__(self) -> None:
        super().__init__()
        set_role(self, "well")
        self._title, self._facts = text_label("strong", self), ElidedLabel(self, role="small")
        column_layout(self, (12, 10, 12, 10), 4, self._title, self._facts)

    def show_puzzle(self, puzzle: Puzzle) -> None:
        """Show the kind, the shape and the name of a puzzle."""
        rows, cols = puzzle.shape
        self._title.setText(f"{tr(puzzle.spec.title)}, {rows}×{cols}")
        self._facts.setText(puzzle.title)
