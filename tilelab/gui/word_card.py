"""The card of word tiles: which lexicon, what of it can stand on the board, and which board."""

from PySide6.QtWidgets import QLabel, QWidget

from tilelab.core.shown_text import one_line
from tilelab.gui.source_card import SourceCard
from tilelab.gui.theme import set_role
from tilelab.runs.word_play import WordPosition


class WordCard(SourceCard):
    """Shows the lexicon and the board in play."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._left, self._board = QLabel(self), QLabel(self)
        for label, name in ((self._left, "strings_left"), (self._board, "board_source")):
            label.setObjectName(name)
            set_role(label, "small")
            label.setWordWrap(True)
            self.whole.addWidget(label)

    def show_position(self, position: WordPosition) -> None:
        """Say what remains of the lexicon after both reductions, and where the board is from."""
        reduction = position.puzzle.reduction
        self._left.setText(
            f"{reduction.of_length:,} fit a line · "
            f"{reduction.of_letters:,} have only letters of the board"
        )
        self._left.setToolTip(reduction.summary())
        rows, cols = position.puzzle.shape
        self._board.setText(f"{one_line(position.name)} · {rows}×{cols}")
