"""The card that says which board is loaded."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import one_line
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.parts import column_layout, small_button, text_label
from tilelab.gui.widgets.theme import set_role
from tilelab.puzzles.sliding.play import Position

_GOALS = {"blank-last": marked("goal: blank last"), "blank-first": marked("goal: blank first")}


class BoardCard(QFrame):
    """Names the board and its goal; unsolvable boards are mended here."""

    solvable_asked = Signal()
    """Two tiles shall be swapped, so that the board can be solved."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "well")
        self._title, self._facts = ElidedLabel(self), text_label("small", self)
        set_role(self._title, "strong")
        self._facts.setWordWrap(True)
        self._error = QWidget(self)
        said = text_label("warning", self._error, tr("This board cannot be solved."))
        tip = tr("Swap two tiles: half of all boards cannot reach their goal")
        self._mend = small_button(tr("Make it solvable"), "make_solvable", tip, self._error)
        self._mend.clicked.connect(self.solvable_asked)
        line = column_layout(self._error, (0, 4, 0, 0), 6)
        line.addWidget(said)
        line.addWidget(self._mend, 0, Qt.AlignmentFlag.AlignLeft)
        whole = column_layout(self, (12, 10, 12, 10), 4)
        for part in (self._title, self._facts, self._error):
            whole.addWidget(part)

    def show_position(self, position: Position) -> None:
        """Say which board is in play, and whether it can be solved."""
        params = position.params
        self._title.setText(one_line(position.name or tr("Board")))
        goal = tr(_GOALS.get(params.goal, tr("goal: a given board")))
        self._facts.setText(f"{params.rows}×{params.cols} · {goal}")
        self._error.setVisible(not position.is_solvable)
        self.setAccessibleName(
            tr("Board: {title}, {facts}").format(title=self._title.text(), facts=self._facts.text())
        )

    def set_running(self, is_running: bool) -> None:
        """A run keeps the board that it was begun with."""
        self._mend.setEnabled(not is_running)
