"""What cells that no word uses are filled with on a printed sheet."""

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QWidget

from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import counted
from tilelab.gui.widgets.parts import column_layout, text_label
from tilelab.puzzles.boggle.filling import Fill
from tilelab.sheets.sheet import Sheet

_TITLES = {
    Fill.RANDOM: marked("Random letters"),
    Fill.NO_WORDS: marked("Letters that make no word"),
    Fill.MESSAGE: marked("A hidden message"),
}
_AS_THEY_ARE = marked("As they are")
TYPING_MILLISECONDS = 200


class FillChoice(QWidget):
    """A choice, and a line for the message."""

    changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MILLISECONDS)
        self._typing.timeout.connect(self.changed)
        self.box = QComboBox(self)
        self.box.setObjectName("sheet_fill")
        self.box.setAccessibleName(tr("Cells that no word uses"))
        self.box.addItem(tr(_AS_THEY_ARE), "")
        for fill, title in _TITLES.items():
            self.box.addItem(tr(title), fill.value)
        self.message = QLineEdit(self)
        self.message.setObjectName("sheet_message")
        self.message.setAccessibleName(tr("Message"))
        self.message.setPlaceholderText(tr("Message, read row by row"))
        self.message.hide()
        self.said = text_label("muted", self)
        self.said.setObjectName("sheet_filled")
        self.said.setWordWrap(True)
        self.said.hide()
        label = QLabel(tr("Unused cells"), self)
        label.setBuddy(self.box)
        column = column_layout(self, 0, 8)
        for part in (label, self.box, self.message, self.said):
            column.addWidget(part)
        self.box.currentIndexChanged.connect(self._chosen)
        self.message.textChanged.connect(self._typing.start)

    @property
    def fill(self) -> Fill | None:
        """What is chosen; None: the cells stay as they are."""
        value = self.box.currentData()
        return Fill(value) if value else None

    @property
    def is_ready(self) -> bool:
        """Whether all is said that is needed; a message that is missing is asked for."""
        is_ready = self.fill is not Fill.MESSAGE or bool(self.message.text().strip())
        if not is_ready:
            self._say(tr("Type what the unused cells say."))
        return is_ready

    def show_filled(self, sheets: Sequence[Sheet]) -> None:
        """Say what was filled on some sheets."""
        said = [line for sheet in sheets for line in sheet.reported]
        if self.fill is None or not said:
            self._say("")
        elif len(sheets) == 1:
            self._say(said[0])
        else:
            self._say(
                tr("Unused cells are filled in {counted}.").format(
                    counted=counted(len(said), "puzzle")
                )
            )

    def _say(self, text: str) -> None:
        self.said.setText(text)
        self.said.setVisible(bool(text))

    @Slot()
    def _chosen(self) -> None:
        is_message = self.fill is Fill.MESSAGE
        self.message.setVisible(is_message)
        if is_message and self.message.isVisible():
            self.message.setFocus()
        self.changed.emit()
