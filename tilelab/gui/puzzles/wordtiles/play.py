"""Playing, typing and saving boards of word tiles, and showing a run's boards."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from tilelab.core.errors import TileLabError
from tilelab.core.text.language import figures, marked, tr
from tilelab.gui.boards.text_dialog import TextDialog
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.boards.tile_play import TilePlay
from tilelab.gui.letters.load_menu import advising_other_lists
from tilelab.gui.run.messages import Board, of_kind
from tilelab.gui.run.save_best import FILTERS, SavedBest
from tilelab.gui.widgets.notice_bar import NoticeBar
from tilelab.gui.widgets.parts import IconButton, calling, row_layout, text_label
from tilelab.gui.widgets.play_bar import LOOKS, PageView, PlayAction
from tilelab.gui.widgets.settings import Settings
from tilelab.letters.lexicon import Lexicon
from tilelab.puzzles.wordtiles.play import WordPosition, word_board
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.puzzles.wordtiles.text import WordTilesReport, split_rows
from tilelab.slides.history import SlideHistory
from tilelab.slides.moves import boards_along

_LOOKS = {
    **{action: LOOKS[action] for action in (PlayAction.UNDO, PlayAction.REDO, PlayAction.RESTART)},
    PlayAction.SCRAMBLE: LOOKS[PlayAction.SCRAMBLE]._replace(
        icon="other-letters",
        title=marked("Draw other letters"),
        tip=marked("Draw other letters with the next seed"),
    ),
    PlayAction.EDIT: LOOKS[PlayAction.EDIT]._replace(
        tip=marked("Edit: click a tile and type its letter")
    ),
}
_HINT = marked("Letters, row by row or in one line, with or without spaces; . or _ is the blank.")


class ArchiveBar(QWidget):
    """A bar to choose one of several boards by its index; hidden unless there are several."""

    place_requested = Signal(int)  # emitted with the index of the board to show, from 0

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.place, self.count = 0, 0  # index of the current board, from 0, and number of boards
        self._back = self._button("step-back", "back", tr("The previous board of the archive"), -1)
        self._on = self._button("step-forward", "next", tr("The next board of the archive"), 1)
        self._text = text_label("muted", self, "", "archive_place")
        row_layout(self, 0, 4, self._back, self._text, self._on)
        self.setToolTip(tr("Different boards of the best value that the run has found"))

    def show_place(self, place: int, count: int) -> None:
        """Show the index of the current board, from 0, and the number of boards."""
        self.place, self.count = place, count
        self._text.setText(
            tr("{number} of {count}", number=figures(place + 1, ","), count=figures(count, ","))
        )
        self._back.setEnabled(place > 0)
        self._on.setEnabled(place + 1 < count)

    def _button(self, icon_name: str, name: str, tip: str, step: int) -> IconButton:
        button = IconButton(icon_name, f"archive_{name}", tip, tip, self)
        button.clicked.connect(calling(self._step, step))
        return button

    def _step(self, step: int) -> None:
        self.place_requested.emit(self.place + step)


class WordTilePlay(TilePlay[WordPosition]):
    """Control of the board in play, or of the best of a run and its path."""

    shown_changed = Signal()  # emitted when another board is shown
    view_changed = Signal()

    def __init__(
        self,
        play: SlideHistory[WordPosition],
        notice: NoticeBar,
        settings: Settings,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(play, notice, settings, parent, _LOOKS)
        self._found: Sequence[str] = ()  # texts about when the best was found
        self._word = ""
        self.archive_bar = ArchiveBar(self)
        self.line.addWidget(self.archive_bar)
        self.board.typed.connect(self._type)
        refusal = tr("Distances are for sliding tiles only.")
        self.distances_requested.connect(lambda: self._show_error(refusal))
        self._show_position()

    @property
    def shows_best(self) -> bool:
        """Whether the best board of the run is shown."""
        at_end = self.solution_bar.place == self.solution_bar.length
        return self.view is PageView.BEST and at_end

    @property
    def views(self) -> frozenset[PageView]:
        has_best = self._path_start is not None
        return frozenset({PageView.PLAY, PageView.BEST} if has_best else {PageView.PLAY})

    def look(self, view: PageView) -> None:
        if view not in self.views:
            return
        self._set_editing(False)
        self.solution_bar.pause()
        self.view = view
        self._show_board()

    def set_params(self, params: WordTilesParams) -> None:
        """Score the board in play by other words."""
        self._take_changed(self.position.with_params(params))

    def begin(self) -> None:
        """Forget the previous run; a new one has started."""
        self._set_path(None)
        self.archive_bar.show_place(0, 0)
        self.view = PageView.PLAY
        self._show_board()

    def show_best(self, board: Board, found: Sequence[str]) -> None:
        """Show a new best board of a run; found: texts about when it was found."""
        first = self._path_start is None
        puzzle = of_kind(board.puzzle, WordTilesPuzzle)
        best = WordPosition(puzzle, board.cells, 0, self.position.name)
        self._found = found
        self._set_path(best, board.cells[np.newaxis])
        if first and self.view is PageView.PLAY:
            self.view = PageView.BEST
        if self.view is not PageView.PLAY or first:
            self._show_board()

    def show_path(self, moves: str) -> None:
        """Offer the path to the best board, and show its end."""
        best = self._path_start
        if best is not None:
            boards = boards_along(best.start, best.cols, moves)
            self._set_path(best, boards, len(moves))
            if self.view is PageView.BEST:
                self._show_board()

    def show_archive(self, place: int, count: int) -> None:
        """Show which of the run's best boards is current."""
        if (place, count) != (self.archive_bar.place, self.archive_bar.count):
            self.archive_bar.show_place(place, count)
            self._show_bars()

    def show_word(self, word: str) -> None:
        """Outline all places of a word on the board; '' removes the outlines."""
        self._word = word
        self.board.show_segments(self.shown_position.report.segments(word))

    def _edit(self, cell: int) -> None:
        self.board.select(cell)

    @Slot(str)
    def _type(self, letter: str) -> None:
        cell = self.board.scene.selected
        if cell is None:
            self._notice.show_note(
                tr("Click a tile, or select one with Enter, then type its letter.")
            )
            return
        try:
            changed = self.position.with_letter(cell, letter)
        except TileLabError as error:
            self._show_error(str(error))
            return
        self._notice.close_all()
        self._take_changed(changed)
        self.board.select((cell + 1) % len(changed.cells))

    def _draw(self, position: WordPosition, milliseconds: int) -> None:
        report = position.report
        scene = TileScene(
            position.cells,
            None,
            position.cols,
            letters=position.puzzle.letters,
            usage=report.usage,
            segments=report.segments(self._word),
        )
        self.board.show_scene(scene, milliseconds)

    def _show_board(self, milliseconds: int = 0) -> None:
        super()._show_board(milliseconds)
        self._show_bars()
        self.view_changed.emit()
        self.shown_changed.emit()

    def _show_bars(self) -> None:
        looks_at_best = self.view is PageView.BEST
        self.archive_bar.setVisible(looks_at_best and self.archive_bar.count > 1)
        self.solution_bar.setVisible(looks_at_best and self.solution_bar.length > 0)

    def _heading_detail(self) -> Sequence[str]:
        return self._found if self.shows_best and not self._editing else ()

    def _heading(self) -> tuple[str, str]:
        if self._editing:
            return tr("Edit: click a tile, type"), tr("Edit")
        if self.view is PageView.PLAY:
            return tr("Board"), ""
        here, end = self.solution_bar.place, self.solution_bar.length
        if here == end:
            return tr("Best board"), ""
        place, length = figures(here, ","), figures(end, ",")
        title = tr("Slide {place} of {length}", place=place, length=length)
        return title, f"{place}/{length}"


def word_scene(puzzle: WordTilesPuzzle) -> TileScene:
    """Return the first scene of a film of word tiles."""
    return TileScene(puzzle.start, None, puzzle.params.cols, letters=puzzle.letters)


class SavedWordTiles(SavedBest):
    """A board to save, with its path if known."""

    filters: ClassVar[dict[str, str]] = {**FILTERS, ".txt": marked("Board as text (*.txt)")}

    def puzzle_notes(self) -> Mapping[str, object]:
        """Return notes about the board, with its path from the start of the game if known."""
        puzzle, best = self.game or (self.board.puzzle, self.best)
        return puzzle.notes(best)

    def scene(self) -> TileScene:
        usage = of_kind(self.board.report, WordTilesReport).usage
        return dataclasses.replace(
            word_scene(of_kind(self.board.puzzle, WordTilesPuzzle)),
            cells=self.best.cells,
            usage=usage,
        )


def word_board_dialog(
    lexicon: Lexicon, params: WordTilesParams, parent: QWidget | None = None, text: str = ""
) -> TextDialog[WordPosition]:
    """Make a dialog in which letters and one blank are typed; it knows the lexicon's letters."""

    def read(text: str, cols: int | None) -> tuple[WordPosition, TileScene, str]:
        rows = split_rows(text, None, cols)
        with advising_other_lists():
            position = word_board(lexicon, params, rows, tr("Typed board"))
        puzzle = position.puzzle
        size = tr("{n_rows} rows, {n_cols} columns", n_rows=len(rows), n_cols=len(rows[0]))
        said = tr(
            "{size}; possible words: {n_possible}.",
            size=size,
            n_possible=figures(len(puzzle.possible), ","),
        )
        return position, word_scene(puzzle), said

    title, example = tr("Type or paste a board"), tr("fpms\nxgap\nefve\noir.")
    return TextDialog(title, example, tr(_HINT), read, parent, text)
