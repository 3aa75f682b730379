"""A dialog in which a board is typed or pasted, and read at each change."""

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFontDatabase, QKeyEvent
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QPlainTextEdit,
    QSpinBox,
    QWidget,
)

from tilelab.core.errors import TileLabError
from tilelab.core.text.language import marked, tr
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.boards.tile_view import TileView
from tilelab.gui.widgets.parts import (
    STRETCH,
    accepted,
    click_with_enter,
    column_layout,
    named,
    ok_cancel,
    text_label,
)
from tilelab.gui.widgets.theme import keep_scaled, set_role
from tilelab.gui.widgets.window_place import Dialog

_AS_TYPED = marked("as typed")
_MAX_COLS = 16

B = TypeVar("B")  # type of the board that is read from a text


class TextDialog(Dialog, Generic[B]):
    """A dialog that shows the error in the typed text, or else the board."""

    def __init__(
        self,
        title: str,
        placeholder: str,
        hint: str,
        read: Callable[[str, int | None], tuple[B, TileScene, str]],
        parent: QWidget | None = None,
        text: str = "",
    ) -> None:
        """hint: explains how a board is written.

        read: reads a text, with a given number of columns or as typed; returns the board, its
        picture and a sentence about it, or raises TileLabError.
        """
        super().__init__(parent, title, size=(420, 560))
        self._read_text = read
        self.board: B | None = None  # board read from the text; None while the text has an error
        self._text = named(_BoardEdit(text, self), "board_text", tr("Board"))
        self._text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._text.setPlaceholderText(placeholder)
        self._text.setTabChangesFocus(True)
        self._text.selectAll()  # so that typing or pasting replaces a given text
        keep_scaled(self._text, least_height=64, most_height=120)
        self._cols = QSpinBox(self, minimum=1, maximum=_MAX_COLS)
        self._cols.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._cols.setSpecialValueText(tr(_AS_TYPED))
        self._cols.setToolTip(tr("Needed when the tiles are in one line and do not make a square"))
        self._said = QLabel(self, wordWrap=True)
        keep_scaled(self._said, least_height=36)
        self._picture = TileView(self, is_small=True)
        self._picture.setMinimumSize(96, 96)
        self._buttons = ok_cancel(self)
        self._ok = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        click_with_enter(self, self._ok)
        keys = tr("Ctrl+Enter accepts the board, and Enter while all of it is selected.")
        how = text_label("muted", self, f"{hint} {keys}", wraps=True)
        form = QFormLayout()
        form.addRow(tr("Columns"), self._cols)
        upper = how, self._text, form, self._said, (self._picture, 100)
        column_layout(self, 20, 12, *upper, STRETCH, self._buttons)
        self._text.chosen.connect(self._ok.click)
        self._text.textChanged.connect(self._read)
        self._cols.valueChanged.connect(self._read)
        self._read()

    @property
    def text(self) -> str:
        """Text as it is typed."""
        return self._text.toPlainText()

    def ask(self) -> B | None:
        """Show the dialog once; returns the board, or None when the user cancelled."""
        return self.board if accepted(self) else None

    @Slot()
    def _read(self) -> None:
        text, cols = self._text.toPlainText(), self._cols.value()
        self.board = None
        try:
            self.board, scene, said = self._read_text(text, cols if cols > 1 else None)
        except TileLabError as error:
            self._say(str(error) if text.strip() else "", "error")
        else:
            self._picture.show_scene(scene)
            self._say(said, "muted")
        is_good = self.board is not None
        self._picture.setVisible(is_good)
        self._ok.setEnabled(is_good)

    def _say(self, text: str, role: str) -> None:
        set_role(self._said, role)
        self._said.setText(text)


class _BoardEdit(QPlainTextEdit):
    """A field in which Enter begins a line, but does not replace all of the text by one."""

    chosen = Signal()  # emitted by Enter while all of the text is selected

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        n_selected = len(self.textCursor().selectedText())
        if is_enter and n_selected and n_selected == len(self.toPlainText()):
            self.chosen.emit()
        else:
            super().keyPressEvent(event)
