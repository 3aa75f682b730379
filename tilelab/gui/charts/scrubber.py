"""The marker that the user drags along the chart to look at an earlier moment of the run."""

from collections.abc import Sequence
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QObject, QPointF, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel

from tilelab.core.text.language import tr
from tilelab.gui.widgets.theme import Theme, current_theme, mix, set_role

MOST_DOTS = 64
"""More bests than these are not dotted: they would hide the curve."""
_HANDLE_PIXELS, _DOT_PIXELS = 9, 5
_HOVER_MARGIN = 6


class ChartScrub(QObject):
    """A vertical line with a handle, the dots of the bests, and what the mouse is over.

    Knows units only. While nothing was chosen the line stands at the newest unit.
    """

    moved = Signal(float)
    """The user has dragged the line to a unit, or clicked there."""
    stepped = Signal(int)
    """The best before (-1) or after (1) was asked for."""
    left = Signal()
    """The present was asked for."""

    def __init__(self, plot: Any, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plot, self._box, self._view = plot, plot.box, plot.view
        self._newest, self._theme = 0.0, current_theme()
        self._unit: float | None = None
        self._is_offered = False
        self._dotted: tuple[Sequence[int], Sequence[float]] = ((), ())
        self._line = pg.InfiniteLine(0.0, angle=90, movable=True)
        self._line.addMarker("v", 1.0, _HANDLE_PIXELS)
        self._line.addMarker("^", 0.0, _HANDLE_PIXELS)
        self._line.setZValue(20)
        self._line.setCursor(Qt.CursorShape.SplitHCursor)
        self._line.sigDragged.connect(self._dragged)
        self._line.setToolTip(
            tr("Drag to an earlier moment (Shift+Left, Shift+Right; Escape ends it)")
        )
        self._line.hide()
        self._dots = pg.ScatterPlotItem(size=_DOT_PIXELS, antialias=True)
        self._dots.setZValue(9)
        for item in (self._line, self._dots):
            self._box.addItem(item, ignoreBounds=True)
        self._hover = QLabel(plot)
        self._hover.setObjectName("chart_hover")
        set_role(self._hover, "hover")
        self._hover.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._hover.hide()
        plot.scene().sigMouseMoved.connect(self._hovered)

    def offer(self, is_offered: bool) -> None:
        """Show the line, or take it away: a chart that only shows has none."""
        self._is_offered = is_offered
        self._place()

    def put(self, unit: float | None) -> None:
        """Put the line at a unit; None: at the present."""
        self._unit = unit
        self._place()

    def set_newest(self, n_units: int) -> None:
        """Say how many units there are."""
        if n_units - 1.0 != self._newest:
            self._newest = n_units - 1.0
            self._place()

    def show_dots(self, units: Sequence[int], values: Sequence[float]) -> None:
        """Dot the bests where there are few enough."""
        self._dotted = (units, values) if len(units) <= MOST_DOTS else ((), ())
        self.scale_changed()

    def scale_changed(self) -> None:
        """Put everything where it is on the scale of now."""
        units, values = self._dotted
        self._dots.setData([self._view.place(unit) for unit in units], list(values))
        self._place()

    def click(self, event: Any) -> bool:
        """Put the line where the plot was clicked; returns whether it was the plot."""
        if not self._is_offered or event.button() != Qt.MouseButton.LeftButton:
            return False
        if not self._box.sceneBoundingRect().contains(event.scenePos()):
            return False
        self._ask(self._view.value(float(self._box.mapSceneToView(event.scenePos()).x())))
        return True

    def press(self, event: QKeyEvent) -> bool:
        """Do what a key asks for; returns whether it was one of the marker's."""
        key, shift = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if not self._is_offered:
            return False
        if key == Qt.Key.Key_Escape and self._unit is not None:
            self.left.emit()
        elif shift and key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.stepped.emit(-1 if key == Qt.Key.Key_Left else 1)
        else:
            return False
        return True

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self._dots.setPen(pg.mkPen(theme.card, width=1))
        self._dots.setBrush(pg.mkBrush(theme.accent))
        self._place()

    def leave(self) -> None:
        """The mouse has gone."""
        self._hover.hide()

    def _place(self) -> None:
        # Steps inside the first unit can be gone back to, although there is nothing to drag to.
        shown = self._unit is not None or (self._is_offered and self._newest > 0)
        self._line.setVisible(shown)
        if not shown:
            return
        is_back = self._unit is not None
        theme = self._theme
        # At the present it is there to be taken hold of, and no more.
        colour = theme.selection if is_back else mix(theme.card, theme.muted, 0.45)
        self._line.setPen(pg.mkPen(colour, width=1))
        self._line.setHoverPen(pg.mkPen(theme.selection, width=2))
        self._line.setMovable(self._is_offered)
        ends = (0.0, self._newest) if self._unit is None else (-1.0, max(self._newest, self._unit))
        self._line.setBounds([self._view.place(end) for end in ends])
        self._line.setValue(self._view.place(self._newest if self._unit is None else self._unit))

    def _ask(self, unit: float) -> None:
        self.moved.emit(min(max(unit, 0.0), self._newest))

    @Slot(object)
    def _dragged(self, line: Any) -> None:
        self._ask(self._view.value(float(line.value())))

    @Slot(object)
    def _hovered(self, place: QPointF) -> None:
        inside = self._box.sceneBoundingRect().contains(place)
        unit = round(self._view.value(float(self._box.mapSceneToView(place).x()))) if inside else -1
        if not 0 <= unit <= self._newest or self._newest <= 0:
            self._hover.hide()
            return
        self._hover.setText(self._plot.words_at(unit))
        self._hover.adjustSize()
        area = self._box.sceneBoundingRect()
        # Beside the mouse, and never over the rim.
        left = place.x() + 2 * _HOVER_MARGIN
        if left + self._hover.width() > area.right():
            left = place.x() - 2 * _HOVER_MARGIN - self._hover.width()
        self._hover.move(int(max(left, area.left())), int(area.top()) + _HOVER_MARGIN)
        self._hover.show()
