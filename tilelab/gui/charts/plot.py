"""A pyqtgraph plot that does nothing by itself: no menu, no buttons, no ranges of its own.

pyqtgraph's own plot makes all of that and hides it; what it makes is slow, and outlives the plot.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGraphicsGridLayout, QSizePolicy, QVBoxLayout, QWidget

from tilelab.gui.charts.ticks import BOTTOM_PIXELS_A_TICK, tick_step, tick_text, ticks
from tilelab.gui.charts.view import ChartView
from tilelab.gui.widgets.parts import text_label
from tilelab.gui.widgets.theme import current_theme, scaled, text_font, text_pixels

_LEFT_PIXELS, _BOTTOM_PIXELS = 52, 40
_LEFT_PIXELS_A_TICK = 26


class Plot(pg.GraphicsView):
    """A box that curves are put in, between a left and a lower axis with round ticks.

    smallest_step: between two ticks of the lower axis. knee: up to here it is nearly even when it
    is logarithmic. empty: what it says as long as there is no curve.
    """

    def __init__(
        self, parent: QWidget, smallest_step: float = 1.0, knee: float = 1.0, empty: str = ""
    ) -> None:
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
        self._grid = pg.PlotCurveItem(antialias=False)
        self._grid.setZValue(-10)
        self.box.addItem(self._grid)
        self.view = ChartView(self, self, knee)
        """Which part of the curves is in view, and on which scale."""
        self._empty = text_label("muted", self, empty)
        self._empty.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        over = QVBoxLayout(self)
        over.addWidget(self._empty, 0, Qt.AlignmentFlag.AlignCenter)

    def getAxis(self, side: str) -> Any:
        """Return the axis 'left' or 'bottom'."""
        return self._axes[side]

    def show_empty(self, is_empty: bool) -> None:
        """Say that there is no curve yet, or show box and axes."""
        self._empty.setVisible(is_empty)
        self.frame.setVisible(not is_empty)

    def draw_grid(self) -> None:
        """Lay lines through the ticks of the left axis, under the curves.

        The axis could draw them itself, but then over the curves and without its outermost texts.
        """
        (unit_low, unit_high), (low, high) = self.box.viewRange()
        ((_, values),) = _axis_ticks(_LEFT_PIXELS_A_TICK, 0.0, low, high, self.box.height())
        reach = unit_high - unit_low
        self._grid.setData(
            np.tile([unit_low - reach, unit_high + reach], len(values)),
            np.repeat(np.array(values, dtype=np.float64), 2),
            pen=pg.mkPen(current_theme().grid),
            connect="pairs",
            skipFiniteCheck=True,
        )

    def apply_theme(self, unit: str) -> None:
        """Take the colours of the theme in force; unit: label of the lower axis."""
        theme = current_theme()
        self.setBackground(theme.card)
        for axis in self._axes.values():
            axis.setStyle(tickFont=text_font("small"))
            axis.setTextPen(theme.muted)
            axis.setPen(pg.mkPen(None))
        self._axes["left"].setWidth(scaled(_LEFT_PIXELS))
        self._axes["bottom"].setHeight(scaled(_BOTTOM_PIXELS))
        size = f"{text_pixels('small')}px"
        style = {"color": theme.muted.name(), "font-size": size}
        self._axes["bottom"].setLabel(unit, **style)

    def _set_up_axes(self, smallest_step: float) -> None:
        left, bottom = self._axes.values()
        # An axis asks these two for its ticks and their texts.
        left.tickValues = partial(_axis_ticks, _LEFT_PIXELS_A_TICK, 0.0)
        bottom.tickValues = partial(_axis_ticks, BOTTOM_PIXELS_A_TICK, smallest_step)
        for axis in (left, bottom):
            axis.setZValue(0.5)
            axis.tickStrings = _axis_texts if axis is left else _lower_texts
            axis.enableAutoSIPrefix(False)
            axis.setStyle(tickLength=0, tickAlpha=0, hideOverlappingLabels=False)
        left.setStyle(tickTextOffset=8)
        bottom.setStyle(tickTextOffset=6)


def _axis_ticks(
    pixels_each: float, smallest: float, low: float, high: float, n_pixels: float
) -> list[tuple[float, list[float]]]:
    """Ticks in pyqtgraph's form: (step, values) for each level, of which there is one."""
    step = tick_step(low, high, n_pixels / scaled(pixels_each), smallest)
    return [(step, ticks(low, high, step))]


def _lower_texts(values: Sequence[float], scale: float, step: float) -> list[str]:
    """The same for the lower axis, whose numbers begin at 0."""
    texts = _axis_texts(values, scale, step)
    return [text if value >= 0 else "" for value, text in zip(values, texts, strict=True)]


def _axis_texts(values: Sequence[float], _scale: float, step: float) -> list[str]:
    return [tick_text(value, step) for value in values]
