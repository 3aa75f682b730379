"""The field that a list is searched with."""

from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QLineEdit, QWidget

from tilelab.core.text.language import tr
from tilelab.gui.widgets.theme import icon, keep_themed

_CLEAR = "_q_qlineeditclearaction"
"""What Qt calls the cross in a field; it has no name for those who do not see it."""


class SearchField(QLineEdit):
    """A line with a magnifying glass before the text, and a cross behind it that empties it."""

    def __init__(self, name: str, title: str, placeholder: str, parent: QWidget) -> None:
        """name: by which the object is found; title: for those who do not see it."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setPlaceholderText(placeholder)
        self.setClearButtonEnabled(True)
        self._glass = self.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
        self._glass.setText(tr("Search"))
        cross = self.findChild(QAction, _CLEAR)
        if cross is not None:
            cross.setText(tr("Clear"))
        keep_themed(self, self._draw)

    def _draw(self) -> None:
        self._glass.setIcon(icon("search", token="muted"))
