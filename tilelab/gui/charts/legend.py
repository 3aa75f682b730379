"""The names of the curves, each with a stroke of its colour."""

from collections.abc import Sequence

from PySide6.QtCore import QLineF, QPointF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from tilelab.core.text.language import tr
from tilelab.gui.charts.curves import Curve, legend_of
from tilelab.gui.widgets.text_painter import Lettering
from tilelab.gui.widgets.theme import current_theme, scaled, text_font, text_pixels

_STROKE, _NEAR, _APART = 18, 6, 24
_LEAST = 0.25
"""How much of strokes and gaps is left where there is little room."""


class ChartLegend(QWidget):
    """One line; the curve that lies on top comes first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._curves: tuple[Curve, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(tr("Legend"))

    def show_curves(self, curves: Sequence[Curve]) -> None:
        """Show these curves, from right to left."""
        self._curves = tuple(legend_of(curves))
        self.setAccessibleDescription(", ".join(tr(curve.title) for curve in self._curves))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return self._size(self._curves, 1.0)

    def minimumSizeHint(self) -> QSize:
        return self._size(self._curves[:1], _LEAST)

    def _size(self, curves: Sequence[Curve], scale: float) -> QSize:
        """The room that curves need when strokes and gaps are scaled so."""
        metrics = QFontMetricsF(text_font("small"))
        texts = sum(metrics.horizontalAdvance(tr(curve.title)) for curve in curves)
        return QSize(max(round(texts + scale * self._between(len(curves))) + 2, 0), scaled(20))

    def _between(self, n_curves: int) -> int:
        """Pixels of all strokes and gaps."""
        return max(n_curves * (_STROKE + _NEAR + _APART) - _APART, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        text = Lettering(painter, text_pixels("small"), theme.muted)
        left, middle = 0.0, self.height() / 2
        short = self.sizeHint().width() - self.width()
        # In very little room the last curves, which lie below the others, are cut off.
        scale = min(max(1 - short / max(self._between(len(self._curves)), 1), _LEAST), 1.0)
        metrics = QFontMetricsF(text_font("small"))
        for curve in self._curves:
            if left >= self.width():
                break
            painter.setPen(QPen(getattr(theme, curve.token), curve.width + 0.5))
            painter.drawLine(QLineF(left, middle, left + _STROKE * scale, middle))
            left += (_STROKE + _NEAR) * scale
            title = tr(curve.title)
            if left + text.width(title) > self.width():
                title = metrics.elidedText(title, Qt.TextElideMode.ElideRight, self.width() - left)
            text.draw(QPointF(left, middle), title, align=0.0)
            left += text.width(title) + _APART * scale
        painter.end()
