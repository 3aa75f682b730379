"""The names of curves: beside strokes of their colours, or at their ends."""

from collections.abc import Sequence

from PySide6.QtCore import QLineF, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from tilelab.core.text.language import tr
from tilelab.gui.charts.curves import ChartCurve, legend_of
from tilelab.gui.widgets.text_painter import Lettering
from tilelab.gui.widgets.theme import (
    Theme,
    contrast,
    current_theme,
    mix,
    scaled,
    text_font,
    text_pixels,
)

_STROKE, _NEAR, _APART = 18, 6, 24
_LEAST = 0.25
"""How much of strokes and gaps is left where there is little room."""
LABEL_PIXELS = 14.0
_CONTRAST = 4.5


class ChartLegend(QWidget):
    """One line; the curve that lies on top comes first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._curves: tuple[ChartCurve, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(tr("Legend"))

    def show_curves(self, curves: Sequence[ChartCurve]) -> None:
        """Show these curves, from right to left."""
        self._curves = tuple(legend_of(curves))
        self.setAccessibleDescription(", ".join(tr(curve.title) for curve in self._curves))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return self._size(self._curves, 1.0)

    def minimumSizeHint(self) -> QSize:
        return self._size(self._curves[:1], _LEAST)

    def _size(self, curves: Sequence[ChartCurve], scale: float) -> QSize:
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


def spread(ends: Sequence[tuple[float, float]], top: float) -> list[float]:
    """Return a height for the label at each end, so that none lies on another.

    ends: pixels from the left, and upwards. A label stays at its end if it can, and moves down by
    as little as it must; none stands above ``top``.
    """
    placed: list[tuple[float, float]] = []
    heights = [0.0] * len(ends)
    # From the top down, so that the labels keep the order of the curves.
    for index in sorted(range(len(ends)), key=lambda index: -ends[index][1]):
        left, height = ends[index]
        height = min(height, top)
        while any(
            abs(left - other) < LABEL_PIXELS and abs(height - taken) < LABEL_PIXELS
            for other, taken in placed
        ):
            height -= 1.0
        placed.append((left, height))
        heights[index] = height
    return heights


def readable(colour: QColor, theme: Theme | None = None, least: float = _CONTRAST) -> QColor:
    """Move a curve's colour towards that of texts until it stands out from a card.

    least: contrast that is enough; a line needs less than a text.
    """
    theme = theme or current_theme()
    mixed = (mix(colour, theme.text, tenths / 10) for tenths in range(10))
    return next((ink for ink in mixed if contrast(ink, theme.card) >= least), theme.text)
