"""The plan as text: what is written there is the plan, whoever has written it."""

from PySide6.QtCore import QEvent, Signal, Slot
from PySide6.QtGui import QColor, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from tilelab.core.text.language import tr
from tilelab.gui.widgets.theme import current_theme, keep_themed, mix


class PlanText(QPlainTextEdit):
    """Undo and redo are Qt's; a change that a form makes is one step of them."""

    edited = Signal()
    """The text is another one."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("experiment_text")
        self.setAccessibleName(tr("Plan as TOML"))
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._text = ""
        self._error_line: int | None = None
        self.textChanged.connect(self._changed)
        keep_themed(self, self._mark)

    @property
    def text(self) -> str:
        """What stands there."""
        return self.toPlainText()

    def set_text(self, text: str) -> None:
        """Put another text in place of this one, which Ctrl+Z has back."""
        if text == self.text:
            return
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        cursor.endEditBlock()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def show_error(self, line: int | None) -> None:
        """Mark a line, from 1; None: no line."""
        self._error_line = line
        self._mark()

    def go_to(self, line: int) -> None:
        """Set the cursor into a line, from 1."""
        block = self.document().findBlockByNumber(line - 1)
        if block.isValid():
            self.setTextCursor(QTextCursor(block))
            self.centerCursor()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange:
            self._mark()

    @Slot()
    def _changed(self) -> None:
        # Marking a line counts as a change to Qt, too.
        if self.text != self._text:
            self._text = self.text
            self.edited.emit()

    def _mark(self) -> None:
        marks = []
        if self._error_line is not None:
            theme, mark = current_theme(), QTextEdit.ExtraSelection()
            mark.format.setBackground(QColor(mix(theme.field, theme.stop, 0.18)))
            mark.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
            mark.cursor = QTextCursor(self.document().findBlockByNumber(self._error_line - 1))
            marks.append(mark)
        self.setExtraSelections(marks)
