"""A pyqtgraph plot that does nothing by itself: no menu, no buttons, no ranges of its own.

pyqtgraph's own plot makes all of that and hides it; what it makes is slow, and outlives the plot.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QGraphicsGridLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from tilelab.core.text.language import tr
from tilelab.gui.charts.ticks import (
    BOTTOM_PIXELS_A_TICK,
    Range,
    axis_ticks,
    log_place,
    log_value,
    tick_step,
    tick_text,
    ticks,
    whole_range,
)
from tilelab.gui.widgets.parts import text_label
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import (
    current_theme,
    scaled,
    set_style_property,
    text_font,
    text_pixels,
)

_LEFT_PIXELS, _BOTTOM_PIXELS = 52, 40
_LEFT_PIXELS_A_TICK = 26
Drawn = tuple[NDArray[np.float64], NDArray[np.float64]]
"""A curve: places along the lower axis in its own unit, ascending, and values."""
LOGARITHMIC = "chart/logarithmic"
_RIM, _VISIBLE_RIM = 0.03, 0.05
_CORNER = 1
_LEAST_DECADES = 0.02
_KEYS = {
    Qt.Key.Key_Left: (-0.1, 1.0),
    Qt.Key.Key_Right: (0.1, 1.0),
    Qt.Key.Key_Plus: (0.0, 0.8),
    Qt.Key.Key_Equal: (0.0, 0.8),
    Qt.Key.Key_Minus: (0.0, 1.25),
}
"""What a key does to what is in view: move by a part of it, scale it."""


class ChartView(QObject):
    """Sets both ranges of a plot; has a button in its corner for the logarithmic axis."""

    changed = Signal()
    """Something else is in view, or on another scale: the curves are to be drawn again."""
    scale_turned = Signal(bool)
    """The user wants a logarithmic axis, or no longer."""

    def __init__(self, plot: Any, parent: QObject, knee: float = 1.0) -> None:
        super().__init__(parent)
        self._plot, self._box = plot, plot.box
        self.knee = knee
        """Up to here the logarithmic axis is nearly even; it begins at 0."""
        self.is_whole = True
        """Whether everything is in view, whatever is still to come."""
        self._box.setMouseEnabled(x=True, y=False)
        self._box.sigRangeChangedManually.connect(self.leave)
        plot.scene().sigMouseClicked.connect(self._clicked)
        axis = plot.getAxis("bottom")
        self._linear = axis.tickValues, axis.tickStrings
        self.button = QToolButton(plot)
        """Turns the logarithmic axis on and off."""
        self.button.setObjectName("log_axis")
        self.button.setText(tr("log"))
        self.button.setCheckable(True)
        self.button.setAccessibleName(tr("Logarithmic lower axis"))
        self.button.setToolTip(tr("Lay the lower axis out by powers of ten"))
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_style_property(self.button, "small", True)
        self.button.toggled.connect(self._turned)
        plot.installEventFilter(self)

    @property
    def is_logarithmic(self) -> bool:
        """Whether the lower axis is logarithmic."""
        return self.button.isChecked()

    @property
    def shown_knee(self) -> float:
        """The knee of a logarithmic axis, 0 of an even one."""
        return self.knee if self.is_logarithmic else 0.0

    def set_logarithmic(self, is_logarithmic: bool) -> None:
        """Choose the scale of the lower axis; everything comes into view."""
        self.button.setChecked(is_logarithmic)

    def remember_in(self, settings: Settings) -> None:
        """Take the scale that was chosen last, and keep what will be chosen."""
        with QSignalBlocker(self):
            self.set_logarithmic(settings.flag(LOGARITHMIC))
        self.scale_turned.connect(partial(settings.set_flag, LOGARITHMIC))

    def place(self, value: float) -> float:
        """Return where a number of the lower axis lies in the plot."""
        return log_place(value, self.knee) if self.is_logarithmic else value

    def places(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return where numbers of the lower axis lie in the plot."""
        if not self.is_logarithmic:
            return values
        laid: NDArray[np.float64] = np.log10(1 + np.maximum(values / self.knee, -0.9))
        return laid

    def value(self, place: float) -> float:
        """Return the number of the lower axis at a place of the plot."""
        return log_value(place, self.knee) if self.is_logarithmic else place

    def in_view(self) -> Range:
        """Return the numbers at both ends of the lower axis."""
        (low, high), _ = self._box.viewRange()
        return self.value(low), self.value(high)

    @Slot()
    def fit(self) -> None:
        """Bring everything into view, and keep it there."""
        self.is_whole = True
        self.changed.emit()

    @Slot()
    def leave(self, *_changed: object) -> None:
        """Stay with what is in view now."""
        self.is_whole = False
        self.changed.emit()

    def take_over(self, before: "ChartView") -> None:
        """Stay with what another view has in view."""
        (low, high), _ = before._box.viewRange()
        self._box.setRange(xRange=(low, high), padding=0)
        self.leave()

    def press(self, key: Qt.Key) -> bool:
        """Move or zoom as a key says; returns whether it is one of the view's."""
        if key not in _KEYS:
            return False
        ((low, high), _), (shift, scale) = self._box.viewRange(), _KEYS[key]
        middle = (low + high) / 2 + shift * (high - low)
        least = _LEAST_DECADES if self.is_logarithmic else 1.0
        half = max((high - low) * scale, least) / 2
        self._box.setRange(xRange=(middle - half, middle + half), padding=0)
        self.leave()
        return True

    def show_to(self, last: float, beyond: float = 0.01, first: float = 0.0) -> None:
        """Set the range of the lower axis while everything is in view; first, last: its ends."""
        if self.is_whole:
            begin, end = self.place(first), self.place(last)
            reach = max(end - begin, 1e-6)
            self._box.setRange(xRange=(begin - 0.01 * reach, end + beyond * reach), padding=0)

    def show_values(self, curves: Sequence[Drawn], whole: Range | None = None) -> None:
        """Set the range of the values to what the curves have in view.

        whole: lowest and highest of all values, where the curves given are only a part.
        """
        if not self.is_whole:
            found = _seen(curves, *self.in_view())
            if found is None:
                return  # beyond the curves there is nothing to follow
            low, high = found if found[0] < found[1] else whole_range(*found)
            rim = _VISIBLE_RIM * (high - low)
        else:
            self.button.setVisible(any(len(values) for _, values in curves))
            ends = [(float(v.min()), float(v.max())) for _, v in curves if len(v)]
            ends = [whole] if whole is not None else ends
            bounds = (min(low for low, _ in ends), max(high for _, high in ends)) if ends else None
            low, high = (0.0, 1.0) if bounds is None else whole_range(*bounds)
            rim = _RIM * (high - low)
        self._box.setRange(yRange=(low - rim, high + rim), padding=0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self.button.adjustSize()
            right, bottom = self._plot.width() - _CORNER, self._plot.height() - _CORNER
            self.button.move(right - self.button.width(), bottom - self.button.height())
        return False

    def _clicked(self, event: Any) -> None:
        if event.double():
            self.fit()

    @Slot(bool)
    def _turned(self, is_logarithmic: bool) -> None:
        axis = self._plot.getAxis("bottom")
        log = self._log_ticks, self._log_texts
        axis.tickValues, axis.tickStrings = log if is_logarithmic else self._linear
        # The curves follow later; until then the axis would read places of one scale on the other.
        moved = log_place if is_logarithmic else log_value
        ends = [moved(end, self.knee) for end in self._box.viewRange()[0]]
        self._box.setRange(xRange=ends, padding=0)
        axis.picture = None
        self.scale_turned.emit(is_logarithmic)
        self.fit()

    def _log_ticks(
        self, low: float, high: float, n_pixels: float
    ) -> list[tuple[float, list[float]]]:
        found = axis_ticks(low, high, n_pixels / scaled(BOTTOM_PIXELS_A_TICK), 0.0, self.knee)
        self._texts = {round(place, 9): text for place, text in found}
        return [(1.0, [place for place, _ in found])]

    def _log_texts(self, places: Sequence[float], _scale: float, _step: float) -> list[str]:
        return [self._texts.get(round(place, 9), "") for place in places]


def _seen(curves: Sequence[Drawn], low: float, high: float) -> Range | None:
    """Return the lowest and highest value between two places, of lines that cross them, too."""
    lows, highs = [], []
    for places, values in curves:
        if not len(places) or places[0] > high or places[-1] < low:
            continue
        ends = np.clip((low, high), places[0], places[-1])
        inside = values[(places >= low) & (places <= high)]
        seen = np.append(inside, np.interp(ends, places, values))
        lows.append(float(seen.min()))
        highs.append(float(seen.max()))
    return (min(lows), max(highs)) if lows else None


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
