"""The card of word tiles: which lexicon, what of it can stand on the board, and which board."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from tilelab.core.text.language import figures, tr
from tilelab.core.text.shown_text import one_line
from tilelab.gui.letters.lexicon_card import SourceCard
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.theme import set_role
from tilelab.puzzles.wordtiles.play import WordPosition


class WordCard(SourceCard):
    """Shows the lexicon and the board in play."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._left = QLabel(self)
        self._left.setWordWrap(True)
        # The size at the end says what a long name leaves out.
        self._board = ElidedLabel(self, Qt.TextElideMode.ElideMiddle)
        for label, name in ((self._left, "strings_left"), (self._board, "board_source")):
            label.setObjectName(name)
            set_role(label, "small")
            self.whole.addWidget(label)

    def show_position(self, position: WordPosition) -> None:
        """Say what remains of the lexicon for its tiles, and where the board is from."""
        reduction = position.puzzle.reduction
        self._left.setText(
            tr("{of_length} fit a line · {possible} can be spelt with its tiles").format(
                of_length=figures(reduction.of_length, ","),
                possible=figures(reduction.possible, ","),
            )
        )
        self._left.setToolTip(reduction.summary())
        rows, cols = position.puzzle.shape
        self._board.setText(f"{one_line(position.name)} · {rows}×{cols}")
