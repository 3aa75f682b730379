"""A bar at the top of the window: what went wrong or what was done, in a sentence."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from tilelab.core.shown_text import one_line
from tilelab.gui.theme import icon, keep_dressed, set_role, set_style_property


class NoticeBar(QFrame):
    """Hidden until there is something to say; it stays until it is closed or replaced."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice_bar")
        set_role(self, "banner")
        self._kind = QLabel(self)
        set_role(self._kind, "warning")
        self._text = QLabel(self)
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._close = QToolButton(self)
        self._close.setObjectName("close_notice")
        self._close.setAccessibleName("Close this notice")
        self._close.setToolTip("Close this notice")
        set_style_property(self._close, "small", True)
        self._close.clicked.connect(self.clear)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 16, 8)
        row.setSpacing(12)
        row.addWidget(self._kind)
        row.addWidget(self._text, 1)
        row.addWidget(self._close)
        keep_dressed(self, self._dress)
        self.hide()

    @property
    def text(self) -> str:
        """What the bar says; '' while it is hidden."""
        return "" if self.isHidden() else self._text.text()

    def show_error(self, text: str) -> None:
        """Say what went wrong."""
        self._show("Not done", "warning", text)

    @Slot(str)
    def show_done(self, text: str) -> None:
        """Say what was done."""
        self._show("Done", "accent", text)

    def show_note(self, text: str) -> None:
        """Say something worth knowing."""
        self._show("Note", "accent", text)

    @Slot()
    def clear(self) -> None:
        """Take the bar away."""
        self.hide()

    def _show(self, kind: str, role: str, text: str) -> None:
        self._kind.setText(kind)
        set_role(self._kind, role)
        set_role(self, "banner" if role == "warning" else "bar")
        self._text.setText(one_line(text))
        self.setAccessibleName(f"{kind}: {text}")
        self.show()

    def _dress(self) -> None:
        self._close.setIcon(icon("close"))


class SavingNotice(NoticeBar):
    """Says that the run is not kept while it goes, for as long as that is so."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("saving_notice")

    @Slot(str)
    def show_fault(self, fault: str) -> None:
        """Say why saving fails, or with '' that it works again."""
        if fault:
            text = f"{fault[:1].upper()}{fault[1:]}. The run goes on, and saving is tried again."
            self._show("Not kept", "warning", text)
        else:
            self.clear()
