"""A dialog in which a board is typed or pasted, and read while that is done."""

from abc import abstractmethod

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QPlainTextEdit,
    QSpinBox,
    QWidget,
)

from tilelab.core.errors import TileLabError
from tilelab.gui.boards.tile_view import TileView
from tilelab.gui.widgets.parts import column_layout
from tilelab.gui.widgets.theme import set_role
from tilelab.gui.widgets.window_place import keep_on_screen

_AS_TYPED = "as typed"
_MOST_COLS = 16


class TypedDialog(QDialog):
    """Says what is wrong with a board as long as anything is, and shows it when nothing is."""

    placeholder = ""
    hint = ""
    """How a board is written."""

    def __init__(self, title: str, parent: QWidget | None = None, text: str = "") -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self._text = QPlainTextEdit(text, self)
        self._text.setObjectName("board_text")
        self._text.setAccessibleName("Board")
        self._text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._text.setPlaceholderText(self.placeholder)
        self._text.setTabChangesFocus(True)
        self._text.setMinimumHeight(64)
        self._text.setMaximumHeight(120)
        self._cols = QSpinBox(self)
        self._cols.setRange(1, _MOST_COLS)
        self._cols.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._cols.setSpecialValueText(_AS_TYPED)
        self._cols.setToolTip("Needed when the tiles stand in one line and make no square")
        self._said = QLabel(self)
        self._said.setWordWrap(True)
        self._said.setMinimumHeight(36)
        self._picture = TileView(self, is_small=True)
        self._picture.setMinimumSize(96, 96)
        kinds = QDialogButtonBox.StandardButton
        self._buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel, self)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        hint = QLabel(self.hint, self)
        hint.setWordWrap(True)
        set_role(hint, "muted")
        form = QFormLayout()
        form.addRow("Columns", self._cols)
        whole = column_layout(self, 20, 12)
        for part in (hint, self._text):
            whole.addWidget(part)
        whole.addLayout(form)
        whole.addWidget(self._said)
        whole.addWidget(self._picture, 100)
        whole.addStretch(1)
        whole.addWidget(self._buttons)
        self._text.textChanged.connect(self._read)
        self._cols.valueChanged.connect(self._read)
        self._read()
        self.resize(420, 560)
        keep_on_screen(self)

    @abstractmethod
    def forget(self) -> None:
        """Forget the board that was read before."""

    @abstractmethod
    def read(self, text: str, cols: int | None, picture: TileView) -> str:
        """Read a board, draw it and return a sentence about it; raises TileLabError."""

    @Slot()
    def _read(self) -> None:
        self.forget()
        text = self._text.toPlainText()
        try:
            said = self.read(
                text, self._cols.value() if self._cols.value() > 1 else None, self._picture
            )
        except TileLabError as error:
            self._say("" if not text.strip() else str(error), "error")
            is_good = False
        else:
            self._say(said, "muted")
            is_good = True
        self._picture.setVisible(is_good)
        self._buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(is_good)

    def _say(self, text: str, role: str) -> None:
        set_role(self._said, role)
        self._said.setText(text)
