"""Buttons side by side, or one above the other where their texts need more room."""

from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QBoxLayout, QWidget

_SIDE_BY_SIDE, _STACKED = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom


class ButtonRow(QBoxLayout):
    """A layout that asks for no more width than its widest part."""

    def __init__(self, *parts: QWidget, spacing: int = 8) -> None:
        super().__init__(_SIDE_BY_SIDE)
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)
        for part in parts:
            self.addWidget(part)

    def minimumSize(self) -> QSize:
        sizes = self._sizes()
        if not sizes:
            return QSize()
        return QSize(max(size.width() for size in sizes), max(size.height() for size in sizes))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        heights = [size.height() for size in self._sizes()]
        if not heights:
            return 0
        if self._fit(width):
            return max(heights)
        return sum(heights) + self.spacing() * (len(heights) - 1)

    def setGeometry(self, rect: QRect) -> None:
        direction = _SIDE_BY_SIDE if self._fit(rect.width()) else _STACKED
        if direction != self.direction():
            self.setDirection(direction)
        super().setGeometry(rect)

    def _fit(self, width: int) -> bool:
        """Whether the parts have room side by side."""
        sizes = self._sizes()
        wanted = sum(size.width() for size in sizes) + self.spacing() * (len(sizes) - 1)
        return wanted <= width

    def _sizes(self) -> list[QSize]:
        items = (self.itemAt(place) for place in range(self.count()))
        return [item.sizeHint() for item in items if item is not None and not item.isEmpty()]
