"""The panel at the right: the best value, and the words that the best board has and lacks."""

from collections.abc import Callable, Mapping, Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFontMetrics, QGuiApplication, QHelpEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QToolTip, QWidget

from tilelab.core.text.language import figures, marked, tr, tr_count
from tilelab.core.text.shown_text import one_line, shown_row, tool_tip
from tilelab.core.text.wording import counted, number
from tilelab.gui.boards.best_card import MARGIN, BestCard
from tilelab.gui.letters.word_list import WordList
from tilelab.gui.run.messages import Board
from tilelab.gui.widgets.parts import (
    ButtonRow,
    IconButton,
    SearchField,
    SegmentButton,
    label_over,
    named,
    push_button,
    row_layout,
    text_label,
)
from tilelab.gui.widgets.theme import current_theme, set_role, set_style_property, text_font
from tilelab.letters.lexicon_puzzle import LetterReport, LexiconPuzzle

_MAX_CHANGES = 6  # largest number of changed words that are listed
LIST_MILLISECONDS = 150  # milliseconds between two updates of the list while a run is going


class WordPanel(BestCard):
    """A panel of one board's words; all it knows of runs is when the best was found."""

    word_shown = Signal(str)  # emitted with the string whose path to draw over the board, or ''
    cell_dropped = Signal()  # emitted when the list is no longer limited to one cell
    nothing_found = marked("No words have been found yet.")

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Best of breed"), parent)
        self.value_tip: Callable[[], str] = str
        """Function that returns the value's tool tip, '' for none."""
        self._board: Board | None = None
        self._cell: int | None = None
        self._previous: float | None = None
        self._gain = 0.0
        self._timer = QTimer(self, singleShot=True, interval=LIST_MILLISECONDS)
        self._timer.timeout.connect(self.refresh)
        self._make_parts()
        self._lay_out()
        self.show_board(None)

    def show_board(self, board: Board | None, best_seconds: float | None = None) -> None:
        """Show a board's value and words; best_seconds: running time at which it was found."""
        was_best = self._best_seconds is not None
        if (
            board is None
            or self._board is None
            or not was_best
            or board.puzzle is not self._board.puzzle
        ):
            self._previous = None
        shapes = {shown.puzzle.shape for shown in (board, self._board) if shown is not None}
        if len(shapes) > 1:
            self._cell = None
        if board is not None:
            value = _own_value(board)
            self._gain = 0.0 if self._previous is None else value - self._previous
            self._previous = value
        self._board, self._best_seconds = board, best_seconds
        if best_seconds is None and not self._moment:
            self._age.clear()
        self._show_value()
        if board is None:
            self._cell = None
            self.refresh()
        elif not self._timer.isActive():
            self._timer.start()

    def show_moment(self, text: str) -> None:
        # Improvements are reported only while a run goes forward.
        self._previous = None
        super().show_moment(text)

    def show_age(self, seconds: float | None) -> None:
        super().show_age(seconds)
        if seconds is None and self._timer.isActive():
            self.refresh()  # at rest, the list belongs to the value at once
        if self._best_seconds is not None and self._gain > 0 and not self._moment:
            self._age.setText(f"+{number(self._gain)} · {self._age.text()}")

    def show_proof(self, metrics: Mapping[str, float] | None) -> None:
        """Show what is proven about all boards of the puzzle; None for nothing."""
        self._proof.setText("" if metrics is None else _proof_words(metrics))
        self._proof.setVisible(metrics is not None)

    def show_changes(self, won: Sequence[str], lost: Sequence[str]) -> None:
        """List the words that a board edited by hand has won and lost."""
        if self._board is None or not (won or lost):
            self._changes.hide()
            return
        theme, spellings = current_theme(), _spellings(self._board)
        parts = []
        for sign, colour, strike, strings in (
            ("+", theme.accent, "none", won),
            ("−", theme.stop, "line-through", lost),
        ):
            for string in strings[:_MAX_CHANGES]:
                word = escape(one_line(spellings.get(string, string))).replace(" ", "\xa0")
                style = f"color:{colour.name()}; text-decoration:{strike}"
                parts.append(f'{sign}\xa0<span style="{style}">{word}</span>')
            if len(strings) > _MAX_CHANGES:
                n_more = figures(len(strings) - _MAX_CHANGES, ",")
                more = tr("{n_more} more", n_more=n_more).replace(" ", "\xa0")
                parts.append(f"{sign}\xa0{more}")
        self._changes.setText("&nbsp;&nbsp; ".join(parts))
        self._changes.setAccessibleName(
            tr(
                "Won: {won}. Lost: {lost}.",
                won=", ".join(won) or tr("nothing"),
                lost=", ".join(lost) or tr("nothing"),
            )
        )
        self._changes.show()

    def set_cell(self, cell: int | None) -> None:
        """Limit the found words to those that can use a cell; None for all.

        Missing words stay listed: a cell is also selected to be edited for one of them.
        """
        self._cell = cell
        self.refresh()

    @Slot()
    def focus_filter(self) -> None:
        """Put the keyboard into the filter."""
        if self._timer.isActive():  # the filter of a new board is still locked
            self.refresh()
        self.needed.emit()
        self._filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._filter.selectAll()

    def take_over(self, before: "WordPanel") -> None:
        """Show the words of another panel at once."""
        self._filter.setText(before._filter.text())
        self._missing.setChecked(before._missing.isChecked())
        self._cell = before._cell
        self._previous, self._gain = before._previous, before._gain
        self.refresh()
        self._list.choose(before._list.chosen)

    @Slot()
    def refresh(self) -> None:
        """Make the list again."""
        self._timer.stop()
        board = self._board
        for button in (self._copy_grid, self._copy_words, self._found, self._missing):
            button.setEnabled(board is not None)
        self._filter.setEnabled(board is not None)
        if board is None:
            self._found.setText(tr("Found"))
            self._missing.setText(tr("Missing"))
            self._narrowed.hide()
            self._no_room.hide()
            self._list.show_words((), np.empty(0, np.intp))
            self._explain(tr("The words of the best board will be listed here."))
            return
        report = _report(board)
        self._found.setText(tr("Found {count}", count=figures(len(report.found_indices), ",")))
        self._missing.setText(
            tr("Missing {count}", count=figures(len(report.missing_indices), ","))
        )
        self._list.show_words(report.strings, self._indices(board), _spellings(board))
        self._show_narrowing(board)
        self._no_room.setText(self.no_room(board) if self._missing.isChecked() else "")
        self._no_room.setVisible(bool(self._no_room.text()))
        self._explain("" if self._list.words.rowCount() else self._why_empty())

    def event(self, event: QEvent) -> bool:
        """Compute the tool tip of the value only when it is shown, because it takes a while."""
        if (
            isinstance(event, QHelpEvent)
            and event.type() == QEvent.Type.ToolTip
            and self._value.geometry().contains(event.pos())
        ):
            QToolTip.showText(event.globalPos(), self.value_tip(), self._value)
            return True
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_value()

    def _indices(self, board: Board) -> NDArray[np.intp]:
        """Return the indices that pass the choice of list, the cell and the filter."""
        report = _report(board)
        if self._missing.isChecked():
            indices = report.missing_indices
        elif self._cell is not None:
            indices = report.indices_through(*divmod(self._cell, board.puzzle.shape[1]))
        else:
            indices = report.found_indices
        wanted = self._filter.text().strip().casefold()
        if not wanted:
            chosen: NDArray[np.intp] = indices
            return chosen
        strings, spellings = report.strings, _spellings(board)
        matching = [
            index
            for index in indices.tolist()
            if wanted in strings[index] or wanted in spellings.get(strings[index], "").casefold()
        ]
        return np.array(matching, np.intp)

    def _show_value(self) -> None:
        board = self._board
        if board is None:
            self._value.hide()
            self._encoded.hide()
            self._of.setText(tr("No board yet"))
            self._age.clear()
            return
        of_all, encoded = self.value_words(board)
        self._value.show()
        self._value.setText(number(_own_value(board)))
        self._of.setText(of_all)
        self._encoded.setVisible(bool(encoded))
        self._encoded.setToolTip(tool_tip("\n".join(self.remarks(board))))
        self._encoded.setText(encoded)
        self._fit_value()
        self._value.setAccessibleName(
            tr("Best: {value}", value=f"{self._value.text()} {self._of.text()}")
        )

    def value_words(self, board: Board) -> tuple[str, str]:
        """Return the text next to the value, and the line below or ''."""
        report, puzzle = _report(board), board.puzzle
        n_words = len(report.strings)
        of_all = tr_count("of {count} word", "of {count} words", n_words)
        of_all = of_all.format(count=figures(n_words, ","))
        counts_strings = puzzle.value_title == puzzle.spec.value_title
        parts = [] if counts_strings else [f"{figures(len(report.found_indices), ',')} {of_all}"]
        return of_all if counts_strings else tr(puzzle.value_title), " · ".join(parts)

    def remarks(self, board: Board) -> Sequence[str]:
        """Return lines that explain the line below the value."""
        return ()

    def no_room(self, board: Board) -> str:
        """Return a sentence about missing words that no board of this shape can have, or ''."""
        return ""

    def _fit_value(self) -> None:
        """Use a smaller font where the value does not fit next to its unit."""
        metrics = QFontMetrics(text_font("display", strong=True))
        wanted = metrics.horizontalAdvance(self._value.text()) + self._of.sizeHint().width() + 12
        margins = self.contentsMargins().left() + self.contentsMargins().right() + 2 * MARGIN
        set_role(self._value, "display" if wanted <= self.width() - margins else "large")

    def _show_narrowing(self, board: Board) -> None:
        shown = self._cell is not None and self._found.isChecked()
        self._narrowed.setVisible(shown)
        if self._cell is not None:
            row, col = divmod(self._cell, board.puzzle.shape[1])
            n_through = self._list.words.rowCount()
            self._through.setText(
                tr(
                    "{n_strings} · row {row}, column {col}",
                    n_strings=counted(n_through, "word"),
                    row=row + 1,
                    col=col + 1,
                )
            )

    def _why_empty(self) -> str:
        if self._filter.text().strip():
            return tr("No word here contains “{letters}”.", letters=self._filter.text().strip())
        if self._missing.isChecked():
            return tr("Nothing is missing: the board has every word.")
        if self._cell is not None:
            return tr("No word uses this cell.")
        return tr(self.nothing_found)

    def _explain(self, text: str) -> None:
        self._empty.setText(text)
        self._empty.setVisible(bool(text))

    def _make_parts(self) -> None:
        self._title.setText(tr("Words"))
        self._encoded = text_label("muted", self, wraps=True)
        self._proof = text_label("muted", self, "", "proof", wraps=True)
        self._proof.hide()
        self._changes = text_label("", self, "", "hand_words", wraps=True)
        self._changes.setTextFormat(Qt.TextFormat.RichText)
        set_style_property(self._changes, "rich", True)
        self._changes.hide()
        self._filter = SearchField("filter", tr("Filter the words"), tr("Filter"), self)
        self._filter.setToolTip(tr("Show only words that contain these letters (Ctrl+F)"))
        self._filter.textChanged.connect(self.refresh)
        self._found = self._choice(tr("Found"), "found_words", True)
        self._missing = self._choice(tr("Missing"), "missing_words", False)
        self._list = WordList(self)
        self._list.word_shown.connect(self.word_shown)
        self._empty = label_over(self._list)
        self._no_room = text_label("muted", self, "", "no_room", wraps=True)
        self._narrowed = QWidget(self)
        self._through = text_label("small", self._narrowed, wraps=True)
        title = tr("Show the words of all cells")
        tip = tr("{title} (Escape on the board)", title=title)
        self._drop_cell = IconButton("close", "drop_cell", title, tip, self._narrowed, "small")
        self._drop_cell.clicked.connect(self.cell_dropped)
        tip = tr("Copy the rows of the best board to the clipboard")
        self._copy_grid = push_button(tr("Copy board"), "copy_board", tip, self, self.copy_grid)
        tip = tr("Copy the words of this list to the clipboard")
        self._copy_words = push_button(tr("Copy words"), "copy_words", tip, self, self.copy_words)

    def _choice(self, title: str, name: str, is_first: bool) -> QPushButton:
        button = named(SegmentButton(title, self), name)
        button.setAutoExclusive(True)
        button.setChecked(is_first)
        set_style_property(button, "tight", True)
        button.toggled.connect(self.refresh)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        return button

    def _lay_out(self) -> None:
        segments = QFrame(self)
        set_role(segments, "segments")
        for button in (self._found, self._missing):
            button.setParent(segments)
        choices = ButtonRow(self._found, self._missing, spacing=0)
        choices.setContentsMargins(2, 2, 2, 2)
        segments.setLayout(choices)
        row_layout(self._narrowed, (8, 0, 0, 0), None, (self._through, 1), self._drop_cell)
        said = self._encoded, self._proof, self._changes
        words = self._filter, segments, self._narrowed, self._no_room, (self._list, 1)
        copies = ButtonRow(self._copy_grid, self._copy_words)
        self.whole = self._lay_out_card(*said, *words, copies)

    def choose_first(self) -> None:
        """Select the first word of the list, whose path is then shown."""
        self.refresh()
        self._list.setCurrentIndex(self._list.words.index(0))

    @Slot()
    def copy_grid(self) -> None:
        """Copy the rows of the board, of which there is one, to the clipboard."""
        assert self._board is not None
        rows = _report(self._board).rows
        QGuiApplication.clipboard().setText("".join(f"{shown_row(row)}\n" for row in rows))
        self.copied.emit(tr("Copied the board of {n_rows}.", n_rows=counted(len(rows), "row")))

    @Slot()
    def copy_words(self) -> None:
        """Copy the words of the list to the clipboard."""
        model = self._list.words
        lines = [model.spelling(row) for row in range(model.rowCount())]
        QGuiApplication.clipboard().setText("".join(f"{line}\n" for line in lines))
        self.copied.emit(tr("Copied {count}.", count=counted(len(lines), "word")))


def _report(board: Board) -> LetterReport:
    assert isinstance(board.report, LetterReport)
    return board.report


def _own_value(board: Board) -> float:
    return board.puzzle.own_value(_report(board).value)


def _proof_words(metrics: Mapping[str, float]) -> str:
    bound = metrics["bound"]
    if bound <= metrics["best_ever"]:
        return tr("Proven: no board has a higher value.")
    share = tr(
        "{percent} % of all boards are ruled out", percent=figures(metrics["ruled_out"], ".1f")
    )
    return tr(
        "No board has a value above {bound}; {progress}.", bound=number(bound), progress=share
    )


def _spellings(board: Board) -> Mapping[str, str]:
    assert isinstance(board.puzzle, LexiconPuzzle)
    return board.puzzle.lexicon.spellings
