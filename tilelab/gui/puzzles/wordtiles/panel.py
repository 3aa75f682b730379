"""The panels of word tiles: the lexicon, and the words, speed, archive and path of a run."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QLabel, QWidget

from tilelab.core.solver import Best
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import one_line
from tilelab.core.text.wording import counted, rate
from tilelab.gui.boards.best_card import MovesBar
from tilelab.gui.letters.lexicon_card import SourceCard
from tilelab.gui.letters.word_panel import WordPanel
from tilelab.gui.run.messages import Board, of_kind
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.parts import FactTable, rule_line, small_button
from tilelab.gui.widgets.theme import set_role
from tilelab.puzzles.wordtiles.play import WordPosition
from tilelab.puzzles.wordtiles.text import WordTilesReport

SPEED, ARCHIVE, PATH = "boards_a_second", "archive", "path"
_TITLES = {
    SPEED: marked("Boards a second"),
    ARCHIVE: marked("Archive"),
    PATH: marked("Shortest path"),
}


class WordTilePanel(WordPanel):
    """A panel of the words of the board in the middle."""

    nothing_found = marked("No row or column has a word yet.")

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.facts = FactTable(_TITLES, self)
        self._moves_bar = MovesBar(tr("Export the path as an animated GIF"), self)
        rule = rule_line(self)
        above_copies = self.whole.count() - 1
        self.whole.insertWidget(above_copies, rule)
        self.whole.insertWidget(above_copies + 1, self.facts)
        self.whole.addWidget(self._moves_bar)
        self.clear_run()

    @Slot()
    def refresh(self) -> None:
        super().refresh()
        if self._board is not None:
            # Hardly any board has all words that its letters can spell: the rest is not missing.
            n_others = len(of_kind(self._board.report, WordTilesReport).missing_indices)
            self._missing.setText(tr("Others {count}", count=figures(n_others, ",")))

    def clear_run(self) -> None:
        for name in _TITLES:
            self.facts.show_fact(name, "")
        self.show_path(None)

    def show_best_facts(self, is_best: bool) -> None:
        """Show what is known of the best board, or hide it while another board is described."""
        for name in (ARCHIVE, PATH):
            self.facts.show_line(name, is_best)

    def show_speed(self, per_second: float | None) -> None:
        """Show how many boards a second the run scores."""
        self.facts.show_fact(SPEED, "" if per_second is None else rate(per_second))

    def show_archive(self, n_boards: int) -> None:
        """Show how many boards of the best value there are."""
        self.facts.show_fact(ARCHIVE, counted(n_boards, "board") if n_boards else "")

    def show_path(self, best: Best | None, *, is_sought: bool = False) -> None:
        """Show the length of the path to the best board."""
        self._moves_bar.set_moves("" if best is None else best.moves or "")
        text = tr("searching…") if is_sought else ""
        if best is not None and best.moves is not None:
            proof = tr(", proven") if best.optimal else tr(", not proven")
            text = f"{counted(len(best.moves), 'slide')}{proof}"
        self.facts.show_fact(PATH, text)

    def show_played(self, moves: str) -> None:
        self._moves_bar.set_played(moves)

    def value_words(self, board: Board) -> tuple[str, str]:
        report, puzzle = of_kind(board.report, WordTilesReport), board.puzzle
        n_found, n_strings = len(report.found_indices), len(report.strings)
        counts_words = puzzle.value_title == puzzle.spec.value_title
        title = "word" if report.value == 1 and counts_words else puzzle.value_title
        return tr(title), tr(
            "{n_found} different of {n_strings} possible",
            n_found=figures(n_found, ","),
            n_strings=figures(n_strings, ","),
        )


class WordCard(SourceCard):
    """A card of the lexicon and the board in play."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._left = QLabel(self, wordWrap=True)
        # The size comes last, where a long name cannot cut it off.
        self._board = ElidedLabel(self, Qt.TextElideMode.ElideMiddle)
        for label, name in ((self._left, "strings_left"), (self._board, "board_source")):
            label.setObjectName(name)
            set_role(label, "small")
            self.whole.addWidget(label)
        self.draw = small_button(
            tr("Draw other letters"),
            "draw_letters",
            tr("Draw other letters with the next seed"),
            self,
        )
        self.whole.insertWidget(self.whole.count() - 1, self.draw, 0, Qt.AlignmentFlag.AlignLeft)

    def set_running(self, is_running: bool) -> None:
        super().set_running(is_running)
        self.draw.setEnabled(not is_running)

    def show_position(self, position: WordPosition) -> None:
        """Show how much of the lexicon its tiles can spell, and the origin of the board.

        Without any word, say why, and offer other letters if that can help.
        """
        reduction = position.puzzle.reduction
        said = tr(
            "fit a line: {of_length} · possible: {possible}",
            of_length=figures(reduction.of_length, ","),
            possible=figures(reduction.possible, ","),
        )
        if not reduction.of_length:
            said = tr("No word is short enough for a line: choose more rows or columns.")
        elif not reduction.possible:
            none = tr("None of the words can be made of these letters.")
            said = f"{said}. {none}"
        set_role(self._left, "small" if reduction.possible else "warning")
        self._left.setText(said)
        self.draw.setVisible(bool(reduction.of_length) and not reduction.possible)
        self._left.setToolTip(reduction.summary())
        rows, cols = position.puzzle.shape
        self._board.setText(f"{one_line(position.name)} · {rows}×{cols}")
