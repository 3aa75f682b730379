"""The buttons of a segmented selector."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QPushButton

from tilelab.gui.widgets.theme import tokens


class SegmentButton(QPushButton):
    """A checkable button with room for its word in the heavy letters of the chosen one.

    Qt asks for the room of the letters as they are now, and a chosen word is wider than it was.
    """

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(self._growth(), 0)

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint() + QSize(self._growth(), 0)

    def _growth(self) -> int:
        heavy = QFont(self.font())
        heavy.setWeight(QFont.Weight(tokens()["weights"]["strong"]))
        wide = QFontMetrics(heavy).horizontalAdvance(self.text())
        return max(wide - self.fontMetrics().horizontalAdvance(self.text()), 0) + 1
