"""A page as it will be printed, as large as there is room for."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from tilelab.core.text.language import tr
from tilelab.gui.sheet.painter import paint_page
from tilelab.gui.widgets.theme import current_theme, keep_themed
from tilelab.sheets.page import Page

_AROUND = 14.0


class Preview(QWidget):
    """Shows one page, white in both themes, as paper is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page: Page | None = None
        self.setObjectName("sheet_preview")
        self.setAccessibleName(tr("Page"))
        self.setMinimumSize(220, 300)
        keep_themed(self, self.update)

    def show_page(self, page: Page | None) -> None:
        """Show another page."""
        self._page = page
        self.setAccessibleDescription("" if page is None else page.title)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(440, 600)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), QPainter(self)
        painter.fillRect(self.rect(), theme.ground)
        if self._page is not None:
            width, height = self.width() - 2 * _AROUND, self.height() - 2 * _AROUND
            scale = max(min(width / self._page.width, height / self._page.height), 0.01)
            size = self._page.width * scale, self._page.height * scale
            left, top = (self.width() - size[0]) / 2, (self.height() - size[1]) / 2
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.line, 1.0))
            painter.setBrush(QColor(Qt.GlobalColor.white))
            painter.drawRect(QRectF(left, top, *size))
            painter.translate(left, top)
            paint_page(painter, self._page, scale)
        painter.end()
