"""What the tint of a tile means: from unused to the usage of the most used cell."""

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QLinearGradient, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from tilelab.core.text.language import figures, tr
from tilelab.gui.widgets.text_painter import Lettering
from tilelab.gui.widgets.theme import current_theme, scaled, text_font, text_pixels

_BAR_WIDTH, _BAR_HEIGHT, _NEAR = 56, 8, 6


class HeatLegend(QWidget):
    """The word usage, a strip from pale to warm, and the largest usage; empty without a board."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._most: int | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setToolTip(
            tr(
                "<p>A cell is warmer the more often it helps to spell a string "
                "(Schafer 1999, step 5). Hover over a tile to see its number.</p>"
            )
        )

    def set_most(self, most: int | None) -> None:
        """Name the usage of the most used cell; None for a board without usage."""
        if most != self._most:
            self._most = most
            self.setAccessibleName(
                "" if most is None else tr("Usage of a cell, 0 to {most}").format(most=most)
            )
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(text_font("small"))
        width = sum(metrics.horizontalAdvance(text) for text in self._texts())
        return QSize(round(width) + _BAR_WIDTH + 3 * _NEAR, scaled(20))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._most is None:
            return
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        text = Lettering(painter, text_pixels("small"), theme.muted)
        left, middle = 0.0, self.height() / 2
        before, after = self._texts()
        text.draw(QPointF(left, middle), before, align=0.0)
        left += text.width(before) + _NEAR
        strip = QRectF(left, middle - _BAR_HEIGHT / 2, _BAR_WIDTH, _BAR_HEIGHT)
        tint = QLinearGradient(strip.topLeft(), strip.topRight())
        tint.setColorAt(0, theme.tile_face)
        tint.setColorAt(1, theme.tile_heat)
        painter.setPen(theme.tile_edge)
        painter.setBrush(tint)
        painter.drawRoundedRect(strip, _BAR_HEIGHT / 2, _BAR_HEIGHT / 2)
        text.draw(QPointF(strip.right() + _NEAR, middle), after, align=0.0)
        painter.end()

    def _texts(self) -> tuple[str, str]:
        return tr("usage 0"), "" if self._most is None else f"{figures(self._most, ',')}"
