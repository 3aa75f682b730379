"""A pyqtgraph plot that does nothing by itself: no menu, no buttons, no ranges of its own.

pyqtgraph's own plot makes all of that and hides it; what it makes is slow, and outlives the plot.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGraphicsGridLayout, QSizePolicy, QWidget

from tilelab.gui.charts.ticks import tick_step, tick_text, ticks
from tilelab.gui.widgets.theme import Theme, text_font, tokens

_LEFT_PIXELS, _BOTTOM_PIXELS = 52, 40
_LEFT_PIXELS_A_TICK, BOTTOM_PIXELS_A_TICK = 26, 88
_KEYS = {
    Qt.Key.Key_Left: (-0.1, 1.0),
    Qt.Key.Key_Right: (0.1, 1.0),
    Qt.Key.Key_Plus: (0.0, 0.8),
    Qt.Key.Key_Equal: (0.0, 0.8),
    Qt.Key.Key_Minus: (0.0, 1.25),
}
"""What a key does to the range of units: move by a part of it, scale it."""

Range = tuple[float, float]


def moved_range(unit_range: Range, key: Qt.Key, least: float = 1.0) -> Range | None:
    """Return what is in view after a key; None when it is none of the chart's.

    least: this much stays in view.
    """
    if key not in _KEYS:
        return None
    (low, high), (shift, scale) = unit_range, _KEYS[key]
    middle = (low + high) / 2 + shift * (high - low)
    half = max((high - low) * scale, least) / 2
    return middle - half, middle + half


class Plot(pg.GraphicsView):
    """A box that curves are put in, between a left and a lower axis with round ticks.

    smallest_step: between two ticks of the lower axis.
    """

    def __init__(self, parent: QWidget, smallest_step: float = 1.0) -> None:
        super().__init__(parent)
        self.enableMouse(False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(0, 0)
        for part in (self, self.viewport()):
            part.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            part.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.frame = pg.GraphicsWidget()
        """Box and axes."""
        self.box = pg.ViewBox(self.frame, enableMenu=False)
        """Holds the curves, and the ranges that are in view."""
        self.box.disableAutoRange()
        self._axes = {
            side: pg.AxisItem(side, parent=self.frame, linkView=self.box)
            for side in ("left", "bottom")
        }
        self._set_up_axes(smallest_step)
        layout = QGraphicsGridLayout()
        # Room for the half of a tick's text that stands beyond the last tick.
        layout.setContentsMargins(1, 9, 19, 1)
        layout.setSpacing(0)
        layout.addItem(self._axes["left"], 0, 0)
        layout.addItem(self.box, 0, 1)
        layout.addItem(self._axes["bottom"], 1, 1)
        layout.setRowStretchFactor(0, 1)
        layout.setColumnStretchFactor(1, 1)
        self.frame.setLayout(layout)
        self.setCentralItem(self.frame)

    def getAxis(self, side: str) -> Any:
        """Return the axis 'left' or 'bottom'."""
        return self._axes[side]

    def _set_up_axes(self, smallest_step: float) -> None:
        left, bottom = self._axes.values()
        left.setWidth(_LEFT_PIXELS)
        bottom.setHeight(_BOTTOM_PIXELS)
        # An axis asks these two for its ticks and their texts.
        left.tickValues = partial(_axis_ticks, _LEFT_PIXELS_A_TICK, 0.0)
        bottom.tickValues = partial(_axis_ticks, BOTTOM_PIXELS_A_TICK, smallest_step)
        for axis in (left, bottom):
            axis.setZValue(0.5)
            axis.tickStrings = _axis_texts
            axis.enableAutoSIPrefix(False)
            axis.setStyle(tickLength=0, tickAlpha=0, hideOverlappingLabels=False)
        left.setStyle(tickTextOffset=8)
        bottom.setStyle(tickTextOffset=6)


def draw_grid(plot: Any, grid: Any, theme: Theme) -> None:
    """Lay a PlotCurveItem's lines through the ticks of the left axis, under the curves.

    The axis could draw them itself, but then over the curves and without its outermost texts.
    """
    (unit_low, unit_high), (low, high) = plot.box.viewRange()
    height = plot.box.height()
    ((_, values),) = _axis_ticks(_LEFT_PIXELS_A_TICK, 0.0, low, high, height)
    reach = unit_high - unit_low
    grid.setData(
        np.tile([unit_low - reach, unit_high + reach], len(values)),
        np.repeat(np.array(values, dtype=np.float64), 2),
        pen=pg.mkPen(theme.grid),
        connect="pairs",
        skipFiniteCheck=True,
    )


def dress_plot(plot: Any, theme: Theme, unit: str) -> None:
    """Give the plot a theme's colours and the label of its lower axis."""
    plot.setBackground(theme.card)
    for side in ("left", "bottom"):
        axis = plot.getAxis(side)
        axis.setStyle(tickFont=text_font("small"))
        axis.setTextPen(theme.muted)
        axis.setPen(pg.mkPen(None))
    size = f"{tokens()['sizes']['small']}px"
    plot.getAxis("bottom").setLabel(unit, color=theme.muted.name(), **{"font-size": size})


def _axis_ticks(
    pixels_each: float, smallest: float, low: float, high: float, n_pixels: float
) -> list[tuple[float, list[float]]]:
    """Ticks in pyqtgraph's form: (step, values) for each level, of which there is one."""
    step = tick_step(low, high, n_pixels / pixels_each, smallest)
    return [(step, ticks(low, high, step))]


def _axis_texts(values: Sequence[float], _scale: float, step: float) -> list[str]:
    return [tick_text(value, step) for value in values]
